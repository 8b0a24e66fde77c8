//! What all tests of searches need: games small enough to be solved by going through everything, that solver, a real clock, budgets.

mod endgame;
mod random_game;
mod solve;
mod time;

pub(crate) use endgame::endgame;
pub(crate) use random_game::{Shape, random_game, shape};
pub(crate) use solve::{Limited, Solver, paranoid, solve};
pub(crate) use time::{RealClock, keeps_to_its_memory, nodes, simulations, think, think_stopped, wall};

use ludens_gdl::{Rules, read};
use ludens_machine::relational::Options;
use ludens_machine::{GroundLimits, Limits, Machine, State};
use std::path::PathBuf;

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The text of a game of the library.
pub(crate) fn sheet(game: &str) -> String {
    std::fs::read_to_string(root().join("games").join(game).join("rules.kif")).expect("a game of the library")
}

/// The rules of a sheet that is known to be right.
pub(crate) fn rules(text: &str) -> Rules {
    let reading = read(text, &ludens_gdl::Limits::default());
    reading.rules.unwrap_or_else(|| panic!("the sheet is refused: {:?}\n{text}", reading.diagnostics))
}

/// The reference engine for a sheet.
pub(crate) fn relational(text: &str) -> Machine {
    Machine::relational(&rules(text), &Options::default(), &Limits::default()).expect("a machine")
}

/// The fastest engine for a sheet.
pub(crate) fn fastest(text: &str) -> Machine {
    let (ground, limits) = (GroundLimits::default(), Limits::default());
    Machine::fastest(&rules(text), &ground, &Options::default(), &limits).expect("a machine")
}

/// The same state in another machine of the same sheet.
pub(crate) fn translate(from: &Machine, state: &State, to: &Machine) -> State {
    let fluents = from.fluents(state);
    to.state_of(fluents.iter().map(String::as_str)).expect("a state of the same game")
}

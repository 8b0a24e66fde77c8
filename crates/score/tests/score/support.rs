//! Machines, and what functions say.

use ludens_gdl::Rules;
use ludens_machine::{GroundLimits, Machine};
use ludens_score::{Feature, Function, Term, Vocabulary};
use std::ops::Deref;
use std::path::PathBuf;

/// A machine with the rules that it plays by.
pub(crate) struct Game {
    pub(crate) rules: Rules,
    machine: Machine,
}

impl Deref for Game {
    type Target = Machine;

    fn deref(&self) -> &Machine {
        &self.machine
    }
}

fn rules(sheet: &str) -> Rules {
    ludens_gdl::read(sheet, &ludens_gdl::Limits::default()).rules.expect("a sheet that is right")
}

pub(crate) fn machine(sheet: &str) -> Game {
    let rules = rules(sheet);
    Game { machine: Machine::grounded(&rules, &GroundLimits::default()).expect("a machine"), rules }
}

fn library_sheet(game: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    std::fs::read_to_string(path).expect("a game of the library")
}

pub(crate) fn library(game: &str) -> Game {
    machine(&library_sheet(game))
}

pub(crate) fn library_rules(game: &str) -> Rules {
    rules(&library_sheet(game))
}

pub(crate) fn vocabulary(machine: &Machine) -> Vocabulary {
    Vocabulary::of(machine).expect("states of bits")
}

/// The weight of a feature for every role, in the order of the sheet.
pub(crate) fn weights(machine: &Machine, function: &Function, text: &str) -> Vec<Option<f64>> {
    let feature = Feature::parse(&vocabulary(machine), machine, text).expect("a feature of the game");
    let of = |terms: &[Term]| terms.iter().find(|term| term.feature == feature).map(|term| term.weight);
    function.roles.iter().map(|account| of(&account.terms)).collect()
}

/// One of two moves, `good` or `bad`, in each of three rounds; what is given is the rules of the goals.
pub(crate) fn three_rounds(goals: &str) -> Game {
    machine(&format!(
        "(role one) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3) (kind good) (kind bad)
         (<= (base (round ?n)) (succ ?n ?m)) (base (round 3)) (<= (base (took ?n ?k)) (succ ?n ?m) (kind ?k))
         (<= (input one ?k) (kind ?k)) (<= (legal one ?k) (kind ?k))
         (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
         (<= (next (took ?n ?k)) (true (round ?n)) (does one ?k))
         (<= (next (took ?n ?k)) (true (took ?n ?k)))
         (<= terminal (true (round 3)))
         {goals}"
    ))
}

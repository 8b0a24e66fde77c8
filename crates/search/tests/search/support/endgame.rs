//! Positions of the games of the library that are near enough to the end to be solved.

use super::{Solver, relational, sheet};
use ludens_machine::{Machine, MoveId, Random, State};
use ludens_search::Bounds;

/// A position that can be solved, and how it is.
#[derive(Debug)]
pub(crate) struct Endgame {
    /// The reference engine.
    pub(crate) machine: Machine,
    /// A state of that machine.
    pub(crate) state: State,
    /// What is certain about the points of every role.
    pub(crate) bounds: Vec<Bounds>,
    /// Joint moves that were played after it in the match it was taken from.
    pub(crate) plies: usize,
}

/// Joint moves of all matches that are played to find a long one.
const PLIES: usize = 1500;

/// Plays random matches of a game of the library and takes the longest, as little is left on the board then; goes back from its end as far as everything that follows can be gone through: at most
/// `limit` states in all. `None` where that is nowhere, or nobody has a choice there. `sum` is as in [`solve`](super::solve).
pub(crate) fn endgame(game: &str, sum: Option<u8>, seed: u64, limit: usize) -> Option<Endgame> {
    let machine = relational(&sheet(game));
    let mut random = Random::new(seed);
    let (mut passed, mut plies) = (Vec::new(), 0);
    while plies < PLIES {
        let other = random_match(&machine, &mut random);
        plies += other.len();
        if other.len() > passed.len() {
            passed = other;
        }
    }
    passed.reverse();
    let mut best = None;
    let mut solver = Solver::new(&machine, sum, limit);
    for (plies, (state, has_choice)) in passed.into_iter().enumerate() {
        let Ok(bounds) = solver.solve(&state) else { break };
        if has_choice {
            best = Some((state, bounds, plies));
        }
    }
    let (state, bounds, plies) = best?;
    Some(Endgame { machine, state, bounds, plies })
}

/// The states of a random match, and whether somebody has a choice there.
fn random_match(machine: &Machine, random: &mut Random) -> Vec<(State, bool)> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    let mut passed = Vec::new();
    for _ in 0..1000 {
        lanes.evaluate().expect("an evaluation");
        let legal: Vec<&[MoveId]> = machine.roles().map(|role| lanes.legal(0, role)).collect();
        let goes_on = !lanes.terminal(0) && legal.iter().all(|moves| !moves.is_empty());
        passed.push((lanes.state(0), goes_on && legal.iter().any(|moves| moves.len() > 1)));
        if !goes_on {
            break;
        }
        let joint: Vec<MoveId> = legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
        lanes.play(0, &joint);
        lanes.advance().expect("a successor");
    }
    passed
}

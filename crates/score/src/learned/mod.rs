//! Our own evaluation function: logistic regression of the points at the end on what a position is made of.
//!
//! Every fluent has a weight, but not one of its own alone: it is the sum of the weights of all patterns that mean it, `(cell ? ? white)` as well as
//! `(cell 3 ? white)` and `(cell 3 4 white)`. All are kept small, so that what many fluents have in common is said once, by the general pattern, and special
//! ones say only how a case differs. Lines that earn points are counted by how far they are filled, and legal moves of every role where that is asked for. Fluents that depend on nothing but the number of moves played are left out.
//! Where weights go by steps along a relation of the rules, that is told as a distance.

mod clocks;
mod extras;
mod fit;
mod learner;
mod orbits;
mod positions;
mod selfplay;
mod steps;
mod terms;

use crate::function::Function;
use crate::patterns::subsets;
use crate::refusal::Refusal;
use crate::sample::Matches;
use crate::vocabulary::{Table, Vocabulary};
use extras::Extras;
pub use learner::Learner;
use ludens_gdl::Rules;
use ludens_machine::{Machine, Random};
use positions::Positions;

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // any of them may go together
pub struct Options {
    /// Random matches to learn from, at most.
    pub matches: usize,
    /// Positions that are taken from each.
    pub each: usize,
    /// Passes over all positions of random play.
    pub passes: usize,
    /// Rounds of play against itself.
    pub rounds: usize,
    /// Positions of each.
    pub positions: usize,
    /// Positions that are looked at ahead in all rounds together, at most: where there are many moves, matches are fewer.
    pub children: usize,
    /// Positions of earlier rounds that are remembered.
    pub window: usize,
    /// Passes over them after each round.
    pub passes_later: usize,
    /// Joint moves at the beginning of that play that are left to chance, at most: in short matches fewer.
    pub opening: u64,
    /// Moves after which that play also looks at all answers: those that seem best without. None are, with 0.
    pub few: usize,
    /// How much chance has a part in the rest of it: a move that is worse by so much, as the logarithm of odds, is chosen a third as often.
    pub temperature: f32,
    /// Of what is learned about a position there, the share that comes from further on than the next.
    pub trace: f32,
    /// Whether legal moves are counted. Searches have to list them at their leaves then.
    pub moves: bool,
    /// Whether lines are counted, where the rules have any.
    pub lines: bool,
    /// Whether atoms are counted that the rules derive from a position. Searches have to work them out at their leaves then.
    pub derived: bool,
    /// Whether weights change as a match goes on, by a count that tells how far it has come.
    pub phases: bool,
    /// Whether weights are made equal that go together because the game looks the same from elsewhere.
    pub symmetries: bool,
    /// Matches are given up after so many joint moves.
    pub max_plies: u64,
}

impl Options {
    /// Weights change as a match goes on.
    pub fn phased() -> Options {
        Options { phases: true, ..Options::default() }
    }

    /// What the rules derive is counted, too.
    pub fn derived() -> Options {
        Options { derived: true, ..Options::default() }
    }

    /// What functions that are found so say they are of.
    pub(crate) fn name(&self) -> &'static str {
        match (self.phases, self.derived) {
            (true, _) => "phased",
            (false, true) => "derived",
            (false, false) => "learned",
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            matches: 4000,
            each: 10,
            passes: 12,
            rounds: 8,
            positions: 40_000,
            children: 40_000_000,
            window: 160_000,
            passes_later: 4,
            opening: 4,
            few: 8,
            temperature: 0.1,
            trace: 0.8,
            moves: false,
            lines: true,
            derived: false,
            phases: false,
            symmetries: true,
            max_plies: 1000,
        }
    }
}

/// A table with more columns is looked at as a whole, by one column at a time, and row by row.
const MOST_COLUMNS: usize = 5;

/// Learns a function for every role. `used` tells which share of the time there is has gone by: it ends at 1.
///
/// # Errors
/// If there is nothing to learn, or no time.
pub fn find(
    machine: &Machine,
    rules: &Rules,
    vocabulary: &Vocabulary,
    options: &Options,
    random: &mut Random,
    used: &dyn Fn() -> f64,
) -> Result<Function, Refusal> {
    learn(machine, rules, vocabulary, options, random, used).map(|(function, _)| function)
}

/// The same, with what learning can go on from.
///
/// # Errors
/// As those of [`find`].
pub fn learn(
    machine: &Machine,
    rules: &Rules,
    vocabulary: &Vocabulary,
    options: &Options,
    random: &mut Random,
    used: &dyn Fn() -> f64,
) -> Result<(Function, Learner), Refusal> {
    let mut learner = Learner::new(machine, rules, vocabulary, options, random, used)?;
    learner.improve(machine, random, used)?;
    let function = learner.function();
    for (role, account) in machine.roles().zip(&function.roles) {
        if account.terms.is_empty() {
            let role = machine.role_name(role).to_owned();
            return Err(if used() >= 1.0 { Refusal::NoTime } else { Refusal::NoFeatures { role } });
        }
    }
    learner.forget();
    Ok((function, learner))
}

/// What patterns say about rows of a table.
fn tied_columns(table: &Table) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    if all.len() <= MOST_COLUMNS {
        return subsets(&all);
    }
    let singles: Vec<Vec<usize>> = all.iter().map(|&column| vec![column]).collect();
    [vec![Vec::new(), all], singles].concat()
}

/// Some positions of every match.
fn thin_out(matches: &Matches, fitted: usize, extras: &Extras, each: usize, random: &mut Random) -> Positions {
    let mut positions = Positions::new(fitted, extras.features().len());
    for course in matches.courses() {
        for ply in course.some(each, random) {
            positions.push(course.position(ply), course.points[..fitted].iter().map(|&points| f32::from(points) / 100.0));
        }
    }
    positions
}

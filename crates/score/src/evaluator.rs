//! What every evaluator answers.

use ludens_machine::{Error, Lanes, Random};
use std::fmt::Debug;

/// A guess at the points that every role will have at the end. Immutable: threads share it.
pub trait Evaluator: Debug + Send + Sync {
    /// Its name as the command line knows it.
    fn name(&self) -> &'static str;

    /// Whether it asks for legal moves. Where it does not, searches need not have them listed at their leaves: [`Lanes::evaluate_ends`] will do.
    fn reads_moves(&self) -> bool {
        true
    }

    /// Scores the states of the first `count` lanes, which are loaded and evaluated: writes the points of every role, from 0 to 100, state
    /// after state. What the lanes hold stays as it is. States in which the match is over may get any score: searches read their points instead.
    ///
    /// # Panics
    /// If `scores` does not have room for as many numbers as states times roles.
    fn score(&self, lanes: &mut Lanes<'_>, count: usize, random: &mut Random, scores: &mut [f32]) -> Result<(), Error>;
}

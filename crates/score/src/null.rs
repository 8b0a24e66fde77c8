//! The null heuristic.

use crate::Evaluator;
use ludens_machine::{Error, Lanes, Random};

/// The same draw value for every state: the *null heuristic*, which knows nothing but the end.
#[derive(Clone, Copy, Debug)]
pub struct Null {
    /// The points of every role.
    pub draw: f32,
}

impl Default for Null {
    fn default() -> Null {
        Null { draw: 50.0 }
    }
}

impl Evaluator for Null {
    fn name(&self) -> &'static str {
        "null"
    }

    fn reads_moves(&self) -> bool {
        false
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, _: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        scores[..count * lanes.roles()].fill(self.draw);
        Ok(())
    }
}

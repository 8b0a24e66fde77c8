//! Early payoff: the goal value as it stands.

use crate::Evaluator;
use ludens_machine::{Error, Lanes, Random};

/// The points that the rules give a state as if it were the end: *early payoff*.
#[derive(Clone, Copy, Debug, Default)]
pub struct Goal;

impl Evaluator for Goal {
    fn name(&self) -> &'static str {
        "goal"
    }

    fn reads_moves(&self) -> bool {
        false
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, _: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        let roles = lanes.roles();
        assert!(scores.len() >= count * roles, "room for every score");
        let mut points = Vec::with_capacity(count * roles);
        lanes.points_all(count, &mut points)?;
        scores.iter_mut().zip(points).for_each(|(score, points)| *score = f32::from(points));
        Ok(())
    }
}

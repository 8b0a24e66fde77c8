//! Early payoff: the goal value as it stands.

use crate::Evaluator;
use ludens_machine::{Error, Lanes, Random, RoleId};

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
        for (lane, scores) in scores.chunks_exact_mut(roles).take(count).enumerate() {
            for (role, score) in scores.iter_mut().enumerate() {
                *score = f32::from(lanes.points(lane, RoleId(role as u32))?);
            }
        }
        Ok(())
    }
}

//! The mean of random matches.

use crate::Evaluator;
use ludens_machine::{Error, Lanes, Manner, Random, Rollouts, Totals};

/// The mean points of random matches from a state.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// Matches per state, at least.
    pub each: usize,
    /// Joint moves after which a match is given up.
    pub max_plies: u64,
    /// The points of every role where no match has an end.
    pub draw: f32,
}

impl Default for Playouts {
    fn default() -> Playouts {
        Playouts { each: 8, max_plies: 1000, draw: 50.0 }
    }
}

impl Evaluator for Playouts {
    fn name(&self) -> &'static str {
        "playouts"
    }

    fn reads_moves(&self) -> bool {
        false
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, random: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        let roles = lanes.roles();
        let states: Vec<Vec<u64>> = (0..count)
            .map(|lane| {
                let mut words = Vec::new();
                lanes.store(lane, &mut words);
                words
            })
            .collect();
        let starts: Vec<&[u64]> = states.iter().map(Vec::as_slice).collect();
        let mut totals = Totals::default();
        let asked =
            Rollouts { starts: &starts, each: self.each, shares: &[], max_plies: self.max_plies, manner: Manner::default() };
        lanes.rollouts(&asked, random, &|| false, &mut totals)?;
        for (start, scores) in scores.chunks_exact_mut(roles).take(count).enumerate() {
            let finished = totals.finished[start];
            for (role, score) in scores.iter_mut().enumerate() {
                let points = totals.points[start * roles + role];
                *score = if finished == 0 { self.draw } else { points as f32 / finished as f32 };
            }
        }
        // Playing has used the lanes.
        lanes.load_all(&starts);
        lanes.evaluate()
    }
}

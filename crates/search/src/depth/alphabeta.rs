//! Alpha-beta.

pub use super::options::Options;

use super::core::Core;
use super::count::Stop;
use super::deepen;
use super::foresee::Foresight;
use super::found::{Found, Window};
use super::node::Run;
use crate::{Budget, Error, Search, Settings, Verdict, Watch};
use ludens_machine::{Machine, RoleId, State};
use ludens_score::Evaluator;
use std::sync::Arc;

/// How much wider a window gets where the value lies outside.
const WIDER: f32 = 4.0;

/// Fail-soft alpha-beta with iterative deepening, a transposition table and aspiration windows, over the paranoid reduction: all other roles are one
/// coalition that wants the role to have few points, moves after it and knows its move. Depth counts joint moves.
#[derive(Debug)]
pub struct AlphaBeta<'m> {
    core: Core<'m>,
}

impl<'m> AlphaBeta<'m> {
    /// Of the settings, the memory and the seed count; it runs on one thread.
    pub fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, options: Options, settings: Settings) -> AlphaBeta<'m> {
        AlphaBeta { core: Core::new(machine, evaluator, options, settings) }
    }

    /// The same with what was measured of its evaluator, if anything: see [`Options::cut`].
    #[must_use]
    pub fn foreseeing(mut self, foresight: Option<Arc<Foresight>>) -> Self {
        self.core.foresight = foresight;
        self
    }
}

impl Search for AlphaBeta<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        deepen::think(&mut self.core, aspire, position, role, budget, watch)
    }
}

/// Searches around the last value; further away on the side where it did not lie.
fn aspire(run: &mut Run<'_, '_>, depth: u32, last: Option<f32>) -> Result<Found, Stop> {
    let mut window = Window::OPEN;
    let mut width = 0.0;
    if let (Some(last), Some(wanted)) = (last, run.core.options.aspiration) {
        width = wanted.max(0.01);
        window = Window { alpha: last - width, beta: last + width };
    }
    loop {
        let found = run.search(depth, window)?;
        if window.contains(found.value) || found.is_proven() {
            return Ok(found);
        }
        width *= WIDER;
        let far = width >= 50.0;
        if found.value <= window.alpha {
            window.alpha = if far { f32::NEG_INFINITY } else { found.value - width };
        } else {
            window.beta = if far { f32::INFINITY } else { found.value + width };
        }
    }
}

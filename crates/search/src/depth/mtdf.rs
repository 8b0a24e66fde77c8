//! MTD(f).

use super::alphabeta::Options;
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

/// More windows than bisection can need.
const WINDOWS: usize = 64;

/// MTD(f) for values that are real numbers, as Waledzik and Mandziuk use it: alpha-beta with memory and narrow windows, one after the other, that halve what
/// the value can be. Iterative deepening, the paranoid reduction and the table are those of [`AlphaBeta`](super::AlphaBeta).
#[derive(Debug)]
pub struct Mtdf<'m> {
    core: Core<'m>,
}

impl<'m> Mtdf<'m> {
    /// Of the settings, the memory and the seed count; it runs on one thread.
    pub fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, options: Options, settings: Settings) -> Mtdf<'m> {
        Mtdf { core: Core::new(machine, evaluator, options, settings) }
    }

    /// The same with what was measured of its evaluator, if anything: see [`Options::cut`].
    #[must_use]
    pub fn foreseeing(mut self, foresight: Option<Arc<Foresight>>) -> Self {
        self.core.foresight = foresight;
        self
    }
}

impl Search for Mtdf<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        deepen::think(&mut self.core, bisect, position, role, budget, watch)
    }
}

/// The paper's figure 3. The first window lies around the last value where that is wanted, as in MTD(f) for whole numbers.
fn bisect(run: &mut Run<'_, '_>, depth: u32, last: Option<f32>) -> Result<Found, Stop> {
    let eps = run.core.options.eps.max(0.001);
    let mut guess = last.filter(|_| run.core.options.guess);
    let mut low = Found { value: 0.0, low: true, high: false };
    let mut high = Found { value: 100.0, low: false, high: true };
    let mut found = low;
    for _ in 0..WINDOWS {
        let beta = guess.take().unwrap_or(f32::midpoint(low.value, high.value)) + eps / 2.0;
        let window = Window { alpha: beta - eps, beta };
        found = run.search(depth, window)?;
        if window.contains(found.value) || found.is_proven() {
            return Ok(found);
        }
        if found.value < beta {
            high = found;
        } else {
            low = found;
        }
        if low.value >= high.value {
            return Ok(Found { value: found.value, low: low.low, high: high.high });
        }
    }
    Ok(found)
}

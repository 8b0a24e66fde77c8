//! What a search has used of its budget, and when it must end.

use super::expand::{Choices, Expander, Positions, Reach, Way};
use crate::{Meter, Watch, Worker};
use std::time::Duration;

/// Passes between two looks at the clock, at most.
const PASSES: u32 = 256;

/// Time that may pass between two looks at the clock.
const PAUSE: Duration = Duration::from_micros(150);

/// Why a search came to a sudden end.
#[derive(Debug)]
pub(super) enum Stop {
    /// The budget is used up.
    Over,
    /// The engine could not go on.
    Engine(Box<ludens_machine::Error>),
}

impl From<ludens_machine::Error> for Stop {
    fn from(error: ludens_machine::Error) -> Stop {
        Stop::Engine(Box::new(error))
    }
}

/// Counts positions and looks at the clock every now and then, so that this does not take long itself.
#[derive(Debug)]
pub(super) struct Counter<'r> {
    meter: &'r Meter<'r>,
    worker: &'r Worker<'r>,
    watch: Watch<'r>,
    most: u64,
    nodes: u64,
    /// Passes since the last look at the clock, and how many there may be.
    passes: u32,
    pause: u32,
    looked: Duration,
}

impl<'r> Counter<'r> {
    pub(super) fn new(meter: &'r Meter<'r>, worker: &'r Worker<'r>, watch: Watch<'r>, most: Option<u64>) -> Counter<'r> {
        let looked = watch.clock.wall();
        Counter { meter, worker, watch, most: most.unwrap_or(u64::MAX), nodes: 0, passes: 0, pause: 1, looked }
    }

    /// The position itself was looked at.
    pub(super) fn begin(&mut self) {
        self.nodes += 1;
        self.meter.add_nodes(1);
    }

    /// Makes `count` children of a position, in as many passes as it takes, in place of what a list held.
    #[allow(clippy::too_many_arguments)] // What is expanded, how and where to: one call each in two searches.
    pub(super) fn expand(
        &mut self,
        expander: &mut Expander<'_>,
        from: (&Positions, usize),
        first: Way,
        count: usize,
        choices: Choices,
        reach: Reach,
        into: &mut Positions,
    ) -> Result<(), Stop> {
        into.clear();
        let mut way = first;
        let mut left = count;
        while left > 0 {
            let children = left.min(expander.width());
            expander.pass(from, way, children, reach, into)?;
            self.count(children)?;
            left -= children;
            let reply = way.reply + children as u64;
            way = Way { own: way.own + (reply / choices.replies) as usize, reply: reply % choices.replies };
        }
        Ok(())
    }

    /// Nodes are counted exactly, so that a budget of nodes always ends at the same one.
    pub(super) fn count(&mut self, children: usize) -> Result<(), Stop> {
        self.nodes += children as u64;
        self.meter.add_nodes(children as u64);
        self.passes += 1;
        if self.nodes >= self.most {
            return Err(Stop::Over);
        }
        if self.passes >= self.pause {
            if self.worker.is_over() {
                return Err(Stop::Over);
            }
            let now = self.watch.clock.wall();
            let passed = now.saturating_sub(self.looked);
            self.pause = if passed * 2 <= PAUSE { (self.pause * 2).min(PASSES) } else { (self.pause / 2).max(1) };
            (self.passes, self.looked) = (0, now);
        }
        Ok(())
    }
}

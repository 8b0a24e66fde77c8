//! A real clock, budgets, and thinking in one call.

use cpu_time::ThreadTime;
use ludens_machine::{RoleId, State};
use ludens_search::{Budget, Clock, Error, Search, Verdict, Watch};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The clocks of the operating system.
#[derive(Debug)]
pub(crate) struct RealClock(Instant);

impl RealClock {
    pub(crate) fn new() -> RealClock {
        RealClock(Instant::now())
    }
}

impl Clock for RealClock {
    fn wall(&self) -> Duration {
        self.0.elapsed()
    }

    fn cpu(&self) -> Duration {
        ThreadTime::now().as_duration()
    }
}

/// So many milliseconds on the wall.
pub(crate) fn wall(milliseconds: u64) -> Budget {
    Budget { wall: Some(Duration::from_millis(milliseconds)), ..Budget::default() }
}

/// So many simulations.
pub(crate) fn simulations(count: u64) -> Budget {
    Budget { simulations: Some(count), ..Budget::default() }
}

/// So many nodes.
pub(crate) fn nodes(count: u64) -> Budget {
    Budget { nodes: Some(count), ..Budget::default() }
}

/// Thinks with a real clock, and nobody says stop.
pub(crate) fn think(search: &mut dyn Search, state: &State, role: u32, budget: &Budget) -> Result<Verdict, Error> {
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
    search.think(state, RoleId(role), budget, &Watch { clock: &clock, stop: &stop })
}

/// Thinks where somebody has said stop already.
pub(crate) fn think_stopped(search: &mut dyn Search, state: &State, role: u32) -> Result<Verdict, Error> {
    let (clock, stop) = (RealClock::new(), AtomicBool::new(true));
    search.think(state, RoleId(role), &Budget::default(), &Watch { clock: &clock, stop: &stop })
}

/// Thinks several times about a position that needs more memory than there is: it is used, and no more of it.
pub(crate) fn keeps_to_its_memory(search: &mut dyn Search, state: &State, cap: usize, times: usize) {
    let (mut nodes, mut full) = (0, 0);
    for _ in 0..times {
        let verdict = think(search, state, 0, &simulations(20_000)).expect("an answer");
        assert!(verdict.memory <= cap as u64, "{} bytes", verdict.memory);
        assert!(verdict.moves.len() > 1 && verdict.moves[0].visits > 0);
        full = full.max(verdict.memory);
        nodes += verdict.nodes;
    }
    assert!(nodes * 150 > cap as u64, "{nodes} nodes have been made, more than fit");
    assert!(full * 2 > cap as u64, "the memory is used: {full}");
}

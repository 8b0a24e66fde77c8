//! The time, for searches.

use cpu_time::ThreadTime;
use ludens_search::{Clock, Watch};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The clocks of the operating system.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SystemClock(Instant);

impl SystemClock {
    pub(crate) fn new() -> SystemClock {
        SystemClock(Instant::now())
    }

    /// This clock, and a sign to stop.
    pub(crate) fn watch<'a>(&'a self, stop: &'a AtomicBool) -> Watch<'a> {
        Watch { clock: self, stop }
    }
}

impl Clock for SystemClock {
    fn wall(&self) -> Duration {
        self.0.elapsed()
    }

    fn cpu(&self) -> Duration {
        ThreadTime::now().as_duration()
    }
}

//! The time, as searches look at it.

use cpu_time::ThreadTime;
use ludens_search::{Clock, Watch};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The clocks of the operating system.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock(Instant);

impl SystemClock {
    /// Begins now.
    #[expect(clippy::new_without_default, reason = "when it was made matters")]
    pub fn new() -> SystemClock {
        SystemClock(Instant::now())
    }

    /// This clock, and a sign to stop.
    pub fn watch<'a>(&'a self, stop: &'a AtomicBool) -> Watch<'a> {
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

//! CPU time and memory of this process, as the operating system counts them.

use cpu_time::{ProcessTime, ThreadTime};
use std::fs;

/// A stopwatch of the CPU time that the process uses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProcessWatch(ProcessTime);

impl ProcessWatch {
    pub(crate) fn start() -> ProcessWatch {
        ProcessWatch(ProcessTime::now())
    }

    pub(crate) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// A stopwatch of the CPU time that the calling thread uses; it must be read on the thread that started it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreadWatch(ThreadTime);

impl ThreadWatch {
    pub(crate) fn start() -> ThreadWatch {
        ThreadWatch(ThreadTime::now())
    }

    pub(crate) fn seconds(self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

/// Forgets the peak of resident memory, so that the next game has its own. Only Linux can, and not everywhere: the peak
/// then includes the games before.
pub(crate) fn reset_peak_bytes() {
    let _ = fs::write("/proc/self/clear_refs", "5");
}

/// The most memory that was resident at once, where the system tells.
pub(crate) fn peak_bytes() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

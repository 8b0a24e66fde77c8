//! What becomes of memory that is no longer used.
#![allow(unsafe_code)] // the C library is told what to do

/// Blocks of so many bytes are taken from the system, and given back to it, one by one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 256 << 10;

/// Lets large blocks of memory go back to the system as soon as they are freed. Says whether that was arranged: a program does so once, first of all, since with other threads about it is not.
///
/// The C library of GNU begins that way, but takes the first large block that is freed for a sign that there will be more, and has all up to that size share a heap with small ones from then on,
/// one heap for each of several threads. What is free in the middle of a heap is kept. A process that plays match after match, each with a tree of its own in threads of its own, held several times
/// what it used. Elsewhere nothing is done.
pub fn return_large_blocks() -> bool {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let is_alone = std::fs::read_dir("/proc/self/task").is_ok_and(|threads| threads.count() == 1);
        // SAFETY: it changes numbers that only the allocator reads, and no other thread is there to read them meanwhile.
        is_alone && unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) } == 1
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    false
}

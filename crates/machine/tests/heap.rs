//! Large blocks go back to the system when they are freed. Not by the usual harness: its threads would be in the way.

use std::hint::black_box;
use std::thread;

/// Bytes of a block of a tree, and how many of them there are.
const BLOCK: usize = 1 << 20;
const BLOCKS: usize = 64;

/// KiB that may stay for other reasons.
const REST: usize = 8 << 10;

/// KiB of memory that this process has.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").expect("the state of this process");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
    line.split_whitespace().next().and_then(|size| size.parse().ok()).expect("a number")
}

/// Fills a tree, and leaves small things that were made meanwhile.
fn grow() -> Vec<Vec<u8>> {
    let node = |_| (black_box(vec![1_u8; BLOCK]), black_box(vec![1_u8]));
    let (tree, small): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (0..BLOCKS).map(node).unzip();
    drop(tree);
    small
}

fn main() {
    let is_arranged = ludens_machine::return_large_blocks();
    assert_eq!(is_arranged, cfg!(all(target_os = "linux", target_env = "gnu")));
    if !is_arranged {
        return;
    }
    let before = resident();
    let left: Vec<Vec<Vec<u8>>> = (0..4).map(|_| thread::spawn(grow).join().expect("a thread ends")).collect();
    let after = resident();
    assert!(after < before + REST, "{before} KiB before, {after} KiB after");
    drop(left);
}

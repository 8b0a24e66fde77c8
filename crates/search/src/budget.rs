//! How long a search may go on.

use std::cell::Cell;
use std::fmt::Debug;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// What a move may cost; whichever limit is met first ends the search. Without any it goes on until it is stopped or knows the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Time on the clock on the wall.
    pub wall: Option<Duration>,
    /// CPU time of all threads together.
    pub cpu: Option<Duration>,
    /// Descents through the tree, or playouts of a search without one. Several threads may make a batch more each.
    pub simulations: Option<u64>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Joint moves ahead, for searches that deepen step by step.
    pub depth: Option<u32>,
}

/// Tells the time. An argument everywhere, so that tests can make it up.
pub trait Clock: Debug + Sync {
    /// Time on the wall since some moment.
    fn wall(&self) -> Duration;
    /// CPU time of the calling thread since some moment.
    fn cpu(&self) -> Duration;
}

/// What a search looks at while it runs.
#[derive(Clone, Copy, Debug)]
pub struct Watch<'a> {
    /// The time.
    pub clock: &'a dyn Clock,
    /// Set from outside when the search shall come to an end at once.
    pub stop: &'a AtomicBool,
}

/// What one search has used of its budget; its threads share it.
#[derive(Debug)]
pub struct Meter<'a> {
    watch: Watch<'a>,
    budget: Budget,
    began: Duration,
    cpu: AtomicU64,
    simulations: AtomicU64,
    nodes: AtomicU64,
    over: AtomicBool,
    workers: AtomicU32,
}

impl<'a> Meter<'a> {
    /// Begins now.
    pub fn new(budget: &Budget, watch: &Watch<'a>) -> Meter<'a> {
        Meter {
            watch: *watch,
            budget: *budget,
            began: watch.clock.wall(),
            cpu: AtomicU64::new(0),
            simulations: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
            workers: AtomicU32::new(0),
        }
    }

    /// One thread's part, to be made and used on that thread.
    pub fn worker(&self) -> Worker<'_> {
        self.workers.fetch_add(1, Relaxed);
        Worker { meter: self, cpu: Cell::new(self.watch.clock.cpu()), look: Cell::new(Duration::ZERO) }
    }

    /// Ends the search, for all threads.
    pub fn finish(&self) {
        self.over.store(true, Relaxed);
    }

    /// Time on the wall since the beginning.
    pub fn wall(&self) -> Duration {
        self.watch.clock.wall().saturating_sub(self.began)
    }

    /// CPU time of all threads, as far as they have told.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu.load(Relaxed))
    }

    /// Descents so far.
    pub fn simulations(&self) -> u64 {
        self.simulations.load(Relaxed)
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether something that takes so long leaves most of the budget's time for the search.
    pub fn leaves(&self, cost: Duration) -> bool {
        let ample = |used: Duration, most: Option<Duration>| most.is_none_or(|most| used + cost * 4 <= most);
        ample(self.wall(), self.budget.wall) && ample(self.cpu(), self.budget.cpu)
    }

    /// How many descents may still begin.
    pub fn simulations_left(&self) -> u64 {
        self.budget.simulations.map_or(u64::MAX, |most| most.saturating_sub(self.simulations()))
    }

    /// Takes note of descents.
    pub fn add_simulations(&self, count: u64) {
        self.simulations.fetch_add(count, Relaxed);
    }

    /// Takes note of positions.
    pub fn add_nodes(&self, count: u64) {
        self.nodes.fetch_add(count, Relaxed);
    }
}

/// One thread's part of a search.
#[derive(Debug)]
pub struct Worker<'m> {
    meter: &'m Meter<'m>,
    /// What the thread had used when it last told.
    cpu: Cell<Duration>,
    /// The limit on CPU time cannot be met before this time on the wall.
    look: Cell<Duration>,
}

impl Worker<'_> {
    /// Whether the search must end: some limit is met, or somebody stopped it. Cheap enough to be asked every few microseconds.
    pub fn is_over(&self) -> bool {
        let Meter { watch, budget, over, .. } = self.meter;
        if over.load(Relaxed) {
            return true;
        }
        let meets = |used: u64, most: Option<u64>| most.is_some_and(|most| used >= most);
        let is_over = watch.stop.load(Relaxed)
            || meets(self.meter.simulations(), budget.simulations)
            || meets(self.meter.nodes(), budget.nodes)
            || budget.wall.is_some_and(|most| self.meter.wall() >= most)
            || budget.cpu.is_some_and(|most| self.has_used(most));
        if is_over {
            over.store(true, Relaxed);
        }
        is_over
    }

    /// Whether all threads together have used so much CPU time. To know takes a call of the operating system; it is not made while all threads
    /// together could not have used up what was left.
    fn has_used(&self, most: Duration) -> bool {
        let now = self.meter.wall();
        if now < self.look.get() {
            return false;
        }
        let used = self.tell();
        self.look.set(now + most.saturating_sub(used) / self.meter.workers.load(Relaxed).max(8));
        used >= most
    }

    /// Adds the CPU time since it last told; answers that of all threads.
    pub fn tell(&self) -> Duration {
        let now = self.meter.watch.clock.cpu();
        let used = now.saturating_sub(self.cpu.replace(now)).as_nanos() as u64;
        Duration::from_nanos(self.meter.cpu.fetch_add(used, Relaxed) + used)
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.tell();
    }
}

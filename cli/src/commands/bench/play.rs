//! Random playouts against the clock, on one thread or on several.

use super::Args;
use crate::interrupt;
use crate::measure::{ProcessWatch, ThreadWatch};
use anyhow::Result;
use indicatif::ProgressBar;
use ludens_machine::relational::TableUse;
use ludens_machine::{Error, Lanes, Machine, Playout, Random, playout};
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

/// Playouts that make up the signature. They are played even where they take longer than the budget: a signature that
/// depended on the machine's speed would be none.
pub(super) const SIGNATURE_PLAYOUTS: u64 = 10;

/// How many states are evaluated between two looks at the clock, which is a system call.
const STATES_PER_LOOK: u64 = 100;

/// One thread alone and all together take turns so many times, so that what else the computer does falls on both alike.
const ROUNDS: u32 = 5;

/// What adds up over the playouts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub(super) playouts: u64,
    pub(super) plies: u64,
    pub(super) unfinished: u64,
    pub(super) cpu_seconds: f64,
    pub(super) wall_seconds: f64,
    /// Of a single thread.
    pub(super) table: Option<TableUse>,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.playouts += other.playouts;
        self.plies += other.plies;
        self.unfinished += other.unfinished;
        self.cpu_seconds += other.cpu_seconds;
        self.wall_seconds += other.wall_seconds;
    }

    fn rate(&self) -> f64 {
        self.playouts as f64 / self.cpu_seconds.max(f64::MIN_POSITIVE)
    }
}

/// One after the other in a single lane: what every engine can. The signature is that of the first ones.
pub(super) fn one_by_one(machine: &Machine, args: &Args, seconds: f64, progress: &ProgressBar) -> Result<(Tally, Signature)> {
    let roles = machine.roles().len();
    let mut lanes = machine.lanes(1);
    let mut random = Random::new(args.play.seed);
    let mut signature = Signature::new();
    let mut tally = Tally::default();
    let mut states_since_look = 0;
    let (watch, start) = (ProcessWatch::start(), Instant::now());
    while !interrupt::is_requested() && (tally.cpu_seconds < seconds || tally.playouts < SIGNATURE_PLAYOUTS) {
        lanes.load(0, machine.initial());
        let result = playout(&mut lanes, 0, roles, &mut random, args.play.max_plies)?;
        if tally.playouts < SIGNATURE_PLAYOUTS {
            signature.add(&result);
        }
        tally.playouts += 1;
        tally.plies += result.plies as u64;
        tally.unfinished += u64::from(result.points.is_none());
        // The last state of a playout counts too: a match that is over before its first move also takes time.
        states_since_look += result.plies as u64 + 1;
        if states_since_look >= STATES_PER_LOOK {
            states_since_look = 0;
            tally.cpu_seconds = watch.seconds();
            progress.set_position(tally.playouts);
        }
    }
    tally.cpu_seconds = watch.seconds();
    tally.wall_seconds = start.elapsed().as_secs_f64();
    tally.table = lanes.table_use();
    Ok((tally, signature))
}

/// A thread's own lanes and chance.
pub(super) struct Player<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    random: Random,
    max_plies: usize,
    /// How many playouts take a fifth of a second: Ctrl-C and the clock are noticed between batches.
    batch: u64,
}

impl<'m> Player<'m> {
    pub(super) fn new(machine: &'m Machine, args: &Args, thread: u64) -> Player<'m> {
        let width = if machine.as_bits().is_some() { usize::from(args.lanes) } else { 1 };
        Player {
            machine,
            lanes: machine.lanes(width),
            random: Random::new(args.play.seed.wrapping_add(thread)),
            max_plies: args.play.max_plies,
            batch: width as u64,
        }
    }

    /// Plays a batch.
    fn play(&mut self) -> Result<Tally, Error> {
        let mut tally = Tally::default();
        let initial = self.machine.initial();
        if let Some(played) = self.lanes.playouts(initial, self.batch, self.max_plies as u64, &mut self.random) {
            return Ok(Tally {
                playouts: played.finished + played.stuck,
                plies: played.plies,
                unfinished: played.stuck,
                ..tally
            });
        }
        while tally.playouts < self.batch && !interrupt::is_requested() {
            self.lanes.load(0, initial);
            let result = playout(&mut self.lanes, 0, self.machine.roles().len(), &mut self.random, self.max_plies)?;
            tally.playouts += 1;
            tally.plies += result.plies as u64;
            tally.unfinished += u64::from(result.points.is_none());
        }
        Ok(tally)
    }

    /// Plays until so many CPU seconds of the thread are used.
    pub(super) fn play_for(&mut self, seconds: f64, progress: &ProgressBar) -> Result<Tally, Error> {
        let mut total = Tally::default();
        let (watch, start) = (ThreadWatch::start(), Instant::now());
        while !interrupt::is_requested() && total.cpu_seconds < seconds {
            let played = self.play()?;
            progress.inc(played.playouts);
            total.add(&played);
            total.cpu_seconds = watch.seconds();
            let fifth = (total.rate() * 0.2) as u64;
            self.batch = self.batch.max(fifth.min(self.batch * 16));
        }
        total.wall_seconds = start.elapsed().as_secs_f64();
        Ok(total)
    }
}

/// Playouts in all lanes at once, in ever larger batches.
pub(super) fn in_lanes(machine: &Machine, args: &Args, progress: &ProgressBar) -> Result<Tally> {
    Ok(Player::new(machine, args, 0).play_for(args.seconds, progress)?)
}

/// What came of several threads.
#[derive(Debug, Default)]
pub(super) struct Together {
    /// Of all threads, while all of them played.
    pub(super) total: Tally,
    /// Playouts per CPU second of every thread, while all of them played.
    pub(super) rates: Vec<f64>,
    /// Playouts per CPU second of one thread, while the others waited.
    pub(super) alone: f64,
}

/// Several threads, each with lanes of its own on one machine. One alone and all together take turns.
pub(super) fn together(machine: &Machine, args: &Args, progress: &ProgressBar) -> Result<Together> {
    let threads = usize::from(args.threads);
    let slice = args.seconds / f64::from(ROUNDS);
    let barrier = Barrier::new(threads);
    let work = |thread: usize| -> Result<(Tally, Tally), Error> {
        let mut player = Player::new(machine, args, thread as u64);
        let (mut alone, mut all) = (Tally::default(), Tally::default());
        let mut failed = None;
        // A thread that has failed goes on to meet the others at the barrier.
        let mut note = |tally: &mut Tally, played: Result<Tally, Error>| match played {
            Ok(played) => tally.add(&played),
            Err(error) => failed = Some(error),
        };
        for _ in 0..ROUNDS {
            if thread == 0 {
                note(&mut alone, player.play_for(slice, progress));
            }
            barrier.wait();
            let start = Instant::now();
            note(&mut all, player.play_for(slice, progress));
            barrier.wait();
            // Until the last of them is done; each thread has the same.
            all.wall_seconds += start.elapsed().as_secs_f64();
        }
        failed.map_or(Ok((alone, all)), Err)
    };
    let outcomes: Vec<Result<(Tally, Tally), Error>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        workers.into_iter().map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    let mut together = Together::default();
    for (thread, outcome) in outcomes.into_iter().enumerate() {
        let (alone, all) = outcome?;
        let wall_seconds = together.total.wall_seconds.max(all.wall_seconds);
        together.total.add(&all);
        together.total.wall_seconds = wall_seconds;
        together.rates.push(all.rate());
        if thread == 0 {
            together.alone = alone.rate();
        }
    }
    Ok(together)
}

/// FNV-1a, over the lengths and results of playouts or whatever else: short, and the same on every machine.
pub(super) struct Signature(pub(super) u64);

impl Signature {
    pub(super) fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, playout: &Playout) {
        let plies = (playout.plies as u64).to_le_bytes();
        // 255 points cannot be: it stands for a playout without an end.
        let points = playout.points.as_deref().unwrap_or(&[255]);
        self.add_bytes(&plies);
        self.add_bytes(points);
    }

    pub(super) fn add_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Signature;
    use ludens_machine::Playout;

    #[test]
    fn the_signature_tells_results_apart() {
        let of = |plies, points| {
            let mut signature = Signature::new();
            signature.add(&Playout { plies, points });
            signature.0
        };
        let draw = of(9, Some(vec![50, 50]));
        assert_eq!(draw, of(9, Some(vec![50, 50])));
        assert_ne!(draw, of(8, Some(vec![50, 50])));
        assert_ne!(draw, of(9, Some(vec![100, 0])));
        assert_ne!(draw, of(9, None));
    }
}

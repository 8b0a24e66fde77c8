//! Random play from many states, summed up state by state.

use super::book::{Book, earned};
use super::interpreted::Interpreted;
use super::native::Written;
use super::playouts::{Playouts, Rows};
use super::select::Source;
use super::transpose::fill;
use super::word::{Word, count, each_lane, lowest};
use super::{Bits, exec};
use crate::{Random, Rollouts, Totals};

/// Instructions or gates after which one may ask whether to stop: a few microseconds, which the question is little beside.
const WORK: usize = 10_000;

/// Plies after which it is asked in any case.
const MOST_PLIES: usize = 8;

/// What is kept from call to call.
#[derive(Debug)]
pub(super) struct Player<'m, W> {
    engine: &'m Bits,
    /// What plays states of some phase, and how many plies go by between two questions whether to stop.
    phases: Rowing<'m, W>,
    patience: usize,
    /// The same for states of none, made when there is one.
    whole: Option<Interpreted<'m, W>>,
    desk: Desk,
}

#[derive(Debug)]
enum Rowing<'m, W> {
    Written(Written<'m, W>),
    Interpreted(Interpreted<'m, W>),
}

/// Who plays what.
#[derive(Debug, Default)]
struct Desk {
    /// Per phase: states in which matches are to begin.
    queues: Vec<Queue>,
    /// States of no phase.
    others: Vec<u32>,
    /// Per lane: the state in which its match began.
    lanes: Vec<u32>,
    /// The same of matches that are over, in the order in which their points will be found.
    over: Vec<u32>,
    /// And of those whose points are found now.
    judged: Vec<u32>,
}

/// States of one phase, which take turns.
#[derive(Debug, Default)]
struct Queue {
    starts: Vec<u32>,
    /// Whose turn it is.
    next: usize,
    /// Matches that have not begun yet.
    left: usize,
}

impl Queue {
    /// Nothing more to do.
    fn clear(&mut self) {
        self.starts.clear();
        (self.next, self.left) = (0, 0);
    }
}

impl Desk {
    /// Sorts states by their phases.
    fn sort(&mut self, engine: &Bits, starts: &[&[u64]], lanes: usize) {
        self.queues.resize_with(engine.phases.len().max(1), Queue::default);
        self.queues.iter_mut().for_each(Queue::clear);
        self.others.clear();
        for (index, words) in starts.iter().enumerate() {
            match engine.phase_of(words) {
                Some(phase) => self.queues[phase].starts.push(index as u32),
                None => self.others.push(index as u32),
            }
        }
        for list in [&mut self.lanes, &mut self.judged] {
            list.resize(lanes, 0);
        }
        self.over.clear();
    }

    /// Gives every state of the queues its number of matches: as many as are asked for, or more if there are lanes for them. Answers how many
    /// that are in all.
    fn share(&mut self, each: usize, lanes: usize) -> usize {
        let starts: usize = self.queues.iter().map(|queue| queue.starts.len()).sum();
        if starts == 0 {
            return 0;
        }
        let matches = lanes.max(starts * each);
        let (every, mut extra) = (matches / starts, matches % starts);
        for queue in &mut self.queues {
            let more = extra.min(queue.starts.len());
            queue.left = queue.starts.len() * every + more;
            extra -= more;
        }
        matches
    }
}

impl<'m, W: Word> Player<'m, W> {
    pub(super) fn new(engine: &'m Bits) -> Player<'m, W> {
        let (phases, work) = if let Some((target, native)) = engine.native(W::LANES) {
            (Rowing::Written(Written::new(target, native, &engine.phases)), native.work())
        } else {
            let work = engine.phases.iter().map(|phase| phase.layout.work()).max();
            (Rowing::Interpreted(Interpreted::new(engine, &engine.phases, 0)), work.unwrap_or(0))
        };
        Player { engine, phases, patience: patience_for(work), whole: None, desk: Desk::default() }
    }

    /// Plays; false if it was given up. There is room for all sums in the totals.
    pub(super) fn play(
        &mut self,
        asked: &Rollouts<'_>,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        totals: &mut Totals,
    ) -> bool {
        let Player { engine, phases, patience, whole, desk } = self;
        if asked.each == 0 {
            return !stop();
        }
        desk.sort(engine, asked.starts, W::LANES);
        let first = desk.queues.iter().position(|queue| !queue.starts.is_empty());
        if let Some(first) = first {
            let left = desk.share(asked.each, W::LANES);
            let mut sums =
                Sums { desk, starts: asked.starts, totals, stop, left, patience: *patience, plies: 0, given_up: false };
            match phases {
                Rowing::Written(rows) => run::<W, _>(rows, &mut sums, random, (engine.phases.len(), first), asked.max_plies),
                Rowing::Interpreted(rows) => run::<W, _>(rows, &mut sums, random, (engine.phases.len(), first), asked.max_plies),
            }
            if sums.given_up {
                return false;
            }
        }
        if !desk.others.is_empty() {
            // The whole network is their only phase.
            desk.queues.iter_mut().for_each(Queue::clear);
            std::mem::swap(&mut desk.queues[0].starts, &mut desk.others);
            let left = desk.share(asked.each, W::LANES);
            let rows = whole.get_or_insert_with(|| Interpreted::new(engine, std::slice::from_ref(&engine.whole), 0));
            let patience = patience_for(engine.whole.layout.work());
            let mut sums = Sums { desk, starts: asked.starts, totals, stop, left, patience, plies: 0, given_up: false };
            run::<W, _>(rows, &mut sums, random, (1, 0), asked.max_plies);
            return !sums.given_up;
        }
        true
    }
}

/// How many plies go by between two questions whether to stop, where one takes so much work.
fn patience_for(work: usize) -> usize {
    (WORK / work.max(1)).clamp(1, MOST_PLIES)
}

/// Plays until all is done or given up; the phases are as many as the first number says, and it begins with the second.
fn run<W: Word, R: Rows<W>>(
    rows: &mut R,
    sums: &mut Sums<'_, '_>,
    random: &mut Random,
    (phases, first): (usize, usize),
    max_plies: u64,
) {
    let source = Source::new(|| random.bits());
    exec::dispatch::<W, _>(Playouts { rows, book: sums, source, phases, first, max_plies });
}

/// Adds up points state by state.
struct Sums<'a, 's> {
    desk: &'a mut Desk,
    starts: &'a [&'s [u64]],
    totals: &'a mut Totals,
    stop: &'a dyn Fn() -> bool,
    /// Matches that have not ended.
    left: usize,
    patience: usize,
    /// Until it is asked again whether to stop.
    plies: usize,
    given_up: bool,
}

impl<W: Word> Book<W> for Sums<'_, '_> {
    #[inline(always)]
    fn begins(&self, phase: usize, _: usize) -> bool {
        self.desk.queues[phase].left > 0
    }

    #[inline(always)]
    fn begin(&mut self, rows: &mut impl Rows<W>, phase: usize, idle: W) -> W {
        let Desk { queues, lanes, .. } = &mut *self.desk;
        let queue = &mut queues[phase];
        // Putting states into lanes takes the same time for many as for a few.
        if count(idle) < queue.left.min(W::LANES / 16) as u64 {
            return W::ZERO;
        }
        let fresh = lowest(idle, queue.left as u64);
        each_lane(fresh, |lane| {
            lanes[lane] = queue.starts[queue.next];
            queue.next = if queue.next + 1 == queue.starts.len() { 0 } else { queue.next + 1 };
            queue.left -= 1;
        });
        fill(rows.fluents_mut(), fresh, |lane| self.starts[lanes[lane] as usize]);
        fresh
    }

    #[inline(always)]
    fn passed(&mut self, _: &impl Rows<W>, _: usize, _: W, alive: W) {
        self.totals.plies += count(alive);
    }

    #[inline(always)]
    fn ended(&mut self, ended: W, over: W) {
        let Desk { lanes, over: waiting, .. } = &mut *self.desk;
        each_lane(over, |lane| {
            self.totals.finished[lanes[lane] as usize] += 1;
            waiting.push(lanes[lane]);
        });
        each_lane(ended.and_not(over), |lane| self.totals.unfinished[lanes[lane] as usize] += 1);
        self.left -= count(ended) as usize;
    }

    #[inline(always)]
    fn points(&mut self, matches: W, values: impl Iterator<Item = (usize, u8, W)>) {
        let Desk { over, judged, .. } = &mut *self.desk;
        let mut known = 0;
        each_lane(matches, |lane| {
            judged[lane] = over[known];
            known += 1;
        });
        over.drain(..known);
        let roles = self.totals.roles;
        let points = &mut self.totals.points;
        earned(matches, values, |role, value, here| {
            each_lane(here, |lane| points[judged[lane] as usize * roles + role] += u32::from(value));
        });
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.left == 0
    }

    #[inline(always)]
    fn gives_up(&mut self) -> bool {
        if self.plies == 0 {
            self.plies = self.patience;
            self.given_up = (self.stop)();
        }
        self.plies -= 1;
        self.given_up
    }
}

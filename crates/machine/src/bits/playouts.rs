//! Random play in all lanes at once.

use super::exec::{Job, dispatch, execute};
use super::layout::{Layout, Wire};
use super::phase::{Choice, Phase};
use super::select::{Source, Tree};
use super::word::{Word, each_lane};
use super::{Bits, value};
use crate::{Random, State};

/// The outcome of many playouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Playouts that reached an end.
    pub finished: u64,
    /// Playouts that were given up: some role had no legal move, or the ply limit came first.
    pub stuck: u64,
    /// Joint moves of all playouts.
    pub plies: u64,
    /// Per role: points of all finished playouts.
    pub points: Vec<u64>,
}

/// Plays `count` random matches from a state. A lane whose match is over begins the next, as long as there is one: none is dropped, so that
/// long matches count as much as short ones.
pub(super) fn playouts<W: Word>(engine: &Bits, from: &State, count: u64, max_plies: u64, random: &mut Random) -> Tally {
    let start: Vec<bool> = (0..engine.fluents.texts.len()).map(|fluent| from.0[fluent / 64] >> (fluent % 64) & 1 == 1).collect();
    // A state that is of no phase was never reached from the start: it is played with the whole network.
    let fitting = engine.phases.iter().position(|phase| phase.fits(&start));
    let (phases, first) = match fitting {
        Some(first) => (&engine.phases[..], first),
        None => (std::slice::from_ref(&engine.whole), 0),
    };
    let slots = phases.iter().map(|phase| phase.layout.slots).max().unwrap_or(0);
    let seed: Source<W> = Source::new(|| random.bits());
    dispatch::<W, _>(Playouts {
        phases,
        first,
        start,
        slots: words(slots),
        source: seed,
        count,
        max_plies,
        pool: Pool::new(engine),
    })
}

/// Slots, the first of which is always true.
fn words<W: Word>(count: usize) -> Vec<W> {
    let mut words = vec![W::ZERO; count.max(1)];
    words[0] = W::ONES;
    words
}

struct Playouts<'a, W> {
    phases: &'a [Phase],
    /// The phase in which playouts begin.
    first: usize,
    start: Vec<bool>,
    slots: Vec<W>,
    source: Source<W>,
    count: u64,
    max_plies: u64,
    pool: Pool<'a, W>,
}

impl<W: Word> Job for Playouts<'_, W> {
    type Output = Tally;

    #[inline(always)]
    fn run(mut self) -> Tally {
        let mut tally = Tally { points: vec![0; self.pool.values.len()], ..Tally::default() };
        let mut trees: Vec<Vec<Tree<W>>> = self.phases.iter().map(trees).collect();
        let mut spare: Vec<W> = vec![W::ZERO; self.start.len()];
        let mut began = vec![0_u64; W::LANES];
        // Matches that have not begun yet.
        let mut left = self.count;
        // Lanes without a match: theirs is over, and the next one waits for its phase.
        let mut idle = W::ONES;
        // No playout can be too long before this.
        let mut check = self.max_plies;
        let (mut phase, mut ply) = (self.first, 0_u64);
        if self.count == 0 {
            return tally;
        }
        loop {
            if phase == self.first && left > 0 && !idle.is_zero() {
                let fresh = lowest(idle, left);
                self.begin(fresh);
                idle = idle.and_not(fresh);
                each_lane(fresh, |lane| {
                    began[lane] = ply;
                    left -= 1;
                });
            }
            let code = &self.phases[phase];
            let slots = &mut self.slots[..];
            execute(&code.layout.state, slots);
            let over = code.layout.terminal.map_or(W::ZERO, |wire| value(slots, wire)).and_not(idle);
            let able = choose(code, slots, &mut trees[phase], &mut self.source);
            let mut alive = able.and_not(over).and_not(idle);
            if ply >= check {
                for (lane, began) in began.iter().enumerate() {
                    let late = alive.bit(lane) && ply - began >= self.max_plies;
                    alive.set_bit(lane, alive.bit(lane) && !late);
                }
                check = began.iter().min().map_or(u64::MAX, |&oldest| oldest.saturating_add(self.max_plies)).max(ply + 1);
            }
            let ended = W::ONES.and_not(alive).and_not(idle);
            if !ended.is_zero() {
                each_lane(ended, |lane| tally.plies += ply - began[lane]);
                tally.finished += count(over);
                tally.stuck += count(ended.and_not(over));
                if !over.is_zero() {
                    self.pool.settle(code, slots, over, &mut tally.points);
                }
                idle = idle.or(ended);
                if tally.finished + tally.stuck == self.count {
                    self.pool.flush(&mut tally.points);
                    return tally;
                }
            }
            advance(code, slots, &mut spare);
            ply += 1;
            phase = (phase + 1) % self.phases.len();
        }
    }
}

/// Chooses a move for every role in every lane; answers the lanes in which all roles have one.
#[inline(always)]
fn choose<W: Word>(code: &Phase, slots: &mut [W], trees: &mut [Tree<W>], source: &mut Source<W>) -> W {
    let mut able = W::ONES;
    let mut trees = trees.iter_mut();
    for choice in &code.choices {
        match choice {
            Choice::Forced => {}
            Choice::Stuck => able = W::ZERO,
            Choice::Moves { legal, does } => {
                let tree = trees.next().expect("a tree for every choice");
                able = able.and(tree.choose(slots, legal, does, source));
            }
        }
    }
    able
}

/// Puts the successors in the place of the states. What becomes of a fluent may be another fluent, so these are read before any is written.
#[inline(always)]
fn advance<W: Word>(code: &Phase, slots: &mut [W], spare: &mut [W]) {
    execute(&code.layout.next, slots);
    let (early, late) = code.copies.split_at(code.early);
    for (spare, &(_, wire)) in spare.iter_mut().zip(early) {
        *spare = value(slots, wire);
    }
    for &(slot, wire) in late {
        slots[slot as usize] = value(slots, wire);
    }
    for (&spare, &(slot, _)) in spare.iter().zip(early) {
        slots[slot as usize] = spare;
    }
}

/// How many lanes are set.
#[inline(always)]
fn count<W: Word>(lanes: W) -> u64 {
    (0..W::LANES / 64).map(|part| u64::from(lanes.part(part).count_ones())).sum()
}

/// At most so many of the lanes.
#[inline(always)]
fn lowest<W: Word>(lanes: W, mut most: u64) -> W {
    let mut some = W::ZERO;
    for part in 0..W::LANES / 64 {
        let mut bits = lanes.part(part);
        while u64::from(bits.count_ones()) > most {
            bits &= !(1 << bits.ilog2());
        }
        most -= u64::from(bits.count_ones());
        some.set_part(part, bits);
    }
    some
}

#[inline(always)]
fn trees<W: Word>(phase: &Phase) -> Vec<Tree<W>> {
    let leaves = phase.choices.iter().filter_map(|choice| match choice {
        Choice::Moves { legal, .. } => Some(legal.len()),
        Choice::Forced | Choice::Stuck => None,
    });
    leaves.map(Tree::new).collect()
}

impl<W: Word> Playouts<'_, W> {
    /// Puts the state in which matches begin into some lanes.
    #[inline(always)]
    fn begin(&mut self, lanes: W) {
        let code = &self.phases[self.first];
        let fluents = self.slots[code.layout.fluents as usize..].iter_mut();
        for ((slot, &holds), known) in fluents.zip(&self.start).zip(&code.known) {
            if known.is_none() {
                *slot = if holds { slot.or(lanes) } else { slot.and_not(lanes) };
            }
        }
    }
}

/// States in which a match is over, kept until there are enough of them to find the points of all at once. Where that is little work it is done
/// without waiting.
struct Pool<'a, W> {
    layout: &'a Layout,
    /// Per role: points and where they are read, ascending.
    values: &'a [Vec<(u8, Wire)>],
    slots: Vec<W>,
    /// Per fluent: a bit for every state kept.
    kept: Vec<u64>,
    filled: usize,
}

impl<'a, W: Word> Pool<'a, W> {
    fn new(engine: &'a Bits) -> Pool<'a, W> {
        let whole = &engine.whole;
        let kept = vec![0; whole.known.len() * W::LANES / 64];
        Pool { layout: &whole.layout, values: &whole.values, slots: words(whole.layout.slots), kept, filled: 0 }
    }

    /// Adds the points of the lanes that are over, now or later.
    #[inline(always)]
    fn settle(&mut self, code: &Phase, slots: &mut [W], over: W, points: &mut [u64]) {
        let lanes = count(over) as usize;
        let fluents = code.known.len();
        // Keeping a state takes some steps for every fluent.
        if code.layout.goals.operands.len() <= fluents * 32 {
            execute(&code.layout.goals, slots);
            earned(slots, &code.values, over, points);
            return;
        }
        if self.filled + lanes > W::LANES {
            self.flush(points);
        }
        let parts = W::LANES / 64;
        let first = code.layout.fluents as usize;
        for (fluent, (known, kept)) in code.known.iter().zip(self.kept.chunks_exact_mut(parts)).enumerate() {
            let word = match known {
                Some(true) => W::ONES,
                Some(false) => W::ZERO,
                None => slots[first + fluent],
            };
            let mut at = self.filled;
            for part in 0..parts {
                let mask = over.part(part);
                if mask != 0 {
                    let bits = W::compress(word.part(part), mask);
                    kept[at / 64] |= bits << (at % 64);
                    // What does not fit goes on in the next 64.
                    if at % 64 + mask.count_ones() as usize > 64 {
                        kept[at / 64 + 1] |= bits >> (64 - at % 64);
                    }
                    at += mask.count_ones() as usize;
                }
            }
        }
        self.filled += lanes;
    }

    /// Adds the points of all states kept.
    #[inline(always)]
    fn flush(&mut self, points: &mut [u64]) {
        if self.filled == 0 {
            return;
        }
        let fluents = self.slots[self.layout.fluents as usize..].iter_mut();
        for (slot, kept) in fluents.zip(self.kept.chunks_exact_mut(W::LANES / 64)) {
            for (part, bits) in kept.iter_mut().enumerate() {
                slot.set_part(part, std::mem::take(bits));
            }
        }
        execute(&self.layout.state, &mut self.slots);
        execute(&self.layout.goals, &mut self.slots);
        let mut over = W::ZERO;
        (0..self.filled).for_each(|lane| over.set_bit(lane, true));
        earned(&self.slots, self.values, over, points);
        self.filled = 0;
    }
}

/// Adds the points of every role in some lanes: the smallest value, where there are several.
#[inline(always)]
fn earned<W: Word>(slots: &[W], values: &[Vec<(u8, Wire)>], over: W, points: &mut [u64]) {
    for (values, sum) in values.iter().zip(points) {
        let mut open = over;
        for &(points, wire) in values {
            let here = value(slots, wire).and(open);
            open = open.and_not(here);
            *sum += u64::from(points) * count(here);
        }
    }
}

//! Random play that is cut short after some moves; where, is kept.

use super::{Desk, Sums};
use crate::Cuts;
use crate::bits::book::Book;
use crate::bits::phase::Phase;
use crate::bits::playouts::Rows;
use crate::bits::transpose::read;
use crate::bits::word::{Word, count, each_lane};

/// Sums of the matches that have an end, and the positions in which the others were cut short.
pub(super) struct Cutting<'a, W> {
    pub(super) sums: Sums<'a, W>,
    cuts: &'a mut Cuts,
    phases: &'a [Phase],
    /// After so many joint moves. How many there were, lane by lane: a word for every binary digit, the least first.
    plies: u32,
    digits: Vec<W>,
    /// The fluents of positions that are kept in some lanes, and the states in which their matches began.
    fluents: Vec<W>,
    held: W,
    owners: Vec<u32>,
    /// Those that were cut short now.
    now: W,
}

impl<'a, W: Word> Cutting<'a, W> {
    pub(super) fn new(sums: Sums<'a, W>, plies: u32, cuts: &'a mut Cuts, phases: &'a [Phase]) -> Cutting<'a, W> {
        Cutting {
            cuts,
            phases,
            plies,
            digits: vec![W::ZERO; (u32::BITS - plies.leading_zeros()) as usize],
            fluents: vec![W::ZERO; sums.desk.begin.len()],
            held: W::ZERO,
            owners: vec![0; W::LANES],
            now: W::ZERO,
            sums,
        }
    }

    /// Lanes whose matches are to be cut short.
    #[inline(always)]
    fn due(&self) -> W {
        let places = self.digits.iter().enumerate();
        places
            .fold(W::ONES, |due, (place, &digit)| if self.plies >> place & 1 == 1 { due.and(digit) } else { due.and_not(digit) })
    }

    /// Keeps the positions of some lanes.
    #[inline(always)]
    fn keep(&mut self, fluents: &[W], phase: usize, lanes: W) {
        if !self.held.and(lanes).is_zero() {
            self.tell();
        }
        for ((kept, now), known) in self.fluents.iter_mut().zip(fluents).zip(&self.phases[phase].known) {
            let now = match known {
                None => now.and(lanes),
                Some(true) => lanes,
                Some(false) => W::ZERO,
            };
            *kept = kept.and_not(lanes).or(now);
        }
        self.held = self.held.or(lanes);
        let Desk { lanes: starts, .. } = &*self.sums.desk;
        each_lane(lanes, |lane| self.owners[lane] = starts[lane]);
    }

    /// Tells of all positions that are kept.
    pub(super) fn tell(&mut self) {
        let words = self.fluents.len().div_ceil(64);
        let mut rows = vec![0; W::LANES * words];
        read(&self.fluents, &mut rows);
        each_lane(self.held, |lane| self.cuts.push(self.owners[lane], &rows[lane * words..(lane + 1) * words]));
        self.held = W::ZERO;
    }
}

impl<W: Word> Book<W> for Cutting<'_, W> {
    #[inline(always)]
    fn begins(&self, phase: usize, first: usize) -> bool {
        self.sums.begins(phase, first)
    }

    #[inline(always)]
    fn begin(&mut self, rows: &mut impl Rows<W>, phase: usize, idle: W) -> W {
        let fresh = self.sums.begin(rows, phase, idle);
        for digit in &mut self.digits {
            *digit = digit.and_not(fresh);
        }
        fresh
    }

    #[inline(always)]
    fn cut(&mut self, rows: &impl Rows<W>, phase: usize, alive: W) -> W {
        let cut = self.due().and(alive);
        if !cut.is_zero() {
            self.keep(rows.fluents(), phase, cut);
        }
        self.now = cut;
        cut
    }

    #[inline(always)]
    fn passed(&mut self, rows: &impl Rows<W>, phase: usize, playing: W, alive: W) {
        self.sums.passed(rows, phase, playing, alive);
        let mut carry = alive;
        for digit in &mut self.digits {
            (*digit, carry) = (digit.xor(carry), digit.and(carry));
        }
    }

    #[inline(always)]
    fn ended(&mut self, ended: W, over: W) {
        self.sums.ended(ended.and_not(self.now), over);
        self.sums.left -= count(self.now) as usize;
    }

    #[inline(always)]
    fn points(&mut self, matches: W, values: impl Iterator<Item = (usize, u8, W)>) {
        self.sums.points(matches, values);
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        Book::<W>::is_done(&self.sums)
    }

    #[inline(always)]
    fn gives_up(&mut self) -> bool {
        Book::<W>::gives_up(&mut self.sums)
    }
}

//! Random play that is cut short by chance; where, is kept.

use super::{Desk, Sums};
use crate::Cuts;
use crate::bits::book::Book;
use crate::bits::phase::Phase;
use crate::bits::playouts::Rows;
use crate::bits::select::Source;
use crate::bits::transpose::read;
use crate::bits::word::{Word, count, each_lane};

/// The chance is counted in this many parts, as a power of two.
const SHARE_BITS: u32 = 16;

/// Sums of the matches that have an end, and the positions in which the others were cut short.
pub(super) struct Cutting<'a, W> {
    pub(super) sums: Sums<'a, W>,
    cuts: &'a mut Cuts,
    phases: &'a [Phase],
    source: Source<W>,
    share: u32,
    /// The fluents of positions that are kept in some lanes, and the states in which their matches began.
    fluents: Vec<W>,
    held: W,
    owners: Vec<u32>,
    /// Those that were cut short now.
    now: W,
}

impl<'a, W: Word> Cutting<'a, W> {
    pub(super) fn new(sums: Sums<'a, W>, cuts: &'a mut Cuts, phases: &'a [Phase], source: Source<W>) -> Cutting<'a, W> {
        let share = (f64::from(cuts.chance) * f64::from(1_u32 << SHARE_BITS)).round() as u32;
        Cutting {
            cuts,
            phases,
            source,
            share: share.clamp(1, 1 << SHARE_BITS),
            fluents: vec![W::ZERO; sums.desk.begin.len()],
            held: W::ZERO,
            owners: vec![0; W::LANES],
            now: W::ZERO,
            sums,
        }
    }

    /// Lanes that chance picks.
    #[inline(always)]
    fn lot(&mut self) -> W {
        if self.share >> SHARE_BITS != 0 {
            return W::ONES;
        }
        // Bit after bit of the chance, the least first: half of what was before it, and half of all if it is set.
        let mut lot = W::ZERO;
        for bit in 0..SHARE_BITS {
            let word = self.source.word();
            lot = if self.share >> bit & 1 == 1 { lot.or(word) } else { lot.and(word) };
        }
        lot
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
        self.sums.begin(rows, phase, idle)
    }

    #[inline(always)]
    fn cut(&mut self, rows: &impl Rows<W>, phase: usize, alive: W) -> W {
        let cut = self.lot().and(alive);
        if !cut.is_zero() {
            self.keep(rows.fluents(), phase, cut);
        }
        self.now = cut;
        cut
    }

    #[inline(always)]
    fn passed(&mut self, rows: &impl Rows<W>, phase: usize, playing: W, alive: W) {
        self.sums.passed(rows, phase, playing, alive);
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

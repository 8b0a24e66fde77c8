//! Random play that is cut short, by chance or after some moves; where, is kept.

use super::{Desk, Sums};
use crate::bits::book::Book;
use crate::bits::phase::Phase;
use crate::bits::playouts::Rows;
use crate::bits::select::Source;
use crate::bits::transpose::read;
use crate::bits::word::{Word, count, each_lane};
use crate::{Cut, Cuts};

/// The chance is counted in this many parts, as a power of two.
const SHARE_BITS: u32 = 16;

/// Sums of the matches that have an end, and the positions in which the others were cut short.
pub(super) struct Cutting<'a, W> {
    pub(super) sums: Sums<'a, W>,
    cuts: &'a mut Cuts,
    phases: &'a [Phase],
    source: Source<W>,
    rule: Rule<W>,
    /// The fluents of positions that are kept in some lanes, and the states in which their matches began.
    fluents: Vec<W>,
    held: W,
    owners: Vec<u32>,
    /// Those that were cut short now.
    now: W,
}

/// When matches are cut short.
enum Rule<W> {
    /// By chance, in so many of all parts.
    Share(u32),
    /// After so many joint moves. How many there were, lane by lane: a word for every binary digit, the least first.
    After(u32, Vec<W>),
}

impl<W: Word> Rule<W> {
    fn new(cut: Cut) -> Rule<W> {
        match cut {
            Cut::Chance(chance) => {
                let share = (f64::from(chance) * f64::from(1_u32 << SHARE_BITS)).round() as u32;
                Rule::Share(share.clamp(1, 1 << SHARE_BITS))
            }
            Cut::After(plies) => Rule::After(plies, vec![W::ZERO; (u32::BITS - plies.leading_zeros()) as usize]),
        }
    }
}

impl<'a, W: Word> Cutting<'a, W> {
    pub(super) fn new(sums: Sums<'a, W>, cuts: &'a mut Cuts, phases: &'a [Phase], source: Source<W>) -> Cutting<'a, W> {
        Cutting {
            rule: Rule::new(cuts.rule),
            cuts,
            phases,
            source,
            fluents: vec![W::ZERO; sums.desk.begin.len()],
            held: W::ZERO,
            owners: vec![0; W::LANES],
            now: W::ZERO,
            sums,
        }
    }

    /// Lanes whose matches are to be cut short.
    #[inline(always)]
    fn due(&mut self) -> W {
        match &self.rule {
            Rule::Share(share) if share >> SHARE_BITS != 0 => W::ONES,
            Rule::Share(share) => {
                // Bit after bit of the chance, the least first: half of what was before it, and half of all if it is set.
                let mut lot = W::ZERO;
                for bit in 0..SHARE_BITS {
                    let word = self.source.word();
                    lot = if share >> bit & 1 == 1 { lot.or(word) } else { lot.and(word) };
                }
                lot
            }
            Rule::After(plies, digits) => digits
                .iter()
                .enumerate()
                .fold(W::ONES, |due, (place, &digit)| if plies >> place & 1 == 1 { due.and(digit) } else { due.and_not(digit) }),
        }
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
        if let Rule::After(_, digits) = &mut self.rule {
            for digit in digits {
                *digit = digit.and_not(fresh);
            }
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
        if let Rule::After(_, digits) = &mut self.rule {
            let mut carry = alive;
            for digit in digits {
                (*digit, carry) = (digit.xor(carry), digit.and(carry));
            }
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

//! Random play by machine code.
#![allow(unsafe_code)] // calling it

use super::{ABLE, Compiled, FREE, Native, OVER, Points, Target, x86};
use crate::bits::book::Book;
use crate::bits::phase::Phase;
use crate::bits::playouts::{Rows, Start};
use crate::bits::pool::Pool;
use crate::bits::select::Source;
use crate::bits::word::Word;

/// States in two rows that take turns: the code reads one and writes the other.
#[derive(Debug)]
pub(in crate::bits) struct Written<'a, W> {
    target: Target,
    native: &'a Native,
    phases: &'a [Phase],
    from: Vec<W>,
    to: Vec<W>,
    scratch: Vec<W>,
    pool: Pool,
    judged: Vec<W>,
}

impl<'a, W: Word> Written<'a, W> {
    pub(in crate::bits) fn new(target: Target, native: &'a Native, phases: &'a [Phase]) -> Written<'a, W> {
        assert_eq!(W::LANES, target.bytes() * 8, "words are as wide as the code's");
        assert_eq!(native.steps.len(), phases.len(), "the code is that of the phases");
        let fluents = phases[0].known.len();
        let row = || vec![W::ZERO; fluents];
        let scratch = native.scratch();
        Written { target, native, phases, from: row(), to: row(), scratch, pool: Pool::new::<W>(fluents), judged: row() }
    }

    #[inline(always)]
    fn points(&self, code: &Points, over: W, book: &mut impl Book<W>) {
        let each = code.values.iter().enumerate().flat_map(|(role, list)| list.iter().map(move |&points| (role, points)));
        let words = self.scratch[FREE as usize..].iter();
        book.points(over, each.zip(words).map(|((role, points), &holds)| (role, points, holds)));
    }
}

/// Carries code out on rows of words.
#[inline(always)]
pub(super) fn call<W: Word>(target: Target, code: &Compiled, from: &[W], to: &mut [W], scratch: &mut [W]) {
    assert!(scratch.len() >= code.sizes.scratch && from.len() >= code.fluents && to.len() >= code.written);
    let middle = x86::MIDDLE as usize * target.bytes();
    let (from, to, scratch) = (from.as_ptr().cast::<u8>(), to.as_mut_ptr().cast::<u8>(), scratch.as_mut_ptr().cast::<u8>());
    // SAFETY: words are as wide as the code was made for (checked when the rows were made) and exist only on processors that have the
    // instructions; the code reads and writes no words beyond the lengths compared above, counted from the addresses less the middle.
    unsafe {
        code.function.call(from.wrapping_add(middle), to.wrapping_add(middle), scratch.wrapping_add(middle));
    }
}

impl<W: Word> Rows<W> for Written<'_, W> {
    #[inline(always)]
    fn begin(&mut self, lanes: W, start: &Start) {
        start.put(lanes, &mut self.from);
    }

    #[inline(always)]
    fn look(&mut self, phase: usize, source: &mut Source<W>) -> (W, W) {
        let step = &self.native.steps[phase];
        source.fill(&mut self.scratch[FREE as usize..FREE as usize + step.random]);
        call(self.target, &step.advance, &self.from, &mut self.to, &mut self.scratch);
        (self.scratch[OVER as usize], self.scratch[ABLE as usize])
    }

    #[inline(always)]
    fn settle(&mut self, phase: usize, over: W, book: &mut impl Book<W>) {
        let goals = &self.native.steps[phase].goals;
        // Keeping a state takes some steps for every fluent: where goals are little work they are found without waiting, after
        // those that wait.
        if goals.code.sizes.operations <= self.from.len() * 32 {
            self.flush(book);
            call(self.target, &goals.code, &self.from, &mut [], &mut self.scratch);
            self.points(goals, over, book);
            return;
        }
        if self.pool.is_full_with(over) {
            self.flush(book);
        }
        self.pool.keep(&self.phases[phase], &self.from, over);
    }

    #[inline(always)]
    fn flush(&mut self, book: &mut impl Book<W>) {
        if self.pool.filled > 0 {
            let over = self.pool.empty(&mut self.judged);
            let judge = &self.native.judge;
            call(self.target, &judge.code, &self.judged, &mut [], &mut self.scratch);
            self.points(judge, over, book);
        }
    }

    #[inline(always)]
    fn advance(&mut self, _: usize) {
        std::mem::swap(&mut self.from, &mut self.to);
    }

    fn fluents(&self) -> &[W] {
        &self.from
    }

    fn fluents_mut(&mut self) -> &mut [W] {
        &mut self.from
    }
}

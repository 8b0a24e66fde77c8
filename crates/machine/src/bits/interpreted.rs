//! Random play by carrying out the programs of the phases.

use super::book::Book;
use super::exec::{Execute, dispatch, execute};
use super::layout::{Layout, Wire};
use super::phase::{Choice, Copies, Phase};
use super::playouts::{Rows, Start};
use super::pool::Pool;
use super::select::{Source, Tree};
use super::word::Word;
use super::{Bits, value};
use crate::vector::Job;

/// States in slots.
#[derive(Debug)]
pub(super) struct Interpreted<'a, W> {
    phases: &'a [Phase],
    first: usize,
    slots: Vec<W>,
    trees: Vec<Vec<Tree<W>>>,
    /// Successors that are fluents themselves.
    spare: Vec<W>,
    pool: Pool,
    judge: &'a Phase,
    /// Slots of the states whose points are found together.
    judged: Vec<W>,
}

/// Slots, the first of which is always true.
fn words<W: Word>(count: usize) -> Vec<W> {
    let mut words = vec![W::ZERO; count.max(1)];
    words[0] = W::ONES;
    words
}

fn trees<W: Word>(phase: &Phase) -> Vec<Tree<W>> {
    let weights = phase.choices.iter().filter_map(|choice| match choice {
        Choice::Moves { shifts, .. } => Some(shifts),
        Choice::Forced(_) | Choice::Stuck => None,
    });
    weights.map(|shifts| Tree::new(shifts)).collect()
}

impl<'a, W: Word> Interpreted<'a, W> {
    pub(super) fn new(engine: &'a Bits, phases: &'a [Phase], first: usize) -> Interpreted<'a, W> {
        let fluents = engine.fluents.texts.len();
        let slots = phases.iter().map(|phase| phase.layout.slots).max().unwrap_or(0);
        Interpreted {
            slots: words(slots),
            trees: phases.iter().map(trees).collect(),
            spare: vec![W::ZERO; fluents],
            pool: Pool::new::<W>(fluents),
            judge: &engine.whole,
            judged: words(engine.whole.layout.slots),
            phases,
            first,
        }
    }
}

impl<W: Word> Rows<W> for Interpreted<'_, W> {
    #[inline(always)]
    fn begin(&mut self, lanes: W, start: &Start) {
        let first = self.phases[self.first].layout.fluents as usize;
        start.put(lanes, &mut self.slots[first..]);
    }

    #[inline(always)]
    fn look(&mut self, phase: usize, source: &mut Source<W>) -> (W, W) {
        dispatch::<W, _>(Look { code: &self.phases[phase], slots: &mut self.slots, trees: &mut self.trees[phase], source })
    }

    #[inline(always)]
    fn settle(&mut self, phase: usize, over: W, book: &mut impl Book<W>) {
        let code = &self.phases[phase];
        // Keeping a state takes some steps for every fluent: where goals are little work they are found without waiting, after
        // those that wait.
        if code.layout.goals.operands.len() <= code.known.len() * 32 {
            self.flush(book);
            dispatch::<W, _>(Execute { program: &code.layout.goals, slots: &mut self.slots });
            book.points(over, values(&self.slots, &code.values));
            return;
        }
        if self.pool.is_full_with(over) {
            self.flush(book);
        }
        self.pool.keep(code, fluents(&code.layout, &self.slots), over);
    }

    #[inline(always)]
    fn flush(&mut self, book: &mut impl Book<W>) {
        if self.pool.filled > 0 {
            let layout = &self.judge.layout;
            let over = self.pool.empty(&mut self.judged[layout.fluents as usize..layout.does as usize]);
            for program in [&layout.state, &layout.goals] {
                dispatch::<W, _>(Execute { program, slots: &mut self.judged });
            }
            book.points(over, values(&self.judged, &self.judge.values));
        }
    }

    /// What becomes of a fluent may be another fluent, so these are read before any is written.
    #[inline(always)]
    fn advance(&mut self, phase: usize) {
        let code = &self.phases[phase];
        let slots = &mut self.slots[..];
        dispatch::<W, _>(Execute { program: &code.layout.next, slots });
        let Copies { early, late } = &code.copies;
        for (spare, &(_, wire)) in self.spare.iter_mut().zip(early) {
            *spare = value(slots, wire);
        }
        for &(slot, wire) in late {
            slots[slot as usize] = value(slots, wire);
        }
        for (&spare, &(slot, _)) in self.spare.iter().zip(early) {
            slots[slot as usize] = spare;
        }
    }

    fn fluents(&self) -> &[W] {
        fluents(&self.phases[self.first].layout, &self.slots)
    }

    fn fluents_mut(&mut self) -> &mut [W] {
        let layout = &self.phases[self.first].layout;
        &mut self.slots[layout.fluents as usize..layout.does as usize]
    }
}

/// Finds the lanes that are over and chooses moves. A job of its own, so that it is compiled once for each kind of word.
struct Look<'r, W> {
    code: &'r Phase,
    slots: &'r mut [W],
    trees: &'r mut [Tree<W>],
    source: &'r mut Source<W>,
}

impl<W: Word> Job for Look<'_, W> {
    type Output = (W, W);

    #[inline(always)]
    fn run(self) -> (W, W) {
        let Look { code, slots, trees, source } = self;
        execute(&code.layout.state, slots);
        let over = code.layout.terminal.map_or(W::ZERO, |wire| value(slots, wire));
        let mut able = W::ONES;
        let mut trees = trees.iter_mut();
        for choice in &code.choices {
            match choice {
                Choice::Forced(_) => {}
                Choice::Stuck => able = W::ZERO,
                Choice::Moves { legal, does, .. } => {
                    let tree = trees.next().expect("a tree for every choice");
                    able = able.and(tree.choose(slots, legal, does, source));
                }
            }
        }
        (over, able)
    }
}

#[inline(always)]
fn fluents<'s, W>(layout: &Layout, slots: &'s [W]) -> &'s [W] {
    &slots[layout.fluents as usize..layout.does as usize]
}

/// Roles, points and the lanes that have them.
#[inline(always)]
fn values<W: Word>(slots: &[W], values: &[Vec<(u8, Wire)>]) -> impl Iterator<Item = (usize, u8, W)> {
    let each = values.iter().enumerate();
    each.flat_map(move |(role, list)| list.iter().map(move |&(points, wire)| (role, points, value(slots, wire))))
}

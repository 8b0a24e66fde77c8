//! Random play in all lanes at once.

use super::Bits;
use super::book::{Book, Report, Sum, Tally};
use super::clock::Clock;
use super::exec::dispatch;
use super::interpreted::Interpreted;
use super::native::{Native, Target, Written};
use super::phase::Phase;
use super::select::Source;
use super::word::Word;
use crate::vector::Job;
use crate::{Ended, Random, Request, State};

/// States in all lanes, and how they are carried on.
pub(super) trait Rows<W: Word> {
    /// Puts a state in which matches begin into some lanes.
    fn begin(&mut self, lanes: W, start: &Start);
    /// Finds the lanes that are over, and chooses a move for every role; answers also the lanes in which all roles have one.
    fn look(&mut self, phase: usize, source: &mut Source<W>) -> (W, W);
    /// Tells the book the points of the lanes that are over, now or later, lane after lane.
    fn settle(&mut self, phase: usize, over: W, book: &mut impl Book<W>);
    /// Tells it those of all lanes that wait for it.
    fn flush(&mut self, book: &mut impl Book<W>);
    /// Puts the successors in the place of the states.
    fn advance(&mut self, phase: usize);
    /// The fluents of the states; those that the phase knows are not to be read there.
    fn fluents(&self) -> &[W];
    fn fluents_mut(&mut self) -> &mut [W];
}

/// A state in which matches begin: the fluents that hold and those that do not, except for those that its phase knows.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) set: Vec<u32>,
    pub(super) clear: Vec<u32>,
}

impl Start {
    /// Puts the state into some lanes of these fluents.
    #[inline(always)]
    pub(super) fn put<W: Word>(&self, lanes: W, fluents: &mut [W]) {
        for &fluent in &self.set {
            let word = &mut fluents[fluent as usize];
            *word = word.or(lanes);
        }
        for &fluent in &self.clear {
            let word = &mut fluents[fluent as usize];
            *word = word.and_not(lanes);
        }
    }
}

/// What is played on.
pub(super) struct Course<'a> {
    pub(super) engine: &'a Bits,
    pub(super) native: Option<(Target, &'a Native)>,
    pub(super) phases: &'a [Phase],
    /// The phase in which matches begin.
    pub(super) first: usize,
    pub(super) max_plies: u64,
}

impl<'a> Course<'a> {
    /// The phases, beginning with this one; a state that is of none was never reached from the start, and is played with the whole network.
    fn new(
        engine: &'a Bits,
        native: Option<(Target, &'a Native)>,
        phases: &'a [Phase],
        phase: Option<usize>,
        max_plies: u64,
    ) -> Course<'a> {
        let (phases, first) = phase.map_or((std::slice::from_ref(&engine.whole), 0), |first| (phases, first));
        Course { engine, native: native.filter(|_| phase.is_some()), phases, first, max_plies }
    }

    fn start(&self, state: &State) -> Start {
        let unknown = self.phases[self.first].known.iter().enumerate().filter(|(_, known)| known.is_none());
        let (set, clear) = unknown.map(|(fluent, _)| fluent as u32).partition(|&fluent| state.holds(fluent as usize));
        Start { set, clear }
    }

    pub(super) fn play<W: Word>(&self, random: &mut Random, book: &mut impl Book<W>) {
        let source: Source<W> = Source::new(|| random.bits());
        let (phases, first, max_plies) = (self.phases.len(), self.first, self.max_plies);
        if let Some((target, native)) = self.native {
            let rows = &mut Written::new(target, native, self.phases);
            dispatch::<W, _>(Playouts { rows, book, source, phases, first, max_plies });
        } else {
            let rows = &mut Interpreted::new(self.engine, self.phases, self.first);
            dispatch::<W, _>(Playouts { rows, book, source, phases, first, max_plies });
        }
    }
}

/// Plays `count` random matches from a state. A lane whose match is over begins the next, as long as there is one: none is dropped, so that
/// long matches count as much as short ones.
pub(super) fn playouts<W: Word>(
    engine: &Bits,
    native: Option<(Target, &Native)>,
    from: &State,
    count: u64,
    max_plies: u64,
    random: &mut Random,
) -> Tally {
    let course = Course::new(engine, native, &engine.plain.phases, engine.phase_of(from.words()), max_plies);
    let mut book = Sum::new(course.start(from), count, engine.roles.len());
    if count > 0 {
        course.play::<W>(random, &mut book);
    }
    book.tally
}

/// Plays the random matches asked for, and tells of each when its points are known.
pub(super) fn reports<W: Word>(engine: &Bits, request: &Request<'_>, random: &mut Random, ended: &mut dyn FnMut(Ended<'_>)) {
    let (track, native) = engine.track_and_code(request.manner, W::LANES);
    // States of one phase are played together.
    let mut groups: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for (index, state) in request.starts.iter().enumerate() {
        let phase = engine.phase_of(state.words());
        match groups.iter_mut().find(|(known, _)| *known == phase) {
            Some((_, group)) => group.push(index),
            None => groups.push((phase, vec![index])),
        }
    }
    for (phase, group) in groups {
        let course = Course::new(engine, native, &track.phases, phase, request.max_plies);
        let starts = group.into_iter().map(|index| (index, course.start(&request.starts[index]))).collect();
        let mut book = Report::new(engine, course.phases, starts, request, ended);
        if request.each > 0 {
            course.play::<W>(random, &mut book);
        }
    }
}

/// Plays until the book is done.
pub(super) struct Playouts<'b, W, R, B> {
    pub(super) rows: &'b mut R,
    pub(super) book: &'b mut B,
    pub(super) source: Source<W>,
    /// How many there are, and with which play begins.
    pub(super) phases: usize,
    pub(super) first: usize,
    pub(super) max_plies: u64,
}

impl<W: Word, R: Rows<W>, B: Book<W>> Job for Playouts<'_, W, R, B> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Playouts { rows, book, mut source, phases, first, max_plies } = self;
        let mut clock = Clock::new(max_plies);
        // Lanes without a match: theirs is over, and the next one waits for its phase.
        let mut idle = W::ONES;
        let mut phase = first;
        loop {
            if book.gives_up() {
                rows.flush(book);
                return;
            }
            if book.begins(phase, first) && !idle.is_zero() {
                let fresh = book.begin(rows, phase, idle);
                idle = idle.and_not(fresh);
                clock.begin(fresh);
            }
            let (over, able) = rows.look(phase, &mut source);
            let over = over.and_not(idle);
            let alive = clock.in_time(able.and_not(over).and_not(idle));
            let alive = alive.and_not(book.cut(rows, phase, alive));
            book.passed(rows, phase, W::ONES.and_not(idle), alive);
            let ended = W::ONES.and_not(alive).and_not(idle);
            if !ended.is_zero() {
                book.ended(ended, over);
                if !over.is_zero() {
                    rows.settle(phase, over, book);
                }
                idle = idle.or(ended);
                if book.is_done() {
                    rows.flush(book);
                    return;
                }
            }
            rows.advance(phase);
            clock.ply += 1;
            phase = (phase + 1) % phases;
        }
    }
}

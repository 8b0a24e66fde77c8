//! Random play from many states, summed up state by state.

mod cutting;

use super::block::Fill;
use super::book::{Book, earned};
use super::exec::{dispatch, on};
use super::interpreted::Interpreted;
use super::native::Written;
use super::phase::Phase;
use super::playouts::{Playouts, Rows};
use super::select::Source;
use super::word::{Word, count, each_lane};
use super::{Bits, Track};
use crate::{Cuts, Manner, Random, Rollouts, Totals};
use cutting::Cutting;

/// Instructions or gates after which one may ask whether to stop: a few microseconds, which the question is little beside.
const WORK: usize = 10_000;

/// Plies after which it is asked in any case.
const MOST_PLIES: usize = 8;

/// What is kept from call to call.
#[derive(Debug)]
pub(super) struct Player<'m, W> {
    engine: &'m Bits,
    track: &'m Track,
    /// What plays states of some phase, and how many plies go by between two questions whether to stop.
    phases: Rowing<'m, W>,
    patience: usize,
    /// The same for states of none, made when there is one.
    whole: Option<Interpreted<'m, W>>,
    desk: Desk<W>,
}

#[derive(Debug)]
enum Rowing<'m, W> {
    Written(Written<'m, W>),
    Interpreted(Interpreted<'m, W>),
}

/// Who plays what.
#[derive(Debug)]
struct Desk<W> {
    /// Per lane: the state in which its matches begin. It is the same in all of them, so that a lane can begin again with little effort.
    lanes: Vec<u32>,
    /// The fluents of these states.
    begin: Vec<W>,
    /// Per phase: the lanes whose matches begin in it, and how many matches have not begun yet.
    phases: Vec<(W, usize)>,
    /// Per state: the same.
    left: Vec<usize>,
    /// Per state: its phase.
    phase: Vec<usize>,
    /// States of a phase, each as often as it has shares; and those of none.
    fitting: Vec<u32>,
    others: Vec<u32>,
    /// The states in which matches began that are over, in the order in which their points will be found.
    over: Vec<u32>,
    /// And of those whose points are found now.
    judged: Vec<u32>,
}

impl<W: Word> Desk<W> {
    fn new(engine: &Bits) -> Desk<W> {
        Desk {
            lanes: vec![0; W::LANES],
            begin: vec![W::ZERO; engine.fluents.texts.len()],
            phases: Vec::new(),
            left: Vec::new(),
            phase: Vec::new(),
            fitting: Vec::new(),
            others: Vec::new(),
            over: Vec::new(),
            judged: vec![0; W::LANES],
        }
    }

    /// Finds out which states are of some phase.
    fn sort(&mut self, engine: &Bits, asked: &Rollouts<'_>) {
        self.fitting.clear();
        self.others.clear();
        self.phase.clear();
        for (index, words) in asked.starts.iter().enumerate() {
            let phase = engine.phase_of(words);
            let list = if phase.is_some() { &mut self.fitting } else { &mut self.others };
            list.extend(std::iter::repeat_n(index as u32, asked.share(index)));
            self.phase.push(phase.unwrap_or(0));
        }
        self.left.clear();
        self.left.resize(asked.starts.len(), 0);
        self.over.clear();
    }

    /// Deals shares of some states out to the lanes, in turn, and gives each its number of matches: as many as are asked for, or more if there are
    /// lanes for them. Answers how many that are in all, and the phase to begin with.
    fn deal(&mut self, course: &Course<'_>, some: &[u32], asked: &Rollouts<'_>) -> (usize, usize) {
        let matches = W::LANES.max(some.len() * asked.each);
        let (every, extra) = (matches / some.len(), matches % some.len());
        self.phases.clear();
        self.phases.resize(course.phases.len(), (W::ZERO, 0));
        let mut first = 0;
        for (at, &start) in some.iter().enumerate() {
            let left = every + usize::from(at < extra);
            let phase = if course.phases.len() == 1 { 0 } else { self.phase[start as usize] };
            self.left[start as usize] += left;
            self.phases[phase].1 += left;
            (at..W::LANES).step_by(some.len()).for_each(|lane| {
                self.lanes[lane] = start;
                self.phases[phase].0.set_bit(lane, true);
            });
            first = if at == 0 { phase } else { first };
        }
        let lanes = &self.lanes;
        on(
            course.engine.processor,
            Fill { fluents: &mut self.begin, lanes: W::ONES, row: |lane: usize| asked.starts[lanes[lane] as usize] },
        );
        (matches, first)
    }
}

/// What is played on: the phases, or the whole network as the only phase.
struct Course<'a> {
    engine: &'a Bits,
    phases: &'a [Phase],
    patience: usize,
}

/// A call.
struct Call<'a, 'r> {
    asked: &'a Rollouts<'a>,
    random: &'r mut Random,
    stop: &'a dyn Fn() -> bool,
    totals: &'r mut Totals,
    /// After how many joint moves matches are cut short, and where that was, if they are.
    cuts: Option<(u32, &'r mut Cuts)>,
}

impl Call<'_, '_> {
    /// Plays from some states; false if it was given up.
    fn play<W: Word>(&mut self, rows: &mut impl Rows<W>, desk: &mut Desk<W>, course: &Course<'_>, some: &[u32]) -> bool {
        // Every state has a lane at least.
        for some in some.chunks(W::LANES) {
            let (left, first) = desk.deal(course, some, self.asked);
            let source = Source::new(|| self.random.bits());
            let (stop, totals, patience) = (self.stop, &mut *self.totals, course.patience);
            let (phases, max_plies) = (course.phases.len(), self.asked.max_plies);
            let mut book = Sums { desk, totals, stop, left, patience, plies: 0, given_up: false };
            let given_up = if let Some((plies, cuts)) = &mut self.cuts {
                let mut book = Cutting::new(book, *plies, cuts, course.phases);
                dispatch::<W, _>(Playouts { rows, book: &mut book, source, phases, first, max_plies });
                book.tell();
                book.sums.given_up
            } else {
                dispatch::<W, _>(Playouts { rows, book: &mut book, source, phases, first, max_plies });
                book.given_up
            };
            if given_up {
                return false;
            }
        }
        true
    }
}

impl<'m, W: Word> Player<'m, W> {
    /// Plays at random, in that manner.
    pub(super) fn new(engine: &'m Bits, manner: Manner) -> Player<'m, W> {
        let (track, native) = engine.track_and_code(manner, W::LANES);
        let (phases, work) = if let Some((target, native)) = native {
            (Rowing::Written(Written::new(target, native, &track.phases)), native.work())
        } else {
            let work = track.phases.iter().map(|phase| phase.layout.work()).max();
            (Rowing::Interpreted(Interpreted::new(engine, &track.phases, 0)), work.unwrap_or(0))
        };
        Player { engine, track, phases, patience: patience_for(work), whole: None, desk: Desk::new(engine) }
    }

    /// Plays, and cuts matches short if asked to; false if it was given up. There is room for all sums in the totals.
    pub(super) fn play(
        &mut self,
        asked: &Rollouts<'_>,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        totals: &mut Totals,
        cuts: Option<(u32, &mut Cuts)>,
    ) -> bool {
        let Player { engine, track, phases, patience, whole, desk } = self;
        if asked.each == 0 {
            return !stop();
        }
        desk.sort(engine, asked);
        let (fitting, others) = (std::mem::take(&mut desk.fitting), std::mem::take(&mut desk.others));
        let mut call = Call { asked, random, stop, totals, cuts };
        let course = Course { engine, phases: &track.phases, patience: *patience };
        let mut done = match phases {
            Rowing::Written(rows) => call.play(rows, desk, &course, &fitting),
            Rowing::Interpreted(rows) => call.play(rows, desk, &course, &fitting),
        };
        if done && !others.is_empty() {
            let rows = whole.get_or_insert_with(|| Interpreted::new(engine, std::slice::from_ref(&engine.whole), 0));
            let phases = std::slice::from_ref(&engine.whole);
            let course = Course { engine, phases, patience: patience_for(engine.whole.layout.work()) };
            done = call.play(rows, desk, &course, &others);
        }
        (desk.fitting, desk.others) = (fitting, others);
        done
    }
}

/// How many plies go by between two questions whether to stop, where one takes so much work.
fn patience_for(work: usize) -> usize {
    (WORK / work.max(1)).clamp(1, MOST_PLIES)
}

/// Adds up points state by state.
struct Sums<'a, W> {
    desk: &'a mut Desk<W>,
    totals: &'a mut Totals,
    stop: &'a dyn Fn() -> bool,
    /// Matches that have not ended.
    left: usize,
    patience: usize,
    /// Until it is asked again whether to stop.
    plies: usize,
    given_up: bool,
}

impl<W: Word> Book<W> for Sums<'_, W> {
    #[inline(always)]
    fn begins(&self, phase: usize, _: usize) -> bool {
        self.desk.phases[phase].1 > 0
    }

    #[inline(always)]
    fn begin(&mut self, rows: &mut impl Rows<W>, phase: usize, idle: W) -> W {
        let Desk { phases, lanes, left, begin, .. } = &mut *self.desk;
        let (own, open) = &mut phases[phase];
        let waiting = idle.and(*own);
        let mut fresh = waiting;
        each_lane(waiting, |lane| {
            let left = &mut left[lanes[lane] as usize];
            if *left > 0 {
                *left -= 1;
            } else {
                fresh.set_bit(lane, false);
            }
        });
        // The others are not needed any more.
        *own = own.and_not(waiting.and_not(fresh));
        *open -= count(fresh) as usize;
        if !fresh.is_zero() {
            let fluents = rows.fluents_mut();
            for (fluent, begin) in fluents.iter_mut().zip(&*begin) {
                *fluent = fluent.and_not(fresh).or(begin.and(fresh));
            }
        }
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

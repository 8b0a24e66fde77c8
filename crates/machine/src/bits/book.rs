//! What is noted of random matches: sums, or a report of each.

use super::Bits;
use super::phase::Phase;
use super::playouts::{Rows, Start};
use super::word::{Word, count, each_lane, lowest};
use crate::{Ended, Request, State};
use std::collections::VecDeque;

/// Begins matches and takes down how they end.
pub(super) trait Book<W: Word> {
    /// Whether matches may begin in a phase; the first is the one with which play begins.
    #[inline(always)]
    fn begins(&self, phase: usize, first: usize) -> bool {
        phase == first
    }
    /// Begins matches in some of the idle lanes; answers which.
    fn begin(&mut self, rows: &mut impl Rows<W>, phase: usize, idle: W) -> W;
    /// Lanes among those that are alive whose matches are to end here, whatever comes.
    #[inline(always)]
    fn cut(&mut self, _: &impl Rows<W>, _: usize, _: W) -> W {
        W::ZERO
    }
    /// Some lanes have a position of a match; those that are alive go on from it.
    fn passed(&mut self, rows: &impl Rows<W>, phase: usize, playing: W, alive: W);
    /// Some matches have ended; those that are not over were given up.
    fn ended(&mut self, ended: W, over: W);
    /// The points of matches that were over, in their order: per role its values, the smallest first; the first that holds counts.
    fn points(&mut self, matches: W, values: impl Iterator<Item = (usize, u8, W)>);
    /// Whether all matches have ended.
    fn is_done(&self) -> bool;
    /// Whether to give up now, matches under way or not; asked before every ply.
    #[inline(always)]
    fn gives_up(&mut self) -> bool {
        false
    }
}

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

/// Sums over matches from one state.
pub(super) struct Sum {
    start: Start,
    count: u64,
    /// Matches that have not begun yet.
    left: u64,
    pub(super) tally: Tally,
}

impl Sum {
    pub(super) fn new(start: Start, count: u64, roles: usize) -> Sum {
        Sum { start, count, left: count, tally: Tally { points: vec![0; roles], ..Tally::default() } }
    }
}

impl<W: Word> Book<W> for Sum {
    #[inline(always)]
    fn begin(&mut self, rows: &mut impl Rows<W>, _: usize, idle: W) -> W {
        if self.left == 0 {
            return W::ZERO;
        }
        let fresh = lowest(idle, self.left);
        rows.begin(fresh, &self.start);
        self.left -= count(fresh);
        fresh
    }

    #[inline(always)]
    fn passed(&mut self, _: &impl Rows<W>, _: usize, _: W, alive: W) {
        self.tally.plies += count(alive);
    }

    #[inline(always)]
    fn ended(&mut self, ended: W, over: W) {
        self.tally.finished += count(over);
        self.tally.stuck += count(ended.and_not(over));
    }

    #[inline(always)]
    fn points(&mut self, matches: W, values: impl Iterator<Item = (usize, u8, W)>) {
        earned(matches, values, |role, value, here| self.tally.points[role] += u64::from(value) * count(here));
    }

    #[inline(always)]
    fn is_done(&self) -> bool {
        self.tally.finished + self.tally.stuck == self.count
    }
}

/// Calls back with the matches that earn each value other than nothing.
#[inline(always)]
pub(super) fn earned<W: Word>(matches: W, values: impl Iterator<Item = (usize, u8, W)>, mut note: impl FnMut(usize, u8, W)) {
    let mut open = (0, matches);
    for (role, value, holds) in values {
        if role != open.0 {
            open = (role, matches);
        }
        let here = holds.and(open.1);
        open.1 = open.1.and_not(here);
        if value > 0 {
            note(role, value, here);
        }
    }
}

/// A match under way, or one whose points are still to be found.
#[derive(Clone, Debug, Default)]
struct Match {
    start: usize,
    plies: u64,
    positions: Vec<State>,
}

/// Tells of every match by itself.
pub(super) struct Report<'a> {
    engine: &'a Bits,
    phases: &'a [Phase],
    /// States whose matches have not all begun: their numbers, and how many are left of the first.
    waiting: VecDeque<(usize, Start)>,
    left: u64,
    each: u64,
    positions: bool,
    lanes: Vec<Match>,
    playing: u64,
    /// Matches that are over, in the order in which their points will be found.
    over: VecDeque<Match>,
    told: &'a mut dyn FnMut(Ended<'_>),
}

impl<'a> Report<'a> {
    pub(super) fn new(
        engine: &'a Bits,
        phases: &'a [Phase],
        starts: VecDeque<(usize, Start)>,
        request: &Request<'_>,
        told: &'a mut dyn FnMut(Ended<'_>),
    ) -> Report<'a> {
        let Request { each, positions, .. } = *request;
        Report {
            engine,
            phases,
            waiting: starts,
            left: each,
            each,
            positions,
            lanes: Vec::new(),
            playing: 0,
            over: VecDeque::new(),
            told,
        }
    }
}

impl<W: Word> Book<W> for Report<'_> {
    fn begin(&mut self, rows: &mut impl Rows<W>, _: usize, mut idle: W) -> W {
        self.lanes.resize(W::LANES, Match::default());
        let mut begun = W::ZERO;
        while let Some((index, start)) = self.waiting.front()
            && !idle.is_zero()
        {
            let fresh = lowest(idle, self.left);
            rows.begin(fresh, start);
            each_lane(fresh, |lane| self.lanes[lane] = Match { start: *index, ..Match::default() });
            (idle, begun) = (idle.and_not(fresh), begun.or(fresh));
            self.left -= count(fresh);
            self.playing += count(fresh);
            if self.left == 0 {
                self.waiting.pop_front();
                self.left = self.each;
            }
        }
        begun
    }

    fn passed(&mut self, rows: &impl Rows<W>, phase: usize, playing: W, alive: W) {
        if self.positions {
            let known = &self.phases[phase].known;
            each_lane(playing, |lane| self.lanes[lane].positions.push(self.engine.state_in(known, rows.fluents(), lane)));
        }
        each_lane(alive, |lane| self.lanes[lane].plies += 1);
    }

    fn ended(&mut self, ended: W, over: W) {
        self.playing -= count(ended);
        each_lane(ended, |lane| {
            let done = std::mem::take(&mut self.lanes[lane]);
            if over.bit(lane) {
                self.over.push_back(done);
            } else {
                (self.told)(Ended { start: done.start, plies: done.plies, points: None, positions: &done.positions });
            }
        });
    }

    fn points(&mut self, matches: W, values: impl Iterator<Item = (usize, u8, W)>) {
        let roles = self.engine.roles.len();
        let mut points = vec![0; W::LANES * roles];
        earned(matches, values, |role, value, here| each_lane(here, |lane| points[lane * roles + role] = value));
        each_lane(matches, |lane| {
            let done = self.over.pop_front().expect("a match for every lane that is over");
            let points = Some(&points[lane * roles..(lane + 1) * roles]);
            (self.told)(Ended { start: done.start, plies: done.plies, points, positions: &done.positions });
        });
    }

    fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.playing == 0
    }
}

//! What is known about the moves to choose from.

use super::expand::Way;
use super::found::{Found, Window};
use crate::{Bounds, MoveReport};
use ludens_machine::MoveId;

/// What is known about one of the moves.
#[derive(Clone, Debug)]
struct Known {
    id: MoveId,
    /// When it was last looked at; 0 is never.
    depth: u32,
    /// What it promises, where that is known and not just bounded.
    value: Option<f32>,
    /// What it promises at most, as far as that is known.
    ceiling: f32,
    bounds: Bounds,
}

/// The moves to choose from.
#[derive(Debug)]
pub(super) struct Root {
    moves: Vec<Known>,
    depth: u32,
    choice: Option<(Way, Found)>,
    /// The choice when the window was last changed, and whether that move was looked at again since.
    last: Option<(Way, Found)>,
    again: bool,
    /// The best since then.
    best: f32,
    /// The move that certainly has most since then, and how much.
    certain: Option<(Way, f32)>,
}

impl Root {
    pub(super) fn new(legal: &[MoveId]) -> Root {
        let known = |&id: &MoveId| Known { id, depth: 0, value: None, ceiling: f32::INFINITY, bounds: Bounds::OPEN };
        Root {
            moves: legal.iter().map(known).collect(),
            depth: 0,
            choice: None,
            last: None,
            again: false,
            best: f32::NEG_INFINITY,
            certain: None,
        }
    }

    /// Another depth or window.
    pub(super) fn begin(&mut self, depth: u32) {
        self.depth = depth;
        self.last = self.choice;
        self.again = false;
        self.best = f32::NEG_INFINITY;
        self.certain = None;
    }

    /// The ply from which on everything counts as depth.
    pub(super) fn furthest(&self) -> usize {
        3 * self.depth as usize
    }

    /// Which move to look at first.
    pub(super) fn hint(&self) -> Option<Way> {
        self.choice.map(|(way, _)| way)
    }

    /// The best move so far, the reply to it, and what it promises.
    pub(super) fn choice(&self) -> Option<(Way, Found)> {
        self.choice
    }

    /// A move was looked at with a window, itself within a wider one.
    pub(super) fn settle(&mut self, way: Way, found: Found, asked: Window, window: Window) {
        let known = &mut self.moves[way.own];
        known.depth = self.depth;
        known.value = asked.contains(found.value).then_some(found.value);
        known.ceiling = if found.value < asked.beta { found.value } else { f32::INFINITY };
        let points = found.value.clamp(0.0, 100.0) as u8;
        if found.low {
            if self.certain.is_none_or(|(_, value)| value < found.value) {
                self.certain = Some((way, found.value));
            }
            known.bounds.low = known.bounds.low.max(points);
        }
        if found.high {
            known.bounds.high = known.bounds.high.min(points).max(known.bounds.low);
        }
        self.again |= self.last.is_some_and(|(last, _)| last.own == way.own);
        if found.value > window.alpha.max(self.best) || self.choice.is_none() {
            self.best = found.value;
            self.choice = Some((way, found));
        }
    }

    /// The search of this depth is done: the best move promises this. Where no move was better than the window asked for, that is a move which certainly
    /// has as much; where all have nothing, it is the last best one, which seemed to hold out longest.
    pub(super) fn conclude(&mut self, found: Found) {
        // What was found out at another depth cannot be compared with it.
        for known in self.moves.iter_mut().filter(|known| known.depth < self.depth) {
            (known.value, known.ceiling) = (None, f32::INFINITY);
        }
        let Some((way, promise)) = &mut self.choice else { return };
        *promise = found;
        if self.best < found.value
            && found.value > 0.0
            && let Some((certain, value)) = self.certain
            && value >= found.value
        {
            *way = certain;
        }
    }

    /// The search ended here: the best so far counts only if it was compared with the best before.
    pub(super) fn give_up(&mut self) {
        if !self.again && self.last.is_some() {
            self.choice = self.last;
        }
    }

    /// All moves, the best first. Upper bounds count only where the others want what the search supposes.
    pub(super) fn reports(&self, faithful: bool) -> Vec<MoveReport> {
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        let chosen = self.choice.map(|(way, _)| way.own);
        let rank = |&index: &usize| {
            let known = &self.moves[index];
            let promise = known.value.unwrap_or(known.ceiling);
            (Some(index) != chosen, known.depth == 0, known.value.is_none(), -promise)
        };
        order.sort_by(|one, two| {
            let (one, two) = (rank(one), rank(two));
            (one.0, one.1, one.2).cmp(&(two.0, two.1, two.2)).then(one.3.total_cmp(&two.3))
        });
        let report = |index: usize| {
            let known = &self.moves[index];
            let high = if faithful { known.bounds.high } else { 100 };
            MoveReport {
                id: known.id,
                visits: u64::from(known.depth > 0),
                value: known.value.map(f64::from),
                error: None,
                bounds: Bounds { high, ..known.bounds },
            }
        };
        order.into_iter().map(report).collect()
    }
}

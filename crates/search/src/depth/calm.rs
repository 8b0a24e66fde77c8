//! Leaves that are no place to stop: moves that change much are followed until things calm down.
//!
//! What an evaluator says in the middle of an exchange of pieces is of little use. So where the best of the leaves of a node is one that differs much from
//! the node itself, the search goes on there, until the best is a calm one. All leaves of a node are made in one pass anyway, so most nodes take no more
//! for it. Where a side has calm leaves, it need not enter into anything: leaves that seem worse than the best calm one are not followed.

use super::count::Stop;
use super::expand::{Choices, Positions, Reach, Way};
use super::found::{Found, Window};
use super::node::{At, Run};

/// Joint moves that are followed beyond the depth of the search, at most.
pub(super) const FURTHEST: u32 = 8;

/// Moves of one node that are followed, at most; more of them are taken for what they seem.
const FOLLOWED: usize = 16;

/// A node has at least such a share of the points to lose, and to win.
const MARGIN: f32 = 0.05;

/// Whether a leaf is a place to stop: it differs little from its node. What counts is the change of odds: of points, less is much where there are few to win or to
/// lose.
pub(super) fn is_calm(limit: f32, node: f32, leaf: f32, over: bool) -> bool {
    let share = (node / 100.0).clamp(MARGIN, 1.0 - MARGIN);
    over || (leaf - node).abs() <= limit * 4.0 * share * (1.0 - share)
}

/// Who chooses at a node: the role, or the others.
#[derive(Clone, Copy)]
struct Chooser {
    is_own: bool,
    role: usize,
}

impl Chooser {
    /// What points of the role are worth to who chooses.
    fn worth(self, points: f32) -> f32 {
        if self.is_own { points } else { -points }
    }

    /// The same of a position.
    fn likes(self, positions: &Positions, index: usize) -> f32 {
        self.worth(positions.score(index, self.role))
    }

    fn way(self, number: usize) -> Way {
        if self.is_own { Way { own: number, reply: 0 } } else { Way { own: 0, reply: number as u64 } }
    }

    /// A window as who chooses looks at it: what must be exceeded to matter, and what is enough.
    fn bounds(self, window: Window) -> (f32, f32) {
        if self.is_own { (window.alpha, window.beta) } else { (-window.beta, -window.alpha) }
    }

    /// What is asked for where who chooses has so much already.
    fn narrowed(self, window: Window, has: f32) -> Window {
        if self.is_own {
            Window { alpha: window.alpha.max(has), ..window }
        } else {
            Window { beta: window.beta.min(-has), ..window }
        }
    }

    /// The leaf with this worth is chosen.
    fn found(self, best: Best, all_over: bool) -> (Found, Way) {
        let (low, high) = if self.is_own { (best.sure, all_over) } else { (all_over, best.sure) };
        (Found { value: self.worth(best.worth), low, high }, self.way(best.leaf))
    }
}

/// What a side can have: what it is worth to it, by which move, and whether that is certain.
#[derive(Clone, Copy)]
struct Best {
    worth: f32,
    leaf: usize,
    sure: bool,
}

impl Run<'_, '_> {
    /// By how much a leaf must differ from a node to be followed, if leaves may be: one side alone chooses there.
    pub(super) fn unrest(&self, choices: Choices) -> Option<f32> {
        let options = &self.core.options;
        options.calm.filter(|_| options.scores && (choices.own == 1 || choices.replies == 1))
    }

    /// What a position with leaves is worth to the role, and by which move: exact within the window, else a bound.
    pub(super) fn calm_down(&mut self, at: At, limit: f32, left: u32, window: Window) -> Result<(Found, Way), Stop> {
        let parents = &self.core.plies[at.ply].positions;
        let (choices, here) = (parents.choices(at.index, self.role), parents.score(at.index, self.role));
        let chooser = Chooser { is_own: choices.replies == 1, role: self.role };
        let count = choices.all() as usize;
        let (expander, parents, children) = self.core.renew(at.ply);
        let first = Way { own: 0, reply: 0 };
        self.counter.expand(expander, (parents, at.index), first, count, choices, Reach::Leaves, &mut children.positions)?;
        let leaves = &children.positions;
        let all_over = (0..count).all(|leaf| leaves.is_over(leaf));
        let seems = |leaf: usize| Best { worth: chooser.likes(leaves, leaf), leaf, sure: leaves.is_over(leaf) };
        let greater = |one: Best, two: Best| if two.worth > one.worth { two } else { one };
        let best = (1..count).map(seems).fold(seems(0), greater);
        let (floor, enough) = chooser.bounds(window);
        let calm = |best: &Best| is_calm(limit, here, chooser.worth(best.worth), best.sure);
        if left == 0 || calm(&best) || best.worth <= floor {
            return Ok(chooser.found(best, all_over));
        }
        // The best calm leaf is what the side can have; what seems better than that is looked at, the best first.
        let safe = (0..count).map(seems).filter(calm).reduce(greater);
        let mut list: Vec<Best> = (0..count).map(seems).filter(|leaf| !calm(leaf)).collect();
        if let Some(safe) = safe {
            if safe.worth >= enough {
                return Ok(chooser.found(safe, all_over));
            }
            list.retain(|leaf| leaf.worth > safe.worth);
        }
        list.sort_by(|one, two| two.worth.total_cmp(&one.worth).then(one.leaf.cmp(&two.leaf)));
        let rest = list.get(FOLLOWED).copied();
        list.truncate(FOLLOWED);
        let has = rest.or(safe);
        let best = self.follow_up(at, chooser, &list, has, (limit, left - 1), window)?;
        Ok(chooser.found(best, all_over))
    }

    /// Goes on from some leaves of a node, until none that is left seems better than what is found.
    fn follow_up(
        &mut self,
        at: At,
        chooser: Chooser,
        list: &[Best],
        has: Option<Best>,
        (limit, left): (f32, u32),
        window: Window,
    ) -> Result<Best, Stop> {
        let (expander, parents, children) = self.core.renew(at.ply);
        children.positions.clear();
        let ways = list.iter().map(|leaf| chooser.way(leaf.leaf));
        expander.chosen((parents, at.index), ways, &mut children.positions)?;
        self.counter.count(list.len())?;
        let mut best = has.unwrap_or(Best { worth: f32::NEG_INFINITY, leaf: list[0].leaf, sure: false });
        let (_, enough) = chooser.bounds(window);
        for (index, seems) in list.iter().enumerate() {
            if seems.worth <= best.worth || best.worth >= enough {
                break;
            }
            let child = At { ply: at.ply + 1, index };
            let positions = &self.core.plies[child.ply].positions;
            let reached = if positions.is_over(index) {
                Found { value: positions.score(index, self.role), low: true, high: true }
            } else if self.unrest(positions.choices(index, self.role)).is_some() {
                self.calm_down(child, limit, left, chooser.narrowed(window, best.worth))?.0
            } else {
                Found { value: chooser.worth(seems.worth), low: false, high: false }
            };
            if chooser.worth(reached.value) > best.worth {
                let sure = if chooser.is_own { reached.low } else { reached.high };
                best = Best { worth: chooser.worth(reached.value), leaf: seems.leaf, sure };
            }
        }
        Ok(best)
    }
}

//! Alpha-beta over the paranoid reduction of a game.
//!
//! The role that the search is for wants many points; all other roles are one coalition that wants it to have few, moves after it and knows its move. So
//! a node is a choice of the role, each followed by a choice of the coalition; where either has a single choice this is an ordinary minimum or maximum.

use super::calm::FURTHEST;
use super::core::Core;
use super::count::{Counter, Stop};
use super::expand::{Choices, Positions, Reach, Way};
use super::found::{Found, Window};
use super::order::{Order, Side, number, sortable};
use super::root::Root;
use super::table::Entry;
use std::ops::Range;

/// Which position is meant: one of those at a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct At {
    pub(super) ply: usize,
    pub(super) index: usize,
}

/// A node while its moves are looked at.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) at: At,
    pub(super) depth: u32,
    window: Window,
    choices: Choices,
    /// Whether there are so many replies that their children are made in parts.
    lazy: bool,
    /// What the table says is best.
    hint: Option<Way>,
    /// What the evaluator says of the position itself.
    guess: Option<f32>,
    /// The best of the own moves so far.
    best: Found,
    pub(super) way: Way,
    /// What replies to one of them promise so far, where there are more to come.
    pending: Option<(Found, u64)>,
    /// Whether its value may be a bound although it has leaves only, since moves were followed further.
    restless: bool,
}

impl Node {
    pub(super) fn new(at: At, depth: u32, window: Window, choices: Choices) -> Node {
        let best = Found { value: f32::NEG_INFINITY, low: false, high: true };
        Node {
            at,
            depth,
            window,
            choices,
            lazy: false,
            hint: None,
            guess: None,
            best,
            way: Way { own: 0, reply: 0 },
            pending: None,
            restless: false,
        }
    }

    /// An own move promises this, with this reply.
    pub(super) fn take(&mut self, own: usize, found: Found, reply: u64) {
        if found.value > self.best.value {
            (self.best.value, self.best.low) = (found.value, found.low);
            self.way = Way { own, reply };
        } else if found.value >= self.best.value {
            self.best.low |= found.low;
        }
        self.best.high &= found.high;
    }

    /// All moves were looked at, or some. Points are never less than 0 nor more than 100.
    pub(super) fn close(&mut self, is_whole: bool) {
        self.best.low |= self.best.value <= 0.0;
        self.best.high &= is_whole;
        self.best.high |= self.best.value >= 100.0;
    }
}

/// Some of the joint moves of a node: of several own moves all replies, or of one own move some.
#[derive(Clone, Debug)]
pub(super) struct Part {
    own: Range<usize>,
    replies: Range<u64>,
    /// Whether these are all replies, or the last.
    whole: bool,
    /// Where the children begin in the list of their ply.
    base: usize,
}

impl Part {
    pub(super) fn replies(&self) -> usize {
        (self.replies.end - self.replies.start) as usize
    }

    /// The place of the first child of an own move.
    fn first(&self, own: usize) -> usize {
        self.base + (own - self.own.start) * self.replies()
    }

    /// The place of a child that a side chooses: by an own move with one reply, or by one of the replies to an own move.
    pub(super) fn child(&self, side: Side, own: usize, number: usize) -> usize {
        match side {
            Side::Own => self.first(number),
            Side::Others => self.first(own) + number,
        }
    }
}

/// One search.
#[derive(Debug)]
pub(super) struct Run<'r, 'm> {
    pub(super) core: &'r mut Core<'m>,
    pub(super) root: Root,
    pub(super) role: usize,
    pub(super) counter: Counter<'r>,
}

impl<'r, 'm> Run<'r, 'm> {
    /// The position is the one that [`Core::root`] holds.
    pub(super) fn new(core: &'r mut Core<'m>, role: usize, counter: Counter<'r>) -> Run<'r, 'm> {
        let root = Root::new(core.plies[0].positions.legal(0, role));
        Run { core, root, role, counter }
    }

    /// Searches from the root.
    pub(super) fn search(&mut self, depth: u32, window: Window) -> Result<Found, Stop> {
        self.root.begin(depth);
        self.node(At { ply: 0, index: 0 }, depth, window)
    }

    /// The value of a position where the match goes on, some joint moves deep: exact within the window, else a bound.
    pub(super) fn node(&mut self, at: At, depth: u32, window: Window) -> Result<Found, Stop> {
        let positions = &self.core.plies[at.ply].positions;
        let choices = positions.choices(at.index, self.role);
        let depth = depth + u32::from(self.is_forced(at.ply, choices));
        let mut hint = None;
        let guess = self.core.options.scores.then(|| positions.score(at.index, self.role));
        let mut key = 0;
        if self.core.options.table {
            key = positions.key(at.index);
            if let Some(entry) = self.core.table.get(key) {
                if at.ply > 0
                    && let Some(found) = known(&entry, depth, window, self.core.options.deeper)
                {
                    return Ok(found);
                }
                hint = Some(Way { own: entry.own as usize, reply: u64::from(entry.reply) });
            }
        }
        if at.ply == 0 {
            hint = self.root.hint().or(hint);
        }
        if at.ply > 0
            && let Some(guess) = guess
            && let Some(found) = self.foresee(at, depth, window, guess)?
        {
            return Ok(found);
        }
        self.core.simultaneous |= choices.own > 1 && choices.replies > 1;
        let lazy = choices.replies > self.core.expander.most();
        let mut node = Node { lazy, hint, guess, ..Node::new(at, depth, window, choices) };
        let is_whole = self.parts(&mut node)?;
        node.close(is_whole);
        if self.core.options.table {
            self.core.table.put(key, entry(&node, is_whole));
        }
        Ok(node.best)
    }

    /// Whether what comes next does not count as depth: there is one thing to do, as when a loss has to be averted.
    pub(super) fn is_forced(&self, ply: usize, choices: Choices) -> bool {
        choices.all() == 1 && self.core.expander.is_narrow() && ply > 0 && ply < self.root.furthest()
    }

    /// Looks at all moves of a node, as many at once as there is room for; whether it looked at all.
    fn parts(&mut self, node: &mut Node) -> Result<bool, Stop> {
        let (most, Choices { own, replies }) = (self.core.expander.most(), node.choices);
        if !node.lazy {
            let step = (most / replies).max(1) as usize;
            for first in (0..own).step_by(step) {
                let mut part = Part { own: first..own.min(first + step), replies: 0..replies, whole: true, base: 0 };
                if !self.part(node, &mut part)? || node.best.value >= node.window.beta && part.own.end < own {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        for one in 0..own {
            let mut first = 0;
            node.pending = None;
            loop {
                let end = replies.min(first + most);
                let mut part = Part { own: one..one + 1, replies: first..end, whole: end == replies, base: 0 };
                self.part(node, &mut part)?;
                // Settled: refuted, or there are no more replies.
                if node.pending.is_none() {
                    break;
                }
                first = end;
            }
            if node.best.value >= node.window.beta && one + 1 < own {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks at some moves of a node; whether at all of them.
    fn part(&mut self, node: &mut Node, part: &mut Part) -> Result<bool, Stop> {
        if node.depth == 1
            && node.at.ply > 0
            && !node.lazy
            && part.own.len() as u64 * part.replies() as u64 == node.choices.all()
            && let Some(limit) = self.unrest(node.choices)
        {
            let (found, way) = self.calm_down(node.at, limit, FURTHEST, node.window)?;
            node.take(way.own, found, way.reply);
            node.restless = true;
            return Ok(true);
        }
        self.expand(node, part)?;
        let part = &*part;
        if node.depth == 1 {
            for own in part.own.clone() {
                let alpha = if node.lazy { node.window.alpha.max(node.best.value) } else { f32::NEG_INFINITY };
                let replies = self.leaves(node, part, own, alpha);
                self.settle(node, part, own, replies, Window { alpha, ..Window::OPEN });
            }
            return Ok(true);
        }
        self.order_own(node, part);
        let mut ahead = self.turns_alone(node.guess.is_some_and(|guess| guess <= node.window.alpha));
        for turn in 0..part.own.len() {
            let own = number(self.core.plies[node.at.ply + 1].own[turn]);
            let window = Window { alpha: node.window.alpha.max(node.best.value), ..node.window };
            let mut asked = window;
            // Nothing is expected of later moves: it is enough to see that they are no better.
            if self.core.options.scout && turn > 0 && window.is_wide() {
                asked.beta = window.alpha.next_up();
            }
            if turn == ahead && part.replies() == 1 {
                ahead += self.go_ahead(node, part, (Side::Own, own), turn, asked)?;
            }
            let mut replies = self.replies(node, part, own, asked)?;
            if asked.beta < window.beta && replies.0.value > window.alpha && replies.0.value < window.beta {
                asked = window;
                replies = self.replies(node, part, own, asked)?;
            }
            self.settle(node, part, own, replies, asked);
            if node.best.value >= node.window.beta {
                if node.choices.own > 1 {
                    let tag = self.own_tag(node.at, own);
                    self.core.order.reward(Side::Own, node.at.ply, tag, node.depth);
                }
                return Ok(turn + 1 == part.own.len());
            }
        }
        Ok(true)
    }

    /// Makes the children of a part, unless they are there.
    fn expand(&mut self, node: &Node, part: &mut Part) -> Result<(), Stop> {
        let At { ply, index } = node.at;
        let count = part.own.len() * part.replies();
        let all = count as u64 == node.choices.all() && node.depth > 1;
        if all && let Some(first) = self.core.first_child(ply, index) {
            part.base = first;
            return Ok(());
        }
        let reach = self.reach(node.depth);
        let way = Way { own: part.own.start, reply: part.replies.start };
        let (expander, parents, children) = self.core.renew(ply);
        if all {
            children.made.push((index, 0));
        }
        self.counter.expand(expander, (parents, index), way, count, node.choices, reach, &mut children.positions)
    }

    /// What is to be known of children of a node of some depth.
    pub(super) fn reach(&self, depth: u32) -> Reach {
        match depth {
            1 => Reach::Leaves,
            _ if self.core.options.scores => Reach::Whole,
            _ => Reach::Unscored,
        }
    }

    /// An own move is known as far as its replies were looked at.
    fn settle(&mut self, node: &mut Node, part: &Part, own: usize, (replies, reply): (Found, u64), asked: Window) {
        node.pending = (!part.whole && replies.value > asked.alpha).then_some((replies, reply));
        if node.pending.is_some() {
            return;
        }
        node.take(own, replies, reply);
        if node.at.ply == 0 {
            self.root.settle(Way { own, reply }, replies, asked, node.window);
        }
    }

    /// The least of the leaves that an own move leads to.
    fn leaves(&self, node: &Node, part: &Part, own: usize, alpha: f32) -> (Found, u64) {
        let positions = &self.core.plies[node.at.ply + 1].positions;
        let first = part.first(own);
        let (mut least, mut reply) = before(node);
        if let Some(place) = lower(positions, first..first + part.replies(), self.role, &mut least) {
            reply = part.replies.start + place as u64;
        }
        // More replies may come, but none will be looked at once the move is refuted.
        least.low &= part.whole || least.value > alpha;
        (least, reply)
    }

    /// The least that an own move leads to.
    fn replies(&mut self, node: &Node, part: &Part, own: usize, window: Window) -> Result<(Found, u64), Stop> {
        let first = part.first(own);
        let At { ply, .. } = node.at;
        if node.choices.replies == 1 {
            return Ok((self.child(At { ply: ply + 1, index: first }, node.depth - 1, window)?, 0));
        }
        self.order_replies(node, part, own);
        let (mut least, mut reply) = before(node);
        let mut ahead = self.turns_alone(node.guess.is_some_and(|guess| guess >= window.beta));
        for turn in 0..part.replies() {
            let place = number(self.core.plies[ply + 1].replies[turn]);
            let rest = Window { beta: window.beta.min(least.value), ..window };
            let child = At { ply: ply + 1, index: first + place };
            let mut asked = rest;
            if self.core.options.scout && turn > 0 && rest.is_wide() {
                asked.alpha = rest.beta.next_down();
            }
            if turn == ahead {
                ahead += self.go_ahead(node, part, (Side::Others, own), turn, asked)?;
            }
            let mut found = self.child(child, node.depth - 1, asked)?;
            if asked.alpha > rest.alpha && found.value < rest.beta && found.value > rest.alpha {
                found = self.child(child, node.depth - 1, rest)?;
            }
            if found.value < least.value {
                (least.value, least.high) = (found.value, found.high);
                reply = part.replies.start + place as u64;
            } else if found.value <= least.value {
                least.high |= found.high;
            }
            least.low &= found.low;
            if least.value <= window.alpha {
                let tag = self.reply_tag(node.at, reply);
                self.core.order.reward(Side::Others, ply, tag, node.depth);
                least.low &= part.whole && turn + 1 == part.replies();
                break;
            }
        }
        Ok((least, reply))
    }

    fn child(&mut self, at: At, depth: u32, window: Window) -> Result<Found, Stop> {
        let positions = &self.core.plies[at.ply].positions;
        if positions.is_over(at.index) {
            return Ok(Found { value: positions.score(at.index, self.role), low: true, high: true });
        }
        self.node(at, depth, window)
    }

    /// What stands for an own move where moves are ordered.
    fn own_tag(&self, at: At, own: usize) -> u32 {
        self.core.plies[at.ply].positions.legal(at.index, self.role)[own].0
    }

    /// What stands for a reply: the moves of those who have a choice.
    fn reply_tag(&self, at: At, reply: u64) -> u32 {
        let positions = &self.core.plies[at.ply].positions;
        let (mut rest, mut tag) = (reply, 0_u32);
        for role in (0..self.core.machine.roles().len()).rev().filter(|&role| role != self.role) {
            let legal = positions.legal(at.index, role);
            if legal.len() > 1 {
                tag = tag.wrapping_mul(0x9e37_79b1).wrapping_add(legal[(rest % legal.len() as u64) as usize].0);
                rest /= legal.len() as u64;
            }
        }
        tag
    }

    fn order_own(&mut self, node: &Node, part: &Part) {
        let At { ply, .. } = node.at;
        let mut list = std::mem::take(&mut self.core.plies[ply + 1].own);
        list.clear();
        if part.own.len() == 1 {
            list.push(sortable(0.0, part.own.start));
        } else {
            let positions = &self.core.plies[ply + 1].positions;
            let known = node.hint.map(|way| way.own);
            for own in part.own.clone() {
                let children = part.first(own)..part.first(own) + part.replies();
                let scores = children.clone().map(|child| positions.score(child, self.role));
                let score = scores.fold(f32::INFINITY, f32::min);
                let urgency = if children.len() == 1 && positions.is_over(children.start) {
                    Order::end(score)
                } else if known == Some(own) {
                    Order::known()
                } else {
                    self.core.order.urgency(Side::Own, ply, self.own_tag(node.at, own), score)
                };
                list.push(sortable(urgency, own));
                children.for_each(|child| self.core.table.prepare(positions.key(child)));
            }
            list.sort_unstable();
        }
        self.core.plies[ply + 1].own = list;
    }

    fn order_replies(&mut self, node: &Node, part: &Part, own: usize) {
        let At { ply, .. } = node.at;
        let mut list = std::mem::take(&mut self.core.plies[ply + 1].replies);
        list.clear();
        let positions = &self.core.plies[ply + 1].positions;
        let known = node.hint.filter(|way| way.own == own).map(|way| way.reply);
        for place in 0..part.replies() {
            let (child, reply) = (part.first(own) + place, part.replies.start + place as u64);
            let score = -positions.score(child, self.role);
            let urgency = if positions.is_over(child) {
                Order::end(score)
            } else if known == Some(reply) {
                Order::known()
            } else {
                self.core.order.urgency(Side::Others, ply, self.reply_tag(node.at, reply), score)
            };
            list.push(sortable(urgency, place));
            self.core.table.prepare(positions.key(child));
        }
        list.sort_unstable();
        self.core.plies[ply + 1].replies = list;
    }
}

/// Lowers what replies promise to the least of some leaves; where that is, from the first one.
pub(super) fn lower(leaves: &Positions, range: Range<usize>, role: usize, least: &mut Found) -> Option<usize> {
    let mut place = None;
    for leaf in range.clone() {
        let (value, over) = (leaves.score(leaf, role), leaves.is_over(leaf));
        if value < least.value {
            (least.value, least.high) = (value, over);
            place = Some(leaf - range.start);
        } else if value <= least.value {
            least.high |= over;
        }
        least.low &= over;
    }
    place
}

/// What earlier parts know about the replies to an own move.
fn before(node: &Node) -> (Found, u64) {
    node.pending.unwrap_or((Found { value: f32::INFINITY, low: true, high: false }, 0))
}

/// What the table knows well enough. With `deeper`, what was found by looking further ahead is as good or better, and what is certain is good at any
/// depth; but what lies beyond the depth asked for is not called certain here, so that near ends are found before far ones.
pub(super) fn known(entry: &Entry, depth: u32, window: Window, deeper: bool) -> Option<Found> {
    let at = u32::from(entry.depth);
    let deep = at == depth || deeper && at > depth;
    let near = at <= depth;
    let low = deep || deeper && entry.low_proven;
    let high = deep || deeper && entry.high_proven;
    let (low_proven, high_proven) = (near && entry.low_proven, near && entry.high_proven);
    if low && high && entry.low >= entry.high {
        return Some(Found { value: entry.low, low: low_proven, high: high_proven });
    }
    if low && entry.low >= window.beta {
        return Some(Found { value: entry.low, low: low_proven, high: false });
    }
    (high && entry.high <= window.alpha).then_some(Found { value: entry.high, low: false, high: high_proven })
}

/// What the table shall know about a node.
pub(super) fn entry(node: &Node, is_whole: bool) -> Entry {
    let Node { best, window, depth, .. } = *node;
    let exact = depth == 1 && is_whole && !node.lazy && !node.restless;
    let low = exact || best.low || best.value > window.alpha;
    let high = exact || best.high || is_whole && best.value < window.beta;
    // Where no own move was good, or no reply, there is no best one: what was known before is the better guess.
    let vague = !exact && if node.choices.own > 1 { best.value <= window.alpha } else { best.value >= window.beta };
    let way = node.hint.filter(|_| vague).unwrap_or(node.way);
    Entry {
        low: if low { best.value } else { f32::NEG_INFINITY },
        high: if high { best.value } else { f32::INFINITY },
        depth: depth as u8,
        low_proven: best.low,
        high_proven: best.high,
        own: Entry::small(way.own as u64),
        reply: Entry::small(way.reply),
    }
}

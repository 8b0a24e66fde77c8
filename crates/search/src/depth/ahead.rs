//! Children of several siblings at once.
//!
//! One pass of the engine takes about as long for few lanes as for many, and most nodes have few children. So those of nodes that will be looked at
//! next are made together, as many as fit into one pass.

use super::calm::is_calm;
use super::core::Core;
use super::count::Stop;
use super::expand::{Expander, Reach};
use super::found::{Found, Window};
use super::node::{At, Node, Part, Run, entry, lower};
use super::order::{Side, number};

/// Nodes whose children are made at once: their places, and how many children each has.
struct Group {
    nodes: [(usize, usize); Expander::WIDEST],
    count: usize,
    children: usize,
}

impl Group {
    fn nodes(&self) -> &[(usize, usize)] {
        &self.nodes[..self.count]
    }
}

impl Run<'_, '_> {
    /// After how many turns at a node the next ones are prepared together: at once where it seems that all of them will come, else as soon as the
    /// first one did not put an end to it.
    pub(super) fn turns_alone(&self, all: bool) -> usize {
        if self.core.options.sweep { usize::from(!all) } else { usize::MAX }
    }

    /// Makes the children of nodes that a side will look at next, children of a node themselves, from a turn on. The answer is for how many turns that is.
    pub(super) fn go_ahead(
        &mut self,
        node: &Node,
        part: &Part,
        (side, own): (Side, usize),
        turn: usize,
        asked: Window,
    ) -> Result<usize, Stop> {
        let (ply, depth) = (node.at.ply + 1, node.depth - 1);
        let core = &*self.core;
        if depth == 1 && !core.options.table {
            return Ok(usize::MAX - turn);
        }
        let mut group = Group { nodes: [(0, 0); Expander::WIDEST], count: 0, children: 0 };
        let list = &core.plies[ply];
        let (positions, order) = (&list.positions, if side == Side::Own { &list.own } else { &list.replies });
        let mut turns = 0;
        for &next in &order[turn..] {
            let index = part.child(side, own, number(next));
            turns += 1;
            if positions.is_over(index) || core.is_answered(positions.key(index), depth, asked) {
                continue;
            }
            if group.count == 0 && depth > 1 && core.first_child(ply, index).is_some() {
                continue;
            }
            let choices = positions.choices(index, self.role);
            let many = choices.all();
            if depth == 1 && self.is_forced(ply, choices) {
                continue;
            }
            if group.children as u64 + many > core.expander.width() as u64 {
                // One that does not fit any pass is left out.
                turns -= usize::from(group.count > 0);
                break;
            }
            group.nodes[group.count] = (index, many as usize);
            group.count += 1;
            group.children += many as usize;
        }
        if group.count > 1 {
            if depth == 1 {
                self.sweep(ply, &group)?;
            } else {
                self.make(ply, depth, &group)?;
            }
        }
        Ok(turns)
    }

    /// Makes the leaves that some nodes lead to, and puts what those are worth into the table.
    fn sweep(&mut self, ply: usize, group: &Group) -> Result<(), Stop> {
        let calm = self.core.options.calm.filter(|_| self.core.options.scores);
        let Core { plies, table, leaves, expander, .. } = &mut *self.core;
        let positions = &plies[ply].positions;
        leaves.clear();
        expander.several(positions, group.nodes().iter().copied(), Reach::Leaves, leaves)?;
        let mut first = 0;
        for &(index, many) in group.nodes() {
            let choices = positions.choices(index, self.role);
            let mut node = Node::new(At { ply, index }, 1, Window::OPEN, choices);
            let step = choices.replies as usize;
            for own in 0..choices.own {
                let mut least = Found { value: f32::INFINITY, low: true, high: false };
                let place = lower(leaves, first + own * step..first + (own + 1) * step, self.role, &mut least);
                node.take(own, least, place.unwrap_or(0) as u64);
            }
            node.close(true);
            let best = first + node.way.own * step + node.way.reply as usize;
            first += many;
            let here = positions.score(index, self.role);
            // What is to be followed is looked at by itself.
            if calm.is_none_or(|limit| is_calm(limit, here, leaves.score(best, self.role), leaves.is_over(best))) {
                table.put(positions.key(index), entry(&node, true));
            }
        }
        self.counter.count(group.children)
    }

    /// Makes the children of some nodes of a depth, which the search will go on from.
    fn make(&mut self, ply: usize, depth: u32, group: &Group) -> Result<(), Stop> {
        let reach = self.reach(depth);
        let (expander, positions, children) = self.core.renew(ply);
        children.positions.clear();
        let mut first = 0;
        for &(index, many) in group.nodes() {
            children.made.push((index, first));
            first += many;
        }
        expander.several(positions, group.nodes().iter().copied(), reach, &mut children.positions)?;
        self.counter.count(group.children)
    }
}

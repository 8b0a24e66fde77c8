//! Which move to try next.

use super::arena::NodeId;
use super::node::Node;
use super::tree::Tree;
use crate::Bounds;

/// What edges that are left out score, beside what they lead to.
const LEFT_OUT: f32 = -4e6;

/// What selection looks at beyond the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    /// How much uncertainty attracts.
    pub(super) c: f32,
    pub(super) solver: bool,
    /// For GRAVE: after how many visits its part is down to a half, if it is on.
    pub(super) grave: Option<f32>,
    /// Visits from which on a node's statistics of later moves are trusted.
    pub(super) trusted: u64,
}

impl Tree {
    /// The edge of a role to follow, out of some: UCB1, unvisited ones first; those of which a visit would not say more than is certain are left out.
    /// Answers also whether all are left out: then more is certain than the node knows. `elder` is the node whose statistics of later moves are
    /// looked at.
    #[inline]
    pub(super) fn select(
        &self,
        node: Node<'_>,
        role: usize,
        edges: std::ops::Range<usize>,
        visits: u64,
        how: Selection,
        elder: NodeId,
    ) -> (usize, bool) {
        if edges.len() == 1 {
            return (edges.start, false);
        }
        let known = if how.solver { node.bounds(role) } else { Bounds::OPEN };
        let spread = how.c * how.c * logarithm(visits);
        let mut best = (f32::NEG_INFINITY, edges.start);
        // Unvisited edges are tried from a place on that differs from node to node.
        let turn = edges.start + node.hash() as usize % edges.len();
        let mut later = how
            .grave
            .filter(|_| elder.is_node())
            .map(|k| Later::new(self.node(elder), role, (k / (3.0 * visits as f32 + k)).sqrt()));
        for (edge, target, stats) in node.edge_words(edges.clone()) {
            let count = stats.visits();
            let score = if target.is_bounded() && how.solver {
                let beyond = self.node(target.child());
                let child = beyond.bounds(role);
                // Certain not to be the best, or to add nothing to what is certain; what is settled needs no more visits.
                if child.high < known.low || child.high == known.low && known.low < known.high || beyond.is_settled() {
                    let score = f32::from(child.high) / 100.0 + LEFT_OUT;
                    if score > best.0 {
                        best = (score, edge);
                    }
                    continue;
                }
                if count == 0 {
                    unvisited(edge, turn)
                } else {
                    let mean = stats.mean().clamp(f32::from(child.low) / 100.0, f32::from(child.high) / 100.0);
                    mean + (spread / count as f32).sqrt()
                }
            } else if let Some(later) = &mut later {
                later.score(target.id(), stats.mean(), count, spread)
            } else if count == 0 {
                unvisited(edge, turn)
            } else {
                stats.ucb(spread)
            };
            if score > best.0 {
                best = (score, edge);
            }
        }
        (best.1, best.0 < LEFT_OUT / 2.0)
    }
}

/// The natural logarithm, to about two parts in a hundred of one: the bits of a number tell its own, and it grows evenly in between.
#[inline]
fn logarithm(number: u64) -> f32 {
    let bits = (number.max(1) as f32).to_bits() as f32;
    (bits * (1.0 / 8_388_608.0) - 126.957).max(0.0) * std::f32::consts::LN_2
}

/// More than any visited edge has; the first from a certain place on is the first to be tried.
#[inline]
fn unvisited(edge: usize, turn: usize) -> f32 {
    if edge >= turn { 2e6 } else { 1e6 }
}

/// Values of moves wherever they were played below an elder node: GRAVE.
struct Later<'a> {
    elder: Node<'a>,
    edges: std::ops::Range<usize>,
    weight: f32,
}

impl<'a> Later<'a> {
    fn new(elder: Node<'a>, role: usize, weight: f32) -> Later<'a> {
        Later { elder, edges: elder.edges_of(role), weight }
    }

    /// Moves come in ascending order, here as there.
    fn score(&mut self, id: ludens_machine::MoveId, mean: f32, count: u64, spread: f32) -> f32 {
        while self.edges.start < self.edges.end && self.elder.target(self.edges.start).id() < id {
            self.edges.start += 1;
        }
        let known = (self.edges.start < self.edges.end && self.elder.target(self.edges.start).id() == id)
            .then(|| self.elder.later_stats(self.edges.start))
            .filter(|stats| stats.visits() > 0);
        let explore = if count == 0 { 0.0 } else { (spread / count as f32).sqrt() };
        match known {
            None if count == 0 => 1e6,
            None => mean + explore,
            Some(later) if count == 0 => later.mean(),
            Some(later) => (1.0 - self.weight) * mean + self.weight * later.mean() + explore,
        }
    }
}

//! Guesses: what an evaluation function says of the positions that edges lead to, backed up by the best move.
//!
//! Only trees with an evaluation function have them: a word per edge, and a number per role at every node. Threads that change them at once may lose
//! a change, which the next visit makes good.

use super::arena::NodeId;
use super::descend::{Link, Way};
use super::node::{Node, Shape};
use super::tree::Tree;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// What a point counts in a guess: whole points are exact, and a hundred fit.
const PER_POINT: f32 = 655.0;

/// The guess at the points of a role; 0 where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Points(u16);

impl Points {
    pub(super) const UNKNOWN: Points = Points(0);

    /// Of points from 0 to 100.
    pub(super) fn new(points: f32) -> Points {
        Points((points.clamp(0.0, 100.0) * PER_POINT + 0.5) as u16 + 1)
    }

    pub(super) fn is_known(self) -> bool {
        self != Points::UNKNOWN
    }

    /// From 0 to 1.
    #[inline]
    pub(super) fn value(self) -> f32 {
        f32::from(self.0.saturating_sub(1)) * (1.0 / (100.0 * PER_POINT))
    }

    fn clamp_to(self, bounds: crate::Bounds) -> Points {
        let of = |points: u8| Points::new(f32::from(points));
        // Where the bounds say all there is to know, no guess is needed.
        if self.is_known() || bounds.low == bounds.high { self.clamp(of(bounds.low), of(bounds.high)) } else { self }
    }
}

/// The guess at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guess {
    /// For the role that the edge belongs to.
    pub(super) own: Points,
    /// For the other one, where there are two.
    pub(super) other: Points,
    /// What `own` was when the node was made.
    pub(super) first: Points,
}

impl Guess {
    #[inline]
    pub(super) fn of_word(word: u64) -> Guess {
        Guess { own: Points(word as u16), other: Points((word >> 16) as u16), first: Points((word >> 32) as u16) }
    }

    fn word(self) -> u64 {
        u64::from(self.own.0) | u64::from(self.other.0) << 16 | u64::from(self.first.0) << 32
    }
}

impl Shape {
    /// Roles' guesses in a word.
    const GUESSES_PER_WORD: usize = 4;

    /// Words of a node's guesses; where there are more roles than an edge has guesses for, also those from when it was made.
    pub(super) fn guess_words(roles: usize) -> usize {
        roles.div_ceil(Shape::GUESSES_PER_WORD) * if roles > 2 { 2 } else { 1 }
    }
}

impl Node<'_> {
    /// The guess at an edge.
    #[inline]
    pub(super) fn guess(self, edge: usize) -> Guess {
        self.guess_word(edge).map_or(Guess::of_word(0), |word| Guess::of_word(word.load(Relaxed)))
    }

    fn set_guess(self, edge: usize, guess: Guess) {
        if let Some(word) = self.guess_word(edge) {
            word.store(guess.word(), Relaxed);
        }
    }

    /// What the node is guessed to be worth for a role, whatever is certain.
    fn points(self, role: usize) -> Points {
        get(self.guesses(), role)
    }

    fn set_points(self, role: usize, points: Points) {
        set(self.guesses(), role, points);
    }

    /// What it was when the node was made, where there are more than two roles.
    fn first_points(self, role: usize) -> Points {
        get(&self.guesses()[self.guesses().len() / 2..], role)
    }

    /// Writes the guesses of a node that was just made.
    pub(super) fn write_points(self, points: impl Iterator<Item = Points> + Clone) {
        points.clone().enumerate().for_each(|(role, points)| self.set_points(role, points));
        let words = self.guesses();
        if words.len() > 1 {
            points.enumerate().for_each(|(role, points)| set(&words[words.len() / 2..], role, points));
        }
    }

    /// Writes the guess of an edge of a node that was just made.
    pub(super) fn write_guess(self, edge: usize, own: f32, other: Option<f32>) {
        let own = Points::new(own);
        self.set_guess(edge, Guess { own, other: other.map_or(Points::UNKNOWN, Points::new), first: own });
    }
}

fn get(words: &[AtomicU64], role: usize) -> Points {
    let word = words[role / Shape::GUESSES_PER_WORD].load(Relaxed);
    Points((word >> (role % Shape::GUESSES_PER_WORD * 16)) as u16)
}

fn set(words: &[AtomicU64], role: usize, points: Points) {
    let (word, shift) = (&words[role / Shape::GUESSES_PER_WORD], role % Shape::GUESSES_PER_WORD * 16);
    let known = word.load(Relaxed);
    let changed = known & !(0xffff << shift) | u64::from(points.0) << shift;
    if changed != known {
        word.store(changed, Relaxed);
    }
}

impl Tree {
    /// What a node is guessed to be worth for a role, as far as that is not certain.
    pub(super) fn worth(&self, id: NodeId, role: usize) -> Points {
        let node = self.node(id);
        node.points(role).clamp_to(node.bounds(role))
    }

    /// Whether something is guessed of a node's moves.
    pub(super) fn has_guesses(&self, id: NodeId) -> bool {
        let node = self.node(id);
        (0..self.shape.roles).flat_map(|role| node.edges_of(role)).any(|edge| node.guess(edge).first.is_known())
    }

    /// Lets the node of a link know what is thought of the node it leads to. Where several choose at once guesses stay as they were first.
    pub(super) fn hear_guess(&self, link: &Link) {
        let Way::Edge { role, edge } = link.way else { return };
        let (role, edge) = (usize::from(role), edge as usize);
        let node = self.node(link.node);
        let child = node.target(edge).child();
        if !child.is_node() {
            return;
        }
        let own = self.worth(child, role);
        if !own.is_known() {
            return;
        }
        let before = node.guess(edge);
        let other = if self.shape.roles == 2 { self.worth(child, 1 - role) } else { Points::UNKNOWN };
        let now = Guess { own, other, ..before };
        if now != before {
            node.set_guess(edge, now);
        }
        let best = node.points(role);
        if own >= best {
            self.take_points(node, role, edge, own);
        } else if before.own >= best {
            self.find_best(node, role);
        }
    }

    /// The node is worth what its best edge is.
    fn find_best(&self, node: Node<'_>, role: usize) {
        let mut best = (Points::UNKNOWN, 0);
        for edge in node.edges_of_chooser(role) {
            let target = node.target(edge);
            let own = if target.is_bounded() { self.worth(target.child(), role) } else { node.guess(edge).own };
            if own > best.0 {
                best = (own, edge);
            }
        }
        if best.0.is_known() {
            self.take_points(node, role, best.1, best.0);
        }
    }

    /// The node is worth what an edge leads to, for all roles.
    fn take_points(&self, node: Node<'_>, role: usize, edge: usize, own: Points) {
        let child = node.target(edge).child();
        for each in 0..self.shape.roles {
            let points = match child.is_node().then(|| self.worth(child, each)).filter(|points| points.is_known()) {
                _ if each == role => own,
                Some(points) => points,
                None if self.shape.roles == 2 => node.guess(edge).other,
                None => node.first_points(each),
            };
            node.set_points(each, points);
        }
    }
}

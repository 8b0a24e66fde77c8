//! Which move to try next.

use super::arena::NodeId;
use super::guess::Guess;
use super::guide::Weights;
use super::history::History;
use super::node::{Node, Stats, Target};
use super::tree::Tree;
use crate::Bounds;

/// What edges that are left out score, beside what they lead to.
const LEFT_OUT: f32 = -4e6;

/// What a move that did badly elsewhere loses at most: it shall be tried again some day.
const DISLIKE: f32 = 0.3;

/// After so many losses it makes no difference any more how a move did elsewhere.
const ENOUGH: f32 = 500.0;

/// So few moves are all tried first, whatever their node is worth.
const FEW: usize = 8;

/// More than any visited edge scores: those come first that nobody has tried.
const UNVISITED: f32 = 2e6;

/// What selection looks at beyond the node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection<'h> {
    /// How much uncertainty attracts.
    pub(super) c: f32,
    pub(super) solver: bool,
    /// Visits from which on a choice holds for one visit more: the more there were, the less a few can change.
    pub(super) habit: u64,
    /// For GRAVE: after how many visits its part is down to a half, if it is on.
    pub(super) grave: Option<f32>,
    /// Visits from which on a node's statistics of later moves are trusted.
    pub(super) trusted: u64,
    /// What guesses are for, where there are some.
    pub(super) guide: Option<Weights>,
    /// How moves did elsewhere, and how much that counts, if it does.
    pub(super) history: Option<(&'h History, f32)>,
    /// What an unvisited move has beyond the mean of its node, in parts of what uncertainty adds to one visit; without it, or with few moves, unvisited ones come first.
    pub(super) urgency: Option<f32>,
}

/// A choice of a role among some edges: what each scores.
///
/// UCB1, unvisited ones first or as if they had been visited once; those of which a visit would not say more than is certain are left out.
#[derive(Debug, Default)]
pub(super) struct Choice {
    first: usize,
    scores: Vec<f32>,
    /// The most that one scores, and which.
    best: (f32, usize),
    rule: Rule,
    guide: Option<Weights>,
}

/// What all edges of a node are looked at by.
#[derive(Clone, Copy, Debug, Default)]
struct Rule {
    role: usize,
    /// How much uncertainty attracts at this node.
    spread: f32,
    /// What is certain here, if that matters.
    known: Option<Bounds>,
    /// What unvisited edges score.
    unvisited: f32,
    /// Of unvisited edges that score alike, the first from this one on is the first to be tried; it differs from node to node.
    turn: usize,
}

impl Choice {
    /// Looks at all edges of a role at a node that has had so many visits. `elder` is the node whose statistics of later moves are looked at. Scores are
    /// kept if some of them shall be looked at again.
    #[expect(clippy::too_many_arguments, reason = "all that a choice depends on")]
    #[inline]
    pub(super) fn weigh(
        &mut self,
        tree: &Tree,
        node: Node<'_>,
        role: usize,
        edges: std::ops::Range<usize>,
        visits: u64,
        how: Selection<'_>,
        elder: NodeId,
        is_kept: bool,
    ) {
        let spread = how.c * how.c * logarithm(visits);
        let rule = Rule {
            role,
            spread,
            unvisited: how
                .urgency
                .filter(|_| edges.len() > FEW)
                .and_then(|urgency| Some(node.mean()? + urgency * spread.sqrt()))
                .unwrap_or(UNVISITED),
            known: how.solver.then(|| node.bounds(role)),
            turn: edges.start + node.hash() as usize % edges.len().max(1),
        };
        (self.first, self.rule) = (edges.start, rule);
        self.scores.clear();
        self.best = (f32::NEG_INFINITY, edges.start);
        self.guide = how.guide;
        let history = how.history.filter(|_| node.chooser().is_some()).map(|(history, weight)| (history.leans(role), weight));
        if let Some(mut guide) = how.guide {
            if node.chooser().is_none() {
                // No move is best by itself.
                guide.minimax = 0.0;
            }
            self.guide = Some(guide);
            for (edge, target, stats, guess) in node.guessed_edges(edges) {
                let score = rule.score_guided(tree, edge, target, stats, Guess::of_word(guess), guide);
                let score = lean(score, target, stats, history);
                self.best = if score > self.best.0 { (score, edge) } else { self.best };
                self.scores.push(score);
            }
            return;
        }
        if let Some(k) = how.grave.filter(|_| elder.is_node()) {
            let mut later = Later::new(tree.node(elder), role, (k / (3.0 * visits as f32 + k)).sqrt());
            for (edge, target, stats) in node.edge_words(edges) {
                let score = if target.is_bounded() && how.solver {
                    rule.score(tree, edge, target, stats)
                } else {
                    later.score(target.id(), stats.mean(), stats.visits(), rule.spread)
                };
                self.best = if score > self.best.0 { (score, edge) } else { self.best };
                self.scores.push(score);
            }
            return;
        }
        let mut best = self.best;
        if is_kept {
            self.scores.extend(node.edge_words(edges).map(|(edge, target, stats)| {
                let score = lean(rule.score(tree, edge, target, stats), target, stats, history);
                best = if score > best.0 { (score, edge) } else { best };
                score
            }));
        } else {
            for (edge, target, stats) in node.edge_words(edges) {
                let score = lean(rule.score(tree, edge, target, stats), target, stats, history);
                best = if score > best.0 { (score, edge) } else { best };
            }
        }
        self.best = best;
    }

    /// Looks at one of them again, where scores were kept; it has had some more visits of which the node has not heard.
    #[inline]
    pub(super) fn weigh_again(&mut self, tree: &Tree, node: Node<'_>, edge: usize, untold: u32, how: Selection<'_>) {
        let stats = node.stats(edge).after(untold);
        let target = node.target(edge);
        let score = match self.guide {
            None => self.rule.score(tree, edge, target, stats),
            Some(guide) => self.rule.score_guided(tree, edge, target, stats, node.guess(edge), guide),
        };
        let history = how.history.map(|(history, weight)| (history.leans(self.rule.role), weight));
        self.scores[edge - self.first] = lean(score, target, stats, history);
        let mut best = (f32::NEG_INFINITY, self.first);
        for (place, &score) in self.scores.iter().enumerate() {
            best = if score > best.0 { (score, self.first + place) } else { best };
        }
        self.best = best;
    }

    /// The edge to follow. Answers also whether all are left out: then more is certain than the node knows.
    #[inline]
    pub(super) fn best(&self) -> (usize, bool) {
        (self.best.1, self.best.0 < LEFT_OUT / 2.0)
    }
}

impl Rule {
    #[inline(always)]
    fn score(self, tree: &Tree, edge: usize, target: Target, stats: Stats) -> f32 {
        if target.is_bounded()
            && let Some(known) = self.known
        {
            return self.score_bounded(tree, edge, target, stats, known);
        }
        if stats.visits() == 0 { self.unvisited(edge) } else { stats.ucb(self.spread) }
    }

    /// The same where something is certain about what an edge leads to.
    fn score_bounded(self, tree: &Tree, edge: usize, target: Target, stats: Stats, known: Bounds) -> f32 {
        let beyond = tree.node(target.child());
        let child = beyond.bounds(self.role);
        // What is settled needs no more visits.
        if is_useless(known, child) || beyond.is_settled() {
            return f32::from(child.high) / 100.0 + LEFT_OUT;
        }
        if stats.visits() == 0 {
            return self.unvisited(edge);
        }
        let mean = stats.mean().clamp(f32::from(child.low) / 100.0, f32::from(child.high) / 100.0);
        mean + (self.spread / stats.visits() as f32).sqrt()
    }

    /// What an edge scores that nobody has tried.
    #[inline]
    fn unvisited(self, edge: usize) -> f32 {
        self.unvisited + if edge < self.turn { 0.0 } else { self.unvisited * 5e-6 }
    }

    /// The same with a guess, where there is one.
    #[inline]
    fn score_guided(self, tree: &Tree, edge: usize, target: Target, stats: Stats, guess: Guess, guide: Weights) -> f32 {
        if !guess.own.is_known() {
            return self.score(tree, edge, target, stats);
        }
        let mut range = (0.0, 1.0);
        if target.is_bounded()
            && let Some(known) = self.known
        {
            let beyond = tree.node(target.child());
            let child = beyond.bounds(self.role);
            if is_useless(known, child) || beyond.is_settled() {
                return f32::from(child.high) / 100.0 + LEFT_OUT;
            }
            range = (f32::from(child.low) / 100.0, f32::from(child.high) / 100.0);
        }
        let guessed = guess.own.value();
        let visits = stats.visits() as f32;
        if stats.visits() == 0 && (guide.order || guide.visits == 0.0) {
            // The best first; those alike as where there are no guesses.
            let worth = if guide.order { guessed } else { 0.0 };
            return self.unvisited(edge) + worth * UNVISITED;
        }
        let share = 1.0 / (visits + guide.visits);
        let mean = ((stats.total() + guide.visits * guess.first.value()) * share).clamp(range.0, range.1);
        let value = mean + guide.minimax * (guessed.clamp(range.0, range.1) - mean);
        value + guide.bias * guess.first.value() / (visits + 1.0) + (self.spread * share).sqrt()
    }
}

/// What a score becomes by how the move did elsewhere.
#[inline(always)]
fn lean(score: f32, target: Target, stats: Stats, history: Option<(&[f32], f32)>) -> f32 {
    let Some((leans, weight)) = history else { return score };
    let losses = if stats.visits() == 0 { 0.5 } else { stats.visits() as f32 - stats.total() };
    if losses > ENOUGH || score < LEFT_OUT / 2.0 {
        return score;
    }
    let lean = leans.get(target.id().0 as usize).copied().unwrap_or(0.0);
    if score > UNVISITED / 2.0 {
        score + lean * (UNVISITED / 4.0)
    } else {
        score + (weight * lean / (losses + 1.0)).max(-DISLIKE)
    }
}

/// Whether what an edge leads to is certain not to be the best, or to add nothing to what is certain.
#[inline]
fn is_useless(known: Bounds, child: Bounds) -> bool {
    child.high < known.low || child.high == known.low && known.low < known.high
}

/// The natural logarithm, to about two parts in a hundred of one: the bits of a number tell its own, and it grows evenly in between.
#[inline]
fn logarithm(number: u64) -> f32 {
    let bits = (number.max(1) as f32).to_bits() as f32;
    (bits * (1.0 / 8_388_608.0) - 126.957).max(0.0) * std::f32::consts::LN_2
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

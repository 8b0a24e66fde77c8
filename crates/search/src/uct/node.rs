//! What a node is made of, word by word.
//!
//! Words: what identifies it and how many edges it has; visits; who chooses, and how long the state is; the bounds of every role; the number of moves of every
//! role; what visits were worth to who chooses, where that is asked for; guesses, where the tree has some; the edges, role after role; the state. An edge has a
//! move with the node it leads to, and statistics in a single word, so that visits and value change together; its guess is the last of its words.

use super::arena::{Arena, NodeId};
use crate::Bounds;
use ludens_machine::{MoveId, prefetch, prefetch_to_change};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// A hundred points, as they are summed up.
pub(super) const FULL: f32 = 4000.0;

/// Bits of the sum of values; visits are above it.
const VALUE_BITS: u32 = 38;

/// Statistics that have seen so many visits change no more: the sum would not fit.
const MOST_VISITS: u64 = (1 << (64 - VALUE_BITS)) - (1 << 16);

/// More roles than one have a choice.
const SEVERAL: u64 = 0xffff;

const HEAD: usize = 3;

/// An edge leads to a node of which something is certain.
const BOUNDED: u64 = 1 << 63;

/// What all nodes of a game have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub(super) roles: usize,
    /// Words of an edge.
    pub(super) stride: usize,
    /// Words of a node's guesses; none where there is no evaluation function.
    pub(super) guesses: usize,
    /// Whether nodes have the mean of their visits.
    pub(super) has_means: bool,
    /// Whether a single thread searches: it need not lock words to change them.
    pub(super) alone: bool,
}

impl Shape {
    /// Adds to a word; answers what it was before.
    #[inline]
    fn add(self, word: &AtomicU64, more: u64) -> u64 {
        if self.alone {
            let before = word.load(Relaxed);
            word.store(before.wrapping_add(more), Relaxed);
            before
        } else {
            word.fetch_add(more, Relaxed)
        }
    }
}

impl Shape {
    /// Roles' bounds in a word.
    const ROLES_PER_WORD: usize = 4;

    fn bounds_words(self) -> usize {
        self.roles.div_ceil(Shape::ROLES_PER_WORD)
    }

    fn edges_at(self) -> usize {
        self.guesses_at() + self.guesses
    }

    fn guesses_at(self) -> usize {
        self.mean_at() + usize::from(self.has_means)
    }

    fn mean_at(self) -> usize {
        HEAD + self.bounds_words() + self.roles.div_ceil(2)
    }

    /// Words of a node with so many moves of all roles, and a state of so many words.
    pub(super) fn words(self, edges: usize, state: usize) -> usize {
        self.edges_at() + edges * self.stride + state
    }
}

/// Visits and the sum of values, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stats(u64);

impl Stats {
    pub(super) fn visits(self) -> u64 {
        self.0 >> VALUE_BITS
    }

    /// With some more visits whose values are not known yet: they count as losses until then.
    #[inline]
    pub(super) fn after(self, visits: u32) -> Stats {
        Stats(self.0 + (u64::from(visits) << VALUE_BITS))
    }

    fn sum(self) -> u64 {
        self.0 & ((1 << VALUE_BITS) - 1)
    }

    /// From 0 to 1.
    #[inline]
    pub(super) fn mean(self) -> f32 {
        self.sum() as f32 / (self.visits() as f32 * FULL)
    }

    /// The sum of the values, from 0 to 1 each.
    #[inline]
    pub(super) fn total(self) -> f32 {
        self.sum() as f32 * (1.0 / FULL)
    }

    /// What UCB1 makes of it: the mean, from 0 to 1, and the root of `spread` over the visits.
    #[inline]
    pub(super) fn ucb(self, spread: f32) -> f32 {
        let share = 1.0 / self.visits() as f32;
        self.sum() as f32 * share * (1.0 / FULL) + (spread * share).sqrt()
    }
}

/// Where an edge leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target(u64);

impl Target {
    pub(super) fn id(self) -> MoveId {
        MoveId(self.0 as u32)
    }

    pub(super) fn child(self) -> NodeId {
        NodeId((self.0 >> 32) as u32 & 0x7fff_ffff)
    }

    /// Whether something is certain about the child.
    pub(super) fn is_bounded(self) -> bool {
        self.0 & BOUNDED != 0
    }
}

/// A node in its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    words: &'a [AtomicU64],
    shape: Shape,
}

/// A node that is being made: what it shall hold.
#[derive(Debug)]
pub(super) struct Fresh<'a> {
    pub(super) hash: u32,
    /// Per role.
    pub(super) moves: &'a [&'a [MoveId]],
    pub(super) state: &'a [u64],
    pub(super) bounds: &'a [Bounds],
}

impl<'a> Node<'a> {
    #[inline]
    pub(super) fn new(arena: &'a Arena, shape: Shape, id: NodeId) -> Node<'a> {
        Node { words: arena.words(id), shape }
    }

    /// Writes a new node. Nobody else sees it before an edge leads to it.
    pub(super) fn write(self, fresh: &Fresh<'_>) {
        let edges: usize = fresh.moves.iter().map(|moves| moves.len()).sum();
        let mut choosers = (0..).zip(fresh.moves).filter(|(_, moves)| moves.len() > 1).map(|(role, _)| role);
        let chooser = match (choosers.next(), choosers.next()) {
            (first, None) => first.unwrap_or(0),
            _ => SEVERAL,
        };
        self.words[0].store(u64::from(fresh.hash) << 32 | edges as u64, Relaxed);
        self.words[1].store(0, Relaxed);
        self.words[2].store(chooser | (fresh.state.len() as u64) << 16, Relaxed);
        for (word, bounds) in self.bounds_words().iter().zip(fresh.bounds.chunks(Shape::ROLES_PER_WORD)) {
            word.store(pack(bounds), Relaxed);
        }
        self.words[self.shape.mean_at()..self.shape.edges_at()].iter().for_each(|word| word.store(0, Relaxed));
        let counts = &self.words[HEAD + self.shape.bounds_words()..self.shape.mean_at()];
        for (word, pair) in counts.iter().zip(fresh.moves.chunks(2)) {
            let second = pair.get(1).map_or(0, |moves| moves.len() as u64);
            word.store(pair[0].len() as u64 | second << 32, Relaxed);
        }
        for (edge, id) in fresh.moves.iter().flat_map(|moves| moves.iter()).enumerate() {
            let words = self.edge(edge);
            words[0].store(u64::from(id.0), Relaxed);
            words[1..].iter().for_each(|word| word.store(0, Relaxed));
        }
        let state = &self.words[self.shape.edges_at() + edges * self.shape.stride..];
        for (word, &value) in state.iter().zip(fresh.state) {
            word.store(value, Relaxed);
        }
    }

    /// Lets what a visit will read be fetched, or change, where other threads have it too.
    #[inline]
    pub(super) fn expect_soon(self, will_change: bool) {
        // Eight words a line; more moves than these come in a row, which the processor notices by itself.
        for line in 0..4 {
            match self.words.get(line * 8) {
                Some(word) if will_change => prefetch_to_change(word),
                Some(word) => prefetch(word),
                None => {}
            }
        }
    }

    /// The same where visits of an edge will be told.
    #[inline]
    pub(super) fn expect_change(self, edge: usize) {
        prefetch_to_change(&self.words[1]);
        prefetch_to_change(&self.words[self.shape.mean_at()]);
        if let Some(word) = self.words.get(self.shape.edges_at() + edge * self.shape.stride + 1) {
            prefetch_to_change(word);
        }
    }

    pub(super) fn size(self) -> usize {
        self.shape.words(self.edges(), self.state_len())
    }

    #[inline]
    pub(super) fn edges(self) -> usize {
        self.words[0].load(Relaxed) as u32 as usize
    }

    #[inline]
    pub(super) fn hash(self) -> u32 {
        (self.words[0].load(Relaxed) >> 32) as u32
    }

    #[inline]
    pub(super) fn visits(self) -> u64 {
        self.words[1].load(Relaxed)
    }

    /// Counts visits; answers how many there have been before.
    #[inline]
    pub(super) fn visit(self, visits: u64) -> u64 {
        self.shape.add(&self.words[1], visits)
    }

    pub(super) fn forget_visits(self, visits: u64) {
        self.shape.add(&self.words[1], visits.wrapping_neg());
    }

    /// The only role that has a choice, or the first if none has; `None` if there are several.
    #[inline]
    pub(super) fn chooser(self) -> Option<usize> {
        let chooser = self.words[2].load(Relaxed) & 0xffff;
        (chooser != SEVERAL).then_some(chooser as usize)
    }

    fn state_len(self) -> usize {
        (self.words[2].load(Relaxed) >> 16 & 0xffff) as usize
    }

    /// What recycling notes about the node.
    pub(super) fn mark(self) -> u32 {
        (self.words[2].load(Relaxed) >> 32) as u32
    }

    pub(super) fn set_mark(self, mark: u32) {
        let rest = self.words[2].load(Relaxed) & 0xffff_ffff;
        self.words[2].store(rest | u64::from(mark) << 32, Relaxed);
    }

    /// Appends the words of the state.
    pub(super) fn copy_state(self, words: &mut Vec<u64>) {
        words.extend(self.state().iter().map(|word| word.load(Relaxed)));
    }

    pub(super) fn has_state(self, state: &[u64]) -> bool {
        self.state_len() == state.len() && self.state().iter().zip(state).all(|(word, &value)| word.load(Relaxed) == value)
    }

    fn state(self) -> &'a [AtomicU64] {
        let at = self.shape.edges_at() + self.edges() * self.shape.stride;
        &self.words[at..at + self.state_len()]
    }

    /// How many moves a role has.
    #[inline]
    pub(super) fn count(self, role: usize) -> usize {
        let word = self.words[HEAD + self.shape.bounds_words() + role / 2].load(Relaxed);
        (word >> (role % 2 * 32)) as u32 as usize
    }

    /// The edges of a role.
    #[inline]
    pub(super) fn edges_of(self, role: usize) -> std::ops::Range<usize> {
        let first = (0..role).map(|before| self.count(before)).sum();
        first..first + self.count(role)
    }

    /// The edges of the only role that has a choice: every role before it has one move.
    #[inline]
    pub(super) fn edges_of_chooser(self, chooser: usize) -> std::ops::Range<usize> {
        chooser..self.edges() + chooser + 1 - self.shape.roles
    }

    /// The words of the node's guesses.
    pub(super) fn guesses(self) -> &'a [AtomicU64] {
        &self.words[self.shape.guesses_at()..self.shape.edges_at()]
    }

    /// The word of an edge's guess, if the tree has guesses.
    #[inline]
    pub(super) fn guess_word(self, edge: usize) -> Option<&'a AtomicU64> {
        if self.shape.guesses == 0 { None } else { self.edge(edge).last() }
    }

    #[inline]
    fn edge(self, edge: usize) -> &'a [AtomicU64] {
        let at = self.shape.edges_at() + edge * self.shape.stride;
        &self.words[at..at + self.shape.stride]
    }

    /// The words of some edges, side by side.
    #[inline]
    pub(super) fn edge_words(self, edges: std::ops::Range<usize>) -> impl Iterator<Item = (usize, Target, Stats)> {
        let at = self.shape.edges_at();
        let stride = self.shape.stride;
        let words = &self.words[at + edges.start * stride..at + edges.end * stride];
        edges
            .zip(words.chunks_exact(stride))
            .map(|(edge, words)| (edge, Target(words[0].load(Acquire)), Stats(words[1].load(Relaxed))))
    }

    /// The same with the word of their guesses.
    #[inline]
    pub(super) fn guessed_edges(self, edges: std::ops::Range<usize>) -> impl Iterator<Item = (usize, Target, Stats, u64)> {
        let at = self.shape.edges_at();
        let stride = self.shape.stride;
        let words = &self.words[at + edges.start * stride..at + edges.end * stride];
        edges.zip(words.chunks_exact(stride)).map(move |(edge, words)| {
            let guess = words[stride - 1].load(Relaxed);
            (edge, Target(words[0].load(Acquire)), Stats(words[1].load(Relaxed)), guess)
        })
    }

    #[inline]
    pub(super) fn target(self, edge: usize) -> Target {
        Target(self.edge(edge)[0].load(Acquire))
    }

    #[inline]
    pub(super) fn stats(self, edge: usize) -> Stats {
        Stats(self.edge(edge)[1].load(Relaxed))
    }

    /// What the moves of a whole subtree did, for moves that are legal here.
    pub(super) fn later_stats(self, edge: usize) -> Stats {
        Stats(self.edge(edge)[2].load(Relaxed))
    }

    /// Takes an edge that leads nowhere yet; false if somebody was faster.
    pub(super) fn claim(self, edge: usize) -> bool {
        let word = &self.edge(edge)[0];
        let known = word.load(Relaxed);
        Target(known).child() == NodeId::NONE
            && word.compare_exchange(known, known & 0xffff_ffff | u64::from(NodeId::PENDING.0) << 32, AcqRel, Relaxed).is_ok()
    }

    /// Lets an edge lead to a node.
    pub(super) fn link(self, edge: usize, child: NodeId, bounded: bool) {
        let word = &self.edge(edge)[0];
        let bounded = if bounded { BOUNDED } else { 0 };
        word.store(word.load(Relaxed) & 0xffff_ffff | u64::from(child.0) << 32 | bounded, Release);
    }

    pub(super) fn flag_bounded(self, edge: usize) {
        self.edge(edge)[0].fetch_or(BOUNDED, Release);
    }

    /// Visits whose values are not known yet: they count as losses until then.
    #[inline]
    pub(super) fn begin_visits(self, edge: usize, visits: u64) {
        self.shape.add(&self.edge(edge)[1], visits << VALUE_BITS);
    }

    pub(super) fn cancel_visits(self, edge: usize, visits: u64) {
        self.shape.add(&self.edge(edge)[1], (visits << VALUE_BITS).wrapping_neg());
    }

    /// The sum of the values, from 0 to 1 each, of visits that began.
    #[inline]
    pub(super) fn end_visits(self, edge: usize, sum: f32) {
        self.add_to_edge(edge, 0, parts(sum));
    }

    /// Visits of which it has not heard before, with the sum of their values.
    pub(super) fn hear_of_visits(self, edge: usize, visits: u64, sum: f32) {
        self.shape.add(&self.words[1], visits);
        self.add_to_edge(edge, visits, parts(sum));
    }

    #[inline]
    fn add_to_edge(self, edge: usize, visits: u64, sum: u64) {
        self.add_to(&self.edge(edge)[1], visits, sum);
    }

    #[inline]
    fn add_to(self, word: &AtomicU64, visits: u64, sum: u64) {
        let before = self.shape.add(word, visits << VALUE_BITS | sum);
        if Stats(before).visits() >= MOST_VISITS {
            // Both halves, as the sum over the visits would do: the mean stays.
            let now = word.load(Relaxed);
            let half = ((Stats(now).visits() / 2) << VALUE_BITS) | (Stats(now).sum() / 2);
            let _ = word.compare_exchange(now, half, Relaxed, Relaxed);
        }
    }

    /// The sum of the values of some visits, for the role that chooses here.
    pub(super) fn note_worth(self, visits: u32, sum: f32) {
        self.add_to(&self.words[self.shape.mean_at()], u64::from(visits), parts(sum));
    }

    /// The mean of those, if there was one.
    pub(super) fn mean(self) -> Option<f32> {
        let stats = Stats(self.words[self.shape.mean_at()].load(Relaxed));
        (stats.visits() > 0).then(|| stats.mean())
    }

    /// The values of some visits, for the roles that have no choice.
    pub(super) fn note_forced(self, visits: u64, sums: &[u64]) {
        for (role, &sum) in sums.iter().enumerate() {
            let edges = self.edges_of(role);
            if edges.len() == 1 && self.chooser() != Some(role) {
                self.add_to_edge(edges.start, visits, sum);
            }
        }
    }

    /// A value of a move that was played later in a subtree.
    pub(super) fn note_later(self, edge: usize, value: f32) {
        let word = &self.edge(edge)[2];
        if Stats(word.load(Relaxed)).visits() < MOST_VISITS {
            word.fetch_add(1 << VALUE_BITS | parts(value), Relaxed);
        }
    }

    fn bounds_words(self) -> &'a [AtomicU64] {
        &self.words[HEAD..HEAD + self.shape.bounds_words()]
    }

    #[inline]
    pub(super) fn bounds(self, role: usize) -> Bounds {
        let word = self.words[HEAD + role / Shape::ROLES_PER_WORD].load(Relaxed) >> (role % Shape::ROLES_PER_WORD * 16);
        Bounds { low: word as u8, high: (word >> 8) as u8 }
    }

    /// Whether the points of every role are certain.
    #[inline]
    pub(super) fn is_settled(self) -> bool {
        (0..self.shape.roles).all(|role| self.bounds(role).proven().is_some())
    }

    /// Whether nothing is certain but what all nodes have in common, packed.
    #[inline]
    pub(super) fn is_open(self, range: &[u64]) -> bool {
        self.bounds_words().iter().zip(range).all(|(word, &range)| word.load(Relaxed) == range)
    }

    /// Adds what is certain now; answers whether that is more than before.
    pub(super) fn narrow(self, bounds: &[Bounds]) -> bool {
        let mut changed = false;
        for (word, fresh) in self.bounds_words().iter().zip(bounds.chunks(Shape::ROLES_PER_WORD)) {
            let narrowed = word.fetch_update(AcqRel, Relaxed, |known| {
                let mut both = unpack(known);
                for (known, fresh) in both.iter_mut().zip(fresh) {
                    known.low = known.low.max(fresh.low);
                    known.high = known.high.min(fresh.high).max(known.low);
                }
                let both = pack(&both[..fresh.len()]);
                (both != known).then_some(both)
            });
            changed |= narrowed.is_ok();
        }
        changed
    }
}

/// A value from 0 to 1, as it is summed up.
#[inline]
pub(super) fn parts(value: f32) -> u64 {
    (value * FULL + 0.5) as u64
}

/// Bounds as nodes have them.
pub(super) fn packed(bounds: &[Bounds]) -> Vec<u64> {
    bounds.chunks(Shape::ROLES_PER_WORD).map(pack).collect()
}

fn pack(bounds: &[Bounds]) -> u64 {
    bounds.iter().rev().fold(0, |word, bounds| word << 16 | u64::from(bounds.high) << 8 | u64::from(bounds.low))
}

fn unpack(word: u64) -> [Bounds; Shape::ROLES_PER_WORD] {
    [0, 16, 32, 48].map(|shift| Bounds { low: (word >> shift) as u8, high: (word >> shift >> 8) as u8 })
}

//! Where all ways begin: nodes with so many visits that those of one batch hardly change what is chosen there.
//!
//! A thread makes its choice at such a node once a batch, and adds up visits and values by itself until the batch is done. So threads do not fight over the
//! words that all of them would change at every descent.

use super::arena::NodeId;
use super::node::Node;
use super::tree::Tree;

/// Visits of a node from which on it belongs here.
const BUSY: u64 = 1 << 13;

/// Visits of the edge chosen, likewise: others are still finding out.
const BEATEN: u64 = 1 << 10;

/// Places, a power of two; a node that finds its place taken is treated as any other.
const PLACES: usize = 256;

#[derive(Clone, Copy, Debug)]
struct Entry {
    node: NodeId,
    edge: usize,
    visits: u64,
    /// Of values, in the parts that statistics are made of.
    sum: u64,
}

/// What one thread has chosen in this batch.
#[derive(Debug, Default)]
pub(super) struct Porch {
    places: Vec<u16>,
    entries: Vec<Entry>,
}

impl Porch {
    /// Nothing is chosen yet.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.places.clear();
        self.places.resize(PLACES, u16::MAX);
    }

    fn place(id: NodeId) -> usize {
        (id.0.wrapping_mul(0x9e37_79b9) >> 24) as usize % PLACES
    }

    fn entry(&mut self, id: NodeId) -> Option<&mut Entry> {
        let entry = *self.places.get(Porch::place(id))?;
        self.entries.get_mut(usize::from(entry)).filter(|entry| entry.node == id)
    }

    /// Whether choices at a node with so many visits may be kept.
    #[inline]
    pub(super) fn is_for(visits: u64) -> bool {
        visits >= BUSY
    }

    /// The edge chosen at a node in this batch, for one visit more; none where there is no choice yet, or something has become certain since.
    #[inline]
    pub(super) fn follow(&mut self, id: NodeId, node: Node<'_>) -> Option<usize> {
        let entry = self.entry(id)?;
        if node.target(entry.edge).is_bounded() {
            return None;
        }
        entry.visits += 1;
        Some(entry.edge)
    }

    /// Keeps a choice, with its first visit, if it may be kept and its place is free.
    pub(super) fn keep(&mut self, id: NodeId, node: Node<'_>, edge: usize) -> bool {
        let target = node.target(edge);
        if node.stats(edge).visits() < BEATEN || target.is_bounded() || !target.child().is_node() {
            return false;
        }
        let place = Porch::place(id);
        if self.places.get(place) != Some(&u16::MAX) {
            return false;
        }
        self.places[place] = self.entries.len() as u16;
        self.entries.push(Entry { node: id, edge, visits: 1, sum: 0 });
        true
    }

    /// Takes a visit back.
    pub(super) fn cancel(&mut self, id: NodeId) {
        if let Some(entry) = self.entry(id) {
            entry.visits -= 1;
        }
    }

    /// Adds the value of a visit, from 0 to 1.
    #[inline]
    pub(super) fn end_visit(&mut self, id: NodeId, value: f32) {
        if let Some(entry) = self.entry(id) {
            entry.sum += super::node::parts(value);
        }
    }

    /// Tells the tree.
    pub(super) fn flush(&mut self, tree: &Tree) {
        for entry in self.entries.drain(..) {
            tree.node(entry.node).add_visits(entry.edge, entry.visits, entry.sum);
        }
    }
}

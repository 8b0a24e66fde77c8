//! The tree, or rather graph: nodes, and the ways to find them.

use super::arena::{Arena, NodeId, Nursery};
use super::node::{Fresh, Node, Shape, packed};
use super::table::{Joints, Table};
use crate::Bounds;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::sync::Mutex;

/// Joint moves that are looked through one by one; of nodes with more nothing is ever certain but by their end.
pub(super) const MOST_JOINTS: u64 = 1024;

/// Numbers of nodes have 31 bits.
const MOST_BYTES: usize = 32 << 30;

/// Words of a state that a node can hold.
const LONGEST_STATE: usize = 0xffff;

/// What threads share while they search.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) arena: Arena,
    pub(super) table: Table,
    pub(super) joints: Joints,
    pub(super) shape: Shape,
    /// What every role can have at the end.
    pub(super) range: Vec<Bounds>,
    /// The same as nodes have them.
    pub(super) open: Vec<u64>,
    /// Ends of matches, by the points of the roles: nodes without moves.
    pub(super) ends: Mutex<FxHashMap<Box<[u8]>, NodeId>>,
    /// Changes whenever nodes are moved or forgotten.
    pub(super) generation: u64,
    /// Free room at the end of the last chunk, after recycling.
    pub(super) spare: Mutex<Option<Nursery>>,
    /// Bytes that it may have.
    pub(super) most: usize,
}

impl Tree {
    pub(super) fn new(shape: Shape, range: Vec<Bounds>, most: usize) -> Tree {
        Tree {
            arena: Arena::new(most.min(MOST_BYTES)),
            most,
            table: Table::new(),
            joints: Joints::new(),
            shape,
            open: packed(&range),
            range,
            ends: Mutex::default(),
            generation: 0,
            spare: Mutex::new(None),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.arena.bytes() + self.table.bytes() + self.joints.bytes()
    }

    /// Whether the ways to find nodes need more room.
    pub(super) fn is_crowded(&self) -> bool {
        self.table.is_crowded() || self.joints.is_crowded()
    }

    /// Lets the ways to find nodes have more room, if that is within the limit.
    pub(super) fn grow_tables(&mut self, most: usize) {
        // The old one is there until the new one, of twice the size, is filled.
        if self.table.is_crowded() && self.bytes() + 2 * self.table.bytes() <= most {
            self.table.grow();
        }
        if self.joints.is_crowded() && self.bytes() + 2 * self.joints.bytes() <= most {
            self.joints.grow();
        }
    }

    /// Room for new nodes, if that is within the limit.
    pub(super) fn nursery(&self, most: usize) -> Option<Nursery> {
        let spare = self.spare.lock().expect("no thread panics while it holds it").take();
        spare.or_else(|| self.arena.nursery(most.saturating_sub(self.table.bytes() + self.joints.bytes())))
    }

    /// Gives room back that is not needed now.
    pub(super) fn keep_spare(&self, nursery: Option<Nursery>) {
        *self.spare.lock().expect("no thread panics while it holds it") = nursery;
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        let generation = self.generation + 1;
        *self = Tree { generation, ..Tree::new(self.shape, std::mem::take(&mut self.range), self.most) };
    }

    #[inline]
    pub(super) fn node(&self, id: NodeId) -> Node<'_> {
        Node::new(&self.arena, self.shape, id)
    }

    /// The node of a state.
    pub(super) fn find(&self, hash: u32, state: &[u64]) -> Option<NodeId> {
        self.table.find(hash, |id| self.node(id).has_state(state))
    }

    /// A new node, if there is room.
    pub(super) fn add(&self, nursery: &mut Option<Nursery>, fresh: &Fresh<'_>) -> Option<NodeId> {
        let edges = fresh.moves.iter().map(|moves| moves.len()).sum();
        if fresh.state.len() > LONGEST_STATE {
            return None;
        }
        let id = self.arena.allocate(nursery.as_mut()?, self.shape.words(edges, fresh.state.len()))?;
        self.node(id).write(fresh);
        Some(id)
    }

    /// The node for an end with these points, if there is one or room for one.
    pub(super) fn end(&self, nursery: &mut Option<Nursery>, points: &[u8]) -> Option<NodeId> {
        let mut ends = self.ends.lock().expect("no thread panics while it holds the list");
        if let Some(&id) = ends.get(points) {
            return Some(id);
        }
        let bounds: Vec<Bounds> = points.iter().map(|&points| Bounds::exact(points)).collect();
        let none: Vec<&[_]> = vec![&[]; points.len()];
        let id = self.add(nursery, &Fresh { hash: 0, moves: &none, state: &[], bounds: &bounds })?;
        ends.insert(points.into(), id);
        Some(id)
    }
}

/// The hash that states are found by.
pub(super) fn hash(state: &[u64]) -> u32 {
    let mut hasher = FxHasher::default();
    for &word in state {
        hasher.write_u64(word);
    }
    // The lower bits are mixed least.
    (hasher.finish().wrapping_mul(0xd6e8_feb8_6659_fd93) >> 32) as u32
}

//! Finding nodes: by their states, and by the joint moves that lead to them.

use super::arena::NodeId;
use ludens_machine::prefetch;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, AtomicUsize};

/// From hashes of states to nodes. Threads look up and insert without locks; it grows only while nobody else looks.
///
/// The upper bits of a hash tell the place, so that a table of twice the size has everything in the same order.
#[derive(Debug)]
pub(super) struct Table {
    /// A hash and a node each; 0 where there is none.
    slots: Vec<AtomicU64>,
    shift: u32,
    count: Apart<AtomicUsize>,
}

/// A value with cache lines of its own: what changes all the time is not beside what all threads read all the time.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

const SMALLEST: u32 = 12;

fn zeroes(count: usize) -> Vec<AtomicU64> {
    (0..count).map(|_| AtomicU64::new(0)).collect()
}

fn pairs(count: usize) -> Vec<(AtomicU64, AtomicU64)> {
    (0..count).map(|_| (AtomicU64::new(0), AtomicU64::new(0))).collect()
}

impl Table {
    pub(super) fn new() -> Table {
        Table { slots: zeroes(1 << SMALLEST), shift: 32 - SMALLEST, count: Apart::default() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * 8
    }

    /// Whether it should grow before more is inserted.
    pub(super) fn is_crowded(&self) -> bool {
        self.count.0.load(Relaxed) * 5 > self.slots.len() * 3
    }

    /// Lets what a search for a hash will read be fetched.
    pub(super) fn expect_soon(&self, hash: u32) {
        if let Some(slot) = self.slots.get((hash >> self.shift) as usize) {
            prefetch(slot);
        }
    }

    /// The node with this hash that the caller says it is.
    pub(super) fn find(&self, hash: u32, is_it: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let mask = self.slots.len() - 1;
        let first = (hash >> self.shift) as usize;
        for step in 0..self.slots.len() {
            let slot = self.slots[(first + step) & mask].load(Acquire);
            if slot == 0 {
                return None;
            }
            let id = NodeId(slot as u32);
            if (slot >> 32) as u32 == hash && is_it(id) {
                return Some(id);
            }
        }
        None
    }

    /// Adds a node; a table without room leaves it out.
    pub(super) fn insert(&self, hash: u32, id: NodeId) {
        let placed = self.place(hash, id);
        self.count_more(usize::from(placed));
    }

    /// Takes note of nodes that were placed.
    pub(super) fn count_more(&self, nodes: usize) {
        self.count.0.fetch_add(nodes, Relaxed);
    }

    /// Adds a node that is counted later, soon; answers whether there was room.
    pub(super) fn place(&self, hash: u32, id: NodeId) -> bool {
        let mask = self.slots.len() - 1;
        let first = (hash >> self.shift) as usize;
        let entry = u64::from(hash) << 32 | u64::from(id.0);
        // Never fills up: it grows long before, or stays as it is.
        if self.count.0.load(Relaxed) * 10 > self.slots.len() * 9 {
            return false;
        }
        (0..self.slots.len()).any(|step| {
            let slot = &self.slots[(first + step) & mask];
            slot.load(Relaxed) == 0 && slot.compare_exchange(0, entry, AcqRel, Relaxed).is_ok()
        })
    }

    pub(super) fn grow(&mut self) {
        if self.shift == 0 {
            return;
        }
        let old = std::mem::take(&mut self.slots);
        self.shift -= 1;
        self.slots = zeroes(old.len() * 2);
        *self.count.0.get_mut() = 0;
        for slot in old {
            let slot = slot.into_inner();
            if slot != 0 {
                self.insert((slot >> 32) as u32, NodeId(slot as u32));
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.slots.iter_mut().for_each(|slot| *slot.get_mut() = 0);
        *self.count.0.get_mut() = 0;
    }
}

/// From a node and a joint move to the next node, where several roles have a choice.
#[derive(Debug)]
pub(super) struct Joints {
    /// A node with the number of a joint move, and the node they lead to; 0 where there is none, or where it is being made.
    slots: Vec<(AtomicU64, AtomicU64)>,
    count: Apart<AtomicUsize>,
}

/// Stands for a node that was to be made, but could not be.
const GIVEN_UP: NodeId = NodeId(u32::MAX);

/// Bits of the number of a joint move.
const JOINT_BITS: u32 = 33;

/// A place for a key: the upper bits of the product, which all bits of the key have a part in.
fn scatter(key: u64) -> usize {
    let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (product >> 32 ^ product >> 58) as usize
}

impl Joints {
    pub(super) fn new() -> Joints {
        Joints { slots: pairs(1 << SMALLEST), count: Apart::default() }
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.len() * 16
    }

    pub(super) fn is_crowded(&self) -> bool {
        self.count.0.load(Relaxed) * 2 > self.slots.len()
    }

    fn key(node: NodeId, joint: u64) -> u64 {
        debug_assert!(joint >> JOINT_BITS == 0, "a joint move has a number");
        u64::from(node.0) << JOINT_BITS | joint
    }

    /// Whether joint moves out of so many can be told apart.
    pub(super) fn can_number(joints: u64) -> bool {
        joints >> JOINT_BITS == 0
    }

    fn slot(&self, key: u64) -> Option<(&AtomicU64, &AtomicU64)> {
        let mask = self.slots.len().checked_sub(1)?;
        let first = scatter(key);
        for step in 0..self.slots.len() {
            let (known, child) = &self.slots[(first + step) & mask];
            let found = known.load(Acquire);
            if found == key || found == 0 {
                return Some((known, child));
            }
        }
        None
    }

    /// The next node: none, one that is being made, or where it is, with whether something is certain about it.
    pub(super) fn find(&self, node: NodeId, joint: u64) -> (NodeId, bool) {
        let key = Joints::key(node, joint);
        match self.slot(key) {
            Some((known, child)) if known.load(Acquire) == key => {
                let child = child.load(Acquire);
                match NodeId(child as u32) {
                    NodeId::NONE => (NodeId::PENDING, false),
                    GIVEN_UP => (NodeId::NONE, false),
                    id => (id, child >> 32 != 0),
                }
            }
            _ => (NodeId::NONE, false),
        }
    }

    /// Whether another joint move can be taken.
    pub(super) fn has_room(&self) -> bool {
        self.count.0.load(Relaxed) * 10 <= self.slots.len() * 9
    }

    /// Takes a joint move that leads nowhere yet; false if somebody was faster, or there is no room.
    pub(super) fn claim(&self, node: NodeId, joint: u64) -> bool {
        if !self.has_room() {
            return false;
        }
        let key = Joints::key(node, joint);
        let mask = self.slots.len().wrapping_sub(1);
        let first = scatter(key);
        for step in 0..self.slots.len() {
            let (known, child) = &self.slots[(first + step) & mask];
            match known.compare_exchange(0, key, AcqRel, Acquire) {
                Ok(_) => {
                    self.count.0.fetch_add(1, Relaxed);
                    return true;
                }
                // Given up before: nobody could make the node.
                Err(found) if found == key => {
                    return child.compare_exchange(u64::from(GIVEN_UP.0), 0, AcqRel, Relaxed).is_ok();
                }
                Err(_) => {}
            }
        }
        false
    }

    /// Lets a joint move that was taken lead to a node.
    pub(super) fn link(&self, node: NodeId, joint: u64, child: NodeId, bounded: bool) {
        let child = if child == NodeId::NONE { u64::from(GIVEN_UP.0) } else { u64::from(child.0) };
        if let Some((_, slot)) = self.slot(Joints::key(node, joint)) {
            slot.store(child | u64::from(bounded) << 32, Release);
        }
    }

    pub(super) fn flag_bounded(&self, node: NodeId, joint: u64) {
        let key = Joints::key(node, joint);
        if let Some((known, child)) = self.slot(key)
            && known.load(Acquire) == key
        {
            child.fetch_or(1 << 32, Release);
        }
    }

    pub(super) fn grow(&mut self) {
        self.rebuild(self.slots.len() * 2, |node, child| Some((node, child)));
    }

    /// Makes the table anew, with nodes where `moved` says they are now, and no larger than it need be.
    pub(super) fn relocate(&mut self, moved: impl Fn(NodeId, NodeId) -> Option<(NodeId, NodeId)>) {
        let of = |slot: &(AtomicU64, AtomicU64)| (slot.0.load(Relaxed), slot.1.load(Relaxed));
        let stays = |slot: &&(AtomicU64, AtomicU64)| {
            let (key, child) = of(slot);
            let id = NodeId(child as u32);
            key != 0 && id.is_node() && id != GIVEN_UP && moved(NodeId((key >> JOINT_BITS) as u32), id).is_some()
        };
        let kept = self.slots.iter().filter(stays).count();
        self.rebuild((kept * 4).next_power_of_two().clamp(1 << SMALLEST, self.slots.len()), moved);
    }

    fn rebuild(&mut self, size: usize, moved: impl Fn(NodeId, NodeId) -> Option<(NodeId, NodeId)>) {
        let old = std::mem::take(&mut self.slots);
        self.slots = pairs(size);
        *self.count.0.get_mut() = 0;
        for (key, child) in old {
            let (key, child) = (key.into_inner(), child.into_inner());
            let id = NodeId(child as u32);
            if key == 0 || id == NodeId::NONE || id == GIVEN_UP {
                continue;
            }
            if let Some((node, id)) = moved(NodeId((key >> JOINT_BITS) as u32), id) {
                let joint = key & ((1 << JOINT_BITS) - 1);
                if self.claim(node, joint) {
                    self.link(node, joint, id, child >> 32 != 0);
                }
            }
        }
    }
}

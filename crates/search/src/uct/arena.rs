//! Memory for nodes: chunks of words that threads share without locks.

use super::table::Apart;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Nodes begin at multiples of so many words.
pub(super) const UNIT: usize = 4;

/// Units of one chunk: a mebibyte.
const CHUNK_UNITS: usize = 1 << 15;

/// Bytes of one chunk.
pub(super) const CHUNK_BYTES: usize = CHUNK_UNITS * UNIT * 8;

/// Words of one chunk: no node is larger.
pub(super) const CHUNK_WORDS: usize = CHUNK_UNITS * UNIT;

/// Where a node is: the number of its first unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    /// No node.
    pub(super) const NONE: NodeId = NodeId(0);
    /// A node that somebody is making.
    pub(super) const PENDING: NodeId = NodeId(1);
    /// The first that can be a node.
    const FIRST: u32 = 2;

    pub(super) fn is_node(self) -> bool {
        self.0 >= NodeId::FIRST
    }

    fn chunk(self) -> usize {
        self.0 as usize / CHUNK_UNITS
    }

    fn unit(self) -> usize {
        self.0 as usize % CHUNK_UNITS
    }
}

/// All chunks. Any thread may add one; they are taken away only while nobody else looks.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Box<[OnceLock<Box<[AtomicU64]>>]>,
    /// Units of each chunk that are in use.
    used: Box<[Apart<AtomicU32>]>,
    /// How many chunks there are.
    count: Apart<AtomicUsize>,
}

/// Where a thread puts new nodes: the free end of a chunk of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nursery {
    chunk: usize,
    at: usize,
}

impl Arena {
    /// Room for so many bytes, of which nothing is taken yet.
    pub(super) fn new(bytes: usize) -> Arena {
        let most = bytes / CHUNK_BYTES + 1;
        Arena {
            chunks: (0..most).map(|_| OnceLock::new()).collect(),
            used: (0..most).map(|_| Apart::default()).collect(),
            count: Apart::default(),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.count.0.load(Relaxed) * CHUNK_BYTES
    }

    /// Another chunk for a thread, if all of them are so many bytes at most.
    pub(super) fn nursery(&self, bytes: usize) -> Option<Nursery> {
        let most = self.chunks.len().min(bytes / CHUNK_BYTES);
        let one_more = |count: usize| (count < most).then_some(count + 1);
        let chunk = self.count.0.fetch_update(Relaxed, Relaxed, one_more).ok()?;
        let first = if chunk == 0 { NodeId::FIRST as usize } else { 0 };
        self.chunks[chunk].get_or_init(|| (0..CHUNK_WORDS).map(|_| AtomicU64::new(0)).collect());
        self.used[chunk].0.store(first as u32, Relaxed);
        Some(Nursery { chunk, at: first })
    }

    /// Room for a node, if there is some.
    pub(super) fn allocate(&self, nursery: &mut Nursery, words: usize) -> Option<NodeId> {
        let units = words.div_ceil(UNIT);
        if nursery.at + units > CHUNK_UNITS {
            return None;
        }
        let id = NodeId((nursery.chunk * CHUNK_UNITS + nursery.at) as u32);
        nursery.at += units;
        self.used[nursery.chunk].0.store(nursery.at as u32, Relaxed);
        Some(id)
    }

    /// The words from the beginning of a node on.
    #[inline]
    pub(super) fn words(&self, id: NodeId) -> &[AtomicU64] {
        self.chunks[id.chunk()].get().map_or(&[][..], |chunk| &chunk[id.unit() * UNIT..])
    }

    /// Every node, in the order of their places; `size` tells how many words one has.
    pub(super) fn each(&self, size: impl Fn(NodeId) -> usize, mut visit: impl FnMut(NodeId, usize)) {
        for (chunk, used) in self.used.iter().enumerate().take(self.count.0.load(Relaxed)) {
            let used = used.0.load(Relaxed) as usize;
            let mut at = if chunk == 0 { NodeId::FIRST as usize } else { 0 };
            while at < used {
                let id = NodeId((chunk * CHUNK_UNITS + at) as u32);
                let words = size(id);
                // The visitor may overwrite what was here.
                at += words.div_ceil(UNIT);
                visit(id, words);
            }
        }
    }

    /// Copies a node to a place that is not behind it.
    pub(super) fn slide(&self, from: NodeId, to: NodeId, words: usize) {
        debug_assert!(to <= from, "nodes move down");
        let (source, target) = (self.words(from), self.words(to));
        for (target, source) in target.iter().zip(source).take(words) {
            target.store(source.load(Relaxed), Relaxed);
        }
    }

    /// Only what lies before `end` is in use from now on; answers where the next node goes.
    pub(super) fn truncate(&mut self, end: &Packer) -> Nursery {
        for (chunk, used) in self.used.iter().enumerate() {
            used.0.store(end.filled.get(chunk).copied().unwrap_or(0), Relaxed);
        }
        self.chunks[end.chunk + 1..].iter_mut().for_each(|chunk| *chunk = OnceLock::new());
        self.count.0.store(end.chunk + 1, Relaxed);
        Nursery { chunk: end.chunk, at: end.at }
    }
}

/// Places for nodes one after the other, from the first chunk on.
#[derive(Debug)]
pub(super) struct Packer {
    chunk: usize,
    at: usize,
    /// Units used of every chunk so far.
    filled: Vec<u32>,
}

impl Packer {
    pub(super) fn new() -> Packer {
        Packer { chunk: 0, at: NodeId::FIRST as usize, filled: vec![NodeId::FIRST] }
    }

    pub(super) fn place(&mut self, words: usize) -> NodeId {
        let units = words.div_ceil(UNIT);
        if self.at + units > CHUNK_UNITS {
            self.chunk += 1;
            self.at = 0;
            self.filled.push(0);
        }
        let id = NodeId((self.chunk * CHUNK_UNITS + self.at) as u32);
        self.at += units;
        self.filled[self.chunk] = self.at as u32;
        id
    }
}

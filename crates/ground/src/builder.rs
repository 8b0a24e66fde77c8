//! Making gates, each once.

use crate::net::{Node, Signal};
use crate::terms::hash;
use hashbrown::HashTable;

/// Makes gates, each once.
#[derive(Debug)]
pub(crate) struct Builder {
    pub(crate) nodes: Vec<Node>,
    pub(crate) signals: Vec<Signal>,
    known: HashTable<u32>,
}

impl Builder {
    pub(crate) fn new() -> Builder {
        Builder { nodes: vec![Node::True], signals: Vec::new(), known: HashTable::new() }
    }

    /// With room for so many gates, if as many are expected.
    pub(crate) fn with_room(gates: usize) -> Builder {
        Builder { known: HashTable::with_capacity(gates), ..Builder::new() }
    }

    /// A node that is no gate.
    pub(crate) fn input(&mut self, node: Node) -> Signal {
        self.nodes.push(node);
        Signal((self.nodes.len() as u32 - 1) << 1)
    }

    /// All of these.
    pub(crate) fn and(&mut self, list: &mut Vec<Signal>) -> Signal {
        list.sort_unstable();
        list.dedup();
        if list.first() == Some(&Signal::TRUE) {
            list.remove(0);
        }
        // After sorting, a signal and its opposite are neighbours, and FALSE comes first.
        if list.first() == Some(&Signal::FALSE) || list.windows(2).any(|pair| pair[0].node() == pair[1].node()) {
            return Signal::FALSE;
        }
        match list[..] {
            [] => Signal::TRUE,
            [only] => only,
            _ => self.gate(list),
        }
    }

    /// Any of these.
    pub(crate) fn or(&mut self, list: &mut Vec<Signal>) -> Signal {
        for signal in list.iter_mut() {
            *signal = !*signal;
        }
        !self.and(list)
    }

    fn gate(&mut self, list: &[Signal]) -> Signal {
        let hash_of = |list: &[Signal]| {
            list.iter().fold(list.len() as u64, |known, signal| hash(signal.0, &[known as u32, (known >> 32) as u32]))
        };
        let key = hash_of(list);
        let same = |&node: &u32| self.list(node) == list;
        if let Some(&node) = self.known.find(key, same) {
            return Signal(node << 1);
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::And { start: self.signals.len() as u32, len: list.len() as u32 });
        self.signals.extend_from_slice(list);
        let (nodes, signals) = (&self.nodes, &self.signals);
        let rehash = |&node: &u32| match nodes[node as usize] {
            Node::And { start, len } => hash_of(&signals[start as usize..(start + len) as usize]),
            _ => 0,
        };
        self.known.insert_unique(key, node, rehash);
        Signal(node << 1)
    }

    pub(crate) fn list(&self, node: u32) -> &[Signal] {
        match self.nodes[node as usize] {
            Node::And { start, len } => &self.signals[start as usize..(start + len) as usize],
            _ => &[],
        }
    }
}

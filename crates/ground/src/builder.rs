//! Making gates, each once.

use crate::net::{Net, Node, Signal};
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

    /// With all that a network has, so that more can be added.
    pub(crate) fn of(net: &Net) -> Builder {
        let mut builder = Builder { nodes: net.nodes.clone(), signals: net.signals.clone(), known: HashTable::new() };
        for node in 0..builder.nodes.len() as u32 {
            if !builder.list(node).is_empty() {
                builder.remember(node);
            }
        }
        builder
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
        let same = |&node: &u32| self.list(node) == list;
        if let Some(&node) = self.known.find(hash_of(list), same) {
            return Signal(node << 1);
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::And { start: self.signals.len() as u32, len: list.len() as u32 });
        self.signals.extend_from_slice(list);
        self.remember(node);
        Signal(node << 1)
    }

    /// From now on a gate is found by its list.
    fn remember(&mut self, node: u32) {
        let (nodes, signals) = (&self.nodes, &self.signals);
        let key = |&node: &u32| match nodes[node as usize] {
            Node::And { start, len } => hash_of(&signals[start as usize..(start + len) as usize]),
            _ => 0,
        };
        self.known.insert_unique(key(&node), node, key);
    }

    pub(crate) fn list(&self, node: u32) -> &[Signal] {
        match self.nodes[node as usize] {
            Node::And { start, len } => &self.signals[start as usize..(start + len) as usize],
            _ => &[],
        }
    }
}

fn hash_of(list: &[Signal]) -> u64 {
    list.iter().fold(list.len() as u64, |known, signal| hash(signal.0, &[known as u32, (known >> 32) as u32]))
}

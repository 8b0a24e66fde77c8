//! What follows from some inputs of a network while others are open, kept up to date by counting.

use crate::net::{Net, Node, NodeId, Signal};

/// Of what a signal needs, so much is remembered.
const NEEDS: usize = 64;

/// What is known of a node: that it may be true, that it must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) may: bool,
    pub(crate) must: bool,
}

impl Known {
    pub(crate) const OPEN: Known = Known { may: true, must: false };
    pub(crate) const ALWAYS: Known = Known { may: true, must: true };
    pub(crate) const NEVER: Known = Known { may: false, must: false };

    fn turned(self, turn: bool) -> Known {
        if turn { Known { may: !self.must, must: !self.may } } else { self }
    }
}

/// There were too many signals to read.
pub(crate) struct Exhausted;

/// What is known of every node of a network without loops.
pub(crate) struct Counting {
    known: Vec<Known>,
    /// Per gate: inputs that cannot be true, and inputs that need not be.
    never: Vec<u32>,
    open: Vec<u32>,
    /// Where the readers of each node begin, one more than there are nodes; a reader is the gate times two, plus one if it reads the opposite.
    starts: Vec<u32>,
    readers: Vec<u32>,
    /// Nodes by fluent and by move.
    pub(crate) fluents: Vec<u32>,
    pub(crate) does: Vec<u32>,
    /// How many signals may still be read.
    left: u64,
    waiting: Vec<u32>,
}

impl Counting {
    /// All inputs open; nothing for a network with loops.
    pub(crate) fn new(net: &Net, reads: u64) -> Option<Counting> {
        let nodes = net.nodes.len();
        let (mut fluents, mut does) = (vec![0; net.fluents.len()], vec![0; net.moves.len()]);
        let mut starts = vec![0_u32; nodes + 1];
        for (node, kind) in net.nodes.iter().enumerate() {
            match kind {
                Node::Fluent(fluent) => fluents[*fluent as usize] = node as u32,
                Node::Does(number) => does[*number as usize] = node as u32,
                Node::Latch(_) => return None,
                Node::True => {}
                Node::And { .. } => {
                    net.inputs(NodeId(node as u32)).iter().for_each(|signal| starts[signal.node().0 as usize + 1] += 1);
                }
            }
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut fill = starts.clone();
        let mut readers = vec![0; starts[nodes] as usize];
        let mut counting = Counting {
            known: vec![Known::OPEN; nodes],
            never: vec![0; nodes],
            open: vec![0; nodes],
            starts,
            readers: Vec::new(),
            fluents,
            does,
            left: reads,
            waiting: Vec::new(),
        };
        counting.known[0] = Known::ALWAYS;
        for node in 0..nodes as u32 {
            let list = net.inputs(NodeId(node));
            for &signal in list {
                let (read, known) = (signal.node().0 as usize, counting.of(signal));
                readers[fill[read] as usize] = node << 1 | u32::from(signal.is_not());
                fill[read] += 1;
                counting.never[node as usize] += u32::from(!known.may);
                counting.open[node as usize] += u32::from(!known.must);
            }
            if !list.is_empty() {
                counting.known[node as usize] = counting.conjunction(node);
            }
        }
        counting.readers = readers;
        Some(counting)
    }

    fn conjunction(&self, node: u32) -> Known {
        Known { may: self.never[node as usize] == 0, must: self.open[node as usize] == 0 }
    }

    /// What is known of a node.
    pub(crate) fn node(&self, node: u32) -> Known {
        self.known[node as usize]
    }

    /// What is known of a signal.
    pub(crate) fn of(&self, signal: Signal) -> Known {
        self.known[signal.node().0 as usize].turned(signal.is_not())
    }

    /// Counts signals read.
    pub(crate) fn spend(&mut self, reads: usize) -> Result<(), Exhausted> {
        self.left = self.left.checked_sub(reads as u64 + 1).ok_or(Exhausted)?;
        Ok(())
    }

    /// Gives an input a value, and all that follows from it.
    pub(crate) fn set(&mut self, input: u32, value: Known) -> Result<(), Exhausted> {
        self.change(input, value)?;
        while let Some(node) = self.waiting.pop() {
            self.change(node, self.conjunction(node))?;
        }
        Ok(())
    }

    fn change(&mut self, node: u32, value: Known) -> Result<(), Exhausted> {
        let before = std::mem::replace(&mut self.known[node as usize], value);
        if before == value {
            return Ok(());
        }
        let range = self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize;
        self.spend(range.len())?;
        for at in range {
            let (reader, turn) = (self.readers[at] >> 1, self.readers[at] & 1 == 1);
            let (old, new) = (before.turned(turn), value.turned(turn));
            let count = |count: &mut u32, old: bool, new: bool| {
                if old != new {
                    *count = if new { *count - 1 } else { *count + 1 };
                }
            };
            count(&mut self.never[reader as usize], old.may, new.may);
            count(&mut self.open[reader as usize], old.must, new.must);
            if self.conjunction(reader) != self.known[reader as usize] {
                self.waiting.push(reader);
            }
        }
        Ok(())
    }
}

/// Fluents that must hold where a signal is true, as far as they are followed.
pub(crate) struct Needs {
    /// Per node: where it is true, and where it is false.
    sets: Vec<[Vec<u32>; 2]>,
}

impl Needs {
    pub(crate) fn new(net: &Net) -> Needs {
        let mut needs = Needs { sets: Vec::with_capacity(net.nodes.len()) };
        for (node, kind) in net.nodes.iter().enumerate() {
            let sets = match kind {
                Node::Fluent(fluent) => [vec![*fluent], Vec::new()],
                Node::And { .. } => {
                    let list = net.inputs(NodeId(node as u32));
                    let mut all: Vec<u32> = list.iter().flat_map(|&signal| needs.of(signal)).collect();
                    all.sort_unstable();
                    all.dedup();
                    all.truncate(NEEDS);
                    let mut shared = list.first().map_or_else(Vec::new, |&first| needs.of(!first));
                    for &signal in list.iter().skip(1) {
                        if shared.is_empty() {
                            break;
                        }
                        let other = needs.of(!signal);
                        shared.retain(|fluent| other.contains(fluent));
                    }
                    [all, shared]
                }
                _ => Default::default(),
            };
            needs.sets.push(sets);
        }
        needs
    }

    pub(crate) fn of(&self, signal: Signal) -> Vec<u32> {
        self.sets[signal.node().0 as usize][usize::from(signal.is_not())].clone()
    }
}

//! Gates as operations of three inputs.

use super::lut::{Builder, Lit};
use ludens_ground::{Net, Node, NodeId, Signal};

/// Translates the gates of a network, each when it is first asked for.
pub(super) struct Mapper<'a> {
    net: &'a Net,
    /// What has become of each node.
    made: Vec<Option<Lit>>,
    /// How often each node is read, by gates and from outside.
    reads: Vec<u32>,
    open: Vec<NodeId>,
}

impl<'a> Mapper<'a> {
    /// Fluent number `i` is input `i`. None where the network has loops.
    pub(super) fn new(net: &'a Net, builder: &Builder) -> Option<Mapper<'a>> {
        if !net.loops.is_empty() {
            return None;
        }
        let mut reads = vec![0; net.nodes.len()];
        for signal in net.outputs().chain((0..net.nodes.len()).flat_map(|node| net.inputs(NodeId(node as u32)).iter().copied())) {
            reads[signal.node().0 as usize] += 1;
        }
        let input = |node: &Node| match node {
            Node::True => Some(Lit::TRUE),
            Node::Fluent(fluent) => Some(builder.input(*fluent)),
            Node::Does(_) | Node::Latch(_) | Node::And { .. } => None,
        };
        let made = net.nodes.iter().map(input).collect();
        Some(Mapper { net, made, reads, open: Vec::new() })
    }

    /// Tells which moves are played. What does not ask for moves may have been translated before.
    pub(super) fn play(&mut self, does: &[Lit]) {
        for (node, made) in self.net.nodes.iter().zip(&mut self.made) {
            if let Node::Does(number) = node {
                *made = Some(does[*number as usize]);
            }
        }
    }

    pub(super) fn lit(&mut self, signal: Signal, builder: &mut Builder) -> Lit {
        if self.made[signal.node().0 as usize].is_none() {
            self.open.push(signal.node());
            while let Some(&node) = self.open.last() {
                if self.made[node.0 as usize].is_some() || self.gate(node, builder) {
                    self.open.pop();
                }
            }
        }
        self.known(signal).expect("the gate has just been made")
    }

    fn known(&self, signal: Signal) -> Option<Lit> {
        self.made[signal.node().0 as usize].map(|lit| lit.inverted(signal.is_not()))
    }

    /// The gate's inputs are part of one operation with the gate that reads it: an even number of them leaves two for that.
    fn joins(&self, signal: Signal) -> bool {
        let len = self.net.inputs(signal.node()).len();
        signal.is_not() && self.reads[signal.node().0 as usize] == 1 && len > 0 && len.is_multiple_of(2)
    }

    /// Makes a gate if all that it reads is there; else notes what is missing.
    fn gate(&mut self, node: NodeId, builder: &mut Builder) -> bool {
        let net = self.net;
        let before = self.open.len();
        let (mut lits, mut pairs) = (Vec::new(), Vec::new());
        for &signal in net.inputs(node) {
            if self.joins(signal) {
                let inner = net.inputs(signal.node());
                let known: Vec<Lit> = inner.iter().filter_map(|&signal| self.want(signal)).collect();
                pairs.push(known);
            } else {
                lits.extend(self.want(signal));
            }
        }
        if self.open.len() > before {
            return false;
        }
        let pairs: Vec<(Lit, Lit)> = pairs
            .into_iter()
            .map(|mut inner| {
                let last = inner.pop().unwrap_or(Lit::TRUE);
                (builder.all(inner, &[]), last)
            })
            .collect();
        self.made[node.0 as usize] = Some(builder.all(lits, &pairs));
        true
    }

    /// The signal if it is there; else it is noted.
    fn want(&mut self, signal: Signal) -> Option<Lit> {
        let known = self.known(signal);
        if known.is_none() {
            self.open.push(signal.node());
        }
        known
    }
}

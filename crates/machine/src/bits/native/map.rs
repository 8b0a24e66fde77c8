//! Gates as operations of three inputs.

use super::lut::{Builder, Lit, Loop, OR_BOTH};
use crate::bits::layout::{OUTSIDE, regions};
use ludens_ground::{Net, Node, NodeId, Signal};

/// Translates the gates of a network, each when it is first asked for.
pub(super) struct Mapper<'a> {
    net: &'a Net,
    /// What has become of each node.
    made: Vec<Option<Lit>>,
    /// How often each node is read, by gates and from outside.
    reads: Vec<u32>,
    open: Vec<NodeId>,
    /// Per node: the loop in which it is made again and again.
    region: Vec<u32>,
    /// Per loop: the input that is its first latch.
    latches: Vec<u32>,
    /// The input after the last latch: it is always true, which nobody makes use of.
    ones: Lit,
}

impl<'a> Mapper<'a> {
    /// Fluent number `i` is input `i`, and latches are the inputs from `first_latch` on, loop after loop; then comes one that is always true.
    pub(super) fn new(net: &'a Net, builder: &Builder, first_latch: u32) -> Mapper<'a> {
        let mut reads = vec![0; net.nodes.len()];
        let gates = (0..net.nodes.len()).flat_map(|node| net.inputs(NodeId(node as u32)).iter().copied());
        let latches = net.loops.iter().flat_map(|known| known.latches.iter().map(|(_, value)| *value));
        for signal in net.outputs().chain(gates).chain(latches) {
            reads[signal.node().0 as usize] += 1;
        }
        let input = |node: &Node| match node {
            Node::True => Some(Lit::TRUE),
            Node::Fluent(fluent) => Some(builder.input(*fluent)),
            Node::Does(_) | Node::Latch(_) | Node::And { .. } => None,
        };
        let made = net.nodes.iter().map(input).collect();
        let mut next = first_latch;
        let mut latches = Vec::with_capacity(net.loops.len());
        for known in &net.loops {
            latches.push(next);
            next += known.latches.len() as u32;
        }
        Mapper { net, made, reads, open: Vec::new(), region: regions(net), latches, ones: builder.input(next) }
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
                if self.made[node.0 as usize].is_some() || self.make(node, builder) {
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

    /// Makes a gate, or the loop it is part of.
    fn make(&mut self, node: NodeId, builder: &mut Builder) -> bool {
        match self.region[node.0 as usize] {
            OUTSIDE => self.gate(node, builder),
            region => self.loop_of(region, builder),
        }
    }

    /// Makes a loop if all that it reads from outside is there; else notes what is missing.
    fn loop_of(&mut self, index: u32, builder: &mut Builder) -> bool {
        let net = self.net;
        let body = &net.loops[index as usize];
        let before = self.open.len();
        let inside: Vec<NodeId> =
            (body.start..body.end).filter(|&node| self.region[node as usize] == index).map(NodeId).collect();
        let reads = inside.iter().flat_map(|&node| net.inputs(node).iter().copied());
        for signal in reads.chain(body.latches.iter().map(|(_, value)| *value)) {
            if self.region[signal.node().0 as usize] != index {
                self.want(signal);
            }
        }
        if self.open.len() > before {
            return false;
        }
        let first = self.latches[index as usize];
        let mut made = Loop { start: builder.code.ops.len() as u32, ..Loop::default() };
        // A latch takes its value over as soon as that is known.
        let mut waiting: Vec<(u32, u32, NodeId, Signal)> = Vec::new();
        for (input, &(latch, value)) in (first..).zip(&body.latches) {
            self.made[latch.0 as usize] = Some(builder.input(input));
            waiting.push((value.node().0, input, latch, value));
        }
        waiting.sort_unstable();
        let mut waiting = waiting.into_iter().peekable();
        // A latch may also wait for a gate of the body that reads no latch.
        for node in (body.start..body.end).map(NodeId) {
            if self.region[node.0 as usize] == index && matches!(net.nodes[node.0 as usize], Node::And { .. }) {
                let complete = self.gate(node, builder);
                debug_assert!(complete, "what a loop reads is there");
            }
            while let Some((_, input, latch, value)) = waiting.next_if(|(value, ..)| *value <= node.0) {
                let value = self.known(value).expect("the value has just been made");
                let old = self.made[latch.0 as usize].expect("latches are inputs");
                made.fresh = builder.lut(OR_BOTH, [made.fresh, value, !old]);
                let new = builder.or(old, value);
                let new = if new == old { old } else { self.plain(new, builder) };
                made.latches.push((builder.input(input).value(), new));
                self.made[latch.0 as usize] = Some(new);
            }
        }
        if made.fresh != Lit::FALSE {
            made.fresh = self.plain(made.fresh, builder);
        }
        made.end = builder.code.ops.len() as u32;
        builder.code.loops.push(made);
        true
    }

    /// The same as the result of an operation, or as an input.
    fn plain(&self, lit: Lit, builder: &mut Builder) -> Lit {
        if lit.value() > builder.code.inputs && !lit.is_not() {
            return lit;
        }
        builder.and(lit, self.ones)
    }

    /// Makes a gate if all that it reads is there; else notes what is missing.
    fn gate(&mut self, node: NodeId, builder: &mut Builder) -> bool {
        let net = self.net;
        let before = self.open.len();
        let (mut lits, mut pairs) = (Vec::new(), Vec::new());
        let region = self.region[node.0 as usize];
        for &signal in net.inputs(node) {
            // What a loop reads from outside was made before it, and perhaps not what that reads.
            if self.joins(signal) && (region == OUTSIDE || self.region[signal.node().0 as usize] == region) {
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

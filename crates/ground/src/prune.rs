//! Gates that nobody reads go; conjunctions that one conjunction reads become part of it.

use crate::builder::Builder;
use crate::net::{Loop, Net, Node, NodeId, Signal};

/// No loop.
const OUTSIDE: u32 = u32::MAX;

/// The same network without dead gates, nested conjunctions merged.
pub(crate) fn prune(net: &Net) -> Net {
    let uses = uses(net);
    let mut region = vec![OUTSIDE; net.nodes.len()];
    for (index, body) in net.loops.iter().enumerate() {
        region[body.start as usize..body.end as usize].fill(index as u32);
    }
    // Read once, as it is, by a gate of the same loop: merged there.
    let mut merged = vec![false; net.nodes.len()];
    for (node, kind) in net.nodes.iter().enumerate() {
        if !matches!(kind, Node::And { .. }) || uses[node] == 0 {
            continue;
        }
        for signal in net.inputs(NodeId(node as u32)) {
            let read = signal.node().0 as usize;
            let gate = matches!(net.nodes[read], Node::And { .. });
            merged[read] |= gate && !signal.is_not() && uses[read] == 1 && region[read] == region[node];
        }
    }
    let mut builder = Builder::with_room(net.size().0);
    let mut new = vec![Signal::FALSE; net.nodes.len()];
    // Where each old node would stand: bounds of loops.
    let mut places = Vec::with_capacity(net.nodes.len() + 1);
    let mut list = Vec::new();
    let mut open = Vec::new();
    for (node, kind) in net.nodes.iter().enumerate() {
        places.push(builder.nodes.len() as u32);
        new[node] = match kind {
            Node::True => Signal::TRUE,
            Node::Fluent(_) | Node::Does(_) => builder.input(*kind),
            _ if uses[node] == 0 || merged[node] => continue,
            Node::Latch(_) => builder.input(*kind),
            Node::And { .. } => {
                list.clear();
                open.push(NodeId(node as u32));
                while let Some(gate) = open.pop() {
                    for &signal in net.inputs(gate) {
                        if merged[signal.node().0 as usize] && !signal.is_not() {
                            open.push(signal.node());
                        } else {
                            list.push(mapped(signal, &new));
                        }
                    }
                }
                // Merged lists may share signals, or contradict each other.
                builder.and(&mut list)
            }
        };
    }
    places.push(builder.nodes.len() as u32);
    let mut loops = Vec::new();
    for body in &net.loops {
        let alive = body.latches.iter().filter(|(latch, _)| uses[latch.0 as usize] > 0);
        let latches: Vec<(NodeId, Signal)> =
            alive.map(|&(latch, signal)| (new[latch.0 as usize].node(), mapped(signal, &new))).collect();
        if !latches.is_empty() {
            let (start, end) = (places[body.start as usize], places[body.end as usize]);
            loops.push(Loop { start, end, latches });
        }
    }
    let made = net.with(builder, loops, |signal| mapped(signal, &new));
    debug_assert_eq!(made.check(), Ok(()), "after pruning");
    made
}

impl Loop {
    /// The same loop where nodes have moved: `places` says where each would stand, `new` what it is.
    pub(crate) fn moved(&self, places: &[u32], new: &[Signal]) -> Loop {
        let latch = |&(latch, signal): &(NodeId, Signal)| (new[latch.0 as usize].node(), mapped(signal, new));
        let (start, end) = (places[self.start as usize], places[self.end as usize]);
        Loop { start, end, latches: self.latches.iter().map(latch).collect() }
    }
}

/// What a signal has become.
pub(crate) fn mapped(signal: Signal, new: &[Signal]) -> Signal {
    let node = new[signal.node().0 as usize];
    if signal.is_not() { !node } else { node }
}

/// How often each node is read by gates that matter, by latches that matter, or from outside.
fn uses(net: &Net) -> Vec<u32> {
    let mut definition = vec![None; net.nodes.len()];
    for (latch, signal) in net.loops.iter().flat_map(|body| &body.latches) {
        definition[latch.0 as usize] = Some(*signal);
    }
    let mut uses = vec![0_u32; net.nodes.len()];
    // What is read from outside, or by a latch, must stay: it counts twice.
    let mut open: Vec<u32> = Vec::new();
    let mut read = |signal: Signal, times: u32, open: &mut Vec<u32>| {
        let node = signal.node().0;
        if uses[node as usize] == 0 {
            open.push(node);
        }
        uses[node as usize] = uses[node as usize].saturating_add(times);
    };
    net.outputs().for_each(|signal| read(signal, 2, &mut open));
    while let Some(node) = open.pop() {
        net.inputs(NodeId(node)).iter().for_each(|&signal| read(signal, 1, &mut open));
        if let Some(signal) = definition[node as usize] {
            read(signal, 2, &mut open);
        }
    }
    uses
}

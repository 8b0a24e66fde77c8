//! Long lists that have much in common share it.
//!
//! A list is cut after signals that a hash picks, so that lists which differ in a few signals are cut into the same pieces but for a few. A
//! piece that occurs more than once becomes a gate of its own.

use crate::builder::Builder;
use crate::net::{Net, Node, NodeId, Signal};
use crate::prune::{mapped, prune};
use crate::terms::hash;
use rustc_hash::FxHashMap;

/// Shorter lists stay whole.
const LONG: usize = 8;

/// One signal in so many ends a piece.
const PIECE: u64 = 6;

/// Passes: pieces have pieces in common, too.
const ROUNDS: usize = 3;

/// A pass is kept if it leaves at most this share of the signals and gates.
const BETTER: f64 = 0.97;

/// The same network with shared pieces, if that makes it smaller.
pub(crate) fn share(net: Net) -> Net {
    let mut net = net;
    for _ in 0..ROUNDS {
        let made = prune(&cut(&net));
        let weight = |net: &Net| (net.size().0 + net.size().1) as f64;
        if weight(&made) > BETTER * weight(&net) {
            break;
        }
        net = made;
    }
    net
}

/// Where the pieces of a list end.
fn pieces(list: &[Signal]) -> impl Iterator<Item = &[Signal]> {
    list.split_inclusive(|signal| (hash(signal.0, &[]) >> 32).is_multiple_of(PIECE))
}

fn cut(net: &Net) -> Net {
    let mut inside = vec![false; net.nodes.len()];
    net.loops.iter().for_each(|body| inside[body.start as usize..body.end as usize].fill(true));
    let lists = (0..net.nodes.len()).filter(|&node| !inside[node]).map(|node| net.inputs(NodeId(node as u32)));
    let mut seen: FxHashMap<&[Signal], u32> = FxHashMap::default();
    for list in lists.filter(|list| list.len() >= LONG) {
        pieces(list).filter(|piece| piece.len() > 1).for_each(|piece| *seen.entry(piece).or_default() += 1);
    }
    let mut builder = Builder::with_room(net.size().0);
    let mut new: Vec<Signal> = Vec::with_capacity(net.nodes.len());
    let (mut list, mut part) = (Vec::new(), Vec::new());
    let mut places = Vec::with_capacity(net.nodes.len() + 1);
    for (node, kind) in net.nodes.iter().enumerate() {
        places.push(builder.nodes.len() as u32);
        let Node::And { .. } = kind else {
            new.push(if *kind == Node::True { Signal::TRUE } else { builder.input(*kind) });
            continue;
        };
        let inputs = net.inputs(NodeId(node as u32));
        list.clear();
        if inputs.len() < LONG || inside[node] {
            list.extend(inputs.iter().map(|&signal| mapped(signal, &new)));
        } else {
            for piece in pieces(inputs) {
                part.clear();
                part.extend(piece.iter().map(|&signal| mapped(signal, &new)));
                if seen.get(piece).is_some_and(|&count| count > 1) {
                    list.push(builder.and(&mut part));
                } else {
                    list.append(&mut part);
                }
            }
        }
        new.push(builder.and(&mut list));
    }
    places.push(builder.nodes.len() as u32);
    let loops = net.loops.iter().map(|body| body.moved(&places, &new)).collect();
    net.with(builder, loops, |signal| mapped(signal, &new))
}

//! What the outputs of a network depend on: fluents, moves that are played, and atoms of circles.

use ludens_ground::{Net, Node, NodeId, Signal};
use std::collections::BTreeMap;

/// Words of memory for the answer, and steps to find it; networks that need more are too large.
const MOST_WORDS: usize = 1 << 22;
const MOST_STEPS: usize = 1 << 26;

/// Words of inputs that are looked at together.
const TOGETHER: usize = 8;

/// On which inputs every output depends.
pub(super) struct Support<'n> {
    pub(super) net: &'n Net,
    /// Fluents, moves, and atoms of circles, in this order.
    pub(super) inputs: usize,
    /// Per atom of a circle: what it becomes.
    pub(super) becomes: Vec<Signal>,
    words: usize,
    /// Where the sets of a node are that is an output.
    places: BTreeMap<NodeId, usize>,
    /// Per output two sets: inputs that it wants true, and inputs that it wants false.
    sets: Vec<u64>,
}

impl<'n> Support<'n> {
    /// That of a network; `None` where it is too large.
    pub(super) fn of(net: &'n Net) -> Option<Support<'n>> {
        let first_latch = net.fluents.len() + net.moves.len();
        let mut latches: BTreeMap<NodeId, usize> = BTreeMap::new();
        let mut becomes = Vec::new();
        for &(node, signal) in net.loops.iter().flat_map(|body| &body.latches) {
            latches.insert(node, first_latch + becomes.len());
            becomes.push(signal);
        }
        let inputs = first_latch + becomes.len();
        let words = inputs.div_ceil(64);
        let mut places: BTreeMap<NodeId, usize> = BTreeMap::new();
        for signal in net.outputs().chain(becomes.iter().copied()) {
            let next = places.len();
            places.entry(signal.node()).or_insert(next);
        }
        let steps = (net.nodes.len() + net.signals.len()) * words.next_multiple_of(TOGETHER);
        if places.len() * words * 2 > MOST_WORDS || steps > MOST_STEPS {
            return None;
        }
        let input = |number: usize| match net.nodes[number] {
            Node::True | Node::And { .. } => None,
            Node::Fluent(fluent) => Some(fluent as usize),
            Node::Does(played) => Some(net.fluents.len() + played as usize),
            Node::Latch(_) => latches.get(&NodeId(number as u32)).copied(),
        };
        let mut sets = vec![0_u64; places.len() * words * 2];
        for first in (0..words).step_by(TOGETHER) {
            let found = spread(net, first, &input);
            let count = TOGETHER.min(words - first);
            for (node, place) in &places {
                let [wanted, unwanted] = &found[node.0 as usize];
                let own = &mut sets[place * words * 2..][..words * 2];
                own[first..first + count].copy_from_slice(&wanted[..count]);
                own[words + first..words + first + count].copy_from_slice(&unwanted[..count]);
            }
        }
        Some(Support { net, inputs, becomes, words, places, sets })
    }

    /// Tells every input that a signal depends on, and how: 1 where it must be true, 2 where it must be false, 3 for both.
    pub(super) fn each(&self, signal: Signal, mut tell: impl FnMut(u32, u32)) {
        let Some(place) = self.places.get(&signal.node()) else { return };
        let own = &self.sets[place * self.words * 2..][..self.words * 2];
        let (wanted, unwanted) = own.split_at(self.words);
        let (wanted, unwanted) = if signal.is_not() { (unwanted, wanted) } else { (wanted, unwanted) };
        for (at, (&wanted, &unwanted)) in wanted.iter().zip(unwanted).enumerate() {
            let mut rest = wanted | unwanted;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                let label = (wanted >> bit & 1) as u32 + 2 * (unwanted >> bit & 1) as u32;
                tell(at as u32 * 64 + bit, label);
                rest &= rest - 1;
            }
        }
    }
}

/// Per node two sets, of some of the inputs: those that it wants true, and those that it wants false.
fn spread(net: &Net, first: usize, input: &dyn Fn(usize) -> Option<usize>) -> Vec<[[u64; TOGETHER]; 2]> {
    let mut found: Vec<[[u64; TOGETHER]; 2]> = Vec::with_capacity(net.nodes.len());
    for number in 0..net.nodes.len() {
        let mut own = [[0_u64; TOGETHER]; 2];
        let inside = input(number)
            .and_then(|input| Some((input / 64).checked_sub(first)?).filter(|at| *at < TOGETHER).map(|at| (at, input % 64)));
        if let Some((at, bit)) = inside {
            own[0][at] |= 1 << bit;
        }
        for signal in net.inputs(NodeId(number as u32)) {
            let [wanted, unwanted] = &found[signal.node().0 as usize];
            let pair = if signal.is_not() { [unwanted, wanted] } else { [wanted, unwanted] };
            for (own, other) in own.iter_mut().zip(pair) {
                own.iter_mut().zip(other).for_each(|(own, other)| *own |= other);
            }
        }
        found.push(own);
    }
    found
}

//! Turn phases: what is known of a state by the number of moves played so far alone, and the network for each phase.
//!
//! In most games with two players it is white's turn after an even number of moves. With a period of two, the start and everything that can
//! come after two, four, ... moves is one phase, the rest the other; in each of them some fluents always hold or never do, and the network
//! without them is smaller.

use crate::builder::Builder;
use crate::net::{Loop, Net, Node, NodeId, Signal};
use crate::prune::{mapped, prune};

/// Periods that are tried. One is kept if its networks read so much less than those of the periods before it: more networks take more room.
const PERIODS: [usize; 6] = [1, 2, 3, 4, 6, 8];
const BETTER: f64 = 1.03;

/// Networks beyond so many gates get no more than two phases: each has its own copy.
const LARGE: usize = 100_000;

/// A phase.
#[derive(Clone, Debug)]
pub struct Phase {
    /// Fluents that hold in all states of the phase, or in none.
    pub known: Vec<Option<bool>>,
    /// The network as it is in these states, with the same fluents and moves.
    pub net: Net,
}

/// How many signals [`phases`] reads before it stops to look for more.
const READS: u64 = 500_000_000;

/// The phases that a match goes through, in order, again and again. The start is in the first.
pub fn phases(net: &Net) -> Vec<Phase> {
    phases_within(net, READS)
}

/// [`phases`], found by reading no more than so many signals. Where that is too little there is one phase, of which nothing is known.
pub fn phases_within(net: &Net, reads: u64) -> Vec<Phase> {
    let wiring = Wiring::new(net);
    let large = net.size().0 > LARGE;
    let mut left = reads;
    let mut best = (f64::INFINITY, vec![vec![None; net.fluents.len()]]);
    for period in PERIODS.into_iter().filter(|&period| !large || period <= 2) {
        let Some((known, work)) = known(&wiring, period, &mut left) else { break };
        let work = work as f64 / period as f64;
        if period == 1 || work * BETTER < best.0 {
            best = (work, known);
        }
    }
    best.1.into_iter().map(|known| Phase { net: specialised(net, &known), known }).collect()
}

/// Who reads whom, and where the inputs are.
pub(crate) struct Wiring<'a> {
    pub(crate) net: &'a Net,
    /// Where the readers of each node begin in `readers`; one more than there are nodes. A latch reads what it becomes where that lies
    /// before its loop.
    starts: Vec<u32>,
    readers: Vec<u32>,
    /// The loop of each node, or [`OUTSIDE`].
    region: Vec<u32>,
    /// Nodes by fluent and by move.
    pub(crate) fluents: Vec<u32>,
    pub(crate) does: Vec<u32>,
}

/// No loop, or no node.
pub(crate) const OUTSIDE: u32 = u32::MAX;

impl Wiring<'_> {
    pub(crate) fn new(net: &Net) -> Wiring<'_> {
        let (mut fluents, mut does) = (vec![OUTSIDE; net.fluents.len()], vec![OUTSIDE; net.moves.len()]);
        let mut region = vec![OUTSIDE; net.nodes.len()];
        for (index, body) in net.loops.iter().enumerate() {
            region[body.start as usize..body.end as usize].fill(index as u32);
        }
        let early = |body: &Loop| {
            let start = body.start;
            let before = body.latches.iter().filter(move |(_, value)| value.node().0 < start);
            before.map(|(latch, value)| (value.node().0, latch.0)).collect::<Vec<_>>()
        };
        let mut edges: Vec<(u32, u32)> = net.loops.iter().flat_map(early).collect();
        for (node, kind) in net.nodes.iter().enumerate() {
            match kind {
                Node::Fluent(fluent) => fluents[*fluent as usize] = node as u32,
                Node::Does(number) => does[*number as usize] = node as u32,
                _ => edges.extend(net.inputs(NodeId(node as u32)).iter().map(|signal| (signal.node().0, node as u32))),
            }
        }
        let mut starts = vec![0; net.nodes.len() + 1];
        for &(from, _) in &edges {
            starts[from as usize + 1] += 1;
        }
        for node in 0..net.nodes.len() {
            starts[node + 1] += starts[node];
        }
        let mut fill = starts.clone();
        let mut readers = vec![0; edges.len()];
        for (from, to) in edges {
            readers[fill[from as usize] as usize] = to;
            fill[from as usize] += 1;
        }
        Wiring { net, starts, readers, region, fluents, does }
    }

    /// Gates and latches that read a node.
    pub(crate) fn readers_of(&self, node: u32) -> &[u32] {
        &self.readers[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}

/// What is known of a node: that it may be true, that it must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Value {
    may: bool,
    must: bool,
}

impl Value {
    const OPEN: Value = Value { may: true, must: false };
}

/// What is known of every node in a phase. Only what may have changed is worked out again.
struct Ternary<'a> {
    wiring: &'a Wiring<'a>,
    values: Vec<Value>,
    /// Nodes to be worked out again, a bit each.
    dirty: Vec<u64>,
}

/// There were too many signals to read.
struct Exhausted;

impl<'a> Ternary<'a> {
    fn new(wiring: &'a Wiring<'a>) -> Ternary<'a> {
        let nodes = wiring.net.nodes.len();
        let mut ternary = Ternary { wiring, values: vec![Value::default(); nodes], dirty: vec![0; nodes.div_ceil(64)] };
        ternary.values[0] = Value { may: true, must: true };
        for (node, kind) in wiring.net.nodes.iter().enumerate() {
            match kind {
                Node::Does(_) => ternary.values[node] = Value::OPEN,
                Node::And { .. } | Node::Latch(_) => ternary.mark(node as u32),
                Node::True | Node::Fluent(_) => {}
            }
        }
        ternary
    }

    fn mark(&mut self, node: u32) {
        self.dirty[node as usize / 64] |= 1 << (node % 64);
    }

    fn mark_readers(&mut self, node: u32) {
        let wiring = self.wiring;
        wiring.readers_of(node).iter().for_each(|&reader| self.mark(reader));
    }

    /// Gives an input a value.
    fn set(&mut self, node: u32, value: Value) {
        if node != OUTSIDE && self.values[node as usize] != value {
            self.values[node as usize] = value;
            self.mark_readers(node);
        }
    }

    fn of(&self, signal: Signal) -> Value {
        let Value { may, must } = self.values[signal.node().0 as usize];
        if signal.is_not() { Value { may: !must, must: !may } } else { Value { may, must } }
    }

    fn conjunction(&self, node: u32) -> Value {
        let mut all = Value { may: true, must: true };
        for &signal in self.wiring.net.inputs(NodeId(node)) {
            let value = self.of(signal);
            all = Value { may: all.may && value.may, must: all.must && value.must };
            if !all.may {
                break;
            }
        }
        all
    }

    /// Brings every node up to date.
    fn settle(&mut self, left: &mut u64) -> Result<(), Exhausted> {
        for word in 0..self.dirty.len() {
            while self.dirty[word] != 0 {
                let node = word as u32 * 64 + self.dirty[word].trailing_zeros();
                match self.wiring.region[node as usize] {
                    OUTSIDE => {
                        self.dirty[word] &= self.dirty[word] - 1;
                        spend(left, self.wiring.net.inputs(NodeId(node)).len())?;
                        let value = self.conjunction(node);
                        self.set(node, value);
                    }
                    region => self.go_round(&self.wiring.net.loops[region as usize], left)?,
                }
            }
        }
        Ok(())
    }

    /// Works out a whole loop.
    fn go_round(&mut self, body: &Loop, left: &mut u64) -> Result<(), Exhausted> {
        let range = body.start as usize..body.end as usize;
        let before = self.values[range.clone()].to_vec();
        for &(latch, _) in &body.latches {
            self.values[latch.0 as usize] = Value::default();
        }
        loop {
            for node in body.start..body.end {
                if let Node::And { len, .. } = self.wiring.net.nodes[node as usize] {
                    spend(left, len as usize)?;
                    self.values[node as usize] = self.conjunction(node);
                }
            }
            let mut changed = false;
            for &(latch, becomes) in &body.latches {
                let (Value { may, must }, known) = (self.of(becomes), &mut self.values[latch.0 as usize]);
                changed |= may && !known.may || must && !known.must;
                *known = Value { may: known.may || may, must: known.must || must };
            }
            if !changed {
                break;
            }
        }
        for (node, old) in range.clone().zip(before) {
            if self.values[node] != old {
                self.mark_readers(node as u32);
            }
        }
        range.for_each(|node| self.dirty[node / 64] &= !(1 << (node % 64)));
        Ok(())
    }

    /// Signals that gates read, where neither they nor the gates are known.
    fn unknown_reads(&self) -> usize {
        let unknown = |value: Value| value.may && !value.must;
        let gates = (0..self.values.len()).filter(|&node| unknown(self.values[node]));
        gates
            .map(|node| self.wiring.net.inputs(NodeId(node as u32)).iter().filter(|&&signal| unknown(self.of(signal))).count())
            .sum()
    }

    /// Moves that cannot be legal are not played; a role's only move, where it must be legal, is.
    fn set_moves(&mut self) {
        let net = self.wiring.net;
        let mut possible = vec![0_u32; net.roles.len()];
        for known in &net.moves {
            possible[known.role as usize] += u32::from(self.of(known.legal).may);
        }
        for (known, &node) in net.moves.iter().zip(&self.wiring.does) {
            let Value { may, must } = self.of(known.legal);
            self.set(node, Value { may, must: may && must && possible[known.role as usize] == 1 });
        }
    }
}

fn spend(left: &mut u64, reads: usize) -> Result<(), Exhausted> {
    *left = left.checked_sub(reads as u64 + 1).ok_or(Exhausted)?;
    Ok(())
}

/// What is known of the fluents in each phase of a period, and how many signals are left to be read in all of them; nothing where it takes too long
/// to find out.
fn known(wiring: &Wiring<'_>, period: usize, left: &mut u64) -> Option<(Vec<Vec<Option<bool>>>, usize)> {
    let net = wiring.net;
    let mut phases: Vec<Ternary<'_>> = (0..period).map(|_| Ternary::new(wiring)).collect();
    // Per phase and fluent: seen false, seen true.
    let mut seen: Vec<Vec<(bool, bool)>> = vec![vec![(false, false); net.fluents.len()]; period];
    seen[0] = net.fluents.iter().map(|fluent| (!fluent.initial, fluent.initial)).collect();
    let mut phase = 0;
    let mut unchanged = 0;
    while unchanged < period {
        spend(left, 2 * net.fluents.len() + net.moves.len()).ok()?;
        let ternary = &mut phases[phase];
        for (&node, &(no, yes)) in wiring.fluents.iter().zip(&seen[phase]) {
            ternary.set(node, Value { may: yes, must: yes && !no });
        }
        // What is legal does not depend on what is played, so the moves of the last round do no harm here.
        ternary.settle(left).ok()?;
        ternary.set_moves();
        ternary.settle(left).ok()?;
        phase = (phase + 1) % period;
        let mut changed = false;
        for (known, fluent) in seen[phase].iter_mut().zip(&net.fluents) {
            let next = ternary.of(fluent.next);
            let now = (known.0 || !next.must, known.1 || next.may);
            changed |= now != *known;
            *known = now;
        }
        unchanged = if changed { 0 } else { unchanged + 1 };
    }
    let value = |&(no, yes): &(bool, bool)| if no == yes { None } else { Some(yes) };
    let work = phases.iter().map(Ternary::unknown_reads).sum();
    Some((seen.iter().map(|phase| phase.iter().map(value).collect()).collect(), work))
}

/// The network where some fluents are known.
pub(crate) fn specialised(net: &Net, known: &[Option<bool>]) -> Net {
    let legal = rebuilt(net, known, &vec![None; net.moves.len()]);
    // Then some moves are never legal, and some roles have no choice.
    let mut possible = vec![0_u32; net.roles.len()];
    for known in legal.moves.iter().filter(|known| known.legal != Signal::FALSE) {
        possible[known.role as usize] += 1;
    }
    let played: Vec<Option<bool>> = legal
        .moves
        .iter()
        .map(|known| match known.legal {
            Signal::FALSE => Some(false),
            Signal::TRUE if possible[known.role as usize] == 1 => Some(true),
            _ => None,
        })
        .collect();
    prune(&prune(&rebuilt(net, known, &played)))
}

/// The same network, made anew with some inputs known.
fn rebuilt(net: &Net, fluents: &[Option<bool>], moves: &[Option<bool>]) -> Net {
    let mut builder = Builder::with_room(net.size().0);
    let mut new = vec![Signal::TRUE; net.nodes.len()];
    let mut loops = Vec::new();
    let mut waiting = net.loops.iter().peekable();
    let mut open: Option<(&Loop, u32)> = None;
    let constant = |value: bool| if value { Signal::TRUE } else { Signal::FALSE };
    let mut list = Vec::new();
    for node in 0..=net.nodes.len() {
        if let Some((body, start)) = open.take_if(|(body, _)| body.end as usize == node) {
            let latches = body.latches.iter().map(|&(latch, value)| (new[latch.0 as usize].node(), mapped(value, &new)));
            loops.push(Loop { start, end: builder.nodes.len() as u32, latches: latches.collect() });
        }
        if let Some(body) = waiting.next_if(|body| body.start as usize == node) {
            open = Some((body, builder.nodes.len() as u32));
        }
        let Some(kind) = net.nodes.get(node) else { break };
        new[node] = match *kind {
            Node::True => Signal::TRUE,
            Node::Fluent(fluent) => fluents[fluent as usize].map_or_else(|| builder.input(*kind), constant),
            Node::Does(number) => moves[number as usize].map_or_else(|| builder.input(*kind), constant),
            Node::Latch(_) => builder.input(*kind),
            Node::And { .. } => {
                list.clear();
                list.extend(net.inputs(NodeId(node as u32)).iter().map(|&signal| mapped(signal, &new)));
                builder.and(&mut list)
            }
        };
    }
    let made = net.with(builder, loops, |signal| mapped(signal, &new));
    debug_assert_eq!(made.check(), Ok(()), "after making a phase");
    made
}

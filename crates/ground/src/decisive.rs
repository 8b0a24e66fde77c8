//! Random play that does not pass over a win: phases in which only moves that win at once are legal, where there are such, and else those after which
//! nobody can win at once, where there are such.
//!
//! A move wins if the state after it is the end, with the most points that there are for who plays it. That is asked of every move of a phase in which one
//! role chooses: what the end and the points read is replaced by what the move makes of it. Most of it does not change with a move, and what is
//! known (that the state before is not the end, and the move is legal) makes the rest small: in Connect Four a line wins if three of its
//! cells are taken and the disc comes to rest in the fourth. Parts that stay large are left out; then some wins are not seen.

use crate::builder::Builder;
use crate::net::{Net, Node, NodeId, Signal};
use crate::phases::{OUTSIDE, Phase, Wiring, specialised};
use crate::prune::mapped;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// One way to win may read so many signals that are read for nothing else.
const WAY: usize = 32;

/// Phases may read so many times as much as before, or so many signals.
const GROWTH: usize = 6;
const SMALL: usize = 4000;

/// How many signals are read at most to find out, and in a phase as long as there is no move that wins.
const READS: u64 = 2_000_000;
const HOPE: u64 = 300_000;

/// The same phases with fewer legal moves: those that win at once, where there are any; else those that do not let another win at once. Nothing
/// where no phase has such moves that can be told at little expense. `net` is the network that the phases were made from.
pub fn decisive(net: &Net, phases: &[Phase]) -> Option<Vec<Phase>> {
    let wiring = Wiring::new(net);
    let mut left = READS;
    let winning: Vec<Option<Winning>> = phases.iter().map(|phase| Winning::find(&wiring, phase, &mut left)).collect();
    let mut any = false;
    let narrowed = |(index, phase): (usize, &Phase)| {
        // Who wins must be somebody else.
        let next = winning[(index + 1) % phases.len()].as_ref().filter(|next| chooser(&phase.net) != Some(next.role));
        let safe = next.and_then(|next| narrow(&wiring, phase, winning[index].as_ref(), Some(next), &mut left));
        let found = safe.or_else(|| narrow(&wiring, phase, winning[index].as_ref(), None, &mut left));
        any |= found.is_some();
        Phase { known: phase.known.clone(), net: found.unwrap_or_else(|| phase.net.clone()) }
    };
    let phases = phases.iter().enumerate().map(narrowed).collect();
    any.then_some(phases)
}

/// The role that chooses in a phase, if it is one alone; the others have no choice.
fn chooser(net: &Net) -> Option<u32> {
    let mut possible = vec![(0_u32, true); net.roles.len()];
    for known in net.moves.iter().filter(|known| known.legal != Signal::FALSE) {
        let (count, is_sure) = &mut possible[known.role as usize];
        *count += 1;
        *is_sure &= known.legal == Signal::TRUE;
    }
    let mut open = (0..).zip(&possible).filter(|(_, (count, is_sure))| *count != 1 || !is_sure);
    let (role, &(count, _)) = open.next()?;
    (open.next().is_none() && count > 1).then_some(role)
}

/// The goal with the most points of a role.
fn best_goal(net: &Net, role: u32) -> Option<Signal> {
    let of_role = net.goals.iter().filter(|goal| goal.role == role);
    let points = of_role.filter_map(|goal| Some((ludens_gdl::points(&goal.text)?, goal.holds)));
    points.filter(|(points, _)| *points > 0).max_by_key(|(points, _)| *points).map(|(_, holds)| holds)
}

/// A phase that also tells which moves win.
struct Winning {
    net: Net,
    /// Who chooses.
    role: u32,
    /// Per move: whether it wins if it is legal.
    wins: Vec<Signal>,
    /// Whether some legal move does.
    any: Signal,
}

/// Makes gates, with what is known to hold.
struct Maker {
    builder: Builder,
    /// Gates from this one on are new.
    old: usize,
    /// Nodes that are known: in all states that are asked after, and where some move is legal.
    given: FxHashMap<u32, bool>,
    here: FxHashMap<u32, bool>,
    list: Vec<Signal>,
}

/// There is no network of gates alone, or it takes too long to make it.
struct Unfit;

impl Maker {
    fn new(net: &Net) -> Maker {
        let builder = Builder::of(net);
        let old = builder.nodes.len();
        Maker { builder, old, given: FxHashMap::default(), here: FxHashMap::default(), list: Vec::new() }
    }

    fn known(&self, signal: Signal) -> Signal {
        let node = signal.node().0;
        match self.here.get(&node).or_else(|| self.given.get(&node)) {
            Some(&value) if value != signal.is_not() => Signal::TRUE,
            Some(_) => Signal::FALSE,
            None => signal,
        }
    }

    fn and(&mut self, signals: impl Iterator<Item = Signal>) -> Signal {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        list.extend(signals.map(|signal| self.known(signal)));
        let made = self.builder.and(&mut list);
        self.list = list;
        self.known(made)
    }

    fn or(&mut self, signals: impl Iterator<Item = Signal>) -> Signal {
        !self.and(signals.map(|signal| !signal))
    }

    /// All nodes that are known where a signal holds.
    fn implied(&self, holds: Signal) -> FxHashMap<u32, bool> {
        let mut implied = FxHashMap::default();
        let mut open = vec![holds];
        while let Some(signal) = open.pop() {
            if signal.node().0 != 0 && implied.insert(signal.node().0, !signal.is_not()).is_none() && !signal.is_not() {
                open.extend(self.builder.list(signal.node().0));
            }
        }
        implied
    }

    /// What a signal is an alternative of.
    fn ways(&self, signal: Signal) -> Vec<Signal> {
        let (mut ways, mut open) = (Vec::new(), vec![signal]);
        while let Some(signal) = open.pop() {
            match self.builder.list(signal.node().0) {
                list @ [_, ..] if signal.is_not() => open.extend(list.iter().map(|&signal| !signal)),
                _ => ways.push(signal),
            }
        }
        ways.sort_unstable();
        ways.dedup();
        ways
    }

    /// How many signals are read by new gates below one; counted up to a limit.
    fn cost(&self, signal: Signal, most: usize) -> usize {
        let (mut seen, mut open, mut cost) = (FxHashSet::default(), vec![signal.node().0], 0);
        while let Some(node) = open.pop() {
            if cost <= most && node as usize >= self.old && seen.insert(node) {
                let list = self.builder.list(node);
                cost += list.len();
                open.extend(list.iter().map(|signal| signal.node().0));
            }
        }
        cost
    }

    /// Where the end and a goal come together, as far as that costs little.
    fn win(&mut self, terminal: Signal, goal: Signal) -> Signal {
        let is_cheap = |maker: &Maker, way: Signal| maker.cost(way, WAY) <= WAY;
        let (ends, goals) = (self.ways(terminal), self.ways(goal));
        let both = match (terminal, goal) {
            (Signal::TRUE, _) => goals,
            (_, Signal::TRUE) => ends,
            _ => {
                let (both, alone): (Vec<_>, Vec<_>) = goals.into_iter().partition(|way| ends.binary_search(way).is_ok());
                let alone: Vec<_> = alone.into_iter().filter(|&way| is_cheap(self, way)).collect();
                let rest = self.or(alone.into_iter());
                let rest = self.and([rest, terminal].into_iter());
                both.into_iter().chain([rest]).collect()
            }
        };
        let cheap: Vec<_> = both.into_iter().filter(|&way| is_cheap(self, way)).collect();
        self.or(cheap.into_iter())
    }
}

/// What some nodes of a network are, as signals of a maker.
struct Image<'a> {
    wiring: &'a Wiring<'a>,
    wanted: Vec<bool>,
    signals: Vec<Signal>,
    /// Nodes that are something else for now, and what they were.
    changed: Vec<(u32, Signal)>,
}

impl<'a> Image<'a> {
    /// Everything that these outputs read, where the inputs are known as signals.
    fn new(
        wiring: &'a Wiring<'a>,
        outputs: impl Iterator<Item = Signal>,
        input: impl Fn(Node) -> Signal,
        maker: &mut Maker,
        left: &mut u64,
    ) -> Result<Image<'a>, Unfit> {
        let net = wiring.net;
        let mut wanted = vec![false; net.nodes.len()];
        let mut open: Vec<u32> = outputs.map(|signal| signal.node().0).collect();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut wanted[node as usize], true) {
                if matches!(net.nodes[node as usize], Node::Latch(_)) {
                    return Err(Unfit);
                }
                open.extend(net.inputs(NodeId(node)).iter().map(|signal| signal.node().0));
            }
        }
        let mut image = Image { wiring, wanted, signals: vec![Signal::TRUE; net.nodes.len()], changed: Vec::new() };
        for node in (0..net.nodes.len()).filter(|&node| image.wanted[node]).collect::<Vec<_>>() {
            image.signals[node] = match net.nodes[node] {
                Node::True | Node::Latch(_) => Signal::TRUE,
                Node::And { .. } => image.made(node as u32, maker, left)?,
                kind => input(kind),
            };
        }
        Ok(image)
    }

    fn made(&self, node: u32, maker: &mut Maker, left: &mut u64) -> Result<Signal, Unfit> {
        let list = self.wiring.net.inputs(NodeId(node));
        *left = left.checked_sub(list.len() as u64 + 1).ok_or(Unfit)?;
        Ok(maker.and(list.iter().map(|&signal| mapped(signal, &self.signals))))
    }

    fn of(&self, signal: Signal) -> Signal {
        mapped(signal, &self.signals)
    }

    /// Gives some nodes, all inputs, other signals, and works out what follows.
    fn change(&mut self, inputs: impl Iterator<Item = (u32, Signal)>, maker: &mut Maker, left: &mut u64) -> Result<(), Unfit> {
        let mut open = BTreeSet::new();
        for (node, signal) in inputs {
            self.set(node, signal, &mut open);
        }
        while let Some(node) = open.pop_first() {
            let made = self.made(node, maker, left)?;
            self.set(node, made, &mut open);
        }
        Ok(())
    }

    fn set(&mut self, node: u32, signal: Signal, open: &mut BTreeSet<u32>) {
        let was = std::mem::replace(&mut self.signals[node as usize], signal);
        if was != signal {
            self.changed.push((node, was));
            open.extend(self.wiring.readers_of(node).iter().filter(|&&reader| self.wanted[reader as usize]));
        }
    }

    /// Takes all changes back.
    fn reset(&mut self) {
        for (node, was) in self.changed.drain(..).rev() {
            self.signals[node as usize] = was;
        }
    }
}

/// A phase before a move, and what comes after it.
struct Step<'a> {
    maker: Maker,
    now: Image<'a>,
    later: Image<'a>,
    /// Per move of who chooses: its number, whether it is legal in the phase, and the same in the whole network.
    moves: Vec<(usize, Signal, Signal)>,
    /// The fluents that what is asked reads, and what they become in the whole network.
    fluents: Vec<(u32, Signal)>,
}

impl<'a> Step<'a> {
    /// `then` has what is asked after the move: these outputs.
    fn new(
        wiring: &'a Wiring<'a>,
        phase: &Phase,
        base: &Net,
        then: &'a Wiring<'a>,
        outputs: &[Signal],
        left: &mut u64,
    ) -> Result<Step<'a>, Unfit> {
        let net = wiring.net;
        let role = chooser(&phase.net).ok_or(Unfit)?;
        let mut maker = Maker::new(base);
        let mut inputs = vec![Signal::FALSE; net.fluents.len()];
        for (node, kind) in (0..).zip(&base.nodes) {
            if let Node::Fluent(fluent) = kind {
                inputs[*fluent as usize] = Signal(node << 1);
            }
        }
        let constant = |value: bool| if value { Signal::TRUE } else { Signal::FALSE };
        let input = |kind: Node| match kind {
            Node::Fluent(fluent) => phase.known[fluent as usize].map_or(inputs[fluent as usize], constant),
            Node::Does(number) => {
                let known = &phase.net.moves[number as usize];
                constant(known.role != role && known.legal == Signal::TRUE)
            }
            _ => Signal::TRUE,
        };
        let moves = phase.net.moves.iter().zip(&net.moves).enumerate();
        let possible = moves.filter(|(_, (known, _))| known.role == role && known.legal != Signal::FALSE);
        let moves: Vec<(usize, Signal, Signal)> =
            possible.map(|(number, (known, whole))| (number, known.legal, whole.legal)).collect();
        let next = (0..).zip(&net.fluents).map(|(fluent, known)| (fluent, known.next));
        let read = read_fluents(then, outputs);
        let fluents: Vec<(u32, Signal)> = next.filter(|(fluent, _)| read.contains(fluent)).collect();
        let wanted = fluents.iter().map(|(_, next)| *next).chain(moves.iter().map(|(.., legal)| *legal)).chain(net.terminal);
        let now = Image::new(wiring, wanted, input, &mut maker, left)?;
        if let Some(terminal) = net.terminal {
            maker.given = maker.implied(!now.of(terminal));
        }
        let after = |kind: Node| match kind {
            Node::Fluent(fluent) => now.of(net.fluents[fluent as usize].next),
            _ => Signal::FALSE,
        };
        let later = Image::new(then, outputs.iter().copied(), after, &mut maker, left)?;
        Ok(Step { maker, now, later, moves, fluents })
    }

    /// What outputs are after a move.
    fn after(&mut self, number: usize, legal: Signal, outputs: &[Signal], left: &mut u64) -> Result<Vec<Signal>, Unfit> {
        let Step { maker, now, later, fluents, .. } = self;
        maker.here = maker.implied(now.of(legal));
        let does = now.wiring.does[number];
        if does != OUTSIDE {
            now.change([(does, Signal::TRUE)].into_iter(), maker, left)?;
        }
        let changed: Vec<(u32, Signal)> =
            fluents.iter().map(|&(fluent, next)| (later.wiring.fluents[fluent as usize], now.of(next))).collect();
        later.change(changed.into_iter(), maker, left)?;
        let found = outputs.iter().map(|&signal| later.of(signal)).collect();
        later.reset();
        now.reset();
        Ok(found)
    }
}

/// The fluents that some outputs depend on.
fn read_fluents(wiring: &Wiring<'_>, outputs: &[Signal]) -> FxHashSet<u32> {
    let (mut seen, mut fluents) = (FxHashSet::default(), FxHashSet::default());
    let mut open: Vec<u32> = outputs.iter().map(|signal| signal.node().0).collect();
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            if let Node::Fluent(fluent) = wiring.net.nodes[node as usize] {
                fluents.insert(fluent);
            }
            open.extend(wiring.net.inputs(NodeId(node)).iter().map(|signal| signal.node().0));
        }
    }
    fluents
}

impl Winning {
    fn find(wiring: &Wiring<'_>, phase: &Phase, left: &mut u64) -> Option<Winning> {
        let net = wiring.net;
        let role = chooser(&phase.net)?;
        let outputs = [net.terminal?, best_goal(net, role)?];
        let mut step = Step::new(wiring, phase, &phase.net, wiring, &outputs, left).ok()?;
        let mut wins = vec![Signal::FALSE; net.moves.len()];
        let mut all = Vec::new();
        let enough = left.saturating_sub(HOPE);
        for (number, legal, whole) in step.moves.clone() {
            let found = step.after(number, whole, &outputs, left).ok()?;
            wins[number] = step.maker.win(found[0], found[1]);
            step.maker.here.clear();
            if wins[number] != Signal::FALSE {
                all.push(step.maker.and([legal, wins[number]].into_iter()));
            } else if all.is_empty() && *left < enough {
                return None;
            }
        }
        let any = step.maker.or(all.into_iter());
        let net = phase.net.with(step.maker.builder, phase.net.loops.clone(), |signal| signal);
        (any != Signal::FALSE).then_some(Winning { net, role, wins, any })
    }
}

/// The phase with fewer legal moves: of those that lead to where nobody wins at once, if `next` tells, and then of those that win.
fn narrow(wiring: &Wiring<'_>, phase: &Phase, own: Option<&Winning>, next: Option<&Winning>, left: &mut u64) -> Option<Net> {
    let base = own.map_or(&phase.net, |own| &own.net);
    let mut legal: Vec<Signal> = phase.net.moves.iter().map(|known| known.legal).collect();
    let mut builder = match next {
        Some(next) => {
            let then = Wiring::new(&next.net);
            let mut step = Step::new(wiring, phase, base, &then, &[next.any], left).ok()?;
            let mut safe = Vec::new();
            for (number, _, whole) in step.moves.clone() {
                let found = step.after(number, whole, &[next.any], left).ok()?;
                safe.push((number, !found[0]));
            }
            prefer(&mut step.maker.builder, &mut legal, &safe);
            step.maker.builder
        }
        None if own.is_some() => Builder::of(base),
        None => return None,
    };
    if let Some(own) = own {
        for (number, known) in phase.net.moves.iter().enumerate().filter(|(_, known)| known.role == own.role) {
            let winning = builder.and(&mut vec![known.legal, own.wins[number]]);
            let other = builder.and(&mut vec![legal[number], !own.any]);
            legal[number] = builder.or(&mut vec![winning, other]);
        }
    }
    let mut made = phase.net.with(builder, phase.net.loops.clone(), |signal| signal);
    made.moves.iter_mut().zip(legal).for_each(|(known, legal)| known.legal = legal);
    // Some moves may never be left.
    let made = specialised(&made, &phase.known);
    (made.size().1 <= (phase.net.size().1 * GROWTH).max(SMALL)).then_some(made)
}

/// Of some moves those that have a property, where any legal one has.
fn prefer(builder: &mut Builder, legal: &mut [Signal], having: &[(usize, Signal)]) {
    let mut any: Vec<Signal> = having.iter().map(|&(number, has)| builder.and(&mut vec![legal[number], has])).collect();
    let any = builder.or(&mut any);
    for &(number, has) in having {
        let passed_over = builder.and(&mut vec![any, !has]);
        legal[number] = builder.and(&mut vec![legal[number], !passed_over]);
    }
}

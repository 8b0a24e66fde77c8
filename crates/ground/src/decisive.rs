//! Random play that does not pass over a win: phases in which only moves that win at once are legal, where there are such, and else those after which
//! who moves next cannot win at once, where there are such.
//!
//! A move wins if the state after it is the end, with the goal of most points for who plays it. That is asked of every move of a phase in which one
//! role chooses: what the end and the points read is replaced by what the move makes of it. Most of it does not change with a move, and what is
//! known (that the state before is not the end, and the move is legal) makes the rest small: in Connect Four a line wins if three of its
//! cells are taken and the disc comes to rest in the fourth. Parts that stay large are left out; then some wins are not seen.
//!
//! Searches prove values by what is left in duels. So there nothing counts as a win that may give less, since some other goal with fewer points holds
//! as well, and no move counts as a loss after which the match may be over. What stays too large is asked in part, so that it holds too often
//! rather than too seldom.

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

/// How many signals are read at most to find out, the same share for each question and phase.
const READS: u64 = 4_000_000;

/// The same phases with fewer legal moves: those that win at once, where there are any; else those that do not let another win at once. Nothing
/// where no phase has such moves that can be told at little expense. `net` is the network that the phases were made from.
///
/// What can be told in time of one phase but not of another is left alone in all: who takes wins would only seem to be better than who passes over them.
pub fn decisive(net: &Net, phases: &[Phase]) -> Option<Vec<Phase>> {
    if net.terminal.is_none() || net.size().1 as u64 > READS || phases.iter().all(|phase| chooser(&phase.net).is_none()) {
        return None;
    }
    let wiring = Wiring::new(net);
    let share = READS / (2 * phases.len() as u64);
    let find = |phase: &Phase| Winning::find(&wiring, phase, &mut share.clone());
    let winning: Vec<Option<Winning>> = phases.iter().map(find).collect::<Result<_, Unfit>>().ok()?;
    if winning.iter().all(Option::is_none) {
        return None;
    }
    let narrowed = |is_safe: bool| {
        let narrowed = |(index, phase): (usize, &Phase)| {
            let next = winning[(index + 1) % phases.len()].as_ref();
            let next = next.filter(|next| is_safe && chooser(&phase.net).is_some_and(|role| are_rivals(net, role, next.role)));
            narrow(&wiring, phase, winning[index].as_ref(), next, &mut share.clone())
        };
        phases.iter().enumerate().map(narrowed).collect::<Result<Vec<Option<Net>>, Unfit>>().ok()
    };
    let nets = narrowed(true).or_else(|| narrowed(false))?;
    let made = |(phase, found): (&Phase, Option<Net>)| Phase {
        known: phase.known.clone(),
        net: found.unwrap_or_else(|| phase.net.clone()),
    };
    Some(phases.iter().zip(nets).map(made).collect())
}

/// Whether of two roles one has nothing wherever the other has 100 points, which is the most: one condition gives them both.
pub fn is_duel(net: &Net) -> bool {
    let gives = |role: u32, points: u8| {
        let of_role = net.goals.iter().filter(move |goal| goal.role == role);
        of_role.filter(move |goal| ludens_gdl::points(&goal.text) == Some(points)).map(|goal| goal.holds)
    };
    let wins = |role: u32| {
        gives(role, 100).next().is_some() && gives(role, 100).all(|holds| gives(1 - role, 0).any(|other| other == holds))
    };
    net.roles.len() == 2 && wins(0) && wins(1)
}

/// Whether it is one role's loss that another wins: partners win together.
fn are_rivals(net: &Net, one: u32, other: u32) -> bool {
    one != other && best_goal(net, one) != best_goal(net, other)
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

/// The goals of a role with fewer points than the best one.
fn lesser_goals(net: &Net, role: u32) -> Vec<Signal> {
    let of_role = net.goals.iter().filter(|goal| goal.role == role);
    let points: Vec<(u8, Signal)> = of_role.filter_map(|goal| Some((ludens_gdl::points(&goal.text)?, goal.holds))).collect();
    let most = points.iter().map(|(points, _)| *points).max();
    points.into_iter().filter(|(points, _)| Some(*points) < most).map(|(_, holds)| holds).collect()
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
    /// Gates from this one on cost something.
    old: usize,
    /// Nodes that are known: in all states that are asked after, and where some move is legal.
    given: FxHashMap<u32, bool>,
    here: FxHashMap<u32, bool>,
    list: Vec<Signal>,
}

/// There is no network of gates alone, or it takes too long to make it, or it is too large.
struct Unfit;

fn spend(left: &mut u64, reads: usize) -> Result<(), Unfit> {
    *left = left.checked_sub(reads as u64 + 1).ok_or(Unfit)?;
    Ok(())
}

impl Maker {
    /// With all gates of a network, of which so many are there in any case.
    fn new(net: &Net, old: usize) -> Maker {
        let builder = Builder::of(net);
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

    /// What a signal is an alternative of, in order.
    fn ways(&self, signal: Signal, left: &mut u64) -> Result<Vec<Signal>, Unfit> {
        let (mut ways, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![signal]);
        while let Some(signal) = open.pop() {
            spend(left, 0)?;
            match self.builder.list(signal.node().0) {
                _ if !seen.insert(signal) => {}
                list @ [_, ..] if signal.is_not() => open.extend(list.iter().map(|&signal| !signal)),
                _ => ways.push(signal),
            }
        }
        ways.sort_unstable();
        Ok(ways)
    }

    /// How many signals are read by gates below one that cost something; counted up to a limit.
    fn cost(&self, signal: Signal, most: usize) -> usize {
        let (mut seen, mut open, mut cost) = (FxHashSet::default(), vec![signal.node().0], 0);
        while let Some(node) = open.pop() {
            if cost <= most && node as usize >= self.old && seen.insert(node) {
                let list = self.builder.list(node);
                cost += list.len();
                if cost <= most {
                    open.extend(list.iter().map(|signal| signal.node().0));
                }
            }
        }
        cost
    }

    /// Any of some ways, as far as they cost little.
    fn any_cheap(&mut self, ways: Vec<Signal>, left: &mut u64) -> Result<Signal, Unfit> {
        let mut cheap = Vec::new();
        for way in ways {
            let cost = self.cost(way, WAY);
            spend(left, cost.min(WAY))?;
            if cost <= WAY {
                cheap.push(way);
            }
        }
        Ok(self.or(cheap.into_iter()))
    }

    /// What holds wherever two signals do, and as far as that costs little nowhere else where the second does: of the first one's ways those that
    /// can come together with the second. Of a way that costs much only a part is asked.
    fn beside(&mut self, signal: Signal, other: Signal, left: &mut u64) -> Result<Signal, Unfit> {
        let others = self.ways(other, left)?;
        let mut found = Vec::new();
        for way in self.ways(signal, left)? {
            if self.is_never(way, &others, left)? {
                continue;
            }
            let cost = self.cost(way, WAY);
            spend(left, cost.min(WAY))?;
            found.push(if cost <= WAY { way } else { self.part(way, left)? });
        }
        Ok(self.or(found.into_iter()))
    }

    /// Whether one sees from what signals are made of that the first never holds together with any of the others.
    fn is_never(&self, signal: Signal, others: &[Signal], left: &mut u64) -> Result<bool, Unfit> {
        let implied = self.implied(signal);
        spend(left, implied.len())?;
        let holds = |signal: Signal| implied.get(&signal.node().0) == Some(&!signal.is_not());
        for &other in others {
            let other = self.implied(other);
            spend(left, other.len())?;
            let is_refuted = |(&node, &value): (&u32, &bool)| {
                let list = if value { &[] } else { self.builder.list(node) };
                implied.get(&node) == Some(&!value) || !list.is_empty() && list.iter().all(|&part| holds(part))
            };
            if !other.iter().any(is_refuted) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// As much of a conjunction as costs little, so that it holds wherever all of it does.
    fn part(&mut self, way: Signal, left: &mut u64) -> Result<Signal, Unfit> {
        let (mut parts, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![way]);
        while let Some(signal) = open.pop() {
            let node = signal.node().0;
            match self.builder.list(node) {
                _ if !seen.insert(signal) => {}
                list @ [_, ..] if !signal.is_not() && node as usize >= self.old => open.extend(list),
                _ => parts.push((self.cost(signal, WAY) + 1, signal)),
            }
            spend(left, parts.last().map_or(0, |(cost, _)| *cost))?;
        }
        parts.sort_unstable();
        let mut room = WAY;
        let fits = |(cost, _): &(usize, Signal)| {
            let rest = room.checked_sub(*cost);
            room = rest.unwrap_or(room);
            rest.is_some()
        };
        let parts: Vec<Signal> = parts.into_iter().take_while(fits).map(|(_, signal)| signal).collect();
        Ok(self.and(parts.into_iter()))
    }

    /// Where the end and a goal come together, as far as that costs little.
    fn win(&mut self, terminal: Signal, goal: Signal, left: &mut u64) -> Result<Signal, Unfit> {
        let (ends, goals) = (self.ways(terminal, left)?, self.ways(goal, left)?);
        let both = match (terminal, goal) {
            (Signal::TRUE, _) => goals,
            (_, Signal::TRUE) => ends,
            _ => {
                let (both, alone): (Vec<_>, Vec<_>) = goals.into_iter().partition(|way| ends.binary_search(way).is_ok());
                let alone = self.any_cheap(alone, left)?;
                let rest = self.and([alone, terminal].into_iter());
                both.into_iter().chain([rest]).collect()
            }
        };
        self.any_cheap(both, left)
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
        spend(left, list.len())?;
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
        let mut maker = Maker::new(base, phase.net.nodes.len());
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
        spend(left, maker.here.len() + fluents.len())?;
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
    /// What wins in a phase, if anything does.
    fn find(wiring: &Wiring<'_>, phase: &Phase, left: &mut u64) -> Result<Option<Winning>, Unfit> {
        let net = wiring.net;
        let Some(role) = chooser(&phase.net) else { return Ok(None) };
        let (Some(terminal), Some(goal)) = (net.terminal, best_goal(net, role)) else { return Ok(None) };
        let lesser = if is_duel(net) { lesser_goals(net, role) } else { Vec::new() };
        let outputs = [&[terminal, goal], &lesser[..]].concat();
        let mut step = Step::new(wiring, phase, &phase.net, wiring, &outputs, left)?;
        let mut wins = vec![Signal::FALSE; net.moves.len()];
        let mut all = Vec::new();
        for (number, legal, whole) in step.moves.clone() {
            let found = step.after(number, whole, &outputs, left)?;
            wins[number] = step.maker.win(found[0], found[1], left)?;
            for &less in &found[2..] {
                let less = step.maker.beside(less, wins[number], left)?;
                wins[number] = step.maker.and([wins[number], !less].into_iter());
            }
            step.maker.here.clear();
            all.push(step.maker.and([legal, wins[number]].into_iter()));
        }
        let any = step.maker.or(all.into_iter());
        let net = phase.net.with(step.maker.builder, phase.net.loops.clone(), |signal| signal);
        Ok((any != Signal::FALSE).then_some(Winning { net, role, wins, any }))
    }
}

/// The phase with fewer legal moves: of those that lead to where nobody wins at once, if `next` tells, and then of those that win.
fn narrow(
    wiring: &Wiring<'_>,
    phase: &Phase,
    own: Option<&Winning>,
    next: Option<&Winning>,
    left: &mut u64,
) -> Result<Option<Net>, Unfit> {
    let base = own.map_or(&phase.net, |own| &own.net);
    let mut legal: Vec<Signal> = phase.net.moves.iter().map(|known| known.legal).collect();
    let mut builder = match next {
        Some(next) => {
            let then = Wiring::new(&next.net);
            // Where the match is over nobody wins any more; where it may be, nobody is said to.
            let outputs = [next.any, next.net.terminal.unwrap_or(Signal::FALSE)];
            let mut step = Step::new(wiring, phase, base, &then, &outputs, left)?;
            let mut safe = Vec::new();
            for (number, _, whole) in step.moves.clone() {
                let found = step.after(number, whole, &outputs, left)?;
                let is_over = step.maker.beside(found[1], found[0], left)?;
                safe.push((number, !step.maker.and([found[0], !is_over].into_iter())));
            }
            prefer(&mut step.maker.builder, &mut legal, &safe);
            step.maker.builder
        }
        None if own.is_some() => Builder::of(base),
        None => return Ok(None),
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
    if made.size().1 > (phase.net.size().1 * GROWTH).max(SMALL) {
        return Err(Unfit);
    }
    Ok(Some(made))
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

//! The network as programs: runs of gates of one kind, with slots for their values.

use ludens_ground::{Fluent, Goal, Move, Net, Node, NodeId, Signal};
use std::collections::BTreeMap;

/// Where a signal is found: a slot, and whether its opposite is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wire {
    pub(super) slot: u32,
    pub(super) inverted: bool,
}

impl Wire {
    /// The first words of a row, as they are.
    pub(super) fn straight(count: usize) -> Vec<Wire> {
        (0..count as u32).map(|slot| Wire { slot, inverted: false }).collect()
    }
}

/// Gates with the same number of inputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    /// Inputs read as they are.
    pub(super) plain: u32,
    /// Inputs whose opposite is read.
    pub(super) inverted: u32,
    pub(super) count: u32,
    /// Where the operands begin: for every gate the slot of its value, then those of its inputs.
    pub(super) operands: u32,
}

/// One step of a program.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Run(Run),
    /// Latches that are cleared, and what is then carried out until none of them changes.
    Loop(Vec<u32>, Vec<Turn>),
}

/// One step of a loop: gates, or a latch that takes over a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Turn {
    Gates(Run),
    Latch { slot: u32, value: Wire },
}

/// Steps and their operands.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) steps: Vec<Step>,
    pub(super) operands: Vec<u32>,
}

/// Which program a node belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// Legal moves and the end.
    State,
    Goals,
    Next,
    None,
}

/// Everything about slots.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) slots: usize,
    /// Where the values of the fluents begin; they are consecutive.
    pub(super) fluents: u32,
    /// Where the moves played begin.
    pub(super) does: u32,
    pub(super) state: Program,
    pub(super) goals: Program,
    pub(super) next: Program,
    pub(super) legal: Vec<Wire>,
    pub(super) goal: Vec<Wire>,
    pub(super) successor: Vec<Wire>,
    pub(super) terminal: Option<Wire>,
}

/// What a layout is to answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked<'a> {
    pub(super) moves: &'a [Move],
    pub(super) terminal: Option<Signal>,
    pub(super) goals: &'a [Goal],
    pub(super) successors: &'a [Fluent],
}

impl<'a> Asked<'a> {
    /// Nothing.
    pub(super) const NOTHING: Asked<'static> = Asked { moves: &[], terminal: None, goals: &[], successors: &[] };

    /// All that there is.
    fn all(net: &'a Net) -> Asked<'a> {
        Asked { moves: &net.moves, terminal: net.terminal, goals: &net.goals, successors: &net.fluents }
    }
}

/// Everything outside a loop.
pub(super) const OUTSIDE: u32 = u32::MAX;

struct Maker<'a> {
    net: &'a Net,
    asked: Asked<'a>,
    parts: Vec<Part>,
    /// Per node: the loop in which it is evaluated again and again.
    region: Vec<u32>,
    levels: Vec<u32>,
    loop_levels: Vec<u32>,
    slots: Vec<u32>,
    /// Per node: when its value is read for the last time.
    last: Vec<Time>,
    /// Nodes whose values have slots.
    made: Vec<u32>,
    /// Slots whose values are no longer needed.
    free: Vec<u32>,
    next_slot: u32,
}

/// A program and a level in it: programs are carried out in their order, and so are levels.
type Time = (Part, u32);

/// When legal moves and the end have been read, and goals, and successors.
const MOVES_READ: Time = (Part::State, u32::MAX);
const GOALS_READ: Time = (Part::Goals, u32::MAX);
const SUCCESSORS_READ: Time = (Part::Next, u32::MAX);

impl Layout {
    pub(super) fn new(net: &Net) -> Layout {
        Layout::of(net, Asked::all(net))
    }

    /// Programs that find out what is asked, and no more. Fluents and moves played are where they are in every layout of the network.
    pub(super) fn of(net: &Net, asked: Asked<'_>) -> Layout {
        let (fluents, does) = (1, 1 + net.fluents.len() as u32);
        let mut maker = Maker {
            net,
            asked,
            parts: parts(net, &asked),
            region: regions(net),
            levels: vec![0; net.nodes.len()],
            loop_levels: vec![0; net.loops.len()],
            slots: vec![u32::MAX; net.nodes.len()],
            last: vec![(Part::State, 0); net.nodes.len()],
            made: Vec::new(),
            free: Vec::new(),
            next_slot: does + net.moves.len() as u32,
        };
        for (node, kind) in net.nodes.iter().enumerate() {
            match kind {
                Node::True => maker.slots[node] = 0,
                Node::Fluent(fluent) => maker.slots[node] = fluents + fluent,
                Node::Does(number) => maker.slots[node] = does + number,
                Node::Latch(_) | Node::And { .. } => {}
            }
        }
        maker.level();
        maker.find_last_reads();
        let state = maker.program(Part::State);
        let goals = maker.program(Part::Goals);
        let next = maker.program(Part::Next);
        // Programs read and write slots without asking.
        let known = |operand: &u32| *operand < maker.next_slot;
        assert!([&state, &goals, &next].iter().all(|program| program.operands.iter().all(known)), "every operand has a slot");
        Layout {
            slots: maker.next_slot as usize,
            fluents,
            does,
            state,
            goals,
            next,
            legal: asked.moves.iter().map(|known| maker.wire(known.legal)).collect(),
            goal: asked.goals.iter().map(|goal| maker.wire(goal.holds)).collect(),
            successor: asked.successors.iter().map(|fluent| maker.wire(fluent.next)).collect(),
            terminal: asked.terminal.map(|signal| maker.wire(signal)),
        }
    }
}

impl Layout {
    /// How much is done for a move: what the gates read and write, loops gone through once.
    pub(super) fn work(&self) -> usize {
        self.state.operands.len() + self.next.operands.len()
    }
}

/// The program that works each node out. What both goals and successors need, and can thus not depend on moves, goes with the legal moves: neither of the
/// two programs may rely on the other having been carried out.
fn parts(net: &Net, asked: &Asked<'_>) -> Vec<Part> {
    let state = cone(net, asked.moves.iter().map(|known| known.legal).chain(asked.terminal));
    let goals = cone(net, asked.goals.iter().map(|goal| goal.holds));
    let next = cone(net, asked.successors.iter().map(|fluent| fluent.next));
    let part = |node: usize| match (state[node], goals[node], next[node]) {
        (true, ..) | (_, true, true) => Part::State,
        (_, true, _) => Part::Goals,
        (.., true) => Part::Next,
        _ => Part::None,
    };
    (0..net.nodes.len()).map(part).collect()
}

/// Every node that some signals depend on.
fn cone(net: &Net, signals: impl Iterator<Item = Signal>) -> Vec<bool> {
    let own = regions(net);
    let mut entered = vec![false; net.loops.len()];
    let mut inside = vec![false; net.nodes.len()];
    let mut open: Vec<NodeId> = signals.map(Signal::node).collect();
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut inside[node.0 as usize], true) {
            continue;
        }
        open.extend(net.inputs(node).iter().map(|signal| signal.node()));
        // A loop is carried out as a whole, gates included that others read.
        let index = own[node.0 as usize];
        if index != OUTSIDE && !std::mem::replace(&mut entered[index as usize], true) {
            let known = &net.loops[index as usize];
            open.extend(known.latches.iter().flat_map(|(latch, value)| [*latch, value.node()]));
            open.extend((known.start..known.end).filter(|&node| own[node as usize] == index).map(NodeId));
        }
    }
    inside
}

/// The loop of every node that depends on the loop's own latches.
pub(super) fn regions(net: &Net) -> Vec<u32> {
    let mut region = vec![OUTSIDE; net.nodes.len()];
    for (index, body) in net.loops.iter().enumerate() {
        for node in body.start..body.end {
            let inside = match net.nodes[node as usize] {
                Node::Latch(_) => true,
                _ => net.inputs(NodeId(node)).iter().any(|signal| region[signal.node().0 as usize] == index as u32),
            };
            if inside {
                region[node as usize] = index as u32;
            }
        }
    }
    region
}

impl Maker<'_> {
    /// How many gates deep each node lies; a loop counts as one gate.
    fn level(&mut self) {
        let mut done = 0;
        for (node, kind) in self.net.nodes.iter().enumerate() {
            while done < self.net.loops.len() && self.net.loops[done].end as usize <= node {
                self.close(done);
                done += 1;
            }
            if !matches!(kind, Node::And { .. }) || self.region[node] != OUTSIDE {
                continue;
            }
            self.levels[node] = 1 + self.deepest(NodeId(node as u32), OUTSIDE);
        }
        (done..self.net.loops.len()).for_each(|index| self.close(index));
    }

    /// The level of the deepest input outside a loop.
    fn deepest(&self, node: NodeId, own: u32) -> u32 {
        let inputs = self.net.inputs(node).iter().map(|signal| signal.node().0 as usize);
        let outside = inputs.filter(|&input| own == OUTSIDE || self.region[input] != own);
        outside.map(|input| self.levels[input]).max().unwrap_or(0)
    }

    /// Gives a loop its level once all that it reads has one.
    fn close(&mut self, index: usize) {
        let body = &self.net.loops[index];
        let own = index as u32;
        let inside = |node: &u32| self.region[*node as usize] == own;
        let nodes: Vec<u32> = (body.start..body.end).filter(inside).collect();
        let gates = nodes.iter().map(|&node| self.deepest(NodeId(node), own)).max().unwrap_or(0);
        let values = body.latches.iter().map(|(_, value)| value.node().0).filter(|node| !inside(node));
        let level = 1 + values.map(|node| self.levels[node as usize]).max().unwrap_or(0).max(gates);
        self.loop_levels[index] = level;
        for node in nodes {
            self.levels[node as usize] = level;
        }
    }

    fn wire(&self, signal: Signal) -> Wire {
        Wire { slot: self.slots[signal.node().0 as usize], inverted: signal.is_not() }
    }

    /// A slot for the value of a node.
    fn take(&mut self, node: u32) -> u32 {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.next_slot += 1;
            self.next_slot - 1
        });
        self.slots[node as usize] = slot;
        slot
    }

    /// Finds out when each value is read for the last time.
    fn find_last_reads(&mut self) {
        let net = self.net;
        let mut read = |node: NodeId, time: Time| {
            let last = &mut self.last[node.0 as usize];
            *last = time.max(*last);
        };
        for known in self.asked.moves {
            read(known.legal.node(), MOVES_READ);
        }
        self.asked.terminal.into_iter().for_each(|signal| read(signal.node(), MOVES_READ));
        for goal in self.asked.goals {
            read(goal.holds.node(), GOALS_READ);
        }
        for fluent in self.asked.successors {
            read(fluent.next.node(), SUCCESSORS_READ);
        }
        for node in (0..net.nodes.len()).filter(|&node| self.parts[node] != Part::None) {
            let time = (self.parts[node], self.levels[node]);
            for signal in net.inputs(NodeId(node as u32)) {
                read(signal.node(), time);
            }
        }
        for (index, body) in net.loops.iter().enumerate() {
            for (latch, value) in body.latches.iter().filter(|(latch, _)| self.parts[latch.0 as usize] != Part::None) {
                let time = (self.parts[latch.0 as usize], self.loop_levels[index]);
                read(value.node(), time);
                read(*latch, time);
            }
        }
    }

    /// Frees the slots of values that are not read after a time.
    fn release(&mut self, time: Time) {
        let (last, slots, free) = (&self.last, &self.slots, &mut self.free);
        self.made.retain(|&node| {
            let needed = last[node as usize] > time;
            if !needed {
                free.push(slots[node as usize]);
            }
            needed
        });
    }

    fn program(&mut self, part: Part) -> Program {
        let mut program = Program::default();
        // Level, then kind: gates of one kind and level form a run.
        let mut runs: BTreeMap<(u32, u32, u32), Vec<u32>> = BTreeMap::new();
        for node in (0..self.net.nodes.len() as u32).filter(|&node| self.parts[node as usize] == part) {
            if self.region[node as usize] == OUTSIDE && matches!(self.net.nodes[node as usize], Node::And { .. }) {
                let (plain, inverted) = self.kind(node);
                runs.entry((self.levels[node as usize], plain, inverted)).or_default().push(node);
            }
        }
        let loops: Vec<usize> = (0..self.net.loops.len())
            .filter(|&index| self.net.loops[index].latches.iter().any(|(latch, _)| self.parts[latch.0 as usize] == part))
            .collect();
        let levels = runs.keys().map(|key| key.0).chain(loops.iter().map(|&index| self.loop_levels[index]));
        let mut levels: Vec<u32> = levels.collect();
        levels.sort_unstable();
        levels.dedup();
        for level in levels {
            // Gates of one level do not read each other, but read what the level before may have read last: slots are freed after it.
            for (&(_, plain, inverted), nodes) in runs.range((level, 0, 0)..(level + 1, 0, 0)) {
                let operands = program.operands.len() as u32;
                for &node in nodes {
                    let slot = self.take(node);
                    program.operands.push(slot);
                    self.operands(node, &mut program);
                }
                program.steps.push(Step::Run(Run { plain, inverted, count: nodes.len() as u32, operands }));
                self.made.extend(nodes);
            }
            for &index in &loops {
                if self.loop_levels[index] != level {
                    continue;
                }
                let step = self.loop_step(index, &mut program);
                program.steps.push(step);
            }
            self.release((part, level));
        }
        self.release((part, u32::MAX));
        program
    }

    fn kind(&self, node: u32) -> (u32, u32) {
        let inputs = self.net.inputs(NodeId(node));
        let inverted = inputs.iter().filter(|signal| signal.is_not()).count() as u32;
        (inputs.len() as u32 - inverted, inverted)
    }

    /// The slots a gate reads: plain inputs first.
    fn operands(&self, node: u32, program: &mut Program) {
        let inputs = self.net.inputs(NodeId(node));
        for inverted in [false, true] {
            let slots = inputs.iter().filter(|signal| signal.is_not() == inverted);
            program.operands.extend(slots.map(|signal| self.slots[signal.node().0 as usize]));
        }
    }

    fn loop_step(&mut self, index: usize, program: &mut Program) -> Step {
        let body = &self.net.loops[index];
        let mut latches = Vec::new();
        for (latch, _) in &body.latches {
            latches.push(self.take(latch.0));
            self.made.push(latch.0);
        }
        // A latch takes its value over as soon as that is known.
        let mut by_value: Vec<(u32, NodeId, Signal)> =
            body.latches.iter().map(|&(latch, value)| (value.node().0, latch, value)).collect();
        by_value.sort_unstable();
        let mut waiting = by_value.into_iter().peekable();
        let mut turns = Vec::new();
        for node in body.start..body.end {
            if self.region[node as usize] == index as u32 && matches!(self.net.nodes[node as usize], Node::And { .. }) {
                let (plain, inverted) = self.kind(node);
                let operands = program.operands.len() as u32;
                let slot = self.take(node);
                self.made.push(node);
                program.operands.push(slot);
                self.operands(node, program);
                turns.push(Turn::Gates(Run { plain, inverted, count: 1, operands }));
            }
            while let Some((_, latch, value)) = waiting.next_if(|(value, ..)| *value <= node) {
                turns.push(Turn::Latch { slot: self.slots[latch.0 as usize], value: self.wire(value) });
            }
        }
        Step::Loop(latches, turns)
    }
}

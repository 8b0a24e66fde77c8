//! The boolean network: conjunctions over inputs, and what the outputs read.

use crate::builder::Builder;
use std::ops::Not;
use std::sync::Arc;

/// A gate or an input: an index into [`Net::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

/// A node as it is, or its opposite: twice the node's number, plus one for the opposite.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Signal(pub u32);

impl Signal {
    /// Always true.
    pub const TRUE: Signal = Signal(0);
    /// Always false.
    pub const FALSE: Signal = Signal(1);

    /// The node read.
    pub fn node(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    /// Whether the opposite is meant.
    pub fn is_not(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Signal {
    type Output = Signal;

    /// The opposite.
    fn not(self) -> Signal {
        Signal(self.0 ^ 1)
    }
}

/// What a node is. A conjunction can say everything: an alternative is the opposite of a conjunction of opposites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Node 0.
    True,
    /// Whether a fluent holds in the state.
    Fluent(u32),
    /// Whether a move is played.
    Does(u32),
    /// One of a circle of atoms that support each other: false at first, then what its [`Loop`] makes of it. The number tells latches of a
    /// loop apart.
    Latch(u32),
    /// All of `signals[start..start + len]`.
    And {
        /// Where its list begins.
        start: u32,
        /// How long it is.
        len: u32,
    },
}

/// A range of nodes that is evaluated again and again until its latches no longer change. Within it no latch is denied, so that latches
/// only ever become true and what comes out is the least that the rules force.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The first node of the body.
    pub start: u32,
    /// One after the last.
    pub end: u32,
    /// Latches and the signals they become. A signal is of the body or of a node before it.
    pub latches: Vec<(NodeId, Signal)>,
}

/// A move of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The role's number.
    pub role: u32,
    /// The move as the sheet writes it.
    pub text: String,
    /// Whether it is legal; nobody asks in a state that is terminal.
    pub legal: Signal,
}

/// A goal value of a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The role's number.
    pub role: u32,
    /// The value as the sheet writes it.
    pub text: String,
    /// Whether the role has it.
    pub holds: Signal,
}

/// A fluent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fluent {
    /// As the sheet writes it.
    pub text: String,
    /// Whether it holds at the start.
    pub initial: bool,
    /// Whether it holds after the moves played. [`Signal::FALSE`] where no rule can make it so.
    pub next: Signal,
}

/// An atom that the rules derive from a state alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// As the sheet writes it.
    pub text: String,
    /// Whether it holds.
    pub holds: Signal,
}

/// A game as a network.
#[derive(Clone, Debug, Default)]
pub struct Net {
    /// Inputs and gates, each after all it reads (a latch apart).
    pub nodes: Vec<Node>,
    /// The lists of all conjunctions.
    pub signals: Vec<Signal>,
    /// Bodies of loops, in order; they do not overlap.
    pub loops: Vec<Loop>,
    /// The players' names.
    pub roles: Vec<String>,
    /// What can hold in a state; [`Node::Fluent`] counts in this order.
    pub fluents: Vec<Fluent>,
    /// What can be played; [`Node::Does`] counts in this order.
    pub moves: Vec<Move>,
    /// What can be earned.
    pub goals: Vec<Goal>,
    /// Whether the match is over; nothing where it can never be.
    pub terminal: Option<Signal>,
    /// What else is asked of a state: nothing of a network that is played on.
    pub probes: Vec<Probe>,
    /// What the rules derive from a state, as the probes of a network of its own: the same fluents by the same numbers, without their names, nothing played, and no loops.
    pub derived: Option<Arc<Net>>,
}

impl Net {
    /// The list of a conjunction; empty for inputs.
    pub fn inputs(&self, node: NodeId) -> &[Signal] {
        match self.nodes[node.0 as usize] {
            Node::And { start, len } => &self.signals[start as usize..(start + len) as usize],
            _ => &[],
        }
    }

    /// How many gates there are, and how many signals they read in all.
    pub fn size(&self) -> (usize, usize) {
        let gates =
            self.nodes.iter().filter_map(|node| if let Node::And { len, .. } = node { Some(*len as usize) } else { None });
        gates.fold((0, 0), |(count, fan_in), len| (count + 1, fan_in + len))
    }

    /// Every signal that is read from outside: successors, legal moves, goals, the end, probes.
    pub fn outputs(&self) -> impl Iterator<Item = Signal> {
        let fluents = self.fluents.iter().map(|fluent| fluent.next);
        let moves = self.moves.iter().map(|known| known.legal);
        let goals = self.goals.iter().map(|goal| goal.holds);
        let probes = self.probes.iter().map(|probe| probe.holds);
        fluents.chain(moves).chain(goals).chain(self.terminal).chain(probes)
    }

    /// The same inputs and outputs over other gates; `map` says what has become of a signal.
    pub(crate) fn with(&self, builder: Builder, loops: Vec<Loop>, map: impl Fn(Signal) -> Signal) -> Net {
        let mut made = Net {
            nodes: builder.nodes,
            signals: builder.signals,
            loops,
            roles: self.roles.clone(),
            fluents: self.fluents.clone(),
            moves: self.moves.clone(),
            goals: self.goals.clone(),
            terminal: self.terminal.map(&map),
            probes: self.probes.clone(),
            derived: self.derived.clone(),
        };
        made.fluents.iter_mut().for_each(|fluent| fluent.next = map(fluent.next));
        made.moves.iter_mut().for_each(|known| known.legal = map(known.legal));
        made.goals.iter_mut().for_each(|goal| goal.holds = map(goal.holds));
        made.probes.iter_mut().for_each(|probe| probe.holds = map(probe.holds));
        made
    }
}

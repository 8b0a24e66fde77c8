//! The programs of one turn phase: what random play runs on.

use super::layout::{Layout, Wire};
use ludens_ground::{Net, Signal};

/// What a role does in a phase.
#[derive(Debug)]
pub(super) enum Choice {
    /// It has one move in every state, which the programs know.
    Forced(usize),
    /// It never has a move.
    Stuck,
    /// It has these: their numbers, where they are read, where they are played, and how likely each is, as a power of two, ascending.
    Moves { moves: Vec<usize>, legal: Vec<Wire>, does: Vec<u32>, shifts: Vec<u8> },
}

/// One phase, laid out.
#[derive(Debug)]
pub(super) struct Phase {
    /// Fluents that hold in all states of the phase, or in none.
    pub(super) known: Vec<Option<bool>>,
    /// The same as words of a state: which fluents are known, and which of them hold.
    marks: Vec<(u64, u64)>,
    pub(super) net: Net,
    pub(super) layout: Layout,
    pub(super) choices: Vec<Choice>,
    /// Per role.
    pub(super) values: Vec<Values>,
    /// Slots of the fluents that the next phase reads.
    pub(super) copies: Copies,
}

/// Slots of fluents, and what they become.
#[derive(Debug)]
pub(super) struct Copies {
    /// Those whose value is another fluent's: all must be read before any is written.
    pub(super) early: Vec<(u32, Wire)>,
    pub(super) late: Vec<(u32, Wire)>,
}

impl Copies {
    /// Of the fluents that are needed, those that change.
    pub(super) fn new(layout: &Layout, is_needed: impl Fn(usize) -> bool) -> Copies {
        let slots = (layout.fluents..).zip(layout.successor.iter().copied()).enumerate();
        let changing =
            slots.filter(|(fluent, (slot, wire))| is_needed(*fluent) && *wire != Wire { slot: *slot, inverted: false });
        let reads_fluent = |wire: &Wire| wire.slot >= layout.fluents && wire.slot < layout.does;
        let (early, late) = changing.map(|(_, copy)| copy).partition(|(_, wire)| reads_fluent(wire));
        Copies { early, late }
    }
}

impl Phase {
    /// Lays out phases in the order in which a match goes through them.
    /// `shifts` says of every move how likely it is, as a power of two.
    pub(super) fn all(phases: Vec<ludens_ground::Phase>, shifts: &[u8]) -> Vec<Phase> {
        let known: Vec<Vec<Option<bool>>> = phases.iter().map(|phase| phase.known.clone()).collect();
        let next = |index: usize| &known[(index + 1) % known.len()];
        phases.into_iter().enumerate().map(|(index, phase)| Phase::new(phase.net, phase.known, next(index), shifts)).collect()
    }

    /// The whole network as the only phase, in which nothing is known.
    pub(super) fn whole(net: Net) -> Phase {
        let unknown = vec![None; net.fluents.len()];
        Phase::new(net, unknown.clone(), &unknown, &[])
    }

    fn new(net: Net, known: Vec<Option<bool>>, next: &[Option<bool>], shifts: &[u8]) -> Phase {
        let layout = Layout::new(&net);
        let choice = |role: usize| {
            let moves = net.moves.iter().enumerate().filter(|(_, known)| known.role as usize == role);
            let shift = |index: usize| shifts.get(index).copied().unwrap_or(0);
            let mut possible: Vec<usize> =
                moves.filter(|(_, known)| known.legal != Signal::FALSE).map(|(index, _)| index).collect();
            possible.sort_by_key(|&index| shift(index));
            match possible[..] {
                [] => Choice::Stuck,
                [only] if net.moves[only].legal == Signal::TRUE => Choice::Forced(only),
                _ => Choice::Moves {
                    legal: possible.iter().map(|&index| layout.legal[index]).collect(),
                    does: possible.iter().map(|&index| layout.does + index as u32).collect(),
                    shifts: possible.iter().map(|&index| shift(index)).collect(),
                    moves: possible,
                },
            }
        };
        let choices = (0..net.roles.len()).map(choice).collect();
        let values = (0..net.roles.len()).map(|role| values(&net, role, &layout.goal)).collect();
        let copies = Copies::new(&layout, |fluent| next[fluent].is_none());
        let bits = |fluents: &[Option<bool>], value: &[Option<bool>]| {
            fluents.iter().enumerate().fold(0, |word, (at, known)| word | u64::from(value.contains(known)) << at)
        };
        let marks = known.chunks(64).map(|group| (bits(group, &[Some(true), Some(false)]), bits(group, &[Some(true)]))).collect();
        Phase { known, marks, net, layout, choices, values, copies }
    }

    /// A role's goal values as points, ascending.
    pub(super) fn goals(&self, role: usize) -> impl Iterator<Item = (u8, Signal)> {
        goals(&self.net, role).map(|(points, index)| (points, self.net.goals[index].holds))
    }

    /// Whether a state, given by its words, can be of this phase.
    pub(super) fn fits(&self, words: &[u64]) -> bool {
        self.marks.iter().zip(words).all(|((known, holding), word)| word & known == *holding)
    }
}

/// A role's goal values as points, ascending, and where they are read.
pub(super) type Values = Vec<(u8, Wire)>;

pub(super) fn values(net: &Net, role: usize, goal: &[Wire]) -> Values {
    goals(net, role).map(|(points, index)| (points, goal[index])).collect()
}

/// A role's goal values as points, ascending, and their numbers.
fn goals(net: &Net, role: usize) -> impl Iterator<Item = (u8, usize)> {
    let of_role = net.goals.iter().enumerate().filter(|(_, goal)| goal.role as usize == role);
    let mut values: Vec<(u8, usize)> =
        of_role.filter_map(|(index, goal)| Some((ludens_gdl::points(&goal.text)?, index))).collect();
    values.sort_by_key(|(points, _)| *points);
    values.into_iter()
}

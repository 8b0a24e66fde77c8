//! The programs of one turn phase: what random play runs on.

use super::layout::{Layout, Wire};
use crate::State;
use ludens_ground::{Net, Signal};

/// What a role does in a phase.
#[derive(Debug)]
pub(super) enum Choice {
    /// It has one move in every state, which the programs know.
    Forced(usize),
    /// It never has a move.
    Stuck,
    /// It has these: their numbers, where they are read, and where they are played.
    Moves { moves: Vec<usize>, legal: Vec<Wire>, does: Vec<u32> },
}

/// One phase, laid out.
#[derive(Debug)]
pub(super) struct Phase {
    /// Fluents that hold in all states of the phase, or in none.
    pub(super) known: Vec<Option<bool>>,
    pub(super) net: Net,
    pub(super) layout: Layout,
    pub(super) choices: Vec<Choice>,
    /// Per role: goal values as points, ascending.
    pub(super) values: Vec<Vec<(u8, Wire)>>,
    /// Slots of the fluents that the next phase reads, and what they become: those whose value is another fluent's first.
    pub(super) copies: Vec<(u32, Wire)>,
    /// How many of the copies read a fluent's slot.
    pub(super) early: usize,
}

impl Phase {
    /// Lays out phases in the order in which a match goes through them.
    pub(super) fn all(phases: Vec<ludens_ground::Phase>) -> Vec<Phase> {
        let known: Vec<Vec<Option<bool>>> = phases.iter().map(|phase| phase.known.clone()).collect();
        let next = |index: usize| &known[(index + 1) % known.len()];
        phases.into_iter().enumerate().map(|(index, phase)| Phase::new(phase.net, phase.known, next(index))).collect()
    }

    /// The whole network as the only phase, in which nothing is known.
    pub(super) fn whole(net: Net) -> Phase {
        let unknown = vec![None; net.fluents.len()];
        Phase::new(net, unknown.clone(), &unknown)
    }

    fn new(net: Net, known: Vec<Option<bool>>, next: &[Option<bool>]) -> Phase {
        let layout = Layout::new(&net);
        let choice = |role: usize| {
            let moves = net.moves.iter().enumerate().filter(|(_, known)| known.role as usize == role);
            let possible: Vec<usize> = moves.filter(|(_, known)| known.legal != Signal::FALSE).map(|(index, _)| index).collect();
            match possible[..] {
                [] => Choice::Stuck,
                [only] if net.moves[only].legal == Signal::TRUE => Choice::Forced(only),
                _ => Choice::Moves {
                    legal: possible.iter().map(|&index| layout.legal[index]).collect(),
                    does: possible.iter().map(|&index| layout.does + index as u32).collect(),
                    moves: possible,
                },
            }
        };
        let choices = (0..net.roles.len()).map(choice).collect();
        let values =
            (0..net.roles.len()).map(|role| goals(&net, role).map(|(points, index)| (points, layout.goal[index])).collect());
        let values = values.collect();
        let slots = (layout.fluents..).zip(&layout.successor).zip(next);
        let changing = slots.filter(|((slot, wire), known)| known.is_none() && **wire != Wire { slot: *slot, inverted: false });
        let reads_fluent = |wire: &Wire| wire.slot >= layout.fluents && wire.slot < layout.does;
        let (early, late): (Vec<_>, Vec<_>) =
            changing.map(|((slot, &wire), _)| (slot, wire)).partition(|(_, wire)| reads_fluent(wire));
        let count = early.len();
        Phase { known, choices, values, copies: [early, late].concat(), early: count, layout, net }
    }

    /// A role's goal values as points, ascending.
    pub(super) fn goals(&self, role: usize) -> impl Iterator<Item = (u8, Signal)> {
        goals(&self.net, role).map(|(points, index)| (points, self.net.goals[index].holds))
    }

    /// Whether a state can be of this phase.
    pub(super) fn fits(&self, state: &State) -> bool {
        self.known.iter().enumerate().all(|(fluent, known)| known.is_none_or(|known| known == state.holds(fluent)))
    }
}

/// A role's goal values as points, ascending, and their numbers.
fn goals(net: &Net, role: usize) -> impl Iterator<Item = (u8, usize)> {
    let of_role = net.goals.iter().enumerate().filter(|(_, goal)| goal.role as usize == role);
    let mut values: Vec<(u8, usize)> =
        of_role.filter_map(|(index, goal)| Some((ludens_gdl::points(&goal.text)?, index))).collect();
    values.sort_by_key(|(points, _)| *points);
    values.into_iter()
}

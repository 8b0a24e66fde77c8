//! Programs that answer a single question about states of any phase.

use super::layout::{Asked, Layout};
use super::phase::{self, Copies, Values};
use ludens_ground::Net;

/// What a question depends on is less than what all of them do: each program works out that part of the network alone.
#[derive(Debug)]
pub(super) struct Cones {
    /// Whether the match is over.
    pub(super) end: Layout,
    pub(super) goals: Layout,
    /// Per role.
    pub(super) values: Vec<Values>,
    pub(super) successors: Layout,
    pub(super) copies: Copies,
}

impl Cones {
    pub(super) fn new(net: &Net) -> Cones {
        let end = Layout::of(net, Asked { terminal: net.terminal, ..Asked::NOTHING });
        let goals = Layout::of(net, Asked { goals: &net.goals, ..Asked::NOTHING });
        let successors = Layout::of(net, Asked { successors: &net.fluents, ..Asked::NOTHING });
        let values = (0..net.roles.len()).map(|role| phase::values(net, role, &goals.goal)).collect();
        let copies = Copies::new(&successors, |_| true);
        Cones { end, goals, values, successors, copies }
    }
}

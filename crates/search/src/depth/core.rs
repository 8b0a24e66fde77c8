//! What alpha-beta keeps from move to move.

use super::expand::{Expander, Positions};
use super::options::Options;
use super::order::Order;
use super::table::Table;
use crate::Settings;
use ludens_machine::Machine;
use ludens_score::Evaluator;
use std::sync::Arc;

/// Positions at one ply, children of one node, and the order in which they are looked at.
#[derive(Debug)]
pub(super) struct Ply {
    pub(super) positions: Positions,
    pub(super) own: Vec<u64>,
    pub(super) replies: Vec<u64>,
}

/// What is kept from move to move.
#[derive(Debug)]
pub(super) struct Core<'m> {
    pub(super) machine: &'m Machine,
    pub(super) expander: Expander<'m>,
    pub(super) options: Options,
    settings: Settings,
    pub(super) table: Table,
    pub(super) order: Order,
    pub(super) plies: Vec<Ply>,
    /// Leaves of several nodes.
    pub(super) leaves: Positions,
    /// Whether two sides had a choice at the same time anywhere.
    pub(super) simultaneous: bool,
}

impl<'m> Core<'m> {
    pub(super) fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, options: Options, settings: Settings) -> Core<'m> {
        let expander = Expander::new(machine, evaluator);
        Core {
            machine,
            leaves: expander.positions(),
            expander,
            options,
            settings,
            table: Table::new(if options.table { settings.memory } else { 0 }),
            order: Order::new(options.killers, options.history),
            plies: Vec::new(),
            simultaneous: false,
        }
    }

    /// Another move is to be chosen.
    pub(super) fn begin(&mut self, role: usize) {
        self.expander.begin(role, self.settings.seed);
        self.table.grow_older();
        self.order.begin();
        self.reach(0);
    }

    /// The list that holds the position that is searched, and what goes on from there.
    pub(super) fn root(&mut self) -> (&mut Expander<'m>, &Table, &mut Positions) {
        (&mut self.expander, &self.table, &mut self.plies[0].positions)
    }

    /// Whether the coalition's aim is what the others want anyway: only then its replies are the best ones.
    pub(super) fn is_faithful(&self) -> bool {
        self.expander.is_contest() && !self.simultaneous
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.table.bytes() + self.plies.iter().map(|ply| ply.positions.bytes()).sum::<usize>()
    }

    /// Makes sure that there is a list for a ply.
    pub(super) fn reach(&mut self, ply: usize) {
        while self.plies.len() <= ply {
            self.plies.push(Ply { positions: self.expander.positions(), own: Vec::new(), replies: Vec::new() });
        }
    }
}

//! What alpha-beta keeps from move to move.

use super::expand::{Expander, Positions};
use super::foresee::Foresight;
use super::found::Window;
use super::node::known;
use super::options::Options;
use super::order::Order;
use super::table::{Entry, Table};
use crate::Settings;
use ludens_machine::Machine;
use ludens_score::Evaluator;
use std::sync::Arc;

/// Positions at one ply, children of one node or of several siblings, and the order in which those of one node are looked at.
#[derive(Debug)]
pub(super) struct Ply {
    pub(super) positions: Positions,
    /// Whose children they are, all of them and no leaves: the places of the parents at the ply before, and of their first children here.
    pub(super) made: Vec<(usize, usize)>,
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
    /// How well shallow searches foresee deep ones, where that is to be made use of.
    pub(super) foresight: Option<Arc<Foresight>>,
    pub(super) plies: Vec<Ply>,
    /// Leaves of several nodes.
    pub(super) leaves: Positions,
    /// Whether two sides had a choice at the same time anywhere.
    pub(super) simultaneous: bool,
}

impl<'m> Core<'m> {
    pub(super) fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, options: Options, settings: Settings) -> Core<'m> {
        let expander = Expander::new(machine, evaluator, options.narrow);
        Core {
            machine,
            leaves: expander.positions(),
            expander,
            options,
            settings,
            table: Table::new(if options.table { settings.memory } else { 0 }),
            order: Order::new(options.killers, options.history),
            foresight: None,
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
        self.plies.iter_mut().for_each(|ply| ply.made.clear());
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

    /// Lists of two plies: nodes, and children of theirs that take the place of others, so that nothing that was made of those is of use.
    pub(super) fn renew(&mut self, ply: usize) -> (&mut Expander<'m>, &Positions, &mut Ply) {
        self.reach(ply + 2);
        let Core { plies, expander, .. } = self;
        let (parents, children) = plies.split_at_mut(ply + 1);
        children[0].made.clear();
        children[1].made.clear();
        (expander, &parents[ply].positions, &mut children[0])
    }

    /// Where the children of a node are, if they are there: the place of the first at the next ply.
    #[inline]
    pub(super) fn first_child(&self, ply: usize, index: usize) -> Option<usize> {
        let children = self.plies.get(ply + 1)?;
        children.made.iter().find(|(parent, _)| *parent == index).map(|&(_, first)| first)
    }

    /// Whether the table makes it needless to look at a node of some depth: its leaves are known, or as much as a window asks for.
    #[inline]
    pub(super) fn is_answered(&self, key: u64, depth: u32, window: Window) -> bool {
        let answers = |entry: &Entry| match depth {
            1 => entry.depth > 0,
            _ => known(entry, depth, window, self.options.deeper).is_some(),
        };
        self.table.get(key).as_ref().is_some_and(answers)
    }

    /// Makes sure that there is a list for a ply.
    pub(super) fn reach(&mut self, ply: usize) {
        while self.plies.len() <= ply {
            let (made, own, replies) = Default::default();
            self.plies.push(Ply { positions: self.expander.positions(), made, own, replies });
        }
    }
}

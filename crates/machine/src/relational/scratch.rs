//! The `Lanes` calls of the reference engine: one lane after the other.

use super::registry::NONE;
use super::ring::{NOWHERE, Place};
use super::run::Core;
use super::transpositions::{TableUse, Transpositions};
use super::{Relational, pack, unpack};
use crate::{Error, GoalId, MoveId, RoleId, State};

#[derive(Clone, Debug)]
struct Lane {
    loaded: bool,
    fluents: Vec<u32>,
    terminal: bool,
    /// Per role.
    legal: Vec<Vec<MoveId>>,
    /// The moves chosen, as terms; empty if none are.
    joint: Vec<u32>,
    /// Where the state is in the transposition table, if it is.
    place: Place,
}

/// Scratch of the reference engine.
#[derive(Debug)]
pub struct Scratch<'m> {
    engine: &'m Relational,
    core: Core<'m>,
    lanes: Vec<Lane>,
    /// The lane whose state is in the core.
    in_hand: usize,
    table: Option<Transpositions>,
    /// The goal values asked for last, as terms.
    goals: Vec<u32>,
}

impl<'m> Scratch<'m> {
    pub(super) fn new(engine: &'m Relational, width: usize) -> Scratch<'m> {
        let roles = engine.roles.len();
        let legal = vec![Vec::new(); roles];
        let lane = Lane { loaded: false, fluents: Vec::new(), terminal: false, legal, joint: Vec::new(), place: NOWHERE };
        let table = (engine.table > 0).then(|| Transpositions::new(engine.table, roles));
        Scratch { engine, core: engine.core(), lanes: vec![lane; width], in_hand: usize::MAX, table, goals: Vec::new() }
    }

    pub(crate) fn width(&self) -> usize {
        self.lanes.len()
    }

    pub(crate) fn load(&mut self, lane: usize, state: &State) {
        let slot = &mut self.lanes[lane];
        slot.loaded = true;
        slot.joint.clear();
        slot.fluents.clear();
        slot.fluents.extend(unpack(state));
        slot.place = NOWHERE;
        // States sort their fluents, so the last is the largest number.
        if slot.fluents.last().is_some_and(|&last| last as usize >= self.core.replica.fluents.len()) {
            self.core.replica.catch_up();
        }
        self.drop_hand(lane);
    }

    fn drop_hand(&mut self, lane: usize) {
        if self.in_hand == lane {
            self.in_hand = usize::MAX;
        }
    }

    /// Puts states, given by their words, into the first lanes, and empties all others.
    pub(crate) fn load_all<'a>(&mut self, states: impl Iterator<Item = &'a [u64]>) {
        self.lanes.iter_mut().for_each(|lane| lane.loaded = false);
        for (lane, words) in states.enumerate() {
            self.load(lane, &State::of_words(words));
        }
    }

    pub(crate) fn unload(&mut self, lane: usize) {
        self.lanes[lane].loaded = false;
    }

    fn take_in_hand(&mut self, lane: usize) {
        if self.in_hand != lane {
            self.core.set_state(&self.lanes[lane].fluents);
            self.in_hand = lane;
        }
    }

    pub(crate) fn evaluate(&mut self, fully: bool) -> Result<(), Error> {
        let queries = self.engine.program.queries;
        let steps = self.engine.limits.steps;
        for lane in 0..self.lanes.len() {
            if !self.lanes[lane].loaded {
                continue;
            }
            if self.recall(lane, fully) {
                continue;
            }
            self.take_in_hand(lane);
            let terminal = match queries.terminal {
                Some(goal) => self.core.ask(goal, &[], steps)?.count > 0,
                None => false,
            };
            self.lanes[lane].terminal = terminal;
            if let Some(goal) = queries.legal
                && (fully || !terminal)
            {
                self.core.ask(goal, &[], steps)?;
                for (legal, moves) in self.lanes[lane].legal.iter_mut().zip(&self.core.moves) {
                    legal.clear();
                    legal.extend(moves.iter().map(|&id| MoveId(id)));
                    if !legal.is_sorted() {
                        legal.sort_unstable();
                    }
                }
            } else {
                self.lanes[lane].legal.iter_mut().for_each(Vec::clear);
            }
            if let Some(table) = &mut self.table {
                let Lane { place, legal, .. } = &self.lanes[lane];
                table.keep_evaluation(*place, terminal, (fully || !terminal).then_some(legal));
            }
        }
        Ok(())
    }

    /// Evaluates a lane from the table, if there is one and it can.
    fn recall(&mut self, lane: usize, fully: bool) -> bool {
        let Some(table) = &mut self.table else { return false };
        let lane = &mut self.lanes[lane];
        lane.place = table.place(lane.place, &lane.fluents);
        match table.evaluation(lane.place, fully, &mut lane.legal) {
            Some(terminal) => {
                lane.terminal = terminal;
                true
            }
            None => false,
        }
    }

    /// How much the transposition table is used, if there is one.
    pub(crate) fn table_use(&self) -> Option<TableUse> {
        self.table.as_ref().map(Transpositions::used)
    }

    pub(crate) fn terminal(&self, lane: usize) -> bool {
        self.lanes[lane].terminal
    }

    pub(crate) fn legal(&self, lane: usize, role: RoleId) -> &[MoveId] {
        &self.lanes[lane].legal[role.0 as usize]
    }

    pub(crate) fn goals(&mut self, lane: usize, role: RoleId) -> Result<Vec<GoalId>, Error> {
        let mut goals = Vec::new();
        self.each_goal(lane, role, |term, _| goals.push(GoalId(term)))?;
        goals.sort_by_cached_key(|&goal| self.engine.goal_text(goal));
        Ok(goals)
    }

    pub(crate) fn points(&mut self, lane: usize, role: RoleId) -> Result<u8, Error> {
        let mut least: Option<u8> = None;
        self.each_goal(lane, role, |_, points| {
            if let Some(points) = points {
                least = Some(least.map_or(points, |least| least.min(points)));
            }
        })?;
        Ok(least.unwrap_or(0))
    }

    /// Appends the points of the first lanes, lane after lane, role after role.
    pub(crate) fn points_all(&mut self, count: usize, points: &mut Vec<u8>) -> Result<(), Error> {
        for lane in 0..count {
            for role in 0..self.engine.roles.len() {
                let here = if self.lanes[lane].loaded { self.points(lane, RoleId(role as u32))? } else { 0 };
                points.push(here);
            }
        }
        Ok(())
    }

    /// Calls back with every goal value of a role: the term, and its points if it has any.
    fn each_goal(&mut self, lane: usize, role: RoleId, mut each: impl FnMut(u32, Option<u8>)) -> Result<(), Error> {
        self.list_goals(lane, role.0 as usize)?;
        for &term in &self.goals {
            let points = match self.core.replica.terms.args(term) {
                [] => self.engine.points_of(self.core.replica.terms.symbol(term)),
                _ => None,
            };
            each(term, points);
        }
        Ok(())
    }

    /// Puts the goal values of a role into `goals`.
    fn list_goals(&mut self, lane: usize, role: usize) -> Result<(), Error> {
        self.goals.clear();
        let Some(goal) = self.engine.program.queries.goal else { return Ok(()) };
        if let Some(table) = &mut self.table {
            let lane = &mut self.lanes[lane];
            lane.place = table.place(lane.place, &lane.fluents);
            if table.goals(lane.place, role, &mut self.goals) {
                return Ok(());
            }
        }
        self.take_in_hand(lane);
        let answers = self.core.ask(goal, &[self.engine.roles[role]], self.engine.limits.steps)?;
        let arena = self.engine.program.goals[goal as usize].arena;
        let mut row = answers.head;
        while row != NONE {
            self.goals.push(self.core.tables.values(arena, row, 1)[0]);
            row = self.core.tables.next(arena, row);
        }
        if let Some(table) = &mut self.table {
            table.keep_goals(self.lanes[lane].place, role, &self.goals);
        }
        Ok(())
    }

    pub(crate) fn play(&mut self, lane: usize, joint: &[MoveId]) {
        assert_eq!(joint.len(), self.engine.roles.len(), "one move per role");
        if joint.iter().any(|id| id.0 as usize >= self.core.replica.moves.len()) {
            self.core.replica.catch_up();
        }
        let Scratch { core, lanes, .. } = self;
        lanes[lane].joint.clear();
        lanes[lane].joint.extend(joint.iter().map(|id| core.replica.moves.term(id.0)));
    }

    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        for lane in 0..self.lanes.len() {
            if !self.lanes[lane].loaded || self.lanes[lane].joint.len() != self.engine.roles.len() {
                continue;
            }
            if self.recall_successor(lane) {
                continue;
            }
            self.take_in_hand(lane);
            let Scratch { engine, core, lanes, table, .. } = self;
            core.set_moves(&lanes[lane].joint);
            core.out.clear();
            if let Some(next) = engine.program.queries.next {
                core.ask(next, &[], engine.limits.steps)?;
            }
            let slot = &mut lanes[lane];
            slot.fluents.clone_from(&core.out);
            slot.place = match table {
                Some(table) => table.keep_successor(slot.place, &slot.joint, &slot.fluents),
                None => NOWHERE,
            };
            slot.joint.clear();
            self.in_hand = usize::MAX;
        }
        Ok(())
    }

    /// Advances a lane from the table, if there is one and it can.
    fn recall_successor(&mut self, lane: usize) -> bool {
        let Some(table) = &mut self.table else { return false };
        let slot = &mut self.lanes[lane];
        slot.place = table.place(slot.place, &slot.fluents);
        let Some(successor) = table.successor(slot.place, &slot.joint, &mut slot.fluents) else { return false };
        slot.place = successor;
        slot.joint.clear();
        self.drop_hand(lane);
        true
    }

    pub(crate) fn state(&self, lane: usize) -> State {
        assert!(self.lanes[lane].loaded, "lane {lane} is empty");
        pack(&self.lanes[lane].fluents)
    }
}

//! The `Lanes` calls of the reference engine: one lane after the other.

use super::registry::NONE;
use super::run::Core;
use super::{Relational, pack, unpack};
use crate::{Error, GoalId, MoveId, RoleId, State};

#[derive(Clone, Debug, Default)]
struct Lane {
    loaded: bool,
    fluents: Vec<u32>,
    terminal: bool,
    /// Per role.
    legal: Vec<Vec<MoveId>>,
    /// The moves chosen, as terms; empty if none are.
    joint: Vec<u32>,
}

/// Scratch of the reference engine.
#[derive(Debug)]
pub struct Scratch<'m> {
    engine: &'m Relational,
    core: Core<'m>,
    lanes: Vec<Lane>,
    /// The lane whose state is in the core.
    in_hand: usize,
}

impl<'m> Scratch<'m> {
    pub(super) fn new(engine: &'m Relational, width: usize) -> Scratch<'m> {
        let lane = Lane { legal: vec![Vec::new(); engine.roles.len()], ..Lane::default() };
        Scratch { engine, core: engine.core(), lanes: vec![lane; width], in_hand: usize::MAX }
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
        }
        Ok(())
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

    /// Calls back with every goal value of a role: the term, and its points if it has any.
    fn each_goal(&mut self, lane: usize, role: RoleId, mut each: impl FnMut(u32, Option<u8>)) -> Result<(), Error> {
        let Some(goal) = self.engine.program.queries.goal else { return Ok(()) };
        self.take_in_hand(lane);
        let answers = self.core.ask(goal, &[self.engine.roles[role.0 as usize]], self.engine.limits.steps)?;
        let arena = self.engine.program.goals[goal as usize].arena;
        let mut row = answers.head;
        while row != NONE {
            let term = self.core.tables.values(arena, row, 1)[0];
            let points = match self.core.replica.terms.args(term) {
                [] => self.engine.points_of(self.core.replica.terms.symbol(term)),
                _ => None,
            };
            each(term, points);
            row = self.core.tables.next(arena, row);
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
            self.take_in_hand(lane);
            let Scratch { engine, core, lanes, .. } = self;
            core.set_moves(&lanes[lane].joint);
            core.out.clear();
            if let Some(next) = engine.program.queries.next {
                core.ask(next, &[], engine.limits.steps)?;
            }
            lanes[lane].fluents.clone_from(&core.out);
            lanes[lane].joint.clear();
            self.in_hand = usize::MAX;
        }
        Ok(())
    }

    pub(crate) fn state(&self, lane: usize) -> State {
        assert!(self.lanes[lane].loaded, "lane {lane} is empty");
        pack(&self.lanes[lane].fluents)
    }
}

//! Small games solved by going through everything, without any code of the searches.

use ludens_machine::{Lanes, Machine, MoveId, RoleId, State};
use ludens_search::Bounds;
use std::collections::HashMap;

/// The game is not solved: it has more states than allowed, or the same state comes twice in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limited;

/// Longer matches are not solved.
const DEEPEST: usize = 400;
/// Per state that is allowed, so many successors are allowed.
const SUCCESSORS: usize = 16;

/// What follows from a state.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// The match is over, or somebody is stuck: the points as they stand, per role.
    End(Vec<u8>),
    /// The legal moves per role, and the successors: joint moves in lexicographic order of the places in those lists, the last role's changing fastest.
    Inner(Vec<Vec<MoveId>>, Vec<State>),
}

/// Knows every state it was asked about, and all that follow.
#[derive(Debug)]
pub(crate) struct Solver<'m> {
    lanes: Lanes<'m>,
    roles: usize,
    /// The sum of the points of both roles in every end, if it is always the same: what a role gets the other one loses.
    sum: Option<u8>,
    limit: usize,
    successors: usize,
    bounds: HashMap<State, Option<Vec<Bounds>>>,
    paranoid: HashMap<(State, RoleId), Option<u8>>,
}

impl<'m> Solver<'m> {
    /// Knows nothing yet, and will not look at more than `limit` states. `sum` is for games of two roles.
    pub(crate) fn new(machine: &'m Machine, sum: Option<u8>, limit: usize) -> Solver<'m> {
        let roles = machine.roles().len();
        assert!(sum.is_none() || roles == 2, "constant sums are for two");
        let (lanes, bounds, paranoid) = (machine.lanes(1), HashMap::new(), HashMap::new());
        Solver { lanes, roles, sum, limit, successors: limit.saturating_mul(SUCCESSORS), bounds, paranoid }
    }

    /// How many states are known.
    pub(crate) fn states(&self) -> usize {
        self.bounds.len()
    }

    /// What follows from a state.
    pub(crate) fn node(&mut self, state: &State) -> Result<Node, Limited> {
        let lanes = &mut self.lanes;
        lanes.load(0, state);
        lanes.evaluate().expect("an evaluation");
        let roles = (0..self.roles).map(|role| RoleId(role as u32));
        let legal: Vec<Vec<MoveId>> = roles.clone().map(|role| lanes.legal(0, role).to_vec()).collect();
        if lanes.terminal(0) || legal.iter().any(Vec::is_empty) {
            return Ok(Node::End(roles.map(|role| lanes.points(0, role).expect("points")).collect()));
        }
        let count = legal.iter().map(Vec::len).product();
        self.successors = self.successors.checked_sub(count).ok_or(Limited)?;
        let mut successors = Vec::with_capacity(count);
        for number in 0..count {
            lanes.load(0, state);
            lanes.evaluate().expect("an evaluation");
            lanes.play(0, &joint(&legal, number));
            lanes.advance().expect("a successor");
            successors.push(lanes.state(0));
        }
        Ok(Node::Inner(legal, successors))
    }

    /// What is certain about the points of every role.
    pub(crate) fn solve(&mut self, state: &State) -> Result<Vec<Bounds>, Limited> {
        self.solve_below(state, 0)
    }

    fn solve_below(&mut self, state: &State, depth: usize) -> Result<Vec<Bounds>, Limited> {
        if let Some(known) = self.bounds.get(state) {
            // Known to be looked at, but not yet what it is worth: the same state again within a match.
            return known.clone().ok_or(Limited);
        }
        if self.bounds.len() >= self.limit || depth > DEEPEST {
            return Err(Limited);
        }
        self.bounds.insert(state.clone(), None);
        let found = match self.node(state)? {
            Node::End(points) => points.into_iter().map(Bounds::exact).collect(),
            Node::Inner(legal, successors) => {
                let below: Result<Vec<_>, _> = successors.iter().map(|state| self.solve_below(state, depth + 1)).collect();
                self.backed_up(&legal, &below?)
            }
        };
        self.bounds.insert(state.clone(), Some(found.clone()));
        Ok(found)
    }

    /// What the successors say about the state before them.
    fn backed_up(&self, legal: &[Vec<MoveId>], below: &[Vec<Bounds>]) -> Vec<Bounds> {
        let mut choosers = (0..self.roles).filter(|&role| legal[role].len() > 1);
        match (choosers.next(), choosers.next()) {
            (None, _) => below[0].clone(),
            (Some(mover), None) => {
                let low = below.iter().map(|bounds| bounds[mover].low).max().expect("a successor");
                // The mover may choose any of these as far as we know.
                let possible: Vec<&Vec<Bounds>> = below.iter().filter(|bounds| bounds[mover].high >= low).collect();
                let of_role = |role: usize| Bounds {
                    low: if role == mover { low } else { possible.iter().map(|bounds| bounds[role].low).min().expect("one") },
                    high: possible.iter().map(|bounds| bounds[role].high).max().expect("one"),
                };
                (0..self.roles).map(of_role).collect()
            }
            (Some(_), Some(_)) => {
                let low = |role: usize| {
                    let certain =
                        |own: usize| with_move(legal, role, own).map(|number| below[number][role].low).min().expect("one");
                    (0..legal[role].len()).map(certain).max().expect("a move")
                };
                let high = |role: usize| match self.sum {
                    Some(sum) => sum - low(1 - role),
                    None => below.iter().map(|bounds| bounds[role].high).max().expect("a successor"),
                };
                (0..self.roles).map(|role| Bounds { low: low(role), high: high(role) }).collect()
            }
        }
    }

    /// What is certain about the points of a role after each of its moves; nothing where the match is over.
    pub(crate) fn moves(&mut self, state: &State, role: RoleId) -> Result<Vec<(MoveId, Bounds)>, Limited> {
        let Node::Inner(legal, successors) = self.node(state)? else { return Ok(Vec::new()) };
        let role = role.0 as usize;
        let mut found = Vec::new();
        for (own, &id) in legal[role].iter().enumerate() {
            let mut bounds = Bounds { low: 100, high: 0 };
            for number in with_move(&legal, role, own) {
                let after = self.solve(&successors[number])?[role];
                bounds = Bounds { low: bounds.low.min(after.low), high: bounds.high.max(after.high) };
            }
            found.push((id, bounds));
        }
        Ok(found)
    }

    /// The points of a role if it plays as well as it can, all others want it to have little, and they see its move before they choose theirs.
    pub(crate) fn paranoid(&mut self, state: &State, role: RoleId) -> Result<u8, Limited> {
        self.paranoid_below(state, role, 0)
    }

    fn paranoid_below(&mut self, state: &State, role: RoleId, depth: usize) -> Result<u8, Limited> {
        let key = (state.clone(), role);
        if let Some(known) = self.paranoid.get(&key) {
            return known.ok_or(Limited);
        }
        if self.paranoid.len() >= self.limit || depth > DEEPEST {
            return Err(Limited);
        }
        self.paranoid.insert(key.clone(), None);
        let found = match self.node(state)? {
            Node::End(points) => points[role.0 as usize],
            Node::Inner(legal, successors) => {
                let below: Result<Vec<u8>, _> =
                    successors.iter().map(|state| self.paranoid_below(state, role, depth + 1)).collect();
                let below = below?;
                let role = role.0 as usize;
                let worst = |own: usize| with_move(&legal, role, own).map(|number| below[number]).min().expect("one");
                (0..legal[role].len()).map(worst).max().expect("a move")
            }
        };
        self.paranoid.insert(key, Some(found));
        Ok(found)
    }
}

/// The joint move with this number.
pub(crate) fn joint(legal: &[Vec<MoveId>], number: usize) -> Vec<MoveId> {
    (0..legal.len()).map(|role| legal[role][place(legal, role, number)]).collect()
}

/// The place of a role's move in its list, in the joint move with this number.
fn place(legal: &[Vec<MoveId>], role: usize, number: usize) -> usize {
    let later: usize = legal[role + 1..].iter().map(Vec::len).product();
    number / later % legal[role].len()
}

/// The numbers of all joint moves in which a role plays one of its moves.
fn with_move(legal: &[Vec<MoveId>], role: usize, own: usize) -> impl Iterator<Item = usize> {
    let count: usize = legal.iter().map(Vec::len).product();
    (0..count).filter(move |&number| place(legal, role, number) == own)
}

/// What is certain about the points of every role, if every role plays as well as it can; `None` beyond so many states, or where a state can come twice
/// in a match. `sum` is the sum of the points in every end, in games of two roles in which it is always the same.
pub(crate) fn solve(machine: &Machine, state: &State, sum: Option<u8>, limit: usize) -> Option<Vec<Bounds>> {
    Solver::new(machine, sum, limit).solve(state).ok()
}

/// The points of a role if it plays as well as it can, all others want it to have little, and they see its move before they choose theirs; `None` beyond
/// so many states, or where a state can come twice in a match.
pub(crate) fn paranoid(machine: &Machine, state: &State, role: RoleId, limit: usize) -> Option<u8> {
    Solver::new(machine, None, limit).paranoid(state, role).ok()
}

//! Players that do not search.

use crate::{Budget, Error, Search, Verdict, Watch};
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, State};

/// Any legal move.
pub(super) struct Uniform<'m> {
    position: Position<'m>,
    random: Random,
}

impl<'m> Uniform<'m> {
    pub(super) fn new(machine: &'m Machine, seed: u64) -> Uniform<'m> {
        Uniform { position: Position::new(machine), random: Random::new(seed) }
    }
}

impl Search for Uniform<'_> {
    fn think(&mut self, position: &State, role: RoleId, _: &Budget, _: &Watch<'_>) -> Result<Verdict, Error> {
        let mut legal = self.position.legal(position, role)?;
        let choice = self.random.below(legal.len());
        legal.swap(0, choice);
        self.position.verdict(&legal, role)
    }
}

/// The first legal move.
pub(super) struct First<'m>(Position<'m>);

impl<'m> First<'m> {
    pub(super) fn new(machine: &'m Machine) -> First<'m> {
        First(Position::new(machine))
    }
}

impl Search for First<'_> {
    fn think(&mut self, position: &State, role: RoleId, _: &Budget, _: &Watch<'_>) -> Result<Verdict, Error> {
        let legal = self.0.legal(position, role)?;
        self.0.verdict(&legal, role)
    }
}

/// What both of them look at.
struct Position<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
}

impl<'m> Position<'m> {
    fn new(machine: &'m Machine) -> Position<'m> {
        Position { machine, lanes: machine.lanes(1) }
    }

    fn stuck(&self, role: RoleId) -> Error {
        Error::Stuck { role: self.machine.role_name(role).to_owned() }
    }

    fn legal(&mut self, position: &State, role: RoleId) -> Result<Vec<MoveId>, Error> {
        self.lanes.load(0, position);
        self.lanes.evaluate()?;
        if self.lanes.terminal(0) {
            return Err(Error::Over);
        }
        let legal = self.lanes.legal(0, role).to_vec();
        if legal.is_empty() { Err(self.stuck(role)) } else { Ok(legal) }
    }

    fn verdict(&self, legal: &[MoveId], role: RoleId) -> Result<Verdict, Error> {
        Verdict::first(legal, self.machine.roles().len()).ok_or_else(|| self.stuck(role))
    }
}

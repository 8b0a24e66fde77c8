//! Who knows how a match stands, and always has a legal move.

use ludens_machine::{Error, Lanes, Machine, MoveId, RoleId, State};

/// Joint moves that are tried to guess what a lost message said.
const GUESSES: usize = 500;

/// The true state of a match, kept by the reference engine.
pub(super) struct Keeper<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    role: RoleId,
    /// The joint move played last, as it was told.
    last: Option<Vec<String>>,
    plies: usize,
}

/// What came of the moves of a message.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Applied {
    /// They were legal, and were played.
    Played,
    /// The host says again what it said before.
    Again,
    /// They were played although they are not legal, for this reason.
    Forced(String),
    /// They could not be played, for this reason.
    Left(String),
}

impl<'m> Keeper<'m> {
    /// At the beginning of a match.
    pub(super) fn new(machine: &'m Machine, role: RoleId) -> Result<Keeper<'m>, Error> {
        let mut keeper = Keeper { machine, lanes: machine.lanes(1), role, last: None, plies: 0 };
        keeper.stand(machine.initial())?;
        Ok(keeper)
    }

    fn stand(&mut self, state: &State) -> Result<(), Error> {
        self.lanes.load(0, state);
        self.lanes.evaluate()
    }

    /// How many joint moves were played.
    pub(super) fn plies(&self) -> usize {
        self.plies
    }

    /// The fluents that hold.
    pub(super) fn fluents(&self) -> Vec<String> {
        self.machine.fluents(&self.lanes.state(0))
    }

    pub(super) fn is_over(&self) -> bool {
        self.lanes.terminal(0)
    }

    /// The points of all roles.
    pub(super) fn points(&mut self) -> Result<Vec<u8>, Error> {
        self.machine.roles().map(|role| self.lanes.points(0, role)).collect()
    }

    /// The own legal moves, as text.
    pub(super) fn legal(&self) -> Vec<String> {
        self.lanes.legal(0, self.role).iter().map(|&id| self.machine.move_text(id)).collect()
    }

    /// The fluents after an own move, if nobody else has a choice; else those that hold now.
    pub(super) fn fluents_after(&mut self, own: &str) -> Result<Vec<String>, Error> {
        let joint: Option<Vec<MoveId>> = self
            .machine
            .roles()
            .map(|role| match self.lanes.legal(0, role) {
                _ if role == self.role => self.find(role, own).ok(),
                &[only] => Some(only),
                _ => None,
            })
            .collect();
        let Some(joint) = joint.filter(|_| !self.is_over()) else { return Ok(self.fluents()) };
        let mut lanes = self.machine.lanes(1);
        lanes.load(0, &self.lanes.state(0));
        lanes.play(0, &joint);
        lanes.advance()?;
        Ok(self.machine.fluents(&lanes.state(0)))
    }

    /// The legal move that a text means, or else any move that it means.
    fn find(&self, role: RoleId, text: &str) -> Result<MoveId, Error> {
        legal_named(self.machine, &self.lanes, role, text).map_or_else(|| self.machine.find_move(text), Ok)
    }

    /// A position one joint move later in which these moves are legal: it may be that a message was lost.
    fn one_later(&self, moves: &[String]) -> Result<Option<State>, Error> {
        let lists: Vec<&[MoveId]> = self.machine.roles().map(|role| self.lanes.legal(0, role)).collect();
        let count = lists.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len())).unwrap_or(usize::MAX);
        let (here, mut lanes) = (self.lanes.state(0), self.machine.lanes(1));
        for number in 0..count.min(GUESSES) {
            let mut rest = number;
            let mut joint = Vec::with_capacity(lists.len());
            for list in &lists {
                joint.push(list[rest % list.len()]);
                rest /= list.len();
            }
            lanes.load(0, &here);
            lanes.evaluate()?;
            lanes.play(0, &joint);
            lanes.advance()?;
            lanes.evaluate()?;
            let mut told = self.machine.roles().zip(moves);
            if !lanes.terminal(0) && told.all(|(role, text)| legal_named(self.machine, &lanes, role, text).is_some()) {
                return Ok(Some(lanes.state(0)));
            }
        }
        Ok(None)
    }

    /// Plays the joint move of a message. Whatever a host says was played was played: a move that is not legal, too, as far as there is such a move.
    pub(super) fn apply(&mut self, moves: &[String]) -> Result<Applied, Error> {
        let roles: Vec<RoleId> = self.machine.roles().collect();
        if moves.len() != roles.len() {
            return Ok(Applied::Left(format!("{} moves for {} roles", moves.len(), roles.len())));
        }
        let joint: Result<Vec<MoveId>, Error> = roles.iter().zip(moves).map(|(&role, text)| self.find(role, text)).collect();
        let is_again = self.last.as_deref() == Some(moves);
        let joint = match joint {
            Ok(joint) => joint,
            Err(_) if is_again => return Ok(Applied::Again),
            Err(error) => return Ok(Applied::Left(error.to_string())),
        };
        let illegal = roles.into_iter().zip(&joint).find(|&(role, id)| !self.lanes.legal(0, role).contains(id));
        let applied = match illegal {
            _ if self.is_over() => {
                return Ok(if is_again { Applied::Again } else { Applied::Left("the match is over".to_owned()) });
            }
            None => Applied::Played,
            Some(_) if is_again => return Ok(Applied::Again),
            Some((role, &id)) => {
                let (text, name) = (self.machine.move_text(id), self.machine.role_name(role));
                let reason = format!("`{text}` is not legal for {name}");
                match self.one_later(moves)? {
                    Some(later) => {
                        self.stand(&later)?;
                        self.plies += 1;
                        Applied::Forced(format!("{reason}: a message must have been lost, and the moves of that were guessed"))
                    }
                    None => Applied::Forced(reason),
                }
            }
        };
        let before = self.lanes.state(0);
        self.lanes.play(0, &joint);
        let advanced = self.lanes.advance().and_then(|()| self.lanes.evaluate());
        if let Err(error) = advanced {
            // The lanes are of no use after an error.
            self.stand(&before)?;
            return Err(error);
        }
        self.last = Some(moves.to_vec());
        self.plies += 1;
        Ok(applied)
    }
}

/// The legal move that a text means: letter case matters only where moves differ in nothing else.
fn legal_named(machine: &Machine, lanes: &Lanes<'_>, role: RoleId, text: &str) -> Option<MoveId> {
    let named = |same: &dyn Fn(&str) -> bool| {
        let mut found = lanes.legal(0, role).iter().filter(|&&id| same(&machine.move_text(id)));
        found.next().copied().filter(|_| found.next().is_none())
    };
    named(&|known| known == text).or_else(|| named(&|known| known.eq_ignore_ascii_case(text)))
}

/// The role that a name means: spelt so, or else but for letter case.
pub(super) fn find_role(machine: &Machine, name: &str) -> Option<RoleId> {
    let named = |same: &dyn Fn(&str) -> bool| machine.roles().find(|&role| same(machine.role_name(role)));
    named(&|role| role == name).or_else(|| named(&|role| role.eq_ignore_ascii_case(name)))
}

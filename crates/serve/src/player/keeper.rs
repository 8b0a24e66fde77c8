//! Who knows how a match stands, and always has a legal move.

use ludens_machine::{Error, Lanes, Machine, MoveId, RoleId, State};
use std::time::Instant;

/// Joint moves that are tried to guess what a lost message said.
const GUESSES: usize = 500;

/// The true state of a match, kept by the reference engine.
pub(super) struct Keeper<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    role: RoleId,
    history: History,
}

/// What was played.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The joint moves, those that were guessed among them.
    played: Vec<Vec<String>>,
    /// The last of them as it was told.
    last: Option<Vec<String>>,
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
        let mut keeper = Keeper { machine, lanes: machine.lanes(1), role, history: History::default() };
        keeper.stand(machine.initial())?;
        Ok(keeper)
    }

    /// Where a match stands after so much, by any machine for it.
    pub(super) fn after(machine: &'m Machine, role: RoleId, history: History) -> Result<Keeper<'m>, Error> {
        let mut keeper = Keeper::new(machine, role)?;
        for joint in &history.played {
            let moves: Result<Vec<MoveId>, Error> =
                machine.roles().zip(joint).map(|(role, text)| keeper.find(role, text)).collect();
            keeper.lanes.play(0, &moves?);
            keeper.lanes.advance()?;
            keeper.lanes.evaluate()?;
        }
        Ok(Keeper { history, ..keeper })
    }

    /// What was played, for another keeper; this one is of no use any more.
    pub(super) fn take_history(&mut self) -> History {
        std::mem::take(&mut self.history)
    }

    fn stand(&mut self, state: &State) -> Result<(), Error> {
        self.lanes.load(0, state);
        self.lanes.evaluate()
    }

    /// How many joint moves were played.
    pub(super) fn plies(&self) -> usize {
        self.history.played.len()
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

    /// A position one joint move later in which these moves are legal: it may be that a message was lost. There is time until then to find one.
    fn one_later(&self, moves: &[String], until: Instant) -> Result<Option<(Vec<MoveId>, State)>, Error> {
        let lists: Vec<&[MoveId]> = self.machine.roles().map(|role| self.lanes.legal(0, role)).collect();
        let count = lists.iter().try_fold(1_usize, |count, list| count.checked_mul(list.len())).unwrap_or(usize::MAX);
        let (here, mut lanes) = (self.lanes.state(0), self.machine.lanes(1));
        for number in 0..count.min(GUESSES) {
            if Instant::now() >= until {
                break;
            }
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
                return Ok(Some((joint, lanes.state(0))));
            }
        }
        Ok(None)
    }

    /// Plays the joint move of a message. After an error another keeper is needed. Whatever a host says was played was played: a move that is not legal, too, as far as there is such a move. What
    /// a lost message said is guessed until then.
    pub(super) fn apply(&mut self, moves: &[String], guess_until: Instant) -> Result<Applied, Error> {
        let roles: Vec<RoleId> = self.machine.roles().collect();
        if moves.len() != roles.len() {
            return Ok(Applied::Left(format!("{} moves for {} roles", moves.len(), roles.len())));
        }
        let joint: Result<Vec<MoveId>, Error> = roles.iter().zip(moves).map(|(&role, text)| self.find(role, text)).collect();
        let is_again = self.history.last.as_deref() == Some(moves);
        let joint = match joint {
            Ok(joint) => joint,
            Err(_) if is_again => return Ok(Applied::Again),
            Err(error) => return Ok(Applied::Left(error.to_string())),
        };
        let mut lost = None;
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
                // Where guessing fails there is no guess.
                match self.one_later(moves, guess_until).unwrap_or_default() {
                    Some((guessed, later)) => {
                        self.stand(&later)?;
                        lost = Some(guessed);
                        Applied::Forced(format!("{reason}: a message must have been lost, and the moves of that were guessed"))
                    }
                    None => Applied::Forced(reason),
                }
            }
        };
        self.lanes.play(0, &joint);
        self.lanes.advance()?;
        self.lanes.evaluate()?;
        // Only now is anything changed that a failure would leave behind.
        let texts = |joint: Vec<MoveId>| joint.into_iter().map(|id| self.machine.move_text(id)).collect::<Vec<_>>();
        self.history.played.extend(lost.into_iter().chain([joint]).map(texts));
        self.history.last = Some(moves.to_vec());
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

#[cfg(test)]
mod tests {
    use super::{Applied, Keeper};
    use ludens_machine::{Limits, Machine, RoleId, relational::Options};
    use std::time::{Duration, Instant};

    /// Counts to three; only the next number may be named.
    const SHEET: &str =
        "(role a) (succ 0 1) (succ 1 2) (succ 2 3) (init (at 0)) (<= (legal a (go ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (next (at ?x)) (does a (go ?x))) (<= terminal (true (at 3))) (goal a 100)";

    fn joint(number: u32) -> Vec<String> {
        vec![format!("(go {number})")]
    }

    #[test]
    fn guessing_ends_in_time() {
        let rules = ludens_gdl::read(SHEET, &ludens_gdl::Limits::default()).rules.expect("valid");
        let machine = Machine::relational(&rules, &Options::default(), &Limits::default()).expect("a machine");
        let later = Instant::now() + Duration::from_secs(1000);
        for (until, plies) in [(Instant::now(), 1), (later, 2)] {
            let mut keeper = Keeper::new(&machine, RoleId(0)).expect("a keeper");
            // The message that said 1 was lost.
            assert!(matches!(keeper.apply(&joint(2), until), Ok(Applied::Forced(_))));
            assert_eq!((keeper.plies(), keeper.legal()), (plies, joint(3)));
        }
    }

    #[test]
    fn another_keeper_can_go_on() {
        let rules = ludens_gdl::read(SHEET, &ludens_gdl::Limits::default()).rules.expect("valid");
        let machine = || Machine::relational(&rules, &Options::default(), &Limits::default()).expect("a machine");
        let later = Instant::now() + Duration::from_secs(1000);
        for (first, until) in [(1, later), (2, later), (2, Instant::now())] {
            let (old, new) = (machine(), machine());
            let mut keeper = Keeper::new(&old, RoleId(0)).expect("a keeper");
            keeper.apply(&joint(first), until).expect("it was played");
            let (plies, legal) = (keeper.plies(), keeper.legal());
            // As if it had failed half way.
            keeper.lanes.play(0, &[old.find_move(&legal[0]).expect("a move")]);
            keeper.lanes.advance().expect("a successor");
            let mut other = Keeper::after(&new, RoleId(0), keeper.take_history()).expect("a keeper");
            assert_eq!((other.plies(), other.legal()), (plies, legal));
            assert_eq!(other.apply(&joint(first), until), Ok(Applied::Again));
        }
    }
}

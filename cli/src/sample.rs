//! Sampled play: random matches that look for what no static check can see.

use crate::words::number;
use anyhow::{Context, Result};
use ludens_machine::{Error, Lanes, Machine, MoveId, Random, RoleId};
use serde::Serialize;

/// What can go wrong in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A role has no legal move before the end.
    NoLegalMove,
    /// A role has no goal value at the end.
    NoGoal,
    /// A role has several goal values at the end.
    SeveralGoals,
    /// A goal value at the end is not an integer from 0 to 100.
    BadGoal,
    /// The match does not end within the bound.
    TooLong,
}

/// One kind of thing that went wrong for one role, with the first match that showed it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    /// The role concerned, where it is one role's trouble.
    pub(crate) role: Option<String>,
    /// One sentence.
    pub(crate) message: String,
    /// In how many matches it was seen.
    pub(crate) count: u64,
    /// The first of them, from 0.
    #[serde(rename = "match")]
    pub(crate) match_number: u64,
    /// Its joint moves up to there.
    pub(crate) moves: Vec<Vec<String>>,
    /// The fluents there.
    pub(crate) state: Vec<String>,
}

/// The result of a number of matches.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Sample {
    /// Matches played.
    pub(crate) matches: u64,
    /// Joint moves played in all of them.
    pub(crate) plies: u64,
    pub(crate) findings: Vec<Finding>,
}

/// Random matches of one machine.
pub(crate) struct Sampler<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    random: Random,
    max_plies: usize,
    sample: Sample,
    /// The match in hand.
    moves: Vec<Vec<MoveId>>,
}

impl<'m> Sampler<'m> {
    pub(crate) fn new(machine: &'m Machine, seed: u64, max_plies: usize) -> Sampler<'m> {
        let random = Random::new(seed);
        Sampler { machine, lanes: machine.lanes(1), random, max_plies, sample: Sample::default(), moves: Vec::new() }
    }

    /// Plays one match and notes what goes wrong in it. A match that the engine cannot play on says nothing about the rules: it
    /// is an error and does not count.
    pub(crate) fn play(&mut self) -> Result<()> {
        self.moves.clear();
        self.lanes.load(0, self.machine.initial());
        self.play_on().with_context(|| {
            let moves = number(self.moves.len() as u64, "joint move");
            format!("the engine gave up in match {} after {moves}", self.sample.matches)
        })?;
        self.sample.matches += 1;
        self.sample.plies += self.moves.len() as u64;
        Ok(())
    }

    /// What was seen in all matches.
    pub(crate) fn finish(self) -> Sample {
        self.sample
    }

    fn play_on(&mut self) -> Result<(), Error> {
        loop {
            self.lanes.evaluate()?;
            if self.lanes.terminal(0) {
                return self.check_goals();
            }
            let Some(joint) = self.draw() else { return Ok(()) };
            if self.moves.len() == self.max_plies {
                let message = format!("a match is not over after {} joint moves", self.max_plies);
                self.note_here(Kind::TooLong, None, message);
                return Ok(());
            }
            self.lanes.play(0, &joint);
            self.lanes.advance()?;
            self.moves.push(joint);
        }
    }

    /// A random joint move; where a role has none, that is noted instead.
    fn draw(&mut self) -> Option<Vec<MoveId>> {
        let mut joint = Vec::with_capacity(self.machine.roles().len());
        for role in self.machine.roles() {
            let legal = self.lanes.legal(0, role);
            if legal.is_empty() {
                let message = format!("{} has no legal move in a state that is not terminal", self.machine.role_name(role));
                self.note_here(Kind::NoLegalMove, Some(role), message);
                return None;
            }
            joint.push(legal[self.random.below(legal.len())]);
        }
        Some(joint)
    }

    fn check_goals(&mut self) -> Result<(), Error> {
        for role in self.machine.roles() {
            let goals = self.lanes.goals(0, role)?;
            let name = self.machine.role_name(role);
            let texts: Vec<String> = goals.iter().map(|&id| self.machine.goal_text(id)).collect();
            let bad = goals.iter().position(|&id| self.machine.goal_points(id).is_none());
            let (kind, message) = match (&texts[..], bad) {
                ([], _) => (Kind::NoGoal, format!("{name} has no goal value at the end; players count it as 0")),
                (_, Some(index)) => {
                    let text = &texts[index];
                    (Kind::BadGoal, format!("{name} has the goal value {text} at the end, which is not an integer from 0 to 100"))
                }
                ([_], None) => continue,
                (several, None) => {
                    let list = several.join(" and ");
                    (Kind::SeveralGoals, format!("{name} has several goal values at the end, {list}; players take the smallest"))
                }
            };
            self.note_here(kind, Some(role), message);
        }
        Ok(())
    }

    fn note_here(&mut self, kind: Kind, role: Option<RoleId>, message: String) {
        let state = self.machine.fluents(&self.lanes.state(0));
        self.note(kind, role, message, state);
    }

    /// Counts a finding; the first of its kind and role is kept with its match.
    fn note(&mut self, kind: Kind, role: Option<RoleId>, message: String, state: Vec<String>) {
        let role = role.map(|role| self.machine.role_name(role).to_owned());
        if let Some(known) = self.sample.findings.iter_mut().find(|known| known.kind == kind && known.role == role) {
            known.count += 1;
            return;
        }
        let text = |joint: &Vec<MoveId>| joint.iter().map(|&id| self.machine.move_text(id)).collect();
        let moves = self.moves.iter().map(text).collect();
        self.sample.findings.push(Finding { kind, role, message, count: 1, match_number: self.sample.matches, moves, state });
    }
}

#[cfg(test)]
mod tests {
    use super::Sampler;
    use crate::engine;

    #[test]
    fn a_limit_is_an_error_and_no_finding() {
        let (_, machine) = engine::short_of_steps();
        let mut sampler = Sampler::new(&machine, 1, 1000);
        let error = format!("{:#}", sampler.play().unwrap_err());
        assert!(error.starts_with("the engine gave up in match 0 after 0 joint moves: the steps limit of 500"), "{error}");
        let sample = sampler.finish();
        assert!(sample.matches == 0 && sample.findings.is_empty(), "{sample:?}");
    }
}

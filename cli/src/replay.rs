//! Replaying a trace: every state is loaded into the engine and everything the trace says about it is compared.

use crate::engine;
use crate::terms;
use crate::trace_file::{Record, Trace};
use ludens_machine::{Error, Lanes, Machine, MoveId, State};
use serde::Serialize;
use std::collections::BTreeSet;

/// How a replay went.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// States compared.
    pub(crate) states: u64,
    /// Disagreements; a state can have several.
    pub(crate) mismatches: u64,
    /// The first of them.
    pub(crate) first: Option<Mismatch>,
    /// States with a joint move whose successor is not in the trace, so that it could not be compared.
    pub(crate) unchecked: u64,
    /// Why the engine could not go on; the states after that are not compared.
    pub(crate) error: Option<String>,
    /// Whether it was broken off.
    pub(crate) interrupted: bool,
}

/// A disagreement between trace and engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Mismatch {
    #[serde(rename = "match")]
    pub(crate) match_number: u64,
    pub(crate) step: u64,
    /// What was compared, e.g. "legal moves of xplayer".
    pub(crate) what: String,
    /// In the trace and not in the engine.
    pub(crate) missing: Vec<String>,
    /// In the engine and not in the trace.
    pub(crate) surplus: Vec<String>,
}

/// Replays a trace until its end or until `stop` says so. Before the states, the roles are compared.
pub(crate) fn replay(machine: &Machine, case_sensitive: bool, trace: &Trace, mut stop: impl FnMut() -> bool) -> Outcome {
    let mut replay = Replay { machine, lanes: machine.lanes(1), case_sensitive, outcome: Outcome::default(), at: (0, 0) };
    let roles: Vec<String> = machine.roles().map(|role| machine.role_name(role).to_owned()).collect();
    let spell = |names: &[String]| -> Vec<String> { names.iter().map(|name| terms::canonical(name, case_sensitive)).collect() };
    if spell(&roles) != spell(&trace.header.roles) {
        replay.report("roles, in order".to_owned(), trace.header.roles.clone(), roles);
        return replay.outcome;
    }
    for (index, step) in trace.steps.iter().enumerate() {
        if stop() {
            replay.outcome.interrupted = true;
            break;
        }
        replay.at = (step.match_number, step.step);
        replay.outcome.states += 1;
        let follows = |next: &&Record| (next.match_number, next.step) == (step.match_number, step.step + 1);
        let next = trace.steps.get(index + 1).filter(follows);
        replay.outcome.unchecked += u64::from(step.joint.is_some() && next.is_none());
        match replay.step(step, next) {
            Ok(()) => {}
            Err(error) if engine::gave_up(&error) => {
                let place = format!("match {}, step {}", step.match_number, step.step);
                replay.outcome.error = Some(format!("the engine gave up at {place}: {error}"));
                break;
            }
            // The trace speaks of something that the sheet does not know.
            Err(error) => replay.report("the engine's answer".to_owned(), Vec::new(), vec![format!("error: {error}")]),
        }
    }
    replay.outcome
}

struct Replay<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    case_sensitive: bool,
    outcome: Outcome,
    /// Match and step in hand.
    at: (u64, u64),
}

impl Replay<'_> {
    fn step(&mut self, step: &Record, next: Option<&Record>) -> Result<(), Error> {
        if step.step == 0 {
            let initial = self.machine.fluents(self.machine.initial());
            self.compare("the initial state".to_owned(), &step.state, &initial);
        }
        let state = self.machine.state_of(step.state.iter().map(String::as_str))?;
        self.lanes.load(0, &state);
        self.lanes.evaluate_fully()?;
        let terminal = self.lanes.terminal(0);
        if terminal != step.terminal {
            self.report("terminal".to_owned(), vec![step.terminal.to_string()], vec![terminal.to_string()]);
        }
        for (role, (legal, goals)) in self.machine.roles().zip(step.legal.iter().zip(&step.goals)) {
            let name = self.machine.role_name(role);
            let got: Vec<String> = self.lanes.legal(0, role).iter().map(|&id| self.machine.move_text(id)).collect();
            self.compare(format!("legal moves of {name}"), legal, &got);
            let got: Vec<String> = self.lanes.goals(0, role)?.into_iter().map(|id| self.machine.goal_text(id)).collect();
            self.compare(format!("goal values of {name}"), goals, &got);
        }
        match (&step.joint, next) {
            (Some(joint), Some(next)) => self.successor(&state, joint, next),
            _ => Ok(()),
        }
    }

    fn successor(&mut self, state: &State, joint: &[String], next: &Record) -> Result<(), Error> {
        let moves = joint.iter().map(|text| self.machine.find_move(text)).collect::<Result<Vec<MoveId>, Error>>()?;
        // Loaded anew: a disagreement about `terminal` above must not hide what the rules say about the next state.
        self.lanes.load(0, state);
        self.lanes.evaluate()?;
        self.lanes.play(0, &moves);
        self.lanes.advance()?;
        let got = self.machine.fluents(&self.lanes.state(0));
        self.compare(format!("the state after {}", joint.join(" ")), &next.state, &got);
        Ok(())
    }

    /// Compares two lists as sets of terms.
    fn compare(&mut self, what: String, expected: &[String], got: &[String]) {
        let spell = |texts: &[String]| -> BTreeSet<String> {
            texts.iter().map(|text| terms::canonical(text, self.case_sensitive)).collect()
        };
        let (expected, got) = (spell(expected), spell(got));
        if expected != got {
            let missing = expected.difference(&got).cloned().collect();
            let surplus = got.difference(&expected).cloned().collect();
            self.report(what, missing, surplus);
        }
    }

    fn report(&mut self, what: String, missing: Vec<String>, surplus: Vec<String>) {
        self.outcome.mismatches += 1;
        let (match_number, step) = self.at;
        self.outcome.first.get_or_insert(Mismatch { match_number, step, what, missing, surplus });
    }
}

#[cfg(test)]
mod tests {
    use super::replay;
    use crate::engine;
    use crate::trace_file::Trace;

    #[test]
    fn a_limit_is_an_error_and_no_mismatch() {
        let header = r#"{"game":"g","sha256":"","roles":["r"],"seed":1,"oracle":"o"}"#;
        let state: Vec<String> = (0..10).map(|place| format!(r#""(at {place})""#)).collect();
        let line =
            format!(r#"{{"match":0,"step":0,"terminal":false,"state":[{}],"legal":[[]],"goals":[["0"]]}}"#, state.join(","));
        let trace = Trace::parse(&format!("{header}\n{line}\n{line}\n")).unwrap();
        let outcome = replay(&engine::short_of_steps().1, true, &trace, || false);
        let error = outcome.error.unwrap();
        assert!(error.starts_with("the engine gave up at match 0, step 0: the steps limit of 500 was reached"), "{error}");
        assert_eq!((outcome.states, outcome.mismatches), (1, 0));
    }
}

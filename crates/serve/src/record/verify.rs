//! Is a record that of a legal match? Every move and state is played again.

use super::Record;
use ludens_gdl::{legible, parse_ground, parse_ground_list};
use ludens_machine::{Error, Lanes, Machine, MoveId, RoleId, State};
use std::collections::BTreeSet;
use std::fmt;

/// Why a record could not be followed to its end.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// It is not the record of a legal match: the first place where that shows, and what is wrong there.
    #[error("{0}")]
    Wrong(String),
    /// The engine gave up, which says nothing about the record.
    #[error(transparent)]
    Engine(#[from] Error),
}

/// A state of a match that was played again.
#[derive(Debug)]
pub struct Step<'a> {
    /// How many joint moves led to it.
    pub number: usize,
    /// The last of them; none at the start.
    pub joint: &'a [MoveId],
    /// The state.
    pub state: &'a State,
    /// Who had more than one move before it.
    pub choosers: &'a [RoleId],
}

fn wrong<T>(text: impl fmt::Display) -> Result<T, Trouble> {
    Err(Trouble::Wrong(text.to_string()))
}

/// Plays a record again, from its first state on, and tells `follow` of every state that is right. Gives all joint moves and the last state.
///
/// Letter case matters where the sheet tells cases apart.
///
/// # Errors
/// At the first place that is wrong, or if the engine gives up.
pub fn verify(
    record: &Record,
    machine: &Machine,
    case_sensitive: bool,
    follow: &mut dyn FnMut(Step<'_>),
) -> Result<(Vec<Vec<MoveId>>, State), Trouble> {
    check_lengths(record, machine.roles().len())?;
    let mut walk = Walk { machine, lanes: machine.lanes(1), case_sensitive };
    let mut state = machine.initial().clone();
    let mut joints = Vec::new();
    walk.check_state(record, 0, &state)?;
    follow(Step { number: 0, joint: &[], state: &state, choosers: &[] });
    for number in 0..record.moves.len() {
        let (joint, choosers) = walk.joint(record, number, &state)?;
        walk.lanes.play(0, &joint);
        walk.lanes.advance()?;
        state = walk.lanes.state(0);
        walk.check_state(record, number + 1, &state)?;
        follow(Step { number: number + 1, joint: &joint, state: &state, choosers: &choosers });
        joints.push(joint);
    }
    walk.check_end(record, &state)?;
    Ok((joints, state))
}

/// Whether all lists are as long as they must be, and time goes on.
fn check_lengths(record: &Record, roles: usize) -> Result<(), Trouble> {
    let (states, moves) = (record.states.len(), record.moves.len());
    if states != moves + 1 {
        return wrong(format!(
            "`moves` has {moves} joint moves, so `states` must have {} entries, and it has {states}",
            moves + 1
        ));
    }
    let has = |key: &str, length: usize, right: usize| {
        if length == right { Ok(()) } else { wrong(format!("`{key}` has {length} entries and must have {right}")) }
    };
    has("stateTimes", record.state_times.len(), states)?;
    let rows = |key: &str, lengths: &mut dyn Iterator<Item = usize>| -> Result<(), Trouble> {
        lengths.enumerate().try_for_each(|(number, length)| has(&format!("{key}[{number}]"), length, roles))
    };
    rows("moves", &mut record.moves.iter().map(Vec::len))?;
    // Not every host keeps these.
    if !record.errors.is_empty() {
        has("errors", record.errors.len(), states)?;
        rows("errors", &mut record.errors.iter().map(Vec::len))?;
    }
    if !record.thoughts.is_empty() {
        has("x-thoughts", record.thoughts.len(), moves)?;
        rows("x-thoughts", &mut record.thoughts.iter().map(Vec::len))?;
    }
    if !record.latencies.is_empty() {
        has("x-latencies", record.latencies.len(), moves)?;
        rows("x-latencies", &mut record.latencies.iter().map(Vec::len))?;
    }
    for (key, length) in [
        ("playerNamesFromHost", record.player_names_from_host.len()),
        ("isPlayerHuman", record.is_player_human.len()),
        ("x-roles", record.roles.len()),
    ] {
        if length > 0 {
            has(key, length, roles)?;
        }
    }
    if let Some(number) = record.state_times.windows(2).position(|pair| pair[1] < pair[0]) {
        return wrong(format!("`stateTimes[{}]` is before `stateTimes[{number}]`", number + 1));
    }
    Ok(())
}

struct Walk<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    case_sensitive: bool,
}

impl Walk<'_> {
    /// One spelling for all texts of a term.
    fn canonical(&self, text: &str) -> Option<String> {
        let mut text = parse_ground(text).ok()?.to_string();
        if !self.case_sensitive {
            text.make_ascii_lowercase();
        }
        Some(text)
    }

    /// Compares a state of the record with the right one, as sets of fluents.
    fn check_state(&self, record: &Record, number: usize, state: &State) -> Result<(), Trouble> {
        let place = format!("`states[{number}]`");
        let text = record.states[number].trim();
        let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) else {
            return wrong(format!("{place} is no list of fluents"));
        };
        let told = match parse_ground_list(inner) {
            Ok(terms) => terms,
            Err(error) => return wrong(format!("{place} is no list of fluents: {error}")),
        };
        let fold = |text: String| if self.case_sensitive { text } else { text.to_ascii_lowercase() };
        let told: BTreeSet<String> = told.iter().map(|term| fold(term.to_string())).collect();
        let right: BTreeSet<String> = self.machine.fluents(state).into_iter().map(fold).collect();
        if let Some(extra) = told.difference(&right).next() {
            return wrong(format!("{place} has `{}`, which does not hold there", legible(extra)));
        }
        if let Some(missing) = right.difference(&told).next() {
            return wrong(format!("{place} lacks `{}`, which holds there", legible(missing)));
        }
        Ok(())
    }

    /// The joint move of the record, if it is legal, and who had a choice.
    fn joint(&mut self, record: &Record, number: usize, state: &State) -> Result<(Vec<MoveId>, Vec<RoleId>), Trouble> {
        self.lanes.load(0, state);
        self.lanes.evaluate()?;
        if self.lanes.terminal(0) {
            return wrong(format!("`moves[{number}]` comes after the end: `states[{number}]` is terminal"));
        }
        let (mut joint, mut choosers) = (Vec::new(), Vec::new());
        for (role, told) in self.machine.roles().zip(&record.moves[number]) {
            let legal = self.lanes.legal(0, role);
            let meant = self.canonical(told);
            let found = legal.iter().find(|&&id| meant.is_some() && self.canonical(&self.machine.move_text(id)) == meant);
            let Some(&id) = found else {
                let name = self.machine.role_name(role);
                return wrong(format!("`moves[{number}]`: `{}` is not legal for {}", legible(told), legible(name)));
            };
            if legal.len() > 1 {
                choosers.push(role);
            }
            joint.push(id);
        }
        Ok((joint, choosers))
    }

    /// Whether the record ends as it says.
    fn check_end(&mut self, record: &Record, state: &State) -> Result<(), Trouble> {
        if record.is_completed && record.is_aborted {
            return wrong("`isCompleted` and `isAborted` cannot both be true");
        }
        let Some(told) = record.goal_values.as_deref().filter(|_| record.is_completed) else {
            return match (record.is_completed, &record.goal_values) {
                (true, _) => wrong("`goalValues` is missing, and `isCompleted` is true"),
                (false, Some(_)) => wrong("there is `goalValues`, and `isCompleted` is false"),
                (false, None) => Ok(()),
            };
        };
        self.lanes.load(0, state);
        self.lanes.evaluate()?;
        if !self.lanes.terminal(0) {
            return wrong(format!(
                "`isCompleted` is true, and the last state, `states[{}]`, is not terminal",
                record.moves.len()
            ));
        }
        let points = self.machine.roles().map(|role| self.lanes.points(0, role)).collect::<Result<Vec<u8>, Error>>()?;
        if told != points {
            return wrong(format!("`goalValues` is {told:?}, and the points are {points:?}"));
        }
        Ok(())
    }
}

//! The record of a match, with the keys that GGP hosts use; ours start with `x-`.

use crate::playable::Playable;
use crate::referee::Ply;
use ludens_gdl::{GroundTerm, parse_ground};
use ludens_machine::{Machine, Random, State};
use ludens_search::Verdict;
use serde::Serialize;
use std::time::{SystemTime, UNIX_EPOCH};

/// A match from its first state to the last one.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Record {
    match_id: String,
    random_token: String,
    start_time: u64,
    is_completed: bool,
    is_aborted: bool,
    scrambled: bool,
    states: Vec<String>,
    pub(crate) moves: Vec<Vec<String>>,
    state_times: Vec<u64>,
    pub(crate) errors: Vec<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    goal_values: Option<Vec<u8>>,
    preview_clock: i64,
    start_clock: u64,
    play_clock: u64,
    player_names_from_host: Vec<String>,
    is_player_human: Vec<bool>,
    #[serde(rename = "x-game")]
    game: String,
    #[serde(rename = "x-sha256")]
    sha256: String,
    #[serde(rename = "x-roles")]
    roles: Vec<String>,
    #[serde(rename = "x-engine")]
    engine: &'static str,
    #[serde(rename = "x-version")]
    version: &'static str,
    #[serde(rename = "x-seed")]
    seed: u64,
    #[serde(rename = "x-budget")]
    budget: String,
    /// Whom players chose to play in their place, and why.
    #[serde(rename = "x-choices", skip_serializing_if = "Vec::is_empty")]
    choices: Vec<String>,
    /// For every joint move and role, what was thought; null where there was nothing to think about.
    #[serde(rename = "x-thoughts")]
    pub(crate) thoughts: Vec<Vec<Option<Thought>>>,
    /// Why the match has no end.
    #[serde(rename = "x-unfinished", skip_serializing_if = "Option::is_none")]
    unfinished: Option<String>,
}

/// What a search found out, in short.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Thought {
    pub(crate) value: Option<f64>,
    pub(crate) proven: Option<u8>,
    pub(crate) simulations: u64,
    playouts: u64,
    nodes: u64,
    depth: u32,
    pub(crate) cpu_seconds: f64,
    pub(crate) wall_seconds: f64,
    pv: Vec<Vec<String>>,
}

/// What a record says about the players and their time.
pub(crate) struct Setting {
    pub(crate) players: Vec<String>,
    /// Which of them are persons.
    pub(crate) humans: Vec<bool>,
    pub(crate) seed: u64,
    pub(crate) budget: String,
    pub(crate) choices: Vec<String>,
    /// Whole seconds; 0 where there is no clock.
    pub(crate) start_clock: u64,
    pub(crate) play_clock: u64,
}

impl Record {
    /// A match that begins now in its first state.
    pub(crate) fn new(game: &Playable, setting: Setting) -> Record {
        let start_time = now_ms();
        let roles = game.roles();
        let Setting { players, humans, seed, budget, choices, start_clock, play_clock } = setting;
        Record {
            match_id: format!("ludens.{}.{start_time}", word(&game.name)),
            random_token: token(start_time ^ seed),
            start_time,
            is_completed: false,
            is_aborted: false,
            scrambled: false,
            states: vec![state_text(&game.machine, game.machine.initial())],
            moves: Vec::new(),
            state_times: vec![start_time],
            errors: vec![vec![String::new(); roles.len()]],
            goal_values: None,
            preview_clock: -1,
            start_clock,
            play_clock,
            is_player_human: humans,
            player_names_from_host: players,
            game: game.name.clone(),
            sha256: game.sha256.clone(),
            roles,
            engine: game.machine.engine_name(),
            version: env!("CARGO_PKG_VERSION"),
            seed,
            budget,
            choices,
            thoughts: Vec::new(),
            unfinished: None,
        }
    }

    /// One joint move, and the state it led to.
    pub(crate) fn add(&mut self, machine: &Machine, ply: &Ply, state: &State) {
        self.moves.push(ply.joint.iter().map(|&id| spaced(&machine.move_text(id))).collect());
        self.states.push(state_text(machine, state));
        // A clock that was set back must not take the match back in time.
        let before = self.state_times.last().copied().unwrap_or(0);
        self.state_times.push(now_ms().max(before));
        self.errors.push(ply.faults.iter().map(|fault| fault.clone().unwrap_or_default()).collect());
        let thoughts = ply.verdicts.iter().enumerate();
        self.thoughts
            .push(thoughts.map(|(role, verdict)| verdict.as_ref().map(|verdict| Thought::new(machine, role, verdict))).collect());
    }

    /// The end, with its points.
    pub(crate) fn complete(&mut self, points: Vec<u8>) {
        self.is_completed = true;
        self.goal_values = Some(points);
    }

    /// No end, and why.
    pub(crate) fn abort(&mut self, reason: &str) {
        self.is_aborted = true;
        self.unfinished = Some(reason.to_owned());
    }
}

impl Thought {
    /// Whether its value rests on anything.
    pub(crate) fn has_looked(&self) -> bool {
        self.simulations + self.playouts > 0 || self.nodes > 1
    }

    fn new(machine: &Machine, role: usize, verdict: &Verdict) -> Thought {
        let joint = |joint: &Vec<_>| joint.iter().map(|&id| machine.move_text(id)).collect();
        Thought {
            value: verdict.values.get(role).copied(),
            proven: verdict.bounds.proven(),
            simulations: verdict.simulations,
            playouts: verdict.playouts,
            nodes: verdict.nodes,
            depth: verdict.depth,
            cpu_seconds: verdict.cpu.as_secs_f64(),
            wall_seconds: verdict.wall.as_secs_f64(),
            pv: verdict.line.iter().map(joint).collect(),
        }
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A name as a part of a match's id, which has neither blanks nor parentheses.
fn word(name: &str) -> String {
    name.chars().map(|character| if character.is_alphanumeric() || "._-".contains(character) { character } else { '_' }).collect()
}

/// 32 letters and digits.
fn token(seed: u64) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = Random::new(seed);
    (0..32).map(|_| char::from(SIGNS[random.below(SIGNS.len())])).collect()
}

/// A state as hosts write it: `( ( cell 1 1 b ) ( control x ) )`.
fn state_text(machine: &Machine, state: &State) -> String {
    let mut text = String::from("( ");
    for fluent in machine.fluents(state) {
        text += &spaced(&fluent);
        text.push(' ');
    }
    text + ")"
}

/// A term as hosts write it, with blanks around parentheses.
fn spaced(text: &str) -> String {
    fn write(term: &GroundTerm, text: &mut String) {
        if term.args.is_empty() {
            text.push_str(&term.name);
            return;
        }
        text.push_str("( ");
        text.push_str(&term.name);
        for arg in &term.args {
            text.push(' ');
            write(arg, text);
        }
        text.push_str(" )");
    }
    // What is too deep to be read back is left as it is.
    let Ok(term) = parse_ground(text) else { return text.to_owned() };
    let mut spaced = String::new();
    write(&term, &mut spaced);
    spaced
}

#[cfg(test)]
mod tests {
    use super::{spaced, token, word};

    #[test]
    fn terms_are_written_as_hosts_do() {
        assert_eq!(spaced("(cell 1 (f a) b)"), "( cell 1 ( f a ) b )");
        assert_eq!(spaced("noop"), "noop");
        assert_eq!(word("my game (1)"), "my_game__1_");
        assert_eq!(token(1).len(), 32);
    }
}

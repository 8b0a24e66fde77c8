//! The record of a match, with the keys that GGP hosts use; ours start with `x-`.

mod verify;
mod write;

pub use verify::{Step, Trouble, verify};
pub use write::{WriteError, replace_file};

use crate::message;
use ludens_gdl::{GroundTerm, parse_ground};
use ludens_machine::{Machine, MoveId, Random, State};
use ludens_search::Verdict;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

/// A record has a few megabytes at most; a file beyond this is something else.
pub const MAX_BYTES: u64 = 256 << 20;

/// A match from its first state to the last one that is known.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    /// Without blanks and parentheses.
    pub match_id: String,
    /// 32 letters and digits.
    #[serde(default)]
    pub random_token: String,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub start_time: u64,
    /// Where the game is described.
    #[serde(rename = "gameMetaURL", default, skip_serializing_if = "Option::is_none")]
    pub game_meta_url: Option<String>,
    /// Whether it came to its end.
    pub is_completed: bool,
    /// Whether it was given up.
    #[serde(default)]
    pub is_aborted: bool,
    /// Whether the players got other names than those of the sheet.
    #[serde(default)]
    pub scrambled: bool,
    /// Every state, its fluents without `true`.
    pub states: Vec<String>,
    /// Every joint move, in the order of the roles.
    pub moves: Vec<Vec<String>>,
    /// When every state was reached, in milliseconds since 1970.
    pub state_times: Vec<u64>,
    /// For the start and for every joint move, what was wrong with each player's answer; empty where nothing was.
    #[serde(default)]
    pub errors: Vec<Vec<String>>,
    /// The points at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub goal_values: Option<Vec<u8>>,
    /// Seconds; -1 where there was no preview.
    #[serde(default = "no_preview")]
    pub preview_clock: i64,
    /// Seconds.
    #[serde(default)]
    pub start_clock: u64,
    /// Seconds.
    #[serde(default)]
    pub play_clock: u64,
    /// Who played, in the order of the roles.
    #[serde(default)]
    pub player_names_from_host: Vec<String>,
    /// Which of them are persons.
    #[serde(default)]
    pub is_player_human: Vec<bool>,
    /// What it was a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament_name_from_host: Option<String>,
    /// Who signed the record.
    #[serde(rename = "matchHostPK", default, skip_serializing_if = "Option::is_none")]
    pub match_host_pk: Option<String>,
    /// The signature.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub match_host_signature: Option<String>,
    /// The game's name.
    #[serde(rename = "x-game", default, skip_serializing_if = "String::is_empty")]
    pub game: String,
    /// The SHA-256 of the sheet's bytes.
    #[serde(rename = "x-sha256", default, skip_serializing_if = "String::is_empty")]
    pub sha256: String,
    /// The names of the roles.
    #[serde(rename = "x-roles", default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// The engine that said what is legal.
    #[serde(rename = "x-engine", default, skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// Of this program.
    #[serde(rename = "x-version", default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Where chance started.
    #[serde(rename = "x-seed", default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// What a move might cost.
    #[serde(rename = "x-budget", default, skip_serializing_if = "String::is_empty")]
    pub budget: String,
    /// Whom players chose to play in their place, and why.
    #[serde(rename = "x-choices", default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// For every joint move and role, what was thought; null where nothing was, or nothing is known about it.
    #[serde(rename = "x-thoughts", default)]
    pub thoughts: Vec<Vec<Option<Thought>>>,
    /// For every joint move and role, the seconds until the answer was there; null for who was not asked or did not answer.
    #[serde(rename = "x-latencies", default, skip_serializing_if = "Vec::is_empty")]
    pub latencies: Vec<Vec<Option<f64>>>,
    /// Why the match has no end.
    #[serde(rename = "x-unfinished", default, skip_serializing_if = "Option::is_none")]
    pub unfinished: Option<String>,
    /// The rules.
    #[serde(rename = "x-sheet", default, skip_serializing_if = "Option::is_none")]
    pub sheet: Option<String>,
}

fn no_preview() -> i64 {
    -1
}

/// What a search found out, in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Thought {
    /// The points expected for the role.
    pub value: Option<f64>,
    /// Its points, where they are certain.
    pub proven: Option<u8>,
    /// Descents through the tree, or random matches of a search without one.
    pub simulations: u64,
    /// Random matches.
    pub playouts: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// How deep it looked.
    pub depth: u32,
    /// CPU time of all threads; 0 where it was not measured.
    pub cpu_seconds: f64,
    /// Time on the wall.
    pub wall_seconds: f64,
    /// The joint moves expected from there on.
    pub pv: Vec<Vec<String>>,
}

/// A match before its first move.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The game's name.
    pub game: String,
    /// The rules.
    pub sheet: String,
    /// The SHA-256 of the sheet's bytes.
    pub sha256: String,
    /// A player for every role.
    pub players: Vec<String>,
    /// Which of them are persons.
    pub humans: Vec<bool>,
    /// Where chance starts.
    pub seed: u64,
    /// What a move may cost.
    pub budget: String,
    /// Whom players chose to play in their place, and why.
    pub choices: Vec<String>,
    /// Whole seconds; 0 where there is no clock.
    pub start_clock: u64,
    /// Whole seconds; 0 where there is no clock.
    pub play_clock: u64,
    /// Whether the players get other names than those of the sheet.
    pub scrambled: bool,
}

/// One joint move. All lists have an entry for every role.
#[derive(Clone, Debug, Default)]
pub struct Ply {
    /// What was played.
    pub joint: Vec<MoveId>,
    /// What was wrong with the answers.
    pub errors: Vec<String>,
    /// What was thought.
    pub thoughts: Vec<Option<Thought>>,
    /// How long answers took; nothing where nobody measured.
    pub latencies: Option<Vec<Option<f64>>>,
}

impl Record {
    /// A match that begins now in its first state.
    pub fn new(machine: &Machine, opening: Opening) -> Record {
        let start_time = now_ms();
        let roles: Vec<String> = machine.roles().map(|role| machine.role_name(role).to_owned()).collect();
        // Where names are hidden, that of the game is, too.
        let name = if opening.scrambled { "match".to_owned() } else { word(&opening.game) };
        Record {
            match_id: format!("ludens.{name}.{start_time}"),
            random_token: token(start_time ^ opening.seed),
            start_time,
            game_meta_url: None,
            is_completed: false,
            is_aborted: false,
            scrambled: opening.scrambled,
            states: vec![state_text(machine, machine.initial())],
            moves: Vec::new(),
            state_times: vec![start_time],
            errors: vec![vec![String::new(); roles.len()]],
            goal_values: None,
            preview_clock: no_preview(),
            start_clock: opening.start_clock,
            play_clock: opening.play_clock,
            player_names_from_host: opening.players,
            is_player_human: opening.humans,
            tournament_name_from_host: None,
            match_host_pk: None,
            match_host_signature: None,
            game: opening.game,
            sha256: opening.sha256,
            roles,
            engine: machine.engine_name().to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            seed: Some(opening.seed),
            budget: opening.budget,
            choices: opening.choices,
            thoughts: Vec::new(),
            latencies: Vec::new(),
            unfinished: None,
            sheet: Some(opening.sheet),
        }
    }

    /// One joint move, and the state it led to.
    pub fn add(&mut self, machine: &Machine, ply: Ply, state: &State) {
        self.moves.push(ply.joint.iter().map(|&id| spaced(&machine.move_text(id))).collect());
        self.states.push(state_text(machine, state));
        // A clock that was set back must not take the match back in time.
        let before = self.state_times.last().copied().unwrap_or(0);
        self.state_times.push(now_ms().max(before));
        self.errors.push(ply.errors);
        self.thoughts.push(ply.thoughts);
        self.latencies.extend(ply.latencies);
    }

    /// The end, with its points.
    pub fn complete(&mut self, points: Vec<u8>) {
        self.is_completed = true;
        self.goal_values = Some(points);
    }

    /// No end, and why.
    pub fn abort(&mut self, reason: &str) {
        self.is_aborted = true;
        self.unfinished = Some(reason.to_owned());
    }

    /// Takes back that it was given up: it goes on. Where others left out what we note of every move, nothing is noted of those that were made.
    pub fn reopen(&mut self, roles: usize) {
        self.is_aborted = false;
        self.unfinished = None;
        let moves = self.moves.len();
        self.errors.resize(moves + 1, vec![String::new(); roles]);
        self.thoughts.resize(moves, vec![None; roles]);
        self.latencies.resize(moves, vec![None; roles]);
    }

    /// Reads a record. Whether it fits together is for [`verify`] to say.
    ///
    /// # Errors
    /// If a key is missing or has a value of another kind; line and column are named.
    pub fn parse(text: &str) -> Result<Record, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Whether the sheet in it is the one its hash names; also where there is no sheet, or no hash.
    pub fn sheet_fits_hash(&self) -> bool {
        let Some(sheet) = self.sheet.as_deref().filter(|_| !self.sha256.is_empty()) else { return true };
        is_hash_of(&self.sha256, sheet)
    }
}

/// Whether a hash is that of the bytes this text was read from: UTF-8, with or without a mark of byte order, or Latin-1.
pub fn is_hash_of(sha256: &str, sheet: &str) -> bool {
    let latin: Option<Vec<u8>> = sheet.chars().map(|character| u8::try_from(character).ok()).collect();
    let marked = [b"\xef\xbb\xbf", sheet.as_bytes()].concat();
    let mut hashes = [Some(sheet.as_bytes().to_vec()), Some(marked), latin].into_iter().flatten().map(|bytes| sha256_hex(&bytes));
    hashes.any(|hash| hash.eq_ignore_ascii_case(sha256))
}

/// A SHA-256, in hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut hex, byte| {
        write!(hex, "{byte:02x}").expect("a string takes everything");
        hex
    })
}

impl Thought {
    /// Whether its value rests on anything.
    pub fn has_looked(&self) -> bool {
        self.simulations + self.playouts > 0 || self.nodes > 1
    }

    /// What a search in this process said to a role.
    pub fn of_verdict(machine: &Machine, role: usize, verdict: &Verdict) -> Thought {
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

    /// What a player in this process thought in a role, its moves given back their names.
    pub(crate) fn of_player(role: usize, thought: &message::Thought, name: impl Fn(&str) -> String) -> Thought {
        let (low, high) = thought.bounds;
        Thought {
            value: thought.values.get(role).copied(),
            proven: (low == high).then_some(low),
            simulations: thought.simulations,
            playouts: 0,
            nodes: thought.nodes,
            depth: thought.depth,
            cpu_seconds: 0.0,
            wall_seconds: thought.wall.as_secs_f64(),
            pv: thought.line.iter().map(|joint| joint.iter().map(|text| name(text)).collect()).collect(),
        }
    }
}

fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A name as a part of a match's id, which has neither blanks nor parentheses, and stays in ASCII.
fn word(name: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "._-".contains(character);
    name.chars().map(|character| if plain(character) { character } else { '_' }).collect()
}

/// 32 letters and digits.
fn token(seed: u64) -> String {
    const SIGNS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut random = Random::new(seed);
    (0..32).map(|_| char::from(SIGNS[random.below(SIGNS.len())])).collect()
}

/// A state as hosts write it: `( ( cell 1 1 b ) ( control x ) )`.
pub fn state_text(machine: &Machine, state: &State) -> String {
    let mut text = String::from("( ");
    for fluent in machine.fluents(state) {
        text += &spaced(&fluent);
        text.push(' ');
    }
    text + ")"
}

/// A term as hosts write it, with blanks around parentheses.
pub fn spaced(text: &str) -> String {
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
    use super::{is_hash_of, sha256_hex, spaced, token, word};

    #[test]
    fn terms_are_written_as_hosts_do() {
        assert_eq!(spaced("(cell 1 (f a) b)"), "( cell 1 ( f a ) b )");
        assert_eq!(spaced("noop"), "noop");
        assert_eq!(word("my game (1)"), "my_game__1_");
        assert_eq!(token(1).len(), 32);
    }

    #[test]
    fn a_hash_fits_its_sheet_however_that_was_encoded() {
        assert_eq!(sha256_hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        for bytes in ["é".as_bytes(), b"\xe9", b"\xef\xbb\xbf\xc3\xa9"] {
            assert!(is_hash_of(&sha256_hex(bytes), "é"));
        }
        assert!(!is_hash_of(&sha256_hex(b"abc"), "abd"));
    }
}

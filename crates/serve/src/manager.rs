//! The game manager: runs a match between players of any kind, keeps the time, judges the answers, and keeps the record.

mod ask;
mod judge;

pub use ask::Contact;
pub use judge::mix;

use crate::client::{Address, Fault};
use crate::message::{Message, Reply};
use crate::player::Session;
use crate::record::{self, Record, WriteError};
use crate::scramble::Scramble;
use ask::{Answer, Question, ask_all};
use judge::{Judged, any_move, judge};
use ludens_machine::{Error as EngineError, Lanes, Machine, MoveId, RoleId, State};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What players have beyond the play clock, for the way there and back; as ggp-base's host.
pub const GRACE: Duration = Duration::from_secs(1);

/// How long an ABORT may take.
const ABORT_TIME: Duration = Duration::from_secs(1);

/// Who has a role.
#[derive(Clone)]
pub enum Seat {
    /// Somebody who gets messages.
    Player(Arc<dyn Contact>),
    /// Nobody: moves are drawn from the seed.
    Chance,
    /// Somebody who is asked by the audience, without a clock.
    Person,
}

/// How a match is run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rules as players get them: without comments, in one line.
    pub rules: String,
    /// Other names for the players, if they get any.
    pub scramble: Option<Scramble>,
    /// From START to the first move.
    pub start_clock: Duration,
    /// For every move.
    pub play_clock: Duration,
    /// Where chance starts.
    pub seed: u64,
    /// A match is given up after so many joint moves.
    pub max_plies: usize,
    /// Where the record is written after every move.
    pub file: Option<PathBuf>,
}

/// Who watches a match, and asks persons for their moves.
pub trait Audience {
    /// The match has begun, or a joint move was made: the last one of the record, by which this state was reached. `choosers` had a choice.
    fn follow(&mut self, record: &Record, state: &State, choosers: &[RoleId]);

    /// The move of a person; `None` where it leaves.
    fn choose(&mut self, role: RoleId, legal: &[MoveId]) -> Option<MoveId>;
}

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With these points.
    Over(Vec<u8>),
    /// Without an end, for this reason.
    Unfinished(String),
    /// Somebody wanted it to stop, or a person left.
    Interrupted,
}

/// Why a match could not go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine gave up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The record cannot be kept.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The rules of a sheet as they go into a message.
pub fn rules_text(syntax: &ludens_gdl::Syntax) -> String {
    syntax.to_string().lines().collect::<Vec<_>>().join(" ")
}

/// A match that is being run.
pub struct Manager<'a> {
    machine: &'a Machine,
    lanes: Lanes<'a>,
    seats: Vec<Seat>,
    plan: Plan,
    stop: &'a AtomicBool,
}

impl<'a> Manager<'a> {
    /// Sits everybody down. There must be a seat for every role. `stop` ends the match before its time.
    pub fn new(machine: &'a Machine, seats: Vec<Seat>, plan: Plan, stop: &'a AtomicBool) -> Manager<'a> {
        assert_eq!(seats.len(), machine.roles().len(), "a seat for every role");
        Manager { machine, lanes: machine.lanes(1), seats, plan, stop }
    }

    /// Runs the match to its end. `known` are joint moves that the record has already: players get them in PLAY messages, one after another,
    /// and what they answer to all but the last does not count.
    ///
    /// # Errors
    /// If the engine gives up or the record cannot be written. Players are told that the match is given up.
    pub fn run(&mut self, record: &mut Record, known: &[Vec<MoveId>], audience: &mut dyn Audience) -> Result<Outcome, Error> {
        let outcome = self.run_to_end(record, known, audience);
        match &outcome {
            Ok(Outcome::Over(_)) => {
                let moves = self.last_moves(record);
                self.tell_all(self.plan.play_clock, |id| Message::Stop { id, moves: moves.clone() }, &record.match_id);
            }
            _ => self.tell_all(ABORT_TIME, |id| Message::Abort { id }, &record.match_id),
        }
        outcome
    }

    fn run_to_end(&mut self, record: &mut Record, known: &[Vec<MoveId>], audience: &mut dyn Audience) -> Result<Outcome, Error> {
        self.lanes.load(0, self.machine.initial());
        self.lanes.evaluate()?;
        let errors = self.start(record);
        if known.is_empty() {
            record.errors[0] = errors;
            self.save(record)?;
            audience.follow(record, self.machine.initial(), &[]);
        }
        for step in 0.. {
            if let Some(outcome) = self.end(record, step)? {
                self.save(record)?;
                return Ok(outcome);
            }
            let legal: Vec<Vec<MoveId>> = self.machine.roles().map(|role| self.lanes.legal(0, role).to_vec()).collect();
            let moves = self.moves_before(record, step);
            let play = Message::Play { id: record.match_id.clone(), moves };
            let catches_up = step < known.len();
            let Some(ply) = self.ply(&play, &legal, step, (!catches_up).then_some(&mut *audience)) else { continue };
            let joint = if catches_up { known[step].clone() } else { ply.joint.clone() };
            self.lanes.play(0, &joint);
            self.lanes.advance()?;
            self.lanes.evaluate()?;
            if !catches_up {
                let state = self.lanes.state(0);
                record.add(self.machine, ply, &state);
                self.save(record)?;
                let choosers: Vec<RoleId> =
                    self.machine.roles().zip(&legal).filter(|(_, legal)| legal.len() > 1).map(|(role, _)| role).collect();
                audience.follow(record, &state, &choosers);
            }
        }
        unreachable!("steps have no end")
    }

    /// Whether the match ends here, and how; the record is told.
    fn end(&mut self, record: &mut Record, step: usize) -> Result<Option<Outcome>, Error> {
        if self.stop.load(Ordering::Relaxed) {
            record.abort("interrupted");
            return Ok(Some(Outcome::Interrupted));
        }
        if self.lanes.terminal(0) {
            let points = self.machine.roles().map(|role| self.lanes.points(0, role)).collect::<Result<Vec<u8>, _>>()?;
            record.complete(points.clone());
            return Ok(Some(Outcome::Over(points)));
        }
        let stuck = self.machine.roles().find(|&role| self.lanes.legal(0, role).is_empty());
        let reason = match stuck {
            Some(role) => format!("{} has no legal move, and the match is not over", self.machine.role_name(role)),
            None if step >= self.plan.max_plies => format!("no end after {step} joint moves"),
            None => return Ok(None),
        };
        record.abort(&reason);
        Ok(Some(Outcome::Unfinished(reason)))
    }

    /// Sends START to all and waits for them.
    fn start(&self, record: &Record) -> Vec<String> {
        let Plan { rules, start_clock, play_clock, .. } = &self.plan;
        let rules = self.hide(rules);
        let deadline = Instant::now() + *start_clock;
        let role = |role: RoleId| self.hide(self.machine.role_name(role));
        let start = |role_id: RoleId| Message::Start {
            id: record.match_id.clone(),
            role: role(role_id),
            rules: rules.clone(),
            start_clock: *start_clock,
            play_clock: *play_clock,
        };
        let questions = self.machine.roles().zip(&self.seats).map(|(role, seat)| Question::new(seat, || start(role)));
        let answers = ask_all(questions.collect(), deadline, self.stop, || {});
        // What they say does not matter, as to other hosts.
        answers
            .into_iter()
            .map(|answer| answer.and_then(|answer| answer.said.err()).map_or_else(String::new, |fault| code(&fault)))
            .collect()
    }

    /// Asks all for a move. Without an audience, nobody is asked who is not at the other end of a wire. `None` where the match is to stop.
    fn ply(
        &self,
        play: &Message,
        legal: &[Vec<MoveId>],
        step: usize,
        audience: Option<&mut dyn Audience>,
    ) -> Option<record::Ply> {
        let deadline = Instant::now() + self.plan.play_clock + GRACE;
        let questions = self.seats.iter().map(|seat| Question::new(seat, || play.clone())).collect();
        let mut persons: Vec<Option<MoveId>> = vec![None; self.seats.len()];
        let mut has_left = false;
        let ask_persons = || {
            let Some(audience) = audience else { return };
            for (role, legal) in self.machine.roles().zip(legal) {
                let place = role.0 as usize;
                if has_left || !matches!(self.seats[place], Seat::Person) {
                    continue;
                }
                persons[place] = if legal.len() == 1 { Some(legal[0]) } else { audience.choose(role, legal) };
                has_left = persons[place].is_none();
            }
        };
        let answers = ask_all(questions, deadline, self.stop, ask_persons);
        if has_left {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut ply = record::Ply { latencies: Some(Vec::new()), ..record::Ply::default() };
        for ((role, answer), legal) in self.machine.roles().zip(answers).zip(legal) {
            let place = role.0 as usize;
            let judged = match (answer, persons[place]) {
                (Some(answer), _) => self.judged(answer, role, legal),
                (None, Some(id)) => Judged { choice: Some(id), ..Judged::default() },
                (None, None) => Judged::default(),
            };
            ply.joint.push(judged.choice.unwrap_or_else(|| any_move(self.machine, legal, self.plan.seed, step, role)));
            ply.errors.push(judged.error);
            ply.thoughts.push(judged.thought);
            ply.latencies.get_or_insert_default().push(judged.latency);
        }
        Some(ply)
    }

    /// What an answer to PLAY is worth.
    fn judged(&self, answer: Answer, role: RoleId, legal: &[MoveId]) -> Judged {
        let reveal = |text: &str| match &self.plan.scramble {
            Some(scramble) => scramble.reveal(text),
            None => Some(text.to_owned()),
        };
        match answer.said {
            Err(fault) => Judged { error: code(&fault), ..Judged::default() },
            Ok(reply) => {
                let latency = Some(answer.latency.as_secs_f64());
                Judged { latency, ..judge(self.machine, role, legal, &reply, reveal) }
            }
        }
    }

    /// Tells all players something whose answer does not matter, and waits a little for them.
    fn tell_all(&self, time: Duration, message: impl Fn(String) -> Message, id: &str) {
        let questions = self.seats.iter().map(|seat| Question::new(seat, || message(id.to_owned()))).collect();
        // Who interrupts a match a second time ends the process; the first time all are told.
        ask_all(questions, Instant::now() + time, &AtomicBool::new(false), || {});
    }

    /// Tells all players to forget a match that they may still be in, before it begins anew.
    pub fn clear(&self, id: &str) {
        self.tell_all(ABORT_TIME, |id| Message::Abort { id }, id);
    }

    fn moves_before(&self, record: &Record, step: usize) -> Option<Vec<String>> {
        let joint = record.moves.get(step.checked_sub(1)?)?;
        Some(joint.iter().map(|text| self.hide(text)).collect())
    }

    fn last_moves(&self, record: &Record) -> Option<Vec<String>> {
        self.moves_before(record, record.moves.len())
    }

    fn hide(&self, text: &str) -> String {
        self.plan.scramble.as_ref().map_or_else(|| text.to_owned(), |scramble| scramble.hide(text))
    }

    fn save(&self, record: &Record) -> Result<(), WriteError> {
        self.plan.file.as_deref().map_or(Ok(()), |file| record.write(file))
    }
}

/// A fault as records have it.
fn code(fault: &Fault) -> String {
    match fault {
        Fault::Late => "TO",
        Fault::Connection(_) => "CE",
    }
    .to_owned()
}

/// A player at the other end of a wire.
impl Contact for Address {
    fn ask(&self, message: &Message, deadline: Instant) -> Result<Reply, Fault> {
        let text = Address::ask(self, &message.to_string(), deadline)?;
        Ok(Reply::Move(Box::new(crate::Choice { text, thought: None })))
    }
}

/// A player in this process.
impl Contact for Session {
    fn ask(&self, message: &Message, _: Instant) -> Result<Reply, Fault> {
        // It keeps to the clocks that the messages of its match tell.
        Ok(self.answer(message.clone()))
    }
}

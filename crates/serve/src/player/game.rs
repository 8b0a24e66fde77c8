//! One match: its threads, from the first message to the last.

use super::Setup;
use super::brain::Brain;
use super::desk::{Aim, Desk, Task};
use super::keeper::{Applied, Keeper, find_role};
use super::stage::{Builder, Preparation, Stage};
use crate::message::{Choice, Moves};
use ludens_gdl::{Severity, legible};
use ludens_machine::{Limits, Machine, Random, relational};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Readers of deep terms are safe with that much.
const STACK: usize = 8 << 20;

/// A match is given up when nothing was heard of it for so many times its longer clock, and that long.
const PATIENCE: u32 = 3;
const LONGER: Duration = Duration::from_secs(10);

/// What a match begins with.
pub(super) struct Opening {
    pub(super) id: String,
    pub(super) role: String,
    pub(super) rules: String,
    pub(super) start_clock: Duration,
    pub(super) play_clock: Duration,
    /// When the player should be ready.
    pub(super) until: Instant,
}

/// A match.
pub(super) struct Match {
    pub(super) id: String,
    pub(super) play_clock: Duration,
    pub(super) desk: Arc<Desk>,
    patience: Duration,
    heard: Mutex<Instant>,
}

impl Match {
    /// Sets everything going.
    pub(super) fn new(opening: Opening, setup: &Arc<Setup>, builders: &Arc<AtomicUsize>) -> Match {
        let desk = Arc::new(Desk::default());
        let patience = opening.start_clock.max(opening.play_clock) * PATIENCE + LONGER;
        let (id, play_clock) = (opening.id.clone(), opening.play_clock);
        let hall = Hall { setup: setup.clone(), desk: desk.clone(), builders: builders.clone() };
        let spawned = spawn("keeper", {
            let hall = hall.clone();
            move || hall.keep(&opening)
        });
        if !spawned {
            hall.setup.log(&format!("{}: there is no thread to play it in", legible(&id)));
            desk.set_prepared();
        }
        Match { id, play_clock, desk, patience, heard: Mutex::new(Instant::now()) }
    }

    /// A message of this match has come.
    pub(super) fn hear(&self) {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// Whether its host has forgotten it.
    pub(super) fn is_abandoned(&self) -> bool {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).elapsed() > self.patience
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        if !self.desk.stop.load(std::sync::atomic::Ordering::Relaxed) {
            self.desk.close(None);
        }
    }
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> bool {
    thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).is_ok()
}

/// What all threads of a match share.
#[derive(Clone)]
struct Hall {
    setup: Arc<Setup>,
    desk: Arc<Desk>,
    builders: Arc<AtomicUsize>,
}

impl Hall {
    /// Keeps the state of a match to its end, whatever happens.
    fn keep(&self, opening: &Opening) {
        let id = legible(&opening.id);
        let kept = catch_unwind(AssertUnwindSafe(|| self.play(&id, opening)));
        let trouble = match kept {
            Ok(Ok(())) => return,
            Ok(Err(trouble)) => trouble,
            Err(_) => "a panic of the engine".to_owned(),
        };
        self.setup.log(&format!("{id}: cannot be played: {trouble}; every move will be nil"));
        self.desk.set_prepared();
        while let Some(task) = self.desk.next_task() {
            if let Task::Turn { number, .. } = task {
                self.desk.set_legal(number, Vec::new(), None);
            }
        }
    }

    fn play(&self, id: &str, opening: &Opening) -> Result<(), String> {
        let reading = ludens_gdl::read(&opening.rules, &ludens_gdl::Limits::default());
        let Some(rules) = reading.rules else {
            let error = reading.diagnostics.iter().find(|finding| finding.severity == Severity::Error);
            return Err(format!("the rules are not valid: {}", error.map_or("no rules", |finding| &finding.message)));
        };
        let limits = Limits { bytes: self.setup.settings.memory.min(Limits::default().bytes), ..Limits::default() };
        let machine = Machine::relational(&rules, &relational::Options::default(), &limits).map_err(|error| error.to_string())?;
        let machine = Arc::new(machine);
        let role = find_role(&machine, &opening.role).ok_or_else(|| format!("there is no role `{}`", legible(&opening.role)))?;
        self.desk.set_stage(Stage::plain(machine.clone(), &self.setup.player));
        let thinks = spawn("brain", {
            let (hall, id) = (self.clone(), id.to_owned());
            move || Brain { setup: &hall.setup, id: &id, role, desk: &hall.desk }.run()
        });
        if !thinks {
            return Err("there is no thread to think in".to_owned());
        }
        let prepares = spawn("preparation", {
            let (hall, id, reference) = (self.clone(), id.to_owned(), machine.clone());
            let (until, start_clock) = (opening.until, opening.start_clock);
            move || {
                let builder = Builder::new(&hall.builders);
                let preparation =
                    Preparation { setup: &hall.setup, id: &id, rules: &rules, reference, desk: &hall.desk, until, start_clock };
                if catch_unwind(AssertUnwindSafe(|| preparation.run(builder))).is_err() {
                    hall.setup.log(&format!("{id}: a panic while preparing: the match is played with what there is"));
                    hall.desk.set_prepared();
                }
            }
        });
        if !prepares {
            self.desk.set_prepared();
        }
        let keeper = Keeper::new(&machine, role).map_err(|error| error.to_string())?;
        Turns { hall: self, id, keeper, random: Random::new(self.setup.settings.seed) }.run();
        Ok(())
    }
}

/// The keeper at work.
struct Turns<'m> {
    hall: &'m Hall,
    id: &'m str,
    keeper: Keeper<'m>,
    random: Random,
}

impl Turns<'_> {
    fn run(mut self) {
        while let Some(task) = self.hall.desk.next_task() {
            match task {
                Task::Turn { number, moves, until } => self.turn(number, &moves, until),
                Task::Sent { number, choice } => self.sent(number, &choice),
                Task::Stop { moves } => return self.stop(&moves),
            }
        }
    }

    fn log(&self, text: &str) {
        self.hall.setup.log(&format!("{}: {text}", self.id));
    }

    /// Plays the moves of a message; says whether that was new.
    fn apply(&mut self, moves: &Moves) -> bool {
        let Some(moves) = moves else {
            if self.keeper.plies() > 0 {
                self.log("the host sends no moves, but there were some: the position stays as it is");
            }
            return true;
        };
        let told = legible(&moves.join(" "));
        match self.keeper.apply(moves) {
            Ok(Applied::Played) => self.log(&format!("played {}: {told}", self.keeper.plies())),
            Ok(Applied::Forced(reason)) => self.log(&format!("played {}: {told}, although {reason}", self.keeper.plies())),
            Ok(Applied::Again) => return false,
            Ok(Applied::Left(reason)) => self.log(&format!("{told} cannot be played: {reason}; the position stays as it is")),
            Err(error) => self.log(&format!("{told} cannot be played: {error}; the position stays as it is")),
        }
        true
    }

    fn turn(&mut self, number: u64, moves: &Moves, until: Instant) {
        self.hall.desk.begin_turn(number);
        if !self.apply(moves) {
            self.log("the host repeats itself");
            if self.hall.desk.send_again(number) {
                return;
            }
        }
        let legal = if self.keeper.is_over() { Vec::new() } else { self.keeper.legal() };
        let mut sorted = legal.clone();
        sorted.sort_unstable();
        let fallback = (!sorted.is_empty()).then(|| sorted.swap_remove(self.random.below(sorted.len())));
        let has_choice = legal.len() > 1;
        self.hall.desk.set_legal(number, legal, fallback);
        if has_choice {
            self.hall.desk.set_job(self.keeper.fluents(), Aim::Think { turn: number, until });
        }
    }

    /// Thinks on others' time.
    fn sent(&mut self, _number: u64, choice: &str) {
        if let Ok(fluents) = self.keeper.fluents_after(choice) {
            self.hall.desk.set_job(fluents, Aim::Ponder);
        }
    }

    fn stop(&mut self, moves: &Moves) {
        self.apply(moves);
        match (self.keeper.is_over(), self.keeper.points()) {
            (true, Ok(points)) => {
                let points: Vec<String> = points.iter().map(ToString::to_string).collect();
                self.log(&format!("over: {}", points.join(" ")));
            }
            _ => self.log("stopped before its end"),
        }
    }
}

/// What is said about an own move.
pub(super) fn told(choice: Option<&Choice>, after: Duration) -> String {
    let Some(Choice { text, thought }) = choice else { return format!("nil after {:.2} s", after.as_secs_f64()) };
    let text = legible(text);
    match thought {
        None => format!("{text} after {:.2} s", after.as_secs_f64()),
        Some(thought) => {
            let values: Vec<String> = thought.values.iter().map(|value| format!("{value:.0}")).collect();
            let (values, count, player) = (values.join(" "), thought.simulations.max(thought.nodes), &thought.player);
            format!("{text} after {:.2} s: {player} expects {values}, from {count} tries", after.as_secs_f64())
        }
    }
}

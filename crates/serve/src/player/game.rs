//! One match: its threads, from the first message to the last.

use super::Setup;
use super::brain::{Brain, text_of};
use super::desk::{Aim, Desk, Task};
use super::keeper::{Applied, Keeper, find_role};
use super::stage::{Place, Preparation, Stage};
use crate::message::{Choice, Moves};
use ludens_gdl::{Rules, Severity, legible};
use ludens_machine::{Error, Limits, Machine, Random, RoleId, relational};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Readers of deep terms are safe with that much.
const STACK: usize = 8 << 20;

/// A match is given up when nothing was heard of it for so many times its clock, and that long: its longer clock before the first move is asked for, then the clock for
/// a move. Before the first move one does not wait so long, unless a clock says so.
const PATIENCE: u32 = 3;
const LONGER: Duration = Duration::from_secs(10);
const LONGEST: Duration = Duration::from_secs(15 * 60);

/// Of the time for a move, the part in which one may guess what a lost message said; and the time at the end of a match.
const GUESSING: u32 = 4;
const LAST_GUESSING: Duration = Duration::from_secs(1);

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
    start_clock: Duration,
    pub(super) play_clock: Duration,
    pub(super) desk: Arc<Desk>,
    heard: Mutex<Heard>,
}

/// What was heard of a match.
struct Heard {
    last: Instant,
    /// A move was asked for.
    is_played: bool,
}

/// How long one waits to hear of a match.
fn patience(start_clock: Duration, play_clock: Duration, is_played: bool) -> Duration {
    let clock = if is_played { play_clock } else { start_clock.max(play_clock) };
    let patience = clock * PATIENCE + LONGER;
    if is_played { patience } else { patience.min(LONGEST.max(clock + LONGER)) }
}

impl Match {
    /// Sets everything going.
    pub(super) fn new(opening: Opening, setup: &Arc<Setup>, builders: &Arc<AtomicUsize>, place: Place) -> Match {
        let desk = Arc::new(Desk::default());
        let (id, start_clock, play_clock) = (opening.id.clone(), opening.start_clock, opening.play_clock);
        let hall = Hall { setup: setup.clone(), desk: desk.clone(), builders: builders.clone(), _place: Arc::new(place) };
        let spawned = spawn("keeper", {
            let hall = hall.clone();
            move || hall.keep(&opening)
        });
        if !spawned {
            hall.setup.log(&format!("{}: there is no thread to play it in", legible(&id)));
            desk.despair();
        }
        let heard = Mutex::new(Heard { last: Instant::now(), is_played: false });
        Match { id, start_clock, play_clock, desk, heard }
    }

    /// A message of this match has come: perhaps one that asks for a move.
    pub(super) fn hear(&self, is_played: bool) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.last = Instant::now();
        heard.is_played |= is_played;
    }

    /// Whether its host has forgotten it. One that cannot be played keeps nobody long from another.
    pub(super) fn is_abandoned(&self) -> bool {
        let is_hopeless = self.desk.is_hopeless();
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let patience = if is_hopeless { LONGER } else { patience(self.start_clock, self.play_clock, heard.is_played) };
        heard.last.elapsed() > patience
    }
}

impl Drop for Match {
    fn drop(&mut self) {
        if !self.desk.stop.load(Relaxed) {
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
    /// Taken until the last of them ends.
    _place: Arc<Place>,
}

impl Hall {
    /// Keeps the state of a match to its end, whatever happens.
    fn keep(&self, opening: &Opening) {
        let id = legible(&opening.id);
        let kept = catch_unwind(AssertUnwindSafe(|| self.play(&id, opening)));
        let trouble = match kept {
            Ok(Ok(())) => return,
            Ok(Err(trouble)) => trouble,
            Err(panic) => format!("panic of the engine: {}", text_of(&*panic)),
        };
        self.setup.log(&format!("{id}: cannot be played: {trouble}; every move will be nil"));
        self.desk.despair();
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
        let rules = Arc::new(rules);
        let machine = Arc::new(self.machine(&rules)?);
        if self.desk.stop.load(Relaxed) {
            return Ok(());
        }
        let role = find_role(&machine, &opening.role).ok_or_else(|| format!("there is no role `{}`", legible(&opening.role)))?;
        self.desk.set_stage(Stage::plain(machine.clone(), &self.setup.player));
        let thinks = spawn("brain", {
            let (hall, id) = (self.clone(), id.to_owned());
            move || hall.think(&id, role)
        });
        if !thinks {
            return Err("there is no thread to think in".to_owned());
        }
        let prepares = spawn("preparation", {
            let (hall, id, rules, reference) = (self.clone(), id.to_owned(), rules.clone(), machine.clone());
            let clocks = (opening.until, opening.start_clock);
            move || hall.prepare(&id, &rules, reference, clocks)
        });
        if !prepares {
            self.desk.set_prepared();
        }
        let keeper = Keeper::new(&machine, role).map_err(|error| error.to_string())?;
        let mut turns = Turns::new(self, id, keeper);
        let Err((task, trouble)) = turns.run(None) else { return Ok(()) };
        self.setup.log(&format!("{id}: {trouble}; tried once more, by another engine"));
        let history = turns.keeper.take_history();
        drop(turns);
        // The old machine may know too much by now: who thinks uses it, too.
        let machine = self.machine(&rules)?;
        let keeper = Keeper::after(&machine, role, history).map_err(|error| error.to_string())?;
        Turns::new(self, id, keeper).run(Some(task)).map_err(|(_, trouble)| trouble)
    }

    /// The engine that keeps the state.
    fn machine(&self, rules: &Rules) -> Result<Machine, String> {
        let limits = Limits { bytes: self.setup.settings.memory.min(Limits::default().bytes), ..Limits::default() };
        Machine::relational(rules, &relational::Options::default(), &limits).map_err(|error| error.to_string())
    }

    fn think(&self, id: &str, role: RoleId) {
        Brain { setup: &self.setup, id, role, desk: &self.desk }.run();
    }

    fn prepare(&self, id: &str, rules: &Rules, reference: Arc<Machine>, (until, start_clock): (Instant, Duration)) {
        let preparation = Preparation { setup: &self.setup, id, rules, reference, desk: &self.desk, until, start_clock };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| preparation.run(&self.builders))) {
            let text = text_of(&*panic);
            self.setup.log(&format!("{id}: panic while preparing: {text}: the match is played with what there is"));
            self.desk.set_prepared();
        }
    }
}

/// The keeper at work.
struct Turns<'m> {
    hall: &'m Hall,
    id: &'m str,
    keeper: Keeper<'m>,
    random: Random,
    /// A move was asked for.
    is_begun: bool,
}

impl<'m> Turns<'m> {
    fn new(hall: &'m Hall, id: &'m str, keeper: Keeper<'m>) -> Turns<'m> {
        Turns { hall, id, keeper, random: Random::new(hall.setup.settings.seed), is_begun: false }
    }

    /// Does one task after the other, until the match is over or one fails; tells which, and why.
    fn run(&mut self, first: Option<Task>) -> Result<(), (Task, String)> {
        let mut next = first;
        while let Some(task) = next.take().or_else(|| self.hall.desk.next_task()) {
            if let Err(trouble) = self.attempt(&task) {
                return Err((task, trouble));
            }
        }
        Ok(())
    }

    /// Does what it is asked for; tells why it could not.
    fn attempt(&mut self, task: &Task) -> Result<(), String> {
        let work = || match task {
            Task::Turn { number, moves, until } => self.turn(*number, moves, *until),
            Task::Sent { choice } => {
                self.sent(choice);
                Ok(())
            }
            Task::Stop { moves } => self.stop(moves),
        };
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => done.map_err(|error| error.to_string()),
            Err(panic) => Err(format!("panic of the engine: {}", text_of(&*panic))),
        }
    }

    fn log(&self, text: &str) {
        self.hall.setup.log(&format!("{}: {text}", self.id));
    }

    /// Plays the moves of a message; says whether that was new. What a lost message said is guessed until then.
    fn apply(&mut self, moves: &Moves, guess_until: Instant) -> Result<bool, Error> {
        let Some(moves) = moves else {
            if self.keeper.plies() > 0 {
                self.log("the host sends no moves, but there were some: the position stays as it is");
            }
            return Ok(!self.is_begun || self.keeper.plies() > 0);
        };
        let told = legible(&moves.join(" "));
        match self.keeper.apply(moves, guess_until)? {
            Applied::Played => self.log(&format!("played {}: {told}", self.keeper.plies())),
            Applied::Forced(reason) => self.log(&format!("played {}: {told}, although {reason}", self.keeper.plies())),
            Applied::Again => return Ok(false),
            Applied::Left(reason) => self.log(&format!("{told} cannot be played: {reason}; the position stays as it is")),
        }
        Ok(true)
    }

    fn turn(&mut self, number: u64, moves: &Moves, until: Instant) -> Result<(), Error> {
        self.hall.desk.begin_turn(number);
        let now = Instant::now();
        let is_new = self.apply(moves, now + until.saturating_duration_since(now) / GUESSING)?;
        self.is_begun = true;
        if !is_new {
            self.log("the host repeats itself");
            if self.hall.desk.send_again(number) {
                return Ok(());
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
        Ok(())
    }

    /// Thinks on others' time.
    fn sent(&mut self, choice: &str) {
        if let Ok(fluents) = self.keeper.fluents_after(choice) {
            self.hall.desk.set_job(fluents, Aim::Ponder);
        }
    }

    fn stop(&mut self, moves: &Moves) -> Result<(), Error> {
        self.apply(moves, Instant::now() + LAST_GUESSING)?;
        match (self.keeper.is_over(), self.keeper.points()) {
            (true, Ok(points)) => {
                let points: Vec<String> = points.iter().map(ToString::to_string).collect();
                self.log(&format!("over: {}", points.join(" ")));
            }
            _ => self.log("stopped before its end"),
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::patience;
    use std::time::Duration;

    #[test]
    fn patience_follows_the_clocks() {
        for (start, play, before, after) in [
            (0, 0, 10, 10),
            (60, 10, 190, 40),
            (10, 60, 190, 190),
            (600, 10, 900, 40),
            (1_000_000, 1, 1_000_010, 13),
            (1, 1_000_000, 1_000_010, 3_000_010),
        ] {
            let told = [false, true].map(|is_played| patience(Duration::from_secs(start), Duration::from_secs(play), is_played));
            assert_eq!(told, [before, after].map(Duration::from_secs), "{start} {play}");
        }
    }
}

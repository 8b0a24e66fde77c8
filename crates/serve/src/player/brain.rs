//! The thread that thinks.

use super::Setup;
use super::desk::{Aim, Desk, Event, Job};
use super::stage::Stage;
use crate::clock::SystemClock;
use crate::message::{Choice, Thought};
use ludens_machine::{Machine, RoleId, State};
use ludens_search::{Budget, Error, Search, Settings, Verdict};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The share of its time after which a search says what it would play, so that there is something to play whatever happens then.
const FIRST_SHARE: f64 = 0.1;

/// A search that takes less than this share of its time has nothing more to find out.
const EARLY: f64 = 0.8;

/// After so many panics in one match nobody thinks any more.
const PANICS: u32 = 3;

/// Joint moves of the expected line that are told.
const TOLD: usize = 20;

/// Thinks about one match.
pub(super) struct Brain<'a> {
    pub(super) setup: &'a Setup,
    pub(super) id: &'a str,
    pub(super) role: RoleId,
    pub(super) desk: &'a Desk,
}

/// Why a stage is left.
enum Left {
    Closed,
    Stage,
}

impl Brain<'_> {
    /// Thinks until the match is over. A panic costs what was remembered, not the match.
    pub(super) fn run(&self) {
        let mut done = 0;
        let mut panics = 0;
        while let Some((stage, number)) = self.desk.newest_stage() {
            match catch_unwind(AssertUnwindSafe(|| self.think_with(&stage, number, &mut done))) {
                Ok(Left::Stage) => {}
                Ok(Left::Closed) => return,
                Err(panic) => {
                    panics += 1;
                    self.log(&format!("panic while thinking: {}", text_of(&*panic)));
                    if panics >= PANICS {
                        self.log("nobody thinks any more: legal moves will have to do");
                        return self.only_answer(done);
                    }
                }
            }
        }
    }

    fn log(&self, text: &str) {
        self.setup.log(&format!("{}: {text}", self.id));
    }

    /// Leaves every turn to the keeper.
    fn only_answer(&self, mut done: u64) {
        while let Event::Job(job) = self.desk.next_event(done, u64::MAX) {
            done = job.serial;
            if let Aim::Think { turn, .. } = job.aim {
                self.desk.give_up(turn);
            }
        }
    }

    /// Does jobs with an engine and a player until there is something better.
    fn think_with(&self, stage: &Stage, number: u64, done: &mut u64) -> Left {
        let settings = self.setup.settings;
        let settings = Settings { seed: settings.seed ^ u64::from(self.role.0).wrapping_mul(0x9e37_79b9_7f4a_7c15), ..settings };
        let mut search = stage.search(self.setup, settings);
        loop {
            let job = match self.desk.next_event(*done, number) {
                Event::Closed => return Left::Closed,
                Event::Stage => return Left::Stage,
                Event::Job(job) => job,
            };
            // A job is done also when it failed. Only thinking that panicked is tried again.
            *done = job.serial - u64::from(job.aim != Aim::Ponder);
            let state = stage.machine.state_of(job.fluents.iter().map(String::as_str));
            let result = state.map_err(Error::from).and_then(|state| match job.aim {
                Aim::Think { turn, until } => self.think(stage, &mut *search, &job, &state, turn, until),
                Aim::Ponder => search.ponder(&state, self.role, &SystemClock::new().watch(&job.stop)),
            });
            *done = job.serial;
            if let (Err(error), Aim::Think { turn, .. }) = (result, job.aim) {
                self.log(&format!("no move found: {error}"));
                self.desk.give_up(turn);
            }
        }
    }

    fn think(
        &self,
        stage: &Stage,
        search: &mut dyn Search,
        job: &Job,
        state: &State,
        turn: u64,
        until: Instant,
    ) -> Result<(), Error> {
        let clock = SystemClock::new();
        let watch = clock.watch(&job.stop);
        let all = until.saturating_duration_since(Instant::now());
        let began = Instant::now();
        for share in [FIRST_SHARE, 1.0] {
            let left = all.mul_f64(share).saturating_sub(began.elapsed());
            let started = Instant::now();
            let budget = Budget { wall: Some(left), ..Budget::default() };
            let verdict = search.think(state, self.role, &budget, &watch)?;
            let is_final = share >= 1.0 || started.elapsed() < left.mul_f64(EARLY);
            let choice = choice(stage, &verdict, began.elapsed());
            if !self.desk.propose(turn, choice, is_final) {
                self.log(&format!("{} chose what is not legal", stage.name()));
            }
            if is_final {
                break;
            }
        }
        Ok(())
    }
}

/// What a panic says.
pub(super) fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    ludens_gdl::legible(text.unwrap_or("of an unknown kind"))
}

/// What a search found out, in words.
fn choice(stage: &Stage, verdict: &Verdict, wall: Duration) -> Choice {
    let machine: &Machine = &stage.machine;
    let texts = |joint: &Vec<_>| joint.iter().map(|&id| machine.move_text(id)).collect();
    let thought = Thought {
        player: stage.name(),
        values: verdict.values.clone(),
        bounds: (verdict.bounds.low, verdict.bounds.high),
        line: verdict.line.iter().take(TOLD).map(texts).collect(),
        simulations: verdict.simulations,
        nodes: verdict.nodes,
        depth: verdict.depth,
        wall,
    };
    Choice { text: machine.move_text(verdict.choice), thought: Some(thought) }
}

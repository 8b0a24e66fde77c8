//! Where the threads of a match meet: who answers, who keeps the state, who thinks, who prepares.

use super::stage::Stage;
use crate::message::{Choice, Moves};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Messages of one match that wait; nobody sends so many.
const WAITING: usize = 16;

/// What the keeper is asked to do.
#[derive(Debug)]
pub(super) enum Task {
    /// A move is asked for.
    Turn {
        number: u64,
        moves: Moves,
        /// When thinking must end.
        until: Instant,
    },
    /// The move of a turn has been sent: think about what may follow.
    Sent { number: u64, choice: String },
    /// The match is over.
    Stop { moves: Moves },
}

/// What the brain is asked to do.
#[derive(Clone, Debug)]
pub(super) struct Job {
    /// Jobs are numbered.
    pub(super) serial: u64,
    pub(super) fluents: Arc<[String]>,
    pub(super) aim: Aim,
    /// Set when it shall come to an end at once.
    pub(super) stop: Arc<AtomicBool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// A move for a turn.
    Think { turn: u64, until: Instant },
    /// Whatever may be of use later.
    Ponder,
}

/// What the brain does next.
pub(super) enum Event {
    Job(Job),
    /// There is something better to think with.
    Stage,
    Closed,
}

/// The answer to a turn, as far as it is known.
#[derive(Debug, Default)]
struct Answer {
    turn: u64,
    legal: Vec<String>,
    /// What to play if nothing better is found.
    fallback: Option<Choice>,
    best: Option<Choice>,
    is_final: bool,
}

#[derive(Default)]
struct Inner {
    is_closed: bool,
    is_prepared: bool,
    /// Turns that were asked for.
    turns: u64,
    /// The moves of the last of them, until it is answered.
    pending: Option<(Moves, Instant)>,
    tasks: VecDeque<Task>,
    answer: Answer,
    /// What was answered last.
    sent: Option<Choice>,
    jobs: u64,
    job: Option<Job>,
    stage: Option<Arc<Stage>>,
    stages: u64,
}

/// The meeting place.
#[derive(Default)]
pub(super) struct Desk {
    inner: Mutex<Inner>,
    changed: Condvar,
    /// Set when the match is over: preparations end.
    pub(super) stop: AtomicBool,
}

impl Desk {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing is left half done in here, whoever panicked.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something to change, no longer than until then.
    fn wait<'a>(&self, inner: MutexGuard<'a, Inner>, until: Option<Instant>) -> MutexGuard<'a, Inner> {
        match until {
            None => self.changed.wait(inner).unwrap_or_else(PoisonError::into_inner),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now()).max(Duration::from_micros(100));
                self.changed.wait_timeout(inner, left).unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    fn change(&self, change: impl FnOnce(&mut Inner)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Ends everything. A last task may still be done.
    pub(super) fn close(&self, last: Option<Task>) {
        self.stop.store(true, Relaxed);
        self.change(|inner| {
            inner.is_closed = true;
            inner.tasks.clear();
            inner.tasks.extend(last);
            inner.stage = None;
            if let Some(job) = inner.job.take() {
                job.stop.store(true, Relaxed);
            }
        });
    }

    // Who answers.

    /// Waits until the player has prepared itself, no longer than until then; says whether it has.
    pub(super) fn wait_prepared(&self, until: Instant) -> bool {
        let mut inner = self.lock();
        while !inner.is_prepared && !inner.is_closed && Instant::now() < until {
            inner = self.wait(inner, Some(until));
        }
        inner.is_prepared
    }

    /// Asks for a move. `None` where too much is waiting already. A message that repeats one that is still being thought about asks for the same move.
    pub(super) fn ask(&self, moves: Moves, until: Instant) -> Option<u64> {
        let mut inner = self.lock();
        if inner.is_closed || inner.tasks.len() >= WAITING {
            return None;
        }
        let is_repeated = inner.pending.as_ref().is_some_and(|(pending, until)| *pending == moves && Instant::now() < *until);
        if !is_repeated {
            inner.turns += 1;
            inner.pending = Some((moves.clone(), until));
            let number = inner.turns;
            inner.tasks.push_back(Task::Turn { number, moves, until });
            if let Some(job) = &inner.job {
                job.stop.store(true, Relaxed);
            }
            self.changed.notify_all();
        }
        Some(inner.turns)
    }

    /// The move of a turn: the best that is known when thinking is done, or at the latest moment. Where there is none at all, it is waited for until the clock
    /// has run down: to be late is no worse than to have no move.
    pub(super) fn wait_answer(&self, turn: u64, latest: Instant, end: Instant) -> Option<Choice> {
        let mut inner = self.lock();
        loop {
            let is_mine = inner.answer.turn == turn;
            let has_any = is_mine && (inner.answer.best.is_some() || inner.answer.fallback.is_some());
            let until = if has_any { latest } else { end };
            let is_over = inner.is_closed || inner.answer.turn > turn || Instant::now() >= until;
            if is_over || (is_mine && inner.answer.is_final) {
                let answer = is_mine.then(|| inner.answer.best.clone().or_else(|| inner.answer.fallback.clone())).flatten();
                if inner.turns == turn && inner.pending.take().is_some() {
                    inner.sent.clone_from(&answer);
                    if let Some(choice) = &answer {
                        inner.tasks.push_back(Task::Sent { number: turn, choice: choice.text.clone() });
                    }
                    self.changed.notify_all();
                }
                return answer;
            }
            inner = self.wait(inner, Some(until));
        }
    }

    // Who keeps the state.

    /// The next task; `None` when the match is over.
    pub(super) fn next_task(&self) -> Option<Task> {
        let mut inner = self.lock();
        loop {
            if let Some(task) = inner.tasks.pop_front() {
                return Some(task);
            }
            if inner.is_closed {
                return None;
            }
            inner = self.wait(inner, None);
        }
    }

    /// A turn begins: nothing is known yet.
    pub(super) fn begin_turn(&self, turn: u64) {
        self.change(|inner| inner.answer = Answer { turn, ..Answer::default() });
    }

    /// These moves are legal; where there is but one, or none, there is nothing to think about.
    pub(super) fn set_legal(&self, turn: u64, legal: Vec<String>, fallback: Option<String>) {
        self.change(|inner| {
            let fallback = fallback.map(|text| Choice { text, thought: None });
            let is_final = legal.len() < 2;
            inner.answer = Answer { turn, legal, fallback, best: None, is_final };
        });
    }

    /// The host did not get the last answer, it seems: there it is again, if there is one.
    pub(super) fn send_again(&self, turn: u64) -> bool {
        let mut is_known = false;
        self.change(|inner| {
            is_known = inner.sent.is_some();
            if is_known {
                inner.answer = Answer { turn, best: inner.sent.clone(), is_final: true, ..Answer::default() };
            }
        });
        is_known
    }

    /// Nothing better will come.
    pub(super) fn give_up(&self, turn: u64) {
        self.change(|inner| inner.answer.is_final |= inner.answer.turn == turn);
    }

    /// Gives the brain something to do.
    pub(super) fn set_job(&self, fluents: Vec<String>, aim: Aim) {
        self.change(|inner| {
            if inner.is_closed || (aim == Aim::Ponder && inner.pending.is_some()) {
                return;
            }
            if let Some(job) = &inner.job {
                job.stop.store(true, Relaxed);
            }
            inner.jobs += 1;
            inner.job = Some(Job { serial: inner.jobs, fluents: fluents.into(), aim, stop: Arc::default() });
        });
    }

    // Who thinks.

    /// The newest stage, and its number; waits for the first one. `None` when the match is over.
    pub(super) fn newest_stage(&self) -> Option<(Arc<Stage>, u64)> {
        let mut inner = self.lock();
        loop {
            if inner.is_closed {
                return None;
            }
            if let Some(stage) = &inner.stage {
                return Some((stage.clone(), inner.stages));
            }
            inner = self.wait(inner, None);
        }
    }

    /// What to do after a job, with a stage.
    pub(super) fn next_event(&self, done: u64, stage: u64) -> Event {
        let mut inner = self.lock();
        loop {
            if inner.is_closed {
                return Event::Closed;
            }
            if inner.stages > stage {
                return Event::Stage;
            }
            if let Some(job) = inner.job.as_ref().filter(|job| job.serial > done) {
                return Event::Job(job.clone());
            }
            inner = self.wait(inner, None);
        }
    }

    /// A move for a turn; says whether it can be played.
    pub(super) fn propose(&self, turn: u64, choice: Choice, is_final: bool) -> bool {
        let mut is_legal = true;
        self.change(|inner| {
            let answer = &mut inner.answer;
            if answer.turn == turn && !answer.is_final {
                is_legal = answer.legal.contains(&choice.text);
                if is_legal {
                    answer.best = Some(choice);
                }
                answer.is_final = is_final;
            }
        });
        is_legal
    }

    // Who prepares.

    /// Something better to think with. Pondering is broken off for it, thinking is not.
    pub(super) fn set_stage(&self, stage: Stage) {
        self.change(|inner| {
            if inner.is_closed {
                return;
            }
            inner.stages += 1;
            inner.stage = Some(Arc::new(stage));
            if let Some(job) = inner.job.as_mut().filter(|job| job.aim == Aim::Ponder && inner.pending.is_none()) {
                inner.jobs += 1;
                let anew = Job { serial: inner.jobs, stop: Arc::default(), ..job.clone() };
                std::mem::replace(job, anew).stop.store(true, Relaxed);
            }
        });
    }

    /// The player is as ready as it will be.
    pub(super) fn set_prepared(&self) {
        self.change(|inner| inner.is_prepared = true);
    }
}

//! Where the threads of a match meet: who answers, who keeps the state, who thinks, who prepares.

use super::stage::Stage;
use crate::message::{Choice, Moves};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What may wait of one match, in bytes of moves, and what a message counts for beside its moves. Nobody sends so much: moves that were told are never forgotten.
const WAITING: usize = 32 << 20;
const MESSAGE: usize = 200;

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
    Sent { choice: String },
    /// The match is over.
    Stop { moves: Moves },
}

impl Task {
    /// The room that it takes.
    fn size(&self) -> usize {
        match self {
            Task::Turn { moves, .. } | Task::Stop { moves } => size(moves),
            Task::Sent { choice } => MESSAGE + choice.len(),
        }
    }
}

fn size(moves: &Moves) -> usize {
    MESSAGE + moves.iter().flatten().map(|text| MESSAGE + text.len()).sum::<usize>()
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
    /// Nothing can be played: every move is nil.
    is_hopeless: bool,
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

    /// Nothing can be played, and there is nothing to wait for.
    pub(super) fn despair(&self) {
        self.change(|inner| {
            (inner.is_hopeless, inner.is_prepared) = (true, true);
            inner.answer.is_final = true;
        });
    }

    pub(super) fn is_hopeless(&self) -> bool {
        self.lock().is_hopeless
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
        let waiting: usize = inner.tasks.iter().map(Task::size).sum();
        if inner.is_closed || waiting + size(&moves) > WAITING {
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

    /// The move of a turn: the best that is known when thinking is done, or at the latest moment; whoever asks again gets the same. Where there is none at all, it is waited for until the clock
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
                if answer.is_some() {
                    inner.answer.best.clone_from(&answer);
                    inner.answer.is_final = true;
                }
                if inner.turns == turn && inner.pending.take().is_some() {
                    inner.sent.clone_from(&answer);
                    if let Some(choice) = &answer {
                        inner.tasks.push_back(Task::Sent { choice: choice.text.clone() });
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
            let job = inner.job.as_ref().filter(|job| job.serial > done);
            // To change over takes time, which a move that is asked for may not have.
            if inner.stages > stage && job.is_none_or(|job| job.aim == Aim::Ponder) {
                return Event::Stage;
            }
            if let Some(job) = job {
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

#[cfg(test)]
mod tests {
    use super::{Aim, Desk, Event, Task};
    use crate::message::Choice;
    use crate::player::stage::Stage;
    use ludens_machine::{Limits, Machine, relational::Options};
    use ludens_search::Spec;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(1000)
    }

    fn choice(text: &str) -> Choice {
        Choice { text: text.to_owned(), thought: None }
    }

    #[test]
    fn an_answer_that_was_given_stays() {
        let desk = Desk::default();
        let turn = desk.ask(None, later()).unwrap();
        desk.set_legal(turn, vec!["a".to_owned(), "b".to_owned()], Some("a".to_owned()));
        assert_eq!(desk.ask(None, later()), Some(turn), "the same message again");
        let now = Instant::now();
        assert_eq!(desk.wait_answer(turn, now, now), Some(choice("a")));
        desk.propose(turn, choice("b"), true);
        assert_eq!(desk.wait_answer(turn, later(), later()), Some(choice("a")));
    }

    #[test]
    fn moves_that_wait_are_not_forgotten() {
        let desk = Desk::default();
        let joint = |number: u32| Some(vec![number.to_string()]);
        for number in 0..100 {
            let turn = desk.ask(joint(number), later()).expect("there is room");
            let now = Instant::now();
            assert_eq!(desk.wait_answer(turn, now, now), None);
        }
        assert_eq!(desk.ask(Some(vec!["x".repeat(40 << 20)]), later()), None);
        for number in 0..100 {
            assert!(matches!(desk.next_task(), Some(Task::Turn { moves, .. }) if moves == joint(number)), "{number}");
        }
    }

    #[test]
    fn a_move_goes_before_a_better_stage() {
        let sheet = "(role a) (legal a b) (legal a c) (init d) (<= terminal (not (true d))) (goal a 100)";
        let rules = ludens_gdl::read(sheet, &ludens_gdl::Limits::default()).rules.expect("valid");
        let machine = Arc::new(Machine::relational(&rules, &Options::default(), &Limits::default()).expect("a machine"));
        let desk = Desk::default();
        desk.set_stage(Stage::plain(machine, &Spec::parse("first").unwrap()));
        desk.set_job(Vec::new(), Aim::Think { turn: 1, until: later() });
        let Event::Job(job) = desk.next_event(0, 0) else { panic!("a job is waiting") };
        assert!(matches!(desk.next_event(job.serial, 0), Event::Stage));
        desk.set_job(Vec::new(), Aim::Ponder);
        assert!(matches!(desk.next_event(job.serial, 0), Event::Stage));
    }
}

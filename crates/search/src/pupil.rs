//! A player whose function goes on learning while the match goes on.

use crate::{Budget, Error, Search, Verdict, Watch};
use ludens_machine::{Error as EngineError, Lanes, Machine, Random, RoleId, State};
use ludens_score::learned::Learner;
use ludens_score::{Evaluator, Invented, Invention};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

/// Of the time for a move, what learning may have.
const SHARE: f64 = 0.2;

/// On others' time learning may have so long, before the search goes on.
const PONDERING: Duration = Duration::from_millis(200);

/// A function that is exchanged while searches hold on to it, though never while one of them is under way.
#[derive(Debug)]
pub(crate) struct Changing {
    name: &'static str,
    reads_moves: bool,
    current: RwLock<Arc<dyn Evaluator>>,
}

impl Changing {
    pub(crate) fn new(first: Arc<dyn Evaluator>) -> Changing {
        Changing { name: first.name(), reads_moves: first.reads_moves(), current: RwLock::new(first) }
    }

    /// Others say the same kind of thing: whether legal moves are read stays as it is.
    fn exchange(&self, next: Arc<dyn Evaluator>) {
        debug_assert!(self.reads_moves || !next.reads_moves());
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

impl Evaluator for Changing {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads_moves(&self) -> bool {
        self.reads_moves
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, random: &mut Random, scores: &mut [f32]) -> Result<(), EngineError> {
        self.current.read().unwrap_or_else(PoisonError::into_inner).score(lanes, count, random, scores)
    }
}

/// A search, and what its function is learned by. What the search remembers of positions by an earlier function it keeps: it is old knowledge, not wrong.
pub(crate) struct Pupil<'m> {
    machine: &'m Machine,
    invented: Arc<Invented>,
    learner: Learner,
    evaluator: Arc<Changing>,
    search: Box<dyn Search + 'm>,
    random: Random,
}

impl<'m> Pupil<'m> {
    /// The search has the evaluator.
    pub(crate) fn new(
        machine: &'m Machine,
        (invented, learner): (Arc<Invented>, Learner),
        evaluator: Arc<Changing>,
        search: Box<dyn Search + 'm>,
        seed: u64,
    ) -> Pupil<'m> {
        Pupil { machine, invented, learner, evaluator, search, random: Random::new(seed) }
    }

    /// Learns for a while from what may follow a position.
    fn learn(&mut self, position: &State, used: Option<&dyn Fn() -> f64>) -> Result<(), Error> {
        if self.learner.go_on(self.machine, position, &mut self.random, used)? {
            let function = Invention::Function(self.learner.function());
            self.evaluator.exchange(function.evaluator(self.machine, &self.invented.vocabulary));
        }
        Ok(())
    }
}

impl Search for Pupil<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        let clock = watch.clock;
        let (wall, cpu) = (clock.wall(), clock.cpu());
        let spent = || (clock.wall().saturating_sub(wall), clock.cpu().saturating_sub(cpu));
        let used = || {
            if watch.stop.load(Relaxed) {
                return 1.0;
            }
            let share = |spent: Duration, most: Option<Duration>| {
                most.map_or(0.0, |most| spent.as_secs_f64() / (most.as_secs_f64() * SHARE).max(1e-9))
            };
            let (wall, cpu) = spent();
            share(wall, budget.wall).max(share(cpu, budget.cpu))
        };
        let is_timed = budget.wall.is_some() || budget.cpu.is_some();
        self.learn(position, is_timed.then_some(&used as &dyn Fn() -> f64))?;
        let (wall, cpu) = spent();
        let rest = |most: Option<Duration>, spent| most.map(|most| most.saturating_sub(spent));
        let budget = Budget { wall: rest(budget.wall, wall), cpu: rest(budget.cpu, cpu), ..*budget };
        let mut verdict = self.search.think(position, role, &budget, watch)?;
        verdict.wall += wall;
        verdict.cpu += cpu;
        Ok(verdict)
    }

    fn ponder(&mut self, position: &State, role: RoleId, watch: &Watch<'_>) -> Result<(), Error> {
        let began = watch.clock.wall();
        let used = || {
            let passed = watch.clock.wall().saturating_sub(began).as_secs_f64() / PONDERING.as_secs_f64();
            if watch.stop.load(Relaxed) { 1.0 } else { passed }
        };
        self.learn(position, Some(&used))?;
        self.search.ponder(position, role, watch)
    }
}

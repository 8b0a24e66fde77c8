//! A player whose function goes on learning while the match goes on.

use crate::{Budget, Error, Search, Verdict, Watch};
use ludens_machine::{Error as EngineError, Lanes, Machine, Random, RoleId, State};
use ludens_score::Evaluator;
use ludens_score::learned::Learner;
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
    learner: Learner,
    evaluator: Arc<Changing>,
    search: Box<dyn Search + 'm>,
    random: Random,
}

impl<'m> Pupil<'m> {
    /// The search has the evaluator.
    pub(crate) fn new(
        machine: &'m Machine,
        learner: Learner,
        evaluator: Arc<Changing>,
        search: Box<dyn Search + 'm>,
        seed: u64,
    ) -> Pupil<'m> {
        Pupil { machine, learner, evaluator, search, random: Random::new(seed) }
    }

    /// Learns for a while from what may follow a position.
    fn learn(&mut self, position: &State, used: Option<&dyn Fn() -> f64>) -> Result<(), Error> {
        if self.learner.go_on(self.machine, position, &mut self.random, used)? {
            self.evaluator.exchange(Arc::new(self.learner.evaluator(self.machine)));
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

#[cfg(test)]
mod tests {
    use super::{Changing, Pupil};
    use crate::depth::OnePly;
    use crate::{Budget, Clock, Search, Settings, Watch};
    use ludens_machine::{GroundLimits, Limits, Machine, Random, RoleId, relational};
    use ludens_score::learned::{Options, learn};
    use ludens_score::{Evaluator, Vocabulary};
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    #[derive(Debug)]
    struct NoClock;

    impl Clock for NoClock {
        fn wall(&self) -> Duration {
            Duration::ZERO
        }

        fn cpu(&self) -> Duration {
            Duration::ZERO
        }
    }

    /// The points that an evaluator gives both roles after the first joint move.
    fn points(machine: &Machine, evaluator: &dyn Evaluator) -> Vec<f64> {
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        let joint: Vec<_> = machine.roles().map(|role| lanes.legal(0, role)[0]).collect();
        lanes.play(0, &joint);
        lanes.advance().expect("a successor");
        lanes.evaluate().expect("an evaluation");
        let mut scores = [0.0; 2];
        evaluator.score(&mut lanes, 1, &mut Random::new(1), &mut scores).expect("scores");
        scores.map(f64::from).to_vec()
    }

    #[test]
    fn the_search_has_the_function_that_was_learned_last() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games/connect_four/rules.kif");
        let sheet = std::fs::read_to_string(path).expect("a game of the library");
        let rules = ludens_gdl::read(&sheet, &ludens_gdl::Limits::default()).rules.expect("rules");
        let (ground, options) = (GroundLimits::default(), relational::Options::default());
        let machine = Machine::fastest(&rules, &ground, &options, &Limits::default()).expect("a machine");
        // So little was seen that there is something left to learn.
        let few = Options { matches: 64, each: 2, passes: 1, rounds: 0, lines: false, ..Options::default() };
        let vocabulary = Vocabulary::of(&machine).expect("states of bits");
        let (_, learner) = learn(&machine, &rules, &vocabulary, &few, &mut Random::new(7), &|| 0.0).expect("a function");
        let evaluator = Arc::new(Changing::new(Arc::new(learner.evaluator(&machine))));
        let first = points(&machine, &*evaluator);
        let search = Box::new(OnePly::new(&machine, evaluator.clone(), Settings::default()));
        let mut pupil = Pupil::new(&machine, learner, evaluator.clone(), search, 3);
        let (stop, clock) = (AtomicBool::new(false), NoClock);
        for _ in 0..8 {
            let watch = Watch { clock: &clock, stop: &stop };
            pupil.think(machine.initial(), RoleId(0), &Budget::default(), &watch).expect("an answer");
        }
        let last = points(&machine, &*evaluator);
        let differs = |others: &[f64]| last.iter().zip(others).any(|(one, two)| (one - two).abs() > 1e-6);
        assert!(differs(&first), "{last:?} as at first");
        assert!(!differs(&points(&machine, &pupil.learner.evaluator(&machine))), "{last:?}");
        assert!((last[0] + last[1] - 100.0).abs() < 0.01, "{last:?}: they share the points");
    }
}

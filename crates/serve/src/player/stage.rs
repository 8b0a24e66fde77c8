//! What a match is thought about with: an engine and a player, better ones as they get ready.

use super::Setup;
use super::desk::Desk;
use crate::clock::SystemClock;
use ludens_gdl::Rules;
use ludens_machine::{GroundLimits, Machine};
use ludens_search::{Budget, Ready, Search, Settings, Spec, Start};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// Engines being made at the same time, also for matches that are over by now: making one cannot be broken off.
const BUILDERS: usize = 2;

/// How often one who waits for a place looks for it.
const LOOK: Duration = Duration::from_millis(50);

/// Lanes that random play is made ready for.
const LANES: usize = 512;

/// With less time than this before the first move nothing is prepared.
const SHORTEST: Duration = Duration::from_millis(300);

/// The time to prepare beside a match that has begun, at most.
const BESIDE: Duration = Duration::from_secs(20);

/// An engine and a player.
pub(super) struct Stage {
    pub(super) machine: Arc<Machine>,
    pub(super) ready: Ready,
}

impl Stage {
    /// The player as it is without time to prepare.
    pub(super) fn plain(machine: Arc<Machine>, spec: &Spec) -> Stage {
        Stage { machine, ready: spec.clone().into() }
    }

    /// Who thinks, and with what.
    pub(super) fn name(&self) -> String {
        let player = self.ready.choice().map_or_else(|| self.ready.spec(), |choice| choice.player.spec());
        format!("{player} ({})", self.machine.engine_name())
    }

    /// The search for one match. Where the player asked for cannot play this game, UCT does.
    pub(super) fn search(&self, setup: &Setup, settings: Settings) -> Box<dyn Search + '_> {
        let machine = &*self.machine;
        let built = self.ready.build(machine, settings);
        let search = built.unwrap_or_else(|_| {
            let uct = Spec::parse("uct").expect("a player of the table");
            Ready::from(uct).build(machine, settings).expect("it plays every game")
        });
        match &setup.watcher {
            Some(watcher) => watcher.attend(machine, search),
            None => search,
        }
    }
}

/// One of a few places, until this goes.
pub(super) struct Place(Arc<AtomicUsize>);

impl Place {
    /// One more, unless all are taken.
    pub(super) fn new(taken: &Arc<AtomicUsize>, places: usize) -> Option<Place> {
        let more = |count: usize| (count < places).then_some(count + 1);
        taken.fetch_update(Relaxed, Relaxed, more).ok().map(|_| Place(taken.clone()))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// What preparing a match needs to know.
pub(super) struct Preparation<'a> {
    pub(super) setup: &'a Setup,
    pub(super) id: &'a str,
    pub(super) rules: &'a Rules,
    /// The engine that plays until there is a better one.
    pub(super) reference: Arc<Machine>,
    pub(super) desk: &'a Desk,
    /// When the first move may be asked for.
    pub(super) until: Instant,
    pub(super) start_clock: Duration,
}

impl Preparation<'_> {
    /// Makes the fast engine, and lets the player prepare itself.
    pub(super) fn run(self, builders: &Arc<AtomicUsize>) {
        let began = Instant::now();
        let Some(builder) = self.place(builders) else { return };
        let machine = self.grounded();
        drop(builder);
        let machine = machine.map_or_else(
            || self.reference.clone(),
            |machine| {
                let machine = Arc::new(machine);
                self.desk.set_stage(Stage::plain(machine.clone(), &self.setup.player));
                machine
            },
        );
        if self.desk.stop.load(Relaxed) {
            return;
        }
        if let Some(budget) = self.time() {
            let stage = self.prepared(machine, budget);
            let name = stage.name();
            self.desk.set_stage(stage);
            self.log(&format!("{name} plays, prepared in {:.1} s", began.elapsed().as_secs_f64()));
        }
        self.desk.set_prepared();
    }

    /// Waits for a place to make an engine in; `None` when the match is over.
    fn place(&self, builders: &Arc<AtomicUsize>) -> Option<Place> {
        let mut is_told = false;
        while !self.desk.stop.load(Relaxed) {
            if let Some(place) = Place::new(builders, BUILDERS) {
                return Some(place);
            }
            if !is_told {
                self.log("other matches' engines are still being made: until then the relational engine plays");
                is_told = true;
            }
            thread::sleep(LOOK);
        }
        None
    }

    fn log(&self, text: &str) {
        if !self.desk.stop.load(Relaxed) {
            self.setup.log(&format!("{}: {text}", self.id));
        }
    }

    fn grounded(&self) -> Option<Machine> {
        if let Some(watcher) = &self.setup.watcher {
            watcher.grounds();
        }
        match Machine::grounded(self.rules, &GroundLimits::default()) {
            Ok(machine) => {
                machine.prepare(LANES);
                Some(machine)
            }
            Err(error) => {
                self.log(&format!("played by the relational engine: {error}"));
                None
            }
        }
    }

    /// The time to prepare. When the match has begun already that takes a processor that nobody thinks with.
    fn time(&self) -> Option<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left >= SHORTEST {
            return Some(left);
        }
        let processors = thread::available_parallelism().map_or(1, usize::from);
        (processors > self.setup.settings.threads).then(|| self.start_clock.min(BESIDE)).filter(|time| *time >= SHORTEST)
    }

    fn prepared(&self, machine: Arc<Machine>, wall: Duration) -> Stage {
        let clock = SystemClock::new();
        let budget = Budget { wall: Some(wall), ..Budget::default() };
        let watch = clock.watch(&self.desk.stop);
        let ready = Start::new(&machine, self.rules, self.setup.settings, budget, watch).prepare(&self.setup.player);
        for remark in ready.remark().into_iter().chain(ready.choice().map(|choice| choice.reason.as_str())) {
            self.log(remark);
        }
        Stage { machine, ready }
    }
}

//! The time before a match: what players find out about a game then.

use super::table::{AUTO, Value};
use super::{Spec, SpecError};
use crate::choose::{Choice, choose, practice_helps};
use crate::depth::Foresight;
use crate::{Budget, Search, Settings, Watch};
use ludens_gdl::Rules;
use ludens_machine::{Machine, Random};
use ludens_score::{Evaluator, Goal, Invented, Method, Null, Playouts, Refusal};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Of all time, the share in which it is found out whether practice helps.
pub(crate) const PRACTISING: f64 = 0.15;

/// The same for how well shallow searches foresee deep ones.
const FORESEEING: f64 = 0.1;

/// A game before its matches. A function that several players use is invented once.
#[derive(Debug)]
pub struct Start<'a> {
    /// The game.
    pub machine: &'a Machine,
    /// Its rules.
    pub rules: &'a Rules,
    /// What the players will have. Their seed decides what functions are found.
    pub settings: Settings,
    /// The time that a player may take to prepare itself, on the wall or of the CPU; without a limit it takes as much as it can use. A limit on simulations is one on the
    /// random matches that functions are made from, see [`Method::of_matches`].
    pub budget: Budget,
    /// The time, and a sign to stop.
    pub watch: Watch<'a>,
    found: FxHashMap<&'static str, Result<Arc<Invented>, Refusal>>,
    /// Whether practice helps in random matches, once that is known.
    practises: Option<bool>,
    /// How well shallow searches foresee deep ones, by what that depends on.
    foresights: FxHashMap<String, Arc<Foresight>>,
}

/// A player that has found out about a game what it can before a match.
#[derive(Clone, Debug)]
pub struct Ready {
    pub(super) spec: Spec,
    pub(super) evaluator: Option<Arc<dyn Evaluator>>,
    pub(super) invented: Option<Arc<Invented>>,
    /// Whether random matches have practised, where that is left open.
    pub(super) practises: bool,
    /// How well its shallow searches foresee deep ones, where that was measured.
    pub(super) foresight: Option<Arc<Foresight>>,
    remark: Option<String>,
    pub(super) choice: Option<Arc<Choice>>,
}

impl<'a> Start<'a> {
    /// Nothing is known yet.
    pub fn new(machine: &'a Machine, rules: &'a Rules, settings: Settings, budget: Budget, watch: Watch<'a>) -> Start<'a> {
        Start {
            machine,
            rules,
            settings,
            budget,
            watch,
            found: FxHashMap::default(),
            practises: None,
            foresights: FxHashMap::default(),
        }
    }

    /// Lets a player prepare itself for matches of the game.
    pub fn prepare(&mut self, spec: &Spec) -> Ready {
        let mut ready = Ready::from(spec.clone());
        if let (AUTO, Some(Value::Choice(eval))) = (spec.player.name, spec.option("eval")) {
            let choice = choose(self, eval);
            ready.invented.clone_from(&choice.invented);
            ready.choice = Some(Arc::new(choice));
            return ready;
        }
        if spec.option("practice") == Some(Value::Choice("auto")) {
            ready.practises = self.practise_within(PRACTISING);
        }
        let Some(eval) = spec.option("eval") else { return ready };
        let max_plies = self.settings.max_plies;
        let inventing = if spec.foresees().is_some() { 1.0 - FORESEEING } else { 1.0 };
        ready.evaluator = Some(match eval {
            Value::Choice("null") => Arc::new(Null::default()),
            Value::Choice("playouts") => Arc::new(Playouts { max_plies, ..Playouts::default() }),
            Value::Choice(name) => {
                match Method::named(name, max_plies).map(|method| self.invent_within(&self.limited(method), inventing)) {
                    Some(Ok(invented)) => {
                        let evaluator = invented.evaluator.clone();
                        ready.invented = Some(invented);
                        evaluator
                    }
                    Some(Err(refusal)) => {
                        ready.remark = Some(format!("{name} finds no function: {refusal}; goal values as they stand have to do"));
                        Arc::new(Goal)
                    }
                    None => Arc::new(Goal),
                }
            }
            _ => Arc::new(Goal),
        });
        ready.foresight = self.foresight_within(spec, ready.invented.as_deref(), FORESEEING);
        let can_learn = ready.invented.as_ref().is_some_and(|invented| invented.learner.is_some());
        if spec.option("learn") == Some(Value::Choice("on")) && !can_learn && ready.remark.is_none() {
            ready.remark = Some(format!("`learn=on` does nothing with `eval={eval}`: `learned` is what goes on learning"));
        }
        if let Some(Value::Number(cut)) = spec.option("cut").filter(|_| ready.foresight.is_none() && ready.remark.is_none())
            && cut > 0.0
        {
            let why = if spec.foresees().is_some() { format!("eval={eval}") } else { "scores=off".to_owned() };
            ready.remark =
                Some(format!("`cut={cut}` does nothing with `{why}`: scores of a function that was found foresee others"));
        }
        ready
    }

    fn limited(&self, method: Method) -> Method {
        self.budget.simulations.map_or(method, |most| method.of_matches(usize::try_from(most).unwrap_or(usize::MAX)))
    }

    /// The function of a method, found in a share of the time, or why there is none.
    pub(crate) fn invent_within(&mut self, method: &Method, share: f64) -> Result<Arc<Invented>, Refusal> {
        if let Some(found) = self.found.get(method.name()) {
            return found.clone();
        }
        let span = self.span();
        let mut random = Random::new(self.settings.seed);
        let found = method.invent(self.machine, self.rules, &mut random, &|| span.used(self) / share).map(Arc::new);
        self.found.insert(method.name(), found.clone());
        found
    }

    /// Whether practice helps in random matches, found out in a share of the time.
    pub(crate) fn practise_within(&mut self, share: f64) -> bool {
        self.practises.unwrap_or_else(|| {
            let helps = practice_helps(self, share);
            self.practises = Some(helps);
            helps
        })
    }

    /// How well shallow searches of a player foresee deep ones, measured in a share of the time; nothing where it makes no use of that, or has not invented what it
    /// searches by.
    fn foresight_within(&mut self, spec: &Spec, invented: Option<&Invented>, share: f64) -> Option<Arc<Foresight>> {
        let (name, options) = spec.foresees()?;
        if !self.foresights.contains_key(&name) {
            let span = self.span();
            let is_over = || span.used(self) >= share;
            // What cannot be followed is found out about again where it matters.
            let found = Foresight::measure(self.machine, &invented?.evaluator, options, self.settings, &self.watch, &is_over)
                .unwrap_or_default();
            self.foresights.insert(name.clone(), Arc::new(found));
        }
        self.foresights.get(&name).cloned()
    }

    /// Whether somebody says stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.watch.stop.load(Relaxed)
    }

    /// Begins to take the time.
    pub(crate) fn span(&self) -> Span {
        Span { wall: self.watch.clock.wall(), cpu: self.watch.clock.cpu() }
    }
}

/// When something began, by both clocks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    wall: Duration,
    cpu: Duration,
}

impl Span {
    /// Which share of the time there is has gone by; 1 also where somebody says stop.
    pub(crate) fn used(self, start: &Start<'_>) -> f64 {
        if start.is_stopped() {
            return 1.0;
        }
        let share = |began: Duration, now: Duration, most: Option<Duration>| {
            most.map_or(0.0, |most| now.saturating_sub(began).as_secs_f64() / most.as_secs_f64().max(1e-9))
        };
        let clock = start.watch.clock;
        share(self.wall, clock.wall(), start.budget.wall).max(share(self.cpu, clock.cpu(), start.budget.cpu)).min(1.0)
    }
}

impl From<Spec> for Ready {
    /// The player as it is when there is no time to prepare: where it should invent a function, goal values as they stand have to do.
    fn from(spec: Spec) -> Ready {
        Ready { spec, evaluator: None, invented: None, practises: false, foresight: None, remark: None, choice: None }
    }
}

impl Ready {
    /// What was asked for.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// The function that it invented, if it did.
    pub fn invented(&self) -> Option<&Invented> {
        self.invented.as_deref()
    }

    /// Whom it chose to play in its place, if it is one who chooses.
    pub fn choice(&self) -> Option<&Choice> {
        self.choice.as_deref()
    }

    /// What those who asked for it should know: that it is not quite what they asked for.
    pub fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// Whether its random matches prefer moves that did well in practice.
    pub(super) fn has_practised(&self) -> bool {
        match self.spec.option("practice") {
            Some(Value::Choice("auto")) => self.practises,
            other => other == Some(Value::Choice("on")),
        }
    }

    /// The player, for one match.
    ///
    /// # Errors
    /// If the game is none that this player can play.
    pub fn build<'m>(&self, machine: &'m Machine, settings: Settings) -> Result<Box<dyn Search + 'm>, SpecError> {
        (self.spec.player.build)(self, machine, settings)
    }
}

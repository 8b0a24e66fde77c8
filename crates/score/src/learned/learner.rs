//! What was learned so far, and how it goes on.

use super::clocks;
use super::extras::Extras;
use super::fit::{Fit, Model};
use super::orbits::Orbits;
use super::positions::Positions;
use super::selfplay::{Course, SelfPlay};
use super::steps::Walk;
use super::terms::{Kinds, Teller};
use super::{Options, thin_out, tied_columns};
use crate::function::{Account, Function, Link, Weighed};
use crate::linear::Linear;
use crate::patterns::Patterns;
use crate::phase::Phase;
use crate::refusal::Refusal;
use crate::sample::Matches;
use crate::symmetry::{Symmetry, symmetries};
use crate::vocabulary::Vocabulary;
use ludens_gdl::Rules;
use ludens_machine::{Error, Machine, Random, State};
use std::borrow::Cow;
use std::sync::Arc;

/// Matches that are played between two looks at the clock.
const AT_ONCE: usize = 256;

/// Of all time, what random play may have.
const PLAYING: f64 = 0.15;

/// Of all time, what the first of them may have, where matches take long.
const PATIENCE: f64 = 0.5;

/// Of all time, what the first model may take after that.
const FITTING: f64 = 0.1;

/// One of so many positions is not learned from where there is something to decide.
const HELD_OUT: usize = 5;

/// What models have to know still when weights are equal that go together, as a share of what they knew: by how much less they are surprised than who knows
/// the mean alone.
const KNOWN_STILL: f64 = 0.98;

/// Of a match, one joint move of so many is part of its opening.
const OPENING: usize = 4;

/// Positions that are remembered when there is a function, to go on with.
const KEPT: usize = 20_000;

/// Going on from a position, matches are followed so far. What comes after that is what the models think of it.
const PLIES_ON: u64 = 24;

/// All of them begin at the same position, so that more is left to chance than before the match.
const TEMPERATURE_ON: f32 = 0.5;

/// Batches of matches that are played at once to go on, at most.
const BATCHES_ON: usize = 8;

/// Of the time to go on, when playing ends, and when fitting does.
const PLAYING_ON: f64 = 0.4;
const FITTING_ON: f64 = 0.9;

/// Passes over all positions to go on.
const PASSES_ON: usize = 2;

/// Models of a game, what they were learned from, and what can be learned at all.
#[derive(Clone, Debug)]
pub struct Learner {
    options: Options,
    roles: usize,
    /// What a model says, by its numbers.
    ties: Arc<Patterns>,
    /// Which weights are kept equal, and what more could be.
    orbits: Arc<Orbits>,
    wider: Arc<[Orbits]>,
    kinds: Arc<Kinds>,
    /// Distances that it may be told by.
    walks: Arc<[Walk]>,
    extras: Arc<Extras>,
    /// One for every role, or one for two that share the points.
    models: Vec<Model>,
    learning: Positions,
    /// Joint moves at the beginning of matches that are left to chance.
    opening: u64,
}

impl Learner {
    /// Learns from random matches.
    pub(super) fn new(
        machine: &Machine,
        rules: &Rules,
        vocabulary: &Vocabulary,
        options: &Options,
        random: &mut Random,
        used: &dyn Fn() -> f64,
    ) -> Result<Learner, Refusal> {
        let matches = play(machine, options, random, used)?;
        let since = used().max(PLAYING);
        let clocks = clocks::find(vocabulary, &matches);
        let ties = Patterns::new(vocabulary, tied_columns, |fluent| !clocks[fluent.0 as usize]);
        let roles = machine.roles().len();
        for role in machine.roles() {
            if let Some(points) = matches.constant(role.0 as usize) {
                return Err(Refusal::Constant { role: machine.role_name(role).to_owned(), points });
            }
        }
        // Where two roles share the points, what one has the other lacks.
        let fitted = if matches.is_shared() { 1 } else { roles };
        let movers = if options.moves { roles } else { 0 };
        let extras = Extras::new(vocabulary, movers, options, &matches, &|| used() >= since + FITTING / 2.0);
        let phase = if options.phases { Some(Phase::find(&ties, &matches).ok_or(Refusal::NoPhase)?) } else { None };
        let extras = extras.with_phase(vocabulary, roles, phase);
        let mut learning = thin_out(&matches, fitted, &extras, options.each, random);
        let length = matches.courses().map(|course| course.len()).sum::<usize>() / matches.len().max(1);
        let opening = options.opening.min((length / OPENING) as u64);
        // The same matches are played with and without.
        let mut apart = random.clone();
        let due = used() + FITTING;
        let mut alike = if options.symmetries {
            symmetries(machine, vocabulary, &matches, Some(rules), &mut apart, &|| used() >= due)
        } else {
            Vec::new()
        };
        let keeps_phase = |symmetry: &Symmetry| {
            extras.phase().is_none_or(|staged| {
                let pattern = &staged.phase.pattern;
                symmetry.pattern(vocabulary, pattern).as_ref() == Some(pattern)
            })
        };
        alike.retain(keeps_phase);
        drop(matches);
        learning.count(machine, &extras)?;
        let since = used();
        let (mut models, extras) = begin(machine, &mut learning, &ties, extras, options, random, &|| (used() - since) / FITTING)?;
        let (orbits, wider) = orbits(machine, vocabulary, &alike, (&ties, &extras), models.len());
        orbits.even_out(&mut models, &ties);
        let walks = Walk::all(machine, rules, vocabulary, &orbits.numbers(&ties), &|| used() >= 1.0).into();
        let kinds = Kinds::new(machine, vocabulary, &ties, &learning);
        Ok(Learner {
            options: *options,
            roles,
            ties: Arc::new(ties),
            orbits: Arc::new(orbits),
            wider: wider.into(),
            kinds: Arc::new(kinds),
            walks,
            extras: Arc::new(extras),
            models,
            learning,
            opening,
        })
    }

    /// Lets the models play against themselves and learn from that, round after round.
    pub(super) fn improve(&mut self, machine: &Machine, random: &mut Random, used: &dyn Fn() -> f64) -> Result<(), Refusal> {
        let options = self.options;
        let Options { few, temperature, trace, max_plies, .. } = options;
        let course = Course { opening: self.opening, few, temperature, trace, max_plies, whole: true };
        let mut trial = Trial { wider: vec![0.0; self.wider.len()], ..Trial::default() };
        for round in 0..options.rounds {
            if used() >= 1.0 {
                break;
            }
            let mut play = SelfPlay::new(machine, &self.models, &self.extras);
            let mut fresh = 0;
            while fresh < options.positions && play.children <= options.children / options.rounds && used() < 1.0 {
                let more = play.batch(machine.initial(), &course, random, &|| used() >= 1.0)?;
                if more.len() == 0 {
                    break;
                }
                fresh += more.len();
                // What random play taught is forgotten with the first round.
                let most = if round == 0 { fresh } else { options.window };
                self.learning.append(more, most);
            }
            // The last functions are to be judged, not the first.
            if 2 * round >= options.rounds {
                self.hear(&mut trial, fresh);
            }
            let known = self.learning.len();
            for role in 0..self.models.len() {
                let model = self.models[role].clone();
                self.models[role] = self.fit(role, known, options.passes_later).improve(model, random, &|| used() >= 1.0);
            }
            self.orbits.even_out(&mut self.models, &self.ties);
        }
        if let Some(orbits) = trial.choice().map(|choice| self.wider[choice].clone()) {
            orbits.even_out(&mut self.models, &self.ties);
            self.orbits = Arc::new(orbits);
        }
        Ok(())
    }

    /// Notes how surprised models would be by the last positions, from which they have not learned, if more of their weights were equal.
    fn hear(&self, trial: &mut Trial, fresh: usize) {
        let known = self.learning.len().saturating_sub(fresh);
        let fits: Vec<Fit<'_>> = (0..self.models.len()).map(|role| self.fit(role, known, 0)).collect();
        let surprise = |models: &[Model]| -> f64 { fits.iter().zip(models).flat_map(|(fit, model)| fit.surprises(model)).sum() };
        trial.positions += self.learning.len() - known;
        trial.ignorant += surprise(&fits.iter().map(Fit::begin).collect::<Vec<_>>());
        trial.plain += surprise(&self.models);
        for (sum, orbits) in trial.wider.iter_mut().zip(&*self.wider) {
            let mut models = self.models.clone();
            orbits.even_out(&mut models, &self.ties);
            *sum += surprise(&models);
        }
    }

    /// What the model of a role is fitted to; what comes after the known positions is there to judge it by.
    fn fit(&self, role: usize, known: usize, passes: usize) -> Fit<'_> {
        Fit { positions: &self.learning, role, ties: &self.ties, extras: &self.extras, passes, known }
    }

    /// Remembers the last positions alone.
    pub(super) fn forget(&mut self) {
        self.learning.keep(KEPT);
    }

    /// Goes on learning for a while: from matches that go on from a position of a match, each followed for some moves. What is learned counts if positions of those that
    /// were held out are foreseen better by more than chance would have it; whether it does. `used` is the share of the time for it that has gone by. Without it there is
    /// one batch of matches, and it takes as long as it takes.
    ///
    /// # Errors
    /// If the engine meets a limit.
    pub fn go_on(
        &mut self,
        machine: &Machine,
        from: &State,
        random: &mut Random,
        used: Option<&dyn Fn() -> f64>,
    ) -> Result<bool, Error> {
        let is_past = |due: f64| used.is_some_and(|used| used() >= due);
        if is_past(PLAYING_ON) {
            return Ok(false);
        }
        let course = Course {
            opening: 0,
            few: 0,
            temperature: TEMPERATURE_ON,
            trace: self.options.trace,
            max_plies: PLIES_ON,
            whole: false,
        };
        let mut play = SelfPlay::new(machine, &self.models, &self.extras);
        let batches = if used.is_some() { BATCHES_ON } else { 1 };
        let mut fresh = 0;
        for _ in 0..batches {
            let more = play.batch(from, &course, random, &|| is_past(PLAYING_ON))?;
            if more.len() == 0 {
                break;
            }
            fresh += more.len();
            self.learning.append(more, KEPT);
            if is_past(PLAYING_ON) {
                break;
            }
        }
        if fresh == 0 {
            return Ok(false);
        }
        let known = self.learning.len() - fresh / HELD_OUT;
        let mut improved = Vec::new();
        for (role, model) in self.models.iter().enumerate() {
            let due = PLAYING_ON + (FITTING_ON - PLAYING_ON) * (role + 1) as f64 / self.models.len() as f64;
            improved.push(self.fit(role, known, PASSES_ON).improve(model.clone(), random, &|| is_past(due)));
        }
        self.orbits.even_out(&mut improved, &self.ties);
        let surprises = |models: &[Model]| -> Vec<f64> {
            models.iter().enumerate().flat_map(|(role, model)| self.fit(role, known, 0).surprises(model)).collect()
        };
        let counts = is_better(&surprises(&self.models), &surprises(&improved));
        if counts {
            self.models = improved;
        }
        Ok(counts)
    }

    /// What the models say, term by term.
    pub fn function(&self) -> Function {
        let Learner { ties, extras, kinds, walks, orbits, learning, .. } = self;
        let teller = Teller { ties, extras, kinds, walks, orbits, positions: learning };
        let mut accounts: Vec<Account> =
            self.models.iter().enumerate().map(|(index, model)| teller.account(index, model)).collect();
        if accounts.len() < self.roles {
            accounts.push(accounts[0].opposite());
        }
        Function {
            method: self.options.name(),
            roles: accounts,
            link: Link::Odds,
            phase: extras.phase().map(|staged| staged.phase.clone()),
            candidates: ties.len() + extras.features().len(),
        }
    }

    /// The same for searches, at once: terms that hardly matter are not left out.
    pub fn evaluator(&self, machine: &Machine) -> Weighed {
        let sums: Vec<Linear> = self.model_of_each().map(|model| model.linear(self.roles, &self.extras)).collect();
        Weighed::of_sums(machine, self.options.name(), &sums, Link::Odds)
    }

    /// A model for every role: of two that share the points, the other one's is the opposite.
    fn model_of_each(&self) -> impl Iterator<Item = Cow<'_, Model>> {
        let other = (self.models.len() < self.roles).then(|| Cow::Owned(self.models[0].opposite()));
        self.models.iter().map(Cow::Borrowed).chain(other)
    }
}

/// By what models are surprised in all, and by what they would be.
#[derive(Debug, Default)]
struct Trial {
    positions: usize,
    /// Who knows the mean alone.
    ignorant: f64,
    plain: f64,
    /// With more weights made equal, in one way or another.
    wider: Vec<f64>,
}

impl Trial {
    /// The first way in which models know about as much.
    fn choice(&self) -> Option<usize> {
        let enough = KNOWN_STILL * (self.ignorant - self.plain);
        self.wider.iter().position(|surprise| self.positions > 0 && self.ignorant - surprise >= enough)
    }
}

/// Which weights are the same, and which more may be: all that symmetries put together, or all that those do which leave every role its own. Where these leave the
/// first position as it is, too, nothing speaks against them: what can be reached is the same.
fn orbits(
    machine: &Machine,
    vocabulary: &Vocabulary,
    symmetries: &[Symmetry],
    counted: (&Patterns, &Extras),
    models: usize,
) -> (Orbits, Vec<Orbits>) {
    let first = machine.initial().words();
    let all: Vec<&Symmetry> = symmetries.iter().collect();
    let keeping: Vec<&Symmetry> = symmetries.iter().filter(|symmetry| symmetry.keeps_roles()).collect();
    let same: Vec<&Symmetry> = keeping.iter().copied().filter(|symmetry| symmetry.state(first) == first).collect();
    let mut wider = vec![all, keeping];
    wider.retain(|some| some.len() > same.len());
    wider.dedup_by_key(|some| some.len());
    let of = |some: &[&Symmetry]| Orbits::new(vocabulary, some, counted, models);
    (of(&same), wider.iter().map(|some| of(some)).collect())
}

/// Random matches to begin with.
fn play(machine: &Machine, options: &Options, random: &mut Random, used: &dyn Fn() -> f64) -> Result<Matches, Refusal> {
    let mut matches = Matches::default();
    while matches.len() < options.matches && !matches.is_full() && used() < PLAYING {
        let due = if matches.is_empty() { PATIENCE } else { PLAYING };
        let more = Matches::play(machine, AT_ONCE.min(options.matches), options.max_plies, random, &|| used() >= due)?;
        if more.is_empty() {
            break;
        }
        matches.append(more);
    }
    if matches.is_empty() {
        return Err(if used() >= PLAYING { Refusal::NoTime } else { Refusal::NoEnds });
    }
    Ok(matches)
}

/// The first models, from random play, with what is counted besides fluents: that is left out where positions which were not learned from are foreseen better
/// without it. `used` is the share of the time for that which has gone by.
fn begin(
    machine: &Machine,
    learning: &mut Positions,
    ties: &Patterns,
    extras: Extras,
    options: &Options,
    random: &mut Random,
    used: &dyn Fn() -> f64,
) -> Result<(Vec<Model>, Extras), Refusal> {
    let none = extras.phase_alone();
    let choices: Vec<&Extras> = if extras.features().is_empty() { vec![&none] } else { vec![&none, &extras] };
    let known = if choices.len() > 1 { learning.len() - learning.len() / HELD_OUT } else { learning.len() };
    let roles = learning.roles();
    let (mut models, mut surprises) = (Vec::new(), Vec::new());
    for (turn, extras) in choices.iter().enumerate() {
        for role in 0..roles {
            let due = (turn * roles + role + 1) as f64 / (choices.len() * roles) as f64;
            let fit = Fit { positions: learning, role, ties, extras, passes: options.passes, known };
            let model = fit.improve(fit.begin(), random, &|| used() >= due);
            surprises.extend(fit.surprises(&model));
            models.push(model);
        }
    }
    let half = surprises.len() / choices.len();
    if choices.len() > 1 && is_no_worse(&surprises[..half], &surprises[half..]) {
        return Ok((models.split_off(roles), extras));
    }
    learning.count(machine, &none)?;
    models.truncate(roles);
    Ok((models, none))
}

/// Whether surprises with something more are fewer, or more by no more than chance would have it: random play says little, and what counts for those who play well
/// is easily lost.
fn is_no_worse(without: &[f64], with: &[f64]) -> bool {
    let (mean, error) = difference(without, with);
    mean < error
}

/// Whether surprises are fewer by more than chance would have it.
fn is_better(before: &[f64], after: &[f64]) -> bool {
    let (mean, error) = difference(before, after);
    mean < -error
}

/// By how much surprises have grown, and the error of that: a low estimate, because positions of one match have much in common.
fn difference(before: &[f64], after: &[f64]) -> (f64, f64) {
    let count = before.len().max(1) as f64;
    let differences = || after.iter().zip(before).map(|(after, before)| after - before);
    let mean = differences().sum::<f64>() / count;
    let variance = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

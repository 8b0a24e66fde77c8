//! What was learned so far, and how it goes on.

use super::clocks;
use super::extras::Extras;
use super::fit::{Fit, Model};
use super::positions::Positions;
use super::selfplay::{Course, SelfPlay};
use super::{Options, account, thin_out, tied_columns};
use crate::function::{Function, Link, Weighed};
use crate::linear::Linear;
use crate::patterns::Patterns;
use crate::phase::Phase;
use crate::refusal::Refusal;
use crate::sample::Matches;
use crate::vocabulary::Vocabulary;
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
        let extras = Extras::new(vocabulary, if options.moves { roles } else { 0 }, options.lines, &matches, &|| {
            used() >= since + FITTING / 2.0
        });
        let phase = if options.phases { Some(Phase::find(&ties, &matches).ok_or(Refusal::NoPhase)?) } else { None };
        let extras = extras.with_phase(vocabulary, roles, phase);
        let mut learning = thin_out(&matches, fitted, &extras, options.each, random);
        let length = matches.courses().map(|course| course.len()).sum::<usize>() / matches.len().max(1);
        let opening = options.opening.min((length / OPENING) as u64);
        drop(matches);
        learning.count(machine, &extras)?;
        let (models, extras) = begin(machine, &mut learning, &ties, extras, options, random, &|| (used() - since) / FITTING)?;
        Ok(Learner { options: *options, roles, ties: Arc::new(ties), extras: Arc::new(extras), models, learning, opening })
    }

    /// Lets the models play against themselves and learn from that, round after round.
    pub(super) fn improve(&mut self, machine: &Machine, random: &mut Random, used: &dyn Fn() -> f64) -> Result<(), Refusal> {
        let Learner { options, ties, extras, models, learning, opening, .. } = self;
        let Options { few, temperature, trace, max_plies, .. } = *options;
        let course = Course { opening: *opening, few, temperature, trace, max_plies, whole: true };
        for round in 0..options.rounds {
            if used() >= 1.0 {
                break;
            }
            let mut play = SelfPlay::new(machine, models, extras);
            let mut fresh = 0;
            while fresh < options.positions && play.children <= options.children / options.rounds && used() < 1.0 {
                let more = play.batch(machine.initial(), &course, random, &|| used() >= 1.0)?;
                if more.len() == 0 {
                    break;
                }
                fresh += more.len();
                // What random play taught is forgotten with the first round.
                let most = if round == 0 { fresh } else { options.window };
                learning.append(more, most);
            }
            for (role, model) in models.iter_mut().enumerate() {
                let known = learning.len();
                let fit = Fit { positions: learning, role, ties, extras, passes: options.passes_later, known };
                *model = fit.improve(model.clone(), random, &|| used() >= 1.0);
            }
        }
        Ok(())
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
        let Learner { ties, extras, models, learning, .. } = self;
        let known = learning.len() - fresh / HELD_OUT;
        let (mut before, mut after, mut improved) = (Vec::new(), Vec::new(), Vec::new());
        for (role, model) in models.iter().enumerate() {
            let fit = Fit { positions: learning, role, ties, extras, passes: PASSES_ON, known };
            let due = PLAYING_ON + (FITTING_ON - PLAYING_ON) * (role + 1) as f64 / models.len() as f64;
            let next = fit.improve(model.clone(), random, &|| is_past(due));
            before.extend(fit.surprises(model));
            after.extend(fit.surprises(&next));
            improved.push(next);
        }
        let counts = is_better(&before, &after);
        if counts {
            *models = improved;
        }
        Ok(counts)
    }

    /// What the models say, term by term.
    pub fn function(&self) -> Function {
        let Learner { ties, extras, learning, .. } = self;
        let accounts = self.model_of_each().map(|model| account(&model, ties, extras, learning)).collect();
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

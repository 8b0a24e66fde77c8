//! The evaluation function of Cluneplayer (Clune 2007): the exact value of an abstract game that keeps payoff, control and
//! termination of the real one.
//!
//! *Candidate features* are expressions, with constants put for variables, in several *interpretations*: the number of their
//! solutions, the distance of their symbols to a constant along a relation of the rules, and for conjunctions how much of one is
//! there; then differences of two that look alike. *Stability* tells which of them to trust: how much they vary over a sample of
//! random play, against how much they do so from a state to the next.
//!
//! Expressions are those over one table of the state: what rules derive cannot be counted by searches at the price of a sum.
//! *Partial solutions* are those of the conjunctions that goals and the end come down to in the network, the best of each: in
//! games of lines the longest one. The same goal of two roles makes a difference.
//!
//! What the paper leaves open is decided thus. A relation's facts are a graph for those columns only that share variables with it.
//! Pseudo-states keep rows apart that have never been true together. Features that a difference subsumes are dropped even where the
//! difference is not stable: that is what keeps the discs of Othello out. Control is explained by counts where there are any, after
//! what changes with every move, such as whose turn it is, has explained its part; and it is nothing where little is explained.
//! Partial solutions have few steps, each of them a large part of all there is, so that none is as stable as a count: less is asked
//! of them. Two sides make theirs by turns, and what is asked of a difference is that both its parts are stable. What a count does
//! to points by making a conjunction whole is the partial solution's.

mod candidates;
mod control;
mod influence;
mod model;
mod payoff;
mod pseudo;
mod squares;
mod stability;
mod termination;

pub use model::{Aspects, Model};

use crate::function::Account;
use crate::partial::Conjunction;
use crate::refusal::Refusal;
use crate::sample::Matches;
use crate::vocabulary::Vocabulary;
use candidates::{Kind, Pool};
use influence::Influence;
use ludens_gdl::Rules;
use ludens_machine::{Machine, Random, RoleId};
use payoff::Effects;
use pseudo::{Groups, Trials};
use stability::{Position, Sample, Variation, variation, variations};
use std::sync::Arc;

/// The constants of the method. Those that the paper tells are the default.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Matches of the first sample; every further one has twice as many.
    pub first: usize,
    /// Matches of the last sample, if there is time.
    pub samples: usize,
    /// In columns with more symbols only those are put for variables that stand out.
    pub domain: usize,
    /// Features that are less stable are not trusted.
    pub stability: f64,
    /// The same for partial solutions.
    pub partial_stability: f64,
    /// Features that are taken, for each aspect of the game.
    pub components: usize,
    /// Matches are given up after so many joint moves.
    pub max_plies: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { first: 25, samples: 3200, domain: 7, stability: 4.0, partial_stability: 1.5, components: 30, max_plies: 1000 }
    }
}

/// States that pseudo-states are made from.
const TRIALS: usize = 512;

/// States in which payoffs are scaled.
const PAYOFFS: usize = 1 << 14;

/// States in which legal moves are counted.
const CONTROLS: usize = 1 << 14;

/// States of which some are the end.
const ENDS: usize = 1 << 15;

/// What is known about candidates.
struct Known<'a> {
    pool: &'a Pool,
    influence: &'a Influence,
    variations: &'a [Variation],
    options: &'a Options,
}

impl Known<'_> {
    /// The numbers of all that are stable.
    fn stable(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.pool.len()).filter(move |&number| self.stability(number) >= self.least(number))
    }

    /// Those that are so by themselves: a difference of two that are made by turns tells whose turn it is.
    fn steady(&self) -> impl Iterator<Item = usize> + '_ {
        self.stable().filter(|&number| self.variations[number].stability() >= self.least(number))
    }

    /// What is asked of a candidate.
    fn least(&self, number: usize) -> f64 {
        match self.pool.kind(number) {
            Kind::Partial => self.options.partial_stability,
            Kind::Count | Kind::Distance => self.options.stability,
        }
    }

    /// What the stable ones among the goals come down to.
    fn goals(&self) -> Vec<Arc<[Conjunction]>> {
        let goals = self.stable().filter(|&number| !self.pool.is_end(number));
        goals.filter_map(|number| self.pool.partial(number)).map(|partial| partial.conjunctions.clone()).collect()
    }

    /// How stable a candidate is; a difference of partial solutions as its less stable part.
    fn stability(&self, number: usize) -> f64 {
        let of = |number: usize| self.variations[number].stability();
        match self.pool.parts(number) {
            Some((one, two)) if self.pool.kind(number) == Kind::Partial => of(one).min(of(two)),
            _ => of(number),
        }
    }

    /// The most stable first.
    fn sort(&self, numbers: &mut [usize]) {
        numbers.sort_by(|&one, &two| self.stability(two).total_cmp(&self.stability(one)).then(one.cmp(&two)));
    }
}

/// Finds a model: from a small sample of random play, then from one of twice the size, and so on until it is time to stop or the
/// sample is as large as was asked for. The last one that was finished counts.
pub fn find(
    machine: &Machine,
    rules: &Rules,
    vocabulary: &Vocabulary,
    options: &Options,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Result<Model, Refusal> {
    if machine.fluent_texts().is_none() {
        return Err(Refusal::NotGrounded);
    }
    for role in machine.roles() {
        let (low, high) = machine.range(role);
        if low == high {
            return Err(Refusal::Constant { role: machine.role_name(role).to_owned(), points: low });
        }
    }
    let finder = Finder {
        machine,
        vocabulary,
        options,
        pool: &Pool::new(rules, vocabulary, machine, options),
        influence: &Influence::of(rules, vocabulary),
    };
    let mut sample = Sample::default();
    let (mut played, mut wanted) = (0, options.first.min(options.samples).max(2));
    let mut last = None;
    loop {
        sample.add(Matches::play(machine, wanted - played, options.max_plies, random, stop)?);
        played = wanted;
        if sample.matches() == 0 {
            return Err(if stop() { Refusal::NoTime } else { Refusal::NoEnds });
        }
        // However little time there is, the first sample is looked at to its end.
        let patience = if last.is_some() { stop } else { &|| false };
        let Some(found) = finder.model(&sample, random, patience)? else { break };
        last = Some(found);
        if wanted >= options.samples || stop() || sample.is_full() {
            break;
        }
        wanted = (wanted * 2).min(options.samples);
    }
    last.unwrap_or(Err(Refusal::NoTime))
}

/// What stays the same from sample to sample.
struct Finder<'a> {
    machine: &'a Machine,
    vocabulary: &'a Vocabulary,
    options: &'a Options,
    pool: &'a Pool,
    influence: &'a Influence,
}

impl Finder<'_> {
    /// The model that a sample makes, or why there is none; nothing where it is time to stop.
    fn model(
        &self,
        sample: &Sample,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Result<Model, Refusal>>, Refusal> {
        let Some(variations) = variations(self.pool, sample, stop) else { return Ok(None) };
        let Finder { machine, vocabulary, options, pool, influence } = *self;
        let known = Known { pool, influence, variations: &variations, options };
        let all = sample.positions();
        let open: Vec<Position<'_>> = all.iter().copied().filter(|position| !position.is_end).collect();
        let controls = control::find(machine, &known, &Sample::some(&open, CONTROLS, random), options)?;
        if stop() {
            return Ok(None);
        }
        let termination = termination::find(&known, &Sample::some(&all, ENDS, random), options);
        let states = Sample::some(&all, TRIALS, random);
        let groups = Groups::new(vocabulary, &states);
        let effects = Effects::find(&known, &mut Trials::new(machine, vocabulary, &groups, &states, known.goals()), random)?;
        let states = Sample::some(&all, PAYOFFS, random);
        let mut roles = Vec::new();
        for (role, control) in machine.roles().zip(controls) {
            if stop() {
                return Ok(None);
            }
            let payoff = payoff::find(&known, &effects, role.0 as usize, &states, options);
            let payoff = payoff.unwrap_or_else(|| Account::new(mean_points(sample, role.0 as usize), Vec::new()));
            let has_say = influence.goal.contains(&true);
            if payoff.terms.is_empty() && (control.terms.is_empty() || !has_say) {
                return Ok(Some(Err(refusal(machine, sample, role))));
            }
            roles.push(self.aspects(sample, payoff, control, termination.clone()));
        }
        Ok(Some(Ok(Model { roles, matches: sample.matches(), candidates: pool.len() })))
    }

    /// Puts the aspects of a role together.
    fn aspects(&self, sample: &Sample, payoff: Account, control: Account, termination: Account) -> Aspects {
        let roles = self.machine.roles().len();
        let stability = |account: &Account| variation(&account.linear(self.vocabulary, roles), sample).stability();
        let (of_payoff, of_control) = (stability(&payoff), stability(&control));
        let both = (of_payoff + of_control).max(f64::MIN_POSITIVE);
        Aspects { payoff, control, termination, payoff_stability: of_payoff / both, control_stability: of_control / both }
    }
}

/// Why there is nothing to tell about a role.
fn refusal(machine: &Machine, sample: &Sample, role: RoleId) -> Refusal {
    let name = machine.role_name(role).to_owned();
    let mut points = sample.courses().map(|course| course.points[role.0 as usize]);
    match points.next() {
        Some(first) if points.all(|points| points == first) => Refusal::Constant { role: name, points: first },
        _ => Refusal::NoFeatures { role: name },
    }
}

/// The mean of what a role had in the end.
fn mean_points(sample: &Sample, role: usize) -> f64 {
    sample.courses().map(|course| f64::from(course.points[role])).sum::<f64>() / sample.matches().max(1) as f64
}

//! Finds models, and reads them through the paper's features.

use super::published::{Counts, Game};
use super::reading::fit;
use crate::console::Console;
use crate::interrupt;
use crate::measure::ThreadWatch;
use crate::playable::Playable;
use crate::search_args::FastEngineArgs;
use anyhow::{Context, Result};
use ludens_machine::Random;
use ludens_score::{Account, Feature, Invention, Linear, Matches, Method, Vocabulary, clune};
use serde::{Deserialize, Serialize};

/// Random matches through which models are read.
const READ_BY: usize = 200;
/// Positions of each of them.
const EACH: usize = 20;
const MAX_PLIES: u64 = 1000;

/// A model of one role, in words and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Found {
    /// Payoff, control, termination.
    pub(super) parts: [Sum; 3],
    /// Of payoff and control.
    pub(super) stabilities: [f64; 2],
    pub(super) candidates: usize,
    /// Random matches it was made from.
    pub(super) matches: usize,
    pub(super) seconds: f64,
}

/// A part of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Sum {
    pub(super) constant: f64,
    pub(super) terms: Vec<Line>,
    /// The weights of the paper's features, in their order, by which this sum is best explained, and what share of its variance they explain.
    pub(super) weights: Vec<f64>,
    pub(super) explained: f64,
}

/// A term.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    pub(super) expression: String,
    pub(super) reading: String,
    pub(super) weight: f64,
}

/// Finds a model as players do, within so many CPU seconds.
pub(super) fn find(game: &Game, samples: usize, seconds: f64, seed: u64, console: Console) -> Result<Result<Found, String>> {
    let playable = Playable::open(game.name, FastEngineArgs::LANES, console)?;
    let watch = ThreadWatch::start();
    let used = || if interrupt::is_requested() { 1.0 } else { watch.seconds() / seconds };
    let options = clune::Options { samples, max_plies: MAX_PLIES, ..clune::Options::default() };
    let found = Method::Clune(options).invent(&playable.machine, playable.rules()?, &mut Random::new(seed), &used);
    let seconds = watch.seconds();
    let invented = match found {
        Ok(invented) => invented,
        Err(refusal) => return Ok(Err(refusal.to_string())),
    };
    let Invention::Model(model) = &invented.invention else { anyhow::bail!("clune makes models") };
    let role = playable.role(game.role)?;
    let aspects = &model.roles[role.0 as usize];
    let reader = Reader::new(&playable, &invented.vocabulary, seed)?;
    let sums = [&aspects.payoff, &aspects.control, &aspects.termination];
    let mut parts = Vec::new();
    for (account, part) in sums.into_iter().zip(&game.parts) {
        parts.push(reader.sum(account, part.features.iter().map(|feature| feature.counts))?);
    }
    let parts = parts.try_into().ok().context("there are three parts")?;
    let stabilities = [aspects.payoff_stability, aspects.control_stability];
    Ok(Ok(Found { parts, stabilities, candidates: model.candidates, matches: model.matches, seconds }))
}

/// Positions in which sums are compared.
struct Reader<'a> {
    game: &'a Playable,
    vocabulary: &'a Vocabulary,
    /// How many joint moves have been played, and the words.
    positions: Vec<(usize, Vec<u64>)>,
}

impl<'a> Reader<'a> {
    fn new(game: &'a Playable, vocabulary: &'a Vocabulary, seed: u64) -> Result<Reader<'a>> {
        let mut random = Random::new(!seed);
        let matches = Matches::play(&game.machine, READ_BY, MAX_PLIES, &mut random, &interrupt::is_requested)?;
        let mut positions = Vec::new();
        for course in matches.courses() {
            positions.extend(course.some(EACH, &mut random).map(|ply| (ply, course.position(ply).to_vec())));
        }
        Ok(Reader { game, vocabulary, positions })
    }

    /// A part, and how the paper's features explain it.
    fn sum(&self, account: &Account, features: impl Iterator<Item = Counts>) -> Result<Sum> {
        let features: Vec<Vec<f64>> = features.map(|counts| self.values(counts)).collect::<Result<_>>()?;
        let mut ours = vec![0.0; self.positions.len()];
        for term in &account.terms {
            self.add(&mut ours, &term.feature, term.weight);
        }
        let (weights, explained) = fit(&features, &ours);
        let terms = account.terms.iter().map(|term| Line {
            expression: term.feature.text(self.vocabulary, &self.game.machine),
            reading: term.feature.reading(self.vocabulary, &self.game.machine),
            weight: term.weight,
        });
        Ok(Sum { constant: account.constant, terms: terms.collect(), weights, explained })
    }

    /// What a feature of the paper is in every position.
    fn values(&self, counts: Counts) -> Result<Vec<f64>> {
        let mut values = vec![0.0; self.positions.len()];
        for &(factor, text) in counts {
            if text == "ply" {
                values.iter_mut().zip(&self.positions).for_each(|(value, (ply, _))| *value += factor * *ply as f64);
                continue;
            }
            let feature = Feature::parse(self.vocabulary, &self.game.machine, text);
            let feature = feature.with_context(|| format!("{} has no `{text}`", self.game.name))?;
            self.add(&mut values, &feature, factor);
        }
        Ok(values)
    }

    /// Adds a feature, weighed, in every position.
    fn add(&self, values: &mut [f64], feature: &Feature, weight: f64) {
        let mut sum = Linear::constant(self.vocabulary, self.game.machine.roles().len(), 0.0);
        sum.add(self.vocabulary, feature, 1.0);
        for (value, (_, words)) in values.iter_mut().zip(&self.positions) {
            *value += weight * f64::from(sum.of_words(words));
        }
    }
}

//! Logistic regression, some positions at a time.

use super::extras::Extras;
use super::positions::Positions;
use crate::linear::{Drift, Linear};
use crate::patterns::Patterns;
use ludens_machine::Random;

/// Positions that a step is made from.
const BATCH: usize = 256;

/// How far a step goes at first; less and less later.
const RATE: f32 = 0.03;

/// How much weights are drawn to nothing, per position: a weight must earn its place.
const RIDGE: f32 = 2e-4;

/// How long the mean of gradients, and of their squares, remember: as usual with Adam.
const MEMORY: (f32, f32) = (0.9, 0.999);

/// What to learn from, for which role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit<'a> {
    pub(super) positions: &'a Positions,
    pub(super) role: usize,
    pub(super) ties: &'a Patterns,
    pub(super) extras: &'a Extras,
    pub(super) passes: usize,
    /// Positions that are learned from, the first ones; others are there to be judged by.
    pub(super) known: usize,
}

/// The logarithm of the odds is the sum of the one half, and of the other times how far the match has come.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// What counts all the time: in the middle of a match, where it is told how far that has come.
    pub(super) base: Half,
    /// What is added at the end, and taken away at the beginning.
    pub(super) drift: Option<Half>,
    /// Extras are counted in units of so many, so that their weights learn as fast as others.
    units: Vec<f32>,
}

/// A constant, and what patterns and extras add.
#[derive(Clone, Debug)]
pub(super) struct Half {
    pub(super) constant: f32,
    /// Per pattern of the ties.
    pub(super) patterns: Vec<f32>,
    /// Per extra.
    pub(super) extras: Vec<f32>,
    /// Per fluent: the sum of its patterns' weights.
    fluents: Vec<f32>,
}

/// The way of one half downhill.
#[derive(Debug)]
struct Descent {
    /// What Adam remembers of the constant, every pattern, and every extra.
    slopes: Vec<Slope>,
    /// What a batch says, of the same and of the fluents.
    constant: f32,
    fluents: Vec<f32>,
    patterns: Vec<f32>,
    extras: Vec<f32>,
}

/// A number that is learned, with what Adam remembers of it.
#[derive(Clone, Copy, Debug, Default)]
struct Slope {
    mean: f32,
    square: f32,
}

impl Slope {
    fn step(&mut self, gradient: f32, rate: f32) -> f32 {
        self.mean += (gradient - self.mean) * (1.0 - MEMORY.0);
        self.square += (gradient * gradient - self.square) * (1.0 - MEMORY.1);
        rate * self.mean / (self.square.sqrt() + 1e-8)
    }
}

impl Fit<'_> {
    /// A model that knows the mean alone.
    pub(super) fn begin(&self) -> Model {
        let mean = (self.positions.mean(self.role) as f32).clamp(0.01, 0.99);
        let kinds = self.extras.features().len();
        let half = |constant: f32| Half {
            constant,
            patterns: vec![0.0; self.ties.len()],
            extras: vec![0.0; kinds],
            fluents: vec![0.0; self.ties.fluents()],
        };
        Model {
            base: half((mean / (1.0 - mean)).ln()),
            drift: self.extras.phase().map(|_| half(0.0)),
            units: (0..kinds).map(|extra| (self.positions.moments(extra).square.sqrt() as f32).max(1.0)).collect(),
        }
    }

    /// Improves a model.
    pub(super) fn improve(&self, mut model: Model, random: &mut Random, stop: &dyn Fn() -> bool) -> Model {
        let Fit { ties, passes, known, .. } = *self;
        let mut descents: Vec<Descent> = model.halves().map(Descent::new).collect();
        let mut order: Vec<u32> = (0..known as u32).collect();
        let steps = (passes * known.div_ceil(BATCH)).max(1);
        let mut step = 0;
        for _ in 0..passes {
            shuffle(&mut order, random);
            for batch in order.chunks(BATCH) {
                if stop() {
                    return model;
                }
                let left = 1.0 - step as f32 / steps as f32;
                // The first steps know too little of how steep it is.
                let rate = RATE * left * (1.0 - MEMORY.1.powi(step + 1)).sqrt() / (1.0 - MEMORY.0.powi(step + 1));
                step += 1;
                self.gradient(&model, batch, &mut descents);
                let share = 1.0 / batch.len() as f32;
                let Model { base, drift, units } = &mut model;
                for (half, descent) in std::iter::once(base).chain(drift).zip(&mut descents) {
                    descent.step(half, ties, units, share, rate);
                }
            }
        }
        model
    }

    /// How surprised a model is by each of the positions that were not learned from.
    pub(super) fn surprises(&self, model: &Model) -> Vec<f64> {
        let surprise = |index: usize| {
            let chance = f64::from(chance(model.odds(self.positions, index))).clamp(1e-4, 1.0 - 1e-4);
            let result = f64::from(self.positions.result(index, self.role));
            -(result * chance.ln() + (1.0 - result) * (1.0 - chance).ln())
        };
        (self.known..self.positions.len()).map(surprise).collect()
    }

    /// Adds up by how much some positions are misjudged.
    fn gradient(&self, model: &Model, batch: &[u32], descents: &mut [Descent]) {
        for &index in batch {
            let index = index as usize;
            let miss = chance(model.odds(self.positions, index)) - self.positions.result(index, self.role);
            for (descent, factor) in descents.iter_mut().zip([1.0, self.positions.phase(index)]) {
                let miss = miss * factor;
                descent.constant += miss;
                self.positions.each_fluent(index, |fluent| descent.fluents[fluent] += miss);
                let extras = self.positions.extras(index).iter().zip(&model.units);
                for (gradient, (&extra, unit)) in descent.extras.iter_mut().zip(extras) {
                    *gradient += miss * f32::from(extra) / unit;
                }
            }
        }
    }
}

impl Descent {
    fn new(half: &Half) -> Descent {
        Descent {
            slopes: vec![Slope::default(); 1 + half.patterns.len() + half.extras.len()],
            constant: 0.0,
            fluents: vec![0.0; half.fluents.len()],
            patterns: vec![0.0; half.patterns.len()],
            extras: vec![0.0; half.extras.len()],
        }
    }

    /// Goes a step down by what was gathered, of which every position has a share.
    fn step(&mut self, half: &mut Half, ties: &Patterns, units: &[f32], share: f32, rate: f32) {
        spread(ties, &mut self.fluents, &mut self.patterns);
        let (first, rest) = self.slopes.split_at_mut(1);
        half.constant -= first[0].step(std::mem::take(&mut self.constant) * share, rate);
        let (patterns, extras) = rest.split_at_mut(half.patterns.len());
        for ((weight, slope), gradient) in half.patterns.iter_mut().zip(patterns).zip(&mut self.patterns) {
            *weight -= slope.step(std::mem::take(gradient) * share + RIDGE * *weight, rate);
        }
        for ((weight, (slope, unit)), gradient) in half.extras.iter_mut().zip(extras.iter_mut().zip(units)).zip(&mut self.extras)
        {
            *weight -= slope.step(std::mem::take(gradient) * share + RIDGE * *weight, rate) / unit;
        }
        half.add_up(ties);
    }
}

/// Gives what fluents gathered to their patterns.
fn spread(ties: &Patterns, fluents: &mut [f32], patterns: &mut [f32]) {
    for (fluent, gradient) in fluents.iter_mut().enumerate() {
        let gradient = std::mem::take(gradient);
        if gradient != 0.0 {
            ties.of_fluent(fluent).iter().for_each(|&pattern| patterns[pattern as usize] += gradient);
        }
    }
}

fn shuffle(list: &mut [u32], random: &mut Random) {
    for place in (1..list.len()).rev() {
        list.swap(place, random.below(place + 1));
    }
}

pub(super) fn chance(odds: f32) -> f32 {
    1.0 / (1.0 + (-odds).exp())
}

impl Half {
    /// Per pattern and per extra: what one more adds.
    pub(super) fn weights(&self) -> impl Iterator<Item = f32> {
        self.patterns.iter().chain(&self.extras).copied()
    }

    /// Other weights, in the order of [`Half::weights`].
    pub(super) fn renew(&mut self, weights: &[f64], ties: &Patterns) {
        let own = self.patterns.iter_mut().chain(&mut self.extras);
        own.zip(weights).for_each(|(own, &weight)| *own = weight as f32);
        self.add_up(ties);
    }

    fn add_up(&mut self, ties: &Patterns) {
        for (fluent, weight) in self.fluents.iter_mut().enumerate() {
            *weight = ties.of_fluent(fluent).iter().map(|&pattern| self.patterns[pattern as usize]).sum();
        }
    }

    fn opposite(&self) -> Half {
        let turned = |weights: &[f32]| weights.iter().map(|weight| -weight).collect();
        Half {
            constant: -self.constant,
            patterns: turned(&self.patterns),
            extras: turned(&self.extras),
            fluents: turned(&self.fluents),
        }
    }

    fn linear(&self, roles: usize, extras: &Extras) -> Linear {
        let mut sum = Linear::of_fluents(self.constant, self.fluents.clone(), roles);
        extras.add(&self.extras, &mut sum);
        sum
    }

    fn odds(&self, positions: &Positions, index: usize) -> f32 {
        let mut sum = self.constant;
        positions.each_fluent(index, |fluent| sum += self.fluents[fluent]);
        sum + self.extras.iter().zip(positions.extras(index)).map(|(weight, &extra)| weight * f32::from(extra)).sum::<f32>()
    }
}

impl Model {
    /// One to which all is even.
    #[cfg(test)]
    pub(super) fn even(fluents: usize) -> Model {
        let base = Half { constant: 0.0, patterns: Vec::new(), extras: Vec::new(), fluents: vec![0.0; fluents] };
        Model { base, drift: None, units: Vec::new() }
    }

    pub(super) fn halves(&self) -> impl Iterator<Item = &Half> {
        std::iter::once(&self.base).chain(&self.drift)
    }

    pub(super) fn halves_mut(&mut self) -> impl Iterator<Item = &mut Half> {
        std::iter::once(&mut self.base).chain(&mut self.drift)
    }

    /// What is bad where this is good.
    pub(super) fn opposite(&self) -> Model {
        Model { base: self.base.opposite(), drift: self.drift.as_ref().map(Half::opposite), units: self.units.clone() }
    }

    /// The same as a sum.
    pub(super) fn linear(&self, roles: usize, extras: &Extras) -> Linear {
        let mut sum = self.base.linear(roles, extras);
        sum.drift = self
            .drift
            .as_ref()
            .zip(extras.phase())
            .map(|(drift, phase)| Box::new(Drift { gauge: phase.gauge.clone(), sum: drift.linear(roles, extras) }));
        sum
    }

    fn odds(&self, positions: &Positions, index: usize) -> f32 {
        let drift = self.drift.as_ref().map_or(0.0, |drift| positions.phase(index) * drift.odds(positions, index));
        self.base.odds(positions, index) + drift
    }
}

/// The standard error of a weight by itself, where what it counts varies so much over so many positions: the information of a position is about a
/// fifth of the variance, and keeping weights small adds some.
pub(super) fn error_of(spread: f64, positions: usize) -> f64 {
    let information = positions as f64 * (0.2 * spread * spread + f64::from(RIDGE));
    if information > 0.0 { 1.0 / information.sqrt() } else { 0.0 }
}

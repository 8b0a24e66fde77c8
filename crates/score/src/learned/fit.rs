//! Logistic regression, some positions at a time.

use super::extras::Extras;
use super::positions::Positions;
use crate::linear::Linear;
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

/// The logarithm of the odds is the constant, and what patterns and extras add.
#[derive(Clone, Debug)]
pub(super) struct Model {
    pub(super) constant: f32,
    /// Per pattern of the ties.
    pub(super) patterns: Vec<f32>,
    /// Per extra.
    pub(super) extras: Vec<f32>,
    /// Extras are counted in units of so many, so that their weights learn as fast as others.
    units: Vec<f32>,
    /// Per fluent: the sum of its patterns' weights.
    fluents: Vec<f32>,
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
        Model {
            constant: (mean / (1.0 - mean)).ln(),
            patterns: vec![0.0; self.ties.len()],
            extras: vec![0.0; kinds],
            units: (0..kinds).map(|extra| (self.positions.moments(extra).0.sqrt() as f32).max(1.0)).collect(),
            fluents: vec![0.0; self.ties.fluents()],
        }
    }

    /// Improves a model.
    pub(super) fn improve(&self, mut model: Model, random: &mut Random, stop: &dyn Fn() -> bool) -> Model {
        let Fit { ties, passes, known, .. } = *self;
        let kinds = model.extras.len();
        let mut slopes = vec![Slope::default(); model.patterns.len() + kinds + 1];
        let mut gradients = (vec![0.0; ties.fluents()], vec![0.0; model.patterns.len()], vec![0.0; kinds]);
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
                let constant = self.gradient(&model, batch, &mut gradients);
                let share = 1.0 / batch.len() as f32;
                spread(ties, &mut gradients.0, &mut gradients.1);
                let (patterns, rest) = slopes.split_at_mut(model.patterns.len());
                for ((weight, slope), gradient) in model.patterns.iter_mut().zip(patterns).zip(&mut gradients.1) {
                    *weight -= slope.step(std::mem::take(gradient) * share + RIDGE * *weight, rate);
                }
                let slopes = rest[1..].iter_mut().zip(&model.units);
                for ((weight, (slope, unit)), gradient) in model.extras.iter_mut().zip(slopes).zip(&mut gradients.2) {
                    *weight -= slope.step(std::mem::take(gradient) * share + RIDGE * *weight, rate) / unit;
                }
                model.constant -= rest[0].step(constant * share, rate);
                model.add_up(ties);
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

    /// Adds up by how much some positions are misjudged, per fluent and per extra; answers the sum.
    fn gradient(&self, model: &Model, batch: &[u32], gradients: &mut (Vec<f32>, Vec<f32>, Vec<f32>)) -> f32 {
        let mut sum = 0.0;
        for &index in batch {
            let index = index as usize;
            let miss = chance(model.odds(self.positions, index)) - self.positions.result(index, self.role);
            sum += miss;
            self.positions.each_fluent(index, |fluent| gradients.0[fluent] += miss);
            let extras = self.positions.extras(index).iter().zip(&model.units);
            for (gradient, (&extra, unit)) in gradients.2.iter_mut().zip(extras) {
                *gradient += miss * f32::from(extra) / unit;
            }
        }
        sum
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

impl Model {
    /// One to which all is even.
    #[cfg(test)]
    pub(super) fn even(fluents: usize) -> Model {
        Model { constant: 0.0, patterns: Vec::new(), extras: Vec::new(), units: Vec::new(), fluents: vec![0.0; fluents] }
    }

    fn add_up(&mut self, ties: &Patterns) {
        for (fluent, weight) in self.fluents.iter_mut().enumerate() {
            *weight = ties.of_fluent(fluent).iter().map(|&pattern| self.patterns[pattern as usize]).sum();
        }
    }

    /// What is bad where this is good.
    pub(super) fn opposite(&self) -> Model {
        let turned = |weights: &[f32]| weights.iter().map(|weight| -weight).collect();
        Model {
            constant: -self.constant,
            patterns: turned(&self.patterns),
            extras: turned(&self.extras),
            units: self.units.clone(),
            fluents: turned(&self.fluents),
        }
    }

    /// The same as a sum.
    pub(super) fn linear(&self, roles: usize, extras: &Extras) -> Linear {
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

/// The standard error of a weight by itself, where what it counts varies so much over so many positions: the information of a position is about a
/// fifth of the variance, and keeping weights small adds some.
pub(super) fn error_of(spread: f64, positions: usize) -> f64 {
    let information = positions as f64 * (0.2 * spread * spread + f64::from(RIDGE));
    if information > 0.0 { 1.0 / information.sqrt() } else { 0.0 }
}

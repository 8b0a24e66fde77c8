//! An evaluation function as people read it, and as searches use it.

use crate::Evaluator;
use crate::feature::Feature;
use crate::linear::{Drift, Linear, Sums};
use crate::phase::Phase;
use crate::vocabulary::Vocabulary;
use ludens_machine::{Error, Lanes, Machine, Random, vector};
use std::sync::Arc;

/// A weighted sum for every role.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// How it was found: the name of the method.
    pub method: &'static str,
    /// Per role.
    pub roles: Vec<Account>,
    /// How sums become points.
    pub link: Link,
    /// What tells how far a match has come, where weights change with that.
    pub phase: Option<Phase>,
    /// Features that were looked at to find it; 0 where that is not known.
    pub candidates: usize,
}

/// How a sum becomes points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// It is points, bent where it would leave the range from 0 to 100.
    Points,
    /// It is the logarithm of the odds.
    Odds,
}

/// Sums that come closer than this to all or nothing are bent, so that they never get there, and more stays more.
const EDGE: f32 = 5.0;

/// How far matches are from their middle, as a root mean square: between beginning and end all is as likely.
const DRIFTING: f64 = 0.577;

/// The sum for one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// Where nothing is counted.
    pub constant: f64,
    /// By how much that is more at the end of a match, and less at the beginning; see [`Function::phase`].
    pub drift: f64,
    /// What is counted, the most influential first.
    pub terms: Vec<Term>,
}

/// A part of a sum.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// What is counted.
    pub feature: Feature,
    /// What one more adds; in the middle of a match, if that changes.
    pub weight: f64,
    /// By how much that is more at the end of a match, and less at the beginning; see [`Function::phase`].
    pub drift: f64,
    /// The standard error of that, as far as the method knows it.
    pub error: f64,
    /// How much the feature varies from position to position: its standard deviation.
    pub spread: f64,
}

impl Term {
    /// How much it makes functions differ from position to position.
    pub fn influence(&self) -> f64 {
        self.weight.hypot(self.drift * DRIFTING) * self.spread
    }
}

impl Account {
    /// An account whose terms are sorted by influence.
    pub fn new(constant: f64, mut terms: Vec<Term>) -> Account {
        terms.sort_by(|one, two| two.influence().total_cmp(&one.influence()));
        Account { constant, drift: 0.0, terms }
    }

    /// What is bad where this is good.
    #[must_use]
    pub fn opposite(&self) -> Account {
        let turned = |term: &Term| Term { weight: -term.weight, drift: -term.drift, ..term.clone() };
        Account { constant: -self.constant, drift: -self.drift, terms: self.terms.iter().map(turned).collect() }
    }

    /// Whether it says the opposite of another.
    pub fn is_opposite(&self, other: &Account) -> bool {
        let is_nothing = |sum: f64| sum.abs() < 1e-9;
        let turned = |(one, two): (&Term, &Term)| {
            one.feature == two.feature && is_nothing(one.weight + two.weight) && is_nothing(one.drift + two.drift)
        };
        is_nothing(self.constant + other.constant)
            && is_nothing(self.drift + other.drift)
            && self.terms.len() == other.terms.len()
            && self.terms.iter().zip(&other.terms).all(turned)
    }

    /// The same as one sum over fluents.
    pub fn linear(&self, vocabulary: &Vocabulary, roles: usize) -> Linear {
        let mut sum = Linear::constant(vocabulary, roles, self.constant as f32);
        for term in &self.terms {
            sum.add(vocabulary, &term.feature, term.weight as f32);
        }
        sum
    }

    /// What changes as a match goes on, as one sum over fluents.
    fn drifting(&self, vocabulary: &Vocabulary, roles: usize) -> Linear {
        let mut sum = Linear::constant(vocabulary, roles, self.drift as f32);
        for term in &self.terms {
            sum.add(vocabulary, &term.feature, term.drift as f32);
        }
        sum
    }
}

impl Link {
    /// The points that a sum stands for.
    #[inline]
    pub fn points(self, sum: f32) -> f32 {
        match self {
            Link::Points => bent(sum),
            Link::Odds => 100.0 * logistic(sum),
        }
    }
}

// What follows is arithmetic in one order and without a question, so that many are computed at once and all machines agree.

/// Points, bent near all or nothing.
#[inline(always)]
fn bent(sum: f32) -> f32 {
    let is_much = sum > 100.0 - EDGE;
    let beyond = if is_much { sum - (100.0 - EDGE) } else { EDGE - sum };
    let rest = EDGE * exponential(-beyond / EDGE);
    let edge = if is_much { 100.0 - rest } else { rest };
    if beyond > 0.0 { edge } else { sum }
}

/// The chance that odds of this logarithm stand for: 1 / (1 + e^-x).
#[inline(always)]
fn logistic(logarithm: f32) -> f32 {
    1.0 / (1.0 + exponential(-logarithm))
}

/// Numbers of this size have no room for fractions: they are rounded.
const ROUND: f32 = 12_582_912.0;

/// e^x, by a polynomial; what is too large or too small stays finite.
#[inline(always)]
fn exponential(x: f32) -> f32 {
    // It is 2^(whole + rest), where the rest is at most a half.
    let power = (x * std::f32::consts::LOG2_E).clamp(-100.0, 100.0);
    let rounded = power + ROUND;
    let rest = power - (rounded - ROUND);
    let small = 1.0
        + rest
            * (std::f32::consts::LN_2
                + rest
                    * (0.240_226_5
                        + rest * (0.055_504_11 + rest * (0.009_618_13 + rest * (0.001_333_36 + rest * 0.000_154_04)))));
    // The last bits of the rounded number are those of the whole one.
    small * f32::from_bits(rounded.to_bits().wrapping_add(127) << 23)
}

/// A [`Function`] that searches can ask.
#[derive(Debug)]
pub struct Weighed {
    name: &'static str,
    sums: Sums,
    link: Link,
}

impl Weighed {
    /// Prepares a function.
    pub fn new(machine: &Machine, vocabulary: &Vocabulary, function: &Function) -> Weighed {
        let roles = machine.roles().len();
        let gauge = function.phase.as_ref().map(|phase| Arc::new(phase.gauge(vocabulary, roles)));
        let sum = |account: &Account| Linear {
            drift: gauge.clone().map(|gauge| Box::new(Drift { gauge, sum: account.drifting(vocabulary, roles) })),
            ..account.linear(vocabulary, roles)
        };
        let sums: Vec<Linear> = function.roles.iter().map(sum).collect();
        Weighed::of_sums(machine, function.method, &sums, function.link)
    }

    /// Prepares sums, one for every role.
    pub(crate) fn of_sums(machine: &Machine, name: &'static str, sums: &[Linear], link: Link) -> Weighed {
        Weighed { name, sums: Sums::new(sums, machine.initial().words()), link }
    }
}

impl Evaluator for Weighed {
    fn name(&self) -> &'static str {
        self.name
    }

    fn reads_moves(&self) -> bool {
        self.sums.reads_moves()
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, _: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        let scores = &mut scores[..count * self.sums.count()];
        match (self.sums.shared(), self.link) {
            (Some(total), Link::Points) => {
                self.sums.compute(lanes, count, &mut scores[count..]);
                vector::run(Both::<false> { scores, total });
            }
            // Chances add up where the odds are opposites.
            (Some(0.0), Link::Odds) => {
                self.sums.compute(lanes, count, &mut scores[count..]);
                vector::run(Both::<true> { scores, total: 0.0 });
            }
            (_, Link::Points) => {
                self.sums.of_lanes(lanes, count, scores);
                vector::run(Each::<false>(scores));
            }
            (_, Link::Odds) => {
                self.sums.of_lanes(lanes, count, scores);
                vector::run(Each::<true>(scores));
            }
        }
        Ok(())
    }
}

/// Turns sums, or logarithms of odds, into points.
struct Each<'a, const ODDS: bool>(&'a mut [f32]);

impl<const ODDS: bool> vector::Job for Each<'_, ODDS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for score in self.0 {
            *score = if ODDS { 100.0 * logistic(*score) } else { bent(*score) };
        }
    }
}

/// Turns those of first roles, which are the second half, into the points of both roles; what the sums of both add up to is given.
struct Both<'a, const ODDS: bool> {
    scores: &'a mut [f32],
    total: f32,
}

/// States whose points are computed together.
const TOGETHER: usize = 16;

impl<const ODDS: bool> vector::Job for Both<'_, ODDS> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let half = self.scores.len() / 2;
        // What is written reaches what is still to be read only where that is at hand already.
        for first in (0..half).step_by(TOGETHER) {
            if let Some(sums) = self.scores[half + first..].first_chunk() {
                let pairs = self.pairs(*sums);
                // Where sums are left, there is room for as many pairs.
                if let Some(room) = self.scores[2 * first..].first_chunk_mut() {
                    *room = pairs;
                }
            } else {
                let rest = half - first;
                let mut sums = [0.0; TOGETHER];
                sums[..rest].copy_from_slice(&self.scores[half + first..]);
                let pairs = self.pairs(sums);
                self.scores[2 * first..].copy_from_slice(&pairs[..2 * rest]);
            }
        }
    }
}

impl<const ODDS: bool> Both<'_, ODDS> {
    #[inline(always)]
    fn pairs(&self, sums: [f32; TOGETHER]) -> [f32; 2 * TOGETHER] {
        let mut pairs = [0.0; 2 * TOGETHER];
        for (at, sum) in sums.into_iter().enumerate() {
            let one = if ODDS { 100.0 * logistic(sum) } else { bent(sum) };
            pairs[2 * at] = one;
            pairs[2 * at + 1] = if ODDS { 100.0 - one } else { bent(self.total - sum) };
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::{EDGE, bent, logistic};

    #[test]
    fn odds_become_chances() {
        for step in -400..=400_i16 {
            let logarithm = f32::from(step) / 10.0;
            let exact = 1.0 / (1.0 + (-f64::from(logarithm)).exp());
            assert!((f64::from(logistic(logarithm)) - exact).abs() < 1e-6, "{logarithm}");
        }
        assert!(logistic(-1e30) < 1e-20 && (logistic(1e30) - 1.0).abs() < 1e-6 && logistic(f32::INFINITY) > 0.999);
        assert!((-400..400_i16).all(|step| logistic(f32::from(step) / 50.0) < logistic(f32::from(step + 1) / 50.0)));
    }
    #[test]
    fn points_are_bent_near_all_and_nothing() {
        for step in -1500..=2500_i16 {
            let sum = f32::from(step) / 10.0;
            let expected = match sum {
                _ if sum < EDGE => EDGE * ((sum - EDGE) / EDGE).exp(),
                _ if sum > 100.0 - EDGE => 100.0 - EDGE * ((100.0 - EDGE - sum) / EDGE).exp(),
                _ => sum,
            };
            assert!((bent(sum) - expected).abs() < 1e-5, "{sum}: {} is not {expected}", bent(sum));
        }
        assert!((-200..1190_i16).all(|step| bent(f32::from(step) / 10.0) < bent(f32::from(step + 1) / 10.0)));
        assert!(bent(-1e30) >= 0.0 && bent(1e30) <= 100.0);
    }
}

//! How much can be relied on an evaluator.

use crate::Evaluator;
use crate::sample::Matches;
use ludens_machine::{Error, Machine, Random};

/// Positions that are taken from a match.
const EACH: usize = 8;

/// Positions that are looked at together.
const AT_ONCE: usize = 64;

/// Per role: the correlation between what an evaluator says of positions of random matches and how those end. They are played for this, so it has not
/// seen them: 1 is perfect, and 0 says that it knows nothing. Of a role whose points are always the same it is 0. Without a match that came to its end nothing is said of any.
pub fn reliability(
    machine: &Machine,
    evaluator: &dyn Evaluator,
    matches: usize,
    max_plies: u64,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<f64>, Error> {
    let matches = Matches::play(machine, matches, max_plies, random, stop)?;
    let roles = machine.roles().len();
    let mut looked_at = Vec::new();
    for course in matches.courses() {
        looked_at.extend(course.some(EACH, random).map(|ply| (course.position(ply), course.points)));
    }
    if looked_at.is_empty() {
        return Ok(Vec::new());
    }
    let mut lanes = machine.lanes(AT_ONCE);
    let mut pairs = vec![Pairs::default(); roles];
    let mut scores = vec![0.0; AT_ONCE * roles];
    for group in looked_at.chunks(AT_ONCE) {
        let states: Vec<&[u64]> = group.iter().map(|(state, _)| *state).collect();
        lanes.load_all(&states);
        lanes.evaluate()?;
        evaluator.score(&mut lanes, group.len(), random, &mut scores)?;
        for ((_, points), scores) in group.iter().zip(scores.chunks_exact(roles)) {
            for (role, pairs) in pairs.iter_mut().enumerate() {
                pairs.add(f64::from(scores[role]), f64::from(points[role]));
            }
        }
    }
    Ok(pairs.iter().map(Pairs::correlation).collect())
}

/// Sums over pairs of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    count: f64,
    sums: (f64, f64),
    squares: (f64, f64),
    products: f64,
}

impl Pairs {
    pub(crate) fn add(&mut self, one: f64, two: f64) {
        self.add_times(1.0, one, two);
    }

    /// Adds the same pair so many times.
    pub(crate) fn add_times(&mut self, times: f64, one: f64, two: f64) {
        self.count += times;
        self.sums = (self.sums.0 + times * one, self.sums.1 + times * two);
        self.squares = (self.squares.0 + times * one * one, self.squares.1 + times * two * two);
        self.products += times * one * two;
    }

    /// The mean of the first.
    pub(crate) fn mean(&self) -> f64 {
        self.sums.0 / self.count.max(f64::MIN_POSITIVE)
    }

    /// By how much the second is more where the first is one more; 0 where that does not vary.
    pub(crate) fn slope(&self) -> f64 {
        let count = self.count.max(f64::MIN_POSITIVE);
        let (one, two) = (self.sums.0 / count, self.sums.1 / count);
        let variance = self.squares.0 / count - one * one;
        if variance <= 1e-12 { 0.0 } else { (self.products / count - one * two) / variance }
    }

    /// Pearson's; 0 where one does not vary.
    pub(crate) fn correlation(&self) -> f64 {
        let count = self.count.max(f64::MIN_POSITIVE);
        let (one, two) = (self.sums.0 / count, self.sums.1 / count);
        let variances = (self.squares.0 / count - one * one) * (self.squares.1 / count - two * two);
        if variances <= 1e-12 { 0.0 } else { (self.products / count - one * two) / variances.sqrt() }
    }
}

//! How much features vary over a sample of random play, and how much from one state to the next.

use super::candidates::Pool;
use crate::linear::Linear;
use crate::partial::PartialSums;
use crate::sample::{Course, Matches};
use ludens_machine::Random;

/// Words of all positions at most: more matches are not looked at.
const MOST_WORDS: usize = 1 << 24;

/// Values of all features in all positions at most, for their statistics; where they would be more, fewer matches are looked at.
const MOST_VALUES: usize = 1 << 29;

/// Positions of random play, to learn from.
#[derive(Debug, Default)]
pub(super) struct Sample {
    batches: Vec<Matches>,
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position<'a> {
    pub(super) words: &'a [u64],
    /// Whether the match is over.
    pub(super) is_end: bool,
}

impl Sample {
    pub(super) fn add(&mut self, batch: Matches) {
        self.batches.push(batch);
    }

    /// Matches.
    pub(super) fn matches(&self) -> usize {
        self.batches.iter().map(Matches::len).sum()
    }

    /// Whether there is no room for as many again.
    pub(super) fn is_full(&self) -> bool {
        let words: usize = self.courses().map(|course| course.len() * course.position(0).len()).sum();
        words * 2 > MOST_WORDS
    }

    pub(super) fn courses(&self) -> impl Iterator<Item = Course<'_>> {
        self.batches.iter().flat_map(Matches::courses)
    }

    /// All positions.
    pub(super) fn positions(&self) -> Vec<Position<'_>> {
        let mut positions = Vec::new();
        for course in self.courses() {
            let plies = 0..course.len();
            positions.extend(plies.map(|ply| Position { words: course.position(ply), is_end: ply + 1 == course.len() }));
        }
        positions
    }

    /// Some positions, at most so many, drawn without order or preference.
    pub(super) fn some<'a>(positions: &[Position<'a>], most: usize, random: &mut Random) -> Vec<Position<'a>> {
        if positions.len() <= most {
            return positions.to_vec();
        }
        (0..most).map(|_| positions[random.below(positions.len())]).collect()
    }
}

/// How much a function varies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Variation {
    /// Its variance.
    pub(super) total: f64,
    /// The mean of the squared differences of adjacent states.
    pub(super) adjacent: f64,
}

impl Variation {
    /// The stability quotient; 0 where nothing varies.
    pub(super) fn stability(self) -> f64 {
        if self.adjacent > 1e-12 { self.total / self.adjacent } else { 0.0 }
    }

    /// The standard deviation.
    pub(super) fn spread(self) -> f64 {
        self.total.sqrt()
    }
}

/// Sums from which a variation is made.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    sum: f64,
    squares: f64,
    steps: f64,
}

impl Tally {
    fn variation(self, states: f64, pairs: f64) -> Variation {
        let mean = self.sum / states.max(1.0);
        Variation { total: (self.squares / states.max(1.0) - mean * mean).max(0.0), adjacent: self.steps / pairs.max(1.0) }
    }
}

/// The variation of every candidate; `None` where it is time to stop.
pub(super) fn variations(pool: &Pool, sample: &Sample, stop: &dyn Fn() -> bool) -> Option<Vec<Variation>> {
    let mut tallies = vec![Tally::default(); pool.len()];
    let (mut states, mut pairs) = (0.0, 0.0);
    let room = (MOST_VALUES / pool.work().max(1)) as f64;
    for course in sample.courses() {
        if states > room {
            break;
        }
        if stop() {
            return None;
        }
        let mut before: Vec<f64> = Vec::new();
        pool.each(&course.positions(), |values| {
            for (tally, &value) in tallies.iter_mut().zip(&*values) {
                tally.sum += value;
                tally.squares += value * value;
            }
            for ((tally, &value), before) in tallies.iter_mut().zip(&*values).zip(&before) {
                tally.steps += (value - before) * (value - before);
            }
            states += 1.0;
            pairs += f64::from(u8::from(!before.is_empty()));
            std::mem::swap(values, &mut before);
        });
    }
    Some(tallies.into_iter().map(|tally| tally.variation(states, pairs)).collect())
}

/// The variation of a sum.
pub(super) fn variation(sum: &Linear, sample: &Sample) -> Variation {
    let mut tally = Tally::default();
    let (mut states, mut pairs) = (0.0, 0.0);
    let partials = PartialSums::new(std::slice::from_ref(sum));
    let rest = Linear { constant: 0.0, partials: Vec::new(), ..sum.clone() };
    for course in sample.courses() {
        let positions = course.positions();
        let mut values: Vec<f32> = positions.iter().map(|words| rest.of_words(words)).collect();
        if let Some(partials) = &partials {
            partials.add_rows(&positions, &mut values);
        }
        let mut before = None;
        for value in values.into_iter().map(f64::from) {
            states += 1.0;
            tally.sum += value;
            tally.squares += value * value;
            if let Some(before) = before.replace(value) {
                pairs += 1.0;
                tally.steps += (value - before) * (value - before);
            }
        }
    }
    tally.variation(states, pairs)
}

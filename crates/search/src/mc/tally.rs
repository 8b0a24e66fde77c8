//! Sums over playouts, and what follows from them.

use crate::Bounds;

/// The 97.5% quantile of the normal distribution.
const Z: f64 = 1.96;
/// Rounds from which on their scatter tells the variance.
const ENOUGH: u32 = 16;

/// Sums over the playouts after one joint move.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    exact: bool,
    finished: u64,
    unfinished: u64,
    /// Per role.
    points: Vec<u64>,
    rounds: u32,
    /// Over all rounds: the square of the sum of points, by the number of playouts.
    squares: f64,
}

/// What several tallies, each with the same weight, say about a role.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sum {
    pub(super) visits: u64,
    pub(super) value: Option<f64>,
    pub(super) error: Option<f64>,
}

impl Tally {
    pub(super) fn new(roles: usize) -> Tally {
        Tally { exact: false, finished: 0, unfinished: 0, points: vec![0; roles], rounds: 0, squares: 0.0 }
    }

    /// The match is over there.
    pub(super) fn exact(points: &[u8]) -> Tally {
        Tally { exact: true, points: points.iter().map(|&points| u64::from(points)).collect(), ..Tally::new(0) }
    }

    pub(super) fn is_exact(&self) -> bool {
        self.exact
    }

    /// Takes note of a round of playouts: the sums of points per role, of which those of `role` will be asked for their error.
    pub(super) fn add(&mut self, finished: u32, unfinished: u32, points: &[u32], role: usize) {
        self.unfinished += u64::from(unfinished);
        if finished == 0 {
            return;
        }
        self.finished += u64::from(finished);
        self.points.iter_mut().zip(points).for_each(|(sum, &points)| *sum += u64::from(points));
        self.rounds += 1;
        self.squares += f64::from(points[role]).powi(2) / f64::from(finished);
    }

    pub(super) fn merge(&mut self, other: &Tally) {
        if !self.exact {
            self.finished += other.finished;
            self.unfinished += other.unfinished;
            self.points.iter_mut().zip(&other.points).for_each(|(sum, points)| *sum += points);
            self.rounds += other.rounds;
            self.squares += other.squares;
        }
    }

    /// Playouts in all.
    pub(super) fn playouts(&self) -> u64 {
        self.finished + self.unfinished
    }

    pub(super) fn bounds(&self, role: usize) -> Bounds {
        if self.exact { Bounds::exact(self.points[role] as u8) } else { Bounds::OPEN }
    }

    /// The mean points of a role, if there is any.
    fn mean(&self, role: usize) -> Option<f64> {
        if self.exact {
            return Some(self.points[role] as f64);
        }
        (self.finished > 0).then(|| self.points[role] as f64 / self.finished as f64)
    }

    /// The square of the standard error of the mean.
    ///
    /// No variance of points from 0 to 100 is larger than that of wins and losses with the same mean, which is shifted as Agresti and Coull do so that a
    /// few equal results are not taken for certain. After many rounds their scatter may tell that it is smaller.
    fn squared_error(&self, role: usize, mean: f64) -> f64 {
        if self.exact {
            return 0.0;
        }
        let count = self.finished as f64;
        let shifted = (mean * count + 50.0 * Z * Z) / (count + Z * Z);
        let largest = shifted * (100.0 - shifted) / (count + Z * Z);
        if self.rounds < ENOUGH {
            return largest;
        }
        let scatter = (self.squares - (self.points[role] as f64).powi(2) / count) / f64::from(self.rounds - 1) / count;
        // All rounds alike says little about the next.
        scatter.max((Z * 100.0 / count).powi(2)).min(largest)
    }
}

/// What the tallies of one move say about a role; the error is only right for the role they were told.
pub(super) fn summed(tallies: &[Tally], role: usize) -> Sum {
    let (mut visits, mut seen, mut total, mut squared) = (0, 0.0, 0.0, 0.0);
    for tally in tallies {
        visits += tally.playouts().max(u64::from(tally.exact));
        if let Some(mean) = tally.mean(role) {
            seen += 1.0;
            total += mean;
            squared += tally.squared_error(role, mean);
        }
    }
    if seen == 0.0 {
        return Sum { visits, value: (visits > 0).then_some(50.0), error: None };
    }
    Sum { visits, value: Some(total / seen), error: Some(Z * squared.sqrt() / seen) }
}

#[cfg(test)]
mod tests {
    use super::{Tally, summed};
    use ludens_machine::Random;

    #[test]
    fn intervals_hold_the_truth_about_as_often_as_they_say() {
        let mut random = Random::new(1);
        for (rounds, each) in [(1, 40), (40, 1), (40, 16)] {
            for chance in [5, 50, 90] {
                let mut hits = 0;
                for _ in 0..1000 {
                    let mut tally = Tally::new(1);
                    for _ in 0..rounds {
                        let wins = (0..each).filter(|_| random.below(100) < chance).count() as u32;
                        tally.add(each, 0, &[wins * 100], 0);
                    }
                    let sum = summed(&[tally], 0);
                    let off = (sum.value.expect("a value") - chance as f64).abs();
                    hits += u32::from(off <= sum.error.expect("an error"));
                }
                assert!((880..=1000).contains(&hits), "{rounds} rounds of {each}, {chance}%: {hits}");
            }
        }
    }

    #[test]
    fn narrow_points_get_narrow_intervals() {
        let mut random = Random::new(2);
        let mut tally = Tally::new(1);
        for _ in 0..100 {
            let points: u32 = (0..16).map(|_| 45 + random.below(11) as u32).sum();
            tally.add(16, 0, &[points], 0);
        }
        let sum = summed(&[tally], 0);
        assert!((sum.value.expect("a value") - 50.0).abs() < 1.0);
        assert!(sum.error.expect("an error") < 0.5, "{sum:?}");
    }

    #[test]
    fn ends_count_exactly_and_matches_given_up_do_not() {
        let exact = summed(&[Tally::exact(&[30, 70])], 1);
        assert_eq!((exact.visits, exact.value, exact.error), (1, Some(70.0), Some(0.0)));
        let mut tally = Tally::new(1);
        assert_eq!(summed(&[tally.clone()], 0).value, None);
        tally.add(0, 3, &[0], 0);
        assert_eq!((summed(&[tally.clone()], 0).value, tally.playouts()), (Some(50.0), 3));
        tally.add(2, 1, &[120], 0);
        assert_eq!((summed(&[tally.clone()], 0).value, tally.playouts()), (Some(60.0), 6));
    }
}

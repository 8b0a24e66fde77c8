//! How strong players are, as far as matches tell: the model of Bradley and Terry, with what is expected before any match.

/// Newton's steps to the most likely strengths, and the longest of them.
const STEPS: usize = 20;
const STRIDE: f64 = 1.0;

/// What is known of a player before any match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expected {
    /// Its strength; differences are logarithms of odds.
    pub(super) strength: f64,
    /// How far that may be wrong: the standard deviation.
    pub(super) spread: f64,
}

/// Who had what against whom.
#[derive(Clone, Debug)]
pub(super) struct Ratings {
    /// What is expected of each.
    expected: Vec<Expected>,
    /// What each had in matches against each, 1 for a match won.
    had: Vec<Vec<f64>>,
}

/// What matches say of strengths.
#[derive(Clone, Debug)]
pub(super) struct Estimate {
    /// Differences are logarithms of odds.
    strengths: Vec<f64>,
    /// Covariances of the strengths.
    doubt: Vec<Vec<f64>>,
}

impl Ratings {
    /// Nobody has met yet.
    pub(super) fn new(expected: Vec<Expected>) -> Ratings {
        let had = vec![vec![0.0; expected.len()]; expected.len()];
        Ratings { expected, had }
    }

    /// What one had, and what the other.
    pub(super) fn add(&mut self, [one, other]: [usize; 2], had: [f64; 2]) {
        self.had[one][other] += had[0];
        self.had[other][one] += had[1];
    }

    /// The most likely strengths, and how far they may be wrong.
    pub(super) fn estimate(&self) -> Estimate {
        let mut strengths: Vec<f64> = self.expected.iter().map(|expected| expected.strength).collect();
        for _ in 0..STEPS {
            let (slopes, doubt) = (self.slopes(&strengths), inverse(self.curvature(&strengths)));
            let step = |row: &Vec<f64>| row.iter().zip(&slopes).map(|(row, slope)| row * slope).sum::<f64>();
            for (strength, row) in strengths.iter_mut().zip(&doubt) {
                *strength += step(row).clamp(-STRIDE, STRIDE);
            }
        }
        let doubt = inverse(self.curvature(&strengths));
        Estimate { strengths, doubt }
    }

    /// Which way every strength would be more likely.
    fn slopes(&self, strengths: &[f64]) -> Vec<f64> {
        let slope = |one: usize| {
            let matches = |other: usize| {
                let all = self.had[one][other] + self.had[other][one];
                self.had[one][other] - all * chance(strengths[one] - strengths[other])
            };
            let Expected { strength, spread } = self.expected[one];
            (0..strengths.len()).map(matches).sum::<f64>() - (strengths[one] - strength) / spread.powi(2)
        };
        (0..strengths.len()).map(slope).collect()
    }

    /// How fast it becomes less likely, in all directions.
    fn curvature(&self, strengths: &[f64]) -> Vec<Vec<f64>> {
        let count = strengths.len();
        let mut curvature = vec![vec![0.0; count]; count];
        for one in 0..count {
            curvature[one][one] += self.expected[one].spread.powi(-2);
            for other in (0..count).filter(|&other| other != one) {
                let chance = chance(strengths[one] - strengths[other]);
                let known = (self.had[one][other] + self.had[other][one]) * chance * (1.0 - chance);
                curvature[one][one] += known;
                curvature[one][other] -= known;
            }
        }
        curvature
    }
}

impl Estimate {
    /// The strongest of some, the first of equals.
    pub(super) fn best(&self, of: impl Iterator<Item = usize>) -> Option<usize> {
        of.reduce(|best, other| if self.strengths[other] > self.strengths[best] { other } else { best })
    }

    /// How likely one is stronger than another.
    pub(super) fn is_stronger(&self, one: usize, other: usize) -> f64 {
        chance((self.strengths[one] - self.strengths[other]) / self.width(one, other))
    }

    /// By how much one is expected to be stronger than another where it is, and nothing where it is not: what may be gained by it.
    pub(super) fn gain(&self, one: usize, other: usize) -> f64 {
        let width = self.width(one, other);
        width * ((self.strengths[one] - self.strengths[other]) / width).exp().ln_1p()
    }

    /// How wide the difference of two is spread, by the logistic distribution, which is the normal one to within a hundredth when it is drawn together like this.
    fn width(&self, one: usize, other: usize) -> f64 {
        let variance = self.doubt[one][one] + self.doubt[other][other] - 2.0 * self.doubt[one][other];
        variance.max(1e-12).sqrt() / 1.702
    }
}

fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// The inverse of a symmetric matrix whose values are all positive (Gauss and Jordan).
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let count = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| f64::from(u8::from(column == index))));
    }
    for pivot in 0..count {
        let scale = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|value| *value /= scale);
        let by = matrix[pivot].clone();
        for row in (0..count).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            matrix[row].iter_mut().zip(&by).for_each(|(value, by)| *value -= factor * by);
        }
    }
    matrix.into_iter().map(|row| row[count..].to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::{Estimate, Expected, Ratings, chance, inverse};

    fn ratings(strengths: &[f64]) -> Ratings {
        Ratings::new(strengths.iter().map(|&strength| Expected { strength, spread: 0.7 }).collect())
    }

    #[test]
    fn a_matrix_by_its_inverse_is_one() {
        let matrix = vec![vec![4.0, -1.0, -2.0], vec![-1.0, 3.0, -1.0], vec![-2.0, -1.0, 5.0]];
        let inverse = inverse(matrix.clone());
        for (index, row) in matrix.iter().enumerate() {
            // The inverse is symmetric, too.
            for (column, other) in inverse.iter().enumerate() {
                let product: f64 = row.iter().zip(other).map(|(one, other)| one * other).sum();
                assert!((product - f64::from(u8::from(index == column))).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn without_matches_all_is_as_expected() {
        let estimate = ratings(&[0.0, 0.5, -0.5]).estimate();
        assert_eq!(estimate.best(0..3), Some(1));
        assert_eq!(estimate.best([2, 0].into_iter()), Some(0));
        assert!((0.6..0.8).contains(&estimate.is_stronger(1, 0)) && (0.2..0.4).contains(&estimate.is_stronger(2, 0)));
    }

    #[test]
    fn many_matches_tell_more_than_what_was_expected() {
        let mut ratings = ratings(&[0.0, 0.5]);
        ratings.add([0, 1], [300.0, 100.0]);
        let estimate = ratings.estimate();
        assert_eq!(estimate.best(0..2), Some(0));
        assert!((chance(estimate.strengths[0] - estimate.strengths[1]) - 0.75).abs() < 0.01);
        assert!(estimate.is_stronger(0, 1) > 0.999);
    }

    #[test]
    fn few_matches_leave_doubt() {
        let stronger = |matches: f64| {
            let mut ratings = ratings(&[0.0, 0.0]);
            ratings.add([1, 0], [matches * 0.75, matches * 0.25]);
            ratings.estimate().is_stronger(1, 0)
        };
        let (few, more) = (stronger(2.0), stronger(8.0));
        assert!(0.5 < few && few < more && more < 0.95, "{few} {more}");
    }

    #[test]
    fn who_beats_the_one_that_beats_a_third_is_stronger_than_the_third() {
        let mut ratings = ratings(&[0.0; 3]);
        ratings.add([2, 1], [8.0, 2.0]);
        ratings.add([1, 0], [8.0, 2.0]);
        let estimate = ratings.estimate();
        assert_eq!(estimate.best(0..3), Some(2));
        assert!(estimate.is_stronger(2, 0) > estimate.is_stronger(2, 1));
    }

    #[test]
    fn more_may_be_gained_by_whom_less_is_known_of() {
        let mut ratings = ratings(&[0.0; 3]);
        ratings.add([0, 1], [20.0, 20.0]);
        let estimate = ratings.estimate();
        assert!(estimate.gain(2, 0) > 1.5 * estimate.gain(1, 0) && estimate.gain(1, 0) > 0.0);
        ratings.add([0, 1], [40.0, 0.0]);
        assert!(ratings.estimate().gain(1, 0) < 0.01);
    }

    #[test]
    fn of_whom_little_is_known_matches_tell_most() {
        let expected = [(0.0, 1.2), (0.0, 0.7), (0.0, 0.7)];
        let mut ratings = Ratings::new(expected.map(|(strength, spread)| Expected { strength, spread }).to_vec());
        ratings.add([1, 0], [8.0, 0.0]);
        let Estimate { strengths, .. } = ratings.estimate();
        assert!(strengths[0] < -strengths[1] && strengths[1] > strengths[2], "{strengths:?}");
    }

    #[test]
    fn a_clean_sweep_has_an_end() {
        let mut ratings = ratings(&[0.0, 0.0]);
        ratings.add([1, 0], [1000.0, 0.0]);
        let estimate = ratings.estimate();
        assert!(estimate.strengths.iter().all(|strength| strength.is_finite() && strength.abs() < 10.0), "{estimate:?}");
        assert_eq!(estimate.best(0..2), Some(1));
    }
}

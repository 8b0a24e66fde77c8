//! Least squares.

/// Features whose values are known from others but for this share of their variance are left out.
const RESIDUE: f64 = 0.02;

/// A little of everything, so that no weight runs away.
const RIDGE: f64 = 1e-4;

/// Features whose weights are not so many standard errors away from nothing are left out.
const ERRORS: f64 = 4.0;

/// Features without which all others would explain as much but for this share are left out.
const SHARE: f64 = 0.02;

/// Less than this share of what there is to explain is nothing.
const LITTLE: f64 = 0.02;

/// Values of some features in some states, with what is needed to explain something by them.
#[derive(Debug)]
pub(super) struct Design {
    /// State after state.
    values: Vec<f64>,
    features: usize,
    means: Vec<f64>,
    deviations: Vec<f64>,
    /// Correlations, feature after feature.
    correlations: Vec<f64>,
}

/// What explains something.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Fit {
    pub(super) constant: f64,
    /// Features with their weights and the standard errors of these.
    pub(super) weights: Vec<(usize, f64, f64)>,
}

impl Design {
    /// Of the values of so many features, state after state.
    pub(super) fn new(values: Vec<f64>, features: usize) -> Design {
        let count = (values.len() / features.max(1)).max(1) as f64;
        let mut means = vec![0.0; features];
        let mut products = vec![0.0; features * features];
        for row in values.chunks_exact(features.max(1)) {
            for (one, &value) in row.iter().enumerate() {
                means[one] += value / count;
                for (two, &other) in row[..=one].iter().enumerate() {
                    products[one * features + two] += value * other / count;
                }
            }
        }
        let covariance = |one: usize, two: usize| products[one.max(two) * features + one.min(two)] - means[one] * means[two];
        let deviations: Vec<f64> = (0..features).map(|at| covariance(at, at).max(0.0).sqrt()).collect();
        let mut correlations = vec![0.0; features * features];
        for one in 0..features {
            for two in 0..features {
                let scale = deviations[one] * deviations[two];
                correlations[one * features + two] = if scale > 1e-9 { covariance(one, two) / scale } else { 0.0 };
            }
        }
        Design { values, features, means, deviations, correlations }
    }

    fn correlation(&self, one: usize, two: usize) -> f64 {
        self.correlations[one * self.features + two]
    }

    /// The values, state after state.
    pub(super) fn rows(&self) -> impl Iterator<Item = &[f64]> {
        self.values.chunks_exact(self.features.max(1))
    }

    /// The features, in their order, that go together with no other before them as closely as this.
    pub(super) fn different(&self, same: f64) -> Vec<usize> {
        let mut kept: Vec<usize> = Vec::new();
        for at in (0..self.features).filter(|&at| self.deviations[at] > 1e-6) {
            if kept.iter().all(|&other| self.correlation(at, other).abs() < same) {
                kept.push(at);
            }
        }
        kept
    }

    /// The first features, in their order, that vary and are no sums of others before them: at most so many.
    pub(super) fn independent(&self, most: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = Vec::new();
        // The rows of the factor, as far as it goes.
        let mut factor: Vec<Vec<f64>> = Vec::new();
        for at in 0..self.features {
            if chosen.len() >= most || self.deviations[at] <= 1e-6 {
                continue;
            }
            let mut row: Vec<f64> = Vec::with_capacity(chosen.len() + 1);
            for (other, known) in chosen.iter().zip(&factor) {
                let sum: f64 = row.iter().zip(known).map(|(one, two)| one * two).sum();
                row.push((self.correlation(at, *other) - sum) / known[row.len()]);
            }
            let rest = 1.0 - row.iter().map(|value| value * value).sum::<f64>();
            if rest > RESIDUE {
                row.push(rest.sqrt());
                factor.push(row);
                chosen.push(at);
            }
        }
        chosen
    }

    /// Explains some targets, one per state, by some features. What does not help for certain is left out, the least helpful
    /// first. The first `aside` features of the design explain what they can, and are no part of the answer. Nothing is where all
    /// explain next to nothing.
    pub(super) fn explain(&self, targets: &[f64], features: &[usize], aside: usize) -> Fit {
        let count = targets.len().max(1) as f64;
        let mean = targets.iter().sum::<f64>() / count;
        let variance = targets.iter().map(|target| (target - mean).powi(2)).sum::<f64>() / count;
        let mut with_target = vec![0.0; self.features];
        for (row, target) in self.rows().zip(targets) {
            for (sum, value) in with_target.iter_mut().zip(row) {
                *sum += value * (target - mean) / count;
            }
        }
        let aside = features.iter().filter(|&&at| at < aside).count();
        let mut features = features.to_vec();
        features.sort_unstable();
        let right = |features: &[usize]| features.iter().map(|&at| with_target[at] / self.deviations[at]).collect::<Vec<f64>>();
        let known = self.factor(&features[..aside]).map_or(0.0, |factor| {
            let right = right(&features[..aside]);
            solve(&factor, &right).iter().zip(&right).map(|(one, two)| one * two).sum()
        });
        loop {
            let right = right(&features);
            let Some(factor) = self.factor(&features) else { return Fit { constant: mean, weights: Vec::new() } };
            let weights = solve(&factor, &right);
            let explained: f64 = weights.iter().zip(&right).map(|(one, two)| one * two).sum();
            let noise = (variance - explained).max(0.0) / (count - features.len() as f64 - 1.0).max(1.0);
            let inverse: Vec<f64> = (0..features.len()).map(|place| inverse(&factor, place)).collect();
            // What would be lost without a feature.
            let lost = |place: usize| weights[place] * weights[place] / inverse[place];
            let least = (aside..features.len()).min_by(|&one, &two| lost(one).total_cmp(&lost(two)));
            if let Some(least) = least
                && lost(least) < (SHARE * (explained - known)).max(ERRORS * ERRORS * noise)
            {
                features.remove(least);
                continue;
            }
            if explained - known < LITTLE * (variance - known) {
                return Fit { constant: mean, weights: Vec::new() };
            }
            let weight = |(place, &at): (usize, &usize)| {
                (at, weights[place] / self.deviations[at], (noise * inverse[place]).sqrt() / self.deviations[at])
            };
            let weights: Vec<(usize, f64, f64)> = features.iter().enumerate().skip(aside).map(weight).collect();
            let constant = mean - weights.iter().map(|(at, weight, _)| weight * self.means[*at]).sum::<f64>();
            return Fit { constant, weights };
        }
    }

    /// The Cholesky factor of the correlations of some features, row after row.
    fn factor(&self, features: &[usize]) -> Option<Vec<Vec<f64>>> {
        let mut factor: Vec<Vec<f64>> = Vec::with_capacity(features.len());
        for (one, &at) in features.iter().enumerate() {
            let mut row: Vec<f64> = Vec::with_capacity(one + 1);
            for (two, known) in factor.iter().enumerate() {
                let sum: f64 = row.iter().zip(known).map(|(one, two)| one * two).sum();
                row.push((self.correlation(at, features[two]) - sum) / known[two]);
            }
            let rest = 1.0 + RIDGE - row.iter().map(|value| value * value).sum::<f64>();
            if rest <= 0.0 {
                return None;
            }
            row.push(rest.sqrt());
            factor.push(row);
        }
        Some(factor)
    }
}

/// Solves for a right side, given the factor.
fn solve(factor: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let mut found: Vec<f64> = Vec::with_capacity(right.len());
    for (row, value) in factor.iter().zip(right) {
        let sum: f64 = row.iter().zip(&found).map(|(one, two)| one * two).sum();
        found.push((value - sum) / row[found.len()]);
    }
    for at in (0..found.len()).rev() {
        let sum: f64 = (at + 1..found.len()).map(|below| factor[below][at] * found[below]).sum();
        found[at] = (found[at] - sum) / factor[at][at];
    }
    found
}

/// A number on the diagonal of the inverse, given the factor.
fn inverse(factor: &[Vec<f64>], place: usize) -> f64 {
    let mut unit = vec![0.0; factor.len()];
    unit[place] = 1.0;
    solve(factor, &unit)[place].max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::Design;
    use ludens_machine::Random;

    #[test]
    fn weights_are_found_again() {
        let mut random = Random::new(5);
        let (mut values, mut targets) = (Vec::new(), Vec::new());
        for _ in 0..5000 {
            let mut number = || random.below(1000) as f64 / 100.0;
            let (one, two, three, noise) = (number(), number(), number(), number() - 5.0);
            // The fourth is the sum of two others, the fifth never varies.
            values.extend([one, two, three, one + two, 7.0]);
            targets.push(3.0 + 2.0 * one - 0.5 * two + noise);
        }
        let design = Design::new(values, 5);
        assert_eq!(design.independent(9), [0, 1, 2]);
        let fit = design.explain(&targets, &[0, 1, 2], 0);
        let [(0, one, error), (1, two, _)] = fit.weights[..] else { panic!("{fit:?}") };
        assert!((one - 2.0).abs() < 0.05 && (two + 0.5).abs() < 0.05 && error < 0.05, "{fit:?}");
        assert!((fit.constant - 3.0).abs() < 0.5, "{fit:?}");
        let rest = design.explain(&targets, &[0, 1, 2], 1);
        assert!(matches!(rest.weights[..], [(1, weight, _)] if (weight - two).abs() < 1e-6), "{rest:?}");
    }
}

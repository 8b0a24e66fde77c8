//! When enough matches have been played: the sequential probability ratio test.

use crate::elo::expected;
use crate::interval::mean;

/// Two claims about who is better by how much, and how often the answer may be wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    /// The first claim: better by so many points of a rating, which may be less than none.
    pub elo0: f64,
    /// The second claim, more than the first.
    pub elo1: f64,
    /// How often the second is accepted though the first is true.
    pub alpha: f64,
    /// How often the first is accepted though the second is true.
    pub beta: f64,
}

/// What pairs decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The second claim holds.
    Better,
    /// The first claim holds.
    NotBetter,
    /// More pairs have to be played.
    Open,
}

/// Pairs before which nothing is decided.
const FEWEST: usize = 2;

impl Sprt {
    /// A test that is wrong in one case of twenty.
    pub fn new(elo0: f64, elo1: f64) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// The ratio's logarithm from which on the second claim holds, and down to which the first does.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The logarithm of how much likelier the scores of pairs are by the second claim than by the first: taken as if normal, with the spread they have. Half a pair
    /// that was won and half of one that was lost count as seen for the spread, so that pairs which all went the same way decide, too.
    pub fn ratio(&self, pairs: &[f64]) -> f64 {
        let Some(seen) = mean(pairs) else { return 0.0 };
        let count = pairs.len() as f64;
        let squares: f64 = pairs.iter().map(|pair| (pair - seen).powi(2)).sum();
        let variance = (squares + f64::midpoint(seen * seen, (1.0 - seen).powi(2))) / (count + 1.0);
        let (low, high) = (expected(self.elo0), expected(self.elo1));
        count * (high - low) * (2.0 * seen - low - high) / (2.0 * variance)
    }

    /// What the scores of pairs decide so far.
    pub fn decide(&self, pairs: &[f64]) -> Decision {
        let [low, high] = self.bounds();
        match self.ratio(pairs) {
            _ if pairs.len() < FEWEST => Decision::Open,
            ratio if ratio >= high => Decision::Better,
            ratio if ratio <= low => Decision::NotBetter,
            _ => Decision::Open,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Decision, Sprt};
    use crate::elo::expected;
    use ludens_machine::Random;

    #[test]
    fn bounds_are_those_of_the_book() {
        let [low, high] = Sprt::new(0.0, 10.0).bounds();
        assert!((low + 2.944).abs() < 1e-3 && (high - 2.944).abs() < 1e-3, "{low} {high}");
        let [low, high] = Sprt { alpha: 0.05, beta: 0.1, ..Sprt::new(0.0, 10.0) }.bounds();
        assert!((low + 2.251).abs() < 1e-3 && (high - 2.890).abs() < 1e-3, "{low} {high}");
    }

    #[test]
    fn it_ends_where_all_is_won_or_lost_or_drawn() {
        let sprt = Sprt::new(0.0, 50.0);
        let ends = |score: f64| (1..200).map(|count| sprt.decide(&vec![score; count])).find(|found| *found != Decision::Open);
        assert_eq!(ends(1.0), Some(Decision::Better));
        assert_eq!(ends(0.0), Some(Decision::NotBetter));
        assert_eq!(ends(0.5), Some(Decision::NotBetter));
        assert_eq!(sprt.decide(&[]), Decision::Open);
    }

    /// How often the second claim is accepted where a player is truly better by so much, and how many pairs that takes.
    fn accepted(sprt: &Sprt, elo: f64, random: &mut Random) -> (f64, f64) {
        let (tests, mut better, mut played) = (300, 0, 0);
        for _ in 0..tests {
            let mut pairs = Vec::new();
            let mut score = || f64::from(u8::from((random.below(1 << 20) as f64) < expected(elo) * f64::from(1 << 20)));
            let decision = loop {
                pairs.push(f64::midpoint(score(), score()));
                let decision = sprt.decide(&pairs);
                if decision != Decision::Open || pairs.len() == 3000 {
                    break decision;
                }
            };
            better += usize::from(decision == Decision::Better);
            played += pairs.len();
        }
        (better as f64 / f64::from(tests), played as f64 / f64::from(tests))
    }

    #[test]
    fn it_errs_as_seldom_as_it_says() {
        let sprt = Sprt::new(0.0, 60.0);
        let mut random = Random::new(3);
        let (wrong, _) = accepted(&sprt, 0.0, &mut random);
        assert!(wrong < 0.1, "{wrong}");
        let (right, pairs) = accepted(&sprt, 60.0, &mut random);
        assert!(right > 0.9, "{right}");
        let (surely, fewer) = accepted(&sprt, 200.0, &mut random);
        assert!(surely > 0.99 && fewer < pairs, "{surely}, {fewer} and {pairs}");
    }
}

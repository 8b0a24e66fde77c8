//! Claims about several games at once.

use crate::interval::{error_of_mean, mean, student};
use ludens_machine::Random;

/// With so many pairs all ways to turn signs are tried; with more, some.
const EXACT: usize = 14;

/// How many are tried then.
const TRIED: usize = 10_000;

/// How likely leads of pairs are to be as far from nothing as they are, to either side, if both players are equal: the share of all ways to turn signs that
/// leads as far. Equal players would have had either sign as easily. `None` without a pair.
pub fn p_value(leads: &[f64], random: &mut Random) -> Option<f64> {
    let seen = mean(leads)?.abs() * leads.len() as f64 - 1e-9;
    let turned = |bits: u64| {
        let signed = leads.iter().enumerate().map(|(at, lead)| if bits >> at & 1 == 1 { -lead } else { *lead });
        signed.sum::<f64>().abs() >= seen
    };
    if leads.len() <= EXACT {
        let all = 1_u64 << leads.len();
        return Some((0..all).filter(|&bits| turned(bits)).count() as f64 / all as f64);
    }
    if leads.len() <= 64 {
        let as_far = (0..TRIED).filter(|_| turned(random.bits())).count();
        return Some((as_far + 1) as f64 / (TRIED + 1) as f64);
    }
    // Many pairs: their mean is as good as normal.
    let error = error_of_mean(leads)? / student(leads.len() as f64 - 1.0);
    Some(if error > 0.0 { both_tails(mean(leads)?.abs() / error) } else { f64::from(u8::from(seen <= 0.0)) })
}

/// How likely a normal number is to be so many standard deviations away from its mean, to either side: within 2e-7 (Abramowitz and Stegun, 7.1.26).
fn both_tails(deviations: f64) -> f64 {
    let x = deviations / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let series = [0.254_829_592, -0.284_496_736, 1.421_413_741, -1.453_152_027, 1.061_405_429];
    let sum = series.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    sum * (-x * x).exp()
}

/// Holm's correction: the smallest level at which each of several claims holds if all are made at once.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &two| values[one].total_cmp(&values[two]));
    let mut corrected = vec![0.0; values.len()];
    let mut most: f64 = 0.0;
    for (rank, &at) in order.iter().enumerate() {
        most = most.max(values[at] * (values.len() - rank) as f64).min(1.0);
        corrected[at] = most;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::{both_tails, holm, p_value};
    use ludens_machine::Random;

    #[test]
    fn corrections_are_those_of_the_book() {
        let found = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (found, right) in found.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((found - right).abs() < 1e-12, "{found} {right}");
        }
        assert_eq!(holm(&[0.6, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    #[test]
    fn few_pairs_are_counted_out() {
        let mut random = Random::new(1);
        // Of 32 ways to turn five signs, two lead as far.
        assert_eq!(p_value(&[1.0; 5], &mut random), Some(0.0625));
        assert_eq!(p_value(&[1.0, -1.0], &mut random), Some(1.0));
        assert_eq!(p_value(&[0.0; 3], &mut random), Some(1.0));
        assert_eq!(p_value(&[], &mut random), None);
    }

    #[test]
    fn all_ways_of_counting_agree() {
        let mut random = Random::new(5);
        let lead = |random: &mut Random| random.below(3) as f64 - 0.9;
        let leads: Vec<f64> = (0..64).map(|_| lead(&mut random)).collect();
        let by_signs = p_value(&leads, &mut random).expect("pairs");
        let twice: Vec<f64> = leads.iter().copied().chain([0.0]).collect();
        let by_spread = p_value(&twice, &mut random).expect("pairs");
        assert!((by_signs - by_spread).abs() < 0.03, "{by_signs} and {by_spread}");
        assert!((both_tails(1.959_964) - 0.05).abs() < 1e-5 && (both_tails(0.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn equal_players_are_seldom_told_apart() {
        let mut random = Random::new(9);
        let rounds = 400;
        let told = (0..rounds).filter(|_| {
            let leads: Vec<f64> = (0..12).map(|_| random.below(5) as f64 / 2.0 - 1.0).collect();
            p_value(&leads, &mut random).is_some_and(|p| p < 0.05)
        });
        assert!(told.count() < rounds * 8 / 100);
    }
}

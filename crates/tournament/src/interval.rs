//! How sure one can be of a mean.

use crate::duel::differ;
use ludens_machine::Random;

/// Standard errors to both sides that 95% of all cases lie within.
pub const Z: f64 = 1.959_963_985;

/// Student's 97.5% quantile with 1, 2, .. degrees of freedom; beyond the table an expansion is good to a thousandth.
const STUDENT: [f64; 9] = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262];

/// The mean of some numbers.
pub fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// Student's 97.5% quantile: what takes the place of [`Z`] where the spread is known from a few numbers only.
pub fn student(freedom: f64) -> f64 {
    if freedom < 1.0 {
        return f64::INFINITY;
    }
    if let Some(known) = STUDENT.get(freedom as usize - 1) {
        return *known;
    }
    let (cube, fifth, seventh) = (Z.powi(3), Z.powi(5), Z.powi(7));
    Z + (cube + Z) / (4.0 * freedom)
        + (5.0 * fifth + 16.0 * cube + 3.0 * Z) / (96.0 * freedom.powi(2))
        + (3.0 * seventh + 19.0 * fifth + 17.0 * cube - 15.0 * Z) / (384.0 * freedom.powi(3))
}

/// Half of the 95% interval of a mean; `None` for fewer than two numbers.
pub fn error_of_mean(numbers: &[f64]) -> Option<f64> {
    let (count, mean) = (numbers.len() as f64, mean(numbers)?);
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (numbers.len() > 1).then(|| student(count - 1.0) * (squares / (count - 1.0) / count).sqrt())
}

/// Wilson's 95% interval for a share that was seen in so many trials.
pub fn wilson(share: f64, trials: f64) -> [f64; 2] {
    let square = Z * Z / trials;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (share * (1.0 - share) / trials + square / trials / 4.0).sqrt();
    // What was seen lies within, also where numbers are rounded.
    [(middle - half).max(0.0).min(share), (middle + half).min(1.0).max(share)]
}

/// Fewer pairs than that are not drawn anew: Student's interval takes the place.
const FEW: usize = 10;

/// How often pairs are drawn anew.
const ROUNDS: usize = 2000;

/// The 95% interval of the mean score of pairs by drawing as many pairs as there are, again and again, each as often as chance has it. Where all pairs went
/// the same way they do not say how much they could differ: then it is Wilson's, of the number of pairs; and Student's where there are fewer than ten. `None` without a pair.
pub fn bootstrap(pairs: &[f64], random: &mut Random) -> Option<[f64; 2]> {
    let share = mean(pairs)?;
    if !differ(pairs) {
        return Some(wilson(share, pairs.len() as f64));
    }
    // So few say less about how much they could differ than drawing them anew would have it.
    if let Some(error) = error_of_mean(pairs).filter(|_| pairs.len() < FEW) {
        return Some([(share - error).max(0.0), (share + error).min(1.0)]);
    }
    let mut means: Vec<f64> = (0..ROUNDS)
        .map(|_| (0..pairs.len()).map(|_| pairs[random.below(pairs.len())]).sum::<f64>() / pairs.len() as f64)
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| means[((ROUNDS - 1) as f64 * share).round() as usize];
    Some([at(0.025), at(0.975)])
}

#[cfg(test)]
mod tests {
    use super::{bootstrap, error_of_mean, mean, student, wilson};
    use ludens_machine::Random;

    fn near(one: f64, two: f64) -> bool {
        (one - two).abs() < 1e-3
    }

    #[test]
    fn intervals_are_those_of_the_book() {
        for (share, trials, low, high) in
            [(0.5, 10.0, 0.237, 0.763), (0.0, 20.0, 0.0, 0.161), (0.75, 20.0, 0.531, 0.888), (1.0, 20.0, 0.839, 1.0)]
        {
            let [found_low, found_high] = wilson(share, trials);
            assert!(near(found_low, low) && near(found_high, high), "{share} of {trials}: {found_low}..{found_high}");
        }
        assert!(near(error_of_mean(&[0.0, 1.0]).unwrap(), 6.353));
        assert_eq!((error_of_mean(&[0.3]), mean(&[])), (None, None));
        for (freedom, quantile) in [(1.0, 12.706), (5.0, 2.571), (9.0, 2.262), (10.0, 2.228), (29.0, 2.045), (1e9, 1.960)] {
            assert!(near(student(freedom), quantile), "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn intervals_cover_what_is_true_as_often_as_they_say() {
        let mut random = Random::new(7);
        // Pairs of a player that wins 60% of its matches, those of a pair going together in half of all cases.
        let score = |random: &mut Random| f64::from(u8::from(random.below(10) < 6));
        let pair = |random: &mut Random| {
            let first = score(random);
            let second = if random.below(2) == 0 { first } else { score(random) };
            f64::midpoint(first, second)
        };
        let (mut by_bootstrap, mut by_student, rounds) = (0, 0, 400);
        for _ in 0..rounds {
            let pairs: Vec<f64> = (0..40).map(|_| pair(&mut random)).collect();
            let [low, high] = bootstrap(&pairs, &mut random).expect("pairs");
            by_bootstrap += usize::from((low..=high).contains(&0.6));
            let (mean, error) = (mean(&pairs).expect("pairs"), error_of_mean(&pairs).expect("pairs"));
            by_student += usize::from((mean - 0.6).abs() <= error);
        }
        for covered in [by_bootstrap, by_student] {
            let share = covered as f64 / f64::from(rounds);
            assert!((0.91..0.98).contains(&share), "{share}");
        }
    }

    #[test]
    fn pairs_that_all_went_the_same_way_leave_something_open() {
        let [low, high] = bootstrap(&[1.0; 10], &mut Random::new(1)).expect("pairs");
        assert!(near(low, 0.722) && near(high, 1.0), "{low}..{high}");
        assert_eq!(bootstrap(&[], &mut Random::new(1)), None);
    }
}

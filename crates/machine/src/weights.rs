//! Numbers that fluents add to sums.

use crate::bits::{Adders, MOST_BITS, bits_of_sum};

/// A constant and what every fluent adds to it, for each of several sums: see [`Lanes::weigh`](crate::Lanes::weigh).
///
/// Numbers are rounded to multiples of a power of two, a unit of their sum, so that the largest is from 2048 to 4096 units: each is off by at most a
/// four thousandth of the largest. (Where the sum of all would have more than 24 bits, units are larger.) Sums of these are exact, in whichever order they are
/// added; the constant, which is not rounded, comes last.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    sums: Vec<Sum>,
}

/// One of the sums.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sum {
    pub(crate) constant: f32,
    pub(crate) unit: f32,
    pub(crate) adders: Adders,
    /// What every fluent adds, in units.
    numbers: Vec<i32>,
}

/// The bits of the largest number.
const BITS: i32 = 12;

/// Units are not smaller powers of two than this, so that all multiples are exact.
const SMALLEST: i32 = -120;

impl Sum {
    fn new(constant: f32, numbers: &[f32]) -> Sum {
        let finite = |number: &f32| if number.is_finite() { *number } else { 0.0 };
        let largest = numbers.iter().map(finite).fold(0.0_f32, |most, number| most.max(number.abs()));
        // The exponent that its bits say: the largest is from 2^exponent to twice that.
        let exponent = (largest.to_bits() >> 23).cast_signed() - 127;
        let mut power = (exponent + 1 - BITS).max(SMALLEST);
        loop {
            let unit = f32::from_bits(((power + 127) as u32) << 23);
            let rounded: Vec<i32> = numbers.iter().map(|number| (finite(number) / unit).round() as i32).collect();
            if bits_of_sum(&rounded) <= MOST_BITS {
                return Sum { constant, unit, adders: Adders::new(&rounded), numbers: rounded };
            }
            power += 1;
        }
    }
}

impl Weights {
    /// From a constant and a number for every fluent, for each sum.
    pub fn new(sums: &[(f32, &[f32])]) -> Weights {
        Weights { sums: sums.iter().map(|(constant, numbers)| Sum::new(*constant, numbers)).collect() }
    }

    /// How many sums there are.
    pub fn sums(&self) -> usize {
        self.sums.len()
    }

    /// The constant of a sum.
    pub fn constant(&self, sum: usize) -> f32 {
        self.sums[sum].constant
    }

    /// What every fluent adds to a sum, rounded.
    pub fn rounded(&self, sum: usize) -> impl Iterator<Item = f32> {
        let Sum { unit, numbers, .. } = &self.sums[sum];
        numbers.iter().map(move |&number| number as f32 * unit)
    }

    /// Additions to be made for all sums, each in as many lanes as a word has.
    pub fn additions(&self) -> usize {
        self.sums.iter().map(|sum| sum.adders.len()).sum()
    }

    pub(crate) fn of(&self, sum: usize) -> &Sum {
        &self.sums[sum]
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;
    use crate::Random;

    #[test]
    fn rounding_is_off_by_a_four_thousandth_of_the_largest_at_most() {
        let mut random = Random::new(3);
        for scale in [1e-30, 1e-5, 0.02, 1.0, 700.0, 1e20] {
            let numbers: Vec<f32> = (0..500).map(|_| (random.below(2001) as f32 - 1000.0) * scale).collect();
            let largest = numbers.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
            let weights = Weights::new(&[(0.5, &numbers)]);
            for (number, rounded) in numbers.iter().zip(weights.rounded(0)) {
                assert!((number - rounded).abs() <= largest / 4000.0, "{number} is not {rounded}");
            }
        }
    }

    #[test]
    fn nothing_and_numbers_that_are_none_add_nothing() {
        let weights = Weights::new(&[(1.0, &[0.0, -0.0]), (2.0, &[f32::NAN, f32::INFINITY]), (3.0, &[])]);
        assert_eq!(weights.additions(), 0);
        assert!((0..3).all(|sum| weights.rounded(sum).all(|number| number == 0.0)));
    }
}

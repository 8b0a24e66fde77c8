//! Numbers that fluents, and lines of them, add to sums.

use crate::bits::{Adders, MOST_BITS, SumCodes, bits_of_sum};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Fluents of which it counts how many are true, as long as none of the blockers is. There are at most eight.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// What must be true.
    pub fluents: Box<[u32]>,
    /// What must not.
    pub blockers: Box<[u32]>,
}

/// Which lines count: those with so many true fluents, more than none and not all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Fluents that are true.
    pub filled: usize,
    /// All but one are true, and the other is one of these, by their numbers, ascending; `None` for any.
    pub lacking: Option<Arc<[u32]>>,
}

/// Lines of one length, and what each that is wanted adds.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// The lines.
    pub lines: Arc<[Line]>,
    /// Which of them, and how much.
    pub numbers: Vec<(Wanted, f32)>,
}

/// What is added up to a sum.
#[derive(Clone, Debug)]
pub struct Summands<'a> {
    /// The sum where nothing is true.
    pub constant: f32,
    /// Per fluent.
    pub fluents: &'a [f32],
    /// What lines add.
    pub lines: Vec<Counted>,
}

/// A constant and what every fluent and line adds to it, for each of several sums: see [`Lanes::weigh`](crate::Lanes::weigh).
///
/// Numbers are rounded to multiples of a power of two, a unit of their sum, so that the largest is from 8192 to 16384 units: each is off by at most a
/// sixteen thousandth of the largest. (Where the sum of all would have more than 24 bits, units are larger.) Sums of these are exact, in whichever order they are
/// added; the constant, which is not rounded, comes last.
#[derive(Debug)]
pub struct Weights {
    sums: Vec<Sum>,
    codes: SumCodes,
}

/// One of the sums.
#[derive(Debug)]
pub(crate) struct Sum {
    pub(crate) constant: f32,
    pub(crate) unit: f32,
    pub(crate) adders: Adders,
    /// What every fluent adds, in units.
    numbers: Vec<i32>,
    /// What lines add, each list in its order.
    counted: Vec<Vec<i32>>,
    /// The same line by line, each once.
    lines: Vec<(Line, Steps)>,
}

/// What a line adds, in units.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// By the number of true fluents.
    pub(crate) filled: Vec<i32>,
    /// Where one is missing: per fluent.
    pub(crate) lacking: Vec<i32>,
}

/// The bits of the largest number. With twelve, a hundred lines of one weight were off by a tenth of a point together.
const BITS: i32 = 14;

/// Units are not smaller powers of two than this, so that all multiples are exact.
const SMALLEST: i32 = -120;

impl Sum {
    fn new(summands: &Summands<'_>) -> Sum {
        let finite = |number: f32| if number.is_finite() { number } else { 0.0 };
        let of_lines = || summands.lines.iter().flat_map(|counted| counted.numbers.iter().map(|(_, number)| *number));
        let all = summands.fluents.iter().copied().chain(of_lines());
        let largest = all.map(finite).fold(0.0_f32, |most, number| most.max(number.abs()));
        // The exponent that its bits say: the largest is from 2^exponent to twice that.
        let exponent = (largest.to_bits() >> 23).cast_signed() - 127;
        let mut power = (exponent + 1 - BITS).max(SMALLEST);
        loop {
            let unit = f32::from_bits(((power + 127) as u32) << 23);
            let round = |number: f32| (finite(number) / unit).round() as i32;
            let numbers: Vec<i32> = summands.fluents.iter().map(|&number| round(number)).collect();
            let of_list = |counted: &Counted| counted.numbers.iter().map(|(_, number)| round(*number)).collect();
            let counted: Vec<Vec<i32>> = summands.lines.iter().map(of_list).collect();
            let lines = by_line(&summands.lines, &counted);
            let each = lines.iter().flat_map(|(_, steps)| steps.filled.iter().chain(&steps.lacking));
            // What is counted first may take a bit more.
            if bits_of_sum(numbers.iter().chain(each).copied()) < MOST_BITS {
                let adders = Adders::new(&numbers);
                return Sum { constant: summands.constant, unit, adders, numbers, counted, lines };
            }
            power += 1;
        }
    }

    /// What every fluent adds, in units.
    pub(crate) fn numbers(&self) -> &[i32] {
        &self.numbers
    }

    /// What lines add, in units.
    pub(crate) fn lines(&self) -> &[(Line, Steps)] {
        &self.lines
    }
}

/// What every line adds, given the numbers of each list in units.
fn by_line(lists: &[Counted], numbers: &[Vec<i32>]) -> Vec<(Line, Steps)> {
    let mut places: BTreeMap<&Line, usize> = BTreeMap::new();
    let mut found: Vec<(Line, Steps)> = Vec::new();
    for (list, numbers) in lists.iter().zip(numbers) {
        for line in &*list.lines {
            let size = line.fluents.len();
            let place = *places.entry(line).or_insert_with(|| {
                found.push((line.clone(), Steps { filled: vec![0; size + 1], lacking: vec![0; size] }));
                found.len() - 1
            });
            let steps = &mut found[place].1;
            for ((wanted, _), number) in list.numbers.iter().zip(numbers) {
                match &wanted.lacking {
                    None => steps.filled.get_mut(wanted.filled).into_iter().for_each(|adds| *adds += number),
                    Some(list) => {
                        let lacks = line.fluents.iter().zip(&mut steps.lacking);
                        lacks.filter(|(fluent, _)| list.binary_search(fluent).is_ok()).for_each(|(_, adds)| *adds += number);
                    }
                }
            }
        }
    }
    found.retain(|(_, steps)| steps.filled.iter().chain(&steps.lacking).any(|&number| number != 0));
    found
}

impl Weights {
    /// From what is added up to each sum.
    pub fn new(sums: &[Summands<'_>]) -> Weights {
        Weights { sums: sums.iter().map(Sum::new).collect(), codes: SumCodes::default() }
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

    /// What the lines of a list add to a sum, rounded, in the order in which they were given.
    pub fn rounded_lines(&self, sum: usize, list: usize) -> impl Iterator<Item = f32> {
        let Sum { unit, counted, .. } = &self.sums[sum];
        counted[list].iter().map(move |&number| number as f32 * unit)
    }

    /// Whether lines add anything.
    pub fn counts_lines(&self) -> bool {
        self.sums.iter().any(|sum| !sum.lines.is_empty())
    }

    /// Additions to be made for all sums, each in as many lanes as a word has; those for lines left out.
    pub fn additions(&self) -> usize {
        self.sums.iter().map(|sum| sum.adders.len()).sum()
    }

    pub(crate) fn all(&self) -> &[Sum] {
        &self.sums
    }

    pub(crate) fn codes(&self) -> &SumCodes {
        &self.codes
    }
}

#[cfg(test)]
mod tests {
    use super::{Summands, Weights};
    use crate::Random;

    #[test]
    fn rounding_is_off_by_a_sixteen_thousandth_of_the_largest_at_most() {
        let mut random = Random::new(3);
        for scale in [1e-30, 1e-5, 0.02, 1.0, 700.0, 1e20] {
            let numbers: Vec<f32> = (0..500).map(|_| (random.below(2001) as f32 - 1000.0) * scale).collect();
            let largest = numbers.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
            let weights = Weights::new(&[Summands { constant: 0.5, fluents: &numbers, lines: Vec::new() }]);
            for (number, rounded) in numbers.iter().zip(weights.rounded(0)) {
                assert!((number - rounded).abs() <= largest / 16_000.0, "{number} is not {rounded}");
            }
        }
    }

    #[test]
    fn nothing_and_numbers_that_are_none_add_nothing() {
        let all: [&[f32]; 3] = [&[0.0, -0.0], &[f32::NAN, f32::INFINITY], &[]];
        let weights = Weights::new(&all.map(|fluents| Summands { constant: 1.0, fluents, lines: Vec::new() }));
        assert_eq!(weights.additions(), 0);
        assert!((0..3).all(|sum| weights.rounded(sum).all(|number| number == 0.0)));
    }
}

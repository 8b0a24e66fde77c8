//! Sums over the fluents of a state, all at once.
//!
//! Whatever a function counts, every fluent that is true adds a number of its own to the sum: thirty features or thirty thousand cost the same.

use crate::feature::Feature;
use crate::vocabulary::Vocabulary;
use ludens_machine::{Lanes, RoleId};

/// A constant, a weight for every fluent, and one for every legal move of a role.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The sum where nothing is true.
    pub constant: f32,
    /// Per fluent.
    pub fluents: Vec<f32>,
    /// Per role.
    pub moves: Vec<f32>,
}

impl Linear {
    /// Always the same.
    pub fn constant(vocabulary: &Vocabulary, roles: usize, constant: f32) -> Linear {
        Linear { constant, fluents: vec![0.0; vocabulary.rows().len()], moves: vec![0.0; roles] }
    }

    /// Adds a feature with a weight.
    pub fn add(&mut self, vocabulary: &Vocabulary, feature: &Feature, weight: f32) {
        if let Feature::Moves(role) = feature {
            self.moves[role.0 as usize] += weight;
        }
        for (fluent, share) in feature.shares(vocabulary) {
            self.fluents[fluent.0 as usize] += weight * share;
        }
    }

    /// Its value in a state, legal moves left out.
    pub fn of_words(&self, words: &[u64]) -> f32 {
        let mut sum = self.constant;
        each_bit(words, |bit| sum += self.fluents[bit]);
        sum
    }
}

/// The numbers of all bits that are set, ascending.
pub(crate) fn each_bit(words: &[u64], mut visit: impl FnMut(usize)) {
    for (at, &word) in words.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            visit(at * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

/// Several sums of the same states, prepared to be computed fast.
#[derive(Debug)]
pub struct Sums {
    count: usize,
    constants: Vec<f32>,
    moves: Vec<f32>,
    reads_moves: bool,
    words: usize,
    adding: Adding,
}

/// How sums are made.
#[derive(Debug)]
enum Adding {
    /// Byte after byte: per byte and each of its 256 values, what it adds to every sum.
    Bytes(Vec<f32>),
    /// Fluent after fluent, where few of many are true.
    Fluents(Vec<f32>),
}

impl Sums {
    /// Prepares some sums. `typical` is a state as they are met.
    pub fn new(sums: &[Linear], typical: &[u64]) -> Sums {
        let count = sums.len();
        let fluents = sums.first().map_or(0, |sum| sum.fluents.len());
        let words = fluents.div_ceil(64);
        let of = |fluent: usize| sums.iter().map(move |sum| sum.fluents.get(fluent).copied().unwrap_or(0.0));
        let set: u32 = typical.iter().map(|word| word.count_ones()).sum();
        let adding = if (set as usize) < fluents / 8 {
            Adding::Fluents((0..fluents).flat_map(of).collect())
        } else {
            let mut table = Vec::with_capacity(words * 8 * 256 * count);
            for byte in 0..words * 8 {
                for value in 0..256_usize {
                    let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
                    let sum = |output: usize| -> f32 {
                        bits.clone().map(|bit| sums[output].fluents.get(byte * 8 + bit).copied().unwrap_or(0.0)).sum()
                    };
                    table.extend((0..count).map(sum));
                }
            }
            Adding::Bytes(table)
        };
        let roles = sums.first().map_or(0, |sum| sum.moves.len());
        Sums {
            count,
            constants: sums.iter().map(|sum| sum.constant).collect(),
            moves: (0..roles).flat_map(|role| sums.iter().map(move |sum| sum.moves[role])).collect(),
            reads_moves: sums.iter().any(|sum| sum.moves.iter().any(|&weight| weight != 0.0)),
            words,
            adding,
        }
    }

    /// How many sums there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether legal moves are counted.
    pub fn reads_moves(&self) -> bool {
        self.reads_moves
    }

    /// The sums of the states of the first lanes, which are evaluated: state after state.
    pub fn of_lanes(&self, lanes: &Lanes<'_>, count: usize, sums: &mut [f32]) {
        let mut words = Vec::with_capacity(count * self.words);
        lanes.store_all(count, &mut words);
        for (lane, sums) in sums.chunks_exact_mut(self.count.max(1)).take(count).enumerate() {
            sums.copy_from_slice(&self.constants);
            self.add(&words[lane * self.words..(lane + 1) * self.words], sums);
            if self.reads_moves && !lanes.terminal(lane) {
                for (role, weights) in self.moves.chunks_exact(self.count).enumerate() {
                    let legal = lanes.legal(lane, RoleId(role as u32)).len() as f32;
                    sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * legal);
                }
            }
        }
    }

    /// Adds what the fluents of a state have to add.
    #[inline]
    fn add(&self, words: &[u64], sums: &mut [f32]) {
        match (&self.adding, sums) {
            (Adding::Bytes(table), [one, two]) => {
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).zip(table.chunks_exact(512));
                for (value, table) in bytes {
                    *one += table[usize::from(value) * 2];
                    *two += table[usize::from(value) * 2 + 1];
                }
            }
            (Adding::Bytes(table), sums) => {
                let count = self.count;
                let bytes = words.iter().flat_map(|word| word.to_le_bytes()).zip(table.chunks_exact(256 * count.max(1)));
                for (value, table) in bytes {
                    let adds = &table[usize::from(value) * count..][..count];
                    sums.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
                }
            }
            (Adding::Fluents(table), sums) => each_bit(words, |bit| {
                if let Some(adds) = table.get(bit * self.count..(bit + 1) * self.count) {
                    sums.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Linear, Sums};
    use ludens_machine::Random;

    #[test]
    fn bytes_and_fluents_add_up_to_the_same() {
        let mut random = Random::new(3);
        for (fluents, count) in [(7_usize, 1), (64, 2), (130, 2), (200, 3)] {
            let mut number = || (random.below(2001) as f32 - 1000.0) / 64.0;
            let sums: Vec<Linear> = (0..count)
                .map(|_| Linear { constant: number(), fluents: (0..fluents).map(|_| number()).collect(), moves: Vec::new() })
                .collect();
            let full = vec![u64::MAX; fluents.div_ceil(64)];
            for typical in [&full[..], &[]] {
                let prepared = Sums::new(&sums, typical);
                for _ in 0..20 {
                    let mut words: Vec<u64> = full.iter().map(|_| random.bits() & random.bits()).collect();
                    if fluents % 64 != 0 {
                        *words.last_mut().expect("a word") &= (1 << (fluents % 64)) - 1;
                    }
                    let mut found: Vec<f32> = sums.iter().map(|sum| sum.constant).collect();
                    prepared.add(&words, &mut found);
                    for (found, sum) in found.iter().zip(&sums) {
                        assert!((found - sum.of_words(&words)).abs() < 1e-2, "{fluents} fluents, {count} sums");
                    }
                }
            }
        }
    }
}

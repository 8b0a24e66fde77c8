//! Sums over the fluents of a state, all at once.
//!
//! Whatever a function counts, every fluent that is true adds a number of its own to the sum: thirty features or thirty thousand cost the same.

use crate::feature::Feature;
use crate::lines::{Counting, Live, Wanted};
use crate::vocabulary::Vocabulary;
use ludens_machine::{Lanes, RoleId};

/// A constant, a weight for every fluent, one for every legal move of a role, and those of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The sum where nothing is true.
    pub constant: f32,
    /// Per fluent.
    pub fluents: Vec<f32>,
    /// Per role.
    pub moves: Vec<f32>,
    /// Per family of lines that are counted: which of them, and the weight of each.
    pub lines: Vec<(Live, Vec<(Wanted, f32)>)>,
}

impl Linear {
    /// Always the same.
    pub fn constant(vocabulary: &Vocabulary, roles: usize, constant: f32) -> Linear {
        Linear { constant, fluents: vec![0.0; vocabulary.rows().len()], moves: vec![0.0; roles], lines: Vec::new() }
    }

    /// Adds a feature with a weight.
    pub fn add(&mut self, vocabulary: &Vocabulary, feature: &Feature, weight: f32) {
        if let Feature::Moves(role) = feature {
            self.moves[role.0 as usize] += weight;
        }
        if let Feature::Lines(lines) = feature {
            let index = self.lines.iter().position(|(live, _)| live.is_of(lines)).unwrap_or_else(|| {
                self.lines.push((Live::new(vocabulary, lines.family, lines.blockers.clone()), Vec::new()));
                self.lines.len() - 1
            });
            self.lines[index].1.push((lines.wanted(vocabulary), weight));
        }
        for (fluent, share) in feature.shares(vocabulary) {
            self.fluents[fluent.0 as usize] += weight * share;
        }
    }

    /// Its value in a state, legal moves left out.
    pub fn of_words(&self, words: &[u64]) -> f32 {
        let mut sum = self.constant;
        each_bit(words, |bit| sum += self.fluents[bit]);
        for (live, weights) in &self.lines {
            sum += weights.iter().map(|(wanted, weight)| live.count(words, wanted) as f32 * weight).sum::<f32>();
        }
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
    lines: Option<LineSums>,
}

/// What lines add.
#[derive(Debug)]
struct LineSums {
    counting: Counting,
    /// Per counter, to every sum.
    weights: Vec<f32>,
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
            lines: LineSums::new(sums),
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
        if let Some(lines) = &self.lines {
            lines.add(lanes, count, self.count, sums);
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

impl LineSums {
    /// The lines of all sums; those that several count are counted once.
    fn new(sums: &[Linear]) -> Option<LineSums> {
        let mut lives: Vec<(&Live, Vec<Wanted>)> = Vec::new();
        for (live, weights) in sums.iter().flat_map(|sum| &sum.lines) {
            let index = lives.iter().position(|(known, _)| *known == live).unwrap_or_else(|| {
                lives.push((live, Vec::new()));
                lives.len() - 1
            });
            for (wanted, _) in weights.iter().filter(|(_, weight)| *weight != 0.0) {
                if !lives[index].1.contains(wanted) {
                    lives[index].1.push(wanted.clone());
                }
            }
        }
        let weight = |sum: &Linear, live: &Live, wanted: &Wanted| -> f32 {
            let all = sum.lines.iter().filter(|(known, _)| known == live).flat_map(|(_, weights)| weights);
            all.filter(|(known, _)| known == wanted).map(|(_, weight)| weight).sum()
        };
        let counters = lives.iter().flat_map(|(live, wanted)| wanted.iter().map(move |wanted| (*live, wanted)));
        let weights: Vec<f32> =
            counters.flat_map(|(live, wanted)| sums.iter().map(move |sum| weight(sum, live, wanted))).collect();
        (!weights.is_empty()).then(|| LineSums { counting: Counting::new(lives), weights })
    }

    /// Adds what they have to add in the first lanes.
    fn add(&self, lanes: &Lanes<'_>, count: usize, outputs: usize, sums: &mut [f32]) {
        for first in (0..count).step_by(256) {
            let sums = &mut sums[first * outputs..count * outputs];
            match count - first {
                ..=64 => self.add_some::<1>(lanes, first, outputs, sums),
                65..=128 => self.add_some::<2>(lanes, first, outputs, sums),
                _ => self.add_some::<4>(lanes, first, outputs, sums),
            }
        }
    }

    fn add_some<const PARTS: usize>(&self, lanes: &Lanes<'_>, first: usize, outputs: usize, sums: &mut [f32]) {
        let mut columns: Vec<[u64; PARTS]> = Vec::with_capacity(self.counting.fluents().len());
        lanes.columns(first, self.counting.fluents(), &mut columns);
        self.counting.each(&columns, sums.len() / outputs, |counter, lane, counts| {
            let weights = &self.weights[counter * outputs..(counter + 1) * outputs];
            let states = sums.chunks_exact_mut(outputs).skip(lane);
            for (sums, count) in states.zip(counts) {
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * f32::from(count));
            }
        });
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
                .map(|_| Linear {
                    constant: number(),
                    fluents: (0..fluents).map(|_| number()).collect(),
                    moves: Vec::new(),
                    lines: Vec::new(),
                })
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

//! Sums over the fluents of many states at once: a fluent's word says in which states its number is added.
#![allow(unsafe_code)] // vector instructions

use super::exec::Processor;
use super::word::Word;
use crate::Weights;
use crate::vector::Job;
use crate::weights::Sum;

/// States that are summed up together.
pub(crate) const TOGETHER: usize = 64;

/// Finds the sums of the first states, state after state, all sums of each.
pub(super) struct Weigh<'a, W> {
    pub(super) fluents: &'a [W],
    pub(super) weights: &'a Weights,
    pub(super) room: &'a mut Vec<W>,
    pub(super) sums: &'a mut [f32],
}

impl<W: Word> Job for Weigh<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let count = self.weights.sums();
        for sum in 0..count {
            let Sum { constant, unit, adders, .. } = self.weights.of(sum);
            let found = adders.add_up(self.fluents, self.room);
            if let Some(sums) = self.sums.get_mut(sum..) {
                found.write(*constant, *unit, sums, count);
            }
        }
    }
}

/// Adds numbers to those of 64 sums for which their bits are set, one after the other.
pub(super) fn add(processor: Processor, numbers: &[(u64, f32)], totals: &mut [f32; TOGETHER]) {
    #[cfg(target_arch = "x86_64")]
    if processor == Processor::Avx512 {
        // SAFETY: this processor was found to have the instructions.
        return unsafe { add_by_mask(numbers, totals) };
    }
    let _ = processor;
    for &(bits, number) in numbers {
        let halves = [bits as u32, (bits >> 32) as u32];
        for (totals, half) in totals.chunks_exact_mut(32).zip(halves) {
            for (lane, total) in totals.iter_mut().enumerate() {
                *total = if half >> lane & 1 == 1 { *total + number } else { *total };
            }
        }
    }
}

/// The same, sixteen sums by one instruction.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
fn add_by_mask(numbers: &[(u64, f32)], totals: &mut [f32; TOGETHER]) {
    use std::arch::x86_64::{_mm512_loadu_ps, _mm512_mask_add_ps, _mm512_set1_ps, _mm512_storeu_ps};
    let (quarters, _) = totals.as_chunks_mut::<16>();
    let [a, b, c, d] = quarters else { return };
    // SAFETY: there is room for sixteen numbers at each of these places.
    let (mut first, mut second) = unsafe { (_mm512_loadu_ps(a.as_ptr()), _mm512_loadu_ps(b.as_ptr())) };
    // SAFETY: as above.
    let (mut third, mut fourth) = unsafe { (_mm512_loadu_ps(c.as_ptr()), _mm512_loadu_ps(d.as_ptr())) };
    for &(bits, number) in numbers {
        let number = _mm512_set1_ps(number);
        first = _mm512_mask_add_ps(first, bits as u16, first, number);
        second = _mm512_mask_add_ps(second, (bits >> 16) as u16, second, number);
        third = _mm512_mask_add_ps(third, (bits >> 32) as u16, third, number);
        fourth = _mm512_mask_add_ps(fourth, (bits >> 48) as u16, fourth, number);
    }
    // SAFETY: as above.
    unsafe {
        _mm512_storeu_ps(a.as_mut_ptr(), first);
        _mm512_storeu_ps(b.as_mut_ptr(), second);
        _mm512_storeu_ps(c.as_mut_ptr(), third);
        _mm512_storeu_ps(d.as_mut_ptr(), fourth);
    }
}

#[cfg(test)]
mod tests {
    use super::{Processor, TOGETHER, Weigh, add};
    use crate::bits::exec::dispatch;
    use crate::bits::word::{W64, W128, Word};
    #[cfg(target_arch = "x86_64")]
    use crate::bits::word::{W256, W512};
    use crate::{Random, Weights};

    #[test]
    fn all_processors_add_up_to_the_same() {
        let mut random = Random::new(5);
        let numbers: Vec<(u64, f32)> = (0..200).map(|_| (random.bits(), random.below(1000) as f32 / 7.0 - 60.0)).collect();
        let [mut plain, mut found] = [[0.5; TOGETHER]; 2];
        add(Processor::Plain, &numbers, &mut plain);
        add(Processor::detect(), &numbers, &mut found);
        assert_eq!(plain.map(f32::to_bits), found.map(f32::to_bits));
    }

    /// Words of chance, and numbers of many sizes, many of them nothing.
    fn check<W: Word>(fluents: usize, scale: f32, random: &mut Random) {
        let words: Vec<W> = (0..fluents)
            .map(|_| {
                let mut word = W::ZERO;
                (0..W::LANES / 64).for_each(|part| word.set_part(part, random.bits()));
                word
            })
            .collect();
        let mut number = || if random.below(4) == 0 { 0.0 } else { (random.below(20_001) as f32 - 1e4) * scale };
        for count in [1, 3] {
            let numbers: Vec<Vec<f32>> = (0..count).map(|_| (0..fluents).map(|_| number()).collect()).collect();
            let sums: Vec<(f32, &[f32])> = numbers.iter().map(|numbers| (0.7, numbers.as_slice())).collect();
            let weights = Weights::new(&sums);
            for lanes in [0, 1, 17, W::LANES - 1, W::LANES] {
                let mut found = vec![f32::NAN; lanes * count];
                dispatch::<W, _>(Weigh { fluents: &words, weights: &weights, room: &mut Vec::new(), sums: &mut found });
                for (place, &sum) in found.iter().enumerate() {
                    let (lane, output) = (place / count, place % count);
                    let all = words.iter().zip(weights.rounded(output));
                    let exact: f64 = all.filter(|(word, _)| word.bit(lane)).map(|(_, number)| f64::from(number)).sum();
                    assert!(
                        (exact as f32 + 0.7 - sum).abs() == 0.0,
                        "{} lanes, {fluents} fluents: {sum} is not {exact}",
                        W::LANES
                    );
                }
            }
        }
    }

    #[test]
    fn all_words_have_the_sums_of_their_lanes() {
        let mut random = Random::new(6);
        for (fluents, scale) in [(0, 1.0), (1, 1e-3), (7, 1.0), (200, 1e-4), (1000, 3.0), (20_000, 1e-20)] {
            check::<W64>(fluents, scale, &mut random);
            check::<W128>(fluents, scale, &mut random);
            #[cfg(target_arch = "x86_64")]
            {
                if Processor::detect() >= Processor::Avx2 && fluents < 20_000 {
                    check::<W256>(fluents, scale, &mut random);
                }
                if Processor::detect() >= Processor::Avx512 && fluents < 20_000 {
                    check::<W512>(fluents, scale, &mut random);
                }
            }
        }
    }
}

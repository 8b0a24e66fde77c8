//! Sums over the fluents of many states at once: a fluent's word says in which states its number is added.
#![allow(unsafe_code)] // vector instructions

use super::exec::Processor;
use super::word::Word;
use crate::Weights;

/// States that are summed up together.
pub(crate) const TOGETHER: usize = 64;

/// Adds the numbers of all fluents that hold to the sums of the first states: state after state, all sums of each. Numbers are added one after
/// the other in the order of their fluents, on every processor, so that the sums are the same on all of them.
pub(super) fn weigh<W: Word>(processor: Processor, fluents: &[W], weights: &Weights, sums: &mut [f32]) {
    let count = weights.sums();
    let mut numbers = Vec::new();
    for (part, sums) in sums.chunks_mut(TOGETHER * count.max(1)).enumerate() {
        for sum in 0..count {
            numbers.clear();
            numbers.extend(weights.of(sum).iter().map(|&(fluent, number)| (fluents[fluent as usize].part(part), number)));
            let mut totals = [0.0; TOGETHER];
            for (total, sums) in totals.iter_mut().zip(sums.chunks_exact(count)) {
                *total = sums[sum];
            }
            add(processor, &numbers, &mut totals);
            for (total, sums) in totals.iter().zip(sums.chunks_exact_mut(count)) {
                sums[sum] = *total;
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
    use super::{Processor, weigh};
    use crate::bits::word::{W64, Word};
    use crate::{Random, Weights};

    #[test]
    fn all_processors_add_up_to_the_same() {
        let mut random = Random::new(5);
        for (count, states) in [(1, 64), (2, 5), (3, 64)] {
            let fluents: Vec<W64> = (0..200)
                .map(|_| {
                    let mut word = W64::ZERO;
                    word.set_part(0, random.bits());
                    word
                })
                .collect();
            let numbers: Vec<Vec<f32>> = (0..count)
                .map(|_| {
                    (0..200).map(|_| if random.below(3) == 0 { 0.0 } else { random.below(1000) as f32 / 7.0 - 60.0 }).collect()
                })
                .collect();
            let weights = Weights::new(&numbers.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let [mut plain, mut found] = [(); 2].map(|()| vec![0.5_f32; count * states]);
            weigh(Processor::Plain, &fluents, &weights, &mut plain);
            weigh(Processor::detect(), &fluents, &weights, &mut found);
            assert_eq!(plain, found);
            for (place, &sum) in plain.iter().enumerate() {
                let (state, output) = (place / count, place % count);
                let holds = |fluent: &usize| fluents[*fluent].part(0) >> state & 1 == 1;
                let expected = (0..200).filter(holds).fold(0.5, |sum, fluent| sum + numbers[output][fluent]);
                assert!((sum - expected).abs() < 1e-2, "{sum} is not {expected}");
            }
        }
    }
}

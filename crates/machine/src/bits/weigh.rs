//! Sums over the fluents of many states at once: a fluent's word says in which states its number is added.
#![allow(unsafe_code)] // vector instructions

use super::exec::Processor;
use super::native::{SumCode, SumRoom};
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
    /// Where there is machine code for them.
    pub(super) code: Option<&'a SumCode>,
    pub(super) room: &'a mut Room<W>,
    pub(super) sums: &'a mut [f32],
}

/// What adders work on.
#[derive(Debug)]
pub(super) struct Room<W> {
    carries: Vec<W>,
    coded: SumRoom<W>,
}

impl<W> Room<W> {
    /// Without room, which is made when it is needed.
    pub(super) fn new() -> Room<W> {
        Room { carries: Vec::new(), coded: SumRoom::new() }
    }
}

impl<W: Word> Job for Weigh<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let count = self.weights.sums();
        if let Some(code) = self.code {
            code.add_up(self.fluents, &mut self.room.coded);
        }
        for (sum, Sum { constant, unit, adders, .. }) in self.weights.all().iter().enumerate() {
            let found = match self.code {
                Some(code) => code.found(sum, &self.room.coded),
                None => adders.add_up(self.fluents, &mut self.room.carries),
            };
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
    use super::{Processor, Room, TOGETHER, Weigh, add};
    use crate::bits::exec::dispatch;
    use crate::bits::word::{W64, W128, Word};
    #[cfg(target_arch = "x86_64")]
    use crate::bits::word::{W256, W512};
    use crate::{Counted, Line, Random, Summands, Wanted, Weights};
    use std::collections::BTreeSet;
    use std::sync::Arc;

    #[test]
    fn all_processors_add_up_to_the_same() {
        let mut random = Random::new(5);
        let numbers: Vec<(u64, f32)> = (0..200).map(|_| (random.bits(), random.below(1000) as f32 / 7.0 - 60.0)).collect();
        let [mut plain, mut found] = [[0.5; TOGETHER]; 2];
        add(Processor::Plain, &numbers, &mut plain);
        add(Processor::detect(), &numbers, &mut found);
        assert_eq!(plain.map(f32::to_bits), found.map(f32::to_bits));
    }

    /// Lines of some fluents and blockers, with numbers for some of what can be wanted; some lines stand there twice.
    fn some_lines(fluents: usize, size: usize, scale: f32, random: &mut Random) -> Counted {
        let mut some = |count: usize| (0..count).map(|_| random.below(fluents) as u32).collect::<BTreeSet<u32>>();
        let mut lines: Vec<Line> = Vec::new();
        while lines.len() < 20 {
            let [line, blockers] = [some(size), some(3)];
            if line.len() == size {
                lines.push(Line { fluents: line.into_iter().collect(), blockers: blockers.into_iter().collect() });
            }
        }
        lines.push(lines[0].clone());
        let lists: Vec<Arc<[u32]>> = (0..5).map(|_| some(fluents / 2).into_iter().collect()).collect();
        let lacking = lists.into_iter().map(|list| Wanted { filled: size - 1, lacking: Some(list) });
        let wanted: Vec<Wanted> = (1..size).map(|filled| Wanted { filled, lacking: None }).chain(lacking).collect();
        let number = |wanted| (wanted, (random.below(4001) as f32 - 2000.0) * scale);
        Counted { lines: lines.into(), numbers: wanted.into_iter().map(number).collect() }
    }

    /// How many lines of a list are as wanted.
    fn count_of(lines: &[Line], wanted: &Wanted, holds: impl Fn(u32) -> bool) -> usize {
        let missing = |line: &Line| line.fluents.iter().copied().filter(|&fluent| !holds(fluent)).collect::<Vec<u32>>();
        let is_wanted = |line: &&Line| {
            let missing = missing(line);
            missing.len() + wanted.filled == line.fluents.len()
                && !line.blockers.iter().any(|&blocker| holds(blocker))
                && wanted.lacking.as_ref().is_none_or(|list| missing.iter().any(|fluent| list.contains(fluent)))
        };
        lines.iter().filter(is_wanted).count()
    }

    /// Words of chance, and numbers of many sizes, many of them nothing; lines only where there is machine code.
    fn check<W: Word>(fluents: usize, scale: f32, random: &mut Random) {
        let words: Vec<W> = (0..fluents)
            .map(|_| {
                let mut word = W::ZERO;
                (0..W::LANES / 64).for_each(|part| word.set_part(part, random.bits()));
                word
            })
            .collect();
        for (count, size) in [(1, 0), (3, 0), (1, 3), (2, 4), (1, 5), (2, 8)] {
            let mut number = || if random.below(4) == 0 { 0.0 } else { (random.below(20_001) as f32 - 1e4) * scale };
            let numbers: Vec<Vec<f32>> = (0..count).map(|_| (0..fluents).map(|_| number()).collect()).collect();
            let lists = if size > 0 && fluents > 2 * size { 2 } else { 0 };
            let mut lines = || (0..lists).map(|_| some_lines(fluents, size, scale, random)).collect::<Vec<Counted>>();
            let sums: Vec<Summands<'_>> =
                numbers.iter().map(|numbers| Summands { constant: 0.7, fluents: numbers, lines: lines() }).collect();
            let weights = Weights::new(&sums);
            let code = Processor::detect().target(W::LANES).and_then(|target| weights.codes().get(target, &weights));
            let ways = if size == 0 { vec![None, code] } else { vec![code] };
            for (code, lanes) in ways.into_iter().flat_map(|code| [0, 1, 17, W::LANES - 1, W::LANES].map(|lanes| (code, lanes))) {
                if size > 0 && code.is_none() {
                    continue;
                }
                let mut found = vec![f32::NAN; lanes * count];
                let room = &mut Room::new();
                dispatch::<W, _>(Weigh { fluents: &words, weights: &weights, code, room, sums: &mut found });
                for (place, &sum) in found.iter().enumerate() {
                    let (lane, output) = (place / count, place % count);
                    let holds = |fluent: u32| words[fluent as usize].bit(lane);
                    let own = words.iter().zip(weights.rounded(output)).filter(|(word, _)| word.bit(lane));
                    let lists = sums[output].lines.iter().enumerate().flat_map(|(at, list)| {
                        let counts = list.numbers.iter().map(|(wanted, _)| count_of(&list.lines, wanted, holds));
                        counts.zip(weights.rounded_lines(output, at)).map(|(count, number)| count as f64 * f64::from(number))
                    });
                    let exact: f64 = own.map(|(_, number)| f64::from(number)).chain(lists).sum();
                    assert!(
                        (exact as f32 + 0.7 - sum).abs() == 0.0,
                        "{} lanes, {fluents} fluents, lines of {size}: {sum} is not {exact}",
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

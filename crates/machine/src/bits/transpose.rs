//! Rows to columns and back: a state is a row of words, a lane a column of bits.
#![allow(clippy::needless_range_loop)] // see `swap`

use super::word::Word;

/// 64 rows of 64 bits.
type Square = [u64; 64];

/// Swaps the bits at places `step` apart between rows that are `step` rows apart, eight pairs of rows at a time: `apart` is how far these lie
/// from each other in the list.
#[inline(always)]
fn swap(square: &mut Square, apart: usize, step: u32, mask: u64) {
    // Loops over numbers, here and below: they are compiled alike wherever they are used.
    for group in 0..32 / apart {
        for low in group * 2 * apart..group * 2 * apart + apart {
            let changed = (square[low] >> step ^ square[low + apart]) & mask;
            square[low] ^= changed << step;
            square[low + apart] ^= changed;
        }
    }
}

/// Where a row is to be put for `transpose`.
#[inline(always)]
fn place(row: usize) -> usize {
    row % 8 * 8 + row / 8
}

/// Turns rows, each at its place, into columns in their order: bit `b` of row `a` becomes bit `a` of row `b`.
#[inline(always)]
fn transpose(square: &Square) -> Square {
    // Rows that lie together are handled by the same instructions: no step is between those.
    let mut square = *square;
    swap(&mut square, 32, 4, 0x0f0f_0f0f_0f0f_0f0f);
    swap(&mut square, 16, 2, 0x3333_3333_3333_3333);
    swap(&mut square, 8, 1, 0x5555_5555_5555_5555);
    let mut columns = [0; 64];
    for row in 0..64 {
        columns[row] = square[place(row)];
    }
    swap(&mut columns, 32, 32, 0x0000_0000_ffff_ffff);
    swap(&mut columns, 16, 16, 0x0000_ffff_0000_ffff);
    swap(&mut columns, 8, 8, 0x00ff_00ff_00ff_00ff);
    columns
}

/// Numbers of eight bits, given by the bits of each, the lowest first: eight lanes after eight lanes of all parts. The byte `b` of part `p` of
/// word `w` is the number of lane `64p + 8w + b`.
#[inline(always)]
pub(super) fn bytes<W: Word>(planes: &[W; 8]) -> [W; 8] {
    let mut words = *planes;
    exchange::<W, 1>(&mut words, 1, 0x5555_5555_5555_5555);
    exchange::<W, 2>(&mut words, 2, 0x3333_3333_3333_3333);
    exchange::<W, 4>(&mut words, 4, 0x0f0f_0f0f_0f0f_0f0f);
    exchange::<W, 8>(&mut words, 1, 0x00ff_00ff_00ff_00ff);
    exchange::<W, 16>(&mut words, 2, 0x0000_ffff_0000_ffff);
    exchange::<W, 32>(&mut words, 4, 0x0000_0000_ffff_ffff);
    words
}

/// What `swap` does, in all parts of eight words.
#[inline(always)]
fn exchange<W: Word, const STEP: i32>(words: &mut [W; 8], apart: usize, mask: u64) {
    let mask = W::repeat(mask);
    for group in 0..4 / apart {
        for low in group * 2 * apart..group * 2 * apart + apart {
            let changed = words[low].shift_back::<STEP>().xor(words[low + apart]).and(mask);
            words[low] = words[low].xor(changed.shift::<STEP>());
            words[low + apart] = words[low + apart].xor(changed);
        }
    }
}

/// Puts rows into some lanes of these fluents; the others stay as they are.
#[inline(always)]
pub(super) fn fill<'r, W: Word>(fluents: &mut [W], lanes: W, row: impl Fn(usize) -> &'r [u64]) {
    let mut before: [&[u64]; 64] = [&[]; 64];
    for part in 0..W::LANES / 64 {
        let mask = lanes.part(part);
        if mask == 0 {
            continue;
        }
        let mut rows: [&[u64]; 64] = [&[]; 64];
        let mut bits = mask;
        while bits != 0 {
            let bit = bits.trailing_zeros() as usize;
            rows[bit] = row(part * 64 + bit);
            bits &= bits - 1;
        }
        // The same rows again, as when few states fill many lanes.
        let mut repeated = mask == u64::MAX;
        for lane in 0..64 {
            repeated &= std::ptr::eq(rows[lane], before[lane]);
        }
        if repeated {
            for fluent in &mut *fluents {
                fluent.set_part(part, fluent.part(part - 1));
            }
        } else {
            fill_part(fluents, part, mask, &rows);
        }
        before = rows;
    }
}

/// The same for 64 lanes.
#[inline(always)]
fn fill_part<W: Word>(fluents: &mut [W], part: usize, mask: u64, rows: &[&[u64]; 64]) {
    for (index, group) in fluents.chunks_mut(64).enumerate() {
        let mut square = [0; 64];
        for at in 0..64 {
            square[place(at)] = if index < rows[at].len() { rows[at][index] } else { 0 };
        }
        let columns = transpose(&square);
        for at in 0..group.len().min(64) {
            let kept = group[at].part(part) & !mask;
            group[at].set_part(part, kept | columns[at]);
        }
    }
}

/// The rows of the first lanes, one after the other.
#[inline(always)]
pub(super) fn read<W: Word>(fluents: &[W], rows: &mut [u64]) {
    let words = fluents.len().div_ceil(64);
    let lanes = rows.len().checked_div(words).unwrap_or(0);
    for part in 0..lanes.div_ceil(64) {
        for index in 0..words {
            let group = &fluents[index * 64..fluents.len().min(index * 64 + 64)];
            let mut square = [0; 64];
            for at in 0..group.len() {
                square[place(at)] = group[at].part(part);
            }
            let columns = transpose(&square);
            for at in 0..64.min(lanes - part * 64) {
                rows[(part * 64 + at) * words + index] = columns[at];
            }
        }
    }
}

/// The row of one lane, appended.
#[inline(always)]
pub(super) fn read_one<W: Word>(fluents: &[W], lane: usize, row: &mut Vec<u64>) {
    let (part, shift) = (lane / 64, lane % 64);
    for group in fluents.chunks(64) {
        let bits = group.iter().enumerate().map(|(at, fluent)| (fluent.part(part) >> shift & 1) << at);
        row.push(bits.fold(0, |word, bit| word | bit));
    }
}

#[cfg(test)]
mod tests {
    use super::{Square, fill, place, read, read_one, transpose};
    use crate::Random;
    use crate::bits::word::{W64, W128, Word};

    #[test]
    fn rows_become_columns() {
        let mut random = Random::new(1);
        let square: Square = std::array::from_fn(|_| random.bits());
        let turned = transpose(&std::array::from_fn(|row| square[place(row)]));
        for (row, bits) in square.iter().enumerate() {
            for (column, turned) in turned.iter().enumerate() {
                assert_eq!(bits >> column & 1, turned >> row & 1, "{row}, {column}");
            }
        }
    }

    fn kept<W: Word>(fluents: usize) {
        let mut random = Random::new(fluents as u64);
        let words = fluents.div_ceil(64);
        let last = if fluents.is_multiple_of(64) { u64::MAX } else { (1 << (fluents % 64)) - 1 };
        let states: Vec<Vec<u64>> = (0..W::LANES)
            .map(|_| (0..words).map(|word| random.bits() & if word + 1 == words { last } else { u64::MAX }).collect())
            .collect();
        let mut columns = vec![W::ONES; fluents];
        let mut odd = W::ZERO;
        (0..W::LANES).filter(|lane| lane % 2 == 1).for_each(|lane| odd.set_bit(lane, true));
        fill(&mut columns, odd, |lane| &states[lane]);
        for (lane, state) in states.iter().enumerate() {
            let mut row = Vec::new();
            read_one(&columns, lane, &mut row);
            for (word, (&bits, &filled)) in row.iter().zip(state).enumerate() {
                let ones = if word + 1 == words { last } else { u64::MAX };
                assert_eq!(bits, if lane % 2 == 1 { filled } else { ones }, "only some lanes are filled");
            }
        }
        fill(&mut columns, W::ONES.and_not(odd), |lane| &states[lane]);
        for count in [0, 1, 7, 63, W::LANES] {
            let mut rows = vec![0; count * words];
            read(&columns, &mut rows);
            assert_eq!(rows, states[..count].concat(), "{fluents} fluents, {count} lanes");
        }
        fill(&mut columns, W::ONES, |lane| &states[lane % 8]);
        let mut rows = vec![0; W::LANES * words];
        read(&columns, &mut rows);
        assert_eq!(rows, states[..8].concat().repeat(W::LANES / 8), "{fluents} fluents, the same states again");
    }

    #[test]
    fn states_are_read_as_they_were_filled_in() {
        for fluents in [1, 5, 63, 64, 65, 200] {
            kept::<W64>(fluents);
            kept::<W128>(fluents);
        }
    }
}

//! Counts lines in many states at once, one bit of a word per state.

use super::Live;
use crate::linear::each_bit;

/// Families whose lines are counted, each for some numbers of fluents that are true.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Fluents that anything depends on.
    fluents: Vec<u32>,
    groups: Vec<Group>,
    /// Numbers that come of it for every state.
    counters: usize,
}

#[derive(Debug)]
struct Group {
    /// Numbers of true fluents that are counted, ascending.
    filled: Vec<usize>,
    /// Fluents and blockers of all lines, by place in the list of fluents, and where each ends.
    places: Vec<u32>,
    ends: Vec<(u32, u32)>,
}

/// A number per state: the bits of each as words, the lowest first.
type Planes<const PARTS: usize> = Vec<[u64; PARTS]>;

impl Counting {
    /// Prepares to count; per family, for which numbers of true fluents.
    pub(crate) fn new<'l>(lives: impl IntoIterator<Item = (&'l Live, Vec<usize>)>) -> Counting {
        let lives: Vec<(&Live, Vec<usize>)> = lives.into_iter().collect();
        let lines = || lives.iter().flat_map(|(live, _)| live.lines.iter());
        let mut fluents: Vec<u32> = lines().flat_map(|line| line.fluents.iter().chain(&line.blockers)).copied().collect();
        fluents.sort_unstable();
        fluents.dedup();
        let place = |fluent: &u32| fluents.binary_search(fluent).expect("every fluent is listed") as u32;
        let mut groups = Vec::new();
        for (live, filled) in &lives {
            let mut group = Group { filled: filled.clone(), places: Vec::new(), ends: Vec::new() };
            for line in &*live.lines {
                group.places.extend(line.fluents.iter().map(place));
                let middle = group.places.len() as u32;
                group.places.extend(line.blockers.iter().map(place));
                group.ends.push((middle, group.places.len() as u32));
            }
            groups.push(group);
        }
        let counters = groups.iter().map(|group| group.filled.len()).sum();
        Counting { fluents, groups, counters }
    }

    /// How many numbers come of every state.
    pub(crate) fn counters(&self) -> usize {
        self.counters
    }

    /// The fluents whose columns are to be handed over.
    pub(crate) fn fluents(&self) -> &[u32] {
        &self.fluents
    }

    /// Counts in all lanes of some columns, one for every fluent. Hears of eight lanes at a time: the number of the counter, the first lane, and what is
    /// counted in each.
    pub(crate) fn each<const PARTS: usize>(&self, columns: &[[u64; PARTS]], mut hear: impl FnMut(usize, usize, [u16; 8])) {
        let mut first = 0;
        for group in &self.groups {
            let mut counters: Vec<Planes<PARTS>> = vec![Vec::new(); group.filled.len()];
            group.count(columns, &mut counters);
            for (index, planes) in counters.iter().enumerate() {
                for lane in (0..PARTS * 64).step_by(8) {
                    let counts = eight(planes, lane);
                    if counts != [0; 8] {
                        hear(first + index, lane, counts);
                    }
                }
            }
            first += group.filled.len();
        }
    }

    /// Counts in states given by their words, and appends all numbers of each, state after state.
    pub(crate) fn of_rows(&self, rows: &[&[u64]], counts: &mut Vec<u16>) {
        let Some(last) = self.fluents.last() else { return };
        let mut place = vec![usize::MAX; *last as usize + 1];
        self.fluents.iter().enumerate().for_each(|(at, &fluent)| place[fluent as usize] = at);
        for group in rows.chunks(64) {
            let mut columns = vec![[0_u64; 1]; self.fluents.len()];
            for (lane, row) in group.iter().enumerate() {
                each_bit(row, |fluent| {
                    if let Some([column]) = place.get(fluent).and_then(|&at| columns.get_mut(at)) {
                        *column |= 1 << lane;
                    }
                });
            }
            let start = counts.len();
            counts.resize(start + group.len() * self.counters, 0);
            self.each(&columns, |counter, first, found| {
                for (lane, count) in (first..group.len()).zip(found) {
                    counts[start + lane * self.counters + counter] = count;
                }
            });
        }
    }
}

impl Group {
    fn count<const PARTS: usize>(&self, columns: &[[u64; PARTS]], counters: &mut [Planes<PARTS>]) {
        let mut start = 0;
        for &(middle, end) in &self.ends {
            let of = |range: std::ops::Range<u32>| {
                self.places[range.start as usize..range.end as usize].iter().map(|&place| &columns[place as usize])
            };
            // The number of true fluents, as three bits: no line has more than eight, and a full one need not be told from an empty one.
            let (mut ones, mut twos, mut fours) = ([0; PARTS], [0; PARTS], [0; PARTS]);
            for column in of(start..middle) {
                for part in 0..PARTS {
                    let carry = ones[part] & column[part];
                    ones[part] ^= column[part];
                    fours[part] ^= twos[part] & carry;
                    twos[part] ^= carry;
                }
            }
            let mut live = [0_u64; PARTS];
            for part in 0..PARTS {
                live[part] = ones[part] | twos[part] | fours[part];
            }
            for column in of(middle..end) {
                for part in 0..PARTS {
                    live[part] &= !column[part];
                }
            }
            start = end;
            if live == [0; PARTS] {
                continue;
            }
            for (&filled, planes) in self.filled.iter().zip(&mut *counters) {
                let flip = |bit: usize| if filled >> bit & 1 == 1 { 0 } else { u64::MAX };
                let flips = [flip(0), flip(1), flip(2)];
                let mut exactly = [0_u64; PARTS];
                for part in 0..PARTS {
                    exactly[part] = live[part] & (ones[part] ^ flips[0]) & (twos[part] ^ flips[1]) & (fours[part] ^ flips[2]);
                }
                add(planes, exactly);
            }
        }
    }
}

/// Adds a bit to the number of every state.
#[inline]
fn add<const PARTS: usize>(planes: &mut Planes<PARTS>, mut bits: [u64; PARTS]) {
    for plane in &mut *planes {
        if bits == [0; PARTS] {
            return;
        }
        for part in 0..PARTS {
            let carry = plane[part] & bits[part];
            plane[part] ^= bits[part];
            bits[part] = carry;
        }
    }
    if bits != [0; PARTS] {
        planes.push(bits);
    }
}

/// The numbers of eight states.
fn eight<const PARTS: usize>(planes: &Planes<PARTS>, lane: usize) -> [u16; 8] {
    let mut counts = [0; 8];
    for (group, planes) in planes.chunks(8).enumerate() {
        let mut bytes = 0;
        for (bit, plane) in planes.iter().enumerate() {
            bytes |= SPREAD[(plane[lane / 64] >> (lane % 64)) as usize & 0xff] << bit;
        }
        let bytes: u64 = bytes;
        for (count, byte) in counts.iter_mut().zip(bytes.to_le_bytes()) {
            *count |= u16::from(byte) << (group * 8);
        }
    }
    counts
}

/// The bits of a byte, one per byte.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (bit * 8);
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::Counting;
    use crate::lines::{Line, Live};
    use ludens_machine::Random;

    #[test]
    fn many_states_at_once_are_counted_as_one_by_one() {
        let mut random = Random::new(5);
        for (size, count) in [(3, 10), (5, 700), (8, 60)] {
            let mut some = |count: usize| (0..count).map(|_| random.below(128) as u32).collect::<std::collections::BTreeSet<_>>();
            let mut lines = Vec::new();
            while lines.len() < count {
                let (fluents, blockers) = (some(size), some(2));
                if fluents.len() == size {
                    lines.push(Line { fluents: fluents.into_iter().collect(), blockers: blockers.into_iter().collect() });
                }
            }
            let live = Live { family: 0, blockers: [].into(), size, lines: lines.into() };
            let counting = Counting::new([(&live, (1..size).collect()), (&live, vec![2])]);
            let states: Vec<[u64; 2]> =
                (0..150).map(|_| [random.bits() & random.bits(), random.bits() & random.bits()]).collect();
            let rows: Vec<&[u64]> = states.iter().map(|state| &state[..]).collect();
            let mut counts = Vec::new();
            counting.of_rows(&rows, &mut counts);
            for (state, counts) in states.iter().zip(counts.chunks_exact(counting.counters())) {
                let expected: Vec<u16> = (1..size).chain([2]).map(|filled| live.count(state, filled) as u16).collect();
                assert_eq!(counts, expected);
            }
        }
    }
}

//! Counts lines in many states at once, one bit of a word per state.

use super::{Live, Wanted};
use crate::linear::each_bit;
use ludens_machine::vector;

/// Families whose lines are counted, each in some ways.
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
    /// Fluents and blockers of all lines, by place in the list of fluents, and where each ends.
    places: Vec<u32>,
    ends: Vec<(u32, u32)>,
    counters: usize,
    /// Numbers of true fluents that are counted, and the counter of each.
    filled: Vec<(usize, usize)>,
    /// Per place: counters of lines that lack that fluent alone.
    lacking: Vec<Vec<u32>>,
    /// How many fluents are true in those.
    almost: usize,
}

/// Bits that a count may have: there are fewer than 8192 lines.
const PLANES: usize = 13;

/// A number per state: the bits of each as words, the lowest first.
#[derive(Clone, Debug)]
struct Counter<const PARTS: usize> {
    planes: [[u64; PARTS]; PLANES],
    used: usize,
    /// What is still to be added.
    pending: Option<[u64; PARTS]>,
}

impl Counting {
    /// Prepares to count; per family, in which ways.
    pub(crate) fn new<'l>(lives: impl IntoIterator<Item = (&'l Live, Vec<Wanted>)>) -> Counting {
        let lives: Vec<(&Live, Vec<Wanted>)> = lives.into_iter().collect();
        let lines = || lives.iter().flat_map(|(live, _)| live.lines.iter());
        let mut fluents: Vec<u32> = lines().flat_map(|line| line.fluents.iter().chain(&line.blockers)).copied().collect();
        fluents.sort_unstable();
        fluents.dedup();
        let groups: Vec<Group> = lives.iter().map(|(live, wanted)| Group::new(live, wanted, &fluents)).collect();
        let counters = groups.iter().map(|group| group.counters).sum();
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

    /// Counts in the first lanes of some columns, one for every fluent: the bits of what every counter counts.
    #[inline(always)]
    fn count<const PARTS: usize>(&self, columns: &[[u64; PARTS]], lanes: usize) -> Vec<Counter<PARTS>> {
        let lanes = lanes.min(PARTS * 64);
        let used: [u64; PARTS] = std::array::from_fn(|part| match lanes.saturating_sub(part * 64) {
            64.. => u64::MAX,
            some => (1 << some) - 1,
        });
        let mut counters = vec![Counter { planes: [[0; PARTS]; PLANES], used: 0, pending: None }; self.counters];
        let mut rest = &mut counters[..];
        for group in &self.groups {
            let (own, others) = rest.split_at_mut(group.counters);
            group.count(columns, &used, own);
            own.iter_mut().for_each(Counter::settle);
            rest = others;
        }
        counters
    }

    /// Adds what is counted in the first lanes of some columns to sums, lane after lane: per counter and sum, so much for every one.
    pub(crate) fn weigh<const PARTS: usize>(&self, columns: &[[u64; PARTS]], weights: &[f32], sums: &mut [f32]) {
        let outputs = weights.len() / self.counters.max(1);
        let counters = vector::run(Count { counting: self, columns, lanes: sums.len() / outputs.max(1) });
        let mut numbers = Vec::new();
        for (part, sums) in sums.chunks_mut(vector::SUMS * outputs).take(PARTS).enumerate() {
            for output in 0..outputs {
                numbers.clear();
                for (counter, weights) in counters.iter().zip(weights.chunks_exact(outputs)) {
                    let planes = counter.planes[..counter.used].iter().enumerate();
                    numbers.extend(planes.map(|(bit, plane)| (plane[part], weights[output] * (1_u32 << bit) as f32)));
                }
                let mut totals = [0.0; vector::SUMS];
                for (total, sums) in totals.iter_mut().zip(sums.chunks_exact(outputs)) {
                    *total = sums[output];
                }
                vector::add_where(&numbers, &mut totals);
                for (total, sums) in totals.iter().zip(sums.chunks_exact_mut(outputs)) {
                    sums[output] = *total;
                }
            }
        }
    }

    /// Counts in the first lanes of some columns. Hears of eight lanes at a time: the number of the counter, the first lane, and what is counted in each.
    fn each<const PARTS: usize>(&self, columns: &[[u64; PARTS]], lanes: usize, mut hear: impl FnMut(usize, usize, [u16; 8])) {
        let counters = vector::run(Count { counting: self, columns, lanes });
        for (index, counter) in counters.iter().enumerate() {
            let planes = &counter.planes[..counter.used];
            for lane in (0..lanes.min(PARTS * 64)).step_by(8).filter(|_| !planes.is_empty()) {
                hear(index, lane, eight(planes, lane));
            }
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
            self.each(&columns, group.len(), |counter, first, found| {
                for (lane, count) in (first..group.len()).zip(found) {
                    counts[start + lane * self.counters + counter] = count;
                }
            });
        }
    }
}

/// Counting, with all instructions that there are.
struct Count<'a, const PARTS: usize> {
    counting: &'a Counting,
    columns: &'a [[u64; PARTS]],
    lanes: usize,
}

impl<const PARTS: usize> vector::Job for Count<'_, PARTS> {
    type Output = Vec<Counter<PARTS>>;

    #[inline(always)]
    fn run(self) -> Vec<Counter<PARTS>> {
        self.counting.count(self.columns, self.lanes)
    }
}

impl Group {
    fn new(live: &Live, wanted: &[Wanted], fluents: &[u32]) -> Group {
        let place = |fluent: &u32| fluents.binary_search(fluent).expect("every fluent is listed") as u32;
        let (mut places, mut ends) = (Vec::new(), Vec::new());
        for line in &*live.lines {
            places.extend(line.fluents.iter().map(place));
            let middle = places.len() as u32;
            places.extend(line.blockers.iter().map(place));
            ends.push((middle, places.len() as u32));
        }
        let plain = wanted.iter().enumerate().filter(|(_, wanted)| wanted.lacking.is_none());
        let filled = plain.map(|(counter, wanted)| (wanted.filled, counter)).collect();
        let mut lacking = vec![Vec::new(); fluents.len()];
        for (counter, wanted) in (0..).zip(wanted) {
            for fluent in wanted.lacking.iter().flat_map(|list| list.iter()) {
                if let Ok(place) = fluents.binary_search(fluent) {
                    lacking[place].push(counter);
                }
            }
        }
        if lacking.iter().all(Vec::is_empty) {
            lacking.clear();
        }
        Group { places, ends, counters: wanted.len(), filled, lacking, almost: live.size - 1 }
    }

    #[inline(always)]
    fn count<const PARTS: usize>(&self, columns: &[[u64; PARTS]], used: &[u64; PARTS], counters: &mut [Counter<PARTS>]) {
        let mut rest = &self.places[..];
        let mut start = 0;
        for &(middle, end) in &self.ends {
            let (line, later) = rest.split_at((end - start) as usize);
            let (fluents, blockers) = line.split_at((middle - start) as usize);
            (rest, start) = (later, end);
            let mut live = *used;
            for &blocker in blockers {
                let column = &columns[blocker as usize];
                for part in 0..PARTS {
                    live[part] &= !column[part];
                }
            }
            if live == [0; PARTS] {
                continue;
            }
            let sums = add_up(columns, fluents);
            for part in 0..PARTS {
                live[part] &= sums[0][part] | sums[1][part] | sums[2][part];
            }
            if live == [0; PARTS] {
                continue;
            }
            for &(filled, counter) in &self.filled {
                let exactly = exactly(&sums, &live, filled);
                if exactly != [0; PARTS] {
                    counters[counter].add(exactly);
                }
            }
            if !self.lacking.is_empty() {
                self.count_lacking(columns, fluents, exactly(&sums, &live, self.almost), counters);
            }
        }
    }

    /// Counts a line wherever one of its fluents alone is missing.
    #[inline(always)]
    fn count_lacking<const PARTS: usize>(
        &self,
        columns: &[[u64; PARTS]],
        fluents: &[u32],
        almost: [u64; PARTS],
        counters: &mut [Counter<PARTS>],
    ) {
        if almost == [0; PARTS] {
            return;
        }
        for &fluent in fluents {
            let column = &columns[fluent as usize];
            let missing: [u64; PARTS] = std::array::from_fn(|part| almost[part] & !column[part]);
            if missing != [0; PARTS] {
                self.lacking[fluent as usize].iter().for_each(|&counter| counters[counter as usize].add(missing));
            }
        }
    }
}

/// How many of some fluents are true, as three bits: no line has more than eight, and a full one of those need not be told from an empty one.
#[inline(always)]
fn add_up<const PARTS: usize>(columns: &[[u64; PARTS]], fluents: &[u32]) -> [[u64; PARTS]; 3] {
    let [mut ones, mut twos, mut fours] = [[0; PARTS]; 3];
    let mut pairs = fluents.chunks_exact(2);
    for pair in &mut pairs {
        let (one, two) = (&columns[pair[0] as usize], &columns[pair[1] as usize]);
        for part in 0..PARTS {
            let either = one[part] ^ two[part];
            let carry = one[part] & two[part] | ones[part] & either;
            ones[part] ^= either;
            fours[part] ^= twos[part] & carry;
            twos[part] ^= carry;
        }
    }
    for &last in pairs.remainder() {
        let column = &columns[last as usize];
        for part in 0..PARTS {
            let carry = ones[part] & column[part];
            ones[part] ^= column[part];
            fours[part] ^= twos[part] & carry;
            twos[part] ^= carry;
        }
    }
    [ones, twos, fours]
}

/// Where a line is live and so many of its fluents are true.
#[inline(always)]
fn exactly<const PARTS: usize>(sums: &[[u64; PARTS]; 3], live: &[u64; PARTS], filled: usize) -> [u64; PARTS] {
    let flip = |bit: usize| if filled >> bit & 1 == 1 { 0 } else { u64::MAX };
    let flips = [flip(0), flip(1), flip(2)];
    std::array::from_fn(|part| live[part] & (sums[0][part] ^ flips[0]) & (sums[1][part] ^ flips[1]) & (sums[2][part] ^ flips[2]))
}

impl<const PARTS: usize> Counter<PARTS> {
    /// Adds a bit to the number of every state: two at a time, which is less work.
    #[inline(always)]
    fn add(&mut self, bits: [u64; PARTS]) {
        let Some(other) = self.pending.take() else {
            self.pending = Some(bits);
            return;
        };
        let mut carries = [0; PARTS];
        for part in 0..PARTS {
            let either = bits[part] ^ other[part];
            carries[part] = bits[part] & other[part] | self.planes[0][part] & either;
            self.planes[0][part] ^= either;
        }
        self.used = self.used.max(1);
        self.ripple(1, carries);
    }

    /// Adds what is still to be added.
    #[inline(always)]
    fn settle(&mut self) {
        if let Some(bits) = self.pending.take() {
            self.ripple(0, bits);
        }
    }

    #[inline(always)]
    fn ripple(&mut self, first: usize, mut bits: [u64; PARTS]) {
        for (at, plane) in self.planes.iter_mut().enumerate().skip(first) {
            if bits == [0; PARTS] {
                return;
            }
            self.used = self.used.max(at + 1);
            for part in 0..PARTS {
                let carry = plane[part] & bits[part];
                plane[part] ^= bits[part];
                bits[part] = carry;
            }
        }
    }
}

/// The numbers of eight states, given by the bits of each, the lowest first.
pub(crate) fn eight<const PARTS: usize>(planes: &[[u64; PARTS]], lane: usize) -> [u16; 8] {
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
    use crate::lines::{Line, Live, Wanted};
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
            let any = |filled: usize| Wanted { filled, lacking: None };
            let mut ways: Vec<Wanted> = (1..size).map(any).collect();
            ways.push(Wanted { filled: size - 1, lacking: Some((10..60).collect()) });
            let counting = Counting::new([(&live, ways.clone()), (&live, vec![any(2)])]);
            let states: Vec<[u64; 2]> =
                (0..150).map(|_| [random.bits() & random.bits(), random.bits() & random.bits()]).collect();
            let rows: Vec<&[u64]> = states.iter().map(|state| &state[..]).collect();
            let mut counts = Vec::new();
            counting.of_rows(&rows, &mut counts);
            for (state, counts) in states.iter().zip(counts.chunks_exact(counting.counters())) {
                let expected: Vec<u16> = ways.iter().chain([&any(2)]).map(|way| live.count(state, way) as u16).collect();
                assert_eq!(counts, expected);
            }
        }
    }
}

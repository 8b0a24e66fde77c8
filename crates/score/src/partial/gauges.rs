//! Partial solutions of many states at once, one bit of a word per state.

use super::Conjunction;
use crate::linear::{Linear, each_bit};
use crate::lines::eight;
use ludens_machine::Lanes;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Bits that a count may have: no conjunction has more than 63 fluents.
const PLANES: usize = 6;

/// Partial solutions that are looked at together.
#[derive(Debug, Default)]
pub(crate) struct Gauges {
    /// Fluents that anything depends on.
    fluents: Vec<u32>,
    /// Per fluent: its place among them, if it has one.
    places: Vec<Option<u32>>,
    list: Vec<Gauge>,
}

/// A partial solution.
#[derive(Debug)]
struct Gauge {
    /// Gauges before it whose conjunctions are among its own: those of a goal are among those of the end.
    parts: Vec<usize>,
    /// Its other conjunctions, by their size.
    groups: Vec<Group>,
}

/// Conjunctions of one size.
#[derive(Debug)]
struct Group {
    size: usize,
    /// Conjunction after conjunction: their fluents, by place in the list of fluents.
    places: Vec<u32>,
}

impl Gauges {
    /// One for each of some lists of conjunctions.
    pub(crate) fn new(lists: &[Arc<[Conjunction]>]) -> Gauges {
        let all = lists.iter().flat_map(|conjunctions| conjunctions.iter()).flat_map(Conjunction::fluents);
        let mut fluents: Vec<u32> = all.map(|fluent| fluent.0).collect();
        fluents.sort_unstable();
        fluents.dedup();
        let mut places = vec![None; fluents.last().map_or(0, |last| *last as usize + 1)];
        for (place, &fluent) in (0..).zip(&fluents) {
            places[fluent as usize] = Some(place);
        }
        let list = (0..lists.len()).map(|number| Gauge::new(&lists[number], &lists[..number], &places)).collect();
        Gauges { fluents, places, list }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Appends the shares of some states, given by their words: state after state.
    pub(crate) fn of_rows(&self, rows: &[&[u64]], shares: &mut Vec<f32>) {
        let (start, count) = (shares.len(), self.len());
        shares.resize(start + rows.len() * count, 0.0);
        self.each_row(rows, |gauge, row, share| shares[start + row * count + gauge] = share);
    }

    /// Hears of the share of every gauge in every state.
    fn each_row(&self, rows: &[&[u64]], mut hear: impl FnMut(usize, usize, f32)) {
        if self.list.is_empty() {
            return;
        }
        for (chunk, rows) in rows.chunks(64).enumerate() {
            let mut columns = vec![[0_u64; 1]; self.fluents.len()];
            for (lane, row) in rows.iter().enumerate() {
                each_bit(row, |fluent| {
                    if let Some(Some(place)) = self.places.get(fluent) {
                        columns[*place as usize][0] |= 1 << lane;
                    }
                });
            }
            self.each(&columns, rows.len(), |gauge, lane, share| hear(gauge, chunk * 64 + lane, share));
        }
    }

    /// The same for the first lanes of some columns, one for every fluent.
    fn each<const PARTS: usize>(&self, columns: &[[u64; PARTS]], lanes: usize, mut hear: impl FnMut(usize, usize, f32)) {
        let lanes = lanes.min(PARTS * 64);
        let mut all = vec![0.0; self.len() * lanes];
        for (number, gauge) in self.list.iter().enumerate() {
            let (before, shares) = all.split_at_mut(number * lanes);
            let shares = &mut shares[..lanes];
            gauge.read(columns, shares);
            for part in &gauge.parts {
                let part = &before[part * lanes..][..lanes];
                shares.iter_mut().zip(part).for_each(|(share, part)| *share = share.max(*part));
            }
            shares.iter().enumerate().for_each(|(lane, &share)| hear(number, lane, share));
        }
    }
}

/// What partial solutions add to some sums.
#[derive(Debug)]
pub(crate) struct PartialSums {
    gauges: Gauges,
    /// Per gauge, to every sum.
    weights: Vec<f32>,
    outputs: usize,
}

impl PartialSums {
    /// Those of all sums; what several ask for is looked at once.
    pub(crate) fn new(sums: &[Linear]) -> Option<PartialSums> {
        let mut known: Vec<Arc<[Conjunction]>> = Vec::new();
        for (conjunctions, _) in sums.iter().flat_map(|sum| &sum.partials) {
            if !known.contains(conjunctions) {
                known.push(conjunctions.clone());
            }
        }
        let weight = |sum: &Linear, conjunctions: &Arc<[Conjunction]>| -> f32 {
            sum.partials.iter().filter(|(known, _)| known == conjunctions).map(|(_, weight)| weight).sum()
        };
        let to_all = |conjunctions| sums.iter().map(|sum| weight(sum, conjunctions)).collect::<Vec<f32>>();
        let weights = known.iter().flat_map(to_all).collect();
        (!known.is_empty()).then(|| PartialSums { gauges: Gauges::new(&known), weights, outputs: sums.len() })
    }

    /// Adds what they have to add in the first lanes.
    pub(crate) fn add(&self, lanes: &Lanes<'_>, count: usize, sums: &mut [f32]) {
        for first in (0..count).step_by(256) {
            let sums = &mut sums[first * self.outputs..count * self.outputs];
            match count - first {
                ..=64 => self.add_some::<1>(lanes, first, sums),
                65..=128 => self.add_some::<2>(lanes, first, sums),
                _ => self.add_some::<4>(lanes, first, sums),
            }
        }
    }

    /// Adds what they have to add in some states, given by their words.
    pub(crate) fn add_rows(&self, rows: &[&[u64]], sums: &mut [f32]) {
        self.gauges.each_row(rows, |gauge, row, share| self.weigh(gauge, row, share, sums));
    }

    fn add_some<const PARTS: usize>(&self, lanes: &Lanes<'_>, first: usize, sums: &mut [f32]) {
        let mut columns: Vec<[u64; PARTS]> = Vec::with_capacity(self.gauges.fluents.len());
        lanes.columns(first, &self.gauges.fluents, &mut columns);
        let count = sums.len() / self.outputs;
        self.gauges.each(&columns, count, |gauge, lane, share| self.weigh(gauge, lane, share, sums));
    }

    #[inline]
    fn weigh(&self, gauge: usize, state: usize, share: f32, sums: &mut [f32]) {
        let weights = &self.weights[gauge * self.outputs..][..self.outputs];
        let sums = &mut sums[state * self.outputs..][..self.outputs];
        sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * share);
    }
}

impl Gauge {
    /// Of some conjunctions, other lists of them being known.
    fn new(conjunctions: &[Conjunction], known: &[Arc<[Conjunction]>], places: &[Option<u32>]) -> Gauge {
        let is_in = |list: &[Conjunction], conjunction: &Conjunction| list.binary_search(conjunction).is_ok();
        let is_part = |part: &[Conjunction]| part.iter().all(|conjunction| is_in(conjunctions, conjunction));
        let parts: Vec<usize> = (0..known.len()).filter(|&number| is_part(&known[number])).collect();
        let mut by_size: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let is_new = |conjunction: &&Conjunction| !parts.iter().any(|&number| is_in(&known[number], conjunction));
        for conjunction in conjunctions.iter().filter(is_new) {
            let fluents = conjunction.fluents();
            by_size.entry(fluents.len()).or_default().extend(fluents.iter().filter_map(|fluent| places[fluent.0 as usize]));
        }
        let groups = by_size.into_iter().map(|(size, places)| Group { size, places }).collect();
        Gauge { parts, groups }
    }

    /// Writes the share of every state, its parts left out, given a column for every fluent.
    fn read<const PARTS: usize>(&self, columns: &[[u64; PARTS]], shares: &mut [f32]) {
        shares.fill(0.0);
        for group in &self.groups {
            let (most, used) = group.most(columns);
            for (part, shares) in shares.chunks_mut(8).enumerate() {
                for (share, count) in shares.iter_mut().zip(eight(&most[..used], part * 8)) {
                    *share = share.max(f32::from(count) / group.size as f32);
                }
            }
        }
    }
}

impl Group {
    /// The most fluents of one conjunction that are true, as bits, the lowest first, and how many bits these are.
    fn most<const PARTS: usize>(&self, columns: &[[u64; PARTS]]) -> ([[u64; PARTS]; PLANES], usize) {
        let used = PLANES.min((usize::BITS - self.size.leading_zeros()) as usize);
        let mut most = [[0; PARTS]; PLANES];
        for places in self.places.chunks_exact(self.size) {
            let mut count = [[0; PARTS]; PLANES];
            for &place in places {
                add(&mut count[..used], columns[place as usize]);
            }
            raise(&mut most[..used], &count[..used]);
        }
        (most, used)
    }
}

/// Adds a bit to the number of every state.
#[inline]
fn add<const PARTS: usize>(planes: &mut [[u64; PARTS]], mut bits: [u64; PARTS]) {
    for plane in planes {
        for part in 0..PARTS {
            let carry = plane[part] & bits[part];
            plane[part] ^= bits[part];
            bits[part] = carry;
        }
    }
}

/// Puts the numbers of the second in the place of those of the first that are smaller.
#[inline]
fn raise<const PARTS: usize>(most: &mut [[u64; PARTS]], count: &[[u64; PARTS]]) {
    let (mut greater, mut equal) = ([0; PARTS], [u64::MAX; PARTS]);
    for (most, count) in most.iter().zip(count).rev() {
        for part in 0..PARTS {
            greater[part] |= equal[part] & count[part] & !most[part];
            equal[part] &= !(count[part] ^ most[part]);
        }
    }
    for (most, count) in most.iter_mut().zip(count) {
        for part in 0..PARTS {
            most[part] ^= (most[part] ^ count[part]) & greater[part];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Conjunction, Gauges};
    use crate::partial::share;
    use crate::vocabulary::FluentId;
    use ludens_machine::Random;
    use std::sync::Arc;

    #[test]
    fn many_states_at_once_get_what_each_gets_alone() {
        let mut random = Random::new(9);
        for sizes in [&[3][..], &[4, 5], &[8, 15, 63]] {
            let mut conjunctions = Vec::new();
            for at in 0..90 {
                let mut fluents = std::collections::BTreeSet::new();
                while fluents.len() < sizes[at % sizes.len()] {
                    fluents.insert(FluentId(random.below(128) as u32));
                }
                conjunctions.push(Conjunction::new(fluents));
            }
            conjunctions.sort_unstable();
            let lists: [Arc<[Conjunction]>; 3] = [conjunctions[..7].into(), conjunctions[60..].into(), conjunctions.into()];
            let gauges = Gauges::new(&lists);
            assert_eq!(gauges.list[2].parts, [0, 1]);
            let states: Vec<[u64; 2]> = (0..117)
                .map(|at| [0, 1].map(|_| if at == 0 { u64::MAX } else { random.bits() & random.bits() | random.bits() >> 9 }))
                .collect();
            let rows: Vec<&[u64]> = states.iter().map(|state| &state[..]).collect();
            let mut shares = Vec::new();
            gauges.of_rows(&rows, &mut shares);
            for (state, found) in states.iter().zip(shares.chunks_exact(gauges.len())) {
                for (conjunctions, found) in lists.iter().zip(found) {
                    assert!((share(conjunctions, state) - f64::from(*found)).abs() < 1e-6, "{sizes:?}");
                }
            }
        }
    }
}

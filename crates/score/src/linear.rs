//! Sums over the fluents of a state, all at once.
//!
//! Whatever a function counts, every fluent that is true adds a number of its own to the sum: thirty features or thirty thousand cost the same.

use crate::derived::{Atoms, DerivedSums};
use crate::feature::Feature;
use crate::lines::{Counting, Live, Wanted};
use crate::partial::{Conjunction, Partial, PartialSums, share};
use crate::vocabulary::Vocabulary;
use ludens_machine::{Lanes, RoleId, Summands, Weights};
use std::sync::Arc;

/// Lines of a family: which of them, and the weight of each.
type Weighted = (Live, Vec<(Wanted, f32)>);

/// A constant, a weight for every fluent, one for every legal move of a role, and those of lines, partial solutions and what is derived.
#[derive(Clone, Debug, PartialEq)]
pub struct Linear {
    /// The sum where nothing is true.
    pub constant: f32,
    /// Per fluent.
    pub fluents: Vec<f32>,
    /// Per role.
    pub moves: Vec<f32>,
    /// Per family of lines that are counted: which of them, and the weight of each.
    pub lines: Vec<Weighted>,
    /// Conjunctions of which the fullest counts, and the weight of its share.
    pub partials: Vec<(Arc<[Conjunction]>, f32)>,
    /// Atoms that rules derive, and the weight of each.
    pub derived: Vec<(Atoms, f32)>,
    /// What changes as a match goes on.
    pub drift: Option<Box<Drift>>,
}

/// A sum that counts as much as a match has come to its end: not at all in the middle, and turned before that.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// How far a match has come.
    pub gauge: Arc<Gauge>,
    /// What is added at the end.
    pub sum: Linear,
}

/// How far a match has come, by a count.
#[derive(Clone, Debug, PartialEq)]
pub struct Gauge {
    /// What is counted.
    pub count: Linear,
    /// How many there are in the middle of a match, and how many more at its end.
    pub middle: f32,
    /// See `middle`.
    pub half: f32,
}

impl Gauge {
    /// How far a match has come where so many are counted, from -1 to 1; what lies beyond counts as that.
    #[inline]
    fn at(&self, count: f32) -> f32 {
        ((count - self.middle) / self.half).clamp(-1.0, 1.0)
    }

    /// The same of a state.
    pub fn of_words(&self, words: &[u64]) -> f32 {
        self.at(self.count.of_words(words))
    }
}

impl Linear {
    /// Always the same.
    pub fn constant(vocabulary: &Vocabulary, roles: usize, constant: f32) -> Linear {
        Linear::of_fluents(constant, vec![0.0; vocabulary.rows().len()], roles)
    }

    /// A constant and a weight for every fluent.
    pub(crate) fn of_fluents(constant: f32, fluents: Vec<f32>, roles: usize) -> Linear {
        let (lines, partials, derived) = Default::default();
        Linear { constant, fluents, moves: vec![0.0; roles], lines, partials, derived, drift: None }
    }

    /// Adds a feature with a weight.
    pub fn add(&mut self, vocabulary: &Vocabulary, feature: &Feature, weight: f32) {
        let mut partly = |partial: &Partial, weight: f32| self.partials.push((partial.conjunctions.clone(), weight));
        match feature {
            Feature::Moves(role) => self.moves[role.0 as usize] += weight,
            Feature::Lines(lines) => {
                let index = self.lines.iter().position(|(live, _)| live.is_of(lines)).unwrap_or_else(|| {
                    self.lines.push((Live::new(vocabulary, lines.family, lines.blockers.clone()), Vec::new()));
                    self.lines.len() - 1
                });
                self.lines[index].1.push((lines.wanted(vocabulary), weight));
            }
            Feature::Partial(partial) => partly(partial, weight),
            Feature::Lead(more, less) => {
                partly(more, weight);
                partly(less, -weight);
            }
            Feature::Derived(pattern) => {
                self.derived.extend(vocabulary.derived().map(|derived| (derived.atoms(pattern), weight)));
            }
            _ => {}
        }
        for (fluent, share) in feature.shares(vocabulary) {
            self.fluents[fluent.0 as usize] += weight * share;
        }
    }

    /// What is added up where many states are looked at together.
    fn summands(&self) -> Summands<'_> {
        let lines = self.lines.iter().map(|(live, numbers)| live.counted(numbers)).collect();
        Summands { constant: self.constant, fluents: &self.fluents, lines }
    }

    /// Whether it and another add up to the same in every state.
    fn is_opposite(&self, other: &Linear) -> bool {
        let is_nothing = |(one, two): (&f32, &f32)| (one + two).abs() <= NOTHING;
        let turned = |(one, two): (&Weighted, &Weighted)| {
            let weights = one.1.iter().zip(&two.1);
            one.0 == two.0
                && one.1.len() == two.1.len()
                && weights.into_iter().all(|(one, two)| one.0 == two.0 && is_nothing((&one.1, &two.1)))
        };
        self.fluents.iter().zip(&other.fluents).all(is_nothing)
            && self.moves.iter().zip(&other.moves).all(is_nothing)
            && self.lines.len() == other.lines.len()
            && self.lines.iter().zip(&other.lines).all(turned)
            && self.partials.len() == other.partials.len()
            && self.partials.iter().zip(&other.partials).all(|(one, two)| one.0 == two.0 && is_nothing((&one.1, &two.1)))
            && self.derived.len() == other.derived.len()
            && self.derived.iter().zip(&other.derived).all(|(one, two)| one.0 == two.0 && is_nothing((&one.1, &two.1)))
            && match (&self.drift, &other.drift) {
                (None, None) => true,
                (Some(one), Some(two)) => {
                    one.gauge == two.gauge
                        && (one.sum.constant + two.sum.constant).abs() <= NOTHING
                        && one.sum.is_opposite(&two.sum)
                }
                _ => false,
            }
    }

    /// Its value in a state, legal moves left out.
    pub fn of_words(&self, words: &[u64]) -> f32 {
        let mut sum = self.constant;
        each_bit(words, |bit| sum += self.fluents[bit]);
        for (live, weights) in &self.lines {
            sum += weights.iter().map(|(wanted, weight)| live.count(words, wanted) as f32 * weight).sum::<f32>();
        }
        for (conjunctions, weight) in &self.partials {
            sum += share(conjunctions, words) as f32 * weight;
        }
        for (atoms, weight) in &self.derived {
            sum += atoms.count(words) as f32 * weight;
        }
        if let Some(drift) = &self.drift {
            sum += drift.gauge.of_words(words) * drift.sum.of_words(words);
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
    /// Where there are two and the second is what the first lacks of a number that is always the same, so that one is enough: that number.
    shared: Option<f32>,
    moves: Vec<f32>,
    reads_moves: bool,
    words: usize,
    weights: Weights,
    /// The same, fluent after fluent, all sums of each.
    table: Vec<f32>,
    /// How many fluents are true in a state as they are met.
    typical: usize,
    lines: Option<LineSums>,
    partials: Option<PartialSums>,
    derived: Option<DerivedSums>,
    drifts: Option<Drifts>,
}

/// What changes as a match goes on.
#[derive(Debug)]
struct Drifts {
    /// What is added at the end to each sum that is computed, and last what tells how far a match has come.
    sums: Box<Sums>,
    gauge: Arc<Gauge>,
}

/// What lines add.
#[derive(Debug)]
struct LineSums {
    counting: Counting,
    /// Per counter, to every sum.
    weights: Vec<f32>,
}

/// Words have at least so many lanes, where many are asked for.
const FEWEST_LANES: usize = 128;

/// Two sums of states whose sum is no more than this are opposites.
const NOTHING: f32 = 1e-6;

impl Sums {
    /// Prepares some sums. `typical` is a state as they are met.
    pub fn new(sums: &[Linear], typical: &[u64]) -> Sums {
        let count = sums.len();
        let shared = match sums {
            [one, two] if one.is_opposite(two) => Some(one.constant + two.constant),
            _ => None,
        };
        let shared = shared.map(|total| if total.abs() <= NOTHING { 0.0 } else { total });
        let sums = if shared.is_some() { &sums[..1] } else { sums };
        let fluents = sums.first().map_or(0, |sum| sum.fluents.len());
        let roles = sums.first().map_or(0, |sum| sum.moves.len());
        let weights = Weights::new(&sums.iter().map(Linear::summands).collect::<Vec<_>>());
        let rounded: Vec<Vec<f32>> = (0..sums.len()).map(|sum| weights.rounded(sum).collect()).collect();
        let table = (0..fluents).flat_map(|fluent| rounded.iter().map(move |numbers| numbers[fluent])).collect();
        Sums {
            count,
            shared,
            moves: (0..roles).flat_map(|role| sums.iter().map(move |sum| sum.moves[role])).collect(),
            reads_moves: sums.iter().any(|sum| sum.moves.iter().any(|&weight| weight != 0.0)),
            words: fluents.div_ceil(64),
            table,
            // A board may be empty at first.
            typical: typical.iter().map(|word| word.count_ones() as usize).sum::<usize>().max(fluents / 16),
            lines: LineSums::new(sums, &weights),
            partials: PartialSums::new(sums),
            derived: DerivedSums::new(&sums.iter().map(|sum| &sum.derived[..]).collect::<Vec<_>>()),
            drifts: Drifts::new(sums, typical),
            weights,
        }
    }

    /// How many sums there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether legal moves are counted.
    pub fn reads_moves(&self) -> bool {
        self.reads_moves || self.drifts.as_ref().is_some_and(|drifts| drifts.sums.reads_moves)
    }

    /// What two sums always add up to, if they do.
    pub(crate) fn shared(&self) -> Option<f32> {
        self.shared
    }

    /// The sums of the states of the first lanes, which are evaluated: state after state.
    pub fn of_lanes(&self, lanes: &mut Lanes<'_>, count: usize, sums: &mut [f32]) {
        self.compute(lanes, count, sums);
        if let Some(total) = self.shared {
            for lane in (0..count).rev() {
                (sums[2 * lane], sums[2 * lane + 1]) = (sums[lane], total - sums[lane]);
            }
        }
    }

    /// The same, but of two that share a number the first alone.
    pub(crate) fn compute(&self, lanes: &mut Lanes<'_>, count: usize, sums: &mut [f32]) {
        let computed = self.weights.sums();
        let some = &mut sums[..count * computed];
        let with_lines = if self.is_better_one_by_one(count) {
            self.one_by_one(lanes, count, some);
            false
        } else {
            lanes.weigh(count, &self.weights, some)
        };
        if self.reads_moves {
            self.add_moves(lanes, some);
        }
        if let Some(lines) = self.lines.as_ref().filter(|_| !with_lines) {
            lines.add(lanes, count, computed, some);
        }
        if let Some(partials) = &self.partials {
            partials.add(lanes, count, some);
        }
        if let Some(derived) = &self.derived {
            derived.add(lanes, count, computed, some);
        }
        if let Some(drifts) = &self.drifts {
            drifts.add(lanes, count, computed, some);
        }
    }

    /// Whether to take the states out of their lanes and go through what is true costs less than to add up in all lanes of a word. What either takes
    /// was measured, in eighths of a nanosecond.
    fn is_better_one_by_one(&self, count: usize) -> bool {
        if self.weights.counts_lines() {
            return false;
        }
        let one_by_one = count.div_ceil(64) * self.words * 480 + count * self.typical * self.weights.sums() * 4;
        let all = count.div_ceil(FEWEST_LANES) * (self.weights.additions() * 5 + self.weights.sums() * 400);
        one_by_one < all
    }

    /// Sums as [`Lanes::weigh`] finds them: they are exact but for the constant, which comes last, so the order does not matter.
    fn one_by_one(&self, lanes: &Lanes<'_>, count: usize, sums: &mut [f32]) {
        let computed = self.weights.sums();
        let mut words = Vec::with_capacity(count * self.words);
        lanes.store_all(count, &mut words);
        if computed == 1 {
            let constant = self.weights.constant(0);
            for (words, sum) in words.chunks_exact(self.words).zip(sums) {
                let mut total = 0.0;
                each_bit(words, |bit| total += self.table[bit]);
                *sum = constant + total;
            }
            return;
        }
        sums.fill(0.0);
        for (words, sums) in words.chunks_exact(self.words).zip(sums.chunks_exact_mut(computed)) {
            each_bit(words, |bit| {
                let adds = &self.table[bit * computed..(bit + 1) * computed];
                sums.iter_mut().zip(adds).for_each(|(sum, add)| *sum += add);
            });
            sums.iter_mut().enumerate().for_each(|(index, sum)| *sum += self.weights.constant(index));
        }
    }

    /// Adds what legal moves have to add.
    fn add_moves(&self, lanes: &Lanes<'_>, sums: &mut [f32]) {
        let computed = self.weights.sums();
        for (lane, sums) in sums.chunks_exact_mut(computed).enumerate() {
            if lanes.terminal(lane) {
                continue;
            }
            for (role, weights) in self.moves.chunks_exact(computed).enumerate() {
                let legal = lanes.legal(lane, RoleId(role as u32)).len() as f32;
                sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * legal);
            }
        }
    }
}

impl Drifts {
    /// What changes in some sums, if anything does. All go by the same gauge.
    fn new(sums: &[Linear], typical: &[u64]) -> Option<Drifts> {
        let gauge = sums.iter().find_map(|sum| sum.drift.as_ref()).map(|drift| drift.gauge.clone())?;
        let still = || Linear::of_fluents(0.0, vec![0.0; gauge.count.fluents.len()], gauge.count.moves.len());
        let parts = sums.iter().map(|sum| sum.drift.as_ref().map_or_else(still, |drift| drift.sum.clone()));
        let all: Vec<Linear> = parts.chain([gauge.count.clone()]).collect();
        Some(Drifts { sums: Box::new(Sums::new(&all, typical)), gauge })
    }

    /// Adds what there is to add in the first lanes.
    fn add(&self, lanes: &mut Lanes<'_>, count: usize, outputs: usize, sums: &mut [f32]) {
        let mut added = vec![0.0; count * (outputs + 1)];
        self.sums.of_lanes(lanes, count, &mut added);
        for (sums, added) in sums.chunks_exact_mut(outputs).zip(added.chunks_exact(outputs + 1)) {
            let far = self.gauge.at(added[outputs]);
            sums.iter_mut().zip(added).for_each(|(sum, add)| *sum += far * add);
        }
    }
}

impl LineSums {
    /// The lines of all sums; those that several count are counted once.
    fn new(sums: &[Linear], numbers: &Weights) -> Option<LineSums> {
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
        let weight = |sum: usize, live: &Live, wanted: &Wanted| -> f32 {
            let lists = sums[sum].lines.iter().enumerate().filter(|(_, (known, _))| known == live);
            let all = lists.flat_map(|(list, (_, wanted))| wanted.iter().zip(numbers.rounded_lines(sum, list)));
            all.filter(|((known, _), _)| known == wanted).map(|(_, number)| number).sum()
        };
        let counters = lives.iter().flat_map(|(live, wanted)| wanted.iter().map(move |wanted| (*live, wanted)));
        let weights: Vec<f32> =
            counters.flat_map(|(live, wanted)| (0..sums.len()).map(move |sum| weight(sum, live, wanted))).collect();
        (!weights.is_empty()).then(|| LineSums { counting: Counting::new(lives), weights })
    }

    /// Adds what they have to add in the first lanes.
    fn add(&self, lanes: &Lanes<'_>, count: usize, outputs: usize, sums: &mut [f32]) {
        for first in (0..count).step_by(512) {
            let sums = &mut sums[first * outputs..count * outputs];
            match count - first {
                ..=64 => self.add_some::<1>(lanes, first, sums),
                65..=128 => self.add_some::<2>(lanes, first, sums),
                129..=256 => self.add_some::<4>(lanes, first, sums),
                _ => self.add_some::<8>(lanes, first, sums),
            }
        }
    }

    fn add_some<const PARTS: usize>(&self, lanes: &Lanes<'_>, first: usize, sums: &mut [f32]) {
        let mut columns: Vec<[u64; PARTS]> = Vec::with_capacity(self.counting.fluents().len());
        lanes.columns(first, self.counting.fluents(), &mut columns);
        self.counting.weigh(&columns, &self.weights, sums);
    }
}

//! Pairs of pseudo-states that differ in one expression only, and what the goal rules say about them.

use super::stability::Position;
use crate::feature::Feature;
use crate::linear::{Linear, each_bit};
use crate::partial::{Conjunction, Partial, share};
use crate::vocabulary::{FluentId, SymbolId, TableId, Vocabulary};
use ludens_machine::{Error, Lanes, Machine, Random};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Pairs that are looked at together.
const AT_ONCE: usize = 32;

/// Tables with more columns are not looked at for rows that exclude each other.
const MOST_COLUMNS: usize = 8;

/// Pairs of which fewer than one in so many change the points say nothing.
const RARE: u32 = 12;

/// Which rows exclude each other, as far as one can see: no two pieces stand on one square.
#[derive(Debug)]
pub(super) struct Groups {
    /// Per fluent: its group.
    of_fluent: Vec<u32>,
    rows: Vec<Vec<FluentId>>,
    /// Per group in which there has always been one: the row that most often was, as that of an empty square, and the next.
    usual: Vec<[Option<FluentId>; 2]>,
    /// Fluents by what they say.
    fluents: BTreeMap<(TableId, Box<[SymbolId]>), FluentId>,
}

impl Groups {
    /// As some states show it: per table, the fewest columns that tell its true rows apart.
    pub(super) fn new(vocabulary: &Vocabulary, states: &[Position<'_>]) -> Groups {
        let rows = vocabulary.rows();
        let mut truths: Vec<Vec<Vec<&[SymbolId]>>> = vec![vec![Vec::new(); states.len()]; vocabulary.tables().len()];
        for (at, state) in states.iter().enumerate() {
            each_bit(state.words, |fluent| {
                if let Some(row) = rows.get(fluent) {
                    truths[row.table.0 as usize][at].push(&row.symbols);
                }
            });
        }
        let keys: Vec<Vec<usize>> =
            vocabulary.tables().zip(&truths).map(|((_, table), truths)| key(table.columns.len(), truths)).collect();
        let mut this = Groups { of_fluent: Vec::new(), rows: Vec::new(), usual: Vec::new(), fluents: BTreeMap::new() };
        let mut numbers = BTreeMap::new();
        for (fluent, row) in (0..).map(FluentId).zip(rows) {
            let key: Vec<SymbolId> = keys[row.table.0 as usize].iter().map(|&column| row.symbols[column]).collect();
            let number = *numbers.entry((row.table, key)).or_insert_with(|| {
                this.rows.push(Vec::new());
                this.rows.len() - 1
            });
            this.rows[number].push(fluent);
            this.of_fluent.push(number as u32);
            this.fluents.insert((row.table, row.symbols.clone()), fluent);
        }
        let times = |row: FluentId| states.iter().filter(|state| is_true(state.words, row)).count();
        // What is true of a few groups of a table only, as of the squares that are taken from the start, is chance.
        let table = |group: &[FluentId]| rows[group[0].0 as usize].table.0 as usize;
        let mut is_total = vec![true; vocabulary.tables().len()];
        for group in &this.rows {
            is_total[table(group)] &= group.iter().map(|&row| times(row)).sum::<usize>() == states.len();
        }
        let usual = |group: &Vec<FluentId>| {
            let mut order: Vec<FluentId> = group.iter().copied().filter(|_| is_total[table(group)]).collect();
            order.sort_by_key(|&row| (states.len() - times(row), row));
            [order.first().copied(), order.get(1).copied()]
        };
        this.usual = this.rows.iter().map(usual).collect();
        this
    }

    fn group(&self, row: FluentId) -> usize {
        self.of_fluent[row.0 as usize] as usize
    }

    /// Makes a row true, and those false that it excludes.
    fn set(&self, words: &mut [u64], row: FluentId) {
        for &other in &self.rows[self.group(row)] {
            put(words, other, other == row);
        }
    }

    /// Makes a row false with all others of its group but the usual one, if there must be one.
    fn clear(&self, words: &mut [u64], row: FluentId) {
        let group = self.group(row);
        let [usual, next] = self.usual[group];
        let left = if usual == Some(row) { next } else { usual };
        for &other in &self.rows[group] {
            put(words, other, left == Some(other));
        }
    }

    /// Whether there is nothing in a group but what is usual.
    fn is_clear(&self, words: &[u64], group: usize) -> bool {
        self.rows[group].iter().all(|&row| !is_true(words, row) || self.usual[group][0] == Some(row))
    }
}

/// The fewest columns that tell the true rows of a table apart in every state.
fn key(columns: usize, truths: &[Vec<&[SymbolId]>]) -> Vec<usize> {
    let all: Vec<usize> = (0..columns).collect();
    if columns > MOST_COLUMNS {
        return all;
    }
    let mut subsets: Vec<usize> = (0..1 << columns).collect();
    subsets.sort_by_key(|subset| subset.count_ones());
    let chosen = |subset: usize| all.iter().copied().filter(move |column| subset >> column & 1 == 1);
    let tells_apart = |subset: &usize| {
        truths.iter().all(|rows| {
            let mut seen = BTreeSet::new();
            rows.iter().all(|row| seen.insert(chosen(*subset).map(|column| row[column]).collect::<Vec<_>>()))
        })
    };
    subsets.into_iter().find(tells_apart).map_or(all.clone(), |subset| chosen(subset).collect())
}

fn is_true(words: &[u64], row: FluentId) -> bool {
    words[row.0 as usize / 64] >> (row.0 % 64) & 1 == 1
}

fn put(words: &mut [u64], row: FluentId, value: bool) {
    let bit = 1 << (row.0 % 64);
    let word = &mut words[row.0 as usize / 64];
    *word = if value { *word | bit } else { *word & !bit };
}

/// How more of a feature changes the points of a role.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Effect {
    pairs: u32,
    up: u32,
    down: u32,
    /// The sum of the changes.
    points: f64,
}

impl Effect {
    /// 1 where more is better, -1 where it is worse, 0 where that cannot be said.
    pub(super) fn sign(self) -> f64 {
        let changes = self.up + self.down;
        if changes < 3 || changes * RARE < self.pairs || self.up.abs_diff(self.down) * 5 < changes * 3 {
            0.0
        } else if self.up > self.down {
            1.0
        } else {
            -1.0
        }
    }

    /// How much points change from pair to pair.
    pub(super) fn strength(self) -> f64 {
        self.points.abs() / f64::from(self.pairs.max(1))
    }
}

/// Pairs after which those are given up that change nothing.
const ENOUGH: u32 = 96;

/// What is drawn for partial solutions is drawn from here, so that the numbers of other features stay as they are.
const ASIDE: u64 = 1;

/// Two states: one has more of a feature.
type Pair = (Vec<u64>, Vec<u64>);

/// Finds out what features do to points.
pub(super) struct Trials<'a> {
    machine: &'a Machine,
    vocabulary: &'a Vocabulary,
    groups: &'a Groups,
    /// The states that pairs are made from.
    states: &'a [Position<'a>],
    /// Partial solutions that are trusted: what others do to points by making one whole is not theirs.
    partials: Vec<Arc<[Conjunction]>>,
    lanes: Lanes<'a>,
}

impl<'a> Trials<'a> {
    pub(super) fn new(
        machine: &'a Machine,
        vocabulary: &'a Vocabulary,
        groups: &'a Groups,
        states: &'a [Position<'a>],
        partials: Vec<Arc<[Conjunction]>>,
    ) -> Trials<'a> {
        Trials { machine, vocabulary, groups, states, partials, lanes: machine.lanes(2 * AT_ONCE) }
    }

    /// What a feature that is no difference does to the points of every role.
    pub(super) fn effect(&mut self, feature: &Feature, random: &mut Random) -> Result<Vec<Effect>, Error> {
        let roles = self.machine.roles().len();
        let mut sum = Linear::constant(self.vocabulary, roles, 0.0);
        sum.add(self.vocabulary, feature, 1.0);
        let rows = match feature {
            Feature::Count(pattern) => pattern.fluents(self.vocabulary),
            Feature::Distance(distance) => distance.pattern.fluents(self.vocabulary),
            _ => Vec::new(),
        };
        let mut aside = Random::new(ASIDE);
        let mut pairs = Vec::new();
        for state in self.states {
            let pair = match feature {
                Feature::Partial(partial) => self.whole(partial, state.words, &mut aside),
                _ => self.pair(feature, &rows, state.words, random),
            };
            if let Some((one, two)) = pair {
                let change = sum.of_words(&one) - sum.of_words(&two);
                if change != 0.0 {
                    pairs.push((one, two, change));
                }
            }
        }
        let mut effects = vec![Effect::default(); roles];
        let lanes = &mut self.lanes;
        let mut points = Vec::new();
        for pairs in pairs.chunks(AT_ONCE) {
            let states: Vec<&[u64]> = pairs.iter().flat_map(|(one, two, _)| [one.as_slice(), two.as_slice()]).collect();
            lanes.load_all(&states);
            lanes.evaluate_ends()?;
            points.clear();
            lanes.points_all(states.len(), &mut points)?;
            for ((one, two, change), points) in pairs.iter().zip(points.chunks_exact(2 * roles)) {
                let is_changed = points[..roles] != points[roles..];
                if is_changed && !matches!(feature, Feature::Partial(_)) && completes(&self.partials, one, two) {
                    continue;
                }
                for (role, effect) in effects.iter_mut().enumerate() {
                    let more = f64::from(points[role]) - f64::from(points[roles + role]);
                    let more = more * f64::from(change.signum());
                    effect.pairs += 1;
                    effect.up += u32::from(more > 0.0);
                    effect.down += u32::from(more < 0.0);
                    effect.points += more;
                }
            }
            if effects.iter().all(|effect| effect.pairs >= ENOUGH && effect.up + effect.down <= 1) {
                break;
            }
        }
        Ok(effects)
    }

    /// Two states that differ in the expression of a feature only, which means these rows.
    fn pair(&self, feature: &Feature, rows: &[FluentId], words: &[u64], random: &mut Random) -> Option<Pair> {
        let (mut with, mut without) = (words.to_vec(), words.to_vec());
        match feature {
            Feature::Count(_) => {
                let row = *rows.get(random.below(rows.len().max(1)))?;
                self.groups.set(&mut with, row);
                self.groups.clear(&mut without, row);
            }
            Feature::Distance(distance) => {
                let rows: Vec<FluentId> = rows.iter().copied().filter(|&row| is_true(words, row)).collect();
                let row = *rows.get(random.below(rows.len().max(1)))?;
                let row_of = &self.vocabulary.rows()[row.0 as usize];
                let target = distance.target()?;
                // From somewhere to the target, or from there to somewhere.
                let to = if row_of.symbols[distance.column] == target {
                    let others: Vec<SymbolId> = distance.layers.iter().skip(1).flatten().copied().collect();
                    *others.get(random.below(others.len().max(1)))?
                } else {
                    target
                };
                let mut symbols = row_of.symbols.clone();
                symbols[distance.column] = to;
                let moved = *self.groups.fluents.get(&(row_of.table, symbols))?;
                // Nothing else may be pushed away.
                let (from, to) = (self.groups.group(row), self.groups.group(moved));
                if from != to {
                    if self.groups.usual[from][0] == Some(row) || !self.groups.is_clear(words, to) {
                        return None;
                    }
                    self.groups.clear(&mut with, row);
                }
                self.groups.set(&mut with, moved);
            }
            _ => return None,
        }
        Some((with, without))
    }

    /// A state in which a conjunction of a partial solution is true, and the same without one of its fluents.
    fn whole(&self, partial: &Partial, words: &[u64], random: &mut Random) -> Option<Pair> {
        let fluents = partial.conjunctions.get(random.below(partial.conjunctions.len().max(1)))?.fluents();
        let mut with = words.to_vec();
        for &fluent in fluents {
            self.groups.set(&mut with, fluent);
        }
        // One may exclude another.
        if !fluents.iter().all(|&fluent| is_true(&with, fluent)) {
            return None;
        }
        let mut without = with.clone();
        self.groups.clear(&mut without, *fluents.get(random.below(fluents.len().max(1)))?);
        Some((with, without))
    }
}

/// Whether a partial solution is whole in one of two states, and not in the other.
fn completes(partials: &[Arc<[Conjunction]>], one: &[u64], two: &[u64]) -> bool {
    let is_whole = |conjunctions: &[Conjunction], words: &[u64]| share(conjunctions, words) >= 1.0;
    partials.iter().any(|conjunctions| is_whole(conjunctions, one) != is_whole(conjunctions, two))
}

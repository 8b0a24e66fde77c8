//! Pairs of pseudo-states that differ in one expression only, and what the goal rules say about them.

use super::stability::Position;
use crate::feature::Feature;
use crate::linear::{Linear, each_bit};
use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, SymbolId, TableId, Vocabulary};
use ludens_machine::{Error, Machine, Random};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs that are looked at together.
const AT_ONCE: usize = 32;

/// Tables with more columns are not looked at for rows that exclude each other.
const MOST_COLUMNS: usize = 8;

/// Pairs of which fewer than one in so many change the points say nothing.
const RARE: u32 = 50;

/// Which rows exclude each other, as far as one can see: no two pieces stand on one square.
#[derive(Debug)]
pub(super) struct Groups {
    /// Per fluent: its group.
    of_fluent: Vec<u32>,
    rows: Vec<Vec<FluentId>>,
    /// Whether there has always been one.
    is_total: Vec<bool>,
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
        let mut this =
            Groups { of_fluent: Vec::new(), rows: Vec::new(), is_total: Vec::new(), fluents: BTreeMap::new() };
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
        let is_total = |rows: &Vec<FluentId>| states.iter().all(|state| rows.iter().any(|&row| is_true(state.words, row)));
        this.is_total = this.rows.iter().map(is_total).collect();
        this
    }

    /// Makes a row true, and those false that it excludes.
    fn set(&self, words: &mut [u64], row: FluentId) {
        for &other in &self.rows[self.of_fluent[row.0 as usize] as usize] {
            put(words, other, other == row);
        }
    }

    /// Makes a row false; where one of its group must be true, another becomes so that is not of the pattern.
    fn unset(&self, words: &mut [u64], row: FluentId, pattern: &Pattern, vocabulary: &Vocabulary, random: &mut Random) {
        let group = self.of_fluent[row.0 as usize] as usize;
        put(words, row, false);
        if self.is_total[group] {
            let is_other = |other: &FluentId| !pattern.matches(&vocabulary.rows()[other.0 as usize]);
            let others: Vec<FluentId> = self.rows[group].iter().copied().filter(is_other).collect();
            if !others.is_empty() {
                put(words, others[random.below(others.len())], true);
            }
        }
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

/// Finds out what features do to points.
pub(super) struct Trials<'a> {
    pub(super) machine: &'a Machine,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) groups: &'a Groups,
    /// The states that pairs are made from.
    pub(super) states: &'a [Position<'a>],
}

impl Trials<'_> {
    /// What a feature that is no difference does to the points of every role.
    pub(super) fn effect(&self, feature: &Feature, random: &mut Random) -> Result<Vec<Effect>, Error> {
        let roles = self.machine.roles().len();
        let mut sum = Linear::constant(self.vocabulary, roles, 0.0);
        sum.add(self.vocabulary, feature, 1.0);
        let mut pairs = Vec::new();
        for state in self.states {
            if let Some((one, two)) = self.pair(feature, state.words, random) {
                let change = sum.of_words(&one) - sum.of_words(&two);
                if change != 0.0 {
                    pairs.push((one, two, change));
                }
            }
        }
        let mut effects = vec![Effect::default(); roles];
        let mut lanes = self.machine.lanes(2 * AT_ONCE);
        let mut points = Vec::new();
        for pairs in pairs.chunks(AT_ONCE) {
            let states: Vec<&[u64]> = pairs.iter().flat_map(|(one, two, _)| [one.as_slice(), two.as_slice()]).collect();
            lanes.load_all(&states);
            lanes.evaluate_ends()?;
            points.clear();
            lanes.points_all(states.len(), &mut points)?;
            for ((.., change), points) in pairs.iter().zip(points.chunks_exact(2 * roles)) {
                for (role, effect) in effects.iter_mut().enumerate() {
                    let more = f64::from(points[role]) - f64::from(points[roles + role]);
                    let more = more * f64::from(change.signum());
                    effect.pairs += 1;
                    effect.up += u32::from(more > 0.0);
                    effect.down += u32::from(more < 0.0);
                    effect.points += more;
                }
            }
        }
        Ok(effects)
    }

    /// Two states that differ in the expression of a feature only.
    fn pair(&self, feature: &Feature, words: &[u64], random: &mut Random) -> Option<(Vec<u64>, Vec<u64>)> {
        let (mut with, mut without) = (words.to_vec(), words.to_vec());
        match feature {
            Feature::Count(pattern) => {
                let rows = pattern.fluents(self.vocabulary);
                let row = *rows.get(random.below(rows.len().max(1)))?;
                if is_true(words, row) {
                    self.groups.unset(&mut without, row, pattern, self.vocabulary, random);
                } else {
                    self.groups.set(&mut with, row);
                }
            }
            Feature::Distance(distance) => {
                let mut rows = distance.pattern.fluents(self.vocabulary);
                rows.retain(|&row| is_true(words, row));
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
                if is_true(words, moved) {
                    return None;
                }
                put(&mut with, row, false);
                self.groups.set(&mut with, moved);
            }
            Feature::Difference(..) | Feature::Lag(..) | Feature::Moves(_) => return None,
        }
        Some((with, without))
    }
}

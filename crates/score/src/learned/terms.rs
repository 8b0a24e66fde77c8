//! What a model says, term by term, as people read it.
//!
//! A model says what is general by one weight and what is special by another: `white anywhere` and `white kings`. People want to know what a white king is worth. So what
//! is said of a whole board is said of each kind of thing that stands on it, and what is said of a place of each player's; what counts the same is told once; and what weighs the same because the game looks the same
//! from elsewhere is told together. None of that changes what a position is worth.

use super::extras::Extras;
use super::fit::{Half, Model, error_of};
use super::orbits::Orbits;
use super::positions::Positions;
use super::steps::Walk;
use crate::feature::Feature;
use crate::function::{Account, Term};
use crate::pattern::Pattern;
use crate::patterns::Patterns;
use crate::vocabulary::{FluentId, SymbolId, TableId, Vocabulary};
use ludens_machine::Machine;
use std::collections::{BTreeMap, BTreeSet};

/// Terms that make less of a difference than this share of the greatest are left out.
const NEGLIGIBLE: f64 = 1e-3;

/// More kinds of things than these on a board are not told one by one.
const MOST_KINDS: usize = 16;

/// Positions that are looked at, at most.
const MOST_POSITIONS: usize = 4000;

/// A table with more columns is no board.
const MOST_COLUMNS: usize = 5;

/// What is said of the whole of a board, as what is said of kinds of things on it.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// Ties that say something general, each with those that say it of every kind.
    pushes: Vec<(usize, Vec<usize>)>,
}

impl Kinds {
    /// A board is a table in which places, two columns or more, tell what else stands in a row.
    pub(super) fn new(machine: &Machine, vocabulary: &Vocabulary, ties: &Patterns, positions: &Positions) -> Kinds {
        let roles: BTreeSet<SymbolId> =
            machine.roles().filter_map(|role| vocabulary.find_symbol(machine.role_name(role))).collect();
        let numbers: BTreeMap<&Pattern, usize> = ties.all().iter().zip(0..).collect();
        let mut pushes = Vec::new();
        for (id, table) in vocabulary.tables() {
            let count = table.columns.len();
            if !(3..=MOST_COLUMNS).contains(&count) {
                continue;
            }
            let Some(place) = place(vocabulary, id, count, positions) else { continue };
            let others: Vec<usize> = (0..count).filter(|column| !place.contains(column)).collect();
            let kind = |fluent: &FluentId| -> Vec<SymbolId> {
                others.iter().map(|&column| vocabulary.rows()[fluent.0 as usize].symbols[column]).collect()
            };
            let kinds: BTreeSet<Vec<SymbolId>> = table.rows.iter().map(kind).collect();
            if kinds.len() > MOST_KINDS {
                continue;
            }
            let whole = Pattern::all(vocabulary, id);
            let of_kind = |kind: &Vec<SymbolId>| {
                others.iter().zip(kind).fold(whole.clone(), |pattern, (&column, &symbol)| pattern.with(column, symbol))
            };
            // What stands at a place is said of every player's, where that is told by one column.
            let owner = others
                .iter()
                .copied()
                .find(|&column| table.columns[column].iter().filter(|symbol| roles.contains(symbol)).count() > 1);
            let told: Vec<(Pattern, usize)> =
                kinds.iter().map(of_kind).filter_map(|pattern| numbers.get(&pattern).map(|&tie| (pattern, tie))).collect();
            for (tie, pattern) in ties.all().iter().enumerate() {
                let is_open = |column: usize| pattern.symbols[column].is_none();
                if pattern.table != id || !others.iter().any(|&column| is_open(column)) {
                    continue;
                }
                if place.iter().all(|&column| is_open(column)) {
                    pushes.push((tie, told.iter().filter(|(kind, _)| covers(pattern, kind)).map(|(_, tie)| *tie).collect()));
                } else if let Some(owner) = owner.filter(|&owner| is_open(owner)) {
                    let owned = table.columns[owner].iter().map(|&symbol| pattern.with(owner, symbol));
                    pushes.push((tie, owned.filter_map(|pattern| numbers.get(&pattern).copied()).collect()));
                }
            }
        }
        pushes.retain(|(_, kinds): &(usize, Vec<usize>)| !kinds.is_empty());
        Kinds { pushes }
    }

    /// Says of every kind what is said of all.
    fn push(&self, weights: &mut [f64]) {
        for (tie, kinds) in &self.pushes {
            let weight = std::mem::take(&mut weights[*tie]);
            for &kind in kinds {
                weights[kind] += weight;
            }
        }
    }
}

/// Whether a pattern means all that another does.
fn covers(pattern: &Pattern, other: &Pattern) -> bool {
    pattern.symbols.iter().zip(&other.symbols).all(|(wanted, symbol)| wanted.is_none() || wanted == symbol)
}

/// The fewest columns, but two at least, of which no two rows that are true at the same time have the same; none where one column is enough, or all are needed.
fn place(vocabulary: &Vocabulary, table: TableId, columns: usize, positions: &Positions) -> Option<Vec<usize>> {
    let step = (positions.len() / MOST_POSITIONS).max(1);
    let mut sets: Vec<Vec<usize>> = crate::patterns::subsets(&(0..columns).collect::<Vec<_>>());
    sets.retain(|set| !set.is_empty() && set.len() < columns);
    sets.sort_by_key(Vec::len);
    for index in (0..positions.len()).step_by(step) {
        let mut rows: Vec<&[SymbolId]> = Vec::new();
        positions.each_fluent(index, |fluent| {
            let row = &vocabulary.rows()[fluent];
            if row.table == table {
                rows.push(&row.symbols);
            }
        });
        sets.retain(|set| {
            let places: BTreeSet<Vec<SymbolId>> =
                rows.iter().map(|row| set.iter().map(|&column| row[column]).collect()).collect();
            places.len() == rows.len()
        });
        if sets.is_empty() {
            return None;
        }
    }
    sets.into_iter().next().filter(|set| set.len() > 1)
}

/// A term before it is written down: ties that are counted together, each with whether it counts less.
struct Group {
    members: Vec<(usize, bool)>,
    weight: f64,
    drift: f64,
}

impl Group {
    /// One that is counted by itself.
    fn alone(tie: usize) -> Group {
        Group { members: vec![(tie, false)], weight: 0.0, drift: 0.0 }
    }

    /// Ties that weigh the same, or the opposite. What counts more is written first, and good for whom the model is if there is something that counts less.
    fn new(members: Vec<(usize, bool)>, bases: &[f64], drifts: &[f64]) -> Group {
        let mean = |weights: &[f64]| {
            let sum: f64 = members.iter().map(|&(tie, turned)| if turned { -weights[tie] } else { weights[tie] }).sum();
            sum / members.len().max(1) as f64
        };
        let (weight, drift) = (mean(bases), mean(drifts));
        let turned = members.iter().filter(|(_, turned)| *turned).count();
        let turns = if turned == members.len() { turned > 0 } else { turned > 0 && weight < 0.0 };
        if !turns {
            return Group { members, weight, drift };
        }
        let members = members.into_iter().map(|(tie, turned)| (tie, !turned)).collect();
        Group { members, weight: -weight, drift: -drift }
    }
}

/// What is to be known to say what a model says.
#[derive(Clone, Copy)]
pub(super) struct Teller<'a> {
    pub(super) ties: &'a Patterns,
    pub(super) extras: &'a Extras,
    pub(super) kinds: &'a Kinds,
    /// Distances that weights may go by.
    pub(super) walks: &'a [Walk],
    /// What counts the same, and what weighs the same.
    pub(super) orbits: &'a Orbits,
    pub(super) positions: &'a Positions,
}

impl Teller<'_> {
    /// What the model of a number says.
    pub(super) fn account(&self, index: usize, model: &Model) -> Account {
        let (mut bases, mut drifts) = (self.weights(Some(&model.base)), self.weights(model.drift.as_ref()));
        // Only distances ask how many of each there are.
        let alone: Vec<Group> = if self.walks.is_empty() { Vec::new() } else { (0..self.ties.len()).map(Group::alone).collect() };
        let means = self.moments(&alone).0;
        let told = self.walks_told(index, &bases, &means);
        let mut terms: Vec<Term> =
            told.into_iter().map(|walk| walk.tell(&mut bases, &mut drifts, &means, self.positions)).collect();
        for weights in [&mut bases, &mut drifts] {
            self.kinds.push(weights);
            self.orbits.gather(weights);
        }
        let groups = self.orbits.groups(index).into_iter().map(|members| Group::new(members, &bases, &drifts));
        let groups: Vec<Group> = groups.filter(|group| group.weight != 0.0 || group.drift != 0.0).collect();
        let (means, spreads) = self.moments(&groups);
        let of_extras = self.extras.features().iter().enumerate().map(|(extra, feature)| {
            let (spread, at) = (self.positions.moments(extra).1.sqrt(), self.ties.len() + extra);
            let error = error_of(spread, self.positions.len());
            Term { feature: feature.clone(), weight: bases[at], drift: drifts[at], error, spread }
        });
        terms.extend(of_extras);
        let own = terms.len();
        terms.extend(groups.iter().zip(spreads).map(|(group, spread)| {
            let (feature, error) = (self.feature(&group.members), error_of(spread, self.positions.len()));
            Term { feature, weight: group.weight, drift: group.drift, error, spread }
        }));
        let least = terms.iter().map(Term::influence).fold(0.0, f64::max) * NEGLIGIBLE;
        // What is left out is part of the constant, as much of it as there is on average.
        let mut constant = f64::from(model.base.constant);
        let mut drift = model.drift.as_ref().map_or(0.0, |drift| f64::from(drift.constant));
        for (term, mean) in terms[own..].iter().zip(means).filter(|(term, _)| term.influence() <= least) {
            constant += term.weight * mean;
            drift += term.drift * mean;
        }
        terms.retain(|term| term.influence() > least);
        Account { drift, ..Account::new(constant, terms) }
    }

    /// The distances by which weights go. Where some are alike, they are told of all or of none.
    fn walks_told(&self, index: usize, weights: &[f64], means: &[f64]) -> Vec<&Walk> {
        let mut alike: BTreeMap<Vec<u32>, (bool, Vec<usize>)> = BTreeMap::new();
        for (number, walk) in self.walks.iter().enumerate() {
            let (all, numbers) = alike.entry(self.orbits.firsts(index, walk.places())).or_insert((true, Vec::new()));
            *all &= walk.goes_by_steps(weights, means);
            numbers.push(number);
        }
        let told = alike.into_values().filter(|(all, _)| *all).flat_map(|(_, numbers)| numbers);
        told.collect::<BTreeSet<usize>>().into_iter().map(|number| &self.walks[number]).collect()
    }

    /// The weights of a half, those of ties that count the same added up.
    fn weights(&self, half: Option<&Half>) -> Vec<f64> {
        let Some(half) = half else { return vec![0.0; self.ties.len() + self.extras.features().len()] };
        let mut weights: Vec<f64> = half.weights().map(f64::from).collect();
        self.orbits.gather(&mut weights);
        weights
    }

    /// What some ties count together, those that count less taken away.
    fn feature(&self, members: &[(usize, bool)]) -> Feature {
        let of = |less: bool| {
            let own = members.iter().filter(|(_, turned)| *turned == less);
            own.map(|(tie, _)| self.ties.all()[*tie].clone()).collect()
        };
        Feature::counts(of(false), of(true))
    }

    /// The means of what is counted, and how much it varies, over some of the positions.
    fn moments(&self, groups: &[Group]) -> (Vec<f64>, Vec<f64>) {
        let step = (self.positions.len() / MOST_POSITIONS).max(1);
        let mut group_of = vec![None; self.ties.len()];
        for (index, group) in groups.iter().enumerate() {
            group.members.iter().for_each(|&(tie, turned)| group_of[tie] = Some((index, if turned { -1.0 } else { 1.0 })));
        }
        let (mut sums, mut squares, mut seen) = (vec![0.0; groups.len()], vec![0.0; groups.len()], 0.0);
        let mut values = vec![0.0_f64; groups.len()];
        let mut is_touched = vec![false; groups.len()];
        let mut touched = Vec::new();
        for position in (0..self.positions.len()).step_by(step) {
            self.positions.each_fluent(position, |fluent| {
                for &tie in self.ties.of_fluent(fluent) {
                    if let Some((group, sign)) = group_of[tie as usize] {
                        values[group] += sign;
                        if !std::mem::replace(&mut is_touched[group], true) {
                            touched.push(group);
                        }
                    }
                }
            });
            for group in touched.drain(..) {
                is_touched[group] = false;
                let value = std::mem::take(&mut values[group]);
                sums[group] += value;
                squares[group] += value * value;
            }
            seen += 1.0;
        }
        let seen: f64 = f64::max(seen, 1.0);
        let spread = |(sum, square): (&f64, f64)| (square / seen - (sum / seen).powi(2)).max(0.0).sqrt();
        let spreads = sums.iter().zip(squares).map(spread).collect();
        (sums.iter().map(|sum| sum / seen).collect(), spreads)
    }
}

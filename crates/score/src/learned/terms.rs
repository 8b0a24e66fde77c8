//! What a model says, term by term, as people read it.
//!
//! A model says what is general by one weight and what is special by another: `white anywhere` and `white kings`. People want to know what a white king is worth. So what
//! is said of a whole board is said of each kind of thing that stands on it, and what is said of a place of each player's; what is said of all places alike, as each thing
//! stands at one of them, is said of the thing; what counts the same is told once; and what weighs the same because the game looks the same from elsewhere is told together. None
//! of that changes what a position is worth.

use super::extras::Extras;
use super::fit::{Half, Model, error_of};
use super::orbits::Orbits;
use super::positions::{Moments, Positions};
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

/// What is said of the whole of a board, as what is said of kinds of things on it; and what is said of places, as by how much they differ.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// Ties that say something general, each with those that say it of every kind.
    pushes: Vec<(usize, Vec<usize>)>,
    /// Ties that say something of things wherever they are, each with those that say it of every row, say, or of every square: each thing is in one of them.
    places: Vec<(usize, Vec<usize>)>,
    /// What names each role.
    roles: Vec<Option<SymbolId>>,
    /// Fluents that tell the time, which no tie counts, and how often they are true.
    clocks: Vec<(usize, f64)>,
    /// Ties whose expressions mean such fluents: how many there are of them.
    beyond: BTreeMap<usize, f64>,
}

impl Kinds {
    /// A board is a table in which places, two columns or more, tell what else stands in a row.
    pub(super) fn new(machine: &Machine, vocabulary: &Vocabulary, ties: &Patterns, positions: &Positions) -> Kinds {
        let named: Vec<Option<SymbolId>> = machine.roles().map(|role| vocabulary.find_symbol(machine.role_name(role))).collect();
        let roles: BTreeSet<SymbolId> = named.iter().flatten().copied().collect();
        let numbers: BTreeMap<&Pattern, usize> = ties.all().iter().zip(0..).collect();
        let (mut pushes, mut places) = (Vec::new(), Vec::new());
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
                if pattern.table != id {
                    continue;
                }
                let is_everywhere = place.iter().all(|&column| is_open(column));
                if is_everywhere {
                    places.extend(everywhere(vocabulary, pattern, &place, &numbers).into_iter().map(|parts| (tie, parts)));
                }
                if !others.iter().any(|&column| is_open(column)) {
                    continue;
                }
                if is_everywhere {
                    pushes.push((tie, told.iter().filter(|(kind, _)| covers(pattern, kind)).map(|(_, tie)| *tie).collect()));
                } else if let Some(owner) = owner.filter(|&owner| is_open(owner)) {
                    let owned = table.columns[owner].iter().map(|&symbol| pattern.with(owner, symbol));
                    pushes.push((tie, owned.filter_map(|pattern| numbers.get(&pattern).copied()).collect()));
                }
            }
        }
        pushes.retain(|(_, kinds): &(usize, Vec<usize>)| !kinds.is_empty());
        let clocks = clocks(ties, positions);
        let mut beyond = BTreeMap::new();
        for &(fluent, often) in &clocks {
            let row = &vocabulary.rows()[fluent];
            for columns in super::tied_columns(vocabulary.table(row.table)) {
                let whole = Pattern::all(vocabulary, row.table);
                let pattern = columns.iter().fold(whole, |pattern, &column| pattern.with(column, row.symbols[column]));
                if let Some(&tie) = numbers.get(&pattern) {
                    *beyond.entry(tie).or_insert(0.0) += often;
                }
            }
        }
        Kinds { pushes, places, roles: named, clocks, beyond }
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

    /// Says of things wherever they are what is said of all places on average, and of places by how much they differ from that. `means` tells how many there
    /// are of each, the same for places that look the same; what counts the same as something else has its weight there.
    fn level(&self, weights: &mut [f64], means: &[f64], orbits: &Orbits) {
        for (whole, parts) in &self.places {
            let (mut sum, mut count) = (0.0, 0.0);
            for tie in parts.iter().map(|&tie| orbits.canon(tie)) {
                sum += weights[tie] * means[tie];
                count += means[tie];
            }
            if count > 0.0 && sum != 0.0 {
                weights[orbits.canon(*whole)] += sum / count;
                for &tie in parts {
                    weights[orbits.canon(tie)] -= sum / count;
                }
            }
        }
    }
}

/// The ways in which every row that matches a pattern has one of some places: those of one column, of another, or of several together. Places are numbers of ties.
fn everywhere(
    vocabulary: &Vocabulary,
    pattern: &Pattern,
    place: &[usize],
    numbers: &BTreeMap<&Pattern, usize>,
) -> Vec<Vec<usize>> {
    let mut sets = crate::patterns::subsets(place);
    sets.retain(|set| !set.is_empty());
    // What is said of squares is said of rows, too, before that is looked at.
    sets.sort_by_key(|set| std::cmp::Reverse(set.len()));
    let rows = vocabulary.table(pattern.table).rows.iter().map(|row| &vocabulary.rows()[row.0 as usize].symbols[..]);
    let is_meant =
        |symbols: &&[SymbolId]| pattern.symbols.iter().zip(*symbols).all(|(wanted, own)| wanted.is_none_or(|it| it == *own));
    let matching: Vec<&[SymbolId]> = rows.filter(is_meant).collect();
    let parts = |set: Vec<usize>| -> Option<Vec<usize>> {
        let part = |symbols: &&[SymbolId]| set.iter().fold(pattern.clone(), |part, &column| part.with(column, symbols[column]));
        let all: BTreeSet<Pattern> = matching.iter().map(part).collect();
        (all.len() > 1).then(|| all.iter().map(|part| numbers.get(part).copied()).collect()).flatten()
    };
    sets.into_iter().filter_map(parts).collect()
}

/// Fluents that no tie counts, and in which share of some positions they are true.
fn clocks(ties: &Patterns, positions: &Positions) -> Vec<(usize, f64)> {
    let (mut often, mut seen) = (BTreeMap::new(), 0.0);
    for position in (0..positions.len()).step_by((positions.len() / MOST_POSITIONS).max(1)) {
        positions.each_fluent(position, |fluent| {
            if ties.of_fluent(fluent).is_empty() {
                *often.entry(fluent).or_insert(0.0) += 1.0;
            }
        });
        seen += 1.0;
    }
    often.into_iter().map(|(fluent, times): (usize, f64)| (fluent, times / seen)).collect()
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

/// A term, and what is to be known of it to leave it out.
struct Told {
    term: Term,
    /// How much there is of it in a position, on average, as the model has it.
    mean: f64,
    /// How much more its expression counts: fluents that tell the time.
    beyond: f64,
}

/// Weights that differ by less go together.
const SAME: f64 = 1e-6;

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

    /// Those of an orbit, which weigh the same, or the opposite; where they do not, as other words were found for what some of them say, they are told apart. What
    /// weighs nothing is left out.
    fn all(members: Vec<(usize, bool)>, bases: &[f64], drifts: &[f64], is_own: &dyn Fn(usize) -> bool) -> Vec<Group> {
        let weight =
            |&(tie, turned): &(usize, bool)| if turned { (-bases[tie], -drifts[tie]) } else { (bases[tie], drifts[tie]) };
        let mut alike: Vec<Vec<(usize, bool)>> = Vec::new();
        for member in members {
            let own = weight(&member);
            let is_same = |known: (f64, f64)| (known.0 - own.0).abs() <= SAME && (known.1 - own.1).abs() <= SAME;
            match alike.iter_mut().find(|known| is_same(weight(&known[0]))) {
                Some(known) => known.push(member),
                None => alike.push(vec![member]),
            }
        }
        let groups = alike.into_iter().map(|members| Group::new(members, bases, drifts, is_own));
        groups.filter(|group| group.weight != 0.0 || group.drift != 0.0).collect()
    }

    /// Ties that weigh the same, or the opposite. What counts more is written first. Where something counts less, too, what is the role's own counts more or, if nobody
    /// can tell, what is good for the role.
    fn new(members: Vec<(usize, bool)>, bases: &[f64], drifts: &[f64], is_own: &dyn Fn(usize) -> bool) -> Group {
        let mean = |weights: &[f64]| {
            let sum: f64 = members.iter().map(|&(tie, turned)| if turned { -weights[tie] } else { weights[tie] }).sum();
            sum / members.len().max(1) as f64
        };
        let (weight, drift) = (mean(bases), mean(drifts));
        let turned = members.iter().filter(|(_, turned)| *turned).count();
        let has_own = |which: bool| members.iter().any(|&(tie, turned)| turned == which && is_own(tie));
        let turns = match (has_own(false), has_own(true)) {
            _ if turned == 0 || turned == members.len() => turned > 0,
            (true, false) => false,
            (false, true) => true,
            _ => weight < 0.0,
        };
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
        let alike = self.orbits.groups(index);
        let means = self.means(&alike);
        let walks = self.walks_told(index, &bases, &means);
        let mut told: Vec<Told> = walks
            .into_iter()
            .map(|walk| self.of_walk(walk, walk.tell(&mut bases, &mut drifts, &means, self.positions)))
            .collect();
        for weights in [&mut bases, &mut drifts] {
            self.kinds.push(weights);
            self.orbits.gather(weights);
            self.kinds.level(weights, &means, self.orbits);
            // Things of any kind have weights again.
            self.kinds.push(weights);
            self.orbits.gather(weights);
        }
        told.extend((0..self.extras.features().len()).map(|extra| {
            let at = self.ties.len() + extra;
            self.of_extra(extra, bases[at], drifts[at])
        }));
        let own = self.kinds.roles.get(index).copied().flatten();
        let is_own = |tie: usize| own.is_some() && self.ties.all()[tie].symbols.contains(&own);
        let groups = alike.into_iter().flat_map(|members| Group::all(members, &bases, &drifts, &is_own));
        told.extend(self.of_groups(&groups.collect::<Vec<Group>>()));
        let least = told.iter().map(|told| told.term.influence()).fold(0.0, f64::max) * NEGLIGIBLE;
        let mut constant = f64::from(model.base.constant);
        let mut drift = model.drift.as_ref().map_or(0.0, |drift| f64::from(drift.constant));
        for Told { term, mean, beyond } in &told {
            // What is left out is part of the constant, as much of it as there is on average; so is what the model does not mean.
            let adds = if term.influence() > least { -beyond } else { *mean };
            constant += term.weight * adds;
            drift += term.drift * adds;
        }
        let terms = told.into_iter().map(|told| told.term).filter(|term| term.influence() > least).collect();
        Account { drift, ..Account::new(constant, terms) }
    }

    /// How many of each tie there are in a position, on average: as many of what looks the same from elsewhere.
    fn means(&self, alike: &[Vec<(usize, bool)>]) -> Vec<f64> {
        let alone: Vec<Group> = (0..self.ties.len()).map(Group::alone).collect();
        let mut means = self.moments(&alone).0;
        for members in alike {
            let mean = members.iter().map(|&(tie, _)| means[tie]).sum::<f64>() / members.len().max(1) as f64;
            for &(tie, _) in members {
                means[tie] = mean;
            }
        }
        means
    }

    /// A distance.
    fn of_walk(&self, walk: &Walk, (term, mean): (Term, f64)) -> Told {
        let beyond = self.kinds.clocks.iter().map(|&(fluent, often)| often * walk.steps(fluent)).sum();
        Told { term, mean: mean - beyond, beyond }
    }

    /// What is counted besides fluents.
    fn of_extra(&self, extra: usize, weight: f64, drift: f64) -> Told {
        let Moments { mean, variance, .. } = self.positions.moments(extra);
        let (feature, spread) = (self.extras.features()[extra].clone(), variance.sqrt());
        let error = error_of(spread, self.positions.len());
        Told { term: Term { feature, weight, drift, error, spread }, mean, beyond: 0.0 }
    }

    /// What ties count.
    fn of_groups(&self, groups: &[Group]) -> Vec<Told> {
        let (means, spreads) = self.moments(groups);
        let of_group = |(group, (mean, spread)): (&Group, (f64, f64))| {
            let (feature, error) = (self.feature(&group.members), error_of(spread, self.positions.len()));
            let beyond = |&(tie, turned): &(usize, bool)| {
                let beyond = self.kinds.beyond.get(&tie).copied().unwrap_or(0.0);
                if turned { -beyond } else { beyond }
            };
            let term = Term { feature, weight: group.weight, drift: group.drift, error, spread };
            Told { term, mean, beyond: group.members.iter().map(beyond).sum() }
        };
        groups.iter().zip(means.into_iter().zip(spreads)).map(of_group).collect()
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

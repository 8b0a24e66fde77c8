//! Weights that go by steps, told as distances.
//!
//! What patterns say of the rows of one kind, place by place, `(cell ? a white)`, `(cell ? b white)` and so on, is often so much for every step along a relation
//! of the rules. Then one term says it, the distance from the last of these places, and patterns say by how much a place differs from that. It is another way to
//! write the same sum: weights are not learned otherwise. Only places that were never seen, of which patterns say nothing, get what the steps to them say.

use super::fit::error_of;
use super::positions::Positions;
use crate::constants::Constants;
use crate::distance::Distance;
use crate::feature::Feature;
use crate::function::Term;
use crate::linear::each_bit;
use crate::pattern::Pattern;
use crate::reliability::Pairs;
use crate::vocabulary::{FluentId, SymbolId, Table, TableId, Vocabulary};
use ludens_gdl::Rules;
use ludens_machine::Machine;
use std::collections::{BTreeMap, BTreeSet};

/// A column with more symbols does not tell kinds of rows apart.
const MOST_KINDS: usize = 16;

/// Distances at most.
const MOST_DISTANCES: usize = 256;

/// Of the longest way, what rows have to be away at the start for steps to tell who is getting somewhere.
const FAR: f64 = 2.0 / 3.0;

/// The share of what weights differ by that has to go by steps, for a distance to be told. By five seeds each it is at most 0.71 in Breakthrough and 0.33 in
/// checkers, and at least 0.91 for the runners of racetrack corridor and the score of goofspiel.
const AGREEING: f64 = 0.85;

/// Places that have to be seen: two are always on a line, and three seldom far from one.
const FEWEST: usize = 4;

/// A place where so many rows stand in a position, on average, has as much say as any other; less, if it is seen less often.
const OFTEN: f64 = 0.02;

/// Positions in which rows are counted, at most.
const LOOKED_AT: usize = 4000;

/// A distance that may be told.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    distance: Distance,
    /// Per fluent that is meant: its steps.
    shares: BTreeMap<usize, f64>,
    /// The number of the pattern that counts the same rows.
    pub(super) count: usize,
    /// The numbers of those that count the rows of one place, and how many steps it is away.
    places: Vec<(usize, f64)>,
}

impl Walk {
    /// Distances that tell who is getting somewhere: of the rows of one kind, along one column, and from the symbol that they are furthest from at the start.
    /// Told are the numbers of the patterns that are weighed. Kinds that are not looked at when it is time to stop are left out.
    pub(super) fn all(
        machine: &Machine,
        rules: &Rules,
        vocabulary: &Vocabulary,
        numbers: &BTreeMap<&Pattern, usize>,
        stop: &dyn Fn() -> bool,
    ) -> Vec<Walk> {
        let constants = Constants::of(rules, vocabulary);
        let roles: BTreeSet<SymbolId> =
            machine.roles().filter_map(|role| vocabulary.find_symbol(machine.role_name(role))).collect();
        let words = machine.initial().words();
        let mut found = Vec::new();
        for (id, table) in vocabulary.tables() {
            for pattern in kinds(&constants, &roles, vocabulary, id, table) {
                // Of several roles none is told by what is no kind of anything: it counts turns more often than not.
                if machine.roles().len() > 1 && pattern.symbols.iter().all(Option::is_none) {
                    continue;
                }
                // What no pattern of the ties counts is a clock.
                if found.len() >= MOST_DISTANCES || stop() || !numbers.contains_key(&pattern) {
                    continue;
                }
                let walks =
                    constants.distances(&pattern).into_iter().filter_map(|distance| Walk::new(distance, vocabulary, numbers));
                let mut far: Vec<(f64, Walk)> =
                    walks.map(|walk| (walk.way(words), walk)).filter(|(way, _)| *way >= FAR).collect();
                far.sort_by(|(one, first), (two, second)| {
                    first.distance.column.cmp(&second.distance.column).then(two.total_cmp(one))
                });
                far.dedup_by_key(|(_, walk)| walk.distance.column);
                found.extend(far.into_iter().map(|(_, walk)| walk));
            }
        }
        found.truncate(MOST_DISTANCES);
        found
    }

    fn new(distance: Distance, vocabulary: &Vocabulary, numbers: &BTreeMap<&Pattern, usize>) -> Option<Walk> {
        let count = *numbers.get(&distance.pattern)?;
        let layers =
            distance.layers.iter().enumerate().flat_map(|(steps, layer)| layer.iter().map(move |symbol| (steps, *symbol)));
        let place = |(steps, symbol)| Some((*numbers.get(&distance.pattern.with(distance.column, symbol))?, steps as f64));
        let places = layers.filter_map(place).collect();
        let shares =
            distance.shares(vocabulary).into_iter().map(|(fluent, steps)| (fluent.0 as usize, f64::from(steps))).collect();
        Some(Walk { distance, shares, count, places })
    }

    /// How far rows are away in a position, as a share of the longest way; 0 where there are none.
    fn way(&self, words: &[u64]) -> f64 {
        let (mut rows, mut steps) = (0.0_f64, 0.0);
        each_bit(words, |fluent| {
            if let Some(share) = self.shares.get(&fluent) {
                rows += 1.0;
                steps += share;
            }
        });
        let longest = self.distance.layers.len().saturating_sub(1).max(1) as f64;
        steps / rows.max(1.0) / longest
    }

    /// The numbers of the patterns that count the rows of one place.
    pub(super) fn places(&self) -> impl Iterator<Item = usize> {
        self.places.iter().map(|(place, _)| *place)
    }

    /// Whether the weights of places go by steps. `means` tells how many of each there are in a position.
    pub(super) fn goes_by_steps(&self, weights: &[f64], means: &[f64]) -> bool {
        let seen = self.places.iter().filter(|(place, _)| means[*place] > 0.0).count();
        seen >= FEWEST && self.line(weights, means).correlation().powi(2) >= AGREEING
    }

    /// Takes from the weights of places what goes by steps, and tells that instead; and how many steps there are in a position, on average.
    pub(super) fn tell(&self, weights: &mut [f64], drifts: &mut [f64], means: &[f64], positions: &Positions) -> (Term, f64) {
        let pairs = self.line(weights, means);
        let (weight, drift, middle) = (pairs.slope(), self.line(drifts, means).slope(), pairs.mean());
        for (list, slope) in [(weights, weight), (drifts, drift)] {
            self.places.iter().for_each(|&(place, steps)| list[place] -= slope * (steps - middle));
            list[self.count] -= slope * middle;
        }
        let (mean, spread) = self.moments(positions);
        let error = error_of(spread, positions.len());
        (Term { feature: Feature::Distance(self.distance.clone()), weight, drift, error, spread }, mean)
    }

    /// How many steps a fluent is away; none if it is not meant.
    pub(super) fn steps(&self, fluent: usize) -> f64 {
        self.shares.get(&fluent).copied().unwrap_or(0.0)
    }

    /// Steps and weights of all places.
    fn line(&self, weights: &[f64], means: &[f64]) -> Pairs {
        let mut pairs = Pairs::default();
        self.places.iter().for_each(|&(place, steps)| pairs.add_times(means[place].min(OFTEN), steps, weights[place]));
        pairs
    }

    /// The mean of the steps in a position, and how much it varies.
    fn moments(&self, positions: &Positions) -> (f64, f64) {
        let (mut seen, mut sum, mut square) = (0.0_f64, 0.0, 0.0);
        for index in (0..positions.len()).step_by((positions.len() / LOOKED_AT).max(1)) {
            let mut steps = 0.0;
            positions.each_fluent(index, |fluent| steps += self.steps(fluent));
            seen += 1.0;
            sum += steps;
            square += steps * steps;
        }
        let mean = sum / seen.max(1.0);
        (mean, (square / seen.max(1.0) - mean.powi(2)).max(0.0).sqrt())
    }
}

/// The kinds of rows that a table has: columns are open but those that name roles or what the rules ask for, and cannot be walked along.
fn kinds(
    constants: &Constants<'_>,
    roles: &BTreeSet<SymbolId>,
    vocabulary: &Vocabulary,
    id: TableId,
    table: &Table,
) -> BTreeSet<Pattern> {
    let is_kind = |&column: &usize| {
        let symbols: BTreeSet<SymbolId> = table.columns[column].iter().copied().collect();
        let is_named = |&symbol: &SymbolId| roles.contains(&symbol) || constants.likeness.is_written(id, column, symbol);
        (2..=MOST_KINDS).contains(&symbols.len())
            && symbols.iter().any(is_named)
            && constants.graphs_of(id, column, &symbols).next().is_none()
    };
    let columns: Vec<usize> = (0..table.columns.len()).filter(is_kind).collect();
    let all = Pattern::all(vocabulary, id);
    let of_row = |fluent: &FluentId| {
        let symbols = &vocabulary.rows()[fluent.0 as usize].symbols;
        columns.iter().fold(all.clone(), |pattern, &column| pattern.with(column, symbols[column]))
    };
    table.rows.iter().map(of_row).collect()
}

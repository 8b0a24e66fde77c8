//! Candidate features: the expressions of a rule sheet, each in several interpretations.

use super::Options;
use crate::constants::{Constants, Graph, Likeness};
use crate::distance::Distance;
use crate::feature::Feature;
use crate::linear::each_bit;
use crate::lines::Purpose;
use crate::partial::{Conjunction, Gauges, Partial, partials};
use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, SymbolId, TableId, Vocabulary};
use ludens_gdl::Rules;
use ludens_machine::Machine;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Counts at most, and distances.
const MOST_ALONE: usize = 1 << 11;

/// Differences at most.
const MOST_RELATIVE: usize = 1 << 12;

/// States that are looked at together.
const AT_ONCE: usize = 256;

/// How expressions are interpreted, the plainest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The number of their solutions.
    Count,
    /// The distance of their symbols.
    Distance,
    /// How much of them is there.
    Partial,
}

/// All candidates, each with a number: first those that stand alone, then differences of two of them.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) alone: Vec<Feature>,
    /// Differences, by the numbers of their parts.
    pub(super) relative: Vec<(u32, u32)>,
    /// Per feature that stands alone: its tables.
    tables: Vec<Box<[TableId]>>,
    generality: Vec<(Kind, usize, usize)>,
    /// Per fluent: what it adds to which.
    of_fluent: Vec<Vec<(u32, f32)>>,
    /// The last of those that stand alone are no sums over fluents.
    partials: Vec<Arc<[Conjunction]>>,
    gauges: Gauges,
}

impl Pool {
    pub(super) fn new(rules: &Rules, vocabulary: &Vocabulary, machine: &Machine, options: &Options) -> Pool {
        let constants = Constants::of(rules, vocabulary);
        let mut writer = Writer { vocabulary, constants: &constants, domain: options.domain, patterns: Vec::new() };
        let mut distances = Vec::new();
        for (table, _) in vocabulary.tables() {
            writer.table(table);
        }
        for pattern in &writer.patterns {
            distances.extend(writer.distances(pattern));
        }
        let counts = writer.patterns.iter().cloned().map(Feature::Count);
        let mut this = Pool {
            alone: Vec::new(),
            relative: Vec::new(),
            tables: Vec::new(),
            generality: Vec::new(),
            of_fluent: vec![Vec::new(); vocabulary.rows().len()],
            partials: Vec::new(),
            gauges: Gauges::default(),
        };
        // The same fluents with the same shares are the same feature, however it is written.
        let mut seen = BTreeSet::new();
        for feature in counts.take(MOST_ALONE).chain(distances.into_iter().map(Feature::Distance).take(MOST_ALONE)) {
            let shares = feature.shares(vocabulary);
            let key: Vec<(FluentId, u32)> = shares.iter().map(|&(fluent, share)| (fluent, share as u32)).collect();
            if !seen.insert(key) {
                continue;
            }
            let number = this.alone.len() as u32;
            for (fluent, share) in shares.into_iter().filter(|(_, share)| *share != 0.0) {
                this.of_fluent[fluent.0 as usize].push((number, share));
            }
            let (pattern, kind) = match &feature {
                Feature::Distance(distance) => (&distance.pattern, Kind::Distance),
                Feature::Count(pattern) => (pattern, Kind::Count),
                other => unreachable!("{other:?} is no sum over fluents"),
            };
            let (open, closed) = writer.detail(pattern);
            this.generality.push((kind, open, closed));
            this.tables.push([pattern.table].into());
            this.alone.push(feature);
        }
        for partial in machine.net().map(partials).unwrap_or_default() {
            this.add_partial(partial, vocabulary);
        }
        this.gauges = Gauges::new(&this.partials);
        this.relate(&constants.likeness, &constants.graphs, machine.initial().words());
        this
    }

    /// Adds a partial solution, unless there is one that comes to the same.
    fn add_partial(&mut self, partial: Partial, vocabulary: &Vocabulary) {
        if self.partials.contains(&partial.conjunctions) {
            return;
        }
        self.partials.push(partial.conjunctions.clone());
        self.generality.push((Kind::Partial, 0, 0));
        self.tables.push(partial.tables(vocabulary).into());
        self.alone.push(Feature::Partial(partial));
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.alone.len() + self.relative.len()
    }

    /// How much has to be looked at to tell the values of all in a state.
    pub(super) fn work(&self) -> usize {
        self.len() + self.partials.iter().map(|conjunctions| conjunctions.len()).sum::<usize>()
    }

    /// Whether a number is that of a difference, and of which.
    pub(super) fn parts(&self, number: usize) -> Option<(usize, usize)> {
        let (one, two) = *self.relative.get(number.checked_sub(self.alone.len())?)?;
        Some((one as usize, two as usize))
    }

    /// Whether all tables that a feature looks at have a say; told is which tables have.
    pub(super) fn has_say(&self, number: usize, tables: &[bool]) -> bool {
        let own = &self.tables[self.parts(number).map_or(number, |(one, _)| one)];
        own.iter().all(|table| tables[table.0 as usize])
    }

    /// Whether a feature looks at the end, and not at points.
    pub(super) fn is_end(&self, number: usize) -> bool {
        self.partial(number).is_some_and(|partial| partial.purpose == Purpose::End)
    }

    /// A partial solution that stands alone.
    pub(super) fn partial(&self, number: usize) -> Option<&Partial> {
        if let Some(Feature::Partial(partial)) = self.alone.get(number) { Some(partial) } else { None }
    }

    /// How a feature interprets its expression.
    pub(super) fn kind(&self, number: usize) -> Kind {
        self.generality(number).0
    }

    /// Whether a feature that stands alone is another one with fewer constants.
    pub(super) fn is_wider(&self, number: usize, part: usize) -> bool {
        let is_open = |wide: &Pattern, narrow: &Pattern| {
            let both = wide.symbols.iter().zip(&narrow.symbols);
            wide.table == narrow.table && both.into_iter().all(|(wide, narrow)| wide.is_none() || wide == narrow)
        };
        match (self.alone.get(number), self.alone.get(part)) {
            (Some(Feature::Count(wide)), Some(Feature::Count(narrow))) => is_open(wide, narrow),
            (Some(Feature::Distance(wide)), Some(Feature::Distance(narrow))) => {
                wide.column == narrow.column && wide.target() == narrow.target() && is_open(&wide.pattern, &narrow.pattern)
            }
            (Some(Feature::Partial(wide)), Some(Feature::Partial(narrow))) => wide.contains(narrow),
            _ => false,
        }
    }

    /// The order in which features are told: counts before distances and partial solutions, then those that leave open fewer of
    /// the columns that tell kinds of rows apart, then those that close fewer of the others.
    pub(super) fn generality(&self, number: usize) -> (Kind, usize, usize) {
        self.generality[self.parts(number).map_or(number, |(one, _)| one)]
    }

    /// A candidate as a feature.
    pub(super) fn feature(&self, number: usize) -> Feature {
        let Some((one, two)) = self.parts(number) else { return self.alone[number].clone() };
        match (&self.alone[one], &self.alone[two]) {
            (Feature::Count(more), Feature::Count(less)) => Feature::Difference(more.clone(), less.clone()),
            (Feature::Distance(more), Feature::Distance(less)) => Feature::Lag(more.clone(), less.clone()),
            (Feature::Partial(more), Feature::Partial(less)) => Feature::Lead(more.clone(), less.clone()),
            (other, _) => unreachable!("differences are of two features of one kind, not of {other:?}"),
        }
    }

    /// Hears of the values of all candidates in every one of some states.
    pub(super) fn each(&self, states: &[&[u64]], mut hear: impl FnMut(&mut Vec<f64>)) {
        let (mut shares, mut values) = (Vec::new(), Vec::new());
        for states in states.chunks(AT_ONCE) {
            shares.clear();
            self.gauges.of_rows(states, &mut shares);
            for (place, words) in states.iter().enumerate() {
                let partials = &shares[place * self.partials.len()..][..self.partials.len()];
                self.values(words, partials, &mut values);
                hear(&mut values);
            }
        }
    }

    /// The values of all candidates in a state, those of partial solutions being known.
    fn values(&self, words: &[u64], partials: &[f32], values: &mut Vec<f64>) {
        values.clear();
        values.resize(self.alone.len() - partials.len(), 0.0);
        each_bit(words, |fluent| {
            for &(number, share) in self.of_fluent.get(fluent).map_or(&[][..], Vec::as_slice) {
                values[number as usize] += f64::from(share);
            }
        });
        values.extend(partials.iter().map(|&share| f64::from(share)));
        for &(one, two) in &self.relative {
            values.push(values[one as usize] - values[two as usize]);
        }
    }

    /// Finds the differences: two features that are the same but for constants that look alike, and equal at the start.
    fn relate(&mut self, likeness: &Likeness, graphs: &[Graph], initial: &[u64]) {
        let mut values = Vec::new();
        self.each(&[initial], |found| values.clone_from(found));
        let mut mirrored = Vec::new();
        let mut has_twin = vec![false; self.alone.len()];
        for (one, first) in self.alone.iter().enumerate() {
            for (two, second) in self.alone.iter().enumerate().skip(one + 1) {
                if self.tables[one] != self.tables[two] || (values[one] - values[two]).abs() > 1e-6 {
                    continue;
                }
                match kinship(first, second, likeness, graphs) {
                    Some(Kinship::Twin) => {
                        (has_twin[one], has_twin[two]) = (true, true);
                        self.relative.push((one as u32, two as u32));
                    }
                    Some(Kinship::Mirrored) => mirrored.push((one as u32, two as u32)),
                    None => {}
                }
            }
        }
        // The last rank of red is set against that of black only where it is not against the same rank.
        mirrored.retain(|&(one, two)| !has_twin[one as usize] && !has_twin[two as usize]);
        self.relative.append(&mut mirrored);
        self.relative.truncate(MOST_RELATIVE);
    }
}

/// How two features are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kinship {
    /// But for one constant, which looks alike.
    Twin,
    /// But for such a constant and a place that has the same part in another order: the last rank of red and that of black.
    Mirrored,
}

/// Whether two features are the same in another place of the game.
fn kinship(one: &Feature, two: &Feature, likeness: &Likeness, graphs: &[Graph]) -> Option<Kinship> {
    let alike = |&(one, two): &(SymbolId, SymbolId)| likeness.is_alike(one, two);
    let placed = |&(one, two): &(SymbolId, SymbolId)| graphs.iter().any(|graph| graph.is_mirrored(one, two));
    match (one, two) {
        (Feature::Count(one), Feature::Count(two)) => match &differing(one, two)?[..] {
            [only] => alike(only).then_some(Kinship::Twin),
            [first, second] => {
                let is_it = |one, two| alike(one) && !placed(one) && placed(two);
                (is_it(first, second) || is_it(second, first)).then_some(Kinship::Mirrored)
            }
            _ => None,
        },
        (Feature::Distance(one), Feature::Distance(two)) => {
            let shape = |distance: &Distance| distance.layers.iter().map(|layer| layer.len()).collect::<Vec<_>>();
            let is_alike = one.column == two.column && shape(one) == shape(two);
            let kinship = if one.target() == two.target() { Kinship::Twin } else { Kinship::Mirrored };
            let differing = differing(&one.pattern, &two.pattern)?;
            (is_alike && matches!(&differing[..], [only] if alike(only))).then_some(kinship)
        }
        (Feature::Partial(one), Feature::Partial(two)) => match (&one.purpose, &two.purpose) {
            (Purpose::Goal { role: first, value }, Purpose::Goal { role: second, value: other }) => {
                let is_alike = value == other && likeness.are_roles_alike(*first, *second) && one.shape() == two.shape();
                is_alike.then_some(Kinship::Twin)
            }
            _ => None,
        },
        _ => None,
    }
}

/// The columns in which two patterns have different symbols; `None` where one leaves a column open that the other does not.
fn differing(one: &Pattern, two: &Pattern) -> Option<Vec<(SymbolId, SymbolId)>> {
    let mut list = Vec::new();
    for both in one.symbols.iter().zip(&two.symbols) {
        match both {
            (Some(one), Some(two)) if one != two => list.push((*one, *two)),
            (Some(_), Some(_)) | (None, None) => {}
            _ => return None,
        }
    }
    Some(list)
}

/// Writes expressions.
struct Writer<'a> {
    vocabulary: &'a Vocabulary,
    constants: &'a Constants<'a>,
    /// Columns with more symbols are large.
    domain: usize,
    patterns: Vec<Pattern>,
}

impl Writer<'_> {
    /// All patterns over a table.
    fn table(&mut self, table: TableId) {
        let columns = &self.vocabulary.table(table).columns;
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&column| columns[column].len());
        let mut patterns = vec![Pattern::all(self.vocabulary, table)];
        for column in order {
            let before = patterns.len();
            for at in 0..before {
                let pattern = patterns[at].clone();
                let symbols = self.constants.symbols(&pattern, column);
                // Where symbols follow each other, those stand out that are first or last.
                let has_ends = self.constants.graphs_of(table, column, &symbols).any(|graph| !graph.ends(&symbols).is_empty());
                let is_plain = symbols.len() <= self.domain && !has_ends;
                let chosen = if is_plain { symbols } else { self.constants.special(table, column, &symbols) };
                patterns.extend(chosen.into_iter().map(|symbol| pattern.with(column, symbol)));
                if patterns.len() > MOST_ALONE {
                    break;
                }
            }
        }
        patterns.truncate(MOST_ALONE);
        self.patterns.extend(patterns);
    }

    /// How many columns a pattern leaves open that tell kinds of rows apart, and how many others it closes.
    fn detail(&self, pattern: &Pattern) -> (usize, usize) {
        let columns = self.vocabulary.table(pattern.table).columns.iter().zip(&pattern.symbols);
        let is_kind = |symbols: &[SymbolId]| (2..=self.domain).contains(&symbols.len());
        let (kinds, others): (Vec<_>, Vec<_>) = columns.partition(|(symbols, _)| is_kind(symbols));
        let is_open = |(_, symbol): &&(&Vec<SymbolId>, &Option<SymbolId>)| symbol.is_none();
        (kinds.iter().filter(is_open).count(), others.len() - others.iter().filter(is_open).count())
    }

    /// All distances of the rows of a pattern. Only columns that tell kinds of rows apart may be closed.
    fn distances(&self, pattern: &Pattern) -> Vec<Distance> {
        let columns = &self.vocabulary.table(pattern.table).columns;
        let is_plain = |(column, symbol): (usize, &Option<SymbolId>)| symbol.is_none() || columns[column].len() <= self.domain;
        if pattern.symbols.iter().enumerate().all(is_plain) { self.constants.distances(pattern) } else { Vec::new() }
    }
}

//! Candidate features: the expressions of a rule sheet, each in several interpretations.

use super::Options;
use super::graph::Graph;
use super::likeness::Likeness;
use crate::distance::Distance;
use crate::feature::Feature;
use crate::linear::each_bit;
use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, SymbolId, TableId, Vocabulary};
use ludens_gdl::Rules;
use std::collections::BTreeSet;

/// Counts at most, and distances.
const MOST_ALONE: usize = 1 << 11;

/// Differences at most.
const MOST_RELATIVE: usize = 1 << 12;

/// All candidates, each with a number: first those that stand alone, then differences of two of them.
#[derive(Debug)]
pub(super) struct Pool {
    pub(super) alone: Vec<Feature>,
    /// Differences, by the numbers of their parts.
    pub(super) relative: Vec<(u32, u32)>,
    /// Per feature that stands alone: its table.
    tables: Vec<TableId>,
    /// Per fluent: what it adds to which.
    of_fluent: Vec<Vec<(u32, f32)>>,
}

impl Pool {
    pub(super) fn new(rules: &Rules, vocabulary: &Vocabulary, initial: &[u64], options: &Options) -> Pool {
        let graphs = Graph::all(rules, vocabulary);
        let likeness = Likeness::of(rules, vocabulary);
        let mut writer = Writer { vocabulary, graphs: &graphs, likeness: &likeness, domain: options.domain, patterns: Vec::new() };
        let mut distances = Vec::new();
        for (table, _) in vocabulary.tables() {
            writer.table(table);
        }
        for pattern in &writer.patterns {
            writer.distances(pattern, &mut distances);
        }
        let counts = writer.patterns.iter().cloned().map(Feature::Count);
        let mut this = Pool { alone: Vec::new(), relative: Vec::new(), tables: Vec::new(), of_fluent: Vec::new() };
        this.of_fluent.resize(vocabulary.rows().len(), Vec::new());
        // The same fluents with the same shares are the same feature, however it is written.
        let mut seen = BTreeSet::new();
        for feature in counts.take(MOST_ALONE).chain(distances.into_iter().take(MOST_ALONE)) {
            let shares = feature.shares(vocabulary);
            let key: Vec<(FluentId, u32)> = shares.iter().map(|&(fluent, share)| (fluent, share as u32)).collect();
            if !seen.insert(key) {
                continue;
            }
            let number = this.alone.len() as u32;
            for (fluent, share) in shares.into_iter().filter(|(_, share)| *share != 0.0) {
                this.of_fluent[fluent.0 as usize].push((number, share));
            }
            this.tables.push(table_of(&feature));
            this.alone.push(feature);
        }
        this.relate(&likeness, &graphs, initial);
        this
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.alone.len() + self.relative.len()
    }

    /// Whether a number is that of a difference, and of which.
    pub(super) fn parts(&self, number: usize) -> Option<(usize, usize)> {
        let (one, two) = *self.relative.get(number.checked_sub(self.alone.len())?)?;
        Some((one as usize, two as usize))
    }

    /// The table that a feature looks at.
    pub(super) fn table(&self, number: usize) -> TableId {
        self.tables[self.parts(number).map_or(number, |(one, _)| one)]
    }

    /// A candidate as a feature.
    pub(super) fn feature(&self, number: usize) -> Feature {
        let Some((one, two)) = self.parts(number) else { return self.alone[number].clone() };
        match (&self.alone[one], &self.alone[two]) {
            (Feature::Count(more), Feature::Count(less)) => Feature::Difference(more.clone(), less.clone()),
            (Feature::Distance(more), Feature::Distance(less)) => Feature::Lag(more.clone(), less.clone()),
            (other, _) => unreachable!("differences are of counts or of distances, not of {other:?}"),
        }
    }

    /// The values of all candidates in a state.
    pub(super) fn values(&self, words: &[u64], values: &mut Vec<f64>) {
        values.clear();
        values.resize(self.alone.len(), 0.0);
        each_bit(words, |fluent| {
            for &(number, share) in self.of_fluent.get(fluent).map_or(&[][..], Vec::as_slice) {
                values[number as usize] += f64::from(share);
            }
        });
        for &(one, two) in &self.relative {
            values.push(values[one as usize] - values[two as usize]);
        }
    }

    /// Finds the differences: two features that are the same but for constants that look alike, and equal at the start.
    fn relate(&mut self, likeness: &Likeness, graphs: &[Graph], initial: &[u64]) {
        let mut values = Vec::new();
        self.values(initial, &mut values);
        for (one, first) in self.alone.iter().enumerate() {
            for (two, second) in self.alone.iter().enumerate().skip(one + 1) {
                if self.tables[one] == self.tables[two]
                    && (values[one] - values[two]).abs() < 0.5
                    && is_mirrored(first, second, likeness, graphs)
                {
                    self.relative.push((one as u32, two as u32));
                }
            }
        }
        self.relative.truncate(MOST_RELATIVE);
    }
}

fn table_of(feature: &Feature) -> TableId {
    match feature {
        Feature::Count(pattern) | Feature::Difference(pattern, _) => pattern.table,
        Feature::Distance(distance) | Feature::Lag(distance, _) => distance.pattern.table,
        Feature::Moves(_) => TableId(0),
    }
}

/// Whether two features are the same but for one constant that looks alike, and perhaps a place that has the same part in another order: the last
/// rank of red and that of black.
fn is_mirrored(one: &Feature, two: &Feature, likeness: &Likeness, graphs: &[Graph]) -> bool {
    match (one, two) {
        (Feature::Count(one), Feature::Count(two)) => {
            let Some(differing) = differing(one, two) else { return false };
            let alike = |&(_, one, two): &(usize, SymbolId, SymbolId)| likeness.is_alike(one, two);
            let placed = |&(_, one, two): &(usize, SymbolId, SymbolId)| graphs.iter().any(|graph| graph.is_mirrored(one, two));
            match &differing[..] {
                [only] => alike(only),
                [first, second] => {
                    alike(first) && !placed(first) && placed(second) || alike(second) && !placed(second) && placed(first)
                }
                _ => false,
            }
        }
        (Feature::Distance(one), Feature::Distance(two)) => {
            let shape = |distance: &Distance| distance.layers.iter().map(|layer| layer.len()).collect::<Vec<_>>();
            one.column == two.column
                && shape(one) == shape(two)
                && differing(&one.pattern, &two.pattern)
                    .is_some_and(|list| matches!(list[..], [(_, one, two)] if likeness.is_alike(one, two)))
        }
        _ => false,
    }
}

/// The columns in which two patterns have different symbols; `None` where one leaves a column open that the other does not.
fn differing(one: &Pattern, two: &Pattern) -> Option<Vec<(usize, SymbolId, SymbolId)>> {
    let mut list = Vec::new();
    for (column, both) in one.symbols.iter().zip(&two.symbols).enumerate() {
        match both {
            (Some(one), Some(two)) if one != two => list.push((column, *one, *two)),
            (Some(_), Some(_)) | (None, None) => {}
            _ => return None,
        }
    }
    Some(list)
}

/// Writes expressions.
struct Writer<'a> {
    vocabulary: &'a Vocabulary,
    graphs: &'a [Graph],
    likeness: &'a Likeness,
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
                let symbols = self.symbols(&pattern, column);
                let chosen: Vec<SymbolId> = if symbols.len() <= self.domain {
                    symbols.iter().copied().collect()
                } else {
                    let written = |symbol: &SymbolId| self.likeness.is_written(table, column, *symbol);
                    let ends = self.graphs.iter().filter(|graph| graph.covers(&symbols)).flat_map(|graph| graph.ends(&symbols));
                    let chosen: BTreeSet<SymbolId> = symbols.iter().copied().filter(written).chain(ends).collect();
                    chosen.into_iter().collect()
                };
                patterns.extend(chosen.into_iter().map(|symbol| pattern.with(column, symbol)));
                if patterns.len() > MOST_ALONE {
                    break;
                }
            }
        }
        patterns.truncate(MOST_ALONE);
        self.patterns.extend(patterns);
    }

    /// The symbols that stand in a column of the rows of a pattern.
    fn symbols(&self, pattern: &Pattern, column: usize) -> BTreeSet<SymbolId> {
        let rows = pattern.fluents(self.vocabulary).into_iter();
        rows.map(|fluent| self.vocabulary.rows()[fluent.0 as usize].symbols[column]).collect()
    }

    /// All distances of the rows of a pattern. Only columns that tell kinds of rows apart may be closed.
    fn distances(&self, pattern: &Pattern, found: &mut Vec<Feature>) {
        let columns = &self.vocabulary.table(pattern.table).columns;
        let is_plain = |(column, symbol): (usize, &Option<SymbolId>)| symbol.is_none() || columns[column].len() <= self.domain;
        if !pattern.symbols.iter().enumerate().all(is_plain) {
            return;
        }
        for column in (0..columns.len()).filter(|&column| pattern.symbols[column].is_none()) {
            let symbols = self.symbols(pattern, column);
            for graph in self.graphs.iter().filter(|graph| graph.covers(&symbols)) {
                let written = |symbol: &SymbolId| self.likeness.is_written(pattern.table, column, *symbol);
                let targets: BTreeSet<SymbolId> = symbols.iter().copied().filter(written).chain(graph.ends(&symbols)).collect();
                for target in targets {
                    if let Some(layers) = graph.layers(target, &symbols) {
                        found.push(Feature::Distance(Distance { pattern: pattern.clone(), column, layers }));
                    }
                }
            }
        }
    }
}

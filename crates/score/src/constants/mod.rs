//! What the rules of a game say about its constants: which of them look alike, and which stand beside each other.

mod domains;
mod graph;
mod likeness;

pub(crate) use domains::Domains;
pub(crate) use graph::Graph;
pub(crate) use likeness::Likeness;

use crate::distance::Distance;
use crate::pattern::Pattern;
use crate::vocabulary::{SymbolId, TableId, Vocabulary};
use ludens_gdl::Rules;
use std::collections::BTreeSet;

/// Where more symbols of a column stand out than these, none is a place to walk to.
const MOST_TARGETS: usize = 256;

/// What is said about all of them.
#[derive(Debug)]
pub(crate) struct Constants<'a> {
    vocabulary: &'a Vocabulary,
    domains: Domains,
    pub(crate) graphs: Vec<Graph>,
    pub(crate) likeness: Likeness,
}

impl<'a> Constants<'a> {
    pub(crate) fn of(rules: &Rules, vocabulary: &'a Vocabulary) -> Constants<'a> {
        let domains = Domains::of(rules, vocabulary);
        let graphs = Graph::all(rules, vocabulary, &domains);
        Constants { vocabulary, domains, graphs, likeness: Likeness::of(rules, vocabulary) }
    }

    /// The graphs that say something about these symbols of a column.
    pub(crate) fn graphs_of<'s>(
        &'s self,
        table: TableId,
        column: usize,
        symbols: &'s BTreeSet<SymbolId>,
    ) -> impl Iterator<Item = &'s Graph> {
        let domain = self.domains.of_column(table, column, self.vocabulary.table(table).columns.len());
        self.graphs.iter().filter(move |graph| graph.covers(symbols, domain))
    }

    /// Those symbols of a column that stand out: the rules ask for them, or they have fewer neighbours than others.
    pub(crate) fn special(&self, table: TableId, column: usize, symbols: &BTreeSet<SymbolId>) -> BTreeSet<SymbolId> {
        let written = symbols.iter().copied().filter(|&symbol| self.likeness.is_written(table, column, symbol));
        written.chain(self.graphs_of(table, column, symbols).flat_map(|graph| graph.ends(symbols))).collect()
    }

    /// The symbols that stand in a column of the rows of a pattern.
    pub(crate) fn symbols(&self, pattern: &Pattern, column: usize) -> BTreeSet<SymbolId> {
        let rows = pattern.fluents(self.vocabulary).into_iter();
        rows.map(|fluent| self.vocabulary.rows()[fluent.0 as usize].symbols[column]).collect()
    }

    /// All distances of the rows of a pattern, from symbols that stand out.
    pub(crate) fn distances(&self, pattern: &Pattern) -> Vec<Distance> {
        let mut found = Vec::new();
        for column in (0..pattern.symbols.len()).filter(|&column| pattern.symbols[column].is_none()) {
            let symbols = self.symbols(pattern, column);
            let targets = self.special(pattern.table, column, &symbols);
            if targets.len() > MOST_TARGETS {
                continue;
            }
            for graph in self.graphs_of(pattern.table, column, &symbols) {
                let layers = targets.iter().filter_map(|&target| graph.layers(target, &symbols));
                found.extend(layers.map(|layers| Distance { pattern: pattern.clone(), column, layers }));
            }
        }
        found
    }
}

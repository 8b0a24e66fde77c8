//! Many patterns at once, and which fluents each means.

use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, Table, Vocabulary};
use std::collections::BTreeMap;

/// Patterns by number.
#[derive(Debug)]
pub(crate) struct Patterns {
    patterns: Vec<Pattern>,
    /// Per fluent: the patterns that mean it.
    of_fluent: Vec<Vec<u32>>,
}

impl Patterns {
    /// For every table, `columns` tells lists of columns; those of every fluent that is wanted get their symbols, and all others stay open.
    pub(crate) fn new(
        vocabulary: &Vocabulary,
        columns: impl Fn(&Table) -> Vec<Vec<usize>>,
        is_wanted: impl Fn(FluentId) -> bool,
    ) -> Patterns {
        let mut numbers: BTreeMap<Pattern, u32> = BTreeMap::new();
        let mut of_fluent = vec![Vec::new(); vocabulary.rows().len()];
        for (id, table) in vocabulary.tables() {
            let (whole, lists) = (Pattern::all(vocabulary, id), columns(table));
            for &fluent in table.rows.iter().filter(|fluent| is_wanted(**fluent)) {
                let symbols = &vocabulary.rows()[fluent.0 as usize].symbols;
                for list in &lists {
                    let pattern = list.iter().fold(whole.clone(), |pattern, &column| pattern.with(column, symbols[column]));
                    let next = numbers.len() as u32;
                    of_fluent[fluent.0 as usize].push(*numbers.entry(pattern).or_insert(next));
                }
            }
        }
        let mut patterns: Vec<(u32, Pattern)> = numbers.into_iter().map(|(pattern, number)| (number, pattern)).collect();
        patterns.sort_unstable_by_key(|(number, _)| *number);
        Patterns { patterns: patterns.into_iter().map(|(_, pattern)| pattern).collect(), of_fluent }
    }

    pub(crate) fn all(&self) -> &[Pattern] {
        &self.patterns
    }

    pub(crate) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// The patterns that mean a fluent.
    pub(crate) fn of_fluent(&self, fluent: usize) -> &[u32] {
        &self.of_fluent[fluent]
    }

    /// How many fluents there are.
    pub(crate) fn fluents(&self) -> usize {
        self.of_fluent.len()
    }
}

/// All ways to choose some of these columns, none and all included.
pub(crate) fn subsets(columns: &[usize]) -> Vec<Vec<usize>> {
    let chosen = |subset: usize| (0..columns.len()).filter(move |place| subset >> place & 1 == 1).map(|place| columns[place]);
    (0..1_usize << columns.len()).map(|subset| chosen(subset).collect()).collect()
}

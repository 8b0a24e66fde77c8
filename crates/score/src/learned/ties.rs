//! Which patterns mean which fluents.

use crate::pattern::Pattern;
use crate::vocabulary::Vocabulary;
use std::collections::BTreeMap;

/// A table with more columns is looked at as a whole, by one column at a time, and row by row.
const MOST_COLUMNS: usize = 5;

/// All patterns that stand for something in common, and the fluents that each means.
#[derive(Debug)]
pub(super) struct Ties {
    patterns: Vec<Pattern>,
    /// Per fluent.
    of_fluent: Vec<Vec<u32>>,
}

impl Ties {
    /// Leaves fluents out that are clocks.
    pub(super) fn new(vocabulary: &Vocabulary, clocks: &[bool]) -> Ties {
        let mut numbers: BTreeMap<Pattern, u32> = BTreeMap::new();
        let mut of_fluent = vec![Vec::new(); vocabulary.rows().len()];
        for (id, table) in vocabulary.tables() {
            let columns = table.columns.len();
            let whole = Pattern::all(vocabulary, id);
            for &fluent in table.rows.iter().filter(|fluent| !clocks[fluent.0 as usize]) {
                let row = &vocabulary.rows()[fluent.0 as usize];
                let last = (1_usize << columns.min(63)) - 1;
                let singles = (0..columns.min(63)).map(|column| 1 << column);
                let subsets: Vec<usize> =
                    if columns <= MOST_COLUMNS { (0..=last).collect() } else { [0, last].into_iter().chain(singles).collect() };
                for subset in subsets {
                    let chosen = (0..columns.min(63)).filter(|column| subset >> column & 1 == 1);
                    let pattern = chosen.fold(whole.clone(), |pattern, column| pattern.with(column, row.symbols[column]));
                    let next = numbers.len() as u32;
                    of_fluent[fluent.0 as usize].push(*numbers.entry(pattern).or_insert(next));
                }
            }
        }
        let mut patterns: Vec<(u32, Pattern)> = numbers.into_iter().map(|(pattern, number)| (number, pattern)).collect();
        patterns.sort_unstable_by_key(|(number, _)| *number);
        Ties { patterns: patterns.into_iter().map(|(_, pattern)| pattern).collect(), of_fluent }
    }

    pub(super) fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    pub(super) fn of_fluent(&self, fluent: usize) -> &[u32] {
        &self.of_fluent[fluent]
    }

    pub(super) fn fluents(&self) -> usize {
        self.of_fluent.len()
    }
}

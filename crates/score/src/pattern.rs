//! Expressions over one table, with `?` for whatever there is: `(cell ? ? x)`.

use crate::vocabulary::{FluentId, Row, SymbolId, TableId, Vocabulary, parts};
use std::fmt::Write;

/// Rows of a table with certain symbols in some columns. Its value in a state is how many of them are true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pattern {
    /// The table.
    pub table: TableId,
    /// Per column: the symbol that stands there; `None` for any.
    pub symbols: Box<[Option<SymbolId>]>,
}

impl Pattern {
    /// All rows of a table.
    pub fn all(vocabulary: &Vocabulary, table: TableId) -> Pattern {
        Pattern { table, symbols: vec![None; vocabulary.table(table).columns.len()].into() }
    }

    /// The same with a symbol in a column.
    #[must_use]
    pub fn with(&self, column: usize, symbol: SymbolId) -> Pattern {
        let mut symbols = self.symbols.clone();
        symbols[column] = Some(symbol);
        Pattern { table: self.table, symbols }
    }

    /// Whether a row is meant.
    pub fn matches(&self, row: &Row) -> bool {
        row.table == self.table
            && self.symbols.iter().zip(&row.symbols).all(|(wanted, &symbol)| wanted.is_none_or(|wanted| wanted == symbol))
    }

    /// The fluents that are meant.
    pub fn fluents(&self, vocabulary: &Vocabulary) -> Vec<FluentId> {
        let rows = vocabulary.table(self.table).rows.iter().copied();
        rows.filter(|fluent| self.matches(&vocabulary.rows()[fluent.0 as usize])).collect()
    }

    /// As a rule sheet would write it.
    pub fn text(&self, vocabulary: &Vocabulary) -> String {
        let name = &vocabulary.table(self.table).name;
        if self.symbols.is_empty() {
            return name.clone();
        }
        let mut text = format!("({name}");
        for symbol in &self.symbols {
            let _ = write!(text, " {}", symbol.map_or("?", |symbol| vocabulary.symbol(symbol)));
        }
        text.push(')');
        text
    }

    /// What [`Pattern::text`] wrote; `None` where the game has no such table or symbol.
    pub fn parse(vocabulary: &Vocabulary, text: &str) -> Option<Pattern> {
        let parts = parts(text);
        let (name, arguments) = parts.split_first()?;
        let table = vocabulary.find_table(name, arguments.len())?;
        let symbols = arguments.iter().map(
            |&argument| {
                if argument == "?" { Some(None) } else { vocabulary.find_symbol(argument).map(Some) }
            },
        );
        Some(Pattern { table, symbols: symbols.collect::<Option<_>>()? })
    }
}

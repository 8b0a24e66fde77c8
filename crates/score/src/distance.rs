//! How far rows are from a symbol, along a relation of the rules: `(distance (cell ? ? red) 2 8 7 6 5 4 3 2 1)`.

use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, SymbolId, Vocabulary, parts};
use std::fmt::Write;

/// The rows of a pattern, each with the steps from the symbol in one of its columns to a target. Its value in a state is the sum
/// over the rows that are true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance {
    /// The rows.
    pub pattern: Pattern,
    /// The column that is looked at, which the pattern leaves open.
    pub column: usize,
    /// The symbols that are 0 steps away, which is the target, 1 step, 2 steps, and so on. Symbols that are in none of them add
    /// nothing.
    pub layers: Box<[Box<[SymbolId]>]>,
}

impl Distance {
    /// The steps from a symbol to the target.
    pub fn steps(&self, symbol: SymbolId) -> Option<usize> {
        self.layers.iter().position(|layer| layer.contains(&symbol))
    }

    /// The symbol that distances are measured from.
    pub fn target(&self) -> Option<SymbolId> {
        self.layers.first().and_then(|layer| layer.first().copied())
    }

    /// The steps of every fluent that is meant.
    pub fn shares(&self, vocabulary: &Vocabulary) -> Vec<(FluentId, f32)> {
        let steps = |fluent: FluentId| self.steps(vocabulary.rows()[fluent.0 as usize].symbols[self.column]).unwrap_or(0);
        self.pattern.fluents(vocabulary).into_iter().map(|fluent| (fluent, steps(fluent) as f32)).collect()
    }

    /// As an expression: the pattern, the column counted from 1, and the symbols from the target outwards. Those equally far
    /// stand in parentheses, as do symbols that have some of their own.
    pub fn text(&self, vocabulary: &Vocabulary) -> String {
        let mut text = format!("(distance {} {}", self.pattern.text(vocabulary), self.column + 1);
        for layer in &self.layers {
            let names: Vec<&str> = layer.iter().map(|&symbol| vocabulary.symbol(symbol)).collect();
            let _ = match names[..] {
                [name] if !name.starts_with('(') => write!(text, " {name}"),
                _ => write!(text, " ({})", names.join(" ")),
            };
        }
        text.push(')');
        text
    }

    /// What [`Distance::text`] wrote; `None` where the game has no such table, column or symbol.
    pub fn parse(vocabulary: &Vocabulary, text: &str) -> Option<Distance> {
        let parts_of_it = parts(text);
        let ["distance", pattern, column, layers @ ..] = &parts_of_it[..] else { return None };
        let pattern = Pattern::parse(vocabulary, pattern)?;
        let column = column.parse::<usize>().ok()?.checked_sub(1)?;
        if pattern.symbols.get(column)?.is_some() {
            return None;
        }
        let layer = |text: &&str| {
            let names = if text.starts_with('(') { parts(text) } else { vec![*text] };
            names.into_iter().map(|name| vocabulary.find_symbol(name)).collect::<Option<Box<[SymbolId]>>>()
        };
        Some(Distance { pattern, column, layers: layers.iter().map(layer).collect::<Option<_>>()? })
    }
}

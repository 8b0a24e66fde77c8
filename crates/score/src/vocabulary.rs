//! What a game's states are written in: tables of rows, as a reader of the rules sees them.
//!
//! A *row* is a fluent, true or not; its *table* is the fluent's name, a *column* an argument and a *symbol* what stands there. `(cell 2 3 x)` is a row
//! of the table `cell` with three columns. Arguments that are compound are symbols like any other.

use crate::derived::Derived;
use crate::lines::{Family, families};
use ludens_machine::Machine;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A fluent, by its bit in the words of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FluentId(pub u32);

/// A table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableId(pub u32);

/// A symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SymbolId(pub u32);

/// A name with its fluents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// As the rules have it.
    pub name: String,
    /// Per column: the symbols that stand there in some fluent, each once.
    pub columns: Vec<Vec<SymbolId>>,
    /// Its fluents.
    pub rows: Vec<FluentId>,
}

/// A fluent as a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The table it is of.
    pub table: TableId,
    /// What stands in its columns.
    pub symbols: Box<[SymbolId]>,
}

/// All tables of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    tables: Vec<Table>,
    symbols: Vec<String>,
    rows: Vec<Row>,
    families: Vec<Family>,
    derived: Option<Arc<Derived>>,
}

impl Vocabulary {
    /// The tables of a machine; `None` where its states are not made of bits.
    pub fn of(machine: &Machine) -> Option<Vocabulary> {
        let families = machine.net().map(families).unwrap_or_default();
        let states = Vocabulary::of_texts(machine.fluent_texts()?);
        let derived = Derived::of(machine, &states).map(Arc::new);
        Some(Vocabulary { families, derived, ..states })
    }

    pub(crate) fn of_texts(texts: &[String]) -> Vocabulary {
        let mut this =
            Vocabulary { tables: Vec::new(), symbols: Vec::new(), rows: Vec::new(), families: Vec::new(), derived: None };
        let (mut tables, mut symbols) = (BTreeMap::new(), BTreeMap::new());
        for (fluent, text) in (0..).zip(texts) {
            let parts = parts(text);
            let (name, arguments) = parts.split_first().map_or(("", &[][..]), |(name, rest)| (*name, rest));
            // The same name with more or fewer arguments is another table.
            let table = *tables.entry((name, arguments.len())).or_insert_with(|| {
                this.tables.push(Table { name: name.to_owned(), columns: vec![Vec::new(); arguments.len()], rows: Vec::new() });
                TableId(this.tables.len() as u32 - 1)
            });
            let ids = arguments.iter().map(|&argument| {
                *symbols.entry(argument).or_insert_with(|| {
                    this.symbols.push(argument.to_owned());
                    SymbolId(this.symbols.len() as u32 - 1)
                })
            });
            let ids: Box<[SymbolId]> = ids.collect();
            let known = &mut this.tables[table.0 as usize];
            known.rows.push(FluentId(fluent));
            for (column, &symbol) in known.columns.iter_mut().zip(&ids) {
                if !column.contains(&symbol) {
                    column.push(symbol);
                }
            }
            this.rows.push(Row { table, symbols: ids });
        }
        this
    }

    /// All tables, in the order of their ids.
    pub fn tables(&self) -> impl ExactSizeIterator<Item = (TableId, &Table)> {
        self.tables.iter().enumerate().map(|(id, table)| (TableId(id as u32), table))
    }

    /// One of them.
    pub fn table(&self, id: TableId) -> &Table {
        &self.tables[id.0 as usize]
    }

    /// The table with this name and so many columns.
    pub fn find_table(&self, name: &str, columns: usize) -> Option<TableId> {
        let names = self.tables.iter().map(|table| (table.columns.len() == columns).then_some(table.name.as_str()));
        find(&names, name).map(|id| TableId(id as u32))
    }

    /// A symbol as the rules have it.
    pub fn symbol(&self, id: SymbolId) -> &str {
        &self.symbols[id.0 as usize]
    }

    /// The symbol with this text.
    pub fn find_symbol(&self, text: &str) -> Option<SymbolId> {
        find(&self.symbols.iter().map(|symbol| Some(symbol.as_str())), text).map(|id| SymbolId(id as u32))
    }

    /// How many symbols there are.
    pub fn symbols(&self) -> usize {
        self.symbols.len()
    }

    /// All fluents as rows, in the order of their ids.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Lines of fluents that earn points or end the match.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// What the rules derive from a state, if anything.
    pub fn derived(&self) -> Option<&Arc<Derived>> {
        self.derived.as_ref()
    }

    /// Words of a state.
    pub fn words(&self) -> usize {
        self.rows.len().div_ceil(64)
    }
}

/// Where a name stands in a list; letter case counts only where names differ in nothing else.
fn find<'n>(names: &(impl Iterator<Item = Option<&'n str>> + Clone), wanted: &str) -> Option<usize> {
    let exactly = names.clone().position(|name| name == Some(wanted));
    exactly.or_else(|| names.clone().position(|name| name.is_some_and(|name| name.eq_ignore_ascii_case(wanted))))
}

/// The parts of an expression: what stands between its outermost parentheses, or a single word.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let text = text.trim();
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return vec![text] };
    let (mut parts, mut depth, mut first) = (Vec::new(), 0_usize, None);
    for (at, letter) in inner.char_indices() {
        if depth == 0
            && (letter.is_whitespace() || letter == '(')
            && let Some(first) = first.take()
        {
            parts.push(&inner[first..at]);
        }
        if !letter.is_whitespace() && first.is_none() {
            first = Some(at);
        }
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0
            && letter == ')'
            && let Some(first) = first.take()
        {
            parts.push(&inner[first..=at]);
        }
    }
    parts.extend(first.map(|first| &inner[first..]));
    parts
}

#[cfg(test)]
mod tests {
    use super::{TableId, Vocabulary, parts};

    #[test]
    fn expressions_have_parts() {
        assert_eq!(parts("(cell 1 2 x)"), ["cell", "1", "2", "x"]);
        assert_eq!(parts("over"), ["over"]);
        assert_eq!(parts("(at (pair 1 (f 2)) b)"), ["at", "(pair 1 (f 2))", "b"]);
        assert_eq!(parts(" (f(g 1)2) "), ["f", "(g 1)", "2"]);
        assert_eq!(parts("()"), [""; 0]);
    }

    #[test]
    fn fluents_are_rows_of_tables() {
        let texts = ["(cell 1 1 x)", "(cell 1 2 x)", "(control x)", "over", "(cell 9)"].map(str::to_owned);
        let vocabulary = Vocabulary::of_texts(&texts);
        let names: Vec<_> = vocabulary.tables().map(|(_, table)| (table.name.as_str(), table.columns.len())).collect();
        assert_eq!(names, [("cell", 3), ("control", 1), ("over", 0), ("cell", 1)]);
        let cell = vocabulary.table(vocabulary.find_table("CELL", 3).expect("it is there"));
        let symbols: Vec<Vec<&str>> =
            cell.columns.iter().map(|column| column.iter().map(|&symbol| vocabulary.symbol(symbol)).collect()).collect();
        assert_eq!(symbols, [vec!["1"], vec!["1", "2"], vec!["x"]]);
        assert_eq!(vocabulary.rows()[3].table, TableId(2));
        assert_eq!(vocabulary.words(), 1);
    }

    #[test]
    fn case_counts_only_where_it_must() {
        let vocabulary = Vocabulary::of_texts(&["(cell q)", "(cell Q)", "(cell k)"].map(str::to_owned));
        let found = ["q", "Q", "K", "r"].map(|text| vocabulary.find_symbol(text).map(|symbol| vocabulary.symbol(symbol)));
        assert_eq!(found, [Some("q"), Some("Q"), Some("k"), None]);
    }
}

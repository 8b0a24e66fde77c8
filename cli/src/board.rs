//! Drawing a position: `[board]` of a `game.toml` says which fluents are the board.

use ludens_gdl::parse_ground;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A relation, and which of its arguments, counted from 1, is what.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Board {
    pub(crate) relation: String,
    pub(crate) row: usize,
    pub(crate) column: usize,
    pub(crate) content: Content,
    /// What an empty cell holds, where it holds something; a cell of which no fluent speaks is empty too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) empty: Option<String>,
    /// From top to bottom; without it, those that occur, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rows: Option<Vec<String>>,
    /// From left to right; without it, those that occur, sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) columns: Option<Vec<String>>,
    /// What is drawn where a cell holds several things: the first of these, or else whatever there is.
    #[serde(default)]
    pub(crate) front: Vec<String>,
    #[serde(default)]
    pub(crate) shape: Shape,
    /// How contents are drawn, where their first letters will not do.
    #[serde(default)]
    pub(crate) symbols: BTreeMap<String, String>,
}

/// One argument, or several that are joined by a blank.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Content {
    One(usize),
    Several(Vec<usize>),
}

/// How the rows lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Shape {
    #[default]
    Square,
    /// Each row is half a cell further right than the one above.
    Hexagonal,
}

/// A cell and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) row: String,
    pub(crate) column: String,
    pub(crate) content: String,
}

impl Board {
    /// The cell a fluent speaks of, if it is one of the board's.
    pub(crate) fn cell(&self, fluent: &str) -> Option<Cell> {
        let term = parse_ground(fluent).ok().filter(|term| term.name == self.relation)?;
        let argument = |place: usize| Some(term.args.get(place.checked_sub(1)?)?.to_string());
        let content = match &self.content {
            Content::One(place) => argument(*place)?,
            Content::Several(places) => places.iter().map(|&place| argument(place)).collect::<Option<Vec<_>>>()?.join(" "),
        };
        Some(Cell { row: argument(self.row)?, column: argument(self.column)?, content })
    }

    /// What stands for a content: its own symbol, or the first letters of its words.
    pub(crate) fn symbol(&self, content: &str) -> String {
        match self.symbols.get(content) {
            Some(symbol) => symbol.clone(),
            None if self.empty.as_deref() == Some(content) => ".".to_owned(),
            None if content.parse::<u32>().is_ok() => content.to_owned(),
            None => content.split(' ').filter_map(|word| word.chars().next()).collect(),
        }
    }

    /// The state in which these fluents hold, as a drawing with a line for each row. Where none of the `declared` fluents can ever hold there
    /// is no cell.
    pub(crate) fn draw(&self, fluents: &[String], declared: &[String]) -> String {
        let cells: Vec<Cell> = fluents.iter().filter_map(|fluent| self.cell(fluent)).collect();
        let places: BTreeSet<(String, String)> =
            declared.iter().filter_map(|fluent| self.cell(fluent)).map(|cell| (cell.row, cell.column)).collect();
        self.draw_cells(&cells, &places)
    }

    /// Cells with what they hold, as a drawing. All other places, which are given by row and column, are empty.
    pub(crate) fn draw_cells(&self, cells: &[Cell], places: &BTreeSet<(String, String)>) -> String {
        let rows = labels(self.rows.as_ref(), cells.iter().map(|cell| &cell.row));
        let columns = labels(self.columns.as_ref(), cells.iter().map(|cell| &cell.column));
        let nothing = |row: &String, column: &String| if places.contains(&(row.clone(), column.clone())) { "." } else { " " };
        let drawn = |row: &String, column: &String| {
            let here = cells.iter().filter(|cell| cell.row == *row && cell.column == *column);
            let depth = |cell: &&Cell| self.front.iter().position(|content| *content == cell.content).unwrap_or(usize::MAX);
            here.min_by_key(depth).map_or_else(|| nothing(row, column).to_owned(), |cell| self.symbol(&cell.content))
        };
        let wide = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
        let table: Vec<Vec<String>> = rows.iter().map(|row| columns.iter().map(|column| drawn(row, column)).collect()).collect();
        let width = wide(&columns).max(table.iter().map(|row| wide(row)).max().unwrap_or(0));
        let margin = wide(&rows);
        let mut text = String::new();
        let mut line = |label: &str, shift: usize, cells: &[String]| {
            let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
            let whole = format!("{label:>margin$}  {:shift$}{}", "", cells.join(" "));
            text.push_str(whole.trim_end());
            text.push('\n');
        };
        let step = if self.shape == Shape::Hexagonal { width.div_ceil(2) } else { 0 };
        for (index, (row, cells)) in rows.iter().zip(&table).enumerate() {
            line(row, index * step, cells);
        }
        line("", rows.len() * step, &columns);
        text
    }
}

/// The given labels, or those that occur: numbers by value, then names.
fn labels<'a>(given: Option<&Vec<String>>, seen: impl Iterator<Item = &'a String>) -> Vec<String> {
    given.cloned().unwrap_or_else(|| {
        let mut labels: Vec<String> = seen.cloned().collect();
        labels.sort_by_key(|label| (label.parse::<u64>().unwrap_or(u64::MAX), label.clone()));
        labels.dedup();
        labels
    })
}

#[cfg(test)]
mod tests {
    use super::Board;

    fn draw(board: &str, fluents: &[&str], declared: &[&str]) -> String {
        let board: Board = toml::from_str(board).unwrap();
        let [fluents, declared] =
            [fluents, declared].map(|list| list.iter().map(|&fluent| fluent.to_owned()).collect::<Vec<_>>());
        board.draw(&fluents, &declared)
    }

    #[test]
    fn cells_are_drawn_in_their_places() {
        let board = "relation = 'cell'\nrow = 1\ncolumn = 2\ncontent = 3\nempty = 'blank'\n";
        let fluents = ["(cell 10 a x)", "(cell 9 a blank)", "(cell 9 b o)", "(control x)", "(cell 9)"];
        assert_eq!(draw(board, &fluents, &fluents), " 9  . o\n10  x\n    a b\n");
    }

    #[test]
    fn cells_without_a_fluent_are_empty_where_empty_has_no_name() {
        let board = "relation = 'at'\nrow = 2\ncolumn = 1\ncontent = [3, 4]\nrows = ['2', '1']\ncolumns = ['a', 'b']\n\
            symbols = { 'white king' = 'K' }\n";
        let fluents = ["(at a 1 white king)", "(at b 2 black pawn)"];
        let declared = ["(at a 1 white king)", "(at a 2 white king)", "(at b 2 black pawn)"];
        assert_eq!(draw(board, &fluents, &declared), "2   . bp\n1   K\n    a  b\n");
    }

    #[test]
    fn what_is_in_front_hides_the_rest() {
        let board = "relation = 'at'\nrow = 1\ncolumn = 2\ncontent = 3\nempty = 'e'\nfront = ['king', 'pawn']\n";
        assert_eq!(draw(board, &["(at 1 1 dot)", "(at 1 1 pawn)", "(at 1 1 king)", "(at 1 2 dot)"], &[]), "1  k d\n   1 2\n");
    }

    #[test]
    fn rows_of_a_hexagonal_board_are_shifted() {
        let board = "relation = 'cell'\nrow = 1\ncolumn = 2\ncontent = 3\nempty = 'e'\nshape = 'hexagonal'\n";
        let fluents = ["(cell 1 a e)", "(cell 1 b r)", "(cell 2 a b)", "(cell 2 b e)"];
        assert_eq!(draw(board, &fluents, &fluents), "1  . r\n2   b .\n     a b\n");
    }
}

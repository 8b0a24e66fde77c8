//! Features in English.
//!
//! Where a table is a board, with two columns that number or letter its squares, places and what stands there are told apart: `(cell ? 7 white man)` is
//! `white men in row 7`.

use crate::distance::Distance;
use crate::pattern::Pattern;
use crate::vocabulary::{SymbolId, Table, Vocabulary};

/// A pattern in English.
pub(crate) fn of_pattern(pattern: &Pattern, vocabulary: &Vocabulary) -> String {
    let table = vocabulary.table(pattern.table);
    if let Some(axes) = axes(table, vocabulary) {
        return on_board(pattern, vocabulary, axes);
    }
    let fixed: Vec<&str> = pattern.symbols.iter().flatten().map(|&symbol| vocabulary.symbol(symbol)).collect();
    match (fixed.is_empty(), fixed.len() == pattern.symbols.len()) {
        (true, true) => format!("whether {} holds", table.name),
        (true, false) => format!("how many {} there are", table.name),
        (false, true) => format!("whether {} is {}", table.name, fixed.join(" ")),
        (false, false) => format!("how many {} have {}", table.name, fixed.join(" and ")),
    }
}

/// What one pattern counts more than another.
pub(crate) fn of_difference(more: &Pattern, less: &Pattern, vocabulary: &Vocabulary) -> String {
    format!("{} minus {}", of_pattern(more, vocabulary), of_pattern(less, vocabulary))
}

/// A distance in English.
pub(crate) fn of_distance(distance: &Distance, vocabulary: &Vocabulary) -> String {
    let table = vocabulary.table(distance.pattern.table);
    let fixed: Vec<&str> = distance.pattern.symbols.iter().flatten().map(|&symbol| vocabulary.symbol(symbol)).collect();
    let target = distance.target().map_or("nowhere", |symbol| vocabulary.symbol(symbol));
    match &fixed[..] {
        [] => format!("how far {} is from {target}", table.name),
        fixed => format!("how far {} with {} is from {target}", table.name, fixed.join(" and ")),
    }
}

/// How squares are named in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Names {
    Letters,
    Numbers,
}

/// The two columns of a board that tell places, where there are just two, and something else stands there.
fn axes(table: &Table, vocabulary: &Vocabulary) -> Option<[(usize, Names); 2]> {
    let places: Vec<(usize, Names)> =
        table.columns.iter().enumerate().filter_map(|(column, symbols)| Some((column, names(symbols, vocabulary)?))).collect();
    match places[..] {
        [one, two] if table.columns.len() > 2 => Some([one, two]),
        _ => None,
    }
}

/// Whether all symbols of a column are letters or numbers, and at least three.
fn names(symbols: &[SymbolId], vocabulary: &Vocabulary) -> Option<Names> {
    let all = |is: fn(&str) -> bool| symbols.len() >= 3 && symbols.iter().all(|&symbol| is(vocabulary.symbol(symbol)));
    if all(|text| text.len() == 1 && text.as_bytes()[0].is_ascii_lowercase()) {
        Some(Names::Letters)
    } else if all(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())) {
        Some(Names::Numbers)
    } else {
        None
    }
}

/// A pattern of a board: what, and where.
fn on_board(pattern: &Pattern, vocabulary: &Vocabulary, axes: [(usize, Names); 2]) -> String {
    let is_axis = |column: usize| axes.iter().any(|axis| axis.0 == column);
    let others = || (0..pattern.symbols.len()).filter(|&column| !is_axis(column));
    let content: Vec<&str> = others().filter_map(|column| pattern.symbols[column]).map(|id| vocabulary.symbol(id)).collect();
    let has_noun = others().next_back().is_some_and(|column| pattern.symbols[column].is_some());
    let name = &vocabulary.table(pattern.table).name;
    let what = match &content[..] {
        [] => format!("{name}s"),
        [word] if others().count() == 1 || !has_noun => (*word).to_owned(),
        words if has_noun => plural(&words.join(" ")),
        words => words.join(" "),
    };
    let at = |axis: (usize, Names)| pattern.symbols[axis.0].map(|id| vocabulary.symbol(id));
    // Letters are columns, as in chess; of two numbers nobody knows which is which.
    let line = |axis: usize| match axes.map(|axis| axis.1) {
        [Names::Numbers, Names::Numbers] => ["first coordinate", "second coordinate"][axis],
        [Names::Letters, Names::Letters] => ["first letter", "second letter"][axis],
        both if both[axis] == Names::Letters => "column",
        _ => "row",
    };
    match axes.map(at) {
        [None, None] if content.len() == 1 && what == content[0] => format!("{what} anywhere"),
        [None, None] => what,
        [Some(one), None] => format!("{what} in {} {one}", line(0)),
        [None, Some(two)] => format!("{what} in {} {two}", line(1)),
        [Some(one), Some(two)] if axes[0].1 == axes[1].1 => format!("{what} on {one} {two}"),
        [Some(one), Some(two)] => format!("{what} on {one}{two}"),
    }
}

/// More than one of a kind.
fn plural(name: &str) -> String {
    if let Some(stem) = name.strip_suffix("man") {
        return format!("{stem}men");
    }
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| name.ends_with(end));
    format!("{name}{}", if hisses { "es" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::of_pattern;
    use crate::pattern::Pattern;
    use crate::vocabulary::Vocabulary;

    /// What an expression is in a game with these fluents.
    fn read(fluents: &[String], text: &str) -> String {
        let vocabulary = Vocabulary::of_texts(fluents);
        of_pattern(&Pattern::parse(&vocabulary, text).expect("a pattern of this game"), &vocabulary)
    }

    #[test]
    fn places_and_what_stands_there_are_told_apart() {
        let mut fluents = vec!["(control white)".to_owned(), "(control black)".to_owned(), "lost".to_owned()];
        for (column, row) in [("a", 1), ("b", 2), ("c", 3)] {
            for piece in ["white man", "white king", "black man", "black king"] {
                fluents.push(format!("(cell {column} {row} {piece})"));
            }
            fluents.push(format!("(mark {row} {} x)", row % 3 + 1));
        }
        for (text, english) in [
            ("(cell ? ? white man)", "white men"),
            ("(cell ? ? black king)", "black kings"),
            ("(cell ? ? black ?)", "black anywhere"),
            ("(cell ? 2 black ?)", "black in row 2"),
            ("(cell c ? white king)", "white kings in column c"),
            ("(cell ? ? ? man)", "men"),
            ("(cell a 1 ? man)", "men on a1"),
            ("(cell ? 2 ? ?)", "cells in row 2"),
            ("(mark 2 ? x)", "x in first coordinate 2"),
            ("(mark 2 3 x)", "x on 2 3"),
            ("(control white)", "whether control is white"),
            ("(control ?)", "how many control there are"),
            ("lost", "whether lost holds"),
        ] {
            assert_eq!(read(&fluents, text), english, "{text}");
        }
    }
}

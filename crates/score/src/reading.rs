//! Features in English.
//!
//! Where a table is a board, with two columns that number or letter its squares, places and what stands there are told apart: `(cell ? 7 white man)` is
//! `white men in row 7`.

use crate::distance::Distance;
use crate::pattern::Pattern;
use crate::vocabulary::{SymbolId, Table, Vocabulary};

/// A pattern in English.
pub(crate) fn of_pattern(pattern: &Pattern, vocabulary: &Vocabulary) -> String {
    match what_and_where(pattern, vocabulary) {
        (what, Some(place)) => format!("{what} {place}"),
        (what, None) => what,
    }
}

/// The same, with the place on a board by itself.
fn what_and_where(pattern: &Pattern, vocabulary: &Vocabulary) -> (String, Option<String>) {
    let table = vocabulary.table(pattern.table);
    match axes(table, vocabulary) {
        Some(axes) => on_board(pattern, vocabulary, axes),
        None => (off_board(pattern, vocabulary), None),
    }
}

fn off_board(pattern: &Pattern, vocabulary: &Vocabulary) -> String {
    let table = vocabulary.table(pattern.table);
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

/// Places that are named one by one, at most.
const NAMED: usize = 4;

/// A thing, and the places where it may stand.
type Standing = (String, Vec<String>);

/// What some patterns count more than others. What is the same but for its place is said once: `white men in column a or h`.
pub(crate) fn of_balance(more: &[Pattern], less: &[Pattern], vocabulary: &Vocabulary) -> String {
    let (more, less) = (standing(more, vocabulary), standing(less, vocabulary));
    // Both at the same places: these are said once, too.
    if let ([(one, places)], [(two, others)]) = (&more[..], &less[..])
        && !places.is_empty()
        && places == others
    {
        return with_places(&format!("{one} minus {two}"), places);
    }
    let sum = |things: &[Standing]| {
        let mut told: Vec<String> = things.iter().take(NAMED).map(|(what, places)| with_places(what, places)).collect();
        if things.len() > NAMED {
            told.push(format!("{} more like that", things.len() - NAMED));
        }
        // What holds or not is counted, too.
        told.join(if things.iter().any(|(what, _)| what.starts_with("whether ")) { " plus " } else { " and " })
    };
    if less.is_empty() { sum(&more) } else { format!("{} minus {}", sum(&more), sum(&less)) }
}

/// What some patterns mean, with all places in order.
fn standing(patterns: &[Pattern], vocabulary: &Vocabulary) -> Vec<Standing> {
    let mut things: Vec<Standing> = Vec::new();
    for pattern in patterns {
        let (what, place) = what_and_where(pattern, vocabulary);
        match things.iter_mut().find(|(known, _)| *known == what) {
            Some((_, places)) => places.extend(place),
            None => things.push((what, place.into_iter().collect())),
        }
    }
    for (_, places) in &mut things {
        places.sort();
    }
    things
}

/// Something that may stand at several places: `white men in column a or h or in row 1`.
fn with_places(what: &str, places: &[String]) -> String {
    let mut kinds: Vec<(&str, Vec<&str>)> = Vec::new();
    for place in places.iter().take(NAMED) {
        let (kind, name) = place.rsplit_once(' ').unwrap_or(("", place));
        match kinds.last_mut() {
            Some((known, names)) if *known == kind => names.push(name),
            _ => kinds.push((kind, vec![name])),
        }
    }
    let told = |(kind, names): &(&str, Vec<&str>)| format!("{kind} {}", names.join(" or ")).trim().to_owned();
    let mut told: Vec<String> = kinds.iter().map(told).collect();
    if places.len() > NAMED {
        told.push(format!("{} more like that", places.len() - NAMED));
    }
    format!("{what} {}", told.join(" or ")).trim().to_owned()
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
fn on_board(pattern: &Pattern, vocabulary: &Vocabulary, axes: [(usize, Names); 2]) -> (String, Option<String>) {
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
    let place = match axes.map(at) {
        [None, None] if content.len() == 1 && what == content[0] => Some("anywhere".to_owned()),
        [None, None] => None,
        [Some(one), None] => Some(format!("in {} {one}", line(0))),
        [None, Some(two)] => Some(format!("in {} {two}", line(1))),
        [Some(one), Some(two)] if axes.iter().all(|axis| axis.1 == Names::Letters) => Some(format!("on {one}-{two}")),
        [Some(one), Some(two)] if axes[0].1 == axes[1].1 => Some(format!("on {one},{two}")),
        [Some(one), Some(two)] => Some(format!("on {one}{two}")),
    };
    (what, place)
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
    use super::{of_balance, of_pattern};
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
            ("(mark 2 3 x)", "x on 2,3"),
            ("(control white)", "whether control is white"),
            ("(control ?)", "how many control there are"),
            ("lost", "whether lost holds"),
        ] {
            assert_eq!(read(&fluents, text), english, "{text}");
        }
    }

    #[test]
    fn what_stands_at_several_places_is_named_once() {
        let mut fluents = Vec::new();
        for column in ["a", "b", "c", "d", "e"] {
            fluents.extend(["man", "king"].map(|piece| format!("(cell {column} 1 {piece})")));
            fluents.extend([2, 3].map(|row| format!("(cell {column} {row} man)")));
        }
        let vocabulary = Vocabulary::of_texts(&fluents);
        let read = |more: &[&str], less: &[&str]| {
            let patterns = |texts: &[&str]| -> Vec<Pattern> {
                texts.iter().map(|text| Pattern::parse(&vocabulary, text).expect("a pattern of this game")).collect()
            };
            of_balance(&patterns(more), &patterns(less), &vocabulary)
        };
        assert_eq!(read(&["(cell a ? man)", "(cell e ? man)"], &[]), "man in column a or e");
        assert_eq!(read(&["(cell a 1 man)", "(cell e 1 man)"], &["(cell c ? man)"]), "man on a1 or e1 minus man in column c");
        assert_eq!(read(&["(cell a ? man)", "(cell ? 1 man)"], &[]), "man in column a or in row 1");
        assert_eq!(read(&["(cell a ? man)", "(cell a ? king)"], &[]), "man in column a and king in column a");
        assert_eq!(read(&["(cell ? 1 man)", "(cell e ? man)", "(cell a ? man)"], &[]), "man in column a or e or in row 1");
        let ends = |piece: &str| ["a", "e"].map(|column| format!("(cell {column} 1 {piece})"));
        let (men, kings) = (ends("man"), ends("king"));
        let turned = [kings[1].as_str(), &kings[0]];
        assert_eq!(read(&[&men[0], &men[1]], &turned), "man minus king on a1 or e1");
        let all = ["(cell a 1 man)", "(cell b 1 man)", "(cell c 1 man)", "(cell d 1 man)", "(cell e 1 man)"];
        assert_eq!(read(&all, &[]), "man on a1 or b1 or c1 or d1 or 1 more like that");
    }
}

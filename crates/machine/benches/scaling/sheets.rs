//! Games of the library on boards of other sizes: the statements that make the board are replaced, the rules stay.

use std::fmt::Write as _;
use std::path::Path;

/// As many columns as there are letters.
pub(crate) const MAX_SIZE: usize = 26;

/// A sheet of the library.
pub(crate) fn library(game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    std::fs::read_to_string(path).expect("a sheet of the library")
}

/// Breakthrough on a square board, with two rows of pieces for each player.
pub(crate) fn breakthrough(size: usize) -> String {
    assert!((4..=MAX_SIZE).contains(&size), "{size} rows");
    let sheet = without(&library("breakthrough"), &["column", "right", "row", "above", "last", "home"]);
    let mut board = columns_and_rows(size, "right", "above");
    let _ = writeln!(board, "(last white {size}) (last black 1)");
    let _ = writeln!(board, "(home white 1) (home white 2) (home black {}) (home black {size})", size - 1);
    sheet + &board
}

/// Hex on a board with sides of a given length.
pub(crate) fn hex(size: usize) -> String {
    assert!((2..=MAX_SIZE).contains(&size), "{size} rows");
    let sheet = without(&library("hex"), &["column", "row", "next_column", "next_row"]);
    let sheet = replaced(&sheet, "(far_edge red ?column 9)", &format!("(far_edge red ?column {size})"));
    let sheet = replaced(&sheet, "(far_edge blue i ?row)", &format!("(far_edge blue {} ?row)", letter(size)));
    sheet + &columns_and_rows(size, "next_column", "next_row")
}

fn letter(number: usize) -> char {
    char::from(b'a' + number as u8 - 1)
}

/// The columns `a`, `b`, ... and the rows `1`, `2`, ..., and which follows which.
fn columns_and_rows(size: usize, next_column: &str, next_row: &str) -> String {
    let mut text = String::from("\n");
    for number in 1..=size {
        let _ = writeln!(text, "(column {}) (row {number})", letter(number));
    }
    for number in 1..size {
        let _ = writeln!(text, "({next_column} {} {})", letter(number), letter(number + 1));
        let _ = writeln!(text, "({next_row} {number} {})", number + 1);
    }
    text
}

/// A sheet without the facts of some relations, of which it must have some each. Facts stand on lines of their own.
fn without(sheet: &str, relations: &[&str]) -> String {
    let mut gone = vec![0; relations.len()];
    let mut kept = String::new();
    for line in sheet.lines() {
        // The rest of a rule is indented.
        let of_line = relations.iter().position(|relation| line.starts_with(&format!("({relation} ")));
        match of_line {
            Some(relation) => gone[relation] += 1,
            None => kept.extend([line, "\n"]),
        }
    }
    assert!(gone.iter().all(|&gone| gone > 0), "the sheet states {relations:?}, each on lines of its own: {gone:?}");
    kept
}

/// A sheet with one part, which it has once, replaced.
fn replaced(sheet: &str, part: &str, by: &str) -> String {
    assert_eq!(sheet.matches(part).count(), 1, "the sheet has `{part}` once");
    sheet.replace(part, by)
}

//! Texts, numbers and tables for the page.

use super::verdict::LEVEL;
use std::fmt::Write as _;

/// Names, commands and texts of errors are cut to so many characters.
const LONGEST: usize = 400;
/// What stands for a number that is not known.
pub(super) const NONE: &str = "–";

/// How a column of a table is set.
#[derive(Clone, Copy)]
pub(super) enum Column {
    Text(&'static str),
    Number(&'static str),
}

/// A table in a box of its own, which scrolls, under a note. Cells are HTML; the first of a row is its heading.
pub(super) fn table(note: &str, columns: &[Column], rows: Vec<Vec<String>>, foot: Option<Vec<String>>) -> String {
    let mut text = format!("<p class=\"note\">{note}</p>\n<div class=\"wide\" tabindex=\"0\">\n<table>\n<thead><tr>");
    let class = |column: &Column| if matches!(column, Column::Text(_)) { " class=\"text\"" } else { "" };
    for column in columns {
        let (Column::Text(name) | Column::Number(name)) = column;
        let _ = write!(text, "<th scope=\"col\"{}>{name}</th>", class(column));
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    let has_foot = foot.is_some();
    let count = rows.len();
    for (index, row) in rows.into_iter().chain(foot).enumerate() {
        text.push_str(if has_foot && index == count { "<tr class=\"mean\">" } else { "<tr>" });
        for (place, (cell, column)) in row.iter().zip(columns).enumerate() {
            let class = class(column);
            let _ = if place == 0 {
                write!(text, "<th scope=\"row\"{class}>{cell}</th>")
            } else {
                write!(text, "<td{class}>{cell}</td>")
            };
        }
        text.push_str("</tr>\n");
    }
    text + "</tbody>\n</table>\n</div>\n"
}

pub(super) fn wide(plot: &str) -> String {
    format!("<div class=\"wide\">\n{plot}</div>\n")
}

pub(super) fn finite(value: Option<f64>) -> Option<f64> {
    value.filter(|value| value.is_finite())
}

pub(super) fn finite_interval(interval: Option<[f64; 2]>) -> Option<[f64; 2]> {
    interval.filter(|ends| ends.iter().all(|end| end.is_finite()))
}

pub(super) fn number(value: Option<f64>, decimals: usize) -> String {
    value.map_or(NONE.to_owned(), |value| format!("{value:.decimals$}"))
}

/// With its sign, which nothing has that is 0 when rounded.
pub(super) fn signed(value: Option<f64>, decimals: usize) -> String {
    let Some(value) = value else { return NONE.to_owned() };
    let size = format!("{:.decimals$}", value.abs());
    match size.chars().any(|digit| ('1'..='9').contains(&digit)) {
        false => size,
        true if value < 0.0 => format!("−{size}"),
        true => format!("+{size}"),
    }
}

pub(super) fn range(interval: Option<[f64; 2]>) -> String {
    interval.map_or(NONE.to_owned(), |[low, high]| format!("{low:.3}–{high:.3}"))
}

pub(super) fn likelihood(p: Option<f64>) -> String {
    match finite(p) {
        None => NONE.to_owned(),
        Some(p) if p < 0.001 => "<span class=\"sure\">&lt; 0.001</span>".to_owned(),
        Some(p) if p < LEVEL => format!("<span class=\"sure\">{p:.3}</span>"),
        Some(p) => format!("{p:.3}"),
    }
}

/// A rate with three figures; a dash where there is none.
pub(super) fn short(value: f64) -> String {
    if !value.is_finite() || value <= 0.0 {
        return NONE.to_owned();
    }
    let units = [(1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")];
    let (value, unit) =
        units.iter().find(|(from, _)| value >= 0.9995 * from).map_or((value, ""), |&(by, unit)| (value / by, unit));
    let decimals = match value {
        _ if value >= 99.95 => 0,
        _ if value >= 9.995 => 1,
        _ if value >= 0.9995 => 2,
        _ => 3,
    };
    format!("{value:.decimals$}{unit}")
}

/// The beginning of a long text, without what would hide or turn what follows.
pub(super) fn clean(text: &str) -> String {
    let harmless = |character: char| {
        let turns = matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}');
        match character {
            '\t' | '\n' | '\r' => ' ',
            _ if turns || character.is_control() => '\u{fffd}',
            _ => character,
        }
    };
    let mut cleaned: String = text.chars().take(LONGEST).map(harmless).collect();
    if text.chars().nth(LONGEST).is_some() {
        cleaned.push('…');
    }
    cleaned
}

/// A text of a stranger for the page.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in clean(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

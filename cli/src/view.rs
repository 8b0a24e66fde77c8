//! A position as people see it: a board where there is one, and all else that holds.

use crate::board::Board;
use crate::library;
use crate::sheet::Sheet;
use crate::words::visible;
use ludens_gdl::parse_ground;
use ludens_machine::{Declared, Limits};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Fluents of one relation that are listed; nobody reads more.
const MAX_LISTED: usize = 60;

/// How to draw the positions of a game.
#[derive(Debug)]
pub(crate) struct View {
    board: Option<Board>,
    /// Every fluent that `base` declares, where a board needs to know.
    declared: Vec<String>,
}

impl View {
    /// As the library says, or as the rules suggest.
    pub(crate) fn of(sheet: &Sheet) -> View {
        let entry = library::find(&sheet.source.name).filter(|entry| entry.rules.as_bytes() == sheet.source.bytes);
        let board = entry.and_then(|entry| entry.description.board.clone());
        // A sheet that declares too much is drawn without it.
        let declared = sheet.rules().filter(|_| board.is_some()).map(|rules| Declared::of(rules, &Limits::default()));
        View { board, declared: declared.and_then(Result::ok).unwrap_or_default().fluents }
    }

    /// The state in which these fluents hold, in lines.
    pub(crate) fn draw(&self, fluents: &[String]) -> String {
        let Some(board) = &self.board else { return listed(fluents) };
        let rest: Vec<String> = fluents.iter().filter(|fluent| board.cell(fluent).is_none()).cloned().collect();
        board.draw(fluents, &self.declared) + &listed(&rest)
    }
}

/// Fluents by their relation, a line for each.
fn listed(fluents: &[String]) -> String {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for fluent in fluents {
        let (name, arguments) = match parse_ground(fluent) {
            Ok(term) if !term.args.is_empty() => {
                let arguments: Vec<String> = term.args.iter().map(ToString::to_string).collect();
                (term.name, arguments.join(" "))
            }
            // Names alone stand together on the last line.
            _ => (String::new(), fluent.clone()),
        };
        groups.entry(name).or_default().push(arguments);
    }
    let alone = groups.remove("");
    let mut text = String::new();
    let mut line = |before: &str, list: &[String]| {
        let more = list.len().saturating_sub(MAX_LISTED);
        let shown = list[..list.len() - more].join(", ");
        let rest = if more == 0 { String::new() } else { format!(", and {more} more") };
        let _ = writeln!(text, "{}", visible(&format!("{before}{shown}{rest}")));
    };
    for (name, list) in &groups {
        line(&format!("{name}: "), list);
    }
    alone.iter().for_each(|list| line("", list));
    text
}

#[cfg(test)]
mod tests {
    use super::listed;

    #[test]
    fn fluents_are_listed_by_relation() {
        let fluents = ["(cell 1 1 b)", "(cell 1 2 x)", "(control o)", "open", "(at (pos 1 2) k)"].map(str::to_owned);
        assert_eq!(listed(&fluents), "at: (pos 1 2) k\ncell: 1 1 b, 1 2 x\ncontrol: o\nopen\n");
        let many: Vec<String> = (0..70).map(|n| format!("(n {n})")).collect();
        assert!(listed(&many).ends_with("59, and 10 more\n"));
        assert_eq!(listed(&[]), "");
    }
}

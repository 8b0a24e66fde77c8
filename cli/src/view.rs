//! A position as people see it: a board where there is one, and all else that holds.

use crate::board::Board;
use crate::guess::Guess;
use crate::library;
use crate::referee::{Referee, Standing};
use crate::sheet::Sheet;
use crate::words::visible;
use ludens_gdl::parse_ground;
use ludens_machine::{Declared, Limits, Machine};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

/// Fluents of one relation that are listed; nobody reads more.
const MAX_LISTED: usize = 60;

/// Random matches that are looked at for a board, states of each, and fluents of all together.
const MATCHES: u64 = 4;
const STATES: usize = 40;
const MAX_FLUENTS: usize = 100_000;

/// How to draw the positions of a game.
#[derive(Debug)]
pub(crate) enum View {
    /// As the library says: the board, and every fluent that is declared.
    Told(Board, Vec<String>),
    /// As the rules suggest.
    Guessed(Guess),
    /// There is no board: fluents in lines.
    List,
}

impl View {
    /// As the library says, or as the rules suggest.
    pub(crate) fn of(sheet: &Sheet, machine: &Machine) -> View {
        let Some(rules) = sheet.rules() else { return View::List };
        // A sheet that declares too much, or declares wrongly, is drawn without it.
        let declared = Declared::of(rules, &Limits::default()).unwrap_or_default().fluents;
        let entry = library::find(&sheet.source.name).filter(|entry| entry.rules.as_bytes() == sheet.source.bytes);
        if let Some(board) = entry.and_then(|entry| entry.description.board.clone()) {
            return View::Told(board, declared);
        }
        let declared = if declared.len() > MAX_FLUENTS { &[] } else { &declared[..] };
        Guess::of(rules, declared, &positions(machine)).map_or(View::List, View::Guessed)
    }

    /// The state in which these fluents hold, in lines.
    pub(crate) fn draw(&self, fluents: &[String]) -> String {
        let (drawing, is_drawn): (String, &dyn Fn(&str) -> bool) = match self {
            View::Told(board, declared) => (board.draw(fluents, declared), &|fluent| board.cell(fluent).is_some()),
            View::Guessed(guess) => (guess.draw(fluents), &|fluent| guess.cell(fluent).is_some()),
            View::List => (String::new(), &|_| false),
        };
        let rest: Vec<String> = fluents.iter().filter(|fluent| !is_drawn(fluent)).cloned().collect();
        // What strangers call their things must not move the cursor.
        let text = drawing.lines().map(|line| visible(line) + "\n").collect::<String>() + &listed(&rest);
        if text.is_empty() { "nothing holds\n".to_owned() } else { text }
    }
}

/// Some positions that play can reach, the initial one first; where the engine cannot go on, those until then.
fn positions(machine: &Machine) -> Vec<Vec<String>> {
    let mut positions = vec![machine.fluents(machine.initial())];
    let mut room = MAX_FLUENTS;
    let never = AtomicBool::new(false);
    for seed in 0..MATCHES {
        let Ok(mut referee) = Referee::new(machine, machine.initial(), seed, &never) else { break };
        for _ in 0..STATES {
            if !matches!(referee.standing(), Ok(Standing::Open)) {
                break;
            }
            let joint = referee.any_joint();
            if referee.advance(&joint).is_err() {
                break;
            }
            let fluents = machine.fluents(&referee.state());
            let Some(left) = room.checked_sub(fluents.len()) else { return positions };
            room = left;
            positions.push(fluents);
        }
    }
    positions
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
    if let Some(list) = &alone {
        line("", list);
    }
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

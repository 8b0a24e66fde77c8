//! A person at the terminal: what it is shown, what it types, and what that means.

use crate::console;
use crate::terms;
use crate::words::columns;
use anyhow::Result;
use ludens_gdl::legible;
use ludens_machine::{Machine, MoveId, RoleId};
use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Read};

/// Moves that are listed without being asked for.
const MAX_LISTED: usize = 120;

/// No move known to us has a thousand characters.
const MAX_LINE: u64 = 1 << 16;

/// Lines from stdin.
pub(crate) struct Input {
    is_terminal: bool,
}

/// A line, or the end.
pub(crate) enum Line {
    Text(String),
    End,
}

impl Input {
    pub(crate) fn new() -> Input {
        Input { is_terminal: io::stdin().is_terminal() }
    }

    /// The next line without blanks around it. The prompt says who is asked.
    pub(crate) fn ask(&self, who: &str) -> Result<Line> {
        console::prompt(&format!("{who}> "))?;
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        // A person has ended the line by typing it; without one, or at the end, nobody has.
        if !self.is_terminal || read == 0 {
            console::print(&legible(&text))?;
        }
        Ok(if read == 0 { Line::End } else { Line::Text(text) })
    }
}

/// The legal moves of a person, as they are numbered.
pub(crate) struct Moves(Vec<(String, MoveId)>);

impl Moves {
    pub(crate) fn new(machine: &Machine, legal: &[MoveId]) -> Moves {
        let mut moves: Vec<(String, MoveId)> = legal.iter().map(|&id| (machine.move_text(id), id)).collect();
        moves.sort_by_cached_key(|(text, _)| natural(text));
        Moves(moves)
    }

    /// The first of them, or all, with their numbers, in columns.
    pub(crate) fn list(&self, all: bool) -> String {
        let most = if all { usize::MAX } else { MAX_LISTED };
        let wide = self.0.len().to_string().len();
        let numbered = self.0.iter().take(most).enumerate();
        let shown: Vec<String> = numbered.map(|(index, (text, _))| format!("{:>wide$} {text}", index + 1)).collect();
        let mut text = format!("\n{}", columns(&shown));
        if self.0.len() > most {
            let _ = writeln!(text, "and {} more: `moves` lists all", self.0.len() - most);
        }
        text
    }

    /// The move that a text means, or what to say about it.
    pub(crate) fn meant(&self, text: &str) -> Result<MoveId, String> {
        let texts: Vec<&str> = self.0.iter().map(|(text, _)| text.as_str()).collect();
        match meant(text, &texts) {
            Meant::One(index) => Ok(self.0[index].1),
            Meant::Nothing(reason) => Err(reason),
        }
    }
}

/// Asks until a move is chosen; `None` where the person leaves.
pub(crate) fn choose(machine: &Machine, role: RoleId, legal: &[MoveId]) -> Result<Option<MoveId>> {
    let (moves, input) = (Moves::new(machine, legal), Input::new());
    console::print(&moves.list(false))?;
    loop {
        let Line::Text(line) = input.ask(machine.role_name(role))? else { return Ok(None) };
        match line.as_str() {
            "" => {}
            "quit" | "exit" => return Ok(None),
            "moves" => console::print(&moves.list(true))?,
            "help" | "?" => console::print("Type a move, its number or its beginning; `moves` lists all, `quit` leaves.")?,
            _ => match moves.meant(&line) {
                Ok(id) => return Ok(Some(id)),
                Err(reason) => console::print(&reason)?,
            },
        }
    }
}

/// What was meant.
#[derive(Debug, PartialEq, Eq)]
enum Meant {
    /// The move at this place.
    One(usize),
    /// No move, or more than one, and what to say about it.
    Nothing(String),
}

/// The move that a text means: its number from 1, the move itself, or the beginning of it.
fn meant(text: &str, moves: &[&str]) -> Meant {
    if let Some(index) = moves.iter().position(|known| *known == text || terms::canonical(text, true) == *known) {
        return Meant::One(index);
    }
    if let Ok(number) = text.parse::<usize>() {
        return match number {
            1.. if number <= moves.len() => Meant::One(number - 1),
            _ => Meant::Nothing(format!("The moves have numbers from 1 to {}.", moves.len())),
        };
    }
    // Parentheses at either end, letter case and blanks do not matter.
    let plain = |text: &str| {
        let spread = text.replace('(', " ( ").replace(')', " ) ").to_lowercase();
        let words: Vec<&str> = spread.split_whitespace().collect();
        words.join(" ").trim_start_matches(['(', ' ']).trim_end_matches([')', ' ']).to_owned()
    };
    let typed = plain(text);
    let whole: Vec<usize> = (0..moves.len()).filter(|&index| plain(moves[index]) == typed).collect();
    let begun: Vec<usize> = (0..moves.len()).filter(|&index| plain(moves[index]).starts_with(&typed)).collect();
    match (&whole[..], &begun[..]) {
        ([only], _) | ([], [only]) => Meant::One(*only),
        ([], []) => Meant::Nothing(format!("`{}` is no move of yours here; `help` says what can be typed.", legible(text))),
        ([], several) | (several, _) => {
            let names: Vec<&str> = several.iter().take(5).map(|&index| moves[index]).collect();
            let more = if several.len() > 5 { ", .." } else { "" };
            Meant::Nothing(format!("That could be {}{more}.", names.join(", ")))
        }
    }
}

/// Sorts texts as people do: numbers by their value.
fn natural(text: &str) -> Vec<(u64, String)> {
    let words = text.split(|character: char| !character.is_alphanumeric() && character != '_').filter(|word| !word.is_empty());
    words.map(|word| word.parse().map_or_else(|_| (u64::MAX, word.to_owned()), |number| (number, String::new()))).collect()
}

#[cfg(test)]
mod tests {
    use super::{Meant, meant, natural};

    #[test]
    fn moves_are_found_by_number_text_and_beginning() {
        let moves = ["(mark 1 1)", "(mark 1 2)", "(mark 2 12)", "noop", "7", "(go (to a))"];
        for (text, index) in [
            ("1", 0),
            ("7", 4),
            ("6", 5),
            ("(mark 1 2)", 1),
            ("( mark 1 2 )", 1),
            ("mark 1 2", 1),
            ("MARK 2", 2),
            ("(mark 2", 2),
            ("n", 3),
            ("go (to a)", 5),
            ("go(", 5),
        ] {
            assert_eq!(meant(text, &moves), Meant::One(index), "{text}");
        }
        for (text, reason) in [
            ("0", "from 1 to 6"),
            ("99", "from 1 to 6"),
            ("mark 1", "That could be (mark 1 1), (mark 1 2)."),
            ("jump", "`jump` is no move of yours"),
            ("\u{1b}[2J", "is no move"),
        ] {
            assert!(matches!(meant(text, &moves), Meant::Nothing(said) if said.contains(reason)), "{text}");
        }
    }

    #[test]
    fn numbers_are_sorted_by_value() {
        let mut texts = ["(m 10 a)", "(m 2 b)", "noop", "(m 2 a)"];
        texts.sort_by_key(|text| natural(text));
        assert_eq!(texts, ["(m 2 a)", "(m 2 b)", "(m 10 a)", "noop"]);
    }
}

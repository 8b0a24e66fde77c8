//! What is told of a match while it goes on, and at its end.

use super::seats::Who;
use crate::answer::Answer;
use crate::console::{self, Console};
use crate::person;
use crate::playable::Playable;
use crate::words::{number, visible};
use anyhow::Result;
use ludens_machine::{MoveId, RoleId, State};
use ludens_serve::Record;
use ludens_serve::manager::Audience;
use std::fmt::Write as _;
use std::io::{self, IsTerminal};

/// Tells of a match on stderr: who plays what, and what was wrong; the board where somebody watches. Persons are asked at the terminal.
pub(super) struct Report<'a> {
    game: &'a Playable,
    who: &'a [Who],
    console: Console,
    is_watched: bool,
    /// The position, drawn, until a person has seen it.
    board: Option<String>,
}

impl<'a> Report<'a> {
    pub(super) fn new(game: &'a Playable, who: &'a [Who], console: Console) -> Report<'a> {
        Report { game, who, console, is_watched: io::stderr().is_terminal(), board: None }
    }

    /// The result.
    pub(super) fn end(&self, record: &Record, json: bool) -> Result<Answer> {
        if json {
            console::print_json(record)?;
        } else {
            let points = record.goal_values.iter().flatten();
            let seats = self.game.roles().into_iter().zip(self.who).zip(points);
            let points: Vec<String> = seats.map(|((role, who), points)| format!("{} ({who}) {points}", visible(&role))).collect();
            let wrong = record.errors.iter().flatten().filter(|error| !error.is_empty()).count() as u64;
            let wrong = if wrong > 0 { format!("; {}", number(wrong, "fault")) } else { String::new() };
            let moves = number(record.moves.len() as u64, "joint move");
            console::print(&format!("after {moves}: {}{wrong}", points.join(", ")))?;
        }
        Ok(Answer::Yes)
    }

    fn tell_move(&self, record: &Record, choosers: &[RoleId]) {
        let (step, last) = (record.moves.len(), &record.moves[record.moves.len() - 1]);
        for role in self.game.machine.roles() {
            let place = role.0 as usize;
            let error = record.errors.last().map_or("", |errors| errors[place].as_str());
            let has_choice = choosers.is_empty() || choosers.contains(&role);
            if !has_choice && error.is_empty() {
                continue;
            }
            let mut line = format!("{step}. {}: {}", self.game.machine.role_name(role), last[place]);
            if let Some(thought) = record.thoughts.last().and_then(|thoughts| thoughts[place].as_ref()) {
                match (thought.proven, thought.value) {
                    (Some(points), _) => drop(write!(line, "  ({points} for sure)")),
                    (None, Some(value)) if thought.has_looked() => drop(write!(line, "  ({value:.1})")),
                    _ => {}
                }
            }
            if !error.is_empty() {
                let _ = write!(line, "  in the place of {}: {error}", self.who[place]);
            }
            self.console.note(&visible(&line));
        }
    }
}

impl Audience for Report<'_> {
    fn follow(&mut self, record: &Record, state: &State, choosers: &[RoleId]) {
        if record.moves.is_empty() {
            let roles = self.game.roles();
            let seats: Vec<String> = roles.iter().zip(self.who).map(|(role, who)| format!("{role} is {who}")).collect();
            self.console.note(&visible(&format!("{}: {}", record.match_id, seats.join(", "))));
            for ((role, who), error) in roles.iter().zip(self.who).zip(&record.errors[0]) {
                if !error.is_empty() {
                    self.console.note(&visible(&format!("start: {who} as {role}: {error}")));
                }
            }
        } else {
            self.tell_move(record, choosers);
        }
        let has_person = self.who.contains(&Who::Person);
        if self.is_watched || has_person {
            let board = self.game.draw(state);
            if self.is_watched && !has_person {
                self.console.note(&board);
            }
            self.board = Some(board);
        }
    }

    fn choose(&mut self, role: RoleId, legal: &[MoveId]) -> Option<MoveId> {
        // After a match was taken up again nothing has been drawn yet; the moves are listed all the same.
        let shown = self.board.take().map_or(Ok(()), |board| console::print(&board));
        shown.and_then(|()| person::choose(&self.game.machine, role, legal)).unwrap_or(None)
    }
}

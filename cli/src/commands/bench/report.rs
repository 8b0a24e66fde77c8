//! What came of all games, one after the other.

use crate::answer::Answer;
use crate::words::number;
use crate::{console, interrupt};
use anyhow::{Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The document that is printed.
#[derive(Serialize, Deserialize)]
pub(super) struct Report<M> {
    pub(super) results: Vec<Outcome<M>>,
    interrupted: bool,
}

/// What came of one game.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Outcome<M> {
    Measured(Box<M>),
    Failed { game: String, error: String },
}

impl<M> Outcome<M> {
    pub(super) fn measured(self) -> Option<M> {
        match self {
            Outcome::Measured(measured) => Some(*measured),
            Outcome::Failed { .. } => None,
        }
    }
}

impl<M> Report<M> {
    /// Measures all games; `measure` has no answer where Ctrl-C came too early for one.
    pub(super) fn of(games: &[String], progress: &ProgressBar, measure: impl Fn(&str) -> Result<Option<M>>) -> Result<Report<M>> {
        let mut results = Vec::new();
        for game in games {
            if interrupt::is_requested() {
                break;
            }
            progress.set_message(game.clone());
            progress.set_position(0);
            match measure(game) {
                Ok(measured) => results.extend(measured.map(|measured| Outcome::Measured(Box::new(measured)))),
                // There is no other result that could be lost, so its error is the job's.
                Err(error) if games.len() == 1 => return Err(error.context(format!("cannot measure {game}"))),
                Err(error) => results.push(Outcome::Failed { game: game.clone(), error: format!("{error:#}") }),
            }
        }
        progress.finish_and_clear();
        Ok(Report { results, interrupted: interrupt::is_requested() })
    }

    /// The games that could be measured.
    pub(super) fn measured(&self) -> impl Iterator<Item = &M> {
        self.results.iter().filter_map(|result| match result {
            Outcome::Measured(measured) => Some(&**measured),
            Outcome::Failed { .. } => None,
        })
    }

    fn failed(&self) -> impl Iterator<Item = (&str, &str)> {
        self.results.iter().filter_map(|result| match result {
            Outcome::Measured(_) => None,
            Outcome::Failed { game, error } => Some((game.as_str(), error.as_str())),
        })
    }
}

impl<M: Serialize> Report<M> {
    /// Prints JSON, or the table that shows what was measured.
    pub(super) fn print(&self, json: bool, table: &Table) -> Result<Answer> {
        if json {
            console::print_json(self)?;
        } else {
            let mut text = table.trim_fmt();
            for (game, error) in self.failed() {
                let _ = write!(text, "\n{game}: error: {error}");
            }
            if self.interrupted {
                text.push_str("\ninterrupted");
            }
            console::print(&text)?;
        }
        match self.failed().count() {
            _ if self.interrupted => Ok(Answer::Interrupted),
            0 => Ok(Answer::Yes),
            failed => bail!("{} of {} could not be measured", failed, number(self.results.len() as u64, "game")),
        }
    }
}

/// An empty table: `left` columns of text, then numbers.
pub(super) fn table(header: &[&str], left: usize) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A dash where there is nothing to tell.
pub(super) fn or_dash(text: Option<String>) -> String {
    text.unwrap_or_else(|| "-".to_owned())
}

//! `ludens games`.

use crate::answer::Answer;
use crate::board::Board;
use crate::console;
use crate::engine;
use crate::library::{self, Entry};
use crate::sheet::Sheet;
use crate::words::{number, wrap};
use anyhow::{Context, Result, anyhow};
use comfy_table::{CellAlignment, Table, presets};
use ludens_gdl::legible;
use ludens_machine::{Declared, Limits};
use serde::Serialize;
use std::fmt::Write as _;

/// List the games that come with Ludens, or tell about one.
///
/// Every name can be given wherever a command asks for GAME. Each game has been checked: its rules raise no diagnostic, what is known about it
/// (`facts.txt`: published counts, lines of play) holds, and random matches agree with a simulator written by hand. The size is the number
/// of fluents (things that can hold in a state) and of moves that the rules declare.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens games
  ludens games chess")]
pub(crate) struct Args {
    /// Tell about this game: its rules in words, its players, the position at the start.
    name: Option<String>,
    /// Print one JSON document: `games: [{name, title, roles, kind, zero_sum, fluents, moves, tags, about, board, facts_source}]`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    games: Vec<Game<'a>>,
}

#[derive(Serialize)]
struct Game<'a> {
    name: &'a str,
    title: &'a str,
    roles: &'a [String],
    kind: &'a str,
    zero_sum: bool,
    /// How many fluents `base` declares.
    fluents: usize,
    /// How many moves `input` declares, of all roles.
    moves: usize,
    tags: &'a [String],
    about: &'a str,
    /// How to draw a position.
    board: Option<&'a Board>,
    /// Where the numbers in `facts.txt` come from.
    facts_source: &'a str,
}

impl<'a> Game<'a> {
    fn of(entry: &'a Entry) -> Result<Game<'a>> {
        let declared = Declared::of(Sheet::of_library(entry).valid_rules()?, &Limits::default())?;
        Ok(Game {
            name: entry.name,
            title: &entry.description.title,
            roles: &entry.description.players,
            kind: entry.description.kind(),
            zero_sum: entry.description.properties.zero_sum,
            fluents: declared.fluents.len(),
            moves: declared.moves.len(),
            tags: &entry.description.tags,
            about: entry.description.about.trim(),
            board: entry.description.board.as_ref(),
            facts_source: entry.description.facts.source.trim(),
        })
    }

    /// The game on a page.
    fn page(&self, entry: &Entry) -> Result<String> {
        let mut text = format!("{} ({})\n\n{}\n", self.title, self.name, wrap(self.about));
        let zero_sum = if self.zero_sum { ", zero-sum" } else { "" };
        let _ = writeln!(text, "players: {}; {}{zero_sum}", self.roles.join(", "), self.kind);
        let _ = writeln!(text, "size: {}, {}", number(self.fluents as u64, "fluent"), number(self.moves as u64, "move"));
        let _ = writeln!(text, "tags: {}", self.tags.join(", "));
        if let Some(board) = self.board {
            let sheet = Sheet::of_library(entry);
            let rules = sheet.valid_rules()?;
            let machine = engine::reference(rules).with_context(|| engine::cannot_build(&sheet))?;
            let declared = Declared::of(rules, &Limits::default())?;
            let drawing = board.draw(&machine.fluents(machine.initial()), &declared.fluents);
            let _ = write!(text, "\nAt the start:\n\n{drawing}");
        }
        let _ = write!(text, "\nHow we know that the rules are right:\n\n{}", wrap(self.facts_source));
        Ok(text)
    }
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    let entries: Vec<&Entry> = match &args.name {
        Some(name) => vec![library::find(name).ok_or_else(|| unknown(name))?],
        None => library::all().iter().collect(),
    };
    let games: Vec<Game<'_>> = entries.iter().map(|entry| Game::of(entry)).collect::<Result<_>>()?;
    if args.json {
        console::print_json(&Report { games })?;
    } else if args.name.is_some() {
        console::print(&games[0].page(entries[0])?)?;
    } else {
        console::print(&table(&games))?;
    }
    Ok(Answer::Yes)
}

fn unknown(name: &str) -> anyhow::Error {
    anyhow!("there is no game `{}` in the library; {}", legible(name), library::hint(name))
}

fn table(games: &[Game<'_>]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["name", "title", "players", "kind", "fluents", "moves"]);
    for game in games {
        let [players, fluents, moves] = [game.roles.len(), game.fluents, game.moves].map(|count| count.to_string());
        table.add_row([game.name, game.title, &players, game.kind, &fluents, &moves]);
    }
    for column in [2, 4, 5] {
        table.column_mut(column).into_iter().for_each(|column| column.set_cell_alignment(CellAlignment::Right));
    }
    table.trim_fmt()
}

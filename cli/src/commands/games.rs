//! `ludens games`.

use crate::answer::Answer;
use crate::console;
use crate::library::{self, Board, Entry};
use anyhow::Result;
use comfy_table::{Table, presets};
use serde::Serialize;

/// List the games that come with Ludens.
///
/// Every name can be given wherever a command asks for GAME. Each game has been checked: its rules raise no diagnostic, and
/// the published numbers about it (`facts.txt`) hold.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens games
  ludens games --json")]
pub(crate) struct Args {
    /// Print one JSON document: `games: [{name, title, roles, kind, zero_sum, tags, about, board, facts_source}]`.
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
    tags: &'a [String],
    about: &'a str,
    /// How to draw a position.
    board: Option<&'a Board>,
    /// Where the numbers in `facts.txt` come from.
    facts_source: &'a str,
}

impl<'a> From<&'a Entry> for Game<'a> {
    fn from(entry: &'a Entry) -> Game<'a> {
        Game {
            name: entry.name,
            title: &entry.description.title,
            roles: &entry.description.players,
            kind: entry.description.kind(),
            zero_sum: entry.description.properties.zero_sum,
            tags: &entry.description.tags,
            about: entry.description.about.trim(),
            board: entry.description.board.as_ref(),
            facts_source: entry.description.facts.source.trim(),
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    let games: Vec<Game<'_>> = library::all().iter().map(Game::from).collect();
    if args.json {
        console::print_json(&Report { games })?;
        return Ok(Answer::Yes);
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["name", "title", "roles", "kind"]);
    for game in &games {
        table.add_row([game.name, game.title, &game.roles.join(" "), game.kind]);
    }
    console::print(&table.trim_fmt())?;
    Ok(Answer::Yes)
}

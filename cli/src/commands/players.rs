//! `ludens players`.

use crate::answer::Answer;
use crate::console;
use crate::words::wrap_at;
use anyhow::Result;
use ludens_search::{Kind, PLAYERS, Player, PlayerOption, Value};
use serde::Serialize;
use std::fmt::Write as _;

/// List the players, and how each can be set up.
///
/// Wherever a command asks for a player (SPEC), give a name, and after a colon options that differ from their defaults, separated by
/// commas: `uct:grave=off,c=0.7`. Several players are separated by commas, too: what has a `=` belongs to the player before it, so
/// `uct:grave=off,c=0.7,mc` is two players.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens players
  ludens players --json")]
pub(crate) struct Args {
    /// Print one JSON document: `players: [{name, about, options: [{name, kind, default, about}]}]`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    players: Vec<PlayerReport>,
}

#[derive(Serialize)]
struct PlayerReport {
    name: &'static str,
    about: &'static str,
    options: Vec<OptionReport>,
}

#[derive(Serialize)]
struct OptionReport {
    name: &'static str,
    /// `number`, `count`, `limit`, `choice` or `set`.
    kind: &'static str,
    /// The range of a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<[f64; 2]>,
    /// The words to choose from.
    #[serde(skip_serializing_if = "<[&str]>::is_empty")]
    choices: &'static [&'static str],
    default: serde_json::Value,
    about: &'static str,
}

impl PlayerReport {
    fn new(player: &Player) -> PlayerReport {
        PlayerReport { name: player.name, about: player.about, options: player.options.iter().map(OptionReport::new).collect() }
    }
}

impl OptionReport {
    fn new(option: &PlayerOption) -> OptionReport {
        let (kind, range, choices) = match option.kind {
            Kind::Number { low, high } => ("number", Some([low, high]), &[][..]),
            Kind::Count { low, high } => ("count", Some([low.into(), high.into()]), &[][..]),
            Kind::Limit { low, high } => ("limit", Some([low.into(), high.into()]), &["off"][..]),
            Kind::Choice(words) => ("choice", None, words),
            Kind::Set(words) => ("set", None, words),
        };
        let default = match option.default {
            Value::Number(number) => number.into(),
            Value::Count(count) => count.into(),
            Value::Off => "off".into(),
            Value::Choice(word) => word.into(),
            set @ Value::Set { .. } => set.to_string().into(),
        };
        OptionReport { name: option.name, kind, range, choices, default, about: option.about }
    }
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    if args.json {
        console::print_json(&Report { players: PLAYERS.iter().map(PlayerReport::new).collect() })?;
    } else {
        console::print(&text())?;
    }
    Ok(Answer::Yes)
}

fn text() -> String {
    let mut text = String::new();
    for player in PLAYERS {
        let _ = writeln!(text, "{}: {}", player.name, player.about);
        for option in player.options {
            let what = match option.kind {
                Kind::Number { low, high } => format!("{low}..{high}"),
                Kind::Count { low, high } => format!("{low}..{high}"),
                Kind::Limit { low, high } => format!("{low}..{high}|off"),
                Kind::Choice(words) => words.join("|"),
                Kind::Set(words) => format!("none|{}", words.join("+")),
            };
            let mut head = format!("  {}={what}", option.name);
            if head.len() > 28 {
                let _ = writeln!(text, "{head}");
                head.clear();
            }
            let _ = write!(text, "{head:<28} {}", wrap_at(&format!("{} (default {})", option.about, option.default), 71, 29));
        }
    }
    text + "\nSPEC is a name, or a name with options: `uct:grave=off,c=0.7`. `ludens players --help` says more.\n"
}

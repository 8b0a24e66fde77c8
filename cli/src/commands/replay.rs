//! `ludens replay`.

use super::manage::read;
use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::{Engine, EngineArgs};
use crate::game::Source;
use crate::library;
use crate::playable::Playable;
use crate::sheet::Sheet;
use crate::words::{number, visible};
use anyhow::{Context, Result, bail};
use ludens_serve::Record;
use ludens_serve::record::{Step, Trouble, is_hash_of, verify};
use ludens_tournament::Store;
use serde::Serialize;
use std::fmt::Write as _;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Show the record of a match, and play it again to see that it is right.
///
/// Every move must be legal where it was made, every state the one that the moves lead to, the match at its end where the record says so, with these points; every list must be
/// as long as it has to be, and time must not go back. The rules are those in the record (`x-sheet`); where there are none, those of --game, or of the game in the
/// library that the record names, if it is the same sheet. Records of `ludens manage`, of `ludens match --json` and of other GGP hosts can be read.
///
/// Of the store of `ludens arena` or `ludens tournament`, --match names one match; without it, all of them are listed.
///
/// Exit code 1 if the record is not that of a legal match: the first place that is wrong is named. 2 if it cannot be read.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens replay records/ludens.breakthrough.1700000000000.json
  ludens replay match.json --game tic_tac_toe --quiet
  ludens replay plan.sqlite --match 0c8f1d3a55e2b7f4")]
pub(crate) struct Args {
    /// The record: a JSON file; or a store of matches.
    file: PathBuf,
    /// Which match of a store.
    #[arg(long = "match", value_name = "ID")]
    id: Option<String>,
    /// The rules, instead of those in the record: a library name, a `.kif` file, or a folder with METADATA.
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    /// Print one JSON document: `match, game, roles, moves, states, completed, points, faults, legal, problem`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Findings<'a> {
    #[serde(rename = "match")]
    id: &'a str,
    game: &'a str,
    roles: Vec<String>,
    /// Joint moves that are right.
    moves: usize,
    /// States that are right.
    states: usize,
    completed: bool,
    points: Option<&'a [u8]>,
    /// Answers of players that were replaced or came too late.
    faults: usize,
    legal: bool,
    /// The first place that is wrong.
    problem: Option<String>,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let record = match (is_store(&args.file), &args.id) {
        (true, Some(id)) => Store::read(&args.file)?
            .record(id)?
            .with_context(|| format!("`{}` has no match {}; without --match all are listed", args.file.display(), visible(id)))?,
        (true, None) => return list(&args.file, args.json),
        (false, Some(_)) => bail!("`{}` is not a store of matches: --match is of no use", args.file.display()),
        (false, None) => read(&args.file)?,
    };
    let game = Playable::of(sheet_of(args, &record)?, EngineArgs::plain(Engine::Relational), console)?;
    let case_sensitive = game.rules()?.case_sensitive;
    let mut states = 0;
    let mut lines = String::new();
    let mut follow = |step: Step<'_>| {
        states += 1;
        if !args.json && !console.is_quiet() {
            lines += &told(&game, &record, &step);
        }
    };
    let hash = if args.game.is_none() && !record.sheet_fits_hash() {
        Err(Trouble::Wrong("`x-sheet` is not the sheet that `x-sha256` names".to_owned()))
    } else {
        Ok(())
    };
    let problem = match hash.and_then(|()| verify(&record, &game.machine, case_sensitive, &mut follow)) {
        Ok(_) => None,
        Err(Trouble::Wrong(problem)) => Some(visible(&problem)),
        Err(Trouble::Engine(error)) => return Err(error.into()),
    };
    let faults = record.errors.iter().flatten().filter(|error| !error.is_empty()).count();
    if args.json {
        console::print_json(&Findings {
            id: &record.match_id,
            game: &game.name,
            roles: game.roles(),
            moves: usize::saturating_sub(states, 1),
            states,
            completed: record.is_completed,
            points: record.goal_values.as_deref(),
            faults,
            legal: problem.is_none(),
            problem: problem.clone(),
        })?;
    } else {
        match &problem {
            None => lines += &summary(&game, &record, faults),
            Some(problem) => {
                let _ = write!(lines, "{} is not the record of a legal match: {problem}", args.file.display());
            }
        }
        console::print(&lines)?;
    }
    Ok(Answer::yes_if(problem.is_none()))
}

/// Whether a file begins as databases do.
fn is_store(path: &Path) -> bool {
    let mut start = [0; 16];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && &start == b"SQLite format 3\0"
}

/// All matches of a store.
fn list(path: &Path, json: bool) -> Result<Answer> {
    let all = Store::read(path)?.all()?;
    if json {
        console::print_json(&all)?;
        return Ok(Answer::Yes);
    }
    let mut text = String::new();
    for played in &all {
        let seat = |(&player, place): (&usize, usize)| {
            let points = played.points.get(place).map_or_else(|| "-".to_owned(), ToString::to_string);
            format!("{} {points}", played.players[player])
        };
        let seats: Vec<String> = played.seats.iter().zip(0..).map(seat).collect();
        let again = if played.attempt > 0 { format!(", attempt {}", played.attempt + 1) } else { String::new() };
        let mut line = format!("{}  {}, {}: {}", played.id, played.game, played.budget, seats.join(", "));
        let _ = write!(line, "; {} joint moves{again}", played.plies);
        for forfeit in &played.forfeits {
            let _ = write!(line, ", {} lost by {}", played.players[forfeit.player], forfeit.kind.text());
        }
        let _ = writeln!(text, "{}", visible(&line));
    }
    console::print(&(text + &number(all.len() as u64, "match")))?;
    Ok(Answer::Yes)
}

/// The rules of a record.
fn sheet_of(args: &Args, record: &Record) -> Result<Sheet> {
    if let Some(game) = &args.game {
        return Sheet::open(game);
    }
    if let Some(text) = &record.sheet {
        let place = format!("{} (x-sheet)", args.file.display());
        return Ok(Sheet::new(Source { name: record.game.clone(), place, bytes: text.clone().into_bytes() }));
    }
    match library::find(&record.game) {
        Some(entry) if is_hash_of(&record.sha256, entry.rules) => Ok(Sheet::of_library(entry)),
        Some(entry) => bail!(
            "`{}` has no rules, and not been made with the library's {}: give the game with --game",
            args.file.display(),
            entry.name
        ),
        None => bail!("`{}` has no rules: give the game with --game", args.file.display()),
    }
}

/// A state of the match, and how it was reached.
fn told(game: &Playable, record: &Record, step: &Step<'_>) -> String {
    let mut text = String::new();
    let Some(before) = step.number.checked_sub(1) else {
        let names = &record.player_names_from_host;
        let seat = |(place, role): (usize, String)| match names.get(place).filter(|name| !name.is_empty()) {
            Some(name) => format!("{role} is {name}"),
            None => role,
        };
        let seats: Vec<String> = game.roles().into_iter().enumerate().map(seat).collect();
        let title = if record.game.is_empty() { &game.name } else { &record.game };
        let _ = writeln!(text, "{}\n", visible(&format!("{title}, {}: {}", record.match_id, seats.join(", "))));
        return text + &game.draw(step.state) + "\n";
    };
    for (role, &id) in game.machine.roles().zip(step.joint) {
        let place = role.0 as usize;
        let error = record.errors.get(step.number).map_or("", |errors| errors[place].as_str());
        if !step.choosers.is_empty() && !step.choosers.contains(&role) && error.is_empty() {
            continue;
        }
        let mut line = format!("{}. {}: {}", step.number, game.machine.role_name(role), game.machine.move_text(id));
        if let Some(value) = record.thoughts.get(before).and_then(|thoughts| thoughts[place].as_ref()?.value) {
            let _ = write!(line, "  ({value:.1})");
        }
        if !error.is_empty() {
            let _ = write!(line, "  ({error})");
        }
        let _ = writeln!(text, "{}", visible(&line));
    }
    text + &game.draw(step.state) + "\n"
}

/// The last line: how it ended.
fn summary(game: &Playable, record: &Record, faults: usize) -> String {
    let mut text = format!("a legal match of {}", number(record.moves.len() as u64, "joint move"));
    if let Some(points) = &record.goal_values {
        let points: Vec<String> = game.roles().iter().zip(points).map(|(role, points)| format!("{role} {points}")).collect();
        let _ = write!(text, ": {}", visible(&points.join(", ")));
    } else {
        let reason = record.unfinished.as_deref().map(|reason| format!(" ({reason})")).unwrap_or_default();
        let _ = write!(text, ", not at its end{}", visible(&reason));
    }
    if faults > 0 {
        let _ = write!(text, "; {}", number(faults as u64, "fault"));
    }
    text
}

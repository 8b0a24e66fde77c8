//! `ludens manage`.

mod report;
mod seats;

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::{Engine, EngineArgs};
use crate::game::{self, Source};
use crate::interrupt;
use crate::playable::Playable;
use crate::record as record_of;
use crate::search_args::memory;
use crate::sheet::Sheet;
use anyhow::{Context, Result, anyhow, bail, ensure};
use ludens_machine::MoveId;
use ludens_serve::Scramble;
use ludens_serve::manager::{Manager, Outcome, Plan};
use ludens_serve::record::{MAX_BYTES, Opening, Record, verify};
use report::Report;
use seats::Who;
use std::fs::{self, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Run a match between players elsewhere, players in this process, and persons.
///
/// Every role has a player, in the order of the roles; one SPEC alone plays all of them, each role by itself, while one at an address has one role. A player is the address of one that listens for GGP messages
/// (http://HOST:PORT or HOST:PORT), a SPEC of `ludens players`, `human`, or `random`. A role called `random` is always played by chance, gets no messages, and may be left
/// out. Messages go out to all at the same time. An answer must be there within the play clock and a second; the START must be answered within the start clock. Who is late, not
/// there, or plays what is not legal has a random legal move played in its place, and the match goes on; the record says so (`TO`, `CE`, `IL MOVE`). Persons have no clock.
///
/// With --out the record is written after every move, so that a match whose manager was killed can go on with --resume: players are told to ABORT what they may
/// still be in, get START anew and then, one after another, the PLAY messages with the moves that were made. What they answer to these does not count, until the last one.
///
/// Exit code 2 if the match has no end: a role has no legal move, or there are more than --max-plies joint moves.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens manage tic_tac_toe --players http://127.0.0.1:9147,uct --start-clock 10 --play-clock 2
  ludens manage breakthrough --players 127.0.0.1:9147,127.0.0.1:9148 --scramble --out records
  ludens manage --resume records/ludens.breakthrough.1700000000000.json

`ludens player` is a player that listens; `ludens replay` shows a record.")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    #[arg(required_unless_present = "resume")]
    game: Option<String>,
    /// Who plays: one for every role, or one for all.
    #[arg(long, value_name = "URL|SPEC|human|random,..", required_unless_present = "resume")]
    players: Option<String>,
    /// Seconds before the first move.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    start_clock: Option<u64>,
    /// Seconds for a move.
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    play_clock: Option<u64>,
    /// Give players other names than those of the sheet, so that these tell them nothing.
    #[arg(long)]
    scramble: bool,
    /// Write the record into this folder, as MATCH.json.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the match of this record, and write to it. Game, players, clocks, names and chance are as they were; players may be given anew.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "start_clock", "play_clock", "scramble", "out", "seed"])]
    resume: Option<PathBuf>,
    /// The same seed gives the same random moves and the same names.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Give the match up after so many joint moves.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    max_plies: u64,
    /// Threads of a search, for players in this process.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Bytes in which a search may remember things, for players in this process: 64M, 1G.
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = memory)]
    memory: usize,
    /// Print one JSON document: the record of the match as GGP hosts keep it (`states`, `moves`, `goalValues`, ..), our own keys beginning with `x-`.
    #[arg(long)]
    json: bool,
}

/// Clocks and seed where nobody gives others.
const START_CLOCK: u64 = 30;
const PLAY_CLOCK: u64 = 10;
const SEED: u64 = 1;

/// Matches of one game that begin within the same millisecond; nobody starts more.
const MAX_SAME_NAME: usize = 1000;

/// A match that can begin, or go on.
struct Job {
    game: Playable,
    who: Vec<Who>,
    record: Record,
    file: Option<PathBuf>,
    /// What was played already.
    known: Vec<Vec<MoveId>>,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let Job { game, who, mut record, file, known } = match &args.resume {
        Some(file) => resumed(args, file, console)?,
        None => begun(args, console)?,
    };
    let report = &mut Report::new(&game, &who, console);
    if record.is_completed {
        console.note("the match is over already");
        return report.end(&record, args.json);
    }
    let has_person = who.contains(&Who::Person);
    // With a person Ctrl-C just ends the process: the terminal waits for a line.
    if !has_person {
        interrupt::listen()?;
    }
    record.reopen(game.machine.roles().len());
    if let Some(file) = &file {
        record.write(file)?;
        console.note(&format!("the record is {}", file.display()));
    }
    let rules = game.message_text();
    let seed = record.seed.unwrap_or(SEED);
    let plan = Plan {
        scramble: record.scrambled.then(|| Scramble::new(&rules, seed)),
        rules,
        start_clock: Duration::from_secs(record.start_clock),
        play_clock: Duration::from_secs(record.play_clock),
        seed,
        max_plies: args.max_plies as usize,
        file,
    };
    let seats = seats::of(&who, seed, args);
    let mut manager = Manager::new(&game.machine, seats, plan, interrupt::sign());
    if args.resume.is_some() {
        manager.clear(&record.match_id);
    }
    match manager.run(&mut record, &known, report)? {
        Outcome::Over(_) => report.end(&record, args.json),
        Outcome::Unfinished(reason) => {
            if args.json {
                console::print_json(&record)?;
            }
            bail!("the match has no end: {reason}")
        }
        Outcome::Interrupted if has_person => console::print("The match is left before its end.").map(|()| Answer::Yes),
        Outcome::Interrupted => {
            if args.json { console::print_json(&record) } else { console::print("interrupted") }.map(|()| Answer::Interrupted)
        }
    }
}

/// A match that begins.
fn begun(args: &Args, console: Console) -> Result<Job> {
    let name = args.game.as_deref().context("a game is missing")?;
    let players = args.players.as_deref().context("players are missing")?;
    let given = seats::parse(players)?;
    let game = Playable::open(name, EngineArgs::plain(Engine::Relational), console)?;
    let who = seats::for_every_role(&game, given)?;
    check_json(args, &who)?;
    let opening = Opening {
        players: who.iter().map(ToString::to_string).collect(),
        humans: who.iter().map(|who| *who == Who::Person).collect(),
        seed: args.seed.unwrap_or(SEED),
        start_clock: args.start_clock.unwrap_or(START_CLOCK),
        play_clock: args.play_clock.unwrap_or(PLAY_CLOCK),
        scrambled: args.scramble,
        ..Opening::default()
    };
    let mut record = record_of::begin(&game, opening);
    let file = args.out.as_deref().map(|folder| reserve(folder, &mut record)).transpose()?;
    Ok(Job { game, who, record, file, known: Vec::new() })
}

/// A match that goes on.
fn resumed(args: &Args, file: &Path, console: Console) -> Result<Job> {
    let mut record = read(file)?;
    let place = || format!("cannot go on with `{}`", file.display());
    let sheet = record.sheet.clone().context("it has no rule sheet (`x-sheet`)").with_context(place)?;
    ensure!(record.sheet_fits_hash(), "{}: `x-sheet` is not the sheet that `x-sha256` names", place());
    let source = Source { name: record.game.clone(), place: file.display().to_string(), bytes: sheet.into_bytes() };
    let game = Playable::of(Sheet::new(source), EngineArgs::plain(Engine::Relational), console)?;
    let case_sensitive = game.rules()?.case_sensitive;
    let (known, _) = verify(&record, &game.machine, case_sensitive, &mut |_| {}).with_context(place)?;
    let who = match &args.players {
        Some(players) => seats::for_every_role(&game, seats::parse(players)?)?,
        None => record.player_names_from_host.iter().map(|name| Who::parse(name)).collect::<Result<_>>()?,
    };
    ensure!(who.len() == game.machine.roles().len(), "{}: it does not name a player for every role", place());
    seats::check(&who)?;
    check_json(args, &who)?;
    let is_clock = |clock: u64| (1..=1_000_000).contains(&clock);
    ensure!(is_clock(record.start_clock) && is_clock(record.play_clock), "{}: it has no clocks", place());
    let is_word = !record.match_id.is_empty() && !record.match_id.contains(|c: char| c.is_whitespace() || "();".contains(c));
    ensure!(is_word, "{}: its `matchId` is not a word", place());
    record.player_names_from_host = who.iter().map(ToString::to_string).collect();
    record.is_player_human = who.iter().map(|who| *who == Who::Person).collect();
    Ok(Job { game, who, record, file: Some(file.to_owned()), known })
}

/// A person reads boards, not JSON.
fn check_json(args: &Args, who: &[Who]) -> Result<()> {
    ensure!(!args.json || !who.contains(&Who::Person), "--json is for matches without a person");
    Ok(())
}

/// Reads a record.
pub(super) fn read(file: &Path) -> Result<Record> {
    let bytes = game::read_limited(file, MAX_BYTES)?;
    let text = std::str::from_utf8(&bytes).map_err(anyhow::Error::from);
    let record = text.and_then(|text| Record::parse(text).map_err(anyhow::Error::from));
    record.map_err(|error| anyhow!("`{}` is not the record of a match: {error}", file.display()))
}

/// A file for a record, under a name that no other has; the match gets another id where its own is taken.
fn reserve(folder: &Path, record: &mut Record) -> Result<PathBuf> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder `{}`", folder.display()))?;
    let id = record.match_id.clone();
    for number in 1..=MAX_SAME_NAME {
        if number > 1 {
            record.match_id = format!("{id}-{number}");
        }
        let file = folder.join(format!("{}.json", record.match_id));
        match OpenOptions::new().write(true).create_new(true).open(&file) {
            Ok(_) => {
                // From now on a whole record lies there.
                if let Err(error) = record.write(&file) {
                    let _ = fs::remove_file(&file);
                    return Err(error.into());
                }
                return Ok(file);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error).with_context(|| format!("cannot write the record `{}`", file.display())),
        }
    }
    bail!("there are {MAX_SAME_NAME} records of `{id}` in `{}` already", folder.display())
}

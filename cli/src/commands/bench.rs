//! `ludens bench`.

mod expansion;
mod play;
mod report;
mod search;
mod separate;
mod signature;

use crate::answer::Answer;
use crate::console::Console;
use crate::engine::EngineArgs;
use crate::play_args::PlayArgs;
use crate::sheet::Sheet;
use crate::words::grouped;
use crate::{game, interrupt, library, measure};
use anyhow::{Result, bail};
use clap::builder::ArgPredicate;
use comfy_table::{CellAlignment, Table};
use indicatif::ProgressBar;
use ludens_machine::Random;
use ludens_machine::relational::TableUse;
use play::SIGNATURE_PLAYOUTS;
use report::{Report, or_dash};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Measure how fast random matches are played, or how fast a player searches.
///
/// Uniformly random playouts from the start, the points of every role computed at the end. Rates are per second of CPU time,
/// since machines are shared; states are joint moves played. Set-up is the CPU time from the text to a machine that can
/// play, and the most memory that was in use by then. A game that cannot be measured has its line too, and the exit code is 2. The signature sums up the first
/// ten playouts: with the same seed and engine it changes only if the engine's behaviour does.
///
/// With --threads, every thread has states of its own on one machine. One thread alone and all together take turns; the speed-up is the sum of the rates
/// per CPU second of all threads, over the rate of one alone. It says how much the threads disturb each other, whatever else the computer does.
///
/// With --search a player thinks about the first position in which somebody has a choice, anew for every second, so that trees are those of a second. What it does per
/// CPU second stands beside what the engine alone does in the same run, before and after every search: random matches from the start; or, for searches that go through all
/// moves, all children of positions of random matches, with their legal moves. The share may be above 100%, since matches from inside the tree are shorter, and leaves need no
/// legal moves. Tree work per leaf is what is not the engine's. With --threads, one thread and all of them take turns, with the same CPU time in
/// all; the speed-up is that of leaves per CPU second, times the threads.
///
/// With --signature every player looks at six games with one thread and within a fixed number of simulations or positions. How many positions each has looked at, and
/// a number that sums all up: with the same seed it changes only if the behaviour of some search does. It depends on how wide the
/// processor's words are (64, 128, 256 or 512 bits), since the engine plays more matches rather than leave lanes empty.
///
/// Memory of earlier games may count for later ones, since a process does not give all of it back; --separate has a process for every game.
/// Ctrl-C prints what there is.
#[derive(Debug, clap::Args)]
#[command(mut_arg("engine", |engine| {
    let lanes = |mode: &'static str| (mode, ArgPredicate::Equals("true".into()), Some("lanes"));
    engine.default_value_ifs([lanes("search"), lanes("signature")]).help("The engine that executes the rules; `lanes` for searches unless told otherwise")
}))]
#[command(after_help = "\
Examples:
  ludens bench tic_tac_toe
  ludens bench tic_tac_toe my_game.kif --seconds 5 --memo off --json
  ludens bench tic_tac_toe --table 16M
  ludens bench hex --engine lanes --threads 2
  ludens bench --games my_sheets --engine lanes --seconds 0.5 --separate
  ludens bench connect_four breakthrough --search --seconds 5
  ludens bench chess --search --player alphabeta:eval=goal --json
  ludens bench --signature")]
#[allow(clippy::struct_excessive_bools)] // Each is a switch on the command line.
pub(crate) struct Args {
    /// Library names, `.kif` files, or folders with METADATA.
    #[arg(value_name = "GAME", required_unless_present_any = ["all", "games_in", "signature"])]
    games: Vec<String>,
    /// All games of the library.
    #[arg(long)]
    all: bool,
    /// All `.kif` files of a folder, and its folders with METADATA or `rules.kif`.
    #[arg(long = "games", value_name = "DIR", id = "games_in")]
    folder: Option<PathBuf>,
    /// Measure a player that thinks instead of random matches.
    #[arg(long, conflicts_with_all = ["separate", "lanes"])]
    search: bool,
    /// Who thinks; `ludens players` lists the players.
    #[arg(long, value_name = "SPEC", default_value = "uct", requires = "search")]
    player: String,
    /// Sum up in one line what all searches do on six games.
    #[arg(long, conflicts_with_all = ["games", "all", "games_in", "search", "separate", "lanes", "threads", "seconds"])]
    signature: bool,
    /// CPU seconds of playouts or searches per game. With several threads each has as many, and one of them as many again alone.
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
    /// Threads that play at the same time.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Measure every game in a process of its own.
    #[arg(long)]
    separate: bool,
    #[command(flatten)]
    play: PlayArgs,
    /// States in hand at once, at most; the engine `lanes` takes words of 64, 128, 256 or 512 bits, as the processor has them.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..=512))]
    lanes: u16,
    /// Print one JSON document: `results: [{game, engine, lanes, threads, playouts_per_cpu_second, states_per_cpu_second, playouts_per_second,
    /// thread_rates, speed_up, setup_cpu_seconds, setup_peak_bytes, peak_bytes, mean_plies, signature, fallback}]`, with --table and one thread also `table:
    /// {bytes, asked, hits, hit_rate}`; a game that cannot be measured has `{game, error}`. With --search: `results: [{game, player, engine, threads, searches, simulations_per_cpu_second, playouts_per_cpu_second,
    /// playouts_per_simulation, nodes_per_cpu_second, nodes, depth, value, tree_microseconds, bytes_per_node, raw_playouts_per_cpu_second, raw_expansions_per_cpu_second,
    /// raw_share, speed_up, simulations_per_second}]`, `null` where there is no such thing. With --signature: `signature, seed, searches: [{player, games, nodes}]`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// What random matches of one game came to.
#[derive(Serialize, Deserialize)]
struct Measured {
    game: String,
    engine: String,
    /// States in hand at once.
    lanes: usize,
    threads: usize,
    playouts: u64,
    /// Of several threads, the mean.
    playouts_per_cpu_second: f64,
    states_per_cpu_second: f64,
    /// By the clock on the wall, of all threads together.
    playouts_per_second: f64,
    /// Playouts per CPU second of every thread while all played, and their sum over the rate of one alone.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    thread_rates: Vec<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_up: Option<f64>,
    setup_cpu_seconds: f64,
    /// The process's peak of resident memory during the set-up, and while this game was measured, where the system tells.
    setup_peak_bytes: Option<u64>,
    peak_bytes: Option<u64>,
    mean_plies: f64,
    /// Playouts without an end: a role was stuck, or the bound on joint moves was met.
    unfinished: u64,
    /// Absent where Ctrl-C came before it was complete.
    signature: Option<String>,
    /// Why it is not the engine that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableReport>,
}

/// How much the transposition table was used.
#[derive(Serialize, Deserialize)]
struct TableReport {
    bytes: usize,
    /// Questions asked (evaluations, goals, successors), and those that the table answered.
    asked: u64,
    hits: u64,
    hit_rate: f64,
}

impl TableReport {
    fn new(used: TableUse) -> TableReport {
        let TableUse { bytes, asked, hits } = used;
        TableReport { bytes, asked, hits, hit_rate: hits as f64 / asked.max(1) as f64 }
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    if !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!("--seconds must be greater than 0 and at most 1000000");
    }
    interrupt::listen()?;
    if args.signature {
        return signature::run(args, console);
    }
    let mut games = args.games.clone();
    if args.all {
        games.extend(library::all().iter().map(|entry| entry.name.to_owned()));
    }
    if let Some(folder) = &args.folder {
        games.extend(game::all_in(folder)?);
    }
    if args.search {
        return search::run(&games, args, console);
    }
    let progress = console.spinner("playouts");
    let report = Report::of(&games, &progress, |game| {
        let measured = if args.separate { separate::measure(game, args) } else { measure_game(game, args, &progress) }?;
        if let Some(Measured { game, fallback: Some(reason), .. }) = &measured {
            console.note(&format!("{game}: played by the relational engine: {reason}"));
        }
        Ok(measured)
    })?;
    for result in report.measured().filter(|result| result.unfinished > 0) {
        console.note(&format!("{}: {} of {} playouts had no end", result.game, result.unfinished, result.playouts));
    }
    report.print(args.json, &table(&report, args.threads > 1))
}

/// `None` where Ctrl-C came before the first playout ended.
fn measure_game(game: &str, args: &Args, progress: &ProgressBar) -> Result<Option<Measured>> {
    measure::reset_peak_bytes();
    let watch = measure::ProcessWatch::start();
    let sheet = Sheet::open(game)?;
    let machine = args.engine.machine_of(&sheet)?;
    // The first playout belongs to the set-up: it makes the machine code for all others.
    let max_plies = args.play.max_plies as u64;
    machine.lanes(usize::from(args.lanes)).playouts(machine.initial(), 1, max_plies, &mut Random::new(args.play.seed));
    let setup_cpu_seconds = watch.seconds();
    let setup_peak_bytes = measure::peak_bytes();

    let threads = usize::from(args.threads);
    let is_bits = machine.as_bits().is_some();
    let alone = threads == 1 && !is_bits;
    let (first, signature) = play::one_by_one(&machine, args, if alone { args.seconds } else { 0.0 }, progress)?;
    let (mut tally, mut rates, mut speed_up) = (first, Vec::new(), None);
    if threads > 1 {
        let together = play::together(&machine, args, progress)?;
        speed_up = Some(together.rates.iter().sum::<f64>() / together.alone.max(f64::MIN_POSITIVE));
        (tally, rates) = (together.total, together.rates);
    } else if is_bits {
        tally = play::in_lanes(&machine, args, progress)?;
    }
    if tally.playouts == 0 {
        return Ok(None);
    }
    let playouts = tally.playouts as f64;
    Ok(Some(Measured {
        game: sheet.source.name.clone(),
        engine: machine.engine_name().to_owned(),
        lanes: if is_bits { usize::from(args.lanes) } else { 1 },
        threads,
        playouts: tally.playouts,
        playouts_per_cpu_second: playouts / tally.cpu_seconds,
        states_per_cpu_second: tally.plies as f64 / tally.cpu_seconds,
        playouts_per_second: playouts / tally.wall_seconds,
        thread_rates: rates,
        speed_up,
        setup_cpu_seconds,
        setup_peak_bytes,
        peak_bytes: measure::peak_bytes(),
        mean_plies: tally.plies as f64 / playouts,
        unfinished: tally.unfinished,
        signature: (first.playouts >= SIGNATURE_PLAYOUTS).then(|| format!("{:016x}", signature.0)),
        fallback: machine.fallback().map(ToString::to_string),
        table: tally.table.map(TableReport::new),
    }))
}

fn table(report: &Report<Measured>, threads: bool) -> Table {
    let mut header = vec!["game", "engine", "playouts/CPU s", "states/CPU s", "mean plies", "set-up CPU s", "set-up MiB"];
    if threads {
        header.extend(["playouts/s", "speed-up"]);
    }
    let has_table = report.measured().any(|result| result.table.is_some());
    header.extend(has_table.then_some("table hits"));
    header.push("signature");
    let mut table = report::table(&header, 2);
    if let Some(signature) = table.column_mut(header.len() - 1) {
        signature.set_cell_alignment(CellAlignment::Left);
    }
    for result in report.measured() {
        let mut row = vec![
            result.game.clone(),
            result.engine.clone(),
            grouped(result.playouts_per_cpu_second),
            grouped(result.states_per_cpu_second),
            format!("{:.2}", result.mean_plies),
            format!("{:.3}", result.setup_cpu_seconds),
            or_dash(result.setup_peak_bytes.map(|bytes| format!("{:.1}", bytes as f64 / f64::from(1 << 20)))),
        ];
        if threads {
            row.push(grouped(result.playouts_per_second));
            row.push(or_dash(result.speed_up.map(|speed_up| format!("{speed_up:.2}"))));
        }
        if has_table {
            row.push(or_dash(result.table.as_ref().map(|table| format!("{:.1}%", 100.0 * table.hit_rate))));
        }
        row.push(or_dash(result.signature.clone()));
        table.add_row(row);
    }
    table
}

//! `ludens bench`.

mod play;
mod separate;

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::EngineArgs;
use crate::play_args::PlayArgs;
use crate::sheet::Sheet;
use crate::words::{grouped, number};
use crate::{game, interrupt, library, measure};
use anyhow::{Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use ludens_machine::Random;
use ludens_machine::relational::TableUse;
use play::SIGNATURE_PLAYOUTS;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Measure how fast random matches are played.
///
/// Uniformly random playouts from the start, the points of every role computed at the end. Rates are per second of CPU time,
/// since machines are shared; states are joint moves played. Set-up is the CPU time from the text to a machine that can
/// play, and the most memory that was in use by then. A game that cannot be measured has its line too, and the exit code is 2. The signature sums up the first
/// ten playouts: with the same seed and engine it changes only if the engine's behaviour does.
///
/// With --threads, every thread has states of its own on one machine. One thread alone and all together take turns; the speed-up is the sum of the rates
/// per CPU second of all threads, over the rate of one alone. It says how much the threads disturb each other, whatever else the computer does.
///
/// Memory of earlier games may count for later ones, since a process does not give all of it back; --separate has a process for every game.
/// Ctrl-C prints what there is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens bench tic_tac_toe
  ludens bench tic_tac_toe my_game.kif --seconds 5 --memo off --json
  ludens bench tic_tac_toe --table 16M
  ludens bench hex --engine lanes --threads 2
  ludens bench --games my_sheets --engine lanes --seconds 0.5 --separate")]
pub(crate) struct Args {
    /// Library names, `.kif` files, or folders with METADATA.
    #[arg(value_name = "GAME", required_unless_present_any = ["all", "games_in"])]
    games: Vec<String>,
    /// All games of the library.
    #[arg(long)]
    all: bool,
    /// All `.kif` files of a folder, and its folders with METADATA or `rules.kif`.
    #[arg(long = "games", value_name = "DIR", id = "games_in")]
    folder: Option<PathBuf>,
    /// CPU seconds of playouts per game. With several threads each has as many, and one of them as many again alone.
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
    /// {bytes, asked, hits, hit_rate}`; a game that cannot be measured has `{game, error}`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Serialize, Deserialize)]
struct Report {
    results: Vec<Outcome>,
    interrupted: bool,
}

/// What came of one game.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Outcome {
    Measured(Box<Measured>),
    Failed { game: String, error: String },
}

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
    let mut games = args.games.clone();
    if args.all {
        games.extend(library::all().iter().map(|entry| entry.name.to_owned()));
    }
    if let Some(folder) = &args.folder {
        games.extend(game::all_in(folder)?);
    }
    let mut results = Vec::new();
    let progress = console.spinner("playouts");
    for game in &games {
        if interrupt::is_requested() {
            break;
        }
        progress.set_message(game.clone());
        progress.set_position(0);
        let measured = if args.separate { separate::measure(game, args) } else { measure_game(game, args, &progress) };
        match measured {
            Ok(measured) => {
                if let Some(Measured { game, fallback: Some(reason), .. }) = &measured {
                    console.note(&format!("{game}: played by the relational engine: {reason}"));
                }
                results.extend(measured.map(|measured| Outcome::Measured(Box::new(measured))));
            }
            // There is no other result that could be lost, so its error is the job's.
            Err(error) if games.len() == 1 => return Err(error.context(format!("cannot measure {game}"))),
            Err(error) => results.push(Outcome::Failed { game: game.clone(), error: format!("{error:#}") }),
        }
    }
    progress.finish_and_clear();
    let report = Report { results, interrupted: interrupt::is_requested() };
    for result in report.measured().filter(|result| result.unfinished > 0) {
        console.note(&format!("{}: {} of {} playouts had no end", result.game, result.unfinished, result.playouts));
    }
    report.print(args)
}

impl Outcome {
    fn measured(self) -> Option<Measured> {
        match self {
            Outcome::Measured(measured) => Some(*measured),
            Outcome::Failed { .. } => None,
        }
    }
}

impl Report {
    fn measured(&self) -> impl Iterator<Item = &Measured> {
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

    fn print(&self, args: &Args) -> Result<Answer> {
        if args.json {
            console::print_json(self)?;
        } else {
            console::print(&self.text(args.threads > 1))?;
        }
        match self.failed().count() {
            _ if self.interrupted => Ok(Answer::Interrupted),
            0 => Ok(Answer::Yes),
            failed => bail!("{} of {} could not be measured", failed, number(self.results.len() as u64, "game")),
        }
    }
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

impl Report {
    fn text(&self, threads: bool) -> String {
        let mut header = vec!["game", "engine", "playouts/CPU s", "states/CPU s", "mean plies", "set-up CPU s", "set-up MiB"];
        if threads {
            header.extend(["playouts/s", "speed-up"]);
        }
        let has_table = self.measured().any(|result| result.table.is_some());
        header.extend(has_table.then_some("table hits"));
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(header.iter().chain(&["signature"]));
        for column in table.column_iter_mut().skip(2).take(header.len() - 2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        for result in self.measured() {
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
        let mut text = table.trim_fmt();
        for (game, error) in self.failed() {
            let _ = write!(text, "\n{game}: error: {error}");
        }
        if self.interrupted {
            text.push_str("\ninterrupted");
        }
        text
    }
}

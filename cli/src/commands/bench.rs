//! `ludens bench`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::EngineArgs;
use crate::play_args::PlayArgs;
use crate::sheet::Sheet;
use crate::words::number;
use crate::{interrupt, library, measure};
use anyhow::{Result, bail};
use comfy_table::{CellAlignment, Table, presets};
use indicatif::ProgressBar;
use ludens_machine::{Machine, Playout, Random, playout};
use serde::Serialize;
use std::fmt::Write as _;

/// Measure how fast random matches are played.
///
/// Uniformly random playouts from the start, the points of every role computed at the end, on one thread. Rates are per second of CPU time,
/// since machines are shared; states are joint moves played. Set-up is the CPU time from the text to a machine that can
/// play. A game that cannot be measured has its line too, and the exit code is 2. The signature sums up the first ten playouts: with the same seed and engine it changes only if the engine's behaviour does.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens bench tic_tac_toe
  ludens bench tic_tac_toe my_game.kif --seconds 5 --memo off --json")]
pub(crate) struct Args {
    /// Library names, `.kif` files, or folders with METADATA.
    #[arg(value_name = "GAME", required_unless_present = "all")]
    games: Vec<String>,
    /// All games of the library.
    #[arg(long, conflicts_with = "games")]
    all: bool,
    /// CPU seconds of playouts per game.
    #[arg(long, value_name = "S", default_value_t = 2.0)]
    seconds: f64,
    #[command(flatten)]
    play: PlayArgs,
    /// States in hand at once, at most; the engine `lanes` takes words of 64, 128, 256 or 512 bits, as the processor has them.
    #[arg(long, value_name = "N", default_value_t = 512, value_parser = clap::value_parser!(u16).range(1..=512))]
    lanes: u16,
    /// Print one JSON document: `results: [{game, engine, lanes, playouts_per_cpu_second, states_per_cpu_second,
    /// setup_cpu_seconds, peak_bytes, mean_plies, signature}]`; a game that cannot be measured has `{game, error}`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// Playouts that make up the signature. They are played even where they take longer than the budget: a signature that
/// depended on the machine's speed would be none.
const SIGNATURE_PLAYOUTS: u64 = 10;

/// How many states are evaluated between two looks at the clock, which is a system call.
const STATES_PER_LOOK: u64 = 100;

#[derive(Serialize)]
struct Report {
    results: Vec<Outcome>,
    interrupted: bool,
}

/// What came of one game.
#[derive(Serialize)]
#[serde(untagged)]
enum Outcome {
    Measured(Measured),
    Failed { game: String, error: String },
}

#[derive(Serialize)]
struct Measured {
    game: String,
    engine: &'static str,
    /// States in hand at once.
    lanes: usize,
    playouts: u64,
    playouts_per_cpu_second: f64,
    states_per_cpu_second: f64,
    setup_cpu_seconds: f64,
    /// The process's peak of resident memory while this game was measured, where the system tells.
    peak_bytes: Option<u64>,
    mean_plies: f64,
    /// Playouts without an end: a role was stuck, or the bound on joint moves was met.
    unfinished: u64,
    /// Absent where Ctrl-C came before it was complete.
    signature: Option<String>,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    if !(args.seconds > 0.0 && args.seconds <= 1e6) {
        bail!("--seconds must be greater than 0 and at most 1000000");
    }
    interrupt::listen()?;
    let games: Vec<String> =
        if args.all { library::all().iter().map(|entry| entry.name.to_owned()).collect() } else { args.games.clone() };
    let mut results = Vec::new();
    let progress = console.spinner("playouts");
    for game in &games {
        if interrupt::is_requested() {
            break;
        }
        progress.set_message(game.clone());
        progress.set_position(0);
        match measure_game(game, args, console, &progress) {
            Ok(measured) => results.extend(measured.map(Outcome::Measured)),
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

impl Report {
    fn measured(&self) -> impl Iterator<Item = &Measured> {
        self.results.iter().filter_map(|result| match result {
            Outcome::Measured(measured) => Some(measured),
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
            console::print(&self.text())?;
        }
        match self.failed().count() {
            _ if self.interrupted => Ok(Answer::Interrupted),
            0 => Ok(Answer::Yes),
            failed => bail!("{} of {} could not be measured", failed, number(self.results.len() as u64, "game")),
        }
    }
}

/// `None` where Ctrl-C came before the first playout ended.
fn measure_game(game: &str, args: &Args, console: Console, progress: &ProgressBar) -> Result<Option<Measured>> {
    measure::reset_peak_bytes();
    let watch = measure::ProcessWatch::start();
    let sheet = Sheet::open(game)?;
    let machine = args.engine.machine_of(&sheet)?;
    let setup_cpu_seconds = watch.seconds();
    if let Some(reason) = machine.fallback() {
        console.note(&format!("{game}: played by the relational engine: {reason}"));
    }

    let mut tally = play(&machine, args, progress)?;
    if machine.as_bits().is_some() {
        play_lanes(&machine, args, progress, &mut tally);
    }
    if tally.playouts == 0 {
        return Ok(None);
    }
    let playouts = tally.playouts as f64;
    Ok(Some(Measured {
        game: sheet.source.name.clone(),
        engine: machine.engine_name(),
        lanes: if machine.as_bits().is_some() { usize::from(args.lanes) } else { 1 },
        playouts: tally.playouts,
        playouts_per_cpu_second: playouts / tally.cpu_seconds,
        states_per_cpu_second: tally.plies as f64 / tally.cpu_seconds,
        setup_cpu_seconds,
        peak_bytes: measure::peak_bytes(),
        mean_plies: tally.plies as f64 / playouts,
        unfinished: tally.unfinished,
        signature: (tally.playouts >= SIGNATURE_PLAYOUTS).then(|| format!("{:016x}", tally.signature.0)),
    }))
}

/// What adds up over the playouts.
struct Tally {
    playouts: u64,
    plies: u64,
    unfinished: u64,
    cpu_seconds: f64,
    signature: Signature,
}

fn play(machine: &Machine, args: &Args, progress: &ProgressBar) -> Result<Tally> {
    let roles = machine.roles().len();
    let mut lanes = machine.lanes(1);
    let mut random = Random::new(args.play.seed);
    let mut tally = Tally { playouts: 0, plies: 0, unfinished: 0, cpu_seconds: 0.0, signature: Signature::new() };
    let mut states_since_look = 0;
    let watch = measure::ProcessWatch::start();
    let seconds = if machine.as_bits().is_some() { 0.0 } else { args.seconds };
    while !interrupt::is_requested() && (tally.cpu_seconds < seconds || tally.playouts < SIGNATURE_PLAYOUTS) {
        lanes.load(0, machine.initial());
        let result = playout(&mut lanes, 0, roles, &mut random, args.play.max_plies)?;
        if tally.playouts < SIGNATURE_PLAYOUTS {
            tally.signature.add(&result);
        }
        tally.playouts += 1;
        tally.plies += result.plies as u64;
        tally.unfinished += u64::from(result.points.is_none());
        // The last state of a playout counts too: a match that is over before its first move also takes time.
        states_since_look += result.plies as u64 + 1;
        if states_since_look >= STATES_PER_LOOK {
            states_since_look = 0;
            tally.cpu_seconds = watch.seconds();
            progress.set_position(tally.playouts);
        }
    }
    tally.cpu_seconds = watch.seconds();
    Ok(tally)
}

/// Playouts in all lanes at once, in ever larger batches.
fn play_lanes(machine: &Machine, args: &Args, progress: &ProgressBar, tally: &mut Tally) {
    let lanes = machine.lanes(usize::from(args.lanes));
    let mut random = Random::new(args.play.seed);
    // At first as many as are in hand at once, then as many as take a fifth of a second: Ctrl-C is noticed between batches.
    let mut batch = u64::from(args.lanes);
    let mut total = Tally { playouts: 0, plies: 0, unfinished: 0, cpu_seconds: 0.0, signature: Signature(tally.signature.0) };
    let watch = measure::ProcessWatch::start();
    while !interrupt::is_requested() && total.cpu_seconds < args.seconds {
        let max_plies = args.play.max_plies as u64;
        let Some(played) = lanes.playouts(machine.initial(), batch, max_plies, &mut random) else { return };
        total.playouts += played.finished + played.stuck;
        total.plies += played.plies;
        total.unfinished += played.stuck;
        total.cpu_seconds = watch.seconds();
        progress.set_position(total.playouts);
        batch = batch.max((total.playouts as f64 / total.cpu_seconds * 0.2) as u64).min(batch * 16);
    }
    *tally = total;
}

/// FNV-1a over the lengths and results of playouts: short, and the same on every machine.
struct Signature(u64);

impl Signature {
    fn new() -> Signature {
        Signature(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, playout: &Playout) {
        let plies = (playout.plies as u64).to_le_bytes();
        // 255 points cannot be: it stands for a playout without an end.
        let points = playout.points.as_deref().unwrap_or(&[255]);
        for &byte in plies.iter().chain(points) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header([
            "game",
            "engine",
            "playouts/CPU s",
            "states/CPU s",
            "mean plies",
            "set-up CPU s",
            "peak MiB",
            "signature",
        ]);
        for column in table.column_iter_mut().skip(2).take(5) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        for result in self.measured() {
            table.add_row([
                result.game.clone(),
                result.engine.to_owned(),
                rate(result.playouts_per_cpu_second),
                rate(result.states_per_cpu_second),
                format!("{:.2}", result.mean_plies),
                format!("{:.3}", result.setup_cpu_seconds),
                result.peak_bytes.map_or_else(|| "-".to_owned(), |bytes| format!("{:.1}", bytes as f64 / f64::from(1 << 20))),
                result.signature.clone().unwrap_or_else(|| "-".to_owned()),
            ]);
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

/// Three digits at least where a rate is small, thousands apart where it is large.
fn rate(per_second: f64) -> String {
    if per_second < 100.0 {
        return format!("{per_second:.2}");
    }
    let digits = format!("{per_second:.0}");
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::{Signature, rate};
    use ludens_machine::Playout;

    #[test]
    fn rates_are_readable() {
        assert_eq!(rate(8.512), "8.51");
        assert_eq!(rate(999.6), "1,000");
        assert_eq!(rate(123.4), "123");
        assert_eq!(rate(1_234_567.0), "1,234,567");
    }

    #[test]
    fn the_signature_tells_results_apart() {
        let of = |plies, points| {
            let mut signature = Signature::new();
            signature.add(&Playout { plies, points });
            signature.0
        };
        let draw = of(9, Some(vec![50, 50]));
        assert_eq!(draw, of(9, Some(vec![50, 50])));
        assert_ne!(draw, of(8, Some(vec![50, 50])));
        assert_ne!(draw, of(9, Some(vec![100, 0])));
        assert_ne!(draw, of(9, None));
    }
}

//! `ludens verify`.

mod corpus;

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::{EngineArgs, cannot_build};
use crate::replay::{self, Mismatch, Outcome};
use crate::sheet::Sheet;
use crate::trace_file::Trace;
use crate::words::number;
use crate::{game, interrupt, measure};
use anyhow::{Result, bail};
use corpus::Pair;
use ludens_gdl::Code;
use ludens_serve::record::sha256_hex;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Replay recorded traces and compare every state.
///
/// For every NAME.jsonl.gz (or NAME.jsonl) under the folder of traces the sheet NAME.kif under the folder of games is read. Every
/// state of the trace is loaded into the engine, and initial state, legal moves, terminal, goal values and successor are
/// compared. The last line of the output is the sum: `N games, M states, K mismatches`.
///
/// Sheets that are not valid are listed and passed over, and so are traces without a state and sheets on which the maker of the
/// trace is known to be wrong. Where a trace leaves out the successor of a state, that is counted: it cannot be compared.
///
/// Exit code 1 if there is a mismatch; 2 if a game could not be compared, because a file cannot be read or the engine met a limit. The other games
/// are compared all the same.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens verify --games my_games --traces my_traces
  ludens verify --only tic_tac_toe --memo off --json

`ludens trace my_games/NAME.kif > my_traces/NAME.jsonl` makes a trace.")]
pub(crate) struct Args {
    /// The folder of rule sheets, with its subfolders [default: games].
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,
    /// The folder of traces, with its subfolders [default: traces].
    #[arg(long, value_name = "DIR")]
    traces: Option<PathBuf>,
    /// Only games whose name contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Games replayed at the same time.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Print one JSON document: `games, states, mismatches, unchecked, failed: [name], skipped: [{game, reason}], results: [..]`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

/// One game's line.
#[derive(Clone, Debug, Serialize)]
struct Verified {
    game: String,
    states: u64,
    mismatches: u64,
    /// Successors that the trace does not have.
    unchecked: u64,
    cpu_seconds: f64,
    /// Why there is nothing to compare.
    #[serde(skip_serializing_if = "Option::is_none")]
    skipped: Option<String>,
    /// Why the game could not be compared, or not to its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// What a reader should know about the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first_mismatch: Option<Mismatch>,
}

#[derive(Debug, Default, Serialize)]
struct Report {
    /// Games compared; skipped ones and those with an error do not count.
    games: usize,
    states: u64,
    mismatches: u64,
    /// Successors that the traces do not have.
    unchecked: u64,
    /// Games with a mismatch or an error.
    failed: Vec<String>,
    skipped: Vec<Skipped>,
    interrupted: bool,
    results: Vec<Verified>,
}

#[derive(Debug, Serialize)]
struct Skipped {
    game: String,
    reason: String,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let games = folder(args.games.as_deref(), "games")?;
    let traces = folder(args.traces.as_deref(), "traces")?;
    let mut pairs = corpus::pairs(&games, &traces)?;
    pairs.retain(|pair| pair.name.contains(&args.only));
    if pairs.is_empty() {
        bail!("there is nothing to verify in `{}` and `{}`", games.display(), traces.display());
    }
    interrupt::listen()?;

    let mut report = Report::default();
    let width = pairs.iter().map(|pair| pair.name.len()).max().unwrap_or(0);
    let progress = console.bar(pairs.len() as u64, "games");
    in_order(&pairs, args, |verified| {
        progress.inc(1);
        let text = verified.text(width);
        report.add(verified);
        if args.json {
            return Ok(());
        }
        // Lines come as they are ready; the bar makes room for them.
        progress.suspend(|| console::print(&text))
    })?;
    progress.finish_and_clear();
    report.interrupted = interrupt::is_requested();

    if args.json {
        console::print_json(&report)?;
    } else {
        let mut out = console::out();
        if report.interrupted {
            writeln!(out, "interrupted")?;
        }
        writeln!(out, "{} games, {} states, {} mismatches", report.games, report.states, report.mismatches)?;
        out.flush()?;
    }
    report.answer()
}

/// The folder that was given, or the one of that name where we are.
fn folder(given: Option<&Path>, name: &str) -> Result<PathBuf> {
    let folder = given.unwrap_or(Path::new(name));
    match (folder.is_dir(), given) {
        (true, _) => Ok(folder.to_path_buf()),
        (false, Some(_)) => bail!("`{}` is not a folder", folder.display()),
        (false, None) => bail!(
            "there is no folder `{name}` here; say where the rule sheets and their traces are with --games DIR and --traces DIR"
        ),
    }
}

/// Verifies all pairs on as many threads as asked for, and hands the results on in the order of the pairs.
fn in_order(pairs: &[Pair], args: &Args, mut each: impl FnMut(Verified) -> Result<()>) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..args.threads {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while !interrupt::is_requested() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(pair) = pairs.get(index) else { break };
                    // A closed channel means that the main thread has given up.
                    if sender.send((index, verify(pair, args.engine))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut due = 0;
        for (index, verified) in &receiver {
            early.insert(index, verified);
            while let Some(verified) = early.remove(&due) {
                each(verified)?;
                due += 1;
            }
        }
        drop(receiver);
        Ok(())
    })
}

fn verify(pair: &Pair, engine: EngineArgs) -> Verified {
    let watch = measure::ThreadWatch::start();
    let mut verified = Verified {
        game: pair.name.clone(),
        states: 0,
        mismatches: 0,
        unchecked: 0,
        cpu_seconds: 0.0,
        skipped: None,
        error: None,
        note: None,
        first_mismatch: None,
    };
    match (&pair.sheet, &pair.trace) {
        (Some(sheet), Some(trace)) => match read(sheet, trace) {
            Ok((sheet, trace)) => compare(&sheet, &trace, engine, &mut verified),
            Err(error) => verified.error = Some(format!("{error:#}")),
        },
        (Some(_), None) => verified.skipped = Some("there is no trace for this sheet".to_owned()),
        (None, _) => verified.skipped = Some("there is no sheet for this trace".to_owned()),
    }
    verified.cpu_seconds = watch.seconds();
    verified
}

fn read(sheet: &Path, trace: &Path) -> Result<(Sheet, Trace)> {
    Ok((Sheet::new(game::read_sheet(sheet)?), Trace::read(trace)?))
}

fn compare(sheet: &Sheet, trace: &Trace, engine: EngineArgs, verified: &mut Verified) {
    if sheet.has(Code::RandomRole) {
        verified.note = Some("GDL-II: role random, played as an ordinary role".to_owned());
    }
    let Some(rules) = sheet.rules() else {
        verified.skipped = Some(format!("rejected ({})", sheet.error_codes().join(", ")));
        return;
    };
    // ggp-base's prover does not know that `(p)` is `p`, so its traces of such sheets are no oracle.
    if trace.header.oracle.starts_with("ggp-base")
        && let Some(name) = sheet.name_with_and_without_parentheses()
    {
        verified.skipped = Some(format!("skipped: the oracle reads ({name}) and {name} as two relations"));
        return;
    }
    let sha256 = sha256_hex(&sheet.source.bytes);
    if sha256 != trace.header.sha256 {
        verified.fail("SHA-256 of the sheet: the trace was made from another one", &trace.header.sha256, &sha256);
        return;
    }
    // Nothing would be compared, and that must not look like agreement.
    if trace.steps.is_empty() {
        verified.skipped = Some("the trace has no state".to_owned());
        return;
    }
    match engine.build(rules) {
        Ok(machine) => {
            if let Some(reason) = machine.fallback() {
                verified.note = Some(format!("played by the relational engine: {reason}"));
            }
            verified.take(replay::replay(&machine, rules.case_sensitive, trace, interrupt::is_requested));
        }
        Err(error) => verified.error = Some(format!("{}: {error}", cannot_build(sheet))),
    }
}

impl Verified {
    fn take(&mut self, outcome: Outcome) {
        self.states = outcome.states;
        self.mismatches = outcome.mismatches;
        self.unchecked = outcome.unchecked;
        self.error = outcome.error;
        self.first_mismatch = outcome.first;
        if outcome.interrupted {
            self.note = Some("interrupted".to_owned());
        }
    }

    /// A disagreement before the first state.
    fn fail(&mut self, what: &str, expected: &str, got: &str) {
        self.mismatches += 1;
        let (missing, surplus) = (vec![expected.to_owned()], vec![got.to_owned()]);
        self.first_mismatch = Some(Mismatch { match_number: 0, step: 0, what: what.to_owned(), missing, surplus });
    }

    fn text(&self, width: usize) -> String {
        let Verified { game, states, mismatches, cpu_seconds, .. } = self;
        let mut text = match &self.skipped {
            Some(reason) => format!("{game:width$}  {reason}"),
            None => format!("{game:width$}  {states:>5} states  {mismatches:>3} mismatches  {cpu_seconds:>8.3} CPU s"),
        };
        if self.unchecked > 0 {
            let _ = write!(text, "  {} not recorded", number(self.unchecked, "successor"));
        }
        if let Some(error) = &self.error {
            let _ = write!(text, "  error: {error}");
        }
        if let Some(note) = &self.note {
            let _ = write!(text, "  {note}");
        }
        if let Some(first) = &self.first_mismatch {
            text += &first.text();
        }
        text
    }
}

impl Mismatch {
    fn text(&self) -> String {
        let list = |terms: &[String]| match terms {
            [] => "nothing".to_owned(),
            _ if terms.len() > 20 => format!("{} and {} more", terms[..20].join(" "), terms.len() - 20),
            _ => terms.join(" "),
        };
        format!(
            "\n  match {}, step {}: {}\n    only expected: {}\n    only computed: {}",
            self.match_number,
            self.step,
            self.what,
            list(&self.missing),
            list(&self.surplus)
        )
    }
}

impl Report {
    fn answer(&self) -> Result<Answer> {
        let errors: Vec<String> = self
            .results
            .iter()
            .filter_map(|verified| verified.error.as_ref().map(|error| format!("\n  {}: {error}", verified.game)))
            .collect();
        if self.interrupted {
            return Ok(Answer::Interrupted);
        }
        if !errors.is_empty() {
            bail!("{} could not be compared:{}", number(errors.len() as u64, "game"), errors.concat());
        }
        if self.games == 0 {
            bail!("no game could be compared");
        }
        Ok(Answer::yes_if(self.mismatches == 0))
    }

    fn add(&mut self, verified: Verified) {
        match &verified.skipped {
            Some(reason) => self.skipped.push(Skipped { game: verified.game.clone(), reason: reason.clone() }),
            None => self.games += usize::from(verified.error.is_none()),
        }
        self.states += verified.states;
        self.mismatches += verified.mismatches;
        self.unchecked += verified.unchecked;
        if verified.mismatches > 0 || verified.error.is_some() {
            self.failed.push(verified.game.clone());
        }
        self.results.push(verified);
    }
}

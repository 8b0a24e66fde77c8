//! `ludens tournament`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::contest::{self, Setup};
use crate::interrupt;
use crate::search_args::FastEngineArgs;
use crate::words::{number, quoted};
use anyhow::{Context, Result, bail, ensure};
use ludens_serve::record::replace_file;
use ludens_tournament::{Plan, Store};
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// A plan is a page of text; a file beyond this is something else.
const MAX_BYTES: u64 = 1 << 20;

/// A plan with every key.
const EXAMPLE: &str = include_str!("tournament/plan.toml");

/// What stands under the help.
static AFTER_HELP: LazyLock<String> = LazyLock::new(|| {
    let plan = EXAMPLE.trim_end().replace('\n', "\n  ");
    format!(
        "A plan with every key, most with its default:\n  {plan}\n\n\
         Examples:\n  ludens tournament plan.toml\n  ludens tournament plan.toml --report plan.html --json\n\n\
         `ludens replay plan.sqlite` lists the matches of the file, and shows one of them."
    )
});

/// Play a tournament by a plan from a file, and report who is better, on which games, by how much.
///
/// The plan is TOML; one with every key stands below. Only `games` and `players` have to be there. Matches come in pairs with exchanged seats after the same opening, every
/// player has one thread, and CPU time is counted, as `ludens arena --help` explains. With `clocks = [30, 5]` matches are run as game managers do, in seconds on the wall, one at a
/// time; players at an address (http://HOST:PORT) can only take part in those.
///
/// Every match that ends is kept in a file, PLAN.sqlite unless --store names another, with its whole record. Started again, it goes on where it was: what the
/// file has is not played again, whether the process was killed or the plan has grown. Several processes may play the same plan with the same file.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP.as_str())]
pub(crate) struct Args {
    /// The plan: a TOML file.
    plan: PathBuf,
    #[command(flatten)]
    keep: KeepArgs,
    /// Print one JSON document: `games: [{name, matches, score, wins, draws, losses, interval}], overall, elo, ratings, duels`, and more.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: FastEngineArgs,
}

/// What is left behind.
#[derive(Debug, clap::Args)]
pub(crate) struct KeepArgs {
    /// Keep every match in this file (of `SQLite`), and do not play again what it has.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Write a report to this file: one HTML page with tables and plots.
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

impl KeepArgs {
    /// The store: the file that was named, or else this one, or else one in memory.
    pub(crate) fn open(&self, otherwise: Option<&Path>) -> Result<Store> {
        Ok(match self.store.as_deref().or(otherwise) {
            Some(path) => Store::open(path)?,
            None => Store::in_memory()?,
        })
    }

    /// Whether what was played is still there when the process has ended.
    fn is_kept(&self, has_default: bool) -> bool {
        self.store.is_some() || has_default
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let plan = read(&args.plan)?;
    let default = args.plan.with_extension("sqlite");
    let store = args.keep.open(Some(&default))?;
    let setup = Setup { plan, engine: args.engine, store, sprt: None };
    play_with(setup, &args.keep, args.json, true, console)
}

/// What was typed, so that it can be typed again.
fn command() -> String {
    let word = |argument: OsString| quoted(&argument.to_string_lossy());
    let words: Vec<String> = std::env::args_os().skip(1).map(word).collect();
    format!("ludens {}", words.join(" "))
}

fn read(path: &Path) -> Result<Plan> {
    let place = || format!("cannot read the plan `{}`", path.display());
    let size = fs::metadata(path).with_context(place)?.len();
    if size > MAX_BYTES {
        bail!("`{}` is too large for a plan: {size} bytes", path.display());
    }
    let text = fs::read_to_string(path).with_context(place)?;
    Plan::parse(&text).with_context(|| format!("`{}` is not a plan", path.display()))
}

/// Plays, prints what came of it, and says how to go on where something is left.
pub(crate) fn play(setup: Setup, keep: &KeepArgs, json: bool, console: Console) -> Result<Answer> {
    play_with(setup, keep, json, false, console)
}

fn play_with(setup: Setup, keep: &KeepArgs, json: bool, has_store: bool, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    if let Some(folder) = keep.report.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty()) {
        // Better now than after hours of play.
        ensure!(folder.is_dir(), "cannot write the report: there is no folder `{}`", folder.display());
    }
    let outcome = contest::run(setup, console)?;
    if json {
        console::print_json(&outcome)?;
    } else {
        console::print(&contest::text(&outcome))?;
    }
    if let Some(path) = &keep.report {
        let page = ludens_tournament::html(&outcome.report, &command());
        let written = replace_file(path, |file| file.write_all(page.as_bytes()));
        written.with_context(|| format!("cannot write the report `{}`", path.display()))?;
        console.note(&format!("the report is {}", path.display()));
    }
    if outcome.left > 0 {
        let left = number(outcome.left as u64, "match");
        if keep.is_kept(has_store) {
            console.note(&format!("{left} left; to go on: {}", command()));
        } else {
            console.note(&format!("{left} left: with --store the same command would go on where it was"));
        }
    }
    let played = outcome.report.matches();
    match outcome.failed.len() as u64 {
        _ if outcome.interrupted => Ok(Answer::Interrupted),
        0 if outcome.sprt.as_ref().is_some_and(|sprt| sprt.decision != "better") => Ok(Answer::No),
        0 => Ok(Answer::Yes),
        failed => bail!("{failed} of {} failed", number(played + failed, "match")),
    }
}

#[cfg(test)]
mod tests {
    use super::EXAMPLE;
    use ludens_tournament::Plan;

    #[test]
    fn the_example_is_a_plan_and_its_values_are_the_defaults() {
        let plan = Plan::parse(EXAMPLE).expect("a plan");
        let default = Plan::new(plan.games.clone(), plan.players.clone());
        assert_eq!(plan.pairing(), default.pairing());
        let numbers = |plan: &Plan| (plan.pairs, plan.seed, plan.memory, plan.max_plies, plan.replays, plan.seats);
        assert_eq!(numbers(&plan), numbers(&default));
        assert!((plan.start_cpu - default.start_cpu).abs() < 1e-9);
    }
}

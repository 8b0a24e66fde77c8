//! `ludens experiment`: the papers' experiments, each by one line.
//!
//! An experiment is a module with a function `run(&mut Lab) -> Result<Document>`. It measures through the [`Lab`], which keeps what was measured, and says what it
//! found in a [`Document`]; where and how that is printed and written is the same for all.

mod clune;
mod document;
mod duels;
mod keep;
mod mandziuk;
mod surroundings;
mod waledzik;
mod waugh;

pub(crate) use document::{Document, Finding, Outcome, Section, Table};
pub(crate) use keep::{Lab, go_on};

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::words::quoted;
use anyhow::{Context, Result};
use clap::ValueEnum;
use document::Heading;
use keep::Interrupted;
use ludens_serve::record::replace_file;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use surroundings::{machine, today};

/// Repeat the experiment of a paper, and write its table beside ours.
///
/// Every experiment prints a document and writes it to a folder, as NAME.md with its plots beside it as NAME-*.svg: what was measured where, when and how, our
/// numbers beside the published ones, and for every claim of the paper whether it was reproduced, surpassed, not reproduced, or not decided at this scale, and
/// why.
///
/// Scale `quick` takes minutes on two cores and says how sure it is; `paper` measures as often and as long as the paper did, which takes days, and for `waledzik` years.
///
/// Ctrl-C and kill lose little: what was measured is kept in NAME.partial.json in the folder, matches in NAME.sqlite, and the same command goes on from there. When the document is
/// written, the first of them is removed, and the next run begins anew. Measurements of another version, scale, seed or computer are not used.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens experiment waugh
  ludens experiment waledzik
  ludens experiment clune
  ludens experiment mandziuk --seed 3
  ludens experiment waugh --scale paper --out results --seed 7")]
pub(crate) struct Args {
    /// Whose experiment.
    name: Name,
    /// How much is measured.
    #[arg(long, value_enum, default_value = "quick")]
    scale: Scale,
    /// The folder to write to; it is made where it does not exist.
    #[arg(long, value_name = "DIR", default_value = "experiments")]
    out: PathBuf,
    /// Where chance starts.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// The experiments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Name {
    /// Waugh 2009: states and simulations per move of a Monte Carlo player, by engine and by how far the match has gone.
    Waugh,
    /// Wałędzik & Mańdziuk 2014: guided UCT and MTD(f) against UCT and each other, by time per move.
    Waledzik,
    /// Clune 2007: models of five games, and how they fare against goal values as they stand.
    Clune,
    /// Mandziuk and Swiechowski 2013: the Heuristic Player against UCT by clocks in units of a random simulation.
    Mandziuk,
}

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scale {
    /// Hardly anything: whether it works at all.
    #[value(hide = true)]
    Test,
    /// Minutes.
    Quick,
    /// As much as the paper.
    Paper,
}

/// The word that stands for it on the command line.
fn word(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    let cannot_write = |path: &Path| format!("cannot write `{}`", path.display());
    fs::create_dir_all(&args.out).with_context(|| cannot_write(&args.out))?;
    let (name, began) = (word(&args.name), Instant::now());
    let setting = keep::Setting {
        experiment: name.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scale: word(&args.scale),
        seed: args.seed,
        machine: machine(),
    };
    let mut lab = Lab::open(&args.out.join(format!("{name}.partial.json")), setting, args.scale, console)?;
    let measured = match args.name {
        Name::Waugh => waugh::run(&mut lab),
        Name::Waledzik => waledzik::run(&mut lab),
        Name::Clune => clune::run(&mut lab),
        Name::Mandziuk => mandziuk::run(&mut lab),
    };
    let document = match measured {
        Err(error) if error.is::<Interrupted>() => {
            console.note(&format!("interrupted; {} kept, and the same command goes on from there", lab.kept_text()));
            return Ok(Answer::Interrupted);
        }
        other => other?,
    };
    let heading = Heading {
        date: today(),
        machine: machine(),
        command: command_of(args),
        scale: word(&args.scale),
        seed: args.seed,
        seconds: began.elapsed().as_secs_f64() + lab.seconds_before(),
    };
    let text = document.markdown(&name, &heading);
    for (plot, svg) in document.plots() {
        let path = args.out.join(format!("{name}-{plot}.svg"));
        replace_file(&path, |file| file.write_all(svg.as_bytes())).with_context(|| cannot_write(&path))?;
    }
    let path = args.out.join(format!("{name}.md"));
    replace_file(&path, |file| file.write_all(text.as_bytes())).with_context(|| cannot_write(&path))?;
    lab.finish()?;
    console.note(&format!("written to {}", path.display()));
    console::print(&text)?;
    Ok(Answer::Yes)
}

/// What to type to have the same again.
fn command_of(args: &Args) -> String {
    let command = format!("ludens experiment {} --scale {} --seed {}", word(&args.name), word(&args.scale), args.seed);
    if args.out != Path::new("experiments") {
        return format!("{command} --out {}", quoted(&args.out.display().to_string()));
    }
    command
}

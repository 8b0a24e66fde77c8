//! `ludens perft`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::EngineArgs;
use crate::interrupt;
use crate::moves::Line;
use crate::perft::{Joints, MAX_DEPTH, Perft, successor};
use crate::sheet::Sheet;
use anyhow::{Result, bail};
use indicatif::ProgressBar;
use ludens_machine::{Machine, State};
use serde::Serialize;
use std::fmt::Write as _;

/// Count the sequences of joint moves of every length up to a depth.
///
/// A joint move is one legal move of every role. The count of depth d is the number of different sequences of d joint moves from the
/// start; a match that is over has no continuation. Two engines that count the same very probably agree about the rules.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens perft tic_tac_toe --depth 9
  ludens perft tic_tac_toe --depth 4 --split --moves \"(mark 2 2); (mark 1 1)\"

--moves takes joint moves separated by `;`, each one move per role: \"(mark 2 2) noop; noop (mark 1 1)\". Where only one role
has a choice, its move alone will do.")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Count the sequences of 1 to N joint moves.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=i64::from(MAX_DEPTH)))]
    depth: u16,
    /// Give the subtotal of every first joint move, for the whole depth.
    #[arg(long)]
    split: bool,
    /// Play these joint moves first.
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// Print one JSON document: `counts: [..]`, and with --split `split: [{joint, count}]`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Serialize)]
struct Report {
    game: String,
    /// By depth, from 1.
    counts: Vec<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    split: Option<Vec<Subtotal>>,
    /// Set where Ctrl-C came first: the counts are too low then.
    interrupted: bool,
}

#[derive(Serialize)]
struct Subtotal {
    /// One move per role.
    joint: Vec<String>,
    count: u64,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let sheet = Sheet::open(&args.game)?;
    let machine = args.engine.machine_of(&sheet)?;
    let mut line = Line::new(&machine)?;
    line.play(&args.moves)?;
    interrupt::listen()?;

    let progress = console.spinner("steps");
    let mut report =
        Report { game: sheet.source.name.clone(), counts: Vec::new(), split: args.split.then(Vec::new), interrupted: false };
    if args.split {
        count_split(&machine, &line.state(), args.depth.into(), &progress, &mut report)?;
    } else {
        let mut perft = watched(&machine, args.depth.into(), &progress);
        perft.count(&line.state())?;
        report.counts = perft.counts().to_vec();
        report.interrupted = perft.is_stopped();
    }
    progress.finish_and_clear();

    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&report.text())?;
    }
    Ok(if report.interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// A walk that shows how far it is and gives up at Ctrl-C.
fn watched<'m>(machine: &'m Machine, depth: usize, progress: &ProgressBar) -> Perft<'m> {
    let progress = progress.clone();
    Perft::new(machine, depth).stop_when(move || {
        progress.inc(1);
        interrupt::is_requested()
    })
}

fn count_split(machine: &Machine, state: &State, depth: usize, progress: &ProgressBar, report: &mut Report) -> Result<()> {
    /// A line per joint move: more than anybody reads.
    const MAX_SPLIT: u64 = 1_000_000;
    report.counts = vec![0; depth];
    let mut lanes = machine.lanes(1);
    let Some(joints) = Joints::of(&mut lanes, machine, state)? else { return Ok(()) };
    let number = joints.number().unwrap_or(u64::MAX);
    if number > MAX_SPLIT {
        bail!("there are {number} first joint moves; --split lists at most {MAX_SPLIT}");
    }
    for joint in joints {
        // The first move itself, then everything behind it.
        let mut perft = watched(machine, depth - 1, progress);
        perft.count(&successor(&mut lanes, state, &joint)?)?;
        let counts = [&[1], perft.counts()].concat();
        for (total, count) in report.counts.iter_mut().zip(&counts) {
            *total = total.checked_add(*count).ok_or_else(|| anyhow::anyhow!("more than 2^64 sequences"))?;
        }
        let joint = joint.iter().map(|&id| machine.move_text(id)).collect();
        report.split.get_or_insert_default().push(Subtotal { joint, count: counts[depth - 1] });
        if perft.is_stopped() {
            report.interrupted = true;
            break;
        }
    }
    // By their text, not by the engine's numbering, so that engines can be compared.
    report.split.get_or_insert_default().sort_by(|a, b| a.joint.cmp(&b.joint));
    Ok(())
}

impl Report {
    fn text(&self) -> String {
        let mut text = String::new();
        for Subtotal { joint, count } in self.split.iter().flatten() {
            let _ = writeln!(text, "{}: {count}", joint.join(" "));
        }
        for (index, count) in self.counts.iter().enumerate() {
            let _ = writeln!(text, "depth {}: {count}", index + 1);
        }
        if self.interrupted {
            text.push_str("interrupted: these counts are too low\n");
        }
        text
    }
}

//! `ludens trace`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine::EngineArgs;
use crate::play_args::PlayArgs;
use crate::sheet::Sheet;
use crate::trace_file::{Header, Record};
use crate::words::number;
use anyhow::{Context, Result};
use ludens_machine::{Error, Lanes, Machine, MoveId, Random};
use ludens_serve::record::sha256_hex;
use serde::Serialize;
use std::io::Write;

/// Play random matches and print every state of them as JSON lines.
///
/// The first line is a header: game, SHA-256 of the sheet, roles, seed, who made it. Every other line is a state: its fluents, whether
/// it is terminal, the legal moves and goal values of every role, and the joint move played from it. The same seed gives the same
/// output, whatever the engine; `ludens verify` replays such files.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens trace tic_tac_toe --matches 3 --seed 7
  ludens trace my_game.kif --matches 30 | gzip > traces/my_game.jsonl.gz")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// How many matches to play.
    #[arg(long, value_name = "K", default_value_t = 10)]
    matches: u64,
    #[command(flatten)]
    play: PlayArgs,
    /// Changes nothing, since the output is JSON lines anyway: scripts may pass it to every command.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let sheet = Sheet::open(&args.game)?;
    let machine = args.engine.machine_of(&sheet)?;
    let mut out = console::out();
    let header = Header {
        game: sheet.source.name.clone(),
        sha256: sha256_hex(&sheet.source.bytes),
        roles: machine.roles().map(|role| machine.role_name(role).to_owned()).collect(),
        seed: args.play.seed,
        oracle: format!("ludens {} {}", env!("CARGO_PKG_VERSION"), machine.engine_name()),
    };
    write_line(&mut out, &header)?;

    let progress = console.bar(args.matches, "matches");
    let mut random = Random::new(args.play.seed);
    let mut lanes = machine.lanes(1);
    for match_number in 0..args.matches {
        lanes.load(0, machine.initial());
        for ply in 0..=args.play.max_plies {
            let place = || format!("the engine gave up in match {match_number} after {}", number(ply as u64, "joint move"));
            let (mut step, joint) = describe(&machine, &mut lanes, &mut random).with_context(place)?;
            (step.match_number, step.step) = (match_number, ply as u64);
            let joint = joint.filter(|_| ply < args.play.max_plies);
            step.joint = joint.as_ref().map(|joint| joint.iter().map(|&id| machine.move_text(id)).collect());
            write_line(&mut out, &step)?;
            let Some(joint) = joint else { break };
            lanes.play(0, &joint);
            lanes.advance().with_context(place)?;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    out.flush()?;
    Ok(Answer::Yes)
}

fn write_line(out: &mut impl Write, value: &impl Serialize) -> Result<()> {
    serde_json::to_writer(&mut *out, value)?;
    Ok(writeln!(out)?)
}

/// All about the state in hand but its number, and the joint move to go on with, where the match goes on.
fn describe(machine: &Machine, lanes: &mut Lanes<'_>, random: &mut Random) -> Result<(Record, Option<Vec<MoveId>>), Error> {
    lanes.evaluate_fully()?;
    let terminal = lanes.terminal(0);
    let mut step = Record {
        match_number: 0,
        step: 0,
        terminal,
        state: machine.fluents(&lanes.state(0)),
        legal: Vec::new(),
        goals: Vec::new(),
        joint: None,
        stuck: None,
    };
    let mut joint = Vec::new();
    for role in machine.roles() {
        let mut legal: Vec<(String, MoveId)> = lanes.legal(0, role).iter().map(|&id| (machine.move_text(id), id)).collect();
        // Sorted before the draw: the choice must not depend on how the engine numbers its moves.
        legal.sort();
        if legal.is_empty() && !terminal && step.stuck.is_none() {
            step.stuck = Some(machine.role_name(role).to_owned());
        }
        if !legal.is_empty() && !terminal {
            joint.push(legal[random.below(legal.len())].1);
        }
        step.legal.push(legal.into_iter().map(|(text, _)| text).collect());
        let mut goals: Vec<String> = lanes.goals(0, role)?.into_iter().map(|id| machine.goal_text(id)).collect();
        goals.sort();
        step.goals.push(goals);
    }
    let goes_on = !terminal && step.stuck.is_none();
    Ok((step, goes_on.then_some(joint)))
}

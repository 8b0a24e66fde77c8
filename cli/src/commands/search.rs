//! `ludens search`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::moves;
use crate::playable::Playable;
use crate::position_args::PositionArgs;
use crate::preparing::{StartArgs, note_choices, prepare};
use crate::search_args::{BudgetArgs, FastEngineArgs, SettingsArgs, budget_text};
use crate::words::{count, grouped};
use anyhow::{Context, Result};
use comfy_table::{CellAlignment, Table, presets};
use ludens_machine::{RoleId, State};
use ludens_search::{Bounds, Budget, MoveReport, Spec, Verdict};
use ludens_serve::SystemClock;
use serde::Serialize;
use std::fmt::Write as _;
use std::time::Duration;

/// Let a player think about one position, and print what it found out.
///
/// The position is the start, or what --moves lead to. The answer is a table of all moves of one role, the best first: how often each was tried,
/// the points it promises (0 to 100) with half of a 95% confidence interval, and what is certain; then the line of play that is expected, and
/// what the search took. Without a limit it thinks for a CPU second. Ctrl-C prints what is known by then.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens search connect_four --player uct --cpu 0.5
  ludens search tic_tac_toe --moves \"(mark 2 2); (mark 1 1)\" --player alphabeta

`ludens players` lists the players. --moves takes joint moves separated by `;`, each one move per role; where only one role
has a choice, its move alone will do.")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Who thinks.
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    player: String,
    /// Print one JSON document: `move, value, simulations, playouts, nodes, cpu_seconds, proven, moves: [{move, visits, value}], pv`, and more.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: FastEngineArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

#[derive(Serialize)]
struct Report {
    game: String,
    engine: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fallback: Option<String>,
    player: String,
    role: String,
    #[serde(rename = "move")]
    choice: String,
    /// The points expected for the role, and for every role.
    value: Option<f64>,
    values: Vec<f64>,
    /// The points, where they are certain, and what is certain at least.
    proven: Option<u8>,
    bounds: [u8; 2],
    simulations: u64,
    playouts: u64,
    nodes: u64,
    depth: u32,
    cpu_seconds: f64,
    wall_seconds: f64,
    /// Of that, what the engine took on all threads, where it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    engine_seconds: Option<f64>,
    memory_bytes: u64,
    moves: Vec<MoveLine>,
    /// The joint moves expected, as --moves takes them.
    pv: Vec<String>,
    interrupted: bool,
}

#[derive(Serialize)]
struct MoveLine {
    #[serde(rename = "move")]
    text: String,
    visits: u64,
    value: Option<f64>,
    /// Half of the 95% confidence interval.
    error: Option<f64>,
    proven: Option<u8>,
    bounds: [u8; 2],
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let spec = Spec::parse(&args.player)?;
    interrupt::listen()?;
    let game = args.position.open(args.engine, console)?;
    let (line, role) = args.position.find(&game, "there is no move to look for")?;
    let state = line.state();
    let budget = args.budget.budget(Duration::from_secs(1));
    let settings = args.settings.settings();
    let ready = prepare(&game, [&spec], settings, args.start.budget(), console)?;
    note_choices(&game, &ready, console);
    let mut search = ready[0].build(&game.machine, settings)?;
    game.machine.prepare(512);
    let progress = console.spinner("");
    progress.set_message(format!("{spec} thinks"));
    progress.enable_steady_tick(Duration::from_millis(100));
    let verdict = search.think(&state, role, &budget, &SystemClock::new().watch(interrupt::sign()));
    progress.finish_and_clear();
    let verdict = verdict.with_context(|| format!("{spec} has no answer"))?;
    let report = Report::new(&game, &spec, &state, role, &verdict)?;
    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&format!("{}\n{}", game.draw(&state), report.text(&budget)))?;
    }
    Ok(if report.interrupted { Answer::Interrupted } else { Answer::Yes })
}

impl Report {
    fn new(game: &Playable, spec: &Spec, state: &State, role: RoleId, verdict: &Verdict) -> Result<Report> {
        let machine = &game.machine;
        let report = |found: &MoveReport| MoveLine {
            text: machine.move_text(found.id),
            visits: found.visits,
            value: found.value,
            error: found.error,
            proven: found.bounds.proven(),
            bounds: [found.bounds.low, found.bounds.high],
        };
        Ok(Report {
            game: game.name.clone(),
            engine: machine.engine_name(),
            fallback: machine.fallback().map(ToString::to_string),
            player: spec.to_string(),
            role: machine.role_name(role).to_owned(),
            choice: machine.move_text(verdict.choice),
            value: verdict.values.get(role.0 as usize).copied(),
            values: verdict.values.clone(),
            proven: verdict.bounds.proven(),
            bounds: [verdict.bounds.low, verdict.bounds.high],
            simulations: verdict.simulations,
            playouts: verdict.playouts,
            nodes: verdict.nodes,
            depth: verdict.depth,
            cpu_seconds: verdict.cpu.as_secs_f64(),
            wall_seconds: verdict.wall.as_secs_f64(),
            engine_seconds: verdict.engine.map(|time| time.as_secs_f64()),
            memory_bytes: verdict.memory,
            moves: verdict.moves.iter().map(report).collect(),
            pv: moves::texts(machine, state, &verdict.line)?,
            interrupted: interrupt::is_requested(),
        })
    }

    fn text(&self, budget: &Budget) -> String {
        let mut text = format!("{} thinks for {} ({})\n\n", self.player, self.role, budget_text(budget));
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["move", "visits", "value", "±", "certain"]);
        for column in table.column_iter_mut().skip(1).take(3) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        let or_dash = |number: Option<f64>| number.map_or_else(|| "-".to_owned(), |number| format!("{number:.1}"));
        for line in &self.moves {
            let certain = certain(Bounds { low: line.bounds[0], high: line.bounds[1] });
            table.add_row([line.text.clone(), count(line.visits), or_dash(line.value), or_dash(line.error), certain]);
        }
        let _ = writeln!(text, "{}\n", table.trim_fmt());
        let _ = writeln!(text, "move: {}", self.choice);
        let _ = write!(text, "value: {}", or_dash(self.value));
        let _ = writeln!(text, ", certain: {}", certain(Bounds { low: self.bounds[0], high: self.bounds[1] }));
        if !self.pv.is_empty() {
            let _ = writeln!(text, "line: {}", self.pv.join("; "));
        }
        let per_second = |count: u64| if self.cpu_seconds > 0.0 { count as f64 / self.cpu_seconds } else { 0.0 };
        let counted = [(self.simulations, "simulations"), (self.playouts, "playouts"), (self.nodes, "nodes")];
        let counted: Vec<String> = counted
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|&(number, unit)| format!("{} {unit} ({} per CPU s)", count(number), grouped(per_second(number))))
            .collect();
        if !counted.is_empty() {
            let _ = writeln!(text, "{}", counted.join(", "));
        }
        let mebibytes = self.memory_bytes as f64 / f64::from(1 << 20);
        let _ =
            writeln!(text, "depth {}, {:.3} CPU s, {:.3} s, {mebibytes:.1} MiB", self.depth, self.cpu_seconds, self.wall_seconds);
        if self.interrupted {
            text.push_str("interrupted\n");
        }
        text
    }
}

/// What is certain, as short as can be.
fn certain(bounds: Bounds) -> String {
    match (bounds.proven(), bounds.low, bounds.high) {
        (Some(points), ..) => points.to_string(),
        (None, 0, 100) => "-".to_owned(),
        (None, 0, high) => format!("at most {high}"),
        (None, low, 100) => format!("at least {low}"),
        (None, low, high) => format!("{low} to {high}"),
    }
}

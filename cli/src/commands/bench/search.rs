//! Searches against the clock, beside what the engine alone does in the same time.

use super::Args;
use super::expansion::Expansion;
use super::play::Player;
use super::report::{self, Report, or_dash};
use crate::answer::Answer;
use crate::console::Console;
use crate::interrupt;
use crate::measure::ProcessWatch;
use crate::playable::Playable;
use crate::preparing::prepare;
use crate::words::grouped;
use anyhow::{Context, Result, bail};
use comfy_table::Table;
use indicatif::ProgressBar;
use ludens_machine::{Machine, MoveId, RoleId, State};
use ludens_search::{Budget, Ready, Search, Settings, Spec, Verdict};
use ludens_serve::SystemClock;
use serde::Serialize;
use std::time::Duration;

/// The engine alone has this share of a search's time before it, and as much again after it.
const RAW_SHARE: f64 = 0.125;

/// A search that knows the answer begins anew, unless no more than this share of its time is left.
const REST: f64 = 0.1;

/// Joint moves without a choice that may come first.
const FORCED: usize = 1000;

/// What a search is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It plays random matches.
    Playouts,
    /// It goes through all moves, on one thread.
    Expansions,
}

impl Kind {
    fn of(spec: &Spec) -> Result<Kind> {
        match spec.player().name {
            name @ ("random" | "first") => bail!("`{name}` does not search"),
            "alphabeta" | "mtdf" | "minimax" | "one-ply" => Ok(Kind::Expansions),
            _ => Ok(Kind::Playouts),
        }
    }
}

/// What came of one game. Rates are medians of all rounds.
#[derive(Serialize)]
struct Searched {
    game: String,
    player: String,
    engine: &'static str,
    threads: u16,
    /// How often one thread thought.
    searches: u64,
    simulations_per_cpu_second: Option<f64>,
    playouts_per_cpu_second: Option<f64>,
    playouts_per_simulation: Option<f64>,
    nodes_per_cpu_second: f64,
    /// Of one search.
    nodes: f64,
    depth: u32,
    /// The points expected for the role that has a choice.
    value: f64,
    /// Time per simulation that was not the engine's.
    tree_microseconds: Option<f64>,
    bytes_per_node: Option<f64>,
    /// What the engine alone does, and what the search does of the same as a share of it.
    raw_playouts_per_cpu_second: Option<f64>,
    raw_expansions_per_cpu_second: Option<f64>,
    raw_share: f64,
    /// Simulations per CPU second of several threads over those of one, times the threads; and per second by the clock on the wall.
    speed_up: Option<f64>,
    simulations_per_second: Option<f64>,
    fallback: Option<String>,
}

pub(super) fn run(games: &[String], args: &Args, console: Console) -> Result<Answer> {
    let spec = Spec::parse(&args.player)?;
    let kind = Kind::of(&spec)?;
    if kind == Kind::Expansions && args.threads > 1 {
        bail!("`{}` searches on one thread: leave --threads out", spec.player().name);
    }
    let progress = console.spinner("searches");
    let report = Report::of(games, &progress, |game| {
        let game = Playable::open(game, args.engine, console)?;
        game.machine.prepare(512);
        let (state, role) = start(&game.machine)?;
        let player = &prepare(&game, [&spec], Settings::default(), Budget::default(), console)?[0];
        let mut bench = Bench { machine: &game.machine, player, args, state, role, progress: &progress };
        let rounds = bench.rounds(&mut Raw::new(kind, &game.machine, args)?)?;
        Ok((!rounds.is_empty()).then(|| Searched::new(&game, &spec, args.threads, kind, &rounds)))
    })?;
    report.print(args.json, &table(&report, kind, args.threads > 1))
}

/// The first position in which somebody has a choice, and the first role that has one.
pub(super) fn start(machine: &Machine) -> Result<(State, RoleId)> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    for _ in 0..FORCED {
        lanes.evaluate()?;
        if lanes.terminal(0) || machine.roles().any(|role| lanes.legal(0, role).is_empty()) {
            break;
        }
        if let Some(role) = machine.roles().find(|&role| lanes.legal(0, role).len() > 1) {
            return Ok((lanes.state(0), role));
        }
        let joint: Vec<MoveId> = machine.roles().map(|role| lanes.legal(0, role)[0]).collect();
        lanes.play(0, &joint);
        lanes.advance()?;
    }
    bail!("nobody ever has a choice")
}

/// The engine alone.
enum Raw<'m> {
    Playouts(Box<Player<'m>>),
    Expansions(Box<Expansion<'m>>),
}

impl<'m> Raw<'m> {
    fn new(kind: Kind, machine: &'m Machine, args: &Args) -> Result<Raw<'m>> {
        Ok(match kind {
            Kind::Playouts => Raw::Playouts(Box::new(Player::new(machine, args, 0))),
            Kind::Expansions => Raw::Expansions(Box::new(Expansion::new(machine, args.play.seed, args.play.max_plies)?)),
        })
    }

    /// Works for so many CPU seconds; how much was done, and what it took.
    fn work(&mut self, seconds: f64) -> Result<(f64, f64)> {
        Ok(match self {
            Raw::Playouts(player) => {
                let tally = player.play_for(seconds, &ProgressBar::hidden())?;
                (tally.playouts as f64, tally.cpu_seconds)
            }
            Raw::Expansions(expansion) => {
                let (children, seconds) = expansion.expand_for(seconds)?;
                (children as f64, seconds)
            }
        })
    }
}

/// One game and one player.
struct Bench<'a> {
    machine: &'a Machine,
    player: &'a Ready,
    args: &'a Args,
    state: State,
    role: RoleId,
    progress: &'a ProgressBar,
}

/// What was measured at about the same time.
struct Round {
    one: Sum,
    /// Of several threads, where that was asked for.
    several: Option<Sum>,
    /// What the engine alone did per CPU second.
    raw: f64,
}

impl Bench<'_> {
    /// A round for every second; those that Ctrl-C broke off do not count.
    fn rounds(&mut self, raw: &mut Raw<'_>) -> Result<Vec<Round>> {
        let count = self.args.seconds.round().max(1.0);
        let slice = self.args.seconds / count;
        let mut rounds = Vec::new();
        // Its first batches are small, and memory is touched for the first time.
        raw.work(slice * RAW_SHARE)?;
        for number in 0..count as u64 {
            let before = raw.work(slice * RAW_SHARE)?;
            let one = self.think(1, slice, number)?;
            let several = (self.args.threads > 1).then(|| self.think(self.args.threads, slice, number)).transpose()?;
            let after = raw.work(slice * RAW_SHARE)?;
            if interrupt::is_requested() {
                break;
            }
            rounds.push(Round { one, several, raw: (before.0 + after.0) / (before.1 + after.1).max(f64::MIN_POSITIVE) });
        }
        Ok(rounds)
    }

    /// New searches, one after the other, until so much CPU time of all threads together is used.
    fn think(&self, threads: u16, seconds: f64, round: u64) -> Result<Sum> {
        let mut sum = Sum::default();
        let watch = ProcessWatch::start();
        let mut left = seconds;
        while left > seconds * REST && !interrupt::is_requested() {
            let settings = Settings {
                threads: threads.into(),
                seed: self.args.play.seed.wrapping_add(round << 32).wrapping_add(sum.searches),
                max_plies: self.args.play.max_plies as u64,
                ..Settings::default()
            };
            let mut search = self.player.build(self.machine, settings)?;
            let budget = Budget { cpu: Some(Duration::from_secs_f64(left)), ..Budget::default() };
            sum.add(&self.ask(&mut *search, &budget)?, self.role);
            self.progress.inc(1);
            left = seconds - watch.seconds();
        }
        Ok(sum)
    }

    fn ask(&self, search: &mut dyn Search, budget: &Budget) -> Result<Verdict> {
        let verdict = search.think(&self.state, self.role, budget, &SystemClock::new().watch(interrupt::sign()));
        verdict.with_context(|| format!("{} has no answer", self.player.spec()))
    }
}

/// What adds up over the searches of a round.
#[derive(Default)]
struct Sum {
    searches: u64,
    simulations: f64,
    playouts: f64,
    nodes: f64,
    cpu: f64,
    wall: f64,
    /// What the engine took, where it was measured.
    engine: Option<f64>,
    memory: f64,
    value: f64,
    deepest: u32,
}

impl Sum {
    fn add(&mut self, verdict: &Verdict, role: RoleId) {
        self.searches += 1;
        self.simulations += verdict.simulations as f64;
        self.playouts += verdict.playouts as f64;
        self.nodes += verdict.nodes as f64;
        self.cpu += verdict.cpu.as_secs_f64();
        self.wall += verdict.wall.as_secs_f64();
        if let Some(engine) = verdict.engine {
            *self.engine.get_or_insert(0.0) += engine.as_secs_f64();
        }
        self.memory += verdict.memory as f64;
        self.value += verdict.values.get(role.0 as usize).copied().unwrap_or_default();
        self.deepest = self.deepest.max(verdict.depth);
    }

    fn per_cpu_second(&self, count: f64) -> f64 {
        count / self.cpu.max(f64::MIN_POSITIVE)
    }

    /// Microseconds of CPU time per simulation that are not the engine's, as far as the clock on the wall can tell: what else the computer did meanwhile fell on both alike.
    fn tree_microseconds(&self) -> Option<f64> {
        let own = (self.wall - self.engine?).max(0.0) * self.cpu / self.wall.max(f64::MIN_POSITIVE);
        (self.simulations > 0.0).then(|| own * 1e6 / self.simulations)
    }
}

/// The one in the middle, or between the two there.
fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => 0.0,
        length if length % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

impl Searched {
    fn new(game: &Playable, spec: &Spec, threads: u16, kind: Kind, rounds: &[Round]) -> Searched {
        let middle = |number: &dyn Fn(&Round) -> f64| median(rounds.iter().map(number));
        let total = |number: &dyn Fn(&Sum) -> f64| rounds.iter().map(|round| number(&round.one)).sum::<f64>();
        let searches = total(&|sum| sum.searches as f64);
        let (simulations, playouts) = (total(&|sum| sum.simulations), total(&|sum| sum.playouts));
        let done = |sum: &Sum| if kind == Kind::Playouts { sum.playouts } else { sum.nodes };
        let has_tree = rounds.iter().all(|round| round.one.tree_microseconds().is_some());
        let per_cpu_second = |count: fn(&Sum) -> f64| middle(&|round| round.one.per_cpu_second(count(&round.one)));
        let rate = |sum: &Sum| sum.per_cpu_second(sum.simulations);
        let speed_up =
            |round: &Round| round.several.as_ref().map_or(1.0, |several| f64::from(threads) * rate(several) / rate(&round.one));
        let by_wall = |round: &Round| round.several.as_ref().map_or(0.0, |several| several.simulations / several.wall);
        let raw = middle(&|round| round.raw);
        Searched {
            game: game.name.clone(),
            player: spec.to_string(),
            engine: game.machine.engine_name(),
            threads,
            searches: searches as u64,
            simulations_per_cpu_second: (simulations > 0.0).then(|| per_cpu_second(|sum| sum.simulations)),
            playouts_per_cpu_second: (playouts > 0.0).then(|| per_cpu_second(|sum| sum.playouts)),
            playouts_per_simulation: (simulations > 0.0 && playouts > 0.0).then_some(playouts / simulations),
            nodes_per_cpu_second: per_cpu_second(|sum| sum.nodes),
            nodes: total(&|sum| sum.nodes) / searches,
            depth: rounds.iter().map(|round| round.one.deepest).max().unwrap_or_default(),
            value: total(&|sum| sum.value) / searches,
            tree_microseconds: has_tree.then(|| middle(&|round| round.one.tree_microseconds().unwrap_or_default())),
            bytes_per_node: has_tree.then(|| total(&|sum| sum.memory) / total(&|sum| sum.nodes).max(1.0)),
            raw_playouts_per_cpu_second: (kind == Kind::Playouts).then_some(raw),
            raw_expansions_per_cpu_second: (kind == Kind::Expansions).then_some(raw),
            raw_share: middle(&|round| round.one.per_cpu_second(done(&round.one)) / round.raw.max(f64::MIN_POSITIVE)),
            speed_up: (threads > 1 && simulations > 0.0).then(|| middle(&speed_up)),
            simulations_per_second: (threads > 1 && simulations > 0.0).then(|| middle(&by_wall)),
            fallback: game.machine.fallback().map(ToString::to_string),
        }
    }
}

fn table(report: &Report<Searched>, kind: Kind, threads: bool) -> Table {
    let columns: &[&str] = match kind {
        Kind::Playouts => &[
            "leaves/CPU s",
            "playouts/CPU s",
            "per leaf",
            "raw playouts/CPU s",
            "share",
            "tree µs/leaf",
            "nodes",
            "bytes/node",
            "value",
        ],
        Kind::Expansions => &["nodes/CPU s", "raw nodes/CPU s", "share", "depth", "nodes", "value"],
    };
    let mut header = [&["game", "player"], columns].concat();
    if threads {
        header.extend(["leaves/s", "speed-up"]);
    }
    let mut table = report::table(&header, 2);
    let rate = |rate: Option<f64>| or_dash(rate.map(grouped));
    let hundredths = |number: Option<f64>| or_dash(number.map(|number| format!("{number:.2}")));
    for result in report.measured() {
        let share = format!("{:.1}%", 100.0 * result.raw_share);
        let value = format!("{:.1}", result.value);
        let mut row = vec![result.game.clone(), result.player.clone()];
        row.extend(match kind {
            Kind::Playouts => vec![
                rate(result.simulations_per_cpu_second),
                rate(result.playouts_per_cpu_second),
                hundredths(result.playouts_per_simulation),
                rate(result.raw_playouts_per_cpu_second),
                share,
                hundredths(result.tree_microseconds),
                grouped(result.nodes),
                or_dash(result.bytes_per_node.map(|bytes| format!("{bytes:.0}"))),
                value,
            ],
            Kind::Expansions => {
                let (nodes, raw) = (grouped(result.nodes_per_cpu_second), rate(result.raw_expansions_per_cpu_second));
                vec![nodes, raw, share, result.depth.to_string(), grouped(result.nodes), value]
            }
        });
        if threads {
            row.extend([rate(result.simulations_per_second), hundredths(result.speed_up)]);
        }
        table.add_row(row);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{Sum, median};

    #[test]
    fn medians_lie_in_the_middle() {
        for (numbers, middle) in [(&[][..], 0.0), (&[3.0, 1.0, 2.0], 2.0), (&[4.0, 1.0], 2.5)] {
            assert!((median(numbers.iter().copied()) - middle).abs() < 1e-12, "{numbers:?}");
        }
    }

    #[test]
    fn time_of_others_is_not_the_trees() {
        let sum = Sum { simulations: 1000.0, cpu: 1.0, wall: 2.0, engine: Some(1.5), ..Sum::default() };
        assert_eq!(sum.tree_microseconds(), Some(250.0));
        assert_eq!(Sum { simulations: 0.0, ..sum }.tree_microseconds(), None);
        assert_eq!(Sum { simulations: 1.0, ..Sum::default() }.tree_microseconds(), None);
    }
}

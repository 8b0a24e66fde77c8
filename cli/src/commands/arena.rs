//! `ludens arena`.

use super::tournament::{self, KeepArgs};
use crate::answer::Answer;
use crate::console::Console;
use crate::contest::{self, Setup};
use crate::preparing::StartArgs;
use crate::search_args::{BudgetArgs, FastEngineArgs, memory};
use anyhow::{Result, ensure};
use ludens_search::split_specs;
use ludens_tournament::{Contender, Limits, Pairing, Plan, Sprt};
use std::time::Duration;

/// Let players meet in many matches, and say who is better.
///
/// Two players meet, or with more everybody meets everybody (--pairing gauntlet: the first meets all others). Matches come in pairs: both begin after the same random opening, and the players change places. In games of more than two roles one player has
/// one role, another one in every pair, and the other player has all others; then the same with the players exchanged. In games of one role both
/// play alone. Every match has a thread and every player is single-threaded; limits on CPU time are those of that thread, so matches that
/// go on at the same time do not take each other's time. Without a limit every move has a quarter of a CPU second.
///
/// The score of a player is its mean of goal points, 100 points counting 1; the interval is Wilson's of 95% for the first player's score. The lead, its error and
/// p go by whole pairs: p is how likely equal players are to be as far apart as that, to either side, in any of the games (Holm's correction). `overall` is
/// the mean over games, and `elo` what it amounts to, roughly. With --simulations or --nodes the same seed gives the same matches.
///
/// With --sprt, matches end when pairs decide between two claims: that the first player is better by E0 points of a rating, or by E1. Both are wrong in at most one of
/// twenty cases. The exit code is 1 where the first claim holds, or where --pairs, the most that are played, leave it open.
///
/// A player that breaks down, chooses what is not legal or takes far too long has lost the match; the report lists it. Where limits are times and the players had less than 80% of a processor while they
/// thought, the match is played again, whoever won it, up to --replays times.
///
/// With --store, every match that ends is kept in a file (of `SQLite`) with its whole record (`ludens replay` shows it), and what the file has is not played again: a run that was killed or broken off goes on, and several processes may share the work. Use another
/// file when the program has changed: matches are told apart by its version alone. A match that has no end is
/// reported, and the exit code is 2. Ctrl-C prints what there is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens arena --games tic_tac_toe,connect_four --players mc,random --pairs 5 --simulations 500
  ludens arena --games tic_tac_toe --players uct,uct:c=0.7,grave=on --pairs 4 --simulations 200 --seed 7 --json
  ludens arena --games nim --players uct,mc,random --pairs 2 --simulations 50 --report nim.html

`ludens players` lists the players; `ludens tournament` plays a plan from a file, with several budgets and players elsewhere.")]
pub(crate) struct Args {
    /// Library names, `.kif` files, or folders with METADATA, separated by commas.
    #[arg(long, value_name = "GAME,..", value_delimiter = ',', required = true)]
    games: Vec<String>,
    /// The players, two or more.
    #[arg(long, value_name = "SPEC,SPEC..")]
    players: String,
    /// Who meets whom, where there are more than two.
    #[arg(long, value_name = "HOW", value_enum)]
    pairing: Option<PairingArg>,
    /// How many pairs of matches in every game.
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Random joint moves at the beginning, the same in both matches of a pair; they never end a match. Without it 4, and none in games of one role.
    #[arg(long, value_name = "PLIES")]
    opening: Option<u32>,
    /// Matches at the same time; without it, one for every core.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Bytes in which a player may remember things: 64M, 1G.
    #[arg(long, value_name = "BYTES", default_value = "256M", value_parser = memory)]
    memory: usize,
    /// The same seed gives the same openings and the same chances.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Break a match off after this many joint moves.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    max_plies: u64,
    /// How often a match is played again whose players did not get the processor.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100))]
    replays: u32,
    #[command(flatten)]
    keep: KeepArgs,
    /// Play until pairs decide whether the first player is better by E0 or by E1 Elo points.
    #[arg(long, value_name = "E0,E1", value_parser = contest::claims, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// Print one JSON document: `games: [{name, matches, score, wins, draws, losses, interval}], overall, elo`, and more.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: FastEngineArgs,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum PairingArg {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let plan = plan(args)?;
    ensure!(args.sprt.is_none() || plan.players.len() == 2, "--sprt decides between two players, not {}", plan.players.len());
    let store = args.keep.open(None)?;
    let setup = Setup { plan, engine: args.engine, store, sprt: args.sprt };
    tournament::play(setup, &args.keep, args.json, console)
}

/// What was typed, as a plan.
fn plan(args: &Args) -> Result<Plan> {
    let players: Vec<Contender> = split_specs(&args.players).into_iter().map(Contender::new).collect::<Result<_, _>>()?;
    ensure!(players.len() > 1, "--players takes two players or more, not {}", players.len());
    let budget = args.budget.budget(Duration::from_millis(250));
    let seconds = |time: Option<Duration>| time.map(|time| time.as_secs_f64());
    let limits = Limits {
        cpu: seconds(budget.cpu),
        seconds: seconds(budget.wall),
        simulations: budget.simulations,
        nodes: budget.nodes,
        depth: budget.depth,
        clocks: None,
    };
    let plan = Plan {
        budgets: vec![limits],
        pairing: args.pairing.map(|pairing| match pairing {
            PairingArg::RoundRobin => Pairing::RoundRobin,
            PairingArg::Gauntlet => Pairing::Gauntlet,
        }),
        pairs: args.pairs,
        opening: args.opening,
        seed: args.seed,
        threads: args.threads,
        memory: args.memory,
        max_plies: args.max_plies,
        start_cpu: args.start.seconds(),
        replays: args.replays,
        ..Plan::new(args.games.clone(), players)
    };
    plan.check()?;
    Ok(plan)
}

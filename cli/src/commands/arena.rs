//! `ludens arena`.

mod play;
mod score;
mod sequential;
mod store;

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::playable::Playable;
use crate::preparing::{StartArgs, note_choices, prepare};
use crate::search_args::{BudgetArgs, FastEngineArgs, budget_text, memory};
use crate::words::number;
use anyhow::{Result, anyhow, bail};
use ludens_search::{Budget, Ready, Settings, Spec};
use ludens_tournament::Sprt;
use play::{Job, Played};
use score::{GameReport, Overall, Running};
use sequential::{Sequential, SprtReport};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use store::Store;

/// Let two players meet in many matches, and say who is better.
///
/// Matches come in pairs: both begin after the same random opening, and the players change places. In games of more than two roles one player has
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
/// With --store, every match that ends is appended to a file, and what the file has is not played again: a run that was broken off goes on. Use another
/// file when the program has changed: matches are told apart by its version alone. A match that fails is
/// reported, and the exit code is 2. Ctrl-C prints what there is.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens arena --games tic_tac_toe,connect_four --players mc,random --pairs 5 --simulations 500
  ludens arena --games tic_tac_toe --players uct,uct:c=0.7,grave=on --pairs 4 --simulations 200 --seed 7 --json

`ludens players` lists the players.")]
pub(crate) struct Args {
    /// Library names, `.kif` files, or folders with METADATA, separated by commas.
    #[arg(long, value_name = "GAME,..", value_delimiter = ',', required = true)]
    games: Vec<String>,
    /// The two players.
    #[arg(long, value_name = "SPEC,SPEC")]
    players: String,
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
    /// Append every match to this file, as a line of JSON, and do not play again what it has.
    #[arg(long, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Play until pairs decide whether the first player is better by E0 or by E1 Elo points.
    #[arg(long, value_name = "E0,E1", value_parser = sequential::claims, allow_hyphen_values = true)]
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

/// What all matches have in common.
struct Plan {
    players: [Spec; 2],
    budget: Budget,
    settings: Settings,
    opening: Option<u32>,
}

#[derive(Serialize)]
struct Report {
    players: [String; 2],
    budget: String,
    games: Vec<GameReport>,
    #[serde(flatten)]
    overall: Overall,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
    failed: Vec<Failed>,
    interrupted: bool,
}

/// A match that could not be played to its end.
#[derive(Clone, Debug, Serialize)]
struct Failed {
    game: String,
    #[serde(flatten)]
    job: Job,
    error: String,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let plan = Plan {
        players: two_players(&args.players)?,
        budget: args.budget.budget(Duration::from_millis(250)),
        settings: Settings { threads: 1, memory: args.memory, seed: args.seed, max_plies: args.max_plies },
        opening: args.opening,
    };
    let threads = args.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from);
    interrupt::listen()?;
    let games = open_all(args, &plan, threads, console)?;
    let mut store = args.store.as_deref().map(|path| Store::open(path, console)).transpose()?;
    // One pair in every game, then the next: whenever it ends, all games have had as many.
    let jobs = (0..args.pairs).flat_map(|pair| {
        let both = move |game: usize| [false, true].map(|second| Job { game, pair, second });
        (0..games.len()).flat_map(both)
    });
    let mut results = Vec::new();
    let mut left = Vec::new();
    for job in jobs {
        match store.as_ref().and_then(|store| store.get(&job.id(&games[job.game].game, &plan))) {
            Some(known) => results.push((job, known.clone())),
            None => left.push(job),
        }
    }
    if !results.is_empty() {
        console.note(&format!("{} from the store", number(results.len() as u64, "match")));
    }
    let mut sequential = args.sprt.map(|sprt| Sequential::new(sprt, games.len()));
    let mut failed = play_all(&games, &plan, &left, threads, &mut results, (store.as_mut(), sequential.as_mut()), console)?;
    if let Some(sequential) = &sequential {
        results.retain(|(job, _)| sequential.has_a_part(*job));
        failed.retain(|failed| sequential.has_a_part(failed.job));
    }
    results.sort_by_key(|(job, _)| (job.game, job.pair, job.second));
    let names: Vec<&str> = games.iter().map(|entry| entry.game.name.as_str()).collect();
    let reports = score::games(&names, &results);
    let report = Report {
        players: plan.players.each_ref().map(ToString::to_string),
        budget: budget_text(&plan.budget),
        overall: Overall::of(&reports),
        games: reports,
        sprt: sequential.as_ref().map(Sequential::report),
        failed,
        interrupted: interrupt::is_requested(),
    };
    report.print(args.json)
}

/// A game, and the players with all that they found out about it.
struct Entry {
    game: Playable,
    players: Vec<Ready>,
}

/// Exactly two players.
fn two_players(text: &str) -> Result<[Spec; 2]> {
    let specs = Spec::parse_list(text)?;
    let count = specs.len() as u64;
    specs.try_into().map_or_else(|_| bail!("--players takes two players, not {count}"), Ok)
}

/// Builds all games, some at the same time, and sees that both players can play them.
fn open_all(args: &Args, plan: &Plan, threads: usize, console: Console) -> Result<Vec<Entry>> {
    let next = AtomicUsize::new(0);
    let progress = console.bar(args.games.len() as u64, "games");
    let open = |game: &String| -> Result<Entry> {
        let game = Playable::open(game, args.engine, console)?;
        let players = prepare(&game, &plan.players, plan.settings, args.start.budget(), console)?;
        progress.suspend(|| note_choices(&game, &players, console));
        for player in &players {
            drop(player.build(&game.machine, plan.settings).map_err(|error| anyhow!("{}: {error}", game.name))?);
        }
        game.machine.prepare(512);
        progress.inc(1);
        Ok(Entry { game, players })
    };
    let work = || {
        let mut opened = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(game) = args.games.get(index) else { return opened };
            opened.push((index, open(game)));
        }
    };
    let mut opened: Vec<(usize, Result<Entry>)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(args.games.len())).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    progress.finish_and_clear();
    opened.sort_by_key(|&(index, _)| index);
    let games: Vec<Entry> = opened.into_iter().map(|(_, game)| game).collect::<Result<_>>()?;
    if let Some(twice) =
        games.iter().enumerate().find(|(index, entry)| games[..*index].iter().any(|other| other.game.name == entry.game.name))
    {
        bail!("{} is there twice", twice.1.game.name);
    }
    Ok(games)
}

/// Plays matches, one on every thread, and adds them to the results as they end. What fails comes back.
fn play_all(
    games: &[Entry],
    plan: &Plan,
    jobs: &[Job],
    threads: usize,
    results: &mut Vec<(Job, Played)>,
    (mut store, mut sequential): (Option<&mut Store>, Option<&mut Sequential>),
    console: Console,
) -> Result<Vec<Failed>> {
    let next = AtomicUsize::new(0);
    let enough = AtomicBool::new(false);
    let mut note = |job: Job, played: Option<&Played>| {
        if sequential.as_mut().is_some_and(|sequential| sequential.add(job, played)) {
            enough.store(true, Ordering::Relaxed);
        }
    };
    let progress = console.bar(jobs.len() as u64, "matches");
    let mut failed = Vec::new();
    let mut running = Running::default();
    results.sort_by_key(|(job, _)| (job.pair, job.game, job.second));
    for (job, played) in &*results {
        running.add(played);
        note(*job, Some(played));
    }
    thread::scope(|scope| {
        let (sender, ended) = mpsc::channel();
        for _ in 0..threads.min(jobs.len()) {
            let (sender, next, enough) = (sender.clone(), &next, &enough);
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed)
                    && let Some(&job) = jobs.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let played = play::play(&games[job.game], job, plan).transpose();
                    // Nobody listens any more once the store could not be written.
                    let Some(played) = played.filter(|_| !interrupt::is_requested()) else { break };
                    if sender.send((job, played)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (index, (job, played)) in ended.iter().enumerate() {
            match played {
                Ok(played) => {
                    if let Some(store) = &mut store {
                        store.add(&played)?;
                    }
                    running.add(&played);
                    note(job, Some(&played));
                    results.push((job, played));
                }
                Err(error) => {
                    note(job, None);
                    let game = games[job.game].game.name.clone();
                    console.note(&format!("{game}, pair {}: a match failed: {error:#}", job.pair));
                    failed.push(Failed { game, job, error: format!("{error:#}") });
                }
            }
            progress.inc(1);
            progress.set_message(running.text(&plan.players));
            // Where nobody sees the bar, a line now and then.
            let tenth = (jobs.len() / 10).max(1);
            if progress.is_hidden() && (index + 1).is_multiple_of(tenth) {
                let score = running.text(&plan.players);
                console.note(&format!("{} of {}: {score}", index + 1, number(jobs.len() as u64, "match")));
            }
        }
        progress.finish_and_clear();
        failed.sort_by_key(|failed: &Failed| (failed.job.game, failed.job.pair, failed.job.second));
        Ok(failed)
    })
}

impl Report {
    fn print(&self, json: bool) -> Result<Answer> {
        if json {
            console::print_json(self)?;
        } else {
            console::print(&self.text())?;
        }
        let played: u64 = self.games.iter().map(|game| game.matches).sum();
        match self.failed.len() as u64 {
            _ if self.interrupted => Ok(Answer::Interrupted),
            0 if self.sprt.as_ref().is_some_and(|sprt| sprt.decision != "better") => Ok(Answer::No),
            0 => Ok(Answer::Yes),
            failed => bail!("{failed} of {} failed", number(played + failed, "match")),
        }
    }

    fn text(&self) -> String {
        let [first, second] = &self.players;
        let mut text = format!("{first} (1st) and {second} (2nd), {} for a move\n\n{}", self.budget, score::table(&self.games));
        text += &self.overall.text();
        text += &self.sprt.as_ref().map_or_else(String::new, |sprt| sprt.text(first));
        for failed in &self.failed {
            let which = if failed.job.second { "second" } else { "first" };
            let _ = writeln!(text, "{}, pair {}, {which} match: {}", failed.game, failed.job.pair, failed.error);
        }
        if self.interrupted {
            text.push_str("interrupted\n");
        }
        text
    }
}

//! The games of a contest, and players that find out about them.

use super::Table;
use crate::console::Console;
use crate::interrupt;
use crate::playable::Playable;
use crate::preparing::{note_choices, prepare};
use crate::search_args::FastEngineArgs;
use anyhow::{Result, anyhow, bail};
use ludens_search::{Budget, Ready, Spec};
use ludens_tournament::{Plan, Slot, Who};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// A game, and the players with all that they found out about it.
pub(super) struct Entry {
    pub(super) game: Playable,
    /// For every player of the plan; none where it need not know anything, or is elsewhere.
    pub(super) ready: Vec<Option<Ready>>,
}

/// How many matches are played at the same time. Players elsewhere take part in one match at a time.
pub(super) fn threads(plan: &Plan) -> usize {
    if plan.players.iter().any(|player| matches!(player.who, Who::Remote(_)))
        || plan.budgets.iter().any(|budget| budget.clocks.is_some())
    {
        return 1;
    }
    plan.threads.map_or_else(|| thread::available_parallelism().map_or(1, usize::from), usize::from)
}

/// Does something for every one of a list, some at the same time, and returns what came of it in the order of the list.
fn for_all<T: Sync, R: Send>(list: &[T], threads: usize, work: impl Fn(usize, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = list.get(index) else { return done };
            done.push((index, work(index, item)));
        }
    };
    let mut done: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(list.len())).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker does not panic")).collect()
    });
    done.sort_by_key(|&(index, _)| index);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Builds all games, and sees that all players can play them.
pub(super) fn games(plan: &Plan, engine: FastEngineArgs, console: Console) -> Result<Vec<Entry>> {
    let progress = console.bar(plan.games.len() as u64, "games");
    let open = |_: usize, name: &String| -> Result<Entry> {
        let game = Playable::open(name, engine, console)?;
        progress.inc(1);
        Ok(Entry { game, ready: vec![None; plan.players.len()] })
    };
    let entries: Vec<Entry> = for_all(&plan.games, threads(plan), open).into_iter().collect::<Result<_>>()?;
    progress.finish_and_clear();
    let is_there_before =
        |&(index, entry): &(usize, &Entry)| entries[..index].iter().any(|other| other.game.name == entry.game.name);
    if let Some((_, twice)) = entries.iter().enumerate().find(is_there_before) {
        bail!("{} is there twice", twice.game.name);
    }
    Ok(entries)
}

/// Lets players prepare themselves for what is left to be played, each for every game once.
pub(super) fn prepare_all(table: &mut Table, left: &[Slot], console: Console) -> Result<()> {
    let mut wanted: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); table.entries.len()];
    for slot in left.iter().filter(|slot| table.plan.budgets[slot.budget].clocks.is_none()) {
        wanted[slot.game].extend(table.subject.meetings[slot.meeting]);
    }
    let games: Vec<(usize, BTreeSet<usize>)> = wanted.into_iter().enumerate().filter(|(_, wanted)| !wanted.is_empty()).collect();
    let progress = console.bar(games.len() as u64, "games prepared for");
    let cpu = Some(Duration::from_secs_f64(table.plan.start_cpu));
    let budget = Budget { cpu, simulations: table.plan.start_simulations, ..Budget::default() };
    let get_ready = |_: usize, (game, wanted): &(usize, BTreeSet<usize>)| -> Result<(usize, Vec<(usize, Ready)>)> {
        let game_of = &table.entries[*game].game;
        let specs: Vec<(usize, &Spec)> = wanted
            .iter()
            .filter_map(|&player| match &table.plan.players[player].who {
                Who::Local(spec) => Some((player, spec)),
                Who::Remote(_) => None,
            })
            .collect();
        let ready = prepare(game_of, specs.iter().map(|&(_, spec)| spec), table.settings, budget, console)?;
        if !interrupt::is_requested() {
            progress.suspend(|| note_choices(game_of, &ready, console));
        }
        for player in &ready {
            drop(player.build(&game_of.machine, table.settings).map_err(|error| anyhow!("{}: {error}", game_of.name))?);
        }
        game_of.machine.prepare(512);
        progress.inc(1);
        Ok((*game, specs.into_iter().map(|(player, _)| player).zip(ready).collect()))
    };
    let found: Vec<(usize, Vec<(usize, Ready)>)> =
        for_all(&games, threads(&table.plan), get_ready).into_iter().collect::<Result<_>>()?;
    progress.finish_and_clear();
    for (game, players) in found {
        for (player, ready) in players {
            table.entries[game].ready[player] = Some(ready);
        }
    }
    Ok(())
}

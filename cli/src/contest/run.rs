//! Plays what the store does not have, one match on every thread.

use super::open::{prepare_all, threads};
use super::sequential::Sequential;
use super::{Failed, Outcome, Table, play, wire};
use crate::console::Console;
use crate::interrupt;
use crate::words::number;
use anyhow::{Context, Error, Result, bail};
use indicatif::ProgressBar;
use ludens_serve::record::Record;
use ludens_tournament::{Played, Report, Slot, Sprt, Store, settled, slots};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How often others are told that matches are still being played.
const RENEWAL: Duration = Duration::from_secs(1);

/// How long to wait before looking again at matches that another process plays.
const LOOK_AGAIN: Duration = Duration::from_millis(300);

/// What a worker has to say.
enum Event {
    Played(Slot, Box<Played>),
    Failed(Slot, Error),
    /// The store cannot be used: nothing can go on.
    Broken(Error),
}

/// What workers share.
struct Shared<'a> {
    table: &'a Table,
    store: Mutex<Store>,
    queue: Mutex<VecDeque<Slot>>,
    enough: AtomicBool,
}

/// Where everything stands while matches are played.
struct Tally<'a> {
    table: &'a Table,
    results: Vec<(Slot, Played)>,
    failed: Vec<Failed>,
    sequential: Option<Sequential>,
    /// Per player: the sum of its scores, and of how many matches.
    sums: Vec<(f64, u64)>,
}

pub(super) fn run(mut table: Table, store: Store, sprt: Option<Sprt>, console: Console) -> Result<Outcome> {
    let subject = &table.subject;
    let all = slots(table.plan.pairs, table.plan.budgets.len(), table.entries.len(), subject.meetings.len());
    let (mut known, mut left) = (Vec::new(), Vec::new());
    for slot in all {
        if interrupt::is_requested() {
            break;
        }
        let attempts = store.get(&table.id(slot))?;
        match settled(&attempts, table.plan.replays) {
            Some(played) if !table.is_that(slot, played) => {
                bail!("the match {} in the store is not the one that its name says", played.id)
            }
            Some(played) => known.push((slot, played.clone())),
            None => left.push(slot),
        }
    }
    if !known.is_empty() {
        console.note(&format!("{} from the store", number(known.len() as u64, "match")));
    }
    let mut sequential = sprt.map(|sprt| Sequential::new(sprt, table.entries.len()));
    let is_decided = sequential.as_mut().is_some_and(|sequential| {
        known.iter().fold(false, |decided, (slot, played)| sequential.add(*slot, Some(played)) || decided)
    });
    if is_decided {
        left.clear();
    }
    prepare_all(&mut table, &left, console)?;
    let mut tally = Tally {
        sums: vec![(0.0, 0); table.plan.players.len()],
        table: &table,
        results: Vec::new(),
        failed: Vec::new(),
        sequential,
    };
    for (slot, played) in known {
        tally.add(slot, played);
    }
    let total = left.len() + tally.results.len();
    play_all(&table, store, left, &mut tally, console)?;
    tally.end(total)
}

/// Plays matches, one on every thread; the tally is told as they end.
fn play_all(table: &Table, store: Store, left: Vec<Slot>, tally: &mut Tally<'_>, console: Console) -> Result<()> {
    let progress = console.bar(left.len() as u64, "matches");
    let (count, threads) = (left.len(), threads(&table.plan).min(left.len()));
    let shared = Shared { table, store: Mutex::new(store), queue: Mutex::new(left.into()), enough: AtomicBool::new(false) };
    let played = thread::scope(|scope| {
        let (sender, ended) = mpsc::channel();
        for _ in 0..threads {
            let (sender, shared) = (sender.clone(), &shared);
            scope.spawn(move || shared.work(&sender));
        }
        drop(sender);
        let (mut done, mut renewed) = (0, Instant::now());
        loop {
            if renewed.elapsed() >= RENEWAL {
                renewed = Instant::now();
                if let Err(error) = shared.store().renew() {
                    shared.enough.store(true, Ordering::Relaxed);
                    return Err(error.into());
                }
            }
            match ended.recv_timeout(RENEWAL) {
                Ok(Event::Played(slot, played)) => {
                    if tally.note(slot, *played) {
                        shared.enough.store(true, Ordering::Relaxed);
                    }
                }
                Ok(Event::Failed(slot, error)) => {
                    if tally.fail(slot, &error, console, &progress) {
                        shared.enough.store(true, Ordering::Relaxed);
                    }
                }
                Ok(Event::Broken(error)) => {
                    shared.enough.store(true, Ordering::Relaxed);
                    return Err(error);
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            done += 1;
            progress.inc(1);
            progress.set_message(tally.text());
            // Where nobody sees the bar, a line now and then.
            if progress.is_hidden() && (done as usize).is_multiple_of((count / 10).max(1)) {
                console.note(&format!("{done} of {}: {}", number(count as u64, "match"), tally.text()));
            }
        }
    });
    progress.finish_and_clear();
    shared.store().release().ok();
    played
}

impl Shared<'_> {
    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().expect("nobody panics while holding the store")
    }

    fn is_over(&self) -> bool {
        self.enough.load(Ordering::Relaxed) || interrupt::is_requested()
    }

    /// Plays until nothing is left.
    fn work(&self, sender: &Sender<Event>) {
        let mut passed_over = 0;
        while !self.is_over() {
            let (slot, rest) = {
                let mut queue = self.queue.lock().expect("nobody panics while holding the queue");
                let Some(slot) = queue.pop_front() else { return };
                (slot, queue.len())
            };
            let event = match self.settle(slot) {
                Ok(Some(event)) => event,
                Ok(None) if interrupt::is_requested() => return,
                // Another process plays it: later it has an end, or is free again.
                Ok(None) => {
                    self.queue.lock().expect("nobody panics while holding the queue").push_back(slot);
                    passed_over += 1;
                    if passed_over > rest {
                        thread::sleep(LOOK_AGAIN);
                        passed_over = 0;
                    }
                    continue;
                }
                Err(error) => Event::Broken(error),
            };
            passed_over = 0;
            if sender.send(event).is_err() {
                return;
            }
        }
    }

    /// Plays a match until it counts; `None` where another process is at it, or Ctrl-C came first.
    fn settle(&self, slot: Slot) -> Result<Option<Event>> {
        let id = self.table.id(slot);
        loop {
            let attempts = self.store().get(&id)?;
            if let Some(played) = settled(&attempts, self.table.plan.replays) {
                return Ok(Some(Event::Played(slot, Box::new(played.clone()))));
            }
            if !self.store().claim(&id)? {
                return Ok(None);
            }
            // Between the first look and the claim it may have ended.
            if self.store().get(&id)?.len() > attempts.len() {
                continue;
            }
            match self.play(slot) {
                Ok(Some((mut played, record))) => {
                    played.attempt = attempts.last().map_or(0, |last| last.attempt + 1);
                    self.store().add(&played, &record)?;
                }
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.store().give_up(&id)?;
                    return Ok(Some(Event::Failed(slot, error)));
                }
            }
        }
    }

    fn play(&self, slot: Slot) -> Result<Option<(Played, Record)>> {
        match self.table.plan.budgets[slot.budget].clocks {
            Some(clocks) => wire::play(self.table, slot, clocks),
            None => play::play(self.table, slot),
        }
    }
}

impl Tally<'_> {
    fn add(&mut self, slot: Slot, played: Played) {
        for (&player, score) in self.table.subject.meetings[slot.meeting].iter().zip(played.scores()) {
            let Some(score) = score else { continue };
            self.sums[player].0 += score;
            self.sums[player].1 += 1;
        }
        self.results.push((slot, played));
    }

    /// Takes note of a match; whether enough have been played.
    fn note(&mut self, slot: Slot, played: Played) -> bool {
        let is_enough = self.sequential.as_mut().is_some_and(|sequential| sequential.add(slot, Some(&played)));
        self.add(slot, played);
        is_enough
    }

    /// Takes note of a match that has no end; whether enough have been played.
    fn fail(&mut self, slot: Slot, error: &Error, console: Console, progress: &ProgressBar) -> bool {
        let is_enough = self.sequential.as_mut().is_some_and(|sequential| sequential.add(slot, None));
        let game = self.table.subject.games[slot.game].clone();
        progress.suspend(|| console.note(&format!("{game}, pair {}: a match failed: {error:#}", slot.pair)));
        self.failed.push(Failed { game, slot, error: format!("{error:#}") });
        is_enough
    }

    /// How it stands.
    fn text(&self) -> String {
        let score = |&(sum, count): &(f64, u64)| if count == 0 { "-".to_owned() } else { format!("{:.3}", sum / count as f64) };
        match (&self.table.subject.players[..], &self.sums[..]) {
            ([first, second], [one, other]) => format!("{first} {} : {} {second}", score(one), score(other)),
            (players, sums) => {
                let mut best: Vec<(f64, &String)> = sums
                    .iter()
                    .zip(players)
                    .filter(|(sum, _)| sum.1 > 0)
                    .map(|(sum, name)| (sum.0 / sum.1 as f64, name))
                    .collect();
                best.sort_by(|one, other| other.0.total_cmp(&one.0));
                best.iter().take(2).map(|(score, name)| format!("{name} {score:.3}")).collect::<Vec<_>>().join(", ")
            }
        }
    }

    fn end(mut self, total: usize) -> Result<Outcome> {
        if let Some(sequential) = &self.sequential {
            self.results.retain(|(slot, _)| sequential.has_a_part(*slot));
            self.failed.retain(|failed| sequential.has_a_part(failed.slot));
        }
        self.failed.sort_by_key(|failed| failed.slot);
        let sprt = self.sequential.as_ref().map(Sequential::report);
        let is_decided = sprt.as_ref().is_some_and(|sprt| sprt.decision != "open");
        let done = self.results.len() + self.failed.len();
        let left = if is_decided { 0 } else { total.checked_sub(done).context("no match is counted twice")? };
        let report = Report::new(&self.table.subject, &self.results);
        Ok(Outcome { report, sprt, failed: self.failed, interrupted: interrupt::is_requested(), left })
    }
}

//! The player: messages in, answers out, on time. It knows nothing of HTTP.
//!
//! A match has a keeper, which knows the true state and always has a legal move; a brain, which thinks; and for a while somebody who prepares what to think with. Each
//! is a thread, and they meet at a desk. Who answers a message waits there, but never beyond the clock: whatever is best by then is the answer.

mod brain;
mod desk;
mod game;
mod keeper;
mod stage;
mod time;

use crate::message::{Message, Reply};
use desk::Task;
use game::{Match, Opening, told};
use ludens_gdl::legible;
use ludens_machine::Machine;
use ludens_search::{Search, Settings, Spec};
use stage::Place;
use std::fmt;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use time::Margin;

/// Where lines about matches go. Whoever takes them must not keep others waiting: moves wait for it.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Somebody through whose hands every search goes before it plays: to watch it, or to put another in its place.
pub trait Watcher: Send + Sync {
    /// The search to be used instead.
    fn attend<'m>(&self, machine: &'m Machine, search: Box<dyn Search + 'm>) -> Box<dyn Search + 'm>;

    /// The fast engine of a match is about to be made, in the thread that calls this.
    fn grounds(&self) {}
}

/// Who plays.
#[derive(Clone)]
pub struct Setup {
    /// The name that hosts see: a single word.
    pub name: String,
    /// The player.
    pub player: Spec,
    /// What its searches may use.
    pub settings: Settings,
    /// Told what happens, a line each.
    pub log: Option<Log>,
    /// Attends to every search.
    pub watcher: Option<Arc<dyn Watcher>>,
}

impl Setup {
    /// A player that says nothing about what it does.
    pub fn new(player: Spec, settings: Settings) -> Setup {
        Setup { name: "ludens".to_owned(), player, settings, log: None, watcher: None }
    }

    fn log(&self, line: &str) {
        if let Some(log) = &self.log {
            log(line);
        }
    }
}

impl fmt::Debug for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setup { name, player, settings, .. } = self;
        f.debug_struct("Setup").field("name", name).field("player", player).field("settings", settings).finish_non_exhaustive()
    }
}

/// A player: one match at a time, any number of threads that ask.
pub struct Session {
    setup: Arc<Setup>,
    current: Mutex<Option<Arc<Match>>>,
    margin: Mutex<Margin>,
    /// Engines that are being made.
    builders: Arc<AtomicUsize>,
    /// Matches whose threads have not all ended.
    matches: Arc<AtomicUsize>,
    /// Held while a long text is read.
    reading: Mutex<()>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("setup", &self.setup).finish_non_exhaustive()
    }
}

/// Matches that have threads, at most, also those that are over: some work cannot be broken off.
const MATCHES: usize = 8;

/// Texts that are longer are read one after the other: what is made of them takes many times their size.
const LONG_TEXT: usize = 1 << 20;

/// Of the margin, the part (one of so many) for which a search that does not end in time is waited for; the rest is for the way back.
const LAST_MOMENT: u32 = 3;

impl Session {
    /// A player that is free.
    pub fn new(setup: Setup) -> Session {
        Session {
            setup: Arc::new(setup),
            current: Mutex::default(),
            margin: Mutex::default(),
            builders: Arc::default(),
            matches: Arc::default(),
            reading: Mutex::default(),
        }
    }

    /// Answers a message that came just now.
    pub fn answer(&self, message: Message) -> Reply {
        self.answer_since(message, Instant::now())
    }

    /// Answers the text of a message that began to come in at some moment.
    pub fn answer_text(&self, text: &str, arrived: Instant) -> Reply {
        let parsed = if text.len() > LONG_TEXT {
            // No need to read what will not be played.
            if Message::has_rules(text) && self.is_busy() {
                return Reply::Busy;
            }
            let _alone = self.reading.lock().unwrap_or_else(PoisonError::into_inner);
            Message::parse(text)
        } else {
            Message::parse(text)
        };
        match parsed {
            Ok(message) => self.answer_since(message, arrived),
            Err(error) => Reply::Unreadable(error),
        }
    }

    /// Answers a message that began to come in at some moment: from then on its clock runs.
    pub fn answer_since(&self, message: Message, arrived: Instant) -> Reply {
        match message {
            Message::Info => Reply::Info { name: self.setup.name.clone(), is_busy: self.in_match().is_some() },
            Message::Ping => Reply::Ready,
            Message::Preview { .. } => self.in_match().map_or(Reply::Ready, |_| Reply::Busy),
            Message::Start { id, role, rules, start_clock, play_clock } => {
                let until = arrived + start_clock.saturating_sub(self.margin().of(start_clock));
                self.start(Opening { id, role, rules, start_clock, play_clock, until })
            }
            Message::Play { id, moves } => match self.the_match(&id) {
                None => Reply::Busy,
                Some(played) => self.play(&played, moves, arrived),
            },
            Message::Stop { id, moves } => match self.end(&id) {
                None => Reply::Busy,
                Some(ended) => {
                    ended.desk.close(Some(Task::Stop { moves }));
                    Reply::Done
                }
            },
            Message::Abort { id } => match self.end(&id) {
                None => Reply::Busy,
                Some(ended) => {
                    ended.desk.close(None);
                    self.setup.log(&format!("{}: aborted", legible(&id)));
                    Reply::Aborted
                }
            },
        }
    }

    /// Whether it is in a match.
    pub fn is_busy(&self) -> bool {
        self.in_match().is_some()
    }

    fn current(&self) -> MutexGuard<'_, Option<Arc<Match>>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn margin(&self) -> MutexGuard<'_, Margin> {
        self.margin.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn in_match(&self) -> Option<Arc<Match>> {
        self.current().clone().filter(|current| !current.is_abandoned())
    }

    /// The match with this id, if it is ours.
    fn the_match(&self, id: &str) -> Option<Arc<Match>> {
        let found = self.current().clone().filter(|current| current.id == id);
        found.inspect(|found| found.hear(true))
    }

    /// The match with this id, which is ours no longer.
    fn end(&self, id: &str) -> Option<Arc<Match>> {
        self.current().take_if(|current| current.id == id)
    }

    fn start(&self, opening: Opening) -> Reply {
        let Opening { until, .. } = opening;
        let seconds = |clock: Duration| clock.as_secs_f64();
        let line = format!(
            "{}: begins, as {}, with {} s before it and {} s for a move",
            legible(&opening.id),
            legible(&opening.role),
            seconds(opening.start_clock),
            seconds(opening.play_clock)
        );
        let (abandoned, started) = {
            let mut current = self.current();
            if current.as_ref().is_some_and(|playing| !playing.is_abandoned()) {
                return Reply::Busy;
            }
            let Some(place) = Place::new(&self.matches, MATCHES) else { return Reply::Busy };
            let started = Arc::new(Match::new(opening, &self.setup, &self.builders, place));
            (current.replace(started.clone()), started)
        };
        // Nobody else waits while this is told.
        if let Some(abandoned) = abandoned {
            abandoned.desk.close(None);
            self.setup.log(&format!("{}: given up, for nothing was heard of it", legible(&abandoned.id)));
        }
        self.setup.log(&line);
        started.desk.wait_prepared(until);
        started.hear(false);
        self.learn(until);
        Reply::Ready
    }

    /// Learns from an answer that should have been ready at some moment.
    fn learn(&self, planned: Instant) {
        self.margin().learn(Instant::now().saturating_duration_since(planned));
    }

    fn play(&self, played: &Match, moves: crate::Moves, arrived: Instant) -> Reply {
        let clock = played.play_clock;
        let margin = self.margin().of(clock);
        let until = arrived + clock.saturating_sub(margin);
        let latest = until + margin / LAST_MOMENT;
        let Some(turn) = played.desk.ask(moves, until) else { return Reply::Nil };
        let choice = played.desk.wait_answer(turn, latest, arrived + clock);
        played.hear(true);
        self.learn(until);
        self.setup.log(&format!("{}: {}", legible(&played.id), told(choice.as_ref(), arrived.elapsed())));
        choice.map_or(Reply::Nil, |choice| Reply::Move(Box::new(choice)))
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        if let Some(current) = self.current().take() {
            current.desk.close(None);
        }
    }
}

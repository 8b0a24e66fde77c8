//! Many matches by a plan: opens the games, lets players prepare themselves, plays what the store does not have yet, and reports.

mod open;
mod play;
mod run;
mod sequential;
mod text;
mod wire;

pub(crate) use sequential::{SprtReport, claims};
pub(crate) use text::text;

use crate::console::Console;
use crate::search_args::FastEngineArgs;
use anyhow::Result;
use ludens_search::Settings;
use ludens_serve::mix;
use ludens_serve::record::sha256_hex;
use ludens_tournament::{Plan, Played, Report, Slot, Sprt, Store, Subject, meetings};
use open::Entry;
use serde::Serialize;

/// Random joint moves at the beginning, where nobody says how many.
const OPENING: u32 = 4;

/// What is to be done.
pub(crate) struct Setup {
    pub(crate) plan: Plan,
    pub(crate) engine: FastEngineArgs,
    pub(crate) store: Store,
    /// Play only until this is decided.
    pub(crate) sprt: Option<Sprt>,
}

/// What came of it.
#[derive(Serialize)]
pub(crate) struct Outcome {
    #[serde(flatten)]
    pub(crate) report: Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sprt: Option<SprtReport>,
    pub(crate) failed: Vec<Failed>,
    pub(crate) interrupted: bool,
    /// Matches that the plan has and that were not played.
    pub(crate) left: usize,
}

/// A match that could not be played to its end, and nobody's fault.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Failed {
    game: String,
    #[serde(flatten)]
    slot: Slot,
    error: String,
}

impl Failed {
    /// The number of its budget.
    pub(crate) fn budget(&self) -> usize {
        self.slot.budget
    }

    /// Why.
    pub(crate) fn error(&self) -> &str {
        &self.error
    }
}

/// All that matches have in common.
struct Table {
    plan: Plan,
    subject: Subject,
    entries: Vec<Entry>,
    settings: Settings,
}

/// Plays all matches of a plan that the store does not have.
pub(crate) fn run(setup: Setup, console: Console) -> Result<Outcome> {
    let Setup { plan, engine, store, sprt } = setup;
    plan.check()?;
    let settings = Settings { threads: 1, memory: plan.memory, seed: plan.seed, max_plies: plan.max_plies };
    let entries = open::games(&plan, engine, console)?;
    let subject = Subject {
        title: plan.title.clone(),
        games: entries.iter().map(|entry| entry.game.name.clone()).collect(),
        players: plan.players.iter().map(|player| player.name.clone()).collect(),
        budgets: plan.budgets.clone(),
        meetings: meetings(plan.pairing(), plan.players.len()),
        seed: plan.seed,
    };
    run::run(Table { plan, subject, entries, settings }, store, sprt, console)
}

impl Table {
    /// How many random joint moves there are at the beginning.
    fn opening(&self, game: usize) -> u32 {
        let has_one_role = self.entries[game].game.machine.roles().len() == 1;
        self.plan.opening.unwrap_or(if has_one_role { 0 } else { OPENING })
    }

    /// Where chance starts in a pair: both of its matches begin alike, whoever plays.
    fn pair_seed(&self, slot: Slot) -> u64 {
        mix(mix(self.plan.seed, u64::from(slot.pair)), name_seed(&self.entries[slot.game].game.name))
    }

    /// What names this match wherever it is played.
    fn id(&self, slot: Slot) -> String {
        let Plan { memory, seed, max_plies, start_cpu, start_simulations, .. } = &self.plan;
        let game = &self.entries[slot.game].game;
        let [first, second] = self.subject.meetings[slot.meeting].map(|player| self.plan.players[player].identity());
        let (engine, version) = (game.machine.engine_name(), env!("CARGO_PKG_VERSION"));
        let (opening, budget) = (self.opening(slot.game), self.plan.budgets[slot.budget].text());
        let matches = start_simulations.map_or_else(String::new, |matches| format!(" {matches}"));
        let conditions = format!("{memory} {max_plies} {start_cpu}{matches} {:?} {engine} {budget} {version}", self.plan.seats);
        let Slot { pair, second: is_second, .. } = slot;
        let text = format!("{} {} {first} {second} {opening} {seed} {pair} {is_second} {conditions}", game.name, game.sha256);
        sha256_hex(text.as_bytes())[..16].to_owned()
    }

    /// Whether what the store has under this id is this match.
    fn is_that(&self, slot: Slot, played: &Played) -> bool {
        let begun = self.begun(slot);
        (&begun.id, begun.pair, begun.second, &begun.seats) == (&played.id, played.pair, played.second, &played.seats)
    }

    /// A match of which nothing has been played yet.
    fn begun(&self, slot: Slot) -> Played {
        let game = &self.entries[slot.game].game;
        let budget = &self.plan.budgets[slot.budget];
        Played {
            id: self.id(slot),
            game: game.name.clone(),
            players: self.subject.meetings[slot.meeting].map(|player| self.plan.players[player].name.clone()),
            budget: budget.text(),
            seed: self.plan.seed,
            pair: slot.pair,
            second: slot.second,
            seats: slot.seats(game.machine.roles().len(), self.plan.seats, self.pair_seed(slot)),
            is_timed: budget.is_timed(),
            ..Played::default()
        }
    }
}

/// Games have different openings from one seed.
fn name_seed(name: &str) -> u64 {
    name.bytes().fold(0, |seed, byte| mix(seed, u64::from(byte)))
}

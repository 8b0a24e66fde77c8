//! Before a match: players find out about the game what they can.

use crate::console::Console;
use crate::interrupt;
use crate::playable::Playable;
use crate::search_args::seconds;
use anyhow::Result;
use ludens_search::{Budget, Ready, Settings, Spec, Start};
use ludens_serve::SystemClock;
use std::time::Duration;

/// What preparing may cost.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct StartArgs {
    /// Seconds of CPU time that every player may take before the match: to invent an evaluation function, to choose how to search.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    start_cpu: Duration,
}

impl StartArgs {
    pub(crate) fn seconds(self) -> f64 {
        self.start_cpu.as_secs_f64()
    }

    pub(crate) fn budget(self) -> Budget {
        Budget { cpu: Some(self.start_cpu), ..Budget::default() }
    }
}

/// Lets players prepare themselves for a game, and says where one will not be quite what was asked for.
pub(crate) fn prepare<'s>(
    game: &Playable,
    specs: impl IntoIterator<Item = &'s Spec>,
    settings: Settings,
    budget: Budget,
    console: Console,
) -> Result<Vec<Ready>> {
    let clock = SystemClock::new();
    let mut start = Start::new(&game.machine, game.rules()?, settings, budget, clock.watch(interrupt::sign()));
    let progress = console.spinner("");
    progress.enable_steady_tick(Duration::from_millis(100));
    let mut players: Vec<Ready> = Vec::new();
    for spec in specs {
        progress.set_message(format!("{spec} prepares for {}", game.name));
        let known = players.iter().find(|ready| ready.spec() == spec).cloned();
        let is_new = known.is_none();
        let ready = known.unwrap_or_else(|| start.prepare(spec));
        if let Some(remark) = ready.remark().filter(|_| is_new && !interrupt::is_requested()) {
            progress.suspend(|| console.note(&format!("{}: {spec}: {remark}", game.name)));
        }
        players.push(ready);
    }
    progress.finish_and_clear();
    Ok(players)
}

/// Says whom players chose to play in their place, and why.
pub(crate) fn note_choices(game: &Playable, players: &[Ready], console: Console) {
    for choice in choices(players) {
        console.note(&format!("{}: {choice}", game.name));
    }
}

/// Whom players chose, and why: a sentence for each, the same ones once.
pub(crate) fn choices(players: &[Ready]) -> Vec<String> {
    let mut told = Vec::new();
    for player in players {
        let Some(choice) = player.choice() else { continue };
        let sentence = format!("{} plays as {}: {}", player.spec(), choice.player.spec(), choice.reason);
        if !told.contains(&sentence) {
            told.push(sentence);
        }
    }
    told
}

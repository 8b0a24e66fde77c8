//! The options of all commands in which somebody thinks.

use crate::engine::{self, Engine, EngineArgs};
use ludens_search::{Budget, Settings};
use std::time::Duration;

/// What a move may cost. Several limits may stand together; whichever is met first ends the search.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "What a move may cost; whichever is met first")]
pub(crate) struct BudgetArgs {
    /// Seconds on the clock on the wall.
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Seconds of CPU time, of all threads of the search together.
    #[arg(long, value_name = "S", value_parser = seconds)]
    cpu: Option<Duration>,
    /// Descents through the tree, or random matches of a search without one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    simulations: Option<u64>,
    /// Positions looked at.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Joint moves ahead.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
}

impl BudgetArgs {
    /// What was asked for; without anything, so much CPU time.
    pub(crate) fn budget(&self, otherwise: Duration) -> Budget {
        let &BudgetArgs { seconds: wall, cpu, simulations, nodes, depth } = self;
        let asked = Budget { wall, cpu, simulations, nodes, depth };
        if asked == Budget::default() { Budget { cpu: Some(otherwise), ..asked } } else { asked }
    }
}

/// A budget as people read it: `1 CPU s, 1000 simulations`.
pub(crate) fn budget_text(budget: &Budget) -> String {
    let Budget { wall, cpu, simulations, nodes, depth } = budget;
    let times = [(wall, "s"), (cpu, "CPU s")].map(|(time, unit)| time.map(|time| format!("{} {unit}", time.as_secs_f64())));
    let depth = depth.map(u64::from);
    let counts = [(simulations, "simulations"), (nodes, "nodes"), (&depth, "joint moves ahead")]
        .map(|(count, unit)| count.map(|count| format!("{count} {unit}")));
    times.into_iter().chain(counts).flatten().collect::<Vec<_>>().join(", ")
}

/// A number of seconds from a nanosecond on.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse::<f64>().ok().filter(|number| (1e-9..=1e6).contains(number));
    number.map(Duration::from_secs_f64).ok_or_else(|| "must be greater than 0 and at most 1000000".to_owned())
}

/// A number of bytes, from 1 MiB to 1 TiB.
pub(crate) fn memory(text: &str) -> Result<usize, String> {
    match engine::bytes(text) {
        Some(bytes @ 0x10_0000..=0x100_0000_0000) => Ok(bytes),
        Some(_) => Err("a search has 1M to 1024G bytes".to_owned()),
        None => Err("give a number of bytes, such as 1048576, 64M or 1G".to_owned()),
    }
}

/// What a search may use, and where its chance starts.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct SettingsArgs {
    /// Threads of a search.
    #[arg(long, value_name = "T", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Bytes in which a search may remember things: 64M, 1G.
    #[arg(long, value_name = "BYTES", default_value = "512M", value_parser = memory)]
    memory: usize,
    /// The same seed, with one thread and a limit on simulations or nodes, gives the same answer, unless time to prepare runs out; `auto` chooses by the clock.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Give random matches up after so many joint moves.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_plies: u64,
}

impl SettingsArgs {
    pub(crate) fn settings(&self) -> Settings {
        let &SettingsArgs { threads, memory, seed, max_plies } = self;
        Settings { threads: threads.into(), memory, seed, max_plies }
    }
}

/// Which engine plays where somebody thinks: the fast one unless told otherwise.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct FastEngineArgs {
    /// The engine that executes the rules; what `lanes` cannot play, `relational` plays.
    #[arg(long, value_enum, default_value = "lanes")]
    engine: Engine,
}

impl FastEngineArgs {
    /// The fast one.
    pub(crate) const LANES: FastEngineArgs = FastEngineArgs { engine: Engine::Lanes };
}

impl From<FastEngineArgs> for EngineArgs {
    fn from(args: FastEngineArgs) -> EngineArgs {
        EngineArgs::plain(args.engine)
    }
}

#[cfg(test)]
mod tests {
    use super::{BudgetArgs, budget_text, memory, seconds};
    use ludens_search::Budget;
    use std::time::Duration;

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for text in ["", "0", "-1", "nan", "inf", "1e7", "1s"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert_eq!(memory("64M"), Ok(64 << 20));
        for text in ["", "1", "2048G", "M", "-1M"] {
            assert!(memory(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_budget_has_some_limit() {
        let none = BudgetArgs { seconds: None, cpu: None, simulations: None, nodes: None, depth: None };
        assert_eq!(none.budget(Duration::from_secs(1)), Budget { cpu: Some(Duration::from_secs(1)), ..Budget::default() });
        let some = BudgetArgs { simulations: Some(7), ..none };
        assert_eq!(some.budget(Duration::from_secs(1)), Budget { simulations: Some(7), ..Budget::default() });
        let both = Budget { cpu: Some(Duration::from_millis(1500)), simulations: Some(7), ..Budget::default() };
        assert_eq!(budget_text(&both), "1.5 CPU s, 7 simulations");
    }
}

//! What is to be played: a plan, as a file has it.

use crate::{Pairing, Seating};
use ludens_search::{Budget, Spec, SpecError};
use ludens_serve::client::is_address;
use serde::Deserialize;
use std::time::Duration;

/// More matches than anybody will ever play by one plan.
const MOST_MATCHES: f64 = 5e6;

/// A plan. Every key but `games` and `players` may be left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Plan {
    /// Stands over the report.
    #[serde(default)]
    pub title: String,
    /// Library names, files, folders.
    pub games: Vec<String>,
    /// Who plays: a SPEC or an address, or a table with more.
    pub players: Vec<Contender>,
    /// What a move may cost; several are played one beside the other.
    #[serde(default = "quarter_of_a_second")]
    pub budgets: Vec<Limits>,
    /// Who meets whom; with two players they meet, with more everybody meets everybody.
    pub pairing: Option<Pairing>,
    /// Who has which roles in games of more than two.
    #[serde(default)]
    pub seats: Seating,
    /// Pairs of matches in every game, for every meeting and budget.
    #[serde(default = "fifty")]
    pub pairs: u32,
    /// Random joint moves at the beginning; without it 4, and none in games of one role.
    pub opening: Option<u32>,
    /// Where chance starts.
    #[serde(default = "one")]
    pub seed: u64,
    /// Matches at the same time; one for every core.
    pub threads: Option<u16>,
    /// Bytes in which a player may remember things.
    #[serde(default = "memory")]
    pub memory: usize,
    /// A match is broken off after so many joint moves.
    #[serde(default = "thousand")]
    pub max_plies: u64,
    /// CPU seconds in which every player may prepare itself for a game.
    #[serde(default = "ten")]
    pub start_cpu: f64,
    /// Random matches that evaluation functions may be made from, by methods that set out with a number of them.
    pub start_simulations: Option<u64>,
    /// How often a match is played again whose players did not get the processor.
    #[serde(default = "two")]
    pub replays: u32,
}

fn quarter_of_a_second() -> Vec<Limits> {
    vec![Limits { cpu: Some(0.25), ..Limits::default() }]
}

fn fifty() -> u32 {
    50
}

fn one() -> u64 {
    1
}

fn two() -> u32 {
    2
}

fn ten() -> f64 {
    10.0
}

fn memory() -> usize {
    256 << 20
}

fn thousand() -> u64 {
    1000
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Contender {
    /// What it is called in reports; no two have the same name.
    pub name: String,
    /// Who it is.
    pub who: Who,
    /// Its limits are so many times those of the budget.
    pub times: f64,
}

/// Who it is.
#[derive(Clone, Debug, PartialEq)]
pub enum Who {
    /// A player in this process.
    Local(Spec),
    /// The address of one that listens for messages.
    Remote(String),
}

/// A player as it is written.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Plain(String),
    Table(Table),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: Option<String>,
    player: String,
    times: Option<f64>,
}

impl TryFrom<Written> for Contender {
    type Error = SpecError;

    fn try_from(written: Written) -> Result<Contender, SpecError> {
        match written {
            Written::Plain(player) => Contender::new(&player),
            Written::Table(Table { name, player, times }) => {
                let contender = Contender::new(&player)?;
                let times = times.unwrap_or(1.0);
                let contender = Contender { times, ..contender };
                Ok(Contender { name: name.unwrap_or_else(|| contender.identity()), ..contender })
            }
        }
    }
}

impl Contender {
    /// A player with the name under which it is known: a SPEC, or an address.
    pub fn new(player: &str) -> Result<Contender, SpecError> {
        let player = player.trim();
        if is_address(player) {
            return Ok(Contender { name: player.to_owned(), who: Who::Remote(player.to_owned()), times: 1.0 });
        }
        let spec = Spec::parse(player)?;
        Ok(Contender { name: spec.to_string(), who: Who::Local(spec), times: 1.0 })
    }

    /// What it is, whatever it is called.
    pub fn identity(&self) -> String {
        let who = match &self.who {
            Who::Local(spec) => spec.to_string(),
            Who::Remote(url) => url.clone(),
        };
        if self.has_more() { format!("{who} x{}", self.times) } else { who }
    }

    /// Whether its limits are other than those of the budget.
    fn has_more(&self) -> bool {
        self.times.to_bits() != 1.0_f64.to_bits()
    }
}

/// What a move may cost; whichever limit is met first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// CPU seconds.
    pub cpu: Option<f64>,
    /// Seconds on the wall.
    pub seconds: Option<f64>,
    /// Descents through the tree.
    pub simulations: Option<u64>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Joint moves ahead.
    pub depth: Option<u32>,
    /// Start clock and play clock in seconds: matches as game managers run them. Nothing else goes with it.
    pub clocks: Option<[u64; 2]>,
}

impl Limits {
    /// For a player in this process, so many times of it.
    pub fn budget(&self, times: f64) -> Budget {
        let time = |seconds: Option<f64>| seconds.map(|seconds| Duration::from_secs_f64(seconds * times));
        let count = |count: Option<u64>| count.map(|count| ((count as f64 * times) as u64).max(1));
        Budget {
            wall: time(self.seconds),
            cpu: time(self.cpu),
            simulations: count(self.simulations),
            nodes: count(self.nodes),
            depth: self.depth,
        }
    }

    /// Whether times limit a move, so that it matters whether the processor was there.
    pub fn is_timed(&self) -> bool {
        self.cpu.is_some() || self.seconds.is_some()
    }

    /// As people read it.
    pub fn text(&self) -> String {
        let number = |value: Option<f64>, unit: &str| value.map(|value| format!("{value} {unit}"));
        let whole = |value: Option<u64>, unit: &str| value.map(|value| format!("{value} {unit}"));
        let parts = [
            number(self.seconds, "s"),
            number(self.cpu, "CPU s"),
            whole(self.simulations, "simulations"),
            whole(self.nodes, "nodes"),
            whole(self.depth.map(u64::from), "joint moves ahead"),
            self.clocks.map(|[start, play]| format!("start clock {start} s, play clock {play} s")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// The place on an axis of budgets: the first limit there is.
    pub fn size(&self) -> f64 {
        let count = |count: Option<u64>| count.map(|count| count as f64);
        let clock = self.clocks.map(|[_, play]| play as f64);
        let sizes = [self.cpu, self.seconds, count(self.simulations), count(self.nodes), self.depth.map(f64::from), clock];
        sizes.into_iter().flatten().next().unwrap_or(0.0)
    }

    fn check(&self) -> Result<(), String> {
        let is_time = |seconds: f64| (1e-6..=1e6).contains(&seconds);
        let others =
            [self.cpu.is_some(), self.seconds.is_some(), self.simulations.is_some(), self.nodes.is_some(), self.depth.is_some()];
        match self.clocks {
            Some(_) if others.contains(&true) => return Err("`clocks` stands alone".to_owned()),
            Some(clocks) if clocks.iter().any(|clock| !(1..=1_000_000).contains(clock)) => {
                return Err("clocks are from 1 to 1000000 seconds".to_owned());
            }
            None if !others.contains(&true) => {
                return Err("give a limit: cpu, seconds, simulations, nodes, depth or clocks".to_owned());
            }
            _ => {}
        }
        if [self.cpu, self.seconds].into_iter().flatten().any(|seconds| !is_time(seconds)) {
            return Err("times are from 0.000001 to 1000000 seconds".to_owned());
        }
        if [self.simulations, self.nodes, self.depth.map(u64::from)].contains(&Some(0)) {
            return Err("a limit is at least 1".to_owned());
        }
        Ok(())
    }
}

/// Why a plan is none.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It is not TOML, or has keys that plans do not have; line and column are named.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// It asks for what cannot be.
    #[error("{0}")]
    Wrong(String),
}

impl Plan {
    /// Reads a plan.
    ///
    /// # Errors
    /// If it is not one, or asks for what cannot be.
    pub fn parse(text: &str) -> Result<Plan, PlanError> {
        let plan: Plan = toml::from_str(text)?;
        plan.check()?;
        Ok(plan)
    }

    /// A plan with everything as it is where nobody says otherwise.
    pub fn new(games: Vec<String>, players: Vec<Contender>) -> Plan {
        Plan {
            title: String::new(),
            games,
            players,
            budgets: quarter_of_a_second(),
            pairing: None,
            seats: Seating::One,
            pairs: fifty(),
            opening: None,
            seed: one(),
            threads: None,
            memory: memory(),
            max_plies: thousand(),
            start_cpu: ten(),
            start_simulations: None,
            replays: two(),
        }
    }

    /// Who meets whom.
    pub fn pairing(&self) -> Pairing {
        let default = if self.players.len() == 2 { Pairing::HeadToHead } else { Pairing::RoundRobin };
        self.pairing.unwrap_or(default)
    }

    /// Sees that it can be played.
    ///
    /// # Errors
    /// Where it cannot: the key is named.
    pub fn check(&self) -> Result<(), PlanError> {
        let wrong = |text: String| Err(PlanError::Wrong(text));
        let count = self.players.len();
        if self.games.is_empty() {
            return wrong("games: give at least one".to_owned());
        }
        if count < 2 {
            return wrong(format!("players: give at least two, not {count}"));
        }
        if self.pairing == Some(Pairing::HeadToHead) && count != 2 {
            return wrong(format!("pairing: head-to-head is between two players, not {count}; use round-robin or gauntlet"));
        }
        for (place, player) in self.players.iter().enumerate() {
            if self.players[..place].iter().any(|other| other.name == player.name) {
                return wrong(format!("players: `{}` is there twice; give one of them another name", player.name));
            }
            if !(0.001..=1000.0).contains(&player.times) {
                return wrong(format!("players: `times` of `{}` is from 0.001 to 1000", player.name));
            }
        }
        if self.budgets.is_empty() {
            return wrong("budgets: give at least one".to_owned());
        }
        for (place, limits) in self.budgets.iter().enumerate() {
            if let Err(problem) = limits.check() {
                return wrong(format!("budget {}: {problem}", place + 1));
            }
            if self.budgets[..place].contains(limits) {
                return wrong(format!("budgets: `{}` is there twice", limits.text()));
            }
            let remote = self.players.iter().find(|player| matches!(player.who, Who::Remote(_)));
            if let (Some(remote), None) = (remote, limits.clocks) {
                return wrong(format!(
                    "budget {}: `{}` is elsewhere, so that only clocks can limit its moves",
                    place + 1,
                    remote.name
                ));
            }
            let unequal = self.players.iter().find(|player| player.has_more());
            if let (Some(unequal), Some(_)) = (unequal, limits.clocks) {
                return wrong(format!(
                    "budget {}: clocks are the same for all, so `{}` cannot have `times`",
                    place + 1,
                    unequal.name
                ));
            }
        }
        let ranges = [
            ("pairs", self.pairs as f64, 1.0, 1e6),
            ("memory", self.memory as f64, 1_048_576.0, 1e13),
            ("max-plies", self.max_plies as f64, 1.0, 1e9),
            ("start-cpu", self.start_cpu, 1e-6, 1e6),
            ("start-simulations", self.start_simulations.unwrap_or(1) as f64, 1.0, 1e9),
            ("threads", self.threads.map_or(1.0, f64::from), 1.0, 256.0),
            ("replays", f64::from(self.replays), 0.0, 100.0),
            ("opening", f64::from(self.opening.unwrap_or(0)), 0.0, 1000.0),
        ];
        match ranges.into_iter().find(|&(_, value, low, high)| !(low..=high).contains(&value)) {
            Some((key, _, low, high)) => wrong(format!("{key}: from {low} to {high}")),
            None if self.matches() > MOST_MATCHES => {
                wrong(format!("that is {:.0} matches, and there may be {MOST_MATCHES:.0}", self.matches()))
            }
            None => Ok(()),
        }
    }

    /// How many matches it has.
    fn matches(&self) -> f64 {
        let players = self.players.len() as f64;
        let meetings = match self.pairing() {
            Pairing::HeadToHead => 1.0,
            Pairing::Gauntlet => players - 1.0,
            Pairing::RoundRobin => players * (players - 1.0) / 2.0,
        };
        2.0 * f64::from(self.pairs) * meetings * self.games.len() as f64 * self.budgets.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::{Limits, Plan, Who};
    use crate::{Pairing, Seating};

    #[test]
    fn a_plan_is_read_and_what_it_leaves_out_filled_in() {
        let plan = Plan::parse("games = ['hex']\nplayers = ['uct', 'mc']").unwrap();
        assert_eq!((plan.pairs, plan.seed, plan.replays, plan.pairing()), (50, 1, 2, Pairing::HeadToHead));
        assert_eq!(plan.budgets[0].text(), "0.25 CPU s");
        let plan = Plan::parse(
            "title = 'All'\ngames = ['hex', 'my.kif']\npairing = 'gauntlet'\nseats = 'halves'\npairs = 3\nopening = 2\n
             players = ['uct:c=0.7', { name = 'far', player = 'http://localhost:9147' }, 'mc']\n[[budgets]]\nclocks = [10, 1]",
        )
        .unwrap();
        assert_eq!((plan.pairing(), plan.seats, plan.opening), (Pairing::Gauntlet, Seating::Halves, Some(2)));
        assert_eq!(plan.players[1].who, Who::Remote("http://localhost:9147".to_owned()));
        assert_eq!((plan.players[1].name.as_str(), plan.players[0].name.as_str()), ("far", "uct:c=0.7"));
        let plan = Plan::parse("games=['hex']\nplayers=['mc', {player='uct', times=4}]\nbudgets=[{simulations=100}, {cpu=0.5}]")
            .unwrap();
        assert_eq!((plan.players[1].name.as_str(), plan.players[1].identity().as_str()), ("uct x4", "uct x4"));
        assert_eq!(plan.budgets[0].budget(4.0).simulations, Some(400));
        assert!(!plan.budgets[0].is_timed() && plan.budgets[1].is_timed());
    }

    #[test]
    fn what_is_wrong_with_a_plan_is_named() {
        let base = "games = ['hex']\nplayers = ['uct', 'mc']\n";
        for (text, complaint) in [
            ("games = []\nplayers = ['uct', 'mc']", "games: give at least one"),
            ("games = ['hex']\nplayers = ['uct']", "at least two, not 1"),
            ("games = ['hex']\nplayers = ['uct', 'uct']", "`uct` is there twice"),
            ("games = ['hex']\nplayers = ['uct', 'udt']", "udt"),
            ("games = ['hex']\nplayers = ['uct', 'h:1']", "only clocks can limit"),
            ("games = ['hex']\nplayers = ['uct', 'mc', 'first']\npairing = 'head-to-head'", "between two players, not 3"),
            (&format!("{base}budgets = []"), "budgets: give at least one"),
            (&format!("{base}budgets = [{{}}]"), "budget 1: give a limit"),
            (&format!("{base}budgets = [{{cpu=1}}, {{cpu=1.0}}]"), "is there twice"),
            (&format!("{base}budgets = [{{cpu=-1}}]"), "budget 1: times are"),
            (&format!("{base}budgets = [{{cpu=nan}}]"), "budget 1: times are"),
            (&format!("{base}budgets = [{{nodes=0}}]"), "at least 1"),
            (&format!("{base}budgets = [{{clocks=[1,1], cpu=1}}]"), "`clocks` stands alone"),
            (&format!("{base}pairs = 0"), "pairs: from 1"),
            (&format!("{base}opening = 5000"), "opening: from 0"),
            (&format!("{base}pairs = 1000000\nbudgets = [{{cpu=1}}, {{cpu=2}}, {{cpu=3}}]"), "that is 6000000 matches"),
            (&format!("{base}pears = 1"), "unknown field `pears`"),
            (&format!("{base}pairs = 'x'"), "line 3"),
        ] {
            let error = Plan::parse(text).expect_err(text).to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
        assert!(Limits { clocks: Some([5, 1]), ..Limits::default() }.text().contains("play clock 1 s"));
    }
}

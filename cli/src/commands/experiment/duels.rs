//! Matches between two players, as experiments measure them.

use super::{Lab, Scale};
use crate::contest::{self, Setup};
use crate::search_args::FastEngineArgs;
use anyhow::Result;
use ludens_tournament::{Contender, Duel, GameReport, Limits, Pairing, Plan, Seating, Store, Z};
use serde::{Deserialize, Serialize};

/// Bytes in which a player may remember things.
const MEMORY: usize = 64 << 20;

/// Two players and the conditions under which they meet in a game.
#[derive(Clone, Debug)]
pub(crate) struct Meeting<'a> {
    pub(crate) game: &'a str,
    /// Specs.
    pub(crate) players: [&'a str; 2],
    /// What a move may cost; each is played on its own.
    pub(crate) budgets: &'a [Limits],
    /// CPU seconds in which each may prepare itself.
    pub(crate) start: f64,
    /// Random matches from which functions of `rows` and `clune` may be made.
    pub(crate) start_simulations: Option<u64>,
    pub(crate) pairs: u32,
    /// Random joint moves at the beginning.
    pub(crate) opening: u32,
}

/// What came of it under one budget. Lists of two are for the two players.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) matches: u64,
    /// Mean points, 100 counting 1.
    pub(crate) score: [f64; 2],
    /// Of the first player, by points.
    pub(crate) wins: u64,
    pub(crate) losses: u64,
    /// How far the first is ahead by points, from -1 to 1, and half of the 95% interval of that, by how much pairs differ.
    pub(crate) lead: f64,
    pub(crate) error: Option<f64>,
    /// Per move.
    pub(crate) seconds: [f64; 2],
    pub(crate) simulations: [f64; 2],
    pub(crate) nodes: [f64; 2],
    /// Matches lost by crashes, illegal moves and time-outs.
    pub(crate) faults: [u64; 2],
    /// Matches whose players did not get the processor, and that count all the same.
    #[serde(default)]
    pub(crate) starved: u64,
    /// Matches that have no end, and why.
    pub(crate) failed: u64,
    pub(crate) reason: Option<String>,
}

/// Where a value may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Interval {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// Whether it lies on one side of nothing: 1 above, -1 below, 0 where that is open.
    pub(crate) fn side(self) -> i32 {
        i32::from(self.low > 0.0) - i32::from(self.high < 0.0)
    }
}

/// Wins less losses per match, with its 95% interval: that of paired shares with one more win and one more loss (Bonett and Price), which knows of draws
/// and of series that all went one way.
pub(crate) fn difference(wins: f64, losses: f64, matches: f64) -> Interval {
    let count = matches + 2.0;
    let shifted = (wins - losses) / count;
    let half = Z * (((wins + losses + 2.0) / count - shifted * shifted) / count).sqrt();
    let mean = if matches > 0.0 { (wins - losses) / matches } else { 0.0 };
    Interval { mean, low: (shifted - half).max(-1.0).min(mean), high: (shifted + half).min(1.0).max(mean) }
}

impl Cell {
    fn new(game: &GameReport) -> Cell {
        let per_move = |rates: [f64; 2]| [0, 1].map(|player| rates[player] * game.cpu_seconds_per_move[player]);
        Cell {
            matches: game.matches,
            score: game.score.map(|score| score.unwrap_or(0.0)),
            wins: game.wins,
            losses: game.losses,
            lead: game.lead.unwrap_or(0.0),
            error: game.lead_error,
            seconds: game.cpu_seconds_per_move,
            simulations: per_move(game.simulations_per_cpu_second),
            nodes: per_move(game.nodes_per_cpu_second),
            faults: game.faults,
            starved: game.starved,
            failed: 0,
            reason: None,
        }
    }

    /// Wins less losses per match.
    pub(crate) fn difference(&self) -> Interval {
        difference(self.wins as f64, self.losses as f64, self.matches as f64)
    }

    /// The lead by points with its interval, if that is known.
    pub(crate) fn lead(&self) -> Option<Interval> {
        let error = self.error.filter(|_| self.matches > 0)?;
        Some(Interval { mean: self.lead, low: (self.lead - error).max(-1.0), high: (self.lead + error).min(1.0) })
    }

    /// Adds matches of the same players under the same conditions. How sure the lead by points is cannot be told then.
    pub(crate) fn add(&mut self, other: &Cell) {
        let (own, new) = (self.matches as f64, other.matches as f64);
        if new > 0.0 {
            let mix = |one: f64, two: f64| (one * own + two * new) / (own + new);
            let both = |one: [f64; 2], two: [f64; 2]| [0, 1].map(|player| mix(one[player], two[player]));
            self.error = if own > 0.0 { None } else { other.error };
            self.lead = mix(self.lead, other.lead);
            self.score = both(self.score, other.score);
            self.seconds = both(self.seconds, other.seconds);
            self.simulations = both(self.simulations, other.simulations);
            self.nodes = both(self.nodes, other.nodes);
        }
        self.matches += other.matches;
        self.wins += other.wins;
        self.losses += other.losses;
        self.failed += other.failed;
        self.starved += other.starved;
        self.faults = [0, 1].map(|player| self.faults[player] + other.faults[player]);
        self.reason = self.reason.take().or_else(|| other.reason.clone());
    }
}

/// Plays a meeting, or knows it from before: a cell for every budget.
pub(crate) fn play(lab: &mut Lab, name: &str, meeting: &Meeting<'_>, seed: u64) -> Result<Vec<Cell>> {
    let (console, store) = (lab.console(), lab.store());
    // What is quick cannot wait for a quiet computer; it says so instead.
    let replays = if lab.scale() == Scale::Paper { 2 } else { 0 };
    lab.measure(name, || {
        let players = meeting.players.map(Contender::new).into_iter().collect::<Result<Vec<_>, _>>()?;
        let plan = Plan {
            budgets: meeting.budgets.to_vec(),
            pairing: Some(Pairing::HeadToHead),
            seats: Seating::Halves,
            pairs: meeting.pairs,
            opening: Some(meeting.opening),
            seed,
            memory: MEMORY,
            start_cpu: meeting.start,
            start_simulations: meeting.start_simulations,
            replays,
            ..Plan::new(vec![meeting.game.to_owned()], players)
        };
        let setup = Setup { plan, engine: FastEngineArgs::LANES, store: Store::open(&store)?, sprt: None };
        let outcome = contest::run(setup, console)?;
        let mut cells: Vec<Cell> =
            outcome.report.duels.iter().flat_map(|Duel { games, .. }| games.iter().map(Cell::new)).collect();
        for failed in &outcome.failed {
            let cell = &mut cells[failed.budget()];
            cell.failed += 1;
            cell.reason.get_or_insert_with(|| failed.error().to_owned());
        }
        Ok(cells)
    })
}

/// Sentences about matches that did not go as they should; empty where all did.
pub(crate) fn troubles<'a>(cells: impl IntoIterator<Item = (String, &'a Cell)>) -> Vec<String> {
    let mut texts = Vec::new();
    for (place, cell) in cells {
        if cell.failed > 0 {
            let reason = cell.reason.as_deref().unwrap_or("unknown");
            texts.push(format!("{place}: {} without an end, left out ({reason}).", cell.failed));
        }
        if cell.starved > 0 {
            texts.push(format!(
                "{place}: in {} of {} matches the players had less than 80% of a processor while they thought; CPU time is counted, so they thought as long as they might.",
                cell.starved, cell.matches
            ));
        }
        if cell.faults != [0; 2] {
            let [first, second] = cell.faults;
            texts.push(format!(
                "{place}: lost by crashes, illegal moves or time-outs: {first} by the first player, {second} by the second."
            ));
        }
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::{Cell, difference};

    #[test]
    fn differences_know_of_draws_and_of_series_that_all_went_one_way() {
        let near = |one: f64, two: f64| (one - two).abs() < 2e-3;
        // 14% against 0% of 80 matches is more than chance, 48% against 40% is not.
        let chess = difference(11.0, 0.0, 80.0);
        assert!(near(chess.mean, 0.1375) && chess.side() == 1, "{chess:?}");
        assert_eq!(difference(38.0, 32.0, 80.0).side(), 0);
        assert_eq!(difference(5.0, 75.0, 80.0).side(), -1);
        let all = difference(2.0, 0.0, 2.0);
        assert!(all.low < 0.0 && near(all.high, 1.0), "two wins prove nothing: {all:?}");
        assert_eq!(difference(0.0, 0.0, 0.0).side(), 0);
    }

    #[test]
    fn cells_add_up() {
        let one =
            Cell { matches: 2, wins: 2, score: [1.0, 0.0], lead: 1.0, error: Some(0.1), nodes: [10.0, 0.0], ..Cell::default() };
        let two =
            Cell { matches: 6, losses: 6, score: [0.0, 1.0], lead: -1.0, error: Some(0.1), nodes: [2.0, 0.0], ..Cell::default() };
        let mut sum = Cell::default();
        sum.add(&one);
        assert_eq!(sum, one);
        sum.add(&two);
        assert_eq!((sum.matches, sum.wins, sum.losses, sum.error), (8, 2, 6, None));
        assert!((sum.lead + 0.5).abs() < 1e-9 && (sum.nodes[0] - 4.0).abs() < 1e-9);
        sum.add(&Cell::default());
        assert_eq!(sum.matches, 8);
    }
}

//! Mandziuk and Swiechowski 2013, "Generic Heuristic Approach to General Game Playing": tables 1 and 2, the Heuristic Player against UCT in eleven games by four pairs
//! of clocks, in units of T, the average time of one random simulation.
//!
//! T is measured twice: on the engine that the players use, and on the relational engine, which is of the paper's kind. The first lets UCT do about as many
//! simulations as in the paper, the second gives all players more than that. Start clocks are counted in simulations: 16 for 16T.

mod claims;
mod published;
mod report;
mod unit;

use super::duels::{self, Cell, Meeting};
use super::{Document, Lab, Scale};
use anyhow::Result;
use ludens_serve::mix;
use ludens_tournament::Limits;
use published::{CLOCKS, GAMES, Game};
use std::collections::BTreeSet;
use unit::Unit;

const HEURISTIC: &str = "minimax:eval=rows";
const LEARNED: &str = "minimax:eval=learned";
/// One simulation at a time, and nothing but UCB1, as in the paper.
const UCT: &str = "uct:c=0.35,history=0,urgency=0,decisive=off,practice=off,leaves=1,playouts=1,fill=off";

/// Clocks under this many seconds are those: no limit is shorter.
const SHORTEST: f64 = 1e-6;

/// The shortest clocks may take so many times as long: every game shall be played at all.
const PATIENCE: f64 = 2.0;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
struct Plan {
    games: usize,
    /// Pairs of matches of every cell: at most, and at least for the cell to be there.
    pairs: u32,
    fewest: u32,
    /// So often the Heuristic Player prepares itself anew within a cell; in the paper for every match.
    starts: u32,
    /// CPU seconds that all matches of a cell may take, as far as random play tells.
    allowance: f64,
    /// CPU seconds to measure T.
    timing: f64,
    /// CPU seconds to prepare at most; all of them for `learned`.
    start: f64,
}

impl Plan {
    fn of(scale: Scale) -> Plan {
        match scale {
            Scale::Test => Plan { games: 1, pairs: 2, fewest: 1, starts: 2, allowance: 0.2, timing: 0.01, start: 0.05 },
            Scale::Quick => {
                Plan { games: GAMES.len(), pairs: 40, fewest: 3, starts: 4, allowance: 14.0, timing: 0.3, start: 2.0 }
            }
            Scale::Paper => Plan {
                games: GAMES.len(),
                pairs: 40,
                fewest: 40,
                starts: 40,
                allowance: f64::INFINITY,
                timing: 30.0,
                start: 10.0,
            },
        }
    }

    /// How many pairs of matches there is time for; none where there are too few.
    fn pairs(&self, clock: usize, seconds_per_match: f64) -> Option<u32> {
        let allowance = self.allowance * if clock == 0 { PATIENCE } else { 1.0 };
        let pairs = (allowance / (2.0 * seconds_per_match).max(1e-12)).min(f64::from(self.pairs)) as u32;
        (pairs >= self.fewest).then_some(pairs)
    }
}

/// What T is.
const READINGS: [&str; 2] = ["T of the engine that plays", "T of the relational engine"];

/// What came of one game.
struct Measured {
    game: &'static Game,
    /// For both engines.
    units: [Unit; 2],
    /// By reading and clock: the Heuristic Player against UCT; none where it would take too long.
    heuristic: [[Option<Cell>; 4]; 2],
    /// The same for `learned` in the same search.
    learned: [[Option<Cell>; 4]; 2],
    /// By clock: why the Heuristic Player found no function in its first start.
    refusals: [Option<String>; 4],
}

/// Measures everything, and says what it shows.
pub(super) fn run(lab: &mut Lab) -> Result<Document> {
    let plan = Plan::of(lab.scale());
    let mut all = Vec::new();
    for game in &GAMES[..plan.games] {
        all.push(measure(lab, &plan, game)?);
    }
    Ok(report::document(&plan, &all))
}

fn measure(lab: &mut Lab, plan: &Plan, game: &'static Game) -> Result<Measured> {
    let (console, seed) = (lab.console(), lab.seed());
    let units: [Unit; 2] = lab.measure(&format!("{} T", game.name), || unit::measure(game.name, plan.timing, seed, console))?;
    console.note(&format!("{}: T {:.1} µs and {:.1} µs", game.title, 1e6 * units[0].seconds, 1e6 * units[1].seconds));
    let starts = CLOCKS.map(|[start, _]| start as u64);
    let refusals =
        lab.measure(&format!("{} functions", game.name), || unit::refusals(game.name, HEURISTIC, starts, plan.start, seed))?;
    let mut measured = Measured { game, units, heuristic: Default::default(), learned: Default::default(), refusals };
    for (reading, unit) in units.iter().enumerate() {
        let time = |times: f64| (times * unit.seconds).max(SHORTEST);
        let pairs: [Option<u32>; 4] = std::array::from_fn(|clock| plan.pairs(clock, unit.decisions * time(CLOCKS[clock][1])));
        for (clock, [start, play]) in CLOCKS.into_iter().enumerate() {
            let Some(pairs) = pairs[clock] else { continue };
            let name = format!("{} {reading} {clock}", game.name);
            let budgets = [Limits { cpu: Some(time(play)), ..Limits::default() }];
            let starts = plan.starts.min(pairs);
            let mut sum = Cell::default();
            for round in 0..starts {
                // As evenly as it goes.
                let pairs = pairs / starts + u32::from(round < pairs % starts);
                let meeting = Meeting {
                    game: game.name,
                    players: [HEURISTIC, UCT],
                    budgets: &budgets,
                    start: plan.start,
                    start_simulations: Some(start as u64),
                    pairs,
                    opening: 0,
                };
                let cells = duels::play(lab, &format!("{name} {round}"), &meeting, mix(seed, u64::from(round)))?;
                for cell in &cells {
                    sum.add(cell);
                }
            }
            measured.heuristic[reading][clock] = Some(sum);
        }
        // What is learned does not depend on clocks: once for all that have as many matches.
        for count in pairs.iter().flatten().copied().collect::<BTreeSet<u32>>() {
            let clocks: Vec<usize> = (0..CLOCKS.len()).filter(|&clock| pairs[clock] == Some(count)).collect();
            let limits = |&clock: &usize| Limits { cpu: Some(time(CLOCKS[clock][1])), ..Limits::default() };
            let budgets: Vec<Limits> = clocks.iter().map(limits).collect();
            let meeting = Meeting {
                game: game.name,
                players: [LEARNED, UCT],
                budgets: &budgets,
                start: plan.start,
                start_simulations: None,
                pairs: count,
                opening: 0,
            };
            let cells = duels::play(lab, &format!("{} {reading} learned {count}", game.name), &meeting, seed)?;
            for (clock, cell) in clocks.into_iter().zip(cells) {
                measured.learned[reading][clock] = Some(cell);
            }
        }
    }
    Ok(measured)
}

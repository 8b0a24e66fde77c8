//! Waugh 2009, "Faster State Manipulation in General Games using Generated Code": tables 1 and 2, the states that a Monte Carlo player examines and the simulations it
//! completes per move, by engine and by how far the match has gone.
//!
//! `mc` plays itself; every position in which it had to think is then given to every engine for the same CPU time. So all engines are compared on the same positions.

mod child;
mod claims;
mod emitted;
mod engines;
mod matches;
mod prolog;
mod published;
mod report;

use super::{Document, Lab, Scale, go_on};
use crate::words::number;
use anyhow::Result;
use engines::{Engine, Workshop};
use matches::Position;
use published::GAMES;
use serde::{Deserialize, Serialize};

/// The move clock of the paper, to which all counts are scaled.
const CLOCK: f64 = 5.0;

/// How much is measured.
#[derive(Clone, Copy, Debug)]
struct Plan {
    matches: u64,
    /// Positions of every third of a match; without it, all.
    per_third: Option<usize>,
    /// CPU time of every engine for a position.
    seconds: f64,
    /// Random matches by which players choose the moves of the matches.
    simulations: u64,
    /// Games of the paper, from the first one on.
    games: usize,
    /// Whether compilers shall take their time.
    optimise: bool,
}

impl Plan {
    fn of(scale: Scale) -> Plan {
        match scale {
            Scale::Test => Plan { matches: 2, per_third: Some(1), seconds: 0.01, simulations: 50, games: 1, optimise: false },
            Scale::Quick => {
                Plan { matches: 6, per_third: Some(1), seconds: 0.4, simulations: 1000, games: GAMES.len(), optimise: true }
            }
            Scale::Paper => {
                Plan { matches: 20, per_third: None, seconds: CLOCK, simulations: 10_000, games: GAMES.len(), optimise: true }
            }
        }
    }
}

/// What came of one position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Count {
    states: u64,
    simulations: u64,
    cpu: f64,
}

impl Count {
    /// States and simulations in the time of the paper's move clock.
    fn rates(&self) -> [f64; 2] {
        [self.states, self.simulations].map(|count| count as f64 * CLOCK / self.cpu.max(1e-9))
    }
}

/// What came of one game.
struct Measured {
    /// The positions of all matches, one after the other.
    positions: Vec<Position>,
    plies: Vec<usize>,
    /// By engine, a count for every position, or why there is none.
    counts: Vec<(Engine, Result<Vec<Count>, String>)>,
}

/// Measures everything, and says what it shows.
pub(super) fn run(lab: &mut Lab) -> Result<Document> {
    let plan = Plan::of(lab.scale());
    let mut all = Vec::new();
    for game in &GAMES[..plan.games] {
        all.push(measure(lab, &plan, game.name)?);
    }
    Ok(report::document(&plan, &all))
}

/// One game: match by match, so that what else the computer does falls on all engines alike.
fn measure(lab: &mut Lab, plan: &Plan, game: &str) -> Result<Measured> {
    let mut workshop = Workshop::open(game, plan.optimise)?;
    let mut measured = Measured {
        positions: Vec::new(),
        plies: Vec::new(),
        counts: Engine::ALL.iter().map(|&engine| (engine, Ok(Vec::new()))).collect(),
    };
    for round in 0..plan.matches {
        let seed = ludens_serve::mix(lab.seed(), round);
        lab.console().note(&format!("{game}: match {} of {}", round + 1, plan.matches));
        let played = lab.measure(&format!("{game} match {round}"), || workshop.play(plan, seed))?;
        for (engine, counts) in &mut measured.counts {
            let Ok(known) = counts else { continue };
            let name = format!("{game} {} {round}", engine.key());
            let ready = if lab.knows(&name) { Ok(()) } else { workshop.prepare(*engine)? };
            go_on()?;
            let new = match ready {
                Ok(()) => lab.measure(&name, || workshop.measure(*engine, &played.positions, plan.seconds, seed))?,
                Err(reason) => Err(reason),
            };
            match new {
                Ok(new) => known.extend(new),
                Err(reason) => {
                    lab.console().note(&format!("{game}: {}: {reason}", engine.label()));
                    *counts = Err(reason);
                }
            }
        }
        measured.plies.push(played.plies);
        measured.positions.extend(played.positions);
    }
    let plies = measured.plies.iter().sum::<usize>() as u64;
    lab.console().note(&format!(
        "{game}: {} of {}",
        number(measured.positions.len() as u64, "position"),
        number(plies, "joint move")
    ));
    Ok(measured)
}

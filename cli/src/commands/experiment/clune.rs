//! Clune 2007, "Heuristic Evaluation Functions for General Game Playing": the models of five games, and table 2, how a player with such a model fares against the
//! same player with the goal values that the rules give a position as if it were the end (early payoff).
//!
//! Our models count other things in other words, as the sheets differ. So they are read through the paper's own features: the least-squares fit of what our sum
//! says on what the paper's features say, over positions of random play. Several models of different seeds tell how sure each of those weights is.

mod claims;
mod models;
mod published;
mod reading;
mod report;

use super::duels::{self, Cell, Meeting};
use super::{Document, Lab, Scale};
use crate::words::number;
use anyhow::Result;
use ludens_serve::mix;
use ludens_tournament::Limits;
use models::Found;
use published::{GAMES, Game};

/// Random joint moves at the beginning of matches: the players know no chance, and would play the same match again and again.
const OPENING: u32 = 2;

/// Who meets early payoff. Searches are as the paper has them: what it does not have is off, for all alike.
const PLAYERS: [&str; 2] = ["alphabeta:eval=clune,narrow=off", "alphabeta:eval=learned,narrow=off"];
const EARLY: &str = "alphabeta:eval=goal,narrow=off";

/// How much is measured.
#[derive(Clone, Copy, Debug)]
struct Plan {
    games: usize,
    /// Models of different seeds.
    models: u64,
    /// Random matches a model is made from.
    samples: usize,
    /// Pairs of matches.
    pairs: u32,
    /// CPU seconds and, in another series, positions per move.
    cpu: f64,
    nodes: u64,
    /// CPU seconds to prepare; without it, as long as the paper analysed each game.
    start: Option<f64>,
}

impl Plan {
    fn of(scale: Scale) -> Plan {
        match scale {
            Scale::Test => Plan { games: 2, models: 2, samples: 50, pairs: 1, cpu: 0.002, nodes: 50, start: Some(0.05) },
            Scale::Quick => {
                Plan { games: GAMES.len(), models: 5, samples: 3200, pairs: 8, cpu: 0.03, nodes: 2000, start: Some(10.0) }
            }
            Scale::Paper => {
                Plan { games: GAMES.len(), models: 10, samples: 3200, pairs: 50, cpu: 5.0, nodes: 200_000, start: None }
            }
        }
    }

    fn start(&self, game: &Game) -> f64 {
        self.start.unwrap_or(game.analysis)
    }
}

/// What came of one game.
struct Measured {
    game: &'static Game,
    /// Models of different seeds, or why there is none.
    models: Vec<Result<Found, String>>,
    /// The model against early payoff by equal CPU time, by equal numbers of positions, and `learned` by equal CPU time.
    cells: [Cell; 3],
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
    let (console, first, start) = (lab.console(), lab.seed(), plan.start(game));
    let mut models = Vec::new();
    for round in 0..plan.models {
        // The first is what players find: they begin with the seed of the whole.
        let seed = if round == 0 { first } else { mix(first, round) };
        let name = format!("{} model {round}", game.name);
        models.push(lab.measure(&name, || models::find(game, plan.samples, start, seed, console))?);
    }
    console.note(&format!("{}: {}", game.title, number(plan.models, "model")));
    let by_cpu = Limits { cpu: Some(plan.cpu), ..Limits::default() };
    let by_nodes = Limits { nodes: Some(plan.nodes), ..Limits::default() };
    let meet = |player: &str, budgets: &[Limits], lab: &mut Lab| -> Result<Vec<Cell>> {
        let (players, pairs) = ([player, EARLY], plan.pairs);
        let meeting = Meeting { game: game.name, players, budgets, start, start_simulations: None, pairs, opening: OPENING };
        let cells = duels::play(lab, &format!("{} {player}", game.name), &meeting, first)?;
        for cell in &cells {
            console.note(&format!(
                "{}: {player} {:.0} : {:.0} early payoff",
                game.title,
                100.0 * cell.score[0],
                100.0 * cell.score[1]
            ));
        }
        Ok(cells)
    };
    let [model, learned] = PLAYERS;
    let mut cells = meet(model, &[by_cpu, by_nodes], lab)?;
    cells.extend(meet(learned, &[by_cpu], lab)?);
    let cells = cells.try_into().expect("two budgets and one");
    Ok(Measured { game, models, cells })
}

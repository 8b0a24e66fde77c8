//! Wałędzik & Mańdziuk 2014, "An Automatically Generated Evaluation Function in General Game Playing": figures 4 to 8 and table I, how the paper's two players fare
//! against UCT, against each other and against the null heuristic, by time per move; and beside them ours against the same opponents.

mod claims;
mod players;
mod published;
mod report;

use super::{Document, Lab, Scale};
use crate::console::Console;
use crate::contest::{self, Setup};
use crate::search_args::FastEngineArgs;
use anyhow::Result;
use ludens_serve::mix;
use ludens_tournament::{Contender, Duel, GameReport, Limits, Pairing, Plan as Matches, Report, Store, wilson};
use players::{Opponent, Player, Regime};
use published::{
    CHECKERS, CHESS, CONNECT_FIVE, CONNECT_FOUR, FIGURE_MATCHES, FIGURE_TIMES, GAMES, OTHELLO, TABLE_MATCHES, TABLE_TIMES,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// How much is measured.
struct Plan {
    groups: Vec<Group>,
    /// Whether all is played in both regimes, and ours with all budgets.
    whole: bool,
    /// Several threads are so many times the CPU time.
    threads: f64,
    /// CPU seconds in which every player may prepare itself for a game.
    start_cpu: f64,
    /// How often a match is played again whose players did not get the processor.
    replays: u32,
}

/// Games that are played alike.
struct Group {
    games: &'static [usize],
    figures: Amount,
    table: Amount,
}

/// How often, and with which budgets.
#[derive(Clone)]
struct Amount {
    pairs: u32,
    budgets: Vec<Limits>,
}

/// A budget of CPU time.
fn cpu(seconds: f64) -> Limits {
    Limits { cpu: Some(seconds), ..Limits::default() }
}

impl Plan {
    fn of(scale: Scale) -> Plan {
        let alike = |games: &'static [usize], pairs: u32, budgets: Vec<Limits>| {
            let amount = Amount { pairs, budgets };
            Group { games, figures: amount.clone(), table: amount }
        };
        match scale {
            Scale::Test => {
                let counted = |count: u64| Limits { simulations: Some(count), nodes: Some(20 * count), ..Limits::default() };
                let groups = vec![alike(&[CONNECT_FOUR, CONNECT_FIVE], 1, vec![counted(4), counted(12)])];
                Plan { groups, whole: false, threads: 2.0, start_cpu: 0.02, replays: 0 }
            }
            Scale::Quick => Plan {
                groups: vec![
                    alike(&[CHESS], 2, vec![cpu(0.01), cpu(0.04)]),
                    alike(&[CHECKERS], 3, vec![cpu(0.01), cpu(0.04)]),
                    alike(&[OTHELLO], 3, vec![cpu(0.005), cpu(0.02)]),
                    alike(&[CONNECT_FOUR, CONNECT_FIVE], 5, vec![cpu(0.005), cpu(0.02)]),
                ],
                whole: false,
                threads: 4.0,
                start_cpu: 2.0,
                replays: 0,
            },
            Scale::Paper => {
                let amount = |matches: u32, times: &[f64]| Amount {
                    pairs: matches.div_ceil(2),
                    budgets: times.iter().copied().map(cpu).collect(),
                };
                let figures = amount(FIGURE_MATCHES / FIGURE_TIMES.len() as u32, &FIGURE_TIMES);
                let table = amount(TABLE_MATCHES, &TABLE_TIMES);
                let games = &[CHESS, CHECKERS, OTHELLO, CONNECT_FOUR, CONNECT_FIVE];
                Plan { groups: vec![Group { games, figures, table }], whole: true, threads: 8.0, start_cpu: 120.0, replays: 2 }
            }
        }
    }

    /// Who meets whom: the paper's players first, then ours.
    fn bouts(&self) -> Vec<Bout> {
        let mut bouts = Vec::new();
        for regime in Regime::ALL {
            for opponent in Opponent::ALL {
                let both = matches!(opponent, Opponent::Uct | Opponent::Null);
                let is_one_by_one = regime == Regime::OneByOne;
                if is_one_by_one || both || self.whole {
                    let players = match opponent {
                        Opponent::Uct => vec![Player::Guct, Player::Mtdf],
                        Opponent::Null => vec![Player::Guct],
                        Opponent::UctThreads | Opponent::Guct | Opponent::GuctThreads => vec![Player::Mtdf],
                    };
                    bouts.push(Bout { opponent, regime, players, has_all_budgets: true });
                }
                if is_one_by_one || opponent == Opponent::Uct || self.whole {
                    let players = Player::OURS.to_vec();
                    bouts.push(Bout { opponent, regime, players, has_all_budgets: self.whole });
                }
            }
        }
        bouts
    }
}

/// One opponent and all who meet it.
struct Bout {
    opponent: Opponent,
    regime: Regime,
    players: Vec<Player>,
    /// Or else the first one only.
    has_all_budgets: bool,
}

/// What came of a player against an opponent in a game with a budget.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Cell {
    opponent: Opponent,
    regime: Regime,
    player: Player,
    /// In the list of the paper's games.
    game: usize,
    budget: String,
    /// Where the budget stands on an axis.
    size: f64,
    matches: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// The sum of all matches' scores, each from 0 to 1.
    points: f64,
    /// Joint moves of a match.
    plies: f64,
    /// Simulations, or nodes where a search has none, per move: the player's, the opponent's.
    steps: [f64; 2],
    /// Spent on thinking.
    cpu: f64,
    faults: [u64; 2],
    starved: u64,
}

/// All that one contest left behind.
#[derive(Debug, Serialize, Deserialize)]
struct Round {
    cells: Vec<Cell>,
    failed: u64,
}

/// A score with its 95% interval, of so many matches.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Score {
    mean: f64,
    low: f64,
    high: f64,
    matches: u64,
}

impl Score {
    /// Of several cells as if they were one; `None` where nothing was played.
    fn of<'a>(cells: impl Iterator<Item = &'a Cell>) -> Option<Score> {
        let (points, matches) = cells.fold((0.0, 0), |(points, matches), cell| (points + cell.points, matches + cell.matches));
        (matches > 0).then(|| {
            let mean = points / matches as f64;
            let [low, high] = wilson(mean, matches as f64);
            Score { mean, low, high, matches }
        })
    }

    fn text(self) -> String {
        format!("{:.2} ({:.2}..{:.2})", self.mean, self.low, self.high)
    }
}

/// From -100 to 100, as the paper has it: a win is 1, a draw 0, a loss -1.
fn percent(score: f64) -> f64 {
    200.0 * score - 100.0
}

/// Plays everything, and says what it shows.
pub(super) fn run(lab: &mut Lab) -> Result<Document> {
    let plan = Plan::of(lab.scale());
    let (path, console, seed) = (lab.store(), lab.console(), lab.seed());
    let (mut cells, mut failed) = (Vec::new(), 0);
    let bouts = plan.bouts();
    for (place, group) in plan.groups.iter().enumerate() {
        for (number, bout) in bouts.iter().enumerate() {
            let games = group.games.iter().map(|&game| GAMES[game].title).collect::<Vec<_>>().join(", ");
            let titles = bout.players.iter().map(|player| player.title()).collect::<Vec<_>>().join(" and ");
            let what = format!("{games}: {titles} against {}, {}", bout.opponent.title(), bout.regime.key());
            console.note(&format!("{} of {}: {what}", place * bouts.len() + number + 1, plan.groups.len() * bouts.len()));
            // Other functions in every contest.
            let seed = mix(seed, number as u64);
            let round = lab.measure(&what, || play(&plan, group, bout, seed, &path, console))?;
            cells.extend(round.cells);
            failed += round.failed;
        }
    }
    Ok(report::document(&plan, &cells, failed))
}

/// One contest.
fn play(plan: &Plan, group: &Group, bout: &Bout, seed: u64, store: &Path, console: Console) -> Result<Round> {
    let amount = if bout.opponent == Opponent::Null { &group.table } else { &group.figures };
    let budgets = if bout.has_all_budgets { amount.budgets.clone() } else { amount.budgets[..1].to_vec() };
    let mut players = vec![bout.opponent.contender(bout.regime, plan.threads)?];
    for player in &bout.players {
        players.push(Contender::new(&player.spec(bout.regime))?);
    }
    let games = group.games.iter().map(|&game| GAMES[game].name.to_owned()).collect();
    let matches = Matches {
        budgets,
        pairing: Some(Pairing::Gauntlet),
        pairs: amount.pairs,
        opening: Some(2),
        seed,
        start_cpu: plan.start_cpu,
        replays: plan.replays,
        ..Matches::new(games, players)
    };
    let setup = Setup { plan: matches, engine: FastEngineArgs::LANES, store: Store::open(store)?, sprt: None };
    let outcome = contest::run(setup, console)?;
    let cells = outcome.report.duels.iter().flat_map(|duel| cells_of(&outcome.report, duel, group, bout)).collect();
    Ok(Round { cells, failed: outcome.failed.len() as u64 })
}

/// What a duel says of every game, seen from the player: in the contest the opponent is the first.
fn cells_of(report: &Report, duel: &Duel, group: &Group, bout: &Bout) -> Vec<Cell> {
    let cell = |(&game, found): (&usize, &GameReport)| {
        let steps = |player: usize| {
            let [simulations, nodes] = [found.simulations_per_cpu_second, found.nodes_per_cpu_second].map(|rates| rates[player]);
            (if simulations > 0.0 { simulations } else { nodes }) * found.cpu_seconds_per_move[player]
        };
        Some(Cell {
            opponent: bout.opponent,
            regime: bout.regime,
            player: bout.players[duel.players[1] - 1],
            game,
            budget: report.budgets[duel.budget].clone(),
            size: report.sizes[duel.budget],
            matches: found.matches,
            wins: found.losses,
            draws: found.draws,
            losses: found.wins,
            points: found.score[1]? * found.matches as f64,
            plies: found.mean_plies,
            steps: [steps(1), steps(0)],
            cpu: found.cpu_seconds_per_move.iter().sum::<f64>() * found.mean_plies / 2.0 * found.matches as f64,
            faults: [found.faults[1], found.faults[0]],
            starved: found.starved,
        })
    };
    group.games.iter().zip(&duel.games).filter_map(cell).collect()
}

#[cfg(test)]
mod tests {
    use super::published::FIGURES;
    use super::{Plan, Regime, Scale};

    #[test]
    fn everything_that_the_document_shows_is_played() {
        for scale in [Scale::Test, Scale::Quick, Scale::Paper] {
            let plan = Plan::of(scale);
            let bouts = plan.bouts();
            for figure in &FIGURES {
                let players = |regime| {
                    let own = bouts.iter().filter(move |bout| (bout.opponent, bout.regime) == (figure.opponent, regime));
                    own.flat_map(|bout| &bout.players).filter(|&&player| player == figure.player).count()
                };
                assert_eq!(players(Regime::OneByOne), 1, "{}", figure.title);
                assert!(players(Regime::Lanes) == 1 || !plan.whole, "{}", figure.title);
            }
        }
    }
}

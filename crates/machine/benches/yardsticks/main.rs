//! How fast the lanes engine is, measured with yardsticks: random playouts as a person who cares for speed codes them by
//! hand, with bitboards; one match at a time without vectors (`scalar`), and several at once.
//!
//! `cargo bench -p ludens-machine --bench yardsticks` prints a table. Without `--bench`, or with `--test`, few matches are played and only the results
//! compared.

mod breakthrough;
mod connect_four;
mod four;
mod hand;
mod othello;
mod tic_tac_toe;

use cpu_time::ProcessTime;
use hand::{Simulator, Totals, Wyrand};
use ludens_gdl::read;
use ludens_machine::{GroundLimits, Lanes, Machine, Random};
use std::path::Path;

const WIDTHS: [usize; 4] = [512, 256, 128, 64];
/// Those who play by hand.
const BY_HAND: [&str; 2] = ["scalar", "several"];
const ROUNDS: usize = 5;
const ROUND_SECONDS: f64 = 0.3;
/// Playouts of a test.
const FEW: u64 = 2_000;

/// How far the results may be apart: plies as a part of their mean, points as such.
struct Tolerance {
    plies: f64,
    points: f64,
}

const MANY_PLAYOUTS: Tolerance = Tolerance { plies: 0.02, points: 1.0 };
/// Five times the standard error of the difference, or more.
const FEW_PLAYOUTS: Tolerance = Tolerance { plies: 0.06, points: 8.0 };

struct Game {
    name: &'static str,
    machine: Machine,
    /// By hand, in the order of their names.
    by_hand: [fn(u64, &mut Wyrand) -> Totals; 2],
    /// The same with the code for any processor.
    portably: [fn(u64, &mut Wyrand) -> Totals; 2],
}

impl Game {
    fn new<One: Simulator, Several: Simulator>(name: &'static str, sheet: &str) -> Game {
        let rules = read(sheet, &ludens_gdl::Limits::default()).rules.expect("a sheet without errors");
        let machine = Machine::grounded(&rules, &GroundLimits::default()).expect("a machine");
        Game {
            name,
            machine,
            by_hand: [hand::play_scalar::<One>, hand::play::<Several>],
            portably: [hand::play_portably::<One>, hand::play_portably::<Several>],
        }
    }
}

fn main() {
    hand::check_set_bit();
    let games = [
        Game::new::<tic_tac_toe::Scalar, tic_tac_toe::TicTacToe>("tic-tac-toe", &sheet("tic_tac_toe")),
        Game::new::<connect_four::Scalar, connect_four::ConnectFour>("connect four 8x6", &eight_columns(&sheet("connect_four"))),
        Game::new::<breakthrough::Scalar, breakthrough::Breakthrough>("breakthrough", &sheet("breakthrough")),
        Game::new::<othello::Scalar, othello::Othello>("othello", &sheet("othello")),
    ];
    let is_given = |wanted: &str| std::env::args().skip(1).any(|argument| argument == wanted);
    if is_given("--bench") && !is_given("--test") {
        let header = ["game", "player", "plies", "points", "playouts/CPU s", "to scalar", "to several"];
        let [game, player, plies, points, rate, scalar, several] = header;
        println!("{game:<18}{player:<10}{plies:>9}{points:>8}{rate:>16}{scalar:>11}{several:>12}");
        games.iter().for_each(measure);
    } else {
        games.iter().for_each(test);
    }
}

/// A sheet of the library.
fn sheet(game: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    std::fs::read_to_string(path).expect("a sheet")
}

/// Connect Four with a column more than the library's, as the public sheet has it.
fn eight_columns(sheet: &str) -> String {
    let wider = sheet.replacen("(column 7)", "(column 7)\n(column 8)", 1).replacen("(right 6 7)", "(right 6 7)\n(right 7 8)", 1);
    assert!(wider.contains("(column 8)") && wider.contains("(right 7 8)"), "the sheet lists its columns");
    wider
}

/// One of those who play: by hand, or so many lanes.
struct Player<'g> {
    name: String,
    play: Box<dyn FnMut(u64) -> Totals + 'g>,
    /// Playouts of a round.
    batch: u64,
    played: u64,
    totals: Totals,
    /// Playouts per second, one of every round.
    rates: Vec<f64>,
}

impl<'g> Player<'g> {
    fn new(name: String, play: impl FnMut(u64) -> Totals + 'g) -> Player<'g> {
        Player {
            name,
            play: Box::new(play),
            batch: 4 * WIDTHS[0] as u64,
            played: 0,
            totals: Totals::default(),
            rates: Vec::new(),
        }
    }

    fn all(game: &'g Game) -> Vec<Player<'g>> {
        let mut players = Vec::new();
        for (name, play) in BY_HAND.iter().zip(game.by_hand) {
            let mut random = Wyrand::new(1);
            players.push(Player::new((*name).to_owned(), move |count| play(count, &mut random)));
        }
        for width in WIDTHS {
            let lanes = game.machine.lanes(width);
            let mut random = Random::new(1);
            let play = move |count| in_lanes(&game.machine, &lanes, count, &mut random);
            players.push(Player::new(format!("{width} lanes"), play));
        }
        players
    }

    /// Plays a batch, and answers the CPU seconds it took.
    fn play(&mut self, count: u64) -> f64 {
        let start = ProcessTime::now();
        let totals = (self.play)(count);
        let seconds = start.elapsed().as_secs_f64();
        self.played += count;
        self.totals.plies += totals.plies;
        self.totals.points[0] += totals.points[0];
        self.totals.points[1] += totals.points[1];
        seconds
    }

    /// Finds how many playouts fill a round.
    fn warm_up(&mut self) {
        let mut seconds = 0.0;
        while seconds < ROUND_SECONDS / 4.0 {
            self.batch *= 2;
            seconds = self.play(self.batch);
        }
        self.batch = (self.batch as f64 * ROUND_SECONDS / seconds) as u64;
    }

    fn round(&mut self) {
        let seconds = self.play(self.batch);
        self.rates.push(self.batch as f64 / seconds);
    }

    fn median(&self) -> f64 {
        let mut rates = self.rates.clone();
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    }

    fn mean_plies(&self) -> f64 {
        self.totals.plies as f64 / self.played as f64
    }

    /// Of both roles.
    fn mean_points(&self) -> [f64; 2] {
        self.totals.points.map(|points| points as f64 / self.played as f64)
    }

    /// Panics if somebody else's matches are longer or shorter, or are won by others.
    fn check(&self, other: &Player<'_>, game: &Game, tolerance: &Tolerance) {
        let (own, others) = (self.mean_plies(), other.mean_plies());
        let names = format!("{}, {} and {}", game.name, self.name, other.name);
        assert!((own - others).abs() <= tolerance.plies * others, "{names}: {own:.3} and {others:.3} plies");
        let (own, others) = (self.mean_points(), other.mean_points());
        let agree = own.iter().zip(others).all(|(own, other)| (own - other).abs() <= tolerance.points);
        assert!(agree, "{names}: {own:.2?} and {others:.2?} points");
    }
}

fn in_lanes(machine: &Machine, lanes: &Lanes<'_>, count: u64, random: &mut Random) -> Totals {
    let tally = lanes.playouts(machine.initial(), count, u64::MAX, random).expect("an engine that plays in lanes");
    assert_eq!((tally.finished, tally.stuck), (count, 0), "every match has an end");
    Totals { plies: tally.plies, points: [tally.points[0], tally.points[1]] }
}

fn test(game: &Game) {
    let mut players = Player::all(game);
    for (name, play) in BY_HAND.iter().zip(game.portably) {
        let mut random = Wyrand::new(2);
        players.push(Player::new(format!("{name}, portably"), move |count| play(count, &mut random)));
    }
    for player in &mut players {
        player.play(FEW);
    }
    for player in &players[1..] {
        player.check(&players[0], game, &FEW_PLAYOUTS);
    }
}

/// Measures in turns, so that what else the computer does falls on all alike.
fn measure(game: &Game) {
    let mut players = Player::all(game);
    players.iter_mut().for_each(Player::warm_up);
    for _ in 0..ROUNDS {
        players.iter_mut().for_each(Player::round);
    }
    for player in &players {
        let (rate, plies, points) = (player.median(), player.mean_plies(), player.mean_points()[0]);
        let [scalar, several] = [0, 1].map(|by_hand: usize| rate / players[by_hand].median());
        let Player { name, .. } = player;
        println!("{:<18}{name:<10}{plies:>9.3}{points:>8.2}{rate:>16.0}{scalar:>11.2}{several:>12.2}", game.name);
    }
    for player in &players[1..] {
        player.check(&players[0], game, &MANY_PLAYOUTS);
    }
}

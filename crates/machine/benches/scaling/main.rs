//! How the cost of random play grows with the network: all games of the library, then two of them by the size of the board.
//!
//! `cargo bench -p ludens-machine --bench scaling` prints two tables; `-- NAME` keeps to rows whose name contains NAME. Without `--bench`, or with
//! `--test`, small boards are played and nothing is measured.

mod sheets;

use cpu_time::ProcessTime;
use ludens_gdl::{Rules, read};
use ludens_ground::ground;
use ludens_machine::{GroundLimits, Lanes, Machine, Random};
use std::path::Path;

const WIDTH: usize = 512;
const ROUNDS: usize = 3;
const ROUND_SECONDS: f64 = 0.2;
/// Matches that go on for longer are broken off.
const MAX_PLIES: u64 = 1000;

const BREAKTHROUGH_SIZES: [usize; 8] = [6, 8, 10, 12, 14, 16, 18, 20];
const HEX_SIZES: [usize; 6] = [5, 7, 9, 11, 13, 15];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_given = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    if !is_given("--bench") || is_given("--test") {
        return test();
    }
    let filters: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let wanted = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    println!("{WIDTH} lanes; gates and inputs are those of a state, the mean of all turn phases; medians of {ROUNDS} rounds\n");
    heading();
    for name in library().iter().filter(|name| wanted(name)) {
        row(name, &sheets::library(name));
    }
    println!();
    heading();
    for (game, sizes, sheet) in [
        ("breakthrough", &BREAKTHROUGH_SIZES[..], sheets::breakthrough as fn(usize) -> String),
        ("hex", &HEX_SIZES[..], sheets::hex),
    ] {
        for &size in sizes {
            let name = format!("{game} {size}x{size}");
            if wanted(&name) {
                row(&name, &sheet(size));
            }
        }
    }
}

/// The names of all games, sorted.
fn library() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = std::fs::read_dir(folder).expect("the library");
    let mut names: Vec<String> = entries.map(|entry| entry.expect("a game").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

fn heading() {
    println!(
        "{:<28}{:>9}{:>8}{:>9}{:>9}{:>10}{:>10}{:>10}{:>13}",
        "game", "fluents", "moves", "gates", "inputs", "set-up s", "ns/state", "ns/input", "playouts/s"
    );
}

fn rules(sheet: &str) -> Rules {
    let reading = read(sheet, &ludens_gdl::Limits::default());
    reading.rules.unwrap_or_else(|| panic!("the sheet is refused: {:?}", reading.diagnostics))
}

/// Measures a game and prints its line.
fn row(name: &str, sheet: &str) {
    let start = ProcessTime::now();
    let rules = rules(sheet);
    let machine = match Machine::grounded(&rules, &GroundLimits::default()) {
        Ok(machine) => machine,
        Err(error) => {
            println!("{name:<28} {error}");
            return;
        }
    };
    let setup = start.elapsed().as_secs_f64();
    let net = ground(&rules, &GroundLimits::default()).expect("it was grounded before");
    let (gates, inputs) = size(&machine);
    let lanes = machine.lanes(WIDTH);
    let mut random = Random::new(1);
    let batch = batch(&machine, &lanes, &mut random);
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| round(&machine, &lanes, batch, &mut random)).collect();
    rounds.sort_by(|one, two| one.0.total_cmp(&two.0));
    let (per_state, rate) = rounds[ROUNDS / 2];
    let (fluents, moves) = (net.fluents.len(), net.moves.len());
    let nanoseconds = per_state * 1e9;
    println!(
        "{name:<28}{fluents:>9}{moves:>8}{gates:>9.0}{inputs:>9.0}{setup:>10.3}{nanoseconds:>10.2}{:>10.4}{rate:>13.0}",
        nanoseconds / inputs.max(1.0)
    );
}

/// Gates that are evaluated for a state, and signals that they read: the mean of the turn phases.
fn size(machine: &Machine) -> (f64, f64) {
    let sizes = machine.as_bits().expect("a network").sizes();
    let phases = &sizes[1..];
    let programs = || phases.iter().flat_map(|phase| &phase.programs);
    let mean = |sum: usize| sum as f64 / phases.len() as f64;
    (mean(programs().map(|program| program.gates).sum()), mean(programs().map(|program| program.inputs).sum()))
}

/// How many playouts fill a round.
fn batch(machine: &Machine, lanes: &Lanes<'_>, random: &mut Random) -> u64 {
    let mut batch = WIDTH as u64;
    loop {
        let start = ProcessTime::now();
        lanes.playouts(machine.initial(), batch, MAX_PLIES, random).expect("an engine that plays in lanes");
        let seconds = start.elapsed().as_secs_f64();
        if seconds > ROUND_SECONDS / 4.0 {
            return ((batch as f64 * ROUND_SECONDS / seconds) as u64).max(WIDTH as u64);
        }
        batch *= 4;
    }
}

/// CPU seconds per state, and playouts per CPU second.
fn round(machine: &Machine, lanes: &Lanes<'_>, batch: u64, random: &mut Random) -> (f64, f64) {
    let start = ProcessTime::now();
    let tally = lanes.playouts(machine.initial(), batch, MAX_PLIES, random).expect("an engine that plays in lanes");
    let seconds = start.elapsed().as_secs_f64();
    (seconds / tally.plies.max(1) as f64, batch as f64 / seconds)
}

fn test() {
    for sheet in [sheets::breakthrough(6), sheets::hex(5)] {
        let machine = Machine::grounded(&rules(&sheet), &GroundLimits::default()).expect("a machine");
        let tally = machine.lanes(WIDTH).playouts(machine.initial(), 1_000, MAX_PLIES, &mut Random::new(1));
        assert_eq!(tally.expect("an engine that plays in lanes").finished, 1_000);
        assert!(size(&machine).0 > 0.0);
    }
}

//! What it costs to score a position, beside what it costs to make one in a random match.
//!
//! `cargo bench -p ludens-score --bench cost -- [games]` finds functions by every method, scores positions of random play, as many at once as the
//! engine plays matches at once, and prints nanoseconds of CPU time per position, and how many percent of a random move that is. `one term` is what is left of
//! `learned` without all but its first term: what handing out points costs, whatever they are for. Without `--bench`, or with `--test`, it does a little of one game.

use ludens_gdl::read;
use ludens_machine::relational::Options;
use ludens_machine::{GroundLimits, Limits, Machine, Random};
use ludens_score::{Evaluator, Invented, Invention, Matches, Method};
use std::path::Path;
use std::time::Instant;

const GAMES: [&str; 6] = ["connect_four", "connect_five", "breakthrough", "othello", "checkers", "chess"];
const METHODS: [&str; 4] = ["learned", "guided", "rows", "clune"];
const ONE_TERM: &str = "one term";

/// Positions that are scored at once.
const WIDTH: usize = 512;
const MAX_PLIES: u64 = 1000;

/// How long is measured, in seconds; what is told is the best of some attempts, as others use the machine.
const ATTEMPT: f64 = 0.05;
const ATTEMPTS: usize = 10;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_given = |wanted: &str| arguments.iter().any(|argument| argument == wanted);
    let measures = is_given("--bench") && !is_given("--test");
    let named: Vec<&str> = arguments.iter().filter(|argument| !argument.starts_with('-')).map(String::as_str).collect();
    let games = if !measures {
        &GAMES[..1]
    } else if named.is_empty() {
        &GAMES[..]
    } else {
        &named[..]
    };
    println!(
        "{:<16}{:>12}  {}",
        "game",
        "random move",
        [ONE_TERM].iter().chain(&METHODS).map(|name| format!("{name:>18}")).collect::<Vec<_>>().concat()
    );
    for game in games {
        measure(game, measures);
    }
}

fn measure(game: &str, measures: bool) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(game).join("rules.kif");
    let sheet = std::fs::read_to_string(path).expect("a game of the library");
    let rules = read(&sheet, &ludens_gdl::Limits::default()).rules.expect("a valid sheet");
    let machine = Machine::fastest(&rules, &GroundLimits::default(), &Options::default(), &Limits::default()).expect("a machine");
    machine.prepare(WIDTH);
    let (attempts, start) = if measures { (ATTEMPTS, 4.0) } else { (1, 0.2) };
    let (mut random, lanes) = (Random::new(1), machine.lanes(WIDTH));
    let step = best(attempts, || lanes.playouts(machine.initial(), 2000, MAX_PLIES, &mut random).map_or(1, |tally| tally.plies));
    print!("{game:<16}{step:>9.1} ns  ");
    let tell = |invented: Option<&Invented>| {
        let told = invented.map_or_else(
            || "-".to_owned(),
            |invented| {
                let each = score(&machine, invented.evaluator.as_ref(), attempts);
                format!("{each:.2} ns {:.0}%", 100.0 * each / step)
            },
        );
        print!("{told:>18}");
    };
    for name in METHODS {
        let began = Instant::now();
        let used = || began.elapsed().as_secs_f64() / start;
        let method = Method::named(name, MAX_PLIES).expect("a method");
        let invented = method.invent(&machine, &rules, &mut Random::new(1), &used).ok();
        if name == "learned" {
            tell(invented.as_ref().map(|invented| of_one_term(&machine, invented)).as_ref());
        }
        tell(invented.as_ref());
    }
    println!();
}

/// The function without all but the first term of every role.
fn of_one_term(machine: &Machine, invented: &Invented) -> Invented {
    let mut invention = invented.invention.clone();
    if let Invention::Function(function) = &mut invention {
        function.roles.iter_mut().for_each(|account| account.terms.truncate(1));
    }
    Invented::new(machine, invented.vocabulary.clone(), invention)
}

/// Nanoseconds to score a position.
fn score(machine: &Machine, evaluator: &dyn Evaluator, attempts: usize) -> f64 {
    let mut random = Random::new(2);
    let matches = Matches::play(machine, 64, MAX_PLIES, &mut random, &|| false).expect("matches");
    let words: Vec<&[u64]> =
        matches.courses().flat_map(|course| (0..course.len()).map(move |ply| course.position(ply))).collect();
    let mut lanes = machine.lanes(WIDTH);
    let some: Vec<&[u64]> = (0..WIDTH).map(|_| words[random.below(words.len())]).collect();
    lanes.load_all(&some);
    lanes.evaluate().expect("no limit is near");
    let mut scores = vec![0.0; WIDTH * machine.roles().len()];
    best(attempts, || {
        evaluator.score(&mut lanes, WIDTH, &mut random, &mut scores).expect("no limit is near");
        std::hint::black_box(&mut scores);
        WIDTH as u64
    })
}

/// The least time per piece of work of several attempts, in nanoseconds.
fn best(attempts: usize, mut work: impl FnMut() -> u64) -> f64 {
    let attempt = |_| {
        let (began, mut done) = (Instant::now(), 0);
        while began.elapsed().as_secs_f64() < ATTEMPT {
            done += work();
        }
        1e9 * began.elapsed().as_secs_f64() / done as f64
    };
    (0..attempts).map(attempt).fold(f64::INFINITY, f64::min)
}

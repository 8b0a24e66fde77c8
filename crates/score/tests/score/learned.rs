//! Our own method.

use crate::support::{Game, library, machine, three_rounds, vocabulary, weights};
use ludens_machine::{Machine, Random};
use ludens_score::learned::{Learner, Options, find, learn};
use ludens_score::{Evaluator, Feature, Function, Link, Matches, Null, Refusal, Term, Weighed, reliability};
use std::cell::Cell;

fn few() -> Options {
    Options { matches: 600, rounds: 1, positions: 4000, ..Options::default() }
}

const SEED: u64 = 7;

fn found(machine: &Game, options: &Options) -> Result<Function, Refusal> {
    find(machine, &machine.rules, &vocabulary(machine), options, &mut Random::new(SEED), &|| 0.0)
}

fn learned(machine: &Game, options: &Options) -> (Function, Learner) {
    learn(machine, &machine.rules, &vocabulary(machine), options, &mut Random::new(SEED), &|| 0.0).expect("a function")
}

/// What all features together add where a fluent is true.
fn weight_of(machine: &Machine, function: &Function, role: usize, fluent: &str) -> f32 {
    let texts = machine.fluent_texts().expect("states of bits");
    let place = texts.iter().position(|text| text == fluent).expect("a fluent of the game");
    function.roles[role].linear(&vocabulary(machine), function.roles.len()).fluents[place]
}

#[test]
fn what_is_good_is_found_out() {
    let machine = library("checkers");
    let function = found(&machine, &few()).expect("a function");
    assert_eq!((function.method, function.link), ("learned", Link::Odds));
    let sum = |role: usize, kind: &str| -> f32 {
        let squares = [("d", 4), ("c", 5), ("e", 5), ("f", 4)];
        squares.iter().map(|(file, rank)| weight_of(&machine, &function, role, &format!("(cell {file} {rank} {kind})"))).sum()
    };
    for (role, own, other) in [(0, "black", "white"), (1, "white", "black")] {
        assert!(sum(role, &format!("{own} man")) > 0.0 && sum(role, &format!("{other} man")) < 0.0);
        assert!(sum(role, &format!("{own} king")) > sum(role, &format!("{own} man")), "kings are worth more");
    }
    let othello = library("othello");
    let function = found(&othello, &few()).expect("a function");
    let corner = weight_of(&othello, &function, 0, "(cell a 1 black)");
    assert!(corner > 0.2 && corner > 2.0 * weight_of(&othello, &function, 0, "(cell d 3 black)"), "{corner}");
}

#[test]
fn what_tells_how_far_a_match_has_come_is_found() {
    for (game, pattern, early, late) in [("checkers", "(cell ? ? ? ?)", 20.0, 8.0), ("othello", "(cell ? ? ?)", 8.0, 55.0)] {
        let machine = library(game);
        let function = found(&machine, &Options { rounds: 0, phases: true, ..few() }).expect("a function");
        assert_eq!(function.method, "phased");
        let phase = function.phase.as_ref().expect("a count that tells it");
        assert_eq!(phase.pattern.text(&vocabulary(&machine)), pattern, "{game}");
        let is_far =
            if early > late { phase.early > early && phase.late < late } else { phase.early < early && phase.late > late };
        assert!(is_far, "{game}: {phase:?}");
        assert!(function.roles[1].is_opposite(&function.roles[0]));
    }
    // A match of three rounds is over before anything is counted.
    let machine = three_rounds("(<= (goal one 100) (true (took 0 good))) (<= (goal one 0) (not (true (took 0 good))))");
    assert_eq!(found(&machine, &Options { phases: true, ..few() }).err(), Some(Refusal::NoPhase));
}

#[test]
fn weights_change_as_a_match_goes_on() {
    // One piece of twelve is taken away at a time, and a lamp is turned on or off. It earns points if it was on before the last move, so it says nothing early.
    let pieces = (1..=12).map(|piece| format!("(piece {piece}) (init (there {piece}))")).collect::<Vec<_>>().join(" ");
    let machine = machine(&format!(
        "(role one) (init (lamp off)) {pieces} (way on) (way off)
         (<= (legal one (take ?p ?w)) (true (there ?p)) (way ?w))
         (<= (next (there ?p)) (true (there ?p)) (not (taken ?p))) (<= (taken ?p) (does one (take ?p ?w)))
         (<= (next (lamp ?w)) (does one (take ?p ?w))) (<= (next (before ?w)) (true (lamp ?w)))
         (<= left (true (there ?p))) (<= terminal (not left))
         (<= (goal one 100) (true (before on))) (<= (goal one 0) (not (true (before on))))"
    ));
    let function = found(&machine, &Options { rounds: 0, each: 12, phases: true, ..few() }).expect("a function");
    assert_eq!(function.phase.as_ref().expect("a count").pattern.text(&vocabulary(&machine)), "(there ?)");
    let is_lamp = |term: &&Term| term.feature.text(&vocabulary(&machine), &machine) == "(lamp on)";
    let lamp = function.roles[0].terms.iter().find(is_lamp).expect("it counts");
    let (early, late) = (lamp.weight - lamp.drift, lamp.weight + lamp.drift);
    assert!(late > 0.3 && early < late / 2.0, "{early} early, {late} late");
}

#[test]
fn weights_that_go_by_steps_are_told_as_distances() {
    let score = |role: &str| {
        format!("(distance (score {role} ?) 2 {})", (0..=44).rev().map(|points| points.to_string()).collect::<Vec<_>>().join(" "))
    };
    let runner = |role: &str| format!("(distance (cell ? ? {role}) 2 e d c b a)");
    let pairs = [("racetrack_corridor", runner("white"), runner("black")), ("goofspiel", score("left"), score("right"))];
    for (game, near, far) in pairs {
        let machine = library(game);
        let (function, learner) = learned(&machine, &Options::default());
        let weight = |text: &str| -> Vec<f64> {
            weights(&machine, &function, text)
                .into_iter()
                .map(|weight| weight.unwrap_or_else(|| panic!("{game}: no {text}")))
                .collect()
        };
        // What is good for the first player is that the one is near, and the other far.
        let (near, far) = (weight(&near), weight(&far));
        assert!(near[0] < -0.05 && far[0] > 0.05 && near[1] > 0.05 && far[1] < -0.05, "{game}: {near:?}, {far:?}");
        assert!(
            function.roles[0].terms[..2].iter().all(|term| matches!(term.feature, Feature::Distance(_))),
            "{game}: they come first"
        );
        // It is the same sum, but for places that were not seen.
        let told = Weighed::new(&machine, &vocabulary(&machine), &function);
        let judge = |evaluator: &dyn Evaluator| {
            reliability(&machine, evaluator, 100, 1000, &mut Random::new(99), &|| false).expect("it can be judged")[0]
        };
        let (told, searched) = (judge(&told), judge(&learner.evaluator(&machine)));
        assert!((told - searched).abs() < 0.01, "{game}: {told} and {searched}");
    }
}

#[test]
fn weights_that_do_not_go_by_steps_are_not_told_as_distances() {
    // In the one a piece before the last row is worth far more than one a step behind, in the other all rows are much the same.
    for game in ["breakthrough", "checkers"] {
        let function = found(&library(game), &Options::default()).expect("a function");
        assert!(function.roles[0].terms.iter().all(|term| !matches!(term.feature, Feature::Distance(_))), "{game}");
    }
}

#[test]
fn two_who_share_the_points_think_the_opposite() {
    let function = found(&library("breakthrough"), &few()).expect("a function");
    assert!(function.roles[1].is_opposite(&function.roles[0]) && !function.roles[0].is_opposite(&function.roles[0]));
}

#[test]
fn clocks_are_not_counted() {
    let goals = "(<= (goal one 100) (true (took 0 good)) (true (took 1 good)))
                 (<= (goal one 0) (not (true (took 0 good)))) (<= (goal one 0) (not (true (took 1 good))))";
    let machine = three_rounds(goals);
    let function = found(&machine, &few()).expect("a function");
    assert_eq!(weights(&machine, &function, "(round ?)"), [None]);
    assert_eq!(weights(&machine, &function, "(round 2)"), [None]);
    assert!(weight_of(&machine, &function, 0, "(took 0 good)") > weight_of(&machine, &function, 0, "(took 0 bad)") + 0.5);
}

#[test]
fn it_predicts_matches_that_it_has_not_seen() {
    let machine = library("checkers");
    let function = found(&machine, &few()).expect("a function");
    let weighed = Weighed::new(&machine, &vocabulary(&machine), &function);
    let judge = |evaluator: &dyn Evaluator| {
        reliability(&machine, evaluator, 200, 1000, &mut Random::new(99), &|| false).expect("it can be judged")
    };
    let (own, none) = (judge(&weighed), judge(&Null::default()));
    assert!(own.iter().all(|&correlation| correlation > 0.4), "{own:?}");
    assert_eq!(none, [0.0, 0.0]);
}

#[test]
fn all_kinds_of_games_have_functions_or_reasons() {
    for game in ["eight_puzzle", "goofspiel", "pacman", "chinese_checkers_6", "rock_paper_scissors", "iterated_prisoners_dilemma"]
    {
        let machine = library(game);
        let options = Options { matches: 128, rounds: 1, positions: 500, moves: true, ..Options::default() };
        let function = found(&machine, &options);
        let roles = function.as_ref().map_or(0, |function| function.roles.len());
        assert!(roles == machine.roles().len() || matches!(function, Err(Refusal::Constant { .. })), "{game}: {function:?}");
    }
    let constant = three_rounds("(goal one 70)");
    assert_eq!(found(&constant, &few()), Err(Refusal::Constant { role: "one".to_owned(), points: 70 }));
    let machine = library("checkers");
    assert_eq!(found(&machine, &Options { max_plies: 3, ..few() }), Err(Refusal::NoEnds));
    let late = find(&machine, &machine.rules, &vocabulary(&machine), &few(), &mut Random::new(1), &|| 1.0);
    assert_eq!(late, Err(Refusal::NoTime));
}

#[test]
fn the_same_seed_gives_the_same_function() {
    let machine = library("connect_four");
    assert_eq!(found(&machine, &few()), found(&machine, &few()));
}

#[test]
fn learning_goes_on_from_a_position() {
    let machine = library("connect_four");
    // So little was seen that there is something left to learn.
    let options = Options { matches: 64, each: 2, passes: 1, rounds: 0, lines: false, ..Options::default() };
    let (function, learner) = learned(&machine, &options);
    let matches = Matches::play(&machine, 4, 1000, &mut Random::new(1), &|| false).expect("matches");
    let rows: Vec<&[u64]> = matches.courses().flat_map(|course| course.positions()).collect();
    let go_on = || {
        let (mut learner, mut random) = (learner.clone(), Random::new(3));
        let accepted = (0..8).filter(|_| {
            let before = learner.evaluator(&machine);
            let is_better = learner.go_on(&machine, machine.initial(), &mut random, None).expect("it goes on");
            let changes = apart(&machine, &rows, &before, &learner.evaluator(&machine)) > 0.0;
            assert_eq!(is_better, changes, "what is no better does not count");
            is_better
        });
        (accepted.count(), learner.function())
    };
    let (accepted, after) = go_on();
    assert!(accepted > 0);
    assert_eq!(go_on().1, after, "the same seed gives the same function");
    let judge = |function: &Function| {
        let weighed = Weighed::new(&machine, &vocabulary(&machine), function);
        reliability(&machine, &weighed, 400, 1000, &mut Random::new(99), &|| false).expect("it can be judged")[0]
    };
    let (before, after) = (judge(&function), judge(&after));
    assert!(after > before + 0.05, "{before} before, {after} after");
}

#[test]
fn without_time_nothing_is_learned_or_lost() {
    let machine = library("connect_four");
    let (_, mut learner) = learned(&machine, &few());
    let before = learner.function();
    assert!(!learner.go_on(&machine, machine.initial(), &mut Random::new(3), Some(&|| 0.5)).expect("it stops"));
    assert_eq!(learner.function(), before);
    // The clock runs out as soon as it has begun: few moves of matches, and no time to learn from them.
    let looks = Cell::new(0.0);
    let used = || looks.replace(1.0);
    assert!(!learner.go_on(&machine, machine.initial(), &mut Random::new(3), Some(&used)).expect("it stops"));
}

#[test]
fn what_looks_the_same_from_elsewhere_weighs_the_same() {
    let machine = library("breakthrough");
    let options = Options { matches: 600, rounds: 2, positions: 4000, ..Options::default() };
    let function = found(&machine, &options).expect("a function");
    let vocabulary = vocabulary(&machine);
    // The board has two halves, left and right.
    let mirrored = |fluent: &str| -> String {
        let turned = |letter: char| (b'a' + b'h' - letter as u8) as char;
        match fluent.strip_prefix("(cell ") {
            Some(rest) => format!("(cell {}{}", turned(rest.chars().next().expect("a column")), &rest[1..]),
            None => fluent.to_owned(),
        }
    };
    let sum = function.roles[0].linear(&vocabulary, 2);
    let texts = machine.fluent_texts().expect("fluents");
    for (fluent, text) in texts.iter().enumerate() {
        let image = texts.iter().position(|known| *known == mirrored(text)).expect("the board is square");
        assert!((sum.fluents[fluent] - sum.fluents[image]).abs() < 1e-4, "{text}");
    }
    let both = function.roles[0].terms.iter().filter(|term| matches!(term.feature, Feature::Balance(..)));
    assert!(both.count() > 10, "they are told together");
    for term in &function.roles[0].terms {
        let text = term.feature.text(&vocabulary, &machine);
        assert_eq!(Feature::parse(&vocabulary, &machine, &text).as_ref(), Some(&term.feature), "{text}");
    }
    let apart = found(&machine, &Options { symmetries: false, ..options }).expect("a function");
    assert!(!apart.roles[0].terms.iter().any(|term| matches!(term.feature, Feature::Balance(..))));
}

#[test]
fn kings_and_men_of_both_sides_are_told_together_in_checkers() {
    let machine = library("checkers");
    let options = Options { matches: 1000, rounds: 4, positions: 10_000, ..Options::default() };
    let function = found(&machine, &options).expect("a function");
    let weight = |text: &str| weights(&machine, &function, text)[0].expect("a term");
    let (kings, men) = ("(- (cell ? ? black king) (cell ? ? white king))", "(- (cell ? ? black man) (cell ? ? white man))");
    assert!(weight(kings) > weight(men) && weight(men) > 0.1, "{} {}", weight(kings), weight(men));
    let vocabulary = vocabulary(&machine);
    let read = Feature::parse(&vocabulary, &machine, kings).expect("a feature");
    assert_eq!(read.reading(&vocabulary, &machine), "black kings minus white kings");
    // Black's account begins with what is black's.
    for term in &function.roles[0].terms {
        let reading = term.feature.reading(&vocabulary, &machine);
        let turned = |(more, less): (&str, &str)| more.contains("white") && less.contains("black");
        assert!(!reading.split_once(" minus ").is_some_and(turned), "{reading}");
    }
    // What is said of both colours, or of one by itself, is no term any more.
    let whole = |term: &Term| matches!(&term.feature, Feature::Count(pattern) if pattern.symbols.iter().all(Option::is_none));
    assert!(!function.roles[0].terms.iter().any(whole));
}

/// So few that all their positions are looked at when functions are told.
const MATCHES: usize = 24;

/// How far two evaluators are apart in some positions at most, in points.
fn apart(machine: &Game, rows: &[&[u64]], one: &dyn Evaluator, two: &dyn Evaluator) -> f32 {
    const AT_ONCE: usize = 64;
    let mut lanes = machine.lanes(AT_ONCE);
    let mut most = 0.0_f32;
    for group in rows.chunks(AT_ONCE) {
        lanes.load_all(group);
        lanes.evaluate().expect("no limit is near");
        let [mut first, mut second] = [(); 2].map(|()| vec![0.0; group.len() * machine.roles().len()]);
        one.score(&mut lanes, group.len(), &mut Random::new(1), &mut first).expect("scores");
        two.score(&mut lanes, group.len(), &mut Random::new(1), &mut second).expect("scores");
        most = first.iter().zip(&second).map(|(one, two)| (one - two).abs()).fold(most, f32::max);
    }
    most
}

/// Who takes what is good in all rounds but one has won; some more is always taken, and whether anything is known of a round is always true.
fn rounds_and_more() -> Game {
    three_rounds(
        "(<= (two ?n ?m) (true (took ?n good)) (true (took ?m good)) (succ ?n ?x) (succ ?m ?y) (distinct ?n ?m))
         (<= won (two ?n ?m)) (<= (goal one 100) won) (<= (goal one 0) (not won))
         (<= (known ?n ?k) (succ ?n ?m) (kind ?k)  (true (took 7 ?good)))
         (base (took 7 good)) (base (took 8 good)) (base (took 9 good)) (base (took 7 bad))
         (init (took 7 good)) (init (took 8 good)) (init (took 9 good)) (init (took 7 bad))",
    )
}

#[test]
fn what_is_told_is_what_was_learned() {
    let games = ["checkers", "goofspiel", "racetrack_corridor", "othello", "connect_four", "chinese_checkers_3"];
    for (machine, name) in games.map(library).into_iter().zip(games).chain([(rounds_and_more(), "rounds")]) {
        let matches = Matches::play(&machine, MATCHES, few().max_plies, &mut Random::new(SEED), &|| false).expect("matches");
        let mut courses: Vec<Vec<&[u64]>> = matches.courses().map(|course| course.positions()).collect();
        // Nobody asks what ends are worth.
        for positions in &mut courses {
            positions.pop();
        }
        let (all, start) = (courses.concat(), vec![machine.initial().words()]);
        // All positions of these matches, and no others; and after play against itself, where symmetries of players may count, the first.
        let random = Options { matches: MATCHES, each: 1000, rounds: 0, ..few() };
        let played = Options { rounds: 3, ..few() };
        for (options, rows) in [(random, &all), (played, &start)].into_iter().take(if name == "rounds" { 1 } else { 2 }) {
            for options in [options, Options { phases: true, ..options }, Options { derived: true, ..options }] {
                let found = learn(&machine, &machine.rules, &vocabulary(&machine), &options, &mut Random::new(SEED), &|| 0.0);
                let Ok((function, learner)) = found else { continue };
                let told = Weighed::new(&machine, &vocabulary(&machine), &function);
                let apart = apart(&machine, rows, &told, &learner.evaluator(&machine));
                assert!(apart < 1.0, "{name}, {}: {apart} points apart", function.method);
            }
        }
    }
}

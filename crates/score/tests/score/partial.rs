//! Partial solutions, and models of games of lines.

use crate::support::{Game, library, library_rules, machine, vocabulary};
use ludens_machine::{Machine, Random};
use ludens_score::clune::{Model, Options, find};
use ludens_score::{Account, Evaluator, Feature, Linear, Matches};
use std::fmt::Write;

/// Lamps in a row are switched on by one role for four turns; what is given is the rules of `won`.
fn lamps(count: usize, rules: &str) -> Game {
    let mut sheet = String::from(
        "(role one) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (base (round 0))
         (<= (base (on ?l)) (lamp ?l)) (<= (base (round ?n)) (succ ?m ?n)) (<= (input one ?l) (lamp ?l)) (<= (legal one ?l) (lamp ?l))
         (<= (next (on ?l)) (does one ?l)) (<= (next (on ?l)) (true (on ?l))) (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
         (<= terminal (true (round 4))) (<= (goal one 100) won) (<= (goal one 0) (not won))",
    );
    for lamp in 0..count {
        let _ = write!(sheet, "(lamp l{lamp})");
    }
    machine(&format!("{sheet} {rules}"))
}

/// That so many lamps, from one on, are on.
fn row(first: usize, count: usize) -> String {
    (first..first + count).fold(String::new(), |text, lamp| format!("{text} (true (on l{lamp}))"))
}

fn parse(machine: &Machine, text: &str) -> Option<Feature> {
    Feature::parse(&vocabulary(machine), machine, text)
}

/// The value of a feature where these fluents are true.
fn value(machine: &Machine, text: &str, fluents: &[&str]) -> f64 {
    let vocabulary = vocabulary(machine);
    let mut sum = Linear::constant(&vocabulary, machine.roles().len(), 0.0);
    sum.add(&vocabulary, &parse(machine, text).expect("a feature"), 1.0);
    f64::from(sum.of_words(machine.state_of(fluents.iter().copied()).expect("a state").words()))
}

fn model(game: &str, samples: usize) -> Model {
    let (machine, rules) = (library(game), library_rules(game));
    let options = Options { samples, ..Options::default() };
    find(&machine, &rules, &vocabulary(&machine), &options, &mut Random::new(1), &|| false).expect("a model")
}

/// The weight of a lead of one role over the other, whichever way round it is written.
fn lead(machine: &Machine, account: &Account, [one, two]: [&str; 2]) -> f64 {
    let weight = |one: &str, two: &str| {
        let wanted = parse(machine, &format!("(- (partial (goal {one} 100)) (partial (goal {two} 100)))"));
        account.terms.iter().filter(|term| Some(&term.feature) == wanted.as_ref()).map(|term| term.weight).sum::<f64>()
    };
    weight(one, two) - weight(two, one)
}

#[test]
fn two_of_three_in_a_row_are_two_thirds() {
    let rules = format!("(<= won {}) (<= won {})", row(0, 3), row(2, 4));
    let machine = lamps(7, &rules);
    let share = |fluents: &[&str]| value(&machine, "(partial (goal one 100))", fluents);
    for (fluents, expected) in [
        (&["(round 0)"][..], 0.0),
        (&["(on l6)"], 0.0),
        (&["(on l0)", "(on l2)"], 2.0 / 3.0),
        (&["(on l0)", "(on l2)", "(on l3)", "(on l5)"], 0.75),
        (&["(on l0)", "(on l1)", "(on l2)"], 1.0),
    ] {
        assert!((share(fluents) - expected).abs() < 1e-6, "{fluents:?} have {}", share(fluents));
    }
}

#[test]
fn what_must_be_false_does_not_count() {
    let rules = format!("(<= won {} (not (true (on l4))) (not (true (on l5))))", row(0, 3));
    let machine = lamps(6, &rules);
    let share = |fluents: &[&str]| value(&machine, "(partial (goal one 100))", fluents);
    assert!(share(&["(round 0)"]).abs() < 1e-6);
    assert!((share(&["(on l1)", "(on l4)"]) - 1.0 / 3.0).abs() < 1e-6);
}

#[test]
fn short_and_very_long_conjunctions_are_left_out() {
    for (count, is_there) in [(2, false), (3, true), (63, true), (64, false)] {
        let machine = lamps(64, &format!("(<= won {})", row(0, count)));
        assert_eq!(parse(&machine, "(partial (goal one 100))").is_some(), is_there, "{count} lamps");
    }
}

#[test]
fn expressions_are_written_and_read() {
    let machine = library("connect_four");
    let vocabulary = vocabulary(&machine);
    for (text, conjunctions, reading) in [
        ("(partial (goal red 100))", 69, "largest share of a line of red that stands"),
        // Another purpose that comes to the same.
        ("(partial (goal red 0))", 69, "largest share of what is 0 points for red that stands"),
        ("(partial terminal)", 138, "largest share of what ends the match that stands"),
    ] {
        let feature = parse(&machine, text).expect("a feature");
        assert_eq!(feature.text(&vocabulary, &machine), text);
        assert_eq!(feature.reading(&vocabulary, &machine), reading);
        let Feature::Partial(partial) = &feature else { panic!("{text}") };
        assert_eq!(partial.conjunctions.len(), conjunctions, "{text}");
        assert!(partial.conjunctions.iter().all(|conjunction| conjunction.fluents().len() == 4), "{text}");
    }
    let text = "(- (partial (goal red 100)) (partial (goal yellow 100)))";
    let feature = parse(&machine, text).expect("a feature");
    assert!(matches!(feature, Feature::Lead(..)));
    assert_eq!(feature.text(&vocabulary, &machine), text);
    let both = "largest share of a line of red that stands, minus largest share of a line of yellow that stands";
    assert_eq!(feature.reading(&vocabulary, &machine), both);
    let apart = value(&machine, text, &["(cell 1 1 red)", "(cell 3 1 red)", "(cell 4 4 yellow)"]);
    assert!((apart - 0.25).abs() < 1e-6, "{apart}");
    for wrong in ["(partial (goal red 99))", "(partial (goal red 50))", "(partial)", "(partial (cell 1 1 red))", "(partial red)"]
    {
        assert_eq!(parse(&machine, wrong), None, "{wrong}");
    }
}

#[test]
fn games_of_lines_have_models_that_want_own_lines() {
    for (game, roles) in [("tic_tac_toe", ["x", "o"]), ("connect_four", ["red", "yellow"]), ("connect_five", ["x", "o"])] {
        let (machine, model) = (library(game), model(game, 200));
        let vocabulary = vocabulary(&machine);
        let text = model.text(&machine, &vocabulary);
        let [one, two] = &model.roles[..] else { panic!("two roles") };
        assert!(lead(&machine, &one.payoff, roles) > 10.0, "{game}: {text}");
        assert!(lead(&machine, &two.payoff, roles) < -10.0, "{game}: {text}");
        assert!((one.payoff.constant - 50.0).abs() < 1e-9, "{game}: nobody is ahead at the start: {text}");
        for aspects in &model.roles {
            for term in [&aspects.payoff, &aspects.control, &aspects.termination].into_iter().flat_map(|part| &part.terms) {
                let text = term.feature.text(&vocabulary, &machine);
                assert_eq!(parse(&machine, &text).as_ref(), Some(&term.feature), "{game}: {text}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_lines() {
    assert_eq!(model("tic_tac_toe", 100), model("tic_tac_toe", 100));
}

#[test]
fn many_lanes_get_what_single_ones_get() {
    let (machine, model) = (library("connect_four"), model("connect_four", 50));
    let vocabulary = vocabulary(&machine);
    let evaluator = model.evaluator(&machine, &vocabulary);
    let matches = Matches::play(&machine, 40, 1000, &mut Random::new(2), &|| false).expect("matches");
    let states: Vec<&[u64]> =
        matches.courses().flat_map(|course| (0..course.len() - 1).map(move |ply| course.position(ply))).collect();
    for count in [1, 60, 64, 100, 300, 500] {
        let mut lanes = machine.lanes(512);
        let states = &states[..count];
        lanes.load_all(states);
        lanes.evaluate_ends().expect("it can be evaluated");
        let mut scores = vec![0.0; count * 2];
        evaluator.score(&mut lanes, count, &mut Random::new(1), &mut scores).expect("scores");
        for (state, scores) in states.iter().zip(scores.chunks_exact(2)) {
            for (aspects, score) in model.roles.iter().zip(scores) {
                let sum = |account: &Account| f64::from(account.linear(&vocabulary, 2).of_words(state));
                let alone = aspects.value(sum(&aspects.payoff), sum(&aspects.control), sum(&aspects.termination));
                assert!((alone - f64::from(*score)).abs() < 0.01, "{alone} and {score}");
            }
        }
    }
}

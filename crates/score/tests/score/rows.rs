//! The method of the Heuristic Player, on games of the library.

use crate::support::{library, machine, three_rounds, weights};
use ludens_machine::{Machine, Random};
use ludens_score::rows::{Options, find};
use ludens_score::{Feature, Function, Link, Matches, Refusal, Vocabulary};

fn found(machine: &Machine, options: &Options) -> Result<Function, Refusal> {
    let vocabulary = Vocabulary::of(machine).expect("states of bits");
    find(machine, &vocabulary, options, &mut Random::new(7), &|| false)
}

fn few() -> Options {
    Options { simulations: 300, single: false, ..Options::default() }
}

#[test]
fn pieces_are_good_for_their_owner_and_bad_for_the_other() {
    let machine = library("checkers");
    let function = found(&machine, &few()).expect("a function");
    for (own, other, text) in [(0, 1, "(cell ? ? black ?)"), (1, 0, "(cell ? ? white ?)")] {
        let weights = weights(&machine, &function, text);
        assert!(weights[own].is_some_and(|weight| weight > 0.0), "{text}: {weights:?}");
        assert!(weights[other].is_some_and(|weight| weight < 0.0), "{text}: {weights:?}");
    }
}

#[test]
fn sampled_positions_are_well_inside_the_points() {
    let machine = library("breakthrough");
    let vocabulary = Vocabulary::of(&machine).expect("states of bits");
    let function = found(&machine, &few()).expect("a function");
    assert_eq!((function.method, function.link), ("rows", Link::Points));
    let matches = Matches::play(&machine, 200, 1000, &mut Random::new(99), &|| false).expect("matches");
    for account in &function.roles {
        let sum = account.linear(&vocabulary, 2);
        let positions = matches.courses().flat_map(|course| (0..course.len() - 1).map(move |ply| course.position(ply)));
        let values: Vec<f32> = positions.map(|position| sum.of_words(position)).collect();
        assert!(values.iter().all(|value| (5.0..95.0).contains(value)), "{values:?}");
        let mean = values.iter().sum::<f32>() / values.len() as f32;
        assert!((40.0..60.0).contains(&mean), "{mean}");
        assert!(account.terms.iter().all(|term| term.error.is_finite() && term.error >= 0.0 && term.spread >= 0.0));
    }
}

#[test]
fn what_nobody_has_an_effect_on_is_not_counted() {
    let goals = "(<= (goal one 100) (true (took 0 good)) (true (took 1 good)))
                 (<= (goal one 0) (not (true (took 0 good)))) (<= (goal one 0) (not (true (took 1 good))))";
    let machine = three_rounds(goals);
    let function = found(&machine, &few()).expect("a function");
    assert_eq!(weights(&machine, &function, "(round ?)"), [None]);
    assert_eq!(weights(&machine, &function, "(round 2)"), [None]);
    assert_eq!(weights(&machine, &function, "(took ? ?)"), [None]);
    assert!(weights(&machine, &function, "(took ? good)")[0].is_some_and(|weight| weight > 0.0));
    assert!(weights(&machine, &function, "(took ? bad)")[0].is_some_and(|weight| weight < 0.0));
    assert!(weights(&machine, &function, "(rows good)")[0].is_some_and(|weight| weight > 0.0));
    assert!(weights(&machine, &function, "(rows bad)")[0].is_some_and(|weight| weight < 0.0));
}

#[test]
fn single_rows_have_weights_of_their_own() {
    let goals = "(<= (goal one 100) (true (took 0 good))) (<= (goal one 0) (true (took 0 bad)))";
    let machine = three_rounds(goals);
    let function = found(&machine, &Options { single: true, ..few() }).expect("a function");
    assert!(function.roles[0].terms.iter().all(|term| matches!(term.feature, Feature::Count(_))));
    assert!(weights(&machine, &function, "(took 0 good)")[0].is_some_and(|weight| weight > 0.0));
    assert!(weights(&machine, &function, "(took 0 bad)")[0].is_some_and(|weight| weight < 0.0));
}

#[test]
fn constant_goals_are_refused() {
    let machine = three_rounds("(goal one 70)");
    assert_eq!(found(&machine, &few()), Err(Refusal::Constant { role: "one".to_owned(), points: 70 }));
}

#[test]
fn no_time_is_refused() {
    let machine = three_rounds("(goal one 70)");
    let vocabulary = Vocabulary::of(&machine).expect("states of bits");
    assert_eq!(find(&machine, &vocabulary, &few(), &mut Random::new(7), &|| true), Err(Refusal::NoTime));
}

#[test]
fn matches_without_an_end_are_refused() {
    assert_eq!(found(&library("checkers"), &Options { max_plies: 3, ..few() }), Err(Refusal::NoEnds));
}

#[test]
fn where_nobody_ever_loses_matches_are_told_apart_at_the_mean() {
    let goals = "(<= (goal one 100) (true (took 0 good))) (<= (goal one 50) (true (took 0 bad)))
                 (<= (goal one 0) (true (took 0 good)) (true (took 0 bad)))";
    let machine = three_rounds(goals);
    assert_eq!(machine.range(ludens_machine::RoleId(0)), (0, 100));
    let without = found(&machine, &Options { ties: false, ..few() });
    assert_eq!(without, Err(Refusal::NoFeatures { role: "one".to_owned() }));
    let function = found(&machine, &few()).expect("a function");
    assert!(weights(&machine, &function, "(took ? good)")[0].is_some_and(|weight| weight > 0.0));
}

#[test]
fn more_than_one_match_is_looked_at_where_matches_are_short() {
    let machine = library("bomberman");
    let symbols = |options: &Options| {
        let function = found(&machine, options).expect("a function");
        let terms = function.roles.into_iter().flat_map(|account| account.terms);
        let mut symbols: Vec<Feature> = terms.map(|term| term.feature).collect();
        symbols.retain(|feature| matches!(feature, Feature::Symbol(_)));
        symbols.sort();
        symbols.dedup();
        symbols.len()
    };
    assert!(symbols(&few()) > symbols(&Options { short: false, ..few() }));
}

#[test]
fn any_number_of_roles_and_any_turns_will_do() {
    let games = ["peg_solitaire", "goofspiel", "farmers", "tron", "chinese_checkers_3", "iterated_prisoners_dilemma"];
    for game in games {
        let machine = library(game);
        for single in [false, true] {
            let result = found(&machine, &Options { single, ..few() });
            assert!(result.as_ref().is_ok_and(|function| function.roles.len() == machine.roles().len()), "{game}: {result:?}");
        }
    }
}

#[test]
fn where_nothing_comes_or_goes_only_single_rows_differ() {
    let machine = library("eight_puzzle");
    assert_eq!(found(&machine, &few()), Err(Refusal::NoFeatures { role: "solver".to_owned() }));
    assert!(found(&machine, &Options { single: true, ..few() }).is_ok());
}

#[test]
fn the_same_seed_gives_the_same_function() {
    for game in ["breakthrough", "goofspiel"] {
        let machine = library(game);
        assert_eq!(found(&machine, &few()), found(&machine, &few()), "{game}");
    }
}

#[test]
fn every_feature_is_read_as_it_is_written() {
    for game in ["checkers", "goofspiel", "tic_tac_toe"] {
        let machine = library(game);
        let vocabulary = Vocabulary::of(&machine).expect("states of bits");
        let function = found(&machine, &Options { simulations: 130, ..few() }).expect("a function");
        for term in function.roles.iter().flat_map(|account| &account.terms) {
            let text = term.feature.text(&vocabulary, &machine);
            assert_eq!(Feature::parse(&vocabulary, &machine, &text).as_ref(), Some(&term.feature), "{game}: {text}");
        }
    }
}

#[test]
fn words_of_ours_are_told_from_tables_of_the_game() {
    let machine = machine(
        "(role rows) (init (rows rows)) (init (moves rows)) (init (- rows rows)) (<= (next (rows ?x)) (true (rows ?x)))
         (<= (next (moves ?x)) (true (moves ?x))) (<= (next (- ?x ?y)) (true (- ?x ?y)))
         (base (rows rows)) (base (moves rows)) (base (- rows rows)) (input rows wait)
         (legal rows wait) (goal rows 50) (<= terminal (true (rows rows)))",
    );
    let vocabulary = Vocabulary::of(&machine).expect("states of bits");
    let read = |text: &str| Feature::parse(&vocabulary, &machine, text);
    let written = ["(?rows rows)", "(rows rows)", "(?moves rows)", "(moves rows)", "(?- (rows ?) (moves ?))", "(- ? rows)"];
    for text in written {
        assert_eq!(read(text).map(|feature| feature.text(&vocabulary, &machine)).as_deref(), Some(text));
    }
    assert!(matches!(read("(?rows rows)"), Some(Feature::Symbol(_))));
    assert!(matches!(read("(rows rows)"), Some(Feature::Count(_))));
    let shares = read("(?rows rows)").map(|feature| feature.shares(&vocabulary).len());
    assert_eq!(shares, Some(3), "every row once");
}

//! Lines that earn points.

use crate::support::{Game, library, machine, vocabulary, weights};
use ludens_machine::{Machine, Random};
use ludens_score::learned::{Options, find};
use ludens_score::{Evaluator, Feature, Function, Lines, Live, Matches, Purpose, Weighed};

/// Purpose, length and number of all lines.
fn families(machine: &Machine) -> Vec<(String, usize, usize)> {
    let name = |purpose: &Purpose| match purpose {
        Purpose::Goal { role, value } => format!("{} {value}", machine.role_name(*role)),
        Purpose::End => "end".to_owned(),
    };
    let mut found: Vec<_> =
        vocabulary(machine).families().iter().map(|family| (name(&family.purpose), family.size, family.lines.len())).collect();
    found.sort();
    found
}

fn learned(machine: &Game) -> Function {
    let options = Options { matches: 600, rounds: 4, positions: 10_000, ..Options::default() };
    find(machine, &machine.rules, &vocabulary(machine), &options, &mut Random::new(7), &|| 0.0).expect("a function")
}

fn line(role: &str, size: usize, count: usize) -> (String, usize, usize) {
    (format!("{role} 100"), size, count)
}

#[test]
fn lines_of_both_players_are_found_in_the_rules() {
    assert_eq!(families(&library("tic_tac_toe")), [line("o", 3, 8), line("x", 3, 8)]);
    assert_eq!(families(&library("connect_four")), [line("red", 4, 69), line("yellow", 4, 69)]);
    assert_eq!(families(&library("connect_five")), [line("o", 5, 96), line("x", 5, 96)]);
    for game in ["breakthrough", "othello", "checkers"] {
        assert_eq!(families(&library(game)), [], "{game} has no lines");
    }
}

#[test]
fn what_blocks_is_seen_in_play_and_written_into_the_expression() {
    let machine = library("connect_four");
    let (function, vocabulary) = (learned(&machine), vocabulary(&machine));
    let own = weights(&machine, &function, "(lines 3 4 (goal red 100) (cell ? ? yellow))");
    assert!(own[0].is_some_and(|weight| weight > 0.1) && own[1].is_some_and(|weight| weight < -0.1), "{own:?}");
    let mut lines = 0;
    for term in &function.roles[0].terms {
        let text = term.feature.text(&vocabulary, &machine);
        assert_eq!(Feature::parse(&vocabulary, &machine, &text).as_ref(), Some(&term.feature), "{text}");
        if let Feature::Lines(counted) = &term.feature {
            lines += 1;
            let other = if text.contains("(goal red 100)") { "(cell ? ? yellow)" } else { "(cell ? ? red)" };
            assert!(text.ends_with(&format!("{other})")) && counted.blockers.len() == 1, "{text}");
        }
    }
    assert!(lines >= 6, "{lines}");
    let text = "(lines 3 4 (goal red 100) (lacking (cell ? 3 ?)) (cell ? ? yellow))";
    let feature = Feature::parse(&vocabulary, &machine, text).expect("a feature");
    assert_eq!(feature.text(&vocabulary, &machine), text);
    assert_eq!(feature.reading(&vocabulary, &machine), "red lines of 4 with 3 filled and not blocked, (cell ? 3 ?) missing");
    let feature = Feature::parse(&vocabulary, &machine, "(lines 3 4 (goal red 100) (cell ? ? yellow))").expect("a feature");
    assert_eq!(feature.reading(&vocabulary, &machine), "red lines of 4 with 3 filled and not blocked");
    for wrong in [
        "(lines 3 5 (goal red 100))",
        "(lines 3 4 (goal red 99))",
        "(lines 3 4)",
        "(lines 2 4 (goal red 100) (lacking (cell ? 3 ?)))",
        "(lines 3 4 (goal red 100) (cell ?))",
        "(lines 3 4 (goal red 100) ())",
        "(lines 0 4 (goal red 100))",
        "(lines 4 4 (goal red 100))",
        "(lines 11 4 (goal red 100))",
    ] {
        assert_eq!(Feature::parse(&vocabulary, &machine, wrong), None, "{wrong}");
    }
}

#[test]
fn live_lines_are_counted() {
    let machine = library("tic_tac_toe");
    let vocabulary = vocabulary(&machine);
    let count = |filled: usize, fluents: &[&str]| {
        let feature = Feature::parse(&vocabulary, &machine, "(lines 1 3 (goal x 100) (cell ? ? o))").expect("a feature");
        let Feature::Lines(lines) = feature else { panic!("{feature:?}") };
        let wanted = Lines { filled, ..lines.clone() }.wanted(&vocabulary);
        let state = machine.state_of(fluents.iter().copied()).expect("a state");
        Live::new(&vocabulary, lines.family, lines.blockers).count(state.words(), &wanted)
    };
    assert_eq!(count(1, &["(cell 2 2 x)"]), 4);
    assert_eq!(count(1, &["(cell 2 2 x)", "(cell 1 1 o)"]), 3);
    assert_eq!(count(2, &["(cell 2 2 x)", "(cell 1 3 x)"]), 1);
    assert_eq!(count(2, &["(cell 2 2 x)", "(cell 1 3 x)", "(cell 3 1 o)"]), 0);
}

#[test]
fn many_lanes_get_what_single_ones_get() {
    let machine = library("connect_five");
    let vocabulary = vocabulary(&machine);
    let function = learned(&machine);
    assert!(function.roles[0].terms.iter().any(|term| matches!(term.feature, Feature::Lines(_))));
    let weighed = Weighed::new(&machine, &vocabulary, &function);
    let sums: Vec<_> = function.roles.iter().map(|account| account.linear(&vocabulary, 2)).collect();
    let matches = Matches::play(&machine, 20, 1000, &mut Random::new(2), &|| false).expect("matches");
    let states: Vec<&[u64]> =
        matches.courses().flat_map(|course| (0..course.len() - 1).map(move |ply| course.position(ply))).collect();
    for count in [1, 60, 64, 100, 300, 500] {
        let mut lanes = machine.lanes(512);
        let states = &states[..count];
        lanes.load_all(states);
        lanes.evaluate_ends().expect("it can be evaluated");
        let mut scores = vec![0.0; count * 2];
        weighed.score(&mut lanes, count, &mut Random::new(1), &mut scores).expect("scores");
        for (state, scores) in states.iter().zip(scores.chunks_exact(2)) {
            for (sum, score) in sums.iter().zip(scores) {
                // Searches round the weights.
                assert!((function.link.points(sum.of_words(state)) - score).abs() < 0.05);
            }
        }
    }
}

#[test]
fn lines_that_say_nothing_are_left_out() {
    // Three lamps together end the match, which says nothing of the points: those are for the first move.
    let machine = machine(
        "(role one) (lamp a) (lamp b) (lamp c) (lamp d) (init (round 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (base (on ?l)) (lamp ?l)) (<= (base (first ?l)) (lamp ?l)) (<= (base (round ?n)) (succ ?m ?n)) (base (round 0))
         (<= (input one ?l) (lamp ?l)) (<= (legal one ?l) (lamp ?l))
         (<= (next (on ?l)) (does one ?l)) (<= (next (on ?l)) (true (on ?l)))
         (<= (next (round ?n)) (true (round ?m)) (succ ?m ?n))
         (<= (next (first ?l)) (does one ?l) (true (round 0))) (<= (next (first ?l)) (true (first ?l)))
         (<= terminal (true (round 4)))
         (<= terminal (true (on a)) (true (on b)) (true (on c))) (<= terminal (true (on b)) (true (on c)) (true (on d)))
         (<= (goal one 100) (true (first a))) (<= (goal one 0) (not (true (first a))))",
    );
    assert_eq!(families(&machine), [("end".to_owned(), 3, 2)]);
    let function = learned(&machine);
    assert!(!function.roles[0].terms.iter().any(|term| matches!(term.feature, Feature::Lines(_))));
}

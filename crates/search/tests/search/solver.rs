//! The solver of the tests, tested itself: games of which the result is known, and the random games.

use crate::support::{Limited, Shape, Solver, endgame, paranoid, random_game, relational, shape, sheet, solve};
use ludens_machine::{RoleId, State};
use ludens_search::Bounds;

/// The number of states of a sheet, and how it is solved.
fn explored(text: &str, sum: Option<u8>) -> (usize, Vec<Bounds>) {
    let machine = relational(text);
    let mut solver = Solver::new(&machine, sum, 5000);
    let bounds = solver.solve(machine.initial()).unwrap_or_else(|Limited| panic!("too large, or it does not end:\n{text}"));
    (solver.states(), bounds)
}

#[test]
fn tic_tac_toe_is_a_draw() {
    let machine = relational(&sheet("tic_tac_toe"));
    let mut solver = Solver::new(&machine, Some(100), 20_000);
    assert_eq!(solver.solve(machine.initial()), Ok(vec![Bounds::exact(50); 2]));
    // Positions that random play can reach: published many times over.
    assert_eq!(solver.states(), 5478);
    assert!(machine.roles().all(|role| paranoid(&machine, machine.initial(), role, 20_000) == Some(50)));
    let moves = solver.moves(machine.initial(), RoleId(0)).expect("solved");
    assert_eq!(moves.len(), 9);
    assert!(moves.iter().all(|&(_, bounds)| bounds == Bounds::exact(50)));
}

#[test]
fn nim_is_won_by_who_leaves_a_nim_sum_of_zero() {
    let machine = relational(&sheet("nim"));
    let mut solver = Solver::new(&machine, Some(100), 20_000);
    for heaps in (0..4 * 5 * 6).map(|number| [number % 4, number / 4 % 5, number / 20]) {
        let [a, b, c] = heaps;
        let fluents = [format!("(heap a {a})"), format!("(heap b {b})"), format!("(heap c {c})"), "(control first)".to_owned()];
        let state = machine.state_of(fluents.iter().map(String::as_str)).expect("a state");
        let first = if a ^ b ^ c == 0 { 0 } else { 100 };
        assert_eq!(solver.solve(&state), Ok(vec![Bounds::exact(first), Bounds::exact(100 - first)]), "{heaps:?}");
        assert_eq!(solver.paranoid(&state, RoleId(1)), Ok(100 - first), "{heaps:?}");
    }
}

#[test]
fn rock_paper_scissors_stays_open() {
    let text = "(role a) (role b) (init start) (beats r s) (beats s p) (beats p r)
        (<= (legal ?x ?m) (role ?x) (beats ?m ?n) (true start))
        (<= (next (won a)) (does a ?m) (does b ?n) (beats ?m ?n)) (<= (next (won b)) (does a ?n) (does b ?m) (beats ?m ?n))
        (<= (next even) (does a ?m) (does b ?m)) (<= terminal (not (true start)))
        (<= (goal ?x 100) (role ?x) (true (won ?x))) (<= (goal ?x 50) (role ?x) (true even))
        (<= (goal ?x 0) (role ?x) (true (won ?y)) (distinct ?x ?y))";
    assert_eq!(explored(text, Some(100)), (4, vec![Bounds { low: 0, high: 100 }; 2]));
    let machine = relational(text);
    assert_eq!(paranoid(&machine, machine.initial(), RoleId(0), 10), Some(0));
}

#[test]
fn a_mover_who_does_not_care_leaves_the_others_in_doubt() {
    let text = "(role a) (role b) (init (at s)) (to l 20) (to r 70) (legal b wait)
        (<= (legal a ?x) (to ?x ?p)) (<= (next (at ?x)) (does a ?x)) (<= terminal (not (true (at s))))
        (<= (goal a 50) (true (at ?x))) (<= (goal b ?p) (true (at ?x)) (to ?x ?p))";
    assert_eq!(explored(text, None).1, [Bounds::exact(50), Bounds { low: 20, high: 70 }]);
}

#[test]
fn games_that_do_not_end_are_not_solved() {
    let text = "(role a) (init (at x)) (other x y) (other y x) (legal a go) (legal a end)
        (<= (next (at ?y)) (true (at ?x)) (does a go) (other ?x ?y)) (<= (next over) (does a end)) (<= terminal (true over))
        (<= (goal a 10) (true over))";
    let machine = relational(text);
    assert_eq!(solve(&machine, machine.initial(), None, 1000), None);
}

#[test]
fn random_games_are_valid_small_and_of_all_kinds() {
    let mut kinds: Vec<Shape> = Vec::new();
    let mut open = 0;
    let mut states = 0;
    for seed in 0..150 {
        let shape = shape(seed);
        let text = random_game(&shape, seed);
        assert_eq!(text, random_game(&shape, seed), "the same seed gives the same game");
        let sum = shape.constant_sum.then_some(100);
        let (count, bounds) = explored(&text, sum);
        states += count;
        assert!(bounds.iter().all(|bounds| bounds.low <= bounds.high), "{bounds:?}");
        if bounds.iter().any(|bounds| bounds.proven().is_none()) {
            open += 1;
        }
        if shape.roles == 1 {
            let machine = relational(&text);
            let value = paranoid(&machine, machine.initial(), RoleId(0), 5000);
            assert_eq!(bounds[0].proven(), value, "alone, a role is sure of what it gets");
        }
        if shape.constant_sum && !shape.simultaneous {
            assert_eq!(bounds[0].proven().zip(bounds[1].proven()).map(|(a, b)| a + b), Some(100));
        }
        let kind = Shape { positions: 0, ..shape };
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    assert!(kinds.len() > 20, "{}", kinds.len());
    assert!(open > 10, "{open}");
    assert!(states > 150 * 10, "{states}");
}

#[test]
fn paranoid_values_are_never_above_what_is_certain() {
    for seed in 0..60 {
        let shape = shape(seed);
        let machine = relational(&random_game(&shape, seed));
        let mut solver = Solver::new(&machine, shape.constant_sum.then_some(100), 5000);
        let bounds = solver.solve(machine.initial()).expect("solved");
        for role in machine.roles() {
            let paranoid = solver.paranoid(machine.initial(), role).expect("solved");
            assert!(paranoid <= bounds[role.0 as usize].low, "seed {seed}: {paranoid} {bounds:?}");
        }
    }
}

#[test]
fn endgames_of_the_library_are_solved() {
    for game in ["connect_four", "othello", "kalah", "hex", "dots_and_boxes", "goofspiel", "amazons"] {
        let found: Vec<_> = (0..2).filter_map(|seed| endgame(game, Some(100), seed, 1000)).collect();
        assert!(!found.is_empty(), "{game}");
        for endgame in found {
            assert!(endgame.plies > 0, "{game}");
            let sum = endgame.bounds[0].low + endgame.bounds[1].high;
            assert_eq!(sum, 100, "{game}");
            let mut lanes = endgame.machine.lanes(1);
            lanes.load(0, &endgame.state);
            lanes.evaluate().expect("an evaluation");
            assert!(!lanes.terminal(0), "{game}");
        }
    }
}

#[test]
fn states_are_the_same_in_both_engines() {
    let (slow, fast) = (relational(&sheet("nim")), crate::support::fastest(&sheet("nim")));
    let state: State = crate::support::translate(&slow, slow.initial(), &fast);
    assert_eq!(&state, fast.initial());
}

//! Puzzles are solved, what is said to be proven is so, and plans are followed to their end.

use crate::support::{Shape, Solver, fastest, nodes, random_game, relational, sheet, think, think_stopped, wall};
use ludens_machine::{Machine, MoveId, RoleId, State};
use ludens_search::{Bounds, Budget, Error, Puzzle, Settings, Verdict};
use std::time::Duration;

/// A circle of three, and a way out of it from one place.
const CIRCLE: &str = "(role a) (init (at x)) (way x y) (way y z) (way z x) (way z out)
    (<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y)) (<= (next (at ?y)) (does a (go ?y))) (<= terminal (true (at out)))
    (<= (goal a 60) (true (at out))) (<= (goal a 0) (not (true (at out))))";
/// A circle without a way out.
const PRISON: &str = "(role a) (init (at x)) (way x y) (way y z) (way z x) (way x z)
    (<= (legal a (go ?y)) (true (at ?x)) (way ?x ?y)) (<= (next (at ?y)) (does a (go ?y))) (<= terminal (true (at out)))
    (<= (goal a 60) (true (at out)))";

fn puzzle<'m>(machine: &'m Machine, settings: &Settings) -> Puzzle<'m> {
    Puzzle::new(machine, settings).expect("a game for one")
}

fn legal(machine: &Machine, state: &State) -> Vec<MoveId> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, state);
    lanes.evaluate().expect("an evaluation");
    lanes.legal(0, RoleId(0)).to_vec()
}

fn check(machine: &Machine, state: &State, verdict: &Verdict) {
    let mut named: Vec<MoveId> = verdict.moves.iter().map(|report| report.id).collect();
    assert_eq!(named.first(), Some(&verdict.choice));
    named.sort_unstable();
    assert_eq!(named, legal(machine, state));
    assert!(verdict.bounds.low <= verdict.bounds.high, "{verdict:?}");
    assert!(verdict.line.first().is_none_or(|joint| joint[..] == [verdict.choice]));
}

fn after(machine: &Machine, state: &State, id: MoveId) -> State {
    let mut lanes = machine.lanes(1);
    lanes.load(0, state);
    lanes.evaluate().expect("an evaluation");
    lanes.play(0, &[id]);
    lanes.advance().expect("a successor");
    lanes.state(0)
}

/// Plays a match to its end with budgets of nothing after the first move; the points, and the states passed.
fn follow(machine: &Machine, search: &mut Puzzle<'_>, first: &Verdict) -> (u8, Vec<State>) {
    let mut passed = vec![machine.initial().clone()];
    let mut choice = first.choice;
    loop {
        let state = after(machine, &passed[passed.len() - 1], choice);
        passed.push(state.clone());
        match think(search, &state, 0, &nodes(0)) {
            Ok(verdict) => {
                check(machine, &state, &verdict);
                assert_eq!(verdict.nodes, 0, "the plan is followed without another look");
                choice = verdict.choice;
            }
            Err(Error::Over | Error::Stuck { .. }) => break,
            Err(error) => panic!("{error}"),
        }
    }
    let mut lanes = machine.lanes(1);
    lanes.load(0, &passed[passed.len() - 1]);
    lanes.evaluate().expect("an evaluation");
    (lanes.points(0, RoleId(0)).expect("points"), passed)
}

/// Solves a game of the library within a budget.
fn solves(game: &str, machine: &Machine, seed: u64, budget: &Budget) {
    let mut search = puzzle(machine, &Settings { seed, ..Settings::default() });
    let verdict = think(&mut search, machine.initial(), 0, budget).expect("a verdict");
    check(machine, machine.initial(), &verdict);
    assert_eq!(verdict.bounds, Bounds::exact(100), "{game}: {verdict:?}");
    assert_eq!(verdict.values, [100.0]);
    let (points, passed) = follow(machine, &mut search, &verdict);
    assert_eq!((points, passed.len()), (100, verdict.line.len() + 1), "{game}");
}

#[test]
fn small_puzzles_are_solved_on_both_engines() {
    for game in ["sudoku", "knights_tour"] {
        solves(game, &fastest(&sheet(game)), 1, &nodes(50_000));
        solves(game, &relational(&sheet(game)), 1, &nodes(50_000));
    }
}

// How long the large ones take is a matter of luck: these seeds have some.

#[test]
fn the_eight_puzzle_is_solved() {
    solves("eight_puzzle", &fastest(&sheet("eight_puzzle")), 11, &nodes(30_000_000));
}

#[test]
fn few_pegs_are_left() {
    let machine = fastest(&sheet("peg_solitaire"));
    let mut search = puzzle(&machine, &Settings::default());
    let verdict = think(&mut search, machine.initial(), 0, &nodes(800_000)).expect("a verdict");
    check(&machine, machine.initial(), &verdict);
    assert!(verdict.bounds.low >= 60, "{verdict:?}");
}

#[test]
fn most_lights_go_out() {
    let machine = fastest(&sheet("lights_out"));
    let mut search = puzzle(&machine, &Settings::default());
    let verdict = think(&mut search, machine.initial(), 0, &nodes(200_000)).expect("a verdict");
    check(&machine, machine.initial(), &verdict);
    assert!(verdict.bounds.low >= 42, "{verdict:?}");
}

fn alone(seed: u64) -> Shape {
    Shape { roles: 1, simultaneous: false, constant_sum: false, ..crate::support::shape(seed) }
}

#[test]
fn plans_of_random_games_are_the_best() {
    for seed in 0..60 {
        let text = random_game(&alone(seed), seed);
        let reference = relational(&text);
        let value = crate::support::solve(&reference, reference.initial(), None, 5000).expect("solved")[0];
        let fast = fastest(&text);
        let machine = if seed % 4 == 0 { &reference } else { &fast };
        for threads in [1, 2] {
            let mut search = puzzle(machine, &Settings { threads, seed, ..Settings::default() });
            // Without any limit: it ends because it knows.
            let verdict = think(&mut search, machine.initial(), 0, &Budget::default()).expect("a verdict");
            check(machine, machine.initial(), &verdict);
            assert_eq!(verdict.bounds, value, "seed {seed}\n{text}");
            let (points, _) = follow(machine, &mut search, &verdict);
            assert_eq!(Some(points), value.proven(), "seed {seed}\n{text}");
        }
    }
}

#[test]
fn positions_off_the_plan_are_searched_anew() {
    for seed in 0..20 {
        let text = random_game(&alone(seed), seed);
        let machine = relational(&text);
        let mut solver = Solver::new(&machine, None, 5000);
        let mut search = puzzle(&machine, &Settings::default());
        let mut state = machine.initial().clone();
        // The last legal move is seldom the planned one.
        loop {
            match think(&mut search, &state, 0, &Budget::default()) {
                Ok(verdict) => {
                    check(&machine, &state, &verdict);
                    assert_eq!(Ok(vec![verdict.bounds]), solver.solve(&state), "seed {seed}");
                    for (report, (_, bounds)) in in_order(&verdict).iter().zip(solver.moves(&state, RoleId(0)).expect("solved")) {
                        assert!(report.low <= bounds.low && bounds.high <= report.high, "seed {seed}: {verdict:?}");
                    }
                }
                Err(Error::Over | Error::Stuck { .. }) => break,
                Err(error) => panic!("{error}"),
            }
            let moves = legal(&machine, &state);
            state = after(&machine, &state, moves[moves.len() - 1]);
        }
    }
}

/// What the verdict says of each move, in the order of their numbers.
fn in_order(verdict: &Verdict) -> Vec<Bounds> {
    let mut moves = verdict.moves.clone();
    moves.sort_by_key(|report| report.id);
    moves.into_iter().map(|report| report.bounds).collect()
}

#[test]
fn little_memory_claims_nothing_wrong() {
    for memory in [0, 1000, 20_000, 1 << 20] {
        for seed in 0..8 {
            let text = random_game(&Shape { positions: 80, counted: true, ..alone(seed) }, seed);
            let machine = relational(&text);
            let value = crate::support::solve(&machine, machine.initial(), None, 5000).expect("solved")[0];
            let mut search = puzzle(&machine, &Settings { memory, ..Settings::default() });
            let verdict = think(&mut search, machine.initial(), 0, &nodes(3000)).expect("a verdict");
            check(&machine, machine.initial(), &verdict);
            assert!(verdict.bounds.low <= value.low && value.high <= verdict.bounds.high, "{memory} {seed}: {verdict:?}");
        }
    }
    let machine = fastest(&sheet("peg_solitaire"));
    for memory in [1 << 16, 1 << 20, 4 << 20] {
        let mut search = puzzle(&machine, &Settings { memory, ..Settings::default() });
        let verdict = think(&mut search, machine.initial(), 0, &nodes(60_000)).expect("a verdict");
        check(&machine, machine.initial(), &verdict);
        // The codes of a single step of all matches may be more than there is room for.
        assert!(verdict.memory <= memory as u64 + (1 << 16), "{} of {memory}", verdict.memory);
        assert!(!verdict.line.is_empty(), "{verdict:?}");
    }
}

#[test]
fn circles_are_left_by_the_shortest_way() {
    for machine in [fastest(CIRCLE), relational(CIRCLE)] {
        let mut search = puzzle(&machine, &Settings::default());
        let verdict = think(&mut search, machine.initial(), 0, &Budget::default()).expect("a verdict");
        assert_eq!((verdict.bounds, verdict.line.len()), (Bounds::exact(60), 3));
        assert_eq!(follow(&machine, &mut search, &verdict).0, 60);
        // There is but one way, and no end in two moves.
        let mut search = puzzle(&machine, &Settings { max_plies: 2, ..Settings::default() });
        let verdict = think(&mut search, machine.initial(), 0, &nodes(1000)).expect("a verdict");
        assert_eq!((verdict.bounds, verdict.line.len()), (Bounds::OPEN, 0));
    }
}

#[test]
fn where_there_is_no_end_any_move_will_do() {
    for machine in [fastest(PRISON), relational(PRISON)] {
        let mut search = puzzle(&machine, &Settings { max_plies: 50, ..Settings::default() });
        let verdict = think(&mut search, machine.initial(), 0, &Budget::default()).expect("it ends by itself");
        check(&machine, machine.initial(), &verdict);
        assert_eq!((verdict.bounds, verdict.moves[0].value), (Bounds::OPEN, None));
    }
}

#[test]
fn every_budget_gives_a_legal_move() {
    for game in ["peg_solitaire", "lights_out", "eight_puzzle"] {
        let text = sheet(game);
        for machine in [fastest(&text), relational(&text)] {
            for threads in [1, 2] {
                let mut search = puzzle(&machine, &Settings { threads, ..Settings::default() });
                let verdict = think_stopped(&mut search, machine.initial(), 0).expect("a verdict");
                check(&machine, machine.initial(), &verdict);
                for budget in [wall(1), wall(20), nodes(1), nodes(5000), crate::support::simulations(50)] {
                    let verdict = think(&mut search, machine.initial(), 0, &budget).expect("a verdict");
                    check(&machine, machine.initial(), &verdict);
                    assert!(verdict.wall < Duration::from_secs(2), "{game}: {:?}", verdict.wall);
                }
                let cpu = Budget { cpu: Some(Duration::from_millis(5)), ..Budget::default() };
                let verdict = think(&mut search, machine.initial(), 0, &cpu).expect("a verdict");
                check(&machine, machine.initial(), &verdict);
                assert!(verdict.line.len() > 5, "{game}: what was found before is not lost");
            }
        }
    }
}

#[test]
fn a_limit_on_depth_ends_the_search() {
    let machine = fastest(&sheet("peg_solitaire"));
    let mut search = puzzle(&machine, &Settings::default());
    let budget = Budget { depth: Some(3), nodes: Some(10_000_000), ..Budget::default() };
    let verdict = think(&mut search, machine.initial(), 0, &budget).expect("a verdict");
    assert!(verdict.depth > 3 && verdict.nodes < 1_000_000, "{verdict:?}");
}

#[test]
fn a_plan_is_never_given_up_for_a_worse_one() {
    let machine = fastest(&sheet("lights_out"));
    let mut search = puzzle(&machine, &Settings::default());
    let mut state = machine.initial().clone();
    let mut least = 0;
    let points = loop {
        let verdict = match think(&mut search, &state, 0, &nodes(4000)) {
            Err(Error::Over) => break least,
            verdict => verdict.expect("a verdict"),
        };
        assert!(verdict.bounds.low >= least, "{verdict:?}");
        least = verdict.bounds.low;
        state = after(&machine, &state, verdict.choice);
    };
    let mut lanes = machine.lanes(1);
    lanes.load(0, &state);
    lanes.evaluate().expect("an evaluation");
    assert_eq!(lanes.points(0, RoleId(0)), Ok(points));
}

#[test]
fn one_thread_and_a_number_of_nodes_give_the_same_answer_again() {
    let machine = fastest(&sheet("peg_solitaire"));
    let answers = [5, 5, 6].map(|seed| {
        let mut search = puzzle(&machine, &Settings { seed, ..Settings::default() });
        let verdict = think(&mut search, machine.initial(), 0, &nodes(40_000)).expect("a verdict");
        Verdict { cpu: Duration::ZERO, wall: Duration::ZERO, ..verdict }
    });
    assert_eq!(answers[0], answers[1]);
    assert_ne!(answers[0], answers[2]);
}

#[test]
fn games_for_several_are_refused() {
    let machine = fastest(&sheet("nim"));
    let refused = Puzzle::new(&machine, &Settings::default()).map(|_| ());
    assert_eq!(refused, Err(Error::NotAlone { roles: 2 }));
}

#[test]
fn it_is_enough_to_have_the_most_there_can_be() {
    let machine = fastest(CIRCLE);
    let mut search = puzzle(&machine, &Settings::default()).with_most(60);
    let verdict = think(&mut search, machine.initial(), 0, &Budget::default()).expect("a verdict");
    assert_eq!((verdict.bounds, verdict.depth), (Bounds::exact(60), 0));
}

//! What `Machine` and `Lanes` promise beyond the rules: states are values, lanes do not disturb each other, chance is seeded.

mod common;

use std::collections::HashMap;

use common::{SMALL_TABLE, all_options, machine, machine_with_table, rules};
use ludens_machine::{Error, Lanes, Limits, Machine, MoveId, Playout, Random, State, playout};

/// Two roles at once, a fluent with arguments, a move with arguments, a proposition, a derived relation that is recursive.
const SHEET: &str = "
(role white) (role black)
(init (at white a)) (init (at black c)) (init (clock 0))
(road a b) (road b c) (road c d) (road d a) (road a c)
(tick 0 1) (tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6)
(<= (way ?x ?y) (road ?x ?y)) (<= (way ?x ?y) (road ?y ?x))
(<= (reach ?x ?y) (way ?x ?y) (not (taken ?y))) (<= (reach ?x ?z) (reach ?x ?y) (way ?y ?z) (not (taken ?z)))
(<= (taken ?y) (true (at ?who ?y)))
(<= (legal ?who (Go ?y)) (true (at ?who ?x)) (reach ?x ?y)) (<= (legal ?who rest) (role ?who))
(<= (next (at ?who ?y)) (does ?who (Go ?y))) (<= (next (at ?who ?x)) (true (at ?who ?x)) (does ?who rest))
(<= (next (clock ?n)) (true (clock ?m)) (tick ?m ?n))
(<= (next rested) (does ?who rest)) (<= (next (last ?who ?move)) (does ?who ?move))
(<= meet (true (at white ?x)) (true (at black ?x)))
(<= terminal meet) (<= terminal (true (clock 6)))
(<= (goal white 100) meet) (<= (goal black 0) meet) (<= (goal ?who 50) (role ?who) (not meet))";

/// All that can be asked about a state, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    terminal: bool,
    legal: Vec<Vec<String>>,
    points: Vec<u8>,
}

fn view(machine: &Machine, lanes: &mut Lanes<'_>, lane: usize) -> View {
    let legal = machine.roles().map(|role| {
        let mut texts: Vec<String> = lanes.legal(lane, role).iter().map(|&id| machine.move_text(id)).collect();
        texts.sort();
        texts
    });
    let legal = legal.collect();
    let points = machine.roles().map(|role| lanes.points(lane, role).expect("points")).collect();
    View { terminal: lanes.terminal(lane), legal, points }
}

/// States of random play with what one fresh lane says about each.
fn sample(machine: &Machine) -> Vec<(State, View)> {
    let mut random = Random::new(3);
    let mut states = vec![machine.initial().clone()];
    for _ in 0..12 {
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        for _ in 0..6 {
            lanes.evaluate().expect("an evaluation");
            if lanes.terminal(0) {
                break;
            }
            let joint = random_joint(machine, &lanes, 0, &mut random);
            lanes.play(0, &joint);
            lanes.advance().expect("a next state");
            states.push(lanes.state(0));
        }
    }
    let alone = |state: State| {
        let mut lanes = machine.lanes(1);
        lanes.load(0, &state);
        lanes.evaluate().expect("an evaluation");
        let view = view(machine, &mut lanes, 0);
        (state, view)
    };
    let sample: Vec<(State, View)> = states.into_iter().map(alone).collect();
    assert!(sample.iter().any(|(_, view)| view.terminal) && sample.iter().filter(|(_, view)| !view.terminal).count() > 20);
    sample
}

fn random_joint(machine: &Machine, lanes: &Lanes<'_>, lane: usize, random: &mut Random) -> Vec<MoveId> {
    let pick = |role| {
        let legal = lanes.legal(lane, role);
        legal[random.below(legal.len())]
    };
    machine.roles().map(pick).collect()
}

fn machines() -> Vec<Machine> {
    let rules = rules(SHEET);
    let build = |options| Machine::relational(&rules, &options, &Limits::default()).expect("a machine");
    all_options().into_iter().map(build).collect()
}

#[test]
fn lanes_do_not_disturb_each_other() {
    for machine in machines() {
        let sample = sample(&machine);
        let mut lanes = machine.lanes(5);
        assert_eq!(lanes.width(), 5);
        let mut random = Random::new(11);
        for _ in 0..100 {
            let chosen: Vec<&(State, View)> = (0..5).map(|_| &sample[random.below(sample.len())]).collect();
            let empty = random.below(6);
            for turn in 0..5 {
                // In another order than that of the lanes, and with one lane empty now and then.
                let lane = (turn * 2 + empty) % 5;
                if lane == empty { lanes.unload(lane) } else { lanes.load(lane, &chosen[lane].0) }
            }
            lanes.evaluate().expect("an evaluation");
            for lane in [3, 0, 4, 2, 1] {
                if lane != empty {
                    assert_eq!(lanes.state(lane), chosen[lane].0);
                    assert_eq!(view(&machine, &mut lanes, lane), chosen[lane].1);
                }
            }
        }
    }
}

#[test]
fn a_step_leads_to_the_same_state_in_every_lane() {
    for machine in machines() {
        let mut random = Random::new(5);
        let (mut wide, mut narrow) = (machine.lanes(5), machine.lanes(1));
        for (state, view) in sample(&machine).iter().filter(|(_, view)| !view.terminal) {
            for lane in 0..5 {
                wide.load(lane, state);
            }
            wide.evaluate().expect("an evaluation");
            let joints: Vec<Vec<MoveId>> = (0..4).map(|lane| random_joint(&machine, &wide, lane, &mut random)).collect();
            for (lane, joint) in joints.iter().enumerate() {
                wide.play(lane, joint);
            }
            wide.advance().expect("next states");
            assert_eq!(wide.state(4), *state, "a lane without a joint move stays as it is, in {view:?}");
            for (lane, joint) in joints.iter().enumerate() {
                narrow.load(0, state);
                narrow.play(0, joint);
                narrow.advance().expect("a next state");
                assert_eq!(narrow.state(0), wide.state(lane));
                let again = HashMap::from([(narrow.state(0), lane)]);
                assert_eq!(again.get(&wide.state(lane)), Some(&lane), "equal states hash alike");
            }
        }
    }
}

#[test]
fn states_survive_being_written_down() {
    let machine = machine(SHEET);
    for (state, _) in sample(&machine) {
        let mut fluents = machine.fluents(&state);
        assert!(fluents.is_sorted());
        assert_eq!(machine.state_of(fluents.iter().map(String::as_str)), Ok(state.clone()));
        fluents.reverse();
        fluents.extend(fluents.clone());
        assert_eq!(machine.state_of(fluents.iter().map(String::as_str)), Ok(state), "neither order nor repetition counts");
    }
}

#[test]
fn moves_are_found_by_text() {
    let machine = machine(SHEET);
    let go = machine.find_move("(Go b)").expect("a move");
    assert_eq!(machine.move_text(go), "(Go b)");
    for text in ["( go   B )", "(GO b)", "\t(gO\nb)", "(Go b) ; why not"] {
        assert_eq!(machine.find_move(text), Ok(go), "{text}");
    }
    assert_ne!(machine.find_move("(Go a)"), Ok(go));
    for text in ["(fly b)", "fly", "(Go nowhere)", "(Go ?x)", "(Go b", "", "rest rest", ")"] {
        let expected = Error::Unknown { what: "move", text: text.to_owned() };
        assert_eq!(machine.find_move(text), Err(expected), "{text}");
    }
    assert_eq!(
        machine.state_of(["(at white nowhere)"]),
        Err(Error::Unknown { what: "fluent", text: "(at white nowhere)".to_owned() })
    );
}

#[test]
fn letter_case_counts_where_the_sheet_says_so() {
    let sheet = "(role solo) (init (on a)) (init (on A)) (<= (legal solo (pick ?x)) (true (on ?x)))
                 (<= (next (got ?x)) (does solo (pick ?x))) (<= terminal (true (got A))) (goal solo 100)";
    let reading = ludens_gdl::read(sheet, &ludens_gdl::Limits::default());
    let rules = reading.rules.expect("a sheet");
    assert!(rules.case_sensitive);
    let machine = machine(sheet);
    assert_ne!(machine.find_move("(pick a)"), machine.find_move("(pick A)"));
}

#[test]
fn threads_agree() {
    for machine in machines() {
        let sample = sample(&machine);
        let check = |backwards: bool| {
            let mut lanes = machine.lanes(2);
            let mut seen = Vec::new();
            for at in 0..sample.len() {
                let (state, expected) = &sample[if backwards { sample.len() - 1 - at } else { at }];
                lanes.load(1, state);
                lanes.evaluate().expect("an evaluation");
                assert_eq!(view(&machine, &mut lanes, 1), *expected);
                if !expected.terminal {
                    let joint: Vec<MoveId> = machine.roles().map(|role| lanes.legal(1, role)[0]).collect();
                    lanes.play(1, &joint);
                    lanes.advance().expect("a next state");
                    seen.push((machine.fluents(&lanes.state(1)), lanes.state(1)));
                }
            }
            seen.sort();
            seen
        };
        let alone = check(false);
        let (one, other) = std::thread::scope(|scope| {
            let one = scope.spawn(|| check(false));
            let other = scope.spawn(|| check(true));
            (one.join().expect("a thread"), other.join().expect("a thread"))
        });
        assert_eq!(one, alone);
        assert_eq!(other, alone);
    }
}

/// Threads that meet new fluents and moves at the same time still give equal states equal values.
#[test]
fn threads_that_discover_a_game_agree() {
    for machine in machines() {
        let play = |seed: u64| {
            let mut random = Random::new(seed);
            let mut lanes = machine.lanes(1);
            let mut states = Vec::new();
            lanes.load(0, machine.initial());
            for _ in 0..6 {
                lanes.evaluate().expect("an evaluation");
                if lanes.terminal(0) {
                    break;
                }
                let joint = random_joint(&machine, &lanes, 0, &mut random);
                lanes.play(0, &joint);
                lanes.advance().expect("a next state");
                states.push(lanes.state(0));
            }
            states
        };
        let found: Vec<State> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..4).map(|seed| scope.spawn(move || play(seed))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
        });
        for state in found {
            let fluents = machine.fluents(&state);
            assert_eq!(machine.state_of(fluents.iter().map(String::as_str)), Ok(state));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_playouts() {
    let playouts = |machine: &Machine, seed: u64| {
        let mut random = Random::new(seed);
        let mut lanes = machine.lanes(1);
        let mut playout = || {
            lanes.load(0, machine.initial());
            playout(&mut lanes, 0, machine.roles().len(), &mut random, 100).expect("a playout")
        };
        let results: Vec<Playout> = (0..20).map(|_| playout()).collect();
        (results, machine.fluents(&lanes.state(0)))
    };
    for (one, other) in machines().iter().zip(&machines()) {
        let first = playouts(one, 1);
        assert!(first.0.iter().all(|playout| playout.plies <= 6 && playout.points.is_some()), "{first:?}");
        assert_eq!(playouts(one, 1), first, "the same machine again");
        assert_eq!(playouts(other, 1), first, "another machine of the same rules");
        assert_ne!(playouts(one, 2), first, "another seed");
    }
}

#[test]
fn playouts_end_where_they_must() {
    let sheet = "(role solo) (init (n 0)) (up 0 1) (up 1 2) (<= (legal solo go) (true (n ?x)) (up ?x ?y))
                 (<= (next (n ?y)) (true (n ?x)) (up ?x ?y)) (<= terminal (true (n 9))) (goal solo 100)";
    let machine = machine(sheet);
    let mut lanes = machine.lanes(1);
    for (max_plies, plies) in [(0, 0), (1, 1), (2, 2), (50, 2)] {
        lanes.load(0, machine.initial());
        let result = playout(&mut lanes, 0, 1, &mut Random::new(1), max_plies);
        assert_eq!(result, Ok(Playout { plies, points: None }), "at most {max_plies} plies, stuck after two");
    }
}

#[test]
fn points_are_the_smallest_number_among_the_goals() {
    let cases: [(&str, &[&str], u8); 6] = [
        ("(<= (goal solo 70) (true nowhere))", &[], 0),
        ("(goal solo 70)", &["70"], 70),
        ("(goal solo 70) (goal solo 100) (goal solo 30)", &["100", "30", "70"], 30),
        ("(goal solo 70) (goal solo good)", &["70", "good"], 70),
        ("(goal solo good)", &["good"], 0),
        ("(goal solo 101) (goal solo (7 7)) (goal solo 90)", &["(7 7)", "101", "90"], 90),
    ];
    for (goals, values, points) in cases {
        let machine = machine(&format!("(role solo) (init p) (legal solo go) (<= terminal (true p)) {goals}"));
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        let role = machine.roles().next().expect("a role");
        let texts: Vec<String> = lanes.goals(0, role).expect("goals").into_iter().map(|id| machine.goal_text(id)).collect();
        assert_eq!(texts, values, "{goals}");
        assert_eq!(lanes.points(0, role), Ok(points), "{goals}");
    }
}

/// `evaluate` leaves the legal moves of terminal states out, `evaluate_fully` does not.
#[test]
fn moves_of_terminal_states_only_on_demand() {
    for table in [0, SMALL_TABLE] {
        let sheet = "(role solo) (init p) (legal solo go) (<= terminal (true p)) (goal solo 100)";
        let machine = machine_with_table(sheet, table);
        let role = machine.roles().next().expect("a role");
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        for _ in 0..2 {
            lanes.evaluate().expect("an evaluation");
            assert_eq!((lanes.terminal(0), lanes.legal(0, role).len()), (true, 0));
            lanes.evaluate_fully().expect("an evaluation");
            assert_eq!((lanes.terminal(0), lanes.legal(0, role).len()), (true, 1));
        }
    }
}

//! The fast engine: lanes of every width agree with the reference, and random play is uniform and repeatable.

mod common;

use std::fmt::Write as _;

use ludens_machine::{Ended, GroundLimits, Lanes, Machine, Manner, MoveId, Random, Request, RoleId, State, playout};

fn sheet(game: &str) -> String {
    std::fs::read_to_string(common::root().join("games").join(game).join("rules.kif")).expect("a game of the library")
}

fn grounded(text: &str) -> Machine {
    Machine::grounded(&common::rules(text), &GroundLimits::default()).expect("a machine")
}

/// Lanes of one, two, four and eight words, and of more than one block.
const WIDTHS: [usize; 6] = [1, 64, 128, 256, 512, 700];

/// A random joint move of a lane, as text.
fn random_joint(machine: &Machine, lanes: &Lanes<'_>, lane: usize, random: &mut Random) -> Vec<String> {
    let pick = |role: RoleId, random: &mut Random| {
        let mut texts: Vec<String> = lanes.legal(lane, role).iter().map(|&id| machine.move_text(id)).collect();
        texts.sort_unstable();
        texts.swap_remove(random.below(texts.len()))
    };
    machine.roles().map(|role| pick(role, random)).collect()
}

#[test]
fn lanes_of_every_width_are_independent() {
    let text = sheet("breakthrough");
    let (machine, reference) = (grounded(&text), common::machine(&text));
    for width in WIDTHS {
        let (mut lanes, mut plain) = (machine.lanes(width), reference.lanes(width));
        let mut random = Random::new(width as u64);
        // Every third lane is not used.
        let used: Vec<usize> = (0..width).filter(|lane| lane % 3 != 1).collect();
        for &lane in &used {
            lanes.load(lane, machine.initial());
            plain.load(lane, reference.initial());
        }
        for _ in 0..8 {
            lanes.evaluate().expect("an evaluation");
            plain.evaluate().expect("an evaluation");
            for &lane in &used {
                assert_eq!(lanes.terminal(lane), plain.terminal(lane));
                assert_eq!(
                    machine.fluents(&lanes.state(lane)),
                    reference.fluents(&plain.state(lane)),
                    "width {width}, lane {lane}"
                );
                // Some lanes stand still.
                if random.below(8) > 0 {
                    let joint = random_joint(&reference, &plain, lane, &mut random);
                    let ids = |machine: &Machine| -> Vec<MoveId> {
                        joint.iter().map(|text| machine.find_move(text).expect("a legal move")).collect()
                    };
                    lanes.play(lane, &ids(&machine));
                    plain.play(lane, &ids(&reference));
                }
            }
            lanes.advance().expect("successors");
            plain.advance().expect("successors");
        }
    }
}

#[test]
fn goals_are_known_in_every_state() {
    for game in ["othello", "farmers", "hex"] {
        let text = sheet(game);
        let (machine, reference) = (grounded(&text), common::machine(&text));
        let (mut lanes, mut plain) = (machine.lanes(1), reference.lanes(1));
        let mut random = Random::new(3);
        plain.load(0, reference.initial());
        loop {
            plain.evaluate().expect("an evaluation");
            let fluents = reference.fluents(&plain.state(0));
            lanes.load(0, &machine.state_of(fluents.iter().map(String::as_str)).expect("the same state"));
            lanes.evaluate().expect("an evaluation");
            for role in machine.roles() {
                assert_eq!(lanes.points(0, role).expect("points"), plain.points(0, role).expect("points"), "{game}: {fluents:?}");
            }
            if plain.terminal(0) {
                break;
            }
            let joint = random_joint(&reference, &plain, 0, &mut random);
            let ids: Vec<MoveId> = joint.iter().map(|text| reference.find_move(text).expect("a legal move")).collect();
            plain.play(0, &ids);
            plain.advance().expect("the successor");
        }
    }
}

#[test]
fn goals_of_a_lane_stay_while_others_are_loaded() {
    for game in ["othello", "farmers", "lines_of_action"] {
        let text = sheet(game);
        let machine = grounded(&text);
        let mut lanes = machine.lanes(2);
        let mut random = Random::new(4);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        while !lanes.terminal(0) {
            let joint = random_joint(&machine, &lanes, 0, &mut random);
            let ids: Vec<MoveId> = joint.iter().map(|text| machine.find_move(text).expect("a legal move")).collect();
            lanes.play(0, &ids);
            lanes.advance().expect("the successor");
            lanes.evaluate().expect("an evaluation");
            let points = |lanes: &mut Lanes<'_>| -> Vec<u8> {
                machine.roles().map(|role| lanes.points(0, role).expect("points")).collect()
            };
            let before = points(&mut lanes);
            lanes.load(1, machine.initial());
            assert_eq!(points(&mut lanes), before, "{game}");
            lanes.unload(1);
        }
    }
}

#[test]
fn playouts_are_as_many_as_asked_for_and_repeatable() {
    let machine = grounded(&sheet("tic_tac_toe"));
    for width in WIDTHS {
        let lanes = machine.lanes(width);
        for count in [0, 1, 63, 1_000] {
            let play = || lanes.playouts(machine.initial(), count, 100, &mut Random::new(5)).expect("the engine can");
            let tally = play();
            assert_eq!(tally, play(), "the same seed, the same matches");
            assert_eq!((tally.finished, tally.stuck), (count, 0));
            assert!(tally.plies >= 5 * count && tally.plies <= 9 * count, "{tally:?}");
            assert_eq!(tally.points.iter().sum::<u64>(), 100 * count, "{tally:?}");
        }
    }
}

#[test]
fn playouts_that_go_on_are_given_up() {
    let text = "(role r) (init (at a)) (legal r stay) (legal r go) (next (at a)) (<= terminal (true (at b))) (goal r 0)";
    let machine = grounded(text);
    let tally = machine.lanes(64).playouts(machine.initial(), 100, 7, &mut Random::new(1)).expect("the engine can");
    assert_eq!((tally.finished, tally.stuck, tally.plies), (0, 100, 700));

    let stuck = "(role r) (init (at a)) (<= (legal r go) (true (at a))) (next (at b)) (<= terminal (true (at c))) (goal r 0)";
    let machine = grounded(stuck);
    let tally = machine.lanes(64).playouts(machine.initial(), 100, 7, &mut Random::new(1)).expect("the engine can");
    assert_eq!((tally.finished, tally.stuck, tally.plies), (0, 100, 100));
}

/// The mean points and lengths of random play, by the reference and by the lanes, agree within what chance allows, in every game.
#[test]
fn random_play_ends_as_by_the_reference() {
    let mut games: Vec<String> = std::fs::read_dir(common::root().join("games"))
        .expect("the library")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    games.sort();
    assert!(games.len() > 30, "{games:?}");
    for game in games {
        let text = sheet(&game);
        let (machine, reference) = (grounded(&text), common::machine(&text));
        let roles = reference.roles().len();
        let mut random = Random::new(9);
        let mut plain = reference.lanes(1);
        // Per role the points, and last the number of moves.
        let mut samples: Vec<Vec<f64>> = vec![Vec::new(); roles + 1];
        let mut states = 0;
        while states < 12_000 || samples[0].len() < 40 {
            plain.load(0, reference.initial());
            let result = playout(&mut plain, 0, roles, &mut random, 1_000).expect("a playout");
            states += result.plies;
            samples[roles].push(result.plies as f64);
            for (role, points) in result.points.expect("an end").into_iter().enumerate() {
                samples[role].push(f64::from(points));
            }
        }
        let many = 10_000;
        let tally = machine.lanes(512).playouts(machine.initial(), many, 1_000, &mut random).expect("the engine can");
        assert_eq!(tally.finished, many);
        for (what, (sample, sum)) in samples.iter().zip(tally.points.iter().chain([&tally.plies])).enumerate() {
            let few = sample.len() as f64;
            let (mean, other) = (sample.iter().sum::<f64>() / few, *sum as f64 / many as f64);
            let variance = sample.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (few - 1.0);
            // Four standard errors, and a little for what a sample has never seen; the seeds are fixed.
            let allowed = 4.0 * (variance / few).sqrt() + 100.0 / few;
            assert!((mean - other).abs() < allowed, "{game}, {what}: {mean} and {other}, {allowed} allowed");
        }
    }
}

/// Every move of a state is as likely as every other: the state after one ply tells which it was.
#[test]
fn every_legal_move_is_equally_likely() {
    for moves in [1_usize, 2, 3, 7, 9, 31, 100, 154, 700] {
        // The match is over after a move, and the points are the move's number modulo 101.
        let mut text = String::from("(role r) (init start) (<= terminal (not (true start)))\n");
        for number in 0..moves {
            let points = number % 101;
            let _ = write!(text, "(legal r (take m{number})) (<= (next (taken m{number})) (does r (take m{number}))) ");
            let _ = writeln!(text, "(<= (goal r {points}) (true (taken m{number})))");
        }
        let machine = grounded(&text);
        let many = 200_000;
        let tally =
            machine.lanes(512).playouts(machine.initial(), many, 5, &mut Random::new(moves as u64)).expect("the engine can");
        let values = (0..moves).map(|number| (number % 101) as f64);
        let (sum, squares) = values.fold((0.0, 0.0), |(sum, squares), value| (sum + value, squares + value * value));
        let (mean, variance) = (sum / moves as f64, squares / moves as f64 - (sum / moves as f64).powi(2));
        let error = (variance / many as f64).sqrt();
        let got = tally.points[0] as f64 / many as f64;
        assert!((got - mean).abs() <= 4.0 * error, "{moves} moves: {got} instead of {mean}");
    }
}

#[test]
fn reports_tell_of_matches_that_the_rules_allow() {
    for game in ["tic_tac_toe", "othello", "hex", "farmers"] {
        let text = sheet(game);
        let (machine, reference) = (grounded(&text), common::machine(&text));
        let mut random = Random::new(3);
        // The start, a state after one move (another phase, in most games), and the start once more.
        let mut lanes = machine.lanes(512);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("evaluated");
        let joint: Vec<MoveId> = machine.roles().map(|role| lanes.legal(0, role)[0]).collect();
        lanes.play(0, &joint);
        lanes.advance().expect("advanced");
        let starts = [machine.initial().clone(), lanes.state(0), machine.initial().clone()];
        let request = Request { starts: &starts, each: 5, max_plies: 400, positions: true, manner: Manner::default() };
        let mut told = vec![0; starts.len()];
        let mut matches = Vec::new();
        let note = &mut |ended: Ended<'_>| {
            told[ended.start] += 1;
            assert_eq!(ended.positions.first(), Some(&starts[ended.start]), "{game}: the first position");
            assert_eq!(ended.positions.len() as u64, ended.plies + 1, "{game}: a position before every move and after the last");
            matches.push((ended.positions.to_vec(), ended.points.map(<[u8]>::to_vec)));
        };
        lanes.reports(&request, &mut random, note).expect("the playouts asked for");
        assert_eq!(told, [5, 5, 5], "{game}: as many as were asked for");
        let mut plain = reference.lanes(1);
        for (positions, points) in matches.iter().step_by(4) {
            for pair in positions.windows(2) {
                assert!(follows(&machine, &reference, &mut plain, &pair[0], &pair[1]), "{game}: some legal move leads there");
            }
            plain.load(0, &in_words_of(&machine, &reference, &positions[positions.len() - 1]));
            plain.evaluate().expect("evaluated");
            let earned =
                plain.terminal(0).then(|| reference.roles().map(|role| plain.points(0, role).expect("points")).collect());
            assert_eq!(*points, earned, "{game}: the points at the end");
        }
    }
}

/// The same state as another machine has it.
fn in_words_of(machine: &Machine, other: &Machine, state: &State) -> State {
    let fluents = machine.fluents(state);
    other.state_of(fluents.iter().map(String::as_str)).expect("the same fluents")
}

/// Whether some joint move leads from one state to the other, by the rules.
fn follows(machine: &Machine, reference: &Machine, lanes: &mut Lanes<'_>, from: &State, to: &State) -> bool {
    let (from, to) = (in_words_of(machine, reference, from), in_words_of(machine, reference, to));
    lanes.load(0, &from);
    lanes.evaluate().expect("evaluated");
    let mut joints: Vec<Vec<MoveId>> = vec![Vec::new()];
    for role in reference.roles() {
        let legal = lanes.legal(0, role);
        joints = joints.iter().flat_map(|joint| legal.iter().map(move |&id| [&joint[..], &[id]].concat())).collect();
    }
    joints.iter().any(|joint| {
        lanes.load(0, &from);
        lanes.evaluate().expect("evaluated");
        lanes.play(0, joint);
        lanes.advance().expect("advanced");
        lanes.state(0) == to
    })
}

#[test]
fn both_engines_report_alike() {
    let text = sheet("connect_four");
    for machine in [grounded(&text), common::machine(&text)] {
        let starts = [machine.initial().clone(), machine.initial().clone()];
        let request = Request { starts: &starts, each: 300, max_plies: 1_000, positions: false, manner: Manner::default() };
        let (mut plies, mut points, mut count) = (0, [0_u64; 2], 0);
        let note = &mut |ended: Ended<'_>| {
            assert!(ended.positions.is_empty(), "not asked for");
            (plies, count) = (plies + ended.plies, count + 1);
            for (sum, &earned) in points.iter_mut().zip(ended.points.expect("Connect Four ends")) {
                *sum += u64::from(earned);
            }
        };
        machine.lanes(256).reports(&request, &mut Random::new(9), note).expect("the playouts asked for");
        assert_eq!(count, 600);
        assert_eq!(points[0] + points[1], 60_000, "what one wins the other loses");
        // 21.3 moves on average, with a standard deviation of 7 or so: 0.3 for the mean of 600.
        assert!((19.5..23.5).contains(&(plies as f64 / 600.0)), "{plies}");
        let none = Request { each: 0, ..request };
        machine.lanes(1).reports(&none, &mut Random::new(9), &mut |_| panic!("none was asked for")).expect("nothing to do");
    }
}

#[test]
fn every_match_is_told_its_own_points() {
    // In white's turn goals are much work, so that their states wait for others; in black's they are found at once.
    let items: Vec<String> = (0..6).map(|number| format!("f{number}")).collect();
    let mut text = String::from(
        "(role r) (<= (legal r (set ?f)) (item ?f)) (<= (legal r (clear ?f)) (item ?f)) (<= (goal r 1) (true black))
        (<= (next ?f) (true ?f) (item ?f) (not (does r (clear ?f)))) (<= (next ?f) (item ?f) (does r (set ?f)))
        (init white) (<= (next black) (true white)) (<= (next white) (true black)) (<= terminal (true f0) (true f1))",
    );
    for item in &items {
        let _ = write!(text, "(item {item}) ");
    }
    let mut random = Random::new(5);
    for value in 2..100 {
        for _ in 0..6 {
            let mut pick = |most: usize| items[2 + random.below(most)].clone();
            let (one, two, three) = (pick(4), pick(4), pick(4));
            let _ = write!(text, "(<= (goal r {value}) (true white) (true {one}) (not (true {two})) (true {three}))");
        }
    }
    let machine = grounded(&text);
    let mut judge = machine.lanes(1);
    for width in [64, 256, 512] {
        let request = Request {
            starts: &[machine.initial().clone()],
            each: 1_000,
            max_plies: 1_000,
            positions: true,
            manner: Manner::default(),
        };
        let mut told = 0;
        let note = &mut |ended: Ended<'_>| {
            judge.load(0, &ended.positions[ended.positions.len() - 1]);
            judge.evaluate().expect("evaluated");
            let points = judge.terminal(0).then(|| vec![judge.points(0, RoleId(0)).expect("points")]);
            assert_eq!(ended.points.map(<[u8]>::to_vec), points, "{width} lanes");
            told += 1;
        };
        machine.lanes(width).reports(&request, &mut Random::new(3), note).expect("the playouts asked for");
        assert_eq!(told, 1_000);
    }
}

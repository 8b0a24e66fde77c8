//! The fast engine: lanes of every width agree with the reference, and random play is uniform and repeatable.

mod common;

use std::fmt::Write as _;

use ludens_machine::{GroundLimits, Lanes, Machine, MoveId, Random, RoleId, playout};

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

//! Every game of the library under other names is the same game.

use ludens_gdl::{Limits, read};
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, relational};
use ludens_serve::Scramble;
use ludens_serve::manager::rules_text;
use std::collections::BTreeMap;
use std::path::Path;

/// Joint moves of a walk, and of two plies, that are looked at.
const PLIES: usize = 12;
const MAX_JOINT: usize = 40;

fn machine(sheet: &str) -> Machine {
    let rules = read(sheet, &Limits::default()).rules.expect("valid");
    Machine::relational(&rules, &relational::Options::default(), &ludens_machine::Limits::default()).expect("a machine")
}

/// The legal moves of a role by their names in the original sheet.
fn legal(machine: &Machine, lanes: &Lanes<'_>, role: RoleId, scramble: Option<&Scramble>) -> BTreeMap<String, MoveId> {
    let name =
        |text: String| scramble.map_or(Some(text.clone()), |scramble| scramble.reveal(&text)).expect("names that were told");
    lanes.legal(0, role).iter().map(|&id| (name(machine.move_text(id)), id)).collect()
}

/// Joint moves from the start, after one and after two plies; nothing where there are too many.
fn perft(machine: &Machine) -> Option<(usize, usize)> {
    let mut lanes = machine.lanes(1);
    let mut joints = |state| {
        lanes.load(0, state);
        lanes.evaluate().expect("an evaluation");
        let mut joints: Vec<Vec<MoveId>> = vec![Vec::new()];
        for role in machine.roles() {
            let legal = if lanes.terminal(0) { Vec::new() } else { lanes.legal(0, role).to_vec() };
            if joints.len() * legal.len() > MAX_JOINT {
                return None;
            }
            joints = joints.iter().flat_map(|joint| legal.iter().map(move |&id| [&joint[..], &[id]].concat())).collect();
        }
        let after = joints.iter().map(|joint| {
            lanes.load(0, state);
            lanes.evaluate().expect("an evaluation");
            lanes.play(0, joint);
            lanes.advance().expect("a successor");
            lanes.state(0)
        });
        Some(after.collect::<Vec<_>>())
    };
    let first = joints(machine.initial())?;
    let second = first.iter().map(|state| joints(state).map(|states| states.len())).sum::<Option<usize>>()?;
    Some((first.len(), second))
}

#[test]
fn every_library_game_is_the_same_under_other_names() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut seen = 0;
    for entry in std::fs::read_dir(games).expect("the library") {
        let folder = entry.expect("a game").path();
        let sheet = std::fs::read_to_string(folder.join("rules.kif")).expect("a sheet");
        let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
        let text = rules_text(&read(&sheet, &Limits::default()).syntax);
        let scramble = Scramble::new(&text, 17);
        let hidden = scramble.hide(&text);
        let (here, there) = (machine(&sheet), machine(&hidden));
        assert_eq!(perft(&here), perft(&there), "{name}");
        let (mut lanes, mut others) = (here.lanes(1), there.lanes(1));
        lanes.load(0, here.initial());
        others.load(0, there.initial());
        let mut random = Random::new(5);
        for ply in 0..PLIES {
            lanes.evaluate().expect("an evaluation");
            others.evaluate().expect("an evaluation");
            assert_eq!(lanes.terminal(0), others.terminal(0), "{name}, {ply}");
            let mut fluents: Vec<String> =
                there.fluents(&others.state(0)).iter().map(|text| scramble.reveal(text).expect("told")).collect();
            fluents.sort();
            assert_eq!(here.fluents(&lanes.state(0)), fluents, "{name}, {ply}");
            if lanes.terminal(0) {
                break;
            }
            let (mut joint, mut other) = (Vec::new(), Vec::new());
            for role in here.roles() {
                let (moves, same) = (legal(&here, &lanes, role, None), legal(&there, &others, role, Some(&scramble)));
                assert!(moves.keys().eq(same.keys()), "{name}, {ply}");
                let chosen = random.below(moves.len());
                joint.extend(moves.values().nth(chosen));
                other.extend(same.values().nth(chosen));
            }
            lanes.play(0, &joint);
            others.play(0, &other);
            lanes.advance().expect("a successor");
            others.advance().expect("a successor");
        }
        seen += 1;
    }
    assert!(seen >= 30, "{seen} games");
}

//! Accounts of positions.

use crate::support::{library, library_rules, vocabulary};
use ludens_machine::{Machine, Random, RoleId, State};
use ludens_score::learned::{Options, find};
use ludens_score::{Accountant, Balance, Invention, Matches, View, Vocabulary, changes, clune};

#[test]
fn parts_add_up_to_what_searches_are_told() {
    for (game, moves, phases, derived) in [
        ("breakthrough", false, false, false),
        ("connect_four", false, false, false),
        ("connect_four", false, true, true),
        ("othello", true, false, false),
        ("othello", true, true, false),
        ("pacman", true, false, false),
        ("racetrack_corridor", false, false, false),
        ("nine_mens_morris", false, false, true),
    ] {
        let machine = library(game);
        let options = Options { matches: 128, rounds: 0, moves, phases, derived, ..Options::default() };
        let vocabulary = vocabulary(&machine);
        let function = find(&machine, &machine.rules, &vocabulary, &options, &mut Random::new(3), &|| 0.0).expect("a function");
        adds_up(game, &machine, &vocabulary, &Invention::Function(function));
    }
}

#[test]
fn parts_of_models_add_up_too() {
    for game in ["checkers", "othello", "connect_four"] {
        let (rules, machine) = (library_rules(game), library(game));
        let vocabulary = vocabulary(&machine);
        let options = clune::Options { samples: 100, ..clune::Options::default() };
        let model = clune::find(&machine, &rules, &vocabulary, &options, &mut Random::new(3), &|| false).expect("a model");
        adds_up(game, &machine, &vocabulary, &Invention::Model(Box::new(model)));
    }
}

fn adds_up(game: &str, machine: &Machine, vocabulary: &Vocabulary, invention: &Invention) {
    let evaluator = invention.evaluator(machine, vocabulary);
    let accountant = Accountant::new(vocabulary, invention);
    let changes_weights = matches!(invention, Invention::Function(function) if function.phase.is_some());
    let matches = Matches::play(machine, 3, 1000, &mut Random::new(8), &|| false).expect("matches");
    let mut lanes = machine.lanes(1);
    let roles = machine.roles().len();
    let (mut last, mut terms) = (None, 0);
    for course in matches.courses() {
        for ply in 0..course.len() - 1 {
            lanes.load(0, &State::of_words(course.position(ply)));
            lanes.evaluate().expect("it can be evaluated");
            let mut scores = vec![0.0; roles];
            evaluator.score(&mut lanes, 1, &mut Random::new(1), &mut scores).expect("scores");
            let view = View::of(&lanes, 0);
            for (role, score) in scores.iter().enumerate() {
                let Balance { parts, points, .. } = accountant.balance(RoleId(role as u32), &view);
                // Rounded numbers are added up, twice as many where weights change.
                assert!(
                    (points - f64::from(*score)).abs() < if changes_weights { 0.1 } else { 0.05 },
                    "{game}, ply {ply}: {points} and {score}"
                );
                terms += parts.len();
                if role == 0 {
                    let moved = last.replace(parts.clone()).map(|before| changes(&before, &parts));
                    assert!(moved.is_none_or(|parts| parts.is_sorted_by(|one, two| one.adds.abs() >= two.adds.abs())));
                }
            }
        }
    }
    assert!(terms > 0, "{game}: there is something to account for");
}

//! Accounts of positions.

use crate::support::{library, vocabulary};
use ludens_machine::{Random, RoleId, State};
use ludens_score::learned::{Options, find};
use ludens_score::{Accountant, Evaluator, Matches, View, Weighed, changes};

#[test]
fn parts_add_up_to_what_searches_are_told() {
    for (game, moves) in [("breakthrough", false), ("connect_four", false), ("othello", true), ("pacman", true)] {
        let machine = library(game);
        let options = Options { matches: 128, rounds: 0, moves, ..Options::default() };
        let vocabulary = vocabulary(&machine);
        let function = find(&machine, &vocabulary, &options, &mut Random::new(3), &|| 0.0).expect("a function");
        let weighed = Weighed::new(&machine, &vocabulary, &function);
        let accountant = Accountant::new(&vocabulary, &function);
        let matches = Matches::play(&machine, 3, 1000, &mut Random::new(8), &|| false).expect("matches");
        let mut lanes = machine.lanes(1);
        let roles = machine.roles().len();
        let mut last = None;
        for course in matches.courses() {
            for ply in 0..course.len() - 1 {
                lanes.load(0, &State::of_words(course.position(ply)));
                lanes.evaluate().expect("it can be evaluated");
                let mut scores = vec![0.0; roles];
                weighed.score(&mut lanes, 1, &mut Random::new(1), &mut scores).expect("scores");
                let view = View::of(&lanes, 0);
                for (role, score) in scores.iter().enumerate() {
                    let parts = accountant.parts(RoleId(role as u32), &view);
                    let (_, points) = accountant.value(RoleId(role as u32), &parts);
                    assert!((points - f64::from(*score)).abs() < 0.05, "{game}, ply {ply}: {points} and {score}");
                    if role == 0 {
                        let moved = last.replace(parts.clone()).map(|before| changes(&before, &parts));
                        assert!(moved.is_none_or(|parts| parts.is_sorted_by(|one, two| one.adds.abs() >= two.adds.abs())));
                    }
                }
            }
        }
    }
}

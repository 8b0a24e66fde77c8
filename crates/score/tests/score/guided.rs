//! The method of Guided UCT.

use crate::support::{library, three_rounds, vocabulary, weights};
use ludens_machine::{Machine, Random};
use ludens_score::guided::{Options, find};
use ludens_score::{Feature, Function, Refusal};

fn found(machine: &Machine, seed: u64) -> Result<Function, Refusal> {
    find(machine, &vocabulary(machine), &Options::default(), &mut Random::new(seed), &|| false)
}

#[test]
fn pieces_and_kings_count_in_checkers_with_the_right_signs() {
    let machine = library("checkers");
    let leads = |seed: &u64| {
        let function = found(&machine, *seed).expect("a function");
        let best = |role: usize| function.roles[role].terms.first().expect("terms").feature.clone();
        let vocabulary = vocabulary(&machine);
        let lead = [0, 1].map(|role| best(role).text(&vocabulary, &machine));
        let is_right = |feature: &str| {
            let signs = weights(&machine, &function, feature);
            signs[0].is_some_and(|weight| weight > 0.5) && signs[1].is_some_and(|weight| weight < -0.5)
        };
        lead.iter().all(|text| text.contains("(cell ? ?"))
            && is_right("(- (cell ? ? black ?) (cell ? ? white ?))")
            && is_right("(- (cell ? ? black king) (cell ? ? white king))")
    };
    let right = (0..10).filter(leads).count();
    assert!(right >= 8, "in {right} of 10");
}

#[test]
fn thirty_features_are_taken_for_every_role() {
    let machine = library("breakthrough");
    let options = Options { scaling: false, sequences: 100, ..Options::default() };
    let function = find(&machine, &vocabulary(&machine), &options, &mut Random::new(3), &|| false).expect("a function");
    assert_eq!(function.roles.len(), 2);
    for account in &function.roles {
        assert_eq!(account.terms.len(), 30);
        assert!(account.terms.iter().all(|term| term.weight.abs() <= 1.0 && term.error > 0.0 && term.spread > 0.0));
        assert!(account.terms.is_sorted_by(|one, two| one.influence() >= two.influence()));
    }
}

#[test]
fn scaling_stretches_all_weights_alike_until_they_are_points() {
    let machine = library("checkers");
    let with = |scaling: bool| {
        let options = Options { scaling, ..Options::default() };
        find(&machine, &vocabulary(&machine), &options, &mut Random::new(3), &|| false).expect("a function")
    };
    let (plain, scaled) = (with(false), with(true));
    for (plain, scaled) in plain.roles.iter().zip(&scaled.roles) {
        let factor = scaled.terms[0].weight / plain.terms[0].weight;
        // What the paper's weights say of a whole piece is a point or two of a hundred.
        assert!(factor > 2.0, "{factor}");
        for (plain, scaled) in plain.terms.iter().zip(&scaled.terms) {
            assert_eq!(plain.feature, scaled.feature);
            assert!((scaled.weight - factor * plain.weight).abs() < 1e-9);
        }
    }
}

#[test]
fn expressions_are_read_back() {
    for game in ["checkers", "pacman", "eight_puzzle"] {
        let machine = library(game);
        let vocabulary = vocabulary(&machine);
        for account in found(&machine, 1).expect("a function").roles {
            for term in account.terms {
                let text = term.feature.text(&vocabulary, &machine);
                assert_eq!(Feature::parse(&vocabulary, &machine, &text), Some(term.feature), "{game}: {text}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_function() {
    let machine = library("othello");
    assert_eq!(found(&machine, 5), found(&machine, 5));
    assert_ne!(found(&machine, 5), found(&machine, 6));
}

#[test]
fn what_cannot_be_found_is_refused() {
    let constant = three_rounds("(goal one 70)");
    assert_eq!(found(&constant, 1), Err(Refusal::Constant { role: "one".to_owned(), points: 70 }));
    let machine = library("checkers");
    let options = Options { max_plies: 3, ..Options::default() };
    let endless = find(&machine, &vocabulary(&machine), &options, &mut Random::new(1), &|| false);
    assert_eq!(endless, Err(Refusal::NoEnds));
    let late = find(&machine, &vocabulary(&machine), &Options::default(), &mut Random::new(1), &|| true);
    assert_eq!(late, Err(Refusal::NoTime));
}

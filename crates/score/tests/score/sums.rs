//! Sums of many states are those of each of them.

use crate::support::{library, vocabulary};
use ludens_machine::{Machine, Random};
use ludens_score::{Drift, Feature, Gauge, Linear, Matches, Sums};
use std::sync::Arc;

/// Sums with numbers of chance: two that have nothing in common, or a second one that is the opposite of the first; they may change as a match goes on.
fn sums(machine: &Machine, opposite: bool, changing: bool, random: &mut Random) -> Vec<Linear> {
    let fluents = machine.fluent_texts().expect("states of bits").len();
    let mut number = || (random.below(2001) as f32 - 1000.0) / 64.0;
    let mut sum = || Linear {
        constant: number(),
        fluents: (0..fluents).map(|_| number()).collect(),
        moves: vec![0.0; machine.roles().len()],
        lines: Vec::new(),
        partials: Vec::new(),
        derived: Vec::new(),
        drift: None,
    };
    let turned = |sum: &Linear| Linear {
        constant: -sum.constant,
        fluents: sum.fluents.iter().map(|number| -number).collect(),
        ..sum.clone()
    };
    let (one, mut two) = (sum(), sum());
    if opposite {
        two = turned(&one);
    }
    if changing {
        let count = Linear { constant: 0.0, fluents: vec![1.0; fluents], ..sum() };
        // Some states are beyond either end.
        let middle = machine.initial().words().iter().map(|word| word.count_ones()).sum::<u32>() as f32 - 2.0;
        let gauge = Arc::new(Gauge { count, middle, half: 3.0 });
        let drift = sum();
        let other = if opposite { turned(&drift) } else { sum() };
        return [(one, drift), (two, other)]
            .map(|(sum, drift)| Linear { drift: Some(Box::new(Drift { gauge: gauge.clone(), sum: drift })), ..sum })
            .into();
    }
    vec![one, two]
}

#[test]
fn many_states_have_the_sums_that_each_has() {
    let mut random = Random::new(9);
    for (game, derived) in [
        ("tic_tac_toe", &["(line x)", "open"][..]),
        ("checkers", &["(must_jump white)", "(can_jump ? ? ? ?)", "(owns black ? ?)"]),
        ("chess", &["(check ? ?)", "(attacks white ? ?)"]),
        ("hex", &[]),
    ] {
        let machine = library(game);
        let vocabulary = vocabulary(&machine);
        let matches = Matches::play(&machine, 8, 1000, &mut random, &|| false).expect("matches");
        let all: Vec<&[u64]> =
            matches.courses().flat_map(|course| (0..course.len()).map(move |ply| course.position(ply))).collect();
        for (opposite, changing) in [(false, false), (true, false), (false, true), (true, true)] {
            let mut sums = sums(&machine, opposite, changing, &mut random);
            for (place, text) in derived.iter().enumerate() {
                let feature = Feature::parse(&vocabulary, &machine, text).expect("a relation of the game");
                assert!(matches!(feature, Feature::Derived(_)), "{text}");
                let weight = (place as f32 + 1.0) / 8.0;
                sums[0].add(&vocabulary, &feature, weight);
                if opposite || place == 1 {
                    sums[1].add(&vocabulary, &feature, -weight);
                }
            }
            let prepared = Sums::new(&sums, machine.initial().words());
            for count in [1, 7, 64, 65, 200] {
                let states: Vec<&[u64]> = (0..count).map(|_| all[random.below(all.len())]).collect();
                let mut lanes = machine.lanes(256);
                lanes.load_all(&states);
                lanes.evaluate_ends().expect("no limit is near");
                let mut found = vec![0.0; 2 * count];
                prepared.of_lanes(&mut lanes, count, &mut found);
                for (state, found) in states.iter().zip(found.chunks_exact(2)) {
                    let expected: Vec<f32> = sums.iter().map(|sum| sum.of_words(state)).collect();
                    let is_near = |(found, expected): (&f32, &f32)| (found - expected).abs() <= if changing { 0.01 } else { 0.0 };
                    assert!(found.iter().zip(&expected).all(is_near), "{game}, {count} states: {found:?}, not {expected:?}");
                }
            }
        }
    }
}

//! Termination: how likely it is that the match is over.

use super::payoff::design;
use super::stability::Position;
use super::{Known, Options};
use crate::function::{Account, Term};

/// Features from which independent ones are chosen.
const MOST: usize = 120;

/// Finds it from states of which some are the end. Differences are no part of it: the end is the same for all.
pub(super) fn find(known: &Known<'_>, positions: &[Position<'_>], options: &Options) -> Account {
    let pool = known.pool;
    let has_say = |number: &usize| pool.has_say(*number, &known.influence.terminal);
    let mut numbers: Vec<usize> = known.stable().filter(has_say).filter(|&number| pool.parts(number).is_none()).collect();
    known.sort(&mut numbers);
    numbers.truncate(MOST);
    let design = design(pool, &numbers, positions);
    let targets: Vec<f64> = positions.iter().map(|position| f64::from(u8::from(position.is_end))).collect();
    let fit = design.explain(&targets, &design.independent(options.components), 0);
    let terms = fit.weights.iter().map(|&(at, weight, error)| {
        let number = numbers[at];
        Term { feature: pool.feature(number), weight, drift: 0.0, error, spread: known.variations[number].spread() }
    });
    Account::new(fit.constant, terms.collect())
}

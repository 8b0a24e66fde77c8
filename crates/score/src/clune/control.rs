//! Control: how many more moves a role can choose from than all others together.

use super::payoff::design;
use super::stability::Position;
use super::{Known, Options};
use crate::function::{Account, Term};
use ludens_machine::{Error, Machine};
use std::collections::BTreeSet;

/// States that are looked at together.
const AT_ONCE: usize = 64;

/// Features from which independent ones are chosen.
const MOST: usize = 120;

/// The control of every role in some states: state after state.
fn controls(machine: &Machine, positions: &[Position<'_>]) -> Result<Vec<Vec<f64>>, Error> {
    let mut lanes = machine.lanes(AT_ONCE);
    let mut moves: Vec<Vec<f64>> = machine.roles().map(|_| Vec::with_capacity(positions.len())).collect();
    for positions in positions.chunks(AT_ONCE) {
        let states: Vec<&[u64]> = positions.iter().map(|position| position.words).collect();
        lanes.load_all(&states);
        lanes.evaluate()?;
        for lane in 0..states.len() {
            for (role, moves) in machine.roles().zip(&mut moves) {
                moves.push(lanes.legal(lane, role).len() as f64);
            }
        }
    }
    let sums: Vec<f64> = (0..positions.len()).map(|at| moves.iter().map(|moves| moves[at]).sum()).collect();
    let most = sums.iter().copied().fold(1.0, f64::max);
    for moves in &mut moves {
        moves.iter_mut().zip(&sums).for_each(|(own, sum)| *own = (2.0 * *own - sum) / most);
    }
    Ok(moves)
}

/// Finds the control of all roles from states that are not the end. It has no terms where nothing that is stable goes with it.
pub(super) fn find(
    machine: &Machine,
    known: &Known<'_>,
    positions: &[Position<'_>],
    options: &Options,
) -> Result<Vec<Account>, Error> {
    let pool = known.pool;
    // Of two roles what the one has is what the other lacks; of more, all is said by what each has.
    let are_two = machine.roles().len() == 2;
    let has_say = |number: &usize| known.influence.legal[pool.table(*number).0 as usize];
    let mut numbers: Vec<usize> =
        known.stable().filter(has_say).filter(|&number| are_two || pool.parts(number).is_none()).collect();
    let subsumed: BTreeSet<usize> =
        numbers.iter().filter_map(|&number| pool.parts(number)).flat_map(|(one, two)| [one, two]).collect();
    numbers.retain(|number| !subsumed.contains(number));
    known.sort(&mut numbers);
    numbers.truncate(MOST);
    let design = design(pool, &numbers, positions);
    let chosen = design.independent(options.components);
    let targets = controls(machine, positions)?;
    let accounts = targets.iter().map(|targets| {
        let fit = design.explain(targets, &chosen);
        let terms = fit.weights.iter().map(|&(at, weight, error)| {
            let number = numbers[at];
            Term { feature: pool.feature(number), weight, error, spread: known.variations[number].spread() }
        });
        Account::new(fit.constant, terms.collect())
    });
    Ok(accounts.collect())
}

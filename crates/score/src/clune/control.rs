//! Control: how many more moves a role can choose from than all others together.

use super::candidates::Kind;
use super::payoff::design;
use super::stability::Position;
use super::{Known, Options};
use crate::function::{Account, Term};
use ludens_machine::{Error, Machine};

/// States that are looked at together.
const AT_ONCE: usize = 64;

/// Features from which independent ones are chosen.
const MOST: usize = 120;

/// Features that are less stable change with almost every move.
const RESTLESS: f64 = 0.75;

/// How many of these are looked at.
const MOST_RESTLESS: usize = 8;

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
    let numbers = chosen(known, machine.roles().len() == 2);
    let restless = restless(known);
    let columns: Vec<usize> = restless.iter().chain(&numbers).copied().collect();
    let design = design(pool, &columns, positions);
    let features = design.independent(options.components + restless.len());
    let targets = controls(machine, positions)?;
    let accounts = targets.iter().map(|targets| {
        let fit = design.explain(targets, &features, restless.len());
        let terms = fit.weights.iter().map(|&(at, weight, error)| {
            let number = columns[at];
            Term { feature: pool.feature(number), weight, drift: 0.0, error, spread: known.variations[number].spread() }
        });
        Account::new(fit.constant, terms.collect())
    });
    Ok(accounts.collect())
}

/// The candidates that control is explained by. What is told in more detail comes first: kings and men, then pieces.
fn chosen(known: &Known<'_>, are_two: bool) -> Vec<usize> {
    let pool = known.pool;
    let (mut numbers, absolute): (Vec<usize>, Vec<usize>) =
        known.steady().filter(|&number| has_say(known, number)).partition(|&number| pool.parts(number).is_some());
    // Of two roles the one has what the other lacks: differences say it. Of more, all is said by what each has.
    if !are_two || numbers.is_empty() {
        numbers = absolute;
    }
    // Distances and partial solutions go with everything a little; where something can be counted, that is plainer.
    let is_count = |number: &usize| pool.kind(*number) == Kind::Count;
    if numbers.iter().any(is_count) {
        numbers.retain(is_count);
    }
    known.sort(&mut numbers);
    numbers.truncate(MOST);
    numbers.sort_by_key(|&number| pool.generality(number));
    numbers
}

/// A few candidates that change with almost every move, as whose turn it is. They have much to do with control, and nothing to
/// tell.
fn restless(known: &Known<'_>) -> Vec<usize> {
    let is_it = |number: &usize| {
        let stability = known.stability(*number);
        has_say(known, *number) && known.pool.kind(*number) != Kind::Partial && stability > 0.0 && stability < RESTLESS
    };
    let mut numbers: Vec<usize> = (0..known.pool.alone.len()).filter(is_it).collect();
    known.sort(&mut numbers);
    numbers.reverse();
    numbers.truncate(MOST_RESTLESS);
    numbers
}

fn has_say(known: &Known<'_>, number: usize) -> bool {
    known.pool.has_say(number, &known.influence.legal)
}

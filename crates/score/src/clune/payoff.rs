//! Payoff: what the state is worth if the match ended here, made smooth.

use super::candidates::Pool;
use super::pseudo::{Effect, Trials};
use super::squares::Design;
use super::stability::Position;
use super::{Known, Options};
use crate::function::{Account, Term};
use ludens_machine::{Error, Random};
use std::collections::{BTreeMap, BTreeSet};

/// Features that go together like this are one.
const SAME: f64 = 0.999;

/// What features do to the points of all roles: those that are stable, have a say, and are no differences.
pub(super) struct Effects(BTreeMap<usize, Vec<Effect>>);

impl Effects {
    pub(super) fn find(known: &Known<'_>, trials: &mut Trials<'_>, random: &mut Random) -> Result<Effects, Error> {
        let pool = known.pool;
        let has_say = |number: &usize| pool.has_say(*number, &known.influence.goal) && !pool.is_end(*number);
        let mut wanted = BTreeSet::new();
        for number in known.stable().filter(has_say) {
            let (one, two) = pool.parts(number).unwrap_or((number, number));
            wanted.extend([one, two]);
        }
        // Those that could be said by a difference want to be compared with their counterparts.
        for (one, two) in pool.relative.iter().map(|&(one, two)| (one as usize, two as usize)) {
            if wanted.contains(&one) || wanted.contains(&two) {
                wanted.extend([one, two]);
            }
        }
        let effects = wanted.into_iter().map(|number| Ok((number, trials.effect(&pool.alone[number], random)?)));
        Ok(Effects(effects.collect::<Result<_, Error>>()?))
    }

    fn of(&self, number: usize, role: usize) -> Effect {
        self.0.get(&number).map_or_else(Effect::default, |effects| effects[role])
    }

    /// The sign and the strength of a feature: a difference has them where more of the one is good and more of the other bad, or
    /// the reverse.
    fn sign(&self, pool: &Pool, number: usize, role: usize) -> Option<(f64, f64)> {
        let (sign, strength) = match pool.parts(number) {
            Some((one, two)) => {
                let (one, two) = (self.of(one, role), self.of(two, role));
                if one.sign() + two.sign() != 0.0 {
                    return None;
                }
                (one.sign(), one.strength() + two.strength())
            }
            None => (self.of(number, role).sign(), self.of(number, role).strength()),
        };
        (sign != 0.0).then_some((sign, strength))
    }
}

/// Finds the payoff of a role; `None` where nothing that is stable goes with the points.
pub(super) fn find(
    known: &Known<'_>,
    effects: &Effects,
    role: usize,
    positions: &[Position<'_>],
    options: &Options,
) -> Option<Account> {
    let pool = known.pool;
    let mut chosen: Vec<(usize, f64, f64)> = known
        .stable()
        .filter_map(|number| effects.sign(pool, number, role).map(|(sign, strength)| (number, sign, strength)))
        .collect();
    // What a difference says better is dropped, even where that is not stable: then the whole matter is not.
    let differences = (pool.alone.len()..pool.len()).filter(|&number| effects.sign(pool, number, role).is_some());
    let subsumed: BTreeSet<usize> =
        differences.filter_map(|number| pool.parts(number)).flat_map(|(one, two)| [one, two]).collect();
    chosen.retain(|(number, ..)| !subsumed.iter().any(|&part| part == *number || pool.is_wider(*number, part)));
    // Of features that are the same in other words the plainest is kept, then the one that changes the points most.
    chosen.sort_by(|one, two| pool.kind(one.0).cmp(&pool.kind(two.0)).then(two.2.total_cmp(&one.2)).then(one.0.cmp(&two.0)));
    let numbers: Vec<usize> = chosen.iter().map(|(number, ..)| *number).collect();
    let design = design(pool, &numbers, positions);
    let mut kept = design.different(SAME);
    kept.sort_by(|&one, &two| known.stability(numbers[two]).total_cmp(&known.stability(numbers[one])));
    kept.truncate(options.components);
    let weights: Vec<(usize, f64)> = kept.iter().map(|&at| (at, chosen[at].1 * known.stability(numbers[at]))).collect();
    let is_relative = kept.iter().all(|&at| pool.parts(numbers[at]).is_some());
    let (scale, constant) = scale(&design, &weights, is_relative)?;
    let terms = weights.iter().map(|&(at, weight)| {
        let spread = known.variations[numbers[at]].spread();
        Term { feature: pool.feature(numbers[at]), weight: weight * scale, drift: 0.0, error: 0.0, spread }
    });
    Some(Account::new(constant, terms.collect()))
}

/// The values of some candidates in some states.
pub(super) fn design(pool: &Pool, numbers: &[usize], positions: &[Position<'_>]) -> Design {
    let mut rows = Vec::with_capacity(numbers.len() * positions.len());
    let states: Vec<&[u64]> = positions.iter().map(|position| position.words).collect();
    pool.each(&states, |values| rows.extend(numbers.iter().map(|&number| values[number])));
    Design::new(rows, numbers.len())
}

/// The factor and the constant with which all states get from 0 to 100 points. Differences favour nobody where they are nothing.
fn scale(design: &Design, weights: &[(usize, f64)], is_relative: bool) -> Option<(f64, f64)> {
    let sums = design.rows().map(|row| weights.iter().map(|&(at, weight)| row[at] * weight).sum::<f64>());
    let (low, high) = sums.fold((f64::MAX, f64::MIN), |(low, high), sum| (low.min(sum), high.max(sum)));
    if weights.is_empty() || high - low < 1e-9 {
        None
    } else if is_relative {
        Some((50.0 / high.max(-low), 50.0))
    } else {
        Some((100.0 / (high - low), -100.0 * low / (high - low)))
    }
}

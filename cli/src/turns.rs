//! Counting in turns, for games in which a player may move several times in a row: what books count as one move.

use crate::perft::{Joints, MAX_HELD_STATES, successor};
use anyhow::{Context, Result, bail};
use ludens_gdl::legible;
use ludens_machine::{Lanes, Machine, State};
use std::collections::HashMap;

/// Joint moves of one turn: one that lasts longer has no end, as where the relation never changes.
const MAX_TURN: usize = 1000;

/// More states at once than are held: that says nothing about how many turns there are.
#[derive(Debug)]
pub(crate) struct TooManyStates(usize);

impl std::fmt::Display for TooManyStates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the turns lead to more than {} states at once", self.0)
    }
}

impl std::error::Error for TooManyStates {}

/// The number of sequences of 1, 2, ... turns. A turn lasts until the fluents of `relation` change, or the match is over.
///
/// `stop` is asked before every joint move whether to give up; there are fewer counts then.
pub(crate) fn count(machine: &Machine, start: &State, relation: &str, depth: usize, stop: &dyn Fn() -> bool) -> Result<Vec<u64>> {
    let mut walk = Walk { machine, lanes: machine.lanes(1), relation, max_held: MAX_HELD_STATES, stop };
    if walk.turn_of(start).is_empty() {
        bail!("no fluent of `{}` holds in the beginning", legible(relation));
    }
    walk.count(start, depth)
}

struct Walk<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    relation: &'m str,
    /// Distinct states held at once, in the middle of turns or at their ends.
    max_held: usize,
    stop: &'m dyn Fn() -> bool,
}

impl Walk<'_> {
    fn count(&mut self, start: &State, depth: usize) -> Result<Vec<u64>> {
        let mut level = HashMap::from([(start.clone(), 1)]);
        let mut counts = Vec::new();
        for _ in 0..depth {
            level = self.after_a_turn(level)?;
            if (self.stop)() {
                break;
            }
            let total = level.values().try_fold(0_u64, |total, &paths| total.checked_add(paths));
            counts.push(total.context("more than 2^64 sequences of turns")?);
        }
        Ok(counts)
    }

    /// The fluents that tell whose turn it is.
    fn turn_of(&self, state: &State) -> Vec<String> {
        let name = |fluent: &str| fluent.trim_start_matches('(').split([' ', ')']).next() == Some(self.relation);
        self.machine.fluents(state).into_iter().filter(|fluent| name(fluent)).collect()
    }

    /// The states at the end of every turn that begins in these, each with the number of ways to it.
    fn after_a_turn(&mut self, level: HashMap<State, u64>) -> Result<HashMap<State, u64>> {
        let mut ended = HashMap::new();
        // States in the middle of a turn, all after the same number of moves in it.
        let mut open: HashMap<State, u64> = level;
        for _ in 0..MAX_TURN {
            let mut next = HashMap::new();
            for (state, paths) in open {
                let Some(joints) = Joints::of(&mut self.lanes, self.machine, &state)? else { continue };
                let turn = self.turn_of(&state);
                for joint in joints {
                    if (self.stop)() {
                        return Ok(ended);
                    }
                    let after = successor(&mut self.lanes, &state, &joint)?;
                    let goes_on = self.turn_of(&after) == turn && Joints::of(&mut self.lanes, self.machine, &after)?.is_some();
                    let known = if goes_on { &mut next } else { &mut ended }.entry(after).or_insert(0_u64);
                    *known = known.checked_add(paths).context("more than 2^64 sequences lead to one state")?;
                    if next.len() + ended.len() > self.max_held {
                        bail!(TooManyStates(self.max_held));
                    }
                }
            }
            if next.is_empty() {
                return Ok(ended);
            }
            open = next;
        }
        bail!("a turn goes on for more than {MAX_TURN} joint moves without a change of `{}`", legible(self.relation))
    }
}

#[cfg(test)]
mod tests {
    use super::{TooManyStates, Walk};
    use crate::{engine, library, sheet::Sheet};

    #[test]
    fn what_cannot_be_held_is_not_counted() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        for (max_held, counted) in [(71, false), (72, true)] {
            let mut walk = Walk { machine: &machine, lanes: machine.lanes(1), relation: "control", max_held, stop: &|| false };
            let counts = walk.count(machine.initial(), 2);
            assert_eq!(counts.is_ok(), counted, "{max_held} states held: {counts:?}");
            assert!(counts.map_or_else(|error| error.is::<TooManyStates>(), |counts| counts == [9, 72]));
        }
    }
}

//! Counting in turns, for games in which a player may move several times in a row: what books count as one move.

use crate::perft::{Joints, successor};
use anyhow::{Context, Result, bail};
use ludens_machine::{Lanes, Machine, State};
use std::collections::HashMap;

/// The number of sequences of 1, 2, ... turns. A turn lasts until the fluents of `relation` change, or the match is over.
pub(crate) fn count(machine: &Machine, start: &State, relation: &str, depth: usize) -> Result<Vec<u64>> {
    let mut walk = Walk { machine, lanes: machine.lanes(1), relation };
    if walk.turn_of(start).is_empty() {
        bail!("no fluent of `{relation}` holds in the beginning");
    }
    let mut level = HashMap::from([(start.clone(), 1)]);
    let mut counts = Vec::new();
    for _ in 0..depth {
        level = walk.after_a_turn(level)?;
        let total = level.values().try_fold(0_u64, |total, &paths| total.checked_add(paths));
        counts.push(total.context("more than 2^64 sequences of turns")?);
    }
    Ok(counts)
}

struct Walk<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    relation: &'m str,
}

impl Walk<'_> {
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
        while !open.is_empty() {
            let mut next = HashMap::new();
            for (state, paths) in open {
                let Some(joints) = Joints::of(&mut self.lanes, self.machine, &state)? else { continue };
                let turn = self.turn_of(&state);
                for joint in joints {
                    let after = successor(&mut self.lanes, &state, &joint)?;
                    let goes_on = self.turn_of(&after) == turn && Joints::of(&mut self.lanes, self.machine, &after)?.is_some();
                    let known = if goes_on { &mut next } else { &mut ended }.entry(after).or_insert(0_u64);
                    *known = known.checked_add(paths).context("more than 2^64 sequences lead to one state")?;
                }
            }
            open = next;
        }
        Ok(ended)
    }
}

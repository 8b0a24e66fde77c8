//! Counting sequences of joint moves, depth by depth: what two engines, or an engine and a book, can be compared by.

use crate::words::number;
use anyhow::{Context, Result};
use ludens_machine::{Error, Lanes, Machine, MoveId, State};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Distinct states of one depth held at once; beyond it the walk goes deeper with what it has and comes back for the rest.
pub(crate) const MAX_HELD_STATES: usize = 1 << 18;

/// Bytes of the states of all depths held at once, about; beyond it, too, the walk goes deeper first.
const MAX_HELD_BYTES: usize = 1 << 30;

/// Bytes of a state in a level beside its own: its number of sequences, and its place in the table.
const ENTRY: usize = 48;

/// The longest sequences that are counted; the walk recurses once per joint move.
pub(crate) const MAX_DEPTH: u16 = 1000;

/// A walk through all sequences of a given length.
///
/// Equal states of one depth have equal futures, so they are walked once and count as often as sequences lead to them.
pub(crate) struct Perft<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    counts: Vec<u64>,
    /// Distinct states of one depth held at once.
    max_held: usize,
    /// Bytes of the states of all depths: held now, and at most.
    held_bytes: usize,
    max_held_bytes: usize,
    stop: Option<Box<dyn FnMut() -> bool + 'm>>,
    stopped: bool,
    /// How many depths are counted to the end, as far as the walk never went deeper before it had all states of a depth.
    whole: usize,
    split: bool,
}

impl<'m> Perft<'m> {
    /// Counts of the depths 1 to `depth`, all 0 as yet.
    pub(crate) fn new(machine: &'m Machine, depth: usize) -> Perft<'m> {
        let (lanes, counts) = (machine.lanes(1), vec![0; depth]);
        Perft {
            machine,
            lanes,
            counts,
            max_held: MAX_HELD_STATES,
            held_bytes: 0,
            max_held_bytes: MAX_HELD_BYTES,
            stop: None,
            stopped: false,
            whole: 0,
            split: false,
        }
    }

    /// Asks `stop` before every state and every joint move whether to give up.
    pub(crate) fn stop_when(mut self, stop: impl FnMut() -> bool + 'm) -> Perft<'m> {
        self.stop = Some(Box::new(stop));
        self
    }

    /// The number of sequences of 1, 2, ... joint moves found so far.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The counts that are not too low, even where the walk was given up.
    pub(crate) fn whole_counts(&self) -> &[u64] {
        if self.stopped { &self.counts[..self.whole] } else { &self.counts }
    }

    /// Whether the walk was given up, so that the counts are too low.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }

    /// Adds all sequences that start in this state.
    pub(crate) fn count(&mut self, state: &State) -> Result<()> {
        self.walk(HashMap::from([(state.clone(), 1)]), 0)
    }

    fn must_stop(&mut self) -> bool {
        self.stopped = self.stopped || self.stop.as_mut().is_some_and(|stop| stop());
        self.stopped
    }

    fn walk(&mut self, level: HashMap<State, u64>, depth: usize) -> Result<()> {
        if depth == self.counts.len() {
            return Ok(());
        }
        let mut next = HashMap::new();
        for (state, paths) in level {
            if self.must_stop() {
                return Ok(());
            }
            // The state is no longer part of its level; the start never was counted.
            self.held_bytes = self.held_bytes.saturating_sub(state.bytes() + ENTRY);
            let Some(joints) = Joints::of(&mut self.lanes, self.machine, &state).with_context(|| gave_up(depth))? else {
                continue;
            };
            let added = joints.number().and_then(|number| number.checked_mul(paths));
            let total = added.and_then(|added| self.counts[depth].checked_add(added));
            self.counts[depth] = total.with_context(|| format!("more than 2^64 sequences of {} joint moves", depth + 1))?;
            // The last moves need not be played to be counted.
            if depth + 1 < self.counts.len() {
                self.expand(&state, joints, paths, &mut next, depth)?;
            }
        }
        if !self.split && !self.stopped {
            self.whole = depth + 1;
        }
        self.walk(next, depth + 1)
    }

    /// Adds the successors of a state to the next level; a full level is walked at once.
    fn expand(&mut self, state: &State, joints: Joints, paths: u64, next: &mut HashMap<State, u64>, depth: usize) -> Result<()> {
        for joint in joints {
            if self.must_stop() {
                return Ok(());
            }
            let after = successor(&mut self.lanes, state, &joint).with_context(|| gave_up(depth))?;
            let bytes = after.bytes() + ENTRY;
            match next.entry(after) {
                Entry::Occupied(mut known) => {
                    let sum = known.get().checked_add(paths).context("more than 2^64 sequences lead to one state")?;
                    known.insert(sum);
                }
                Entry::Vacant(place) => {
                    place.insert(paths);
                    self.held_bytes += bytes;
                }
            }
            if next.len() >= self.max_held || self.held_bytes > self.max_held_bytes {
                self.split = true;
                self.walk(std::mem::take(next), depth + 1)?;
            }
        }
        Ok(())
    }
}

fn gave_up(depth: usize) -> String {
    format!("the engine gave up after {}", number(depth as u64, "joint move"))
}

/// The state that a joint move leads to.
pub(crate) fn successor(lanes: &mut Lanes<'_>, state: &State, joint: &[MoveId]) -> Result<State, Error> {
    lanes.load(0, state);
    lanes.evaluate()?;
    lanes.play(0, joint);
    lanes.advance()?;
    Ok(lanes.state(0))
}

/// All joint moves of a state, the last role's move changing fastest.
pub(crate) struct Joints {
    legal: Vec<Vec<MoveId>>,
    /// Which move of each role comes next; `None` after the last.
    at: Option<Vec<usize>>,
}

impl Joints {
    /// `None` in a terminal state. A role without a legal move makes the list empty.
    pub(crate) fn of(lanes: &mut Lanes<'_>, machine: &Machine, state: &State) -> Result<Option<Joints>, Error> {
        lanes.load(0, state);
        lanes.evaluate()?;
        if lanes.terminal(0) {
            return Ok(None);
        }
        let legal: Vec<Vec<MoveId>> = machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
        let at = legal.iter().all(|moves| !moves.is_empty()).then(|| vec![0; legal.len()]);
        Ok(Some(Joints { legal, at }))
    }

    /// How many there are, if 64 bits can say it.
    pub(crate) fn number(&self) -> Option<u64> {
        self.legal.iter().try_fold(1_u64, |product, moves| product.checked_mul(moves.len() as u64))
    }
}

impl Iterator for Joints {
    type Item = Vec<MoveId>;

    fn next(&mut self) -> Option<Vec<MoveId>> {
        let at = self.at.as_mut()?;
        let joint = at.iter().zip(&self.legal).map(|(&index, moves)| moves[index]).collect();
        // Counting up, the last role's digit first.
        let carried = (0..at.len()).rev().all(|role| {
            at[role] = (at[role] + 1) % self.legal[role].len();
            at[role] == 0
        });
        if carried {
            self.at = None;
        }
        Some(joint)
    }
}

#[cfg(test)]
mod tests {
    use super::Perft;
    use crate::{engine, library, sheet::Sheet};

    #[test]
    fn counts_do_not_depend_on_how_many_states_are_held() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        for (max_held, max_held_bytes) in [(1, usize::MAX), (7, 0), (100, 3_000), (usize::MAX, 3_000), (usize::MAX, usize::MAX)] {
            let mut perft = Perft { max_held, max_held_bytes, ..Perft::new(&machine, 5) };
            perft.count(machine.initial()).unwrap();
            assert_eq!(perft.counts(), [9, 72, 504, 3024, 15120], "{max_held} states, {max_held_bytes} bytes held");
            assert_eq!(perft.held_bytes, 0, "all is given back");
        }
    }

    #[test]
    fn a_walk_can_be_stopped() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        let mut left = 20;
        let mut perft = Perft::new(&machine, 5).stop_when(|| {
            left -= 1;
            left == 0
        });
        perft.count(machine.initial()).unwrap();
        assert!(perft.is_stopped());
        // The start and its 9 moves, one state and its 8 moves: the twentieth step is not done.
        assert_eq!(perft.counts(), [9, 8, 0, 0, 0]);
        assert_eq!(perft.whole_counts(), [9]);
    }
}

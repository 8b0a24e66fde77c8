//! Positions with what came of them.

use crate::linear::each_bit;
use ludens_machine::{Error, Machine, RoleId};

/// Positions that are looked at together.
const AT_ONCE: usize = 64;

/// Positions, and what came of them for every role: a hundred points count 1.
#[derive(Debug)]
pub(super) struct Positions {
    roles: usize,
    /// Roles whose legal moves are counted.
    movers: usize,
    words: Vec<u64>,
    per_state: usize,
    results: Vec<f32>,
    /// Legal moves of every role, where they were counted.
    moves: Vec<u16>,
}

impl Positions {
    /// Results are those of the first roles; moves are counted of so many.
    pub(super) fn new(roles: usize, movers: usize) -> Positions {
        Positions { roles, movers, words: Vec::new(), per_state: 1, results: Vec::new(), moves: Vec::new() }
    }

    pub(super) fn push(&mut self, words: &[u64], results: impl IntoIterator<Item = f32>) {
        self.per_state = words.len().max(1);
        self.words.extend_from_slice(words);
        self.results.extend(results);
    }

    /// Adds others, for which moves were counted or not as for these, and forgets the first where they are more than so many.
    pub(super) fn append(&mut self, other: Positions, most: usize) {
        self.per_state = other.per_state;
        self.words.extend(other.words);
        self.results.extend(other.results);
        self.moves.extend(other.moves);
        let gone = self.len().saturating_sub(most);
        self.words.drain(..gone * self.per_state);
        self.results.drain(..gone * self.roles);
        self.moves.drain(..(gone * self.movers).min(self.moves.len()));
    }

    pub(super) fn len(&self) -> usize {
        self.results.len() / self.roles.max(1)
    }

    pub(super) fn words(&self, index: usize) -> &[u64] {
        &self.words[index * self.per_state..(index + 1) * self.per_state]
    }

    /// What came of a position for a role, from 0 to 1.
    pub(super) fn result(&self, index: usize, role: usize) -> f32 {
        self.results[index * self.roles + role]
    }

    /// The legal moves of every role, or nothing.
    pub(super) fn moves(&self, index: usize) -> &[u16] {
        self.moves.get(index * self.movers..(index + 1) * self.movers).unwrap_or(&[])
    }

    pub(super) fn mean(&self, role: usize) -> f64 {
        let sum: f64 = (0..self.len()).map(|index| f64::from(self.result(index, role))).sum();
        sum / self.len().max(1) as f64
    }

    /// Counts legal moves.
    pub(super) fn count_moves(&mut self, machine: &Machine) -> Result<(), Error> {
        let mut lanes = machine.lanes(AT_ONCE);
        self.moves.clear();
        for group in self.words.chunks(AT_ONCE * self.per_state) {
            let states: Vec<&[u64]> = group.chunks(self.per_state).collect();
            lanes.load_all(&states);
            lanes.evaluate()?;
            for lane in 0..states.len() {
                let counts = (0..self.movers).map(|role| lanes.legal(lane, RoleId(role as u32)).len().min(0xffff) as u16);
                self.moves.extend(counts);
            }
        }
        Ok(())
    }

    pub(super) fn spread_of_moves(&self, role: usize) -> f64 {
        let all = || self.moves.iter().skip(role).step_by(self.movers.max(1)).map(|&count| f64::from(count));
        let count = self.len().max(1) as f64;
        let mean = all().sum::<f64>() / count;
        (all().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
    }

    /// The true fluents of a position.
    pub(super) fn each_fluent(&self, index: usize, visit: impl FnMut(usize)) {
        each_bit(self.words(index), visit);
    }
}

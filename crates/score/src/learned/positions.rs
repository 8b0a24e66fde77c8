//! Positions with what came of them.

use super::extras::Extras;
use crate::linear::each_bit;
use ludens_machine::{Error, Machine};

/// Positions, and what came of them for every role: a hundred points count 1.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    roles: usize,
    /// Extras of a position.
    kinds: usize,
    words: Vec<u64>,
    per_state: usize,
    results: Vec<f32>,
    /// What is counted besides fluents, position after position.
    extras: Vec<u16>,
    /// How far the match has come, position after position, where that is told.
    phases: Vec<f32>,
}

/// How much there is of something.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    pub(super) mean: f64,
    /// The mean square.
    pub(super) square: f64,
    pub(super) variance: f64,
}

impl Positions {
    /// Results are those of the first roles; so many things are counted besides fluents.
    pub(super) fn new(roles: usize, kinds: usize) -> Positions {
        Positions { roles, kinds, words: Vec::new(), per_state: 1, results: Vec::new(), extras: Vec::new(), phases: Vec::new() }
    }

    pub(super) fn push(&mut self, words: &[u64], results: impl IntoIterator<Item = f32>) {
        self.per_state = words.len().max(1);
        self.words.extend_from_slice(words);
        self.results.extend(results);
    }

    /// Adds others, for which the same was counted, and forgets the first where they are more than so many.
    pub(super) fn append(&mut self, other: Positions, most: usize) {
        self.per_state = other.per_state;
        self.words.extend(other.words);
        self.results.extend(other.results);
        self.extras.extend(other.extras);
        self.phases.extend(other.phases);
        self.keep(most);
    }

    /// Forgets the first where they are more than so many.
    pub(super) fn keep(&mut self, most: usize) {
        let gone = self.len().saturating_sub(most);
        self.words.drain(..gone * self.per_state);
        self.results.drain(..gone * self.roles);
        self.extras.drain(..gone * self.kinds);
        self.phases.drain(..gone.min(self.phases.len()));
    }

    pub(super) fn len(&self) -> usize {
        self.results.len() / self.roles.max(1)
    }

    /// Roles whose results are known.
    pub(super) fn roles(&self) -> usize {
        self.roles
    }

    pub(super) fn words(&self, index: usize) -> &[u64] {
        &self.words[index * self.per_state..(index + 1) * self.per_state]
    }

    /// What came of a position for a role, from 0 to 1.
    pub(super) fn result(&self, index: usize, role: usize) -> f32 {
        self.results[index * self.roles + role]
    }

    /// What is counted besides fluents.
    pub(super) fn extras(&self, index: usize) -> &[u16] {
        &self.extras[index * self.kinds..(index + 1) * self.kinds]
    }

    /// How far the match has come, from -1 to 1; 0 where that is not told.
    pub(super) fn phase(&self, index: usize) -> f32 {
        self.phases.get(index).copied().unwrap_or(0.0)
    }

    pub(super) fn mean(&self, role: usize) -> f64 {
        let sum: f64 = (0..self.len()).map(|index| f64::from(self.result(index, role))).sum();
        sum / self.len().max(1) as f64
    }

    /// Counts what there is besides fluents.
    pub(super) fn count(&mut self, machine: &Machine, extras: &Extras) -> Result<(), Error> {
        self.extras.clear();
        self.kinds = extras.features().len();
        let rows: Vec<&[u64]> = self.words.chunks(self.per_state).collect();
        extras.count(machine, &rows, &mut self.extras)?;
        self.phases.clear();
        if let Some(phase) = extras.phase() {
            self.phases.extend(rows.iter().map(|words| phase.gauge.of_words(words)));
        }
        Ok(())
    }

    /// Something that is counted besides fluents.
    pub(super) fn moments(&self, extra: usize) -> Moments {
        let all = || self.extras.iter().skip(extra).step_by(self.kinds.max(1)).map(|&count| f64::from(count));
        let count = self.len().max(1) as f64;
        let mean = all().sum::<f64>() / count;
        let square = all().map(|value| value * value).sum::<f64>() / count;
        Moments { mean, square, variance: (square - mean * mean).max(0.0) }
    }

    /// The true fluents of a position.
    pub(super) fn each_fluent(&self, index: usize, visit: impl FnMut(usize)) {
        each_bit(self.words(index), visit);
    }
}

//! Partial solutions: how much of what earns points or ends the match is true so far.
//!
//! A goal or the end comes down to conjunctions of fluents: `(partial (goal red 100))` of Connect Four to the 69 lines of four red discs. Its value is the
//! greatest share that one of them has of its fluents, 0.75 where three of four in a line are there.

mod conditions;
mod gauges;

pub(crate) use conditions::partials;
pub(crate) use gauges::{Gauges, PartialSums};

use crate::feature::own;
use crate::lines::Purpose;
use crate::vocabulary::{FluentId, TableId, Vocabulary, parts};
use ludens_machine::Machine;
use std::sync::Arc;

/// What a goal or the end comes down to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Partial {
    /// What it is for.
    pub purpose: Purpose,
    /// Any of these will do; sorted.
    pub conjunctions: Arc<[Conjunction]>,
}

/// Fluents that are to be true together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conjunction {
    /// Ascending.
    fluents: Box<[FluentId]>,
    /// The same as bits of the words of a state: the number of the word, and which of its bits.
    masks: Box<[(u32, u64)]>,
}

impl Conjunction {
    /// Of some fluents.
    pub fn new(fluents: impl IntoIterator<Item = FluentId>) -> Conjunction {
        let mut fluents: Vec<FluentId> = fluents.into_iter().collect();
        fluents.sort_unstable();
        fluents.dedup();
        let mut masks: Vec<(u32, u64)> = Vec::new();
        for FluentId(fluent) in &fluents {
            let (word, bit) = (fluent / 64, 1 << (fluent % 64));
            match masks.last_mut() {
                Some((known, mask)) if *known == word => *mask |= bit,
                _ => masks.push((word, bit)),
            }
        }
        Conjunction { fluents: fluents.into(), masks: masks.into() }
    }

    /// Its fluents, ascending.
    pub fn fluents(&self) -> &[FluentId] {
        &self.fluents
    }

    /// How many of them are true in a state.
    fn count(&self, words: &[u64]) -> usize {
        let bits = |&(word, mask): &(u32, u64)| words.get(word as usize).map_or(0, |known| (known & mask).count_ones());
        self.masks.iter().map(bits).sum::<u32>() as usize
    }
}

/// The greatest share of its fluents that one of some conjunctions has in a state; 0 where there is none.
pub(crate) fn share(conjunctions: &[Conjunction], words: &[u64]) -> f64 {
    let (mut most, mut size) = (0, 1);
    for conjunction in conjunctions {
        let count = conjunction.count(words);
        if count * size > most * conjunction.fluents.len() {
            (most, size) = (count, conjunction.fluents.len());
        }
    }
    most as f64 / size as f64
}

impl Partial {
    /// Its value in a state: from 0 to 1.
    pub fn value(&self, words: &[u64]) -> f64 {
        share(&self.conjunctions, words)
    }

    /// The tables that it looks at.
    pub(crate) fn tables(&self, vocabulary: &Vocabulary) -> Vec<TableId> {
        let fluents = self.conjunctions.iter().flat_map(|conjunction| &conjunction.fluents);
        let mut tables: Vec<TableId> = fluents.map(|fluent| vocabulary.rows()[fluent.0 as usize].table).collect();
        tables.sort_unstable();
        tables.dedup();
        tables
    }

    /// The sizes of all conjunctions, ascending: what is alike for two sides has the same.
    pub(crate) fn shape(&self) -> Vec<usize> {
        let mut sizes: Vec<usize> = self.conjunctions.iter().map(|conjunction| conjunction.fluents.len()).collect();
        sizes.sort_unstable();
        sizes
    }

    /// Whether all conjunctions of another are among its own.
    pub(crate) fn contains(&self, other: &Partial) -> bool {
        other.conjunctions.iter().all(|conjunction| self.conjunctions.binary_search(conjunction).is_ok())
    }

    /// As an expression.
    pub(crate) fn text(&self, vocabulary: &Vocabulary, machine: &Machine) -> String {
        format!("({} {})", own(vocabulary, "partial", 1), self.purpose.text(machine))
    }

    /// What [`Partial::text`] wrote; `None` where there is nothing of that kind in the game.
    pub(crate) fn parse(vocabulary: &Vocabulary, machine: &Machine, text: &str) -> Option<Partial> {
        match parts(text)[..] {
            [word, purpose] if word == own(vocabulary, "partial", 1) => {
                partials(machine.net()?).into_iter().find(|partial| partial.purpose.is_written(machine, purpose))
            }
            _ => None,
        }
    }

    /// In English.
    pub(crate) fn reading(&self, machine: &Machine) -> String {
        let is_one = self.conjunctions.len() == 1;
        let share = if is_one { "share" } else { "largest share" };
        let what = match &self.purpose {
            Purpose::Goal { role, .. } if self.purpose.is_best(machine) => {
                format!("{} of {}", if is_one { "the goal" } else { "a line" }, machine.role_name(*role))
            }
            Purpose::Goal { role, value } => format!("what is {value} points for {}", machine.role_name(*role)),
            Purpose::End => "what ends the match".to_owned(),
        };
        format!("{share} of {what} that stands")
    }
}

#[cfg(test)]
mod tests {
    use super::{Conjunction, share};
    use crate::vocabulary::FluentId;

    #[test]
    fn the_fullest_conjunction_counts() {
        let of = |fluents: &[u32]| Conjunction::new(fluents.iter().map(|&fluent| FluentId(fluent)));
        let three = of(&[70, 1, 64]);
        assert_eq!(three.fluents(), [1, 64, 70].map(FluentId));
        let both = [three, of(&[2, 3, 4, 5])];
        let value = |fluents: &[u32]| {
            let mut words = [0_u64; 2];
            for fluent in fluents {
                words[*fluent as usize / 64] |= 1 << (fluent % 64);
            }
            share(&both, &words)
        };
        for (fluents, expected) in
            [(&[][..], 0.0), (&[1, 70], 2.0 / 3.0), (&[1, 70, 2, 3, 4], 0.75), (&[1, 64, 70, 2], 1.0), (&[6, 7, 65], 0.0)]
        {
            assert!((value(fluents) - expected).abs() < 1e-9, "{fluents:?}");
        }
        assert!(share(&[], &[u64::MAX]).abs() < 1e-9);
    }
}

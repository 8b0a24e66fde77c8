//! Lines: few fluents that together earn points or end the match, as four in a row do.
//!
//! A [`Family`] has all lines of one length that are for the same thing. Which fluents *block* a line, because they keep one of its own from ever
//! becoming true, is seen in play ([`blockers`]) and said by patterns. [`Lines`] counts the lines of a family that are filled so far and not blocked.

mod blockers;
mod counting;
mod expansion;

pub(crate) use blockers::{Seen, blockers};
pub(crate) use counting::{Counting, eight};
pub(crate) use expansion::{Bounds, Expansion, SHORTEST, families, purposes};

use crate::feature::own;
use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, Row, SymbolId, TableId, Vocabulary, parts};
use ludens_machine::{Counted, Machine, RoleId};
pub(crate) use ludens_machine::{Line, Wanted};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// What lines are for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// A role gets so many points.
    Goal {
        /// The role.
        role: RoleId,
        /// Its points as the rules write them.
        value: String,
    },
    /// The match is over.
    End,
}

/// Lines of one length for one purpose. Each is a list of fluents, ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// What they are for.
    pub purpose: Purpose,
    /// Fluents of each.
    pub size: usize,
    /// All of them, sorted.
    pub lines: Vec<Box<[FluentId]>>,
}

/// Lines of a family with so many fluents true, and none of the others kept from becoming so.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lines {
    /// The family, by its place among those of the [`Vocabulary`].
    pub family: usize,
    /// Fluents that are true.
    pub filled: usize,
    /// Where one fluent is missing: those alone that lack a row of this pattern.
    pub lacking: Option<Pattern>,
    /// Rows that block: a line's fluent is blocked if a row is true that has the symbols of one of these patterns and, where that is open, the fluent's own.
    pub blockers: Arc<[Pattern]>,
}

/// A family with what blocks its lines, as numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// Its place in the [`Vocabulary`].
    pub(crate) family: usize,
    pub(crate) blockers: Arc<[Pattern]>,
    pub(crate) size: usize,
    pub(crate) lines: Arc<[Line]>,
}

/// Fluents by what they say.
pub(crate) type Places<'v> = BTreeMap<(TableId, &'v [SymbolId]), FluentId>;

/// Where rows are.
pub(crate) fn places(vocabulary: &Vocabulary) -> Places<'_> {
    (0..).map(FluentId).zip(vocabulary.rows()).map(|(fluent, row)| ((row.table, &*row.symbols), fluent)).collect()
}

/// The row that blocks a fluent by a pattern, if there is one.
pub(crate) fn blocker(pattern: &Pattern, row: &Row, places: &Places<'_>) -> Option<FluentId> {
    if pattern.symbols.len() != row.symbols.len() {
        return None;
    }
    let symbols: Vec<SymbolId> = pattern.symbols.iter().zip(&row.symbols).map(|(wanted, &own)| wanted.unwrap_or(own)).collect();
    let is_itself = pattern.table == row.table && *symbols == *row.symbols;
    if is_itself { None } else { places.get(&(pattern.table, &symbols[..])).copied() }
}

impl Live {
    /// A family of a game, with what blocks its lines.
    pub fn new(vocabulary: &Vocabulary, family: usize, blockers: Arc<[Pattern]>) -> Live {
        let Family { size, lines, .. } = &vocabulary.families()[family];
        let places = if blockers.is_empty() { Places::new() } else { places(vocabulary) };
        let line = |fluents: &[FluentId]| {
            let rows = fluents.iter().map(|fluent| &vocabulary.rows()[fluent.0 as usize]);
            let blocked = rows.flat_map(|row| blockers.iter().filter_map(|pattern| blocker(pattern, row, &places)));
            let mut blockers: Vec<u32> = blocked.map(|fluent| fluent.0).collect();
            blockers.sort_unstable();
            blockers.dedup();
            Line { fluents: fluents.iter().map(|fluent| fluent.0).collect(), blockers: blockers.into() }
        };
        let lines = lines.iter().map(|fluents| line(fluents)).collect();
        Live { family, size: *size, lines, blockers }
    }

    /// With what each line that is wanted adds.
    pub(crate) fn counted(&self, numbers: &[(Wanted, f32)]) -> Counted {
        Counted { lines: self.lines.clone(), numbers: numbers.to_vec() }
    }

    /// Whether it is the one that a feature counts.
    pub(crate) fn is_of(&self, lines: &Lines) -> bool {
        self.family == lines.family && self.blockers == lines.blockers
    }

    /// How many lines of the kind that is wanted are live in a state.
    pub fn count(&self, words: &[u64], wanted: &Wanted) -> usize {
        let holds = |fluent: &u32| words.get(*fluent as usize / 64).is_some_and(|word| word >> (fluent % 64) & 1 == 1);
        let lacks = |line: &Line| {
            let is_wanted = |fluent: &u32| wanted.lacking.as_ref().is_none_or(|list| list.binary_search(fluent).is_ok());
            line.fluents.iter().any(|fluent| !holds(fluent) && is_wanted(fluent))
        };
        let counts = |line: &&Line| {
            !line.blockers.iter().any(holds)
                && line.fluents.iter().filter(|fluent| holds(fluent)).count() == wanted.filled
                && lacks(line)
        };
        self.lines.iter().filter(counts).count()
    }
}

impl Lines {
    /// The same by numbers.
    pub fn wanted(&self, vocabulary: &Vocabulary) -> Wanted {
        let numbers = |pattern: &Pattern| pattern.fluents(vocabulary).into_iter().map(|fluent| fluent.0).collect();
        Wanted { filled: self.filled, lacking: self.lacking.as_ref().map(numbers) }
    }

    /// As an expression: how many are filled, of how many, for what, and what blocks.
    pub(crate) fn text(&self, vocabulary: &Vocabulary, machine: &Machine, word: &str) -> String {
        let Family { purpose, size, .. } = &vocabulary.families()[self.family];
        let mut text = format!("({word} {} {size} {}", self.filled, purpose.text(machine));
        if let Some(pattern) = &self.lacking {
            let _ = write!(text, " ({} {})", own(vocabulary, "lacking", 1), pattern.text(vocabulary));
        }
        for pattern in &*self.blockers {
            let _ = write!(text, " {}", pattern.text(vocabulary));
        }
        text.push(')');
        text
    }

    /// What [`Lines::text`] wrote after its first word.
    pub(crate) fn parse(vocabulary: &Vocabulary, machine: &Machine, words: &[&str]) -> Option<Lines> {
        let [filled, size, purpose, blockers @ ..] = words else { return None };
        let (filled, size) = (filled.parse::<usize>().ok()?, size.parse::<usize>().ok()?);
        if !(1..size).contains(&filled) {
            return None;
        }
        let is_meant = |family: &Family| family.size == size && family.purpose.is_written(machine, purpose);
        let family = vocabulary.families().iter().position(is_meant)?;
        let (lacking, blockers) = match blockers.split_first() {
            Some((text, rest)) if parts(text).first() == Some(&&*own(vocabulary, "lacking", 1)) => match parts(text)[..] {
                [_, pattern] if filled + 1 == size => (Some(Pattern::parse(vocabulary, pattern)?), rest),
                _ => return None,
            },
            _ => (None, blockers),
        };
        let blockers = blockers.iter().map(|text| Pattern::parse(vocabulary, text)).collect::<Option<Vec<_>>>()?;
        Some(Lines { family, filled, lacking, blockers: blockers.into() })
    }

    /// How many words its expression has after the first.
    pub(crate) fn words(&self) -> usize {
        3 + usize::from(self.lacking.is_some()) + self.blockers.len()
    }

    /// In English.
    pub(crate) fn reading(&self, vocabulary: &Vocabulary, machine: &Machine) -> String {
        let Family { purpose, size, .. } = &vocabulary.families()[self.family];
        let of = match purpose {
            Purpose::Goal { role, .. } if purpose.is_best(machine) => format!("{} lines of {size}", machine.role_name(*role)),
            Purpose::Goal { role, value } => format!("lines of {size} for {value} points of {}", machine.role_name(*role)),
            Purpose::End => format!("lines of {size} that end the match"),
        };
        let open = if self.blockers.is_empty() { "" } else { " and not blocked" };
        let lacking = self.lacking.as_ref().map(|pattern| format!(", {} missing", pattern.text(vocabulary)));
        format!("{of} with {} filled{open}{}", self.filled, lacking.unwrap_or_default())
    }
}

impl Purpose {
    pub(crate) fn text(&self, machine: &Machine) -> String {
        match self {
            Purpose::Goal { role, value } => format!("(goal {} {value})", machine.role_name(*role)),
            Purpose::End => "terminal".to_owned(),
        }
    }

    /// Whether an expression means it.
    pub(crate) fn is_written(&self, machine: &Machine, text: &str) -> bool {
        let known = self.text(machine);
        let (known, wanted) = (parts(&known), parts(text));
        known.len() == wanted.len() && known.iter().zip(&wanted).all(|(known, wanted)| known.eq_ignore_ascii_case(wanted))
    }

    /// Whether it is the most that a role can have.
    pub(crate) fn is_best(&self, machine: &Machine) -> bool {
        matches!(self, Purpose::Goal { role, value } if ludens_gdl::points(value) == Some(machine.range(*role).1))
    }
}

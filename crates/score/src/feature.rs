//! What evaluation functions count.

use crate::derived::Derived;
use crate::distance::Distance;
use crate::lines::Lines;
use crate::partial::Partial;
use crate::pattern::Pattern;
use crate::reading;
use crate::vocabulary::{FluentId, SymbolId, Vocabulary, parts};
use ludens_machine::{Machine, RoleId};
use std::sync::Arc;

/// Something that can be counted in a state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Feature {
    /// How many rows that a pattern means are true.
    Count(Pattern),
    /// How many more rows of the first pattern are true than of the second.
    Difference(Pattern, Pattern),
    /// How many more rows of the first patterns are true than of the others: what looks alike is counted together.
    Balance(Box<[Pattern]>, Box<[Pattern]>),
    /// How many rows of any table that hold a symbol, wherever it stands, are true.
    Symbol(SymbolId),
    /// How many steps all true rows of a pattern are from a symbol.
    Distance(Distance),
    /// How many steps more those of the first are from theirs than those of the second.
    Lag(Distance, Distance),
    /// How many legal moves a role has.
    Moves(RoleId),
    /// How many lines are filled so far and not blocked.
    Lines(Lines),
    /// The greatest share that is true of what earns points or ends the match.
    Partial(Partial),
    /// How much greater the share of the first is than that of the second.
    Lead(Partial, Partial),
    /// How many atoms hold that the rules derive: a pattern over the tables of [`Vocabulary::derived`].
    Derived(Pattern),
}

impl Feature {
    /// How many more rows of some patterns are true than of others; of the first there is one at least.
    pub fn counts(mut more: Vec<Pattern>, mut less: Vec<Pattern>) -> Feature {
        match (more.len(), less.len()) {
            (1, 0) => Feature::Count(more.remove(0)),
            (1, 1) => Feature::Difference(more.remove(0), less.remove(0)),
            _ => Feature::Balance(more.into(), less.into()),
        }
    }

    /// What each fluent that is true adds to its value. Legal moves, lines, partial solutions and what is derived are more than the sum of fluents:
    /// nothing is said of them.
    pub fn shares(&self, vocabulary: &Vocabulary) -> Vec<(FluentId, f32)> {
        let of = |pattern: &Pattern, share: f32| {
            pattern.fluents(vocabulary).into_iter().map(move |fluent| (fluent, share)).collect::<Vec<_>>()
        };
        match self {
            Feature::Count(pattern) => of(pattern, 1.0),
            Feature::Difference(more, less) => [of(more, 1.0), of(less, -1.0)].concat(),
            Feature::Balance(more, less) => {
                let more = more.iter().flat_map(|pattern| of(pattern, 1.0));
                more.chain(less.iter().flat_map(|pattern| of(pattern, -1.0))).collect()
            }
            Feature::Symbol(symbol) => {
                let rows = (0..).map(FluentId).zip(vocabulary.rows());
                rows.filter(|(_, row)| row.symbols.contains(symbol)).map(|(fluent, _)| (fluent, 1.0)).collect()
            }
            Feature::Distance(distance) => distance.shares(vocabulary),
            Feature::Lag(more, less) => {
                let less = less.shares(vocabulary).into_iter().map(|(fluent, steps)| (fluent, -steps));
                more.shares(vocabulary).into_iter().chain(less).collect()
            }
            Feature::Moves(_) | Feature::Lines(_) | Feature::Partial(_) | Feature::Lead(..) | Feature::Derived(_) => Vec::new(),
        }
    }

    /// As an expression: what [`Feature::parse`] reads.
    pub fn text(&self, vocabulary: &Vocabulary, machine: &Machine) -> String {
        match self {
            Feature::Count(pattern) => pattern.text(vocabulary),
            Feature::Difference(more, less) => {
                format!("({} {} {})", own(vocabulary, "-", 2), more.text(vocabulary), less.text(vocabulary))
            }
            Feature::Balance(more, less) if less.is_empty() => sum_text(more, vocabulary),
            Feature::Balance(more, less) => {
                format!("({} {} {})", own(vocabulary, "-", 2), sum_text(more, vocabulary), sum_text(less, vocabulary))
            }
            Feature::Symbol(symbol) => format!("({} {})", own(vocabulary, "rows", 1), vocabulary.symbol(*symbol)),
            Feature::Distance(distance) => distance.text(vocabulary),
            Feature::Lag(more, less) => {
                format!("({} {} {})", own(vocabulary, "-", 2), more.text(vocabulary), less.text(vocabulary))
            }
            Feature::Moves(role) => format!("({} {})", own(vocabulary, "moves", 1), machine.role_name(*role)),
            Feature::Lines(lines) => lines.text(vocabulary, machine, &own(vocabulary, "lines", lines.words())),
            Feature::Partial(partial) => partial.text(vocabulary, machine),
            Feature::Lead(more, less) => {
                let texts = [more, less].map(|partial| partial.text(vocabulary, machine));
                format!("({} {})", own(vocabulary, "-", 2), texts.join(" "))
            }
            Feature::Derived(pattern) => {
                vocabulary.derived().map_or_else(String::new, |derived| pattern.text(&derived.vocabulary))
            }
        }
    }

    /// The feature that an expression stands for; `None` where the game has no such thing.
    pub fn parse(vocabulary: &Vocabulary, machine: &Machine, text: &str) -> Option<Feature> {
        let distance = |text: &str| Distance::parse(vocabulary, text);
        let partial = |text: &str| Partial::parse(vocabulary, machine, text);
        match &parts(text)[..] {
            [word, more, less] if *word == own(vocabulary, "-", 2) => {
                if let (Some(more), Some(less)) = (distance(more), distance(less)) {
                    Some(Feature::Lag(more, less))
                } else if let (Some(more), Some(less)) = (partial(more), partial(less)) {
                    Some(Feature::Lead(more, less))
                } else {
                    Some(Feature::counts(summands(vocabulary, more)?, summands(vocabulary, less)?))
                }
            }
            [word, _, _, ..] if *word == own(vocabulary, "+", parts(text).len() - 1) => {
                Some(Feature::counts(summands(vocabulary, text)?, Vec::new()))
            }
            [word, symbol] if *word == own(vocabulary, "rows", 1) => vocabulary.find_symbol(symbol).map(Feature::Symbol),
            [word, role] if *word == own(vocabulary, "moves", 1) => {
                machine.roles().find(|&known| machine.role_name(known).eq_ignore_ascii_case(role)).map(Feature::Moves)
            }
            [word, rest @ ..] if rest.len() >= 3 && *word == own(vocabulary, "lines", rest.len()) => {
                Lines::parse(vocabulary, machine, rest).map(Feature::Lines)
            }
            _ => distance(text)
                .map(Feature::Distance)
                .or_else(|| partial(text).map(Feature::Partial))
                .or_else(|| Pattern::parse(vocabulary, text).map(Feature::Count))
                .or_else(|| Pattern::parse(&vocabulary.derived()?.vocabulary, text).map(Feature::Derived)),
        }
    }

    /// In English.
    pub fn reading(&self, vocabulary: &Vocabulary, machine: &Machine) -> String {
        match self {
            Feature::Count(pattern) => reading::of_pattern(pattern, vocabulary),
            Feature::Difference(more, less) => reading::of_difference(more, less, vocabulary),
            Feature::Balance(more, less) => reading::of_balance(more, less, vocabulary),
            Feature::Symbol(symbol) => format!("how many rows of all tables have {}", vocabulary.symbol(*symbol)),
            Feature::Distance(distance) => reading::of_distance(distance, vocabulary),
            Feature::Lag(more, less) => {
                format!("{}, minus {}", reading::of_distance(more, vocabulary), reading::of_distance(less, vocabulary))
            }
            Feature::Moves(role) => format!("moves that {} can choose from", machine.role_name(*role)),
            Feature::Lines(lines) => lines.reading(vocabulary, machine),
            Feature::Partial(partial) => partial.reading(machine),
            Feature::Lead(more, less) => format!("{}, minus {}", more.reading(machine), less.reading(machine)),
            Feature::Derived(pattern) => {
                let of = |derived: &Arc<Derived>| {
                    let text = pattern.text(&derived.vocabulary);
                    let is_open = pattern.symbols.iter().any(Option::is_none);
                    if is_open { format!("how many {text} hold") } else { format!("whether {text} holds") }
                };
                vocabulary.derived().map_or_else(String::new, of)
            }
        }
    }
}

/// One pattern, or `(+ (cell a ? x) (cell h ? x))`.
fn sum_text(patterns: &[Pattern], vocabulary: &Vocabulary) -> String {
    let texts: Vec<String> = patterns.iter().map(|pattern| pattern.text(vocabulary)).collect();
    match &texts[..] {
        [text] => text.clone(),
        texts => format!("({} {})", own(vocabulary, "+", texts.len()), texts.join(" ")),
    }
}

/// What [`sum_text`] wrote.
fn summands(vocabulary: &Vocabulary, text: &str) -> Option<Vec<Pattern>> {
    match &parts(text)[..] {
        [word, rest @ ..] if rest.len() > 1 && *word == own(vocabulary, "+", rest.len()) => {
            rest.iter().map(|text| Pattern::parse(vocabulary, text)).collect()
        }
        _ => Some(vec![Pattern::parse(vocabulary, text)?]),
    }
}

/// A word of ours. Where the game has a table of that name it is marked as no name in a rule sheet can be.
pub(crate) fn own(vocabulary: &Vocabulary, word: &str, columns: usize) -> String {
    let mark = if vocabulary.find_table(word, columns).is_some() { "?" } else { "" };
    format!("{mark}{word}")
}

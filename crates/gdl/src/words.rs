//! What the different words of a sheet are: variables, connectives, keywords, plain names.

use std::collections::HashMap;

use crate::syntax::WordId;
use crate::{Keyword, Syntax};

/// The words that build rules and conditions. They are no relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connective {
    If,
    Not,
    Or,
    Distinct,
}

/// What a word is, wherever it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// `?x`.
    Variable,
    Connective(Connective),
    Keyword(Keyword),
    /// A name the sheet chose.
    Plain,
}

/// What is known about every word of a syntax, by [`WordId`].
pub(crate) struct Words {
    pub(crate) meanings: Vec<Meaning>,
    /// The first word that is equal up to letter case; itself where there is none before it.
    pub(crate) folded: Vec<WordId>,
    /// Pairs of plain names that differ in letter case only.
    pub(crate) clashes: Vec<(WordId, WordId)>,
}

/// Words that are printed in lower case wherever they stand, because every player reads them in any case.
pub(crate) fn is_folded_always(lower: &str) -> bool {
    keyword(lower).is_some() || connective(lower).is_some() || lower == "random"
}

pub(crate) fn keyword(lower: &str) -> Option<Keyword> {
    Keyword::ALL.iter().copied().find(|keyword| keyword.as_str() == lower)
}

fn connective(lower: &str) -> Option<Connective> {
    Some(match lower {
        "<=" => Connective::If,
        "not" => Connective::Not,
        "or" => Connective::Or,
        "distinct" => Connective::Distinct,
        _ => return None,
    })
}

impl Words {
    pub(crate) fn new(syntax: &Syntax) -> Self {
        let mut by_lower: HashMap<String, WordId> = HashMap::new();
        let mut words = Self { meanings: Vec::new(), folded: Vec::new(), clashes: Vec::new() };
        for (index, text) in syntax.words.iter().enumerate() {
            let word = WordId(index as u32);
            let lower = text.to_ascii_lowercase();
            let meaning = meaning(&lower);
            let folds = is_folded_always(&lower);
            let first = *by_lower.entry(lower).or_insert(word);
            if first != word && meaning == Meaning::Plain && !folds {
                words.clashes.push((first, word));
            }
            words.meanings.push(meaning);
            words.folded.push(first);
        }
        words
    }

    pub(crate) fn meaning(&self, word: WordId) -> Meaning {
        self.meanings[word.0 as usize]
    }

    pub(crate) fn is(&self, word: WordId, connective: Connective) -> bool {
        self.meaning(word) == Meaning::Connective(connective)
    }
}

fn meaning(lower: &str) -> Meaning {
    if lower.starts_with('?') {
        Meaning::Variable
    } else if let Some(connective) = connective(lower) {
        Meaning::Connective(connective)
    } else if let Some(keyword) = keyword(lower) {
        Meaning::Keyword(keyword)
    } else {
        Meaning::Plain
    }
}

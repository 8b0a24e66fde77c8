//! How every word of a sheet is used: as a relation, a function, with how many arguments, and where first.

use crate::Span;
use crate::syntax::WordId;

/// What a name stands for in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Relation,
    /// With at least one argument; constants are not noted.
    Function,
}

/// One way a word is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Use {
    pub(crate) kind: Kind,
    pub(crate) arity: usize,
    /// The first place.
    pub(crate) span: Span,
}

/// The different uses of every word, in the order of the text.
pub(crate) struct Uses {
    by_word: Vec<Vec<Use>>,
}

impl Uses {
    pub(crate) fn new(words: usize) -> Self {
        Self { by_word: vec![Vec::new(); words] }
    }

    pub(crate) fn note(&mut self, word: WordId, kind: Kind, arity: usize, span: Span) {
        let uses = &mut self.by_word[word.0 as usize];
        if !uses.iter().any(|other| other.kind == kind && other.arity == arity) {
            uses.push(Use { kind, arity, span });
        }
    }

    /// Every word with its uses.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (WordId, &[Use])> {
        self.by_word.iter().enumerate().map(|(index, uses)| (WordId(index as u32), uses.as_slice()))
    }
}

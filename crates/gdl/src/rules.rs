//! The normal form every later stage starts from: interned, or-free, safe, stratified rules with their spans.

use std::collections::HashSet;

use crate::Span;

/// A name of the sheet (constant, function or relation name), an index into [`Names`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u32);

/// A variable of one rule, an index into [`Rule::variables`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(pub u32);

/// A relation, an index into [`Rules::relations`]. Same name with another arity is another relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

/// The one table of names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    pub(crate) texts: Vec<String>,
}

impl Names {
    /// The text of a symbol, spelt as it was first met in the sheet (keywords in lower case).
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }

    /// The texts of all symbols, by their ids.
    pub fn texts(&self) -> Vec<String> {
        self.texts.iter().map(ToString::to_string).collect()
    }

    /// How many symbols there are; their ids are `0..len`.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// True where two symbols differ in letter case only.
    pub(crate) fn clash(&self) -> bool {
        let mut folded = HashSet::with_capacity(self.len());
        !self.texts.iter().all(|text| folded.insert(text.to_ascii_lowercase()))
    }

    /// True where the sheet has no symbol at all.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

/// A term: a variable, or a symbol applied to arguments (a constant has none; `(f)` is the constant `f`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// A variable of the rule.
    Var(VarId),
    /// A constant (no arguments) or a function term.
    Apply(Symbol, Box<[Term]>),
}

/// A relation applied to terms. For `true`, `next`, `init` and `base` the one argument is the fluent; for `does`, `legal`
/// and `input` the arguments are role and move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Atom {
    /// Which relation.
    pub relation: RelationId,
    /// As many terms as the relation's arity.
    pub args: Box<[Term]>,
    /// Where it stands in the text.
    pub span: Span,
}

/// One condition of a rule's body.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Literal {
    /// The atom holds.
    Is(Atom),
    /// The atom does not hold. Its variables all occur in some `Is` of the same rule.
    Not(Atom),
    /// The two terms differ.
    Distinct(Term, Term, Span),
    /// The two terms are equal: `(not (distinct a b))`.
    Equal(Term, Term, Span),
}

impl Term {
    /// Calls back with every variable of the term, from left to right, as often as it occurs.
    pub fn each_variable(&self, visit: &mut impl FnMut(VarId)) {
        match self {
            Term::Var(var) => visit(*var),
            Term::Apply(_, args) => args.iter().for_each(|arg| arg.each_variable(visit)),
        }
    }
}

impl Literal {
    /// The atom of an `Is` or a `Not`.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Is(atom) | Literal::Not(atom) => Some(atom),
            Literal::Distinct(..) | Literal::Equal(..) => None,
        }
    }

    /// Calls back with every variable of the condition, from left to right, as often as it occurs.
    pub fn each_variable(&self, visit: &mut impl FnMut(VarId)) {
        match self {
            Literal::Is(atom) | Literal::Not(atom) => atom.args.iter().for_each(|arg| arg.each_variable(visit)),
            Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
                left.each_variable(visit);
                right.each_variable(visit);
            }
        }
    }
}

/// A fact (empty body, ground head) or a rule. A rule of the sheet with `or` gives several of these with one span.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// The conditions, in the order of the text.
    pub body: Box<[Literal]>,
    /// The names of the variables without `?`, indexed by [`VarId`].
    pub variables: Box<[String]>,
    /// The whole statement in the text.
    pub span: Span,
}

/// The relations GDL gives a meaning to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)] // each is GDL's own word
pub enum Keyword {
    Role,
    Base,
    Input,
    Init,
    True,
    Does,
    Legal,
    Next,
    Goal,
    Terminal,
}

impl Keyword {
    /// All of them, in the order GDL explains them.
    pub const ALL: &[Keyword] = &[
        Keyword::Role,
        Keyword::Base,
        Keyword::Input,
        Keyword::Init,
        Keyword::True,
        Keyword::Does,
        Keyword::Legal,
        Keyword::Next,
        Keyword::Goal,
        Keyword::Terminal,
    ];

    /// The word itself, in lower case.
    pub fn as_str(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Base => "base",
            Keyword::Input => "input",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Does => "does",
            Keyword::Legal => "legal",
            Keyword::Next => "next",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
        }
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Keyword::Terminal => 0,
            Keyword::Role | Keyword::Base | Keyword::Init | Keyword::True | Keyword::Next => 1,
            Keyword::Input | Keyword::Does | Keyword::Legal | Keyword::Goal => 2,
        }
    }
}

/// What the truth of a relation depends on, through any number of rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Depends {
    /// Neither `true` nor `does`: the same in all states.
    Nothing,
    /// `true`, not `does`.
    State,
    /// `does`.
    Moves,
}

/// A relation of the sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// Its name.
    pub name: Symbol,
    /// How many arguments it takes.
    pub arity: usize,
    /// Set where GDL gives the relation a meaning.
    pub keyword: Option<Keyword>,
    /// What it depends on.
    pub depends: Depends,
}

/// A checked rule sheet.
///
/// Invariants: every atom has its relation's arity; every variable of a head, a `Not`, a `Distinct` or an `Equal` occurs in
/// an `Is` of the same rule (an `Equal` with a bound side may bind the other); no rule reaches itself through a `Not`;
/// heads are never `role` (but as facts), `true` or `does`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// All names.
    pub names: Names,
    /// True where symbols that differ in letter case only are different in this sheet.
    pub case_sensitive: bool,
    /// All relations, by [`RelationId`].
    pub relations: Vec<Relation>,
    /// Facts and rules in the order of the text.
    pub rules: Vec<Rule>,
    /// The players, in the order of the text; ground terms, almost always constants.
    pub roles: Vec<Term>,
    /// True where the sheet has a role called `random`, which GDL-II plays by chance and we play as an ordinary role.
    pub needs_gdl2: bool,
}

impl Rules {
    /// The relation GDL knows by this word, if the sheet has it.
    pub fn keyword(&self, keyword: Keyword) -> Option<RelationId> {
        self.relations.iter().position(|relation| relation.keyword == Some(keyword)).map(|index| RelationId(index as u32))
    }

    /// The relation with this id.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.0 as usize]
    }

    /// The same rules with all spans empty, so that what two texts say can be compared with `==`.
    #[must_use]
    pub fn without_spans(&self) -> Rules {
        let mut rules = self.clone();
        for rule in &mut rules.rules {
            rule.span = Span::default();
            rule.head.span = Span::default();
            for literal in &mut rule.body {
                match literal {
                    Literal::Is(atom) | Literal::Not(atom) => atom.span = Span::default(),
                    Literal::Distinct(_, _, span) | Literal::Equal(_, _, span) => *span = Span::default(),
                }
            }
        }
        rules
    }
}

//! Is every statement a fact or a rule, every condition a condition, every term a term? All that can be said without
//! looking at more than one statement, or at what a name means elsewhere.

use crate::diagnostic::Findings;
use crate::syntax::{Node, NodeId, WordId};
use crate::uses::{Kind, Uses};
use crate::wording::{legible, plural};
use crate::words::{Connective, Meaning, Words};
use crate::{Code, Diagnostic, Keyword, Limits, Span, Syntax};

/// Where a sentence stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Fact,
    Head,
    Body,
}

/// Checks the form of single statements.
pub(crate) struct Forms<'a> {
    pub(crate) syntax: &'a Syntax,
    pub(crate) words: &'a Words,
    limits: &'a Limits,
    pub(crate) findings: &'a mut Findings,
    /// What the names stand for, noted on the way.
    pub(crate) uses: Uses,
    /// Set once the statement at hand has an error, so that it is not lowered.
    failed: bool,
}

impl<'a> Forms<'a> {
    pub(crate) fn new(syntax: &'a Syntax, words: &'a Words, limits: &'a Limits, findings: &'a mut Findings) -> Self {
        Self { syntax, words, limits, findings, uses: Uses::new(syntax.words.len()), failed: false }
    }

    /// Checks one statement; true where it can be lowered.
    pub(crate) fn statement(&mut self, id: NodeId) -> bool {
        self.failed = false;
        match self.syntax.node(id) {
            Node::List([first, rest @ ..]) if self.is_connective(*first, Connective::If) => self.rule(id, rest),
            Node::Word(word) if self.words.meaning(word) == Meaning::Variable => {
                self.error(Code::BadStatement, self.syntax.span(id), "a variable is no statement", "neither fact nor rule");
            }
            _ => self.sentence(id, Place::Fact),
        }
        !self.failed
    }

    fn rule(&mut self, id: NodeId, parts: &[NodeId]) {
        let span = self.syntax.span(id);
        let Some((&head, body)) = parts.split_first() else {
            return self.error(Code::BadStatement, span, "a rule must have a head", "nothing follows from nothing");
        };
        if body.is_empty() {
            let finding = Diagnostic::new(Code::EmptyBody, span, "a rule without conditions is a fact", "no conditions");
            self.findings.push(finding.hint("write the head alone"));
        }
        self.sentence(head, if body.is_empty() { Place::Fact } else { Place::Head });
        for &literal in body {
            self.literal(literal);
        }
    }

    fn literal(&mut self, id: NodeId) {
        match self.syntax.node(id) {
            Node::Word(word) if self.words.meaning(word) == Meaning::Variable => {
                let message = "a variable cannot be a condition; conditions are sentences";
                self.error(Code::BadLiteral, self.syntax.span(id), message, "a variable");
            }
            Node::List([first, rest @ ..]) => match self.connective(*first) {
                Some(Connective::Not) => self.negation(id, rest),
                Some(Connective::Or) => self.disjunction(id, rest),
                Some(Connective::Distinct) => self.distinct(id, rest),
                Some(Connective::If) | None => self.sentence(id, Place::Body),
            },
            _ => self.sentence(id, Place::Body),
        }
    }

    fn negation(&mut self, id: NodeId, args: &[NodeId]) {
        let &[inner] = args else {
            return self.wrong_count(id, "not", 1, args.len());
        };
        if let Node::List([first, rest @ ..]) = self.syntax.node(inner) {
            match self.connective(*first) {
                Some(Connective::Distinct) => {
                    let message = "`(not (distinct ...))` is read as equality; other players reject it";
                    let span = self.syntax.span(id);
                    let finding = Diagnostic::new(Code::NegatedDistinct, span, message, "equality");
                    self.findings.push(finding.hint("use the same variable in both places instead"));
                    return self.distinct(inner, rest);
                }
                Some(connective @ (Connective::Or | Connective::Not)) => {
                    let (word, hint) = match connective {
                        Connective::Or => ("or", "write one `not` for every alternative"),
                        _ => ("not", "leave out both `not`s, or name the inner condition by a relation of its own"),
                    };
                    let message = format!("only a sentence can be negated, not `{word}`");
                    let finding = Diagnostic::new(Code::NegatedCompound, self.syntax.span(inner), message, "no sentence");
                    return self.fail(finding.hint(hint));
                }
                Some(Connective::If) | None => {}
            }
        }
        match self.syntax.node(inner) {
            Node::Word(word) if self.words.meaning(word) == Meaning::Variable => self.literal(inner),
            _ => self.sentence(inner, Place::Body),
        }
    }

    fn disjunction(&mut self, id: NodeId, args: &[NodeId]) {
        if args.is_empty() {
            let message = "an `or` without alternatives is false, so this rule never applies";
            self.findings.push(Diagnostic::new(Code::EmptyOr, self.syntax.span(id), message, "no alternatives"));
        }
        for &alternative in args {
            if let Node::List([first, ..]) = self.syntax.node(alternative)
                && self.is_connective(*first, Connective::Or)
            {
                let span = self.syntax.span(alternative);
                let message = "an `or` directly inside an `or` says nothing that one `or` does not";
                let finding = Diagnostic::new(Code::NestedOr, span, message, "`or` inside `or`");
                self.findings.push(finding.hint("move its alternatives to the outer `or`"));
            }
            self.literal(alternative);
        }
    }

    fn distinct(&mut self, id: NodeId, args: &[NodeId]) {
        if args.len() != 2 {
            return self.wrong_count(id, "distinct", 2, args.len());
        }
        for &arg in args {
            self.term(arg);
        }
    }

    /// A relation applied to terms.
    fn sentence(&mut self, id: NodeId, place: Place) {
        let span = self.syntax.span(id);
        let (name, args) = match self.syntax.node(id) {
            Node::Word(word) => (word, &[][..]),
            Node::List(elements) => match self.name_of(id, elements) {
                Some(name) => (name, &elements[1..]),
                None => return,
            },
        };
        let takes_none = !matches!(self.words.meaning(name), Meaning::Keyword(keyword) if keyword.arity() > 0);
        if args.is_empty() && takes_none && matches!(self.syntax.node(id), Node::List(_)) {
            self.needless(id, name);
        }
        self.argument_count(name, args.len(), span);
        match self.words.meaning(name) {
            Meaning::Connective(connective) => self.misplaced(connective, place, span),
            Meaning::Keyword(keyword) => self.keyword_sentence(keyword, args.len(), place, span),
            Meaning::Variable => {
                let message = format!("`{}` stands for a relation, and variables stand for terms only", self.shown(name));
                self.error(Code::BadVariable, span, &message, "a variable");
            }
            Meaning::Plain => self.uses.note(name, Kind::Relation, args.len(), span),
        }
        for &arg in args {
            self.term(arg);
        }
    }

    fn misplaced(&mut self, connective: Connective, place: Place, span: Span) {
        let word = match connective {
            Connective::If => "<=",
            Connective::Not => "not",
            Connective::Or => "or",
            Connective::Distinct => "distinct",
        };
        let (what, label) = match place {
            Place::Fact => ("a statement", "this statement"),
            Place::Head => ("the head of a rule", "this head"),
            Place::Body => ("a condition", "this condition"),
        };
        let message = format!("`{word}` is a connective and cannot be the relation of {what}");
        self.error(Code::ReservedWord, span, &message, label);
    }

    fn keyword_sentence(&mut self, keyword: Keyword, count: usize, place: Place, span: Span) {
        let word = keyword.as_str();
        if count != keyword.arity() {
            let message = format!("`{word}` takes {} but has {count} here", plural(keyword.arity(), "argument"));
            self.error(Code::KeywordArity, span, &message, "wrong number of arguments");
        }
        match (place, keyword) {
            (Place::Fact | Place::Head, Keyword::True | Keyword::Does) => {
                let message = format!("`{word}` is given by the game's course and cannot be stated");
                let other = if keyword == Keyword::True { "init` or `next" } else { "legal" };
                let finding = Diagnostic::new(Code::KeywordHead, span, message, format!("`{word}` stated"));
                self.fail(finding.hint(format!("did you mean `{other}`?")));
            }
            (Place::Head, Keyword::Role) => {
                let message = "roles are given by facts, and this is a rule";
                let finding = Diagnostic::new(Code::RoleByRule, span, message, "role by rule");
                self.fail(finding.hint("state `(role NAME)` once for every player"));
            }
            (Place::Body, Keyword::Init | Keyword::Next | Keyword::Base | Keyword::Input) => {
                let message = format!("`{word}` cannot be a condition");
                let finding = Diagnostic::new(Code::KeywordInBody, span, message, "in a body");
                let hint = match keyword {
                    Keyword::Input => "ask for `legal` or `does`, or name what it says by a relation of its own",
                    Keyword::Base => "name what it says by a relation of its own",
                    _ => "ask for `true`, or name what it says by a relation of its own",
                };
                self.fail(finding.hint(hint));
            }
            _ => {}
        }
    }

    /// Recurses as deep as the reader's limit on nesting lets it.
    fn term(&mut self, id: NodeId) {
        let span = self.syntax.span(id);
        match self.syntax.node(id) {
            Node::Word(word) => self.constant(word, span),
            Node::List(elements) => {
                let Some(name) = self.name_of(id, elements) else { return };
                match elements.len() {
                    1 => {
                        self.needless(id, name);
                        self.constant(name, span);
                    }
                    count => self.function(name, count - 1, span),
                }
                for &arg in &elements[1..] {
                    self.term(arg);
                }
            }
        }
    }

    fn constant(&mut self, word: WordId, span: Span) {
        match self.words.meaning(word) {
            Meaning::Variable if self.syntax.word(word) == "?" => {
                self.error(Code::BadVariable, span, "a variable must have a name", "only `?`");
            }
            Meaning::Connective(_) => {
                let message = format!("`{}` is a connective and cannot be a constant", self.shown(word));
                self.error(Code::ReservedWord, span, &message, "used as a constant");
            }
            Meaning::Keyword(_) => {
                let message = format!("the keyword `{}` is used as a constant, which some players misread", self.shown(word));
                self.findings.push(Diagnostic::new(Code::KeywordConstant, span, message, "a constant here"));
            }
            _ => {}
        }
    }

    /// Connectives are connectives by position, and public sheets have `not` as a function; keywords are not so lucky.
    fn function(&mut self, name: WordId, count: usize, span: Span) {
        self.argument_count(name, count, span);
        match self.words.meaning(name) {
            Meaning::Connective(Connective::If) => {
                self.error(Code::ReservedWord, span, "a rule cannot stand inside a term", "`<=` as a function");
            }
            Meaning::Connective(_) => {
                let message = format!("the connective `{}` is used as a function, which some players misread", self.shown(name));
                self.findings.push(Diagnostic::new(Code::ReservedFunction, span, message, "a term, not a condition"));
            }
            Meaning::Keyword(_) => {
                let message = format!("the keyword `{}` cannot be a function", self.shown(name));
                self.error(Code::KeywordFunction, span, &message, "inside a term");
            }
            Meaning::Variable => {
                let message = format!("`{}` stands for a function, and variables stand for terms only", self.shown(name));
                self.error(Code::BadVariable, span, &message, "a variable");
            }
            Meaning::Plain => self.uses.note(name, Kind::Function, count, span),
        }
    }

    /// A word as messages show it.
    fn shown(&self, word: WordId) -> String {
        legible(self.syntax.word(word))
    }

    fn argument_count(&mut self, name: WordId, count: usize, span: Span) {
        let limit = self.limits.arguments;
        if count > limit {
            let count = plural(count, "argument");
            let message = format!("`{}` has {count} here, and the limit is {limit}", self.shown(name));
            self.error(Code::TooLarge, span, &message, "too many arguments");
        }
    }

    /// The word a list begins with.
    fn name_of(&mut self, id: NodeId, elements: &[NodeId]) -> Option<WordId> {
        match elements.first().map(|&first| self.syntax.node(first)) {
            Some(Node::Word(word)) => Some(word),
            Some(Node::List(_)) => {
                let message = "this list begins with a list, and a list must begin with a name";
                self.error(Code::ListAsName, self.syntax.span(elements[0]), message, "a name must stand here");
                None
            }
            None => {
                self.error(Code::EmptyList, self.syntax.span(id), "an empty list means nothing in GDL", "empty");
                None
            }
        }
    }

    fn needless(&mut self, id: NodeId, name: WordId) {
        let text = self.shown(name);
        let message = format!("`({text})` means `{text}`, but some players take them for two things");
        let finding = Diagnostic::new(Code::NeedlessParentheses, self.syntax.span(id), message, "needless parentheses");
        self.findings.push(finding.hint(format!("write `{text}`")));
    }

    fn wrong_count(&mut self, id: NodeId, word: &str, takes: usize, has: usize) {
        let message = format!("`{word}` takes {} but has {has} here", plural(takes, "argument"));
        self.error(Code::BadLiteral, self.syntax.span(id), &message, "wrong number of arguments");
    }

    fn connective(&self, id: NodeId) -> Option<Connective> {
        match self.syntax.node(id) {
            Node::Word(word) => match self.words.meaning(word) {
                Meaning::Connective(connective) => Some(connective),
                _ => None,
            },
            Node::List(_) => None,
        }
    }

    fn is_connective(&self, id: NodeId, connective: Connective) -> bool {
        self.connective(id) == Some(connective)
    }

    fn error(&mut self, code: Code, span: Span, message: &str, label: &str) {
        self.fail(Diagnostic::new(code, span, message, label));
    }

    fn fail(&mut self, finding: Diagnostic) {
        self.failed = true;
        self.findings.push(finding);
    }
}

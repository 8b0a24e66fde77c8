//! Terms without variables, as they come over the wire or from the command line.

use std::fmt;

use crate::parse::{Token, Tokens};
use crate::{Limits, Rules, Symbol, Term};

/// A term without variables, with names as they were written. It belongs to no sheet; [`Rules::resolve`] finds it in one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundTerm {
    /// The constant's or function's name.
    pub name: String,
    /// The arguments; a constant has none.
    pub args: Vec<GroundTerm>,
}

/// Why a text is no ground term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundError {
    /// The byte where it went wrong.
    pub at: usize,
    /// What went wrong, in a few words.
    pub message: &'static str,
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.message, self.at)
    }
}

impl std::error::Error for GroundError {}

/// Terms this deep come from no game; the depth of the sheets themselves is limited to the same.
const DEPTH: usize = 500;

/// Reads exactly one ground term: `noop`, `(mark 1 1)`, `( mark 1 1 )`.
pub fn parse_ground(text: &str) -> Result<GroundTerm, GroundError> {
    let mut terms = parse_ground_list(text)?;
    match (terms.pop(), terms.is_empty()) {
        (Some(term), true) => Ok(term),
        (None, _) => Err(GroundError { at: text.len(), message: "a term is missing" }),
        (Some(_), false) => Err(GroundError { at: 0, message: "there is more than one term" }),
    }
}

/// Reads ground terms separated by blanks; none is fine.
pub fn parse_ground_list(text: &str) -> Result<Vec<GroundTerm>, GroundError> {
    let mut terms = Vec::new();
    // Open lists: where they were opened, and what was read of them.
    let mut open: Vec<(usize, Option<GroundTerm>)> = Vec::new();
    for (token, start, end) in Tokens::new(text) {
        let error = |message| Err(GroundError { at: start, message });
        let finished = match token {
            Token::Open if open.last().is_some_and(|(_, term)| term.is_none()) => {
                return error("a list must begin with a name");
            }
            Token::Open if open.len() >= DEPTH.min(Limits::MAX_DEPTH) => return error("the term nests too deep"),
            Token::Open => {
                open.push((start, None));
                continue;
            }
            Token::Close => match open.pop() {
                None => return error("a closing parenthesis has no opening one"),
                Some((_, None)) => return error("a list is empty"),
                Some((_, Some(term))) => term,
            },
            Token::Word if text[start..].starts_with('?') => return error("a variable cannot stand here"),
            Token::Word => GroundTerm { name: text[start..end].to_owned(), args: Vec::new() },
        };
        match open.last_mut() {
            None => terms.push(finished),
            Some((_, Some(outer))) => outer.args.push(finished),
            Some((_, name)) => *name = Some(finished),
        }
    }
    match open.last() {
        None => Ok(terms),
        Some(&(at, _)) => Err(GroundError { at, message: "a list is never closed" }),
    }
}

/// As players write it: single blanks, no blank next to a parenthesis.
impl fmt::Display for GroundTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.args.is_empty() {
            return f.write_str(&self.name);
        }
        write!(f, "({}", self.name)?;
        for arg in &self.args {
            write!(f, " {arg}")?;
        }
        f.write_str(")")
    }
}

impl Rules {
    /// The symbol with this text: spelt exactly so, or else the only one that differs in letter case alone.
    pub fn symbol(&self, text: &str) -> Option<Symbol> {
        let ids = || (0..self.names.len() as u32).map(Symbol);
        if let Some(symbol) = ids().find(|&symbol| self.names.text(symbol) == text) {
            return Some(symbol);
        }
        let mut similar = ids().filter(|&symbol| self.names.text(symbol).eq_ignore_ascii_case(text));
        similar.next().filter(|_| similar.next().is_none())
    }

    /// The term of this sheet that a term from elsewhere means; `None` where it has a name the sheet does not have.
    pub fn resolve(&self, term: &GroundTerm) -> Option<Term> {
        let args: Option<Box<[Term]>> = term.args.iter().map(|arg| self.resolve(arg)).collect();
        Some(Term::Apply(self.symbol(&term.name)?, args?))
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_ground, parse_ground_list};

    #[test]
    fn terms_in_and_out() {
        let cases = [
            ("noop", Some("noop")),
            ("(noop)", Some("noop")),
            ("( mark 1\t1 )", Some("(mark 1 1)")),
            (" (f (g a)(h) b) ; remark", Some("(f (g a) h b)")),
            ("", None),
            ("a b", None),
            ("(", None),
            (")", None),
            ("()", None),
            ("((f) a)", None),
            ("(f ?x)", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse_ground(text).ok().map(|term| term.to_string()).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn lists_of_terms() {
        let terms = parse_ground_list("(mark 1 1) noop(x y)").expect("three terms");
        assert_eq!(terms.iter().map(ToString::to_string).collect::<Vec<_>>(), ["(mark 1 1)", "noop", "(x y)"]);
        assert_eq!(parse_ground_list(" ").expect("no term"), []);
    }

    #[test]
    fn depth_is_limited() {
        let deep = |depth: usize| format!("{}a{}", "(f ".repeat(depth), ")".repeat(depth));
        assert!(parse_ground(&deep(500)).is_ok());
        assert!(parse_ground(&deep(501)).is_err());
        assert!(parse_ground(&deep(1_000_000)).is_err());
    }
}

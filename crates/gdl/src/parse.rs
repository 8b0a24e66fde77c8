//! Text to [`Syntax`]: an iterative reader that recovers from what it does not understand.

use std::collections::HashMap;

use crate::diagnostic::Findings;
use crate::syntax::{NodeId, Shape, WordId};
use crate::{Code, Diagnostic, Limits, Span, Syntax};

/// Reads a text into words and lists, together with what is wrong with its parentheses.
///
/// The syntax holds every statement that could be read; where something had to be left out there is an
/// error, and [`lower`](crate::lower) gives no rules.
pub fn parse(text: &str, limits: &Limits) -> (Syntax, Vec<Diagnostic>) {
    let mut findings = Findings::new(limits);
    let syntax = parse_into(text, limits, &mut findings);
    (syntax, findings.finish())
}

pub(crate) fn parse_into(text: &str, limits: &Limits, findings: &mut Findings) -> Syntax {
    if text.len() > limits.bytes.min(u32::MAX as usize) {
        let message = format!("the text has {} bytes, and the limit is {}", text.len(), limits.bytes);
        findings.push(Diagnostic::new(Code::TooLarge, Span::default(), message, "the text starts here"));
        return Syntax { broken: true, ..Syntax::default() };
    }
    let resynchronise = leaves_open(text);
    let mut parser = Parser {
        text,
        depth: limits.depth.clamp(1, Limits::MAX_DEPTH),
        statements: limits.rules,
        resynchronise,
        syntax: Syntax::default(),
        words: HashMap::new(),
        pending: Vec::new(),
        open: Vec::new(),
        findings,
    };
    parser.run();
    parser.syntax
}

/// A piece of the text between separators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Open,
    Close,
    Word,
}

/// The tokens of a text with their byte ranges. Only ASCII blanks separate words, and `;` starts a comment anywhere.
pub(crate) struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0 }
    }
}

impl Iterator for Tokens<'_> {
    type Item = (Token, usize, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at;
            match *self.bytes.get(start)? {
                b' ' | b'\t'..=b'\r' => self.at += 1,
                b';' => {
                    let rest = &self.bytes[start..];
                    self.at += rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(rest.len());
                }
                b'(' => {
                    self.at += 1;
                    return Some((Token::Open, start, self.at));
                }
                b')' => {
                    self.at += 1;
                    return Some((Token::Close, start, self.at));
                }
                _ => {
                    let rest = &self.bytes[start..];
                    let ends = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r' | b';' | b'(' | b')');
                    self.at += rest.iter().position(ends).unwrap_or(rest.len());
                    return Some((Token::Word, start, self.at));
                }
            }
        }
    }
}

/// True where a list is left open: at the end of the text, or before a line that starts a rule.
fn leaves_open(text: &str) -> bool {
    let mut depth = 0_usize;
    for (token, start, _) in Tokens::new(text) {
        match token {
            Token::Open if depth > 0 && starts_line(text, start) && text[start..].starts_with("(<=") => return true,
            Token::Open => depth += 1,
            Token::Close => depth = depth.saturating_sub(1),
            Token::Word => {}
        }
    }
    depth > 0
}

fn starts_line(text: &str, at: usize) -> bool {
    at == 0 || matches!(text.as_bytes()[at - 1], b'\n' | b'\r')
}

struct Parser<'a> {
    text: &'a str,
    /// How deep lists may nest.
    depth: usize,
    /// How many statements there may be.
    statements: usize,
    /// Set where a list is left open: then a parenthesis in the first column starts a new statement, so that one forgotten
    /// parenthesis does not swallow the rest of the sheet.
    resynchronise: bool,
    syntax: Syntax,
    words: HashMap<&'a str, WordId>,
    /// Finished nodes of the lists that are still open.
    pending: Vec<NodeId>,
    /// Open lists: the byte of the parenthesis, and the length `pending` had there.
    open: Vec<(usize, usize)>,
    findings: &'a mut Findings,
}

impl Parser<'_> {
    fn run(&mut self) {
        let mut tokens = Tokens::new(self.text);
        while let Some((token, start, end)) = tokens.next() {
            if self.open.is_empty() && token != Token::Close && self.syntax.statements.len() >= self.statements {
                return self.too_many_statements(start, end);
            }
            match token {
                Token::Open => {
                    if self.resynchronise && !self.open.is_empty() && starts_line(self.text, start) {
                        self.abandon();
                    }
                    if self.open.len() >= self.depth {
                        self.too_deep(start);
                        skip_lists(&mut tokens, self.open.len() + 1);
                        self.open.clear();
                        self.pending.clear();
                    } else {
                        self.open.push((start, self.pending.len()));
                    }
                }
                Token::Close => self.close(start, end),
                Token::Word => {
                    let word = self.word(start, end);
                    self.finish(Shape::Word(word), Span::new(start, end));
                }
            }
        }
        if !self.open.is_empty() {
            self.abandon();
        }
    }

    fn word(&mut self, start: usize, end: usize) -> WordId {
        let text = &self.text[start..end];
        let Syntax { words, firsts, .. } = &mut self.syntax;
        *self.words.entry(text).or_insert_with(|| {
            words.push(text.to_owned());
            firsts.push(Span::new(start, end));
            WordId(words.len() as u32 - 1)
        })
    }

    /// Adds a node to the list it stands in, or to the statements.
    fn finish(&mut self, shape: Shape, span: Span) {
        let id = NodeId(self.syntax.shapes.len() as u32);
        self.syntax.shapes.push(shape);
        self.syntax.spans.push(span);
        if self.open.is_empty() {
            self.syntax.statements.push(id);
        } else {
            self.pending.push(id);
        }
    }

    fn close(&mut self, start: usize, end: usize) {
        let Some((opened, below)) = self.open.pop() else {
            self.syntax.broken = true;
            let message = "this closing parenthesis has no opening one";
            let finding = Diagnostic::new(Code::SurplusParenthesis, Span::new(start, end), message, "surplus");
            return self.findings.push(finding.hint("remove it, or look for one too many in the statement before"));
        };
        let first = self.syntax.children.len() as u32;
        self.syntax.children.extend(self.pending.drain(below..));
        let len = self.syntax.children.len() as u32 - first;
        self.finish(Shape::List { first, len }, Span::new(opened, end));
    }

    /// Gives up the statement that is being read, because a list of it is never closed.
    fn abandon(&mut self) {
        let (outer, _) = self.open[0];
        let missing = self.open.len();
        self.open.clear();
        self.pending.clear();
        self.syntax.broken = true;
        let span = Span::new(outer, outer + 1);
        let message = if missing == 1 {
            "the list opened here is never closed".to_owned()
        } else {
            format!("the statement opened here lacks {missing} closing parentheses")
        };
        self.findings.push(Diagnostic::new(Code::UnclosedParenthesis, span, message, "opened here").hint("add the missing `)`"));
    }

    fn too_deep(&mut self, start: usize) {
        self.syntax.broken = true;
        let message = format!("lists nest deeper than {} here", self.depth);
        self.findings.push(Diagnostic::new(Code::TooDeep, Span::new(start, start + 1), message, "one list too deep"));
    }

    fn too_many_statements(&mut self, start: usize, end: usize) {
        self.syntax.broken = true;
        let message = format!("the sheet has more than {} statements, which is the limit", self.statements);
        self.findings.push(Diagnostic::new(Code::TooLarge, Span::new(start, end), message, "reading stops here"));
    }
}

/// Passes over what is left of so many open lists.
fn skip_lists(tokens: &mut Tokens<'_>, mut depth: usize) {
    while depth > 0 {
        match tokens.next() {
            Some((Token::Open, _, _)) => depth += 1,
            Some((Token::Close, _, _)) => depth -= 1,
            Some((Token::Word, _, _)) => {}
            None => return,
        }
    }
}

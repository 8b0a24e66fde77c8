//! What can be said about a sheet once its statements are rules.

mod duplicates;
mod keywords;
mod names;
mod recursion;
pub(crate) mod safety;
mod similar;
mod stratified;
mod unify;
mod usage;

use crate::diagnostic::Findings;
use crate::syntax::{Node, NodeId};
use crate::uses::Uses;
use crate::words::Words;
use crate::{Rules, Span, Syntax};

/// A sheet with all that the checks look at.
pub(crate) struct Sheet<'a> {
    pub(crate) syntax: &'a Syntax,
    pub(crate) words: &'a Words,
    pub(crate) uses: &'a Uses,
    pub(crate) rules: &'a Rules,
    /// The statement every rule came from, by its place in the syntax's list.
    pub(crate) statements: &'a [u32],
    /// Which relations depend on each other: those with the same number.
    pub(crate) component_of: &'a [u32],
    /// False where a statement is missing because of an error: then nothing can be said about what a sheet lacks.
    pub(crate) complete: bool,
}

/// All checks, in the order of the list of codes.
pub(crate) fn sheet(sheet: &Sheet<'_>, findings: &mut Findings) {
    names::check(sheet, findings);
    safety::check(sheet, findings);
    duplicates::check(sheet, findings);
    keywords::check(sheet, findings);
    usage::check(sheet, findings);
    stratified::check(sheet, findings);
    recursion::check(sheet, findings);
}

/// The first place inside `within` where a word stands. Only what overlaps `within` is looked at, however long the statement.
pub(crate) fn locate(syntax: &Syntax, statement: NodeId, within: Span, word: &str) -> Span {
    let mut stack = vec![statement];
    while let Some(id) = stack.pop() {
        match syntax.node(id) {
            Node::List(elements) => {
                let from = elements.partition_point(|&element| syntax.span(element).end <= within.start);
                let to = elements.partition_point(|&element| syntax.span(element).start < within.end);
                stack.extend(elements[from..to].iter().rev());
            }
            Node::Word(other) => {
                let span = syntax.span(id);
                let inside = within.start <= span.start && span.end <= within.end;
                if inside && syntax.word(other) == word {
                    return span;
                }
            }
        }
    }
    within
}

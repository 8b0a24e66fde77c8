//! `or` taken apart: the `or`-free bodies of one rule.

use crate::Syntax;
use crate::syntax::{Node, NodeId};
use crate::words::{Connective, Words};

/// A body as a conjunction of disjunctions of `or`-free conditions. GDL has no `and`, so this is all there is to it.
pub(crate) struct Clauses {
    alternatives: Vec<Vec<NodeId>>,
}

impl Clauses {
    pub(crate) fn new(syntax: &Syntax, words: &Words, body: &[NodeId]) -> Self {
        let alternatives = body.iter().map(|&literal| flatten(syntax, words, literal)).collect();
        Self { alternatives }
    }

    /// How many bodies come out, saturating.
    pub(crate) fn count(&self) -> usize {
        self.alternatives.iter().fold(1, |count: usize, choices| count.saturating_mul(choices.len()))
    }

    /// Calls back with every body; the choice inside the first `or` of the text changes slowest.
    pub(crate) fn each(&self, mut use_body: impl FnMut(&[NodeId])) {
        if self.alternatives.iter().any(Vec::is_empty) {
            return;
        }
        let mut choice = vec![0; self.alternatives.len()];
        let mut body: Vec<NodeId> = self.alternatives.iter().map(|choices| choices[0]).collect();
        loop {
            use_body(&body);
            let Some(place) = (0..choice.len()).rev().find(|&place| choice[place] + 1 < self.alternatives[place].len()) else {
                return;
            };
            choice[place] += 1;
            choice[place + 1..].fill(0);
            for index in place..choice.len() {
                body[index] = self.alternatives[index][choice[index]];
            }
        }
    }
}

/// The alternatives of one condition, `or`s inside `or`s included; iterative, like everything that follows the text's depth.
fn flatten(syntax: &Syntax, words: &Words, literal: NodeId) -> Vec<NodeId> {
    let mut leaves = Vec::new();
    let mut stack = vec![literal];
    while let Some(id) = stack.pop() {
        match syntax.node(id) {
            Node::List([first, alternatives @ ..]) if is_or(syntax, words, *first) => stack.extend(alternatives.iter().rev()),
            _ => leaves.push(id),
        }
    }
    leaves
}

fn is_or(syntax: &Syntax, words: &Words, id: NodeId) -> bool {
    matches!(syntax.node(id), Node::Word(word) if words.is(word, Connective::Or))
}

//! Which tables have a say in the points, the legal moves and the end of a state.

use crate::vocabulary::Vocabulary;
use ludens_gdl::{Atom, Keyword, Rules, Term};

/// Per table: whether the rules read it, through any number of others, to tell the state's points, its legal moves, whether it is
/// the end. What it does to later states does not count.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Influence {
    pub(super) goal: Vec<bool>,
    pub(super) legal: Vec<bool>,
    pub(super) terminal: Vec<bool>,
}

impl Influence {
    pub(super) fn of(rules: &Rules, vocabulary: &Vocabulary) -> Influence {
        Influence {
            goal: reach(rules, vocabulary, Keyword::Goal),
            legal: reach(rules, vocabulary, Keyword::Legal),
            terminal: reach(rules, vocabulary, Keyword::Terminal),
        }
    }
}

/// The tables that a relation reads.
fn reach(rules: &Rules, vocabulary: &Vocabulary, keyword: Keyword) -> Vec<bool> {
    let mut tables = vec![false; vocabulary.tables().len()];
    let mut seen = vec![false; rules.relations.len()];
    let mut waiting: Vec<_> = rules.keyword(keyword).into_iter().collect();
    while let Some(relation) = waiting.pop() {
        if std::mem::replace(&mut seen[relation.0 as usize], true) {
            continue;
        }
        let bodies = rules.rules.iter().filter(|rule| rule.head.relation == relation).flat_map(|rule| &rule.body);
        for atom in bodies.filter_map(|literal| literal.atom()) {
            if rules.relation(atom.relation).keyword == Some(Keyword::True) {
                mark(rules, vocabulary, atom, &mut tables);
            } else {
                waiting.push(atom.relation);
            }
        }
    }
    tables
}

/// Marks the table that a fluent is of; all of them where the rules do not say.
fn mark(rules: &Rules, vocabulary: &Vocabulary, atom: &Atom, tables: &mut [bool]) {
    match atom.args.first() {
        Some(Term::Apply(name, columns)) => {
            if let Some(table) = vocabulary.find_table(rules.names.text(*name), columns.len()) {
                tables[table.0 as usize] = true;
            }
        }
        _ => tables.fill(true),
    }
}

//! Facts and rules that are stated twice.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::check::Sheet;
use crate::diagnostic::Findings;
use crate::{Atom, Code, Diagnostic, Literal, Rule};

pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    let rules = &sheet.rules.rules;
    let mut seen: HashMap<u64, Vec<u32>> = HashMap::with_capacity(rules.len());
    for (index, rule) in rules.iter().enumerate() {
        // The alternatives of an `or` may well coincide in parts with other rules.
        let mut neighbours = [index.checked_sub(1), Some(index + 1)].into_iter().flatten();
        if neighbours.any(|other| sheet.statements.get(other) == Some(&sheet.statements[index])) {
            continue;
        }
        let alike = seen.entry(hash(rule)).or_default();
        if alike.iter().any(|&other| same(&rules[other as usize], rule)) {
            let what = if rule.body.is_empty() { "fact" } else { "rule" };
            let message = format!("the same {what} stands earlier in the sheet");
            let finding = Diagnostic::new(Code::DuplicateRule, rule.span, message, format!("a {what} stated twice"));
            findings.push(finding.hint("remove one of them"));
        } else {
            alike.push(index as u32);
        }
    }
}

/// Variables are numbered by first occurrence, so rules that differ in the names of variables alone are the same.
fn same(a: &Rule, b: &Rule) -> bool {
    same_atom(&a.head, &b.head) && a.body.len() == b.body.len() && a.body.iter().zip(&b.body).all(|(a, b)| same_literal(a, b))
}

fn same_literal(a: &Literal, b: &Literal) -> bool {
    match (a, b) {
        (Literal::Is(a), Literal::Is(b)) | (Literal::Not(a), Literal::Not(b)) => same_atom(a, b),
        (Literal::Distinct(a, c, _), Literal::Distinct(b, d, _)) | (Literal::Equal(a, c, _), Literal::Equal(b, d, _)) => {
            a == b && c == d
        }
        _ => false,
    }
}

fn same_atom(a: &Atom, b: &Atom) -> bool {
    a.relation == b.relation && a.args == b.args
}

fn hash(rule: &Rule) -> u64 {
    let mut hasher = DefaultHasher::new();
    (rule.head.relation, &rule.head.args).hash(&mut hasher);
    for literal in &rule.body {
        match literal {
            Literal::Is(atom) => (0, atom.relation, &atom.args).hash(&mut hasher),
            Literal::Not(atom) => (1, atom.relation, &atom.args).hash(&mut hasher),
            Literal::Distinct(left, right, _) => (2, left, right).hash(&mut hasher),
            Literal::Equal(left, right, _) => (3, left, right).hash(&mut hasher),
        }
    }
    hasher.finish()
}

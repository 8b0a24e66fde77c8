//! Relations that are asked for and never stated, or stated and never asked for.

use crate::check::Sheet;
use crate::check::similar::{Hints, nearest};
use crate::diagnostic::Findings;
use crate::wording::{legible, plural};
use crate::{Code, Diagnostic, Literal, Relation, Rules, Span};

/// Where a relation first occurs, in heads and in bodies.
#[derive(Clone, Copy, Default)]
struct Occurrence {
    stated: Option<Span>,
    asked: Option<Span>,
}

pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    if !sheet.complete {
        return;
    }
    let rules = sheet.rules;
    let occurrences = occurrences(rules);
    let mut hints = Hints::new();
    for (relation, occurrence) in rules.relations.iter().zip(&occurrences) {
        let text = rules.names.text(relation.name);
        match (relation.keyword, occurrence.stated, occurrence.asked) {
            (None, None, Some(span)) => {
                let text = legible(text);
                let message =
                    format!("nothing states `{text}` with {}, so it is always false", plural(relation.arity, "argument"));
                let mut finding = Diagnostic::new(Code::UndefinedRelation, span, message, "never stated");
                finding.hint = hints.search(|| undefined_hint(rules, relation, &occurrences));
                findings.push(finding);
            }
            (None, Some(span), None) if !text.eq_ignore_ascii_case("sees") || relation.arity != 2 => {
                let message = format!("nothing asks for `{}`", legible(text));
                findings.push(Diagnostic::new(Code::UnusedRelation, span, message, "never used"));
            }
            _ => {}
        }
    }
}

fn occurrences(rules: &Rules) -> Vec<Occurrence> {
    let mut occurrences = vec![Occurrence::default(); rules.relations.len()];
    for rule in &rules.rules {
        occurrences[rule.head.relation.0 as usize].stated.get_or_insert(rule.head.span);
        for atom in rule.body.iter().filter_map(Literal::atom) {
            occurrences[atom.relation.0 as usize].asked.get_or_insert(atom.span);
        }
    }
    occurrences
}

fn undefined_hint(rules: &Rules, relation: &Relation, occurrences: &[Occurrence]) -> Option<String> {
    let text = rules.names.text(relation.name);
    let stated = || rules.relations.iter().zip(occurrences).filter(|(_, occurrence)| occurrence.stated.is_some());
    if let Some((other, _)) = stated().find(|(other, _)| other.name == relation.name) {
        return Some(format!("`{}` is stated with {}", legible(text), plural(other.arity, "argument")));
    }
    if text.eq_ignore_ascii_case("and") {
        return Some("the conditions of a rule all have to hold; list them without `and`".to_owned());
    }
    let same_arity = stated().filter(|(other, _)| other.arity == relation.arity && other.keyword.is_none());
    let near = nearest(text, same_arity.map(|(other, _)| rules.names.text(other.name)));
    near.map(|near| format!("did you mean `{}`?", legible(near)))
}

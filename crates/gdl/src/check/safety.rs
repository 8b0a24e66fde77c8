//! Every variable of a head, a `not` or a `distinct` must be bound by a positive condition.

use crate::check::{Sheet, locate};
use crate::diagnostic::Findings;
use crate::wording::legible;
use crate::{Code, Diagnostic, Literal, Rule, Span, Term, VarId};

/// Which variables the positive conditions bind. An equality binds one side from the other.
fn bound_variables(rule: &Rule) -> Vec<bool> {
    let mut bound = vec![false; rule.variables.len()];
    let mut sides = Vec::new();
    for literal in &rule.body {
        match literal {
            Literal::Is(_) => literal.each_variable(&mut |var| bound[var.0 as usize] = true),
            Literal::Equal(left, right, _) => sides.extend([(left, right), (right, left)]),
            Literal::Not(_) | Literal::Distinct(..) => {}
        }
    }
    if !sides.is_empty() {
        bind_equalities(&sides, &mut bound);
    }
    bound
}

/// Once all variables of `from` are bound, those of `to` are, for every pair `(from, to)`. A count of open variables for
/// every pair keeps this linear: a body may be one long chain of equalities in the wrong order.
fn bind_equalities(pairs: &[(&Term, &Term)], bound: &mut [bool]) {
    let mut open = vec![0usize; pairs.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); bound.len()];
    let mut ready: Vec<usize> = Vec::new();
    for (index, (from, _)) in pairs.iter().enumerate() {
        from.each_variable(&mut |var| {
            if !bound[var.0 as usize] {
                open[index] += 1;
                waiting[var.0 as usize].push(index);
            }
        });
        if open[index] == 0 {
            ready.push(index);
        }
    }
    while let Some(index) = ready.pop() {
        pairs[index].1.each_variable(&mut |var| {
            if !std::mem::replace(&mut bound[var.0 as usize], true) {
                for &other in &waiting[var.0 as usize] {
                    open[other] -= 1;
                    if open[other] == 0 {
                        ready.push(other);
                    }
                }
            }
        });
    }
}

/// Where an unbound variable occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Head,
    Not,
    Distinct,
    Equal,
}

/// Calls back with every unbound variable that must be bound, wherever it occurs.
fn each_unbound(rule: &Rule, mut visit: impl FnMut(VarId, Place, Span)) {
    if rule.variables.is_empty() {
        return;
    }
    let bound = bound_variables(rule);
    if bound.iter().all(|&bound| bound) {
        return;
    }
    let mut look = |terms: &[&Term], place, span| {
        for term in terms {
            term.each_variable(&mut |var| {
                if !bound[var.0 as usize] {
                    visit(var, place, span);
                }
            });
        }
    };
    look(&rule.head.args.iter().collect::<Vec<_>>(), Place::Head, rule.head.span);
    for literal in &rule.body {
        match literal {
            Literal::Is(_) => {}
            Literal::Not(atom) => look(&atom.args.iter().collect::<Vec<_>>(), Place::Not, atom.span),
            Literal::Distinct(left, right, span) => look(&[left, right], Place::Distinct, *span),
            Literal::Equal(left, right, span) => look(&[left, right], Place::Equal, *span),
        }
    }
}

/// Findings about one statement; more would say nothing new.
const FINDINGS: usize = 16;

/// The first variable that makes a rule unsafe.
pub(crate) fn first_unbound(rule: &Rule) -> Option<VarId> {
    let mut first = None;
    each_unbound(rule, |var, _, _| {
        first.get_or_insert(var);
    });
    first
}

pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    let mut told: Vec<String> = Vec::new();
    let mut told_statement = u32::MAX;
    for (rule, &statement) in sheet.rules.rules.iter().zip(sheet.statements) {
        if statement != told_statement {
            told.clear();
            told_statement = statement;
        }
        each_unbound(rule, |var, place, span| {
            let name = &rule.variables[var.0 as usize];
            if told.len() >= FINDINGS || told.contains(name) {
                return;
            }
            told.push(name.clone());
            let node = sheet.syntax.statements()[statement as usize];
            findings.push(finding(name, place, locate(sheet.syntax, node, span, &format!("?{name}")), rule));
        });
    }
}

fn finding(name: &str, place: Place, span: Span, rule: &Rule) -> Diagnostic {
    let shown = legible(name);
    if rule.body.is_empty() {
        let message = format!("a fact must not have variables, and this one has `?{shown}`");
        let finding = Diagnostic::new(Code::VariableInFact, span, message, "a variable in a fact");
        return finding.hint("make it a rule whose conditions bind the variable");
    }
    let place = match place {
        Place::Head => "the head",
        Place::Not => "a `not`",
        Place::Distinct => "a `distinct`",
        Place::Equal => "a negated `distinct`",
    };
    let message = format!("`?{shown}` occurs in {place}, but no positive condition of the rule says what it can be");
    let finding = Diagnostic::new(Code::UnsafeVariable, span, message, "bound by nothing");
    match rule.variables.iter().find(|other| *other != name && other.eq_ignore_ascii_case(name)) {
        Some(other) => finding.hint(format!("did you mean `?{}`?", legible(other))),
        None => finding.hint(format!("add a condition that holds of all values `?{shown}` can take")),
    }
}

//! The recursion restriction: what a recursive rule hands down to itself must come from finitely many terms.

use std::collections::HashSet;

use crate::check::Sheet;
use crate::diagnostic::Findings;
use crate::wording::legible;
use crate::{Atom, Code, Diagnostic, Literal, Rule, Term};

/// GDL asks that every argument of a recursive condition is ground, or an argument of the head, or an argument of a positive
/// condition outside the cycle. The last is taken a little wider: it is enough that every variable of the argument occurs,
/// at any depth, in a positive condition outside the cycle, because then it stands for finitely many terms as well. So
/// `(true (step ?x))` bounds `?x`, which by the letter it does not: its one argument is `(step ?x)`.
pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    let rules = sheet.rules;
    let component_of = sheet.component_of;
    let mut told = u32::MAX;
    for (rule, &statement) in rules.rules.iter().zip(sheet.statements) {
        let inside = |atom: &Atom| component_of[atom.relation.0 as usize] == component_of[rule.head.relation.0 as usize];
        if statement == told {
            continue;
        }
        if let Some((atom, term)) = unbounded(rule, inside) {
            told = statement;
            let head = legible(rules.names.text(rules.relation(rule.head.relation).name));
            let term = legible(&rules.term_text(term, rule));
            let message = format!("`{head}` comes back to itself here with `{term}`, which may stand for ever larger terms");
            let finding = Diagnostic::new(Code::UnboundedRecursion, atom.span, message, "recursive condition");
            findings.push(finding.hint(format!("add a condition outside the recursion that says what `{term}` can be")));
        }
    }
}

/// The first argument of a recursive condition that nothing bounds.
fn unbounded(rule: &Rule, inside: impl Fn(&Atom) -> bool) -> Option<(&Atom, &Term)> {
    let positive = || {
        rule.body.iter().filter_map(|literal| match literal {
            Literal::Is(atom) => Some(atom),
            _ => None,
        })
    };
    if !positive().any(&inside) {
        return None;
    }
    let mut bounded = vec![false; rule.variables.len()];
    for atom in positive().filter(|atom| !inside(atom)) {
        for arg in &atom.args {
            arg.each_variable(&mut |var| bounded[var.0 as usize] = true);
        }
    }
    let head: HashSet<&Term> = rule.head.args.iter().collect();
    let free = |term: &Term| {
        let mut free = false;
        term.each_variable(&mut |var| free |= !bounded[var.0 as usize]);
        free && !head.contains(term)
    };
    positive().filter(|atom| inside(atom)).find_map(|atom| atom.args.iter().find(|arg| free(arg)).map(|arg| (atom, arg)))
}

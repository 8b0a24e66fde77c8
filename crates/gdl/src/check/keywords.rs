//! What GDL asks of its own relations.

use crate::check::similar::{Hints, nearest};
use crate::check::{Sheet, locate};
use crate::diagnostic::Findings;
use crate::wording::legible;
use crate::{Atom, Code, Depends, Diagnostic, Keyword, Literal, Rule, Span, Term, points};

pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    if sheet.complete {
        missing(sheet, findings);
        unknown_roles(sheet, findings);
        hidden_information(sheet, findings);
    }
    for (index, rule) in sheet.rules.rules.iter().enumerate() {
        match sheet.rules.relation(rule.head.relation).keyword {
            Some(keyword @ (Keyword::Init | Keyword::Base | Keyword::Input)) => {
                constancy(sheet, rule, keyword, Depends::State, findings);
            }
            Some(keyword @ (Keyword::Legal | Keyword::Goal | Keyword::Terminal)) => {
                constancy(sheet, rule, keyword, Depends::Moves, findings);
                if keyword == Keyword::Goal {
                    goal_value(sheet, index, findings);
                }
            }
            Some(Keyword::Role) => random_role(sheet, rule, findings),
            _ => {}
        }
    }
}

fn missing(sheet: &Sheet<'_>, findings: &mut Findings) {
    let mut stated = [false; Keyword::ALL.len()];
    for rule in &sheet.rules.rules {
        if let Some(keyword) = sheet.rules.relation(rule.head.relation).keyword {
            stated[keyword as usize] = true;
        }
    }
    for (keyword, meaning) in [
        (Keyword::Role, "nobody plays"),
        (Keyword::Legal, "nobody can move"),
        (Keyword::Goal, "nobody can win or lose"),
        (Keyword::Terminal, "the game never ends"),
        (Keyword::Init, "the game starts with nothing true"),
    ] {
        if !stated[keyword as usize] {
            let code = if keyword == Keyword::Init { Code::MissingInit } else { Code::MissingRelation };
            let message = format!("the sheet does not state `{}`: {meaning}", keyword.as_str());
            findings.push(Diagnostic::new(code, Span::default(), message, "in the whole sheet"));
        }
    }
}

/// `init`, `base` and `input` are the same in all states; `legal`, `goal` and `terminal` do not know the moves.
fn constancy(sheet: &Sheet<'_>, rule: &Rule, keyword: Keyword, limit: Depends, findings: &mut Findings) {
    let depends = |literal: &Literal| literal.atom().map(|atom| sheet.rules.relation(atom.relation).depends);
    let Some(literal) = rule.body.iter().find(|literal| depends(literal) >= Some(limit)) else { return };
    let Some(atom) = literal.atom() else { return };
    let word = keyword.as_str();
    let (code, on) = match limit {
        Depends::Moves => (Code::DependsOnMoves, "the moves that are being chosen (`does`)"),
        _ if depends(literal) == Some(Depends::Moves) => (Code::DependsOnState, "moves (`does`)"),
        _ => (Code::DependsOnState, "the state (`true`)"),
    };
    let message = format!("`{word}` must not depend on {on}");
    let direct = sheet.rules.relation(atom.relation).keyword;
    let label = match direct {
        Some(Keyword::True | Keyword::Does) => "here".to_owned(),
        _ => format!("through `{}`", legible(sheet.rules.names.text(sheet.rules.relation(atom.relation).name))),
    };
    findings.push(Diagnostic::new(code, atom.span, message, label));
}

fn goal_value(sheet: &Sheet<'_>, index: usize, findings: &mut Findings) {
    let rule = &sheet.rules.rules[index];
    let Term::Apply(name, args) = &rule.head.args[1] else { return };
    if args.is_empty() && points(sheet.rules.names.text(*name)).is_some() {
        return;
    }
    // The rules of one statement have one head.
    if index > 0 && sheet.statements[index - 1] == sheet.statements[index] {
        return;
    }
    let value = legible(&sheet.rules.term_text(&rule.head.args[1], rule));
    let message = format!("the goal value `{value}` is not a whole number from 0 to 100");
    findings.push(Diagnostic::new(Code::GoalValue, rule.head.span, message, "this value"));
}

fn random_role(sheet: &Sheet<'_>, rule: &Rule, findings: &mut Findings) {
    let Term::Apply(name, _) = &rule.head.args[0] else { return };
    if sheet.rules.names.text(*name) == "random" {
        let message =
            "`random` is the role GDL-II plays by chance, which is not yet supported; it is treated as an ordinary role";
        findings.push(Diagnostic::new(Code::RandomRole, rule.head.span, message, "an ordinary role here"));
    }
}

/// A constant in the place of a role that no `role` fact states. Said once for every such constant.
fn unknown_roles(sheet: &Sheet<'_>, findings: &mut Findings) {
    let rules = sheet.rules;
    let Some(role) = rules.keyword(Keyword::Role) else { return };
    let mut known = vec![false; rules.names.len()];
    let mut stated = Vec::new();
    for rule in rules.rules.iter().filter(|rule| rule.head.relation == role) {
        match &rule.head.args[0] {
            Term::Apply(name, _) => {
                stated.push(rules.names.text(*name));
                known[name.0 as usize] = true;
            }
            Term::Var(_) => return,
        }
    }
    let mut hints = Hints::new();
    for (rule, &statement) in rules.rules.iter().zip(sheet.statements) {
        for atom in std::iter::once(&rule.head).chain(rule.body.iter().filter_map(Literal::atom)) {
            let Some(name) = role_constant(sheet, atom) else { continue };
            if !std::mem::replace(&mut known[name], true) {
                let text = &rules.names.texts[name];
                let span = locate(sheet.syntax, sheet.syntax.statements()[statement as usize], atom.span, text);
                let message = format!("`{}` stands for a role, and there is no such role", legible(text));
                let mut finding = Diagnostic::new(Code::UnknownRole, span, message, "not a role");
                let search = || nearest(text, stated.iter().copied()).map(|near| format!("did you mean `{}`?", legible(near)));
                finding.hint = hints.search(search);
                findings.push(finding);
            }
        }
    }
}

fn role_constant(sheet: &Sheet<'_>, atom: &Atom) -> Option<usize> {
    match sheet.rules.relation(atom.relation).keyword? {
        Keyword::Legal | Keyword::Goal | Keyword::Does | Keyword::Input => match &atom.args[0] {
            Term::Apply(name, args) if args.is_empty() => Some(name.0 as usize),
            _ => None,
        },
        _ => None,
    }
}

/// GDL-II's `(sees ROLE WHAT)`. A `sees` with other arguments, or one that conditions ask for, is the author's own relation.
fn hidden_information(sheet: &Sheet<'_>, findings: &mut Findings) {
    let rules = sheet.rules;
    let is_sees = |atom: &Atom| {
        let relation = rules.relation(atom.relation);
        relation.arity == 2 && rules.names.text(relation.name).eq_ignore_ascii_case("sees")
    };
    let Some(rule) = rules.rules.iter().find(|rule| is_sees(&rule.head)) else { return };
    if rules.rules.iter().flat_map(|rule| &rule.body).filter_map(Literal::atom).any(is_sees) {
        return;
    }
    let message = "`sees` states what a player sees (GDL-II), and hidden information is not yet supported";
    findings.push(Diagnostic::new(Code::HiddenInformation, rule.head.span, message, "GDL-II"));
}

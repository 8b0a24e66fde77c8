//! Unfolding: a condition on a relation is replaced by the body of the relation's rule.
//!
//! That saves a call and lets the conditions of both rules be ordered together. It is done where it cannot repeat work: the relation
//! has one rule and that rule forgets no variable, or the condition is all the caller's body (then the relation is but another
//! name for the caller, and any number of rules will do). Relations whose answers are worth remembering are left alone.

use super::compile::Definitions;
use ludens_gdl::{Atom, Literal, RelationId, Rule, Rules, Span, Term, VarId};
use std::cell::Cell;

/// Longest body that comes of it, most rules of one relation, the largest rule (repeated variables could make terms grow without
/// end), and all that may be written in one sheet.
const BODY: usize = 14;
const RULES: usize = 24;
const NODES: usize = 300;
const ALL_NODES: usize = 400_000;

/// Unfolds the relations that `may` be, those first that others are made of.
pub(super) fn unfold(rules: &Rules, definitions: &Definitions, may: impl Fn(RelationId) -> bool) -> Definitions {
    let mut unfolded = definitions.clone();
    let graph = rules.relation_graph();
    let mut foldable = vec![false; rules.relations.len()];
    let mut left = ALL_NODES;
    for component in graph.components() {
        for &relation in &component {
            let list = std::mem::take(&mut unfolded.rules[relation as usize]);
            unfolded.rules[relation as usize] = unfold_rules(list, &unfolded, &foldable, &mut left);
        }
        if let [relation] = component[..] {
            let plain = rules.relation(RelationId(relation)).keyword.is_none() && unfolded.facts[relation as usize].len() == 0;
            foldable[relation as usize] = plain && !graph.targets(relation).contains(&relation) && may(RelationId(relation));
        }
    }
    unfolded
}

/// Unfolds what can be in the rules of one relation.
fn unfold_rules(rules: Vec<Rule>, definitions: &Definitions, foldable: &[bool], nodes: &mut usize) -> Vec<Rule> {
    let mut done = Vec::new();
    let mut left = rules;
    left.reverse();
    while let Some(rule) = left.pop() {
        let target = rule.body.iter().position(|literal| can_unfold(literal, &rule, definitions, foldable));
        let unfolded = target
            .filter(|_| done.len() + left.len() < RULES)
            .and_then(|position| unfold_at(&rule, position, definitions, nodes));
        match unfolded {
            Some(rules) => left.extend(rules.into_iter().rev()),
            None => done.push(rule),
        }
    }
    done
}

/// The rules that take a rule's place when one of its conditions is unfolded; `None` if one of them would be too large.
fn unfold_at(rule: &Rule, position: usize, definitions: &Definitions, nodes: &mut usize) -> Option<Vec<Rule>> {
    let atom = rule.body[position].atom()?;
    let mut unfolded = Vec::new();
    for inner in &definitions.rules[atom.relation.0 as usize] {
        let (joined, written) = join(rule, position, inner);
        *nodes = nodes.saturating_sub(written);
        match joined {
            Joined::Rule(rule) => unfolded.push(*rule),
            Joined::Never => {}
            Joined::TooLarge => return None,
        }
    }
    Some(unfolded)
}

/// What comes of putting a body in the place of a condition.
enum Joined {
    Rule(Box<Rule>),
    /// The inner rule's head does not fit the condition.
    Never,
    TooLarge,
}

fn can_unfold(literal: &Literal, caller: &Rule, definitions: &Definitions, foldable: &[bool]) -> bool {
    let (Literal::Is(atom) | Literal::Not(atom)) = literal else { return false };
    let inner = &definitions.rules[atom.relation.0 as usize];
    if !foldable[atom.relation.0 as usize] || inner.is_empty() {
        return false;
    }
    let fits = inner.iter().all(|rule| rule.body.len() + caller.body.len() <= BODY + 1);
    match literal {
        Literal::Is(_) => fits && (caller.body.len() == 1 || (inner.len() == 1 && forgets_nothing(&inner[0]))),
        // `not p` with `p <= q` is `not q`.
        _ => {
            inner.len() == 1
                && forgets_nothing(&inner[0])
                && matches!(*inner[0].body, [Literal::Is(_)])
                && is_general(&inner[0].head)
        }
    }
}

/// Whether every variable of the body stands in the head.
fn forgets_nothing(rule: &Rule) -> bool {
    let mut seen = vec![false; rule.variables.len()];
    rule.head.args.iter().for_each(|term| super::clause::note_variables(term, &mut seen));
    seen.into_iter().all(|seen| seen)
}

/// Whether the head's arguments are different variables.
fn is_general(head: &Atom) -> bool {
    let mut seen: Vec<VarId> = Vec::new();
    head.args.iter().all(|term| match term {
        Term::Var(variable) if !seen.contains(variable) => {
            seen.push(*variable);
            true
        }
        _ => false,
    })
}

/// The caller with its condition at `position` replaced by the inner rule's body, and how many nodes were written.
fn join(caller: &Rule, position: usize, inner: &Rule) -> (Joined, usize) {
    let (atom, not) = match &caller.body[position] {
        Literal::Is(atom) => (atom, false),
        Literal::Not(atom) => (atom, true),
        _ => return (Joined::TooLarge, 0),
    };
    let offset = caller.variables.len() as u32;
    let mut bindings = Bindings { terms: vec![None; caller.variables.len() + inner.variables.len()], left: Cell::new(NODES) };
    for (outer, inner) in atom.args.iter().zip(&inner.head.args) {
        let unified = bindings.unify(outer, &shifted(inner, offset));
        if bindings.left.get() == 0 {
            return (Joined::TooLarge, NODES);
        }
        if !unified {
            return (Joined::Never, NODES - bindings.left.get());
        }
    }
    let inner_body = inner.body.iter().map(|literal| map_literal(literal, &mut |term| shifted(term, offset)));
    let inner_body: Vec<Literal> = if not { inner_body.map(negated).collect() } else { inner_body.collect() };
    let before = caller.body[..position].iter().cloned();
    let body = before.chain(inner_body).chain(caller.body[position + 1..].iter().cloned());
    bindings.left.set(NODES);
    let body: Vec<Literal> = body.map(|literal| map_literal(&literal, &mut |term| bindings.apply(term))).collect();
    let args = caller.head.args.iter().map(|term| bindings.apply(term)).collect();
    if bindings.left.get() == 0 {
        return (Joined::TooLarge, NODES);
    }
    let names: Vec<&String> = caller.variables.iter().chain(&*inner.variables).collect();
    let rule = renumbered(&Atom { args, ..caller.head.clone() }, &body, &names, caller.span);
    (Joined::Rule(Box::new(rule)), NODES - bindings.left.get())
}

/// A rule with the variables it has left, numbered anew. Names that have become ambiguous get a number.
fn renumbered(head: &Atom, body: &[Literal], names: &[&String], span: Span) -> Rule {
    let mut numbers: Vec<Option<u32>> = vec![None; names.len()];
    let mut variables: Vec<String> = Vec::new();
    let mut renumber = |term: &Term| {
        rename(term, &mut |variable: VarId| {
            let number = numbers[variable.0 as usize].get_or_insert_with(|| {
                let name = names[variable.0 as usize].split('.').next().unwrap_or_default();
                let taken = variables.iter().any(|other| other == name);
                variables.push(if taken { format!("{name}.{}", variables.len()) } else { name.to_owned() });
                variables.len() as u32 - 1
            });
            VarId(*number)
        })
    };
    let args = head.args.iter().map(&mut renumber).collect();
    let body = body.iter().map(|literal| map_literal(literal, &mut renumber)).collect();
    Rule { head: Atom { args, ..head.clone() }, body, variables: variables.into(), span }
}

fn rename(term: &Term, new: &mut impl FnMut(VarId) -> VarId) -> Term {
    match term {
        Term::Var(variable) => Term::Var(new(*variable)),
        Term::Apply(symbol, args) => Term::Apply(*symbol, args.iter().map(|arg| rename(arg, new)).collect()),
    }
}

fn negated(literal: Literal) -> Literal {
    match literal {
        Literal::Is(atom) => Literal::Not(atom),
        other => other,
    }
}

fn map_literal(literal: &Literal, map: &mut impl FnMut(&Term) -> Term) -> Literal {
    let mut atom = |atom: &Atom| Atom { args: atom.args.iter().map(&mut *map).collect(), ..atom.clone() };
    match literal {
        Literal::Is(inner) => Literal::Is(atom(inner)),
        Literal::Not(inner) => Literal::Not(atom(inner)),
        Literal::Distinct(left, right, span) => Literal::Distinct(map(left), map(right), *span),
        Literal::Equal(left, right, span) => Literal::Equal(map(left), map(right), *span),
    }
}

fn shifted(term: &Term, offset: u32) -> Term {
    rename(term, &mut |variable| VarId(variable.0 + offset))
}

/// What variables stand for, and how many nodes of terms may still be written down.
struct Bindings {
    terms: Vec<Option<Term>>,
    left: Cell<usize>,
}

impl Bindings {
    /// False if the terms cannot be made equal, or if no nodes are left.
    fn unify(&mut self, left: &Term, right: &Term) -> bool {
        let (left, right) = (self.apply(left), self.apply(right));
        match (&left, &right) {
            _ if self.left.get() == 0 => false,
            (Term::Var(a), Term::Var(b)) if a == b => true,
            (_, Term::Var(variable)) => self.bind(*variable, left),
            (Term::Var(variable), _) => self.bind(*variable, right),
            (Term::Apply(a, left), Term::Apply(b, right)) => {
                a == b && left.len() == right.len() && left.iter().zip(right).all(|(left, right)| self.unify(left, right))
            }
        }
    }

    fn bind(&mut self, variable: VarId, term: Term) -> bool {
        let free = !occurs(variable, &term);
        if free {
            self.terms[variable.0 as usize] = Some(term);
        }
        free
    }

    /// The term with its variables replaced, as far as nodes are left.
    fn apply(&self, term: &Term) -> Term {
        self.left.set(self.left.get().saturating_sub(1));
        match term {
            _ if self.left.get() == 0 => term.clone(),
            Term::Var(variable) => match &self.terms[variable.0 as usize] {
                Some(bound) => self.apply(bound),
                None => term.clone(),
            },
            Term::Apply(symbol, args) => Term::Apply(*symbol, args.iter().map(|arg| self.apply(arg)).collect()),
        }
    }
}

fn occurs(variable: VarId, term: &Term) -> bool {
    match term {
        Term::Var(other) => *other == variable,
        Term::Apply(_, args) => args.iter().any(|arg| occurs(variable, arg)),
    }
}

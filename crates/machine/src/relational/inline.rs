//! Unfolding: a condition on a relation is replaced by the body of the relation's rule.
//!
//! That saves a call and lets the conditions of both rules be ordered together. It is done where it cannot repeat work: the relation
//! has one rule and that rule forgets no variable, or the condition is all the caller's body (then the relation is but another
//! name for the caller, and any number of rules will do). Relations whose answers are worth remembering are left alone.

use super::compile::Definitions;
use ludens_gdl::{Atom, Graph, Literal, RelationId, Rule, Rules, Term, VarId};

/// Longest body that comes of it, and most rules of one relation.
const BODY: usize = 14;
const RULES: usize = 24;

/// Unfolds the relations that `may` be, those first that others are made of.
pub(super) fn unfold(rules: &Rules, definitions: &Definitions, may: impl Fn(RelationId) -> bool) -> Definitions {
    let mut unfolded = definitions.clone();
    let edges: Vec<(u32, u32)> = definitions
        .rules
        .iter()
        .flatten()
        .flat_map(|rule| rule.body.iter().filter_map(Literal::atom).map(|atom| (rule.head.relation.0, atom.relation.0)))
        .collect();
    let loops: Vec<u32> = edges.iter().filter(|(from, to)| from == to).map(|&(from, _)| from).collect();
    let mut foldable = vec![false; rules.relations.len()];
    for component in Graph::new(rules.relations.len(), &edges).components() {
        for &relation in &component {
            let list = std::mem::take(&mut unfolded.rules[relation as usize]);
            unfolded.rules[relation as usize] = unfold_rules(list, &unfolded, &foldable);
        }
        if let [relation] = component[..] {
            let plain = rules.relation(RelationId(relation)).keyword.is_none() && unfolded.facts[relation as usize].len() == 0;
            foldable[relation as usize] = plain && !loops.contains(&relation) && may(RelationId(relation));
        }
    }
    unfolded
}

/// Unfolds what can be in the rules of one relation.
fn unfold_rules(rules: Vec<Rule>, definitions: &Definitions, foldable: &[bool]) -> Vec<Rule> {
    let mut done = Vec::new();
    let mut left = rules;
    left.reverse();
    while let Some(rule) = left.pop() {
        let target = rule.body.iter().position(|literal| can_unfold(literal, &rule, definitions, foldable));
        match target {
            Some(position) if done.len() + left.len() < RULES => {
                let (Literal::Is(atom) | Literal::Not(atom)) = &rule.body[position] else { continue };
                let bodies = &definitions.rules[atom.relation.0 as usize];
                left.extend(bodies.iter().rev().filter_map(|inner| join(&rule, position, inner)));
            }
            _ => done.push(rule),
        }
    }
    done
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

/// The caller with its condition at `position` replaced by the inner rule's body; `None` if the two do not fit together.
fn join(caller: &Rule, position: usize, inner: &Rule) -> Option<Rule> {
    let (atom, not) = match &caller.body[position] {
        Literal::Is(atom) => (atom, false),
        Literal::Not(atom) => (atom, true),
        _ => return None,
    };
    let offset = caller.variables.len() as u32;
    let mut bindings = Bindings(vec![None; caller.variables.len() + inner.variables.len()]);
    for (outer, inner) in atom.args.iter().zip(&inner.head.args) {
        bindings.unify(outer, &shifted(inner, offset))?;
    }
    let inner_body = inner.body.iter().map(|literal| map_literal(literal, &mut |term| shifted(term, offset)));
    let inner_body: Vec<Literal> = if not { inner_body.map(negated).collect() } else { inner_body.collect() };
    let before = caller.body[..position].iter().cloned();
    let body = before.chain(inner_body).chain(caller.body[position + 1..].iter().cloned());
    let body: Vec<Literal> = body.map(|literal| map_literal(&literal, &mut |term| bindings.apply(term))).collect();
    let args = caller.head.args.iter().map(|term| bindings.apply(term)).collect();
    let names = caller.variables.iter().chain(&*inner.variables).cloned();
    Some(Rule {
        head: Atom { args, ..caller.head.clone() },
        body: body.into(),
        variables: names.enumerate().map(|(i, name)| if i < offset as usize { name } else { format!("{name}.{i}") }).collect(),
        span: caller.span,
    })
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
    match term {
        Term::Var(variable) => Term::Var(VarId(variable.0 + offset)),
        Term::Apply(symbol, args) => Term::Apply(*symbol, args.iter().map(|arg| shifted(arg, offset)).collect()),
    }
}

/// What variables stand for.
struct Bindings(Vec<Option<Term>>);

impl Bindings {
    fn unify(&mut self, left: &Term, right: &Term) -> Option<()> {
        let (left, right) = (self.apply(left), self.apply(right));
        match (&left, &right) {
            (Term::Var(a), Term::Var(b)) if a == b => Some(()),
            (_, Term::Var(variable)) => self.bind(*variable, left),
            (Term::Var(variable), _) => self.bind(*variable, right),
            (Term::Apply(a, left), Term::Apply(b, right)) => {
                if a != b || left.len() != right.len() {
                    return None;
                }
                left.iter().zip(right).try_for_each(|(left, right)| self.unify(left, right))
            }
        }
    }

    fn bind(&mut self, variable: VarId, term: Term) -> Option<()> {
        if occurs(variable, &term) {
            return None;
        }
        self.0[variable.0 as usize] = Some(term);
        Some(())
    }

    fn apply(&self, term: &Term) -> Term {
        match term {
            Term::Var(variable) => match &self.0[variable.0 as usize] {
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

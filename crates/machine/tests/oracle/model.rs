//! Sets of ground atoms, and the one that a sheet derives.

use std::collections::BTreeSet;

use ludens_gdl::{Literal, RelationId, Rule, Rules, Term};

use super::Limits;
use super::terms::{Bindings, Terms};

/// The atoms of one relation, each as its arguments.
pub(super) type Rows = BTreeSet<Vec<u32>>;

/// Heads of rules, not yet in a model.
type Found = Vec<(RelationId, Vec<u32>)>;

/// Ground atoms by relation.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Model(Vec<Rows>);

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// More than the limits allow.
    TooMuch,
    /// Some atom depends on its own negation.
    NoModel,
}

impl Model {
    pub(super) fn new(rules: &Rules) -> Model {
        Model(vec![Rows::new(); rules.relations.len()])
    }

    pub(super) fn rows(&self, relation: RelationId) -> &Rows {
        &self.0[relation.0 as usize]
    }

    /// True where it was not there before.
    pub(super) fn add(&mut self, relation: RelationId, row: Vec<u32>) -> bool {
        self.0[relation.0 as usize].insert(row)
    }

    fn has(&self, relation: RelationId, row: &[u32]) -> bool {
        self.rows(relation).contains(row)
    }

    fn len(&self) -> usize {
        self.0.iter().map(BTreeSet::len).sum()
    }
}

/// All that follows from the rules and what is given.
pub(super) fn derive(rules: &Rules, given: &Model, terms: &mut Terms, limits: Limits) -> Result<Model, Refusal> {
    let mut work = Work { terms, left: limits.matches, atoms: limits.atoms };
    let mut certain = work.least(rules, given, None)?;
    loop {
        let possible = work.least(rules, given, Some(&certain))?;
        if possible == certain {
            return Ok(certain);
        }
        let more = work.least(rules, given, Some(&possible))?;
        if more == certain {
            return Err(Refusal::NoModel);
        }
        certain = more;
    }
}

struct Work<'t> {
    terms: &'t mut Terms,
    left: u64,
    atoms: usize,
}

/// A rule, and the sets its conditions look into.
#[derive(Clone, Copy)]
struct Scene<'a> {
    rule: &'a Rule,
    model: &'a Model,
    /// What `not` looks into; without it, every `not` fails.
    against: Option<&'a Model>,
}

impl Work<'_> {
    /// The least set of atoms that has what is given and is closed under the rules.
    fn least(&mut self, rules: &Rules, given: &Model, against: Option<&Model>) -> Result<Model, Refusal> {
        let mut model = given.clone();
        loop {
            let mut found = Vec::new();
            for rule in &rules.rules {
                let mut conditions: Vec<&Literal> = rule.body.iter().collect();
                conditions.sort_by_key(|literal| rank(literal));
                let scene = Scene { rule, model: &model, against };
                self.fire(scene, &conditions, &vec![None; rule.variables.len()], &mut found)?;
            }
            let mut grew = false;
            for (relation, row) in found {
                grew |= model.add(relation, row);
            }
            if model.len() > self.atoms {
                return Err(Refusal::TooMuch);
            }
            if !grew {
                return Ok(model);
            }
        }
    }

    /// Adds the head of the rule for every way to meet the conditions that are left.
    fn fire(&mut self, scene: Scene<'_>, conditions: &[&Literal], bindings: &Bindings, found: &mut Found) -> Result<(), Refusal> {
        let Some((first, rest)) = conditions.split_first() else {
            found.push((scene.rule.head.relation, self.row(&scene.rule.head.args, bindings)));
            return Ok(());
        };
        let holds = match first {
            Literal::Is(atom) => {
                for row in scene.model.rows(atom.relation) {
                    self.left = self.left.checked_sub(1).ok_or(Refusal::TooMuch)?;
                    let mut extended = bindings.clone();
                    if atom.args.iter().zip(row).all(|(arg, &term)| self.terms.matches(arg, term, &mut extended)) {
                        self.fire(scene, rest, &extended, found)?;
                    }
                }
                return Ok(());
            }
            Literal::Equal(left, right, _) => {
                let sides = (self.terms.substitute(left, bindings), self.terms.substitute(right, bindings));
                let (pattern, term) = match sides {
                    (Some(term), _) => (right, term),
                    (None, Some(term)) => (left, term),
                    (None, None) => return self.fire(scene, &postpone(first, rest), bindings, found),
                };
                let mut extended = bindings.clone();
                if self.terms.matches(pattern, term, &mut extended) {
                    self.fire(scene, rest, &extended, found)?;
                }
                return Ok(());
            }
            Literal::Distinct(left, right, _) => {
                let sides = (self.terms.substitute(left, bindings), self.terms.substitute(right, bindings));
                sides.0.expect("a safe rule") != sides.1.expect("a safe rule")
            }
            Literal::Not(atom) => {
                let row = self.row(&atom.args, bindings);
                scene.against.is_some_and(|against| !against.has(atom.relation, &row))
            }
        };
        if holds { self.fire(scene, rest, bindings, found) } else { Ok(()) }
    }

    fn row(&mut self, args: &[Term], bindings: &Bindings) -> Vec<u32> {
        args.iter().map(|arg| self.terms.substitute(arg, bindings).expect("a safe rule binds its variables")).collect()
    }
}

/// An equality of two unknowns waits for the other equalities, one of which a safe rule can decide.
fn postpone<'l>(first: &'l Literal, rest: &[&'l Literal]) -> Vec<&'l Literal> {
    let mut later = rest.to_vec();
    let place = rest.iter().take_while(|literal| matches!(literal, Literal::Equal(..))).count();
    assert!(place > 0, "no equality can be decided");
    later.insert(place, first);
    later
}

/// Conditions that bind come before conditions that only test.
fn rank(literal: &Literal) -> u8 {
    match literal {
        Literal::Is(_) => 0,
        Literal::Equal(..) => 1,
        Literal::Distinct(..) => 2,
        Literal::Not(_) => 3,
    }
}

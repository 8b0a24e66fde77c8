//! In which order a rule's conditions are asked.

use super::compile::Definitions;
use super::estimate::Estimator;
use ludens_gdl::{Keyword, Literal, Rule, Rules, Term};

/// How to choose the order.
pub(super) enum Order<'a> {
    /// The paper's: fewest unknowns first.
    Unknowns(&'a Rules),
    /// Least expected work, from a sample of states.
    Estimated(&'a Estimator<'a>),
}

impl Order<'_> {
    /// The body's positions in the order to ask them, given which variables are known at first. `None` if the rule is unsafe.
    pub(super) fn sequence(&self, rule: &Rule, known: Vec<bool>, definitions: &Definitions) -> Option<Vec<usize>> {
        match self {
            Order::Unknowns(rules) => Unknowns { rules }.sequence(rule, known, definitions),
            Order::Estimated(estimator) => estimator.sequence(rule, &known),
        }
    }
}

/// Fewest unknowns first.
struct Unknowns<'a> {
    rules: &'a Rules,
}

impl Unknowns<'_> {
    fn sequence(&self, rule: &Rule, mut known: Vec<bool>, definitions: &Definitions) -> Option<Vec<usize>> {
        let mut left: Vec<usize> = (0..rule.body.len()).collect();
        let mut sequence = Vec::with_capacity(left.len());
        let late = definitions.late(rule);
        while !left.is_empty() {
            let others = left.iter().any(|&position| !late[position] && matches!(rule.body[position], Literal::Is(_)));
            let free = left.iter().enumerate().filter(|&(_, &position)| !(late[position] && others));
            let ready = free.filter(|&(_, &position)| is_ready(&rule.body[position], &known));
            let (at, _) = ready.min_by_key(|&(_, &position)| self.rank(&rule.body[position], &known, definitions))?;
            let position = left.remove(at);
            learn(&rule.body[position], &mut known);
            sequence.push(position);
        }
        Some(sequence)
    }

    /// Unknown variables first; among equals what is cheaper to ask. A role does exactly one move, so of a move only the role counts.
    fn rank(&self, literal: &Literal, known: &[bool], definitions: &Definitions) -> (usize, u8) {
        let unknown = match literal {
            Literal::Is(atom) if self.rules.relation(atom.relation).keyword == Some(Keyword::Does) => {
                usize::from(!is_known(&atom.args[0], known))
            }
            _ => unknowns(literal, known),
        };
        let cost = match literal {
            Literal::Distinct(..) | Literal::Equal(..) => 0,
            Literal::Is(atom) | Literal::Not(atom) => match self.rules.relation(atom.relation).keyword {
                Some(Keyword::Does) => 1,
                Some(Keyword::True) => 2,
                _ if definitions.is_listed(atom.relation) => 3,
                _ => 4,
            },
        };
        (unknown, cost)
    }
}

/// Whether a literal can be asked now.
pub(super) fn is_ready(literal: &Literal, known: &[bool]) -> bool {
    match literal {
        Literal::Is(_) => true,
        Literal::Not(atom) => atom.args.iter().all(|arg| is_known(arg, known)),
        Literal::Distinct(left, right, _) => is_known(left, known) && is_known(right, known),
        Literal::Equal(left, right, _) => is_known(left, known) || is_known(right, known),
    }
}

pub(super) fn is_known(term: &Term, known: &[bool]) -> bool {
    match term {
        Term::Var(variable) => known[variable.0 as usize],
        Term::Apply(_, args) => args.iter().all(|arg| is_known(arg, known)),
    }
}

/// How many different variables of a literal are not known.
fn unknowns(literal: &Literal, known: &[bool]) -> usize {
    let mut known = known.to_vec();
    let before = known.iter().filter(|&&known| known).count();
    learn(literal, &mut known);
    known.iter().filter(|&&known| known).count() - before
}

/// Marks the variables of a literal as known.
pub(super) fn learn(literal: &Literal, known: &mut [bool]) {
    fn mark(term: &Term, known: &mut [bool]) {
        match term {
            Term::Var(variable) => known[variable.0 as usize] = true,
            Term::Apply(_, args) => args.iter().for_each(|arg| mark(arg, known)),
        }
    }
    match literal {
        Literal::Is(atom) | Literal::Not(atom) => atom.args.iter().for_each(|arg| mark(arg, known)),
        Literal::Distinct(left, right, _) | Literal::Equal(left, right, _) => {
            mark(left, known);
            mark(right, known);
        }
    }
}

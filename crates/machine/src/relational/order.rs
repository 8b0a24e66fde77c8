//! In which order a rule's conditions are asked.

use super::compile::Definitions;
use super::estimate::Estimator;
use ludens_gdl::{Keyword, Literal, Rule, Rules, Term};

/// Bodies with more conditions than this are asked in the order of the text: choosing would take longer than it could save.
pub(super) const LONG: usize = 250;

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
        if rule.body.len() > LONG {
            return in_text_order(rule, known, &definitions.late(rule));
        }
        match self {
            Order::Unknowns(rules) => Unknowns { rules }.sequence(rule, known, definitions),
            Order::Estimated(estimator) => estimator.sequence(rule, &known),
        }
    }
}

/// Positive conditions in the order of the text, each followed by the tests that can be asked then.
fn in_text_order(rule: &Rule, mut known: Vec<bool>, late: &[bool]) -> Option<Vec<usize>> {
    let is_positive = |position: &usize| matches!(rule.body[*position], Literal::Is(_));
    let (positive, tests): (Vec<usize>, Vec<usize>) = (0..rule.body.len()).partition(is_positive);
    // A test waits at one of its unknown variables at a time, so that none is looked at more often than it has variables.
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); rule.variables.len()];
    let mut sequence = Vec::with_capacity(rule.body.len());
    let mut place = |test: usize, known: &mut Vec<bool>, waiting: &mut Vec<Vec<usize>>| {
        let mut ready = vec![test];
        while let Some(test) = ready.pop() {
            if let Some(variable) = blocker(&rule.body[test], known) {
                waiting[variable].push(test);
                continue;
            }
            sequence.push(test);
            for variable in variables(&rule.body[test]) {
                known[variable] = true;
                ready.append(&mut waiting[variable]);
            }
        }
    };
    for test in tests {
        place(test, &mut known, &mut waiting);
    }
    let (last, first): (Vec<usize>, Vec<usize>) = positive.into_iter().partition(|&position| late[position]);
    for position in first.into_iter().chain(last) {
        place(position, &mut known, &mut waiting);
    }
    (sequence.len() == rule.body.len()).then_some(sequence)
}

/// An unknown variable that keeps a condition from being asked.
fn blocker(literal: &Literal, known: &[bool]) -> Option<usize> {
    if is_ready(literal, known) {
        return None;
    }
    variables(literal).into_iter().find(|&variable| !known[variable])
}

/// The variables of a condition, some perhaps twice.
fn variables(literal: &Literal) -> Vec<usize> {
    let mut list = Vec::new();
    literal.each_variable(&mut |variable| list.push(variable.0 as usize));
    list
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
    let mut unknown: Vec<usize> = variables(literal).into_iter().filter(|&variable| !known[variable]).collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown.len()
}

/// Marks the variables of a literal as known.
pub(super) fn learn(literal: &Literal, known: &mut [bool]) {
    for variable in variables(literal) {
        known[variable] = true;
    }
}

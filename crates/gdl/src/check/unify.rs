//! Can two atoms of different rules be made equal?

use crate::{Term, VarId};

/// A term together with the rule it belongs to, 0 or 1.
type Sided<'a> = (usize, &'a Term);

/// A variable of one of the rules, and what it stands for.
type Binding<'a> = ((usize, VarId), Sided<'a>);

/// After this many steps the answer is yes. Unification without sharing can take exponential time, and terms that would
/// have to contain themselves go round for ever; a wrong yes only makes the check that asks a little stricter.
const STEPS: usize = 200;

/// True where a substitution makes the arguments equal; the two lists have variables of their own. Adds to `work` what it
/// cost.
pub(crate) fn unifiable(left: &[Term], right: &[Term], work: &mut usize) -> bool {
    let sided = |side: usize| move |term| -> Sided<'_> { (side, term) };
    let mut bindings: Vec<Binding<'_>> = Vec::new();
    let mut stack: Vec<(Sided<'_>, Sided<'_>)> = left.iter().map(sided(0)).zip(right.iter().map(sided(1))).collect();
    for _ in 0..STEPS {
        let Some((one, other)) = stack.pop() else { return true };
        *work += 1 + bindings.len();
        match (walk(one, &bindings), walk(other, &bindings)) {
            ((side, Term::Var(var)), (other_side, Term::Var(other))) if (side, var) == (other_side, other) => {}
            ((side, Term::Var(var)), value) | (value, (side, Term::Var(var))) => bindings.push(((side, *var), value)),
            ((side, Term::Apply(name, args)), (other_side, Term::Apply(other, others))) => {
                if name != other || args.len() != others.len() {
                    return false;
                }
                stack.extend(args.iter().map(sided(side)).zip(others.iter().map(sided(other_side))));
            }
        }
    }
    true
}

/// Follows a variable to what it is bound to.
fn walk<'a>(mut term: Sided<'a>, bindings: &[Binding<'a>]) -> Sided<'a> {
    while let (side, Term::Var(var)) = term {
        match bindings.iter().find(|(bound, _)| *bound == (side, *var)) {
            Some(&(_, value)) => term = value,
            None => break,
        }
    }
    term
}

#[cfg(test)]
mod tests {
    use super::unifiable;
    use crate::{Symbol, Term, VarId};

    fn var(id: u32) -> Term {
        Term::Var(VarId(id))
    }

    fn apply(name: u32, args: impl Into<Vec<Term>>) -> Term {
        Term::Apply(Symbol(name), args.into().into())
    }

    #[test]
    fn variables_of_the_two_sides_differ() {
        let (a, b) = (apply(0, []), apply(1, []));
        let f = |term: &Term| apply(2, [term.clone()]);
        let cases = [
            (vec![a.clone()], vec![a.clone()], true),
            (vec![a.clone()], vec![b.clone()], false),
            (vec![var(0), var(0)], vec![a.clone(), b.clone()], false),
            (vec![var(0), var(1)], vec![var(1), var(0)], true),
            (vec![var(0), a.clone()], vec![f(&var(0)), var(0)], true),
            (vec![var(0), f(&var(0))], vec![a.clone(), f(&b)], false),
            (vec![var(0), f(&var(0))], vec![var(0), f(&var(0))], true),
        ];
        for (left, right, expected) in cases {
            assert_eq!(unifiable(&left, &right, &mut 0), expected, "{left:?} {right:?}");
        }
    }
}

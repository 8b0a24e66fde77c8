//! Conditions that two terms are equal are solved once and for all, by putting one term for the other.

use crate::Error;
use crate::program::{Clause, Lit, Pattern, Test};
use crate::terms::Terms;
use rustc_hash::FxHashMap;

/// Equations may nest terms so deep, which is as deep as the text of a sheet may.
const DEPTH: usize = ludens_gdl::Limits::MAX_DEPTH;

/// The clause without its equations; `None` where they have no solution.
///
/// Equations can make terms that are far larger than their text: what is put in counts against `room`.
pub(crate) fn equal(
    clause: Clause,
    mut equations: Vec<(Pattern, Pattern)>,
    terms: &mut Terms,
    room: &mut usize,
) -> Result<Option<Clause>, Error> {
    if equations.is_empty() {
        return Ok(Some(clause));
    }
    let mut solution: FxHashMap<u32, Pattern> = FxHashMap::default();
    let mut putting = Putting { terms, room };
    while let Some((left, right)) = equations.pop() {
        let (left, right) = (putting.pattern(&left, &solution)?, putting.pattern(&right, &solution)?);
        match (left, right) {
            (left, right) if left == right => {}
            (Pattern::Var(var), other) | (other, Pattern::Var(var)) => {
                let mut inside = false;
                other.each_variable(&mut |known| inside |= known == var);
                if inside {
                    return Ok(None);
                }
                let only = FxHashMap::from_iter([(var, other.clone())]);
                for value in solution.values_mut() {
                    *value = putting.pattern(value, &only)?;
                    shallow(value)?;
                }
                shallow(&other)?;
                solution.insert(var, other);
            }
            (left, right) => match (parts(&left, putting.terms), parts(&right, putting.terms)) {
                ((left, ours), (right, theirs)) if left == right && ours.len() == theirs.len() => {
                    equations.extend(ours.into_iter().zip(theirs));
                }
                _ => return Ok(None),
            },
        }
    }
    let mut lits = |lits: Vec<Lit>| lits.iter().map(|lit| putting.lit(lit, &solution)).collect::<Result<Vec<Lit>, Error>>();
    let (positive, negative) = (lits(clause.positive)?, lits(clause.negative)?);
    let head = putting.lit(&clause.head, &solution)?;
    let mut test =
        |test: &Test| Ok(Test { left: putting.pattern(&test.left, &solution)?, right: putting.pattern(&test.right, &solution)? });
    let tests = clause.tests.iter().map(&mut test).collect::<Result<_, Error>>()?;
    Ok(Some(Clause { head, positive, negative, tests, ..clause }))
}

/// The name and the arguments of what is not a variable.
fn parts(pattern: &Pattern, terms: &Terms) -> (u32, Vec<Pattern>) {
    match pattern {
        Pattern::Ground(term) => (terms.symbol(*term), terms.args(*term).iter().map(|&arg| Pattern::Ground(arg)).collect()),
        Pattern::Apply(symbol, args) => (*symbol, args.to_vec()),
        Pattern::Var(_) => unreachable!("a variable has been bound"),
    }
}

/// Refuses what later stages could not walk recursively.
fn shallow(pattern: &Pattern) -> Result<(), Error> {
    if measure(pattern).1 > DEPTH { Err(Error::limit("depth", DEPTH as u64)) } else { Ok(()) }
}

/// How many parts a pattern has, and how deep they nest.
fn measure(pattern: &Pattern) -> (usize, usize) {
    match pattern {
        Pattern::Var(_) | Pattern::Ground(_) => (1, 1),
        Pattern::Apply(_, args) => {
            args.iter().map(measure).fold((1, 1), |(size, depth), (more, deep)| (size + more, depth.max(deep + 1)))
        }
    }
}

/// Puts terms for variables.
struct Putting<'a> {
    terms: &'a mut Terms,
    /// Parts that may still be made.
    room: &'a mut usize,
}

impl Putting<'_> {
    fn lit(&mut self, lit: &Lit, solution: &FxHashMap<u32, Pattern>) -> Result<Lit, Error> {
        let args = lit.args.iter().map(|arg| self.pattern(arg, solution)).collect::<Result<_, Error>>()?;
        Ok(Lit { rel: lit.rel, args, guard: lit.guard })
    }

    fn pattern(&mut self, pattern: &Pattern, solution: &FxHashMap<u32, Pattern>) -> Result<Pattern, Error> {
        match pattern {
            Pattern::Var(var) => {
                let Some(value) = solution.get(var) else { return Ok(pattern.clone()) };
                let (size, _) = measure(value);
                *self.room = self.room.checked_sub(size).ok_or_else(|| self.terms.too_many())?;
                Ok(value.clone())
            }
            Pattern::Ground(_) => Ok(pattern.clone()),
            Pattern::Apply(symbol, args) => {
                let args = args.iter().map(|arg| self.pattern(arg, solution)).collect::<Result<Vec<Pattern>, Error>>()?;
                Pattern::apply(*symbol, args, self.terms)
            }
        }
    }
}

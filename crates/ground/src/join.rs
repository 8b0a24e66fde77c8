//! Finding the bindings under which a clause's conditions hold.

use crate::Error;
use crate::plan::{Part, Plan, Source, Step, Window};
use crate::program::{Clause, Lit, Pattern, Test};
use crate::table::{self, Table};
use crate::terms::{NONE, TermId, Terms};
use crate::usage::Usage;
use smallvec::SmallVec;

/// What is done with a binding: the value of each variable, the row of each positive condition that was asked for, all terms, and what has
/// been used.
pub(crate) type Found<'a> = dyn FnMut(&[TermId], &[u32], &mut Terms, &mut Usage) -> Result<(), Error> + 'a;

/// What a join works on.
pub(crate) struct Join<'a> {
    pub(crate) clauses: &'a [Clause],
    pub(crate) tables: &'a [Table],
    pub(crate) terms: &'a mut Terms,
    /// Per relation: where the rows of the last round begin and end.
    pub(crate) rounds: &'a [(u32, u32)],
    pub(crate) usage: &'a mut Usage,
}

/// Rows that a step has not looked at.
#[derive(Clone)]
enum Rows<'a> {
    Range(std::ops::Range<u32>),
    List(std::slice::Iter<'a, u32>),
}

impl Iterator for Rows<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        match self {
            Rows::Range(range) => range.next(),
            Rows::List(list) => list.next().copied(),
        }
    }
}

impl<'a> Join<'a> {
    /// Calls back with the bindings of the variables under which the conditions hold: once for every combination of what the plan was made
    /// to tell apart.
    ///
    /// Nested loops laid flat, for a rule may have more conditions than a stack has room.
    pub(crate) fn run(&mut self, clause: usize, plan: &Plan, found: &mut Found<'_>) -> Result<(), Error> {
        let clause = &self.clauses[clause];
        let mut env = vec![NONE; clause.variables as usize];
        let mut rows = vec![table::NO_ROW; clause.positive.len()];
        let mut open = vec![Rows::Range(0..0); plan.steps.len()];
        let mut at = 0;
        // Every step leads on to the next or back to the last scan before it.
        loop {
            let back = match plan.steps.get(at) {
                None => {
                    found(&env, &rows, self.terms, self.usage)?;
                    plan.after_answer
                }
                Some(Step::Test { test, back }) => {
                    if self.differ(&clause.tests[*test], &env)? {
                        at += 1;
                        continue;
                    }
                    *back
                }
                Some(Step::Absent { condition, back }) => {
                    if known_row(&clause.negative[*condition], &env, self.terms, self.tables).is_none() {
                        at += 1;
                        continue;
                    }
                    *back
                }
                Some(Step::Scan(scan)) => {
                    let rel = clause.positive[scan.condition].rel as usize;
                    let (lo, hi) = match (scan.window, self.rounds[rel]) {
                        (Window::All, (_, hi)) => (0, hi),
                        (Window::Old, (lo, _)) => (0, lo),
                        (Window::New, round) => round,
                    };
                    open[at] = self.rows(rel, scan.index, &scan.key, &env, (lo, hi));
                    Some(at)
                }
            };
            // The scan to go on with, or one before it, has another row that fits.
            let mut back = back;
            loop {
                let Some(scan_at) = back else { return Ok(()) };
                let Step::Scan(scan) = &plan.steps[scan_at] else { unreachable!("only scans are gone back to") };
                let table = &self.tables[clause.positive[scan.condition].rel as usize];
                let mut looked = 0;
                let next = open[scan_at].find(|&row| {
                    looked += 1;
                    scan.parts.iter().zip(table.row(row)).all(|(part, &term)| fits(part, term, &mut env, self.terms))
                });
                self.usage.step(clause.origin, looked + 1)?;
                if let Some(row) = next {
                    rows[scan.condition] = row;
                    at = scan_at + 1;
                    break;
                }
                back = scan.back;
            }
        }
    }

    /// The rows of a relation between two numbers whose known parts have the right hash.
    fn rows(&self, rel: usize, index: Option<u32>, key: &[Source], env: &[TermId], (lo, hi): (u32, u32)) -> Rows<'a> {
        let Some(index) = index else { return Rows::Range(lo..hi) };
        let parts = key.iter().map(|source| match source {
            Source::Value(value) => *value,
            Source::Var(var) => env[*var as usize],
        });
        let rows = self.tables[rel].matching(index, table::key(parts));
        let from = if lo == 0 { 0 } else { rows.partition_point(|&row| row < lo) };
        let to = if rows.last().is_none_or(|&row| row < hi) { rows.len() } else { rows.partition_point(|&row| row < hi) };
        Rows::List(rows[from.min(to)..to].iter())
    }

    fn differ(&mut self, test: &Test, env: &[TermId]) -> Result<bool, Error> {
        Ok(build(&test.left, env, self.terms)? != build(&test.right, env, self.terms)?)
    }
}

/// Whether a term fits, binding the variables that are not yet bound. Which ones are is known from the plan, so that nothing has to be undone.
fn fits(part: &Part, term: TermId, env: &mut [TermId], terms: &Terms) -> bool {
    match part {
        Part::Bind(var) => {
            env[*var as usize] = term;
            true
        }
        Part::Same(var) => env[*var as usize] == term,
        Part::Value(value) => *value == term,
        Part::Apply(symbol, parts) => {
            let args = terms.args(term);
            terms.symbol(term) == *symbol
                && args.len() == parts.len()
                && parts.iter().zip(args).all(|(part, &arg)| fits(part, arg, env, terms))
        }
    }
}

/// The term that a pattern is when all its variables are bound.
pub(crate) fn build(pattern: &Pattern, env: &[TermId], terms: &mut Terms) -> Result<TermId, Error> {
    match pattern {
        Pattern::Var(var) => Ok(env[*var as usize]),
        Pattern::Ground(term) => Ok(*term),
        Pattern::Apply(symbol, args) => {
            let args = args.iter().map(|arg| build(arg, env, terms)).collect::<Result<SmallVec<[TermId; 8]>, Error>>()?;
            terms.intern(*symbol, &args)
        }
    }
}

fn known(pattern: &Pattern, env: &[TermId], terms: &Terms) -> Option<TermId> {
    match pattern {
        Pattern::Var(var) => Some(env[*var as usize]),
        Pattern::Ground(term) => Some(*term),
        Pattern::Apply(symbol, args) => {
            let args = args.iter().map(|arg| known(arg, env, terms)).collect::<Option<SmallVec<[TermId; 8]>>>()?;
            terms.find(*symbol, &args)
        }
    }
}

/// The row of an atom whose variables are all bound, if the atom is known.
pub(crate) fn known_row(lit: &Lit, env: &[TermId], terms: &Terms, tables: &[Table]) -> Option<u32> {
    let row = lit.args.iter().map(|arg| known(arg, env, terms)).collect::<Option<SmallVec<[TermId; 8]>>>()?;
    tables[lit.rel as usize].find(&row)
}

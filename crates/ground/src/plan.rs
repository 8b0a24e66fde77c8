//! The order in which to ask the conditions of a clause.

use crate::Error;
use crate::program::{Clause, Pattern, Program, Role, Test, Vars};
use crate::shape::Shapes;
use crate::table::{Inside, Path, Table, functor};
use crate::terms::TermId;
use crate::usage::Usage;
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// Which rows of a table a step may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// All that are known.
    All,
    /// Those that were known before the last round.
    Old,
    /// Those that the last round has found.
    New,
}

/// What a part of a row must be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Value(u32),
    Var(u32),
}

/// A pattern with what is known when its rows are looked at.
#[derive(Clone, Debug)]
pub(crate) enum Part {
    /// A variable that is bound here.
    Bind(u32),
    /// One that is bound already.
    Same(u32),
    Value(TermId),
    Apply(u32, Box<[Part]>),
}

/// Goes through the rows of a positive condition that fit.
#[derive(Clone, Debug)]
pub(crate) struct Scan {
    pub(crate) condition: usize,
    pub(crate) index: Option<u32>,
    pub(crate) key: SmallVec<[Source; 4]>,
    pub(crate) parts: Box<[Part]>,
    pub(crate) window: Window,
    /// The scan before it.
    pub(crate) back: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Scan(Scan),
    /// Two terms differ.
    Test {
        test: usize,
        back: Option<usize>,
    },
    /// A static atom does not hold.
    Absent {
        condition: usize,
        back: Option<usize>,
    },
}

/// An order in which to ask the conditions of a clause.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) steps: Vec<Step>,
    /// The last scan that chooses something the answer shows: those after it are not asked for another row once all hold.
    pub(crate) after_answer: Option<usize>,
}

/// What a plan is made for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Purpose<'a> {
    /// The condition that looks at new rows only, and comes first.
    pub(crate) driver: Option<usize>,
    /// Conditions that look at old rows only, ascending.
    pub(crate) old: &'a [usize],
    /// Instances of the clause are told apart by the conditions that are gates; else only heads are.
    pub(crate) instances: bool,
}

impl Plan {
    /// Orders the conditions of a clause: the driver, if any, then always the one with the fewest rows to expect.
    pub(crate) fn new(
        program: &Program,
        clause: &Clause,
        purpose: &Purpose<'_>,
        shapes: &Shapes,
        tables: &mut [Table],
        usage: &mut Usage,
    ) -> Result<Plan, Error> {
        usage.step(clause.origin, clause.positive.len() as u64)?;
        let mut planner = Planner::new(program, clause, shapes);
        planner.checks(&[]);
        if let Some(driver) = purpose.driver {
            planner.scan(driver, Window::New, tables);
        }
        while let Some(&(.., next)) = planner.scans.first() {
            let window = if purpose.old.binary_search(&next).is_ok() { Window::Old } else { Window::All };
            planner.scan(next, window, tables);
        }
        if planner.missing.iter().any(|&missing| missing > 0) {
            return Err(Error::Unsafe { relation: program.relations[clause.head.rel as usize].name.clone() });
        }
        let after_answer = planner.last_shown(purpose.instances);
        Ok(Plan { steps: planner.steps, after_answer })
    }
}

/// A condition's place in the queue: whether it shares nothing with what is known, the rows to expect (as bits, which order as the numbers
/// do), and its number.
type Place = (bool, u64, usize);

struct Planner<'a> {
    program: &'a Program,
    clause: &'a Clause,
    bound: Vec<bool>,
    any_bound: bool,
    /// Per positive condition: its rows, and how many values it has at each variable.
    expected: Vec<(f64, Vec<(u32, f64)>)>,
    /// The conditions without a place in the order, and where each stands in that queue.
    scans: BTreeSet<Place>,
    places: Vec<Place>,
    /// Per test, and then per static negative condition: its variables not yet bound.
    missing: Vec<usize>,
    /// Per variable: positive conditions that have it, and checks that do.
    scans_with: Vec<Vec<usize>>,
    checks_with: Vec<Vec<usize>>,
    steps: Vec<Step>,
    /// The last scan.
    last: Option<usize>,
}

impl<'a> Planner<'a> {
    fn new(program: &'a Program, clause: &'a Clause, shapes: &Shapes) -> Planner<'a> {
        let variables = clause.variables as usize;
        let expected: Vec<_> = clause.positive.iter().map(|lit| shapes.condition(lit, &program.terms)).collect();
        let mut planner = Planner {
            program,
            clause,
            bound: vec![false; variables],
            any_bound: false,
            scans: BTreeSet::new(),
            places: Vec::new(),
            missing: Vec::new(),
            scans_with: vec![Vec::new(); variables],
            checks_with: vec![Vec::new(); variables],
            steps: Vec::new(),
            last: None,
            expected,
        };
        for (condition, lit) in clause.positive.iter().enumerate() {
            lit.vars().iter().for_each(|&var| planner.scans_with[var as usize].push(condition));
            let place = planner.place(condition);
            planner.places.push(place);
            planner.scans.insert(place);
        }
        let none = |condition: usize| if program.is_static(clause.negative[condition].rel) { Some(condition) } else { None };
        let tests = clause.tests.iter().map(Test::vars);
        // Negative conditions that are gates are no checks.
        let absent = clause.negative.iter().enumerate().map(|(at, lit)| none(at).map_or_else(Vars::new, |_| lit.vars()));
        for (check, vars) in tests.chain(absent).enumerate() {
            planner.missing.push(vars.len());
            vars.iter().for_each(|&var| planner.checks_with[var as usize].push(check));
        }
        planner
    }

    /// Where a condition stands now.
    fn place(&self, condition: usize) -> Place {
        let (mut rows, ref values) = self.expected[condition];
        let mut joined = values.is_empty();
        for &(var, distinct) in values {
            if self.bound[var as usize] {
                joined = true;
                rows /= distinct.max(1.0);
            }
        }
        (self.any_bound && !joined, rows.to_bits(), condition)
    }

    fn replace(&mut self, condition: usize) {
        if self.scans.remove(&self.places[condition]) {
            self.places[condition] = self.place(condition);
            self.scans.insert(self.places[condition]);
        }
    }

    /// Places the checks that have no variables, or whose last ones have just been bound.
    fn checks(&mut self, vars: &[u32]) {
        let mut ready = Vec::new();
        if self.steps.is_empty() {
            ready.extend((0..self.missing.len()).filter(|&check| self.missing[check] == 0));
        }
        for &var in vars {
            for &check in &self.checks_with[var as usize] {
                self.missing[check] -= 1;
                if self.missing[check] == 0 {
                    ready.push(check);
                }
            }
        }
        ready.sort_unstable();
        ready.dedup();
        let (tests, back) = (self.clause.tests.len(), self.last);
        for check in ready {
            if check < tests {
                self.steps.push(Step::Test { test: check, back });
            } else if self.program.is_static(self.clause.negative[check - tests].rel) {
                self.steps.push(Step::Absent { condition: check - tests, back });
            }
        }
    }

    fn scan(&mut self, condition: usize, window: Window, tables: &mut [Table]) {
        self.scans.remove(&self.places[condition]);
        let lit = &self.clause.positive[condition];
        let mut known = Vec::new();
        for (argument, pattern) in lit.args.iter().enumerate() {
            let path = Path { argument: argument as u32, inside: SmallVec::new(), functor: false };
            self.known_parts(pattern, &path, &mut known);
        }
        let (paths, key): (Vec<Path>, SmallVec<[Source; 4]>) = known.into_iter().unzip();
        let index = (!paths.is_empty()).then(|| tables[lit.rel as usize].index(&paths));
        let mut vars = Vec::new();
        let parts = lit.args.iter().map(|arg| self.part(arg, &mut vars)).collect();
        self.steps.push(Step::Scan(Scan { condition, index, key, parts, window, back: self.last }));
        self.last = Some(self.steps.len() - 1);
        if !vars.is_empty() && !self.any_bound {
            self.any_bound = true;
            (0..self.places.len()).for_each(|condition| self.replace(condition));
        }
        for &var in &vars {
            for condition in std::mem::take(&mut self.scans_with[var as usize]) {
                self.replace(condition);
            }
        }
        self.checks(&vars);
    }

    /// A pattern as a step sees it; variables met for the first time are bound and noted.
    fn part(&mut self, pattern: &Pattern, vars: &mut Vec<u32>) -> Part {
        match pattern {
            Pattern::Var(var) if self.bound[*var as usize] => Part::Same(*var),
            Pattern::Var(var) => {
                self.bound[*var as usize] = true;
                vars.push(*var);
                Part::Bind(*var)
            }
            Pattern::Ground(term) => Part::Value(*term),
            Pattern::Apply(symbol, args) => Part::Apply(*symbol, args.iter().map(|arg| self.part(arg, vars)).collect()),
        }
    }

    /// The parts of a pattern that are known before its rows are looked at.
    fn known_parts(&self, pattern: &Pattern, path: &Path, parts: &mut Vec<(Path, Source)>) {
        match pattern {
            Pattern::Var(var) if self.bound[*var as usize] => parts.push((path.clone(), Source::Var(*var))),
            Pattern::Var(_) => {}
            Pattern::Ground(term) => parts.push((path.clone(), Source::Value(*term))),
            Pattern::Apply(symbol, args) => {
                let before = parts.len();
                for (argument, arg) in args.iter().enumerate() {
                    let mut inner = path.clone();
                    inner.inside.push(Inside { symbol: *symbol, arity: args.len() as u32, argument: argument as u32 });
                    self.known_parts(arg, &inner, parts);
                }
                if parts.len() == before {
                    parts.push((Path { functor: true, ..path.clone() }, Source::Value(functor(*symbol, args.len()))));
                }
            }
        }
    }

    /// The last scan that chooses a variable of the head or, for instances, one of a gate.
    fn last_shown(&self, instances: bool) -> Option<usize> {
        let mut shown = vec![false; self.bound.len()];
        let gate = |rel| instances && self.program.role(rel) != Role::Static;
        let negative = self.clause.negative.iter().filter(|lit| gate(lit.rel));
        for lit in negative.chain([&self.clause.head]) {
            lit.vars().iter().for_each(|&var| shown[var as usize] = true);
        }
        for lit in self.clause.positive.iter().filter(|lit| !lit.guard && gate(lit.rel)) {
            lit.vars().iter().for_each(|&var| shown[var as usize] = true);
        }
        let chooses = |part: &Part| part.binds(&shown);
        self.steps.iter().rposition(|step| matches!(step, Step::Scan(scan) if scan.parts.iter().any(chooses)))
    }
}

impl Part {
    /// Whether it binds one of these variables.
    fn binds(&self, vars: &[bool]) -> bool {
        match self {
            Part::Bind(var) => vars[*var as usize],
            Part::Same(_) | Part::Value(_) => false,
            Part::Apply(_, parts) => parts.iter().any(|part| part.binds(vars)),
        }
    }
}

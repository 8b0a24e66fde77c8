//! Which terms can stand at each argument of each relation, arguments looked at one by one: what joins are estimated by.

use crate::program::{Clause, Lit, Pattern, Program, Rel};
use crate::table::Table;
use crate::terms::{TermId, Terms};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Function terms are looked into this deep.
const DEPTH: usize = 3;

/// So many sets of arguments are kept within one set; function terms beyond are not looked into. Wide terms within wide terms would be more than
/// any memory holds.
const WIDEST: u32 = 4_096;

/// So much is done to find shapes out; then anything is assumed.
const WORK: u64 = 50_000_000;

/// What is assumed of an argument that is too deep to tell.
const UNKNOWN: f64 = 1_000.0;

/// A set of terms: constants one by one, function terms by name with a set for each argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Shared, for most variables range over all that some argument does.
    constants: Rc<FxHashSet<TermId>>,
    functions: BTreeMap<(u32, u32), Vec<Shape>>,
    /// How many sets of arguments there are within, at all depths.
    inside: u32,
    /// Anything may be there.
    open: bool,
}

impl Shape {
    fn anything() -> Shape {
        Shape { open: true, ..Shape::default() }
    }

    /// How many terms there are.
    pub(crate) fn size(&self) -> f64 {
        let functions: f64 = self.functions.values().map(|args| args.iter().map(Shape::size).product::<f64>()).sum();
        self.constants.len() as f64 + functions + if self.open { UNKNOWN } else { 0.0 }
    }

    fn add(&mut self, term: TermId, terms: &Terms, depth: usize) {
        let args = terms.args(term);
        if args.is_empty() {
            if !self.constants.contains(&term) {
                Rc::make_mut(&mut self.constants).insert(term);
            }
        } else if depth == DEPTH {
            self.open = true;
        } else if !self.open {
            let shapes = self.functions.entry((terms.symbol(term), args.len() as u32)).or_default();
            shapes.resize_with(args.len(), Shape::default);
            for (shape, &arg) in shapes.iter_mut().zip(args) {
                shape.add(arg, terms, depth + 1);
            }
            self.measure();
        }
    }

    /// Counts what is inside; a set that has become too wide is opened.
    fn measure(&mut self) {
        let inside = self.functions.values().flatten().fold(0_u32, |sum, shape| sum.saturating_add(1 + shape.inside));
        self.inside = inside;
        if inside > WIDEST {
            self.functions.clear();
            (self.inside, self.open) = (0, true);
        }
    }

    /// Adds another set; answers whether that made a difference.
    fn unite(&mut self, other: &Shape, depth: usize) -> bool {
        let before = (self.constants.len(), self.open);
        if self.constants.is_empty() {
            self.constants = Rc::clone(&other.constants);
        } else if !Rc::ptr_eq(&self.constants, &other.constants) && !other.constants.is_subset(&self.constants) {
            Rc::make_mut(&mut self.constants).extend(other.constants.iter());
        }
        self.open |= other.open || depth > DEPTH;
        let mut changed = before != (self.constants.len(), self.open);
        if depth >= DEPTH {
            let open = !other.functions.is_empty() && !self.open;
            self.open |= open;
            return changed || open;
        }
        if self.open {
            // Nothing is gained by looking into it.
            return changed;
        }
        for (name, theirs) in &other.functions {
            let ours = self.functions.entry(*name).or_insert_with(|| {
                changed = true;
                vec![Shape::default(); theirs.len()]
            });
            for (ours, theirs) in ours.iter_mut().zip(theirs) {
                changed |= ours.unite(theirs, depth + 1);
            }
        }
        if changed {
            self.measure();
        }
        changed
    }

    fn intersection(&self, other: &Shape) -> Shape {
        match (self.open, other.open) {
            (true, _) => return other.clone(),
            (_, true) => return self.clone(),
            _ => {}
        }
        let mut functions = BTreeMap::new();
        for (name, ours) in &self.functions {
            if let Some(theirs) = other.functions.get(name) {
                let args: Vec<Shape> = ours.iter().zip(theirs).map(|(ours, theirs)| ours.intersection(theirs)).collect();
                if args.iter().all(|arg| arg.size() > 0.0) {
                    functions.insert(*name, args);
                }
            }
        }
        let (small, large) = if self.constants.len() < other.constants.len() { (self, other) } else { (other, self) };
        let constants = if Rc::ptr_eq(&small.constants, &large.constants) || small.constants.is_subset(&large.constants) {
            Rc::clone(&small.constants)
        } else {
            Rc::new(small.constants.intersection(&large.constants).copied().collect())
        };
        let mut shape = Shape { constants, functions, inside: 0, open: false };
        shape.measure();
        shape
    }
}

/// What is known of the rows of every relation.
#[derive(Debug, Default)]
pub(crate) struct Shapes {
    args: Vec<Vec<Shape>>,
    /// The number of rows where it is known.
    rows: Vec<Option<f64>>,
}

impl Shapes {
    pub(crate) fn new(program: &Program) -> Shapes {
        let args = program.relations.iter().map(|relation| vec![Shape::default(); relation.arity]).collect();
        Shapes { args, rows: vec![None; program.relations.len()] }
    }

    /// Makes room for relations that have been added.
    pub(crate) fn grow(&mut self, program: &Program) {
        for relation in &program.relations[self.args.len()..] {
            self.args.push(vec![Shape::default(); relation.arity]);
            self.rows.push(None);
        }
    }

    /// Learns the rows of a relation that is complete.
    pub(crate) fn learn(&mut self, rel: Rel, table: &Table, terms: &Terms) {
        for row in 0..table.len() as u32 {
            for (shape, &term) in self.args[rel as usize].iter_mut().zip(table.row(row)) {
                shape.add(term, terms, 0);
            }
        }
        self.rows[rel as usize] = Some(table.len() as f64);
    }

    /// Follows the rules of the relations that are not complete until nothing is added.
    pub(crate) fn follow(&mut self, program: &Program, clauses: &[usize], same: &[(Rel, Rel)]) {
        let mut dirty: Vec<bool> = vec![true; program.relations.len()];
        let mut first = true;
        let mut left = WORK;
        while first || dirty.iter().any(|&dirty| dirty) {
            let now = std::mem::replace(&mut dirty, vec![false; program.relations.len()]);
            for &(from, to) in same {
                let source = self.args[from as usize].clone();
                for (shape, other) in self.args[to as usize].iter_mut().zip(&source) {
                    dirty[to as usize] |= shape.unite(other, 0);
                }
            }
            for &index in clauses {
                let clause = &program.clauses[index];
                let mut work = 1;
                if first || clause.positive.iter().any(|lit| now[lit.rel as usize]) {
                    dirty[clause.head.rel as usize] |= self.apply(clause, &program.terms);
                    work += self.work(clause);
                }
                let Some(rest) = left.checked_sub(work) else { return self.open(program, clauses) };
                left = rest;
            }
            first = false;
        }
    }

    /// How many sets it takes to apply a clause, about.
    fn work(&self, clause: &Clause) -> u64 {
        let args = clause.positive.iter().chain([&clause.head]).flat_map(|lit| &self.args[lit.rel as usize]);
        args.map(|shape| 2 + u64::from(shape.inside)).sum()
    }

    /// Assumes that anything can stand at the arguments of all heads.
    fn open(&mut self, program: &Program, clauses: &[usize]) {
        for &index in clauses {
            self.args[program.clauses[index].head.rel as usize].fill(Shape::anything());
        }
    }

    /// Follows the only clause of a relation that does not need itself.
    pub(crate) fn follow_one(&mut self, program: &Program, clause: usize) {
        self.apply(&program.clauses[clause], &program.terms);
    }

    fn apply(&mut self, clause: &Clause, terms: &Terms) -> bool {
        let Some(vars) = self.variables(clause, terms) else { return false };
        let mut changed = false;
        for (place, pattern) in clause.head.args.iter().enumerate() {
            let shape = of_pattern(pattern, &vars, terms, 0);
            changed |= self.args[clause.head.rel as usize][place].unite(&shape, 0);
        }
        changed
    }

    /// What each variable of a clause can be, as far as its positive conditions say; nothing where one of them can never hold.
    pub(crate) fn variables(&self, clause: &Clause, terms: &Terms) -> Option<Vec<Shape>> {
        let mut vars: Vec<Option<Shape>> = vec![None; clause.variables as usize];
        for lit in &clause.positive {
            for (pattern, shape) in lit.args.iter().zip(&self.args[lit.rel as usize]) {
                if !narrow(pattern, shape, &mut vars, terms) {
                    return None;
                }
            }
        }
        Some(vars.into_iter().map(|shape| shape.unwrap_or_else(Shape::anything)).collect())
    }

    /// What can stand at an argument.
    pub(crate) fn argument(&self, rel: Rel, place: usize) -> &Shape {
        &self.args[rel as usize][place]
    }

    /// Says what can stand at the arguments of a relation, and how many rows it may have.
    pub(crate) fn set(&mut self, rel: Rel, args: Vec<Shape>, rows: f64) {
        self.args[rel as usize] = args;
        self.rows[rel as usize] = Some(rows.min(self.combinations(rel)));
    }

    /// Says how many rows a relation has.
    pub(crate) fn count(&mut self, rel: Rel, rows: usize) {
        self.rows[rel as usize] = Some(rows as f64);
    }

    /// How many rows a relation can have at most.
    pub(crate) fn combinations(&self, rel: Rel) -> f64 {
        self.args[rel as usize].iter().map(Shape::size).product()
    }

    /// How many terms a pattern can be, by what its variables can.
    pub(crate) fn values(pattern: &Pattern, vars: &[Shape], terms: &Terms) -> f64 {
        of_pattern(pattern, vars, terms, 0).size()
    }

    /// How many rows a condition has in all, and how many values at each of its variables.
    pub(crate) fn condition(&self, lit: &Lit, terms: &Terms) -> (f64, Vec<(u32, f64)>) {
        let mut values = Vec::new();
        let mut rows = 1.0;
        for (pattern, shape) in lit.args.iter().zip(&self.args[lit.rel as usize]) {
            rows *= leaves(pattern, shape, &mut values, terms);
        }
        if let Some(known) = self.rows[lit.rel as usize] {
            // Constants in the pattern leave their share of the rows.
            let all: f64 = self.args[lit.rel as usize].iter().map(Shape::size).product();
            rows = known * (rows / all.max(1.0)).min(1.0);
        }
        (rows, values)
    }
}

/// Restricts the variables of a pattern to what can stand in its place; false where nothing can.
fn narrow(pattern: &Pattern, shape: &Shape, vars: &mut [Option<Shape>], terms: &Terms) -> bool {
    match pattern {
        Pattern::Var(var) => {
            let known = &mut vars[*var as usize];
            let now = known.as_ref().map_or_else(|| shape.clone(), |known| known.intersection(shape));
            let possible = now.size() > 0.0;
            *known = Some(now);
            possible
        }
        Pattern::Ground(term) => shape.open || holds(shape, *term, terms),
        Pattern::Apply(symbol, args) => match shape.functions.get(&(*symbol, args.len() as u32)) {
            Some(shapes) => args.iter().zip(shapes).all(|(arg, shape)| narrow(arg, shape, vars, terms)),
            None => shape.open,
        },
    }
}

fn holds(shape: &Shape, term: TermId, terms: &Terms) -> bool {
    let args = terms.args(term);
    if shape.open || args.is_empty() {
        return shape.open || shape.constants.contains(&term);
    }
    let shapes = shape.functions.get(&(terms.symbol(term), args.len() as u32));
    shapes.is_some_and(|shapes| shapes.iter().zip(args).all(|(shape, &arg)| holds(shape, arg, terms)))
}

/// The terms a pattern can be.
fn of_pattern(pattern: &Pattern, vars: &[Shape], terms: &Terms, depth: usize) -> Shape {
    match pattern {
        Pattern::Var(var) => vars[*var as usize].clone(),
        Pattern::Ground(term) => {
            let mut shape = Shape::default();
            shape.add(*term, terms, depth);
            shape
        }
        Pattern::Apply(..) if depth == DEPTH => Shape::anything(),
        Pattern::Apply(symbol, args) => {
            let args: Vec<Shape> = args.iter().map(|arg| of_pattern(arg, vars, terms, depth + 1)).collect();
            let mut shape = Shape { functions: BTreeMap::from([((*symbol, args.len() as u32), args)]), ..Shape::default() };
            shape.measure();
            shape
        }
    }
}

/// How many terms of a set fit a pattern, and how many values its variables have there.
fn leaves(pattern: &Pattern, shape: &Shape, values: &mut Vec<(u32, f64)>, terms: &Terms) -> f64 {
    match pattern {
        Pattern::Var(var) => {
            values.push((*var, shape.size()));
            shape.size()
        }
        Pattern::Ground(term) => f64::from(u8::from(holds(shape, *term, terms))),
        Pattern::Apply(symbol, args) => {
            if let Some(shapes) = shape.functions.get(&(*symbol, args.len() as u32)) {
                return args.iter().zip(shapes).map(|(arg, shape)| leaves(arg, shape, values, terms)).product();
            }
            pattern.each_variable(&mut |var| values.push((var, UNKNOWN)));
            if shape.open { UNKNOWN } else { 0.0 }
        }
    }
}

//! Grounding on demand: a relation that is always asked with some arguments known is worked out for these only, not for all there could be.
//!
//! Such a relation gets a second one, of what it is asked for. Its rules begin with that one, as a guard, and for every condition that asks it
//! there is a rule that says so. (Deductive databases call this the magic set transformation.) Conditions under `not` gain most: all their
//! arguments are known, and from the bottom up nothing would restrict them.

use crate::Error;
use crate::fixpoint::Grounder;
use crate::program::{Clause, Lit, Pattern, Program, Rel, Role, Test, Vars};
use crate::shape::{Shape, Shapes};
use crate::terms::Terms;
use crate::usage::Usage;
use rustc_hash::{FxHashMap, FxHashSet};

/// What is asked for should be so much less than all there could be.
const GAIN: f64 = 16.0;

/// An argument counts as restricted where it has at most this share of the values it could have.
const RESTRICTED: f64 = 0.8;

/// A static condition passes on what is known if it has at most so many rows for it.
const FOLLOW: f64 = 8.0;

/// What rules with more conditions ask is worked out whole: each of their conditions would be asked with all others.
const LONG: usize = 64;

/// Bytes of a condition, roughly.
const ASKED: usize = 128;

/// Which arguments of each relation are known wherever it is asked; nothing for relations that are worked out whole.
struct Demand<'a> {
    program: &'a Program,
    shapes: &'a Shapes,
    /// Relations that could not be listed: they are asked for whatever is known.
    endless: &'a FxHashSet<Rel>,
    known: Vec<Option<Vec<bool>>>,
}

/// A condition that asks a relation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Positive(usize),
    Negative(usize),
}

impl Use {
    fn lit(self, clause: &Clause) -> &Lit {
        match self {
            Use::Positive(at) => &clause.positive[at],
            Use::Negative(at) => &clause.negative[at],
        }
    }
}

impl Grounder<'_> {
    /// Adds what relations are asked for, wherever that can restrict them.
    pub(crate) fn demand(&mut self) -> Result<(), Error> {
        let clauses = self.dynamic_clauses();
        let (known, asks) = {
            let Grounder { program, shapes, endless, usage, rules, whole, .. } = self;
            let mut demand = Demand::new(program, shapes, endless, *whole);
            demand.leave_out_long(&clauses);
            // First those go that are asked for everything by rules that are worked out whole; then what is known is passed on.
            for whole in [true, false] {
                demand.settle(&clauses, whole, usage).map_err(|error| usage.blame(error, rules))?;
                if whole {
                    demand.known.iter_mut().flatten().for_each(|known| known.fill(true));
                }
            }
            let mut asks: Vec<(Clause, Lit)> = Vec::new();
            for clause in clauses.iter().map(|&clause| &program.clauses[clause]) {
                let uses = demand.uses(clause).len() * (1 + clause.positive.len() + clause.negative.len());
                let counted = usage.step(clause.origin, uses as u64).and_then(|()| usage.take(uses * ASKED, &program.terms));
                counted.map_err(|error| usage.blame(error, rules))?;
                asks.extend(demand.asks(clause));
            }
            (demand.known, asks)
        };
        // Per relation: the relation of what it is asked for.
        let mut asked: Vec<Option<Rel>> = vec![None; known.len()];
        for (rel, known) in known.iter().enumerate() {
            let Some(known) = known else { continue };
            let arity = known.iter().filter(|&&known| known).count();
            let name = format!("asked_{}", self.program.relations[rel].name);
            let ask = self.relation(name, arity, Role::Asked);
            self.shapes.restrict(ask, rel as Rel, known);
            asked[rel] = Some(ask);
        }
        let guard = |lit: &Lit| {
            let (ask, known) = (asked[lit.rel as usize]?, known[lit.rel as usize].as_ref()?);
            Some(Lit { rel: ask, args: chosen(lit, known).cloned().collect(), guard: true })
        };
        let mut said = FxHashSet::default();
        for (mut clause, whole) in asks {
            let Some(head) = guard(&clause.head) else { continue };
            clause.positive.extend(guard(&whole));
            let plain = |lit: &Lit| Lit { guard: false, ..lit.clone() };
            clause.positive.iter_mut().for_each(|lit| *lit = plain(lit));
            clause.head = plain(&head);
            let clause = renumbered(&clause);
            let trivial = clause.positive.contains(&clause.head);
            let Clause { head, positive, negative, tests, .. } = clause.clone();
            if !trivial && said.insert((head, positive, negative, tests)) {
                self.program.clauses.push(clause);
            }
        }
        for index in clauses {
            let clause = &mut self.program.clauses[index];
            let guard = guard(&clause.head);
            clause.positive.extend(guard);
        }
        Ok(())
    }
}

impl<'a> Demand<'a> {
    fn new(program: &'a Program, shapes: &'a Shapes, endless: &'a FxHashSet<Rel>, whole: usize) -> Demand<'a> {
        let Program { relations, keywords, .. } = program;
        let asked_whole = [keywords.init, keywords.legal, keywords.next, keywords.goal, keywords.terminal];
        let known = relations.iter().enumerate().map(|(rel, relation)| {
            let rel = rel as Rel;
            let large = relation.role == Role::Derived
                && !asked_whole.contains(&rel)
                && (shapes.combinations(rel) > whole as f64 || endless.contains(&rel));
            large.then(|| vec![true; relation.arity])
        });
        Demand { program, shapes, endless, known: known.collect() }
    }

    /// Takes everything back that long clauses ask for.
    fn leave_out_long(&mut self, clauses: &[usize]) {
        for clause in clauses.iter().map(|&clause| &self.program.clauses[clause]) {
            if clause.positive.len() + clause.negative.len() > LONG {
                clause.positive.iter().chain(&clause.negative).for_each(|lit| self.known[lit.rel as usize] = None);
            }
        }
    }

    fn terms(&self) -> &Terms {
        &self.program.terms
    }

    fn is_asked(&self, rel: Rel) -> bool {
        self.known[rel as usize].is_some()
    }

    /// The conditions of a clause that ask relations on demand.
    fn uses(&self, clause: &Clause) -> Vec<Use> {
        let positive = (0..clause.positive.len()).map(Use::Positive);
        let negative = (0..clause.negative.len()).map(Use::Negative);
        positive.chain(negative).filter(|place| self.is_asked(place.lit(clause).rel)).collect()
    }

    /// Finds out what is known wherever relations are asked; only by rules that are `whole`ly worked out, if that is said.
    fn settle(&mut self, clauses: &[usize], whole: bool, usage: &mut Usage) -> Result<(), Error> {
        let program = self.program;
        let mut naming: Vec<Vec<usize>> = vec![Vec::new(); program.relations.len()];
        for &index in clauses {
            let clause = &program.clauses[index];
            let lits = clause.positive.iter().chain(&clause.negative).chain([&clause.head]);
            lits.filter(|lit| self.is_asked(lit.rel)).for_each(|lit| naming[lit.rel as usize].push(index));
        }
        let mut open = clauses.to_vec();
        let mut changed = Vec::new();
        while let Some(index) = open.pop() {
            let clause = &program.clauses[index];
            if whole && self.is_asked(clause.head.rel) {
                continue;
            }
            let uses = self.uses(clause).len() * clause.positive.len();
            usage.step(clause.origin, uses as u64)?;
            self.weaken(clause, &mut changed);
            open.extend(changed.drain(..).flat_map(|rel: Rel| &naming[rel as usize]));
        }
        Ok(())
    }

    /// Takes back what a clause does not know where it asks; notes of which relations.
    fn weaken(&mut self, clause: &Clause, changed: &mut Vec<Rel>) {
        for place in self.uses(clause) {
            let lit = place.lit(clause);
            let now = if let Use::Positive(at) = place { self.known_at(clause, at) } else { continue };
            let known = self.known[lit.rel as usize].as_mut().filter(|known| **known != now);
            if let Some(known) = known {
                changed.push(lit.rel);
                *known = now;
            }
            if self.known[lit.rel as usize].as_ref().is_some_and(|known| !known.contains(&true)) {
                self.known[lit.rel as usize] = None;
            }
        }
    }

    /// Which arguments of a positive condition are known when it is asked, of those that still count.
    fn known_at(&self, clause: &Clause, at: usize) -> Vec<bool> {
        let lit = &clause.positive[at];
        let Some(wanted) = &self.known[lit.rel as usize] else { return vec![false; lit.args.len()] };
        let mut vars = self.known_by_head(clause);
        for other in self.before(clause, Use::Positive(at)) {
            vars.extend(clause.positive[other].vars());
        }
        let bound = |arg: &Pattern| {
            let mut all = true;
            arg.each_variable(&mut |var| all &= vars.contains(&var));
            all
        };
        let mut known: Vec<bool> = lit.args.iter().zip(wanted).map(|(arg, &wanted)| wanted && bound(arg)).collect();
        if self.is_asked(clause.head.rel) {
            return known;
        }
        // Asking must be much less than working out the whole; where all that is known is too much, what restricts by itself may do.
        let Some(sizes) = self.shapes.variables(clause, self.terms()) else { return known };
        let values = |arg: &Pattern| Shapes::values(arg, &sizes, self.terms());
        let asked: f64 = chosen(lit, &known).map(values).product();
        let whole = self.shapes.combinations(lit.rel);
        if asked * GAIN > whole && !self.endless.contains(&lit.rel) {
            let restricts =
                |(place, arg): (usize, &Pattern)| values(arg) < RESTRICTED * self.shapes.argument(lit.rel, place).size();
            let restricts: Vec<bool> = lit.args.iter().enumerate().map(restricts).collect();
            known.iter_mut().zip(restricts).for_each(|(known, restricts)| *known &= restricts);
        }
        known
    }

    /// The variables that are known because the head is asked for.
    fn known_by_head(&self, clause: &Clause) -> FxHashSet<u32> {
        let mut vars = FxHashSet::default();
        if let Some(known) = &self.known[clause.head.rel as usize] {
            chosen(&clause.head, known).for_each(|arg| arg.each_variable(&mut |var| vars.extend([var])));
        }
        vars
    }

    /// The positive conditions of a clause that may be asked before a condition is: never one that waits for it.
    fn before(&self, clause: &Clause, place: Use) -> Vec<usize> {
        let all = 0..clause.positive.len();
        let Use::Positive(at) = place else { return all.collect() };
        if !self.is_asked(clause.head.rel) {
            return all.filter(|&other| other != at && !self.is_asked(clause.positive[other].rel)).collect();
        }
        // Static conditions lead on from what the head knows.
        let mut vars = self.known_by_head(clause);
        let mut found = Vec::new();
        let leads = |vars: &FxHashSet<u32>, other: usize| {
            let lit = &clause.positive[other];
            let (mut rows, values) = self.shapes.condition(lit, self.terms());
            let known = values.iter().filter(|(var, _)| vars.contains(var));
            rows /= known.clone().map(|(_, size)| size.max(1.0)).product::<f64>();
            known.count() > 0 && rows <= FOLLOW
        };
        let is_static = |other: usize| self.program.is_static(clause.positive[other].rel);
        while let Some(next) = all.clone().find(|&other| is_static(other) && !found.contains(&other) && leads(&vars, other)) {
            vars.extend(clause.positive[next].vars());
            found.push(next);
        }
        found
    }

    /// For every condition of a clause that asks on demand, a rule that says so: its head is the condition as it stands. With each goes the
    /// head of the clause, which may be asked for itself.
    fn asks(&self, clause: &Clause) -> Vec<(Clause, Lit)> {
        let mut asks = Vec::new();
        for place in self.uses(clause) {
            let lit = place.lit(clause);
            let Some(known) = &self.known[lit.rel as usize] else { continue };
            let mut wanted = FxHashSet::default();
            chosen(lit, known).for_each(|arg| arg.each_variable(&mut |var| wanted.extend([var])));
            let before = self.before(clause, place);
            let mut vars = self.known_by_head(clause);
            let mut positive = Vec::new();
            // What leads on from the head does so in steps; else only conditions that speak of what is asked for are of use.
            let steps = self.is_asked(clause.head.rel) && matches!(place, Use::Positive(_));
            for other in before {
                let other = &clause.positive[other];
                if steps || other.vars().iter().any(|var| wanted.contains(var)) {
                    vars.extend(other.vars());
                    positive.push(other.clone());
                }
            }
            let all_known = |list: &Vars| list.iter().all(|var| vars.contains(var));
            let absent = |lit: &&Lit| self.program.is_static(lit.rel) && all_known(&lit.vars());
            let ask = Clause {
                head: lit.clone(),
                positive,
                negative: clause.negative.iter().filter(absent).cloned().collect(),
                tests: clause.tests.iter().filter(|test| all_known(&test.vars())).cloned().collect(),
                ..*clause
            };
            asks.push((ask, clause.head.clone()));
        }
        asks
    }
}

/// The arguments of a condition that are known.
fn chosen<'l>(lit: &'l Lit, known: &'l [bool]) -> impl Iterator<Item = &'l Pattern> {
    lit.args.iter().zip(known).filter_map(|(arg, &known)| known.then_some(arg))
}

/// The same clause, its variables numbered in the order they occur.
fn renumbered(clause: &Clause) -> Clause {
    let mut names: FxHashMap<u32, u32> = FxHashMap::default();
    let mut name = |var: u32| {
        let next = names.len() as u32;
        *names.entry(var).or_insert(next)
    };
    let head = clause.head.renamed(&mut name);
    let mut lits = |lits: &[Lit]| lits.iter().map(|lit| lit.renamed(&mut name)).collect::<Vec<Lit>>();
    let (positive, negative) = (lits(&clause.positive), lits(&clause.negative));
    let tests: Vec<Test> = clause.tests.iter().map(|test| test.renamed(&mut name)).collect();
    Clause { head, positive, negative, tests, variables: names.len() as u32, origin: clause.origin }
}

impl Shapes {
    /// Gives a relation the arguments of another that are known there.
    fn restrict(&mut self, rel: Rel, of: Rel, known: &[bool]) {
        let shapes: Vec<Shape> = (0..known.len()).filter(|&at| known[at]).map(|at| self.argument(of, at).clone()).collect();
        let rows = shapes.iter().map(Shape::size).product::<f64>() / GAIN;
        self.set(rel, shapes, rows);
    }
}

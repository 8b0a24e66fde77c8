//! Early projection: a variable that few conditions share is taken out of a long clause through a relation of its own.
//!
//! A clause with ten variables has as many instances as there are bindings of all ten; split, each part has the bindings of its own few.

use crate::Error;
use crate::fixpoint::Grounder;
use crate::program::{Clause, Lit, Pattern, Program, Rel, Role, Test, Vars};
use rustc_hash::{FxHashMap, FxHashSet};

/// A split must cost less than so much of the whole.
const BETTER: f64 = 0.95;

/// So many conditions and variables are weighed; rules that are left then stay as they are. Splitting a rule of a thousand conditions weighs it
/// almost as many times.
const WEIGHED: u64 = 20_000_000;

/// Parts already split off, by what they say.
#[derive(Default)]
struct Parts {
    known: FxHashMap<Body, Rel>,
}

/// The conditions of a part, its variables numbered in the order they occur, and which of them are its arguments.
#[derive(PartialEq, Eq, Hash)]
struct Body {
    positive: Vec<Lit>,
    negative: Vec<Lit>,
    tests: Vec<Test>,
    arguments: Vec<u32>,
}

/// A way to split a clause.
struct Split {
    /// Which conditions go.
    positive: Vec<usize>,
    negative: Vec<usize>,
    tests: Vec<usize>,
    /// Positive conditions that stay and say which bindings matter.
    guards: Vec<usize>,
    /// The variables that the part shares with the rest.
    shared: Vars,
    /// Of the part and the rest together, as a logarithm.
    cost: f64,
}

impl Grounder<'_> {
    /// Splits every clause whose parts have fewer instances than the whole.
    pub(crate) fn project(&mut self) -> Result<(), Error> {
        let mut parts = Parts::default();
        let mut open = self.dynamic_clauses();
        let mut left = WEIGHED;
        while let Some(index) = open.pop() {
            loop {
                let clause = &self.program.clauses[index];
                let size = clause.positive.len() + clause.negative.len() + clause.tests.len() + clause.variables as usize;
                let Some(rest) = left.checked_sub(size as u64) else { return Ok(()) };
                left = rest;
                let Some(split) = self.best_split(clause) else { break };
                let Clause { origin, positive, .. } = &self.program.clauses[index];
                let charged = self.usage.step(*origin, positive.len() as u64);
                charged.map_err(|error| self.usage.blame(error, self.rules))?;
                let (lit, new) = self.split_off(index, &split, &mut parts)?;
                open.extend(new);
                let clause = &mut self.program.clauses[index];
                keep(&mut clause.positive, &split.positive);
                keep(&mut clause.negative, &split.negative);
                keep(&mut clause.tests, &split.tests);
                clause.positive.push(lit);
            }
        }
        Ok(())
    }

    /// The split with the fewest instances, if it has fewer than the clause as it is.
    fn best_split(&self, clause: &Clause) -> Option<Split> {
        let sizes = self.shapes.variables(clause, &self.program.terms)?;
        let estimate = Estimate::new(self, clause, sizes.iter().map(|shape| shape.size().max(1.0).ln()).collect());
        let candidates = (0..clause.variables).filter(|&var| !estimate.head[var as usize]);
        let splits = candidates.filter_map(|var| estimate.split(var));
        let best = splits.min_by(|left, right| left.cost.total_cmp(&right.cost))?;
        (best.cost < estimate.whole.cost() + BETTER.ln()).then_some(best)
    }

    /// Gives the conditions of a split a relation of their own; answers the condition that stands for them, and the new clause if there is one.
    fn split_off(&mut self, index: usize, split: &Split, parts: &mut Parts) -> Result<(Lit, Option<usize>), Error> {
        let clause = &self.program.clauses[index];
        let guard = |lit: &Lit| Lit { guard: true, ..lit.clone() };
        let positive = split.positive.iter().map(|&at| clause.positive[at].clone());
        let positive: Vec<Lit> = positive.chain(split.guards.iter().map(|&at| guard(&clause.positive[at]))).collect();
        let negative: Vec<Lit> = split.negative.iter().map(|&at| clause.negative[at].clone()).collect();
        let tests: Vec<Test> = split.tests.iter().map(|&at| clause.tests[at].clone()).collect();

        let mut names: FxHashMap<u32, u32> = FxHashMap::default();
        let mut name = |var: u32| {
            let next = names.len() as u32;
            *names.entry(var).or_insert(next)
        };
        let body = Body {
            positive: positive.iter().map(|lit| lit.renamed(&mut name)).collect(),
            negative: negative.iter().map(|lit| lit.renamed(&mut name)).collect(),
            tests: tests.iter().map(|test| test.renamed(&mut name)).collect(),
            arguments: {
                let mut arguments: Vec<u32> = split.shared.iter().map(|&var| name(var)).collect();
                arguments.sort_unstable();
                arguments
            },
        };
        let old: FxHashMap<u32, u32> = names.iter().map(|(&old, &new)| (new, old)).collect();
        let args: Box<[Pattern]> = body.arguments.iter().map(|new| Pattern::Var(old[new])).collect();
        if let Some(&rel) = parts.known.get(&body) {
            return Ok((Lit { rel, args, guard: false }, None));
        }
        let is_static = body.positive.iter().chain(&body.negative).all(|lit| self.program.is_static(lit.rel));
        let role = if is_static { Role::Static } else { Role::Derived };
        let (origin, variables) = (clause.origin, names.len() as u32);
        let name = format!("part{}", parts.known.len());
        let rel = self.relation(name, args.len(), role);
        let head = Lit { rel, args: body.arguments.iter().map(|&var| Pattern::Var(var)).collect(), guard: false };
        let clause = Clause {
            head,
            positive: body.positive.clone(),
            negative: body.negative.clone(),
            tests: body.tests.clone(),
            variables,
            origin,
        };
        self.program.clauses.push(clause);
        let index = self.program.clauses.len() - 1;
        parts.known.insert(body, rel);
        if is_static {
            self.list(rel, index)?;
        } else {
            self.shapes.follow_one(&self.program, index);
        }
        Ok((Lit { rel, args, guard: false }, (!is_static).then_some(index)))
    }
}

fn keep<T>(list: &mut Vec<T>, gone: &[usize]) {
    let mut at = 0;
    list.retain(|_| {
        at += 1;
        !gone.contains(&(at - 1))
    });
}

/// What instances cost, as logarithms: rules may have thousands of variables.
#[derive(Clone, Copy)]
struct Cost {
    /// How many instances there are.
    instances: f64,
    /// How many conditions of each are gates.
    gates: usize,
}

impl Cost {
    /// Conditions of all instances: bindings of the variables that the static conditions leave, times conditions that are gates.
    fn cost(self) -> f64 {
        self.instances.max(0.0) + (self.gates as f64 + 1.0).ln()
    }
}

/// What a clause and its parts would cost.
struct Estimate<'a> {
    program: &'a Program,
    clause: &'a Clause,
    /// The logarithm of how many values each variable has.
    sizes: Vec<f64>,
    /// Per positive condition: the logarithm of the share of combinations that it leaves, where it is static.
    shares: Vec<Option<f64>>,
    /// The variables of each positive condition, of each negative one, and of each test.
    vars: [Vec<Vars>; 3],
    /// Per variable: where it occurs, in the same three lists.
    occurs: Vec<[Vec<usize>; 3]>,
    /// Per variable: static positive conditions of which it is the rarest variable.
    anchored: Vec<Vec<usize>>,
    /// Which variables occur in the head.
    head: Vec<bool>,
    whole: Cost,
}

impl<'a> Estimate<'a> {
    fn new(grounder: &'a Grounder<'_>, clause: &'a Clause, sizes: Vec<f64>) -> Estimate<'a> {
        let program = &grounder.program;
        let shares: Vec<Option<f64>> = clause.positive.iter().map(|lit| share(grounder, lit)).collect();
        let lits = |lits: &[Lit]| lits.iter().map(Lit::vars).collect::<Vec<Vars>>();
        let vars = [lits(&clause.positive), lits(&clause.negative), clause.tests.iter().map(Test::vars).collect()];
        let mut occurs: Vec<[Vec<usize>; 3]> = vec![Default::default(); sizes.len()];
        for (kind, list) in vars.iter().enumerate() {
            for (at, vars) in list.iter().enumerate() {
                vars.iter().for_each(|&var| occurs[var as usize][kind].push(at));
            }
        }
        let mut anchored = vec![Vec::new(); sizes.len()];
        for (at, vars) in vars[0].iter().enumerate().filter(|&(at, _)| shares[at].is_some()) {
            if let Some(&rarest) = vars.iter().min_by_key(|&&var| occurs[var as usize][0].len()) {
                anchored[rarest as usize].push(at);
            }
        }
        let mut head = vec![false; sizes.len()];
        for var in clause.head.vars() {
            head[var as usize] = true;
        }
        let used = (0..sizes.len()).filter(|&var| head[var] || !occurs[var][0].is_empty());
        let instances = used.map(|var| sizes[var]).sum::<f64>() + shares.iter().flatten().sum::<f64>();
        let gates = shares.iter().filter(|share| share.is_none()).count() + clause.negative.len();
        let whole = Cost { instances, gates };
        Estimate { program, clause, sizes, shares, vars, occurs, anchored, head, whole }
    }

    /// Adds conditions to a cost, or takes them away.
    fn conditions(&self, cost: &mut Cost, positive: &[usize], away: bool) {
        for &at in positive {
            match (self.shares[at], away) {
                (Some(share), false) => cost.instances += share,
                (Some(share), true) => cost.instances -= share,
                (None, false) => cost.gates += 1,
                (None, true) => cost.gates -= 1,
            }
        }
    }

    /// The split that takes out a variable and all that only its conditions know.
    fn split(&self, var: u32) -> Option<Split> {
        let clause = self.clause;
        let [positive, negative, tests] = self.occurs[var as usize].clone();
        if positive.is_empty() {
            return None;
        }
        // The variables that the part speaks of, as often as it does.
        let mut inside: Vec<u32> = Vec::new();
        for (kind, list) in [&positive, &negative, &tests].into_iter().enumerate() {
            inside.extend(list.iter().flat_map(|&at| &self.vars[kind][at]));
        }
        inside.sort_unstable();
        let (mut shared, mut gone) = (Vars::new(), Vars::new());
        for same in inside.chunk_by(|left, right| left == right) {
            let all: usize = self.occurs[same[0] as usize].iter().map(Vec::len).sum();
            let stays = self.head[same[0] as usize] || same.len() < all;
            if stays { &mut shared } else { &mut gone }.push(same[0]);
        }
        inside.dedup();
        let guards = self.guards(&positive, &inside);
        // A part that is the whole clause again gains nothing.
        let all_negative = negative.len() == clause.negative.len() && tests.len() == clause.tests.len();
        if all_negative && positive.len() + guards.len() == clause.positive.len() {
            return None;
        }
        let free = positive.iter().all(|&at| self.shares[at].is_some())
            && negative.iter().all(|&at| self.program.is_static(clause.negative[at].rel));
        let mut rest = self.whole;
        rest.instances -= gone.iter().map(|&var| self.sizes[var as usize]).sum::<f64>();
        self.conditions(&mut rest, &positive, true);
        rest.gates = rest.gates - negative.len() + usize::from(!free);
        let mut cost = rest.cost();
        if !free {
            let mut part_vars = inside;
            part_vars.extend(guards.iter().flat_map(|&at| &self.vars[0][at]));
            part_vars.sort_unstable();
            part_vars.dedup();
            let instances = part_vars.iter().map(|&var| self.sizes[var as usize]).sum();
            let mut part = Cost { instances, gates: negative.len() };
            self.conditions(&mut part, &positive, false);
            self.conditions(&mut part, &guards, false);
            let (small, large) = (cost.min(part.cost()), cost.max(part.cost()));
            cost = large + (small - large).exp().ln_1p();
        }
        Some(Split { positive, negative, tests, guards, shared, cost })
    }

    /// Conditions that stay and say which bindings of a part can matter: those that speak of nothing else, and those that are needed to bind.
    fn guards(&self, positive: &[usize], inside: &[u32]) -> Vec<usize> {
        let mut bound: FxHashSet<u32> = positive.iter().flat_map(|&at| self.vars[0][at].iter().copied()).collect();
        let mut candidates: Vec<usize> = Vec::new();
        for &var in inside {
            candidates.extend(&self.anchored[var as usize]);
            if !bound.contains(&var) {
                candidates.extend(&self.occurs[var as usize][0]);
            }
        }
        candidates.sort_unstable();
        candidates.dedup();
        let is_inside = |var: &u32| inside.binary_search(var).is_ok();
        candidates.retain(|at| {
            let vars = &self.vars[0][*at];
            let missing = vars.iter().any(|var| is_inside(var) && !bound.contains(var));
            let within = self.shares[*at].is_some() && vars.iter().all(is_inside);
            let guard = positive.binary_search(at).is_err() && (missing || within);
            if guard {
                bound.extend(vars);
            }
            guard
        });
        candidates
    }
}

/// The logarithm of the share of the combinations of its variables' values that a static condition leaves.
fn share(grounder: &Grounder<'_>, lit: &Lit) -> Option<f64> {
    if !grounder.program.is_static(lit.rel) {
        return None;
    }
    let (rows, values) = grounder.shapes.condition(lit, &grounder.program.terms);
    let mut whole = 1.0;
    let mut seen = Vars::new();
    for (var, size) in values {
        if !seen.contains(&var) {
            seen.push(var);
            whole *= size;
        }
    }
    Some((rows / whole.max(1.0)).clamp(f64::MIN_POSITIVE, 1.0).ln())
}

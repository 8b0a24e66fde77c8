//! Fluents of which at most one holds, and what that makes simpler.
//!
//! Let at most one `?k` have `(king ?k)`. Then "the king is somewhere where it is not threatened" says "the king is somewhere, and there is no
//! place where it is and is threatened". A condition under `not` becomes one that does not speak of `?k` any more, and inside the new one
//! `?k` can be taken out of a long rule before anything else is.
//!
//! So a network made with this is exact for states in which these groups hold at most one fluent each. Every state that play can reach is such a
//! state: `exclusive` proves it.

use crate::exclusive::Group;
use crate::fixpoint::Grounder;
use crate::program::{Clause, Lit, Pattern, Rel, Role, Vars};
use crate::shape::Shapes;
use crate::substitute;
use crate::terms::TermId;
use crate::{Error, Limits};
use rustc_hash::{FxHashMap, FxHashSet};

/// A condition that could be worked out whole stays as it is, and so does one of which less than this share of that is taken out.
const VALUES: f64 = 0.003;

/// Conditions stand for no more than so many groups.
const KEYS: usize = 64;

/// A relation with more rules is not unfolded.
const UNFOLDED: usize = 16;

/// A condition under `not` of a clause, and one on a fluent that shares variables with it.
struct Candidate {
    clause: usize,
    negative: usize,
    fluent: Lit,
    /// The arguments of the fluent that the two share.
    values: Vec<bool>,
    groups: Vec<Group>,
}

impl Grounder<'_> {
    /// Rewrites conditions under `not` wherever it is proven that their fluents exclude each other.
    pub(crate) fn unique(&mut self, limits: &Limits) -> Result<(), Error> {
        let mut candidates = Vec::new();
        for clause in self.dynamic_clauses() {
            for negative in 0..self.program.clauses[clause].negative.len() {
                candidates.extend(self.candidate(clause, negative));
            }
        }
        if candidates.is_empty() {
            return Ok(());
        }
        let groups: FxHashSet<Group> = candidates.iter().flat_map(|candidate| candidate.groups.iter().cloned()).collect();
        let proven = crate::exclusive::proven(self.rules, limits, &groups);
        candidates.retain(|candidate| candidate.groups.iter().all(|group| proven.contains(group)));
        let mut known = FxHashMap::default();
        // From the last condition of a clause to the first, for each goes from its place.
        for candidate in candidates.iter().rev() {
            self.rewrite(candidate, &mut known)?;
        }
        Ok(())
    }

    /// The fluent that takes most out of a condition under `not`.
    fn candidate(&self, index: usize, negative: usize) -> Option<Candidate> {
        let clause = &self.program.clauses[index];
        let lit = &clause.negative[negative];
        if self.program.role(lit.rel) != Role::Derived || self.shapes.combinations(lit.rel) <= self.whole as f64 {
            return None;
        }
        let sizes = self.shapes.variables(clause, &self.program.terms)?;
        let (vars, head) = (lit.vars(), clause.head.vars());
        let mut best: Option<(f64, Candidate)> = None;
        for fluent in clause.positive.iter().filter(|lit| lit.rel == self.program.keywords.fluent) {
            let [Pattern::Apply(_, args)] = &fluent.args[..] else { continue };
            // What the head names is in every instance anyway.
            let shared = |arg: &Pattern| matches!(arg, Pattern::Var(var) if vars.contains(var) && !head.contains(var));
            let values: Vec<bool> = args.iter().map(shared).collect();
            let taken = args.iter().filter(|arg| shared(arg));
            let gain: f64 = taken.map(|arg| Shapes::values(arg, &sizes, &self.program.terms)).product();
            if gain <= VALUES * self.whole as f64 || gain < 2.0 || best.as_ref().is_some_and(|(most, _)| *most >= gain) {
                continue;
            }
            if let Some(groups) = self.groups(clause, fluent, &values) {
                let fluent = fluent.clone();
                best = Some((gain, Candidate { clause: index, negative, fluent, values, groups }));
            }
        }
        best.map(|(_, candidate)| candidate)
    }

    /// The groups that a fluent condition speaks of: one for each combination of what its other arguments can be.
    fn groups(&self, clause: &Clause, fluent: &Lit, values: &[bool]) -> Option<Vec<Group>> {
        let [Pattern::Apply(symbol, args)] = &fluent.args[..] else { return None };
        let all: Vec<u32> = args.iter().flat_map(|arg| Lit { rel: 0, args: [arg.clone()].into(), guard: false }.vars()).collect();
        let twice = all.iter().enumerate().any(|(at, var)| all[..at].contains(var));
        if twice || !values.contains(&true) {
            return None;
        }
        let mut keys: Vec<Vec<Option<TermId>>> = vec![Vec::new()];
        for (arg, &value) in args.iter().zip(values) {
            let possible: Vec<Option<TermId>> = match arg {
                _ if value => vec![None],
                Pattern::Ground(term) => vec![Some(*term)],
                Pattern::Var(var) => self.static_values(clause, *var)?.into_iter().map(Some).collect(),
                Pattern::Apply(..) => return None,
            };
            let longer = |key: Vec<Option<TermId>>| {
                possible.iter().map(move |&term| key.iter().copied().chain([term]).collect()).collect::<Vec<_>>()
            };
            keys = keys.into_iter().flat_map(longer).collect();
            if keys.len() > KEYS {
                return None;
            }
        }
        let groups: Vec<Group> = keys.into_iter().map(|key| Group { symbol: *symbol, key }).collect();
        groups.iter().all(|group| self.initially(group) == 1).then_some(groups)
    }

    /// How many fluents of a group hold at the start, as far as that is known.
    pub(crate) fn initially(&self, group: &Group) -> usize {
        let init = &self.tables[self.program.keywords.init as usize];
        let terms = &self.program.terms;
        (0..init.len() as u32).filter(|&row| group.has(init.row(row)[0], terms)).count()
    }

    /// What a variable can be, by the static conditions that name it.
    fn static_values(&self, clause: &Clause, var: u32) -> Option<Vec<TermId>> {
        let mut values: Option<FxHashSet<TermId>> = None;
        for lit in clause.positive.iter().filter(|lit| self.program.is_static(lit.rel)) {
            let Some(place) = lit.args.iter().position(|arg| *arg == Pattern::Var(var)) else { continue };
            let table = &self.tables[lit.rel as usize];
            let fits = |row: &[TermId]| {
                lit.args.iter().zip(row).all(|(arg, term)| !matches!(arg, Pattern::Ground(known) if known != term))
            };
            let found = (0..table.len() as u32).map(|row| table.row(row)).filter(|row| fits(row)).map(|row| row[place]).collect();
            values = Some(match values {
                Some(known) => known.intersection(&found).copied().collect(),
                None => found,
            });
        }
        let mut values: Vec<TermId> = values?.into_iter().collect();
        values.sort_unstable();
        Some(values)
    }

    /// Puts a condition under `not` together with the fluent, in a relation of its own.
    fn rewrite(&mut self, candidate: &Candidate, known: &mut FxHashMap<(Lit, Lit), (Rel, Vars)>) -> Result<(), Error> {
        let clause = &mut self.program.clauses[candidate.clause];
        let denied = clause.negative.remove(candidate.negative);
        let origin = clause.origin;
        let mut names: FxHashMap<u32, u32> = FxHashMap::default();
        let mut name = |var: u32| {
            let next = names.len() as u32;
            *names.entry(var).or_insert(next)
        };
        let body = (candidate.fluent.renamed(&mut name), denied.renamed(&mut name));
        let [Pattern::Apply(_, args)] = &body.0.args[..] else { unreachable!("candidates are functions") };
        let taken = args.iter().zip(&candidate.values).filter(|(_, value)| **value).map(|(arg, _)| arg);
        let taken: Vec<&Pattern> = taken.collect();
        let old: FxHashMap<u32, u32> = names.iter().map(|(&old, &new)| (new, old)).collect();
        let (rel, shown) = if let Some(made) = known.get(&body) {
            made.clone()
        } else {
            let shown: Vars = (0..names.len() as u32).filter(|&var| !taken.contains(&&Pattern::Var(var))).collect();
            let rel = self.relation(format!("unique{}", known.len()), shown.len(), Role::Derived);
            let head = Lit { rel, args: shown.iter().map(|&var| Pattern::Var(var)).collect(), guard: false };
            let variables = names.len() as u32;
            let positive = vec![body.0.clone(), body.1.clone()];
            let clause = Clause { head, positive, negative: Vec::new(), tests: Vec::new(), variables, origin };
            self.unfold(clause)?;
            known.insert(body, (rel, shown.clone()));
            (rel, shown)
        };
        let args = shown.iter().map(|var| Pattern::Var(old[var])).collect();
        self.program.clauses[candidate.clause].negative.push(Lit { rel, args, guard: false });
        Ok(())
    }

    /// Adds a clause, its last condition replaced by the rules of its relation if these are few.
    fn unfold(&mut self, clause: Clause) -> Result<(), Error> {
        let rel = clause.positive[1].rel;
        let rules = self.program.clauses.iter().filter(|rule| rule.head.rel == rel).cloned().collect::<Vec<_>>();
        let recursive = rules.iter().any(|rule| rule.positive.iter().chain(&rule.negative).any(|lit| lit.rel == rel));
        let first = self.program.clauses.len();
        if recursive || rules.len() > UNFOLDED {
            self.program.clauses.push(clause);
        } else {
            let mut room = 1 << 16;
            for rule in rules {
                let mut shift = |var: u32| var + clause.variables;
                let (head, asked) = (rule.head.renamed(&mut shift), &clause.positive[1]);
                let equations = head.args.iter().cloned().zip(asked.args.iter().cloned()).collect();
                let mut lits = |lits: &[Lit]| lits.iter().map(|lit| lit.renamed(&mut shift)).collect::<Vec<Lit>>();
                let mut positive = lits(&rule.positive);
                positive.push(clause.positive[0].clone());
                let merged = Clause {
                    head: clause.head.clone(),
                    positive,
                    negative: lits(&rule.negative),
                    tests: rule.tests.iter().map(|test| test.renamed(&mut shift)).collect(),
                    variables: clause.variables + rule.variables,
                    origin: rule.origin,
                };
                self.program.clauses.extend(substitute::equal(merged, equations, &mut self.program.terms, &mut room)?);
            }
        }
        for index in first..self.program.clauses.len() {
            self.shapes.follow_one(&self.program, index);
        }
        Ok(())
    }
}

//! Rule instances: for every atom that could hold, what makes it hold.

use crate::Error;
use crate::fixpoint::Grounder;
use crate::join::{Join, known_row};
use crate::plan::{Plan, Purpose};
use crate::program::{Program, Rel, Role};

/// An atom of any relation that is not static.
pub(crate) type AtomId = u32;

/// Every atom with the conjunctions that make it hold.
#[derive(Debug)]
pub(crate) struct Instances {
    /// Per relation: the number of its first atom; static relations have none.
    pub(crate) first: Vec<AtomId>,
    /// The relation and row of each atom.
    pub(crate) atoms: Vec<(Rel, u32)>,
    /// The atom that each instance makes true.
    pub(crate) heads: Vec<AtomId>,
    /// Where the conditions of each instance begin; one more than there are instances.
    pub(crate) starts: Vec<u32>,
    /// Conditions: the atom times two, plus one if it must not hold.
    pub(crate) conditions: Vec<u32>,
}

impl Grounder<'_> {
    /// Instantiates every clause that is not static.
    pub(crate) fn instances(&mut self) -> Result<Instances, Error> {
        let mut all =
            Instances { first: Vec::new(), atoms: Vec::new(), heads: Vec::new(), starts: vec![0], conditions: Vec::new() };
        self.usage.forget_found();
        let roles: Vec<Role> = self.program.relations.iter().map(|relation| relation.role).collect();
        for (rel, table) in self.tables.iter().enumerate() {
            all.first.push(all.atoms.len() as AtomId);
            if !matches!(roles[rel], Role::Static | Role::Asked) {
                all.atoms.extend((0..table.len() as u32).map(|row| (rel as Rel, row)));
            }
        }
        let of_net = |&index: &usize| self.program.role(self.program.clauses[index].head.rel) != Role::Asked;
        for index in self.dynamic_clauses().into_iter().filter(of_net).collect::<Vec<_>>() {
            self.instantiate(index, &mut all, &roles)?;
        }
        Ok(all)
    }

    fn instantiate(&mut self, index: usize, all: &mut Instances, roles: &[Role]) -> Result<(), Error> {
        let clause = &self.program.clauses[index];
        let purpose = Purpose { instances: true, ..Purpose::default() };
        let plan = Plan::new(&self.program, clause, &purpose, &self.shapes, &mut self.tables, &mut self.usage);
        let refreshed = plan.and_then(|plan| self.refresh(&[index]).map(|()| plan));
        let plan = refreshed.map_err(|error| self.usage.blame(error, self.rules))?;
        let Grounder { program: Program { clauses, terms, .. }, tables, usage, .. } = self;
        let clause = &clauses[index];
        let gates: Vec<(usize, AtomId)> = (0..clause.positive.len())
            .filter(|&at| {
                let lit = &clause.positive[at];
                !lit.guard && roles[lit.rel as usize] != Role::Static
            })
            .map(|at| (at, all.first[clause.positive[at].rel as usize]))
            .collect();
        let negative: Vec<usize> =
            (0..clause.negative.len()).filter(|&at| roles[clause.negative[at].rel as usize] != Role::Static).collect();
        let tables = &*tables;
        let mut join = Join { clauses, tables, terms, rounds: &self.rounds, usage };
        let outcome = join.run(index, &plan, &mut |env, rows, terms, usage| {
            let head = known_row(&clause.head, env, terms, tables);
            let Some(head) = head else { return Ok(()) };
            let before = all.conditions.len();
            usage.found(clause.origin);
            all.heads.push(all.first[clause.head.rel as usize] + head);
            all.conditions.extend(gates.iter().map(|&(at, first)| (first + rows[at]) << 1));
            for &at in &negative {
                let lit = &clause.negative[at];
                if let Some(row) = known_row(lit, env, terms, tables) {
                    all.conditions.push((all.first[lit.rel as usize] + row) << 1 | 1);
                }
            }
            all.starts.push(all.conditions.len() as u32);
            let conditions = all.conditions.len();
            usage.instance(conditions - before, (all.heads.len(), conditions), terms)
        });
        outcome.map_err(|error| self.usage.blame(error, self.rules))
    }
}

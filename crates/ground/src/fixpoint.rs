//! Working out relations from the bottom up: statics exactly, the others as what could ever hold.

use crate::join::{Join, build};
use crate::plan::{Plan, Purpose};
use crate::program::{Keywords, Lit, Program, Rel, Role};
use crate::shape::Shapes;
use crate::table::Table;
use crate::terms::TermId;
use crate::text;
use crate::usage::Usage;
use crate::{Error, Limits};
use ludens_gdl::{Graph, Rules};
use rustc_hash::FxHashSet;

/// Clauses and the rows found so far.
#[derive(Debug)]
pub(crate) struct Grounder<'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) program: Program,
    pub(crate) tables: Vec<Table>,
    pub(crate) shapes: Shapes,
    pub(crate) rounds: Vec<(u32, u32)>,
    pub(crate) usage: Usage,
    /// Static relations that could not be listed within [`LISTED`], and those that need them. They are treated like any other, on demand.
    pub(crate) endless: FxHashSet<Rel>,
    /// A relation that cannot have more rows is worked out whole.
    pub(crate) whole: usize,
}

/// A static relation with more rows than so many times what is worked out whole, or that takes more steps, is not listed.
const LISTED: (usize, u64) = (80, 20_000_000);

/// A clause with more conditions that can get new rows is carried out as a whole, not once for each of them.
const DRIVERS: usize = 32;

/// How many copies of names there are at once, about.
const NAME_COPIES: u64 = 4;

/// A plan, and when to carry it out.
struct Driven {
    clause: usize,
    /// Relations whose new rows it looks at; without any, the plan is carried out once.
    drivers: Vec<Rel>,
    /// The condition that looks at new rows only, and those that look at old ones.
    driver: Option<usize>,
    old: Vec<usize>,
    plan: Plan,
    /// How many rows each condition had when the plan was made.
    sizes: Vec<usize>,
}

/// A plan is made anew when a condition has so many times the rows it was made for, and so many more.
const GROWN: (usize, usize) = (8, 64);

impl<'a> Grounder<'a> {
    /// Translates the rules.
    pub(crate) fn new(rules: &'a Rules, limits: &Limits) -> Result<Grounder<'a>, Error> {
        let program = Program::new(rules, limits.terms)?;
        let tables = program.relations.iter().map(|relation| Table::new(relation.arity)).collect();
        let shapes = Shapes::new(&program);
        let rounds = vec![(0, 0); program.relations.len()];
        let (usage, whole) = (Usage::new(rules.rules.len(), limits), limits.whole);
        Ok(Grounder { rules, program, tables, shapes, rounds, usage, endless: FxHashSet::default(), whole })
    }

    /// Adds a relation.
    pub(crate) fn relation(&mut self, name: String, arity: usize, role: Role) -> Rel {
        self.tables.push(Table::new(arity));
        self.rounds.push((0, 0));
        let rel = self.program.relation(name, arity, role);
        self.shapes.grow(&self.program);
        rel
    }

    /// The clauses of relations that are not static.
    pub(crate) fn dynamic_clauses(&self) -> Vec<usize> {
        (0..self.program.clauses.len()).filter(|&index| !self.program.is_static(self.program.clauses[index].head.rel)).collect()
    }

    /// Lists the static relations.
    pub(crate) fn list_statics(&mut self) -> Result<(), Error> {
        let mut edges = Vec::new();
        let mut by_head: Vec<Vec<usize>> = vec![Vec::new(); self.program.relations.len()];
        for (index, clause) in self.program.clauses.iter().enumerate() {
            by_head[clause.head.rel as usize].push(index);
            let body = clause.positive.iter().chain(&clause.negative);
            edges.extend(body.map(|lit| (clause.head.rel, lit.rel)));
        }
        for component in Graph::new(self.program.relations.len(), &edges).components() {
            if !component.iter().all(|&rel| self.program.is_static(rel)) {
                continue;
            }
            let clauses: Vec<usize> = component.iter().flat_map(|&rel| by_head[rel as usize].iter().copied()).collect();
            let bodies = clauses.iter().map(|&index| &self.program.clauses[index]);
            let mut needed = bodies.flat_map(|clause| clause.positive.iter().chain(&clause.negative));
            if needed.all(|lit| self.program.is_static(lit.rel)) {
                let before = self.usage.cap((LISTED.0.saturating_mul(self.whole), LISTED.1));
                let outcome = self.saturate(&clauses, &component);
                let over = self.usage.uncap(&before);
                match outcome {
                    Ok(()) => {
                        for &rel in &component {
                            self.complete(rel);
                        }
                        continue;
                    }
                    Err(Error::Limit { .. }) if !over => self.usage.forget(&before),
                    Err(error) => return Err(error),
                }
            }
            self.put_off(&component);
        }
        Ok(())
    }

    /// Treats static relations like any other.
    fn put_off(&mut self, rels: &[Rel]) {
        for &rel in rels {
            let relation = &mut self.program.relations[rel as usize];
            relation.role = Role::Derived;
            self.tables[rel as usize] = Table::new(relation.arity);
            self.rounds[rel as usize] = (0, 0);
            self.endless.insert(rel);
        }
    }

    /// Notes that a relation has all its rows.
    fn complete(&mut self, rel: Rel) {
        self.shapes.learn(rel, &self.tables[rel as usize], &self.program.terms);
        self.rounds[rel as usize] = (0, self.tables[rel as usize].len() as u32);
    }

    /// Finds the rows of a static relation that has just been added, with one clause that does not need itself.
    pub(crate) fn list(&mut self, rel: Rel, clause: usize) -> Result<(), Error> {
        self.saturate(&[clause], &[])?;
        self.complete(rel);
        Ok(())
    }

    /// What could stand at the arguments of the relations that depend on the state or the moves.
    pub(crate) fn spread_shapes(&mut self) {
        let keywords = self.program.keywords;
        let clauses = self.dynamic_clauses();
        let same = [(keywords.init, keywords.fluent), (keywords.next, keywords.fluent), (keywords.legal, keywords.does)];
        self.shapes.follow(&self.program, &clauses, &same);
    }

    /// Finds everything that could ever hold: conditions under `not` are passed over unless they are static, what may be next or at the start
    /// may be true, and what may be legal may be done.
    pub(crate) fn spread(&mut self) -> Result<(), Error> {
        let keywords = self.program.keywords;
        for row in 0..self.tables[keywords.init as usize].len() as u32 {
            let row = self.tables[keywords.init as usize].row(row).to_vec();
            self.tables[keywords.fluent as usize].add(&row);
        }
        let clauses = self.dynamic_clauses();
        let dynamic: Vec<Rel> = (0..self.program.relations.len() as Rel).filter(|&rel| !self.program.is_static(rel)).collect();
        self.saturate(&clauses, &dynamic)?;
        for (rel, table) in self.tables.iter().enumerate() {
            self.rounds[rel] = (0, table.len() as u32);
            self.shapes.count(rel as Rel, table.len());
        }
        Ok(())
    }

    /// Counts the texts of fluents, moves and goal values, which the network has as names.
    pub(crate) fn weigh_names(&mut self, names: &[String]) -> Result<(), Error> {
        let Keywords { fluent, does, goal, .. } = self.program.keywords;
        let lengths = text::lengths(&self.program.terms, names);
        let mut bytes = 0_u64;
        for table in [fluent, does, goal].map(|rel| &self.tables[rel as usize]) {
            let rows = (0..table.len() as u32).flat_map(|row| table.row(row));
            bytes = rows.fold(bytes, |sum, &term| sum.saturating_add(lengths[term as usize]));
        }
        // Phases have copies.
        let bytes = usize::try_from(bytes.saturating_mul(NAME_COPIES)).unwrap_or(usize::MAX);
        let counted = self.usage.take(bytes, &self.program.terms);
        counted.map_err(|error| self.usage.blame(error, self.rules))
    }

    /// Applies clauses until they give nothing new. `growing` are the relations that may still get rows.
    fn saturate(&mut self, clauses: &[usize], growing: &[Rel]) -> Result<(), Error> {
        let mut driven = self.plans(clauses, growing).map_err(|error| self.usage.blame(error, self.rules))?;
        for &rel in growing {
            self.rounds[rel as usize] = (0, 0);
        }
        self.refresh(clauses).map_err(|error| self.usage.blame(error, self.rules))?;
        let mut first = true;
        loop {
            // A chain of relations takes as many rounds as it is long, and every round looks at all of them.
            let looked = self.usage.look((growing.len() + driven.len()) as u64);
            looked.map_err(|error| self.usage.blame(error, self.rules))?;
            for &rel in growing {
                let (_, known) = self.rounds[rel as usize];
                let table = &mut self.tables[rel as usize];
                self.rounds[rel as usize] = (known, table.len() as u32);
                self.shapes.count(rel, table.len());
                let looked = self.usage.look(table.pending());
                let taken = looked.and_then(|()| self.usage.take(table.refresh(&self.program.terms), &self.program.terms));
                taken.map_err(|error| self.usage.blame(error, self.rules))?;
            }
            let fresh = |rounds: &[(u32, u32)], rel: Rel| rounds[rel as usize].0 < rounds[rel as usize].1;
            if !first && !growing.iter().any(|&rel| fresh(&self.rounds, rel)) {
                return Ok(());
            }
            for driven in &mut driven {
                let waits = !driven.drivers.is_empty();
                if first && !waits || driven.drivers.iter().any(|&rel| fresh(&self.rounds, rel)) {
                    self.plan_again(driven).map_err(|error| self.usage.blame(error, self.rules))?;
                    self.apply(driven)?;
                }
            }
            first = false;
        }
    }

    fn plans(&mut self, clauses: &[usize], growing: &[Rel]) -> Result<Vec<Driven>, Error> {
        let grows: FxHashSet<Rel> = growing.iter().copied().collect();
        let mut driven = Vec::new();
        for &index in clauses {
            let clause = &self.program.clauses[index];
            let at: Vec<usize> = (0..clause.positive.len()).filter(|&at| grows.contains(&clause.positive[at].rel)).collect();
            if at.is_empty() || at.len() > DRIVERS {
                let drivers = at.iter().map(|&at| clause.positive[at].rel).collect();
                driven.push(self.driven(index, drivers, None, Vec::new())?);
                continue;
            }
            let rels: Vec<Rel> = at.iter().map(|&at| clause.positive[at].rel).collect();
            for (place, &driver) in at.iter().enumerate() {
                // Every combination with a new row is met once: at the first condition that has one.
                driven.push(self.driven(index, vec![rels[place]], Some(driver), at[..place].to_vec())?);
            }
        }
        Ok(driven)
    }

    fn driven(&mut self, index: usize, drivers: Vec<Rel>, driver: Option<usize>, old: Vec<usize>) -> Result<Driven, Error> {
        let clause = &self.program.clauses[index];
        let purpose = Purpose { driver, old: &old, instances: false };
        let plan = Plan::new(&self.program, clause, &purpose, &self.shapes, &mut self.tables, &mut self.usage)?;
        let sizes = clause.positive.iter().map(|lit| self.tables[lit.rel as usize].len()).collect();
        Ok(Driven { clause: index, drivers, driver, old, plan, sizes })
    }

    /// Makes a plan anew if the tables have grown much since.
    fn plan_again(&mut self, driven: &mut Driven) -> Result<(), Error> {
        let conditions = self.program.clauses[driven.clause].positive.iter();
        let grown = |(lit, &size): (&Lit, &usize)| self.tables[lit.rel as usize].len() > GROWN.0 * size + GROWN.1;
        if conditions.len() > 2 && conditions.zip(&driven.sizes).any(grown) {
            let (drivers, old) = (std::mem::take(&mut driven.drivers), std::mem::take(&mut driven.old));
            *driven = self.driven(driven.clause, drivers, driven.driver, old)?;
            self.refresh(&[driven.clause])?;
        }
        Ok(())
    }

    /// Brings the indexes up to date that these clauses use.
    pub(crate) fn refresh(&mut self, clauses: &[usize]) -> Result<(), Error> {
        for &clause in clauses {
            for lit in &self.program.clauses[clause].positive {
                let table = &mut self.tables[lit.rel as usize];
                self.usage.look(table.pending())?;
                self.usage.take(table.refresh(&self.program.terms), &self.program.terms)?;
            }
        }
        Ok(())
    }

    /// Carries out a plan and adds what it finds.
    fn apply(&mut self, driven: &Driven) -> Result<(), Error> {
        let Grounder { program: Program { clauses, terms, keywords, roles, .. }, tables, usage, .. } = self;
        let clause = &clauses[driven.clause];
        let (rel, arity) = (clause.head.rel, clause.head.args.len());
        let also = match rel {
            rel if rel == keywords.next || rel == keywords.init => Some(keywords.fluent),
            rel if rel == keywords.legal => Some(keywords.does),
            _ => None,
        };
        // Rows that the table does not have yet. They are counted here, for a join may find millions before it ends.
        let mut found = Table::new(arity);
        let mut row: Vec<TermId> = Vec::with_capacity(arity);
        let known = &tables[rel as usize];
        let mut join = Join { clauses, tables, terms, rounds: &self.rounds, usage };
        let outcome = join.run(driven.clause, &driven.plan, &mut |env, _, terms, usage| {
            usage.found(clause.origin);
            row.clear();
            for arg in &clause.head.args {
                row.push(build(arg, env, terms)?);
            }
            if known.find(&row).is_none() && found.add(&row).1 {
                usage.atom(arity, terms)?;
            }
            Ok(())
        });
        outcome.map_err(|error| self.usage.blame(error, self.rules))?;
        for index in 0..found.len() as u32 {
            let row = found.row(index);
            self.tables[rel as usize].add(row);
            if let Some(also) = also
                && (also == keywords.fluent || roles.contains(&row[0]))
            {
                self.tables[also as usize].add(row);
            }
        }
        Ok(())
    }
}

//! From one rule and a binding pattern to steps.

use super::compile::{Compiler, Sink, ground};
use super::plan::{Action, CONSTANT, IGNORE, Op, SAME_REGISTER, SAME_TERM, Source};
use crate::Error;
use ludens_gdl::{Atom, RelationId, Rule, Term, VarId};

/// Stands for "the next clause" until its place is known.
pub(super) const NEXT_CLAUSE: u32 = u32::MAX;

/// Where a variable's value is, and the generator that chose it (`None`: it follows from the goal's own arguments).
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    pub(super) source: Source,
    pub(super) origin: Option<u32>,
    /// The step that loads it, or one before that.
    pub(super) place: u32,
}

/// A generator in the code so far.
pub(super) struct Generator {
    /// Its `..Next` step.
    pub(super) next: u32,
    /// The variables it binds.
    pub(super) binds: Vec<VarId>,
    /// It has columns that nothing looks at, so it may offer the same values again.
    pub(super) ignores: bool,
}

/// Writes the steps of one clause of a goal.
pub(super) struct ClauseBuilder<'c, 'a> {
    pub(super) compiler: &'c mut Compiler<'a>,
    pub(super) goal: u32,
    sink: Sink,
    start: usize,
    pub(super) bindings: Vec<Option<Binding>>,
    /// How often each variable occurs in the rule.
    uses: Vec<u32>,
    registers: usize,
    pub(super) generators: Vec<Generator>,
    /// Fluent patterns that scans match, with their iterators.
    pub(super) taken: Vec<(Term, u32)>,
}

impl<'c, 'a> ClauseBuilder<'c, 'a> {
    pub(super) fn new(compiler: &'c mut Compiler<'a>, goal: u32, sink: Sink, variables: usize) -> ClauseBuilder<'c, 'a> {
        let start = compiler.program.code.len();
        let registers = compiler.program.goals[goal as usize].known;
        ClauseBuilder {
            compiler,
            goal,
            sink,
            start,
            bindings: vec![None; variables],
            uses: vec![0; variables],
            registers,
            generators: Vec::new(),
            taken: Vec::new(),
        }
    }

    /// The clause that offers the relation's facts.
    pub(super) fn facts(mut self, relation: RelationId) {
        let arity = self.compiler.rules.relation(relation).arity;
        let pattern = self.compiler.program.goals[self.goal as usize].pattern;
        let known: Vec<usize> = (0..arity).filter(|&column| is_known(pattern, column)).collect();
        let key: Vec<Source> = (0..known.len() as u32).collect();
        if known.len() == arity {
            let facts = self.compiler.fact_table(relation);
            let key = self.compiler.fact_key(facts, &key);
            self.step(Op::InFacts { facts, key, not: false, fail: NEXT_CLAUSE });
            self.step(Op::Succeed);
        } else {
            let index = self.compiler.fact_index(relation, &known);
            let key = self.compiler.group_key(index, &key);
            let iterator = self.registers(2);
            let columns: Vec<Action> = (known.len()..arity).map(|_| self.registers(1)).collect();
            let actions = self.compiler.run(&columns);
            self.step(Op::FactScan { index, key, actions, iterator, fail: NEXT_CLAUSE });
            let next = self.step(Op::FactNext { index, actions, iterator, fail: NEXT_CLAUSE });
            self.emit_values(&columns, next);
        }
        self.close(format!("{} facts", self.compiler.definitions.facts[relation.0 as usize].len()));
    }

    /// The clause of a rule. True if it cannot offer an answer twice.
    pub(super) fn rule(mut self, rule: &Rule) -> Result<bool, Error> {
        count_uses(rule, &mut self.uses);
        let pattern = self.compiler.program.goals[self.goal as usize].pattern;
        let mut input = 0;
        let mut known = vec![false; self.uses.len()];
        for (column, term) in rule.head.args.iter().enumerate() {
            if is_known(pattern, column) {
                self.match_term(term, input, None)?;
                input += 1;
                note_variables(term, &mut known);
            }
        }
        let sequence = self.compiler.order.sequence(rule, known, self.compiler.definitions).ok_or_else(|| self.not_safe())?;
        let mut text = self.compiler.rules.atom_text(&rule.head, rule);
        for &position in &sequence {
            text.push_str(" | ");
            text.push_str(&self.compiler.rules.literal_text(&rule.body[position], rule));
            self.literal(&rule.body[position])?;
        }
        let unique = self.emit(&rule.head, pattern)?;
        self.close(text);
        Ok(unique)
    }

    pub(super) fn not_safe(&self) -> Error {
        Error::Unsafe { relation: self.compiler.program.goals[self.goal as usize].name.clone() }
    }

    pub(super) fn step(&mut self, op: Op) -> u32 {
        self.compiler.program.code.push(op);
        self.compiler.program.code.len() as u32 - 1
    }

    /// Where the next step will stand.
    pub(super) fn here(&self) -> u32 {
        self.compiler.program.code.len() as u32
    }

    pub(super) fn registers(&mut self, count: usize) -> u32 {
        self.registers += count;
        (self.registers - count) as u32
    }

    /// Ends the clause: whoever fails out of it goes on with what follows.
    fn close(&mut self, text: String) {
        let code = &mut self.compiler.program.code;
        let end = code.len() as u32;
        for op in &mut code[self.start..] {
            if let Some(fail) = fail_of(op)
                && *fail == NEXT_CLAUSE
            {
                *fail = end;
            }
        }
        let goal = &mut self.compiler.program.goals[self.goal as usize];
        goal.frame = goal.frame.max(self.registers);
        goal.clauses.push(text);
    }

    /// The nearest generator: where a step goes that tries for another match.
    pub(super) fn retry(&self) -> u32 {
        self.generators.last().map_or(NEXT_CLAUSE, |generator| generator.next)
    }

    /// The nearest generator that chose one of the terms' variables: trying any later one again could not mend a failed test.
    pub(super) fn culprit<'t>(&self, terms: impl IntoIterator<Item = &'t Term>) -> Option<u32> {
        fn latest(term: &Term, bindings: &[Option<Binding>]) -> Option<u32> {
            match term {
                Term::Var(variable) => bindings[variable.0 as usize].and_then(|binding| binding.origin),
                Term::Apply(_, args) => args.iter().filter_map(|arg| latest(arg, bindings)).max(),
            }
        }
        terms.into_iter().filter_map(|term| latest(term, &self.bindings)).max()
    }

    pub(super) fn is_bound(&self, term: &Term) -> bool {
        match term {
            Term::Var(variable) => self.bindings[variable.0 as usize].is_some(),
            Term::Apply(_, args) => args.iter().all(|arg| self.is_bound(arg)),
        }
    }

    /// An operand with the value of a bound term. Terms that need not exist are looked up (`fail` says where to go if they do
    /// not) or, without `fail`, built.
    pub(super) fn source(&mut self, term: &Term, fail: Option<u32>) -> Result<Source, Error> {
        if let Term::Var(variable) = term {
            return self.bindings[variable.0 as usize].map(|binding| binding.source).ok_or_else(|| self.not_safe());
        }
        if let Some(constant) = ground(term, self.compiler.replica)? {
            return Ok(constant | CONSTANT);
        }
        let Term::Apply(symbol, args) = term else { return Err(self.not_safe()) };
        let args = args.iter().map(|arg| self.source(arg, fail)).collect::<Result<Vec<Source>, Error>>()?;
        let args = self.compiler.run(&args);
        let to = self.registers(1);
        self.step(match fail {
            Some(fail) => Op::Find { symbol: symbol.0, args, to, fail },
            None => Op::Make { symbol: symbol.0, args, to },
        });
        Ok(to)
    }

    /// What to do with one column of a match. Terms to be taken apart afterwards are put on `later`.
    pub(super) fn action<'t>(
        &mut self,
        term: &'t Term,
        origin: Option<u32>,
        later: &mut Vec<(u32, &'t Term)>,
    ) -> Result<Action, Error> {
        match term {
            Term::Var(variable) => Ok(match self.bindings[variable.0 as usize] {
                Some(Binding { source, .. }) if source & CONSTANT != 0 => (source & !CONSTANT) | SAME_TERM,
                Some(Binding { source, .. }) => source | SAME_REGISTER,
                None if self.uses[variable.0 as usize] == 1 => {
                    self.generators.iter_mut().filter(|generator| Some(generator.next) == origin).for_each(|g| g.ignores = true);
                    IGNORE
                }
                None => {
                    let source = self.registers(1);
                    self.bind(*variable, source, origin);
                    source
                }
            }),
            Term::Apply(..) => {
                if let Some(constant) = ground(term, self.compiler.replica)? {
                    return Ok(constant | SAME_TERM);
                }
                let register = self.registers(1);
                later.push((register, term));
                Ok(register)
            }
        }
    }

    fn bind(&mut self, variable: VarId, source: Source, origin: Option<u32>) {
        let place = self.here();
        self.bindings[variable.0 as usize] = Some(Binding { source, origin, place });
        self.generators.iter_mut().filter(|generator| Some(generator.next) == origin).for_each(|g| g.binds.push(variable));
    }

    /// Makes a value fit a term, binding the term's unknown variables.
    pub(super) fn match_term(&mut self, term: &Term, value: Source, origin: Option<u32>) -> Result<(), Error> {
        let fail = origin.unwrap_or(NEXT_CLAUSE);
        match term {
            Term::Var(variable) => match self.bindings[variable.0 as usize] {
                Some(Binding { source, .. }) => {
                    self.step(Op::Same { left: source, right: value, fail });
                }
                None => self.bind(*variable, value, origin),
            },
            Term::Apply(symbol, args) => {
                if let Some(constant) = ground(term, self.compiler.replica)? {
                    self.step(Op::Same { left: constant | CONSTANT, right: value, fail });
                    return Ok(());
                }
                let mut later = Vec::new();
                let actions = args.iter().map(|arg| self.action(arg, origin, &mut later)).collect::<Result<Vec<_>, Error>>()?;
                let actions = self.compiler.run(&actions);
                self.step(Op::Match { term: value, symbol: symbol.0, actions, fail });
                for (register, term) in later {
                    self.match_term(term, register, origin)?;
                }
            }
        }
        Ok(())
    }

    /// The last steps: what the clause has found. True if the same cannot be found twice.
    fn emit(&mut self, head: &Atom, pattern: u64) -> Result<bool, Error> {
        let unknown: Vec<&Term> =
            head.args.iter().enumerate().filter(|&(column, _)| !is_known(pattern, column)).map(|(_, term)| term).collect();
        // After an answer only a generator that chose part of it can bring another one.
        let cut = self.culprit(unknown.iter().copied());
        let mut shown = vec![false; self.uses.len()];
        for term in &unknown {
            note_variables(term, &mut shown);
        }
        let unique = self
            .generators
            .iter()
            .filter(|generator| cut.is_some_and(|cut| generator.next <= cut))
            .all(|generator| !generator.ignores && generator.binds.iter().all(|variable| shown[variable.0 as usize]));
        let fail = cut.unwrap_or(NEXT_CLAUSE);
        // What a frame axiom keeps is the very fluent it has found.
        let kept = self.taken.iter().find(|(pattern, _)| self.sink == Sink::Fluents && pattern == unknown[0]);
        if let Some(&(_, iterator)) = kept {
            // Nothing stands between the scan and the answer: the scan can do it all.
            let code = &mut self.compiler.program.code;
            if let [.., Op::BucketScan { bucket, link, actions, fail: exit, .. }, Op::FluentNext { iterator: other, .. }] =
                code[..]
                && other == iterator
            {
                code.truncate(code.len() - 2);
                // Nobody looks at the columns but the scan itself.
                let pairs = self.compiler.program.pool[actions.start as usize..(actions.start + actions.len) as usize].to_vec();
                let needed = |pair: &&[u32]| {
                    pair[1] >= SAME_REGISTER || pairs.chunks_exact(2).any(|other| other[1] == pair[1] | SAME_REGISTER)
                };
                let tests: Vec<u32> = pairs.chunks_exact(2).filter(needed).flatten().copied().collect();
                let actions = self.compiler.run(&tests);
                self.step(Op::KeepAll { bucket, link, actions, fail: exit });
            } else {
                self.step(Op::EmitTaken { iterator, fail });
            }
            return Ok(unique);
        }
        match (self.sink, &unknown[..]) {
            (Sink::Answers, []) => {
                self.step(Op::Succeed);
            }
            (Sink::Fluents, [Term::Apply(symbol, args)]) if !args.is_empty() => {
                let functor = self.compiler.program.schema.functor(symbol.0, args.len());
                let args = args.iter().map(|arg| self.source(arg, None)).collect::<Result<Vec<Source>, Error>>()?;
                let args = self.compiler.run(&args);
                self.step(Op::EmitFluent { functor, symbol: symbol.0, args, fail });
            }
            (Sink::Moves, [role, Term::Apply(symbol, args)]) if !args.is_empty() => {
                let role = self.source(role, None)?;
                let functor = self.compiler.move_functor(symbol.0, args.len());
                let args = args.iter().map(|arg| self.source(arg, None)).collect::<Result<Vec<Source>, Error>>()?;
                let args = self.compiler.run(&args);
                self.step(Op::EmitMoveOf { role, functor, symbol: symbol.0, args, fail });
            }
            _ => {
                let values = unknown.iter().map(|term| self.source(term, None)).collect::<Result<Vec<Source>, Error>>()?;
                self.emit_values(&values, fail);
            }
        }
        Ok(unique)
    }

    fn emit_values(&mut self, values: &[Source], fail: u32) {
        let op = match self.sink {
            Sink::Answers => Op::Emit { values: self.compiler.run(values), fail },
            Sink::Fluents => Op::EmitFluentTerm { term: values[0], fail },
            Sink::Moves => Op::EmitMove { role: values[0], term: values[1], fail },
        };
        self.step(op);
    }
}

fn is_known(pattern: u64, column: usize) -> bool {
    column < 64 && pattern >> column & 1 == 1
}

pub(super) fn note_variables(term: &Term, seen: &mut [bool]) {
    term.each_variable(&mut |variable| seen[variable.0 as usize] = true);
}

fn count_uses(rule: &Rule, uses: &mut [u32]) {
    let mut count = |variable: VarId| uses[variable.0 as usize] += 1;
    rule.head.args.iter().for_each(|term| term.each_variable(&mut count));
    rule.body.iter().for_each(|literal| literal.each_variable(&mut count));
}

/// The step's place to go on if it fails, if it can fail.
fn fail_of(op: &mut Op) -> Option<&mut u32> {
    match op {
        Op::Emit { fail, .. }
        | Op::EmitFluent { fail, .. }
        | Op::EmitTaken { fail, .. }
        | Op::EmitFluentTerm { fail, .. }
        | Op::EmitMove { fail, .. }
        | Op::EmitMoveOf { fail, .. }
        | Op::Same { fail, .. }
        | Op::Differ { fail, .. }
        | Op::Find { fail, .. }
        | Op::Match { fail, .. }
        | Op::Holds { fail, .. }
        | Op::HoldsOf { fail, .. }
        | Op::HoldsTerm { fail, .. }
        | Op::FluentScan { fail, .. }
        | Op::BucketScan { fail, .. }
        | Op::KeepAll { fail, .. }
        | Op::FluentNext { fail, .. }
        | Op::StateNext { fail, .. }
        | Op::InFacts { fail, .. }
        | Op::FactScan { fail, .. }
        | Op::FactLookUp { fail, .. }
        | Op::FactNext { fail, .. }
        | Op::Does { fail, .. }
        | Op::DoesNext { fail, .. }
        | Op::Ask { fail, .. }
        | Op::AnswerNext { fail, .. } => Some(fail),
        Op::Return | Op::Succeed | Op::Make { .. } | Op::StateScan { .. } | Op::DoesScan { .. } | Op::AnswerScan { .. } => None,
    }
}

//! The steps of a clause's conditions: tests where all is known, scans where not.

use super::clause::{Binding, ClauseBuilder, Generator, NEXT_CLAUSE};
use super::compile::{Sink, ground};
use super::plan::{Action, CONSTANT, DIFFERENT, IGNORE, Op, SAME_REGISTER, SAME_TERM, Source};
use crate::Error;
use ludens_gdl::{Atom, Keyword, Literal, Term};

impl ClauseBuilder<'_, '_> {
    pub(super) fn literal(&mut self, literal: &Literal) -> Result<(), Error> {
        match literal {
            Literal::Is(atom) => self.is(atom),
            Literal::Not(atom) => self.test(atom, true),
            Literal::Distinct(left, right, _) => {
                if self.join_scan(left, right) || self.join_scan(right, left) {
                    return Ok(());
                }
                let fail = self.culprit([left, right]).unwrap_or(NEXT_CLAUSE);
                let (left, right) = (self.source(left, None)?, self.source(right, None)?);
                self.step(Op::Differ { left, right, fail });
                Ok(())
            }
            Literal::Equal(left, right, _) => {
                let (known, other) = if self.is_bound(left) { (left, right) } else { (right, left) };
                let origin = self.culprit([known, other]);
                let source = self.source(known, None)?;
                if self.is_bound(other) {
                    let fail = origin.unwrap_or(NEXT_CLAUSE);
                    let other = self.source(other, None)?;
                    self.step(Op::Same { left: source, right: other, fail });
                    return Ok(());
                }
                self.match_term(other, source, origin)
            }
        }
    }

    /// Lets the last scan of fluents pass over those whose column for `variable` equals `other`, which saves a step per match.
    fn join_scan(&mut self, variable: &Term, other: &Term) -> bool {
        let Term::Var(variable) = variable else { return false };
        let Some(Binding { source, origin: Some(next), .. }) = self.bindings[variable.0 as usize] else { return false };
        if self.generators.last().map(|generator| generator.next) != Some(next) || !self.is_bound(other) {
            return false;
        }
        let inputs = self.compiler.program.goals[self.goal as usize].known as u32;
        let operand = match other {
            Term::Var(other) => match self.bindings[other.0 as usize] {
                Some(Binding { source, .. }) if source & CONSTANT != 0 => (source & !CONSTANT) | SAME_TERM,
                // What is loaded after the scan cannot be compared in it.
                Some(Binding { source, place, .. }) if source < inputs || place < next - 1 => source | SAME_REGISTER,
                _ => return false,
            },
            Term::Apply(..) => match ground(other, self.compiler.replica) {
                Ok(Some(constant)) => constant | SAME_TERM,
                _ => return false,
            },
        };
        let code = &self.compiler.program.code;
        let Op::FluentNext { actions: run, .. } = code[next as usize] else { return false };
        let mut pairs = self.compiler.program.pool[run.start as usize..(run.start + run.len) as usize].to_vec();
        let Some(column) = pairs.chunks_exact(2).find(|pair| pair[1] == source).map(|pair| pair[0]) else { return false };
        pairs.extend([column, operand | DIFFERENT]);
        let run = self.compiler.run(&pairs);
        for op in &mut self.compiler.program.code[next as usize - 1..=next as usize] {
            if let Op::FluentScan { actions, .. } | Op::BucketScan { actions, .. } | Op::FluentNext { actions, .. } = op {
                *actions = run;
            }
        }
        true
    }

    fn is(&mut self, atom: &Atom) -> Result<(), Error> {
        if atom.args.iter().all(|arg| self.is_bound(arg)) {
            return self.test(atom, false);
        }
        match self.compiler.rules.relation(atom.relation).keyword {
            Some(Keyword::True) => self.scan_fluents(&atom.args[0]),
            Some(Keyword::Does) => self.scan_moves(&atom.args[0], &atom.args[1]),
            _ if self.compiler.definitions.is_listed(atom.relation) => self.scan_facts(atom),
            _ => self.scan_answers(atom),
        }
    }

    /// An atom without unknowns.
    fn test(&mut self, atom: &Atom, not: bool) -> Result<(), Error> {
        let fail = self.culprit(&*atom.args).unwrap_or(NEXT_CLAUSE);
        let keyword = self.compiler.rules.relation(atom.relation).keyword;
        // A term that was never built makes a test fail, so a negated test must build it.
        let lookup = if not { None } else { Some(fail) };
        match keyword {
            Some(Keyword::True) => return self.test_fluent(&atom.args[0], not, lookup, fail),
            Some(Keyword::Does) => {
                let role = self.source(&atom.args[0], lookup)?;
                let mv = self.source(&atom.args[1], lookup)?;
                let action = if mv & CONSTANT != 0 { (mv & !CONSTANT) | SAME_TERM } else { mv | SAME_REGISTER };
                self.step(Op::Does { role, action, not, fail });
                return Ok(());
            }
            _ => {}
        }
        let listed = self.compiler.definitions.is_listed(atom.relation);
        let lookup = if listed { lookup } else { None };
        if !listed && atom.args.len() > 64 {
            return if not { Err(self.not_safe()) } else { self.scan_answers(atom) };
        }
        let args = atom.args.iter().map(|arg| self.source(arg, lookup)).collect::<Result<Vec<Source>, Error>>()?;
        if listed && args.iter().all(|source| source & CONSTANT != 0) {
            // Known for good when the plan is made.
            let facts = &self.compiler.definitions.facts[atom.relation.0 as usize];
            if facts.has(|i| args[i] & !CONSTANT) == not {
                self.step(Op::Differ { left: CONSTANT, right: CONSTANT, fail: NEXT_CLAUSE });
            }
            return Ok(());
        }
        if listed {
            let facts = self.compiler.fact_table(atom.relation);
            let key = self.compiler.fact_key(facts, &args);
            self.step(Op::InFacts { facts, key, not, fail });
        } else {
            let args = self.compiler.run(&args);
            let pattern = u64::MAX.checked_shr(64 - atom.args.len() as u32).unwrap_or(0);
            let goal = self.compiler.goal(atom.relation, pattern, Sink::Answers);
            self.compiler.asks(self.goal, goal);
            self.step(Op::Ask { goal, args, not, fail });
        }
        Ok(())
    }

    fn test_fluent(&mut self, term: &Term, not: bool, lookup: Option<u32>, fail: u32) -> Result<(), Error> {
        if let Some(constant) = ground(term, self.compiler.replica)? {
            let fluent = self.compiler.replica.fluent(constant);
            self.step(Op::Holds { fluent, not, fail });
            return Ok(());
        }
        match term {
            Term::Var(_) => {
                let term = self.source(term, None)?;
                self.step(Op::HoldsTerm { term, not, fail });
            }
            Term::Apply(symbol, args) => {
                let functor = self.compiler.program.schema.functor(symbol.0, args.len());
                let args = args.iter().map(|arg| self.source(arg, lookup)).collect::<Result<Vec<Source>, Error>>()?;
                let args = self.compiler.run(&args);
                self.step(Op::HoldsOf { functor, args, not, fail });
            }
        }
        Ok(())
    }

    /// Opens a generator with this `..Next` step; it is the origin of what the generator binds.
    fn open(&mut self, next: u32) -> u32 {
        self.generators.push(Generator { next, binds: Vec::new(), ignores: false });
        next
    }

    /// The known columns with their operands, in order.
    fn known_columns(&mut self, args: &[Term], lookup: Option<u32>, limit: usize) -> Result<(Vec<usize>, Vec<Source>), Error> {
        let known: Vec<usize> = (0..args.len().min(limit)).filter(|&column| self.is_bound(&args[column])).collect();
        let key = known.iter().map(|&column| self.source(&args[column], lookup)).collect::<Result<Vec<Source>, Error>>()?;
        Ok((known, key))
    }

    /// The actions for the columns that are not in `known`; what is to be taken apart comes back too.
    #[allow(clippy::type_complexity)]
    fn unknown_columns<'t>(
        &mut self,
        args: &'t [Term],
        known: &[usize],
        origin: Option<u32>,
    ) -> Result<(Vec<(usize, Action)>, Vec<(u32, &'t Term)>), Error> {
        let mut later = Vec::new();
        let mut actions = Vec::new();
        for (column, term) in args.iter().enumerate().filter(|(column, _)| !known.contains(column)) {
            actions.push((column, self.action(term, origin, &mut later)?));
        }
        Ok((actions, later))
    }

    fn take_apart(&mut self, later: Vec<(u32, &Term)>, origin: Option<u32>) -> Result<(), Error> {
        later.into_iter().try_for_each(|(register, term)| self.match_term(term, register, origin))
    }

    fn scan_fluents(&mut self, term: &Term) -> Result<(), Error> {
        let fail = self.retry();
        let Term::Apply(symbol, args) = term else {
            let iterator = self.registers(1);
            let scan = self.step(Op::StateScan { iterator });
            let origin = Some(self.open(scan + 1));
            let action = self.action(term, origin, &mut Vec::new())?;
            self.step(Op::StateNext { action, iterator, fail });
            return Ok(());
        };
        let (known, key) = self.known_columns(args, Some(fail), usize::MAX)?;
        let functor = self.compiler.program.schema.functor(symbol.0, args.len());
        let index = self.compiler.program.schema.index(functor, &known);
        let iterator = self.registers(2);
        let origin = Some(self.open(self.here() + 1));
        self.taken.push((term.clone(), iterator));
        let (actions, later) = self.unknown_columns(args, &known, origin)?;
        let pairs: Vec<u32> = actions
            .iter()
            .filter(|(_, action)| *action != IGNORE)
            .flat_map(|&(column, action)| [column as u32, action])
            .collect();
        let actions = self.compiler.run(&pairs);
        let link = self.compiler.program.schema.link(index);
        if key.iter().all(|source| source & CONSTANT != 0) {
            let key: Vec<u32> = key.iter().map(|source| source & !CONSTANT).collect();
            let bucket = self.compiler.program.schema.bucket(index, &key);
            self.step(Op::BucketScan { bucket, link, actions, iterator, fail });
        } else {
            let key = self.compiler.run(&key);
            self.step(Op::FluentScan { index, key, actions, iterator, fail });
        }
        self.step(Op::FluentNext { link, actions, iterator, fail });
        self.take_apart(later, origin)
    }

    fn scan_moves(&mut self, role: &Term, mv: &Term) -> Result<(), Error> {
        let fail = self.retry();
        let mut later = Vec::new();
        if self.is_bound(role) {
            let origin = self.culprit([role, mv]);
            let role = self.source(role, Some(fail))?;
            let fail = origin.unwrap_or(NEXT_CLAUSE);
            let action = self.action(mv, origin, &mut later)?;
            self.step(Op::Does { role, action, not: false, fail });
            return self.take_apart(later, origin);
        }
        let iterator = self.registers(1);
        let scan = self.step(Op::DoesScan { iterator });
        let origin = Some(self.open(scan + 1));
        let role = self.action(role, origin, &mut later)?;
        let action = self.action(mv, origin, &mut later)?;
        self.step(Op::DoesNext { role, action, iterator, fail });
        self.take_apart(later, origin)
    }

    fn scan_facts(&mut self, atom: &Atom) -> Result<(), Error> {
        let fail = self.retry();
        let (known, key) = self.known_columns(&atom.args, Some(fail), usize::MAX)?;
        let index = self.compiler.fact_index(atom.relation, &known);
        let key = self.compiler.group_key(index, &key);
        if self.compiler.program.fact_indexes[index as usize].is_unique() {
            let origin = self.culprit(&*atom.args);
            let (actions, later) = self.unknown_columns(&atom.args, &known, origin)?;
            let actions: Vec<Action> = actions.into_iter().map(|(_, action)| action).collect();
            let actions = self.compiler.run(&actions);
            self.step(Op::FactLookUp { index, key, actions, fail: origin.unwrap_or(NEXT_CLAUSE) });
            return self.take_apart(later, origin);
        }
        let iterator = self.registers(2);
        let origin = Some(self.open(self.here() + 1));
        let (actions, later) = self.unknown_columns(&atom.args, &known, origin)?;
        let actions: Vec<Action> = actions.into_iter().map(|(_, action)| action).collect();
        let actions = self.compiler.run(&actions);
        self.step(Op::FactScan { index, key, actions, iterator, fail });
        self.step(Op::FactNext { index, actions, iterator, fail });
        self.take_apart(later, origin)
    }

    fn scan_answers(&mut self, atom: &Atom) -> Result<(), Error> {
        let fail = self.retry();
        let (known, key) = self.known_columns(&atom.args, None, 64)?;
        let pattern = known.iter().fold(0, |pattern, &column| pattern | 1u64 << column);
        let goal = self.compiler.goal(atom.relation, pattern, Sink::Answers);
        self.compiler.asks(self.goal, goal);
        let args = self.compiler.run(&key);
        let iterator = self.registers(1);
        let scan = self.step(Op::AnswerScan { goal, args, iterator });
        let origin = Some(self.open(scan + 1));
        let (actions, later) = self.unknown_columns(&atom.args, &known, origin)?;
        let actions: Vec<Action> = actions.into_iter().map(|(_, action)| action).collect();
        let actions = self.compiler.run(&actions);
        self.step(Op::AnswerNext { goal, actions, iterator, fail });
        self.take_apart(later, origin)
    }
}

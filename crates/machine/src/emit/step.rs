//! The steps of a goal as statements: nested loops in Rust, the same with labels in C.

use super::dialect::Language;
use crate::relational::plan::{Action, CONSTANT, DIFFERENT, IGNORE, Keep, Lifetime, Op, Program, Run, SAME_REGISTER, SAME_TERM};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Writes the statements of one goal.
pub(super) struct Steps<'p> {
    pub(super) program: &'p Program,
    pub(super) roles: &'p [u32],
    pub(super) language: Language,
    pub(super) goal: u32,
    pub(super) text: String,
    /// Registers that occur.
    pub(super) registers: BTreeSet<u32>,
    /// Where the clause in hand ends.
    end: u32,
    /// Loops open in the clause in hand.
    open: usize,
    /// Jumps made in it.
    targets: BTreeSet<u32>,
}

/// How the runtime calls a lifetime.
pub(super) fn lifetime_name(lifetime: Lifetime) -> &'static str {
    match lifetime {
        Lifetime::Machine => "FOREVER",
        Lifetime::State => "IN_STATE",
        Lifetime::Moves => "IN_MOVES",
        Lifetime::Question => "IN_QUESTION",
    }
}

impl<'p> Steps<'p> {
    pub(super) fn new(program: &'p Program, roles: &'p [u32], language: Language, goal: u32) -> Steps<'p> {
        let (text, registers, targets) = (String::new(), BTreeSet::new(), BTreeSet::new());
        Steps { program, roles, language, goal, text, registers, end: 0, open: 0, targets }
    }

    /// All clauses, up to the step that ends the goal.
    pub(super) fn clauses(&mut self) {
        let mut start = self.program.goals[self.goal as usize].entry;
        while !matches!(self.program.code[start as usize], Op::Return) {
            let mut end = start + 1;
            while !ends_clause(&self.program.code[end as usize - 1]) {
                end += 1;
            }
            self.clause(start, end);
            start = end;
        }
    }

    fn clause(&mut self, start: u32, end: u32) {
        let before = std::mem::take(&mut self.text);
        self.targets.clear();
        (self.end, self.open) = (end, 0);
        for at in start..end {
            self.step(at);
        }
        let steps = std::mem::replace(&mut self.text, before);
        match self.language {
            Language::Rust => {
                let _ = writeln!(self.text, "    'c{end}: {{\n{steps}    {}}}", "}".repeat(self.open));
            }
            Language::C => {
                // Labels that nobody jumps to would only be warned about.
                for line in steps.lines() {
                    let label = line.strip_prefix('g').and_then(|line| line.strip_suffix(": ;")).and_then(|at| at.parse().ok());
                    if label.is_none_or(|at: u32| self.targets.contains(&at)) {
                        let _ = writeln!(self.text, "{line}");
                    }
                }
                if self.targets.contains(&end) {
                    let _ = writeln!(self.text, "c{end}: ;");
                }
            }
        }
    }

    pub(super) fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "    {text}");
    }

    pub(super) fn burn(&mut self) {
        let burn = self.language.fallible("burn(g)");
        self.line(&format!("{burn};"));
    }

    pub(super) fn jump(&mut self, target: u32) -> String {
        self.targets.insert(target);
        match (self.language, target == self.end) {
            (Language::C, true) => format!("goto c{target};"),
            (Language::C, false) => format!("goto g{target};"),
            (Language::Rust, true) => format!("break 'c{target};"),
            (Language::Rust, false) => format!("continue 'g{target};"),
        }
    }

    pub(super) fn go(&mut self, target: u32) {
        let jump = self.jump(target);
        self.line(&jump);
    }

    pub(super) fn go_if(&mut self, condition: &str, target: u32) {
        let jump = self.jump(target);
        self.line(&format!("if ({condition}) {{ {jump} }}"));
    }

    /// The head of a loop: where later steps come back for the next match.
    pub(super) fn label(&mut self, at: u32) {
        self.open += 1;
        let _ = match self.language {
            Language::Rust => writeln!(self.text, "    'g{at}: loop {{"),
            Language::C => writeln!(self.text, "g{at}: ;"),
        };
        self.burn();
    }

    pub(super) fn register(&mut self, register: u32) -> String {
        self.registers.insert(register);
        format!("r{register}")
    }

    pub(super) fn value(&mut self, source: u32) -> String {
        if source & CONSTANT == 0 { self.register(source) } else { self.language.number(source & !CONSTANT) }
    }

    pub(super) fn run(&self, run: Run) -> &'p [u32] {
        &self.program.pool[run.start as usize..(run.start + run.len) as usize]
    }

    pub(super) fn values(&mut self, run: Run) -> String {
        let values: Vec<String> = self.run(run).iter().map(|&source| self.value(source)).collect();
        self.language.list(&values)
    }

    /// Does to a column what the plan says; where it does not fit, the code goes on at `miss`.
    pub(super) fn act(&mut self, action: Action, column: &str, miss: u32) {
        if action < SAME_REGISTER {
            let register = self.register(action);
            self.line(&format!("{register} = {column};"));
        } else if action != IGNORE {
            let test = self.misfit(action, column);
            self.go_if(&test, miss);
        }
    }

    pub(super) fn misfit(&mut self, action: Action, column: &str) -> String {
        let operand = action & (DIFFERENT - 1);
        let operand = if action & SAME_TERM != 0 { self.language.number(operand) } else { self.register(operand) };
        format!("{column} {} {operand}", if action & DIFFERENT == 0 { "!=" } else { "==" })
    }

    fn step(&mut self, at: u32) {
        match self.program.code[at as usize] {
            Op::Return => {}
            Op::Succeed => self.line(if self.language == Language::Rust { "return Ok(true);" } else { "return 1;" }),
            op @ (Op::Emit { .. }
            | Op::EmitFluent { .. }
            | Op::EmitTaken { .. }
            | Op::EmitFluentTerm { .. }
            | Op::EmitMove { .. }
            | Op::EmitMoveOf { .. }
            | Op::KeepAll { .. }) => self.emit(op),
            op @ (Op::FluentScan { .. }
            | Op::BucketScan { .. }
            | Op::FluentNext { .. }
            | Op::StateScan { .. }
            | Op::StateNext { .. }
            | Op::DoesScan { .. }
            | Op::DoesNext { .. }
            | Op::AnswerScan { .. }
            | Op::AnswerNext { .. }) => self.scan(op, at),
            op @ (Op::InFacts { .. } | Op::FactScan { .. } | Op::FactLookUp { .. } | Op::FactNext { .. }) => self.fact(op, at),
            op => self.test(op),
        }
    }

    fn emit(&mut self, op: Op) {
        let language = self.language;
        let (call, fail) = match op {
            Op::Emit { values, fail } => {
                let (values, goal) = (self.values(values), &self.program.goals[self.goal as usize]);
                let (arena, repeats) = (lifetime_name(goal.arena), language.truth(goal.repeats));
                let list = match (goal.keep, language) {
                    (Keep::No, Language::Rust) => "add_row(g, &mut list".to_owned(),
                    (Keep::No, Language::C) => "add_row(g, &list".to_owned(),
                    _ => format!("add_kept(g, {}, slot", self.goal),
                };
                (language.fallible(&format!("{list}, {arena}, {repeats}, {values})")), fail)
            }
            Op::EmitFluent { functor, symbol, args, fail } => {
                let args = self.values(args);
                (language.fallible(&format!("out_fluent_of(g, {functor}, {symbol}, {args})")), fail)
            }
            Op::EmitTaken { iterator, fail } => (format!("out_fluent(g, {})", self.register(iterator)), fail),
            Op::EmitFluentTerm { term, fail } => (format!("out_fluent_term(g, {})", self.value(term)), fail),
            Op::EmitMove { role, term, fail } => (format!("out_move_term(g, {}, {})", self.value(role), self.value(term)), fail),
            Op::EmitMoveOf { role, functor, symbol, args, fail } => {
                let (role, args) = (self.value(role), self.values(args));
                (language.fallible(&format!("out_move_of(g, {role}, {functor}, {symbol}, {args})")), fail)
            }
            Op::KeepAll { bucket, link, actions, fail } => return self.keep_all(bucket, link, actions, fail),
            _ => return,
        };
        self.line(&format!("{call};"));
        self.go(fail);
    }

    fn keep_all(&mut self, bucket: u32, link: u32, actions: Run, fail: u32) {
        self.burn();
        self.line(&format!("t = first_of(g, {bucket});"));
        self.line(&format!("while (t != NONE) {{ f = t; t = next_in(g, f, {link});"));
        for pair in self.run(actions).chunks_exact(2) {
            let column = format!("column(g, f, {})", pair[0]);
            if pair[1] < SAME_REGISTER {
                self.act(pair[1], &column, fail);
            } else if pair[1] != IGNORE {
                let test = self.misfit(pair[1], &column);
                self.line(&format!("if ({test}) {{ continue; }}"));
            }
        }
        self.line("out_fluent(g, f); }");
        self.go(fail);
    }

    fn test(&mut self, op: Op) {
        let language = self.language;
        match op {
            Op::Same { left, right, fail } => self.compare(left, right, "!=", fail),
            Op::Differ { left, right, fail } => self.compare(left, right, "==", fail),
            Op::Make { symbol, args, to } => {
                let (args, to) = (self.values(args), self.register(to));
                let call = language.fallible(&format!("make_term(g, {symbol}, {args})"));
                self.line(&format!("{to} = {call};"));
            }
            Op::Find { symbol, args, to, fail } => {
                let (args, to) = (self.values(args), self.register(to));
                self.line(&format!("{to} = find_term(g, {symbol}, {args});"));
                self.go_if(&format!("{to} == NONE"), fail);
            }
            Op::Match { term, symbol, actions, fail } => {
                let term = self.value(term);
                self.go_if(&format!("symbol_of(g, {term}) != {symbol} || arity_of(g, {term}) != {}", actions.len), fail);
                for (i, &action) in self.run(actions).iter().enumerate() {
                    self.act(action, &format!("arg_of(g, {term}, {i})"), fail);
                }
            }
            Op::Holds { fluent, not, fail } => {
                let fluent = language.number(fluent);
                self.go_if(&format!("{}holds(g, {fluent})", if not { "" } else { "!" }), fail);
            }
            Op::HoldsOf { functor, args, not, fail } => {
                let args = self.values(args);
                self.line(&format!("f = find_fluent(g, {functor}, {args});"));
                self.go_if(&format!("{}(f != NONE && holds(g, f))", if not { "" } else { "!" }), fail);
            }
            Op::HoldsTerm { term, not, fail } => {
                let term = self.value(term);
                self.go_if(&format!("{}holds_term(g, {term})", if not { "" } else { "!" }), fail);
            }
            Op::Does { role, action, not, fail } => self.does(role, action, not, fail),
            Op::Ask { goal, args, not, fail } => {
                self.burn();
                let call = self.call(goal, args, not);
                self.go_if(&format!("{}{call}", if not { "" } else { "!" }), fail);
            }
            _ => {}
        }
    }

    fn compare(&mut self, left: u32, right: u32, operator: &str, fail: u32) {
        if left & right & CONSTANT != 0 {
            // Known for good when the plan was made.
            if (left == right) == (operator == "==") {
                let condition = self.language.truth(true);
                self.go_if(condition, fail);
            }
            return;
        }
        let (left, right) = (self.value(left), self.value(right));
        self.go_if(&format!("{left} {operator} {right}"), fail);
    }

    fn does(&mut self, role: u32, action: Action, not: bool, fail: u32) {
        let place = self.roles.iter().position(|&other| other | CONSTANT == role);
        let joint = match place {
            Some(place) => format!("joint_of(g, {place})"),
            None => format!("does(g, {})", self.value(role)),
        };
        self.line(&format!("f = {joint};"));
        if not {
            let fits = if action == IGNORE { String::new() } else { format!(" && !({})", self.misfit(action, "f")) };
            self.go_if(&format!("f != NONE{fits}"), fail);
        } else {
            self.go_if("f == NONE", fail);
            self.act(action, "f", fail);
        }
    }

    pub(super) fn call(&mut self, goal: u32, args: Run, not: bool) -> String {
        let mut values = vec!["g".to_owned()];
        values.extend(self.run(args).iter().map(|&source| self.value(source)));
        if self.program.goals[goal as usize].keep == Keep::Table {
            values.push(self.language.truth(not).to_owned());
        }
        self.language.fallible(&format!("p{goal}({})", values.join(", ")))
    }
}

/// Whether a clause ends with this step.
fn ends_clause(op: &Op) -> bool {
    matches!(
        op,
        Op::Succeed
            | Op::Emit { .. }
            | Op::EmitFluent { .. }
            | Op::EmitTaken { .. }
            | Op::EmitFluentTerm { .. }
            | Op::EmitMove { .. }
            | Op::EmitMoveOf { .. }
            | Op::KeepAll { .. }
    )
}

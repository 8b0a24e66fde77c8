//! A function per goal, `p7`: it answers from what is kept or computes the answers with the goal's clauses, `b7`.

use super::dialect::Language;
use super::step::{Steps, lifetime_name};
use crate::Error;
use crate::relational::plan::{Keep, Op, Program};
use std::fmt::Write as _;

/// The stack that a goal is taken to need, and what a register adds: generous, for builds without optimisation.
const FRAME: u64 = 768;
const REGISTER: u64 = 24;
/// Stack for goals that cannot reach themselves, in all.
const MAX_CHAIN: u64 = 512 << 10;

/// What a goal gives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    /// Whether it holds.
    Truth,
    /// A list of answers.
    Answers,
    /// Nothing: what it finds goes into the next state or among the legal moves.
    Nothing,
}

/// The functions of all goals, and those of the five questions.
pub(super) fn all(program: &Program, roles: &[u32], language: Language) -> Result<String, Error> {
    let stacks = stacks(program)?;
    let mut text = String::new();
    let numbers = 0..program.goals.len() as u32;
    if language == Language::C {
        for goal in numbers.clone() {
            let _ = writeln!(text, "{};", Function::new(program, goal, language).head("p", "", true));
        }
        text.push('\n');
    }
    for goal in numbers {
        text.push_str(&Function::new(program, goal, language).text(roles, stacks[goal as usize]));
    }
    text.push_str(&questions(program, language));
    Ok(text)
}

/// A goal's function.
struct Function<'p> {
    program: &'p Program,
    goal: u32,
    language: Language,
    gives: Gives,
}

impl<'p> Function<'p> {
    fn new(program: &'p Program, goal: u32, language: Language) -> Function<'p> {
        let queries = program.queries;
        let gives = if [queries.init, queries.legal, queries.next].contains(&Some(goal)) {
            Gives::Nothing
        } else if program.goals[goal as usize].unknown == 0 {
            Gives::Truth
        } else {
            Gives::Answers
        };
        Function { program, goal, language, gives }
    }

    /// `static u32 p7(game *g, u32 r0, u32 r1)`; `more` are further parameters before the registers, `table` adds the one of tabled goals.
    fn head(&self, prefix: &str, more: &str, table: bool) -> String {
        let plan = &self.program.goals[self.goal as usize];
        let kept_body = prefix == "b" && self.gives == Gives::Answers;
        let (ty, result) = match (self.language, self.gives) {
            (Language::Rust, Gives::Truth) => ("u32", "Result<bool, Error>"),
            (Language::Rust, Gives::Answers) if !kept_body => ("u32", "Result<u32, Error>"),
            (Language::Rust, _) => ("u32", "Done"),
            (Language::C, Gives::Truth) => ("u32", "int"),
            (Language::C, Gives::Answers) if !kept_body => ("u32", "u32"),
            (Language::C, _) => ("u32", "void"),
        };
        let negated = table && plan.keep == Keep::Table;
        let registers = (0..plan.known).map(|r| match self.language {
            Language::Rust => format!(", r{r}: {ty}"),
            Language::C => format!(", {ty} r{r}"),
        });
        let registers: String = registers.collect();
        match self.language {
            Language::Rust => {
                let negated = if negated { ", negated: bool" } else { "" };
                format!("fn {prefix}{}(g: &mut Game{more}{registers}{negated}) -> {result}", self.goal)
            }
            Language::C => {
                let negated = if negated { ", int negated" } else { "" };
                format!("static {result} {prefix}{}(game *g{more}{registers}{negated})", self.goal)
            }
        }
    }

    fn text(&self, roles: &[u32], stack: u64) -> String {
        let plan = &self.program.goals[self.goal as usize];
        let mut steps = Steps::new(self.program, roles, self.language, self.goal);
        steps.clauses();
        let kept = plan.keep != Keep::No;
        let slot = match (kept && self.gives == Gives::Answers, self.language) {
            (true, Language::Rust) => ", slot: usize",
            (true, Language::C) => ", u32 slot",
            _ => "",
        };
        let mut text = format!("{} {{\n", self.head(if kept { "b" } else { "p" }, slot, false));
        self.declare(&steps, &mut text);
        if !kept && self.gives == Gives::Answers {
            text.push_str(if self.language == Language::C {
                "    answers list = no_answers;\n"
            } else {
                "    let mut list = NO_ANSWERS;\n"
            });
        }
        text.push_str(&steps.text);
        text.push_str(match (self.gives, kept, self.language) {
            (Gives::Truth, _, Language::C) => "    return 0;\n",
            (Gives::Truth, _, Language::Rust) => "    Ok(false)\n",
            (Gives::Answers, false, Language::C) => "    close_list(g, &list);\n    return list.head;\n",
            (Gives::Answers, false, Language::Rust) => "    close_list(g, &mut list);\n    Ok(list.head)\n",
            (_, _, Language::Rust) => "    Ok(())\n",
            (_, _, Language::C) => "",
        });
        text.push_str("}\n\n");
        if kept {
            self.kept(stack, &mut text);
        }
        text
    }

    /// The registers that are no arguments, and two places for what lies between steps.
    fn declare(&self, steps: &Steps<'_>, text: &mut String) {
        let known = self.program.goals[self.goal as usize].known as u32;
        let names = steps.registers.iter().filter(|&&r| r >= known).map(|r| format!("r{r}"));
        for name in names.chain(["f".to_owned(), "t".to_owned()]) {
            let _ = match self.language {
                Language::Rust => writeln!(text, "    let mut {name}: u32 = 0;"),
                Language::C => writeln!(text, "    u32 {name} = 0;"),
            };
        }
        if self.language == Language::C {
            // A register may be written for nobody.
            let all = steps.registers.iter().copied().chain(0..known).collect::<std::collections::BTreeSet<u32>>();
            let voids: Vec<String> = all.iter().map(|r| format!("(void)r{r};")).collect();
            let voids = voids.join(" ");
            let _ = writeln!(text, "    (void)g; (void)f; (void)t; {voids}");
        }
    }

    /// The function that looks into the table first.
    fn kept(&self, stack: u64, text: &mut String) {
        let plan = &self.program.goals[self.goal as usize];
        let (goal, life, language) = (self.goal, lifetime_name(plan.lifetime), self.language);
        let registers: Vec<String> = (0..plan.known).map(|r| format!("r{r}")).collect();
        let find = language.fallible(&format!("find_slot(g, {goal}, {})", language.list(&registers)));
        let comma = [String::new()].iter().chain(&registers).cloned().collect::<Vec<String>>().join(", ");
        let (truth, rust) = (self.gives == Gives::Truth, language == Language::Rust);
        let body = language.fallible(&if truth { format!("b{goal}(g{comma})") } else { format!("b{goal}(g, slot{comma})") });
        let (declare, yes) = if rust { ("let slot", "let yes") } else { ("u32 slot", "int yes") };
        let compute = if truth { format!("{yes} = {body};") } else { format!("{body};") };
        let done = if truth { "yes" } else { language.truth(false) };
        let result = match (truth, rust) {
            (true, true) => format!("Ok(slot_holds(g, {goal}, slot))"),
            (true, false) => format!("return slot_at(g, {goal}, slot)->list.count > 0;"),
            (false, true) => format!("Ok(slot_head(g, {goal}, slot))"),
            (false, false) => format!("return slot_at(g, {goal}, slot)->list.head;"),
        };
        let _ = writeln!(text, "{} {{\n    {declare} = {find};", self.head("p", "", true));
        if plan.keep == Keep::Memo {
            let _ = writeln!(text, "    if (!memo_known(g, {goal}, {life}, slot)) {{\n        {compute}");
            let _ = writeln!(text, "        memo_done(g, {goal}, {life}, slot, {done});\n    }}\n    {result}\n}}\n");
            return;
        }
        let known = language.fallible(&format!("table_known(g, {goal}, {life}, slot, negated, {stack})"));
        let again = language.fallible(&format!("table_again(g, {goal}, slot, negated, {stack})"));
        let (forever, proven) = if rust { ("loop", "return Ok(true);") } else { ("for (;;)", "return 1;") };
        let _ = writeln!(text, "    if (!{known}) {{\n        {forever} {{\n            {compute}");
        // Only a goal without unknowns is done with its first proof.
        let proven = if truth {
            format!("            if (yes) {{ table_proven(g, {goal}, slot, {stack}); {proven} }}\n")
        } else {
            String::new()
        };
        let _ = writeln!(text, "{proven}            if (!{again}) {{ break; }}\n        }}\n    }}\n    {result}\n}}\n");
    }
}

/// The functions that the interface asks.
fn questions(program: &Program, language: Language) -> String {
    let queries = program.queries;
    let call = |goal: Option<u32>, argument: &str, otherwise: &str| {
        goal.map_or(otherwise.to_owned(), |goal| {
            let table = program.goals[goal as usize].keep == Keep::Table;
            format!("p{goal}(g{argument}{})", if table { format!(", {}", language.truth(false)) } else { String::new() })
        })
    };
    let [init, legal, next] = [queries.init, queries.legal, queries.next];
    let mut text = String::new();
    for (name, goal) in [("init", init), ("legal", legal), ("next", next)] {
        let _ = match language {
            Language::Rust => writeln!(text, "pub(crate) fn q_{name}(g: &mut Game) -> Done {{ {} }}", call(goal, "", "Ok(())")),
            Language::C => writeln!(text, "static void q_{name}(game *g) {{ {}; }}", call(goal, "", "(void)g")),
        };
    }
    let (terminal, goal) = (queries.terminal, queries.goal);
    let _ = match language {
        Language::Rust => writeln!(
            text,
            "pub(crate) fn q_terminal(g: &mut Game) -> Result<bool, Error> {{ {} }}\n\
             pub(crate) fn q_goal(g: &mut Game, role: u32) -> Result<u32, Error> {{ {} }}",
            call(terminal, "", "Ok(false)"),
            call(goal, ", role", "Ok(NONE)")
        ),
        Language::C => writeln!(
            text,
            "static int q_terminal(game *g) {{ (void)g; return {}; }}\n\
             static u32 q_goal(game *g, u32 role) {{ (void)g; (void)role; return {}; }}",
            call(terminal, "", "0"),
            call(goal, ", role", "NONE")
        ),
    };
    let arena = goal.map_or("IN_QUESTION", |goal| lifetime_name(program.goals[goal as usize].arena));
    let _ = match language {
        Language::Rust => writeln!(text, "pub(crate) const GOAL_ARENA: usize = {arena};"),
        Language::C => writeln!(text, "#define GOAL_ARENA {arena}"),
    };
    text
}

/// The stack each goal needs with the goals it asks, up to the tabled ones, which count for themselves when they are asked.
fn stacks(program: &Program) -> Result<Vec<u64>, Error> {
    let own: Vec<u64> = program.goals.iter().map(|goal| FRAME + REGISTER * goal.frame as u64).collect();
    let mut edges = Vec::new();
    for (number, goal) in program.goals.iter().enumerate() {
        for op in &program.code[goal.entry as usize..] {
            match *op {
                Op::Return => break,
                Op::Ask { goal, .. } | Op::AnswerScan { goal, .. } if program.goals[goal as usize].keep != Keep::Table => {
                    edges.push((number, goal as usize));
                }
                _ => {}
            }
        }
    }
    let mut stacks = own.clone();
    loop {
        let mut changed = false;
        for &(from, to) in &edges {
            let with = own[from] + stacks[to];
            if with > stacks[from] {
                stacks[from] = with;
                changed = true;
            }
            if with > MAX_CHAIN {
                let relation = program.goals[from].name.clone();
                return Err(Error::Limit { what: "stack", limit: MAX_CHAIN, relation });
            }
        }
        if !changed {
            return Ok(stacks);
        }
    }
}

//! From rules to plans: breadth-first from the questions players ask to every (relation, binding pattern) they need.

use super::clause::ClauseBuilder;
use super::facts::Facts;
use super::order::Order;
use super::plan::{Goal, Keep, Lifetime, Op, Program, Queries, Run, Source};
use super::registry::Replica;
use crate::Error;
use ludens_gdl::{Atom, Depends, Graph, Keyword, Literal, RelationId, Rule, Rules, Term};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// The rules as the compiler wants them: facts apart, rules by relation.
#[derive(Clone, Debug)]
pub(super) struct Definitions {
    /// Per relation: its ground facts, and later all its tuples if it is static and small enough to be listed.
    pub(super) facts: Vec<Facts>,
    /// Per relation: the rules that are not facts.
    pub(super) rules: Vec<Vec<Rule>>,
    /// Per relation: relations that reach each other have the same number.
    component: Vec<u32>,
    /// Per relation: a relation that it reaches and that reaches it is asked under `not` there. Such rules are stratified by their
    /// arguments only.
    negates_itself: Vec<bool>,
}

impl Definitions {
    pub(super) fn new(rules: &Rules, replica: &mut Replica) -> Result<Definitions, Error> {
        let facts = rules.relations.iter().map(|relation| Facts::new(relation.arity)).collect();
        let component = components(rules);
        let negates_itself = negates_itself(rules, &component);
        let mut definitions = Definitions { facts, rules: vec![Vec::new(); rules.relations.len()], component, negates_itself };
        for rule in &rules.rules {
            let relation = rule.head.relation.0 as usize;
            if rule.body.is_empty() {
                let row = rule.head.args.iter().map(|term| ground(term, replica)).collect::<Result<Option<Vec<u32>>, Error>>()?;
                if let Some(row) = row {
                    definitions.facts[relation].add(&row);
                    continue;
                }
            }
            definitions.rules[relation].push(rule.clone());
        }
        Ok(definitions)
    }

    /// Which conditions must wait until all conditions on other relations have been asked: those through which the rule reaches
    /// itself, if a term may be built for them or if the rules are stratified by their arguments only. GDL bounds such recursion by
    /// the other conditions: asked too early it would build ever larger terms, or ask for more than the rule needs and meet
    /// its own negation.
    pub(super) fn late(&self, rule: &Rule) -> Vec<bool> {
        let builds = |literal: &Literal| match literal {
            Literal::Equal(left, right, _) => builds_term(left) || builds_term(right),
            Literal::Is(atom) => self.reaches(atom, rule) && atom.args.iter().any(builds_term),
            _ => false,
        };
        let any = self.negates_itself[rule.head.relation.0 as usize] || rule.body.iter().any(builds);
        rule.body.iter().map(|literal| any && matches!(literal, Literal::Is(atom) if self.reaches(atom, rule))).collect()
    }

    fn reaches(&self, atom: &Atom, rule: &Rule) -> bool {
        self.component[atom.relation.0 as usize] == self.component[rule.head.relation.0 as usize]
    }

    /// Whether the relation's tuples are all in its table.
    pub(super) fn is_listed(&self, relation: RelationId) -> bool {
        self.rules[relation.0 as usize].is_empty()
    }
}

/// Whether a term is a function of variables.
fn builds_term(term: &Term) -> bool {
    matches!(term, Term::Apply(_, args) if args.iter().any(|arg| matches!(arg, Term::Var(_)) || builds_term(arg)))
}

/// Numbers the relations so that those that reach each other have the same number.
fn components(rules: &Rules) -> Vec<u32> {
    let mut numbers = vec![0; rules.relations.len()];
    for (number, component) in rules.relation_graph().components().into_iter().enumerate() {
        for relation in component {
            numbers[relation as usize] = number as u32;
        }
    }
    numbers
}

/// Marks the relations of components with a negation inside.
fn negates_itself(rules: &Rules, component: &[u32]) -> Vec<bool> {
    let of = |relation: RelationId| component[relation.0 as usize] as usize;
    let mut marked = vec![false; component.len()];
    for rule in &rules.rules {
        for literal in &rule.body {
            if let Literal::Not(atom) = literal
                && of(atom.relation) == of(rule.head.relation)
            {
                marked[of(rule.head.relation)] = true;
            }
        }
    }
    component.iter().map(|&number| marked[number as usize]).collect()
}

/// The number of a ground term, or `None` if it has a variable.
pub(super) fn ground(term: &Term, replica: &mut Replica) -> Result<Option<u32>, Error> {
    match term {
        Term::Var(_) => Ok(None),
        Term::Apply(symbol, args) => {
            let args = args.iter().map(|arg| ground(arg, replica)).collect::<Result<Option<Vec<u32>>, Error>>()?;
            args.map(|args| replica.intern(symbol.0, &args)).transpose()
        }
    }
}

/// What a goal does with its answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Sink {
    /// Lists them.
    Answers,
    /// Collects its one unknown as fluents.
    Fluents,
    /// Collects its two unknowns as roles and their moves.
    Moves,
}

/// How plans are made.
pub(super) struct Compiler<'a> {
    pub(super) rules: &'a Rules,
    pub(super) definitions: &'a Definitions,
    pub(super) replica: &'a mut Replica,
    pub(super) order: &'a Order<'a>,
    /// Which goals that may be remembered are.
    pub(super) remember: &'a dyn Fn(RelationId, u64) -> bool,
    pub(super) program: Program,
    /// Facts and their indexes, by what they serve.
    fact_tables: FxHashMap<RelationId, u32>,
    fact_indexes: FxHashMap<(RelationId, Vec<usize>), u32>,
    move_numbers: FxHashMap<(u32, usize), u32>,
    numbers: FxHashMap<(RelationId, u64, Sink), u32>,
    queue: VecDeque<(u32, Sink)>,
    /// Goal -> goals its clauses ask.
    edges: Vec<Vec<u32>>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        definitions: &'a Definitions,
        replica: &'a mut Replica,
        order: &'a Order<'a>,
        remember: &'a dyn Fn(RelationId, u64) -> bool,
    ) -> Compiler<'a> {
        Compiler {
            rules,
            definitions,
            replica,
            order,
            remember,
            program: Program::default(),
            fact_tables: FxHashMap::default(),
            fact_indexes: FxHashMap::default(),
            move_numbers: FxHashMap::default(),
            numbers: FxHashMap::default(),
            queue: VecDeque::new(),
            edges: Vec::new(),
        }
    }

    /// Plans for the questions of play.
    pub(super) fn game(mut self) -> Result<Program, Error> {
        let mut query = |keyword, pattern, sink| self.rules.keyword(keyword).map(|relation| self.goal(relation, pattern, sink));
        self.program.queries = Queries {
            init: query(Keyword::Init, 0, Sink::Fluents),
            terminal: query(Keyword::Terminal, 0, Sink::Answers),
            legal: query(Keyword::Legal, 0, Sink::Moves),
            goal: query(Keyword::Goal, 1, Sink::Answers),
            next: query(Keyword::Next, 0, Sink::Fluents),
        };
        self.finish()
    }

    /// Plans that list relations; their goals come back in the same order.
    pub(super) fn listing(mut self, relations: &[RelationId]) -> Result<(Program, Vec<u32>), Error> {
        let goals = relations.iter().map(|&relation| self.goal(relation, 0, Sink::Answers)).collect();
        Ok((self.finish()?, goals))
    }

    /// The number of a goal; a new one is planned in its turn.
    pub(super) fn goal(&mut self, relation: RelationId, pattern: u64, sink: Sink) -> u32 {
        if let Some(&goal) = self.numbers.get(&(relation, pattern, sink)) {
            return goal;
        }
        let goal = self.program.goals.len() as u32;
        let about = self.rules.relation(relation);
        let known = pattern.count_ones() as usize;
        self.program.goals.push(Goal {
            relation,
            name: self.rules.names.text(about.name).to_owned(),
            pattern,
            known,
            unknown: about.arity - known,
            frame: known,
            entry: 0,
            lifetime: match about.depends {
                Depends::Nothing => Lifetime::Machine,
                Depends::State => Lifetime::State,
                Depends::Moves => Lifetime::Moves,
            },
            keep: Keep::No,
            arena: Lifetime::Question,
            repeats: true,
            clauses: Vec::new(),
        });
        self.edges.push(Vec::new());
        self.numbers.insert((relation, pattern, sink), goal);
        self.queue.push_back((goal, sink));
        goal
    }

    fn finish(mut self) -> Result<Program, Error> {
        while let Some((goal, sink)) = self.queue.pop_front() {
            self.plan(goal, sink)?;
        }
        self.choose_what_to_keep();
        Ok(self.program)
    }

    /// Writes the code of a goal.
    fn plan(&mut self, goal: u32, sink: Sink) -> Result<(), Error> {
        let Goal { relation, unknown, .. } = self.program.goals[goal as usize];
        let definitions = self.definitions;
        self.program.goals[goal as usize].entry = self.program.code.len() as u32;
        let rules = &definitions.rules[relation.0 as usize];
        let mut clauses = 0;
        let mut unique = true;
        if definitions.facts[relation.0 as usize].len() > 0 {
            ClauseBuilder::new(self, goal, sink, 0).facts(relation);
            clauses += 1;
        }
        for rule in rules {
            let variables = rule.variables.len();
            unique &= ClauseBuilder::new(self, goal, sink, variables).rule(rule)?;
            clauses += 1;
        }
        self.program.code.push(Op::Return);
        let plan = &mut self.program.goals[goal as usize];
        plan.repeats = unknown > 0 && (clauses > 1 || !unique);
        Ok(())
    }

    /// Notes that a goal's code asks another goal.
    pub(super) fn asks(&mut self, goal: u32, other: u32) {
        self.edges[goal as usize].push(other);
    }

    /// Recursive goals are tabled; of the others, those that may and should be remembered are.
    fn choose_what_to_keep(&mut self) {
        let recursive = recursive(&self.edges);
        for (goal, plan) in self.program.goals.iter_mut().enumerate() {
            let may = plan.lifetime != Lifetime::Moves;
            plan.keep = if recursive[goal] {
                Keep::Table
            } else if may && (plan.lifetime == Lifetime::Machine || (self.remember)(plan.relation, plan.pattern)) {
                Keep::Memo
            } else {
                Keep::No
            };
        }
        // The questions themselves are asked once a state; remembering them would only cost.
        for ((_, _, sink), &goal) in &self.numbers {
            if *sink != Sink::Answers && !recursive[goal as usize] {
                self.program.goals[goal as usize].keep = Keep::No;
            }
        }
        for plan in &mut self.program.goals {
            plan.arena = if plan.keep == Keep::No { Lifetime::Question } else { plan.lifetime };
            plan.repeats |= plan.keep == Keep::Table && plan.unknown > 0;
        }
    }

    pub(super) fn run(&mut self, values: &[u32]) -> Run {
        let start = self.program.pool.len() as u32;
        self.program.pool.extend_from_slice(values);
        Run { start, len: values.len() as u32 }
    }

    pub(super) fn fact_table(&mut self, relation: RelationId) -> u32 {
        let Compiler { fact_tables, program, definitions, .. } = self;
        *fact_tables.entry(relation).or_insert_with(|| {
            program.facts.push(definitions.facts[relation.0 as usize].clone());
            program.facts.len() as u32 - 1
        })
    }

    pub(super) fn fact_index(&mut self, relation: RelationId, known: &[usize]) -> u32 {
        let Compiler { fact_indexes, program, definitions, .. } = self;
        *fact_indexes.entry((relation, known.to_vec())).or_insert_with(|| {
            program.fact_indexes.push(definitions.facts[relation.0 as usize].index(known));
            program.fact_indexes.len() as u32 - 1
        })
    }

    /// A compiled key of a whole tuple.
    pub(super) fn fact_key(&mut self, facts: u32, row: &[Source]) -> Run {
        let key = self.program.facts[facts as usize].compile(row);
        self.run(&key)
    }

    /// A compiled key of a group.
    pub(super) fn group_key(&mut self, index: u32, key: &[Source]) -> Run {
        let key = self.program.fact_indexes[index as usize].compile(key);
        self.run(&key)
    }

    pub(super) fn move_functor(&mut self, symbol: u32, arity: usize) -> u32 {
        let Compiler { program: Program { move_functors, .. }, move_numbers, .. } = self;
        *move_numbers.entry((symbol, arity)).or_insert_with(|| {
            move_functors.push((symbol, arity));
            move_functors.len() as u32 - 1
        })
    }
}

/// Which nodes of a graph lie on a cycle.
fn recursive(edges: &[Vec<u32>]) -> Vec<bool> {
    let pairs: Vec<(u32, u32)> =
        edges.iter().enumerate().flat_map(|(from, targets)| targets.iter().map(move |&to| (from as u32, to))).collect();
    let mut result = vec![false; edges.len()];
    for component in Graph::new(edges.len(), &pairs).components() {
        if component.len() > 1 {
            for &node in &component {
                result[node as usize] = true;
            }
        }
    }
    for (from, to) in pairs {
        result[from as usize] |= from == to;
    }
    result
}

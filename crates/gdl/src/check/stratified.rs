//! No rule may depend on its own negation.
//!
//! Decided on rules, not on relations: rule `r` leads to rule `s` where a condition of `r` unifies with the head of `s`, and
//! a cycle through a negative condition is an error. So `(<= (goal ?p 0) (not (goal ?p 100)))`, which many public sheets
//! have, is fine. Only relations whose names alone form such a cycle are looked at, and heads are indexed by their
//! constants, so that a sheet of a hundred thousand rules is no harder than it looks.

use std::collections::{HashMap, VecDeque};

use crate::check::Sheet;
use crate::check::unify::unifiable;
use crate::diagnostic::Findings;
use crate::graph::Graph;
use crate::wording::legible;
use crate::{Atom, Code, Diagnostic, Literal, Rule, Rules, Symbol, Term};

/// The work of unifying conditions and heads one by one. Beyond that a condition leads to all heads its best constant
/// leaves possible, which may refuse a sheet that a finer look would accept; no public sheet comes near.
const WORK: usize = 40_000_000;

/// What a pair costs besides its unification: most likely it becomes an edge.
const PAIR: usize = 20;

/// Heads with the same relation and the same outermost symbol at one argument, or with any symbol there.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    All(u32),
    Symbol(u32, usize, Symbol, usize),
    Variable(u32, usize),
}

#[derive(Default)]
struct Bucket {
    members: Vec<u32>,
    /// The node that stands for all members, once there is one.
    hub: Option<u32>,
}

pub(crate) fn check(sheet: &Sheet<'_>, findings: &mut Findings) {
    let rules = sheet.rules;
    let component_of = sheet.component_of;
    let inside = |rule: &Rule, atom: &Atom| component_of[atom.relation.0 as usize] == component_of[rule.head.relation.0 as usize];
    let mut suspect = vec![false; component_of.len()];
    for rule in &rules.rules {
        if rule.body.iter().any(|literal| matches!(literal, Literal::Not(atom) if inside(rule, atom))) {
            suspect[component_of[rule.head.relation.0 as usize] as usize] = true;
        }
    }
    let is_suspect = |rule: &&Rule| !rule.body.is_empty() && suspect[component_of[rule.head.relation.0 as usize] as usize];
    let nodes: Vec<&Rule> = rules.rules.iter().filter(is_suspect).collect();
    if nodes.is_empty() {
        return;
    }
    let mut builder = Builder::new(&nodes);
    for (node, rule) in nodes.iter().enumerate() {
        for literal in &rule.body {
            if let Some(atom) = literal.atom()
                && inside(rule, atom)
            {
                builder.condition(node as u32, literal, atom);
            }
        }
    }
    builder.report(rules, findings);
}

/// The graph of rules while it grows. Nodes from `rules.len()` on are hubs.
struct Builder<'a> {
    rules: &'a [&'a Rule],
    buckets: Vec<Bucket>,
    by_key: HashMap<Key, usize>,
    hubs: u32,
    work: usize,
    edges: Vec<(u32, u32)>,
    /// Edges through a `not`, with their condition.
    negative: Vec<(u32, u32, &'a Atom)>,
}

impl<'a> Builder<'a> {
    fn new(rules: &'a [&'a Rule]) -> Self {
        let mut builder = Self {
            rules,
            buckets: Vec::new(),
            by_key: HashMap::new(),
            hubs: 0,
            work: 0,
            edges: Vec::new(),
            negative: Vec::new(),
        };
        for (node, rule) in rules.iter().enumerate() {
            let relation = rule.head.relation.0;
            builder.bucket(Key::All(relation)).members.push(node as u32);
            for (place, arg) in rule.head.args.iter().enumerate() {
                builder.bucket(key(relation, place, arg)).members.push(node as u32);
            }
        }
        builder
    }

    fn bucket(&mut self, key: Key) -> &mut Bucket {
        let next = self.buckets.len();
        let index = *self.by_key.entry(key).or_insert(next);
        if index == next {
            self.buckets.push(Bucket::default());
        }
        &mut self.buckets[index]
    }

    fn size(&self, bucket: Option<usize>) -> usize {
        bucket.map_or(0, |bucket| self.buckets[bucket].members.len())
    }

    /// The fewest heads a condition can meet: those with its symbol at one argument, and those with a variable there.
    fn candidates(&self, atom: &Atom) -> [Option<usize>; 2] {
        let relation = atom.relation.0;
        let find = |key| self.by_key.get(&key).copied();
        let mut best = [find(Key::All(relation)), None];
        for (place, arg) in atom.args.iter().enumerate() {
            if let Term::Apply(..) = arg {
                let buckets = [find(key(relation, place, arg)), find(Key::Variable(relation, place))];
                if self.size(buckets[0]) + self.size(buckets[1]) < self.size(best[0]) + self.size(best[1]) {
                    best = buckets;
                }
            }
        }
        best
    }

    fn condition(&mut self, node: u32, literal: &'a Literal, atom: &'a Atom) {
        let is_negative = matches!(literal, Literal::Not(_));
        for bucket in self.candidates(atom).into_iter().flatten() {
            let count = self.buckets[bucket].members.len();
            if self.work + count * PAIR > WORK {
                let hub = self.hub(bucket);
                self.edge(node, hub, is_negative, atom);
                continue;
            }
            self.work += count * PAIR;
            for index in 0..count {
                let other = self.buckets[bucket].members[index];
                if unifiable(&atom.args, &self.rules[other as usize].head.args, &mut self.work) {
                    self.edge(node, other, is_negative, atom);
                }
            }
        }
    }

    fn edge(&mut self, from: u32, to: u32, is_negative: bool, atom: &'a Atom) {
        self.edges.push((from, to));
        if is_negative {
            self.negative.push((from, to, atom));
        }
    }

    fn hub(&mut self, bucket: usize) -> u32 {
        if let Some(hub) = self.buckets[bucket].hub {
            return hub;
        }
        let hub = self.rules.len() as u32 + self.hubs;
        self.hubs += 1;
        self.buckets[bucket].hub = Some(hub);
        self.edges.extend(self.buckets[bucket].members.iter().map(|&member| (hub, member)));
        hub
    }

    /// One finding for every component with a negative edge inside.
    fn report(self, rules: &Rules, findings: &mut Findings) {
        let graph = Graph::new(self.rules.len() + self.hubs as usize, &self.edges);
        let component_of = graph.numbers(&graph.components());
        let mut told = vec![false; graph.len()];
        for (from, to, atom) in self.negative {
            let component = component_of[from as usize];
            if component_of[to as usize] != component || std::mem::replace(&mut told[component as usize], true) {
                continue;
            }
            let name =
                |node: u32| self.rules.get(node as usize).map(|rule| rules.names.text(rules.relation(rule.head.relation).name));
            let head = name(from).unwrap_or_default();
            let way = way(&graph, to, from, |node| component_of[node as usize] == component);
            let mut names: Vec<&str> = way.into_iter().filter_map(name).collect();
            names.insert(0, head);
            names.dedup();
            if names.len() == 1 {
                names.push(head);
            }
            let shown = if names.len() > 8 { [&names[..6], &["...", head][..]].concat() } else { names };
            let shown: Vec<String> = shown.into_iter().map(legible).collect();
            let message = format!("`{}` depends on its own negation, so it would hold just when it does not", legible(head));
            let finding = Diagnostic::new(Code::Unstratified, atom.span, message, "the negation on the way");
            findings.push(finding.hint(format!("the circle is {}", shown.join(" -> "))));
        }
    }
}

fn key(relation: u32, place: usize, term: &Term) -> Key {
    match term {
        Term::Var(_) => Key::Variable(relation, place),
        Term::Apply(name, args) => Key::Symbol(relation, place, *name, args.len()),
    }
}

/// A shortest way between two nodes, both ends included, through nodes that are `inside` only: the rest of the graph may be
/// large, and a circle does not leave its component.
fn way(graph: &Graph, from: u32, to: u32, inside: impl Fn(u32) -> bool) -> Vec<u32> {
    let mut before: HashMap<u32, u32> = HashMap::from([(from, from)]);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            break;
        }
        for &next in graph.targets(node).iter().filter(|&&next| inside(next)) {
            before.entry(next).or_insert_with(|| {
                queue.push_back(next);
                node
            });
        }
    }
    let mut way = vec![to];
    while let Some(&node) = way.last().and_then(|last| before.get(last)) {
        if way.last() == Some(&node) {
            break;
        }
        way.push(node);
    }
    way.reverse();
    way
}

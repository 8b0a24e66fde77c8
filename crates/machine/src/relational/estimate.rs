//! Which order of a rule's conditions costs least, judged from a sample of what the relations hold.
//!
//! A condition's *fan-out* is how many matches it is expected to have, given which of its arguments are known: the rows that fit
//! its constants, divided by the number of values the known columns can take (columns are taken as independent). The cost of an
//! order is the sum over its steps of the matches before it times the cost of asking it once. The cheapest order is searched for;
//! where there are too many, the choice is greedy.

use super::compile::{Definitions, ground};
use super::order::{LONG, is_known, is_ready, learn};
use super::registry::Replica;
use ludens_gdl::{Atom, Keyword, Literal, RelationId, Rule, Rules, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Most sets of conditions considered for one rule.
const ORDERS: usize = 200;
/// Longest body whose orders are searched: a set of conditions is a word of this many bits.
const SEARCHED: usize = u128::BITS as usize;
/// A test that costs less is asked as soon as it can be.
const CHEAP: f64 = 3.0;
/// Most rows looked at to find out how many have a constant.
const LOOKED_AT: usize = 4_000;
/// Assumed fan-out per unknown argument of a relation nobody has seen.
const GUESS: f64 = 6.0;
/// Assumed cost of a goal that is not looked into: it is being judged already, or lies too deep.
const UNSEEN_COST: f64 = 20.0;
/// How deep goals are looked into.
const DEPTH: usize = 24;
/// Nothing is certain to fail.
const LEAST: f64 = 0.01;

/// What a relation (or the fluents of one functor) held in the sampled states.
#[derive(Clone, Debug, Default)]
pub(super) struct Extent {
    arity: usize,
    rows: Vec<u32>,
    /// How many rows there are, and in how many states.
    count: usize,
    states: usize,
    /// Per column: how many different values were seen.
    distinct: Vec<f64>,
}

impl Extent {
    pub(super) fn new(arity: usize) -> Extent {
        Extent { arity, ..Extent::default() }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &[u32]) {
        self.rows.extend_from_slice(row);
        self.count += 1;
    }

    /// In how many states the rows were seen.
    pub(super) fn set_states(&mut self, states: usize) {
        self.states = states;
    }

    pub(super) fn states(&self) -> usize {
        self.states
    }

    pub(super) fn close(&mut self) {
        let values = |column: usize| -> FxHashSet<u32> { self.rows.iter().skip(column).step_by(self.arity).copied().collect() };
        self.distinct = (0..self.arity).map(|column| values(column).len().max(1) as f64).collect();
    }

    /// Expected matches in a state where the columns with a constant must equal it and `known` columns have some value.
    fn fan_out(&self, constants: &[(usize, u32)], known: &[usize]) -> f64 {
        if self.states == 0 || self.count == 0 {
            return LEAST;
        }
        let fits = |row: &[u32]| constants.iter().all(|&(column, value)| row[column] == value);
        let mut rows = self.count as f64;
        if self.arity > 0 && !constants.is_empty() {
            // A few thousand rows, spread evenly, say enough.
            let stride = self.count.div_ceil(LOOKED_AT);
            let looked_at = self.rows.chunks_exact(self.arity).step_by(stride);
            rows *= looked_at.clone().filter(|row| fits(row)).count() as f64 / looked_at.count() as f64;
        }
        let keys: f64 = known.iter().map(|&column| self.distinct[column]).product();
        (rows / self.states as f64 / keys).max(LEAST)
    }
}

/// What was sampled.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    /// By functor: symbol and arity.
    pub(super) fluents: FxHashMap<(u32, usize), Extent>,
    /// All fluents of a state.
    pub(super) fluents_per_state: f64,
    /// By relation, where known.
    pub(super) relations: Vec<Option<Extent>>,
    /// By relation: the steps it takes to list it in a state; 0 where that was not tried.
    pub(super) work: Vec<f64>,
}

/// Judges orders.
pub(super) struct Estimator<'a> {
    rules: &'a Rules,
    definitions: &'a Definitions,
    sample: &'a Sample,
    replica: RefCell<Replica>,
    /// Fan-outs already computed: by relation or functor, constants, known columns.
    fan_outs: RefCell<FxHashMap<FanKey, f64>>,
    /// Costs of goals; a goal being judged counts as cheap, which is where recursion ends.
    costs: RefCell<FxHashMap<(RelationId, u64), f64>>,
    depth: Cell<usize>,
    /// Whether columns of a static relation are a key of it.
    keys: RefCell<FxHashMap<(RelationId, Vec<usize>), bool>>,
}

type FanKey = (u32, Option<(u32, usize)>, Vec<(usize, u32)>, Vec<usize>);

/// The cost of asking a condition once, and its expected matches.
#[derive(Clone, Copy, Debug)]
struct Price {
    cost: f64,
    fan_out: f64,
}

/// A beginning of an order.
#[derive(Clone, Debug)]
struct Partial {
    cost: f64,
    /// Expected matches so far.
    rows: f64,
    /// Which conditions, as bits and in order.
    asked: u128,
    sequence: Vec<usize>,
    known: Vec<bool>,
}

impl Partial {
    fn with(mut self, rule: &Rule, position: usize, price: Price) -> Partial {
        self.cost += self.rows * price.cost;
        self.rows *= price.fan_out;
        self.asked |= 1 << position;
        self.sequence.push(position);
        learn(&rule.body[position], &mut self.known);
        self
    }
}

/// The cheapest comes first out of a heap; among equals the one written first, so that plans do not depend on chance.
impl Ord for Partial {
    fn cmp(&self, other: &Partial) -> Ordering {
        other.cost.total_cmp(&self.cost).then_with(|| other.sequence.cmp(&self.sequence))
    }
}

impl PartialOrd for Partial {
    fn partial_cmp(&self, other: &Partial) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Partial {
    fn eq(&self, other: &Partial) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Partial {}

impl<'a> Estimator<'a> {
    pub(super) fn new(rules: &'a Rules, definitions: &'a Definitions, sample: &'a Sample, replica: Replica) -> Estimator<'a> {
        Estimator {
            rules,
            definitions,
            sample,
            replica: RefCell::new(replica),
            fan_outs: RefCell::default(),
            costs: RefCell::default(),
            depth: Cell::new(0),
            keys: RefCell::default(),
        }
    }

    /// The cheapest order of a rule's body, or `None` if the rule is unsafe.
    pub(super) fn sequence(&self, rule: &Rule, known: &[bool]) -> Option<Vec<usize>> {
        let body = Body::new(self, rule);
        let searched = if rule.body.len() <= SEARCHED { body.cheapest(known) } else { None };
        searched.or_else(|| body.greedy(known)).map(|(sequence, _)| sequence)
    }

    fn price(&self, literal: &Literal, known: &[bool]) -> Price {
        match literal {
            Literal::Distinct(..) => Price { cost: 1.0, fan_out: 0.8 },
            Literal::Equal(left, right, _) => {
                let test = is_known(left, known) && is_known(right, known);
                Price { cost: 1.0, fan_out: if test { 0.2 } else { 1.0 } }
            }
            Literal::Is(atom) => self.price_of_atom(atom, known),
            Literal::Not(atom) => {
                let Price { cost, fan_out } = self.price_of_atom(atom, known);
                Price { cost, fan_out: (1.0 - fan_out).clamp(0.1, 0.9) }
            }
        }
    }

    fn price_of_atom(&self, atom: &Atom, known: &[bool]) -> Price {
        let about = self.rules.relation(atom.relation);
        match about.keyword {
            Some(Keyword::True) => self.price_of_fluent(&atom.args[0], known),
            Some(Keyword::Does) => {
                let roles = self.rules.roles.len() as f64;
                let fan_out = if is_known(&atom.args[0], known) { 1.0 } else { roles };
                // A move written out is one of several kinds; a move known is one of many.
                let fits = if is_known(&atom.args[1], known) {
                    0.1
                } else if matches!(atom.args[1], Term::Var(_)) {
                    1.0
                } else {
                    0.6
                };
                Price { cost: 1.0 + fan_out, fan_out: fan_out * fits }
            }
            _ => {
                let (constants, columns, unknown) = self.columns(&atom.args, known);
                let fan_out = self.fan_out_of_relation(atom.relation, constants, columns, unknown);
                if self.definitions.is_listed(atom.relation) {
                    let single = unknown == 0 || self.is_key(atom, known);
                    let fan_out = if single { fan_out.min(0.99) } else { fan_out };
                    return Price { cost: if single { 1.1 } else { 1.2 + fan_out }, fan_out };
                }
                let pattern =
                    (0..atom.args.len().min(64)).filter(|&i| is_known(&atom.args[i], known)).fold(0, |p, i| p | 1u64 << i);
                let cost = 4.0 + self.cost_of_goal(atom.relation, pattern) + fan_out;
                Price { cost, fan_out: clamp(fan_out, unknown) }
            }
        }
    }

    fn price_of_fluent(&self, term: &Term, known: &[bool]) -> Price {
        let Term::Apply(symbol, args) = term else {
            let test = is_known(term, known);
            let all = self.sample.fluents_per_state.max(1.0);
            return Price { cost: if test { 1.0 } else { 1.0 + all }, fan_out: if test { 0.3 } else { all } };
        };
        let (constants, columns, unknown) = self.columns(args, known);
        let key = (u32::MAX, Some((symbol.0, args.len())), constants, columns);
        let fan_out = self.cached(key, |(_, _, constants, columns)| match self.sample.fluents.get(&(symbol.0, args.len())) {
            Some(extent) => extent.fan_out(constants, columns),
            None => 0.1,
        });
        Price { cost: if unknown == 0 { 1.2 } else { 1.4 + fan_out }, fan_out: clamp(fan_out, unknown) }
    }

    fn cached(&self, key: FanKey, compute: impl FnOnce(&FanKey) -> f64) -> f64 {
        if let Some(&fan_out) = self.fan_outs.borrow().get(&key) {
            return fan_out;
        }
        let fan_out = compute(&key);
        self.fan_outs.borrow_mut().insert(key, fan_out);
        fan_out
    }

    fn fan_out_of_relation(
        &self,
        relation: RelationId,
        constants: Vec<(usize, u32)>,
        columns: Vec<usize>,
        unknown: usize,
    ) -> f64 {
        self.cached((relation.0, None, constants, columns), |(_, _, constants, columns)| {
            match &self.sample.relations[relation.0 as usize] {
                Some(extent) => extent.fan_out(constants, columns),
                None if unknown == 0 => 0.5,
                None => GUESS.powf(unknown.min(9) as f64),
            }
        })
    }

    /// Whether the known arguments leave at most one row of a static relation.
    fn is_key(&self, atom: &Atom, known: &[bool]) -> bool {
        let columns: Vec<usize> = (0..atom.args.len()).filter(|&column| is_known(&atom.args[column], known)).collect();
        let facts = &self.definitions.facts[atom.relation.0 as usize];
        *self.keys.borrow_mut().entry((atom.relation, columns)).or_insert_with_key(|(_, columns)| facts.is_key(columns))
    }

    /// A literal's columns: those with a constant, those otherwise known, and how many are not.
    fn columns(&self, args: &[Term], known: &[bool]) -> (Vec<(usize, u32)>, Vec<usize>, usize) {
        let (mut constants, mut columns, mut unknown) = (Vec::new(), Vec::new(), 0);
        for (column, term) in args.iter().enumerate() {
            let constant = match term {
                Term::Var(_) => None,
                Term::Apply(..) => ground(term, &mut self.replica.borrow_mut()).unwrap_or(None),
            };
            match constant {
                Some(constant) => constants.push((column, constant)),
                None if is_known(term, known) => columns.push(column),
                None => unknown += 1,
            }
        }
        (constants, columns, unknown)
    }

    /// The expected work of computing a goal.
    fn cost_of_goal(&self, relation: RelationId, pattern: u64) -> f64 {
        if let Some(&cost) = self.costs.borrow().get(&(relation, pattern)) {
            return cost;
        }
        if self.depth.get() == DEPTH {
            return UNSEEN_COST;
        }
        self.costs.borrow_mut().insert((relation, pattern), UNSEEN_COST);
        self.depth.set(self.depth.get() + 1);
        let mut cost = if self.definitions.facts[relation.0 as usize].len() > 0 { 3.0 } else { 0.0 };
        for rule in &self.definitions.rules[relation.0 as usize] {
            let mut known = vec![false; rule.variables.len()];
            for (column, term) in rule.head.args.iter().enumerate() {
                if column < 64 && pattern >> column & 1 == 1 {
                    super::clause::note_variables(term, &mut known);
                }
            }
            // Clauses whose constants do not fit fail at once; a head with a constant at a known place counts half.
            let constants =
                rule.head.args.iter().enumerate().filter(|(i, term)| *i < 64 && pattern >> i & 1 == 1 && !is_var(term)).count();
            let searched = if rule.body.len() > LONG { None } else { Body::new(self, rule).greedy(&known) };
            let cost_of_rule = searched.map_or(UNSEEN_COST, |(_, cost)| cost);
            cost += 1.0 + cost_of_rule * 0.5f64.powf(constants as f64);
        }
        self.depth.set(self.depth.get() - 1);
        let keys = match &self.sample.relations[relation.0 as usize] {
            Some(extent) => (0..extent.arity.min(64)).filter(|i| pattern >> i & 1 == 1).map(|i| extent.distinct[i]).product(),
            None => GUESS.powf(f64::from(pattern.count_ones())),
        };
        // The model knows nothing of what recursion costs; listing the relation has shown it.
        let cost = cost.max(self.sample.work[relation.0 as usize] / keys).min(1e9);
        self.costs.borrow_mut().insert((relation, pattern), cost);
        cost
    }
}

/// A rule's body while its order is chosen.
struct Body<'e> {
    estimator: &'e Estimator<'e>,
    rule: &'e Rule,
    /// Per condition: its variables.
    variables: Vec<Vec<usize>>,
    /// Conditions that wait for all the `others`.
    late: Vec<bool>,
    others: u128,
    /// Per condition: prices by which of its variables are known.
    prices: RefCell<Vec<FxHashMap<u64, Price>>>,
}

impl<'e> Body<'e> {
    fn new(estimator: &'e Estimator<'e>, rule: &'e Rule) -> Body<'e> {
        let variables_of = |literal: &Literal| {
            let mut seen = vec![false; rule.variables.len()];
            learn(literal, &mut seen);
            (0..seen.len()).filter(|&variable| seen[variable]).collect()
        };
        let variables = rule.body.iter().map(variables_of).collect();
        let late = estimator.definitions.late(rule);
        let others =
            rule.body.iter().enumerate().filter(|&(position, literal)| !late[position] && matches!(literal, Literal::Is(_)));
        let others = others.filter(|(position, _)| *position < 128).fold(0, |bits, (position, _)| bits | 1 << position);
        Body { estimator, rule, variables, late, others, prices: RefCell::new(vec![FxHashMap::default(); rule.body.len()]) }
    }

    /// Whether a condition can be asked after those in `asked`.
    fn can_ask(&self, position: usize, asked: u128, known: &[bool]) -> bool {
        let waits = self.late[position] && asked & self.others != self.others;
        !waits && is_ready(&self.rule.body[position], known)
    }

    fn is_test(&self, position: usize, known: &[bool]) -> bool {
        self.variables[position].iter().all(|&variable| known[variable])
    }

    fn price(&self, position: usize, known: &[bool]) -> Price {
        let variables = &self.variables[position];
        if variables.len() > 64 {
            return self.estimator.price(&self.rule.body[position], known);
        }
        let key = variables.iter().enumerate().fold(0, |key, (bit, &variable)| key | u64::from(known[variable]) << bit);
        if let Some(&price) = self.prices.borrow()[position].get(&key) {
            return price;
        }
        let price = self.estimator.price(&self.rule.body[position], known);
        self.prices.borrow_mut()[position].insert(key, price);
        price
    }

    /// Dijkstra's search over the sets of conditions asked so far. Cheap tests are asked as soon as they can be, so only the order of
    /// the others is searched. `None` if the rule is unsafe or there are too many orders.
    fn cheapest(&self, known: &[bool]) -> Option<(Vec<usize>, f64)> {
        let mut heap = BinaryHeap::new();
        let mut seen: FxHashSet<u128> = FxHashSet::default();
        let first = Partial { cost: 0.0, rows: 1.0, asked: 0, sequence: Vec::new(), known: known.to_vec() };
        heap.push(self.test(first));
        while let Some(partial) = heap.pop() {
            if partial.sequence.len() == self.rule.body.len() {
                return Some((partial.sequence, partial.cost + partial.rows));
            }
            if !seen.insert(partial.asked) {
                continue;
            }
            if seen.len() > ORDERS {
                return None;
            }
            for position in 0..self.rule.body.len() {
                if partial.asked >> position & 1 == 0 && self.can_ask(position, partial.asked, &partial.known) {
                    let price = self.price(position, &partial.known);
                    heap.push(self.test(partial.clone().with(self.rule, position, price)));
                }
            }
        }
        None
    }

    /// Asks all cheap tests that can be asked, the most selective first.
    fn test(&self, mut partial: Partial) -> Partial {
        loop {
            let left = (0..self.rule.body.len()).filter(|position| partial.asked >> position & 1 == 0);
            let tests = left.filter(|&position| {
                self.is_test(position, &partial.known) && self.can_ask(position, partial.asked, &partial.known)
            });
            let priced = tests.map(|position| (position, self.price(position, &partial.known)));
            let cheap = priced.filter(|(_, price)| price.cost < CHEAP);
            let Some((position, price)) = cheap.min_by(|(_, a), (_, b)| a.fan_out.total_cmp(&b.fan_out)) else { return partial };
            partial = partial.with(self.rule, position, price);
        }
    }

    /// Always the condition that multiplies least, the cheaper of equals.
    fn greedy(&self, known: &[bool]) -> Option<(Vec<usize>, f64)> {
        let mut known = known.to_vec();
        let mut left: Vec<usize> = (0..self.rule.body.len()).collect();
        let mut sequence = Vec::with_capacity(left.len());
        let (mut cost, mut rows) = (0.0, 1.0);
        while !left.is_empty() {
            let others = left.iter().any(|&position| !self.late[position] && matches!(self.rule.body[position], Literal::Is(_)));
            let free = left.iter().enumerate().filter(|&(_, &position)| !(self.late[position] && others));
            let priced = free.filter(|&(_, &position)| is_ready(&self.rule.body[position], &known));
            let priced = priced.map(|(at, &position)| (at, self.price(position, &known)));
            let weight = |price: &Price| {
                if price.fan_out <= 1.0 { price.cost * 0.01 + price.fan_out } else { price.cost + 10.0 * price.fan_out }
            };
            let (at, price) = priced.min_by(|(_, a), (_, b)| weight(a).total_cmp(&weight(b)))?;
            let position = left.remove(at);
            learn(&self.rule.body[position], &mut known);
            sequence.push(position);
            cost += rows * price.cost;
            rows *= price.fan_out;
        }
        Some((sequence, cost + rows))
    }
}

fn is_var(term: &Term) -> bool {
    matches!(term, Term::Var(_))
}

/// A test passes at most always.
fn clamp(fan_out: f64, unknown: usize) -> f64 {
    if unknown == 0 { fan_out.min(0.99) } else { fan_out }
}

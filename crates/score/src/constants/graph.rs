//! Graphs of constants: who stands beside whom in the facts of a binary relation, such as that of ranks that follow each other.

use super::domains::Domains;
use crate::vocabulary::{SymbolId, Vocabulary};
use ludens_gdl::{RelationId, Rules, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A binary relation whose facts can be walked along.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Neighbours, either way.
    beside: BTreeMap<Symbol, BTreeSet<Symbol>>,
    /// The constants that stand in states.
    names: BTreeMap<SymbolId, Symbol>,
    /// The domains of its two arguments.
    domains: [Option<usize>; 2],
}

/// Constants from which a graph is worth walking.
const FEWEST: usize = 3;

impl Graph {
    /// The graphs of all relations in which some constant stands on either side: `(next_rank 1 2) (next_rank 2 3)`, not `(rank 1
    /// odd)`.
    pub(super) fn all(rules: &Rules, vocabulary: &Vocabulary, domains: &Domains) -> Vec<Graph> {
        let known: BTreeMap<&str, SymbolId> =
            (0..vocabulary.symbols() as u32).map(|id| (vocabulary.symbol(SymbolId(id)), SymbolId(id))).collect();
        let mut pairs: BTreeMap<RelationId, Vec<(Symbol, Symbol)>> = BTreeMap::new();
        for rule in rules.rules.iter().filter(|rule| rule.body.is_empty()) {
            let constant = |term: &Term| match term {
                Term::Apply(name, parts) if parts.is_empty() => Some(*name),
                _ => None,
            };
            if let [one, two] = &rule.head.args[..]
                && rules.relation(rule.head.relation).keyword.is_none()
                && let (Some(one), Some(two)) = (constant(one), constant(two))
            {
                pairs.entry(rule.head.relation).or_default().push((one, two));
            }
        }
        let mut graphs: Vec<Graph> = Vec::new();
        for (relation, pairs) in pairs {
            let firsts: BTreeSet<Symbol> = pairs.iter().map(|(one, _)| *one).collect();
            let mut beside: BTreeMap<Symbol, BTreeSet<Symbol>> = BTreeMap::new();
            for &(one, two) in pairs.iter().filter(|(one, two)| one != two) {
                beside.entry(one).or_default().insert(two);
                beside.entry(two).or_default().insert(one);
            }
            let name = |symbol: &Symbol| known.get(rules.names.text(*symbol)).map(|&id| (id, *symbol));
            let domains = [0, 1].map(|argument| domains.of_relation(relation, argument));
            let graph = Graph { names: beside.keys().filter_map(name).collect(), beside, domains };
            let is_walk = pairs.iter().any(|(_, two)| firsts.contains(two)) && graph.names.len() >= FEWEST;
            if is_walk && !graphs.contains(&graph) {
                graphs.push(graph);
            }
        }
        graphs
    }

    /// Whether it says something about all these symbols, which are of some domain.
    pub(super) fn covers(&self, symbols: &BTreeSet<SymbolId>, domain: Option<usize>) -> bool {
        domain.is_some()
            && self.domains.contains(&domain)
            && symbols.len() >= FEWEST
            && symbols.iter().all(|symbol| self.names.contains_key(symbol))
    }

    /// Those of some symbols that have fewer neighbours among them than others have, as the first and the last of a row; none
    /// where that is said of most.
    pub(crate) fn ends(&self, symbols: &BTreeSet<SymbolId>) -> Vec<SymbolId> {
        let inside: BTreeSet<Symbol> = symbols.iter().filter_map(|symbol| self.names.get(symbol).copied()).collect();
        let degree = |symbol: &SymbolId| {
            self.names.get(symbol).map_or(0, |name| self.beside[name].iter().filter(|other| inside.contains(other)).count())
        };
        let most = symbols.iter().map(degree).max().unwrap_or(0);
        let ends: Vec<SymbolId> = symbols.iter().copied().filter(|symbol| degree(symbol) < most).collect();
        if ends.len() * 2 > symbols.len() + 1 { Vec::new() } else { ends }
    }

    /// Some symbols by their distance from one; `None` where one of them cannot be reached.
    pub(crate) fn layers(&self, target: SymbolId, symbols: &BTreeSet<SymbolId>) -> Option<Box<[Box<[SymbolId]>]>> {
        let ids: BTreeMap<Symbol, SymbolId> =
            symbols.iter().map(|id| Some((*self.names.get(id)?, *id))).collect::<Option<_>>()?;
        let mut seen = BTreeSet::from([*self.names.get(&target)?]);
        let mut front: Vec<Symbol> = seen.iter().copied().collect();
        let (mut layers, mut left) = (Vec::new(), symbols.len());
        while left > 0 && !front.is_empty() {
            let layer: Box<[SymbolId]> = front.iter().filter_map(|name| ids.get(name).copied()).collect();
            left -= layer.len();
            layers.push(layer);
            let next: BTreeSet<Symbol> = front.iter().flat_map(|name| &self.beside[name]).copied().collect();
            front = next.into_iter().filter(|&name| seen.insert(name)).collect();
        }
        (left == 0).then(|| layers.into())
    }

    /// Whether two symbols have the same part in it: as many others one step away, as many two steps away, and so on.
    pub(crate) fn is_mirrored(&self, one: SymbolId, two: SymbolId) -> bool {
        let all: BTreeSet<SymbolId> = self.names.keys().copied().collect();
        let shape =
            |symbol: SymbolId| self.layers(symbol, &all).map(|layers| layers.iter().map(|layer| layer.len()).collect::<Vec<_>>());
        shape(one).is_some_and(|found| Some(found) == shape(two))
    }
}

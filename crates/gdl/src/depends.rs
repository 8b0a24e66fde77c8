//! What every relation depends on, through any number of rules.

use crate::graph::Graph;
use crate::{Atom, Depends, Keyword, Literal, Rules};

impl Literal {
    /// The atom of an `Is` or a `Not`.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Is(atom) | Literal::Not(atom) => Some(atom),
            Literal::Distinct(..) | Literal::Equal(..) => None,
        }
    }
}

/// The graph over relations: an edge from every head to every relation of its body.
pub(crate) fn relation_graph(rules: &Rules) -> Graph {
    let mut edges = Vec::new();
    for rule in &rules.rules {
        let head = rule.head.relation.0;
        edges.extend(rule.body.iter().filter_map(Literal::atom).map(|atom| (head, atom.relation.0)));
    }
    edges.sort_unstable();
    edges.dedup();
    Graph::new(rules.relations.len(), &edges)
}

/// Sets [`Relation::depends`](crate::Relation::depends) everywhere. Returns the number of every relation's component.
pub(crate) fn fill(rules: &mut Rules) -> Vec<u32> {
    let graph = relation_graph(rules);
    let components = graph.components();
    for component in &components {
        let own = |&id: &u32| match rules.relations[id as usize].keyword {
            Some(Keyword::True) => Depends::State,
            Some(Keyword::Does) => Depends::Moves,
            _ => Depends::Nothing,
        };
        let below = |&id: &u32| graph.targets(id).iter().map(|&to| rules.relations[to as usize].depends).max();
        let most = component.iter().map(own).max().max(component.iter().filter_map(below).max());
        for &id in component {
            rules.relations[id as usize].depends = most.unwrap_or(Depends::Nothing);
        }
    }
    graph.numbers(&components)
}

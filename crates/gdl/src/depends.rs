//! What every relation depends on, through any number of rules.

use crate::graph::Graph;
use crate::{Depends, Keyword, Literal, Rules};

impl Rules {
    /// What the relations depend on: a graph over [`RelationId`](crate::RelationId)s with an edge from the relation of every
    /// head to every relation of its body, negated or not, each edge once and in ascending order.
    pub fn relation_graph(&self) -> Graph {
        let mut edges = Vec::new();
        for rule in &self.rules {
            let head = rule.head.relation.0;
            edges.extend(rule.body.iter().filter_map(Literal::atom).map(|atom| (head, atom.relation.0)));
        }
        edges.sort_unstable();
        edges.dedup();
        Graph::new(self.relations.len(), &edges)
    }
}

/// Sets [`Relation::depends`](crate::Relation::depends) everywhere. Returns the number of every relation's component.
pub(crate) fn fill(rules: &mut Rules) -> Vec<u32> {
    let graph = rules.relation_graph();
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

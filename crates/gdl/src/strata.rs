//! Relations in the order in which they can be worked out.

use std::fmt::Write as _;

use crate::{Depends, Literal, RelationId, Rules};

/// Relations that depend on each other, or a single one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratum {
    /// The relations, by ascending id.
    pub relations: Vec<RelationId>,
    /// How many negations lie between these relations and the bottom, on the way with the most. A relation asks relations
    /// of its own level or below, and negates only those below or, where `negates_itself`, in its own stratum.
    pub level: usize,
    /// True where a relation of the stratum depends on the stratum.
    pub recursive: bool,
    /// True where it does so through a `not`. The rules are stratified all the same, by their arguments.
    pub negates_itself: bool,
}

impl Rules {
    /// The strongly connected components of the relations, each after all it depends on.
    pub fn strata(&self) -> Vec<Stratum> {
        let graph = self.relation_graph();
        let components = graph.components();
        let number_of = graph.numbers(&components);
        let mut negations: Vec<Vec<usize>> = vec![Vec::new(); components.len()];
        for rule in &self.rules {
            let head = number_of[rule.head.relation.0 as usize] as usize;
            for literal in &rule.body {
                if let Literal::Not(atom) = literal {
                    negations[head].push(number_of[atom.relation.0 as usize] as usize);
                }
            }
        }
        let mut strata: Vec<Stratum> = Vec::with_capacity(components.len());
        for (number, component) in components.iter().enumerate() {
            let targets =
                || component.iter().flat_map(|&relation| graph.targets(relation)).map(|&to| number_of[to as usize] as usize);
            let below = targets().filter(|&other| other < number).map(|other| strata[other].level).max();
            let negated = negations[number].iter().filter(|&&other| other < number).map(|&other| strata[other].level + 1).max();
            strata.push(Stratum {
                relations: component.iter().map(|&relation| RelationId(relation)).collect(),
                level: below.max(negated).unwrap_or(0),
                recursive: targets().any(|other| other == number),
                negates_itself: negations[number].contains(&number),
            });
        }
        strata
    }

    /// The strata as text, one a line: level, relations, and what is special about them.
    pub fn strata_text(&self) -> String {
        let mut text = String::new();
        for stratum in self.strata() {
            let names: Vec<String> = stratum.relations.iter().map(|&id| self.relation_text(id)).collect();
            let depends = match self.relation(stratum.relations[0]).depends {
                Depends::Nothing => "static",
                Depends::State => "state",
                Depends::Moves => "moves",
            };
            let _ = write!(text, "{} {depends} {}", stratum.level, names.join(" "));
            if stratum.recursive {
                text.push_str(if stratum.negates_itself { " ; recursive through not" } else { " ; recursive" });
            }
            text.push('\n');
        }
        text
    }
}

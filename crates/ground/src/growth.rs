//! What grounding has made so far, for those who watch it.

use crate::fixpoint::Grounder;
use crate::net::Net;
use crate::program::Role;
use crate::usage::{Counts, rule_text};

/// A pass that has ended. Whoever is told may look at a clock; grounding does not.
#[derive(Debug)]
pub struct Pass<'a> {
    /// What the pass does, in a word.
    pub name: &'static str,
    /// Whether it went to its end; else it met a limit.
    pub is_complete: bool,
    made: Made<'a>,
}

#[derive(Debug)]
enum Made<'a> {
    Grounder(&'a Grounder<'a>),
    Net(&'a Net),
}

/// How much there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Ground terms.
    pub terms: usize,
    /// Ground atoms that rules have brought.
    pub atoms: usize,
    /// Rule instances.
    pub instances: usize,
    /// Conditions of all instances.
    pub conditions: usize,
    /// Rows looked at.
    pub steps: u64,
    /// Memory, estimated as [`crate::Limits::bytes`] counts it.
    pub bytes: usize,
}

/// A relation and its rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationGrowth {
    /// Its name; that of a part split off from a long rule is the grounder's own.
    pub name: String,
    /// How many arguments it has.
    pub arity: usize,
    /// `static`, `fluent`, `move` or `derived`.
    pub kind: &'static str,
    /// Atoms that could hold.
    pub atoms: usize,
}

/// A rule of the sheet and what has become of it, with the parts split off from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleGrowth {
    /// The rule on one line, cut where it is long.
    pub text: String,
    /// Atoms that it brought first.
    pub atoms: u64,
    /// Its instances.
    pub instances: u64,
    /// Conditions of its instances.
    pub conditions: u64,
    /// Rows looked at for it.
    pub steps: u64,
}

impl<'a> Pass<'a> {
    pub(crate) fn of_grounder(name: &'static str, is_complete: bool, grounder: &'a Grounder<'a>) -> Pass<'a> {
        Pass { name, is_complete, made: Made::Grounder(grounder) }
    }

    pub(crate) fn of_net(name: &'static str, net: &'a Net) -> Pass<'a> {
        Pass { name, is_complete: true, made: Made::Net(net) }
    }

    /// The network, once there is one.
    pub fn net(&self) -> Option<&Net> {
        match self.made {
            Made::Net(net) => Some(net),
            Made::Grounder(_) => None,
        }
    }

    /// How much there is, before there is a network.
    pub fn sizes(&self) -> Option<Sizes> {
        let Made::Grounder(grounder) = self.made else { return None };
        let (atoms, steps) = grounder.usage.totals();
        let sum = |of: fn(&Counts) -> u64| grounder.usage.rules().iter().map(of).sum::<u64>() as usize;
        Some(Sizes {
            terms: grounder.program.terms.len(),
            atoms,
            instances: sum(|counts| counts.instances),
            conditions: sum(|counts| counts.conditions),
            steps,
            bytes: grounder.usage.bytes(&grounder.program.terms),
        })
    }

    /// Every relation that has rows, in the order of the program.
    pub fn relations(&self) -> Vec<RelationGrowth> {
        let Made::Grounder(grounder) = self.made else { return Vec::new() };
        let all = grounder.program.relations.iter().zip(&grounder.tables).filter(|(_, table)| table.len() > 0);
        let growth = all.map(|(relation, table)| RelationGrowth {
            name: relation.name.clone(),
            arity: relation.arity,
            kind: match relation.role {
                Role::Static => "static",
                Role::Fluent => "fluent",
                Role::Move => "move",
                Role::Derived => "derived",
                Role::Asked => "asked for",
            },
            atoms: table.len(),
        });
        growth.collect()
    }

    /// The rules that have grown, those with most conditions and then most atoms and steps first; no more than `most`.
    pub fn rules(&self, most: usize) -> Vec<RuleGrowth> {
        let Made::Grounder(grounder) = self.made else { return Vec::new() };
        let mut used: Vec<(usize, &Counts)> = grounder.usage.rules().iter().enumerate().collect();
        used.retain(|(_, counts)| counts.steps + counts.atoms + counts.instances > 0);
        used.sort_by_key(|(_, counts)| std::cmp::Reverse((counts.conditions, counts.atoms, counts.steps)));
        let growth = used.into_iter().take(most).map(|(rule, counts)| RuleGrowth {
            text: rule_text(grounder.rules, rule),
            atoms: counts.atoms,
            instances: counts.instances,
            conditions: counts.conditions,
            steps: counts.steps,
        });
        growth.collect()
    }
}

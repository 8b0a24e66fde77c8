//! Static relations are evaluated once, when the machine is built.

use super::compile::{Compiler, Definitions};
use super::order::Order;
use super::registry::{NONE, Replica};
use super::run::Core;
use crate::Limits;
use ludens_gdl::{Depends, RelationId, Rules};

/// What listing one relation may cost; one that takes more is better asked with what is known.
const LISTING_STEPS: u64 = 400_000;

/// Lists every static relation that can be listed within the limits. A relation that cannot (it may be infinite when nothing is
/// known) keeps its rules and is asked with what is known then.
pub(super) fn list_statics(rules: &Rules, definitions: &mut Definitions, replica: &mut Replica, limits: &Limits) {
    let wanted = wanted(rules, definitions);
    let mut fuel = limits.setup_steps;
    // Planning looks at every row of the tables a relation needs, so a sheet with many of both pays for that too.
    let rows: u64 = definitions.facts.iter().map(|facts| facts.len() as u64).sum();
    for relation in wanted {
        fuel = fuel.saturating_sub(rows);
        if fuel == 0 {
            break;
        }
        // Each relation is planned anew: those before it are tables by now.
        let order = Order::Unknowns(rules);
        let compiled = Compiler::new(rules, definitions, replica, &order, &|_, _| true).listing(&[relation]);
        let Ok((program, goals)) = compiled else { continue };
        let mut core = Core::new(&program, replica.take(), &[], limits);
        let goal = goals[0];
        let share = fuel.min(LISTING_STEPS);
        let asked = core.ask(goal, &[], share);
        replica.give_back(core.replica);
        let Ok(answers) = asked else {
            fuel -= share;
            continue;
        };
        fuel -= share - core.fuel;
        let (arity, arena) = (rules.relation(relation).arity, program.goals[goal as usize].arena);
        let table = &mut definitions.facts[relation.0 as usize];
        if arity == 0 && answers.count > 0 {
            table.add(&[]);
        }
        let mut row = answers.head;
        while row != NONE {
            table.add(core.tables.values(arena, row, arity));
            row = core.tables.next(arena, row);
        }
        definitions.rules[relation.0 as usize].clear();
    }
}

/// The static relations with rules, those that others need first.
fn wanted(rules: &Rules, definitions: &Definitions) -> Vec<RelationId> {
    let is_wanted = |relation: &RelationId| {
        let about = rules.relation(*relation);
        about.keyword.is_none() && about.depends == Depends::Nothing && !definitions.is_listed(*relation)
    };
    rules.relation_graph().components().into_iter().flatten().map(RelationId).filter(is_wanted).collect()
}

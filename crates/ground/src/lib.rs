//! Checked rules in, a boolean network out.
//!
//! A [`Net`] says for every fluent, move and goal value that can ever occur under which fluents and moves it holds, is legal or comes next. It has no
//! variables, no terms and no recursion but marked [`Loop`]s, so that an engine evaluates it for many states at once.
//!
//! The pipeline, each stage a module:
//!
//! 1. `program` translates what play needs of the rules; `substitute` solves equations while it does.
//! 2. `fixpoint` works out static relations exactly, from the bottom up, with the indexed joins of `join` and `table`.
//! 3. `shape` finds which terms can stand at each argument of the other relations. Nothing depends on it but estimates.
//! 4. `unique` makes use of fluents that exclude each other, as `exclusive` proves.
//! 5. `project` splits long rules where the estimates say that the parts have fewer instances than the whole.
//! 6. `demand` restricts relations to what they are asked for.
//! 7. `fixpoint` again: every atom that could ever hold, `not` passed over.
//! 8. `instances` lists what makes each of these atoms hold.
//! 9. `build` makes gates of them, in the order in which they depend on each other; `factor` takes out what alternatives share.
//! 10. `probes` gives what rules derive from a state alone a network of its own.
//! 11. `prune` leaves out what no output reads; `share` gives lists that are much alike common parts.
//!
//! [`phases`] then finds what holds of every state by its place in the turn order alone, and gives a smaller network for each place; [`decisive`] leaves
//! moves out of these that pass over a win.

mod build;
mod builder;
mod check;
mod counting;
mod decisive;
mod demand;
mod error;
mod exclusive;
mod factor;
mod fixpoint;
mod growth;
mod instances;
mod join;
mod net;
mod noting;
mod phases;
mod plan;
mod probes;
mod program;
mod project;
mod prune;
mod relaxed;
mod shape;
mod share;
mod substitute;
mod table;
mod terms;
mod text;
mod unique;
mod usage;

pub use decisive::{decisive, is_duel};
pub use error::{Error, Limits};
pub use growth::{Pass, RelationGrowth, RuleGrowth, Sizes};
pub use net::{Fluent, Goal, Loop, Move, Net, Node, NodeId, Probe, Signal};
pub use noting::noted;
pub use phases::{Phase, phases, phases_within};

use fixpoint::Grounder;
use ludens_gdl::Rules;

/// Grounds a sheet. The same rules give the same network, node for node.
pub fn ground(rules: &Rules, limits: &Limits) -> Result<Net, Error> {
    ground_watched(rules, limits, &mut |_| ())
}

/// [`ground`], with somebody told at the end of each pass what there is by then; also of the pass in which a limit was reached.
pub fn ground_watched(rules: &Rules, limits: &Limits, watch: &mut dyn FnMut(&Pass<'_>)) -> Result<Net, Error> {
    let names = rules.names.texts();
    let mut grounder = Grounder::new(rules, limits)?;
    pass("translate", &mut grounder, watch, |_| Ok(()))?;
    pass("statics", &mut grounder, watch, Grounder::list_statics)?;
    pass("shapes", &mut grounder, watch, |grounder| {
        grounder.spread_shapes();
        Ok(())
    })?;
    pass("unique", &mut grounder, watch, |grounder| grounder.unique(limits))?;
    pass("project", &mut grounder, watch, Grounder::project)?;
    pass("demand", &mut grounder, watch, Grounder::demand)?;
    pass("spread", &mut grounder, watch, Grounder::spread)?;
    let instances = pass("instances", &mut grounder, watch, Grounder::instances)?;
    pass("names", &mut grounder, watch, |grounder| grounder.weigh_names(&names))?;
    let net = build::net(&grounder, &instances, &names)?;
    watch(&Pass::of_net("build", &net));
    drop((grounder, instances));
    debug_assert_eq!(net.check(), Ok(()), "after building");
    let net = probes::apart(net);
    // Twice: what one pass merges leaves gates that nobody reads.
    let net = prune::prune(&prune::prune(&net));
    watch(&Pass::of_net("prune", &net));
    let net = share::share(net);
    watch(&Pass::of_net("share", &net));
    Ok(net)
}

/// Carries out a pass and tells how it went.
fn pass<'r, T>(
    name: &'static str,
    grounder: &mut Grounder<'r>,
    watch: &mut dyn FnMut(&Pass<'_>),
    work: impl FnOnce(&mut Grounder<'r>) -> Result<T, Error>,
) -> Result<T, Error> {
    let outcome = work(grounder);
    watch(&Pass::of_grounder(name, outcome.is_ok(), grounder));
    outcome
}

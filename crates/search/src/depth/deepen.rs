//! One move deeper each time, until the budget is used up or the answer is certain.

use super::core::Core;
use super::count::{Counter, Stop};
use super::found::Found;
use super::line::{check, follow};
use super::node::Run;
use super::options::Options;
use super::root::Root;
use crate::{Bounds, Budget, Error, Meter, Verdict, Watch};
use ludens_machine::{RoleId, State};

/// Finds the value at some depth; the value at the depth before is a guess.
pub(super) type Iterate = fn(&mut Run<'_, '_>, depth: u32, last: Option<f32>) -> Result<Found, Stop>;

/// Chooses a move.
pub(super) fn think(
    core: &mut Core<'_>,
    iterate: Iterate,
    position: &State,
    role: RoleId,
    budget: &Budget,
    watch: &Watch<'_>,
) -> Result<Verdict, Error> {
    let meter = Meter::new(budget, watch);
    let worker = meter.worker();
    let own = role.0 as usize;
    let machine = core.machine;
    core.begin(own);
    let (expander, _, root) = core.root();
    expander.look(position.words(), root)?;
    let mut verdict = check(machine, root, own)?;
    let mut counter = Counter::new(&meter, &worker, *watch, budget.nodes);
    counter.begin();
    let mut run = Run::new(core, own, counter);
    let deepest = run.core.options.depth.min(Options::DEEPEST).min(budget.depth.unwrap_or(u32::MAX));
    let mut last = None;
    for depth in 1..=deepest {
        if worker.is_over() {
            break;
        }
        match iterate(&mut run, depth, last) {
            Ok(found) => {
                run.root.conclude(found);
                last = Some(found.value);
                verdict.depth = depth;
                if found.is_proven() {
                    verdict.bounds = Bounds::exact(found.value.clamp(0.0, 100.0) as u8);
                    break;
                }
            }
            Err(Stop::Over) => {
                run.root.give_up();
                break;
            }
            Err(Stop::Engine(error)) => return Err((*error).into()),
        }
    }
    let root = run.root;
    report(core, &root, own, &mut verdict)?;
    drop(worker);
    verdict.nodes = meter.nodes();
    (verdict.cpu, verdict.wall) = (meter.cpu(), meter.wall());
    Ok(verdict)
}

/// Writes down what was found out.
fn report(core: &mut Core<'_>, root: &Root, role: usize, verdict: &mut Verdict) -> Result<(), Error> {
    verdict.memory = core.bytes() as u64;
    let Some((way, found)) = root.choice() else { return Ok(()) };
    let faithful = core.is_faithful();
    verdict.moves = root.reports(faithful);
    verdict.choice = verdict.moves[0].id;
    verdict.bounds.low = verdict.bounds.low.max(verdict.moves[0].bounds.low);
    // The others may want something else than what the search supposes: it can come better, but not worse.
    if !faithful {
        verdict.bounds.high = 100;
    }
    let (expander, table, position) = core.root();
    let (line, mut values) = follow(expander, table, position, way, role, verdict.depth.max(1))?;
    verdict.line = line;
    values[role] = found.value;
    verdict.values = values.into_iter().map(f64::from).collect();
    Ok(())
}

//! What gdlcc left open: the order of conditions and what to remember, chosen from a short profile of real play.
//!
//! Plans are made three times. The first knows the static relations and the first state. It plays a few random matches, whose
//! states (and what the derived relations hold in them) order the second. The second plays again, remembering all it may, and
//! counts; the third is the same but for remembering only what paid.

use super::compile::{Compiler, Definitions};
use super::estimate::{Estimator, Extent, Sample};
use super::order::Order;
use super::plan::{Goal, Lifetime, Program};
use super::registry::{NONE, Registry, Replica};
use super::run::{Core, GoalCount};
use super::{Options, inline};
use crate::{Error, Limits, Random};
use ludens_gdl::{Keyword, RelationId, Rules};
use rustc_hash::FxHashSet;

/// States sampled, states in which derived relations are listed, and the longest match played.
const STATES: usize = 64;
const LISTED_STATES: usize = 8;
const PLIES: usize = 400;
/// What listing one derived relation in one state may cost.
const LISTING_STEPS: u64 = 20_000;
/// How much more than that a relation is taken to cost that was not listed in time.
const TOO_MUCH: f64 = 20.0;
/// The share of the set-up limit that one round of matches may use.
const PLAY_SHARE: u64 = 16;
/// Costs in the same unit: a step of a plan, looking an answer up, storing it.
const STEP: f64 = 8.0;
const LOOK_UP: f64 = 6.0;
const STORE: f64 = 12.0;

/// A state met in play and the joint move played there.
struct Sampled {
    fluents: Vec<u32>,
    joint: Vec<u32>,
}

/// Plans for play, from a profile.
pub(super) fn plan(
    rules: &Rules,
    definitions: &Definitions,
    replica: &mut Replica,
    roles: &[u32],
    options: Options,
    limits: &Limits,
) -> Result<Program, Error> {
    let plain = Compiler::new(rules, definitions, replica, &Order::Unknowns(rules), &|_, _| options.memo).game()?;
    let mut core = Core::new(&plain, replica.clone(), roles, limits);
    let first = match plain.queries.init {
        Some(init) => core.ask(init, &[], limits.steps).map(|_| core.out.clone())?,
        None => Vec::new(),
    };
    replica.catch_up();
    let mut sample = Sample::of(rules, definitions, &[Sampled { fluents: first.clone(), joint: Vec::new() }], replica);

    let estimator = Estimator::new(rules, definitions, &sample, replica.clone());
    let order = Order::Estimated(&estimator);
    let program = Compiler::new(rules, definitions, replica, &order, &|_, _| options.memo).game()?;
    let relations = derived(rules, definitions);
    let listing = Compiler::new(rules, definitions, replica, &order, &|_, _| true).listing(&relations)?;
    let fuel = limits.setup_steps / PLAY_SHARE;
    let mut core = Core::new(&program, replica.clone(), roles, limits);
    let states = play(&mut core, &program, roles, &first, fuel);
    replica.catch_up();
    sample = Sample::of(rules, definitions, &states, replica);
    list_derived(&mut sample, &relations, &listing, &states, roles, replica, limits);

    let mut pays = FxHashSet::default();
    if options.memo {
        let estimator = Estimator::new(rules, definitions, &sample, replica.clone());
        let program = Compiler::new(rules, definitions, replica, &Order::Estimated(&estimator), &|_, _| true).game()?;
        let mut core = Core::new(&program, replica.clone(), roles, limits);
        core.counts = Some(vec![GoalCount::default(); program.goals.len()]);
        play(&mut core, &program, roles, &first, fuel);
        pays = what_pays(&program.goals, &core);
        replica.catch_up();
    }
    let inlined;
    let mut definitions = definitions;
    if options.inline {
        let kept: FxHashSet<RelationId> = pays.iter().map(|&(relation, _)| relation).collect();
        inlined = inline::unfold(rules, definitions, |relation| !kept.contains(&relation));
        definitions = &inlined;
    }
    let estimator = Estimator::new(rules, definitions, &sample, replica.clone());
    let remember = |relation, pattern| pays.contains(&(relation, pattern));
    Compiler::new(rules, definitions, replica, &Order::Estimated(&estimator), &remember).game()
}

/// The goals whose answers were asked again often enough to be worth keeping.
fn what_pays(goals: &[Goal], core: &Core<'_>) -> FxHashSet<(RelationId, u64)> {
    let counts = core.counts.iter().flatten();
    let pays = goals.iter().zip(counts).filter(|(_, count)| {
        let again = count.asked.saturating_sub(count.computed) as f64;
        let work = count.work as f64 / count.computed.max(1) as f64;
        again * work * STEP > count.asked as f64 * LOOK_UP + count.computed as f64 * STORE
    });
    pays.map(|(goal, _)| (goal.relation, goal.pattern)).collect()
}

/// Random matches from the first state until enough states are sampled or the fuel is spent.
fn play(core: &mut Core<'_>, program: &Program, roles: &[u32], first: &[u32], mut fuel: u64) -> Vec<Sampled> {
    let mut random = Random::new(0x6c75_6465_6e73);
    let mut samples = Vec::new();
    let mut plies = 0;
    'matches: while plies < 4 * STATES {
        let mut state = first.to_vec();
        for ply in 0..PLIES {
            let Some((joint, next)) = ply_of(core, program, roles, &state, &mut random, &mut fuel) else { break 'matches };
            plies += 1;
            // Every fourth state, and always the first ones: endings count as much as openings.
            if samples.len() < STATES && (ply % 4 == samples.len() % 4 || samples.len() < 4) {
                samples.push(Sampled { fluents: state.clone(), joint: joint.clone() });
            }
            match next {
                Some(next) => state = next,
                None => break,
            }
            if plies >= 8 * STATES {
                break 'matches;
            }
        }
    }
    if samples.is_empty() {
        samples.push(Sampled { fluents: first.to_vec(), joint: Vec::new() });
    }
    samples
}

/// Plays one ply: the joint move, and the next state unless the match is over. `None` when the fuel is spent.
#[allow(clippy::type_complexity)]
fn ply_of(
    core: &mut Core<'_>,
    program: &Program,
    roles: &[u32],
    state: &[u32],
    random: &mut Random,
    fuel: &mut u64,
) -> Option<(Vec<u32>, Option<Vec<u32>>)> {
    core.set_state(state);
    let mut ask = |core: &mut Core<'_>, goal: Option<u32>, args: &[u32]| -> Option<bool> {
        let Some(goal) = goal else { return Some(false) };
        let answers = core.ask(goal, args, *fuel).ok()?;
        *fuel = core.fuel;
        Some(answers.count > 0)
    };
    if ask(core, program.queries.terminal, &[])? {
        for &role in roles {
            ask(core, program.queries.goal, &[role])?;
        }
        return Some((Vec::new(), None));
    }
    for moves in &mut core.moves {
        moves.clear();
    }
    ask(core, program.queries.legal, &[])?;
    let mut joint = Vec::new();
    for moves in &mut core.moves {
        if moves.is_empty() {
            return Some((Vec::new(), None));
        }
        moves.sort_unstable();
        joint.push(core.replica.moves.term(moves[random.below(moves.len())]));
    }
    core.set_moves(&joint);
    core.out.clear();
    ask(core, program.queries.next, &[])?;
    Some((joint, Some(core.out.clone())))
}

/// The relations with rules that bodies can ask.
fn derived(rules: &Rules, definitions: &Definitions) -> Vec<RelationId> {
    let asked = |keyword: Option<Keyword>| matches!(keyword, None | Some(Keyword::Legal | Keyword::Goal | Keyword::Terminal));
    let all = (0..rules.relations.len() as u32).map(RelationId);
    all.filter(|&relation| asked(rules.relation(relation).keyword) && !definitions.is_listed(relation)).collect()
}

impl Sample {
    /// The static relations, and the fluents of some states.
    fn of(rules: &Rules, definitions: &Definitions, states: &[Sampled], registry: &Registry) -> Sample {
        let mut sample =
            Sample { relations: vec![None; rules.relations.len()], work: vec![0.0; rules.relations.len()], ..Sample::default() };
        for relation in (0..rules.relations.len() as u32).map(RelationId).filter(|&relation| definitions.is_listed(relation)) {
            let mut extent = Extent::new(rules.relation(relation).arity);
            definitions.facts[relation.0 as usize].rows().for_each(|row| extent.push(row));
            extent.set_states(1);
            extent.close();
            sample.relations[relation.0 as usize] = Some(extent);
        }
        for state in states {
            sample.fluents_per_state += state.fluents.len() as f64 / states.len() as f64;
            for &fluent in &state.fluents {
                let args = registry.terms.args(registry.fluents.term(fluent));
                let functor = (registry.terms.symbol(registry.fluents.term(fluent)), args.len());
                sample.fluents.entry(functor).or_insert_with(|| Extent::new(args.len())).push(args);
            }
        }
        for extent in sample.fluents.values_mut() {
            extent.set_states(states.len());
            extent.close();
        }
        sample
    }
}

/// Adds what the derived relations hold in some of the states.
fn list_derived(
    sample: &mut Sample,
    relations: &[RelationId],
    (program, goals): &(Program, Vec<u32>),
    states: &[Sampled],
    roles: &[u32],
    replica: &mut Replica,
    limits: &Limits,
) {
    let mut core = Core::new(program, replica.clone(), roles, limits);
    let mut extents: Vec<Option<Extent>> = vec![None; relations.len()];
    let mut given_up = vec![false; relations.len()];
    let mut work = vec![0.0; relations.len()];
    let stride = states.len().div_ceil(LISTED_STATES).max(1);
    let mut fuel = limits.setup_steps / PLAY_SHARE;
    for state in states.iter().step_by(stride) {
        core.set_state(&state.fluents);
        if state.joint.len() == roles.len() {
            core.set_moves(&state.joint);
        }
        for (at, &goal) in goals.iter().enumerate() {
            let moves_missing = state.joint.len() != roles.len() && program.goals[goal as usize].lifetime == Lifetime::Moves;
            if given_up[at] || moves_missing {
                continue;
            }
            let share = fuel.min(LISTING_STEPS);
            let asked = core.ask(goal, &[], share);
            fuel -= share - core.fuel;
            let Ok(answers) = asked else {
                given_up[at] = true;
                continue;
            };
            let Goal { unknown, arena, .. } = program.goals[goal as usize];
            let extent = extents[at].get_or_insert_with(|| Extent::new(unknown));
            if unknown == 0 && answers.count > 0 {
                extent.push(&[]);
            }
            let mut row = answers.head;
            while row != NONE {
                extent.push(core.tables.values(arena, row, unknown));
                row = core.tables.next(arena, row);
            }
            extent.set_states(extent.states() + 1);
            work[at] += (share - core.fuel) as f64;
        }
    }
    replica.catch_up();
    for (at, extent) in extents.into_iter().enumerate() {
        let relation = relations[at].0 as usize;
        if given_up[at] {
            sample.work[relation] = TOO_MUCH * LISTING_STEPS as f64;
        } else if let Some(mut extent) = extent {
            extent.close();
            sample.work[relation] = work[at] / extent.states() as f64;
            sample.relations[relation] = Some(extent);
        }
    }
}

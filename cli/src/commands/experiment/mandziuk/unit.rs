//! T: the average CPU time of one random simulation.

use crate::console::Console;
use crate::engine::{Engine, EngineArgs};
use crate::interrupt;
use crate::measure::ThreadWatch;
use crate::playable::Playable;
use crate::preparing::prepare;
use crate::search_args::FastEngineArgs;
use anyhow::{Result, bail};
use ludens_machine::{Machine, Random};
use ludens_search::{Budget, Settings, Spec};
use serde::{Deserialize, Serialize};
use std::time::Duration;

const MAX_PLIES: usize = 1000;
/// However long they take, so many are simulated.
const FEWEST: u32 = 3;

/// A random simulation of one engine, on average.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Unit {
    /// T.
    pub(super) seconds: f64,
    pub(super) plies: f64,
    /// How often a role has to choose.
    pub(super) decisions: f64,
    pub(super) simulations: u32,
}

/// T of the engine that plays, and T of the relational engine: one simulation at a time from the beginning to the end, for so many seconds of CPU time.
pub(super) fn measure(game: &str, seconds: f64, seed: u64, console: Console) -> Result<[Unit; 2]> {
    let mut units = Vec::new();
    for engine in [FastEngineArgs::LANES.into(), EngineArgs::plain(Engine::Relational)] {
        units.push(simulate(&Playable::open(game, engine, console)?.machine, seconds, seed)?);
    }
    Ok([units[0], units[1]])
}

fn simulate(machine: &Machine, seconds: f64, seed: u64) -> Result<Unit> {
    let (mut lanes, mut random) = (machine.lanes(1), Random::new(seed));
    let (mut simulations, mut plies, mut decisions) = (0, 0, 0);
    let watch = ThreadWatch::start();
    while (simulations < FEWEST || watch.seconds() < seconds) && !interrupt::is_requested() {
        lanes.load(0, machine.initial());
        for ply in 0.. {
            lanes.evaluate()?;
            if lanes.terminal(0) || ply == MAX_PLIES {
                break;
            }
            let mut joint = Vec::new();
            for role in machine.roles() {
                let legal = lanes.legal(0, role);
                if legal.is_empty() {
                    bail!("{} has no legal move, and the match is not over", machine.role_name(role));
                }
                decisions += u64::from(legal.len() > 1);
                joint.push(legal[random.below(legal.len())]);
            }
            lanes.play(0, &joint);
            lanes.advance()?;
            plies += 1_u64;
        }
        simulations += 1;
    }
    let (seconds, count) = (watch.seconds(), f64::from(simulations.max(1)));
    Ok(Unit { seconds: seconds / count, plies: plies as f64 / count, decisions: decisions as f64 / count, simulations })
}

/// Why a player finds no function from so many random matches; none where it finds one.
pub(super) fn refusals(game: &str, player: &str, starts: [u64; 4], seconds: f64, seed: u64) -> Result<[Option<String>; 4]> {
    let game = Playable::open(game, FastEngineArgs::LANES, Console::new(true))?;
    let settings = Settings { threads: 1, memory: 1 << 20, seed, max_plies: MAX_PLIES as u64 };
    let spec = Spec::parse(player)?;
    let mut refusals: [Option<String>; 4] = Default::default();
    for (refusal, simulations) in refusals.iter_mut().zip(starts) {
        let budget = Budget { cpu: Some(Duration::from_secs_f64(seconds)), simulations: Some(simulations), ..Budget::default() };
        let ready = prepare(&game, [&spec], settings, budget, Console::new(true))?;
        *refusal = ready[0].remark().map(str::to_owned);
    }
    Ok(refusals)
}

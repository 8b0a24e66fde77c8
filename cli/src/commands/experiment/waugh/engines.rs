//! What executes the rules, and how it is measured.

use super::matches::{self, Played, Position};
use super::{Count, Plan, emitted, prolog};
use crate::engine::{Engine as Kind, EngineArgs, Switch, TableBytes};
use crate::interrupt;
use crate::sheet::Sheet;
use anyhow::{Context, Result};
use ludens_machine::{GroundLimits, Machine, RoleId, emit};
use ludens_search::{Budget, Ready, Spec};
use ludens_serve::SystemClock;
use std::collections::HashMap;
use std::time::Duration;

/// Bytes of the transposition table: room for the 10,000 states of the paper and more.
pub(super) const TABLE: usize = 16 << 20;

/// Who is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Engine {
    /// A Prolog system that runs the rules: the stand-in for the paper's YAP.
    Prolog,
    /// Query plans, interpreted.
    Relational { memo: bool, table: bool },
    /// The same plans as source code, compiled.
    Plans,
    /// The ground network as source code, compiled, one state at a time.
    Net,
    /// The ground network, many states at once.
    Lanes,
}

impl Engine {
    pub(super) const ALL: [Engine; 8] = [
        Engine::Prolog,
        Engine::Relational { memo: false, table: false },
        Engine::Relational { memo: false, table: true },
        Engine::Relational { memo: true, table: false },
        Engine::Relational { memo: true, table: true },
        Engine::Plans,
        Engine::Net,
        Engine::Lanes,
    ];

    /// The name among measurements.
    pub(super) fn key(self) -> &'static str {
        match self {
            Engine::Prolog => "prolog",
            Engine::Relational { memo: false, table: false } => "plain",
            Engine::Relational { memo: false, table: true } => "table",
            Engine::Relational { memo: true, table: false } => "memo",
            Engine::Relational { memo: true, table: true } => "memo table",
            Engine::Plans => "emitted plans",
            Engine::Net => "emitted net",
            Engine::Lanes => "lanes",
        }
    }

    /// The name for people.
    pub(super) fn label(self) -> &'static str {
        match self {
            Engine::Prolog => "SWI-Prolog",
            Engine::Relational { memo: false, table: false } => "relational",
            Engine::Relational { memo: false, table: true } => "relational, table",
            Engine::Relational { memo: true, table: false } => "relational, memo",
            Engine::Relational { memo: true, table: true } => "relational, memo, table",
            Engine::Plans => "emitted plans (Rust)",
            Engine::Net => "emitted network (Rust)",
            Engine::Lanes => "lanes",
        }
    }
}

/// An engine that is ready for one game.
enum Ours {
    Inside(Box<Machine>),
    Emitted(emitted::Program),
    Prolog(prolog::Program),
}

/// A game, and the engines that were made for it.
pub(super) struct Workshop {
    sheet: Sheet,
    optimise: bool,
    made: HashMap<Engine, Ours>,
}

impl Workshop {
    pub(super) fn open(game: &str, optimise: bool) -> Result<Workshop> {
        let sheet = Sheet::open(game)?;
        sheet.valid_rules()?;
        Ok(Workshop { sheet, optimise, made: HashMap::new() })
    }

    /// A match by `mc` on lanes.
    pub(super) fn play(&mut self, plan: &Plan, seed: u64) -> Result<Played> {
        matches::play(self.machine(Engine::Lanes)?, plan, seed)
    }

    /// Makes an engine, if that is not done; inside, why this cannot be done here.
    pub(super) fn prepare(&mut self, engine: Engine) -> Result<Result<(), String>> {
        if self.made.contains_key(&engine) {
            return Ok(Ok(()));
        }
        let rules = self.sheet.valid_rules()?;
        let ours = match engine {
            Engine::Prolog => prolog::Program::new(rules)?.map(Ours::Prolog),
            Engine::Plans => {
                let machine = crate::engine::reference(rules)?;
                let files = emit::plans(machine.as_relational().context("query plans")?, emit::Language::Rust)?;
                emitted::Program::new(&files, self.optimise)?.map(Ours::Emitted)
            }
            Engine::Net => match ludens_ground::ground(rules, &GroundLimits::default()) {
                Ok(net) => {
                    let files = emit::net(&net, rules.case_sensitive, emit::Language::Rust);
                    emitted::Program::new(&files, self.optimise)?.map(Ours::Emitted)
                }
                Err(error) => Err(format!("the rules cannot be grounded: {error}")),
            },
            Engine::Relational { .. } | Engine::Lanes => Ok(Ours::Inside(Box::new(args_of(engine).build(rules)?))),
        };
        Ok(ours.map(|ours| drop(self.made.insert(engine, ours))))
    }

    fn machine(&mut self, engine: Engine) -> Result<&Machine> {
        let _ = self.prepare(engine)?;
        match self.made.get(&engine) {
            Some(Ours::Inside(machine)) => Ok(machine),
            _ => unreachable!("engines of this process can always be made"),
        }
    }

    /// Lets an engine simulate from positions; inside, what went wrong with a program of others. What it says of legal moves must be what ours says.
    pub(super) fn measure(
        &mut self,
        engine: Engine,
        positions: &[Position],
        seconds: f64,
        seed: u64,
    ) -> Result<Result<Vec<Count>, String>> {
        let expected = self.legal_moves(positions)?;
        let found = match self.made.get(&engine).context("it was made")? {
            Ours::Inside(machine) => return think(machine, positions, seconds, seed).map(Ok),
            Ours::Emitted(program) => program.measure(positions, seconds, seed),
            Ours::Prolog(program) => program.measure(positions, seconds, seed),
        };
        let found = match found {
            Ok(found) => found,
            Err(error) => return Ok(Err(format!("{error:#}"))),
        };
        let differs = found.iter().zip(&expected).find(|(found, expected)| found.legal != **expected);
        Ok(match differs {
            Some((found, expected)) => Err(format!("it finds {:?} legal moves where there are {expected:?}", found.legal)),
            None => Ok(found.into_iter().map(|found| found.count).collect()),
        })
    }

    /// How many legal moves every role has in every position.
    fn legal_moves(&mut self, positions: &[Position]) -> Result<Vec<Vec<usize>>> {
        let machine = self.machine(Engine::Lanes)?;
        let mut lanes = machine.lanes(1);
        let mut count = |position: &Position| -> Result<Vec<usize>> {
            lanes.load(0, &machine.state_of(position.fluents.iter().map(String::as_str))?);
            lanes.evaluate()?;
            Ok(machine.roles().map(|role| lanes.legal(0, role).len()).collect())
        };
        positions.iter().map(&mut count).collect()
    }
}

/// How an engine of this process is made.
fn args_of(engine: Engine) -> EngineArgs {
    match engine {
        Engine::Relational { memo, table } => EngineArgs {
            memo: if memo { Switch::On } else { Switch::Off },
            table: TableBytes::of(if table { TABLE } else { 0 }),
            ..EngineArgs::plain(Kind::Relational)
        },
        _ => EngineArgs::plain(Kind::Lanes),
    }
}

/// `mc` as it plays, a position after the other: what it remembers it may use again.
fn think(machine: &Machine, positions: &[Position], seconds: f64, seed: u64) -> Result<Vec<Count>> {
    machine.prepare(512);
    let player: Ready = Spec::parse("mc")?.into();
    let mut search = player.build(machine, matches::settings(seed))?;
    let budget = Budget { cpu: Some(Duration::from_secs_f64(seconds)), ..Budget::default() };
    let clock = SystemClock::new();
    let mut counts = Vec::new();
    for position in positions {
        let state = machine.state_of(position.fluents.iter().map(String::as_str))?;
        let verdict = search.think(&state, RoleId(position.role), &budget, &clock.watch(interrupt::sign()))?;
        counts.push(Count { states: verdict.nodes, simulations: verdict.simulations, cpu: verdict.cpu.as_secs_f64() });
    }
    Ok(counts)
}

//! What all searches do, summed up in one line.

use super::Args;
use super::play::Signature;
use super::search::start;
use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::playable::Playable;
use crate::preparing::prepare;
use anyhow::{Context, Result};
use ludens_search::{Budget, Settings, Spec, SpecError};
use ludens_serve::SystemClock;
use serde::Serialize;

/// Games of all kinds: small and large, with turns and without, of one role, two and three.
const GAMES: [&str; 6] = ["tic_tac_toe", "connect_four", "breakthrough", "goofspiel", "chinese_checkers_3", "eight_puzzle"];

const FREE: Budget = Budget { wall: None, cpu: None, simulations: None, nodes: None, depth: None };

/// The searches, and what each may do in every game.
const SEARCHES: [(&str, Budget); 7] = [
    ("mc", Budget { simulations: Some(2_000), ..FREE }),
    ("uct", Budget { simulations: Some(2_000), ..FREE }),
    ("alphabeta", Budget { nodes: Some(20_000), ..FREE }),
    ("mtdf", Budget { nodes: Some(20_000), ..FREE }),
    ("minimax", Budget { nodes: Some(20_000), ..FREE }),
    ("one-ply", FREE),
    ("puzzle", Budget { nodes: Some(100_000), ..FREE }),
];

/// Bytes in which a search may remember things.
const MEMORY: usize = 64 << 20;

#[derive(Serialize)]
struct Summary {
    signature: String,
    seed: u64,
    searches: Vec<Count>,
}

/// What one search did.
#[derive(Serialize)]
struct Count {
    player: &'static str,
    /// The games that it can play.
    games: u64,
    /// Positions looked at in all of them.
    nodes: u64,
}

pub(super) fn run(args: &Args, console: Console) -> Result<Answer> {
    let settings = Settings { threads: 1, memory: MEMORY, seed: args.play.seed, max_plies: args.play.max_plies as u64 };
    let mut signature = Signature::new();
    let mut searches = SEARCHES.map(|(player, _)| Count { player, games: 0, nodes: 0 });
    for name in GAMES {
        let game = Playable::open(name, args.engine, console)?;
        game.machine.prepare(512);
        let (state, role) = start(&game.machine)?;
        let specs: Vec<Spec> = SEARCHES.iter().map(|(player, _)| Spec::parse(player)).collect::<Result<_, _>>()?;
        let players = prepare(&game, &specs, settings, Budget::default(), console)?;
        for (((player, budget), count), ready) in SEARCHES.iter().zip(&mut searches).zip(&players) {
            let mut search = match ready.build(&game.machine, settings) {
                Ok(search) => search,
                Err(SpecError::Unfit { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            let verdict = search.think(&state, role, budget, &SystemClock::new().watch(interrupt::sign()));
            let verdict = verdict.with_context(|| format!("{player} has no answer in {name}"))?;
            if interrupt::is_requested() {
                return Ok(Answer::Interrupted);
            }
            count.games += 1;
            count.nodes += verdict.nodes;
            for number in [verdict.nodes, verdict.simulations, verdict.playouts, verdict.depth.into()] {
                signature.add_bytes(&number.to_le_bytes());
            }
            signature.add_bytes(game.machine.move_text(verdict.choice).as_bytes());
        }
    }
    // Ten digits are enough to tell apart what people compare by eye.
    let summary = Summary { signature: format!("{:010x}", signature.0 >> 24), seed: args.play.seed, searches: searches.into() };
    if args.json {
        console::print_json(&summary)?;
    } else {
        let counts: Vec<String> = summary.searches.iter().map(|count| format!("{} {}", count.player, count.nodes)).collect();
        console::print(&format!("signature: {} ({})", summary.signature, counts.join(", ")))?;
    }
    Ok(Answer::Yes)
}

//! UCT guided by an evaluation: what it proves stays right whatever it is told, and it keeps to what UCT promises.

use crate::support::{Solver, fastest, keeps_to_its_memory, random_game, relational, shape, sheet, simulations, think};
use crate::uct::check;
use ludens_machine::{Error, Lanes, Machine, Random, RoleId};
use ludens_score::{Evaluator, Goal};
use ludens_search::{Settings, Uct, uct::Guidance, uct::Options, uct::Uses};
use std::sync::Arc;

/// Says anything, always the same of the same state.
#[derive(Debug)]
struct Liar;

impl Evaluator for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, _: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        for (lane, scores) in scores.chunks_exact_mut(lanes.roles()).take(count).enumerate() {
            let words = lanes.state(lane).words().iter().fold(0, |sum: u64, word| sum.rotate_left(7) ^ word);
            let mut random = Random::new(words);
            for score in scores {
                *score = random.below(101) as f32;
            }
        }
        Ok(())
    }
}

/// Every way to use an evaluation by itself, and all at once.
fn ways() -> Vec<Guidance> {
    let uses = |cutoff, order, init, rollout| Guidance { uses: Uses { cutoff, order, init, rollout }, ..Guidance::NONE };
    vec![
        Guidance { minimax: 0.4, ..Guidance::NONE },
        Guidance { bias: 0.5, ..Guidance::NONE },
        uses(true, false, false, false),
        Guidance { length: Some(2), ..uses(true, false, false, false) },
        Guidance { length: Some(1), ..uses(true, false, false, true) },
        uses(false, true, false, false),
        uses(false, false, true, false),
        uses(false, false, false, true),
        Guidance { temperature: 0.0, chance: 0.0, ..uses(true, false, false, true) },
        Guidance { minimax: 0.4, bias: 0.1, ..uses(true, true, true, true) },
    ]
}

fn guided(machine: &Machine, evaluator: impl Evaluator + 'static, guidance: Guidance, settings: Settings) -> Uct<'_> {
    let evaluator: Arc<dyn Evaluator> = Arc::new(evaluator);
    Uct::guided(machine, &evaluator, Options { guidance, ..Options::guided() }, settings)
}

#[test]
fn who_is_lied_to_proves_no_lies() {
    let ways = ways();
    let mut certain = 0;
    for seed in 0..60 {
        let text = random_game(&shape(seed), seed);
        let (machine, reference) = (fastest(&text), relational(&text));
        let mut exact = Solver::new(&reference, None, 5000);
        for threads in [1, 2] {
            let guidance = ways[(seed as usize * 2 + threads) % ways.len()];
            for role in machine.roles() {
                let mut search = guided(&machine, Liar, guidance, Settings { threads, seed, ..Settings::default() });
                let Ok(verdict) = think(&mut search, machine.initial(), role.0, &simulations(5_000)) else { continue };
                let what = format!("game {seed}, {threads} threads, role {}, {guidance:?}\n{text}", role.0);
                let is_certain = check(&verdict, &machine, &mut exact, &reference, reference.initial(), role, &what);
                certain += usize::from(is_certain && verdict.moves.len() > 1);
            }
        }
    }
    assert!(certain > 30, "only {certain} positions had a best move for certain");
}

#[test]
fn every_use_plays_legal_moves() {
    // One role, two, three, and several that choose at once.
    for game in ["eight_puzzle", "connect_four", "chinese_checkers_3", "goofspiel", "tron"] {
        for machine in [fastest(&sheet(game)), relational(&sheet(game))] {
            let mut lanes = machine.lanes(1);
            lanes.load(0, machine.initial());
            lanes.evaluate().expect("an evaluation");
            for guidance in ways() {
                for threads in [1, 2] {
                    let mut search = guided(&machine, Goal, guidance, Settings { threads, ..Settings::default() });
                    let count = if machine.as_bits().is_some() { 300 } else { 12 };
                    let verdict = think(&mut search, machine.initial(), 0, &simulations(count)).expect("an answer");
                    let legal = lanes.legal(0, RoleId(0));
                    assert!(legal.contains(&verdict.choice), "{game}: {guidance:?}");
                    assert_eq!(verdict.moves.len(), legal.len(), "{game}: {guidance:?}");
                    assert!(verdict.moves.iter().all(|report| report.value.is_none_or(|value| (0.0..=100.0).contains(&value))));
                    assert!(verdict.simulations > 0, "{game}: {guidance:?}");
                }
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for game in ["connect_four", "goofspiel", "chinese_checkers_3"] {
        let machine = fastest(&sheet(game));
        for guidance in ways() {
            let answer = |seed: u64| {
                let mut search = guided(&machine, Liar, guidance, Settings { seed, ..Settings::default() });
                let verdict = think(&mut search, machine.initial(), 0, &simulations(300)).expect("an answer");
                (verdict.moves, verdict.line, verdict.simulations, verdict.nodes, verdict.playouts)
            };
            assert_eq!(answer(1), answer(1), "{game}: {guidance:?}");
            assert_ne!(answer(1).0, answer(2).0, "{game}: another seed, other playouts: {guidance:?}");
        }
    }
}

#[test]
fn memory_stays_below_its_cap() {
    let cap = 4 << 20;
    for (game, threads) in [("connect_four", 1), ("connect_four", 2), ("goofspiel", 1), ("othello", 1), ("chinese_checkers_3", 1)]
    {
        let machine = fastest(&sheet(game));
        let guidance = Guidance { minimax: 0.4, ..Guidance::NONE };
        let mut search = guided(&machine, Liar, guidance, Settings { threads, memory: cap, ..Settings::default() });
        keeps_to_its_memory(&mut search, machine.initial(), cap, 3);
    }
}

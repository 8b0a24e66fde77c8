//! UCT: what it proves is right, it keeps to its budget and its memory, and the same seed gives the same answer.

use crate::support::{
    RealClock, Solver, endgame, fastest, keeps_to_its_memory, random_game, relational, shape, sheet, simulations, think,
    translate, wall,
};
use ludens_machine::{Machine, Random, RoleId, State};
use ludens_search::{Bounds, Search, Settings, Uct, Verdict, uct::Options};
use std::collections::HashMap;

/// What a search says about a position agrees with what going through everything says; answers whether it found a best move for certain.
pub(crate) fn check(
    verdict: &Verdict,
    machine: &Machine,
    exact: &mut Solver<'_>,
    reference: &Machine,
    state: &State,
    role: RoleId,
    what: &str,
) -> bool {
    let whole = exact.solve(state).expect("it is small")[role.0 as usize];
    let moves: HashMap<String, Bounds> = exact
        .moves(state, role)
        .expect("it is small")
        .into_iter()
        .map(|(id, bounds)| (reference.move_text(id), bounds))
        .collect();
    let within = |narrow: Bounds, wide: Bounds| wide.low <= narrow.low && narrow.high <= wide.high;
    assert!(within(whole, verdict.bounds), "{what}: {whole:?} is not within {:?}", verdict.bounds);
    assert_eq!(verdict.moves.len(), moves.len(), "{what}: every legal move is told of");
    for report in &verdict.moves {
        let known = moves[&machine.move_text(report.id)];
        assert!(
            within(known, report.bounds),
            "{what}: {}: {known:?} is not within {:?}",
            machine.move_text(report.id),
            report.bounds
        );
    }
    let best = verdict.moves.iter().map(|report| report.bounds.low).max().expect("a move");
    let choice = verdict.moves.iter().find(|report| report.id == verdict.choice).expect("the choice is legal");
    let others = verdict.moves.iter().filter(|report| report.id != verdict.choice);
    let is_certain = choice.bounds.low == best && others.map(|report| report.bounds.high).all(|high| high <= best);
    if is_certain {
        let text = machine.move_text(verdict.choice);
        let mut others = moves.iter().filter(|(other, _)| **other != text).map(|(_, bounds)| bounds.high);
        assert!(others.all(|high| high <= moves[&text].low), "{what}: another move is better");
    }
    is_certain
}

/// Whether some move of a role is no worse than any other, whatever happens.
fn is_decided(exact: &mut Solver<'_>, state: &State, role: RoleId) -> bool {
    let moves = exact.moves(state, role).expect("it is small");
    let best = (0..moves.len()).max_by_key(|&index| moves[index].1.low).expect("a move");
    (0..moves.len()).all(|index| index == best || moves[index].1.high <= moves[best].1.low)
}

#[test]
fn random_small_games_are_proven_right() {
    let mut decided = 0;
    for seed in 0..150 {
        let kind = shape(seed);
        let text = random_game(&kind, seed);
        let (machine, reference) = (fastest(&text), relational(&text));
        let mut exact = Solver::new(&reference, None, 5000);
        for threads in [1, 2] {
            for role in machine.roles() {
                let settings = Settings { threads, seed, ..Settings::default() };
                // What looks bad is to be tried, too, or it is not ruled out.
                let mut search = Uct::new(&machine, Options { c: 1.0, ..Options::default() }, settings);
                let budget = simulations(30_000);
                let Ok(verdict) = think(&mut search, machine.initial(), role.0, &budget) else { continue };
                let what = format!("game {seed}, {threads} threads, role {}\n{text}", role.0);
                let is_certain = check(&verdict, &machine, &mut exact, &reference, reference.initial(), role, &what);
                if verdict.moves.len() > 1 && is_decided(&mut exact, reference.initial(), role) {
                    decided += usize::from(is_certain);
                    // Where several choose at once not all is tried that would have to be ruled out.
                    assert!(is_certain || kind.simultaneous || kind.stuck, "not decided: {what}: {verdict:?}");
                }
            }
        }
    }
    assert!(decided > 100, "only {decided} positions had a best move for certain");
}

#[test]
fn tic_tac_toe_and_nim_are_solved_from_the_start() {
    for (game, transpositions, value) in [("tic_tac_toe", true, 50), ("nim", true, 100), ("nim", false, 100)] {
        let machine = fastest(&sheet(game));
        let mut search = Uct::new(&machine, Options { transpositions, ..Options::default() }, Settings::default());
        let verdict = think(&mut search, machine.initial(), 0, &simulations(1_000_000)).expect("an answer");
        // It stops when no other move can be better; how good the best one is may still be open.
        assert_eq!(verdict.bounds.low, value, "{game}: {verdict:?}");
        let others = verdict.moves.iter().filter(|report| report.id != verdict.choice);
        assert!(others.map(|report| report.bounds.high).all(|high| high <= value), "{game}: {verdict:?}");
        assert!(verdict.simulations < 500_000, "{game}: it stops when it knows");
    }
}

/// Games whose last positions are looked at.
const ENDGAMES: &[&str] = &[
    "breakthrough",
    "checkers",
    "chess",
    "connect_five",
    "connect_four",
    "cylinder_checkers",
    "dots_and_boxes",
    "goofspiel",
    "gomoku",
    "hex",
    "kalah",
    "lines_of_action",
    "nim",
    "nine_mens_morris",
    "othello",
    "racetrack_corridor",
    "sheep_and_wolf",
    "tic_tac_toe",
    "tron",
    "wallmaze",
    "chinese_checkers_2",
    "pacman",
    "bomberman",
    "farmers",
];

/// Those of them in which several roles choose at once.
const SIMULTANEOUS: &[&str] = &["goofspiel", "tron", "pacman", "bomberman", "farmers", "wallmaze", "racetrack_corridor"];

#[test]
fn ends_of_the_games_of_the_library_are_proven_right() {
    let mut solved = 0;
    for &game in ENDGAMES {
        let Some(ending) = endgame(game, None, 1, 3000) else { continue };
        let machine = fastest(&sheet(game));
        let state = translate(&ending.machine, &ending.state, &machine);
        let mut exact = Solver::new(&ending.machine, None, 20_000);
        for role in machine.roles() {
            let mut search = Uct::new(&machine, Options::default(), Settings::default());
            let Ok(verdict) = think(&mut search, &state, role.0, &simulations(100_000)) else { continue };
            let is_certain = check(&verdict, &machine, &mut exact, &ending.machine, &ending.state, role, game);
            if verdict.moves.len() > 1 && is_decided(&mut exact, &ending.state, role) {
                assert!(is_certain || SIMULTANEOUS.contains(&game), "{game}: not decided: {verdict:?}");
                solved += usize::from(is_certain);
            }
        }
    }
    assert!(solved >= 15, "only {solved} endings were solved");
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    for game in ["connect_four", "goofspiel", "chinese_checkers_3"] {
        let machine = fastest(&sheet(game));
        let answer = |seed: u64| {
            let mut search = Uct::new(&machine, Options::default(), Settings { seed, ..Settings::default() });
            let verdict = think(&mut search, machine.initial(), 0, &simulations(5000)).expect("an answer");
            (verdict.moves, verdict.line, verdict.simulations, verdict.nodes, verdict.playouts)
        };
        assert_eq!(answer(1), answer(1), "{game}");
        assert_eq!(answer(1).2, 5000);
        assert_ne!(answer(1).0, answer(2).0, "{game}: another seed, other playouts");
    }
}

#[test]
fn the_tree_survives_a_move() {
    let machine = fastest(&sheet("connect_four"));
    let mut search = Uct::new(&machine, Options::default(), Settings::default());
    let verdict = think(&mut search, machine.initial(), 0, &simulations(20_000)).expect("an answer");
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    lanes.evaluate().expect("an evaluation");
    lanes.play(0, &verdict.line[0]);
    lanes.advance().expect("a successor");
    let next = lanes.state(0);
    let before = verdict.moves[0].visits;
    let verdict = think(&mut search, &next, 1, &simulations(64)).expect("an answer");
    let known: u64 = verdict.moves.iter().map(|report| report.visits).sum();
    assert!(known > before / 2, "{known} visits are known, of {before}");
    let mut forgetful = Uct::new(&machine, Options { reuse: false, ..Options::default() }, Settings::default());
    think(&mut forgetful, machine.initial(), 0, &simulations(20_000)).expect("an answer");
    let verdict = think(&mut forgetful, &next, 1, &simulations(64)).expect("an answer");
    assert_eq!(verdict.moves.iter().map(|report| report.visits).sum::<u64>(), 64);
}

#[test]
fn what_is_thought_on_the_time_of_others_is_remembered() {
    let machine = fastest(&sheet("connect_four"));
    machine.prepare(512);
    let mut search = Uct::new(&machine, Options::default(), Settings::default());
    let (clock, stop) = (RealClock::new(), std::sync::atomic::AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(100));
            stop.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        // The second player has nothing to choose yet.
        search.ponder(machine.initial(), RoleId(1), &ludens_search::Watch { clock: &clock, stop: &stop }).expect("it thinks");
    });
    let verdict = think(&mut search, machine.initial(), 0, &simulations(64)).expect("an answer");
    let known: u64 = verdict.moves.iter().map(|report| report.visits).sum();
    assert!(known > 128, "{known} visits are known");
}

#[test]
fn memory_stays_below_its_cap() {
    let cap = 4 << 20;
    for (game, threads) in [("connect_four", 1), ("connect_four", 2), ("goofspiel", 1), ("othello", 1)] {
        let machine = fastest(&sheet(game));
        let mut search = Uct::new(&machine, Options::default(), Settings { threads, memory: cap, ..Settings::default() });
        keeps_to_its_memory(&mut search, machine.initial(), cap, 4);
    }
}

#[test]
fn what_is_proven_is_played_also_where_memory_is_short() {
    let mut proven = 0;
    for (game, seed) in [("connect_four", 0), ("connect_four", 1), ("othello", 2)] {
        let machine = fastest(&sheet(game));
        let mut search = Uct::new(&machine, Options::default(), Settings { memory: 2 << 20, seed, ..Settings::default() });
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        while !lanes.terminal(0) {
            let state = lanes.state(0);
            let mut joint = Vec::new();
            for role in machine.roles() {
                if let &[only] = lanes.legal(0, role) {
                    joint.push(only);
                    continue;
                }
                let verdict = think(&mut search, &state, role.0, &simulations(10_000)).expect("an answer");
                if verdict.bounds.proven().is_some() {
                    proven += 1;
                    let chosen = verdict.moves.iter().find(|report| report.id == verdict.choice).expect("a legal move");
                    assert_eq!(chosen.bounds.low, verdict.bounds.low, "{game}: {verdict:?}");
                }
                joint.push(verdict.choice);
            }
            lanes.play(0, &joint);
            lanes.advance().expect("a successor");
            lanes.evaluate().expect("an evaluation");
        }
    }
    assert!(proven > 10, "only {proven} positions were proven");
}

#[test]
fn joint_moves_go_on_where_memory_is_short() {
    for (game, memory) in [("goofspiel", 1), ("tron", 1), ("tron", 8), ("goofspiel", 16)] {
        let machine = fastest(&sheet(game));
        let mut search = Uct::new(&machine, Options::default(), Settings { memory: memory << 20, ..Settings::default() });
        for _ in 0..3 {
            let verdict = think(&mut search, machine.initial(), 0, &simulations(60_000)).expect("an answer");
            assert_eq!(verdict.simulations, 60_000, "{game}, {memory} MiB");
            assert!(verdict.memory <= (memory.max(2) << 20) as u64, "{game}, {memory} MiB: {}", verdict.memory);
        }
    }
}

#[test]
fn nothing_is_certain_where_somebody_is_stuck() {
    // One may end with 60 points, or go where the other has no move; the rules would give 100 there.
    let text = "(role a) (role b) (init (at s)) (to over) (to limbo)
        (<= (legal a ?x) (true (at s)) (to ?x)) (<= (legal a noop) (not (true (at s)))) (<= (legal b noop) (true (at s)))
        (<= (next (at ?x)) (does a ?x)) (<= terminal (true (at over)))
        (<= (goal a 60) (true (at over))) (<= (goal a 100) (true (at limbo))) (<= (goal b 40) (true (at ?x)))";
    let machine = fastest(text);
    let mut search = Uct::new(&machine, Options::default(), Settings::default());
    let verdict = think(&mut search, machine.initial(), 0, &simulations(1000)).expect("an answer");
    assert_eq!(machine.move_text(verdict.choice), "over", "{verdict:?}");
    assert_eq!(verdict.bounds.proven(), None);
}

#[test]
fn who_can_win_at_once_is_expected_to() {
    let machine = fastest(&sheet("tic_tac_toe"));
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    for text in ["(mark 1 1)", "(mark 1 2)", "(mark 2 2)", "(mark 3 3)", "(mark 2 1)"] {
        lanes.evaluate().expect("an evaluation");
        let id = machine.find_move(text).expect("a move");
        let joint: Vec<_> =
            machine.roles().map(|role| if lanes.legal(0, role).contains(&id) { id } else { lanes.legal(0, role)[0] }).collect();
        lanes.play(0, &joint);
        lanes.advance().expect("a successor");
    }
    // Two threats: nothing helps, and the first look at any answer says so.
    let mut search = Uct::new(&machine, Options::default(), Settings::default());
    let verdict = think(&mut search, &lanes.state(0), 1, &simulations(8)).expect("an answer");
    assert!(verdict.moves.iter().all(|report| report.value.is_none_or(|value| value < 1.0)), "{verdict:?}");
}

#[test]
fn a_move_is_ready_at_any_time() {
    let mut random = Random::new(7);
    for game in ["chess", "connect_four", "goofspiel", "eight_puzzle"] {
        let machine = fastest(&sheet(game));
        machine.prepare(512);
        let clock = RealClock::new();
        let mut search = Uct::new(&machine, Options::default(), Settings::default());
        for _ in 0..20 {
            let budget = wall(1 + random.below(20) as u64);
            let verdict = think(&mut search, machine.initial(), 0, &budget).expect("an answer");
            assert!(verdict.moves.iter().any(|report| report.id == verdict.choice), "{game}");
        }
        let stopped = std::sync::atomic::AtomicBool::new(true);
        let watch = ludens_search::Watch { clock: &clock, stop: &stopped };
        let budget = ludens_search::Budget::default();
        assert!(search.think(machine.initial(), RoleId(0), &budget, &watch).is_ok(), "{game}");
    }
}

#[test]
fn there_is_no_answer_after_the_end() {
    let machine = fastest(&sheet("tic_tac_toe"));
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    lanes.evaluate().expect("an evaluation");
    while !lanes.terminal(0) {
        let joint: Vec<_> = machine.roles().map(|role| lanes.legal(0, role)[0]).collect();
        lanes.play(0, &joint);
        lanes.advance().expect("a successor");
        lanes.evaluate().expect("an evaluation");
    }
    let state = lanes.state(0);
    let mut search = Uct::new(&machine, Options::default(), Settings::default());
    assert_eq!(think(&mut search, &state, 0, &simulations(10)), Err(ludens_search::Error::Over));
}

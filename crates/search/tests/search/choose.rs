//! `auto`: whom it chooses, why, and that somebody always plays.

use crate::support::{RealClock, fastest, nodes, rules, sheet, think};
use ludens_machine::{Machine, MoveId, Random, RoleId, State};
use ludens_score::Invented;
use ludens_search::{Budget, Clock, Ready, Settings, Spec, Start, Watch};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Lets `auto` prepare itself, with so much CPU time.
fn prepared(text: &str, machine: &Machine, cpu: f64, stop: bool) -> Ready {
    let (clock, stop) = (RealClock::new(), AtomicBool::new(stop));
    let rules = rules(text);
    let budget = Budget { cpu: Some(Duration::from_secs_f64(cpu)), ..Budget::default() };
    let mut start = Start::new(machine, &rules, Settings::default(), budget, Watch { clock: &clock, stop: &stop });
    start.prepare(&Spec::parse("auto").unwrap())
}

/// Who plays, and why.
fn chosen(ready: &Ready) -> (String, &str) {
    let choice = ready.choice().expect("auto chooses");
    (choice.player.spec().to_string(), &choice.reason)
}

/// Thinks about the first move of every role.
fn plays(ready: &Ready, machine: &Machine) {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    lanes.evaluate().unwrap();
    for role in machine.roles() {
        let mut search = ready.build(machine, Settings::default()).unwrap();
        let verdict = think(&mut *search, machine.initial(), role.0, &nodes(200)).unwrap();
        assert!(lanes.legal(0, role).contains(&verdict.choice));
    }
}

#[test]
fn puzzles_are_for_puzzle_search() {
    let text = sheet("eight_puzzle");
    let machine = fastest(&text);
    let ready = prepared(&text, &machine, 1.0, false);
    assert_eq!(chosen(&ready), ("puzzle".to_owned(), "there is one role: a puzzle"));
    plays(&ready, &machine);
}

#[test]
fn where_no_function_helps_uct_plays() {
    const CONSTANT: &str =
        "(role a) (role b) (init (s 0)) (legal a x) (legal a y) (legal b x) (legal b y) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (next (s ?n)) (true (s ?m)) (succ ?m ?n)) (<= terminal (true (s 3))) (goal a 50) (goal b 50)";
    let machine = fastest(CONSTANT);
    let ready = prepared(CONSTANT, &machine, 1.0, false);
    let (player, reason) = chosen(&ready);
    assert_eq!(player, "uct");
    assert!(reason.contains("all random matches end with 50 points for a"), "{reason}");
    assert!(ready.choice().is_some_and(|choice| choice.contests.is_empty()) && ready.invented().is_none());
    plays(&ready, &machine);
}

#[test]
fn matches_decide_between_searches() {
    let text = sheet("breakthrough");
    let machine = fastest(&text);
    let ready = prepared(&text, &machine, 3.0, false);
    let choice = ready.choice().expect("auto chooses");
    assert!(choice.contests.iter().all(|contest| contest.failure.is_none()), "{}", choice.reason);
    assert!(choice.contests.iter().all(|contest| (0.0..=f64::from(contest.matches)).contains(&contest.score)));
    // Without a match nobody but `uct` plays.
    let best = choice.player.spec().to_string();
    assert!(best == "uct" || choice.contests.iter().any(|contest| contest.matches > 0 && contest.players.contains(&best)));
    assert_eq!(choice.player.invented().is_some(), best != "uct");
    // The function that is shown is the one that is used.
    let method = |invented: &Invented| invented.invention.method();
    let shown = choice.invented.as_deref().map(method).expect("a function");
    assert_eq!(choice.player.invented().map_or(shown, method), shown);
    assert_eq!(choice.reliability.len(), 2);
    plays(&ready, &machine);
}

/// A clock by which every look at it takes a while, and nothing else does: what is measured by it is the same everywhere.
#[derive(Debug, Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn wall(&self) -> Duration {
        Duration::from_micros(50 * self.0.fetch_add(1, Relaxed))
    }

    fn cpu(&self) -> Duration {
        self.wall()
    }
}

/// Lets a player prepare itself in four seconds of [`Ticks`].
fn prepared_by_ticks(player: &str, text: &str, machine: &Machine) -> Ready {
    let (clock, stop) = (Ticks::default(), AtomicBool::new(false));
    let rules = rules(text);
    let budget = Budget { cpu: Some(Duration::from_secs(4)), ..Budget::default() };
    let mut start = Start::new(machine, &rules, Settings::default(), budget, Watch { clock: &clock, stop: &stop });
    start.prepare(&Spec::parse(player).unwrap())
}

#[test]
fn a_player_that_is_clearly_better_is_chosen() {
    let text = sheet("breakthrough");
    let machine = fastest(&text);
    let choose = || {
        let ready = prepared_by_ticks("auto", &text, &machine);
        let (player, reason) = chosen(&ready);
        (player, reason.to_owned())
    };
    let (player, reason) = choose();
    assert!(player != "uct" && reason.contains(&format!("{player} is better than ")), "{player}: {reason}");
    assert_eq!(choose(), (player, reason));
}

/// Foresight is measured in the time that there is for the start, and so less of it is left for the function.
#[test]
fn what_is_foreseen_is_part_of_the_start() {
    let text = sheet("checkers");
    let (machine, rules) = (fastest(&text), rules(&text));
    let (clock, stop, most) = (Ticks::default(), AtomicBool::new(false), Duration::from_millis(500));
    let budget = Budget { cpu: Some(most), ..Budget::default() };
    let mut start = Start::new(&machine, &rules, Settings::default(), budget, Watch { clock: &clock, stop: &stop });
    let ready = start.prepare(&Spec::parse("mtdf:eval=learned,cut=1").unwrap());
    assert!(ready.invented().is_some());
    let took = clock.wall();
    assert!(took > most.mul_f64(0.95) && took < most.mul_f64(1.02), "{took:?}");
}

#[test]
fn games_of_all_kinds_have_a_player() {
    for game in ["rock_paper_scissors", "chinese_checkers_3", "chinese_checkers_6", "goofspiel", "iterated_prisoners_dilemma"] {
        let text = sheet(game);
        let machine = fastest(&text);
        plays(&prepared(&text, &machine, 0.3, false), &machine);
    }
}

#[test]
fn without_time_uct_plays() {
    let text = sheet("checkers");
    let machine = fastest(&text);
    for (cpu, stop) in [(1e-6, false), (100.0, true)] {
        let ready = prepared(&text, &machine, cpu, stop);
        assert_eq!(chosen(&ready).0, "uct", "{}", chosen(&ready).1);
        plays(&ready, &machine);
    }
    plays(&Ready::from(Spec::parse("auto").unwrap()), &machine);
}

#[test]
fn matches_in_which_somebody_is_stuck_are_drawn() {
    // Who takes the last of seven wins; with one left and the turn of b, nobody can go on.
    const STUCK: &str = "(role a) (role b) (init (left 7)) (init (turn a)) (next-of a b) (next-of b a)
        (minus 7 1 6) (minus 6 1 5) (minus 5 1 4) (minus 4 1 3) (minus 3 1 2) (minus 2 1 1) (minus 1 1 0)
        (minus 7 2 5) (minus 6 2 4) (minus 5 2 3) (minus 4 2 2) (minus 3 2 1) (minus 2 2 0)
        (<= (can ?r ?n) (true (turn ?r)) (true (left ?m)) (minus ?m ?n ?k) (not (blocked ?r ?m)))
        (blocked b 1)
        (<= (legal ?r (take ?n)) (can ?r ?n)) (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
        (<= (next (left ?k)) (does ?r (take ?n)) (true (left ?m)) (minus ?m ?n ?k))
        (<= (next (turn ?s)) (true (turn ?r)) (next-of ?r ?s))
        (<= terminal (true (left 0)))
        (<= (goal ?r 0) (true (turn ?r))) (<= (goal ?r 100) (role ?r) (not (true (turn ?r))))";
    let machine = fastest(STUCK);
    let ready = prepared(STUCK, &machine, 1.0, false);
    let choice = ready.choice().expect("auto chooses");
    assert!(choice.contests.iter().all(|contest| contest.failure.is_none()), "{}", choice.reason);
    plays(&ready, &machine);
}

/// What the first of two players has of a match, from 0 to 1; who has which role is told by the role of the first.
fn share_of_first(machine: &Machine, players: [&Ready; 2], first: usize, opening: &State, seed: u64) -> f64 {
    // Searches to a depth count positions instead, of which one takes less time.
    let budget = Budget { simulations: Some(400), nodes: Some(4000), ..Budget::default() };
    let settings = |role: u64| Settings { seed: seed * 2 + role, ..Settings::default() };
    let mut seats = [0, 1].map(|role| players[usize::from(role != first)].build(machine, settings(role as u64)).unwrap());
    let mut lanes = machine.lanes(1);
    let mut state = opening.clone();
    loop {
        lanes.load(0, &state);
        lanes.evaluate().unwrap();
        if lanes.terminal(0) {
            let mut points = |role: usize| f64::from(lanes.points(0, RoleId(role as u32)).unwrap());
            return 0.5 + (points(first) - points(1 - first)) / 200.0;
        }
        let legal: Vec<Vec<MoveId>> = machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
        let joint: Vec<MoveId> = (0..2)
            .map(|role| match legal[role][..] {
                [only] => only,
                _ => think(&mut *seats[role], &state, role as u32, &budget).unwrap().choice,
            })
            .collect();
        lanes.play(0, &joint);
        lanes.advance().unwrap();
        state = lanes.state(0);
    }
}

/// Two random moves on.
fn opening(machine: &Machine, random: &mut Random) -> State {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    for _ in 0..2 {
        lanes.evaluate().unwrap();
        let joint: Vec<MoveId> = machine
            .roles()
            .map(|role| {
                let legal = lanes.legal(0, role);
                legal[random.below(legal.len())]
            })
            .collect();
        lanes.play(0, &joint);
        lanes.advance().unwrap();
    }
    lanes.state(0)
}

#[test]
fn auto_is_not_worse_than_uct() {
    const PAIRS: u64 = 8;
    let mut all = Vec::new();
    for game in ["connect_four", "kalah", "tron", "dots_and_boxes", "othello"] {
        let text = sheet(game);
        let machine = fastest(&text);
        let [auto, uct] = ["auto", "uct"].map(|player| prepared_by_ticks(player, &text, &machine));
        let mut random = Random::new(7);
        let pairs: Vec<f64> = (0..PAIRS)
            .map(|pair| {
                let start = opening(&machine, &mut random);
                let half = |first: usize| share_of_first(&machine, [&auto, &uct], first, &start, pair);
                f64::midpoint(half(0), half(1))
            })
            .collect();
        let mean = |pairs: &[f64]| pairs.iter().sum::<f64>() / pairs.len() as f64;
        eprintln!("{game}: {:.3} {}", mean(&pairs), chosen(&auto).1);
        // Where both are the same player pairs scatter by a quarter: this is two standard errors.
        assert!(mean(&pairs) >= 0.5 - 2.0 * 0.25 / (PAIRS as f64).sqrt(), "{game}: {pairs:?}, {}", chosen(&auto).1);
        all.extend(pairs);
    }
    assert!(all.iter().sum::<f64>() / all.len() as f64 >= 0.5, "{all:?}");
}

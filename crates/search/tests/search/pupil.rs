//! Players whose functions go on learning during a match.

use crate::support::{RealClock, fastest, rules, sheet, simulations, think, wall};
use ludens_machine::{Lanes, Machine, MoveId, RoleId, State};
use ludens_search::{Budget, Ready, Settings, Spec, Start, Watch};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

fn prepared(text: &str, machine: &Machine, player: &str) -> Ready {
    let (clock, stop) = (RealClock::new(), AtomicBool::new(false));
    let rules = rules(text);
    let budget = Budget { cpu: Some(Duration::from_millis(500)), ..Budget::default() };
    let mut start = Start::new(machine, &rules, Settings::default(), budget, Watch { clock: &clock, stop: &stop });
    start.prepare(&Spec::parse(player).unwrap())
}

/// The moves that a player chooses for both roles, and what it thinks of them.
fn plays(ready: &Ready, machine: &Machine, moves: usize, budget: &Budget) -> Vec<(MoveId, f64)> {
    let mut search = ready.build(machine, Settings::default()).unwrap();
    let mut lanes = machine.lanes(1);
    let mut state = machine.initial().clone();
    let mut chosen = Vec::new();
    for number in 0..moves {
        let role = number % 2;
        let verdict = think(&mut *search, &state, role as u32, budget).unwrap();
        let joint = joint(&mut lanes, machine, &state, role, verdict.choice);
        chosen.push((verdict.choice, verdict.values[role]));
        lanes.play(0, &joint);
        lanes.advance().unwrap();
        state = lanes.state(0);
    }
    chosen
}

/// A move with those of others, who have none to choose. It must be legal.
fn joint(lanes: &mut Lanes<'_>, machine: &Machine, state: &State, role: usize, choice: MoveId) -> Vec<MoveId> {
    lanes.load(0, state);
    lanes.evaluate().unwrap();
    assert!(lanes.legal(0, RoleId(role as u32)).contains(&choice));
    machine.roles().map(|other| if other.0 as usize == role { choice } else { lanes.legal(0, other)[0] }).collect()
}

#[test]
fn players_that_learn_choose_the_same_each_time() {
    let text = sheet("breakthrough");
    let machine = fastest(&text);
    for player in ["guct:learn=on", "alphabeta:eval=learned,learn=on", "mtdf:eval=learned,learn=on"] {
        let ready = prepared(&text, &machine, player);
        assert_eq!(ready.remark(), None);
        let budget = Budget { nodes: Some(3_000), ..simulations(300) };
        let found = plays(&ready, &machine, 4, &budget);
        assert_eq!(plays(&ready, &machine, 4, &budget), found, "{player}");
    }
}

#[test]
fn learning_is_part_of_the_time() {
    let text = sheet("connect_four");
    let machine = fastest(&text);
    let ready = prepared(&text, &machine, "guct:learn=on");
    let began = Instant::now();
    plays(&ready, &machine, 3, &wall(100));
    // Far more than the scheduler takes; far less than a batch of matches to the end and a fit without a clock.
    assert!(began.elapsed() < Duration::from_secs(5));
    let mut search = ready.build(&machine, Settings::default()).unwrap();
    let verdict =
        think(&mut *search, machine.initial(), 0, &Budget { cpu: Some(Duration::from_millis(200)), ..Budget::default() });
    let verdict = verdict.unwrap();
    assert!(verdict.cpu >= Duration::from_millis(200), "{:?}", verdict.cpu);
}

#[test]
fn who_cannot_learn_says_so() {
    let text = sheet("tic_tac_toe");
    let machine = fastest(&text);
    let ready = prepared(&text, &machine, "guct:eval=guided,learn=on");
    assert_eq!(ready.remark(), Some("`learn=on` does nothing with `eval=guided`: `learned` is what goes on learning"));
    plays(&ready, &machine, 2, &simulations(100));
}

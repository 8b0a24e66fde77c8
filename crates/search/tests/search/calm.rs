//! Moves that change much are followed beyond the depth of a search.

use crate::support::{fastest, nodes, sheet, think};
use ludens_machine::{Machine, Random, State, playout};
use ludens_score::Goal;
use ludens_search::depth::alphabeta::Options;
use ludens_search::depth::{AlphaBeta, Mtdf};
use ludens_search::{Budget, Search, Settings};
use std::sync::Arc;

/// After `open` black may take (white has 10), which white takes back (90), or wait (55). After `close` black can only wait (45). Then nothing happens
/// for a while.
const EXCHANGE: &str = "
    (role white) (role black) (init (at root)) (init (control white))
    (edge white root open opened) (edge white root close closed)
    (edge black opened take taken) (edge black opened wait quiet)
    (edge black closed wait dull)
    (edge white taken back regained) (edge white taken leave lost)
    (edge white quiet wait q1) (edge white dull wait d1)
    (edge black regained wait r1) (edge black lost wait l1) (edge black q1 wait q2) (edge black d1 wait d2)
    (edge white r1 wait end) (edge white l1 wait end) (edge white q2 wait end) (edge white d2 wait end)
    (worth root 50) (worth opened 50) (worth closed 50) (worth taken 10) (worth regained 90) (worth r1 90) (worth lost 10) (worth l1 10)
    (worth quiet 55) (worth q1 55) (worth q2 55) (worth dull 45) (worth d1 45) (worth d2 45) (worth end 50)
    (<= (legal ?r ?m) (true (control ?r)) (true (at ?n)) (edge ?r ?n ?m ?o))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (at ?o)) (true (control ?r)) (does ?r ?m) (true (at ?n)) (edge ?r ?n ?m ?o))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= terminal (true (at end)))
    (<= (goal white ?p) (true (at ?n)) (worth ?n ?p))
    (shares 50 50) (shares 10 90) (shares 90 10) (shares 55 45) (shares 45 55)
    (<= (goal black ?q) (goal white ?p) (shares ?p ?q))";

fn to_depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn searches<'m>(machine: &'m Machine, options: Options) -> [Box<dyn Search + 'm>; 2] {
    [
        Box::new(AlphaBeta::new(machine, Arc::new(Goal), options, Settings::default())),
        Box::new(Mtdf::new(machine, Arc::new(Goal), options, Settings::default())),
    ]
}

#[test]
fn what_is_taken_can_be_taken_back() {
    let machine = fastest(EXCHANGE);
    for (calm, wanted, value) in [(None, "close", 45.0), (Some(20.0), "open", 55.0), (Some(60.0), "close", 45.0)] {
        for sweep in [true, false] {
            for mut search in searches(&machine, Options { calm, sweep, ..Options::default() }) {
                let verdict = think(&mut *search, machine.initial(), 0, &to_depth(2)).unwrap();
                assert_eq!(machine.move_text(verdict.choice), wanted, "{calm:?}");
                assert!((verdict.values[0] - value).abs() < 0.2, "{calm:?}: {}", verdict.values[0]);
                assert!(verdict.bounds.low == 0 && verdict.bounds.high == 100, "nothing is certain yet");
            }
        }
    }
}

/// A position near the end of a random match.
fn late(machine: &Machine, before: usize, random: &mut Random) -> Option<State> {
    let (mut lanes, roles) = (machine.lanes(1), machine.roles().len());
    let seed = random.bits();
    lanes.load(0, machine.initial());
    let plies = playout(&mut lanes, 0, roles, &mut Random::new(seed), 1000).unwrap().plies;
    lanes.load(0, machine.initial());
    playout(&mut lanes, 0, roles, &mut Random::new(seed), plies.checked_sub(before)?).unwrap();
    Some(lanes.state(0))
}

#[test]
fn what_is_called_certain_is_certain_where_moves_are_followed() {
    let mut random = Random::new(9);
    let mut proven = 0;
    for game in ["tic_tac_toe", "connect_four", "breakthrough"] {
        let machine = fastest(&sheet(game));
        for _ in 0..12 {
            let Some(state) = late(&machine, 4, &mut random) else { continue };
            let role = random.below(2) as u32;
            let mut plain = AlphaBeta::new(&machine, Arc::new(Goal), Options::default(), Settings::default());
            let truth = think(&mut plain, &state, role, &nodes(20_000)).unwrap();
            if truth.bounds.low < truth.bounds.high {
                continue;
            }
            let value = truth.bounds.low;
            for depth in [2, 3, 5] {
                let options = Options { calm: Some(1.0), ..Options::default() };
                for mut search in searches(&machine, options) {
                    let bounds = think(&mut *search, &state, role, &to_depth(depth)).unwrap().bounds;
                    assert!(bounds.low <= value && value <= bounds.high, "{game}: {bounds:?}, not {value}");
                    proven += usize::from(bounds.low == bounds.high);
                }
            }
        }
    }
    assert!(proven > 50, "{proven}");
}

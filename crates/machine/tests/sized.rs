//! Boards of other sizes, as the bench `scaling` makes them, are the library's games.

mod common;
#[path = "../benches/scaling/sheets.rs"]
mod sheets;

use common::rules;
use ludens_machine::{GroundLimits, Machine, MoveId, State};
use std::collections::HashMap;

fn machine(sheet: &str) -> Machine {
    let reading = ludens_gdl::read(sheet, &ludens_gdl::Limits::default());
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    Machine::grounded(&rules(sheet), &GroundLimits::default()).expect("a machine")
}

/// The number of sequences of 1, 2, ... joint moves.
fn perft(machine: &Machine, depth: usize) -> Vec<u64> {
    let mut lanes = machine.lanes(1);
    let mut counts = vec![0; depth];
    let mut level: HashMap<State, u64> = HashMap::from([(machine.initial().clone(), 1)]);
    for count in &mut counts {
        let mut next: HashMap<State, u64> = HashMap::new();
        for (state, paths) in level {
            lanes.load(0, &state);
            lanes.evaluate().expect("an answer");
            if lanes.terminal(0) {
                continue;
            }
            let legal: Vec<Vec<MoveId>> = machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
            // One role moves, the other waits.
            for &first in &legal[0] {
                for &second in &legal[1] {
                    lanes.load(0, &state);
                    lanes.evaluate().expect("an answer");
                    lanes.play(0, &[first, second]);
                    lanes.advance().expect("a next state");
                    *next.entry(lanes.state(0)).or_default() += paths;
                    *count += paths;
                }
            }
        }
        level = next;
    }
    counts
}

#[test]
fn the_librarys_size_gives_the_librarys_game() {
    for (game, sheet, depth) in [("breakthrough", sheets::breakthrough(8), 4), ("hex", sheets::hex(9), 3)] {
        let (own, library) = (machine(&sheet), machine(&sheets::library(game)));
        assert_eq!(perft(&own, depth), perft(&library, depth), "{game}");
        assert_eq!(own.fluents(own.initial()), library.fluents(library.initial()), "{game}");
    }
}

#[test]
fn other_sizes_are_valid_and_as_large_as_they_say() {
    for size in [6, 7, 13] {
        // Those in front have three moves each but for the edges, and the players do not meet yet.
        let moves = 3 * size as u64 - 2;
        assert_eq!(perft(&machine(&sheets::breakthrough(size)), 2), [moves, moves * moves], "{size}");
    }
    for size in [4, sheets::MAX_SIZE] {
        rules(&sheets::breakthrough(size));
        rules(&sheets::hex(size));
    }
    for size in [2, 3, 5, 11] {
        let cells = (size * size) as u64;
        assert_eq!(perft(&machine(&sheets::hex(size)), 2), [cells, cells * (cells - 1)], "{size}");
    }
    // Of the six pairs of cells on the smallest board, three connect its top with its bottom: half of the matches are won by then.
    assert_eq!(perft(&machine(&sheets::hex(2)), 5), [4, 12, 24, 12, 0]);
}

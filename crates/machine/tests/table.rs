//! What the transposition table promises: answers as without it, hits where states come back, and no more memory than it was given.
#![allow(unsafe_code)] // an allocator that counts

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use common::{machine, machine_with_table, root};
use ludens_machine::relational::TableUse;
use ludens_machine::{Lanes, Machine, MoveId, Random, playout};

/// Counts the bytes that each thread holds.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: memory comes from the system's allocator and goes back to it, unchanged.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: what the caller promises is passed on.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = HELD.try_with(|held| held.set(held.get() + layout.size().cast_signed()));
        // SAFETY: as above.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: what the caller promises is passed on.
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        let _ = HELD.try_with(|held| held.set(held.get() - layout.size().cast_signed()));
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn sheet(game: &str) -> String {
    std::fs::read_to_string(root().join("games").join(game).join("rules.kif")).expect("a sheet")
}

fn play(machine: &Machine, lanes: &mut Lanes<'_>, matches: usize, random: &mut Random) {
    for _ in 0..matches {
        lanes.load(0, machine.initial());
        playout(lanes, 0, machine.roles().len(), random, 200).expect("a playout");
    }
}

/// How a fresh table is used in so many random matches.
fn use_of(game: &str, table: usize, matches: usize) -> TableUse {
    let machine = machine_with_table(&sheet(game), table);
    let mut lanes = machine.lanes(1);
    play(&machine, &mut lanes, matches, &mut Random::new(1));
    lanes.table_use().expect("a table")
}

#[test]
fn states_that_come_back_are_hits() {
    let rate = |used: TableUse| used.hits as f64 / used.asked as f64;
    // Tic-Tac-Toe has 5478 states: most are soon known.
    let large = rate(use_of("tic_tac_toe", 16 << 20, 20_000));
    assert!(large > 0.8, "{large}");
    // A small table has the first moves at least.
    let small = rate(use_of("tic_tac_toe", 16 << 10, 20_000));
    assert!(small > 0.1 && small < large, "{small}");
    let chess = rate(use_of("chess", 16 << 20, 2));
    assert!(chess < 0.1, "{chess}");
    let machine = machine(&sheet("tic_tac_toe"));
    assert_eq!(machine.lanes(1).table_use(), None);
}

/// Everything asked twice is known the second time, and is the same.
#[test]
fn a_match_played_again_is_not_computed_again() {
    let machine = machine_with_table(&sheet("breakthrough"), 16 << 20);
    let mut lanes = machine.lanes(1);
    play(&machine, &mut lanes, 1, &mut Random::new(5));
    let first = lanes.table_use().expect("a table");
    let end = lanes.state(0);
    play(&machine, &mut lanes, 1, &mut Random::new(5));
    let second = lanes.table_use().expect("a table");
    assert_eq!(lanes.state(0), end);
    assert_eq!((second.asked, second.hits - first.hits), (2 * first.asked, first.asked));
}

/// All about a state, as text.
#[derive(Debug, PartialEq)]
struct View {
    terminal: bool,
    legal: Vec<Vec<String>>,
    goals: Vec<Vec<String>>,
    fluents: Vec<String>,
}

fn view(machine: &Machine, lanes: &mut Lanes<'_>) -> View {
    let legal = machine.roles().map(|role| lanes.legal(0, role).iter().map(|&id| machine.move_text(id)).collect());
    let mut legal: Vec<Vec<String>> = legal.collect();
    for moves in &mut legal {
        moves.sort();
    }
    let goals = |role| lanes.goals(0, role).expect("goals").into_iter().map(|id| machine.goal_text(id)).collect();
    let goals = machine.roles().map(goals).collect();
    View { terminal: lanes.terminal(0), legal, goals, fluents: machine.fluents(&lanes.state(0)) }
}

/// Matches of every game of the library, some of them again and again, in tables of several sizes beside none at all.
#[test]
fn answers_are_the_same_with_and_without() {
    for entry in std::fs::read_dir(root().join("games")).expect("the library") {
        let path = entry.expect("an entry").path().join("rules.kif");
        let text = std::fs::read_to_string(&path).expect("a sheet");
        let machines = [0, 1000, 10_000, 1 << 20].map(|table| machine_with_table(&text, table));
        let mut lanes = machines.each_ref().map(|machine| machine.lanes(1));
        for seed in [1, 2, 1, 3, 2, 1] {
            let mut random = Random::new(seed);
            lanes.iter_mut().zip(&machines).for_each(|(lanes, machine)| lanes.load(0, machine.initial()));
            for ply in 0..25 {
                let mut views = Vec::new();
                for (lanes, machine) in lanes.iter_mut().zip(&machines) {
                    if ply % 2 == 0 { lanes.evaluate_fully() } else { lanes.evaluate() }.expect("an evaluation");
                    views.push(view(machine, lanes));
                }
                let View { terminal, legal, .. } = &views[0];
                assert!(views.iter().all(|view| *view == views[0]), "{}, ply {ply}: {views:?}", path.display());
                if *terminal {
                    break;
                }
                let joint: Vec<&String> = legal.iter().map(|moves| &moves[random.below(moves.len())]).collect();
                for (lanes, machine) in lanes.iter_mut().zip(&machines) {
                    let ids: Vec<MoveId> = joint.iter().map(|text| machine.find_move(text).expect("a move")).collect();
                    lanes.play(0, &ids);
                    lanes.advance().expect("a next state");
                }
            }
        }
    }
}

#[test]
fn memory_is_fixed_from_the_start() {
    let text = sheet("connect_four");
    for table in [0, 1000, 100_000, 1 << 20] {
        let machine = machine_with_table(&text, table);
        // What the engine itself needs is known after a few matches.
        let mut random = Random::new(1);
        play(&machine, &mut machine.lanes(1), 30, &mut random);
        let before = HELD.get();
        let mut lanes = machine.lanes(1);
        let empty = HELD.get() - before;
        play(&machine, &mut lanes, 300, &mut random);
        let grown = HELD.get() - before - empty;
        assert!(grown < 50_000, "{grown} bytes on top of {empty}, table {table}");
        if table > 0 {
            let used = lanes.table_use().expect("a table");
            assert!(used.bytes <= table && used.bytes > table * 9 / 10 && empty >= used.bytes.cast_signed(), "{used:?}, {empty}");
            assert!(table < 10_000 || used.hits > 0, "{used:?}");
        }
    }
}

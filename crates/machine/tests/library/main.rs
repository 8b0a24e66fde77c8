//! The library of games against simulators written by hand: the same moves, ends and points, position by position.
//!
//! A simulator takes no word from the rule sheet; it is the game once more, as a programmer writes it, so that the two can be wrong
//! in the same place only if the rules of the game were misunderstood.

#[path = "../common/mod.rs"]
mod common;
mod harness;

mod amazons;
mod bomberman;
mod breakthrough;
mod checkers;
mod chess;
mod chinese_checkers_2;
mod chinese_checkers_3;
mod chinese_checkers_4;
mod chinese_checkers_6;
mod connect_five;
mod connect_four;
mod connect_four_3;
mod cylinder_checkers;
mod dots_and_boxes;
mod eight_puzzle;
mod farmers;
mod gomoku;
mod goofspiel;
mod hex;
mod iterated_prisoners_dilemma;
mod kalah;
mod knights_tour;
mod lights_out;
mod lines_of_action;
mod mosaic;
mod nim;
mod nine_mens_morris;
mod othello;
mod pacman;
mod peg_solitaire;
mod racetrack_corridor;
mod rock_paper_scissors;
mod sheep_and_wolf;
mod sudoku;
mod tic_tac_toe;
mod tron;
mod wallmaze;

use std::fs;

#[test]
fn every_game_has_a_simulator() {
    let folder =
        |path: &str| fs::read_dir(common::root().join(path)).expect("a folder").map(|entry| entry.expect("an entry").path());
    for game in folder("games") {
        let name = game.file_name().and_then(|name| name.to_str()).expect("a name").to_owned();
        let simulator = common::root().join(format!("crates/machine/tests/library/{name}.rs"));
        let text = fs::read_to_string(&simulator).unwrap_or_default();
        assert!(text.contains("agree::<") && text.contains(&format!("\"{name}\"")), "games/{name} has no simulator");
        // A file that is not named above would not be built.
        assert!(include_str!("main.rs").contains(&format!("\nmod {name};\n")), "the simulator of games/{name} is not run");
    }
}

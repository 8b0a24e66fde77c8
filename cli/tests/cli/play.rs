//! `ludens play`: what a person types.

use crate::support::{Folder, ludens, ludens_fed};

const TIC_TAC_TOE: [&str; 6] = ["play", "tic_tac_toe", "--against", "first", "--seed", "1"];

#[test]
fn a_whole_match_can_be_typed() {
    // By number, by the move itself, and by its beginning; first takes the first cell that is free.
    let run = ludens_fed(&TIC_TAC_TOE, "5\n(mark 1 2)\nmark 3 2\n").expect(0);
    assert!(run.stdout.starts_with("You are x; type `help` for help.\nfirst plays o.\n\n1  . . .\n"), "{}", run.stdout);
    assert!(run.stdout.contains("1 (mark 1 1)  3 (mark 1 3)"), "{}", run.stdout);
    assert!(
        run.stdout.contains("x> 5\n\nYou play (mark 2 2)\n") && run.stdout.contains("\no plays (mark 1 1)\n"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("The match is over after 5 joint moves: x 100, o 0.\n"), "{}", run.stdout);
}

#[test]
fn help_hints_and_undo() {
    let args = ["play", "tic_tac_toe", "--against", "alphabeta", "--cpu", "5"];
    let run = ludens_fed(&args, "help\nundo\n1\nundo\nhint\nmoves\nboard\nquit\n").expect(0);
    assert!(run.stdout.contains("what the player would do in your place"), "{}", run.stdout);
    assert!(run.stdout.contains("There is no move of yours to take back."), "{}", run.stdout);
    assert!(run.stdout.contains("o plays (mark 2 2) (50 points for sure)"), "{}", run.stdout);
    let after = run.stdout.split("x> undo").nth(2).expect("the move is taken back");
    assert!(after.starts_with("\n\n1  . . .\n2  . . .\n"), "{after}");
    assert!(after.contains("x> hint\nTry (mark ") && after.contains("(50 points for sure)"), "{after}");
}

#[test]
fn what_is_no_move_is_explained() {
    let run = ludens_fed(&TIC_TAC_TOE, "mark 1\nfly\n0\n10\n\n\u{1b}[2J\nexit\n").expect(0);
    for needle in [
        "That could be (mark 1 1), (mark 1 2), (mark 1 3).",
        "`fly` is no move of yours here",
        "The moves have numbers from 1 to 9.",
        "`\\u{1b}[2J` is no move",
    ] {
        assert!(run.stdout.contains(needle), "`{needle}` is not in\n{}", run.stdout);
    }
    assert_eq!(run.stdout.matches("The moves have numbers").count(), 2);
}

#[test]
fn the_end_of_the_input_is_the_end() {
    for input in ["", "5\n", "5"] {
        let run = ludens_fed(&TIC_TAC_TOE, input).expect(0);
        assert!(run.stdout.ends_with("x> \n") && run.stderr.is_empty(), "{:?}", run.stdout);
    }
}

#[test]
fn any_role_can_be_played() {
    let run = ludens_fed(&["play", "tic_tac_toe", "--as", "O", "--against", "first"], "quit\n").expect(0);
    assert!(
        run.stdout.starts_with("You are o;") && run.stdout.contains("x plays (mark 1 1)") && run.stdout.contains("o> quit"),
        "{}",
        run.stdout
    );
    // Both choose at once: the answer comes after both have.
    let run = ludens_fed(&["play", "rock_paper_scissors", "--against", "first"], "1\nquit\n").expect(0);
    assert!(run.stdout.contains("You play ") && run.stdout.contains(" plays "), "{}", run.stdout);
    // A puzzle has nobody else.
    let run = ludens_fed(&["play", "eight_puzzle", "--against", "puzzle", "--nodes", "1000"], "1\nundo\nquit\n").expect(0);
    assert!(!run.stdout.contains("puzzle plays"), "{}", run.stdout);
}

#[test]
fn what_is_wrong_is_said() {
    ludens(&["play", "tic_tac_toe", "--as", "z"]).expect(2).complains("tic_tac_toe has no role `z`; its roles are `x`, `o`");
    ludens(&["play", "tic_tac_toe", "--against", "nobody"]).expect(2).complains("unknown player `nobody`");
    ludens(&["play", "tic_tac_toe", "--against", "puzzle"]).expect(2).complains("puzzle cannot be x");
    let folder = Folder::new();
    let sheet = folder.write("broken.kif", "(role");
    ludens(&["play", &sheet]).expect(1).complains("is not a valid rule sheet");
}

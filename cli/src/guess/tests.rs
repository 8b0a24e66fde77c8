//! Boards of sheets as people write them.

use super::Guess;
use ludens_gdl::{Limits, Rules, read};

/// Rules that say nothing but these facts.
fn rules(facts: &str) -> Rules {
    let sheet = "(role r) (init (at 1)) (<= (legal r go) (true (at 1))) (<= (next (at 2)) (does r go)) (<= terminal (true (at 2))) (goal r 100)";
    read(&format!("{sheet} {facts}"), &Limits::default()).rules.expect("a valid sheet")
}

/// The first of some positions, each a text of fluents, drawn; empty where there is no board.
fn draw(facts: &str, declared: &str, positions: &[&str]) -> String {
    let fluents = |text: &&str| -> Vec<String> {
        ludens_gdl::parse_ground_list(text).expect("fluents").iter().map(ToString::to_string).collect()
    };
    let positions: Vec<Vec<String>> = positions.iter().map(fluents).collect();
    Guess::of(&rules(facts), &fluents(&declared), &positions).map_or_else(String::new, |guess| guess.draw(&positions[0]))
}

#[test]
fn a_grid_of_numbers_is_a_board() {
    let start = "(cell 1 1 b) (cell 1 2 b) (cell 2 1 b) (cell 2 2 x) (control o)";
    let later = "(cell 1 1 o) (cell 1 2 b) (cell 2 1 b) (cell 2 2 x) (control x)";
    assert_eq!(draw("", "", &[start, later]), "2  . x\n1  . .\n   1 2\n");
}

#[test]
fn letters_name_columns_and_pieces_have_signs_of_their_own() {
    let start = "(on 1 a white king) (on 2 b black king) (on 2 c white knight) (step 1)";
    let later = "(on 1 b white king) (on 3 b black king) (on 2 c white knight) (step 2)";
    assert_eq!(draw("", "", &[start, later]), "3   .  .  .\n2   . bk wn\n1  wk  .  .\n    a  b  c\n");
}

#[test]
fn words_are_ordered_as_the_rules_do() {
    let facts = "(follows ka zo) (follows zo bu) (under pi mu)";
    let start = "(vox mu ka tip) (vox mu zo tip) (vox mu bu tap) (vox pi ka tip) (vox pi zo tip) (vox pi bu tip)";
    assert_eq!(draw(facts, "", &[start]), "bu   .  t\nzo   .  .\nka   .  .\n    pi mu\n");
}

#[test]
fn coordinates_may_stand_in_a_function() {
    let start = "(at (pos 1 1) red) (at (pos 3 2) blue)";
    let later = "(at (pos 1 2) red) (at (pos 2 2) blue)";
    assert_eq!(draw("", "", &[start, later]), "2  . . b\n1  r . .\n   1 2 3\n");
}

#[test]
fn a_further_argument_tells_boards_apart() {
    let lane = |name: &str, at: u32| {
        let holds = |x: u32, y: u32| if (x, y) == (1, at) { "car" } else { "no" };
        let cell = |(x, y): (u32, u32)| format!("(cell {name} {x} {y} {})", holds(x, y));
        [(1, 1), (1, 2), (2, 1), (2, 2)].map(cell).concat()
    };
    let positions = [lane("left", 1) + &lane("right", 2), lane("left", 2) + &lane("right", 2)];
    let drawn = draw("", "", &[&positions[0], &positions[1]]);
    assert_eq!(drawn, "left:\n2  . .\n1  c .\n   1 2\nright:\n2  c .\n1  . .\n   1 2\n");
}

#[test]
fn what_lies_on_the_same_board_is_drawn_with_it() {
    let start = "(location pac 1 1) (location ghost 2 2) (coin 1 2) (coin 2 1) (coin 2 2) (coin 3 1) (coin 3 2)";
    let later = "(location pac 1 2) (location ghost 2 1) (coin 2 1) (coin 2 2) (coin 3 1) (coin 3 2)";
    let last = "(location pac 2 1) (location ghost 1 1) (coin 2 2) (coin 3 1) (coin 3 2)";
    assert_eq!(draw("", "", &[start, later, last]), "2  c g c\n1  p c c\n   1 2 3\n");
}

#[test]
fn places_that_are_not_declared_are_left_out() {
    let declared = "(cell 1 1 x) (cell 1 1 b) (cell 2 1 x) (cell 2 1 b) (cell 3 2 x) (cell 3 2 b) (cell 2 2 x) (cell 2 2 b)";
    assert_eq!(draw("", declared, &["(cell 1 1 x)", "(cell 2 1 x)"]), "2    . .\n1  x .\n   1 2 3\n");
}

#[test]
fn the_numbers_of_a_puzzle_are_what_cells_hold() {
    let start = "(cell 1 1 1) (cell 1 2 2) (cell 2 1 3) (cell 2 2 b)";
    let later = "(cell 1 1 1) (cell 1 2 b) (cell 2 1 3) (cell 2 2 2)";
    assert_eq!(draw("", "", &[start, later]), "2  2 b\n1  1 3\n   1 2\n");
}

#[test]
fn lists_of_numbers_are_no_board() {
    assert_eq!(draw("", "", &["(heap 1 3) (heap 2 5) (heap 3 7)", "(heap 1 3) (heap 2 4) (heap 3 7)"]), "");
    assert_eq!(draw("", "", &["(money ann 10) (money bob 20)"]), "");
    assert_eq!(draw("", "", &["open"]), "");
    assert_eq!(draw("", "", &[""]), "");
}

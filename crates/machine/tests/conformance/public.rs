//! The public conformance sheets by name, with the matches that were observed.

use crate::script::{ANY, Stage, end, on};

/// Sheets with rules that bind too little.
pub(crate) const REFUSED: &[&str] = &["test_case_3b", "test_case_3e", "test_case_3f"];

const OPEN: &str = "(mark 1 1) (mark 1 2) (mark 1 3) (mark 2 1) (mark 2 2) (mark 2 3) (mark 3 1) (mark 3 2) (mark 3 3)";

pub(crate) const CASES: &[(&str, &[Stage])] = &[
    (
        "ticTacToe",
        &[
            on(ANY, &[OPEN, "noop"], &["", ""], &["(mark 1 1)", "noop"]),
            on(
                ANY,
                &["noop", "(mark 1 2) (mark 1 3) (mark 2 1) (mark 2 2) (mark 2 3) (mark 3 1) (mark 3 2) (mark 3 3)"],
                &["", ""],
                &["noop", "(mark 1 3)"],
            ),
            on(
                ANY,
                &["(mark 1 2) (mark 2 1) (mark 2 2) (mark 2 3) (mark 3 1) (mark 3 2) (mark 3 3)", "noop"],
                &["", ""],
                &["(mark 3 1)", "noop"],
            ),
            on(
                ANY,
                &["noop", "(mark 1 2) (mark 2 1) (mark 2 2) (mark 2 3) (mark 3 2) (mark 3 3)"],
                &["", ""],
                &["noop", "(mark 2 2)"],
            ),
            on(ANY, &["(mark 1 2) (mark 2 1) (mark 2 3) (mark 3 2) (mark 3 3)", "noop"], &["", ""], &["(mark 2 1)", "noop"]),
            end(ANY, &["noop", "(mark 1 2) (mark 2 3) (mark 3 2) (mark 3 3)"], &["100", "0"]),
        ],
    ),
    ("test_case_1a", &[on("(state 0)", &["proceed"], &["100"], &["proceed"]), end("(state 1)", &[""], &["100"])]),
    ("test_case_1b", &[on("(state 0)", &["lose win"], &[""], &["win"]), end("(state 1)", &[""], &["100"])]),
    ("test_case_1b", &[on("(state 0)", &["lose win"], &[""], &["lose"]), end("(state 2)", &[""], &["0"])]),
    (
        "test_case_2a",
        &[
            on("(state 0)", &["(move move_next 0 1)"], &["100"], &["(move move_next 0 1)"]),
            on("(state 1)", &["(move move_next 1 2)"], &["100"], &["(move move_next 1 2)"]),
            on("(state 2)", &["(move move_next 2 3)"], &["100"], &["(move move_next 2 3)"]),
            on("(state 3)", &["(move move_next 3 4)"], &["100"], &["(move move_next 3 4)"]),
            end("(state 4)", &[""], &["100"]),
        ],
    ),
    (
        "test_case_2b",
        &[
            on(ANY, &["mov_left mov_right"], &["0"], &["mov_right"]),
            on(ANY, &["mov_right"], &["0"], &["mov_right"]),
            on(ANY, &["mov_right"], &["0"], &["mov_right"]),
            on(ANY, &["mov_right"], &["0"], &["mov_right"]),
            on(ANY, &["mov_right"], &["0"], &["mov_right"]),
            on(ANY, &["mov_right"], &["0"], &["mov_right"]),
            end(ANY, &[""], &["100"]),
        ],
    ),
    (
        "test_case_2c",
        &[on(ANY, &["mov_left mov_right"], &["100"], &["mov_right"]), on(ANY, &["mov_right"], &["100"], &["mov_right"])],
    ),
    // The peer's prover takes `(open2)` and `open2` for different atoms; to us they are one.
    (
        "test_case_3a",
        &[on("(cell 1 1 b)", &["(move correct_correct)"], &[""], &["(move correct_correct)"]), {
            end("correct_correct", &["(move failure_failure)"], &["100"])
        }],
    ),
    ("test_case_3c", &[on("", &["win"], &[""], &["win"]), end("winner", &["win"], &["100"])]),
    ("test_case_3d", &[on("(cell alpha)", &["win"], &[""], &["win"]), end("winner", &["win"], &["100"])]),
    ("test_case_4a", &[on("p", &["a"], &["100"], &["a"]), end("q", &["a"], &["100"])]),
    ("test_case_5a", &[on("(state 0)", &["proceed"], &["100"], &["proceed"]), end("(state 1)", &[""], &["100"])]),
    (
        "test_case_5b",
        &[on("", &["(draw 1 1 1 2)"], &["100"], &["(draw 1 1 1 2)"]), end("(line 1 1 1 2) done", &["(draw 1 1 1 2)"], &["100"])],
    ),
    ("test_case_5c", &[on("(state 0)", &["proceed"], &["100"], &["proceed"]), end("(state 1)", &[""], &["100"])]),
    (
        "test_case_5d",
        &[
            on("(rTrue 1 2) (rTrue 2 1) (sTrue 1 2) (sTrue 2 1)", &["proceed"], &["100"], &["proceed"]),
            end("(state 1)", &[""], &["100"]),
        ],
    ),
    (
        "test_case_5e",
        &[on("", &["(reduce a 0) (reduce a 1) (reduce c 0) (reduce c 1) (reduce c 2) (reduce c 3) (reduce c 4)"], &["100"], &[])],
    ),
    (
        "test_distinct_beginning_rule",
        &[on("", &["(do a b) (do b a)"], &["100"], &["(do a b)"]), end("win", &["(do a b) (do b a)"], &["100"])],
    ),
    ("test_clean_not_distinct", &[on("", &["proceed"], &["100"], &["proceed"]), end("done", &["proceed"], &["100"])]),
    ("simpleMutex", &[on("h1 t1", &["a b c"], &["0"], &["b"]), end("h3 m1 m4 m6 t2", &[""], &["100"])]),
    (
        "test_invalid_function_arities_differ",
        &[on("p", &["(a 1) (a 2 3)"], &["100"], &["(a 2 3)"]), end("q", &["(a 1) (a 2 3)"], &["100"])],
    ),
    ("test_invalid_sentence_arities_differ", &[on("p", &["a"], &["100"], &["a"]), end("q", &["a"], &["100"])]),
];

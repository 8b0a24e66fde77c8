//! `ludens search`: verdicts as text and as JSON, and what cannot be searched.

use crate::support::{COUNTER, Folder, interrupted, ludens};

#[test]
fn a_limit_on_nodes_ends_a_search_of_a_small_tree() {
    let args = ["search", "rock_paper_scissors", "--player", "uct", "--nodes", "2000", "--json"];
    assert!(ludens(&args).expect(0).json()["simulations"].as_u64().is_some_and(|count| count > 0));
}

#[test]
fn a_verdict_is_a_table_of_moves() {
    let run =
        ludens(&["search", "tic_tac_toe", "--player", "alphabeta", "--moves", "(mark 1 1); (mark 2 2); (mark 1 2); (mark 3 3)"])
            .expect(0);
    assert!(run.stdout.starts_with("1  x x .\n2  . o .\n3  . . o\n   1 2 3\ncontrol: x\n"), "{}", run.stdout);
    assert!(run.stdout.contains("alphabeta thinks for x (1 CPU s)"), "{}", run.stdout);
    assert!(run.stdout.contains("move: (mark 1 3)\nvalue: 100.0, certain: 100\nline: (mark 1 3)\n"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn verdicts_have_the_keys_that_scripts_use() {
    let args = ["search", "connect_four", "--player", "uct:c=0.7", "--simulations", "2000", "--seed", "3", "--json"];
    let report = ludens(&args).expect(0).json();
    for key in ["move", "value", "simulations", "playouts", "nodes", "cpu_seconds", "proven", "moves", "pv", "bounds", "role"] {
        assert!(report.get(key).is_some(), "{key}");
    }
    let moves = report["moves"].as_array().expect("a list");
    assert_eq!(moves.len(), 7);
    assert!(moves.iter().all(|line| line["move"].is_string() && line["visits"].is_u64() && line.get("value").is_some()));
    assert_eq!((&report["engine"], &report["player"], &report["role"]), (&"lanes".into(), &"uct:c=0.7".into(), &"red".into()));
    assert!(report["simulations"].as_u64().is_some_and(|simulations| simulations >= 2000));
    let pv: Vec<&str> = report["pv"].as_array().expect("a list").iter().filter_map(|joint| joint.as_str()).collect();
    // The line can be played, and the same seed finds it again.
    let after =
        ludens(&["search", "connect_four", "--player", "first", "--moves", &pv[..2].join("; "), "--json"]).expect(0).json();
    assert_eq!(after["role"], "red");
    let again = ludens(&args).expect(0).json();
    assert_eq!((&again["moves"], &again["pv"]), (&report["moves"], &report["pv"]));
}

#[test]
fn every_player_has_an_answer() {
    for player in [
        "random",
        "first",
        "mc",
        "uct",
        "alphabeta",
        "mtdf",
        "minimax",
        "one-ply",
        "mtdf:eval=null,depth=3",
        "one-ply:eval=playouts",
    ] {
        let args = ["search", "tic_tac_toe", "--player", player, "--nodes", "2000", "--seconds", "5", "--json"];
        let report = ludens(&args).expect(0).json();
        assert!(report["move"].as_str().is_some_and(|text| text.starts_with("(mark ")), "{player}: {report}");
    }
    let report = ludens(&["search", "peg_solitaire", "--player", "puzzle", "--nodes", "2000", "--json"]).expect(0).json();
    assert!(report["move"].is_string(), "{report}");
}

#[test]
fn the_role_is_who_has_a_choice_or_who_is_named() {
    let role = |more: &[&str]| {
        let args = [&["search", "tic_tac_toe", "--player", "first", "--json"], more].concat();
        ludens(&args).expect(0).json()["role"].clone()
    };
    assert_eq!(role(&[]), "x");
    assert_eq!(role(&["--moves", "(mark 1 1)"]), "o");
    assert_eq!(role(&["--role", "o"]), "o");
    assert_eq!(role(&["--role", "O"]), "o");
}

#[test]
fn what_cannot_be_searched_is_said() {
    let fails =
        |args: &[&str], needle: &str| drop(ludens(&[&["search", "tic_tac_toe"], args].concat()).expect(2).complains(needle));
    fails(&["--player", "ucd"], "unknown player `ucd`: did you mean `uct`? the players are");
    fails(&["--player", "uct:x=1"], "uct has no option `x`; its options are");
    fails(&["--player", "uct:c=11"], "`c` must be a number from 0 to 10");
    fails(&["--player", "puzzle"], "puzzle cannot play this game: this search is for games of one role");
    fails(&["--player", "first", "--role", "z"], "tic_tac_toe has no role `z`; its roles are `x`, `o`");
    fails(&["--player", "first", "--cpu", "0"], "must be greater than 0");
    fails(&["--player", "first", "--simulations", "0"], "0 is not in 1..");
    fails(&["--player", "first", "--memory", "1"], "a search has 1M to 1024G bytes");
    fails(&["--player", "first", "--moves", "(mark 9 9)"], "move 1 of the line");
    let line = "(mark 1 1); (mark 2 1); (mark 1 2); (mark 2 2); (mark 1 3)";
    fails(&["--player", "first", "--moves", line], "the match is over in this position");
    ludens(&["search", "tic_tac_tow", "--player", "first"]).expect(2).complains("did you mean `tic_tac_toe`?");
    let folder = Folder::new();
    let rule = "(<= (legal r go) (true (at ?n)) (succ ?n ?m))";
    let stuck = folder.write("stuck.kif", COUNTER.replace(rule, "(<= (legal r go) (true (at 7)))"));
    ludens(&["search", &stuck, "--player", "uct"]).expect(2).complains("has no legal move here");
}

#[test]
fn what_the_fast_engine_cannot_play_the_other_one_plays() {
    let folder = Folder::new();
    // A counter without an end: there is no last number to ground.
    let endless = "(role r) (init (at z)) (legal r go) (<= (next (at (s ?n))) (true (at ?n))) (<= terminal (true (at (s (s (s z)))))) (goal r 100)";
    let sheet = folder.write("endless.kif", endless);
    let run = ludens(&["search", &sheet, "--player", "mc", "--simulations", "10", "--json"]).expect(0);
    assert_eq!(run.json()["engine"], "relational");
    assert!(run.json()["fallback"].is_string());
    run.complains("endless: played by the relational engine: ");
}

#[test]
fn ctrl_c_prints_what_is_known() {
    let run = interrupted(&["search", "connect_four", "--player", "mc", "--seconds", "600"]);
    assert!(run.stdout.contains("move: (drop ") && run.stdout.ends_with("interrupted\n"), "{}", run.stdout);
}

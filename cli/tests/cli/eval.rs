//! `ludens eval` and `ludens explain`: functions as text, as JSON and in files, and where there is none.

use crate::support::{COUNTER, Folder, ludens};

#[test]
fn functions_have_the_keys_that_scripts_use() {
    for method in ["guided", "rows", "plain-rows", "learned", "phased", "derived"] {
        let args = ["eval", "breakthrough", "--method", method, "--role", "black", "--seed", "3", "--seconds", "1000", "--json"];
        let report = ludens(&args).expect(0).json();
        for key in ["terms", "constant", "reliability", "method", "scale", "roles", "candidates", "cpu_seconds"] {
            assert!(report.get(key).is_some_and(|value| !value.is_null()), "{method}: {key}");
        }
        let terms = report["terms"].as_array().expect("a list");
        assert!(!terms.is_empty() && terms.iter().all(|term| term["role"] == "black" && term["weight"].is_f64()));
        assert!(terms.iter().all(|term| term["expression"].is_string() && term["reading"].is_string() && term["error"].is_f64()));
        let again = ludens(&args).expect(0).json();
        assert_eq!(again["terms"], report["terms"], "{method}: the same seed");
    }
}

#[test]
fn a_function_is_printed_in_a_page() {
    let run = ludens(&["eval", "checkers"]).expect(0);
    assert!(run.stdout.lines().count() <= 30, "{}", run.stdout);
    assert!(run.stdout.contains("black king") && run.stdout.contains("white: the opposite of black"), "{}", run.stdout);
    assert_eq!(run.stderr, "");
}

#[test]
fn a_function_in_a_file_accounts_for_positions() {
    let folder = Folder::new();
    let path = folder.path("breakthrough.json");
    let found = ludens(&["eval", "breakthrough", "--json", "--out", &path]).expect(0).json();
    let args = ["explain", "breakthrough", "--eval", &path, "--moves", "(move d 2 d 3); (move d 7 d 6)", "--json"];
    let report = ludens(&args).expect(0).json();
    assert_eq!((&report["role"], &report["method"]), (&"white".into(), &"learned".into()));
    assert_eq!(report["constant"], found["constant"]);
    let sum: f64 = report["parts"].as_array().expect("a list").iter().filter_map(|part| part["adds"].as_f64()).sum();
    let odds = sum + report["constant"].as_f64().expect("a number");
    let value = report["value"].as_f64().expect("a number");
    assert!((100.0 / (1.0 + (-odds).exp()) - value).abs() < 0.01, "{odds} are {value} points");
    let moves = report["moves"].as_array().expect("a list");
    assert!(moves.len() > 20 && moves.iter().all(|line| line["move"].is_string() && line["changes"].is_array()));
    let values: Vec<f64> = moves.iter().filter_map(|line| line["value"].as_f64()).collect();
    assert!(values.is_sorted_by(|one, two| one >= two));
    let text = ludens(&["explain", "breakthrough", "--eval", &path, "--terms", "3"]).expect(0).stdout;
    assert!(text.contains("white:") && text.contains("after each move, and what changes most:"), "{text}");
}

#[test]
fn weights_that_change_are_told_for_both_ends_and_kept() {
    let folder = Folder::new();
    let path = folder.path("othello.json");
    let found = ludens(&["eval", "othello", "--method", "phased", "--json", "--out", &path]).expect(0).json();
    assert_eq!(found["phase"]["expression"], "(cell ? ? ?)");
    let terms = found["terms"].as_array().expect("a list");
    let middle = |term: &serde_json::Value| {
        Some(f64::midpoint(term["early"].as_f64()?, term["late"].as_f64()?) - term["weight"].as_f64()?)
    };
    assert!(terms.iter().all(|term| middle(term).is_some_and(|off| off.abs() < 1e-9)));
    assert!(terms.iter().any(|term| term["early"] != term["late"]));
    let read = ludens(&["eval", "othello", "--eval", &path, "--json"]).expect(0).json();
    assert_eq!((&read["terms"], &read["phase"]), (&found["terms"], &found["phase"]));
    let text = ludens(&["eval", "othello", "--eval", &path]).expect(0).stdout;
    assert!(text.contains("weights at the beginning and at the end, by (cell ? ? ?)"), "{text}");
    // At the start a term weighs what it does early.
    let report = ludens(&["explain", "othello", "--eval", &path, "--json"]).expect(0).json();
    let sum: f64 = report["parts"].as_array().expect("a list").iter().filter_map(|part| part["adds"].as_f64()).sum();
    let odds = sum + report["constant"].as_f64().expect("a number");
    assert!((100.0 / (1.0 + (-odds).exp()) - report["value"].as_f64().expect("a number")).abs() < 0.01, "{odds}");
    let text = std::fs::read_to_string(&path).expect("the file");
    let other = folder.write("other.json", text.replace("\"early\":", "\"late\": 1, \"once\":"));
    ludens(&["explain", "othello", "--eval", &other]).expect(2).complains("other.json is not an evaluation function");
    let other = folder.write("other.json", text.replacen("(cell ? ? ?)", "(piece ? ? ?)", 1));
    ludens(&["explain", "othello", "--eval", &other]).expect(2).complains("has nothing like `(piece ? ? ?)`");
}

#[test]
fn a_model_in_a_file_accounts_for_positions_too() {
    let folder = Folder::new();
    let path = folder.path("othello.json");
    let args = ["eval", "othello", "--method", "clune", "--samples", "100", "--json", "--out", &path];
    let found = ludens(&args).expect(0).json();
    let read = ludens(&["eval", "othello", "--eval", &path, "--json"]).expect(0).json();
    assert_eq!(read["terms"], found["terms"]);
    assert_eq!(read["roles"], found["roles"]);
    let report = ludens(&["explain", "othello", "--eval", &path, "--json"]).expect(0).json();
    assert_eq!(report["method"], "clune");
    assert!(report["termination"].as_f64().is_some_and(|over| (0.0..=1.0).contains(&over)), "{report}");
    let sum: f64 = report["parts"].as_array().expect("a list").iter().filter_map(|part| part["adds"].as_f64()).sum();
    let sum = sum + report["constant"].as_f64().expect("a number");
    assert!((sum - report["value"].as_f64().expect("a number")).abs() < 0.01, "{report}");
    let text = std::fs::read_to_string(&path).expect("the file");
    let other = folder.write("other.json", text.replace("termination", "ending"));
    ludens(&["explain", "othello", "--eval", &other]).expect(2).complains("it has no termination for the role");
}

#[test]
fn a_model_of_a_game_of_lines_is_written_and_read() {
    let folder = Folder::new();
    let path = folder.path("connect_four.json");
    let args = ["eval", "connect_four", "--method", "clune", "--samples", "100", "--json", "--out", &path];
    let found = ludens(&args).expect(0).json();
    let read = ludens(&["eval", "connect_four", "--eval", &path, "--json"]).expect(0).json();
    assert_eq!(read["terms"], found["terms"]);
    let moves = "(drop 1); (drop 7); (drop 1); (drop 6); (drop 1)";
    let text = ludens(&["explain", "connect_four", "--eval", &path, "--role", "red", "--moves", moves]).expect(0).stdout;
    for told in
        ["(- (partial (goal red 100)) (partial (goal yellow 100)))", "largest share of a line of red that stands", " = 0.25 x "]
    {
        assert!(text.contains(told), "{told}: {text}");
    }
}

#[test]
fn where_there_is_no_function_the_reason_is_told() {
    let folder = Folder::new();
    let sheet =
        folder.write("dull.kif", "(role a) (init s) (legal a m) (<= (next t) (true s)) (<= terminal (true t)) (goal a 40)");
    for command in ["eval", "explain"] {
        let run = ludens(&[command, &sheet]).expect(1);
        assert!(run.stdout.contains("all random matches end with 40 points for a"), "{}", run.stdout);
    }
    let run = ludens(&["eval", &sheet, "--json"]).expect(1).json();
    assert!(run["refusal"].is_string() && run["terms"].as_array().is_some_and(Vec::is_empty));
    // Somebody who needs a function plays all the same, and says so.
    for command in [["match", "--players"], ["search", "--player"]] {
        let [command, player] = command;
        for method in ["guided", "rows", "clune", "learned"] {
            let spec = format!("alphabeta:eval={method}");
            let run = ludens(&[command, &sheet, player, &spec, "--nodes", "100"]).expect(0);
            let told = format!("dull: {spec}: {method} finds no function: ");
            assert!(run.stderr.contains(&told) && run.stderr.contains("goal values as they stand"), "{}", run.stderr);
        }
    }
    let counter = folder.write("counter.kif", COUNTER);
    assert!(ludens(&["eval", &counter, "--method", "rows"]).expect(1).stdout.contains("100 points for r"));
}

#[test]
fn wrong_files_and_values_are_named() {
    let folder = Folder::new();
    let broken = folder.write("broken.json", "{\"game\":");
    ludens(&["explain", "checkers", "--eval", &broken]).expect(2).complains("broken.json is not an evaluation function");
    ludens(&["explain", "checkers", "--eval", "nowhere.json"]).expect(2).complains("cannot read nowhere.json");
    let other = folder.path("other.json");
    ludens(&["eval", "tic_tac_toe", "--method", "guided", "--out", &other]).expect(0);
    ludens(&["explain", "checkers", "--eval", &other]).expect(2).complains("it has no function for the role `black`");
    ludens(&["eval", "checkers", "--method", "magic"]).expect(2).complains("guided");
    ludens(&["eval", "checkers", "--role", "green"]).expect(2).complains("its roles are");
    ludens(&["eval", "checkers", "--out", "/nowhere/at/all.json"]).expect(2).complains("cannot write");
    let moves = ["explain", "tic_tac_toe", "--eval", &other, "--moves", "(mark 9 9)"];
    ludens(&moves).expect(2).complains("move 1 of the line");
}

#[test]
fn positions_in_which_somebody_is_stuck_are_not_looked_at() {
    let folder = Folder::new();
    let sheet = folder.write(
        "stuck.kif",
        "(role a) (role b) (init s) (legal b y) (<= (legal a x) (true s)) (<= (next t) (does a x)) (<= (next u) (true t))
         (<= terminal (true u)) (goal a 50) (goal b 50)",
    );
    for command in ["search", "explain"] {
        ludens(&[command, &sheet, "--moves", "x y"]).expect(2).complains("a has no legal move here");
    }
}

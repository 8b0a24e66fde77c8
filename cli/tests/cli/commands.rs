//! The other commands: what they print and how they end.

use crate::support::{COUNTER, Folder, Run, command, interrupted, ludens, ludens_in_time, root};
use std::io::Read;
use std::process::Stdio;

#[test]
fn alone_it_gives_a_tour() {
    let run = ludens(&[]).expect(0);
    assert!(run.stdout.contains("ludens check tic_tac_toe --play 100"), "{}", run.stdout);
}

#[test]
fn wrong_usage_is_an_error() {
    ludens(&["fly"]).expect(2).complains("unrecognized subcommand");
    ludens(&["perft", "tic_tac_toe"]).expect(2).complains("--depth");
    ludens(&["perft", "tic_tac_toe", "--depth", "0"]).expect(2).complains("0 is not in 1..=1000");
    ludens(&["bench"]).expect(2).complains("GAME");
    ludens(&["bench", "tic_tac_toe", "--seconds", "nan"]).expect(2).complains("--seconds");
    ludens(&["show", "tic_tac_toe", "--stage", "magic"]).expect(2).complains("possible values");
}

#[test]
fn games_have_the_keys_that_scripts_use() {
    let report = ludens(&["games", "--json"]).expect(0).json();
    let game = report["games"].as_array().expect("a list").iter().find(|game| game["name"] == "tic_tac_toe").expect("the game");
    assert_eq!(game["title"], "Tic-tac-toe");
    assert_eq!(game["roles"], serde_json::json!(["x", "o"]));
    assert_eq!(game["kind"], "turn-taking");
    assert_eq!((&game["fluents"], &game["moves"]), (&29.into(), &20.into()));
    assert!(ludens(&["games"]).expect(0).stdout.contains("Tic-tac-toe"));
}

#[test]
fn a_game_has_a_page() {
    let page = ludens(&["games", "tic_tac_toe"]).expect(0).stdout;
    assert!(page.starts_with("Tic-tac-toe (tic_tac_toe)\n"), "{page}");
    assert!(page.contains("players: x, o; turn-taking, zero-sum\nsize: 29 fluents, 20 moves\n"), "{page}");
    assert!(page.contains("\n1  . . .\n2  . . .\n3  . . .\n   1 2 3\n"), "{page}");
    assert_eq!(ludens(&["games", "tic_tac_toe", "--json"]).expect(0).json()["games"].as_array().map(Vec::len), Some(1));
    let readme = std::fs::read_to_string(root().join("README.md")).expect("the README");
    let shown = ludens(&["games", "breakthrough"]).expect(0).stdout;
    assert!(
        readme.contains(&format!("$ ludens games breakthrough\n{shown}```\n")),
        "the README shows another page than\n{shown}"
    );
    ludens(&["games", "ticTacToe"]).expect(2).complains("did you mean `tic_tac_toe`?");
    ludens(&["games", "zzzzzzzz"]).expect(2).complains("`ludens games` lists the library");
}

#[test]
fn what_show_prints_as_syntax_is_the_same_game() {
    let folder = Folder::new();
    let printed = ludens(&["show", "tic_tac_toe", "--stage", "syntax"]).expect(0).stdout;
    let sheet = folder.write("printed.kif", &printed);
    assert_eq!(ludens(&["show", &sheet, "--stage", "syntax"]).expect(0).stdout, printed);
    let counts = |game: &str| ludens(&["perft", game, "--depth", "6", "--json"]).expect(0).json()["counts"].clone();
    assert_eq!(counts(&sheet), counts("tic_tac_toe"));
}

#[test]
fn perft_counts_published_numbers_under_every_option() {
    let expected = serde_json::json!([9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872, 0]);
    for memo in ["on", "off"] {
        for profile in ["on", "off"] {
            let args = ["perft", "tic_tac_toe", "--depth", "10", "--json", "--memo", memo, "--profile", profile];
            assert_eq!(ludens(&args).expect(0).json()["counts"], expected, "memo {memo}, profile {profile}");
        }
    }
}

#[test]
fn perft_splits_by_the_first_move() {
    let report = ludens(&["perft", "tic_tac_toe", "--depth", "6", "--split", "--json"]).expect(0).json();
    let split = report["split"].as_array().expect("a list");
    assert_eq!(split.len(), 9);
    let sum: u64 = split.iter().map(|part| part["count"].as_u64().expect("a number")).sum();
    assert_eq!((sum, report["counts"][5].as_u64()), (54720, Some(54720)));
    let text = ludens(&["perft", "tic_tac_toe", "--depth", "2", "--split"]).expect(0).stdout;
    assert!(text.contains("(mark 2 2) noop: 8\n") && text.ends_with("depth 2: 72\n"), "{text}");
}

#[test]
fn perft_starts_where_the_moves_lead() {
    let counts = |moves: &str| ludens(&["perft", "tic_tac_toe", "--depth", "2", "--json", "--moves", moves]);
    assert_eq!(counts("(mark 2 2); (mark 1 1)").expect(0).json()["counts"], serde_json::json!([7, 42]));
    assert_eq!(counts("( mark 2 2 ) noop").expect(0).json()["counts"], serde_json::json!([8, 56]));
    counts("(mark 2 2); (mark 2 2)").expect(2).complains("move 2 of the line, `(mark 2 2)`: it is legal for nobody here");
    counts("(mark 2 2").expect(2).complains("move 1 of the line");
    counts("(fly 2 2)").expect(2).complains("`(fly 2 2)` is not a move of this game");
    counts("noop noop").expect(2).complains("`noop` is not legal for x");
}

#[test]
fn a_trace_is_the_same_for_the_same_seed_and_any_option() {
    let trace = |seed: &str, memo: &str| {
        ludens(&["trace", "tic_tac_toe", "--matches", "5", "--seed", seed, "--memo", memo]).expect(0).stdout
    };
    let first = trace("7", "on");
    assert_eq!(first, trace("7", "on"));
    assert_eq!(first, trace("7", "off"));
    assert_ne!(first, trace("8", "on"));
    assert_eq!(first, ludens(&["trace", "tic_tac_toe", "--matches", "5", "--seed", "7", "--json"]).expect(0).stdout);

    let lines: Vec<serde_json::Value> = first.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(lines[0]["roles"], serde_json::json!(["x", "o"]));
    assert_eq!(lines[0]["seed"], 7);
    assert_eq!(lines[0]["oracle"], concat!("ludens ", env!("CARGO_PKG_VERSION"), " relational"));
    let ends = lines[1..].iter().filter(|line| line["terminal"] == true).count();
    assert_eq!(ends, 5, "every match comes to its end");
    assert!(lines[1..].iter().all(|line| line.get("joint").is_some() != (line["terminal"] == true)));
}

#[test]
fn a_match_that_gets_stuck_says_who() {
    let folder = Folder::new();
    let sheet =
        folder.write("stuck.kif", COUNTER.replace("(true (at ?n)) (succ ?n ?m))\n(<= (next", "(true (at 0)))\n(<= (next"));
    let trace = ludens(&["trace", &sheet, "--matches", "1"]).expect(0).stdout;
    let last: serde_json::Value = serde_json::from_str(trace.lines().last().expect("lines")).expect("JSON");
    assert_eq!((&last["stuck"], &last["step"], last.get("joint")), (&"r".into(), &1.into(), None));
}

#[test]
fn bench_has_the_keys_that_scripts_use() {
    let bench = || ludens(&["bench", "tic_tac_toe", "--seconds", "0.05", "--json", "--seed", "3"]).expect(0).json();
    let report = bench();
    let result = &report["results"][0];
    assert_eq!((&result["game"], &result["engine"], &result["lanes"]), (&"tic_tac_toe".into(), &"relational".into(), &1.into()));
    for key in ["playouts_per_cpu_second", "states_per_cpu_second", "setup_cpu_seconds", "mean_plies"] {
        assert!(result[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {result}");
    }
    assert!(result.get("peak_bytes").is_some());
    assert_eq!(result["signature"], bench()["results"][0]["signature"], "the signature does not depend on speed");
    let mean = result["mean_plies"].as_f64().expect("a number");
    assert!((7.0..8.3).contains(&mean), "random tic-tac-toe takes 7.63 plies on average, not {mean}");
}

#[test]
fn bench_ends_where_no_move_is_ever_played() {
    let folder = Folder::new();
    for (name, sheet) in
        [("over.kif", COUNTER.replace("(init (at 0))", "(init (at 3))")), ("stuck.kif", COUNTER.replace("(succ 0 1) ", ""))]
    {
        let sheet = folder.write(name, sheet);
        let report = ludens_in_time(&["bench", &sheet, "--seconds", "0.01", "--json"]).expect(0).json();
        assert_eq!(report["results"][0]["mean_plies"], 0.0, "{name}: {report}");
    }
}

#[test]
fn bench_without_a_name_takes_the_library() {
    let report = ludens(&["bench", "--all", "--seconds", "0.01", "--json"]).expect(0).json();
    let folders = std::fs::read_dir(root().join("games")).expect("the library").count();
    assert_eq!(report["results"].as_array().map(Vec::len), Some(folders));
}

#[test]
fn bench_measures_the_others_where_a_game_fails() {
    let folder = Folder::new();
    let bad = folder.write("bad.kif", "(role r)");
    let args = ["bench", &bad, "no_such.kif", "tic_tac_toe", "--seconds", "0.01"];
    let run = ludens(&args).expect(2).complains("error: 2 of 3 games could not be measured");
    assert!(run.stdout.contains("tic_tac_toe  relational"), "{}", run.stdout);
    assert!(run.stdout.contains("no_such.kif: error: cannot read `no_such.kif`"), "{}", run.stdout);

    let report = ludens(&[&args[..], &["--json"]].concat()).expect(2).json();
    assert_eq!(report["results"][0]["game"], bad);
    assert!(report["results"][0]["error"].as_str().is_some_and(|error| error.contains("not a valid rule sheet")), "{report}");
    assert!(report["results"][1]["error"].as_str().is_some_and(|error| error.contains("cannot read")), "{report}");
    assert_eq!((&report["results"][2]["game"], report["results"][2].get("error")), (&"tic_tac_toe".into(), None));
}

#[test]
fn completions_are_printed() {
    assert!(ludens(&["completions", "bash"]).expect(0).stdout.contains("complete -F"));
}

#[test]
fn a_closed_stdout_ends_the_job_quietly() {
    let args = ["trace", "tic_tac_toe", "--matches", "100000"];
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut start = [0; 16];
    // Taking the pipe out and dropping it closes it.
    child.stdout.take().expect("a pipe").read_exact(&mut start).expect("a header");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(Run::new(&output).expect(0).stderr, "");
}

#[test]
fn ctrl_c_loses_nothing() {
    let run = interrupted(&["bench", "tic_tac_toe", "tic_tac_toe", "--seconds", "600"]);
    assert!(run.stdout.contains("tic_tac_toe  relational") && run.stdout.ends_with("interrupted\n"), "{}", run.stdout);
    let run = interrupted(&["bench", "no_such.kif", "tic_tac_toe", "tic_tac_toe", "--separate", "--seconds", "600"]);
    assert!(run.stdout.contains("no_such.kif: error:") && run.stdout.ends_with("interrupted\n"), "{}", run.stdout);
    let run = interrupted(&["check", "tic_tac_toe", "--play", "1000000000"]);
    assert!(run.stdout.contains("random matches") && run.stdout.ends_with("interrupted\n"), "{}", run.stdout);

    // Three players with eight switches each: 2^24 joint moves at a time, so that no depth beyond the first is ever counted through.
    let folder = Folder::new();
    let sheet = "(role a) (role b) (role c) (bit 0) (bit 1)
(<= (legal ?r (set ?a ?b ?c ?d ?e ?f ?g ?h))
    (role ?r) (bit ?a) (bit ?b) (bit ?c) (bit ?d) (bit ?e) (bit ?f) (bit ?g) (bit ?h))
(<= (next (was ?r ?m)) (does ?r ?m))
(init start)
(<= terminal (true over))
(<= (goal ?r 0) (role ?r))";
    folder.write("facts.txt", "turns nothing 1\nperft 16777216 1 1");
    let sheet = folder.write("switches.kif", sheet);
    let run = interrupted(&["check", &sheet, "--facts"]);
    assert!(run.stdout.contains("line 1: no fluent of `nothing` holds"), "{}", run.stdout);
    assert!(run.stdout.ends_with("1 known fact checked, 2 failed\ninterrupted\n"), "{}", run.stdout);
    let run = interrupted(&["perft", &sheet, "--depth", "3"]);
    assert!(run.stdout.contains("depth 1: 16777216\n"), "{}", run.stdout);
    assert!(run.stdout.ends_with("interrupted: these counts are too low\n"), "{}", run.stdout);
}

#[test]
fn quiet_says_nothing_but_the_result() {
    let folder = Folder::new();
    let endless = folder.write("endless.kif", COUNTER.replace("(succ 2 3)", "(succ 2 0)"));
    let bench =
        |more: &[&str]| ludens(&[&["bench", &endless, "--seconds", "0.01", "--max-plies", "10"], more].concat()).expect(0);
    assert!(bench(&[]).stderr.contains("had no end"));
    assert_eq!(bench(&["--quiet"]).stderr, "");
}

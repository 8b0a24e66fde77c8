//! `ludens show`: stages as text, as JSON, as a graph.

use crate::support::{COUNTER, Folder, ludens, ludens_in_time};
use std::fmt::Write as _;

#[test]
fn every_stage_is_shown() {
    for (stage, needle) in [
        ("syntax", "(<= (legal ?player noop)"),
        ("rules", "(init (control x))"),
        ("strata", "being_marked"),
        ("plans", "terminal"),
        ("atoms", "(<= (line ?player)"),
        ("net", "terminal = "),
        ("phases", "fluents that always hold (1): (control x)"),
        ("layout", "phase 2 of 2"),
        ("board", "1  . . .\n2  . . .\n3  . . .\n   1 2 3\ncontrol: x\n"),
    ] {
        let run = ludens(&["show", "tic_tac_toe", "--stage", stage]).expect(0);
        assert!(run.stdout.contains(needle), "{stage}:\n{}", run.stdout);
    }
}

#[test]
fn a_board_is_found_where_nobody_has_described_it() {
    let folder = Folder::new();
    let printed = ludens(&["show", "connect_four", "--stage", "syntax"]).expect(0).stdout;
    let sheet = folder.write("own.kif", &printed);
    let drawn = ludens(&["show", &sheet, "--stage", "board"]).expect(0).stdout;
    assert!(drawn.starts_with("6  . . . . . . .\n") && drawn.contains("\n   1 2 3 4 5 6 7\n"), "{drawn}");
    let sheet = folder.write("counter.kif", COUNTER);
    assert_eq!(ludens(&["show", &sheet, "--stage", "board"]).expect(0).stdout, "at: 0\n");
    let hostile = COUNTER.replace("(at ", "(a\u{1b}[2Jt ");
    let sheet = folder.write("hostile.kif", hostile);
    assert_eq!(ludens(&["show", &sheet, "--stage", "board"]).expect(0).stdout, "a\\u{1b}[2Jt: 0\n");
}

#[test]
fn what_a_stage_cannot_be_printed_as_is_refused() {
    ludens(&["show", "tic_tac_toe", "--stage", "rules", "--dot"]).expect(2).complains("--dot is for the stages");
    ludens(&["show", "tic_tac_toe", "--stage", "net", "--json"]).expect(2).complains("--json is for the stages");
    ludens(&["show", "tic_tac_toe", "--stage", "phases", "--json", "--dot"]).expect(2).complains("cannot be used with");
}

#[test]
fn growth_is_told_pass_by_pass_and_rule_by_rule() {
    let report = ludens(&["show", "tic_tac_toe", "--stage", "atoms", "--json"]).expect(0).json();
    let names: Vec<&str> = report["passes"].as_array().expect("a list").iter().filter_map(|pass| pass["name"].as_str()).collect();
    let expected = "read translate statics shapes unique project demand spread instances names build prune share phases";
    assert_eq!(names.join(" "), expected);
    assert!(report["passes"].as_array().expect("a list").iter().all(|pass| pass["cpu_seconds"].as_f64().is_some()));
    let at = names.iter().position(|name| *name == "instances").expect("a pass");
    let instances = &report["passes"][at]["grounder"];
    let sum = |key: &str| report["rules"].as_array().expect("a list").iter().filter_map(|rule| rule[key].as_u64()).sum::<u64>();
    for key in ["instances", "conditions", "atoms"] {
        assert_eq!(instances[key].as_u64(), Some(sum(key)), "{key} add up");
    }
    // Indexes look at rows, too.
    assert!(instances["rows"].as_u64().is_some_and(|rows| rows > sum("rows")) && sum("rows") > 0);
    let fluents = report["relations"].as_array().expect("a list").iter().find(|relation| relation["relation"] == "true/1");
    assert_eq!(fluents.expect("fluents")["atoms"], 29);
    assert_eq!(report["error"], serde_json::Value::Null);
}

#[test]
fn growth_is_shown_as_far_as_it_went() {
    let folder = Folder::new();
    let mut text = format!("{COUNTER}(<= (next (tuple ?a ?b ?c ?d)) (digit ?a) (digit ?b) (digit ?c) (digit ?d))\n");
    for digit in 0..60 {
        let _ = writeln!(text, "(digit {digit})");
    }
    let sheet = folder.write("large.kif", text);
    let run = ludens_in_time(&["show", &sheet, "--stage", "atoms"]).expect(2);
    assert!(run.stdout.contains("spread (not to its end)"), "{}", run.stdout);
    let largest = run.stdout.lines().skip_while(|line| !line.ends_with("rule")).nth(1).expect("a rule");
    assert!(largest.contains("(<= (next (tuple ?a ?b ?c ?d))"), "{}", run.stdout);
    let run = run.complains("error: large cannot be grounded: the ").complains("most of it is due to `(<= (next (tuple ?a");
    assert!(run.stderr.lines().count() == 1, "{}", run.stderr);
    let report = ludens_in_time(&["show", &sheet, "--stage", "atoms", "--json"]).expect(2).json();
    assert_eq!(report["passes"].as_array().and_then(|passes| passes.last()).map(|pass| &pass["complete"]), Some(&false.into()));
    assert!(report["error"].as_str().is_some_and(|error| error.contains("limit")), "{report}");
}

#[test]
fn phases_and_layouts_have_the_keys_that_scripts_use() {
    let report = ludens(&["show", "tic_tac_toe", "--stage", "phases", "--json"]).expect(0).json();
    assert_eq!(report["phases"].as_array().map(Vec::len), Some(2));
    assert_eq!(report["phases"][1]["always"], serde_json::json!(["(control o)"]));
    assert_eq!(report["phases"][1]["always_legal"], serde_json::json!(["x noop"]));
    assert_eq!(report["phases"][0]["never_legal"].as_array().map(Vec::len), Some(10));

    let layout = ludens(&["show", "tic_tac_toe", "--stage", "layout", "--json"]).expect(0).json();
    assert_eq!(layout["layouts"].as_array().map(Vec::len), Some(3));
    // The layout has every gate of the network of its phase.
    for phase in 0..2 {
        let programs = layout["layouts"][phase + 1]["programs"].as_array().expect("programs");
        for (key, of_net) in [("gates", "gates"), ("inputs", "fan_in")] {
            let sum: u64 = programs.iter().filter_map(|program| program[key].as_u64()).sum();
            assert_eq!(Some(sum), report["phases"][phase][of_net].as_u64(), "{key} of phase {phase}");
        }
    }
}

/// The statements of a graph, texts in quotes replaced by `_`: what is left is the graph's own.
fn skeleton(dot: &str) -> Vec<String> {
    let mut plain = String::new();
    let mut characters = dot.chars();
    while let Some(character) = characters.next() {
        if character != '"' {
            plain.push(character);
            continue;
        }
        plain.push('_');
        loop {
            match characters.next().expect("quotes are closed") {
                '"' => break,
                '\\' => assert!(matches!(characters.next(), Some('"' | '\\')), "an escape of ours"),
                inside => assert!(!inside.is_control(), "{inside:?} inside quotes"),
            }
        }
    }
    plain.lines().map(|line| line.trim().to_owned()).collect()
}

#[test]
fn a_network_is_a_graph_whatever_names_are_in_it() {
    let folder = Folder::new();
    let hostile = COUNTER.replace("r go", "r x\"]evil->y[a=\"\\").replace("(at ", "(a\\\"t\u{7} ");
    let sheet = folder.write("hostile.kif", hostile);
    for (game, stage) in [("tic_tac_toe", "net"), ("tic_tac_toe", "phases"), ("hex", "net"), (sheet.as_str(), "net")] {
        let dot = ludens(&["show", game, "--stage", stage, "--dot"]).expect(0).stdout;
        let lines = skeleton(&dot);
        assert!(lines[0] == "digraph net {" && lines.last().is_some_and(|line| line == "}"), "{dot}");
        let depth = |line: &String| i32::from(line.ends_with('{')) - i32::from(line == "}");
        assert_eq!(lines.iter().map(depth).sum::<i32>(), 0);
        let known = |line: &&String| {
            let name = |word: &str| word.starts_with('n') && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let plain = line.trim_end_matches(';').split(" [").next().unwrap_or_default();
            let frame = ["digraph net {", "}", "rankdir=LR", "label=_", "node"].contains(&plain);
            frame || plain.starts_with("subgraph cluster") || plain.split(" -> ").all(name)
        };
        assert_eq!(lines.iter().filter(|line| !known(line)).collect::<Vec<_>>(), Vec::<&String>::new());
        assert!(dot.contains("evil") == (game == sheet));
    }
}

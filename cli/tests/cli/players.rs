//! `ludens players`, and the examples of all commands in which somebody thinks.

use crate::support::{Folder, command, ludens};
use std::process::{Command, Stdio};

#[test]
fn the_language_is_documented() {
    let run = ludens(&["players"]).expect(0);
    for needle in ["uct: ", "  c=0..10 ", "grave=on|off", "depth=1..250|off", "eval=goal|null|playouts", "(default 0.35)"] {
        assert!(run.stdout.contains(needle), "`{needle}` is not in\n{}", run.stdout);
    }
    assert!(run.stdout.lines().all(|line| line.chars().count() <= 101), "{}", run.stdout);
}

#[test]
fn players_have_the_keys_that_scripts_use() {
    let report = ludens(&["players", "--json"]).expect(0).json();
    let players = report["players"].as_array().expect("a list");
    let uct = players.iter().find(|player| player["name"] == "uct").expect("uct");
    let option =
        |name: &str| uct["options"].as_array().expect("a list").iter().find(|option| option["name"] == name).expect("an option");
    assert_eq!((&option("c")["kind"], &option("c")["range"]), (&"number".into(), &serde_json::json!([0.0, 10.0])));
    assert_eq!(option("final")["choices"], serde_json::json!(["visits", "value"]));
    assert_eq!(option("leaves")["default"], 64);
    assert!(uct["about"].is_string() && option("c")["about"].is_string());
}

/// A line of the help as arguments; quotes hold blanks together.
fn words(line: &str) -> Vec<String> {
    let pieces = line.trim().split('"').enumerate();
    let split = |(index, piece): (usize, &str)| -> Vec<String> {
        if index % 2 == 1 { vec![piece.to_owned()] } else { piece.split_whitespace().map(str::to_owned).collect() }
    };
    pieces.flat_map(split).skip(1).collect()
}

#[test]
fn the_examples_of_the_help_can_be_run() {
    let folder = Folder::new();
    for name in ["players", "search", "match", "play", "arena"] {
        let help = ludens(&[name, "--help"]).expect(0).stdout;
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  ludens ")).collect();
        assert!(examples.len() >= 2, "{help}");
        for example in examples {
            let words = words(example);
            let mut run = Command::new(command(&[]).get_program());
            run.args(&words).current_dir(folder.path("")).stdin(Stdio::null());
            let output = run.output().expect("the binary runs");
            assert!(output.status.success(), "{example}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

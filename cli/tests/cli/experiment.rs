//! `ludens experiment`: the document, going on after a break, complaints.

use crate::support::{Folder, command, ludens};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

const ENGINES: [&str; 8] = [
    "SWI-Prolog",
    "relational",
    "relational, table",
    "relational, memo",
    "relational, memo, table",
    "emitted plans (Rust)",
    "emitted network (Rust)",
    "lanes",
];

#[test]
fn waugh_has_every_engine_beside_the_paper() {
    let folder = Folder::new();
    let out = folder.path("results");
    let run = ludens(&["experiment", "waugh", "--scale", "test", "--seed", "3", "--out", &out]).expect(0);
    let text = std::fs::read_to_string(folder.path("results/waugh.md")).expect("the document");
    assert_eq!(run.stdout, text);
    let command = format!("`ludens experiment waugh --scale test --seed 3 --out {out}`");
    for part in [
        command.as_str(),
        "| seed         | 3 ",
        "## Table 1: states per move",
        "## Table 2: simulations per move",
        "839,772",
        "134,932",
    ] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    for engine in ENGINES {
        let rows = text.lines().filter(|line| line.split('|').nth(1).is_some_and(|cell| cell.trim() == engine)).count();
        assert_eq!(rows, 2, "{engine} has a line in both tables:\n{text}");
    }
    let lanes: Vec<&str> = text.lines().filter(|line| line.starts_with("| lanes ")).collect();
    assert!(lanes.iter().all(|line| !line.contains("| - ")), "{lanes:?}");
    assert!(text.lines().filter(|line| line.starts_with("- **")).count() >= 8, "a line for every claim:\n{text}");
    for plot in ["states", "simulations"] {
        let name = format!("waugh-{plot}-tic_tac_toe.svg");
        assert!(text.contains(&format!("]({name})")));
        let svg = std::fs::read_to_string(folder.path(&format!("results/{name}"))).expect("the plot");
        assert!(svg.starts_with("<svg") && svg.contains("emitted plans (Rust)") != text.contains("rustc is not installed"));
    }
    let left: Vec<_> = std::fs::read_dir(&out).expect("the folder").map(|entry| entry.expect("an entry").file_name()).collect();
    assert_eq!(left.len(), 3, "nothing else is left there: {left:?}");
}

#[test]
fn a_run_that_was_broken_off_goes_on() {
    let folder = Folder::new();
    let args = ["experiment", "waugh", "--scale", "test", "--out", &folder.path("")];
    let kept = folder.path("waugh.partial.json");
    let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    let measured = || std::fs::read(&kept).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
    let count = |kept: &Value| kept["measured"].as_object().map_or(0, serde_json::Map::len);
    while measured().is_none_or(|kept| count(&kept) < 2) {
        assert!(Instant::now() < deadline && child.try_wait().expect("a child of ours").is_none(), "it is measured step by step");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("a child of ours");
    child.wait().expect("it has ended");
    let before = measured().expect("a whole file, whenever it was killed");
    assert!(!std::path::Path::new(&folder.path("waugh.md")).exists());
    // What is kept is what the document will have.
    let mut marked = before.clone();
    let name = marked["measured"]
        .as_object()
        .expect("measurements")
        .keys()
        .find(|name| name.starts_with("tic_tac_toe ") && !name.contains("match"))
        .cloned();
    let name = name.expect("a measurement of an engine");
    for count in marked["measured"][&name]["Ok"].as_array_mut().expect("counts") {
        (count["states"], count["cpu"]) = (7_000_000_000_000_000_u64.into(), 5.0.into());
    }
    std::fs::write(&kept, marked.to_string()).expect("written");
    let run = ludens(&args).expect(0).complains("goes on: ");
    // One of two matches, so half of it.
    assert!(run.stdout.contains("3,500,000,0"), "{}", run.stdout);
    assert!(!std::path::Path::new(&kept).exists());
    // Another seed is another experiment.
    folder.write("waugh.partial.json", before.to_string());
    let other = ludens(&[&args[..], &["--seed", "9"]].concat()).expect(0).complains("it begins anew");
    assert!(!other.stdout.contains("3,500,000,0"));
}

#[test]
fn waledzik_goes_on_and_has_every_figure() {
    let folder = Folder::new();
    let args = ["experiment", "waledzik", "--scale", "test", "--seed", "5", "--out", &folder.path("")];
    let kept = folder.path("waledzik.partial.json");
    let mut child = command(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the binary runs");
    let deadline = Instant::now() + Duration::from_secs(60);
    while !std::path::Path::new(&kept).exists() {
        assert!(Instant::now() < deadline && child.try_wait().expect("a child of ours").is_none(), "it is kept step by step");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("a child of ours");
    child.wait().expect("it has ended");
    assert!(!std::path::Path::new(&folder.path("waledzik.md")).exists());
    let run = ludens(&args).expect(0).complains("goes on: ");
    assert!(!std::path::Path::new(&kept).exists());
    let text = std::fs::read_to_string(folder.path("waledzik.md")).expect("the document");
    assert_eq!(run.stdout, text);
    for part in [
        "## Figure 4: GUCT against UCT",
        "## Figure 5: MTD(f) against UCT of one thread",
        "## Figure 6: MTD(f) against UCT of many threads",
        "## Figure 7: MTD(f) against GUCT of one thread",
        "## Figure 8: MTD(f) against GUCT of many threads",
        "## Table I: GUCT against GUCT with the null heuristic",
        "56 ± 8, 39 ± 12, 36 ± 10",
        "](waledzik-4-lanes.svg)",
        "`uct:c=0.35,history=0,urgency=0,decisive=off,practice=off,leaves=1,playouts=1,fill=off`",
    ] {
        assert!(text.contains(part), "`{part}` is not in:\n{text}");
    }
    // Two games: for the paper's player two budgets in six figures and twice more on lanes, for ours one in each and once more on lanes, shown in two figures.
    let rows = |player: &str| {
        text.lines()
            .filter(|line| line.split('|').nth(3).is_some_and(|cell| cell.trim() == player) && line.contains(" nodes "))
            .count()
    };
    assert_eq!([rows("GUCT"), rows("MTD(f)"), rows("`guct` (ours)"), rows("`auto` (ours)")], [16, 20, 16, 16], "{text}");
    assert!(text.contains("(Ours to reach) `auto` (ours) beats UCT in every game."));
    let svg = std::fs::read_to_string(folder.path("waledzik-8-one-by-one.svg")).expect("the plot");
    assert!(svg.starts_with("<svg") && svg.contains("Connect5"));
    // The matches are there to be looked at; a new run is a new measurement.
    let count = |text: &str| text.lines().count();
    let listed = ludens(&["replay", &folder.path("waledzik.sqlite")]).expect(0).stdout;
    let again = ludens(&args).expect(0);
    assert!(!again.stderr.contains("from the store") && !again.stderr.contains("goes on"), "{}", again.stderr);
    assert_eq!(count(&again.stdout), count(&text));
    assert_eq!(count(&ludens(&["replay", &folder.path("waledzik.sqlite")]).expect(0).stdout), count(&listed));
}

#[test]
fn what_cannot_be_is_said() {
    let fails = |args: &[&str], needle: &str| drop(ludens(&[&["experiment"], args].concat()).expect(2).complains(needle));
    fails(&[], "<NAME>");
    fails(&["waug"], "waugh");
    fails(&["waugh", "--scale", "huge"], "quick, paper");
    fails(&["waugh", "--seed", "x"], "--seed");
    let folder = Folder::new();
    let file = folder.write("file", "text");
    fails(&["waugh", "--scale", "test", "--out", &file], "cannot write");
}

/// The cells of a table's line, by what stands in its first ones.
fn line<'t>(text: &'t str, first: &[&str]) -> Vec<&'t str> {
    let cells = |line: &'t str| line.split('|').skip(1).map(str::trim).collect::<Vec<_>>();
    let found = text.lines().filter(|line| line.starts_with('|')).map(cells).find(|cells| cells.starts_with(first));
    found.unwrap_or_else(|| panic!("no line with {first:?} in:\n{text}"))
}

/// Every claim has one of the four outcomes.
fn outcomes(text: &str) -> Vec<&str> {
    let outcome =
        |line: &'_ str| line.strip_prefix("- **").and_then(|rest| rest.split_once("**:")).map(|(outcome, _)| outcome.len());
    let found: Vec<&str> = text.lines().filter_map(|line| Some(&line[4..4 + outcome(line)?])).collect();
    let known = ["reproduced", "surpassed", "not reproduced", "not decided at this scale"];
    assert!(found.iter().all(|outcome| known.contains(outcome)), "{found:?}");
    found
}

#[test]
fn clune_has_models_and_scores_beside_the_paper() {
    let folder = Folder::new();
    let args = ["experiment", "clune", "--scale", "test", "--out", &folder.path("")];
    let text = ludens(&args).expect(0).stdout;
    // The payoff is what the rules say, whatever the sample: the difference of the distances, and of the pieces.
    for (game, feature, paper) in [("Racetrack Corridor", "distance", "10.000"), ("Cylinder Checkers", "total", "10.000")] {
        let cells = line(&text, &[game, "payoff", feature, paper]);
        assert!(cells[4].parse::<f64>().is_err(), "an interval: {cells:?}");
        let weight: f64 = cells[4].split(' ').next().expect("a number").parse().expect("a number");
        assert!(weight > 0.0 && cells[5] == "100%", "{cells:?}");
    }
    for (game, scores) in [("Racetrack Corridor", "100 : 10"), ("Cylinder Checkers", "59 : 41")] {
        for series in ["the model, equal CPU time", "the model, equal positions", "learned, equal CPU time"] {
            let cells = line(&text, &[game, series]);
            assert_eq!((cells[2], cells[5]), ("2", scores), "{cells:?}");
        }
    }
    let found = outcomes(&text);
    assert!(found.len() >= 13 && found.contains(&"reproduced"), "{found:?}");
    assert!(text.contains("- **reproduced**: Cylinder Checkers: payoff is the difference of all pieces."), "{text}");
    for name in ["clune.md", "clune.sqlite", "clune-scores.svg"] {
        assert!(std::path::Path::new(&folder.path(name)).exists(), "{name}");
    }
    assert!(!std::path::Path::new(&folder.path("clune.partial.json")).exists());
    // Two matches of each of three series in two games, all with their records.
    let listed = ludens(&["replay", &folder.path("clune.sqlite")]).expect(0).stdout;
    assert!(listed.contains("racetrack_corridor") && listed.contains("cylinder_checkers"), "{listed}");
}

#[test]
fn mandziuk_has_both_units_and_all_clocks_beside_the_paper() {
    let folder = Folder::new();
    let args = ["experiment", "mandziuk", "--scale", "test", "--seed", "2", "--out", &folder.path("")];
    let text = ludens(&args).expect(0).stdout;
    let unit = line(&text, &["Tic-Tac-Toe"]);
    let [own, relational]: [f64; 2] = [unit[1], unit[2]].map(|number| number.parse().expect("microseconds"));
    assert!(own > 0.0 && relational > 0.0, "{unit:?}");
    // Half of the cells of a line with the clocks are the paper's.
    let published = ["55-25", "30-33", "44-46", "24-58"];
    let lines: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| Tic-Tac-Toe "))
        .map(|line| line.split('|').skip(1).map(str::trim).collect::<Vec<_>>())
        .filter(|cells| cells.len() > 8)
        .collect();
    assert_eq!(lines.len(), 4, "the Heuristic Player and ours by both units:\n{text}");
    for cells in &lines {
        assert_eq!([cells[2], cells[4], cells[6], cells[8]], published);
        for ours in [cells[1], cells[3], cells[5], cells[7]] {
            let (wins, rest) = ours.split_once('-').expect("wins and losses");
            let losses = rest.split(' ').next().expect("a number");
            let [wins, losses]: [u32; 2] = [wins, losses].map(|number| number.parse().expect("percent"));
            assert!(wins + losses <= 100, "{cells:?}");
        }
    }
    assert_eq!(outcomes(&text).len(), 5, "{text}");
    for name in ["mandziuk.md", "mandziuk.sqlite", "mandziuk-own.svg", "mandziuk-relational.svg", "mandziuk-tic_tac_toe.svg"] {
        assert!(std::path::Path::new(&folder.path(name)).exists(), "{name}");
    }
}

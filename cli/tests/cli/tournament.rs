//! `ludens tournament`: plans, the store, kills, several processes, players elsewhere.

use crate::manage::Listening;
use crate::support::{Folder, command, ludens, ludens_in_time};
use serde_json::Value;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

const PLAN: &str = "
title = 'A small one'
games = ['tic_tac_toe', 'connect_four']
players = ['mc', { name = 'twice', player = 'mc', times = 2 }, 'random']
pairs = 3
seed = 5
threads = 2
budgets = [{ simulations = 60 }, { simulations = 120 }]
";

/// What does not depend on when it was played.
fn result(report: &Value) -> Value {
    let keys = ["players", "budgets", "games", "overall", "elo", "ratings", "failed", "forfeits", "left"];
    let mut rest: Vec<Value> = keys.iter().map(|key| report[key].clone()).collect();
    for duel in report["duels"].as_array().expect("a list") {
        let games = duel["games"].as_array().expect("a list");
        rest.extend(
            games.iter().flat_map(|game| ["score", "wins", "interval", "p_holm", "mean_plies"].map(|key| game[key].clone())),
        );
    }
    rest.into()
}

/// How many matches a store has, at this moment.
fn kept(store: &str) -> usize {
    let run = ludens(&["replay", store, "--json"]);
    if run.code == 0 { run.json().as_array().map_or(0, Vec::len) } else { 0 }
}

#[test]
fn a_plan_is_played_and_reported() {
    let folder = Folder::new();
    let plan = folder.write("plan.toml", PLAN);
    let report = ludens(&["tournament", &plan, "--json"]).expect(0).json();
    assert_eq!(report["players"], serde_json::json!(["mc", "twice", "random"]));
    assert_eq!(report["budgets"], serde_json::json!(["60 simulations", "120 simulations"]));
    // Three meetings, two budgets, two games, three pairs.
    assert_eq!(report["duels"].as_array().map(Vec::len), Some(6));
    let matches: u64 = report["games"].as_array().expect("a list").iter().filter_map(|game| game["matches"].as_u64()).sum();
    assert_eq!((matches, kept(&folder.path("plan.sqlite"))), (72, 72));
    assert!(report["ratings"][2]["elo"].as_f64().is_some_and(|elo| elo < 0.0), "random is the worst");
    // The store knows it all: nothing is played again, and the report is the same.
    let again = ludens(&["tournament", &plan, "--json"]).expect(0).complains("72 matches from the store");
    assert_eq!(result(&again.json()), result(&report));
    let text = ludens(&["tournament", &plan]).expect(0).stdout;
    assert!(text.starts_with("A small one\n") && text.contains("twice") && text.contains("Elo"), "{text}");
}

#[test]
fn a_tournament_that_is_killed_goes_on_to_the_same_table() {
    let (folder, other) = (Folder::new(), Folder::new());
    let whole = result(&ludens(&["tournament", &other.write("plan.toml", PLAN), "--json"]).expect(0).json());
    let plan = folder.write("plan.toml", PLAN);
    let store = folder.path("plan.sqlite");
    for kills in 1..=3 {
        let mut child = command(&["tournament", &plan, "--quiet"]).stdout(Stdio::null()).spawn().expect("the binary runs");
        // In the middle of some match, with more in the store every time.
        let deadline = Instant::now() + Duration::from_secs(60);
        while kept(&store) < 10 * kills && child.try_wait().expect("a child").is_none() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(2));
        }
        child.kill().expect("a child of ours");
        child.wait().expect("it has ended");
    }
    let before = kept(&store);
    let report = ludens_in_time(&["tournament", &plan, "--json"]).expect(0).json();
    assert!(before >= 10, "something was kept: {before}");
    assert_eq!((result(&report), kept(&store)), (whole, 72));
}

#[test]
fn several_processes_share_a_store() {
    let folder = Folder::new();
    let plan = folder.write("plan.toml", PLAN);
    let start = || command(&["tournament", &plan, "--json", "--quiet"]).stdout(Stdio::piped()).spawn().expect("the binary runs");
    let children: Vec<_> = (0..3).map(|_| start()).collect();
    let reports: Vec<Value> = children
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().expect("it ends");
            assert!(output.status.success());
            serde_json::from_slice(&output.stdout).expect("JSON")
        })
        .collect();
    assert_eq!(result(&reports[0]), result(&reports[1]));
    assert_eq!(result(&reports[0]), result(&reports[2]));
    assert_eq!(kept(&folder.path("plan.sqlite")), 72, "every match once");
}

#[test]
fn players_elsewhere_take_part_by_clocks() {
    let folder = Folder::new();
    let player = Listening::new();
    let url = player.url();
    let text = format!(
        "games = ['tic_tac_toe']\nplayers = [{{ name = 'far', player = '{url}' }}, 'random', 'http://127.0.0.1:1']\n
         pairing = 'gauntlet'\npairs = 1\nopening = 2\nbudgets = [{{ clocks = [2, 1] }}]"
    );
    let plan = folder.write("plan.toml", text);
    let report = ludens(&["tournament", &plan, "--json"]).expect(0).json();
    assert_eq!(report["games"][0]["matches"], 4);
    // Nobody listens at the second address: its first move is a fault, and its matches are lost.
    let forfeits = report["forfeits"].as_array().expect("a list");
    assert_eq!(forfeits.len(), 2, "{report}");
    assert!(forfeits.iter().all(|line| line["player"] == "http://127.0.0.1:1" && line["kind"] == "crash"), "{report}");
    assert_eq!(report["duels"][1]["games"][0]["score"], serde_json::json!([1.0, 0.0]));
    let all = ludens(&["replay", &folder.path("plan.sqlite"), "--json"]).expect(0).json();
    assert_eq!(all[0]["opening"].as_array().map(Vec::len), Some(2));
    let id = all[0]["id"].as_str().expect("a name");
    ludens(&["replay", &folder.path("plan.sqlite"), "--match", id]).expect(0).says("a legal match of");
}

#[test]
fn what_is_wrong_with_a_plan_is_said() {
    let folder = Folder::new();
    let fails = |text: &str, complaint: &str| {
        let plan = folder.write("bad.toml", text);
        ludens(&["tournament", &plan]).expect(2).complains("bad.toml").complains(complaint);
    };
    fails("games = [", "line 1");
    fails("games = ['hex']\nplayers = ['uct']", "at least two");
    fails("games = ['hex']\nplayers = ['uct', 'mk']", "mk");
    fails("games = ['hex']\nplayers = ['uct', 'mc']\nbudgets = [{ cpu = 0 }]", "budget 1");
    let plan = folder.write("plan.toml", "games = ['hexx']\nplayers = ['uct', 'mc']");
    ludens(&["tournament", &plan]).expect(2).complains("did you mean `hex`?");
    ludens(&["tournament", &folder.path("none.toml")]).expect(2).complains("cannot read the plan");
}

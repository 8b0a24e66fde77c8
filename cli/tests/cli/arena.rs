//! `ludens arena`: scores, repeatability, the store.

use crate::support::{COUNTER, Folder, interrupted, ludens};
use serde_json::Value;

const BASE: [&str; 9] =
    ["arena", "--games", "tic_tac_toe,connect_four", "--players", "mc,random", "--pairs", "3", "--simulations", "200"];

fn arena<'a>(more: &[&'a str]) -> Vec<&'a str> {
    BASE.iter().chain(more).copied().collect()
}

/// What does not depend on how fast the computer is.
fn result(report: &Value) -> Vec<String> {
    let keys = ["name", "matches", "score", "wins", "draws", "losses", "interval", "mean_plies"];
    let games = report["games"].as_array().expect("a list");
    games
        .iter()
        .flat_map(|game| keys.iter().map(move |key| game[key].to_string()))
        .chain([report["overall"].to_string()])
        .collect()
}

#[test]
fn reports_have_the_keys_that_scripts_use() {
    let report = ludens(&arena(&["--json"])).expect(0).json();
    let games = report["games"].as_array().expect("a list");
    assert_eq!(
        games.iter().map(|game| game["name"].as_str().unwrap_or_default()).collect::<Vec<_>>(),
        ["tic_tac_toe", "connect_four"]
    );
    for game in games {
        let number = |key: &str| game[key].as_u64().expect("a number");
        assert_eq!((number("matches"), number("wins") + number("draws") + number("losses")), (6, 6));
        let [first, second, low, high] = [&game["score"][0], &game["score"][1], &game["interval"][0], &game["interval"][1]]
            .map(|value| value.as_f64().expect("a number"));
        assert!((first + second - 1.0).abs() < 1e-9 && low <= first && first <= high, "{game}");
    }
    assert!(report["overall"][0].as_f64().is_some_and(|score| score > 0.5), "{report}");
    assert!(report["elo"].as_f64().is_some_and(|elo| elo > 0.0) && report["failed"].as_array().is_some_and(Vec::is_empty));
    assert_eq!(report["players"], serde_json::json!(["mc", "random"]));
}

#[test]
fn the_same_seed_gives_the_same_matches_on_any_number_of_threads() {
    let run = |more: &[&str]| result(&ludens(&arena(&[more, &["--json", "--quiet"]].concat())).expect(0).json());
    let one = run(&["--threads", "1"]);
    assert_eq!(one, run(&["--threads", "3"]));
    assert_ne!(one, run(&["--threads", "1", "--seed", "2"]));
}

#[test]
fn matches_end_when_it_is_clear_who_is_better() {
    let sprt = |players: &str, claims: &str, threads: &str| {
        let games = ["arena", "--games", "tic_tac_toe,connect_four", "--players", players, "--simulations", "100"];
        let more = ["--pairs", "200", "--threads", threads, "--json", "--sprt", claims];
        ludens(&[&games[..], &more].concat())
    };
    let better = sprt("mc,random", "0,100", "2").expect(0).json();
    assert_eq!(better["sprt"]["decision"], "better");
    let pairs = better["sprt"]["pairs"].as_u64().expect("a number");
    let matches: u64 = better["games"].as_array().expect("a list").iter().filter_map(|game| game["matches"].as_u64()).sum();
    assert!((2..100).contains(&pairs) && matches == 2 * pairs, "{pairs} pairs, {matches} matches");
    assert_eq!(result(&better), result(&sprt("mc,random", "0,100", "1").expect(0).json()), "on any number of threads");
    let worse = sprt("random,mc", "0,100", "2").expect(1).json();
    assert_eq!(worse["sprt"]["decision"], "not better");
    for (claims, complaint) in [("5", "two numbers"), ("9,3", "the second must be more"), ("0,x", "points of a rating")] {
        sprt("mc,random", claims, "1").expect(2).complains(complaint);
    }
}

#[test]
fn games_of_any_number_of_roles_are_played() {
    let args =
        ["arena", "--games", "chinese_checkers_3,eight_puzzle,wallmaze", "--players", "random,first", "--pairs", "3", "--json"];
    let report = ludens(&args).expect(0).json();
    for game in report["games"].as_array().expect("a list") {
        assert_eq!(game["matches"], 6, "{game}");
        assert!(game["score"].as_array().expect("two").iter().all(Value::is_number), "{game}");
    }
}

/// All matches of a store, as JSON.
fn matches(store: &str) -> Vec<Value> {
    ludens(&["replay", store, "--json"]).expect(0).json().as_array().expect("a list").clone()
}

#[test]
fn what_the_store_has_is_not_played_again() {
    let folder = Folder::new();
    let store = folder.path("matches.sqlite");
    let run = |pairs: &str| {
        let base = ["arena", "--games", "tic_tac_toe", "--players", "mc,random", "--simulations", "100", "--json"];
        ludens(&[&base[..], &["--pairs", pairs, "--store", &store]].concat())
    };
    run("2").expect(0);
    assert_eq!(matches(&store).len(), 4);
    let report = run("4").expect(0).complains("4 matches from the store").json();
    let all = matches(&store);
    assert_eq!((report["games"][0]["matches"].as_u64(), all.len()), (Some(8), 8));
    let again = run("4").expect(0);
    assert_eq!((result(&again.json()), matches(&store)), (result(&report), all.clone()));
    for key in ["game", "players", "seats", "opening", "points", "plies", "seed", "pair"] {
        assert!(all[0].get(key).is_some(), "{key}");
    }
    // Every match is there with its record, which is that of a legal match.
    let id = all[3]["id"].as_str().expect("a name");
    ludens(&["replay", &store, "--match", id]).expect(0).says("a legal match of");
    ludens(&["replay", &store]).expect(0).says(id).says("8 matches");
    ludens(&["replay", &store, "--match", "nobody"]).expect(2).complains("has no match nobody");
    // A file that is something else is not touched.
    let diary = folder.write(
        "diary.txt",
        "Dear diary, today I wrote nothing that anybody could take for a database, whatever they say. ".repeat(9),
    );
    let args = ["arena", "--games", "tic_tac_toe", "--players", "mc,random", "--store", &diary];
    ludens(&args).expect(2).complains("is not a store of matches");
    assert!(std::fs::read_to_string(&diary).expect("a diary").starts_with("Dear diary"));
}

#[test]
fn openings_are_shared_by_a_pair() {
    let folder = Folder::new();
    let store = folder.path("matches.sqlite");
    let base = ["arena", "--games", "connect_four", "--players", "random,first", "--pairs", "3", "--opening", "6"];
    ludens(&[&base[..], &["--store", &store]].concat()).expect(0);
    let mut matches = matches(&store);
    matches.sort_by_key(|played| (played["pair"].as_u64(), played["second"].as_bool()));
    for pair in matches.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"]);
        assert_eq!(pair[0]["opening"].as_array().map(Vec::len), Some(6));
        assert_ne!(pair[0]["seats"], pair[1]["seats"]);
    }
    assert_ne!(matches[0]["opening"], matches[2]["opening"]);
}

#[test]
fn more_than_two_players_are_rated() {
    let base = ["arena", "--games", "tic_tac_toe", "--players", "uct,mc,random", "--pairs", "4", "--simulations", "50", "--json"];
    let report = ludens(&base).expect(0).json();
    assert_eq!(report["duels"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        (report["games"][0]["matches"].as_u64(), report["games"][0]["score"].as_array().map(Vec::len)),
        (Some(24), Some(3))
    );
    let elo = |player: usize| report["ratings"][player]["elo"].as_f64().expect("a number");
    assert!(elo(0) > elo(2) && elo(1) > elo(2), "{report}");
    let gauntlet = ludens(&[&base[..], &["--pairing", "gauntlet"]].concat()).expect(0).json();
    assert_eq!(gauntlet["duels"].as_array().map(Vec::len), Some(2));
    ludens(&[&base[..], &["--sprt", "0,50"]].concat()).expect(2).complains("--sprt decides between two players, not 3");
}

#[test]
fn a_match_that_fails_is_reported_and_the_others_count() {
    let folder = Folder::new();
    let endless = folder.write("endless.kif", COUNTER.replace("(succ 2 3)", "(succ 2 0)"));
    let games = format!("{endless},tic_tac_toe");
    let args = ["arena", "--games", &games, "--players", "random,first", "--pairs", "2", "--max-plies", "50", "--json"];
    let run = ludens(&args).expect(2).complains("4 of 8 matches failed");
    let report = run.json();
    assert_eq!((report["failed"].as_array().map(Vec::len), &report["failed"][0]["game"]), (Some(4), &"endless".into()));
    assert!(report["failed"][0]["error"].as_str().is_some_and(|error| error.contains("no end after 50 joint moves")));
    assert_eq!(report["games"][1]["matches"], 4);
    assert!(report["games"][0]["score"][0].is_null());
}

#[test]
fn what_is_wrong_is_said_before_anything_is_played() {
    let fails = |args: &[&str], needle: &str| drop(ludens(&[&["arena"], args].concat()).expect(2).complains(needle));
    fails(&["--games", "tic_tac_toe"], "--players");
    fails(&["--games", "tic_tac_toe", "--players", "uct"], "--players takes two players or more, not 1");
    fails(&["--games", "tic_tac_toe", "--players", "uct:grave=on,c=1,mc,mc"], "`mc` is there twice");
    fails(&["--games", "tic_tac_toe,tic_tac_tow", "--players", "mc,first"], "did you mean `tic_tac_toe`?");
    fails(&["--games", "tic_tac_toe,tic_tac_toe", "--players", "mc,first"], "tic_tac_toe is there twice");
    fails(&["--games", "tic_tac_toe", "--players", "mc,puzzle"], "tic_tac_toe: puzzle cannot play this game");
    fails(&["--games", "tic_tac_toe", "--players", "mc,first", "--pairs", "0"], "0 is not in 1..");
    fails(
        &["--games", "tic_tac_toe", "--players", "mc,first", "--store", "/no/such/folder/file"],
        "cannot use the store `/no/such/folder/file`",
    );
}

#[test]
fn ctrl_c_prints_the_score_so_far() {
    let run = interrupted(&["arena", "--games", "tic_tac_toe", "--players", "random,first", "--pairs", "1000000"]);
    assert!(run.stdout.contains("tic_tac_toe") && run.stdout.ends_with("interrupted\n"), "{}", run.stdout);
}

//! `ludens match`: one match as a story and as a record.

use crate::support::{COUNTER, Folder, interrupted, ludens, ludens_fed};

#[test]
fn a_match_is_told_move_by_move() {
    let run = ludens(&["match", "tic_tac_toe", "--players", "random,first", "--seed", "7"]).expect(0);
    assert!(run.stdout.starts_with("tic_tac_toe: x is random, o is first\n\n1  . . .\n"), "{}", run.stdout);
    assert!(run.stdout.contains("\n2. o: (mark ") && run.stdout.contains("control: o\n"), "{}", run.stdout);
    let result = run.stdout.lines().last().expect("a result");
    assert!(result.starts_with("after ") && result.contains("x (random) ") && result.contains("o (first) "), "{result}");
    assert_eq!(run.stdout, ludens(&["match", "tic_tac_toe", "--players", "random,first", "--seed", "7"]).expect(0).stdout);
}

#[test]
fn a_record_has_the_keys_of_ggp_hosts() {
    let args = ["match", "tic_tac_toe", "--players", "mc", "--simulations", "200", "--start-cpu", "0.01", "--json"];
    let record = ludens(&args).expect(0).json();
    let length = |key: &str| record[key].as_array().expect("a list").len();
    assert_eq!(
        (length("states"), length("stateTimes"), length("errors")),
        (length("moves") + 1, length("states"), length("states"))
    );
    assert_eq!(length("x-thoughts"), length("moves"));
    assert_eq!(length("goalValues"), 2);
    assert_eq!(record["randomToken"].as_str().map(str::len), Some(32));
    assert_eq!(record["isCompleted"], true);
    assert_eq!((&record["previewClock"], &record["startClock"], &record["scrambled"]), (&(-1).into(), &1.into(), &false.into()));
    assert_eq!(record["playerNamesFromHost"], serde_json::json!(["mc", "mc"]));
    assert!(
        record["states"][0]
            .as_str()
            .is_some_and(|state| state.starts_with("( ( cell 1 1 empty ) ") && state.ends_with(" ( control x ) )"))
    );
    assert!(record["moves"][0][0].as_str().is_some_and(|text| text.starts_with("( mark ")) && record["moves"][0][1] == "noop");
    assert!(record["x-thoughts"][0][0]["simulations"].is_u64() && record["x-thoughts"][0][1].is_null());
    let times: Vec<u64> = record["stateTimes"].as_array().expect("a list").iter().filter_map(serde_json::Value::as_u64).collect();
    assert!(times.is_sorted());
}

#[test]
fn any_number_of_roles_can_play_and_all_at_once() {
    for (game, roles) in [("chinese_checkers_3", 3), ("wallmaze", 2), ("rock_paper_scissors", 2), ("eight_puzzle", 1)] {
        let record = ludens(&["match", game, "--players", "random", "--json"]).expect(0).json();
        assert_eq!(record["goalValues"].as_array().map(Vec::len), Some(roles), "{game}");
    }
    let told = ludens(&["match", "rock_paper_scissors", "--players", "random,first"]).expect(0).stdout;
    let movers = told.lines().filter(|line| line.starts_with("1. ")).count();
    assert_eq!(movers, 2, "both are told of:\n{told}");
}

#[test]
fn without_players_auto_plays_and_explains() {
    let args = ["match", "breakthrough", "--start-cpu", "1", "--nodes", "300", "--quiet"];
    let run = ludens(&args).expect(0);
    assert_eq!(run.stderr, "");
    let told: Vec<&str> = run.stdout.lines().collect();
    // With little time it may find none.
    let choice = told.iter().find(|line| line.starts_with("auto plays as ")).expect("a choice");
    assert!(told[0].starts_with("learned: ") || choice.contains("finds no function"), "{}", run.stdout);
    assert!(run.stdout.contains("breakthrough: white is auto, black is uct"), "{}", run.stdout);
    let result = told.last().expect("a result");
    assert!(result.starts_with("after ") && result.contains("white (auto) ") && result.contains("black (uct) "), "{result}");
}

#[test]
fn moves_are_commented_on_by_a_function() {
    let args = ["match", "breakthrough", "--players", "one-ply:eval=guided,random", "--nodes", "50"];
    let run = ludens(&args).expect(0);
    let comments: Vec<&str> = run.stdout.lines().filter(|line| line.starts_with("   guided: ")).collect();
    assert!(
        comments.iter().any(|line| line.contains(" for white (")) && comments.iter().any(|line| line.contains(" for black ("))
    );
    // Every move changes something that is counted.
    assert!(comments.iter().any(|line| line.contains(" in row ")), "{comments:?}");
    assert_eq!(ludens(&[&args[..], &["--json"]].concat()).expect(0).json()["isCompleted"], true);
}

#[test]
fn who_plays_better_wins() {
    let args = ["match", "connect_four", "--players", "uct,first", "--simulations", "500", "--quiet"];
    assert!(ludens(&args).expect(0).stdout.ends_with("red (uct) 100, yellow (first) 0\n"));
}

#[test]
fn a_person_can_take_a_seat() {
    let args = ["match", "tic_tac_toe", "--players", "first,human"];
    let run = ludens_fed(&args, "help\nmark 2 2\nmark 9\nmark 2 3\nmark 3 3\n").expect(0);
    assert!(run.stdout.starts_with("tic_tac_toe: x is first, o is human\n"), "{}", run.stdout);
    assert!(
        run.stdout.contains("2. o: (mark 2 2)\n") && run.stdout.contains("`mark 9` is no move of yours here"),
        "{}",
        run.stdout
    );
    let run = ludens_fed(&args, "").expect(0);
    assert!(run.stdout.ends_with("o> \nThe match is left before its end.\n"), "{}", run.stdout);
    ludens(&["match", "tic_tac_toe", "--players", "human", "--json"])
        .expect(2)
        .complains("--json is for matches without a person");
}

#[test]
fn what_is_wrong_is_said() {
    ludens(&["match", "tic_tac_toe", "--players", ""]).expect(2).complains("a player is missing");
    let run = ludens(&["match", "tic_tac_toe", "--players", "first,first,first"]).expect(2);
    run.complains("3 players for 2 roles of tic_tac_toe (x, o): give one for each, or one for all");
    ludens(&["match", "tic_tac_toe", "--players", "puzzle"])
        .expect(2)
        .complains("puzzle cannot be x: puzzle cannot play this game");
    let folder = Folder::new();
    let endless = folder.write("endless.kif", COUNTER.replace("(succ 2 3)", "(succ 2 0)"));
    let run = ludens(&["match", &endless, "--players", "random", "--max-plies", "20", "--json"]).expect(2);
    assert_eq!((&run.json()["isAborted"], &run.json()["isCompleted"]), (&true.into(), &false.into()));
    run.complains("the match has no end: no end after 20 joint moves");
    let stuck = folder
        .write("stuck.kif", COUNTER.replace("(<= (legal r go) (true (at ?n)) (succ ?n ?m))", "(<= (legal r go) (true (at 0)))"));
    ludens(&["match", &stuck, "--players", "first"]).expect(2).complains("r has no legal move, and the match is not over");
}

#[test]
fn ctrl_c_ends_a_match_in_good_order() {
    let run = interrupted(&["match", "tic_tac_toe", "--players", "mc", "--seconds", "600", "--json"]);
    assert_eq!((&run.json()["isAborted"], &run.json()["x-unfinished"]), (&true.into(), &"interrupted".into()));
}

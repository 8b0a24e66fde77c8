//! `ludens manage` and `ludens replay`: matches with players elsewhere, killed and taken up again, and records that lie.

use crate::support::{COUNTER, Folder, Run, command, ludens, ludens_fed};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// A player that answers as a function tells it.
fn player(says: impl Fn(&str) -> String + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
    let address = listener.local_addr().expect("an address");
    let says = Arc::new(says);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let says = Arc::clone(&says);
            thread::spawn(move || serve(stream, &*says));
        }
    });
    address
}

fn serve(mut stream: TcpStream, says: &dyn Fn(&str) -> String) -> Option<()> {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    let message = loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length: usize = head.lines().find_map(|line| line.strip_prefix("Content-Length: "))?.parse().ok()?;
            if body.len() >= length {
                break body.to_owned();
            }
        }
        let read = stream.read(&mut buffer).ok().filter(|&read| read > 0)?;
        text += std::str::from_utf8(&buffer[..read]).ok()?;
    };
    let reply = says(&message);
    let head = format!("HTTP/1.0 200 OK\r\nContent-length: {}\r\n\r\n", reply.len());
    stream.write_all((head + &reply).as_bytes()).ok()
}

/// The only file of a folder that is a record.
fn record_in(folder: &Folder) -> PathBuf {
    let files = fs::read_dir(folder.path("")).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|ending| ending == "json")).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.remove(0)
}

fn json(file: &PathBuf) -> Value {
    serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON")
}

/// A record without what depends on the clock.
fn timeless(mut record: Value) -> Value {
    let keys = record.as_object_mut().expect("an object");
    for key in ["matchId", "randomToken", "startTime", "stateTimes", "x-latencies", "x-thoughts"] {
        keys.remove(key).unwrap_or_else(|| panic!("there is {key}"));
    }
    record
}

const CLOCKS: [&str; 4] = ["--start-clock", "10", "--play-clock", "10"];

#[test]
fn a_match_in_this_process_is_recorded_and_can_be_replayed() {
    let folder = Folder::new();
    let out = folder.path("");
    let args = [&["manage", "tic_tac_toe", "--players", "random,first", "--seed", "3", "--out", &out], &CLOCKS[..]].concat();
    let run = ludens(&args).expect(0);
    assert!(
        run.stdout.starts_with("after ") && run.stdout.contains("x (random) ") && run.stdout.contains("o (first) "),
        "{run:?}"
    );
    assert!(run.stderr.contains("x is random, o is first") && run.stderr.contains("1. x: ( mark "), "{run:?}");
    let file = record_in(&folder);
    let record = json(&file);
    assert!(record["errors"].as_array().unwrap().iter().all(|errors| *errors == serde_json::json!(["", ""])), "{record}");
    assert_eq!(record["playerNamesFromHost"], serde_json::json!(["random", "first"]));
    assert!(record["x-sheet"].as_str().is_some_and(|sheet| sheet.contains("(role x)")));
    let file = file.to_str().unwrap();
    let run = ludens(&["replay", file]).expect(0);
    assert!(run.stdout.contains("control: o\n") && run.stdout.contains("a legal match of "), "{}", run.stdout);
    assert_eq!(ludens(&["replay", file, "--quiet"]).expect(0).stdout.lines().count(), 1);
    let found = ludens(&["replay", file, "--json"]).expect(0).json();
    assert_eq!((&found["legal"], &found["faults"], &found["points"]), (&true.into(), &0.into(), &record["goalValues"]));
}

#[test]
fn players_elsewhere_and_hidden_names() {
    // Says whatever was legal in the beginning, under names that it cannot know.
    let deaf = player(|_| "noop".to_owned());
    let players = format!("http://{deaf},random");
    let args = [&["manage", "tic_tac_toe", "--players", &players, "--scramble", "--json", "--quiet"], &CLOCKS[..]].concat();
    let run = ludens(&args).expect(0);
    assert_eq!(run.stderr, "");
    let record = run.json();
    assert_eq!((&record["scrambled"], &record["isCompleted"]), (&true.into(), &true.into()));
    assert!(record["errors"].as_array().unwrap()[1..].iter().all(|errors| errors[0] == "IL noop" && errors[1] == ""), "{record}");
    assert!(record["moves"][0][0].as_str().is_some_and(|text| text.starts_with("( mark ")));
    // Without other names the second half of its moves is right.
    let plain = ludens(&[&["manage", "tic_tac_toe", "--players", &players, "--json"], &CLOCKS[..]].concat()).expect(0);
    assert_eq!((&plain.json()["errors"][1][0], &plain.json()["errors"][2][0]), (&"IL noop".into(), &"".into()));
}

#[test]
fn who_is_called_random_is_chance_and_needs_no_player() {
    let folder = Folder::new();
    let dice = COUNTER.replace("(role r)", "(role r) (role random) (legal random head) (legal random tail) (goal random 0)");
    let sheet = folder.write("dice.kif", dice);
    let heard = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&heard);
    let url = player(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        "go".to_owned()
    })
    .to_string();
    for players in [url.clone(), format!("{url},random")] {
        let record = ludens(&["manage", &sheet, "--players", &players, "--json"]).expect(0).json();
        assert_eq!((&record["moves"][0][0], &record["goalValues"]), (&"go".into(), &serde_json::json!([100, 0])));
        assert_eq!(record["playerNamesFromHost"], serde_json::json!([url, "random"]));
    }
    assert_eq!(heard.load(Ordering::Relaxed), 2 * (1 + 3 + 1), "START, three times PLAY and STOP, for one role");
    ludens(&["manage", &sheet, "--players", &format!("{url},{url}")]).expect(2).complains("is played by chance");
}

#[test]
fn a_person_can_sit_at_the_table() {
    let run = ludens_fed(&["manage", "tic_tac_toe", "--players", "random,human", "--seed", "2"], "1\n1\n1\n1\n").expect(0);
    assert!(run.stdout.contains("o> ") && run.stdout.lines().last().is_some_and(|line| line.contains("o (human) ")), "{run:?}");
    let run = ludens_fed(&["manage", "tic_tac_toe", "--players", "random,human"], "").expect(0);
    assert!(run.stdout.ends_with("The match is left before its end.\n"), "{run:?}");
}

#[test]
fn what_is_wrong_is_said() {
    for (players, said) in [
        ("http://127.0.0.1:99999,random", "`http://127.0.0.1:99999` is no address of a player"),
        ("ftp://127.0.0.1,random", "`ftp://127.0.0.1` is no address of a player"),
        ("nobody,random", "nobody"),
        ("random,random,random", "3 players for 2 roles of tic_tac_toe (x, o): give one for each, or one for all"),
    ] {
        ludens(&["manage", "tic_tac_toe", "--players", players]).expect(2).complains(said);
    }
    ludens(&["manage", "tic_tac_toe"]).expect(2).complains("--players");
    let folder = Folder::new();
    let endless = folder.write("endless.kif", COUNTER.replace("(succ 2 3)", "(succ 2 0)"));
    let run = ludens(&["manage", &endless, "--players", "random", "--max-plies", "5", "--json"]).expect(2);
    assert_eq!((&run.json()["isAborted"], &run.json()["moves"].as_array().map(Vec::len)), (&true.into(), &Some(5)));
    run.complains("the match has no end: no end after 5 joint moves");
    let file = folder.write("out", "a file");
    ludens(&["manage", "tic_tac_toe", "--players", "random", "--out", &file]).expect(2).complains("cannot make the folder");
}

/// Says moves by what was played before, so that it says the same whenever it is asked the same.
fn steady(message: &str) -> String {
    if !message.starts_with("( PLAY") {
        return "ready".to_owned();
    }
    // Some cell; where it is taken, that is illegal, and chance from the seed moves instead.
    let sum = message.split_once("NIL").map_or_else(|| message.split_once(" (").map_or("", |(_, moves)| moves), |_| "NIL");
    let sum: usize = sum.bytes().map(usize::from).sum();
    format!("( mark {} {} )", sum % 3 + 1, sum / 3 % 3 + 1)
}

#[test]
fn a_killed_manager_leaves_a_record_that_goes_on() {
    let (sender, receiver) = mpsc::channel();
    let (hold, held) = (Arc::new(AtomicUsize::new(usize::MAX)), Arc::new(AtomicUsize::new(0)));
    let (limit, count) = (Arc::clone(&hold), Arc::clone(&held));
    let address = player(move |message| {
        if message.starts_with("( PLAY") && count.fetch_add(1, Ordering::Relaxed) == limit.load(Ordering::Relaxed) {
            // The manager is killed now, and waits for this answer.
            sender.send(()).expect("somebody waits");
            thread::sleep(Duration::from_secs(30));
        }
        steady(message)
    });
    let players = format!("{address},random");
    let start = |folder: &Folder| {
        let out = folder.path("");
        command(&[
            "manage",
            "tic_tac_toe",
            "--players",
            &players,
            "--seed",
            "5",
            "--out",
            &out,
            "--start-clock",
            "20",
            "--play-clock",
            "25",
        ])
    };
    let whole = Folder::new();
    Run::new(&start(&whole).output().expect("it runs")).expect(0);
    let whole = json(&record_in(&whole));
    let moves = whole["moves"].as_array().unwrap().len();
    assert!(moves >= 5);
    for killed_at in [0, 1, 3] {
        let folder = Folder::new();
        held.store(0, Ordering::Relaxed);
        hold.store(killed_at, Ordering::Relaxed);
        let mut child = start(&folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        receiver.recv_timeout(Duration::from_secs(60)).expect("it comes that far");
        child.kill().expect("a child of ours");
        child.wait().expect("it is dead");
        hold.store(usize::MAX, Ordering::Relaxed);
        let file = record_in(&folder);
        let left = file.to_str().unwrap();
        assert_eq!(json(&file)["moves"].as_array().map(Vec::len), Some(killed_at));
        let replayed = ludens(&["replay", left, "--quiet"]).expect(0);
        assert!(replayed.stdout.contains("not at its end"), "{}", replayed.stdout);
        ludens(&["manage", "--resume", left]).expect(0);
        assert_eq!(timeless(json(&file)), timeless(whole.clone()), "killed at move {killed_at}");
        ludens(&["replay", left]).expect(0);
        // Once more changes nothing.
        assert!(ludens(&["manage", "--resume", left]).expect(0).complains("is over already").stdout.starts_with("after "));
    }
}

#[test]
fn records_of_others_go_on_where_that_makes_sense() {
    let folder = Folder::new();
    let made = ludens(&["match", "tic_tac_toe", "--players", "random,random", "--simulations", "1", "--json"]).expect(0).json();
    // The first two moves of it, without what only we note.
    let mut begun = made.clone();
    for (key, length) in [("states", 3), ("stateTimes", 3), ("moves", 2)] {
        begun[key].as_array_mut().expect("a list").truncate(length);
    }
    let object = begun.as_object_mut().expect("an object");
    for key in ["x-thoughts", "goalValues"] {
        object.remove(key);
    }
    object.insert("isCompleted".to_owned(), false.into());
    object.insert("errors".to_owned(), Value::Array(vec![serde_json::json!(["", ""]); 3]));
    let write = |name: &str, record: &Value| folder.write(name, record.to_string());
    ludens(&["manage", "--resume", &write("clocks.json", &begun)]).expect(2).complains("it has no clocks");
    for (key, clock) in [("startClock", 5), ("playClock", 5)] {
        begun[key] = clock.into();
    }
    let file = write("begun.json", &begun);
    ludens(&["manage", "--resume", &file]).expect(0);
    ludens(&["replay", &file, "--quiet"]).expect(0);
    let whole = json(&PathBuf::from(&file));
    assert_eq!(&whole["moves"].as_array().expect("a list")[..2], &begun["moves"].as_array().expect("a list")[..]);
    assert_eq!(whole["x-latencies"].as_array().map(Vec::len), whole["moves"].as_array().map(Vec::len));
    begun["matchId"] = "two words".into();
    ludens(&["manage", "--resume", &write("id.json", &begun)]).expect(2).complains("`matchId` is not a word");
    begun["matchId"] = "word".into();
    begun["startClock"] = u64::MAX.into();
    ludens(&["manage", "--resume", &write("long.json", &begun)]).expect(2).complains("it has no clocks");
}

#[test]
fn a_player_elsewhere_has_one_role() {
    let address = player(|_| "busy".to_owned());
    for players in [format!("{address}"), format!("{address},{address}")] {
        ludens(&["manage", "tic_tac_toe", "--players", &players]).expect(2).complains("is there twice");
    }
    let folder = Folder::new();
    let args = ["manage", "tic_tac_toe", "--players", "human,random", "--json", "--out", &folder.path("")];
    ludens(&args).expect(2).complains("--json is for matches without a person");
    assert_eq!(fs::read_dir(folder.path("")).expect("a folder").count(), 0, "nothing is left behind");
}

/// What is changed in a record.
type Change = Box<dyn Fn(&mut Value)>;

/// Changes of a right record of tic-tac-toe with so many joint moves, and what is said about each.
fn lies(last: usize) -> Vec<(Change, &'static str)> {
    vec![
        (Box::new(|record| record["moves"][1] = record["moves"][0].clone()), "`moves[1]`: `( mark"),
        (Box::new(|record| record["moves"][2][1] = "( mark 9 9 )".into()), "`moves[2]`: `( mark 9 9 )` is not legal for o"),
        (Box::new(|record| record["moves"][0][0] = "((".into()), "`moves[0]`: `((` is not legal for x"),
        (Box::new(|record| record["states"][1] = record["states"][0].clone()), "`states[1]` has `(c"),
        (Box::new(|record| record["states"][2] = "( )".into()), "`states[2]` lacks `(cell 1 1 "),
        (Box::new(|record| record["states"][2] = "nothing".into()), "`states[2]` is no list"),
        (Box::new(|record| record["goalValues"] = serde_json::json!([7, 7])), "`goalValues` is [7, 7], and the points are "),
        (Box::new(|record| record["goalValues"] = Value::Null), "`goalValues` is missing"),
        (Box::new(|record| record["isAborted"] = true.into()), "cannot both be true"),
        (Box::new(|record| record["stateTimes"][1] = 0.into()), "`stateTimes[1]` is before `stateTimes[0]`"),
        (Box::new(|record| drop(record["errors"].as_array_mut().unwrap().pop())), "`errors` has "),
        (Box::new(|record| drop(record["states"].as_array_mut().unwrap().pop())), "so `states` must have "),
        (Box::new(|record| drop(record["moves"][1].as_array_mut().unwrap().pop())), "`moves[1]` has 1 entries and must have 2"),
        (Box::new(|record| record["x-sheet"] = COUNTER.into()), "`x-sheet` is not the sheet that `x-sha256` names"),
        (
            Box::new(move |record| {
                for key in ["states", "stateTimes", "errors"] {
                    record[key].as_array_mut().unwrap().truncate(last);
                }
                for key in ["moves", "x-thoughts"] {
                    record[key].as_array_mut().unwrap().truncate(last - 1);
                }
            }),
            "is not terminal",
        ),
        (
            Box::new(|record| {
                for key in ["states", "moves", "stateTimes", "errors", "x-thoughts"] {
                    let list = record[key].as_array_mut().unwrap();
                    list.push(list[list.len() - 1].clone());
                }
            }),
            "comes after the end",
        ),
    ]
}

#[test]
fn records_that_lie_are_found_out() {
    let folder = Folder::new();
    let honest = ludens(&["match", "tic_tac_toe", "--players", "random", "--seed", "4", "--json"]).expect(0).json();
    let replay = |record: &Value, args: &[&str]| {
        let file = folder.write("record.json", record.to_string());
        ludens(&[&["replay", &file, "--quiet"], args].concat())
    };
    assert!(replay(&honest, &[]).expect(0).stdout.starts_with("a legal match of "));
    let last = honest["states"].as_array().unwrap().len() - 1;
    for (change, said) in lies(last) {
        let mut record = honest.clone();
        change(&mut record);
        let run = replay(&record, &[]).expect(1);
        assert!(
            run.stdout.contains("is not the record of a legal match: ") && run.stdout.contains(said),
            "{said}: {}",
            run.stdout
        );
        assert_eq!(replay(&record, &["--json"]).expect(1).json()["legal"], false);
    }
    for (key, value) in [("states", Value::Null), ("moves", "a b".into()), ("isCompleted", 1.into()), ("stateTimes", (-1).into())]
    {
        let mut record = honest.clone();
        record[key] = value;
        replay(&record, &[]).expect(2).complains("is not the record of a match: ").complains("at line ");
    }
    ludens(&["replay", &folder.write("text.json", "{")]).expect(2).complains("is not the record of a match");
    ludens(&["replay", &folder.path("missing.json")]).expect(2).complains("missing.json");
}

#[test]
fn the_rules_of_a_record_may_come_from_elsewhere() {
    let folder = Folder::new();
    let mut record = ludens(&["match", "nim", "--players", "random", "--json"]).expect(0).json();
    record.as_object_mut().unwrap().remove("x-sheet");
    let named = folder.write("named.json", record.to_string());
    ludens(&["replay", &named]).expect(0);
    record["x-sha256"] = "0".repeat(64).into();
    let other = folder.write("other.json", record.to_string());
    ludens(&["replay", &other]).expect(2).complains("give the game with --game");
    ludens(&["replay", &other, "--game", "nim"]).expect(0);
    ludens(&["replay", &other, "--game", "tic_tac_toe"]).expect(1);
    record["x-game"] = "nobody_knows".into();
    ludens(&["replay", &folder.write("strange.json", record.to_string())]).expect(2).complains("has no rules");
}

/// A `ludens player` on a port of its own, ended with the test.
pub(crate) struct Listening(Child, String);

impl Listening {
    pub(crate) fn new() -> Listening {
        let args = ["player", "--port", "0", "--player", "uct", "--quiet"];
        let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("it runs");
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).to_owned();
        Listening(child, address)
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.1)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn our_players_play_under_our_manager() {
    let (one, other) = (Listening::new(), Listening::new());
    let players = format!("http://{},{}", one.1, other.1);
    let folder = Folder::new();
    let args = [
        "manage",
        "tic_tac_toe",
        "--players",
        &players,
        "--scramble",
        "--start-clock",
        "4",
        "--play-clock",
        "3",
        "--out",
        &folder.path(""),
    ];
    ludens(&args).expect(0);
    let file = record_in(&folder);
    let record = json(&file);
    assert!(
        record["errors"].as_array().unwrap().iter().flat_map(|errors| errors.as_array().unwrap()).all(|error| error == ""),
        "{record}"
    );
    assert!(record["x-latencies"][0][0].is_f64());
    ludens(&["replay", file.to_str().unwrap(), "--quiet"]).expect(0);
}

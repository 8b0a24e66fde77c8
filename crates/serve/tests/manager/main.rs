//! The manager against players that nobody here wrote: match after match comes to its end, and the record says what was wrong.

mod scripted;

use ludens_gdl::{Limits, Rules, read};
use ludens_machine::{Machine, MoveId, RoleId, State, relational};
use ludens_serve::client::Address;
use ludens_serve::manager::{Audience, Manager, Outcome, Plan, Seat, rules_text};
use ludens_serve::record::{Opening, sha256_hex, verify};
use ludens_serve::{Message, Record, Scramble};
use scripted::Scripted;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Two players name a letter each, all at once, twice; the first one wins.
const SHEET: &str = "\
(role Left) (role right) (init (step 0))
(letter a) (letter b) (letter c)
(succ 0 1) (succ 1 2)
(<= (legal ?r ?l) (role ?r) (letter ?l))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (said ?r ?l)) (does ?r ?l))
(<= terminal (true (step 2)))
(goal Left 100) (goal right 0)
";

struct Game {
    rules: Rules,
    text: String,
    machine: Machine,
}

impl Game {
    fn new(sheet: &str) -> Game {
        let reading = read(sheet, &Limits::default());
        let rules = reading.rules.expect("valid");
        let limits = ludens_machine::Limits::default();
        let machine = Machine::relational(&rules, &relational::Options::default(), &limits).expect("a machine");
        Game { rules, text: rules_text(&reading.syntax), machine }
    }

    fn record(&self, sheet: &str, scrambled: bool) -> Record {
        let players = vec!["somebody".to_owned(); self.machine.roles().len()];
        let opening = Opening {
            game: "letters".to_owned(),
            sheet: sheet.to_owned(),
            sha256: sha256_hex(sheet.as_bytes()),
            players,
            scrambled,
            ..Opening::default()
        };
        Record::new(&self.machine, opening)
    }

    fn plan(&self) -> Plan {
        let (start_clock, play_clock) = (Duration::from_secs(20), Duration::from_secs(20));
        Plan { rules: self.text.clone(), scramble: None, start_clock, play_clock, seed: 7, max_plies: 100, file: None }
    }

    fn run(&self, seats: Vec<Seat>, plan: Plan) -> (Outcome, Record) {
        let mut record = self.record(SHEET, plan.scramble.is_some());
        let stop = AtomicBool::new(false);
        let outcome = Manager::new(&self.machine, seats, plan, &stop).run(&mut record, &[], &mut Nobody).expect("no error");
        verify(&record, &self.machine, self.rules.case_sensitive, &mut |_| {}).expect("a legal match");
        (outcome, record)
    }
}

/// Watches nothing and sits nowhere.
struct Nobody;

impl Audience for Nobody {
    fn follow(&mut self, _: &Record, _: &State, _: &[RoleId]) {}

    fn choose(&mut self, _: RoleId, _: &[MoveId]) -> Option<MoveId> {
        None
    }
}

fn at(url: &str) -> Seat {
    Seat::Player(Arc::new(Address::find(url).expect("an address")))
}

/// Says `b` whenever it is asked for a move.
fn good() -> Scripted {
    Scripted::saying(|message| if message.starts_with("( PLAY") { "b".to_owned() } else { "ready".to_owned() })
}

#[test]
fn what_is_said_is_what_hosts_say() {
    let game = Game::new(SHEET);
    let (left, right) = (good(), good());
    let (outcome, record) = game.run(vec![at(&left.url()), at(&right.url())], game.plan());
    assert_eq!(outcome, Outcome::Over(vec![100, 0]));
    assert_eq!(record.moves, [["b", "b"], ["b", "b"]]);
    assert_eq!(record.errors, vec![vec![String::new(); 2]; 3]);
    assert!(record.latencies.iter().flatten().all(Option::is_some) && record.latencies.len() == 2);
    let id = &record.match_id;
    for (player, role) in [(&left, "Left"), (&right, "right")] {
        let heard = player.heard.lock().unwrap();
        let start = format!("( START {id} {role} ({}) 20 20 )", game.text);
        let rest = [format!("( PLAY {id} NIL )"), format!("( PLAY {id} (b b) )"), format!("( STOP {id} (b b) )")];
        assert_eq!(heard[..], [&[start][..], &rest].concat());
        assert!(heard.iter().all(|message| Message::parse(message).is_ok()));
    }
}

#[test]
fn bad_players_are_replaced_move_by_move() {
    let taken = Arc::new(AtomicU64::new(0));
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let head = "HTTP/1.0 200 OK\r\n\r\n";
    let claims = "HTTP/1.0 200 OK\r\nContent-Length: 1000000000\r\n\r\n";
    let cases: Vec<(&str, Option<Scripted>, &str, &str)> = vec![
        ("slow", Some(Scripted::new(scripted::slow)), "TO", "TO"),
        ("silent", Some(Scripted::new(scripted::silent)), "TO", "TO"),
        ("trickles", Some(Scripted::new(scripted::trickles)), "TO", "TO"),
        // What is said to START does not matter.
        ("illegal", Some(Scripted::new(scripted::illegal)), "", "IL ( fly  away )"),
        ("unreadable", Some(Scripted::new(scripted::unreadable)), "", "IL ((b"),
        ("garbage", Some(Scripted::new(scripted::garbage)), "CE", "CE"),
        ("closes early", Some(Scripted::new(scripted::closes_early)), "CE", "CE"),
        ("closes at once", Some(Scripted::new(scripted::closes_at_once)), "CE", "CE"),
        ("endless", Some(Scripted::new(scripted::endless(head, Arc::clone(&taken)))), "CE", "CE"),
        ("endless, and says so", Some(Scripted::new(scripted::endless(claims, Arc::clone(&taken)))), "CE", "CE"),
        ("endless head", Some(Scripted::new(scripted::endless("HTTP/1.0 200 OK\r\nA: ", Arc::clone(&taken)))), "CE", "CE"),
        ("not there", None, "CE", "CE"),
    ];
    let begun = Instant::now();
    thread::scope(|scope| {
        for (manner, player, at_start, at_play) in &cases {
            scope.spawn(move || {
                let game = Game::new(SHEET);
                let second = Duration::from_secs(1);
                let plan = Plan { start_clock: second, play_clock: second, ..game.plan() };
                let url = player.as_ref().map_or_else(|| closed.to_string(), Scripted::url);
                let (outcome, record) = game.run(vec![at(&url), at(&good().url())], plan);
                assert_eq!(outcome, Outcome::Over(vec![100, 0]), "{manner}");
                let errors: Vec<&str> = record.errors.iter().map(|errors| errors[0].as_str()).collect();
                assert_eq!(errors, [*at_start, *at_play, *at_play], "{manner}");
                assert!(record.errors.iter().all(|errors| errors[1].is_empty()), "{manner} does not hurt others: {record:?}");
                assert!(record.moves.iter().all(|joint| joint[1] == "b"), "{manner}");
                // From the seed, so the same for all who say nothing.
                let instead: Vec<&str> = record.moves.iter().map(|joint| joint[0].as_str()).collect();
                assert_eq!(instead, ["b", "a"], "{manner}");
            });
        }
    });
    // START, two moves and STOP take 6 seconds where all is waited for; the rest is for a busy machine.
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
    // Buffers on the way take some of it, but nobody takes gigabytes.
    assert!(taken.load(Ordering::Relaxed) < 256 << 20, "{} bytes were taken", taken.load(Ordering::Relaxed));
}

#[test]
fn all_are_asked_at_the_same_time() {
    let game = Game::new(SHEET);
    let asked = Arc::new((Mutex::new(0_usize), Condvar::new()));
    let player = || {
        let asked = Arc::clone(&asked);
        Scripted::saying(move |message| {
            if message.starts_with("( STOP") {
                return "done".to_owned();
            }
            // Answers when both have been asked the same, and not before.
            let (count, changed) = &*asked;
            let mut count = count.lock().unwrap();
            *count += 1;
            let both = count.div_ceil(2) * 2;
            changed.notify_all();
            let waited = changed.wait_timeout_while(count, Duration::from_secs(15), |count| *count < both).unwrap().1;
            if waited.timed_out() { "nobody".to_owned() } else { "a".to_owned() }
        })
    };
    let (left, right) = (player(), player());
    let (_, record) = game.run(vec![at(&left.url()), at(&right.url())], game.plan());
    assert_eq!(record.moves, [["a", "a"], ["a", "a"]]);
    assert_eq!(record.errors, vec![vec![String::new(); 2]; 3]);
}

#[test]
fn names_are_hidden_from_players_and_not_from_the_record() {
    let game = Game::new(SHEET);
    let scramble = Scramble::new(&game.text, 3);
    let b = scramble.hide("b");
    let shouts = Scripted::saying(move |_| b.to_uppercase());
    let knows = Scripted::saying(|_| "b".to_owned());
    let plan = Plan { scramble: Some(scramble), ..game.plan() };
    let (outcome, record) = game.run(vec![at(&shouts.url()), at(&knows.url())], plan);
    assert_eq!(outcome, Outcome::Over(vec![100, 0]));
    assert!(record.moves.iter().all(|joint| joint[0] == "b") && record.states[1].contains("( said Left b )"), "{record:?}");
    // Who has the old names from somewhere does not get away with it.
    assert!(record.errors[1..].iter().all(|errors| errors[0].is_empty() && errors[1] == "IL b"), "{:?}", record.errors);
    for message in shouts.heard.lock().unwrap().iter() {
        assert!(!message.contains("Left") && !message.contains("letter"), "{message}");
    }
}

#[test]
fn a_record_goes_on_from_any_move() {
    let game = Game::new(SHEET);
    // What it says depends on the moves before alone.
    let letter = |message: &str| ["a", "b", "c"][message.bytes().map(usize::from).sum::<usize>() % 3].to_owned();
    let (left, right) = (Scripted::saying(letter), Scripted::new(scripted::illegal));
    let seats = || vec![at(&left.url()), at(&right.url())];
    let (_, whole) = game.run(seats(), game.plan());
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("resumed.json");
    for moves in 0..=whole.moves.len() {
        let mut record = whole.clone();
        (record.is_completed, record.goal_values) = (false, None);
        record.moves.truncate(moves);
        record.thoughts.truncate(moves);
        record.latencies.truncate(moves);
        record.states.truncate(moves + 1);
        record.state_times.truncate(moves + 1);
        record.errors.truncate(moves + 1);
        let (known, _) = verify(&record, &game.machine, false, &mut |_| {}).expect("a beginning");
        let stop = AtomicBool::new(false);
        let plan = Plan { file: Some(file.clone()), ..game.plan() };
        let outcome = Manager::new(&game.machine, seats(), plan, &stop).run(&mut record, &known, &mut Nobody).expect("no error");
        assert_eq!(outcome, Outcome::Over(vec![100, 0]));
        let written = Record::parse(&std::fs::read_to_string(&file).expect("a file")).expect("a record");
        assert_eq!(written, record, "what is written is what is read");
        (record.latencies, record.state_times) = (whole.latencies.clone(), whole.state_times.clone());
        assert_eq!(record, whole, "from move {moves} on");
    }
}

#[test]
fn chance_needs_no_messages_and_who_stops_a_match_is_heard() {
    let sheet = SHEET.replace("(role right)", "(role random)").replace("(goal right 0)", "(goal random 0)");
    let game = Game::new(&sheet);
    let left = good();
    let (outcome, record) = game.run(vec![at(&left.url()), Seat::Chance], game.plan());
    assert_eq!(outcome, Outcome::Over(vec![100, 0]));
    assert!(record.errors.iter().flatten().all(String::is_empty) && record.latencies[0][1].is_none());
    assert!(left.heard.lock().unwrap()[2].ends_with(&format!("(b {}) )", record.moves[0][1])));

    let stop = Arc::new(AtomicBool::new(false));
    let sign = Arc::clone(&stop);
    let stopper = Scripted::new(move |message, stream| {
        if message.contains("ABORT") {
            return stream.write_all(b"HTTP/1.0 200 OK\r\n\r\naborted");
        }
        if message.contains("PLAY") {
            sign.store(true, Ordering::Relaxed);
            return scripted::silent(message, stream);
        }
        scripted::reply(stream, "ready")
    });
    let mut record = game.record(&sheet, false);
    let mut manager = Manager::new(&game.machine, vec![at(&stopper.url()), Seat::Chance], game.plan(), &stop);
    let outcome = manager.run(&mut record, &[], &mut Nobody).expect("no error");
    assert_eq!((outcome, record.is_aborted, record.moves.len()), (Outcome::Interrupted, true, 0));
    assert_eq!(stopper.heard.lock().unwrap().last(), Some(&format!("( ABORT {} )", record.match_id)));
}

#[test]
fn a_match_without_an_end_is_given_up() {
    let endless = SHEET.replace("(succ 1 2)", "(succ 1 0)");
    let game = Game::new(&endless);
    let plan = Plan { max_plies: 5, ..game.plan() };
    let mut record = game.record(&endless, false);
    let stop = AtomicBool::new(false);
    let outcome = Manager::new(&game.machine, vec![Seat::Chance, Seat::Chance], plan, &stop).run(&mut record, &[], &mut Nobody);
    assert_eq!(outcome.unwrap(), Outcome::Unfinished("no end after 5 joint moves".to_owned()));
    assert_eq!((record.moves.len(), record.is_aborted, record.is_completed), (5, true, false));
}

//! Matches in which something goes wrong, or takes too long.

use crate::support::{Host, Lines, reference, rules, setup, sheet};
use ludens_machine::Machine;
use ludens_search::{Search, Settings};
use ludens_serve::{Message, Reply, Session, Setup, Watcher};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

const SECOND: Duration = Duration::from_secs(1);
const LONG: Duration = Duration::from_secs(1000);

fn start(id: &str, role: &str, rules: &str, start_clock: Duration, play_clock: Duration) -> Message {
    Message::Start { id: id.to_owned(), role: role.to_owned(), rules: rules.to_owned(), start_clock, play_clock }
}

fn play(id: &str, moves: &[&str]) -> Message {
    let moves = moves.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    Message::Play { id: id.to_owned(), moves: Some(moves).filter(|moves| !moves.is_empty()) }
}

fn abort(id: &str) -> Message {
    Message::Abort { id: id.to_owned() }
}

/// Waits for something that must come.
fn until(is_so: impl Fn() -> bool) {
    while !is_so() {
        thread::sleep(Duration::from_millis(5));
    }
}

/// Keeps threads waiting before they ground, or before they think, until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
    /// How many came to it.
    came: AtomicUsize,
}

impl Gate {
    fn pass(&self) {
        self.came.fetch_add(1, Relaxed);
        let is_open = self.is_open.lock().unwrap();
        drop(self.opened.wait_while(is_open, |is_open| !*is_open).unwrap());
    }

    fn open(&self) {
        *self.is_open.lock().unwrap() = true;
        self.opened.notify_all();
    }
}

struct Grounding(Arc<Gate>);

impl Watcher for Grounding {
    fn attend<'m>(&self, _: &'m Machine, search: Box<dyn Search + 'm>) -> Box<dyn Search + 'm> {
        search
    }

    fn grounds(&self) {
        self.0.pass();
    }
}

struct Thinking(Arc<Gate>);

impl Watcher for Thinking {
    fn attend<'m>(&self, _: &'m Machine, search: Box<dyn Search + 'm>) -> Box<dyn Search + 'm> {
        self.0.pass();
        search
    }
}

fn watched(player: &str, lines: &Lines, watcher: impl Watcher + 'static) -> Session {
    Session::new(Setup { watcher: Some(Arc::new(watcher)), ..setup(player, lines) })
}

/// Who thought about a move.
fn thinker(reply: &Reply) -> &str {
    match reply {
        Reply::Move(choice) => choice.thought.as_ref().map_or("", |thought| &thought.player),
        _ => "",
    }
}

#[test]
fn an_engine_that_takes_too_long_is_not_waited_for() {
    let (lines, gate) = (Lines::default(), Arc::<Gate>::default());
    let session = watched("uct", &lines, Grounding(gate.clone()));
    let sheet = sheet("connect_four");
    let machine = reference(&rules(&sheet));
    let mut host = Host::new(&machine);
    let (began, clock) = (Instant::now(), SECOND * 5);
    assert_eq!(session.answer(start("m", "red", &sheet, clock, SECOND * 4)), Reply::Ready);
    // Far beyond the clock, for busy machines: who waited for the engine would wait for ever.
    assert!(began.elapsed() < clock * 4, "{:?}", began.elapsed());
    // The engine is still being made.
    let reply = session.answer(play("m", &[]));
    assert!(thinker(&reply).contains("relational"), "{reply:?}\n{lines}");
    let Reply::Move(choice) = reply else { panic!("a move") };
    assert!(host.legal(0).contains(&choice.text), "{}", choice.text);
    let mut joint = host.any();
    joint[0] = choice.text;
    host.play(&joint);
    // Now it is made, beside the match.
    gate.open();
    until(|| lines.has("plays, prepared in"));
    let joint: Vec<&str> = joint.iter().map(String::as_str).collect();
    let Reply::Move(choice) = session.answer(play("m", &joint)) else { panic!("a move\n{lines}") };
    assert!(host.legal(0).contains(&choice.text), "{}", choice.text);
}

#[test]
fn who_finds_all_places_taken_waits_for_one() {
    let (lines, gate) = (Lines::default(), Arc::<Gate>::default());
    let session = watched("first", &lines, Grounding(gate.clone()));
    let sheet = sheet("tic_tac_toe");
    for (number, id) in ["a", "b"].into_iter().enumerate() {
        assert_eq!(session.answer(start(id, "x", &sheet, Duration::ZERO, SECOND)), Reply::Ready);
        until(|| gate.came.load(Relaxed) > number);
        assert_eq!(session.answer(abort(id)), Reply::Aborted);
    }
    assert_eq!(session.answer(start("c", "x", &sheet, Duration::ZERO, SECOND)), Reply::Ready);
    until(|| lines.has("c: other matches' engines are still being made"));
    assert_eq!(session.answer(abort("c")), Reply::Aborted);
    thread::scope(|scope| {
        let starting = scope.spawn(|| session.answer(start("d", "x", &sheet, LONG, SECOND * 10)));
        until(|| lines.has("d: other matches' engines are still being made"));
        gate.open();
        assert_eq!(starting.join().unwrap(), Reply::Ready);
    });
    let reply = session.answer(play("d", &[]));
    assert!(!thinker(&reply).is_empty() && !thinker(&reply).contains("relational"), "{reply:?}\n{lines}");
    // No engine was made for the third, which was over when there was a place.
    assert_eq!(gate.came.load(Relaxed), 3);
}

#[test]
fn matches_that_do_not_end_are_few() {
    let (lines, gate) = (Lines::default(), Arc::<Gate>::default());
    let session = watched("first", &lines, Thinking(gate.clone()));
    let sheet = sheet("tic_tac_toe");
    let begin = |id: &str| session.answer(start(id, "x", &sheet, Duration::ZERO, SECOND));
    for number in 0..8 {
        let id = format!("m.{number}");
        assert_eq!(begin(&id), Reply::Ready);
        until(|| gate.came.load(Relaxed) > number);
        assert_eq!(session.answer(abort(&id)), Reply::Aborted);
    }
    assert_eq!(begin("last"), Reply::Busy);
    assert!(!session.is_busy());
    gate.open();
    until(|| begin("last") == Reply::Ready);
}

/// Grounding fails as badly as can be.
struct Careless;

impl Watcher for Careless {
    fn attend<'m>(&self, _: &'m Machine, search: Box<dyn Search + 'm>) -> Box<dyn Search + 'm> {
        search
    }

    fn grounds(&self) {
        panic!("careless");
    }
}

#[test]
fn a_state_that_is_too_large_is_tried_twice_and_then_given_up() {
    let numbers = (0..100).map(|number| format!("(number {number})")).collect::<Vec<_>>().concat();
    let sheet = format!(
        "(role a) {numbers} (init here) (<= (legal a go) (true here)) (legal a stay) (<= (next here) (does a stay))
         (<= (next there) (does a go)) (<= terminal (true nowhere)) (goal a 100) (<= (legal a (say ?x ?y ?z)) (large ?x ?y ?z))
         (<= (large ?x ?y ?z) (true there) (number ?x) (number ?y) (number ?z)) (<= (large ?x ?y ?z) (large ?y ?x ?z))"
    );
    let lines = Lines::default();
    let small = setup("first", &lines);
    let settings = Settings { memory: 1 << 20, ..small.settings };
    let session = Session::new(Setup { settings, watcher: Some(Arc::new(Careless)), ..small });
    assert_eq!(session.answer(start("m", "a", &sheet, LONG, LONG)), Reply::Ready);
    assert!(lines.has("panic while preparing: careless"), "{lines}");
    assert!(matches!(session.answer(play("m", &[])), Reply::Move(_)), "{lines}");
    assert!(matches!(session.answer(play("m", &["stay"])), Reply::Move(_)), "{lines}");
    // Nobody waits for the end of this clock.
    assert_eq!(session.answer(play("m", &["go"])), Reply::Nil, "{lines}");
    assert!(lines.has("tried once more") && lines.has("every move will be nil"), "{lines}");
    assert_eq!(session.answer(play("m", &["stay"])), Reply::Nil);
}

#[test]
fn a_match_that_cannot_be_played_does_not_last() {
    let session = Session::new(setup("first", &Lines::default()));
    assert_eq!(session.answer(start("m", "a", "", LONG * 1000, SECOND)), Reply::Ready);
    assert_eq!(session.answer(start("n", "a", "", SECOND, SECOND)), Reply::Busy);
    thread::sleep(SECOND * 11);
    assert!(!session.is_busy());
    assert_eq!(session.answer(play("m", &[])), Reply::Nil, "it is answered all the same");
}

#[test]
fn long_texts_are_not_read_in_vain() {
    let session = Session::new(setup("first", &Lines::default()));
    let long = format!(" ( Start m.2 x ({}", "(a) ".repeat(400_000));
    assert!(matches!(session.answer_text(&long, Instant::now()), Reply::Unreadable(_)));
    let sheet = sheet("tic_tac_toe");
    assert_eq!(session.answer(start("m.1", "x", &sheet, SECOND, SECOND)), Reply::Ready);
    assert_eq!(session.answer_text(&long, Instant::now()), Reply::Busy);
}

#[test]
fn a_first_message_that_is_repeated_has_one_answer() {
    let lines = Lines::default();
    let session = Session::new(setup("random", &lines));
    let sheet = sheet("connect_four");
    assert_eq!(session.answer(start("m", "red", &sheet, SECOND, SECOND * 10)), Reply::Ready);
    let first = session.answer(play("m", &[]));
    assert!(matches!(first, Reply::Move(_)), "{first:?}");
    for _ in 0..5 {
        assert_eq!(session.answer(play("m", &[])), first);
    }
}

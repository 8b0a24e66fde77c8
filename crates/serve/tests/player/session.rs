//! Whole matches, message by message.

use crate::support::{Host, Lines, reference, rules, setup, sheet};
use ludens_machine::{Machine, RoleId, State};
use ludens_search::{Budget, Error, Search, Verdict, Watch};
use ludens_serve::manager::rules_text;
use ludens_serve::{Message, Reply, Scramble, Session, Setup, Watcher};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

fn start(id: &str, role: &str, rules: &str, start_clock: Duration, play_clock: Duration) -> Message {
    Message::Start { id: id.to_owned(), role: role.to_owned(), rules: rules.to_owned(), start_clock, play_clock }
}

fn play(id: &str, moves: Option<&[String]>) -> Message {
    Message::Play { id: id.to_owned(), moves: moves.map(<[String]>::to_vec) }
}

const SHORT: Duration = Duration::from_millis(600);

/// More than any move of a small game takes: its searches end when they know the answer.
const AMPLE: Duration = Duration::from_secs(10);

/// Plays a match against chance; `change` may replace the player's move, as hosts do. Returns the player's points.
fn whole_match(
    session: &Session,
    sheet: &str,
    seat: usize,
    clock: Duration,
    change: &mut dyn FnMut(&Host<'_>, &str) -> String,
) -> u8 {
    let rules = rules(sheet);
    let machine = reference(&rules);
    let mut host = Host::new(&machine);
    let role = machine.role_name(RoleId(seat as u32)).to_owned();
    assert_eq!(session.answer(start("m.1", &role, sheet, SHORT, clock)), Reply::Ready);
    let mut last: Option<Vec<String>> = None;
    while !host.is_over() {
        let reply = session.answer(play("m.1", last.as_deref()));
        let Reply::Move(choice) = reply else { panic!("{reply:?} after {last:?}") };
        assert!(host.legal(seat).contains(&choice.text), "{} after {last:?}", choice.text);
        let mut joint = host.any();
        joint[seat] = change(&host, &choice.text);
        host.play(&joint);
        last = Some(joint);
    }
    assert_eq!(session.answer(Message::Stop { id: "m.1".to_owned(), moves: last }), Reply::Done);
    host.points(seat)
}

fn as_chosen(_: &Host<'_>, choice: &str) -> String {
    choice.to_owned()
}

#[test]
fn a_match_of_turns_is_played_and_not_lost() {
    let lines = Lines::default();
    let session = Session::new(setup("auto", &lines));
    for seat in [0, 1] {
        let points = whole_match(&session, &sheet("tic_tac_toe"), seat, AMPLE, &mut as_chosen);
        assert!(points >= 50, "seat {seat} has {points} points\n{lines}");
    }
    assert!(!session.is_busy());
}

#[test]
fn a_match_of_simultaneous_moves_is_played() {
    let lines = Lines::default();
    let session = Session::new(setup("uct", &lines));
    whole_match(&session, &sheet("tron"), 0, SHORT, &mut as_chosen);
    assert!(!lines.has("although") && !lines.has("cannot"), "{lines}");
}

#[test]
fn a_move_that_the_host_replaced_is_honoured() {
    let lines = Lines::default();
    let session = Session::new(setup("uct", &lines));
    let mut replace =
        |host: &Host<'_>, choice: &str| host.legal(0).into_iter().find(|text| text != choice).unwrap_or(choice.to_owned());
    whole_match(&session, &sheet("tic_tac_toe"), 0, AMPLE, &mut replace);
    assert!(!lines.has("although") && !lines.has("cannot"), "{lines}");
}

#[test]
fn rules_and_moves_may_come_in_upper_case() {
    let upper: String = sheet("tic_tac_toe").lines().map(|line| line.split(';').next().unwrap().to_uppercase() + "\n").collect();
    let lines = Lines::default();
    let session = Session::new(setup("uct", &lines));
    whole_match(&session, &upper, 0, AMPLE, &mut as_chosen);
    // The rules in lower case, and all else in upper case.
    let sheet = sheet("tic_tac_toe");
    let machine = reference(&rules(&sheet));
    let role = machine.role_name(RoleId(0)).to_uppercase();
    assert_eq!(session.answer(start("m.2", &role, &sheet, SHORT, SHORT)), Reply::Ready);
    let mut host = Host::new(&machine);
    let joint = host.any();
    host.play(&joint);
    let loud: Vec<String> = joint.iter().map(|text| text.to_uppercase()).collect();
    assert!(matches!(session.answer(play("m.2", None)), Reply::Move(_)));
    let Reply::Move(choice) = session.answer(play("m.2", Some(&loud))) else { panic!("a move\n{lines}") };
    assert_eq!(host.legal(0), [choice.text]);
    assert!(!lines.has("although") && !lines.has("cannot"), "{lines}");
}

#[test]
fn names_mean_nothing() {
    let lines = Lines::default();
    let session = Session::new(setup("auto", &lines));
    for (seed, seat) in [(3, 0), (4, 1)] {
        let text = rules_text(&ludens_gdl::read(&sheet("tic_tac_toe"), &ludens_gdl::Limits::default()).syntax);
        let hidden = Scramble::new(&text, seed).hide(&text).to_uppercase();
        assert!(!hidden.contains("MARK") && hidden.contains("LEGAL"), "{hidden}");
        let points = whole_match(&session, &hidden, seat, AMPLE, &mut as_chosen);
        assert!(points >= 50, "seat {seat} has {points} points\n{lines}");
    }
    assert!(!lines.has("although") && !lines.has("cannot"), "{lines}");
}

#[test]
fn other_matches_are_none_of_ours() {
    let session = Session::new(setup("first", &Lines::default()));
    let sheet = sheet("tic_tac_toe");
    let begin = |id| start(id, "x", &sheet, Duration::from_secs(5), Duration::from_secs(5));
    assert_eq!(session.answer(play("m", None)), Reply::Busy);
    assert_eq!(session.answer(begin("m")), Reply::Ready);
    assert_eq!(session.answer(begin("other")), Reply::Busy);
    assert_eq!(session.answer(Message::Info), Reply::Info { name: "ludens".to_owned(), is_busy: true });
    assert_eq!(session.answer(Message::Ping), Reply::Ready);
    for id in ["M", "other"] {
        assert_eq!(session.answer(play(id, None)), Reply::Busy);
        assert_eq!(session.answer(Message::Stop { id: id.to_owned(), moves: None }), Reply::Busy);
        assert_eq!(session.answer(Message::Abort { id: id.to_owned() }), Reply::Busy);
    }
    assert!(matches!(session.answer(play("m", None)), Reply::Move(_)));
    assert_eq!(session.answer(Message::Abort { id: "m".to_owned() }), Reply::Aborted);
    assert_eq!(session.answer(play("m", None)), Reply::Busy);
    assert_eq!(session.answer(Message::Info), Reply::Info { name: "ludens".to_owned(), is_busy: false });
}

#[test]
fn what_cannot_be_played_is_answered_all_the_same() {
    let lines = Lines::default();
    let session = Session::new(setup("uct", &lines));
    let good = sheet("tic_tac_toe");
    for (role, rules, reason) in [
        ("x", "", "the rules are not valid"),
        ("x", "(<= (legal x ?y)) (((", "the rules are not valid"),
        ("nobody", &good, "there is no role `nobody`"),
    ] {
        assert_eq!(session.answer(start("m", role, rules, SHORT, SHORT)), Reply::Ready);
        assert_eq!(session.answer(play("m", None)), Reply::Nil);
        assert!(lines.has(reason), "{lines}");
        assert_eq!(session.answer(Message::Stop { id: "m".to_owned(), moves: None }), Reply::Done);
    }
}

#[test]
fn strange_moves_do_not_end_a_match() {
    let lines = Lines::default();
    let session = Session::new(setup("first", &lines));
    let sheet = sheet("tic_tac_toe");
    let five = Duration::from_secs(5);
    assert_eq!(session.answer(start("m", "x", &sheet, five, five)), Reply::Ready);
    let answer = |moves: &[&str]| {
        let moves: Vec<String> = moves.iter().map(|&text| text.to_owned()).collect();
        session.answer(play("m", Some(&moves)))
    };
    for moves in [&["a"][..], &["a", "b", "c"], &["(mark 9 ?x)", "noop"], &["(fly 1)", "noop"], &["((x))", ""]] {
        assert!(matches!(answer(moves), Reply::Move(_)), "{moves:?}\n{lines}");
    }
    assert!(lines.has("1 moves for 2 roles") && lines.has("cannot be played"), "{lines}");
}

#[test]
fn a_message_that_is_repeated_is_played_once() {
    let lines = Lines::default();
    let session = Session::new(setup("first", &lines));
    let sheet = sheet("tic_tac_toe");
    let five = Duration::from_secs(5);
    let machine = reference(&rules(&sheet));
    let mut host = Host::new(&machine);
    assert_eq!(session.answer(start("m", machine.role_name(RoleId(1)), &sheet, five, five)), Reply::Ready);
    session.answer(play("m", None));
    let joint = host.any();
    host.play(&joint);
    let first = session.answer(play("m", Some(&joint)));
    assert!(matches!(&first, Reply::Move(choice) if host.legal(1).contains(&choice.text)), "{first:?}\n{lines}");
    assert_eq!(session.answer(play("m", Some(&joint))), first, "{lines}");
    assert!(lines.has("repeats itself"), "{lines}");
}

#[test]
fn a_message_that_was_lost_is_made_up_for() {
    let lines = Lines::default();
    let session = Session::new(setup("first", &lines));
    let sheet = sheet("tic_tac_toe");
    let machine = reference(&rules(&sheet));
    let mut host = Host::new(&machine);
    assert_eq!(session.answer(start("m", "x", &sheet, AMPLE, AMPLE)), Reply::Ready);
    let turns = [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]].map(|turn| turn.map(str::to_owned));
    for turn in &turns {
        host.play(turn);
    }
    // Nobody told us of the first.
    let Reply::Move(choice) = session.answer(play("m", Some(&turns[1]))) else { panic!("a move\n{lines}") };
    assert!(choice.text.starts_with("(mark ") && choice.text != "(mark 2 2)", "{}\n{lines}", choice.text);
    assert!(lines.has("a message must have been lost"), "{lines}");
}

/// Panics in the moves it is told to.
struct Clumsy<F>(Arc<AtomicUsize>, F);

struct Stumbling<'m> {
    search: Box<dyn Search + 'm>,
    calls: Arc<AtomicUsize>,
    panics: fn(usize) -> bool,
}

impl Watcher for Clumsy<fn(usize) -> bool> {
    fn attend<'m>(&self, _: &'m Machine, search: Box<dyn Search + 'm>) -> Box<dyn Search + 'm> {
        Box::new(Stumbling { search, calls: self.0.clone(), panics: self.1 })
    }
}

impl Search for Stumbling<'_> {
    fn think(&mut self, state: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        assert!(!(self.panics)(self.calls.fetch_add(1, Relaxed)), "stumbled");
        self.search.think(state, role, budget, watch)
    }
}

#[test]
fn a_panic_while_thinking_is_contained() {
    for (panics, told) in
        [((|call| call == 1) as fn(usize) -> bool, "panic while thinking: stumbled"), (|_| true, "nobody thinks any more")]
    {
        let lines = Lines::default();
        let watcher = Some(Arc::new(Clumsy(Arc::default(), panics)) as Arc<dyn Watcher>);
        let session = Session::new(Setup { watcher, ..setup("mc", &lines) });
        whole_match(&session, &sheet("tic_tac_toe"), 0, SHORT, &mut as_chosen);
        assert!(lines.has(told), "{lines}");
        assert!(!session.is_busy());
    }
}

#[test]
fn a_match_without_messages_is_given_up_in_the_end() {
    let session = Session::new(setup("first", &Lines::default()));
    let sheet = sheet("tic_tac_toe");
    let begin = |id| start(id, "x", &sheet, Duration::ZERO, Duration::ZERO);
    assert_eq!(session.answer(begin("old")), Reply::Ready);
    assert_eq!(session.answer(begin("new")), Reply::Busy);
    std::thread::sleep(Duration::from_secs(11));
    assert_eq!(session.answer(begin("new")), Reply::Ready);
    assert_eq!(session.answer(play("old", None)), Reply::Busy);
}

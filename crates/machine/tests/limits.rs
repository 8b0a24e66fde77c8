//! Hostile sheets end in `Error::Limit`, and the lanes can be used again afterwards.

mod common;

use std::fmt::Write as _;

use common::{all_options, rules};
use ludens_gdl::Rules;
use ludens_machine::relational::Options;
use ludens_machine::{Declared, Error, Lanes, Limits, Machine};

const SMALL: Limits = Limits { terms: 20_000, bytes: 4 << 20, steps: 300_000, setup_steps: 300_000 };

/// What every sheet here begins with. `quiet` is a state in which nothing is asked.
const FRAME: &str = "(role solo) (init loud) (base quiet) (base loud) (legal solo go) (goal solo 100) ";

fn build(rules: &Rules, options: Options, limits: &Limits) -> Machine {
    Machine::relational(rules, &options, limits).unwrap_or_else(|error| panic!("{options:?}: {error}"))
}

/// The field of `Limits` that an error names.
fn limit_of(result: Result<(), Error>) -> &'static str {
    match result {
        Err(Error::Limit { what, .. }) => what,
        other => panic!("a limit was expected, not {other:?}"),
    }
}

/// The lanes answer as if nothing had happened.
fn check_recovery(machine: &Machine, lanes: &mut Lanes<'_>) {
    let quiet = machine.state_of(["quiet"]).expect("a state");
    for lane in 0..lanes.width() {
        lanes.load(lane, &quiet);
    }
    lanes.evaluate().expect("an evaluation after an error");
    for lane in 0..lanes.width() {
        assert!(!lanes.terminal(lane));
        for role in machine.roles() {
            assert_eq!(lanes.legal(lane, role).len(), 1);
            assert_eq!(lanes.points(lane, role), Ok(100));
        }
        lanes.play(lane, &[machine.find_move("go").expect("a move")]);
    }
    lanes.advance().expect("a next state after an error");
    for lane in 0..lanes.width() {
        assert_eq!(machine.fluents(&lanes.state(lane)), ["quiet"]);
    }
}

/// Terminal states that are too hard: twice, because an error must not leave half an answer behind.
fn check_terminal(sheet: &str, expected: &[&str]) {
    let sheet = format!("{FRAME} (<= (next quiet) (true quiet)) {sheet}");
    let rules = rules(&sheet);
    for options in all_options() {
        let machine = build(&rules, options, &SMALL);
        let mut lanes = machine.lanes(2);
        for _ in 0..2 {
            lanes.load(1, machine.initial());
            let what = limit_of(lanes.evaluate());
            assert!(expected.contains(&what), "{options:?}: {what}\n{sheet}");
            check_recovery(&machine, &mut lanes);
            lanes.unload(0);
        }
    }
}

const NINE: &str = "?a ?b ?c ?d ?e ?f ?g ?h ?i";

/// Conditions that a billion values of [`NINE`] meet.
fn nine_digits() -> String {
    NINE.split(' ').map(|place| format!("(digit {place})")).collect::<Vec<String>>().join(" ")
}

/// `(digit 0)` to `(digit 9)`.
fn digits() -> String {
    (0..10).fold(String::new(), |mut text, digit| {
        let _ = write!(text, "(digit {digit}) ");
        text
    })
}

#[test]
fn a_join_that_finds_nothing_for_ever() {
    let (digits, conditions) = (digits(), nine_digits());
    let sheet = format!("{digits} (<= terminal (true loud) {conditions} (not (sum {NINE}))) (<= (sum {NINE}) {conditions})");
    check_terminal(&sheet, &["steps"]);
}

#[test]
fn a_recursion_with_too_many_answers() {
    // Nine places that count up one by one: a billion answers, each from another.
    let mut sheet = String::from("(<= (count 0 0 0 0 0 0 0 0 0) (true loud)) ");
    for digit in 0..9 {
        let _ = write!(sheet, "(up {digit} {}) ", digit + 1);
    }
    let places = ["?a", "?b", "?c", "?d", "?e", "?f", "?g", "?h", "?i"];
    for place in 0..places.len() {
        let mut head = places;
        head[place] = "?n";
        let _ = write!(sheet, "(<= (count {}) (count {}) (up {} ?n)) ", head.join(" "), places.join(" "), places[place]);
    }
    sheet.push_str("(<= terminal (true loud) (count ?a ?b ?c ?d ?e ?f ?g ?h ?i) (not (digit ?a))) ");
    sheet.push_str(&digits());
    check_terminal(&sheet, &["steps", "bytes"]);
}

#[test]
fn a_rule_that_builds_too_many_terms() {
    let sheet = format!(
        "{} (<= (pair (p ?a ?b ?c ?d ?e ?f ?g)) (true loud) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f) (digit ?g))
         (<= terminal (pair ?x) (not (pair ?x)))",
        digits()
    );
    check_terminal(&sheet, &["terms", "steps", "bytes"]);
}

#[test]
fn a_counter_that_grows_for_ever() {
    let sheet = "(role solo) (init (n zero)) (base (n (s zero))) (legal solo go) (goal solo 100) (<= terminal (true done))
                 (<= (next (n (s ?x))) (true (n ?x)))";
    let rules = rules(sheet);
    for options in all_options() {
        let limits = Limits { terms: 3_000, ..SMALL };
        let machine = build(&rules, options, &limits);
        let go = machine.find_move("go").expect("a move");
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        let mut plies = 0;
        let end = loop {
            lanes.play(0, &[go]);
            if let Err(error) = lanes.evaluate().and_then(|()| lanes.advance()) {
                break error;
            }
            plies += 1;
            assert!(plies < limits.terms, "{options:?}: more terms than allowed");
        };
        assert_eq!(limit_of(Err(end)), "terms", "{options:?}");
        assert!(plies > 1_000, "{options:?}: only {plies} plies");
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation after an error");
        assert!(!lanes.terminal(0));
    }
}

/// A chain of 200,000 links, walked from one end in a few million steps: neither a stack overflow nor quadratic work.
#[test]
fn a_deep_recursion() {
    let mut sheet = String::from(FRAME);
    for link in 0..200_000 {
        let _ = write!(sheet, "(link {link} {}) ", link + 1);
    }
    sheet.push_str(
        "(<= (leads ?x ?y) (link ?x ?y)) (<= (leads ?x ?z) (link ?x ?y) (leads ?y ?z))
         (<= terminal (true loud) (leads 0 200000)) (<= (next quiet) (true loud) (leads 200000 0))",
    );
    let rules = rules(&sheet);
    for options in [Options::default(), Options { memo: false, profile: false, inline: false, table: 0 }] {
        let machine = build(&rules, options, &Limits { steps: 20_000_000, ..Limits::default() });
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("within the steps");
        assert!(lanes.terminal(0), "{options:?}");
        lanes.load(0, machine.initial());
        lanes.play(0, &[machine.find_move("go").expect("a move")]);
        lanes.advance().expect("within the steps");
        assert!(machine.fluents(&lanes.state(0)).is_empty(), "{options:?}");
    }
}

/// Static relations that cannot be listed are no reason to refuse a sheet: they are asked with what is known.
#[test]
fn a_static_relation_too_large_to_list() {
    let (nine, conditions) = (NINE, nine_digits());
    let sheet = format!(
        "{FRAME} {} (<= (number {nine}) {conditions}) (<= (next quiet) (true quiet))
         (<= terminal (true loud) (number 1 2 3 4 5 6 7 8 9)) (<= (next loud) (true loud) (number 1 2 3 4 5 6 7 8 quiet))",
        digits()
    );
    let rules = rules(&sheet);
    for options in all_options() {
        for limits in [SMALL, Limits { setup_steps: 0, ..SMALL }, Limits { setup_steps: 10, ..SMALL }] {
            let machine = build(&rules, options, &limits);
            let mut lanes = machine.lanes(1);
            lanes.load(0, machine.initial());
            lanes.evaluate().unwrap_or_else(|error| panic!("{options:?}: {error}"));
            assert!(lanes.terminal(0), "{options:?}");
            lanes.play(0, &[machine.find_move("go").expect("a move")]);
            lanes.advance().unwrap_or_else(|error| panic!("{options:?}: {error}"));
            assert!(machine.fluents(&lanes.state(0)).is_empty(), "{options:?}");
        }
    }
}

/// An `init` that never ends is an error of the machine that was to be built.
#[test]
fn a_first_state_too_large() {
    let conditions = nine_digits();
    let sheet = format!(
        "(role solo) (legal solo go) (goal solo 100) {} (<= (init (n ?a ?b ?c ?d ?e ?f ?g ?h ?i)) {conditions}) (<= terminal (true p))",
        digits()
    );
    let rules = rules(&sheet);
    for options in all_options() {
        let result = Machine::relational(&rules, &options, &SMALL).map(|_| ());
        assert!(["terms", "steps", "bytes"].contains(&limit_of(result)), "{options:?}");
    }
}

/// A fluent that grows with every ply, deeper than a call stack, can still be named.
#[test]
fn a_term_deeper_than_the_stack() {
    let sheet = format!("{FRAME} (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (<= terminal (true quiet))");
    let machine = build(&rules(&sheet), Options::default(), &Limits::default());
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    let go = machine.find_move("go").expect("a move");
    for _ in 0..300_000 {
        lanes.play(0, &[go]);
        lanes.advance().expect("within the limits");
    }
    let fluents = machine.fluents(&lanes.state(0));
    assert_eq!(fluents.iter().map(|fluent| fluent.matches('s').count()).max(), Some(300_000));
}

/// Rules that would double a term with every relation unfolded into the next, and terms that double with every ply: neither is
/// written out.
#[test]
fn terms_that_double() {
    let mut sheet = format!("{FRAME} (<= (p0 ?x) (true (n ?x))) (init (n z)) (<= terminal (true quiet)) ");
    for level in 1..40 {
        let _ = write!(sheet, "(<= (p{level} (f ?x ?x)) (p{} ?x)) ", level - 1);
    }
    sheet.push_str("(<= (next (n (f ?x ?x))) (true (n ?x))) (<= (next quiet) (p39 z))");
    for options in all_options() {
        let machine = build(&rules(&sheet), options, &Limits::default());
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        let go = machine.find_move("go").expect("a move");
        let plies = (0..100).take_while(|_| {
            lanes.play(0, &[go]);
            lanes.advance().is_ok()
        });
        assert_eq!(plies.count(), 19, "{options:?}");
    }
}

#[test]
fn what_is_declared_is_listed_within_limits() {
    // A thousand pairs of terms that are long as text: few terms and few steps, but 5 MB.
    let long = |name: &str, number: usize| format!("({name} {}{number}) ", "a_rather_long_word".repeat(150));
    let words: String = (0..32).flat_map(|number| [long("left", number), long("right", number)]).collect();
    let sheet = format!("{FRAME} (<= (next quiet) (true quiet)) (<= terminal (true over)) {words}");
    let pairs = rules(&format!("{sheet} (<= (base (pair ?a ?b)) (left ?a) (right ?b))"));
    assert_eq!(limit_of(Declared::of(&pairs, &SMALL).map(drop)), "bytes");
    assert_eq!(Declared::of(&pairs, &Limits { bytes: 8 << 20, ..SMALL }).map(|declared| declared.fluents.len()), Ok(1026));
    let triples = rules(&format!("{sheet} (<= (input solo (go ?a ?b ?c)) (left ?a) (right ?b) (left ?c))"));
    assert_eq!(limit_of(Declared::of(&triples, &SMALL).map(drop)), "steps");
    let limits = Limits { terms: 5_000, steps: 10_000_000, ..SMALL };
    assert_eq!(limit_of(Declared::of(&triples, &limits).map(drop)), "terms");
}

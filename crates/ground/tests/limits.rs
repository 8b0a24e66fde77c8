//! Hostile sheets end in an error that names the limit and the rule, soon and in little memory.

mod common;

use common::rules;
use ludens_ground::{Error, Limits, ground, phases_within};
use std::fmt::Write as _;

/// What every sheet here begins with.
const FRAME: &str = "(role solo) (init start) (legal solo go) (goal solo 100) (<= terminal (true end)) ";

const SMALL: Limits =
    Limits { terms: 20_000, atoms: 20_000, instances: 20_000, fan_in: 60_000, steps: 300_000, bytes: 16 << 20, whole: 5_000 };

fn digits(count: usize) -> String {
    (0..count).fold(String::new(), |mut text, digit| {
        let _ = write!(text, "(digit {digit}) ");
        text
    })
}

/// The limit that a sheet reaches, and the rule that is blamed.
fn limit_of(sheet: &str, limits: &Limits) -> (&'static str, String) {
    match ground(&rules(&format!("{FRAME}{sheet}")), limits) {
        Err(Error::Limit { what, culprit, .. }) => (what, culprit.expect("a rule is named")),
        other => panic!("a limit was expected, not {:?}", other.map(|net| net.size())),
    }
}

#[test]
fn each_limit_is_named_with_the_rule_that_grew() {
    let sheet = format!(
        "{} (<= (next (at ?x ?y)) (digit ?x) (digit ?y) (true start)) (<= (next (pair ?x ?z)) (true (at ?x ?y)) (true (at ?y ?z)))",
        digits(60)
    );
    let unlimited = Limits::default();
    let cases = [
        ("terms", Limits { terms: 2_000, ..unlimited }, "(<= (next (at ?x ?y))"),
        ("atoms", Limits { atoms: 3_000, ..unlimited }, "(<= (next (at ?x ?y))"),
        ("instances", Limits { instances: 100_000, ..unlimited }, "(<= (next (pair ?x ?z))"),
        ("fan_in", Limits { fan_in: 100_000, ..unlimited }, "(<= (next (pair ?x ?z))"),
        ("steps", Limits { steps: 30_000, ..unlimited }, "(<= (next (pair ?x ?z))"),
        ("bytes", Limits { bytes: 4 << 20, ..unlimited }, "(<= (next (pair ?x ?z))"),
    ];
    for (expected, limits, rule) in cases {
        let (what, culprit) = limit_of(&sheet, &limits);
        assert_eq!(what, expected, "{culprit}");
        assert!(culprit.starts_with(&format!("`{rule}")), "{expected}: {culprit}");
        let unit = if what == "steps" { " steps)" } else { " instances)" };
        assert!(culprit.ends_with(unit), "{expected}: {culprit}");
    }
    assert!(ground(&rules(&format!("{FRAME}{sheet}")), &unlimited).is_ok());
}

#[test]
fn the_message_is_one_line_with_grouped_numbers() {
    let conditions: String = (0..40).fold(String::new(), |mut text, at| {
        let _ = write!(text, "(digit ?variable_{at}) ");
        text
    });
    let sheet = format!("{} (<= (next (all ?variable_0 ?variable_1 ?variable_2 ?variable_3)) {conditions})", digits(10));
    let limits = Limits { atoms: 2_000, ..Limits::default() };
    let error = ground(&rules(&format!("{FRAME}{sheet}")), &limits).expect_err("10,000 atoms");
    let text = error.to_string();
    assert!(text.starts_with("the atoms limit of 2000 was reached; most of it is due to `(<= (next (all ?variable_0"), "{text}");
    assert!(text.contains(" ...` (1,9") || text.contains(" ...` (2,0"), "{text}");
    assert!(!text.contains('\n') && text.len() < 260, "{text}");
}

#[test]
fn billions_of_instances_are_not_tried() {
    for head in ["(next (f ?a ?b ?c ?d ?e ?f ?g ?h ?i))", "(next end)", "(static ?a ?b ?c ?d ?e ?f ?g ?h ?i)"] {
        let sheet = format!(
            "{} (<= {head} (true start) (digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f) (digit ?g) (digit ?h)
            (digit ?i) (distinct ?a ?b) (distinct ?b ?c) (distinct ?c ?d) (distinct ?d ?e) (distinct ?e ?f) (distinct ?f ?g)
            (distinct ?g ?h) (distinct ?h ?i) (distinct ?i ?a) (distinct ?a ?e) (distinct ?b ?f) (distinct ?c ?g) (distinct ?d ?h)
            (distinct ?e ?i) (distinct ?b ?i) (distinct ?c ?h) (distinct ?f ?i)) {}",
            digits(12),
            if head.contains("static") { "(<= (next end) (static ?a ?b ?c ?d ?e ?f ?g ?h ?i))" } else { "" },
        );
        match ground(&rules(&format!("{FRAME}{sheet}")), &SMALL) {
            Err(Error::Limit { .. }) => {}
            // The second needs one match only.
            Ok(net) => assert!(head == "(next end)" && net.size().0 < 10, "{head}"),
            Err(other) => panic!("{head}: {other}"),
        }
    }
}

#[test]
fn relations_without_end_are_not_listed() {
    let statics = "(number zero) (<= (number (s ?n)) (number ?n)) (<= (next (at ?n)) (number ?n))";
    let states = "(init (at zero)) (<= (next (at (s ?n))) (true (at ?n)))";
    let wide = "(tree leaf) (<= (tree (node ?l ?r)) (tree ?l) (tree ?r)) (<= (next (at ?t)) (tree ?t))";
    for (sheet, rule) in [(statics, "(number (s ?n))"), (states, "(next (at (s ?n)))"), (wide, "(tree (node ?l ?r))")] {
        for limits in [SMALL, Limits::default()] {
            let reading = ludens_gdl::read(&format!("{FRAME}{sheet}"), &ludens_gdl::Limits::default());
            // Some of these the reader refuses already.
            let Some(rules) = reading.rules else { continue };
            match ground(&rules, &limits) {
                Err(Error::Limit { culprit: Some(culprit), .. }) => assert!(culprit.contains(rule), "{culprit}"),
                other => panic!("{sheet}: {:?}", other.map(|net| net.size())),
            }
        }
    }
}

#[test]
fn deep_terms_are_grounded() {
    let deep = |inner: &str| format!("{}{inner}{}", "(f ".repeat(490), ")".repeat(490));
    let sheet =
        format!("{FRAME} (init {}) (<= (next {}) (true {})) (<= (next end) (true (f (f ?x))))", deep("a"), deep("b"), deep("?x"));
    let net = ground(&rules(&sheet), &Limits::default()).expect("a net");
    assert_eq!(net.fluents.len(), 4);
}

#[test]
fn equations_that_double_a_term_end_in_an_error() {
    let equations: String = (0..200).fold(String::new(), |mut text, at| {
        let _ = write!(text, "(not (distinct ?x{} (f ?x{at} ?x{at}))) ", at + 1);
        text
    });
    let sheet = format!("{FRAME} (digit 1) (digit 2) (<= (next (at ?x200)) (digit ?x0) {equations})");
    let reading = ludens_gdl::read(&sheet, &ludens_gdl::Limits::default());
    let rules = reading.rules.expect("a sheet");
    match ground(&rules, &Limits::default()) {
        Err(Error::Limit { culprit: Some(culprit), .. }) => assert!(culprit.contains("(next (at ?x200))"), "{culprit}"),
        other => panic!("{:?}", other.map(|net| net.size())),
    }
}

#[test]
fn many_statements_are_grounded() {
    let facts = (0..290_000).fold(String::new(), |text, at| text + &format!("(p{at} a) "));
    let rules_of_their_own =
        (0..140_000).fold(String::new(), |text, at| text + &format!("(<= (p{at} ?x) (p{} ?x)) (p{at} b)\n", at + 1));
    let states =
        (0..140_000).fold(String::new(), |text, at| text + &format!("(init (c {at})) (<= (next (c {at})) (true (c {at})))\n"));
    for sheet in [facts + "(<= (next end) (p1 ?x))", rules_of_their_own + "(<= (next (at ?x)) (p1 ?x))", states] {
        let rules = rules(&format!("{FRAME} {sheet}"));
        match ground(&rules, &Limits::default()) {
            Ok(net) => assert!(net.fluents.len() > 1),
            Err(Error::Limit { .. }) => {}
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn phases_can_be_cut_short() {
    let text = std::fs::read_to_string(common::root().join("games/tic_tac_toe/rules.kif")).expect("a sheet");
    let net = ground(&rules(&text), &Limits::default()).expect("a net");
    for reads in [0, 10, 100, 300] {
        let phases = phases_within(&net, reads);
        assert_eq!(phases.len(), 1, "{reads}");
        assert!(phases[0].known.iter().all(Option::is_none), "{reads}");
        assert_eq!(phases[0].net.size(), net.size(), "{reads}");
    }
    assert_eq!(phases_within(&net, 1_000_000).len(), 2);
}
#[test]
fn long_rules_are_grounded() {
    let chain = |conditions: &dyn Fn(usize) -> String| (0..1_500).fold(String::new(), |text, at| text + &conditions(at));
    let sheets = [
        // Ground conditions, two rules that share all but one of them.
        format!("(<= (next end) {}) (<= (next end) {} (true start))", chain(&|at| format!("(true (cell {at})) ")), {
            chain(&|at| format!("(true (cell {})) ", at + 1))
        }),
        // A path through a static relation.
        format!("(<= (next end) (true (cell ?x0)) {})", chain(&|at| format!("(edge ?x{at} ?x{}) ", at + 1))),
        // Each variable by itself, and negations.
        format!("(<= (next end) {})", chain(&|at| format!("(true (cell ?x{at})) (not (true (full ?x{at}))) "))),
        // A path through fluents.
        format!("(<= (next end) {})", chain(&|at| format!("(true (link ?x{at} ?x{})) ", at + 1))),
    ];
    for sheet in sheets {
        let cells = (0..1_501).fold(String::new(), |text, at| text + &format!("(init (cell {at})) "));
        let sheet = format!("{FRAME} {cells} (edge 1 2) (edge 2 1) (init (full 1)) (init (link 1 2)) (init (link 2 1)) {sheet}");
        let net = ground(&rules(&sheet), &Limits::default());
        let net = net.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(net.check(), Ok(()));
    }
}

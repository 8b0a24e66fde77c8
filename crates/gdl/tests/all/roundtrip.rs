//! Printing and reading again changes nothing.

use ludens_gdl::{Limits, Rules, parse, plain_text, read};
use proptest::prelude::*;

use crate::common::{own_sheets, public_sheets};

fn rules_of(text: &str) -> Option<Rules> {
    read(text, &Limits::default()).rules
}

/// Both text forms of a sheet say what the sheet says.
fn check(name: &str, text: &str) {
    let (syntax, _) = parse(text, &Limits::default());
    let printed = syntax.to_string();
    assert_eq!(parse(&printed, &Limits::default()).0.to_string(), printed, "{name}");
    let Some(rules) = rules_of(text) else { return };
    let from_syntax = rules_of(&printed).unwrap_or_else(|| panic!("{name}: the printed syntax is not accepted"));
    assert_eq!(from_syntax.without_spans(), rules.without_spans(), "{name}");
    let printed = rules.to_string();
    let again = read(&printed, &Limits::default());
    let findings = plain_text(&printed, &again.diagnostics);
    let again = again.rules.unwrap_or_else(|| panic!("{name}: the printed rules are not accepted\n{findings}"));
    assert_eq!(again.without_spans(), rules.without_spans(), "{name}");
}

#[test]
fn sheets_survive_printing() {
    for sheets in [own_sheets("ok"), own_sheets("bad"), public_sheets("."), public_sheets("conformance")] {
        for sheet in sheets {
            check(&sheet.name, &sheet.text);
        }
    }
}

const BASE: &str =
    "(role you) (init (f c)) (legal you go) (<= (next (f c)) (does you go)) (<= terminal (true (f c))) (goal you 100)\n";

fn term(depth: u32) -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => prop::sample::select(vec!["?x", "?y", "?z", "?Long-name_1"]).prop_map(str::to_owned),
        3 => prop::sample::select(vec!["a", "B", "0", "17", "random", "x+", "é", "not-1"]).prop_map(str::to_owned),
        1 => Just("(a)".to_owned()),
    ];
    leaf.prop_recursive(depth, 12, 3, |inner| {
        let names = prop::sample::select(vec!["f", "G", "not", "pair"]);
        (names, prop::collection::vec(inner, 1..4)).prop_map(|(name, args)| format!("({name} {})", args.join(" ")))
    })
}

/// A condition about relations below `level`, so that no rule is recursive.
fn condition(level: usize) -> impl Strategy<Value = String> {
    let atom = || {
        (0..level, prop::collection::vec(term(2), 0..3))
            .prop_map(|(relation, args)| format!("(r{relation}_{} {})", args.len(), args.join(" ")))
    };
    let simple = prop_oneof![
        4 => atom(),
        1 => term(2).prop_map(|fluent| format!("(true {fluent})")),
        1 => atom().prop_map(|atom| format!("(NOT {atom})")),
        1 => (term(1), term(1)).prop_map(|(left, right)| format!("(distinct {left} {right})")),
        1 => (term(1), term(1)).prop_map(|(left, right)| format!("(not (distinct {left} {right}))")),
    ];
    simple.prop_recursive(2, 6, 3, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(|alternatives| format!("(or {})", alternatives.join(" ")))
    })
}

fn statement() -> impl Strategy<Value = String> {
    (1..5_usize).prop_flat_map(|level| {
        (prop::collection::vec(term(2), 0..3), prop::collection::vec(condition(level), 0..4)).prop_map(move |(args, body)| {
            // Binds whatever the rule mentions, so that every generated rule is safe.
            let bind = "(true (all ?x ?y ?z ?Long-name_1))";
            format!("(<= (r{level}_{} {})\n\t{bind} {}) ; {level}", args.len(), args.join(" "), body.join(" "))
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_sheets_survive_printing(statements in prop::collection::vec(statement(), 0..8)) {
        let text = format!("{BASE}{}", statements.join("\n"));
        let reading = read(&text, &Limits::default());
        prop_assert!(reading.rules.is_some(), "{}", plain_text(&text, &reading.diagnostics));
        check("random", &text);
    }

    #[test]
    fn random_characters_never_panic(text in "[()?;<= \\nnotrdisincelg0aé]{0,200}") {
        check("random", &text);
    }
}

//! Sheets that nobody means well with: each is grounded, or ends in an error that names a limit, and keeps to the limits on the way. Only what is counted is
//! looked at, never a clock.

mod common;

use ludens_ground::{Error, Limits, Net, Sizes, ground_watched};
use std::fmt::Write as _;

/// What every sheet here begins with.
const FRAME: &str = "(role solo) (init start) (legal solo go) (goal solo 100) (<= terminal (true end)) ";

const SMALL: Limits =
    Limits { terms: 50_000, atoms: 50_000, instances: 50_000, fan_in: 200_000, steps: 3_000_000, bytes: 32 << 20, whole: 5_000 };

/// A list of things with their numbers.
fn list(count: usize, thing: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut text, at| {
        let _ = write!(text, "{} ", thing(at));
        text
    })
}

/// Grounds a sheet and checks that the limits were kept. Steps and bytes are counted before they are taken, so
/// that the one that was too many is in the sum.
fn outcome(sheet: &str, limits: &Limits) -> Result<Net, Error> {
    let reading = ludens_gdl::read(&format!("{FRAME}{sheet}"), &ludens_gdl::Limits::default());
    let rules = reading.rules.unwrap_or_else(|| panic!("the sheet is refused: {:?}", reading.diagnostics));
    let mut last = Sizes::default();
    let net = ground_watched(&rules, limits, &mut |pass| last = pass.sizes().unwrap_or(last));
    assert!(last.terms <= limits.terms && last.atoms <= limits.atoms + 1, "{last:?}");
    assert!(last.instances <= limits.instances + 1 && last.conditions <= limits.fan_in + 64, "{last:?}");
    if !matches!(net, Err(Error::Limit { what: "steps", .. })) {
        assert!(last.steps <= limits.steps, "{last:?}");
    }
    if !matches!(net, Err(Error::Limit { what: "bytes", .. })) {
        assert!(last.bytes <= limits.bytes, "{last:?}");
    }
    net
}

/// A sheet that reaches some limit, and the rule that is blamed for it.
fn reaches(sheet: &str, limits: &Limits, rule: &str) {
    match outcome(sheet, limits) {
        Err(Error::Limit { culprit, .. }) => {
            let culprit = culprit.expect("a rule is named");
            assert!(culprit.contains(rule) && culprit.len() < 300, "`{rule}` is not in {culprit}");
        }
        other => panic!("a limit was expected, not {:?}:\n{}", other.map(|net| net.size()), &sheet[..sheet.len().min(300)]),
    }
}

#[test]
fn cross_products_of_every_kind() {
    let digits = list(40, |at| format!("(digit {at})"));
    let six = "(digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e) (digit ?f)";
    // Four billion each.
    for (head, rest) in [
        ("(legal solo (play ?a ?b ?c ?d ?e ?f))", ""),
        ("(next (at ?a ?b ?c ?d ?e ?f))", ""),
        ("(init (at ?a ?b ?c ?d ?e ?f))", ""),
        ("(fixed ?a ?b ?c ?d ?e ?f)", "(<= (next end) (fixed ?x ?x ?x ?x ?x ?x))"),
        ("(derived ?a ?b ?c ?d ?e ?f)", "(<= (next end) (derived ?x ?x ?x ?x ?x ?x))"),
        ("(goal solo (points ?a ?b ?c ?d ?e ?f))", ""),
    ] {
        let condition = if head.contains("derived") { "(true start)" } else { "" };
        reaches(&format!("{digits} (<= {head} {six} {condition}) {rest}"), &SMALL, head);
    }
}

#[test]
fn a_wide_join_that_feeds_itself() {
    let nodes = list(2_001, |at| format!("(node {at})"));
    let edges = list(2_000, |at| format!("(init (edge {at} {})) (init (edge {at} {}))", at + 1, at * 7 % 2_000));
    let path = "(<= (path ?x ?y) (true (edge ?x ?y))) (<= (path ?x ?z) (node ?x) (node ?y) (node ?z) (path ?x ?y) (path ?y ?z))";
    let keep = "(<= (next (edge ?x ?y)) (true (edge ?x ?y))) (<= (next end) (path 1 5))";
    reaches(&format!("{nodes} {edges} {path} {keep}"), &SMALL, "(<= (path ?x ?z)");
    let fixed = edges.replace("(init ", "").replace("))", ")");
    let fixed_path = path.replace("(true (edge ?x ?y))", "(edge ?x ?y)");
    reaches(&format!("{nodes} {fixed} {fixed_path} (<= (next end) (path 1 5))"), &SMALL, "(<= (path ?x ?z)");
}

#[test]
fn terms_that_double_have_no_names() {
    // Forty terms, the last of which is a text of 2^40 words.
    let doubled = list(40, |at| format!("(<= (t{} (f ?x ?x)) (t{at} ?x))", at + 1));
    for use_of_it in ["(<= (next (at ?x)) (t40 ?x))", "(<= (legal solo ?x) (t40 ?x))", "(<= (goal solo ?x) (t40 ?x))"] {
        match outcome(&format!("(t0 a) {doubled} {use_of_it}"), &Limits::default()) {
            Err(Error::Limit { what: "bytes", .. }) => {}
            other => panic!("{use_of_it}: {:?}", other.map(|net| net.size())),
        }
    }
    // Nobody asks for a name here.
    let net = outcome(&format!("(t0 a) {doubled} (<= (next end) (t40 ?x))"), &Limits::default()).expect("a net");
    assert_eq!(net.fluents.len(), 2);
    // An atom that is its own contradiction, with a text that is too long to be said.
    let contradiction = "(<= (bad ?x) (t40 ?x) (true start) (not (bad ?x))) (<= (next end) (bad ?x))";
    let reading = ludens_gdl::read(&format!("{FRAME} (t0 a) {doubled} {contradiction}"), &ludens_gdl::Limits::default());
    assert!(reading.rules.is_none(), "the reader refuses it");
}

#[test]
fn long_names_count() {
    let name = "n".repeat(1 << 20);
    let digits = list(100, |at| format!("(digit {at})"));
    match outcome(&format!("{digits} (<= (next (at {name} ?x ?y)) (digit ?x) (digit ?y))"), &Limits::default()) {
        Err(Error::Limit { what: "bytes", .. }) => {}
        other => panic!("{:?}", other.map(|net| net.size())),
    }
}

#[test]
fn wide_functions_within_wide_functions() {
    // Five levels of sixty-four arguments each: 2^30 places, of which each holds one of many constants.
    let wide = |name: &str, inner: &str| format!("({name} {})", vec![inner; 64].join(" "));
    let levels = list(5, |at| format!("(<= (w{} {}) (w{at} ?x))", at + 1, wide(&format!("f{at}"), "?x")));
    let constants = list(50, |at| format!("(w0 c{at})"));
    let net = outcome(&format!("{constants} {levels} (<= (next end) (w5 ?x))"), &Limits::default()).expect("a net");
    assert_eq!(net.fluents.len(), 2);
    // The same as something that depends on the state.
    let dynamic = levels.replacen("(w0 ?x))", "(w0 ?x) (true start))", 1);
    let net = outcome(&format!("{constants} {dynamic} (<= (next end) (w5 ?x))"), &Limits::default()).expect("a net");
    assert_eq!(net.fluents.len(), 2);
    // Many functions at every depth.
    let many = list(400, |at| format!("(<= (u (g{at} ?x)) (true start) (v ?x)) (v k{at})"));
    let within = list(400, |at| format!("(<= (uu (h{at} ?x ?x ?x)) (u ?x))"));
    match outcome(&format!("{many} {within} (<= (next end) (uu (h0 ?x ?y ?z)))"), &SMALL) {
        Ok(net) => assert_eq!(net.fluents.len(), 2),
        Err(error) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
    }
}

#[test]
fn long_rules() {
    // Hundreds of conditions that leave billions of bindings, and that cannot be split: all differ from all.
    let all_differ = list(300, |at| format!("(digit ?x{at}) (distinct ?x{at} ?x{})", (at + 1) % 300));
    let digits = list(30, |at| format!("(digit {at})"));
    let head = "(next (at ?x0 ?x50 ?x100 ?x150 ?x200))";
    reaches(&format!("{digits} (<= {head} {all_differ})"), &SMALL, head);
    // Thousands of conditions.
    let chain = list(6_000, |at| format!("(true (link ?x{at} ?x{}))", at + 1));
    match outcome(&format!("(init (link a b)) (init (link b a)) (<= (next end) {chain})"), &Limits::default()) {
        Ok(net) => assert_eq!(net.check(), Ok(())),
        Err(error) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
    }
}

#[test]
fn chains_of_relations_in_the_wrong_order() {
    // Each needs the one after it, so that a round brings one more of them.
    for length in [1_000, 40_000] {
        let chain = list(length, |at| format!("(<= (p{at} ?x) (p{} ?x))", at + 1));
        match outcome(
            &format!("{chain} (<= (p{length} ?x) (true (at ?x))) (init (at 1)) (<= (next end) (p0 ?x))"),
            &Limits::default(),
        ) {
            Ok(net) => assert_eq!(net.fluents.len(), 3),
            Err(error) => assert!(length > 10_000 && matches!(error, Error::Limit { what: "steps", .. }), "{error}"),
        }
    }
}

#[test]
fn many_functions_with_an_index_each() {
    let rules = list(30_000, |at| {
        format!("(init (f{at} 1)) (init (g{at} 1)) (<= (next (f{at} ?x)) (true (g{at} ?x)) (true (f{at} ?x)))")
    });
    match outcome(&rules, &Limits::default()) {
        Ok(net) => assert!(net.fluents.len() > 60_000),
        Err(error) => assert!(matches!(error, Error::Limit { what: "steps", .. }), "{error}"),
    }
}

#[test]
fn a_rule_that_asks_thousands_of_times_is_worked_out_whole() {
    let facts = list(100, |at| format!("(init (f {at}))")) + &list(1_500, |at| format!("(init (g c{at})) (init (h 1 c{at}))"));
    let stay = "(<= (next (f ?x)) (true (f ?x))) (<= (next (g ?x)) (true (g ?x))) (<= (next (h ?x ?y)) (true (h ?x ?y)))";
    let asks = list(1_500, |at| format!("(true (h ?x c{at})) (q ?x c{at})"));
    let sheet = format!("{facts}{stay} (<= (q ?x ?y) (true (f ?x)) (true (g ?y))) (<= (next (p ?x)) (true (f ?x)) {asks})");
    assert!(outcome(&sheet, &SMALL).is_err(), "150,000 atoms are too many");
    let roomy = Limits { atoms: 400_000, instances: 400_000, fan_in: 2_000_000, steps: 60_000_000, bytes: 256 << 20, ..SMALL };
    outcome(&sheet, &roomy).expect("a network");
}

#[test]
fn many_functions_of_one_fluent_each_are_no_burden_to_a_proof() {
    let numbers = list(9, |at| format!("(num {at}) (succ {at} {})", at + 1));
    let king = "(init (king 1 1)) (init (gun 3 3)) (<= (near ?x ?y) (succ ?x ?y)) (<= (near ?x ?y) (succ ?y ?x))
        (<= (legal solo (go ?x ?v ?y ?v)) (true (king ?x ?v)) (near ?x ?y)) (<= (next (king ?y ?w)) (does solo (go ?x ?v ?y ?w)))
        (<= (next (gun ?u ?v)) (true (gun ?u ?v)) (not (true (king ?u ?v))))
        (<= (hit ?x ?y ?a ?b) (true (gun ?x ?v)) (num ?y) (distinct ?v ?y) (num ?a) (num ?b) (distinct ?a ?x))
        (<= (next (safe ?a ?b)) (true (king ?x ?y)) (num ?a) (num ?b) (not (hit ?x ?y ?a ?b)))";
    let sheet = format!("{numbers}{king}{}", list(20_000, |at| format!("(init (x{at} 1))")));
    outcome(&sheet, &Limits { atoms: 100_000, whole: 100, ..SMALL }).expect("a network");
}

//! Hostile sizes: everything ends with a result or a clear error, in bounded memory and on a small stack.

use std::fmt::Write as _;

use ludens_gdl::{Code, Limits, Reading, read};

const BASE: &str = "(role you) (init p) (legal you go) (<= (next q) (does you go)) (<= terminal (true q)) (goal you 100)\n";

/// Reads on a thread with the usual 2 MB of stack, and drops the result there too.
fn read_on_thread(text: String, look: impl FnOnce(&Reading) + Send + 'static) {
    read_with(Limits::default(), text, look);
}

fn read_with(limits: Limits, text: String, look: impl FnOnce(&Reading) + Send + 'static) {
    let work = move || {
        let reading = read(&text, &limits);
        if let Some(rules) = &reading.rules {
            assert!(!rules.to_string().is_empty());
        }
        assert!(!reading.syntax.to_string().is_empty() || reading.syntax.statements().is_empty());
        look(&reading);
        drop(reading);
    };
    std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread").join().expect("no panic");
}

fn has(reading: &Reading, code: Code) -> bool {
    reading.diagnostics.iter().any(|finding| finding.code == code)
}

#[test]
fn deep_nesting() {
    for depth in [100_000, 10_000_000] {
        let text = format!("{BASE}(p {}a{})", "(f ".repeat(depth), ")".repeat(depth));
        if text.len() <= Limits::default().bytes {
            read_on_thread(text, |reading| assert!(has(reading, Code::TooDeep) && reading.rules.is_none()));
        } else {
            read_on_thread(text, |reading| assert!(has(reading, Code::TooLarge) && reading.rules.is_none()));
        }
    }
    read_on_thread("(".repeat(1_000_000), |reading| assert!(has(reading, Code::TooDeep)));
    read_on_thread("(\n".repeat(1_000_000), |reading| assert!(has(reading, Code::UnclosedParenthesis)));
    read_on_thread(")".repeat(1_000_000), |reading| assert!(has(reading, Code::SurplusParenthesis)));
}

/// The deepest terms that are accepted go through every recursive walk there is.
#[test]
fn nesting_at_the_limit() {
    let depth = Limits::MAX_DEPTH - 10;
    let limits = Limits { depth: usize::MAX, ..Limits::default() };
    let term = format!("{}?x{}", "(f ".repeat(depth), ")".repeat(depth));
    let text = format!(
        "{BASE}(<= (next {term}) (true {term}) (not (p {term})) (distinct ?x {term}))\n(<= (p {term}) (true {term}))\n(<= (p {term}) (true {term}))"
    );
    read_with(limits, text, |reading| assert!(reading.rules.is_some() && has(reading, Code::DuplicateRule)));
    let text = format!("{BASE}(<= (next r) {}(true p){})", "(or ".repeat(depth), ")".repeat(depth));
    read_with(limits, text, |reading| assert!(reading.rules.is_some()));
}

#[test]
fn garbage() {
    let mut state = 1_u64;
    let mut byte = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let bytes: Vec<u8> = (0..10 << 20).map(|_| byte()).collect();
    let (text, was_utf8) = ludens_gdl::decode(&bytes);
    assert!(!was_utf8);
    read_on_thread(text, |reading| {
        assert!(reading.rules.is_none());
        assert!(reading.diagnostics.len() <= Limits::default().diagnostics + 1);
    });
    let alphabet = b"(( )) ?x <= not or true a\n;";
    let text: String = (0..10 << 20).map(|_| char::from(alphabet[byte() as usize % alphabet.len()])).collect();
    read_on_thread(text, |reading| assert!(reading.rules.is_none()));
}

#[test]
fn too_many_statements() {
    let mut text = BASE.to_owned();
    for number in 0..1_000_000 {
        let _ = writeln!(text, "(p {number})");
    }
    read_on_thread(text, |reading| assert!(has(reading, Code::TooLarge) && reading.rules.is_none()));
}

/// Many rules that all look as if they negated each other, and do not.
#[test]
fn many_rules_with_negation() {
    let mut text = format!("{BASE}(<= (next r) (win 0))");
    for number in 0..100_000 {
        let _ = writeln!(text, "(<= (win {number}) (true p) (not (win {})))", number + 1);
    }
    read_on_thread(text.clone(), |reading| assert!(reading.rules.is_some()));
    text.push_str("(<= (win 100000) (not (win 77)))");
    read_on_thread(text, |reading| assert!(has(reading, Code::Unstratified)));
    let mut text = format!("{BASE}(<= (next r) (win 0 0))");
    for number in 0..20_000 {
        let _ = writeln!(text, "(<= (win ?x {}) (true (f ?x)) (not (win ?x {})))", number % 2, number % 2 + 1);
    }
    read_on_thread(text, |reading| assert!(!has(reading, Code::TooLarge)));
}

/// Wide rules: many arguments, many variables, many conditions, many equalities in the wrong order.
#[test]
fn wide_rules() {
    let list = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<Vec<_>>().join(" ");
    let count = 100_000;
    let variables = list(count, &|number| format!("?v{number}"));
    let backwards = list(count, &|number| format!("?v{}", count - 1 - number));
    let unsafe_fact = format!("{BASE}(p {variables})");
    let limits = Limits { arguments: usize::MAX, ..Limits::default() };
    read_with(limits, unsafe_fact.clone(), |reading| assert!(has(reading, Code::VariableInFact)));
    read_on_thread(unsafe_fact, |reading| assert!(has(reading, Code::TooLarge)));
    let recursive = format!("{BASE}(<= (p {variables}) (p {backwards}))");
    read_with(limits, recursive, |reading| assert!(reading.rules.is_some()));
    let chain = list(count, &|number| format!("(not (distinct ?v{number} ?v{}))", number + 1));
    read_on_thread(format!("{BASE}(<= (next ?v0) {chain} (true ?v{count}))"), |reading| assert!(reading.rules.is_some()));
    let body = list(count, &|number| format!("(true (f {number}))"));
    read_on_thread(format!("{BASE}(<= (next r) {body})"), |reading| assert!(reading.rules.is_some()));
    let roles = list(count, &|number| format!("(does nobody{number} go)"));
    read_on_thread(format!("{BASE}(<= (next r) {roles})"), |reading| assert!(has(reading, Code::UnknownRole)));
    let ors = list(40, &|number| format!("(or (true p) (true q{number}))"));
    read_on_thread(format!("{BASE}(<= (next r) {ors})"), |reading| assert!(has(reading, Code::TooManyExpansions)));
    let ors = list(13, &|number| format!("(or (true p) (true q{number}))"));
    read_on_thread(format!("{BASE}(<= (next r) {body} {ors})"), |reading| assert!(has(reading, Code::TooManyExpansions)));
}

/// Many pairs of conditions and heads that take long to unify, and circles beside a large tree of rules.
#[test]
fn many_hard_rules_with_negation() {
    let list = |name: &str| (0..60).map(|number| format!("?{name}{number}")).collect::<Vec<_>>().join(" ");
    let (xs, ys) = (list("x"), list("y"));
    let deep = |inner: &str| format!("{}{inner}{}", "(f ".repeat(400), ")".repeat(400));
    let mut text = format!("{BASE}(<= (next r) (win 0))");
    for number in 0..3_000 {
        let body = format!("(true (f {xs})) (true (f {ys}))");
        let _ = writeln!(text, "(<= (wide (f {xs}) (f {ys}) {number}) {body} (not (wide (f {ys}) (f {xs}) ?x0)))");
        let _ = writeln!(text, "(<= (deep {}) (true ?x) (not (deep {})))", deep("?x"), deep(&number.to_string()));
    }
    read_on_thread(text, |reading| assert!(has(reading, Code::Unstratified)));
    let mut text = BASE.to_owned();
    for number in 1..50_000 {
        let _ = writeln!(text, "(<= (h (t {number})) (h (t {})) (h (t {})))", 2 * number, 2 * number + 1);
    }
    for number in 0..100_000 {
        let (circle, place) = (number / 20, number % 20);
        let next = format!("(h (c {circle} {}))", (place + 1) % 20);
        let condition = if place == 0 { format!("(not {next})") } else { next };
        let _ = writeln!(text, "(<= (h (c {circle} {place})) (true p) (h (t 1)) {condition})");
    }
    read_on_thread(text, |reading| assert!(has(reading, Code::Unstratified)));
}

/// Many constants that stand for roles and are none, each of them near to many roles.
#[test]
fn many_unknown_roles() {
    let mut text = BASE.to_owned();
    for number in 0..900 {
        let _ = writeln!(text, "(role a-player-with-quite-a-long-name-{number})");
    }
    for number in 0..50_000 {
        let _ = writeln!(text, "(<= (next q) (does a-player-with-quite-a-long-nome-{number} go))");
    }
    read_on_thread(text, |reading| assert!(has(reading, Code::UnknownRole) && reading.rules.is_some()));
}

/// Many names, most of them wrong in some way.
#[test]
fn many_names() {
    let mut text = BASE.to_owned();
    for number in 0..100_000 {
        let _ = writeln!(text, "(<= (rel{number} ?x) (Rel{number} ?x) (unknown{number} ?x ?X{number}))");
    }
    read_on_thread(text, |reading| {
        assert!(has(reading, Code::TooManyFindings));
        assert_eq!(reading.diagnostics.len(), Limits::default().diagnostics + 1);
    });
}

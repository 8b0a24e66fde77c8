//! What other GDL readers and validators do with small cases, and what we do. Every row is a sheet and the codes it raises.

use ludens_gdl::{Depends, Diagnostic, Keyword, Limits, Literal, Rules, Term, parse, plain_text, read};

const BASE: &str = "(role you) (init p) (legal you go) (<= (next q) (does you go)) (<= terminal (true q)) (goal you 100)\n";

fn codes(text: &str) -> String {
    let mut codes: Vec<&str> = read(text, &Limits::default()).diagnostics.iter().map(|finding| finding.code.as_str()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.join(" ")
}

/// Every row is added to a sheet that raises nothing.
fn check_added(rows: &[(&str, &str)]) {
    for (text, expected) in rows {
        let text = format!("{BASE}{text}");
        let findings = plain_text(&text, &read(&text, &Limits::default()).diagnostics);
        assert_eq!(codes(&text), *expected, "{text}\n{findings}");
    }
}

fn rules_of(text: &str) -> Rules {
    let text = format!("{BASE}{text}");
    let reading = read(&text, &Limits::default());
    reading.rules.unwrap_or_else(|| panic!("{text}\n{}", plain_text(&text, &reading.diagnostics)))
}

/// The last statements of a sheet, as they are printed.
fn lowered(text: &str) -> String {
    let rules = rules_of(text);
    rules.rules[6..].iter().map(|rule| rules.rule_text(rule)).collect::<Vec<_>>().join("\n")
}

#[test]
fn comments_and_statements() {
    let text = "; a comment\n(a b)\n; another\n(c d e) ; trailing\n(f g)\n(h i j)";
    let (syntax, findings) = parse(text, &Limits::default());
    assert_eq!((syntax.statements().len(), findings.len()), (4, 0));
    assert_eq!(syntax.to_string(), "(a b)\n(c d e)\n(f g)\n(h i j)\n");
}

#[test]
fn separators_are_ascii_blanks_only() {
    let (syntax, _) = parse("(a\tb\rc\nd\u{b}e\u{c}f g)(h\u{a0}i \u{2003})", &Limits::default());
    assert_eq!(syntax.to_string(), "(a b c d e f g)\n(h\u{a0}i \u{2003})\n");
}

#[test]
fn parentheses() {
    let rows = [
        ("(p 1", "unclosed-parenthesis"),
        ("(<= (next r) (true p)\n(<= (next s) (true p))", "unclosed-parenthesis"),
        ("(<= (next r) (true p)))\n(<= (next ?x) (true p))", "surplus-parenthesis unsafe-variable"),
        ("((p 1))", "list-as-name"),
        ("()", "empty-list"),
    ];
    check_added(&rows);
}

/// A statement after a surplus parenthesis counts, and one after an unclosed one too.
#[test]
fn reading_goes_on_after_an_error() {
    let text = "(role a))\n(init\n(legal a b)\n(<= (next\n(goal a 100)";
    let (syntax, findings) = parse(text, &Limits::default());
    assert_eq!(syntax.to_string(), "(role a)\n(legal a b)\n(goal a 100)\n");
    let places: Vec<(&str, u32)> = findings.iter().map(|finding| (finding.code.as_str(), finding.span.start)).collect();
    assert_eq!(places, [("surplus-parenthesis", 8), ("unclosed-parenthesis", 10), ("unclosed-parenthesis", 28)]);
}

#[test]
fn the_validators_rules() {
    let rows = [
        // Reserved words and keywords.
        ("(init (f not))", "reserved-word"),
        ("(init (f (not a)))", "reserved-function"),
        ("(init (f (true x)))", "keyword-function"),
        ("(init (f true))", "keyword-constant"),
        ("(init (f random))", ""),
        ("(goal you 1 2)", "keyword-arity"),
        ("(input you)", "keyword-arity"),
        ("(<= (role me) (true p))", "role-by-rule"),
        ("(<= (true q) (true p))", "keyword-head"),
        ("(<= (does you go) (true p))", "keyword-head"),
        ("(true p)", "keyword-head"),
        ("(does you go)", "keyword-head"),
        ("(<= (next r) (init p))", "keyword-in-body"),
        ("(<= (next r) (next q))", "keyword-in-body"),
        ("(<= (next r) (base q))", "keyword-in-body"),
        ("(<= (next r) (input you go))", "keyword-in-body"),
        // What may depend on what.
        ("(<= (init r) (true p))", "depends-on-state"),
        ("(<= (base ?x) h (role ?x)) (<= h (not (true p)))", "depends-on-state"),
        ("(<= (input ?x go) (role ?x) (does ?x go))", "depends-on-state"),
        ("(<= (init r) (role you))", ""),
        ("(<= (legal you stop) (does you go))", "depends-on-moves"),
        ("(<= terminal h) (<= h (does you go))", "depends-on-moves"),
        ("(<= (goal you 0) (not h)) (<= h g) (<= g (does you go))", "depends-on-moves"),
        ("(<= h (legal you go)) (<= terminal (not h))", ""),
        // Negation and disjunction.
        ("(<= (next r) (not (or (true p) (true q))))", "negated-compound"),
        ("(<= (next r) (not (not (true p))))", "negated-compound"),
        ("(<= (next r) (not (distinct a a)))", "negated-distinct"),
        ("(<= (next r) (or (true p) (or (true q) (true r))))", "nested-or"),
        ("(<= (next r) (or))", "empty-or"),
        // Needless things.
        ("(<= (goal you 0))", "empty-body"),
        ("(<= (next r) (h)) (<= h (true p))", "needless-parentheses"),
        ("(init (f (g)))", "needless-parentheses"),
        // Names.
        ("(init (f a#))", "unusual-character"),
        ("(init (f 1)) (init (f 1 2))", "function-arity"),
        ("(h 1) (h 1 2) (<= (next r) (h 1) (h 1 2))", "relation-arity"),
        ("(f 1) (<= (next (f ?x)) (f ?x))", "function-and-relation"),
        ("(<= (next r) squee)", "undefined-relation"),
        ("(squee)", "needless-parentheses unused-relation"),
        ("squee", "unused-relation"),
        ("(h p) (<= (next r) (H p))", "case-clash undefined-relation unused-relation"),
        ("(<= (next (f ?x ?X)) (true (f ?x ?X)))", "variable-case"),
        // Variables.
        ("(h ?x)", "unused-relation variable-in-fact"),
        ("(<= (h ?x))", "empty-body unused-relation variable-in-fact"),
    ];
    check_added(&rows);
}

/// What is just within a limit passes, and one more does not; a role stated twice is one role.
#[test]
fn limits_on_roles_and_arguments() {
    let roles = |count: usize| (1..count).map(|number| format!("(role r{number})")).collect::<Vec<_>>().concat();
    let arguments = |count: usize| format!("(h {0}) (<= (next r) (h {0}))", "a ".repeat(count));
    let function = |count: usize| format!("(init (f {}))", "a ".repeat(count));
    for (text, expected) in [
        (roles(1_000), ""),
        (roles(1_000) + "(role you)", "duplicate-rule"),
        (roles(1_001), "too-large"),
        (arguments(64), ""),
        (arguments(65), "too-large"),
        (function(64), ""),
        (function(65), "too-large"),
    ] {
        check_added(&[(&text, expected)]);
    }
    let text = format!("{BASE}{}", roles(1_234));
    let findings = plain_text(&text, &read(&text, &Limits::default()).diagnostics);
    assert!(findings.contains("the sheet has 1234 roles, and the limit is 1000"), "{findings}");
}

#[test]
fn safety() {
    let rows = [
        ("(<= (legal ?p ?p) (true p))", "unsafe-variable"),
        ("(<= terminal (not (true ?x)))", "unsafe-variable"),
        ("(<= (next r) (distinct ?x ?y))", "unsafe-variable"),
        ("(<= (next ?x) (or (true ?x) (true (f ?x))))", ""),
        ("(<= (next ?x) (or (true ?x) (true p)))", "unsafe-variable"),
        ("(<= (next ?x) (distinct ?x p) (true ?x))", ""),
        // Equality binds one side from the other, through any number of equalities, but not out of nothing.
        ("(<= (next ?x) (true ?y) (not (distinct ?x ?y)))", "negated-distinct"),
        ("(<= (next ?x) (not (distinct (f ?y) ?x)) (not (distinct ?z ?y)) (true ?z))", "negated-distinct"),
        ("(<= (next ?x) (not (distinct ?x a)))", "negated-distinct"),
        ("(<= (next ?x) (not (distinct ?x ?y)) (not (distinct ?y ?x)))", "negated-distinct unsafe-variable"),
    ];
    check_added(&rows);
}

#[test]
fn stratification() {
    let rows = [
        ("(<= h (not h)) (<= (next r) h)", "unstratified"),
        ("(<= h (not g)) (<= g (not h)) (<= (next r) h)", "unstratified"),
        ("(<= h (true p) g) (<= g (not h)) (<= (next r) h)", "unstratified"),
        ("(<= h (true p) g) (<= g h) (<= (next r) h)", ""),
        ("(<= (goal ?p 0) (role ?p) (not (goal ?p 100)))", ""),
        ("(<= (goal ?p 0) (role ?p) (not (goal ?p 100))) (<= (goal ?p 100) (role ?p) (not (goal ?p 0)))", "unstratified"),
        ("(<= (goal ?p ?v) (role ?p) (true (f ?v)) (not (goal ?p 100)))", "unstratified"),
        ("(<= (h (f ?x)) (true ?x) (not (h (g ?x)))) (<= (h (g ?x)) (true ?x)) (<= (next r) (h p))", ""),
        ("(<= (h ?x ?x) (true ?x) (not (h a b))) (<= (next r) (h p p))", ""),
        ("(<= (h ?x ?x) (true ?x) (not (h a ?x))) (<= (next r) (h p p))", "unstratified"),
    ];
    check_added(&rows);
}

#[test]
fn recursion() {
    let use_it = "(<= (next r) (h p))";
    let rows = [
        ("(<= (h (f ?x)) (h ?x))", "unbounded-recursion"),
        ("(<= (h ?y) (h ?x) (g ?x ?y)) (g a b)", ""),
        ("(<= (h (f ?x)) (h ?x) (g ?x)) (g a)", ""),
        ("(<= (h (f ?x)) (g ?x)) (<= (g ?y) (h ?y))", "unbounded-recursion"),
        ("(<= (h ?x) (g ?x)) (<= (g ?y) (h ?y))", ""),
        ("(<= (h (f ?x)) (g ?x)) (<= (g (f ?y)) (h ?y))", "unbounded-recursion"),
        ("(<= (h ?x) (h ?x) (g ?x)) (g a)", ""),
        ("(<= (h (f ?x)) (h ?x) (true (step ?x)))", ""),
        ("(<= (h (f ?x)) (or (h ?x) (g ?x))) (g a)", "unbounded-recursion"),
    ];
    for (text, expected) in rows {
        check_added(&[(&format!("{text} {use_it}"), expected)]);
    }
}

#[test]
fn required_relations() {
    assert_eq!(codes(""), "missing-init missing-relation");
    assert_eq!(codes(&BASE.replace("(init p)", "")), "missing-init");
    for statement in ["(<= terminal (true q))", "(goal you 100)", "(role you)", "(legal you go)"] {
        assert_eq!(codes(&BASE.replace(statement, "")), "missing-relation", "without {statement}");
    }
}

/// Everything wrong with a sheet is said at once.
#[test]
fn all_findings_together() {
    let text =
        "(goal you) (true p) (<= (role me) (true p)) (h ?x) (init (f (true x))) (<= (next r) (next q)) (<= (init p) (true q))";
    let expected = "depends-on-state keyword-arity keyword-function keyword-head keyword-in-body role-by-rule variable-in-fact";
    check_added(&[(text, expected)]);
    let text = format!("{BASE}{text}");
    let reading = read(&text, &Limits::default());
    assert!(reading.diagnostics.is_sorted_by_key(|finding| finding.span), "findings come by position");
    assert!(reading.diagnostics.iter().all(|finding: &Diagnostic| finding.is_error()));
}

#[test]
fn gdl2_is_recognised() {
    let rows = [
        ("(<= (sees you (saw p)) (true p))", "hidden-information"),
        ("(sees you p)", "hidden-information"),
        ("(sees you p) (<= (next r) (sees you p))", ""),
        ("(sees 1 1 1 2) (<= (next r) (sees 1 1 1 2))", ""),
        ("(role RANDOM)", "random-role"),
    ];
    check_added(&rows);
    assert!(rules_of("(role random)").needs_gdl2);
    assert!(!rules_of("").needs_gdl2);
}

#[test]
fn lowering() {
    let rows = [
        // The choice inside the first `or` changes slowest; nested ones are flattened; an empty one is false.
        (
            "(<= (next r) (or (true a) (true b)) (true p) (or (true c) (or (true d))))",
            "(<= (next r) (true a) (true p) (true c))\n(<= (next r) (true a) (true p) (true d))\n\
             (<= (next r) (true b) (true p) (true c))\n(<= (next r) (true b) (true p) (true d))",
        ),
        ("(<= (next r) (true a) (or))", ""),
        ("(<= (next r) (or (not (true a)) (distinct a b)))", "(<= (next r) (not (true a)))\n(<= (next r) (distinct a b))"),
        ("(<= (next r) (NOT (Distinct a b)))", "(<= (next r) (not (distinct a b)))"),
        ("(<= (init r))", "(init r)"),
        ("( <= ( next ( f ) ) ( h ) )", "(<= (next f) h)"),
        ("(INIT (True-ish TRUE Random))", "(init (True-ish true random))"),
        ("(<= (next ?row) (true (f ?Row)))", "(<= (next ?row) (true (f ?row)))"),
        ("(<= (next (f ?x ?X)) (true (f ?x ?X)))", "(<= (next (f ?x ?X)) (true (f ?x ?X)))"),
    ];
    for (text, expected) in rows {
        assert_eq!(lowered(text), expected, "{text}");
    }
    let rules = rules_of("(<= (next r) (not (distinct a b)))");
    assert!(matches!(rules.rules[6].body[0], Literal::Equal(..)));
}

/// A sentence is its relation and its leaves: reading what they print as gives the sentence again.
#[test]
fn function_nesting() {
    fn leaves<'a>(rules: &'a Rules, term: &Term, found: &mut Vec<&'a str>) {
        match term {
            Term::Apply(name, args) if args.is_empty() => found.push(rules.names.text(*name)),
            Term::Apply(_, args) => args.iter().for_each(|arg| leaves(rules, arg, found)),
            Term::Var(_) => panic!("a variable"),
        }
    }
    let rules = rules_of("(<= (next r) (does player (combine foo (bar b b))))");
    let atom = rules.rules[6].body[0].atom().expect("an atom");
    assert_eq!(rules.relation(atom.relation).keyword, Some(Keyword::Does));
    let mut found = Vec::new();
    atom.args.iter().for_each(|arg| leaves(&rules, arg, &mut found));
    assert_eq!(found, ["player", "foo", "b", "b"]);
    assert_eq!(rules.atom_text(atom, &rules.rules[6]), "(does player (combine foo (bar b b)))");
}

/// `(p)` and `p` are one relation; one name with two arities is two.
#[test]
fn relations() {
    let rules = rules_of("(<= (h) (true p)) (<= (next r) h (not (h)) (h 1))");
    let of = |name: &str| rules.relations.iter().filter(|relation| rules.names.text(relation.name) == name).count();
    assert_eq!(of("h"), 2);
    let rules = rules_of("(ROLE me) (Role ME)");
    let players: Vec<String> = rules.roles.iter().map(|role| rules.term_text(role, &rules.rules[0])).collect();
    assert_eq!(players, ["you", "me", "ME"]);
    assert!(rules.case_sensitive && !rules_of("(Role me)").case_sensitive);
}

#[test]
fn dependencies() {
    let rules = rules_of(
        "(s 1) (<= (t ?x) (s ?x) (not (true ?x))) (<= (u ?x) (t ?x) (does ?x go)) (<= (v ?x) (v ?x) (w ?x)) (<= (w ?x) (v ?x) (u ?x))\
         (<= (next r) (v 1))",
    );
    let depends = |name: &str| {
        let found = rules.relations.iter().find(|relation| rules.names.text(relation.name) == name);
        found.expect("a relation").depends
    };
    for (name, expected) in [
        ("s", Depends::Nothing),
        ("t", Depends::State),
        ("u", Depends::Moves),
        ("v", Depends::Moves),
        ("w", Depends::Moves),
        ("legal", Depends::Nothing),
        ("terminal", Depends::State),
        ("next", Depends::Moves),
    ] {
        assert_eq!(depends(name), expected, "{name}");
    }
    assert_eq!(rules.keyword(Keyword::Base), None);
}

#[test]
fn graphs_and_variables() {
    let rules = rules_of("(<= (h ?x ?z) (true (f ?x (g ?y ?x))) (not (g ?y)) (distinct ?x a) (not (distinct ?z ?y))) (g a)");
    let id =
        |name: &str| rules.relations.iter().position(|relation| rules.names.text(relation.name) == name).expect("a relation");
    let graph = rules.relation_graph();
    assert_eq!(graph.len(), rules.relations.len());
    assert_eq!(graph.targets(id("h") as u32), [id("true") as u32, id("g") as u32]);
    assert_eq!(graph.targets(id("g") as u32), []);
    let rule = &rules.rules[6];
    let variables = |literal: &Literal| {
        let mut names = Vec::new();
        literal.each_variable(&mut |var| names.push(rule.variables[var.0 as usize].as_str()));
        names.join(" ")
    };
    assert_eq!(rule.body.iter().map(variables).collect::<Vec<_>>(), ["x y x", "y", "x", "z y"]);
}

#[test]
fn strata() {
    let rules =
        rules_of("(<= h (true p)) (<= g (not h) f) (<= f (not (true q)) g) (<= (goal you 0) (not (goal you 100)) (not g))");
    let expected = "0 static role/1\n0 static init/1\n0 static legal/2\n0 moves does/2\n0 moves next/1\n0 state true/1\n0 state terminal/0\n\
                    0 state h/0\n1 state g/0 f/0 ; recursive\n2 state goal/2 ; recursive through not\n";
    assert_eq!(rules.strata_text(), expected);
}

/// Moves come back from other players in any case.
#[test]
fn terms_from_the_wire() {
    let resolve = |rules: &Rules, text: &str| {
        let term = ludens_gdl::parse_ground(text).expect("a ground term");
        rules.resolve(&term).map(|term| rules.term_text(&term, &rules.rules[0]))
    };
    let plain = rules_of("(legal you (Move a B))");
    assert_eq!(resolve(&plain, "( MOVE A b )").as_deref(), Some("(Move a B)"));
    assert_eq!(resolve(&plain, "(move a c)"), None);
    let strict = rules_of("(legal you (move a B)) (legal you (move A b))");
    assert!(strict.case_sensitive);
    assert_eq!(resolve(&strict, "(MOVE a B)").as_deref(), Some("(move a B)"));
    assert_eq!(resolve(&strict, "(move A b)").as_deref(), Some("(move A b)"));
}

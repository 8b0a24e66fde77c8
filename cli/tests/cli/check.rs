//! `check`: diagnostics, sampled play, facts.

use crate::support::{COUNTER, Folder, ludens};

#[test]
fn the_library_is_clean() {
    let run = ludens(&["check", "tic_tac_toe", "--play", "50", "--facts"]).expect(0);
    assert!(run.stdout.contains("tic_tac_toe: valid, 0 errors, 0 warnings"), "{}", run.stdout);
    assert!(run.stdout.contains("50 random matches"), "{}", run.stdout);
    assert!(run.stdout.contains("0 failed"), "{}", run.stdout);
}

#[test]
fn an_unsafe_rule_is_an_error_with_its_place() {
    let folder = Folder::new();
    let sheet = folder.write("bad.kif", format!("{COUNTER}(<= (next (bad ?x))\n    (does r go))\n"));
    let run = ludens(&["check", &sheet]).expect(1);
    assert!(run.stdout.contains("bad.kif:9:16: error[unsafe-variable]"), "{}", run.stdout);
    assert!(run.stdout.contains("bad: not valid, 1 error,"), "{}", run.stdout);

    let report = ludens(&["check", &sheet, "--json"]).expect(1).json();
    assert_eq!(report["valid"], false);
    let diagnostics = report["diagnostics"].as_array().expect("a list");
    let error = diagnostics.iter().find(|found| found["severity"] == "error").expect("an error");
    assert_eq!(error["code"], "unsafe-variable");
    assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(9), Some(16)));
    assert!(error["message"].is_string() && error.get("hint").is_some());
}

#[test]
fn other_commands_refuse_an_invalid_sheet_with_its_errors() {
    let folder = Folder::new();
    let sheet = folder.write("bad.kif", "(role r)\n(<= terminal");
    for args in
        [&["perft", &sheet, "--depth", "1"][..], &["trace", &sheet], &["bench", &sheet], &["show", &sheet, "--stage", "rules"]]
    {
        let run = ludens(args).expect(1).complains("error[unclosed-parenthesis]").complains("is not a valid rule sheet");
        assert_eq!(run.stdout, "");
    }
    let run = ludens(&["show", &sheet, "--stage", "syntax"]).expect(1);
    assert!(run.stdout.contains("(role r)"), "{}", run.stdout);
}

/// Every kind of finding, each in a sheet that is valid as far as reading it can tell.
#[test]
fn sampled_play_finds_what_reading_cannot() {
    let goal = "(<= (goal r 100) (true (at 3)))\n(<= (goal r 0) (not (true (at 3))))\n";
    let rest = COUNTER.strip_suffix(goal).expect("the counter's goals come last");
    let legal = "(<= (legal r go) (true (at ?n)) (succ ?n ?m))";
    for (kind, sheet, message) in [
        ("no-goal", format!("{rest}(<= (goal r 100) (true (at 2)))\n"), "r has no goal value at the end"),
        ("several-goals", format!("{COUNTER}(<= (goal r 50) (true (at 3)))\n"), "100 and 50"),
        ("bad-goal", format!("{rest}(<= (goal r 300) (true (at 3)))\n"), "not an integer from 0 to 100"),
        ("no-legal-move", COUNTER.replace(legal, "(<= (legal r go) (true (at 0)))"), "r has no legal move"),
        ("too-long", COUNTER.replace("(succ 2 3)", "(succ 2 0)"), "not over after 20 joint moves"),
    ] {
        let folder = Folder::new();
        let path = folder.write("sheet.kif", sheet);
        let report = ludens(&["check", &path, "--play", "5", "--max-plies", "20", "--json"]).expect(1).json();
        assert_eq!(report["valid"], true, "{kind}: {report}");
        let findings = report["play"]["findings"].as_array().expect("a list");
        assert_eq!(findings.len(), 1, "each kind once: {report}");
        assert_eq!((&findings[0]["kind"], &findings[0]["count"]), (&kind.into(), &5.into()));
        assert!(findings[0]["state"].as_array().is_some_and(|state| !state.is_empty()), "the state is shown");

        let text = ludens(&["check", &path, "--play", "5", "--max-plies", "20"]).expect(1).stdout;
        assert!(text.contains(message) && text.contains("moves: go") && text.contains("state: (at "), "{kind}:\n{text}");
    }
}

#[test]
fn facts_lie_beside_the_sheet_or_in_the_library() {
    let folder = Folder::new();
    let sheet = folder.write("counter/rules.kif", COUNTER);
    let game = folder.path("counter");
    ludens(&["check", &game, "--facts"]).expect(2).complains("counter/facts.txt` is not there");
    for (facts, code, said) in [
        ("perft 1 1 1 0\nmatch go; go; go => 100", 0, "5 known facts checked, 0 failed"),
        ("perft 1 1 2 0\nmatch go; go => 100", 1, "fact does not hold: line 1: perft 3: expected 2, got 1"),
        ("perft 1", 1, "fact does not hold: facts.txt lacks a `match` from the start"),
    ] {
        folder.write("counter/facts.txt", facts);
        for place in [&game, &sheet] {
            let stdout = ludens(&["check", place, "--facts"]).expect(code).stdout;
            assert!(stdout.contains(said), "{facts}:\n{stdout}");
        }
    }
    folder.write("counter/facts.txt", "perft many");
    ludens(&["check", &game, "--facts"]).expect(2).complains("facts.txt: line 1 of the facts: `many` is not such a number");
}

//! `verify`: traces of our own, traces that lie, and the public ones where they are at hand.

use crate::support::{COUNTER, Folder, Run, command, ludens, root};
use flate2::{Compression, write::GzEncoder};
use std::io::Write as _;
use std::path::Path;

/// A folder with a sheet and its trace, changed by `edit`.
fn corpus(edit: impl FnOnce(String) -> String) -> Folder {
    let folder = Folder::new();
    let sheet = folder.write("games/sub/counter.kif", COUNTER);
    let trace = ludens(&["trace", &sheet, "--matches", "2"]).expect(0).stdout;
    folder.write("traces/sub/counter.jsonl", edit(trace));
    folder
}

fn verify(folder: &Folder, more: &[&str]) -> Run {
    let (games, traces) = (folder.path("games"), folder.path("traces"));
    ludens(&[&["verify", "--games", &games, "--traces", &traces], more].concat())
}

/// Without the folders named, as somebody types it in `folder`.
fn here(folder: &str, more: &[&str]) -> Run {
    let output = command(&[&["verify"], more].concat()).current_dir(folder).output().expect("the binary runs");
    Run::new(&output)
}

#[test]
fn games_and_traces_in_the_current_folder_are_found() {
    let folder = corpus(|trace| trace);
    assert!(here(&folder.path(""), &[]).expect(0).stdout.ends_with("1 games, 8 states, 0 mismatches\n"));
    let run = here(&folder.path(""), &["--games", "games", "--traces", "elsewhere"]);
    run.expect(2).complains("`elsewhere` is not a folder");
}

#[test]
fn a_trace_without_states_confirms_nothing() {
    let folder = corpus(|trace| trace.lines().next().expect("a header").to_owned());
    let run = verify(&folder, &[]).expect(2).complains("no game could be compared");
    assert!(run.stdout.contains("sub/counter  the trace has no state\n"), "{}", run.stdout);
    assert!(run.stdout.ends_with("\n0 games, 0 states, 0 mismatches\n"), "{}", run.stdout);
}

#[test]
fn successors_that_are_not_recorded_are_counted() {
    // Of the two matches of four states, the first lacks its third state and the second its last.
    let folder = corpus(|trace| {
        let lines: Vec<&str> =
            trace.lines().enumerate().filter(|(index, _)| ![3, 8].contains(index)).map(|(_, line)| line).collect();
        lines.join("\n")
    });
    let run = verify(&folder, &[]).expect(0);
    assert!(run.stdout.contains("CPU s  2 successors not recorded\n"), "{}", run.stdout);
    assert!(run.stdout.ends_with("\n1 games, 6 states, 0 mismatches\n"), "{}", run.stdout);
    let report = verify(&folder, &["--json"]).expect(0).json();
    assert_eq!((&report["unchecked"], &report["results"][0]["unchecked"]), (&2.into(), &2.into()));
}

#[test]
fn a_file_that_cannot_be_read_does_not_stop_the_others() {
    let folder = corpus(|trace| trace);
    folder.write("games/a_bad.kif", COUNTER);
    folder.write("traces/a_bad.jsonl", "no trace");
    let run = verify(&folder, &[]).expect(2).complains("1 game could not be compared").complains("a_bad.jsonl` is not a trace");
    assert!(run.stdout.contains("error: `") && run.stdout.ends_with("\n1 games, 8 states, 0 mismatches\n"), "{}", run.stdout);
    let report = verify(&folder, &["--json", "--threads", "2"]).expect(2).json();
    assert_eq!((&report["games"], &report["states"]), (&1.into(), &8.into()));
    assert_eq!(report["failed"], serde_json::json!(["a_bad"]));
    assert!(report["results"][0]["error"].as_str().is_some_and(|error| error.contains("is not a trace")), "{report}");
}

#[test]
fn a_trace_of_ours_is_confirmed() {
    let folder = corpus(|trace| trace);
    let run = verify(&folder, &[]).expect(0);
    assert!(run.stdout.contains("sub/counter"), "{}", run.stdout);
    assert!(run.stdout.ends_with("\n1 games, 8 states, 0 mismatches\n"), "{}", run.stdout);
    let report = verify(&folder, &["--json"]).expect(0).json();
    assert_eq!((&report["games"], &report["states"], &report["mismatches"]), (&1.into(), &8.into(), &0.into()));
    assert_eq!((&report["failed"], &report["skipped"]), (&serde_json::json!([]), &serde_json::json!([])));
}

#[test]
fn every_kind_of_lie_is_found() {
    for (from, to, what) in [
        (r#""terminal":true"#, r#""terminal":false"#, "terminal\n    only expected: false\n    only computed: true"),
        (
            r#""legal":[["go"]]"#,
            r#""legal":[["go","stay"]]"#,
            "legal moves of r\n    only expected: stay\n    only computed: nothing",
        ),
        (r#""goals":[["0"]]"#, r#""goals":[["1"]]"#, "goal values of r\n    only expected: 1\n    only computed: 0"),
        (
            r#""step":1,"terminal":false,"state":["(at 1)"]"#,
            r#""step":1,"terminal":false,"state":["(at 2)"]"#,
            "the state after go",
        ),
        (
            r#""step":0,"terminal":false,"state":["(at 0)"]"#,
            r#""step":0,"terminal":false,"state":["(at 1)"]"#,
            "the initial state",
        ),
        (r#""roles":["r"]"#, r#""roles":["s"]"#, "roles, in order"),
        (r#""sha256":""#, r#""sha256":"0"#, "the trace was made from another one"),
    ] {
        let folder = corpus(|trace| {
            assert!(trace.contains(from), "{from} is in the trace");
            trace.replacen(from, to, 1)
        });
        let run = verify(&folder, &[]).expect(1);
        assert!(run.stdout.contains(what), "{what}:\n{}", run.stdout);
        let report = verify(&folder, &["--json"]).expect(1).json();
        assert_eq!(report["failed"], serde_json::json!(["sub/counter"]));
    }
}

#[test]
fn spelling_is_no_mismatch() {
    let folder = corpus(|trace| trace.replace(r#""(at 1)""#, r#""( AT  (1) )""#));
    verify(&folder, &[]).expect(0);
}

#[test]
fn compressed_traces_are_read_and_broken_ones_named() {
    let folder = Folder::new();
    let sheet = folder.write("games/counter.kif", COUNTER);
    let trace = ludens(&["trace", &sheet, "--matches", "2"]).expect(0).stdout;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(trace.as_bytes()).expect("in memory");
    let packed = encoder.finish().expect("in memory");
    folder.write("traces/counter.jsonl.gz", &packed);
    verify(&folder, &[]).expect(0);
    folder.write("traces/counter.jsonl.gz", &packed[..packed.len() / 2]);
    verify(&folder, &[]).expect(2).complains("counter.jsonl.gz");
    folder.write("traces/counter.jsonl.gz", "not packed");
    verify(&folder, &[]).expect(2).complains("cannot unpack");
}

#[test]
fn what_cannot_be_compared_is_named() {
    let folder = corpus(|trace| trace);
    folder.write("games/alone.kif", COUNTER);
    folder.write("traces/orphan.jsonl", "");
    folder.write("games/unsafe.kif", format!("{COUNTER}(<= (p ?x) (succ ?y ?z))\n(<= (legal r go) (p 0))\n"));
    let trace = std::fs::read_to_string(folder.path("traces/sub/counter.jsonl")).expect("a trace");
    folder.write("traces/unsafe.jsonl", &trace);
    folder.write("games/twice.kif", format!("{COUNTER}(<= (p) (true (at 3)))\n(<= (goal r 100) p)\n"));
    folder.write("traces/twice.jsonl", trace.replace("ludens", "ggp-base"));

    let run = verify(&folder, &["--threads", "2"]).expect(0);
    for needle in [
        "alone        there is no trace for this sheet",
        "orphan       there is no sheet for this trace",
        "unsafe       rejected (unsafe-variable)",
        "twice        skipped: the oracle reads (p) and p as two relations",
    ] {
        assert!(run.stdout.contains(needle), "{needle}:\n{}", run.stdout);
    }
    assert!(run.stdout.ends_with("1 games, 8 states, 0 mismatches\n"), "{}", run.stdout);
    let names: Vec<&str> = run.stdout.lines().filter_map(|line| line.split_whitespace().next()).take(5).collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn nothing_to_compare_is_an_error() {
    let folder = Folder::new();
    folder.write("games/alone.kif", COUNTER);
    folder.write("traces/README.md", "no trace");
    verify(&folder, &[]).expect(2).complains("no game could be compared");
    verify(&folder, &["--only", "nothing"]).expect(2).complains("there is nothing to verify");
    here(&folder.path("games"), &[])
        .expect(2)
        .complains("there is no folder `games` here")
        .complains("--games DIR and --traces DIR");
    ludens(&["verify", "--games", "/no/such/folder"]).expect(2).complains("`/no/such/folder` is not a folder");
}

/// The public sheets lie beside the project on the machines that have them; the small ones of them are checked here,
/// and all of them by `.ci/run`.
#[test]
fn public_conformance_sheets_are_confirmed() {
    let shared = root().join("../shared");
    if !Path::new(&shared).join("traces/conformance").is_dir() {
        return;
    }
    let (games, traces) = (shared.join("games"), shared.join("traces"));
    let args =
        ["verify", "--json", "--only", "conformance/", "--games", games.to_str().unwrap(), "--traces", traces.to_str().unwrap()];
    let report = ludens(&args).expect(0).json();
    assert_eq!((&report["games"], &report["mismatches"]), (&20.into(), &0.into()));
    let skipped: Vec<&str> = report["skipped"].as_array().unwrap().iter().map(|skip| skip["game"].as_str().unwrap()).collect();
    let cases = ["test_case_3a", "test_case_3b", "test_case_3e", "test_case_3f"].map(|case| format!("conformance/{case}"));
    assert_eq!(skipped, cases);
}

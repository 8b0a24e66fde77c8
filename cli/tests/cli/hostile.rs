//! Files that no game ever came in: a clear text and an exit code, never a crash.

use crate::support::{COUNTER, Folder, ludens, ludens_in_time};
use std::fmt::Write as _;
use std::os::unix::fs::symlink;

#[test]
fn garbage_is_not_a_game() {
    let folder = Folder::new();
    let sheet = folder.write("garbage.kif", "This is not a rule sheet, (is it?");
    let run = ludens(&["check", &sheet]).expect(1);
    assert!(run.stdout.contains("garbage: not valid"), "{}", run.stdout);
    let run = ludens(&["check", &folder.write("empty.kif", "")]).expect(1);
    assert!(run.stdout.contains("missing-relation"), "{}", run.stdout);
}

#[test]
fn ten_megabytes_of_noise_are_refused_in_good_order() {
    // A fixed generator: noise that is the same in every run.
    let mut state = 1_u64;
    let mut noise = |_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    let folder = Folder::new();
    let sheet = folder.write("noise.kif", (0..10_000_000).map(&mut noise).collect::<Vec<u8>>());
    let run = ludens(&["check", &sheet]).expect(1);
    assert!(run.stdout.contains("not UTF-8") && run.stdout.contains("noise: not valid"), "{}", &run.stdout[..2000]);
    let nul = folder.write("nul.kif", vec![0; 10_000_000]);
    ludens(&["check", &nul]).expect(1);
}

#[test]
fn nesting_has_a_limit() {
    let folder = Folder::new();
    for (name, text) in [
        ("open.kif", "(".repeat(100_000)),
        ("close.kif", ")".repeat(100_000)),
        ("deep.kif", format!("{COUNTER}(p {}a{})", "(f ".repeat(100_000), ")".repeat(100_000))),
        ("not.kif", format!("{COUNTER}(<= p {}q{})", "(not ".repeat(100_000), ")".repeat(100_000))),
    ] {
        let run = ludens(&["check", &folder.write(name, text)]).expect(1);
        assert!(run.stdout.contains(": error["), "{name}: {}", run.stdout);
    }
}

#[test]
fn a_million_facts_are_read_or_refused() {
    let folder = Folder::new();
    let mut text = COUNTER.to_owned();
    for number in 0..1_000_000 {
        let _ = writeln!(text, "(fact {number})");
    }
    let sheet = folder.write("million.kif", text);
    let run = ludens(&["check", &sheet]);
    assert!(run.code == 0 || run.stdout.contains("too-large"), "{}: {}", run.code, run.stdout);
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let folder = Folder::new();
    let path = folder.write("huge.kif", "");
    let huge = std::fs::File::create(&path).expect("a file");
    // Sparse: it takes no room on the disk.
    huge.set_len(40 << 30).expect("a large file");
    ludens(&["check", &path]).expect(2).complains("is larger than 32 MiB");
}

#[test]
fn stray_bytes_in_a_comment_do_not_matter() {
    let folder = Folder::new();
    let sheet = folder.write("latin.kif", [b"; caf\xe9\n", COUNTER.as_bytes()].concat());
    let run = ludens(&["check", &sheet, "--play", "3"]).expect(0);
    assert!(run.stdout.contains("not UTF-8; it was read as Latin-1"), "{}", run.stdout);
}

#[test]
fn a_file_name_need_not_be_a_word() {
    let folder = Folder::new();
    let sheet = folder.write("a game, with blanks & more.kif", COUNTER);
    assert!(ludens(&["check", &sheet]).expect(0).stdout.contains("a game, with blanks & more: valid"));
}

#[test]
fn more_joint_moves_than_numbers_are_counted_as_too_many() {
    let folder = Folder::new();
    let mut text = String::from("(<= (legal ?r (pick ?a ?b)) (role ?r) (digit ?a) (digit ?b))\n(init start)\n(next start)\n");
    text += "(<= terminal (true over))\n(<= (goal ?r 0) (role ?r))\n";
    for digit in 0..10 {
        let _ = writeln!(text, "(digit {digit})");
    }
    // A hundred moves for each of eleven players: 10^22 joint moves.
    for role in 0..11 {
        let _ = writeln!(text, "(role player{role})");
    }
    let sheet = folder.write("crowd.kif", text);
    ludens(&["perft", &sheet, "--depth", "1"]).expect(2).complains("more than 2^64 sequences of 1 joint moves");
    ludens(&["perft", &sheet, "--depth", "1", "--split"]).expect(2).complains("--split lists at most");
    ludens(&["trace", &sheet, "--matches", "1", "--max-plies", "3"]).expect(0);
}

#[test]
fn facts_of_a_stranger_are_read_or_refused() {
    let folder = Folder::new();
    folder.write("rules.kif", format!("{COUNTER}(base (at 0))"));
    let mut positions = String::new();
    for number in 0..150_000 {
        let _ = writeln!(positions, "position p{number} (at 0)");
    }
    for (facts, said) in [
        (b"\xff\xfe\0".to_vec(), "facts.txt` is not UTF-8"),
        (vec![b' '; (4 << 20) + 1], "is larger than 4 MiB"),
        (vec![b'x'; 4 << 20], "x…` is none of `perft`"),
        (b"\x1b[31mperft 1".to_vec(), "`\\u{1b}[31mperft` is none of `perft`"),
        (format!("perft{}", " 1".repeat(1_000_000)).into_bytes(), "1000000 numbers are too many: counts go to depth 1000"),
        (format!("legal => {}", "(f ".repeat(1_000_000)).into_bytes(), "the term nests too deep"),
        (positions.into_bytes(), "facts.txt lacks a `perft`"),
    ] {
        folder.write("facts.txt", facts);
        let run = ludens_in_time(&["check", &folder.path(""), "--facts"]);
        assert!(run.stdout.contains(said) || run.code == 2 && run.stderr.contains(said), "{said}: {run:?}");
        assert!(!run.stdout.contains('\u{1b}') && !run.stderr.contains('\u{1b}'));
    }
}

#[test]
fn facts_that_are_a_link_out_of_the_folder_are_refused() {
    let folder = Folder::new();
    let sheet = folder.write("game/rules.kif", COUNTER);
    let outside = folder.write("facts.txt", "perft 1\nmatch go; go; go => 100");
    symlink(&outside, folder.path("game/facts.txt")).expect("a link");
    for game in [&sheet, &folder.path("game")] {
        ludens(&["check", game, "--facts"]).expect(2).complains("facts.txt` is a link that leaves the folder");
    }
}

#[test]
fn a_turn_without_an_end_is_not_counted() {
    let folder = Folder::new();
    folder.write("rules.kif", COUNTER.replace("(succ 2 3)", "(succ 2 0)") + "(init turn) (next turn)");
    folder.write("facts.txt", "perft 1\nmatch go => 0\nturns turn 1");
    let run = ludens_in_time(&["check", &folder.path(""), "--facts"]).expect(1);
    assert!(run.stdout.contains("line 3: a turn goes on for more than 1000 joint moves"), "{}", run.stdout);
}

#[test]
fn a_sheet_that_cannot_be_grounded_is_played_or_refused() {
    let folder = Folder::new();
    let digits = (0..60).fold(String::new(), |text, digit| text + &format!("(digit {digit})\n"));
    let five = "(digit ?a) (digit ?b) (digit ?c) (digit ?d) (digit ?e)";
    // Hundreds of millions of atoms, of which play asks for one at a time.
    let asked =
        format!("{COUNTER}{digits}(<= (fixed ?a ?b ?c ?d ?e) {five})\n(<= (next seen) (true (at ?n)) (fixed ?n ?n ?n ?n ?n))");
    let asked = folder.write("asked.kif", asked);
    let report = ludens(&["bench", &asked, "--engine", "lanes", "--seconds", "0.01", "--json"]).expect(0).json();
    let result = &report["results"][0];
    assert_eq!((&result["engine"], &result["mean_plies"]), (&"lanes".into(), &3.0.into()), "worked out for what is asked");
    // Millions of fluents, of which a state has one.
    let played = format!(
        "{digits}(role a) (role b) (role c) (role d) (init (at 0)) (<= (next (at 1)) (true (at 0))) (<= terminal (true (at 1)))
         (<= (legal ?r ?n) (role ?r) (digit ?n)) (<= (goal ?r 100) (role ?r))
         (<= (next (played ?a ?b ?c ?d)) (does a ?a) (does b ?b) (does c ?c) (does d ?d))"
    );
    let played = folder.write("played.kif", played);
    let report = ludens(&["bench", &played, "--engine", "lanes", "--seconds", "0.01", "--json"]).expect(0).json();
    let result = &report["results"][0];
    assert_eq!((&result["engine"], &result["mean_plies"]), (&"relational".into(), &1.0.into()));
    let reason = result["fallback"].as_str().expect("a reason");
    assert!(reason.contains("limit of") && reason.contains("`(<= (next (played ?a ?b ?c ?d))"), "{reason}");
    // As many moves, all of which are legal at once: no engine can list them.
    let moves = folder.write("moves.kif", format!("{COUNTER}{digits}(<= (legal r (play ?a ?b ?c ?d ?e)) {five})"));
    let run = ludens(&["bench", &moves, "--engine", "lanes", "--seconds", "0.01"]).expect(2).complains("limit of");
    assert!(run.stderr.len() < 2_000, "{}", run.stderr);
}

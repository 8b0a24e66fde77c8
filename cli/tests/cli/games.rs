//! What GAME may be, and what is said where it is nothing.

use crate::support::{COUNTER, Folder, Run, command, ludens, root};
use std::os::unix::fs::symlink;

#[test]
fn a_mistyped_name_is_answered_with_the_nearest() {
    ludens(&["perft", "ticTacToe", "--depth", "1"]).expect(2).complains("did you mean `tic_tac_toe`?");
    ludens(&["check", "zzzzzzzz"]).expect(2).complains("`ludens games` lists the library");
}

#[test]
fn a_missing_file_is_named() {
    ludens(&["check", "no/such.kif"]).expect(2).complains("cannot read `no/such.kif`");
    ludens(&["check", "nosuch.kif"]).expect(2).complains("cannot read `nosuch.kif`");
}

#[test]
fn a_file_and_a_folder_with_metadata_are_games() {
    let folder = Folder::new();
    let sheet = folder.write("three/counter.kif", COUNTER);
    folder.write("three/METADATA", r#"{"gameName": "Counter", "rulesheet": "counter.kif"}"#);
    for (game, name) in [(sheet, "counter"), (folder.path("three"), "three"), (folder.path("three/"), "three")] {
        let report = ludens(&["perft", &game, "--depth", "4", "--json"]).expect(0).json();
        assert_eq!(report["game"], name);
        assert_eq!(report["counts"], serde_json::json!([1, 1, 1, 0]));
    }
}

#[test]
fn metadata_may_have_a_byte_order_mark_and_a_path_from_its_folder() {
    let folder = Folder::new();
    folder.write("sheets/counter.kif", COUNTER);
    folder.write("METADATA", "\u{feff}{\"rulesheet\": \"./sheets/./counter.kif\"}");
    ludens(&["check", &folder.path("")]).expect(0);
}

#[test]
fn a_folder_of_the_library_is_a_game() {
    for game in ["games/tic_tac_toe", "games/tic_tac_toe/", "./games/tic_tac_toe/rules.kif"] {
        assert_eq!(ludens(&["check", game, "--json"]).expect(0).json()["game"], "tic_tac_toe");
    }
    for game in [".", "rules.kif", "../tic_tac_toe/."] {
        let output = command(&["check", game]).current_dir(root().join("games/tic_tac_toe")).output().expect("the binary runs");
        assert!(Run::new(&output).expect(0).stdout.starts_with("tic_tac_toe: valid"));
    }
}

#[test]
fn a_folder_without_metadata_is_named() {
    let folder = Folder::new();
    folder.write("v0/METADATA", "{}");
    ludens(&["check", &folder.path("")]).expect(2).complains("has neither METADATA nor rules.kif; did you mean");
    ludens(&["check", &folder.path("v0")]).expect(2).complains("is not JSON with a text `rulesheet`");
}

#[test]
fn a_rule_sheet_outside_its_folder_is_refused() {
    let folder = Folder::new();
    folder.write("counter.kif", COUNTER);
    for (name, rulesheet) in [("up", "../counter.kif"), ("root", "/etc/passwd")] {
        folder.write(&format!("{name}/METADATA"), format!(r#"{{"rulesheet": "{rulesheet}"}}"#));
        ludens(&["check", &folder.path(name)]).expect(2).complains("which is not inside the folder");
    }
    folder.write("link/METADATA", r#"{"rulesheet": "counter.kif"}"#);
    symlink(folder.path("counter.kif"), folder.path("link/counter.kif")).expect("a link");
    ludens(&["check", &folder.path("link")]).expect(2).complains("a link that leaves the folder");
    std::fs::create_dir(folder.path("own")).expect("a folder");
    symlink(folder.path("counter.kif"), folder.path("own/rules.kif")).expect("a link");
    ludens(&["check", &folder.path("own")]).expect(2).complains("own/rules.kif` is a link that leaves the folder");
    folder.write("gone/METADATA", r#"{"rulesheet": "gone.kif"}"#);
    ludens(&["check", &folder.path("gone")]).expect(2).complains("names the rule sheet `gone.kif`: cannot read");
}

//! The engines, the reference under all its options, against a naive oracle: on random sheets and on the sheets of the repository.
//!
//! `LUDENS_FUZZ_SEED` chooses the random sheets and `LUDENS_FUZZ_SECONDS` makes them go on for so long.

mod common;
#[path = "random_sheets/compare.rs"]
mod compare;
#[path = "random_sheets/generate.rs"]
mod generate;
mod oracle;
#[path = "random_sheets/shrink.rs"]
mod shrink;
#[path = "random_sheets/statement.rs"]
mod statement;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use compare::{Effort, Mismatch, Tally, compare};
use ludens_gdl::{Limits, decode, read};
use statement::Sheet;

/// Sheets of a run that is not told how long to take.
const SHEETS: u64 = 150;

const EFFORT: Effort = Effort { matches: 3, plies: 4, seed: 7 };

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|value| value.parse().unwrap_or_else(|_| panic!("{name} is not a number")))
}

/// Compares on one sheet, if the front end takes it.
fn check(sheet: &Sheet, tally: &mut Tally) -> Result<(), Box<Mismatch>> {
    match read(&sheet.to_string(), &Limits::default()).rules {
        Some(rules) => compare(&rules, EFFORT, tally),
        None => Ok(()),
    }
}

#[test]
fn random_sheets() {
    let seed = setting("LUDENS_FUZZ_SEED").unwrap_or(1);
    let time = setting("LUDENS_FUZZ_SECONDS").map(Duration::from_secs);
    let started = Instant::now();
    let mut tally = Tally::default();
    let mut number = 0;
    while time.map_or(number < SHEETS, |time| started.elapsed() < time) {
        let sheet = generate::generate(seed.wrapping_mul(0x0001_0000_0000).wrapping_add(number));
        if check(&sheet, &mut tally).is_err() {
            let wrong = |sheet: &Sheet| check(sheet, &mut Tally::default()).err();
            let smallest = shrink::shrink(&sheet, |sheet| wrong(sheet).is_some());
            let mismatch = wrong(&smallest).expect("what shrinks stays wrong");
            panic!("seed {seed}, sheet {number}, shrunk:\n{smallest}\n{mismatch}\n\nthe whole sheet:\n{sheet}");
        }
        number += 1;
    }
    println!("{number} sheets: {tally:?}");
    assert!(tally.sheets as u64 * 2 > number, "most random sheets should be valid: {tally:?}");
    assert!(tally.grounded * 10 > tally.sheets * 9, "the grounder gives up too often: {tally:?}");
    assert!(tally.given_up * 4 < tally.sheets, "the oracle gives up too often: {tally:?}");
    assert!(tally.states > 2 * tally.sheets && tally.terminal > 0 && tally.legal > tally.states, "nothing happens: {tally:?}");
}

/// The sheets at these places, sorted.
fn sheets(folder: &Path, pick: impl Fn(&Path) -> Option<PathBuf>) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().filter_map(|entry| pick(&entry.path())).collect();
    paths.sort();
    paths
}

#[test]
fn sheets_of_the_repository() {
    let root = common::root();
    let mut paths = sheets(&root.join("sheets/ok"), |path| path.extension().is_some_and(|e| e == "kif").then(|| path.to_owned()));
    assert!(!paths.is_empty(), "sheets/ok is missing");
    paths.extend(sheets(&root.join("games"), |folder| Some(folder.join("rules.kif")).filter(|path| path.is_file())));
    let mut tally = Tally::default();
    for path in &paths {
        let text = decode(&std::fs::read(path).expect("a sheet")).0;
        if let Err(mismatch) = compare(&common::rules(&text), EFFORT, &mut tally) {
            panic!("{}: {mismatch}", path.display());
        }
    }
    println!("{} sheets: {tally:?}", paths.len());
}

//! Sheets and machines for the tests.
#![allow(dead_code)] // every test binary uses its own part

use std::path::PathBuf;

use ludens_gdl::{Rules, read};
use ludens_machine::relational::Options;
use ludens_machine::{Limits, Machine};

/// Bytes of a transposition table so small that records are overwritten all the time.
pub(crate) const SMALL_TABLE: usize = 4096;

/// Every way to make plans, and two of them with a small transposition table.
pub(crate) fn all_options() -> [Options; 10] {
    std::array::from_fn(|number| {
        let (bits, table) = if number < 8 { (number, 0) } else { ((number - 8) * 7, SMALL_TABLE) };
        Options { memo: bits & 1 != 0, profile: bits & 2 != 0, inline: bits & 4 != 0, table }
    })
}

/// The rules of a sheet that is known to be right.
pub(crate) fn rules(text: &str) -> Rules {
    let reading = read(text, &ludens_gdl::Limits::default());
    reading.rules.unwrap_or_else(|| panic!("the sheet is refused: {:?}\n{text}", reading.diagnostics))
}

/// The reference engine with the default options and limits.
pub(crate) fn machine(text: &str) -> Machine {
    machine_with_table(text, 0)
}

/// The same with a transposition table of so many bytes.
pub(crate) fn machine_with_table(text: &str, table: usize) -> Machine {
    Machine::relational(&rules(text), &Options { table, ..Options::default() }, &Limits::default()).expect("a machine")
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

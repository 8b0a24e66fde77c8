//! Sheets and machines for the tests.
#![allow(dead_code)] // every test binary uses its own part

use std::path::PathBuf;

use ludens_gdl::{Rules, read};
use ludens_machine::relational::Options;
use ludens_machine::{Limits, Machine};

/// Every way to make plans.
pub(crate) fn all_options() -> [Options; 8] {
    std::array::from_fn(|bits| Options { memo: bits & 1 != 0, profile: bits & 2 != 0, inline: bits & 4 != 0 })
}

/// The rules of a sheet that is known to be right.
pub(crate) fn rules(text: &str) -> Rules {
    let reading = read(text, &ludens_gdl::Limits::default());
    reading.rules.unwrap_or_else(|| panic!("the sheet is refused: {:?}\n{text}", reading.diagnostics))
}

/// The reference engine with the default options and limits.
pub(crate) fn machine(text: &str) -> Machine {
    Machine::relational(&rules(text), &Options::default(), &Limits::default()).expect("a machine")
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

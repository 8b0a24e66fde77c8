//! What every GDL engine has to get right: tiny sheets, each about one thing, with the match they must give.
//!
//! The sheets are ours. Where the public conformance sheets lie next to the repository, their matches are checked too.

mod common;
#[path = "conformance/own.rs"]
mod own;
#[path = "conformance/public.rs"]
mod public;
#[path = "conformance/script.rs"]
mod script;

use common::{all_options, root, rules};
use ludens_gdl::{Limits, decode, read};
use ludens_machine::Machine;
use script::{Stage, follow};

fn check(name: &str, sheet: &str, stages: &[Stage]) {
    let rules = rules(sheet);
    for options in all_options() {
        let machine = Machine::relational(&rules, &options, &ludens_machine::Limits::default());
        let machine = machine.unwrap_or_else(|error| panic!("{name}, {options:?}: {error}"));
        follow(&machine, stages, &format!("{name}, {options:?}"));
    }
}

#[test]
fn own_sheets() {
    for (name, sheet, stages) in own::CASES {
        check(name, sheet, stages);
    }
}

#[test]
fn own_sheets_that_bind_too_little_are_refused() {
    for (name, sheet) in own::REFUSED {
        assert!(read(sheet, &Limits::default()).rules.is_none(), "{name}");
    }
}

/// The text of a public sheet, if it is there.
fn public_sheet(name: &str) -> Option<String> {
    let path = root().join("../shared/games/conformance").join(name).with_extension("kif");
    std::fs::read(path).ok().map(|bytes| decode(&bytes).0)
}

#[test]
fn public_sheets() {
    for (name, stages) in public::CASES {
        if let Some(sheet) = public_sheet(name) {
            check(name, &sheet, stages);
        }
    }
    for name in public::REFUSED {
        if let Some(sheet) = public_sheet(name) {
            assert!(read(&sheet, &Limits::default()).rules.is_none(), "{name}");
        }
    }
}

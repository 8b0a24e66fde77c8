//! The public rule sheets, where they lie beside the repository.

use ludens_gdl::{Limits, plain_text, read};

use crate::common::public_sheets;

#[test]
fn all_games_are_accepted() {
    for sheet in public_sheets(".") {
        let reading = read(&sheet.text, &Limits::default());
        let rules = reading.rules.unwrap_or_else(|| panic!("{}:\n{}", sheet.name, plain_text(&sheet.text, &reading.diagnostics)));
        assert!(!rules.roles.is_empty(), "{}", sheet.name);
        assert_eq!(rules.case_sensitive, sheet.name == "wargame01", "{}", sheet.name);
        assert_eq!(rules.needs_gdl2, sheet.name == "beatMania_random", "{}", sheet.name);
    }
}

/// What the peers' validator says about the conformance sheets: valid, valid with a warning, or rejected. We accept one
/// more, because `(not (distinct a b))` has a clear meaning.
#[test]
fn conformance_sheets_come_out_as_the_peers_say() {
    let must_warn =
        ["test_case_1a", "test_case_3a", "test_invalid_function_arities_differ", "test_invalid_sentence_arities_differ"];
    let rejected = ["test_case_3b", "test_case_3e", "test_case_3f"];
    for sheet in public_sheets("conformance") {
        let reading = read(&sheet.text, &Limits::default());
        let findings = plain_text(&sheet.text, &reading.diagnostics);
        let name = sheet.name.as_str();
        assert_eq!(reading.rules.is_none(), rejected.contains(&name), "{name}:\n{findings}");
        if must_warn.contains(&name) || name == "test_clean_not_distinct" {
            assert!(findings.contains("warning["), "{name}");
        }
        if rejected.contains(&name) {
            assert!(findings.contains("error[unsafe-variable]"), "{name}:\n{findings}");
        }
    }
}

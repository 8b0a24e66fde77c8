//! The tiny sheets of the repository: the good ones raise nothing, the bad ones exactly what their snapshots say.

use ludens_gdl::{Code, Diagnostic, Limits, Reading, plain_text, read};

use crate::common::{Sheet, own_sheets};

/// The limits a sheet asks for in its first line, `; limits: rules=5 depth=4`, or else the usual ones.
fn limits_of(text: &str) -> Limits {
    let mut limits = Limits::default();
    let line = text.lines().next().unwrap_or_default();
    for setting in line.strip_prefix("; limits:").unwrap_or_default().split_whitespace() {
        let (name, value) = setting.split_once('=').expect("a setting is name=value");
        let value = value.parse().expect("a number");
        match name {
            "bytes" => limits.bytes = value,
            "depth" => limits.depth = value,
            "rules" => limits.rules = value,
            "expansions" => limits.expansions = value,
            "roles" => limits.roles = value,
            "arguments" => limits.arguments = value,
            "diagnostics" => limits.diagnostics = value,
            _ => panic!("no such limit: {name}"),
        }
    }
    limits
}

fn read_sheet(sheet: &Sheet) -> Reading {
    read(&sheet.text, &limits_of(&sheet.text))
}

#[test]
fn good_sheets_raise_nothing() {
    for sheet in own_sheets("ok") {
        let reading = read_sheet(&sheet);
        assert_eq!(plain_text(&sheet.text, &reading.diagnostics), "", "{}", sheet.name);
        assert!(reading.rules.is_some(), "{}", sheet.name);
    }
}

#[test]
fn bad_sheets_raise_their_findings() {
    for sheet in own_sheets("bad") {
        let reading = read_sheet(&sheet);
        assert_eq!(reading.rules.is_none(), reading.diagnostics.iter().any(Diagnostic::is_error), "{}", sheet.name);
        let findings = plain_text(&sheet.text, &reading.diagnostics);
        insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false, snapshot_path => "../snapshots"}, {
            insta::assert_snapshot!(sheet.name.as_str(), findings);
        });
    }
}

/// A bad sheet is named after the code it is there for.
#[test]
fn every_code_has_a_bad_sheet() {
    let sheets = own_sheets("bad");
    for &code in Code::ALL {
        let sheet = sheets.iter().find(|sheet| sheet.name == code.as_str()).unwrap_or_else(|| panic!("no sheet for {code}"));
        let reading = read_sheet(sheet);
        let finding = reading.diagnostics.iter().find(|finding| finding.code == code);
        let finding = finding.unwrap_or_else(|| panic!("{code} is not raised by its sheet"));
        assert_eq!(finding.severity, code.severity());
    }
    assert_eq!(sheets.len(), Code::ALL.len(), "a bad sheet without a code");
}

#[test]
fn codes_are_kebab_case_and_explained() {
    for code in Code::ALL {
        let text = code.as_str();
        assert!(text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{text}");
        assert!(code.about().ends_with('.'), "{text}");
        assert_eq!(Code::ALL.iter().filter(|other| other.as_str() == text).count(), 1, "{text}");
    }
}

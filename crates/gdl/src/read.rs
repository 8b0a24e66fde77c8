//! The whole front end in one call.

use crate::diagnostic::Findings;
use crate::lower::lower_into;
use crate::parse::parse_into;
use crate::{Diagnostic, Limits, Rules, Syntax};

/// What came out of a text.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Words and lists, as far as they could be read.
    pub syntax: Syntax,
    /// The rules, where there is no error.
    pub rules: Option<Rules>,
    /// Errors and warnings by position.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses, lowers and checks a text.
pub fn read(text: &str, limits: &Limits) -> Reading {
    let mut findings = Findings::new(limits);
    let syntax = parse_into(text, limits, &mut findings);
    let rules = lower_into(&syntax, limits, &mut findings);
    Reading { syntax, rules, diagnostics: findings.finish() }
}

/// The text of a file: UTF-8, or else Latin-1, because some public sheets have stray bytes in their comments. The flag
/// says whether it was UTF-8. A byte order mark is left out.
pub fn decode(bytes: &[u8]) -> (String, bool) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), true),
        Err(_) => (bytes.iter().map(|&byte| char::from(byte)).collect(), false),
    }
}

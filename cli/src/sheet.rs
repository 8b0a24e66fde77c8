//! A rule sheet that has been read: its text, its rules where it is valid, and what there is to say about it.

use crate::answer::InvalidSheet;
use crate::console;
use crate::game::{self, Source};
use crate::library::Entry;
use anyhow::Result;
use ludens_gdl::{Code, Diagnostic, Limits, LineIndex, Node, Reading, Report, Rules, Severity, decode, read};
use ludens_serve::manager::rules_text;
use miette::GraphicalReportHandler;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// A sheet and all that the front end found out about it.
pub(crate) struct Sheet {
    pub(crate) source: Source,
    text: String,
    /// Whether the file was UTF-8; otherwise it was taken for Latin-1.
    is_utf8: bool,
    reading: Reading,
}

/// A diagnostic for scripts: what it says, and where in lines and columns from 1.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DiagnosticLine {
    pub(crate) code: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) hint: Option<String>,
}

impl Sheet {
    /// Finds and reads the sheet that GAME means, valid or not.
    pub(crate) fn open(game: &str) -> Result<Sheet> {
        Ok(Sheet::new(game::find(game)?))
    }

    /// Reads a sheet.
    pub(crate) fn new(source: Source) -> Sheet {
        let (text, is_utf8) = decode(&source.bytes);
        let reading = read(&text, &Limits::default());
        Sheet { source, text, is_utf8, reading }
    }

    /// Reads a sheet of the library.
    pub(crate) fn of_library(entry: &Entry) -> Sheet {
        Sheet::new(Source { name: entry.name.to_owned(), place: entry.name.to_owned(), bytes: entry.rules.as_bytes().to_vec() })
    }

    /// The text as it was read.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The statements as they go into a message to a player.
    pub(crate) fn message_text(&self) -> String {
        rules_text(&self.reading.syntax)
    }

    /// The rules, where the sheet is valid.
    pub(crate) fn rules(&self) -> Option<&Rules> {
        self.reading.rules.as_ref()
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.rules().is_some()
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.reading.diagnostics
    }

    /// The rules; where the sheet is not valid, its errors are printed to stderr.
    pub(crate) fn valid_rules(&self) -> Result<&Rules> {
        self.rules().ok_or_else(|| {
            console::complain(&self.error_text());
            let errors = self.diagnostics().iter().filter(|found| found.is_error()).count();
            InvalidSheet { place: self.source.place.clone(), errors }.into()
        })
    }

    /// The errors, one line each.
    pub(crate) fn error_text(&self) -> String {
        self.plain(|found| found.severity == "error")
    }

    /// The statements as they were read.
    pub(crate) fn syntax_text(&self) -> String {
        self.reading.syntax.to_string()
    }

    /// Whether some diagnostic has this code.
    pub(crate) fn has(&self, code: Code) -> bool {
        self.diagnostics().iter().any(|found| found.code == code)
    }

    /// The codes of all errors, each once.
    pub(crate) fn error_codes(&self) -> Vec<&'static str> {
        let codes: BTreeSet<&'static str> =
            self.diagnostics().iter().filter(|found| found.is_error()).map(|found| found.code.as_str()).collect();
        codes.into_iter().collect()
    }

    /// Some name that stands both as `(p)` and as `p` in the sheet.
    pub(crate) fn name_with_and_without_parentheses(&self) -> Option<&str> {
        let syntax = &self.reading.syntax;
        let (mut with, mut without) = (BTreeSet::new(), BTreeSet::new());
        let mut nodes = syntax.statements().to_vec();
        while let Some(node) = nodes.pop() {
            match syntax.node(node) {
                Node::Word(word) => {
                    without.insert(syntax.word(word));
                }
                Node::List([]) => {}
                Node::List([name, arguments @ ..]) => {
                    if let (Node::Word(word), []) = (syntax.node(*name), arguments) {
                        with.insert(syntax.word(word));
                    }
                    nodes.extend(arguments);
                }
            }
        }
        with.intersection(&without).next().copied()
    }

    /// All diagnostics for scripts.
    pub(crate) fn diagnostic_lines(&self) -> Vec<DiagnosticLine> {
        let index = LineIndex::new(&self.text);
        self.diagnostics().iter().map(|found| DiagnosticLine::new(found, &index)).collect()
    }

    /// All diagnostics as a text that ends with a line break, or nothing: with excerpts where a person reads, one line each where
    /// a program does.
    pub(crate) fn render_diagnostics(&self) -> String {
        if !console::is_terminal() {
            return self.plain(|_| true);
        }
        let mut text = self.encoding_note();
        let handler = GraphicalReportHandler::new();
        for finding in Report::new(&self.source.place, &self.text, self.diagnostics()).findings() {
            // Writing to a string does not fail.
            let _ = handler.render_report(&mut text, finding);
        }
        text
    }

    /// One line per diagnostic that passes, in the form that editors know, and its hint below it.
    fn plain(&self, passes: impl Fn(&DiagnosticLine) -> bool) -> String {
        let mut text = self.encoding_note();
        for found in self.diagnostic_lines().iter().filter(|found| passes(found)) {
            let DiagnosticLine { code, severity, message, line, column, hint } = found;
            let _ = writeln!(text, "{}:{line}:{column}: {severity}[{code}]: {message}", self.source.place);
            if let Some(hint) = hint {
                let _ = writeln!(text, "  hint: {hint}");
            }
        }
        text
    }

    fn encoding_note(&self) -> String {
        if self.is_utf8 {
            return String::new();
        }
        format!("{}: note: the file is not UTF-8; it was read as Latin-1\n", self.source.place)
    }
}

impl DiagnosticLine {
    fn new(found: &Diagnostic, index: &LineIndex) -> DiagnosticLine {
        let position = index.position(found.span.start);
        DiagnosticLine {
            code: found.code.as_str(),
            severity: match found.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: found.message.clone(),
            line: position.line,
            column: position.column,
            hint: found.hint.clone(),
        }
    }
}

//! Findings dressed for reading: plain text for tests and logs, and a form miette can draw with the text around it.

use std::fmt::{self, Write as _};

use miette::{LabeledSpan, SourceCode};

use crate::excerpt::Excerpt;
use crate::wording::plural;
use crate::{Diagnostic, LineIndex, Position, Severity};

/// One finding with its text, for a miette renderer.
#[derive(Clone, Debug)]
pub struct Finding {
    diagnostic: Diagnostic,
    place: Position,
    /// None where the finding is about the sheet as a whole, or its lines are too long to be drawn.
    excerpt: Option<Excerpt>,
}

/// All findings about one text. Its related diagnostics are the findings; it draws nothing by itself.
#[derive(Clone, Debug)]
pub struct Report {
    name: String,
    findings: Vec<Finding>,
}

impl Report {
    /// Puts findings and the text they are about together. `name` is what the text is called, such as a file name.
    pub fn new(name: &str, text: &str, diagnostics: &[Diagnostic]) -> Self {
        let index = LineIndex::new(text);
        let dress = |diagnostic: &Diagnostic| {
            // A finding about the sheet as a whole has no place, and an excerpt of the first line would mislead.
            let excerpt = if diagnostic.span.is_empty() { None } else { Excerpt::new(name, text, &index, diagnostic.span) };
            Finding { diagnostic: diagnostic.clone(), place: index.position(diagnostic.span.start), excerpt }
        };
        Self { name: name.to_owned(), findings: diagnostics.iter().map(dress).collect() }
    }

    /// The findings, each to be drawn by itself.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// How many errors and how many warnings there are.
    pub fn counts(&self) -> (usize, usize) {
        let errors = self.findings.iter().filter(|finding| finding.diagnostic.is_error()).count();
        (errors, self.findings.len() - errors)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (errors, warnings) = self.counts();
        write!(f, "{}: {}, {}", self.name, plural(errors, "error"), plural(warnings, "warning"))
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn severity(&self) -> Option<miette::Severity> {
        Some(severity(if self.counts().0 > 0 { Severity::Error } else { Severity::Warning }))
    }

    fn related<'a>(&'a self) -> Option<Box<dyn Iterator<Item = &'a dyn miette::Diagnostic> + 'a>> {
        Some(Box::new(self.findings.iter().map(|finding| finding as &dyn miette::Diagnostic)))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)?;
        if self.excerpt.is_none() && !self.diagnostic.span.is_empty() {
            write!(f, " (line {}, column {})", self.place.line, self.place.column)?;
        }
        Ok(())
    }
}

impl std::error::Error for Finding {}

impl miette::Diagnostic for Finding {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(severity(self.diagnostic.severity))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.hint.as_ref().map(|hint| Box::new(hint) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.excerpt.as_ref().map(|excerpt| excerpt as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let span = self.excerpt.as_ref()?.span;
        let label = LabeledSpan::new(Some(self.diagnostic.label.clone()), span.start as usize, span.len());
        Some(Box::new(std::iter::once(label)))
    }
}

fn severity(severity: Severity) -> miette::Severity {
    match severity {
        Severity::Error => miette::Severity::Error,
        Severity::Warning => miette::Severity::Warning,
    }
}

/// The findings as plain text: `error[code] line:column message`, and a line for the hint.
pub fn plain_text(text: &str, diagnostics: &[Diagnostic]) -> String {
    let lines = LineIndex::new(text);
    let mut out = String::new();
    for Diagnostic { code, severity, message, span, label, hint } in diagnostics {
        let severity = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let place = lines.position(span.start);
        let _ = writeln!(out, "{severity}[{code}] {}:{} {message} ({label})", place.line, place.column);
        if let Some(hint) = hint {
            let _ = writeln!(out, "  hint: {hint}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use miette::Diagnostic as _;

    use super::{Report, plain_text};
    use crate::{Limits, read};

    #[test]
    fn miette_gets_all_it_asks_for() {
        let text = "(role a)\n(p ?x)\n";
        let report = Report::new("sheet.kif", text, &read(text, &Limits::default()).diagnostics);
        assert!(report.to_string().starts_with("sheet.kif: 4 errors, "), "{report}");
        let mut all = report.related().expect("findings");
        let finding = all
            .find(|finding| finding.code().is_some_and(|code| code.to_string() == "variable-in-fact"))
            .expect("a fact with a variable");
        let label = finding.labels().and_then(|mut labels| labels.next()).expect("a label");
        let source = finding.source_code().expect("a text");
        let excerpt = source.read_span(label.inner(), 0, 0).expect("inside the text");
        assert_eq!(excerpt.data(), b"?x");
        assert_eq!((excerpt.line(), excerpt.column()), (1, 3));
        assert_eq!(excerpt.name(), Some("sheet.kif"));
    }

    /// What a terminal is given of a finding, excerpt included.
    fn drawn(text: &str) -> String {
        let report = Report::new("sheet.kif", text, &read(text, &Limits::default()).diagnostics);
        let mut out = String::new();
        for finding in report.findings() {
            let handler = miette::NarratableReportHandler::new().with_context_lines(5);
            handler.render_report(&mut out, finding).expect("a string takes everything");
        }
        out
    }

    #[test]
    fn nothing_of_a_sheet_controls_the_terminal() {
        let name = "\u{1b}[31mred\u{7f}\u{9b}2J\u{202e}";
        let text = format!(
            "(role {name})\n(<= (p{name} ?{name} (f)) (not (q{name} ?{name})))\n({name})\n(goal {name} {name})\n\
             (<= ({name}{name} (f ?x{name})) ({name}{name} ?x{name}))\n(<= (n{name}) (not (n{name})))\n(legal {name}x go)\n"
        );
        let out = drawn(&text) + &plain_text(&text, &read(&text, &Limits::default()).diagnostics);
        let controls = |character: char| character.is_control() && character != '\n' || character == '\u{202e}';
        assert!(out.contains("red") && !out.contains(controls), "{out:?}");
    }

    #[test]
    fn long_words_give_short_findings() {
        let word = "?x".repeat(1_000_000);
        for text in [word.clone(), format!("({word})"), format!("(p {word})"), format!("(<= (goal a {}) b)", &word[1..])] {
            let plain = plain_text(&text, &read(&text, &Limits::default()).diagnostics);
            assert!(drawn(&text).len() < 10_000 && plain.len() < 10_000, "{} and {}", drawn(&text).len(), plain.len());
        }
        let report = Report::new("sheet.kif", &word, &read(&word, &Limits::default()).diagnostics);
        let messages: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
        assert!(messages.iter().any(|message| message == "a variable is no statement (line 1, column 1)"), "{messages:?}");
    }
}

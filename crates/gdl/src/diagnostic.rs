//! What is wrong with a rule sheet, said so that its author can mend it.

use crate::{Code, Limits};

/// A range of bytes in the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// How many bytes it covers.
    pub fn len(self) -> usize {
        (self.end - self.start) as usize
    }

    /// True where it covers nothing.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The sheet can be played; its author probably meant something else.
    Warning,
    /// The sheet is not valid GDL, or not playable.
    Error,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Which kind of finding.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence: what is wrong here and why.
    pub message: String,
    /// Where.
    pub span: Span,
    /// What the span is, in a few words, for the excerpt.
    pub label: String,
    /// How to mend it, where that can be said.
    pub hint: Option<String>,
}

impl Diagnostic {
    /// A finding with its code's own severity and no hint.
    pub fn new(code: Code, span: Span, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { code, severity: code.severity(), message: message.into(), span, label: label.into(), hint: None }
    }

    /// The same with a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// True where the sheet cannot be used because of this.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Collects findings and never grows without bound: a garbage file may give one per byte.
#[derive(Debug)]
pub(crate) struct Findings {
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    /// How many were not kept.
    more: usize,
    limit: usize,
}

impl Findings {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { errors: Vec::new(), warnings: Vec::new(), more: 0, limit: limits.diagnostics.max(1) }
    }

    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let list = if diagnostic.is_error() { &mut self.errors } else { &mut self.warnings };
        if list.len() < self.limit {
            list.push(diagnostic);
        } else {
            self.more += 1;
        }
    }

    pub(crate) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// The findings by position. Over the limit the errors stay and the warnings go first; a last note counts what went.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let Self { mut errors, mut warnings, mut more, limit } = self;
        errors.sort_by_key(|finding| finding.span);
        warnings.sort_by_key(|finding| finding.span);
        let room = limit - errors.len();
        if warnings.len() > room {
            more += warnings.len() - room;
            warnings.truncate(room);
        }
        let mut all = errors;
        all.append(&mut warnings);
        all.sort_by_key(|finding| (finding.span, finding.code));
        if more > 0 {
            let end = all.last().map_or(Span::default(), |finding| Span { start: finding.span.end, end: finding.span.end });
            let message = format!("there are {more} more findings, which are not listed");
            all.push(Diagnostic::new(Code::TooManyFindings, end, message, "the list stops here"));
        }
        all
    }
}

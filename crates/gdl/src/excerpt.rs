//! The lines of a text around a finding, fit to be drawn on a terminal.

use miette::{MietteError, MietteSpanContents, SourceCode, SourceSpan, SpanContents};

use crate::wording::is_invisible;
use crate::{LineIndex, Span};

/// An excerpt has at most so many bytes; beyond that nobody would look for the place in it.
const BYTES: usize = 2_000;

/// A few lines of a text with all invisible characters replaced. It answers for places of the whole text, so that a renderer
/// need not know that it has only a part.
#[derive(Clone, Debug)]
pub(crate) struct Excerpt {
    name: String,
    lines: String,
    /// Where the lines begin in the text, and how many lines stand before them.
    start: usize,
    line: usize,
    /// What is to be marked, cut to what the excerpt has.
    pub(crate) span: Span,
}

impl Excerpt {
    /// The lines of `span` and one on either side, as far as there is room: a long `span` is cut to its first line, and
    /// where even that is too long there is no excerpt.
    pub(crate) fn new(name: &str, text: &str, index: &LineIndex, span: Span) -> Option<Self> {
        let mut first = index.line(span.start);
        let mut last = index.line(span.end.max(span.start + 1) - 1);
        let length = |first: usize, last: usize| index.end(last) - index.start(first);
        if length(first, last) > BYTES {
            last = first;
        }
        if length(first, last) > BYTES {
            return None;
        }
        let span = Span { start: span.start, end: span.end.min(index.end(last) as u32) };
        if first > 0 && length(first - 1, last) <= BYTES {
            first -= 1;
        }
        if last + 1 < index.len() && length(first, last + 1) <= BYTES {
            last += 1;
        }
        let start = index.start(first);
        Some(Self { name: name.to_owned(), lines: visible(&text[start..index.end(last)]), start, line: first, span })
    }
}

/// The text with a stand-in of the same length for every character that does not show. Line ends become `\n`, because that
/// is the only one that renderers know.
fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\n' | '\t' => visible.push(character),
            '\r' => visible.push(if characters.peek() == Some(&'\n') { ' ' } else { '\n' }),
            _ if is_invisible(character) => visible.extend(std::iter::repeat_n('?', character.len_utf8())),
            _ => visible.push(character),
        }
    }
    visible
}

impl SourceCode for Excerpt {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        lines_before: usize,
        lines_after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let offset = span.offset().checked_sub(self.start).ok_or(MietteError::OutOfBounds)?;
        let part = self.lines.read_span(&(offset, span.len()).into(), lines_before, lines_after)?;
        Ok(Box::new(MietteSpanContents::new_named(
            self.name.clone(),
            part.data(),
            (part.span().offset() + self.start, part.span().len()).into(),
            part.line() + self.line,
            part.column(),
            part.line_count(),
        )))
    }
}

#[cfg(test)]
mod tests {
    use miette::SourceCode as _;

    use super::{Excerpt, visible};
    use crate::{LineIndex, Span};

    fn excerpt(text: &str, start: usize, end: usize) -> Option<Excerpt> {
        Excerpt::new("sheet.kif", text, &LineIndex::new(text), Span::new(start, end))
    }

    #[test]
    fn stand_ins_keep_the_length() {
        let text = "a\u{1b}[1m\tb\u{9b}\r\nc\u{202e}\rd é\u{7f}";
        assert_eq!(visible(text), "a?[1m\tb?? \nc???\nd é?");
        assert_eq!(visible(text).len(), text.len());
    }

    #[test]
    fn an_excerpt_answers_for_the_whole_text() {
        let text = "one\ntwo\nthree \u{1b} word\nfour\nfive\n";
        let excerpt = excerpt(text, 16, 20).expect("short lines");
        let part = excerpt.read_span(&(16, 4).into(), 0, 0).expect("inside");
        assert_eq!((part.data(), part.line(), part.column()), (&b"word"[..], 2, 8));
        let part = excerpt.read_span(&(16, 4).into(), 1, 1).expect("inside");
        assert_eq!((part.data(), part.line()), (&b"two\nthree ? word\nfour\n"[..], 1));
        assert!(excerpt.read_span(&(0, 1).into(), 0, 0).is_err());
    }

    #[test]
    fn long_lines_are_left_out() {
        let long = "x".repeat(3_000);
        assert!(excerpt(&long, 5, 6).is_none());
        let text = format!("{long}\nshort\n{long}");
        let between = excerpt(&text, 3_001, 3_006).expect("a short line");
        assert_eq!(between.lines.trim_end(), "short");
        let text = format!("(<= head\n{})", "condition\n".repeat(1_000));
        let cut = excerpt(&text, 0, text.len()).expect("a short first line");
        assert!(cut.lines.len() < 2_000 && cut.span.end as usize <= "(<= head\n".len(), "{cut:?}");
    }

    #[test]
    fn an_empty_text_has_an_empty_excerpt() {
        assert_eq!(excerpt("", 0, 0).expect("nothing is too long").lines, "");
    }
}

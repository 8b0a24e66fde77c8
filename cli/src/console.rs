//! Where things are printed: results on stdout, progress and warnings on stderr.

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

/// Stdout, buffered. Dropping it flushes but swallows errors: call `flush` at the end.
pub(crate) fn out() -> BufWriter<StdoutLock<'static>> {
    BufWriter::new(io::stdout().lock())
}

/// Prints a text and a line break as the whole result.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = out();
    writeln!(out, "{}", text.trim_end_matches('\n'))?;
    Ok(out.flush()?)
}

/// Prints the beginning of a line that somebody else will end.
pub(crate) fn prompt(text: &str) -> Result<()> {
    let mut out = out();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints one JSON document.
pub(crate) fn print_json(value: &impl Serialize) -> Result<()> {
    let mut out = out();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(out.flush()?)
}

/// Whether results are read by a person, who likes colours and excerpts.
pub(crate) fn is_terminal() -> bool {
    io::stdout().is_terminal()
}

/// A text on stderr that goes with an error: printed even when quiet.
pub(crate) fn complain(text: &str) {
    // A closed stderr is no reason to stop working.
    let _ = write!(io::stderr(), "{text}");
}

/// What is printed beside the results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Console {
    quiet: bool,
}

impl Console {
    /// With `quiet`, nothing but results and errors is printed.
    pub(crate) fn new(quiet: bool) -> Console {
        Console { quiet }
    }

    /// Whether only results and errors are wanted.
    pub(crate) fn is_quiet(self) -> bool {
        self.quiet
    }

    /// A line on stderr that is not an error.
    pub(crate) fn note(self, text: &str) {
        if !self.quiet {
            complain(&format!("{text}\n"));
        }
    }

    /// A bar on stderr that goes up to `length`; invisible where stderr is no terminal.
    pub(crate) fn bar(self, length: u64, unit: &str) -> ProgressBar {
        let template = format!("{{msg}} [{{bar:30}}] {{pos}}/{{len}} {unit} {{elapsed}}");
        self.styled(ProgressBar::new(length), &template)
    }

    /// A counter on stderr where the end is not known.
    pub(crate) fn spinner(self, unit: &str) -> ProgressBar {
        self.styled(ProgressBar::new_spinner(), &format!("{{spinner}} {{msg}} {{pos}} {unit} {{elapsed}}"))
    }

    fn styled(self, bar: ProgressBar, template: &str) -> ProgressBar {
        if self.quiet {
            return ProgressBar::hidden();
        }
        bar.with_style(ProgressStyle::with_template(template).expect("the templates are our own"))
    }
}

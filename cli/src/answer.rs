//! How a job ended, and the exit code that says so to scripts.

use crate::words::number;
use std::process::ExitCode;

/// The outcome of a job that could be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done, or yes: 0.
    Yes,
    /// A negative answer, such as a mismatch or an invalid sheet: 1.
    No,
    /// Ctrl-C; what was found until then has been printed: 130, as shells have it.
    Interrupted,
}

impl Answer {
    /// `Yes` where the condition holds.
    pub(crate) fn yes_if(condition: bool) -> Answer {
        if condition { Answer::Yes } else { Answer::No }
    }
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> ExitCode {
        match answer {
            Answer::Yes => ExitCode::SUCCESS,
            Answer::No => ExitCode::from(1),
            Answer::Interrupted => ExitCode::from(130),
        }
    }
}

/// A sheet that is not valid, where a valid one was needed. Its diagnostics have been printed already.
#[derive(Debug)]
pub(crate) struct InvalidSheet {
    pub(crate) place: String,
    pub(crate) errors: usize,
}

impl std::fmt::Display for InvalidSheet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not a valid rule sheet: {}", self.place, number(self.errors as u64, "error"))
    }
}

impl std::error::Error for InvalidSheet {}

/// An invalid sheet is a negative answer; everything else that stops a job is an error: 2.
pub(crate) fn exit_code_of(error: &anyhow::Error) -> ExitCode {
    if error.is::<InvalidSheet>() { ExitCode::from(1) } else { ExitCode::from(2) }
}

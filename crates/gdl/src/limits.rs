//! How much of everything a reader accepts before it says no.

/// Bounds on what one sheet may cost. Going over any of them is a finding, never a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Length of the text in bytes.
    pub bytes: usize,
    /// How deep lists may nest; at most [`Limits::MAX_DEPTH`] is used, because later stages walk terms recursively.
    pub depth: usize,
    /// Statements in the sheet, and also rules after `or` has been taken apart.
    pub rules: usize,
    /// `or`-free rules that may come out of one rule.
    pub expansions: usize,
    /// Different roles. Engines keep a move for every role of every position.
    pub roles: usize,
    /// Arguments of one relation or function. Engines rely on no more than 64.
    pub arguments: usize,
    /// Findings in a list; the rest is counted only.
    pub diagnostics: usize,
}

impl Limits {
    /// Terms this deep are dropped, compared and printed recursively within a 2 MB stack.
    pub const MAX_DEPTH: usize = 1_000;
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 32 << 20, depth: 500, rules: 300_000, expansions: 10_000, roles: 1_000, arguments: 64, diagnostics: 100 }
    }
}

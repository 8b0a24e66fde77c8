//! Sheets in pieces that can be left out.

use std::fmt;

/// A fact, or a rule with its conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    pub(crate) head: String,
    pub(crate) body: Vec<String>,
}

/// A whole sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sheet(pub(crate) Vec<Statement>);

impl Sheet {
    pub(crate) fn fact(&mut self, head: impl Into<String>) {
        self.rule(head, []);
    }

    pub(crate) fn rule(&mut self, head: impl Into<String>, body: impl IntoIterator<Item = String>) {
        self.0.push(Statement { head: head.into(), body: body.into_iter().collect() });
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Statement { head, body } in &self.0 {
            if body.is_empty() {
                writeln!(f, "{head}")?;
            } else {
                writeln!(f, "(<= {head} {})", body.join(" "))?;
            }
        }
        Ok(())
    }
}

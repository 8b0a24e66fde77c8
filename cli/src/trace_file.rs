//! Traces: random matches as JSON lines, a header and one line per state, compressed or not.

use crate::game;
use anyhow::{Context, Result, bail};
use flate2::read::GzDecoder;
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::Path;

/// On disk, and unpacked: enough for any trace, and a bound on what a crafted archive can unfold to.
const MAX_FILE_BYTES: u64 = 64 << 20;
const MAX_TEXT_BYTES: u64 = 512 << 20;

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Header {
    /// The game's name.
    pub(crate) game: String,
    /// Of the sheet's bytes, in hexadecimal.
    pub(crate) sha256: String,
    /// In the order of the sheet.
    pub(crate) roles: Vec<String>,
    pub(crate) seed: u64,
    /// Who says so.
    pub(crate) oracle: String,
}

/// Every other line: a state, what holds in it, and what was played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    #[serde(rename = "match")]
    pub(crate) match_number: u64,
    pub(crate) step: u64,
    pub(crate) terminal: bool,
    /// The fluents, sorted.
    pub(crate) state: Vec<String>,
    /// Per role, sorted; in terminal states too.
    pub(crate) legal: Vec<Vec<String>>,
    /// Per role, every derivable value, sorted as text.
    pub(crate) goals: Vec<Vec<String>>,
    /// The joint move played from here; absent at the end of a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) joint: Option<Vec<String>>,
    /// The first role without a legal move in a state that is not terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stuck: Option<String>,
}

/// A whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    pub(crate) header: Header,
    pub(crate) steps: Vec<Record>,
}

impl Trace {
    /// Reads a file, unpacking it where its name ends in `.gz`.
    pub(crate) fn read(path: &Path) -> Result<Trace> {
        let bytes = game::read_limited(path, MAX_FILE_BYTES)?;
        let mut text = String::new();
        let packed = path.extension().is_some_and(|extension| extension == "gz");
        let unpacked = if packed {
            GzDecoder::new(&bytes[..]).take(MAX_TEXT_BYTES + 1).read_to_string(&mut text)
        } else {
            (&bytes[..]).read_to_string(&mut text)
        };
        unpacked.with_context(|| format!("cannot unpack `{}`", path.display()))?;
        if text.len() as u64 > MAX_TEXT_BYTES {
            bail!("`{}` unpacks to more than {} MiB", path.display(), MAX_TEXT_BYTES >> 20);
        }
        Trace::parse(&text).with_context(|| format!("`{}` is not a trace", path.display()))
    }

    /// Reads the text of a file.
    pub(crate) fn parse(text: &str) -> Result<Trace> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, first) = lines.next().context("it is empty")?;
        let header: Header = serde_json::from_str(first).context("line 1, the header")?;
        let mut steps = Vec::new();
        for (index, line) in lines {
            let step: Record = serde_json::from_str(line).with_context(|| format!("line {}", index + 1))?;
            let roles = header.roles.len();
            if step.legal.len() != roles || step.goals.len() != roles {
                bail!("line {}: legal moves and goals are not those of {roles} roles", index + 1);
            }
            if step.joint.as_ref().is_some_and(|joint| joint.len() != roles) {
                bail!("line {}: the joint move is not one of {roles} roles", index + 1);
            }
            steps.push(step);
        }
        Ok(Trace { header, steps })
    }
}

#[cfg(test)]
mod tests {
    use super::Trace;

    #[test]
    fn a_trace_with_the_wrong_number_of_roles_is_refused() {
        let header = r#"{"game":"g","sha256":"","roles":["a","b"],"seed":1,"oracle":"o"}"#;
        let line = r#"{"match":0,"step":0,"terminal":false,"state":[],"legal":[[]],"goals":[[],[]]}"#;
        let error = Trace::parse(&format!("{header}\n{line}\n")).unwrap_err().to_string();
        assert!(error.contains("line 2: legal moves and goals are not those of 2 roles"), "{error}");
        assert!(Trace::parse("").unwrap_err().to_string().contains("empty"));
    }
}

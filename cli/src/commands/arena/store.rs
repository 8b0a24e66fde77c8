//! Matches kept in a file, a line of JSON each, so that a run that was broken off can go on.

use super::play::Played;
use crate::console::Console;
use anyhow::{Context, Result};
use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The file, and what it had when it was opened.
pub(super) struct Store {
    path: PathBuf,
    file: File,
    known: HashMap<String, Played>,
}

impl Store {
    /// Reads a file, or begins one. Lines that cannot be read, as the last one of a run that was killed, are passed over.
    pub(super) fn open(path: &Path, console: Console) -> Result<Store> {
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            read => read.with_context(|| format!("cannot read `{}`", path.display()))?,
        };
        let mut known = HashMap::new();
        for (index, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match serde_json::from_slice::<Played>(line) {
                Ok(played) if played.seats.len() == played.points.len() && played.seats.iter().all(|&seat| seat < 2) => {
                    known.insert(played.id.clone(), played);
                }
                _ => console.note(&format!("line {} of `{}` is no match; it is passed over", index + 1, path.display())),
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path);
        let mut store =
            Store { path: path.to_owned(), file: file.with_context(|| format!("cannot write `{}`", path.display()))?, known };
        if bytes.last().is_some_and(|&last| last != b'\n') {
            store.write(b"\n")?;
        }
        Ok(store)
    }

    /// The match with this id, if the file had it.
    pub(super) fn get(&self, id: &str) -> Option<&Played> {
        self.known.get(id)
    }

    /// Appends a match.
    pub(super) fn add(&mut self, played: &Played) -> Result<()> {
        let mut line = serde_json::to_vec(played)?;
        line.push(b'\n');
        // In one piece, so that a run that is killed leaves whole lines.
        self.write(&line)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).with_context(|| format!("cannot write `{}`", self.path.display()))
    }
}

//! Which sheet belongs to which trace.

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A sheet and its trace, either of which may be missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    /// The path below the folder, without ending: `conformance/test_case_1a`.
    pub(super) name: String,
    pub(super) sheet: Option<PathBuf>,
    pub(super) trace: Option<PathBuf>,
}

/// Folders deeper than this are a loop of links.
const MAX_DEPTH: usize = 16;

/// All sheets and traces under the two folders, matched by name and sorted.
pub(super) fn pairs(games: &Path, traces: &Path) -> Result<Vec<Pair>> {
    let mut pairs: BTreeMap<String, Pair> = BTreeMap::new();
    let empty = |name: &String| Pair { name: name.clone(), sheet: None, trace: None };
    for (name, path) in files(games, &[".kif"])? {
        pairs.entry(name.clone()).or_insert_with(|| empty(&name)).sheet = Some(path);
    }
    for (name, path) in files(traces, &[".jsonl.gz", ".jsonl"])? {
        pairs.entry(name.clone()).or_insert_with(|| empty(&name)).trace = Some(path);
    }
    Ok(pairs.into_values().collect())
}

/// Every file below a folder whose name has one of the endings: its name without the ending, and its path.
fn files(root: &Path, endings: &[&str]) -> Result<Vec<(String, PathBuf)>> {
    let mut found = Vec::new();
    let mut folders = vec![(root.to_path_buf(), String::new(), 0)];
    while let Some((folder, prefix, depth)) = folders.pop() {
        if depth > MAX_DEPTH {
            bail!("`{}` is nested more than {MAX_DEPTH} folders deep", folder.display());
        }
        let cannot_read = || format!("cannot read the folder `{}`", folder.display());
        for entry in fs::read_dir(&folder).with_context(cannot_read)? {
            let path = entry.with_context(cannot_read)?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
            if path.is_dir() {
                folders.push((path.clone(), format!("{prefix}{name}/"), depth + 1));
            } else if let Some(stem) = endings.iter().find_map(|ending| name.strip_suffix(ending)) {
                found.push((format!("{prefix}{stem}"), path.clone()));
            }
        }
    }
    Ok(found)
}

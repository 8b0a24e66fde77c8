//! The argument GAME: a name from the library, a `.kif` file, or a folder with METADATA.

use crate::library;
use anyhow::{Context, Result, anyhow, bail};
use ludens_gdl::legible;
use serde::Deserialize;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// No rule sheet known to us has 100 kB; a file beyond this is something else.
pub(crate) const MAX_SHEET_BYTES: u64 = 32 << 20;

/// What a rule sheet is called in a folder laid out as in our library.
const OWN_SHEET: &str = "rules.kif";

/// METADATA holds a few lines.
const MAX_METADATA_BYTES: u64 = 1 << 20;

/// A rule sheet before anybody has read it.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The game's name: in the library, or that of its folder, or the file's without its ending.
    pub(crate) name: String,
    /// Where the sheet stands, for messages.
    pub(crate) place: String,
    pub(crate) bytes: Vec<u8>,
}

/// METADATA of the public game repositories; other fields do not matter here.
#[derive(Debug, Deserialize)]
struct Metadata {
    rulesheet: String,
}

/// Finds the sheet that GAME means.
pub(crate) fn find(game: &str) -> Result<Source> {
    if let Some(entry) = library::find(game) {
        let place = format!("library/{}/rules.kif", entry.name);
        return Ok(Source { name: entry.name.to_owned(), place, bytes: entry.rules.as_bytes().to_vec() });
    }
    let path = Path::new(game);
    if path.is_dir() {
        Ok(Source { name: name_of_folder(path), ..read_sheet(&sheet_of_folder(path)?)? })
    } else if path.exists() || looks_like_path(path) {
        read_sheet(path)
    } else {
        Err(unknown(game))
    }
}

/// Every game of a folder, as GAME takes it, sorted: `.kif` files, and folders with METADATA or `rules.kif`.
pub(crate) fn all_in(folder: &Path) -> Result<Vec<String>> {
    let cannot_read = || format!("cannot read the folder `{}`", folder.display());
    let mut games = Vec::new();
    for entry in fs::read_dir(folder).with_context(cannot_read)? {
        let path = entry.with_context(cannot_read)?.path();
        let is_sheet = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("kif")) && path.is_file();
        if is_sheet || path.join("METADATA").is_file() || path.join(OWN_SHEET).is_file() {
            games.push(path.to_str().with_context(|| format!("`{}` is not UTF-8", path.display()))?.to_owned());
        }
    }
    if games.is_empty() {
        bail!("there is no game in the folder `{}`", folder.display());
    }
    games.sort();
    Ok(games)
}

fn looks_like_path(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("kif")) || path.components().count() > 1
}

fn unknown(game: &str) -> anyhow::Error {
    let hint = library::hint(game);
    anyhow!("there is no game `{}` in the library, and no such file or folder; {hint}", legible(game))
}

/// Reads a `.kif` file.
pub(crate) fn read_sheet(path: &Path) -> Result<Source> {
    let bytes = read_limited(path, MAX_SHEET_BYTES)?;
    Ok(Source { name: name_of_sheet(path), place: path.display().to_string(), bytes })
}

/// The file's name without its ending; where all sheets have the same name, as in our library, the folder's.
fn name_of_sheet(path: &Path) -> String {
    if path.file_name() == Some(OsStr::new(OWN_SHEET)) {
        return name_of_folder(path.parent().unwrap_or(Path::new("")));
    }
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// The last part of a folder's path; where it has no name there, as `.` and `..` have none, that of the folder meant.
fn name_of_folder(path: &Path) -> String {
    let here = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let meant = if here.file_name().is_some() { here.to_path_buf() } else { here.canonicalize().unwrap_or_default() };
    // The root of the file system has no name at all.
    meant.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Reads a whole file, unless it is larger than the limit.
pub(crate) fn read_limited(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let cannot_read = || format!("cannot read `{}`", path.display());
    let file = File::open(path).with_context(cannot_read)?;
    let mut bytes = Vec::new();
    // One byte more than allowed tells a file at the limit from one beyond it, whatever its metadata says.
    file.take(limit + 1).read_to_end(&mut bytes).with_context(cannot_read)?;
    if bytes.len() as u64 > limit {
        bail!("`{}` is larger than {} MiB, the limit for such a file", path.display(), limit >> 20);
    }
    Ok(bytes)
}

/// The sheet that a folder's METADATA names, or `rules.kif` in a folder laid out as in our library.
fn sheet_of_folder(folder: &Path) -> Result<PathBuf> {
    let metadata = folder.join("METADATA");
    if !metadata.exists() {
        let own = folder.join(OWN_SHEET);
        if own.is_file() {
            if !stays_inside(folder, &own)? {
                bail!("`{}` is a link that leaves the folder", own.display());
            }
            return Ok(own);
        }
        bail!("the folder `{}` has neither METADATA nor rules.kif{}", folder.display(), versions_hint(folder));
    }
    let bytes = read_limited(&metadata, MAX_METADATA_BYTES)?;
    // Some editors begin a file with a byte order mark, which is no JSON.
    let json = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let Metadata { rulesheet } =
        serde_json::from_slice(json).with_context(|| format!("`{}` is not JSON with a text `rulesheet`", metadata.display()))?;
    if !Path::new(&rulesheet).components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        bail!("`{}` names the rule sheet `{rulesheet}`, which is not inside the folder", metadata.display());
    }
    let sheet = folder.join(&rulesheet);
    let named = || format!("`{}` names the rule sheet `{rulesheet}`", metadata.display());
    if !stays_inside(folder, &sheet).with_context(named)? {
        bail!("`{}` names the rule sheet `{rulesheet}`, a link that leaves the folder", metadata.display());
    }
    Ok(sheet)
}

/// Whether a file is inside the folder also where it is a link: strangers' links are followed only as far as their folder goes.
pub(crate) fn stays_inside(folder: &Path, file: &Path) -> Result<bool> {
    let meant = |path: &Path| path.canonicalize().with_context(|| format!("cannot read `{}`", path.display()));
    Ok(meant(file)?.starts_with(meant(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })?))
}

/// Public repositories keep versions of a game in folders v0, v1, ...: which of them could have been meant.
fn versions_hint(folder: &Path) -> String {
    let Ok(entries) = fs::read_dir(folder) else { return String::new() };
    let mut versions: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join("METADATA").is_file())
        .filter_map(|entry| entry.path().file_name().and_then(OsStr::to_str).map(str::to_owned))
        .collect();
    versions.sort();
    match versions.last() {
        Some(last) => format!("; did you mean `{}`?", folder.join(last).display()),
        None => String::new(),
    }
}

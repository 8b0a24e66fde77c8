//! What was measured already, so that an experiment that was broken off can go on.

use super::Scale;
use crate::console::Console;
use crate::interrupt;
use crate::words::number;
use anyhow::{Context, Result};
use ludens_serve::record::replace_file;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// A file beyond this is not ours.
const MAX_BYTES: u64 = 64 << 20;

/// Ctrl-C came before a measurement was done. An experiment hands it on; it is no failure.
#[derive(Debug)]
pub(crate) struct Interrupted;

impl std::fmt::Display for Interrupted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for Interrupted {}

/// Fails with [`Interrupted`] once Ctrl-C was pressed.
pub(crate) fn go_on() -> Result<()> {
    if interrupt::is_requested() { Err(Interrupted.into()) } else { Ok(()) }
}

/// What must be the same for measurements to belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Setting {
    pub(super) experiment: String,
    pub(super) version: String,
    pub(super) scale: String,
    pub(super) seed: u64,
    pub(super) machine: String,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    setting: Setting,
    /// How long earlier runs took.
    seconds: f64,
    /// Every measurement by its name.
    measured: BTreeMap<String, Value>,
}

/// What an experiment works with: its scale, its seed, and measurements that outlive a run.
pub(crate) struct Lab {
    path: PathBuf,
    kept: Kept,
    before: f64,
    began: Instant,
    scale: Scale,
    console: Console,
}

impl Lab {
    /// Reads what an earlier run of the same kind has left, if there is one.
    pub(super) fn open(path: &Path, setting: Setting, scale: Scale, console: Console) -> Result<Lab> {
        let kept = match read(path)? {
            None => None,
            Some(Ok(kept)) if kept.setting == setting => Some(kept),
            Some(Ok(_)) => {
                console.note(&format!("{} is of another version, scale, seed or computer: it begins anew", path.display()));
                None
            }
            Some(Err(error)) => {
                console.note(&format!("{} cannot be read ({error}): it begins anew", path.display()));
                None
            }
        };
        if kept.is_none() {
            forget(&path.with_extension("").with_extension("sqlite"))?;
        }
        let kept = kept.unwrap_or(Kept { setting, seconds: 0.0, measured: BTreeMap::new() });
        let lab = Lab { path: path.to_owned(), before: kept.seconds, kept, began: Instant::now(), scale, console };
        if !lab.kept.measured.is_empty() {
            console.note(&format!("goes on: {} kept", lab.kept_text()));
        }
        Ok(lab)
    }

    /// How much to measure.
    pub(crate) fn scale(&self) -> Scale {
        self.scale
    }

    /// Where chance starts.
    pub(crate) fn seed(&self) -> u64 {
        self.kept.setting.seed
    }

    /// For progress and remarks.
    pub(crate) fn console(&self) -> Console {
        self.console
    }

    /// What was measured under this name before, or what is measured now, which is kept. What Ctrl-C cut short is not: that is [`Interrupted`].
    pub(crate) fn measure<T: Serialize + DeserializeOwned>(&mut self, name: &str, how: impl FnOnce() -> Result<T>) -> Result<T> {
        go_on()?;
        if let Some(known) = self.kept.measured.get(name) {
            return T::deserialize(known).with_context(|| format!("`{}` has something else for {name}", self.path.display()));
        }
        let measured = how();
        go_on()?;
        let measured = measured?;
        self.kept.measured.insert(name.to_owned(), serde_json::to_value(&measured)?);
        self.kept.seconds = self.before + self.began.elapsed().as_secs_f64();
        let written = replace_file(&self.path, |file| Ok(serde_json::to_writer(file, &self.kept)?));
        written.with_context(|| format!("cannot write `{}`", self.path.display()))?;
        Ok(measured)
    }

    /// Where matches are kept, beside everything else. The file outlives the experiment, so that matches can be looked at, until the next one begins anew.
    pub(crate) fn store(&self) -> PathBuf {
        self.path.with_extension("").with_extension("sqlite")
    }

    /// Whether there is a measurement of this name.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.kept.measured.contains_key(name)
    }

    /// `3 measurements are`.
    pub(super) fn kept_text(&self) -> String {
        let count = self.kept.measured.len() as u64;
        format!("{} {}", number(count, "measurement"), if count == 1 { "is" } else { "are" })
    }

    /// What earlier runs took.
    pub(super) fn seconds_before(&self) -> f64 {
        self.before
    }

    /// Nothing is left to go on with.
    pub(super) fn finish(self) -> Result<()> {
        match fs::remove_file(&self.path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove `{}`", self.path.display()))
            }
            _ => Ok(()),
        }
    }
}

/// Removes the matches of another run: they were played at another time, perhaps by another program on another computer.
fn forget(store: &Path) -> Result<()> {
    for end in ["", "-wal", "-shm"] {
        let mut path = store.as_os_str().to_owned();
        path.push(end);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(error).with_context(|| format!("cannot remove `{}`", Path::new(&path).display()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The file's content, if there is a file; inside, what is wrong with it.
fn read(path: &Path) -> Result<Option<Result<Kept, String>>> {
    let length = match fs::metadata(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        about => about.with_context(|| format!("cannot read `{}`", path.display()))?.len(),
    };
    if length > MAX_BYTES {
        return Ok(Some(Err(format!("{length} bytes"))));
    }
    let bytes = fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(Some(serde_json::from_slice(&bytes).map_err(|error| error.to_string())))
}

#[cfg(test)]
mod tests {
    use super::{Lab, Setting};
    use crate::commands::experiment::Scale;
    use crate::console::Console;
    use std::fs;

    fn open(path: &std::path::Path, seed: u64) -> Lab {
        let [experiment, version, scale, machine] = ["e", "1", "test", "m"].map(str::to_owned);
        let setting = Setting { experiment, version, scale, seed, machine };
        Lab::open(path, setting, Scale::Test, Console::new(true)).expect("a folder that can be written to")
    }

    #[test]
    fn what_was_measured_is_not_measured_again() {
        let path = std::env::temp_dir().join(format!("ludens-keep-{}.json", std::process::id()));
        let mut lab = open(&path, 1);
        assert_eq!(lab.measure("a", || Ok(vec![1.5, 2.0])).expect("measured"), [1.5, 2.0]);
        assert!(lab.measure("b", || anyhow::bail!("no")).map(|(): ()| ()).is_err(), "what fails is not kept");
        drop(lab);
        let mut again = open(&path, 1);
        assert!(again.knows("a") && !again.knows("b"));
        assert_eq!(again.measure("a", || -> anyhow::Result<Vec<f64>> { panic!("again") }).expect("kept"), [1.5, 2.0]);
        assert!(again.measure("a", || Ok(String::new())).is_err(), "it is something else");
        assert!(!open(&path, 2).knows("a"), "another seed");
        fs::write(&path, "{").expect("written");
        assert!(!open(&path, 1).knows("a"), "half a file");
        again.finish().expect("removed");
        assert!(!path.exists());
        open(&path, 1).finish().expect("nothing was there");
    }
}

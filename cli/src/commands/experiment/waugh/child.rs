//! Programs of others, run within limits.

use super::Count;
use super::matches::Position;
use crate::interrupt;
use anyhow::{Context, Result, bail, ensure};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Of what a program prints, so much is read.
const MAX_BYTES: u64 = 4 << 20;

/// A folder that is removed when it is no longer needed.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Result<Folder> {
        let base = std::env::temp_dir();
        for number in 0..1000 {
            let path = base.join(format!("ludens-experiment-{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error).context("cannot make a temporary folder"),
            }
        }
        bail!("cannot make a temporary folder: all names are taken");
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let path = self.0.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).context("cannot write to a temporary folder")?;
        }
        fs::write(path, text).context("cannot write to a temporary folder")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What became of a program.
pub(super) struct Ran {
    /// Nothing if it took too long, or somebody pressed Ctrl-C.
    pub(super) status: Option<ExitStatus>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Whether a program is there.
pub(super) fn is_there(program: &str) -> bool {
    let run = Command::new(program).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// Runs a program in a folder; after `limit`, or on Ctrl-C, it is ended.
pub(super) fn run(folder: &Folder, program: &str, args: &[&str], limit: Duration) -> Result<Ran> {
    let [out, err] = ["stdout", "stderr"].map(|name| folder.path().join(name));
    let create = |path: &Path| File::create(path).context("cannot write to a temporary folder");
    let mut command = Command::new(program);
    command.args(args).current_dir(folder.path()).stdin(Stdio::null()).stdout(create(&out)?).stderr(create(&err)?);
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if began.elapsed() > limit || interrupt::is_requested() {
            // It may just have ended by itself.
            let _ = child.kill();
            child.wait()?;
            break None;
        }
        thread::sleep(Duration::from_millis(5));
    };
    Ok(Ran { status, stdout: read(&out)?, stderr: read(&err)? })
}

fn read(path: &Path) -> Result<String> {
    use std::io::Read as _;
    let mut bytes = Vec::new();
    File::open(path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// What a program says of a position.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub(super) count: Count,
    /// How many legal moves every role has.
    pub(super) legal: Vec<usize>,
}

/// Lets a program simulate from positions. It has twenty times the CPU time on the wall, since others may use the computer, and more for what it needs to begin.
pub(super) fn measure(folder: &Folder, program: &str, args: &[&str], positions: &[Position], seconds: f64) -> Result<Vec<Found>> {
    let limit = Duration::from_secs_f64(120.0 + positions.len() as f64 * (20.0 * seconds + 60.0));
    let ran = run(folder, program, args, limit)?;
    let first = |text: &str| text.lines().next().unwrap_or("nothing").chars().take(200).collect::<String>();
    match ran.status {
        None => bail!("it took too long"),
        Some(status) if !status.success() => bail!("it failed: {}", first(&ran.stderr)),
        Some(_) => {}
    }
    let found: Option<Vec<Found>> = ran.stdout.lines().map(found).collect();
    let found = found.with_context(|| format!("it said something else than counts: {}", first(&ran.stdout)))?;
    ensure!(found.len() == positions.len(), "it counted {} positions instead of {}", found.len(), positions.len());
    Ok(found)
}

/// A line: states, simulations, CPU seconds, legal moves of every role.
fn found(line: &str) -> Option<Found> {
    let mut words = line.split_whitespace();
    let (states, simulations) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    let cpu = words.next()?.parse().ok().filter(|cpu: &f64| cpu.is_finite() && *cpu > 0.0)?;
    let legal = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
    Some(Found { count: Count { states, simulations, cpu }, legal })
}

#[cfg(test)]
mod tests {
    use super::{Count, Found, found};

    #[test]
    fn lines_are_counts() {
        let count = Count { states: 12, simulations: 3, cpu: 0.25 };
        assert_eq!(found("12 3 0.25 9 1"), Some(Found { count, legal: vec![9, 1] }));
        for line in ["", "12 3", "12 3 0 9 1", "12 3 inf 9", "12 3 0.5 x", "-1 3 0.5", "Warning: 12 3 0.5"] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}

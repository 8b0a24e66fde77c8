//! A game in a process of its own: its memory is its own, and so is a crash.

use super::report::{Outcome, Report};
use super::{Args, Measured};
use crate::interrupt;
use anyhow::{Context, Result, bail};
use clap::ValueEnum as _;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long a process may go on after Ctrl-C, which it has been told as well where a terminal sent it.
const GRACE: Duration = Duration::from_secs(2);

/// How often the process is looked at.
const LOOK: Duration = Duration::from_millis(5);

/// Measures a game; `None` where Ctrl-C came before there was anything to tell.
pub(super) fn measure(game: &str, args: &Args) -> Result<Option<Measured>> {
    let mut child = start(game, args).context("cannot start a process for the game")?;
    let (stdout, stderr) = (reader(child.stdout.take()), reader(child.stderr.take()));
    let code = wait(&mut child)?;
    let text = |reader: JoinHandle<Vec<u8>>| String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned();
    let (stdout, stderr) = (text(stdout), text(stderr));
    if let Ok(mut report) = serde_json::from_str::<Report<Measured>>(&stdout) {
        return Ok(report.results.pop().and_then(Outcome::measured));
    }
    if interrupt::is_requested() {
        return Ok(None);
    }
    match (code, stderr.lines().rev().find_map(|line| line.strip_prefix("error: "))) {
        (Some(_), Some(error)) => bail!("{error}"),
        (Some(code), None) => bail!("its process ended with code {code}"),
        (None, _) => bail!("its process was ended by a signal"),
    }
}

fn start(game: &str, args: &Args) -> Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    let name = |value: Option<clap::builder::PossibleValue>| value.map(|value| value.get_name().to_owned()).unwrap_or_default();
    let engine = args.engine;
    let pairs = [
        ("--seconds", args.seconds.to_string()),
        ("--seed", args.play.seed.to_string()),
        ("--max-plies", args.play.max_plies.to_string()),
        ("--lanes", args.lanes.to_string()),
        ("--threads", args.threads.to_string()),
        ("--engine", name(engine.engine.to_possible_value())),
        ("--memo", name(engine.memo.to_possible_value())),
        ("--profile", name(engine.profile.to_possible_value())),
    ];
    command.args(["bench", "--json", "--quiet"]);
    for (option, value) in pairs {
        command.args([option, &value]);
    }
    command.args(["--", game]).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Ok(command.spawn()?)
}

/// Reads a pipe to its end, so that its writer never waits.
fn reader(pipe: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error will do.
        let _ = pipe.map(|mut pipe| pipe.read_to_end(&mut bytes));
        bytes
    })
}

/// Waits for the end of a process, not for ever after Ctrl-C. `None` where a signal ended it.
fn wait(child: &mut Child) -> Result<Option<i32>> {
    let mut deadline = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if interrupt::is_requested() && Instant::now() > *deadline.get_or_insert_with(|| Instant::now() + GRACE) {
            child.kill()?;
        }
        thread::sleep(LOOK);
    }
}

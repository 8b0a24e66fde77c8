//! Running the binary, and folders that go away again.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// What a run of the binary left behind.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `ludens` with these arguments in the workspace's root.
pub(crate) fn ludens(args: &[&str]) -> Run {
    let output = command(args).output().expect("the binary runs");
    Run::new(&output)
}

/// Runs `ludens` with these arguments and fails the test if it has not ended after half a minute.
pub(crate) fn ludens_in_time(args: &[&str]) -> Run {
    let mut child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let deadline = Instant::now() + Duration::from_secs(30);
    while child.try_wait().expect("a child of ours").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("a child of ours");
            panic!("`ludens {}` does not end", args.join(" "));
        }
        thread::sleep(Duration::from_millis(10));
    }
    Run::new(&child.wait_with_output().expect("it has ended"))
}

/// Runs `ludens` with these arguments and this text as its input.
pub(crate) fn ludens_fed(args: &[&str], input: &str) -> Run {
    let mut command = command(args);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.expect("the binary runs");
    // It may have ended before it has read everything. Taking the pipe out and dropping it closes it.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    Run::new(&child.wait_with_output().expect("it ends"))
}

/// Starts a job that would take minutes, waits until it has surely begun, and presses Ctrl-C.
pub(crate) fn interrupted(args: &[&str]) -> Run {
    let child = command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    thread::sleep(Duration::from_millis(500));
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    Run::new(&child.wait_with_output().expect("it ends")).expect(130)
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludens"));
    command.args(args).current_dir(root()).stdin(Stdio::null());
    command
}

/// The workspace's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Run {
    pub(crate) fn new(output: &Output) -> Run {
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("we print UTF-8");
        let code = output.status.code().expect("the process ends by itself, not by a signal");
        let run = Run { code, stdout: text(&output.stdout), stderr: text(&output.stderr) };
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// Fails the test unless the process ended with this code.
    #[track_caller]
    pub(crate) fn expect(self, code: i32) -> Run {
        assert_eq!(self.code, code, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Fails the test unless this stands on stdout.
    #[track_caller]
    pub(crate) fn says(self, needle: &str) -> Run {
        assert!(self.stdout.contains(needle), "`{needle}` is not in: {}", self.stdout);
        self
    }

    /// Fails the test unless stderr has this text.
    #[track_caller]
    pub(crate) fn complains(self, needle: &str) -> Run {
        assert!(self.stderr.contains(needle), "`{needle}` is not in:\n{}", self.stderr);
        self
    }

    /// Stdout as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }
}

/// A folder of one test's own, removed at its end.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    /// Writes a file, with its folders, and gives its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("inside the folder")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("UTF-8").to_owned()
    }

    /// The path of something in the folder; of the folder itself with an empty name.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").trim_end_matches('/').to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left-overs in the target folder do no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A sheet of one role that counts to three and wins.
pub(crate) const COUNTER: &str = "\
(role r)
(init (at 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal r go) (true (at ?n)) (succ ?n ?m))
(<= (next (at ?m)) (does r go) (true (at ?n)) (succ ?n ?m))
(<= terminal (true (at 3)))
(<= (goal r 100) (true (at 3)))
(<= (goal r 0) (not (true (at 3))))
";

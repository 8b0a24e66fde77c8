//! The game as a program of its own: emitted, compiled, and measured by a driver that is the same for all games.

use super::child::{self, Folder, Found};
use super::matches::{MAX_PLIES, Position};
use anyhow::Result;
use ludens_machine::emit::File;
use std::time::Duration;

const DRIVER: &str = include_str!("driver.rs.in");
/// Compilers need hours for more.
const MAX_SOURCE: usize = 4 << 20;
const COMPILE: Duration = Duration::from_secs(300);

/// A compiled game.
pub(super) struct Program {
    folder: Folder,
}

impl Program {
    /// Compiles; inside, why that cannot be done here.
    pub(super) fn new(files: &[File], optimise: bool) -> Result<Result<Program, String>> {
        let compiler = "rustc";
        if !child::is_there(compiler) {
            return Ok(Err(format!("{compiler} is not installed")));
        }
        let bytes: usize = files.iter().map(|file| file.text.len()).sum();
        if bytes > MAX_SOURCE {
            return Ok(Err(format!("{} kB of source are too much for the compiler", bytes / 1000)));
        }
        let folder = Folder::new()?;
        for file in files {
            folder.write(file.name, &file.text)?;
        }
        folder.write("driver.rs", DRIVER)?;
        let level = if optimise { "opt-level=3" } else { "opt-level=0" };
        let common = ["--edition", "2021", "-A", "warnings", "-C", level, "-C", "codegen-units=1"];
        let steps: [&[&str]; 2] = [
            &["--crate-type", "rlib", "--crate-name", "game", "-o", "libgame.rlib", "src/lib.rs"],
            &["--extern", "game=libgame.rlib", "-o", "driver", "driver.rs"],
        ];
        for step in steps {
            let ran = child::run(&folder, compiler, &[&common[..], step].concat(), COMPILE)?;
            match ran.status {
                None => return Ok(Err(format!("{compiler} did not end within {} s", COMPILE.as_secs()))),
                Some(status) if status.success() => {}
                Some(_) => return Ok(Err(format!("{compiler}: {}", ran.stderr.lines().next().unwrap_or("it failed")))),
            }
        }
        Ok(Ok(Program { folder }))
    }

    /// Lets it simulate from positions.
    pub(super) fn measure(&self, positions: &[Position], seconds: f64, seed: u64) -> Result<Vec<Found>> {
        let lines: Vec<String> =
            positions.iter().map(|position| format!("{}\t{}\n", position.role, position.fluents.join("\t"))).collect();
        self.folder.write("positions.txt", &lines.concat())?;
        let (seconds_text, seed, plies) = (seconds.to_string(), seed.to_string(), MAX_PLIES.to_string());
        let program = self.folder.path().join("driver");
        let args = ["positions.txt", &seconds_text, &seed, &plies];
        child::measure(&self.folder, &program.to_string_lossy(), &args, positions, seconds)
    }
}

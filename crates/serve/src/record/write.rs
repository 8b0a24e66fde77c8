//! Writing a record so that at every moment a whole one lies there.

use super::Record;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

/// Why a record was not written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write the record `{}`", path.display())]
pub struct WriteError {
    path: PathBuf,
    source: io::Error,
}

impl Record {
    /// Writes the record to a file, in place of what was there: first beside it and through to the disk, then by renaming.
    ///
    /// # Errors
    /// If the file system says no; what was there before is still there then.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        let written = replace_file(path, |file| {
            serde_json::to_writer_pretty(&mut *file, self)?;
            file.write_all(b"\n")
        });
        written.map_err(|source| WriteError { path: path.to_owned(), source })
    }
}

/// Writes a file in place of what was there: first beside it and through to the disk, then by renaming. So at every moment a whole one lies there.
///
/// # Errors
/// If the file system says no; what was there before is still there then.
pub fn replace_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    // The same for everybody who writes this file, so that none is left over by one that was killed.
    beside.push(".tmp");
    let beside = PathBuf::from(beside);
    let written = write_through(&beside, write).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // It is of no use to anybody; that it cannot be removed either changes nothing.
        let _ = fs::remove_file(&beside);
        return written;
    }
    // The new name, too, should outlast a power cut; where folders cannot be opened, it is as safe as it gets.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_through(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

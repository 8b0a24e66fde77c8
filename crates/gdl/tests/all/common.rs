//! Where the sheets are.

use std::path::{Path, PathBuf};

use ludens_gdl::decode;

/// A sheet of a folder.
pub(crate) struct Sheet {
    /// Its file name without `.kif`.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// All `.kif` files of a folder by name; none where there is no such folder.
fn sheets_in(folder: &Path) -> Vec<Sheet> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "kif"));
    paths.sort();
    let name = |path: &Path| path.file_stem().expect("a file name").to_string_lossy().into_owned();
    let text = |path: &Path| decode(&std::fs::read(path).expect("a readable file")).0;
    paths.iter().map(|path| Sheet { name: name(path), text: text(path) }).collect()
}

/// The repository's own tiny sheets: `ok` or `bad`.
pub(crate) fn own_sheets(kind: &str) -> Vec<Sheet> {
    let sheets = sheets_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sheets").join(kind));
    assert!(!sheets.is_empty(), "no sheets in sheets/{kind}");
    sheets
}

/// Public sheets beside the repository, where there are any: `.` for the games, `conformance` for the small cases.
pub(crate) fn public_sheets(kind: &str) -> Vec<Sheet> {
    let sheets = sheets_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games").join(kind));
    if sheets.is_empty() {
        eprintln!("skipped: no public rule sheets beside the repository");
    }
    sheets
}

//! Puts the library, `games/NAME/`, into the binary: a table of `include_str!`s, so that `ludens` needs no files beside it.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let games = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../games").canonicalize()?;
    println!("cargo::rerun-if-changed={}", games.display());
    let mut folders: Vec<PathBuf> =
        fs::read_dir(&games)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    folders.retain(|path| path.is_dir());
    folders.sort();

    let mut table = String::from("&[\n");
    for folder in &folders {
        println!("cargo::rerun-if-changed={}", folder.display());
        let name = folder.file_name().and_then(|name| name.to_str()).ok_or("a game's folder has a name in UTF-8")?;
        write!(table, "    Files {{ name: {name:?}")?;
        for (field, file) in [("rules", "rules.kif"), ("game", "game.toml"), ("facts", "facts.txt")] {
            let path = folder.join(file);
            // A missing file is kept as such: the test of the library names the folder that lacks it.
            if path.is_file() {
                let path = path.to_str().ok_or("the path of the games is UTF-8")?;
                write!(table, ", {field}: Some(include_str!({path:?}))")?;
            } else {
                write!(table, ", {field}: None")?;
            }
        }
        table.push_str(" },\n");
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("library.rs"), table)?;
    Ok(())
}

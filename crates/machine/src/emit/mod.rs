//! Games as source code: what gdlcc did. A rule sheet becomes a C99 library or a Rust crate with one interface for all games, from the
//! query plans of the relational engine ([`plans`], any sheet) or from the ground network ([`net`]).
//!
//! Everything that is the same for all games is a fixed text under `c/` and `rust/`, compiled by nobody here. Generated is one file, `game`:
//! tables of numbers and names, and a function per goal or per few hundred gates.
//!
//! **Architecture Invariant:** a name of a sheet stands in a string literal, escaped to ASCII, and nowhere else; all identifiers are numbered.

mod dialect;
mod goal;
mod network;
mod scan;
mod step;
mod tables;

use crate::Error;
use crate::relational::Relational;
pub use dialect::Language;
use ludens_ground::Net;

/// A file to be written, with `/` in its name where it belongs in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, relative to the folder.
    pub name: &'static str,
    /// Its text.
    pub text: String,
}

const GENERATED: &str =
    "Written by `ludens emit`: tables and code of one game. The names of the rule sheet occur in string literals only.";

/// A game from its query plans.
pub fn plans(engine: &Relational, language: Language) -> Result<Vec<File>, Error> {
    let registry = engine.registry();
    let tables = tables::of_plans(engine, &registry, language)?;
    let goals = goal::all(&engine.program, &engine.roles, language)?;
    Ok(match language {
        Language::C => {
            let game = format!("/* {GENERATED} */\n{tables}\n#include \"runtime.h\"\n\n{goals}\n#include \"api.h\"\n");
            let fixed = [
                ("game.h", include_str!("c/game.h")),
                ("names.h", include_str!("c/names.h")),
                ("runtime.h", include_str!("c/runtime.h")),
                ("api.h", include_str!("c/api.h")),
            ];
            c_files(game, &fixed)
        }
        Language::Rust => {
            let game = format!("//! {GENERATED}\n{ALLOW}\nuse crate::Error;\nuse crate::runtime::*;\n\n{tables}\n{goals}");
            rust_files(game, include_str!("rust/runtime.rs.in"))
        }
    })
}

/// A game from its network. `case_sensitive` says whether texts that are looked up must have the sheet's letter case.
pub fn net(net: &Net, case_sensitive: bool, language: Language) -> Vec<File> {
    let tables = tables::of_net(net, case_sensitive, language);
    let gates = network::all(net, language);
    match language {
        Language::C => {
            let game = format!("/* {GENERATED} */\n{tables}\n{gates}\n#include \"net.h\"\n");
            let fixed = [
                ("game.h", include_str!("c/game.h")),
                ("names.h", include_str!("c/names.h")),
                ("batch.h", include_str!("c/batch.h")),
                ("net.h", include_str!("c/net.h")),
            ];
            c_files(game, &fixed)
        }
        Language::Rust => rust_files(format!("//! {GENERATED}\n{ALLOW}\n{tables}\n{gates}"), include_str!("rust/net.rs.in")),
    }
}

const ALLOW: &str = "#![allow(unused_assignments, unused_variables, unused_mut, unused_parens, unused_labels, unreachable_code)]\n\
                     #![allow(dead_code, unused_imports, non_upper_case_globals, clippy::all, clippy::pedantic)]\n";

fn c_files(game: String, fixed: &[(&'static str, &str)]) -> Vec<File> {
    let mut files: Vec<File> = fixed.iter().map(|&(name, text)| File { name, text: text.to_owned() }).collect();
    files.push(File { name: "game.c", text: game });
    files.push(File { name: "mc.c", text: include_str!("c/mc.c").to_owned() });
    files.push(File { name: "Makefile", text: include_str!("c/Makefile").to_owned() });
    files.push(File { name: "README.md", text: include_str!("c/README.md").to_owned() });
    files
}

fn rust_files(game: String, runtime: &str) -> Vec<File> {
    let fixed = [
        ("Cargo.toml", include_str!("rust/Cargo.toml.in")),
        ("README.md", include_str!("rust/README.md")),
        ("src/lib.rs", include_str!("rust/lib.rs.in")),
        ("src/runtime.rs", runtime),
        ("src/bin/mc.rs", include_str!("rust/mc.rs.in")),
    ];
    let mut files: Vec<File> = fixed.iter().map(|&(name, text)| File { name, text: text.to_owned() }).collect();
    files.push(File { name: "src/game.rs", text: game });
    files
}

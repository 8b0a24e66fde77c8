//! `ludens emit`.

use crate::answer::Answer;
use crate::console::Console;
use crate::engine;
use crate::sheet::Sheet;
use crate::trace_file::{Record, Trace};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use ludens_machine::emit::{self, File};
use ludens_machine::{Error, GroundLimits, Machine};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// Write a game as source code: a C99 library or a Rust crate, with a Monte Carlo player.
///
/// The code stands alone and has one interface for all games (`game.h`, or the crate `game`): roles, the first state, the end, legal moves, the
/// next state, goals, names. Beside it lies a player, `mc`, whose source is the same for all games; the README of the folder says how to build
/// it and what it can do.
///
/// The code is made from the query plans of the relational engine, which works for every sheet, or, with `--net`, from the ground network,
/// which is evaluated 64 states at a time; a sheet that cannot be grounded within the limits is an error then.
///
/// DIR is made where it does not exist. A folder with something in it is left alone, unless `--force` is given; files of the same name are then
/// written over.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens emit tic_tac_toe --lang c --out tic_tac_toe_c
  ludens emit my_game.kif --lang rust --net --out my_game --force")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// The language.
    #[arg(long, value_enum)]
    lang: Lang,
    /// The folder to write to.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Translate the ground network instead of the query plans.
    #[arg(long)]
    net: bool,
    /// Write into a folder that is not empty.
    #[arg(long)]
    force: bool,
    /// A trace of this game (`ludens trace`) to be written as `trace.txt`, which `mc check` replays.
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Lang {
    /// A crate without dependencies.
    Rust,
    /// C99: sources, headers, a Makefile.
    C,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let sheet = Sheet::open(&args.game)?;
    let rules = sheet.valid_rules()?;
    let language = match args.lang {
        Lang::Rust => emit::Language::Rust,
        Lang::C => emit::Language::C,
    };
    let reference = || engine::reference(rules).with_context(|| engine::cannot_build(&sheet));
    let mut files = if args.net {
        let net = ludens_ground::ground(rules, &GroundLimits::default());
        let net = net.with_context(|| format!("{} cannot be grounded; without --net it can be emitted", sheet.source.name))?;
        emit::net(&net, rules.case_sensitive, language)
    } else {
        let machine = reference()?;
        let plans = machine.as_relational().context("this engine has no query plans")?;
        emit::plans(plans, language).with_context(|| format!("{} cannot be emitted", sheet.source.name))?
    };
    if let Some(path) = &args.trace {
        let text = check_text(&reference()?, &Trace::read(path)?)?;
        files.push(File { name: "trace.txt", text });
    }
    write_files(&args.out, &files, args.force)?;
    let bytes: usize = files.iter().map(|file| file.text.len()).sum();
    console.note(&format!("{} files, {} kB, in {}", files.len(), bytes.div_ceil(1000), args.out.display()));
    Ok(Answer::Yes)
}

/// Writes the files into a folder, and only there.
fn write_files(folder: &Path, files: &[File], force: bool) -> Result<()> {
    let cannot_write = |path: &Path| format!("cannot write `{}`", path.display());
    fs::create_dir_all(folder).with_context(|| cannot_write(folder))?;
    let mut entries = fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    if !force && entries.next().is_some() {
        bail!("`{}` is not empty; --force writes into it all the same", folder.display());
    }
    for file in files {
        let mut path = folder.to_path_buf();
        for part in file.name.split('/') {
            if path != *folder {
                fs::create_dir_all(&path).with_context(|| cannot_write(&path))?;
            }
            path.push(part);
            // What lies behind a link is not in the folder.
            if fs::symlink_metadata(&path).is_ok_and(|about| about.is_symlink()) {
                bail!("`{}` is a link, which could lead out of the folder", path.display());
            }
        }
        fs::write(&path, &file.text).with_context(|| cannot_write(&path))?;
    }
    Ok(())
}

/// A trace as the lines that an emitted player replays, spelled as the engine spells it.
fn check_text(machine: &Machine, trace: &Trace) -> Result<String> {
    let mut text = String::from(
        "# start | set | state FLUENTS | terminal 0/1 | legal ROLE MOVES | goal ROLE POINTS | play MOVES; tabs between\n",
    );
    let mut before: Option<&Record> = None;
    for step in &trace.steps {
        let follows = before.is_some_and(|last| (last.match_number, last.step + 1) == (step.match_number, step.step));
        let joint = before.and_then(|last| last.joint.as_ref()).filter(|_| follows);
        write_step(&mut text, machine, step, joint).context("the trace is not one of this game")?;
        before = Some(step);
    }
    Ok(text)
}

fn write_step(text: &mut String, machine: &Machine, step: &Record, joint: Option<&Vec<String>>) -> Result<(), Error> {
    let state = machine.state_of(step.state.iter().map(String::as_str))?;
    // Words after the first, each with its tab.
    let listed = |words: Vec<String>| [vec![String::new()], words].concat().join("\t");
    let fluents = listed(machine.fluents(&state));
    let spell = |moves: &[String]| -> Result<Vec<String>, Error> {
        moves.iter().map(|text| machine.find_move(text).map(|id| machine.move_text(id))).collect()
    };
    let _ = match joint {
        Some(joint) => writeln!(text, "play{}", listed(spell(joint)?)),
        None if step.step == 0 => writeln!(text, "start"),
        None => writeln!(text, "set{fluents}"),
    };
    let _ = writeln!(text, "state{fluents}\nterminal\t{}", u8::from(step.terminal));
    for (role, (legal, goals)) in step.legal.iter().zip(&step.goals).enumerate() {
        let mut legal = spell(legal)?;
        legal.sort_unstable();
        legal.dedup();
        let points = goals.iter().filter_map(|value| ludens_gdl::points(value)).min().unwrap_or(0);
        let _ = writeln!(text, "legal\t{role}{}\ngoal\t{role}\t{points}", listed(legal));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{File, check_text, write_files};
    use crate::engine;
    use crate::trace_file::Trace;
    use std::fs;

    fn folder(name: &str) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("ludens-emit-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_folder_that_is_not_empty_is_left_alone() {
        let (folder, files) = (folder("full"), [File { name: "src/a.txt", text: "new".to_owned() }]);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("mine.txt"), "mine").expect("written");
        let error = write_files(&folder, &files, false).unwrap_err().to_string();
        assert!(error.contains("not empty"), "{error}");
        assert!(!folder.join("src").exists());
        write_files(&folder, &files, true).expect("forced");
        assert_eq!(fs::read_to_string(folder.join("src/a.txt")).expect("written"), "new");
        assert_eq!(fs::read_to_string(folder.join("mine.txt")).expect("still there"), "mine");
        fs::remove_dir_all(folder).expect("removed");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed() {
        let (folder, elsewhere) = (folder("links"), folder("elsewhere"));
        fs::create_dir_all(&folder).expect("a folder");
        fs::create_dir_all(&elsewhere).expect("a folder");
        std::os::unix::fs::symlink(&elsewhere, folder.join("src")).expect("a link");
        let error = write_files(&folder, &[File { name: "src/a.txt", text: String::new() }], true).unwrap_err().to_string();
        assert!(error.contains("is a link"), "{error}");
        assert_eq!(fs::read_dir(&elsewhere).expect("a folder").count(), 0);
        fs::remove_dir_all(folder).expect("removed");
        fs::remove_dir_all(elsewhere).expect("removed");
    }

    #[test]
    fn a_trace_becomes_lines() {
        let sheet = "(role r) (init (at 1)) (legal r go) (<= (next (at 2)) (does r go)) (<= terminal (true (at 2))) (<= (goal r 9) (true (at 2)))";
        let rules = ludens_gdl::read(sheet, &ludens_gdl::Limits::default()).rules.expect("it is valid");
        let header = r#"{"game":"g","sha256":"","roles":["r"],"seed":1,"oracle":"o"}"#;
        let first = r#"{"match":0,"step":0,"terminal":false,"state":["(at 1)"],"legal":[["go"]],"goals":[[]],"joint":["go"]}"#;
        let last = r#"{"match":0,"step":1,"terminal":true,"state":["(at 2)"],"legal":[["go"]],"goals":[["9"]]}"#;
        let trace = Trace::parse(&format!("{header}\n{first}\n{last}\n")).expect("a trace");
        let text = check_text(&engine::reference(&rules).expect("a machine"), &trace).expect("lines");
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let expected = [
            "start",
            "state\t(at 1)",
            "terminal\t0",
            "legal\t0\tgo",
            "goal\t0\t0",
            "play\tgo",
            "state\t(at 2)",
            "terminal\t1",
            "legal\t0\tgo",
            "goal\t0\t9",
        ];
        assert_eq!(lines, expected);
    }
}

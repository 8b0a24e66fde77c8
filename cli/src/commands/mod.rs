//! One file per command: what can be typed, and what it does.

pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod emit;
pub(crate) mod eval;
pub(crate) mod experiment;
pub(crate) mod explain;
pub(crate) mod games;
pub(crate) mod manage;
pub(crate) mod one_match;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod player;
pub(crate) mod players;
pub(crate) mod replay;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod tournament;
pub(crate) mod trace;
pub(crate) mod verify;

use crate::answer::Answer;
use crate::args::{Command, TOUR};
use crate::console::{self, Console};
use anyhow::Result;

/// Does what was asked for.
pub(crate) fn run(command: Option<Command>, console: Console) -> Result<Answer> {
    match command {
        None => console::print(TOUR).map(|()| Answer::Yes),
        Some(Command::Games(args)) => games::run(&args),
        Some(Command::Check(args)) => check::run(&args, console),
        Some(Command::Show(args)) => show::run(&args),
        Some(Command::Perft(args)) => perft::run(&args, console),
        Some(Command::Trace(args)) => trace::run(&args, console),
        Some(Command::Verify(args)) => verify::run(&args, console),
        Some(Command::Bench(args)) => bench::run(&args, console),
        Some(Command::Emit(args)) => emit::run(&args, console),
        Some(Command::Eval(args)) => eval::run(&args, console),
        Some(Command::Explain(args)) => explain::run(&args, console),
        Some(Command::Player(args)) => player::run(&args, console),
        Some(Command::Players(args)) => players::run(&args),
        Some(Command::Search(args)) => search::run(&args, console),
        Some(Command::Match(args)) => one_match::run(&args, console),
        Some(Command::Play(args)) => play::run(&args, console),
        Some(Command::Manage(args)) => manage::run(&args, console),
        Some(Command::Replay(args)) => replay::run(&args, console),
        Some(Command::Arena(args)) => arena::run(&args, console),
        Some(Command::Tournament(args)) => tournament::run(&args, console),
        Some(Command::Experiment(args)) => experiment::run(&args, console),
        Some(Command::Completions(args)) => completions::run(&args),
    }
}

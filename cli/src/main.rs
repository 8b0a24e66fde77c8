//! `ludens`, the one binary: what was typed becomes a job, its results go to stdout, its progress to stderr, its outcome into
//! the exit code.

mod answer;
mod args;
mod board;
mod commands;
mod commentary;
mod console;
mod contest;
mod engine;
mod facts;
mod function_file;
mod game;
mod guess;
mod interrupt;
mod library;
mod measure;
mod moves;
mod net_dot;
mod net_text;
mod perft;
mod person;
mod play_args;
mod playable;
mod position_args;
mod preparing;
mod record;
mod referee;
mod replay;
mod sample;
mod search_args;
mod sheet;
mod terms;
mod trace_file;
mod turns;
mod view;
mod words;

use anyhow::Result;
use clap::Parser;
use std::io;
use std::process::ExitCode;

fn main() -> ExitCode {
    ludens_machine::return_large_blocks();
    match run() {
        Ok(code) => code,
        // Who closed our stdout (`| head`) has seen enough.
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            console::complain(&format!("error: {error:#}\n"));
            answer::exit_code_of(&error)
        }
    }
}

fn run() -> Result<ExitCode> {
    let args = args::Args::parse();
    let console = console::Console::new(args.quiet);
    Ok(commands::run(args.command, console)?.into())
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = cause
            .downcast_ref::<io::Error>()
            .map(io::Error::kind)
            .or_else(|| cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind));
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}

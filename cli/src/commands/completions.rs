//! `ludens completions`.

use crate::answer::Answer;
use crate::args;
use crate::console;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell.
///
/// The script goes to stdout; put it where your shell looks for completions, or source it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens completions bash > ~/.local/share/bash-completion/completions/ludens
  ludens completions zsh > ~/.zfunc/_ludens")]
pub(crate) struct Args {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    // Into memory first: the generator panics when its writer fails, and stdout may be closed.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut args::Args::command(), "ludens", &mut script);
    console::print(&String::from_utf8(script)?)?;
    Ok(Answer::Yes)
}

//! What can be typed.

use crate::commands::{
    arena, bench, check, completions, emit, eval, experiment, explain, games, manage, one_match, perft, play, player, players,
    replay, search, show, tournament, trace, verify,
};
use clap::{Parser, Subcommand};

/// A general game player: it reads the rules of a game and plays it.
///
/// GAME is a name from the library (`ludens games`), a path to a `.kif` file, or a folder with METADATA as the public
/// game repositories have it.
///
/// Results go to stdout, progress and warnings to stderr. Exit codes: 0 done or yes; 1 a negative answer (an invalid
/// sheet, a mismatch, a failed check); 2 an error (usage, an unreadable file, a limit); 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "ludens", version, after_help = TOUR_HINT, max_term_width = 110)]
pub(crate) struct Args {
    /// Print results and errors only: no progress, no remarks.
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

const TOUR_HINT: &str = "\
Examples:
  ludens check tic_tac_toe --play 100
  ludens bench tic_tac_toe --seconds 1

`ludens` alone is a short tour; `ludens COMMAND --help` explains a command.";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Games(games::Args),
    Check(check::Args),
    Show(show::Args),
    Perft(perft::Args),
    Trace(trace::Args),
    Verify(verify::Args),
    Bench(bench::Args),
    Emit(emit::Args),
    Eval(eval::Args),
    Explain(explain::Args),
    Player(player::Args),
    Players(players::Args),
    Search(search::Args),
    Match(one_match::Args),
    Play(play::Args),
    Manage(manage::Args),
    Replay(replay::Args),
    Arena(arena::Args),
    Tournament(tournament::Args),
    Experiment(experiment::Args),
    Completions(completions::Args),
}

/// What `ludens` alone prints.
pub(crate) const TOUR: &str = "\
Ludens reads the rules of a game, written in the Game Description Language, and plays it.

  ludens games                            the games that come with it
  ludens check tic_tac_toe --play 100     is the rule sheet right? look at it, then play it at random
  ludens show tic_tac_toe --stage plans   what the compiler makes of it
  ludens perft tic_tac_toe --depth 9      how many matches there are, ply by ply
  ludens trace tic_tac_toe --matches 2    random matches, state by state, as JSON lines
  ludens verify                           replay recorded traces and compare every state
  ludens bench tic_tac_toe                how fast it is
  ludens play connect_four                play against it
  ludens search connect_four --cpu 2      what it thinks of a position
  ludens eval checkers                    an evaluation function, invented and explained
  ludens match tic_tac_toe --players uct,mc   one match of two players; `ludens players` lists them
  ludens arena --games hex --players uct,mc   many matches, and who is better
  ludens tournament plan.toml             the same by a plan: more players, budgets, a store, a report
  ludens experiment waugh                 a paper's experiment, its table beside ours
  ludens player                           a player for GGP servers, at port 9147
  ludens manage tic_tac_toe --players URL,uct  a match with players elsewhere; `ludens replay` shows its record
  ludens emit tic_tac_toe --lang c --out DIR  the game as source code, with a player

Instead of a name, give your own sheet: `ludens check my_game.kif`. `ludens COMMAND --help` says more.
";

#[cfg(test)]
mod tests {
    use super::Args;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn every_command_explains_itself_with_two_examples() {
        let mut root = Args::command();
        root.build();
        for command in root.get_subcommands_mut().filter(|command| command.get_name() != "help") {
            let help = command.render_long_help().to_string();
            let examples = help.lines().filter(|line| line.trim_start().starts_with("ludens ")).count();
            assert!(examples >= 2, "{} has {examples} examples:\n{help}", command.get_name());
            assert!(command.get_long_about().is_some(), "{} has a long description", command.get_name());
        }
    }
}

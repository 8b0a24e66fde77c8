//! `ludens show`.

use crate::answer::Answer;
use crate::console;
use crate::engine::EngineArgs;
use crate::net_text;
use crate::sheet::Sheet;
use anyhow::{Context, Result};
use clap::ValueEnum;
use ludens_machine::GroundLimits;

/// Print what a stage of the pipeline makes of a game.
///
/// `syntax` is the sheet as it was read, in a normal layout; it is printed even where the sheet is not valid. `rules` are the
/// checked rules, with every `or` taken apart. `strata` is the order in which relations can be computed. `plans` are the query plans
/// of the relational engine. `net` is the boolean network of the lanes engine: its size, its turn phases and, where it is small, its gates.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens show tic_tac_toe --stage strata
  ludens show my_game.kif --stage net")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Which stage.
    #[arg(long, value_enum)]
    stage: Stage,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Stage {
    /// The statements as read.
    Syntax,
    /// The checked rules without `or`.
    Rules,
    /// Relations in the order of their dependence.
    Strata,
    /// The relational engine's query plans.
    Plans,
    /// The lanes engine's network.
    Net,
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    let sheet = Sheet::open(&args.game)?;
    let text = match args.stage {
        Stage::Syntax => {
            // A sheet that is not valid is shown as far as it was read, beside what is wrong with it.
            console::complain(&sheet.error_text());
            console::print(&sheet.syntax_text())?;
            return Ok(Answer::yes_if(sheet.is_valid()));
        }
        Stage::Rules => sheet.valid_rules()?.to_string(),
        Stage::Strata => sheet.valid_rules()?.strata_text(),
        Stage::Plans => {
            let machine = args.engine.machine_of(&sheet)?;
            machine.as_relational().context("this engine has no query plans")?.plans_text()
        }
        Stage::Net => {
            let net = ludens_ground::ground(sheet.valid_rules()?, &GroundLimits::default());
            net_text::text(&net.with_context(|| format!("{} cannot be grounded", sheet.source.name))?)
        }
    };
    console::print(&text)?;
    Ok(Answer::Yes)
}

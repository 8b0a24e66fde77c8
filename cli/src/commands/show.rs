//! `ludens show`.

mod atoms;
mod layout;
mod phases;

use crate::answer::Answer;
use crate::console;
use crate::engine::EngineArgs;
use crate::sheet::Sheet;
use crate::view::View;
use crate::{measure, net_dot, net_text};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use ludens_ground::{Net, ground};
use ludens_machine::{GroundLimits, Machine};

/// Print what a stage of the pipeline makes of a game.
///
/// `syntax` is the sheet as it was read, in a normal layout; it is printed even where the sheet is not valid. `rules` are the
/// checked rules, with every `or` taken apart. `strata` is the order in which relations can be computed. `plans` are the query plans
/// of the relational engine.
///
/// The other stages are those of the lanes engine. `atoms` is how grounding went: for every pass its CPU time and how much there was at its end,
/// for every relation how many atoms could hold, for every rule its instances, their conditions, and the rows looked at to find
/// them; where a limit was reached, as far as it went (exit code 2). `net` is the boolean network: its size, its turn phases and, where it is small,
/// its gates. `phases` is what is known of the fluents and moves in each turn phase. `layout` is how networks are laid out as programs: runs of gates, slots, bytes.
///
/// `board` is the position at the start as other commands draw it: by what the library says, or by what the rules suggest, or as a list.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens show tic_tac_toe --stage strata
  ludens show my_game.kif --stage atoms
  ludens show tic_tac_toe --stage net --dot | dot -Tsvg > net.svg")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Which stage.
    #[arg(long, value_enum)]
    stage: Stage,
    /// Print the network of `net`, or those of `phases`, as a graph for Graphviz, whatever its size.
    #[arg(long, conflicts_with = "json")]
    dot: bool,
    /// Print one JSON document; for `atoms`, `phases` and `layout`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The statements as read.
    Syntax,
    /// The checked rules without `or`.
    Rules,
    /// Relations in the order of their dependence.
    Strata,
    /// The relational engine's query plans.
    Plans,
    /// What grounding takes: passes, relations, rules.
    Atoms,
    /// The lanes engine's network.
    Net,
    /// What is known in each phase of the turn.
    Phases,
    /// The lanes engine's programs.
    Layout,
    /// The position at the start, drawn.
    Board,
}

pub(crate) fn run(args: &Args) -> Result<Answer> {
    if args.dot && !matches!(args.stage, Stage::Net | Stage::Phases) {
        bail!("--dot is for the stages `net` and `phases`");
    }
    if args.json && !matches!(args.stage, Stage::Atoms | Stage::Phases | Stage::Layout) {
        bail!("--json is for the stages `atoms`, `phases` and `layout`");
    }
    let watch = measure::ProcessWatch::start();
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
        Stage::Atoms => {
            let (report, outcome) = atoms::Report::new(&sheet, watch.seconds())?;
            if args.json {
                console::print_json(&report)?;
            } else {
                console::print(&report.text())?;
            }
            return outcome.map(|()| Answer::Yes);
        }
        Stage::Net => {
            let net = net_of(&sheet)?;
            if args.dot { net_dot::text(&[(String::new(), &net)]) } else { net_text::text(&net) }
        }
        Stage::Phases => {
            let phases = ludens_ground::phases(&net_of(&sheet)?);
            let report = phases::Report::new(&sheet, &phases);
            if args.json {
                return console::print_json(&report).map(|()| Answer::Yes);
            }
            if args.dot { report.dot(&phases) } else { report.text() }
        }
        Stage::Layout => {
            let rules = sheet.valid_rules()?;
            let machine = Machine::grounded(rules, &GroundLimits::default()).with_context(|| cannot_ground(&sheet))?;
            let report = layout::Report::new(&sheet, &machine).context("this engine has no layout")?;
            if args.json {
                return console::print_json(&report).map(|()| Answer::Yes);
            }
            report.text()
        }
        Stage::Board => {
            let machine = args.engine.machine_of(&sheet)?;
            View::of(&sheet, &machine).draw(&machine.fluents(machine.initial()))
        }
    };
    console::print(&text)?;
    Ok(Answer::Yes)
}

fn net_of(sheet: &Sheet) -> Result<Net> {
    ground(sheet.valid_rules()?, &GroundLimits::default()).with_context(|| cannot_ground(sheet))
}

fn cannot_ground(sheet: &Sheet) -> String {
    format!("{} cannot be grounded", sheet.source.name)
}

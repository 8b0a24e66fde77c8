//! `ludens match`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::person;
use crate::playable::Playable;
use crate::record::{Record, Setting};
use crate::referee::{Ply, Referee, Seat, Standing};
use crate::search_args::{BudgetArgs, FastEngineArgs, SettingsArgs, budget_text, seconds};
use crate::words::number;
use anyhow::{Result, bail, ensure};
use ludens_machine::{MoveId, RoleId};
use ludens_search::{Budget, Spec, split_specs};
use std::fmt::{self, Write as _};
use std::time::Duration;

/// Play one match between players of this process.
///
/// Every role has a player, in the order of the roles; one player alone plays all of them. Move by move the position is drawn, and it is said who
/// played what, what that promises (0 to 100 points) and how long it took; then the result. A player whose search fails plays a random legal move,
/// and that is said, too. Without a limit every move has a CPU second.
///
/// Exit code 2 if the match has no end: a role has no legal move, or there are more than --max-plies joint moves.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens match tic_tac_toe --players uct,mc --simulations 1000
  ludens match connect_four --players random --json
  ludens match breakthrough --players uct,alphabeta --seconds 0.5 --ponder

`ludens players` lists the players.")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Who plays: one for every role, or one for all; `human` is somebody at the terminal.
    #[arg(long, value_name = "SPEC,..")]
    players: String,
    /// Seconds of CPU time before the first move, for every player that has a choice there.
    #[arg(long, value_name = "S", value_parser = seconds)]
    start_cpu: Option<Duration>,
    /// Let players think on the others' time, too; `uct` makes use of it.
    #[arg(long)]
    ponder: bool,
    /// Print one JSON document: the record of the match as GGP hosts keep it (`states`, `moves`, `goalValues`, ..), our own keys beginning with `x-`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: FastEngineArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let specs: Vec<Who> = split_specs(&args.players).into_iter().map(Who::parse).collect::<Result<_>>()?;
    if specs.contains(&Who::Human) {
        // Ctrl-C just ends the process: the terminal waits for a line.
        ensure!(!args.json, "--json is for matches without a person");
    } else {
        interrupt::listen()?;
    }
    let game = Playable::open(&args.game, args.engine, console)?;
    let specs = for_every_role(&game, specs)?;
    let budget = args.budget.budget(Duration::from_secs(1));
    let settings = args.settings.settings();
    let seat = |(role, who): (RoleId, &Who)| match who {
        Who::Player(spec) => Seat::new(spec, &game.machine, role, settings, budget).map(Some),
        Who::Human => Ok(None),
    };
    let mut seats: Vec<Option<Seat<'_>>> = game.machine.roles().zip(&specs).map(seat).collect::<Result<_>>()?;
    game.machine.prepare(512);

    let mut telling = Telling { game: &game, specs: &specs, json: args.json };
    let mut referee = Referee::new(&game.machine, game.machine.initial(), settings.seed, interrupt::sign())?;
    referee.ponder = args.ponder;
    let mut record = Record::new(&game, setting(args, &specs, &budget));
    telling.begin()?;
    if let Some(cpu) = args.start_cpu {
        referee.prepare(&mut seats, &Budget { cpu: Some(cpu), ..Budget::default() });
    }
    for plies in 0.. {
        match referee.standing()? {
            _ if interrupt::is_requested() => {
                record.abort("interrupted");
                telling.end(&record, "interrupted")?;
                return Ok(Answer::Interrupted);
            }
            Standing::Over(points) => {
                let result = telling.result(&points, plies);
                record.complete(points);
                telling.end(&record, &result)?;
                return Ok(Answer::Yes);
            }
            Standing::Stuck(role) => {
                let reason = format!("{} has no legal move, and the match is not over", game.machine.role_name(role));
                return telling.break_off(&mut record, &reason);
            }
            Standing::Open if plies >= args.settings.max_plies => {
                return telling.break_off(&mut record, &format!("no end after {}", number(plies, "joint move")));
            }
            Standing::Open => {
                let choosers = referee.choosers();
                let Some(given) = ask_persons(&game, &referee, &specs)? else {
                    console::print("The match is left before its end.")?;
                    return Ok(Answer::Yes);
                };
                let ply = referee.play(&mut seats, &given)?;
                // What was thought in haste after Ctrl-C is no move of the match.
                if interrupt::is_requested() {
                    continue;
                }
                record.add(&game.machine, &ply, &referee.state());
                telling.ply(plies, &choosers, &ply, &record)?;
                telling.position(&referee)?;
                for (role, fault) in game.machine.roles().zip(&ply.faults) {
                    let Some(fault) = fault else { continue };
                    let who = format!("{} as {}", specs[role.0 as usize], game.machine.role_name(role));
                    console.note(&format!("move {}: {who} plays at random: {fault}", plies + 1));
                }
            }
        }
    }
    Ok(Answer::Yes)
}

/// Who has a role.
#[derive(Clone, Debug, PartialEq)]
enum Who {
    Player(Spec),
    /// Somebody at the terminal.
    Human,
}

impl Who {
    fn parse(text: &str) -> Result<Who> {
        if text.trim() == "human" { Ok(Who::Human) } else { Ok(Who::Player(Spec::parse(text)?)) }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Player(spec) => spec.fmt(f),
            Who::Human => f.write_str("human"),
        }
    }
}

/// The moves of all persons who have a choice; `None` where one of them leaves.
fn ask_persons(game: &Playable, referee: &Referee<'_>, specs: &[Who]) -> Result<Option<Vec<Option<MoveId>>>> {
    let mut given = vec![None; specs.len()];
    for role in referee.choosers() {
        let place = role.0 as usize;
        if specs[place] == Who::Human {
            let Some(id) = person::choose(&game.machine, role, referee.legal(role))? else { return Ok(None) };
            given[place] = Some(id);
        }
    }
    Ok(Some(given))
}

/// A player for every role of a game.
fn for_every_role(game: &Playable, specs: Vec<Who>) -> Result<Vec<Who>> {
    let roles = game.roles();
    match &specs[..] {
        [only] => Ok(vec![only.clone(); roles.len()]),
        _ if specs.len() == roles.len() => Ok(specs),
        _ => bail!(
            "{} for {} of {} ({}): give one for each, or one for all",
            number(specs.len() as u64, "player"),
            number(roles.len() as u64, "role"),
            game.name,
            roles.join(", ")
        ),
    }
}

fn setting(args: &Args, specs: &[Who], budget: &Budget) -> Setting {
    let whole = |time: Option<Duration>| time.map_or(0, |time| time.as_secs_f64().ceil() as u64);
    Setting {
        players: specs.iter().map(ToString::to_string).collect(),
        humans: specs.iter().map(|who| *who == Who::Human).collect(),
        seed: args.settings.seed,
        budget: budget_text(budget),
        start_clock: whole(args.start_cpu),
        play_clock: whole(budget.wall.or(budget.cpu)),
    }
}

/// What is printed of a match while it goes on.
struct Telling<'a> {
    game: &'a Playable,
    specs: &'a [Who],
    json: bool,
}

impl Telling<'_> {
    fn print(&self, text: &str) -> Result<()> {
        if self.json { Ok(()) } else { console::print(text) }
    }

    fn begin(&self) -> Result<()> {
        let mut text = format!("{}: ", self.game.name);
        let seats: Vec<String> =
            self.game.roles().iter().zip(self.specs).map(|(role, spec)| format!("{role} is {spec}")).collect();
        let _ = writeln!(text, "{}\n", seats.join(", "));
        self.print(&(text + &self.game.draw(self.game.machine.initial())))
    }

    /// Who moved what.
    fn ply(&self, plies: u64, choosers: &[RoleId], ply: &Ply, record: &Record) -> Result<()> {
        let mut text = String::new();
        for role in self.game.machine.roles().filter(|role| choosers.is_empty() || choosers.contains(role)) {
            let place = role.0 as usize;
            let id = self.game.machine.move_text(ply.joint[place]);
            let _ = write!(text, "\n{}. {}: {id}", plies + 1, self.game.machine.role_name(role));
            let Some(thought) = record.thoughts.last().and_then(|thoughts| thoughts[place].as_ref()) else { continue };
            let value = match (thought.proven, thought.value) {
                (Some(points), _) => format!("{points} for sure"),
                (None, Some(value)) if thought.has_looked() => format!("{value:.1}"),
                _ => continue,
            };
            let _ = write!(text, "  ({value}; {:.2} s)", thought.wall_seconds);
        }
        self.print(&format!("{text}\n"))
    }

    fn position(&self, referee: &Referee<'_>) -> Result<()> {
        self.print(&self.game.draw(&referee.state()))
    }

    fn result(&self, points: &[u8], plies: u64) -> String {
        let roles = self.game.roles();
        let points: Vec<String> =
            roles.iter().zip(self.specs).zip(points).map(|((role, spec), points)| format!("{role} ({spec}) {points}")).collect();
        format!("after {}: {}", number(plies, "joint move"), points.join(", "))
    }

    fn end(&mut self, record: &Record, result: &str) -> Result<()> {
        if self.json { console::print_json(record) } else { console::print(&format!("\n{result}")) }
    }

    fn break_off(&mut self, record: &mut Record, reason: &str) -> Result<Answer> {
        record.abort(reason);
        if self.json {
            console::print_json(record)?;
        }
        bail!("the match has no end: {reason}")
    }
}

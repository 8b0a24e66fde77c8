//! `ludens match`.

use super::eval;
use crate::answer::Answer;
use crate::commentary::Commentary;
use crate::console::{self, Console};
use crate::interrupt;
use crate::person;
use crate::playable::Playable;
use crate::preparing::{StartArgs, choices, prepare};
use crate::record;
use crate::referee::{Ply, Referee, Seat, Standing};
use crate::search_args::{BudgetArgs, FastEngineArgs, SettingsArgs, budget_text};
use crate::words::number;
use anyhow::{Result, bail, ensure};
use ludens_machine::{MoveId, Random, RoleId};
use ludens_score::{Invented, reliability};
use ludens_search::{Budget, Ready, Settings, Spec, split_specs};
use ludens_serve::record::{Opening, Record};
use std::fmt::{self, Write as _};
use std::time::Duration;

/// Play one match between players of this process.
///
/// Every role has a player, in the order of the roles; one player alone plays all of them. Move by move the position is drawn, and it is said who
/// played what, what that promises (0 to 100 points) and how long it took; then the result. A player whose search fails plays a random legal move,
/// and that is said, too. Without a limit every move has a tenth of a CPU second.
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
    /// Who plays: one for every role, or one for all; `human` is somebody at the terminal. Without it, `auto` plays the first role, and `uct` all others.
    #[arg(long, value_name = "SPEC,..")]
    players: Option<String>,
    /// Let players think on the others' time, too; `uct` and `guct` make use of it.
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
    start: StartArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

/// What a move may cost without a limit.
const A_MOVE: Duration = Duration::from_millis(100);

/// Terms of a function that are printed before the match.
const TERMS: usize = 12;

/// Random matches by which it is judged.
const JUDGED_BY: usize = 256;

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let specs: Option<Vec<Who>> =
        args.players.as_deref().map(|players| split_specs(players).into_iter().map(Who::parse).collect()).transpose()?;
    if specs.as_ref().is_some_and(|specs| specs.contains(&Who::Human)) {
        // Ctrl-C just ends the process: the terminal waits for a line.
        ensure!(!args.json, "--json is for matches without a person");
    } else {
        interrupt::listen()?;
    }
    let game = Playable::open(&args.game, args.engine, console)?;
    let specs = for_every_role(&game, specs)?;
    let budget = args.budget.budget(A_MOVE);
    let settings = args.settings.settings();
    let players = prepare(&game, specs.iter().filter_map(Who::spec), settings, args.start.budget(), console)?;
    let invented = players.iter().find_map(Ready::invented);
    let mut left = players.iter();
    let mut seats: Vec<Option<Seat<'_>>> = Vec::new();
    for (role, who) in game.machine.roles().zip(&specs) {
        let player = who.spec().and_then(|_| left.next());
        seats.push(player.map(|player| Seat::new(player, &game.machine, role, settings, budget)).transpose()?);
    }
    game.machine.prepare(512);

    let commentary = invented.map(|invented| Commentary::new(&game, invented)).transpose()?;
    let mut telling = Telling { game: &game, specs: &specs, json: args.json, commentary };
    let mut referee = Referee::new(&game.machine, game.machine.initial(), settings.seed, interrupt::sign())?;
    referee.ponder = args.ponder;
    let mut record = record::begin(&game, opening(args, &specs, &players, &budget));
    if !args.json && !interrupt::is_requested() {
        introduce(&game, &players, &settings)?;
    }
    telling.begin()?;
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
                record::add(&mut record, &game.machine, &ply, &referee.state());
                telling.ply(plies, &choosers, &ply, &record)?;
                telling.comment(&choosers, &referee)?;
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
    /// The player, unless it is a person.
    fn spec(&self) -> Option<&Spec> {
        match self {
            Who::Player(spec) => Some(spec),
            Who::Human => None,
        }
    }

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

/// Prints what players found out before the match: the function that one of them invented, and whom they chose to play, and why.
fn introduce(game: &Playable, players: &[Ready], settings: &Settings) -> Result<()> {
    let mut told: Vec<String> = Vec::new();
    if let Some((player, invented)) = players.iter().find_map(|player| Some((player, player.invented()?))) {
        let known = player.choice().map(|choice| choice.reliability.clone()).filter(|known| !known.is_empty());
        let judged = known.map_or_else(|| judge(game, invented, settings), Ok)?;
        told.push(eval::page(game, invented, &judged, TERMS));
    }
    for choice in choices(players) {
        told.push(format!("{choice}\n"));
    }
    if told.is_empty() { Ok(()) } else { console::print(&told.join("\n")) }
}

/// How well a function predicts how random matches end.
fn judge(game: &Playable, invented: &Invented, settings: &Settings) -> Result<Vec<f64>> {
    let mut random = Random::new(!settings.seed);
    let stop = &interrupt::is_requested;
    Ok(reliability(&game.machine, &*invented.evaluator, JUDGED_BY, settings.max_plies, &mut random, stop)?)
}

/// A player for every role of a game.
fn for_every_role(game: &Playable, specs: Option<Vec<Who>>) -> Result<Vec<Who>> {
    let roles = game.roles();
    let Some(specs) = specs else {
        let name = |place: usize| if place == 0 { "auto" } else { "uct" };
        return (0..roles.len()).map(|place| Who::parse(name(place))).collect();
    };
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

fn opening(args: &Args, specs: &[Who], players: &[Ready], budget: &Budget) -> Opening {
    let whole = |time: Option<Duration>| time.map_or(0, |time| time.as_secs_f64().ceil() as u64);
    Opening {
        players: specs.iter().map(ToString::to_string).collect(),
        humans: specs.iter().map(|who| *who == Who::Human).collect(),
        seed: args.settings.seed,
        budget: budget_text(budget),
        choices: choices(players),
        start_clock: whole(args.start.budget().cpu),
        play_clock: whole(budget.wall.or(budget.cpu)),
        ..Opening::default()
    }
}

/// What is printed of a match while it goes on.
struct Telling<'a> {
    game: &'a Playable,
    specs: &'a [Who],
    json: bool,
    commentary: Option<Commentary<'a>>,
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
        self.print(&text)
    }

    /// What a function says of the position after a move.
    fn comment(&mut self, choosers: &[RoleId], referee: &Referee<'_>) -> Result<()> {
        match (&mut self.commentary, choosers.first()) {
            (Some(commentary), None) => commentary.skip(&referee.state()),
            (Some(commentary), Some(&role)) if !self.json => console::print(&commentary.after(role, &referee.state())?),
            _ => Ok(()),
        }
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

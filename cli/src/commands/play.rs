//! `ludens play`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::person::{Input, Line, Moves};
use crate::playable::Playable;
use crate::preparing::{StartArgs, note_choices, prepare};
use crate::referee::{Referee, Seat, Standing};
use crate::search_args::{BudgetArgs, FastEngineArgs, SettingsArgs};
use crate::words::number;
use anyhow::{Result, bail};
use ludens_machine::{MoveId, RoleId, State};
use ludens_search::{Spec, Verdict};
use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Play a game against a player of this process.
///
/// The position is drawn and your legal moves are numbered; type the number of a move, the move itself, or as much of it as tells it from the
/// others. `hint` asks the player for advice, `undo` takes back your last move, `help` lists all that can be typed, `quit` or the end of the
/// input ends it. A move that is the only one is played for you. All other roles are played by --against. Without a limit they think for a CPU second.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens play tic_tac_toe
  ludens play connect_four --as yellow --against mc --seconds 2

`ludens players` lists the players.")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Your role; without it, the first.
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,
    /// Who plays all other roles, and gives hints.
    #[arg(long, value_name = "SPEC", default_value = "uct")]
    against: String,
    #[command(flatten)]
    engine: FastEngineArgs,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    start: StartArgs,
    #[command(flatten)]
    budget: BudgetArgs,
}

const HELP: &str = "\
3            the move with this number
(mark 1 1)   this move, with or without parentheses
mark 1       as much of a move as tells it from the others
moves        all your moves
hint         what the player would do in your place
undo         take back your last move, and all that came after it
board        the position once more
quit         leave, as does the end of the input
";

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let spec = Spec::parse(&args.against)?;
    let game = Playable::open(&args.game, args.engine, console)?;
    let own = args.role.as_deref().map_or(Ok(RoleId(0)), |name| game.role(name))?;
    let budget = args.budget.budget(Duration::from_secs(1));
    let settings = args.settings.settings();
    // A seat for the person, too: the player that gives hints.
    let players = prepare(&game, [&spec], settings, args.start.budget(), console)?;
    note_choices(&game, &players, console);
    let player = &players[0];
    let seat = |role: RoleId| Seat::new(player, &game.machine, role, settings, budget).map(Some);
    let seats: Vec<Option<Seat<'_>>> = game.machine.roles().map(seat).collect::<Result<_>>()?;
    game.machine.prepare(512);
    // Ctrl-C just ends the process: there is nothing to lose, and the terminal waits for a line.
    let stop = AtomicBool::new(false);
    let referee = Referee::new(&game.machine, game.machine.initial(), settings.seed, &stop)?;
    let mut session = Session { game: &game, own, referee, seats, past: Vec::new(), input: Input::new() };
    let mut text = format!("You are {}; type `help` for help.\n", game.machine.role_name(own));
    if game.machine.roles().len() > 1 {
        let others: Vec<&str> =
            game.machine.roles().filter(|&role| role != own).map(|role| game.machine.role_name(role)).collect();
        let _ = writeln!(text, "{spec} plays {}.", others.join(", "));
    }
    console::print(&text)?;
    session.run(args.settings.max_plies)
}

/// A person at the terminal.
struct Session<'m> {
    game: &'m Playable,
    own: RoleId,
    referee: Referee<'m>,
    seats: Vec<Option<Seat<'m>>>,
    /// Where the person has chosen so far, and how many joint moves had been played.
    past: Vec<(State, u64)>,
    input: Input,
}

/// What a person decided.
enum Decision {
    Move(MoveId),
    Undo,
    Quit,
}

impl Session<'_> {
    fn run(&mut self, max_plies: u64) -> Result<Answer> {
        let mut plies = 0;
        loop {
            self.show()?;
            match self.referee.standing()? {
                Standing::Over(points) => {
                    let points =
                        self.game.roles().iter().zip(points).map(|(role, points)| format!("{role} {points}")).collect::<Vec<_>>();
                    console::print(&format!(
                        "\nThe match is over after {}: {}.",
                        number(plies, "joint move"),
                        points.join(", ")
                    ))?;
                    return Ok(Answer::Yes);
                }
                Standing::Stuck(role) => {
                    bail!("{} has no legal move, and the match is not over", self.game.machine.role_name(role));
                }
                Standing::Open if plies >= max_plies => bail!("no end after {}", number(plies, "joint move")),
                Standing::Open => {}
            }
            let mut given = vec![None; self.game.machine.roles().len()];
            if self.referee.legal(self.own).len() > 1 {
                match self.decide()? {
                    Decision::Move(id) => {
                        self.past.push((self.referee.state(), plies));
                        given[self.own.0 as usize] = Some(id);
                    }
                    Decision::Undo => {
                        let Some((state, before)) = self.past.pop() else { continue };
                        self.referee.go_to(&state)?;
                        plies = before;
                        continue;
                    }
                    Decision::Quit => return Ok(Answer::Yes),
                }
            }
            self.play(&given)?;
            plies += 1;
        }
    }

    fn show(&self) -> Result<()> {
        console::print(&format!("\n{}", self.game.draw(&self.referee.state())))
    }

    /// Plays on, and says what the others and the rules did.
    fn play(&mut self, given: &[Option<MoveId>]) -> Result<()> {
        let machine = &self.game.machine;
        let choosers = self.referee.choosers();
        let ply = self.referee.play(&mut self.seats, given)?;
        let mut text = String::from("\n");
        for role in machine.roles() {
            let place = role.0 as usize;
            let id = machine.move_text(ply.joint[place]);
            match (&ply.faults[place], &ply.verdicts[place]) {
                // Who had no choice is not worth a word, unless nobody had.
                _ if !choosers.is_empty() && !choosers.contains(&role) => {}
                (Some(fault), _) => writeln!(text, "{} plays {id} at random: {fault}", machine.role_name(role))?,
                (None, Some(verdict)) => writeln!(text, "{} plays {id}{}", machine.role_name(role), expects(verdict, place))?,
                (None, None) if given[place].is_some() => writeln!(text, "You play {id}")?,
                (None, None) if role == self.own => writeln!(text, "You can only play {id}")?,
                (None, None) => writeln!(text, "{} can only play {id}", machine.role_name(role))?,
            }
        }
        console::print(&text)
    }

    /// Asks until there is a decision.
    fn decide(&mut self) -> Result<Decision> {
        let machine = &self.game.machine;
        let moves = Moves::new(machine, self.referee.legal(self.own));
        console::print(&moves.list(false))?;
        loop {
            let Line::Text(line) = self.input.ask(machine.role_name(self.own))? else { return Ok(Decision::Quit) };
            match line.as_str() {
                "" => {}
                "quit" | "exit" => return Ok(Decision::Quit),
                "help" | "?" => console::print(HELP)?,
                "moves" => console::print(&moves.list(true))?,
                "board" => self.show()?,
                "hint" => console::print(&self.hint())?,
                "undo" if self.past.is_empty() => console::print("There is no move of yours to take back.")?,
                "undo" => return Ok(Decision::Undo),
                _ => match moves.meant(&line) {
                    Ok(id) => return Ok(Decision::Move(id)),
                    Err(reason) => console::print(&reason)?,
                },
            }
        }
    }

    /// What the player would do in the person's place.
    fn hint(&mut self) -> String {
        let place = self.own.0 as usize;
        let Some(seat) = &mut self.seats[place] else { return "There is nobody to ask.".to_owned() };
        match self.referee.ask(seat, self.own) {
            Ok(verdict) => format!("Try {}{}", self.game.machine.move_text(verdict.choice), expects(&verdict, place)),
            Err(error) => format!("There is no advice: {error:#}"),
        }
    }
}

/// What a search expects for the role it chose for.
fn expects(verdict: &Verdict, place: usize) -> String {
    match (verdict.bounds.proven(), verdict.values.get(place)) {
        (Some(points), _) => format!(" ({points} points for sure)"),
        (None, Some(value)) if verdict.simulations + verdict.playouts > 0 || verdict.nodes > 1 => {
            format!(" ({value:.1} points expected)")
        }
        _ => String::new(),
    }
}

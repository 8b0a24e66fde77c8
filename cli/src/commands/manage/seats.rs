//! Who plays: what was typed for it, and whom the manager talks to.

use super::Args;
use crate::playable::Playable;
use crate::words::number;
use anyhow::{Result, bail};
use ludens_search::{Settings, Spec, split_specs};
use ludens_serve::client::{Address, is_address};
use ludens_serve::manager::Seat;
use ludens_serve::{Session, Setup, mix};
use std::fmt;
use std::sync::Arc;

/// Who has a role.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Who {
    /// Somebody elsewhere.
    Remote(String, Address),
    /// A player in this process.
    Local(Spec),
    /// Moves are drawn from the seed.
    Chance,
    /// Somebody at the terminal.
    Person,
}

impl Who {
    pub(super) fn parse(text: &str) -> Result<Who> {
        let text = text.trim();
        Ok(match text {
            "human" => Who::Person,
            "random" => Who::Chance,
            _ if is_address(text) => Who::Remote(text.to_owned(), Address::find(text)?),
            _ => Who::Local(Spec::parse(text)?),
        })
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Who::Remote(url, _) => f.write_str(url),
            Who::Local(spec) => spec.fmt(f),
            Who::Chance => f.write_str("random"),
            Who::Person => f.write_str("human"),
        }
    }
}

/// Players separated by commas.
pub(super) fn parse(players: &str) -> Result<Vec<Who>> {
    split_specs(players).into_iter().map(Who::parse).collect()
}

/// A player for every role. Chance has the roles that are called `random`; nobody need be given for them.
pub(super) fn for_every_role(game: &Playable, given: Vec<Who>) -> Result<Vec<Who>> {
    let roles = game.roles();
    let is_chance = |role: &String| role.eq_ignore_ascii_case("random");
    let others = roles.iter().filter(|role| !is_chance(role)).count();
    let mut seats = match given.len() {
        1 => vec![given[0].clone(); others],
        length if length == others => given,
        length if length == roles.len() => {
            for (role, who) in roles.iter().zip(&given) {
                if is_chance(role) && *who != Who::Chance {
                    bail!("the role {role} is played by chance: give `random` for it, or nothing");
                }
            }
            check(&given)?;
            return Ok(given);
        }
        length => bail!(
            "{} for {} of {} ({}): give one for each, or one for all",
            number(length as u64, "player"),
            number(roles.len() as u64, "role"),
            game.name,
            roles.join(", ")
        ),
    }
    .into_iter();
    let seat = |role: &String| if is_chance(role) { None } else { seats.next() }.unwrap_or(Who::Chance);
    let seats: Vec<Who> = roles.iter().map(seat).collect();
    check(&seats)?;
    Ok(seats)
}

/// Sees that nobody elsewhere has two roles: players take part in one match at a time, as one role.
pub(super) fn check(seats: &[Who]) -> Result<()> {
    for (place, seat) in seats.iter().enumerate() {
        if let Who::Remote(url, address) = seat
            && seats[..place].iter().any(|other| matches!(other, Who::Remote(_, known) if known == address))
        {
            bail!("{url} is there twice, and a player elsewhere has one role");
        }
    }
    Ok(())
}

/// Whom the manager talks to. Every player in this process is one of its own, and players of one match get different chances from one seed.
pub(super) fn of(who: &[Who], seed: u64, args: &Args) -> Vec<Seat> {
    let seat = |(place, who): (usize, &Who)| match who {
        Who::Remote(_, address) => Seat::Player(Arc::new(address.clone())),
        Who::Local(spec) => {
            let seed = mix(seed, place as u64);
            let settings = Settings { threads: args.threads.into(), memory: args.memory, seed, ..Settings::default() };
            Seat::Player(Arc::new(Session::new(Setup::new(spec.clone(), settings))))
        }
        Who::Chance => Seat::Chance,
        Who::Person => Seat::Person,
    };
    who.iter().enumerate().map(seat).collect()
}

//! `ludens player`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::search_args::SettingsArgs;
use anyhow::{Context, Result};
use ludens_search::Spec;
use ludens_serve::{HttpLimits, PORT, Server, Session, Setup};
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Be a player for GGP servers: wait for matches and play them.
///
/// A game manager connects over HTTP, tells the rules and whom to play, and asks for moves; `ludens manage` is one, and so are the server of ggp-base and the Dresden game
/// controller. One match is played at a time. In the time before a match the player reads the rules, makes the fast engine and prepares itself; if that takes longer, it
/// goes on beside the match, and simpler means play until then. Of the time for a move some is kept in reserve, more where moves were late before. When a search fails there
/// is still a legal move to play.
///
/// Once it listens, `listening on ADDRESS:PORT` is printed on stdout; a line for every event of a match goes to stderr. Nobody but this machine is listened to unless
/// --bind says so: the protocol knows no passwords. Ctrl-C ends the player.
///
/// Exit code 2 if a port that was asked for cannot be had; without --port the next free one is taken.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens player
  ludens player --port 9148 --player uct --name Ludens_2 --memory 1G
  ludens player --bind 0.0.0.0 --threads 4

`ludens players` lists the players.")]
pub(crate) struct Args {
    /// Where to listen: this port and no other. Without it, 9147 or the next that is free; 0 is any.
    #[arg(long, value_name = "PORT")]
    port: Option<u16>,
    /// The address to listen at; 0.0.0.0 is every address of this machine.
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Who plays.
    #[arg(long, value_name = "SPEC", default_value = "auto", value_parser = |text: &str| Spec::parse(text))]
    player: Spec,
    /// The name that game managers see: one word.
    #[arg(long, value_name = "NAME", default_value = "ludens", value_parser = name)]
    name: String,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// How often Ctrl-C is looked for.
const LOOK: Duration = Duration::from_millis(50);

fn name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_graphic() && !"();\"?".contains(c);
    let is_word = (1..=60).contains(&text.len()) && text.chars().all(is_plain);
    is_word.then(|| text.to_owned()).ok_or_else(|| "a name is one word of up to 60 ASCII letters, digits and signs".to_owned())
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    let port = args.port.unwrap_or(PORT);
    let server = Server::bind(args.bind, port, args.port.is_some(), HttpLimits::default());
    let server = Arc::new(server.with_context(|| format!("cannot listen on {} port {port}", args.bind))?);
    let address = server.address();
    if args.port.is_none() && address.port() != port {
        console.note(&format!("port {port} is taken"));
    }
    let setup = Setup {
        name: args.name.clone(),
        log: Some(Arc::new(move |line| console.note(line))),
        ..Setup::new(args.player.clone(), args.settings.settings())
    };
    let session = Arc::new(Session::new(setup));
    console.note(&format!("{}, a player for http://{address}: {}", args.name, args.player));
    console::print(&format!("listening on {address}"))?;
    let serving = thread::spawn({
        let server = server.clone();
        move || server.run(&session)
    });
    while !interrupt::is_requested() && !serving.is_finished() {
        thread::sleep(LOOK);
    }
    server.stop();
    console.note("no more matches");
    Ok(Answer::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn names_are_single_words() {
        for good in ["ludens", "Ludens_2.0", "a"] {
            assert_eq!(name(good), Ok(good.to_owned()));
        }
        for bad in ["", "two words", "(a)", "a;b", "é", &"x".repeat(61)] {
            assert!(name(bad).is_err(), "{bad}");
        }
    }
}

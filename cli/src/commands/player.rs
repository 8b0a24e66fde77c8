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
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
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

/// Lines that wait to be printed, at most; more are dropped.
const LINES: usize = 1000;

/// How long the last lines may take at the end.
const LAST_LINES: Duration = Duration::from_secs(1);

/// What the thread that prints is told.
enum Entry {
    Line(String),
    /// All lines before this one are printed.
    End(SyncSender<()>),
}

/// Prints lines without ever keeping anybody waiting: stderr may be a pipe that nobody reads.
#[derive(Clone)]
struct Printer(SyncSender<Entry>);

impl Printer {
    /// Hands every line to somebody who may take his time.
    fn new(print: impl Fn(&str) + Send + 'static) -> Printer {
        let (lines, entries): (_, Receiver<Entry>) = sync_channel(LINES);
        thread::spawn(move || {
            for entry in entries {
                match entry {
                    Entry::Line(line) => print(&line),
                    Entry::End(end) => drop(end.try_send(())),
                }
            }
        });
        Printer(lines)
    }

    fn note(&self, line: &str) {
        // Where there is no room, there is no line.
        let _ = self.0.try_send(Entry::Line(line.to_owned()));
    }

    /// Waits for the last lines, but not for long.
    fn end(&self) {
        let (end, ended) = sync_channel(1);
        if self.0.try_send(Entry::End(end)).is_ok() {
            let _ = ended.recv_timeout(LAST_LINES);
        }
    }
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    let port = args.port.unwrap_or(PORT);
    let server = Server::bind(args.bind, port, args.port.is_some(), HttpLimits::default());
    let server = Arc::new(server.with_context(|| format!("cannot listen on {} port {port}", args.bind))?);
    let address = server.address();
    let printer = Printer::new(move |line| console.note(line));
    if args.port.is_none() && address.port() != port {
        printer.note(&format!("port {port} is taken"));
    }
    let setup = Setup {
        name: args.name.clone(),
        log: Some({
            let printer = printer.clone();
            Arc::new(move |line| printer.note(line))
        }),
        ..Setup::new(args.player.clone(), args.settings.settings())
    };
    let session = Arc::new(Session::new(setup));
    printer.note(&format!("{}, a player for http://{address}: {}", args.name, args.player));
    console::print(&format!("listening on {address}"))?;
    let serving = thread::spawn({
        let server = server.clone();
        move || server.run(&session)
    });
    while !interrupt::is_requested() && !serving.is_finished() {
        thread::sleep(LOOK);
    }
    server.stop();
    printer.note("no more matches");
    printer.end();
    Ok(Answer::Interrupted)
}

#[cfg(test)]
mod tests {
    use super::{LINES, Printer, name};
    use std::sync::mpsc::{channel, sync_channel};

    #[test]
    fn names_are_single_words() {
        for good in ["ludens", "Ludens_2.0", "a"] {
            assert_eq!(name(good), Ok(good.to_owned()));
        }
        for bad in ["", "two words", "(a)", "a;b", "é", &"x".repeat(61)] {
            assert!(name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_that_nobody_takes_keep_nobody_waiting() {
        let (taken, take) = channel();
        let (permit, permits) = sync_channel::<()>(0);
        let printer = Printer::new(move |line| {
            let _ = permits.recv();
            taken.send(line.to_owned()).unwrap();
        });
        // The thread that prints waits all the while.
        for number in 0..3 * LINES {
            printer.note(&number.to_string());
        }
        drop(permit);
        assert_eq!(take.recv().unwrap(), "0");
        assert_eq!(take.recv().unwrap(), "1");
        printer.end();
        drop(printer);
        let rest = take.iter().count();
        assert!((LINES - 2..=LINES).contains(&rest), "{rest}");
    }
}

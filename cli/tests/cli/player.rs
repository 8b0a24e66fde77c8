//! `ludens player`, as a process.

use crate::support::{Run, command, ludens_in_time};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Starts a player and waits until it listens.
fn listening(args: &[&str]) -> (Child, SocketAddr) {
    let args = [&["player"], args].concat();
    let mut child = command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("listening on ").unwrap_or_else(|| panic!("{line}")).parse().expect("an address");
    (child, address)
}

fn ask(address: SocketAddr, message: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    write!(stream, "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len()).expect("a request");
    let mut reply = String::new();
    stream.read_to_string(&mut reply).expect("a reply");
    reply.split_once("\r\n\r\n").expect("a head").1.to_owned()
}

/// Presses Ctrl-C.
fn end(child: Child) -> Run {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs").success());
    Run::new(&child.wait_with_output().expect("it ends"))
}

#[test]
fn a_player_listens_plays_and_ends_with_ctrl_c() {
    let (child, address) = listening(&["--port", "0", "--player", "first", "--name", "Test_1"]);
    assert!(address.ip().is_loopback());
    assert_eq!(ask(address, "( INFO )"), "( ( name Test_1 ) ( status available ) ( species alien ) )");
    let rules = std::fs::read_to_string("../games/tic_tac_toe/rules.kif").expect("a game of the library");
    assert_eq!(ask(address, &format!("(START m.1 x ({rules}) 20 20)")), "ready");
    assert!(ask(address, "(PLAY m.1 NIL)").starts_with("(mark "));
    assert_eq!(ask(address, "(PLAY m.1 ((mark 1 1) noop))"), "noop");
    assert_eq!(ask(address, "(STOP m.1 (noop (mark 2 2)))"), "done");
    let run = end(child).expect(130);
    for line in
        ["m.1: begins, as x, with 20 s before it and 20 s for a move", "m.1: played 1: (mark 1 1) noop", "m.1: noop after"]
    {
        assert!(run.stderr.contains(line), "{line}\n{}", run.stderr);
    }
}

#[test]
fn a_port_that_was_asked_for_must_be_free() {
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let run = ludens_in_time(&["player", "--port", &port]).expect(2);
    assert!(run.stderr.contains(&format!("cannot listen on 127.0.0.1 port {port}")), "{}", run.stderr);
    assert_eq!(run.stdout, "");
}

#[test]
fn without_a_port_players_find_one_each() {
    let (one, first) = listening(&["--quiet"]);
    let (other, second) = listening(&[]);
    assert_ne!(first, second);
    assert!(ask(first, "").contains("available") && ask(second, "").contains("available"));
    assert_eq!(end(one).expect(130).stderr, "");
    assert!(end(other).expect(130).stderr.contains("is taken"));
}

#[test]
fn names_and_players_must_make_sense() {
    for (args, message) in
        [(["--name", "two words"], "one word"), (["--player", "ucd"], "did you mean `uct`"), (["--bind", "here"], "here")]
    {
        let run = ludens_in_time(&[&["player"], &args[..]].concat()).expect(2);
        assert!(run.stderr.contains(message), "{}", run.stderr);
    }
}

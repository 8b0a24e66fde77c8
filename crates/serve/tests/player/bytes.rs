//! Requests byte by byte, as hosts send them, and the replies that they get.

use crate::support::{Lines, Listening, read_all, setup, sheet};
use ludens_serve::{HttpLimits, Server};
use std::io::Write;
use std::time::Duration;

fn listening(player: &str) -> Listening {
    Listening::new(setup(player, &Lines::default()), HttpLimits::default())
}

/// A reply as the players of ggp-base send it.
fn reply(body: &str) -> String {
    format!(
        "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\nAccess-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\nAccess-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n{body}",
        body.len()
    )
}

const FREE: &str = "( ( name ludens ) ( status available ) ( species alien ) )";

fn ggp_base(body: &str) -> String {
    let length = body.len();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1\r\nSender: GAMESERVER\r\nReceiver: ludens\r\nContent-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{body}"
    )
}

fn dresden(body: &str) -> String {
    let length = body.len();
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nSender: Gamecontroller\r\nReceiver: 127.0.0.1\r\nContent-type: text/acl\r\nContent-length: {length}\r\n\r\n{body}"
    )
}

#[test]
fn every_way_to_ask_is_understood() {
    let player = listening("first");
    for (request, answer) in [
        (ggp_base("( INFO )"), FREE),
        (dresden("( INFO )"), FREE),
        (ggp_base(""), FREE),
        (dresden("(ping)"), "ready"),
        (ggp_base("( PREVIEW ((role a)) 5 )"), "ready"),
        ("POST / HTTP/1.1\r\nConnection: keep-alive\r\ncOnTeNt-LeNgTh:8\r\n\r\n( INFO )".to_owned(), FREE),
        ("POST / HTTP/1.0\r\n\r\n( INFO )".to_owned(), FREE),
        ("POST /some/where HTTP/1.0\nReceiver:\n\n ; a ( remark\n( INFO\n)".to_owned(), FREE),
        ("POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )\r\n".to_owned(), FREE),
        ("POST / HTTP/1.0\r\nContent-Length: 7\r\n\r\n( INFO )".to_owned(), FREE),
        ("POST / HTTP/1.0\r\nContent-Length: ?\r\nGGP-Match-ID: x\r\nGGP-Match-Step: 1\r\n\r\n( INFO )".to_owned(), FREE),
        ("GET /%28+INFO%20%29 HTTP/1.1\r\nHost: a\r\n\r\n".to_owned(), FREE),
        ("GET / HTTP/1.0\r\n\r\n".to_owned(), FREE),
        ("OPTIONS / HTTP/1.1\r\nOrigin: http://a\r\n\r\n".to_owned(), ""),
        (dresden("( PLAY nobody.1 NIL )"), "busy"),
    ] {
        assert_eq!(player.exchange(request.as_bytes()), reply(answer), "{request}");
    }
}

#[test]
fn a_port_is_taken_or_the_next_one() {
    let host = std::net::Ipv4Addr::LOCALHOST.into();
    let bind = |port, is_exact| Server::bind(host, port, is_exact, HttpLimits::default());
    let port = bind(0, false).unwrap().address().port();
    let first = bind(port, true).unwrap();
    assert_eq!(first.address().port(), port);
    assert_eq!(bind(port, true).unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
    let next = bind(port, false).unwrap().address().port();
    assert!(next > port && next <= port.saturating_add(100), "{next} after {port}");
}

#[test]
fn bytes_may_come_one_at_a_time() {
    let player = listening("first");
    for request in [ggp_base("( INFO )"), "POST / HTTP/1.0\r\n\r\n( INFO )".to_owned()] {
        let mut stream = player.connect();
        stream.set_nodelay(true).unwrap();
        for byte in request.as_bytes() {
            stream.write_all(&[*byte]).unwrap();
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(read_all(&mut stream), reply(FREE));
    }
}

#[test]
fn a_body_may_end_with_the_stream() {
    let player = listening("first");
    for body in ["", "info", "( INFO )"] {
        let mut stream = player.connect();
        write!(stream, "POST / HTTP/1.0\r\n\r\n{body}").unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        assert_eq!(read_all(&mut stream), reply(FREE));
    }
}

#[test]
fn without_a_length_and_a_list_little_is_waited_for() {
    let limits = HttpLimits { receive: Duration::from_secs(1000), ..HttpLimits::default() };
    let player = Listening::new(setup("first", &Lines::default()), limits);
    for body in ["", "info", "; nothing ("] {
        assert_eq!(player.exchange(format!("POST / HTTP/1.0\r\n\r\n{body}").as_bytes()), reply(FREE));
    }
}

#[test]
fn who_expects_to_go_on_is_told_to() {
    let player = listening("first");
    let request = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 8\r\n\r\n";
    let mut stream = player.connect();
    stream.write_all(request.as_bytes()).unwrap();
    let mut first = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"( INFO )").unwrap();
    assert_eq!(read_all(&mut stream), reply(FREE));
}

#[test]
fn what_is_no_request_is_refused() {
    let limits = HttpLimits { body: 1000, head: 1000, ..HttpLimits::default() };
    let player = Listening::new(setup("first", &Lines::default()), limits);
    let long = "x".repeat(2000);
    for (request, status) in [
        ("HELLO\r\n\r\n".to_owned(), "400"),
        ("PUT / HTTP/1.0\r\n\r\n".to_owned(), "405"),
        (ggp_base("( HELLO )"), "400"),
        (ggp_base("(((("), "400"),
        (ggp_base(&long), "413"),
        (format!("POST / HTTP/1.0\r\n\r\n({long}"), "413"),
        ("POST / HTTP/1.0\r\nContent-Length: 99999999999999\r\n\r\n".to_owned(), "413"),
        (format!("GET /{long} HTTP/1.0\r\n\r\n"), "431"),
        ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n( INFO )\r\n0\r\n\r\n".to_owned(), "501"),
    ] {
        let answer = player.exchange(request.as_bytes());
        assert!(answer.starts_with(&format!("HTTP/1.0 {status} ")), "{request:.60}: {answer}");
    }
    assert_eq!(player.exchange(ggp_base("( INFO )").as_bytes()), reply(FREE));
}

#[test]
fn a_silent_or_trickling_connection_is_dropped() {
    let limits = HttpLimits { receive: Duration::from_millis(300), ..HttpLimits::default() };
    let player = Listening::new(setup("first", &Lines::default()), limits);
    let mut silent = player.connect();
    assert_eq!(read_all(&mut silent), "");
    let mut trickling = player.connect();
    let mut is_dropped = false;
    for _ in 0..200 {
        is_dropped |= trickling.write_all(b"P").is_err();
        std::thread::sleep(Duration::from_millis(20));
        if is_dropped {
            break;
        }
    }
    assert!(is_dropped);
    assert_eq!(player.exchange(ggp_base("( INFO )").as_bytes()), reply(FREE));
}

#[test]
fn a_match_of_the_dresden_controller() {
    let player = listening("uct");
    let rules: String = sheet("tic_tac_toe").lines().map(|line| line.split(';').next().unwrap().to_uppercase() + " ").collect();
    let send = |body: &str| player.exchange(dresden(body).as_bytes());
    assert_eq!(send(&format!("(START tictactoe.7 X ({rules}) 2 2)")), reply("ready"));
    assert_eq!(send(&format!("(START tictactoe.8 X ({rules}) 2 2)")), reply("busy"));
    let first = send("(PLAY tictactoe.7 NIL)");
    let own = first.split_once("\r\n\r\n").unwrap().1.to_owned();
    assert!(own.starts_with("(MARK "), "{own}");
    assert_eq!(first, reply(&own));
    assert_eq!(send("(PLAY TICTACTOE.7 NIL)"), reply("busy"));
    // Another move than the own one was played.
    let other = if own == "(MARK 1 1)" { "(MARK 1 2)" } else { "(MARK 1 1)" };
    assert_eq!(send(&format!("(PLAY tictactoe.7 ({other} NOOP))")), reply("NOOP"));
    let third = send("(PLAY tictactoe.7 (NOOP (MARK 3 3)))");
    assert!(third.contains("\r\n\r\n(MARK ") && !third.ends_with(other), "{third}");
    assert_eq!(send("(STOP tictactoe.7 NIL)"), reply("done"));
    assert_eq!(send("( INFO )"), reply(FREE));
}

//! A match that goes on whatever others send.

use crate::support::{Host, Lines, Listening, read_all, reference, rules, setup, sheet};
use ludens_machine::Random;
use ludens_serve::HttpLimits;
use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

/// Plays a match to its end through the wire, and does something before every move.
fn match_with(player: &Listening, lines: &Lines, mut meanwhile: impl FnMut(usize)) {
    let sheet = sheet("tic_tac_toe");
    let machine = reference(&rules(&sheet));
    let mut host = Host::new(&machine);
    assert_eq!(player.ask(&format!("(START m.1 x ({sheet}) 1 20)")), "ready");
    let mut last = "NIL".to_owned();
    let mut step = 0;
    while !host.is_over() {
        meanwhile(step);
        step += 1;
        let choice = player.ask(&format!("(PLAY m.1 {last})"));
        assert!(host.legal(0).contains(&choice), "{choice}\n{lines}");
        let mut joint = host.any();
        joint[0] = choice;
        host.play(&joint);
        last = format!("({})", joint.join(" "));
    }
    assert_eq!(player.ask(&format!("(STOP m.1 {last})")), "done");
    assert!(!lines.has("although") && !lines.has("cannot") && !lines.has("panic"), "{lines}");
}

/// A request that is nearly right.
fn fuzzed(random: &mut Random) -> Vec<u8> {
    let bodies = [
        "( INFO )",
        "(PLAY m.2 ((mark 1 1) noop))",
        "(START m.2 x ((role x)) 1 1)",
        "(STOP m.2 NIL)",
        // Nothing that one change could make the match itself of.
        "(ABORT other)",
        "((((",
        ")",
        "\u{e9}",
    ];
    let body = bodies[random.below(bodies.len())];
    let head = match random.below(5) {
        0 => "GET / HTTP/1.0\r\n\r\n".to_owned(),
        1 => "POST / HTTP/1.0\r\n\r\n".to_owned(),
        2 => format!("POST / HTTP/1.1\r\nContent-Length: {}\r\n\r\n", random.below(100_000)),
        _ => format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len()),
    };
    let mut bytes = [head.as_bytes(), body.as_bytes()].concat();
    for _ in 0..random.below(6) {
        let at = random.below(bytes.len());
        match random.below(4) {
            0 => bytes[at] = random.bits() as u8,
            1 => bytes.truncate(at + 1),
            2 => bytes.insert(at, b"()\r\n; %"[random.below(7)]),
            _ => drop(bytes.splice(at..at, (0..random.below(40)).map(|_| b'(').collect::<Vec<_>>())),
        }
    }
    bytes
}

#[test]
fn a_thousand_fuzzed_requests_harm_nothing() {
    let lines = Lines::default();
    let player = Listening::new(setup("uct", &lines), HttpLimits { receive: Duration::from_secs(2), ..HttpLimits::default() });
    let mut random = Random::new(11);
    let mut sent = 0;
    match_with(&player, &lines, |_| {
        for _ in 0..250 {
            let mut stream = player.connect();
            let _ = stream.write_all(&fuzzed(&mut random));
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let reply = read_all(&mut stream);
            assert!(reply.is_empty() || reply.starts_with("HTTP/1."), "{reply}");
            sent += 1;
        }
    });
    assert!(sent >= 1000, "{sent} requests");
}

#[test]
fn many_connections_at_once_harm_nothing() {
    let lines = Lines::default();
    let limits = HttpLimits { connections: 40, ..HttpLimits::default() };
    let player = Listening::new(setup("uct", &lines), limits);
    let mut silent: Vec<TcpStream> = Vec::new();
    match_with(&player, &lines, |_| {
        // More than there is room for, and none of them says anything.
        silent.extend((0..50).map(|_| player.connect()));
        thread::scope(|scope| {
            for _ in 0..30 {
                scope.spawn(|| {
                    let info = player.ask("( INFO )");
                    assert!(info.contains("( status busy )"), "{info}");
                });
            }
        });
    });
}

#[test]
fn large_requests_that_never_end_harm_nothing() {
    let lines = Lines::default();
    let limits = HttpLimits { bytes: 1 << 20, receive: Duration::from_secs(1000), ..HttpLimits::default() };
    let player = Listening::new(setup("uct", &lines), limits);
    let mut stalled: Vec<TcpStream> = Vec::new();
    match_with(&player, &lines, |step| {
        // Together they take all the room that there is, to the last byte.
        if step > 0 {
            return;
        }
        for _ in 0..4 {
            let mut request = b"POST / HTTP/1.0\r\nContent-Length: 16000000\r\n\r\n(".to_vec();
            request.resize(limits.bytes / 4, b'x');
            let mut stream = player.connect();
            stream.write_all(&request).unwrap();
            stalled.push(stream);
        }
        // They should have come in; nothing depends on it.
        thread::sleep(Duration::from_millis(200));
    });
    assert_eq!(stalled.len(), 4);
}

#[test]
fn asked_while_it_thinks_it_answers_at_once() {
    let lines = Lines::default();
    let player = Listening::new(setup("uct", &lines), HttpLimits::default());
    let sheet = sheet("connect_four");
    assert_eq!(player.ask(&format!("(START m red ({sheet}) 2 10)")), "ready");
    thread::scope(|scope| {
        let playing = scope.spawn(|| player.ask("(PLAY m NIL)"));
        let mut answers = 0;
        while !playing.is_finished() && answers < 50 {
            assert!(player.ask("( INFO )").contains("busy"));
            assert_eq!(player.ask("( PLAY other NIL )"), "busy");
            answers += 1;
        }
        // Fifty questions took less time than one move.
        assert_eq!(answers, 50, "{lines}");
        assert_eq!(player.ask("( ABORT m )"), "aborted");
        playing.join().unwrap();
    });
    assert!(!player.session.is_busy());
}

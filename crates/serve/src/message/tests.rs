use super::{LONGEST_CLOCK, Message, MessageError, Moves, Reply};
use std::time::Duration;

fn joint(moves: &[&str]) -> Vec<String> {
    moves.iter().map(|&text| text.to_owned()).collect()
}

fn play(id: &str, moves: Moves) -> Message {
    Message::Play { id: id.to_owned(), moves }
}

#[test]
fn messages_of_both_hosts_are_read() {
    for (text, expected) in [
        ("( INFO )", Message::Info),
        ("", Message::Info),
        (" \r\n", Message::Info),
        ("()", Message::Info),
        ("info", Message::Info),
        ("(ping)", Message::Ping),
        ("( PLAY Base.ttt.1389 NIL )", play("Base.ttt.1389", None)),
        ("(play ttt.7 nil)", play("ttt.7", None)),
        ("(PLAY ttt.7)", play("ttt.7", None)),
        ("(PLAY ttt.7 ())", play("ttt.7", None)),
        ("(Play M ((MARK 1 1)NOOP))", play("M", Some(joint(&["(MARK 1 1)", "NOOP"])))),
        ("( PLAY M ( ( mark 1\n1 ) (noop) ) more of it )", play("M", Some(joint(&["(mark 1 1)", "noop"])))),
        ("( STOP M ( a b ) )", Message::Stop { id: "M".to_owned(), moves: Some(joint(&["a", "b"])) }),
        ("( ABORT M )", Message::Abort { id: "M".to_owned() }),
        ("( PREVIEW ((role r)) 5 )", Message::Preview { rules: "(role r)".to_owned(), clock: Duration::from_secs(5) }),
    ] {
        assert_eq!(Message::parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn rules_are_taken_as_they_are() {
    let rules = "(ROLE X) ; a ) remark (\n(<= terminal\n(true (cell 1 b)))";
    let text = format!("(START Ab.1 X ({rules})\n 10 5.5 extra (more))");
    let expected = Message::Start {
        id: "Ab.1".to_owned(),
        role: "X".to_owned(),
        rules: rules.to_owned(),
        start_clock: Duration::from_secs(10),
        play_clock: Duration::from_millis(5500),
    };
    assert_eq!(Message::parse(&text), Ok(expected));
}

#[test]
fn clocks_are_limited() {
    for (text, expected) in [
        ("30", Duration::from_secs(30)),
        ("0", Duration::ZERO),
        ("-7", Duration::ZERO),
        ("1e300", LONGEST_CLOCK),
        ("inf", LONGEST_CLOCK),
        ("99999999999999999999999999", LONGEST_CLOCK),
        ("nan", Duration::from_secs(1)),
        ("soon", Duration::from_secs(1)),
        ("(1)", Duration::from_secs(1)),
        ("", Duration::from_secs(1)),
    ] {
        let message = Message::parse(&format!("(PREVIEW () {text})"));
        assert_eq!(message, Ok(Message::Preview { rules: String::new(), clock: expected }), "{text}");
    }
}

#[test]
fn what_is_no_message_says_why() {
    for (text, expected) in [
        ("(HELLO)", "no message `HELLO`"),
        ("((INFO))", "no message `(INFO)`"),
        ("(", "never closed"),
        (")", "no opening one"),
        ("(START)", "`start` needs the id of a match"),
        ("(START m)", "`start` needs a role"),
        ("(START m r)", "`start` needs a list of rules"),
        ("(START m r nil 1 1)", "`start` needs a list of rules"),
        ("(PLAY)", "`play` needs the id"),
        ("(PLAY (m) nil)", "`play` needs the id"),
        ("GET \u{1b}[2J", "no message `GET`"),
        ("é(é", "no message `é`"),
    ] {
        let error = Message::parse(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    let deep = format!("(PLAY m {}{})", "(".repeat(100_000), ")".repeat(100_000));
    assert!(matches!(Message::parse(&deep), Err(MessageError::Unreadable(_))));
    assert!(matches!(Message::parse(&" ".repeat((16 << 20) + 1)), Err(MessageError::TooLong(_))));
}

#[test]
fn what_is_printed_is_read_again() {
    let seconds = Duration::from_secs;
    for (message, text) in [
        (Message::Info, "( INFO )"),
        (Message::Ping, "( PING )"),
        (play("m", None), "( PLAY m NIL )"),
        (play("m", Some(joint(&["(a 1)", "b"]))), "( PLAY m ((a 1) b) )"),
        (Message::Stop { id: "m".to_owned(), moves: Some(joint(&["a"])) }, "( STOP m (a) )"),
        (Message::Abort { id: "m".to_owned() }, "( ABORT m )"),
        (Message::Preview { rules: "(role r)".to_owned(), clock: seconds(7) }, "( PREVIEW ((role r)) 7 )"),
        (
            Message::Start {
                id: "m".to_owned(),
                role: "r".to_owned(),
                rules: "(role r)".to_owned(),
                start_clock: seconds(30),
                play_clock: Duration::from_millis(1500),
            },
            "( START m r ((role r)) 30 1.5 )",
        ),
    ] {
        assert_eq!(message.to_string(), text);
        assert_eq!(Message::parse(text), Ok(message));
    }
    let remark = Message::Preview { rules: "(role r) ; r".to_owned(), clock: seconds(1) };
    assert!(matches!(Message::parse(&remark.to_string()), Ok(Message::Preview { clock, .. }) if clock == seconds(1)));
}

#[test]
fn replies_are_those_that_hosts_expect() {
    let info = |is_busy| Reply::Info { name: "ludens".to_owned(), is_busy }.to_string();
    assert_eq!(info(false), "( ( name ludens ) ( status available ) ( species alien ) )");
    assert_eq!(info(true), "( ( name ludens ) ( status busy ) ( species alien ) )");
    for (reply, text) in [(Reply::Ready, "ready"), (Reply::Busy, "busy"), (Reply::Nil, "nil"), (Reply::Done, "done")] {
        assert_eq!(reply.to_string(), text);
    }
}

//! Requests, as hosts really send them.

use super::crowd::Guest;
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// How long one waits for the rest of a body that is complete by its length, but not by its parentheses: some count characters, not bytes. Likewise for a body without
/// a length, or for more of it, as long as no list has begun: it may be empty.
const REST: Duration = Duration::from_millis(500);

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// An answer to a message.
    Message(String),
    /// What may be asked for.
    Options,
}

/// Why there is no request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nobody is there to be answered.
    Gone,
    /// It is answered with this status.
    Status(&'static str),
}

/// What stands before a body.
#[derive(Debug, Default, PartialEq, Eq)]
struct Head {
    method: String,
    target: String,
    length: Option<usize>,
    /// The other side wants to be asked for the body.
    expects: bool,
    is_chunked: bool,
}

/// Bytes as they come in.
struct Incoming<'g> {
    guest: &'g Guest,
    until: Instant,
    bytes: Vec<u8>,
}

impl Incoming<'_> {
    /// Waits for more, no longer than until then; false at the end of the stream.
    fn more(&mut self, until: Instant) -> Result<bool, Fault> {
        let mut piece = [0; 16 << 10];
        loop {
            let left = until.min(self.until).saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Fault::Gone);
            }
            let mut stream = self.guest.stream();
            stream.set_read_timeout(Some(left)).map_err(|_| Fault::Gone)?;
            match stream.read(&mut piece) {
                Ok(0) => return Ok(false),
                Ok(count) => {
                    if !self.guest.charge(count) {
                        return Err(Fault::Status("503 Service Unavailable"));
                    }
                    self.bytes.extend_from_slice(&piece[..count]);
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Fault::Gone),
            }
        }
    }
}

/// Takes in one request; its clock began to run when it arrived.
pub(super) fn receive(guest: &Guest, arrived: Instant) -> Result<Request, Fault> {
    let limits = *guest.limits();
    let mut incoming = Incoming { guest, until: arrived + limits.receive, bytes: Vec::new() };
    let until = incoming.until;
    let mut searched = 0;
    let end = loop {
        let end = end_of_head(&incoming.bytes, searched);
        if let Some(end) = end.filter(|end| *end <= limits.head) {
            break end;
        }
        searched = incoming.bytes.len().saturating_sub(3);
        if incoming.bytes.len() > limits.head {
            return Err(Fault::Status("431 Request Header Fields Too Large"));
        }
        if !incoming.more(until)? {
            return Err(if incoming.bytes.is_empty() { Fault::Gone } else { Fault::Status("400 Bad Request") });
        }
    };
    let head = Head::parse(&incoming.bytes[..end]).ok_or(Fault::Status("400 Bad Request"))?;
    let body = incoming.bytes.split_off(end);
    incoming.bytes = body;
    match head.method.as_str() {
        "OPTIONS" => Ok(Request::Options),
        "GET" => Ok(Request::Message(decoded(head.target.strip_prefix('/').unwrap_or(&head.target)))),
        "POST" if head.is_chunked => Err(Fault::Status("501 Not Implemented")),
        "POST" => receive_body(incoming, &head, limits.body).map(|bytes| Request::Message(ludens_gdl::decode(&bytes).0)),
        _ => Err(Fault::Status("405 Method Not Allowed")),
    }
}

fn receive_body(mut incoming: Incoming<'_>, head: &Head, most: usize) -> Result<Vec<u8>, Fault> {
    let too_large = Err(Fault::Status("413 Content Too Large"));
    if head.length.is_some_and(|length| length > most) {
        return too_large;
    }
    if head.expects && incoming.bytes.is_empty() {
        incoming.guest.stream().write_all(b"HTTP/1.1 100 Continue\r\n\r\n").map_err(|_| Fault::Gone)?;
    }
    let mut scan = Scan::default();
    let mut until = incoming.until;
    loop {
        if incoming.bytes.len() > most {
            return too_large;
        }
        scan.go_on(&incoming.bytes);
        let is_long_enough = head.length.is_some_and(|length| incoming.bytes.len() >= length);
        if scan.is_closed(head.length) || (is_long_enough && !scan.is_open()) {
            break;
        }
        if is_long_enough {
            until = until.min(Instant::now() + REST);
        }
        let may_be_all = head.length.is_none() && !scan.has_opened && !head.expects;
        let until = if may_be_all { until.min(Instant::now() + REST) } else { until };
        match incoming.more(until) {
            Ok(true) => {}
            Ok(false) => break,
            // Whatever there is has to do, unless more was announced.
            Err(Fault::Gone) if is_long_enough || head.length.is_none() => break,
            Err(fault) => return Err(fault),
        }
    }
    Ok(incoming.bytes)
}

/// Where a head ends, if it does: after the first empty line.
fn end_of_head(bytes: &[u8], from: usize) -> Option<usize> {
    let after = |pattern: &[u8]| {
        let found = bytes[from.min(bytes.len())..].windows(pattern.len()).position(|window| window == pattern);
        found.map(|at| from + at + pattern.len())
    };
    match (after(b"\r\n\r\n"), after(b"\n\n")) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

impl Head {
    fn parse(bytes: &[u8]) -> Option<Head> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.lines();
        let line = lines.next()?.trim_end();
        let (method, rest) = line.split_once(' ')?;
        let (target, version) = rest.rsplit_once(' ')?;
        if !version.starts_with("HTTP/") {
            return None;
        }
        let mut head = Head { method: method.to_ascii_uppercase(), target: target.trim().to_owned(), ..Head::default() };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let (name, value) = (name.trim(), value.trim());
            if name.eq_ignore_ascii_case("content-length") {
                // A length that cannot be read is none: then the parentheses tell.
                head.length = value.parse().ok();
            } else if name.eq_ignore_ascii_case("expect") {
                head.expects = value.eq_ignore_ascii_case("100-continue") && !version.ends_with("1.0");
            } else if name.eq_ignore_ascii_case("transfer-encoding") {
                head.is_chunked = !value.eq_ignore_ascii_case("identity");
            }
        }
        Some(head)
    }
}

/// How many lists are open in what has come in.
#[derive(Debug, Default)]
struct Scan {
    at: usize,
    depth: usize,
    is_comment: bool,
    has_opened: bool,
}

impl Scan {
    fn go_on(&mut self, bytes: &[u8]) {
        for &byte in &bytes[self.at..] {
            match byte {
                b'\n' | b'\r' => self.is_comment = false,
                _ if self.is_comment => {}
                b';' => self.is_comment = true,
                b'(' => {
                    self.depth += 1;
                    self.has_opened = true;
                }
                b')' => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
        self.at = bytes.len();
    }

    fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Whether a message without a length is complete.
    fn is_closed(&self, length: Option<usize>) -> bool {
        length.is_none() && self.has_opened && self.depth == 0
    }
}

/// A text in the form of addresses: `%28+INFO+%29`.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = bytes.get(at + 1..at + 3).filter(|digits| bytes[at] == b'%' && digits.iter().all(u8::is_ascii_hexdigit));
        let byte =
            digits.and_then(|digits| std::str::from_utf8(digits).ok()).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        at += if byte.is_some() { 3 } else { 1 };
        out.push(byte.unwrap_or(match bytes[at - 1] {
            b'+' => b' ',
            other => other,
        }));
    }
    ludens_gdl::decode(&out).0
}

#[cfg(test)]
mod tests {
    use super::{Head, decoded, end_of_head};

    #[test]
    fn heads_are_read_in_any_case() {
        let head = Head::parse(b"POST / HTTP/1.0\r\nAccept: text/delim\r\ncontent-LENGTH : 12\r\n\r\n").unwrap();
        assert_eq!(head, Head { method: "POST".to_owned(), target: "/".to_owned(), length: Some(12), ..Head::default() });
        let head = Head::parse(b"post / HTTP/1.1\nExpect: 100-Continue\nContent-Length: many\n\n").unwrap();
        assert_eq!((head.method.as_str(), head.length, head.expects), ("POST", None, true));
        for bad in ["", "\r\n", "POST\r\n", "POST /\r\n", "( INFO )\r\n", "POST / SMTP/1.0\r\n"] {
            assert_eq!(Head::parse(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn addresses_are_decoded() {
        for (text, expected) in
            [("%28+INFO%20%29", "( INFO )"), ("", ""), ("%", "%"), ("%2", "%2"), ("%zz%C3%A9", "%zzé"), ("%+1", "% 1")]
        {
            assert_eq!(decoded(text), expected);
        }
    }

    #[test]
    fn heads_end_at_an_empty_line() {
        assert_eq!(end_of_head(b"a\r\n\r\nb\n\n", 0), Some(5));
        assert_eq!(end_of_head(b"a\n\nb\r\n\r\n", 0), Some(3));
        assert_eq!(end_of_head(b"a\r\nb\r\n", 0), None);
        assert_eq!(end_of_head(b"abc\n\n", 2), Some(5));
    }
}

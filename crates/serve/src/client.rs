//! One exchange with a player elsewhere: a message out, its answer in, all before one deadline.

use crate::http::PORT;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// The longest answer that is read. Moves have a few dozen characters.
pub const MAX_ANSWER: usize = 64 << 10;

/// The longest head of an answer.
const MAX_HEAD: usize = 16 << 10;

/// Who does not take a connection for so long is late.
const MAX_CONNECT: Duration = Duration::from_secs(5);

/// Where a player listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// As it goes into the `Host` header.
    host: String,
    sockets: Vec<SocketAddr>,
}

/// Why a text is no address of a player.
#[derive(Debug, thiserror::Error)]
#[error("`{}` is no address of a player: {reason}", ludens_gdl::legible(url))]
pub struct BadAddress {
    url: String,
    reason: String,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Time was over.
    #[error("no answer in time")]
    Late,
    /// There was no connection, or what came over it was no answer.
    #[error("no connection: {0}")]
    Connection(String),
}

/// Whether a text that stands for a player is an address: it has a port, or says that it is one.
pub fn is_address(text: &str) -> bool {
    let text = text.trim();
    text.contains("://") || text.rsplit_once(':').is_some_and(|(_, port)| port.trim_end_matches('/').parse::<u16>().is_ok())
}

impl Address {
    /// Reads `http://host:port`, `host:port` or `http://host`, and finds the host.
    pub fn find(url: &str) -> Result<Address, BadAddress> {
        let bad = |reason: &str| BadAddress { url: url.to_owned(), reason: reason.to_owned() };
        let text = url.trim();
        let text = match text.split_once("://") {
            Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http") => rest,
            Some(_) => return Err(bad("players are spoken to over http")),
            None => text,
        };
        let host = text.strip_suffix('/').unwrap_or(text);
        if host.is_empty() {
            return Err(bad("the host is missing"));
        }
        if host.contains(|character: char| character.is_whitespace() || character.is_control() || "/?#@".contains(character)) {
            return Err(bad("give a host and a port, as in http://127.0.0.1:9147"));
        }
        // `[::1]` has colons without a port.
        let port = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        let complete = match port {
            Some((_, port)) if port.parse::<u16>().is_ok_and(|port| port > 0) => host.to_owned(),
            Some((_, port)) => return Err(bad(&format!("`{}` is no port", ludens_gdl::legible(port)))),
            None => format!("{host}:{PORT}"),
        };
        let sockets: Vec<SocketAddr> = complete.to_socket_addrs().map_err(|error| bad(&error.to_string()))?.collect();
        if sockets.is_empty() {
            return Err(bad("there is no such host"));
        }
        Ok(Address { host: host.to_owned(), sockets })
    }

    /// Sends a message and reads the answer, all before the deadline.
    ///
    /// The request is the one that ggp-base's host sends. An answer ends where its length says so, else with the stream. What is too long is not held.
    pub fn ask(&self, message: &str, deadline: Instant) -> Result<String, Fault> {
        let mut line = Line { stream: self.connect(deadline)?, deadline };
        line.send(self.request(message).as_bytes())?;
        line.receive()
    }

    fn request(&self, message: &str) -> String {
        let Address { host, .. } = self;
        let length = message.len();
        format!(
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: GAMESERVER\r\nReceiver: \r\n\
             Content-Type: text/acl\r\nContent-Length: {length}\r\n\r\n{message}"
        )
    }

    /// The first of the host's addresses that takes a connection.
    fn connect(&self, deadline: Instant) -> Result<TcpStream, Fault> {
        let mut last = Fault::Late;
        for socket in &self.sockets {
            let left = remaining(deadline)?.min(MAX_CONNECT);
            match TcpStream::connect_timeout(socket, left) {
                Ok(stream) => {
                    // A message is one write, and nothing comes after it.
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                // Who takes no connection is not there, however long that took to find out.
                Err(error) => last = Fault::Connection(error.to_string()),
            }
        }
        Err(last)
    }
}

/// The time that is left, never nothing: sockets take that for "for ever".
fn remaining(deadline: Instant) -> Result<Duration, Fault> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(Fault::Late) } else { Ok(left.max(Duration::from_millis(1))) }
}

fn fault(error: &io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Fault::Late,
        _ => Fault::Connection(error.to_string()),
    }
}

/// A connection that ends with a deadline, however slowly the other side goes on.
struct Line {
    stream: TcpStream,
    deadline: Instant,
}

impl Line {
    fn send(&mut self, mut bytes: &[u8]) -> Result<(), Fault> {
        while !bytes.is_empty() {
            self.stream.set_write_timeout(Some(remaining(self.deadline)?)).map_err(|error| fault(&error))?;
            match self.stream.write(bytes) {
                Ok(0) => return Err(Fault::Connection("it was closed".to_owned())),
                Ok(sent) => bytes = &bytes[sent..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault(&error)),
            }
        }
        Ok(())
    }

    /// The next bytes, none at the end of the stream.
    fn read<'b>(&mut self, buffer: &'b mut [u8]) -> Result<&'b [u8], Fault> {
        loop {
            self.stream.set_read_timeout(Some(remaining(self.deadline)?)).map_err(|error| fault(&error))?;
            match self.stream.read(buffer) {
                Ok(read) => return Ok(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(fault(&error)),
            }
        }
    }

    /// A whole answer, without its head.
    fn receive(&mut self) -> Result<String, Fault> {
        let unreadable = |reason: &str| Fault::Connection(reason.to_owned());
        let mut buffer = [0; 4096];
        let mut bytes = Vec::new();
        let (body_at, length) = loop {
            if let Some(end) = end_of_head(&bytes) {
                let head = std::str::from_utf8(&bytes[..end]).map_err(|_| unreadable("the head of the answer is no text"))?;
                break (end, length_of(head)?);
            }
            if bytes.len() > MAX_HEAD {
                return Err(unreadable("the head of the answer is too long"));
            }
            match self.read(&mut buffer)? {
                [] => return Err(unreadable("it was closed before the answer")),
                read => bytes.extend_from_slice(read),
            }
        };
        let mut body = bytes.split_off(body_at);
        while length.is_none_or(|length| body.len() < length) {
            if body.len() > MAX_ANSWER {
                return Err(unreadable("the answer is too long"));
            }
            match (self.read(&mut buffer)?, length) {
                ([], None) => break,
                ([], Some(_)) => return Err(unreadable("it was closed within the answer")),
                (read, _) => body.extend_from_slice(read),
            }
        }
        body.truncate(length.unwrap_or(MAX_ANSWER));
        String::from_utf8(body).map_err(|_| unreadable("the answer is no text"))
    }
}

/// Where the body begins: after an empty line.
fn end_of_head(bytes: &[u8]) -> Option<usize> {
    let lf = bytes.windows(2).position(|pair| pair == b"\n\n").map(|at| at + 2);
    let crlf = bytes.windows(4).position(|four| four == b"\r\n\r\n").map(|at| at + 4);
    match (lf, crlf) {
        (Some(lf), Some(crlf)) => Some(lf.min(crlf)),
        (lf, crlf) => lf.or(crlf),
    }
}

/// How long the body says it is.
fn length_of(head: &str) -> Result<Option<usize>, Fault> {
    let unreadable = |reason: String| Err(Fault::Connection(reason));
    let mut lines = head.lines();
    let status = lines.next().unwrap_or_default();
    let mut words = status.split_ascii_whitespace();
    if !words.next().is_some_and(|word| word.starts_with("HTTP/")) {
        return unreadable("the answer is not HTTP".to_owned());
    }
    match words.next() {
        Some(code) if code.len() == 3 && code.starts_with('2') => {}
        _ => return unreadable(format!("the answer is `{}`", ludens_gdl::legible(status))),
    }
    for (name, value) in lines.filter_map(|line| line.split_once(':')) {
        if !name.trim().eq_ignore_ascii_case("content-length") {
            continue;
        }
        return match value.trim().parse::<usize>() {
            Ok(length) if length <= MAX_ANSWER => Ok(Some(length)),
            Ok(_) => unreadable("the answer is too long".to_owned()),
            Err(_) => unreadable("the length of the answer is no number".to_owned()),
        };
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{Address, end_of_head, is_address, length_of};

    #[test]
    fn addresses_are_told_from_players() {
        for text in ["http://127.0.0.1:9147", "localhost:9147", "http://example.org", "127.0.0.1:80/", "HTTP://[::1]:9147/"] {
            assert!(is_address(text), "{text}");
        }
        for text in ["uct", "uct:grave=off", "mc:rate=1", "human", "random", ""] {
            assert!(!is_address(text), "{text}");
        }
    }

    #[test]
    fn a_bad_address_is_named() {
        for (text, reason) in [
            ("ftp://127.0.0.1:21", "over http"),
            ("http://", "host is missing"),
            ("127.0.0.1:99999", "is no port"),
            ("127.0.0.1:0", "is no port"),
            ("http://127.0.0.1:9147/path", "give a host and a port"),
            ("http://a b:1", "give a host and a port"),
        ] {
            let said = Address::find(text).unwrap_err().to_string();
            assert!(said.contains(text) && said.contains(reason), "{said}");
        }
        assert_eq!(Address::find("127.0.0.1").unwrap().sockets, Address::find("http://127.0.0.1:9147/").unwrap().sockets);
    }

    #[test]
    fn requests_are_those_of_ggp_base() {
        let request = Address::find("http://127.0.0.1:9148").unwrap().request("( INFO )");
        let expected = "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: 127.0.0.1:9148\r\nSender: GAMESERVER\r\nReceiver: \r\n\
                        Content-Type: text/acl\r\nContent-Length: 8\r\n\r\n( INFO )";
        assert_eq!(request, expected);
    }

    #[test]
    fn heads_are_read_as_they_come() {
        assert_eq!(end_of_head(b"HTTP/1.0 200 OK\r\n\r\nready"), Some(19));
        assert_eq!(end_of_head(b"HTTP/1.0 200 OK\n\nready\r\n\r\n"), Some(17));
        assert_eq!(end_of_head(b"HTTP/1.0 200 OK\r\n"), None);
        assert_eq!(length_of("HTTP/1.0 200 OK\r\ncontent-LENGTH : 5\r\n"), Ok(Some(5)));
        assert_eq!(length_of("HTTP/1.1 200\r\n"), Ok(None));
        for head in [
            "",
            "ready",
            "HTTP/1.0 500 no\r\n",
            "HTTP/1.0 200 OK\r\nContent-length: 1000000000\r\n",
            "HTTP/1.0 200 OK\r\nContent-Length: -1\r\n",
        ] {
            assert!(length_of(head).is_err(), "{head}");
        }
    }
}

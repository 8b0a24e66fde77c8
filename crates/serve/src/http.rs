//! A small HTTP server for one player.
//!
//! It is written by hand because hosts need what frameworks hide: a connection per message that is closed after the reply, for some read to the end of the
//! stream; requests without a length, which end where their parentheses close; headers exactly as other players have them.

mod crowd;
mod request;

use crate::Session;
use crate::message::{LONGEST, Reply};
use crowd::{Crowd, Guest};
use request::{Fault, Request};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

/// The port that players have.
pub const PORT: u16 = 9147;

/// Ports that are tried after the first.
const OTHERS: u16 = 100;

/// What strangers may use.
#[derive(Clone, Copy, Debug)]
pub struct HttpLimits {
    /// Connections at the same time. One more closes the oldest whose request is not complete.
    pub connections: usize,
    /// The time that a request may take to come in.
    pub receive: Duration,
    /// Bytes of a request before its body.
    pub head: usize,
    /// Bytes of a body.
    pub body: usize,
    /// Bytes of all requests that are coming in; small ones always may.
    pub bytes: usize,
}

impl Default for HttpLimits {
    fn default() -> HttpLimits {
        let receive = Duration::from_secs(10);
        HttpLimits { connections: 256, receive, head: 256 << 10, body: LONGEST, bytes: 128 << 20 }
    }
}

/// The stack of a thread that serves a connection.
const STACK: usize = 1 << 20;

/// How long a reply may take to be sent, and what is still read after it, so that the other side is not cut off while it reads.
const SENDING: Duration = Duration::from_secs(5);
const LINGERING: Duration = Duration::from_secs(1);
const LINGERING_BYTES: usize = 64 << 20;

/// Listens for hosts.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    limits: HttpLimits,
    is_stopped: AtomicBool,
}

impl Server {
    /// Listens at a port, or, unless it must be that one, at the next that is free. Port 0 is any.
    ///
    /// # Errors
    /// If there is none.
    pub fn bind(host: IpAddr, port: u16, is_exact: bool, limits: HttpLimits) -> io::Result<Server> {
        let last = if is_exact || port == 0 { port } else { port.saturating_add(OTHERS) };
        let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AddrInUse;
        let mut ports = port..=last;
        let listener = loop {
            match (TcpListener::bind((host, ports.next().unwrap_or(last))), ports.is_empty()) {
                (Err(error), false) if is_taken(&error) => {}
                (bound, _) => break bound?,
            }
        };
        let address = listener.local_addr()?;
        Ok(Server { listener, address, limits, is_stopped: AtomicBool::new(false) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Lets a player answer everybody, until somebody says stop.
    pub fn run(&self, session: &Arc<Session>) {
        let crowd = Arc::new(Crowd::new(self.limits));
        while !self.is_stopped.load(Relaxed) {
            let Ok((stream, _)) = self.listener.accept() else {
                // Too many open files, perhaps: some will be closed soon.
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            let arrived = Instant::now();
            if self.is_stopped.load(Relaxed) {
                return;
            }
            let guest = match crowd.admit(stream) {
                Ok(guest) => guest,
                Err(mut stream) => {
                    // It is told so if that can be done without waiting.
                    let _ = stream.set_nonblocking(true);
                    let _ = stream.write(response("503 Service Unavailable", "error").as_bytes());
                    continue;
                }
            };
            let session = session.clone();
            // Where there is no thread, the connection is closed.
            let _ = thread::Builder::new().name("connection".to_owned()).stack_size(STACK).spawn(move || {
                let _ = catch_unwind(AssertUnwindSafe(|| serve(&guest, &session, arrived)));
            });
        }
    }

    /// Ends [`run`](Server::run), from another thread.
    pub fn stop(&self) {
        self.is_stopped.store(true, Relaxed);
        let host = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        // To be woken up, it must be called.
        let _ = TcpStream::connect_timeout(&(host, self.address.port()).into(), LINGERING);
    }
}

/// One connection: one request, one reply.
fn serve(guest: &Guest, session: &Session, arrived: Instant) {
    let mut stream = guest.stream();
    let _ = stream.set_nodelay(true);
    let _ = stream.set_write_timeout(Some(SENDING));
    let reply = match request::receive(guest, arrived) {
        Ok(Request::Options) => response("200 OK", ""),
        Ok(Request::Message(text)) => {
            guest.is_heard();
            let reply = session.answer_text(&text, arrived);
            drop(text);
            let status = if matches!(reply, Reply::Unreadable(_)) { "400 Bad Request" } else { "200 OK" };
            response(status, &reply.to_string())
        }
        Err(Fault::Gone) => return,
        Err(Fault::Status(status)) => response(status, "error"),
    };
    if stream.write_all(reply.as_bytes()).is_ok() {
        linger(guest);
    }
}

/// A reply as players send it.
fn response(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.0 {status}\r\n\
         Content-type: text/acl\r\n\
         Content-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\n\
         Access-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\n\
         Access-Control-Allow-Age: 86400\r\n\
         \r\n\
         {body}",
        body.len()
    )
}

/// Says that this was all, and takes what is still coming: closing a connection with something unread would cut off the reply.
fn linger(guest: &Guest) {
    guest.is_leaving();
    let mut stream = guest.stream();
    let until = Instant::now() + LINGERING;
    let (mut left, mut rest) = (LINGERING_BYTES, [0; 16 << 10]);
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    while let Some(time) = until.checked_duration_since(Instant::now()).filter(|time| !time.is_zero()) {
        let _ = stream.set_read_timeout(Some(time));
        match stream.read(&mut rest) {
            Ok(count @ 1..) if count < left => left -= count,
            _ => return,
        }
    }
}

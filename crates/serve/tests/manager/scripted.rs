//! Players of every bad manner, on sockets of their own.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What a player does with a connection on which a message has come.
pub(crate) type Manner = dyn Fn(&str, &mut TcpStream) -> io::Result<()> + Send + Sync;

/// A player that serves connections until the tests are over.
pub(crate) struct Scripted {
    pub(crate) address: SocketAddr,
    /// All messages, in the order they came.
    pub(crate) heard: Arc<Mutex<Vec<String>>>,
}

impl Scripted {
    pub(crate) fn new(manner: impl Fn(&str, &mut TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a socket");
        let address = listener.local_addr().expect("an address");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (manner, notes): (Arc<Manner>, _) = (Arc::new(manner), Arc::clone(&heard));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (mut stream, manner, notes) = (stream.expect("a connection"), Arc::clone(&manner), Arc::clone(&notes));
                thread::spawn(move || {
                    let Ok(message) = message(&mut stream) else { return };
                    notes.lock().expect("no panic").push(message.clone());
                    // The manager may have hung up.
                    let _ = manner(&message, &mut stream);
                });
            }
        });
        Scripted { address, heard }
    }

    /// One that answers with what a function says.
    pub(crate) fn saying(says: impl Fn(&str) -> String + Send + Sync + 'static) -> Scripted {
        Scripted::new(move |message, stream| reply(stream, &says(message)))
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Reads a request as far as its length says.
fn message(stream: &mut TcpStream) -> io::Result<String> {
    let mut text = String::new();
    let mut buffer = [0; 4096];
    loop {
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("Content-Length: ")).expect("a length");
            if body.len() >= length.parse().expect("a number") {
                return Ok(body.to_owned());
            }
        }
        let read = stream.read(&mut buffer)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        text.push_str(std::str::from_utf8(&buffer[..read]).expect("ASCII"));
    }
}

/// Answers as ggp-base's players do.
pub(crate) fn reply(stream: &mut TcpStream, text: &str) -> io::Result<()> {
    let head = format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {}\r\n\r\n", text.len());
    stream.write_all((head + text).as_bytes())
}

pub(crate) fn slow(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    thread::sleep(Duration::from_secs(4));
    reply(stream, "b")
}

pub(crate) fn silent(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    // Waits until the manager hangs up.
    stream.read(&mut [0]).map(|_| ())
}

pub(crate) fn illegal(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    reply(stream, "( fly  away )")
}

pub(crate) fn unreadable(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    reply(stream, "((b")
}

pub(crate) fn garbage(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"\x00\xff\xfe garbage \r\n\r\n\xff")
}

pub(crate) fn closes_early(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    stream.write_all(b"HTTP/1.0 200 OK\r\nContent-length: 10\r\n\r\nb")
}

pub(crate) fn closes_at_once(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    stream.shutdown(Shutdown::Both)
}

pub(crate) fn trickles(_: &str, stream: &mut TcpStream) -> io::Result<()> {
    for byte in b"HTTP/1.0 200 OK\r\nContent-length: 1\r\n\r\nb" {
        stream.write_all(&[*byte])?;
        thread::sleep(Duration::from_secs(1));
    }
    Ok(())
}

/// A gigabyte, if it is taken; counts what was.
pub(crate) fn endless(
    head: &'static str,
    taken: Arc<AtomicU64>,
) -> impl Fn(&str, &mut TcpStream) -> io::Result<()> + Send + Sync {
    move |_, stream| {
        stream.write_all(head.as_bytes())?;
        let chunk = vec![b'b'; 1 << 16];
        for _ in 0..1 << 14 {
            stream.write_all(&chunk)?;
            taken.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        }
        Ok(())
    }
}

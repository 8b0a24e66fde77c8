//! The connections of a server, and what they may use together.

use super::HttpLimits;
use std::collections::BTreeMap;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// There is always room for requests of this size, so that large ones cannot keep moves from being asked for.
const SMALL: usize = 64 << 10;

/// All connections.
#[derive(Debug)]
pub(super) struct Crowd {
    pub(super) limits: HttpLimits,
    guests: Mutex<Guests>,
    /// Bytes of requests that are coming in.
    bytes: AtomicUsize,
}

#[derive(Debug, Default)]
struct Guests {
    next: u64,
    /// By their age, the oldest first.
    present: BTreeMap<u64, Present>,
}

#[derive(Debug)]
struct Present {
    stream: Arc<TcpStream>,
    /// Its message is being answered: it must not be sent away.
    is_heard: bool,
}

/// One connection; it ends when this goes.
#[derive(Debug)]
pub(super) struct Guest {
    crowd: Arc<Crowd>,
    number: u64,
    stream: Arc<TcpStream>,
    charged: AtomicUsize,
}

impl Crowd {
    pub(super) fn new(limits: HttpLimits) -> Crowd {
        Crowd { limits, guests: Mutex::default(), bytes: AtomicUsize::new(0) }
    }

    fn guests(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets somebody in. Where it is full, who has been here longest without having said anything has to go; who is being answered may stay.
    pub(super) fn admit(self: &Arc<Crowd>, stream: TcpStream) -> Result<Guest, TcpStream> {
        let mut guests = self.guests();
        if guests.present.len() >= self.limits.connections {
            let silent = guests.present.iter().find(|(_, present)| !present.is_heard).map(|(&number, _)| number);
            match silent.and_then(|number| guests.present.remove(&number)) {
                Some(present) => drop(present.stream.shutdown(Shutdown::Both)),
                None => return Err(stream),
            }
        }
        let stream = Arc::new(stream);
        let number = guests.next;
        guests.next += 1;
        guests.present.insert(number, Present { stream: stream.clone(), is_heard: false });
        Ok(Guest { crowd: self.clone(), number, stream, charged: AtomicUsize::new(0) })
    }
}

impl Guest {
    pub(super) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    pub(super) fn limits(&self) -> &HttpLimits {
        &self.crowd.limits
    }

    /// Takes note of bytes that are kept; says whether there is room for them.
    pub(super) fn charge(&self, bytes: usize) -> bool {
        let own = self.charged.fetch_add(bytes, Relaxed) + bytes;
        let all = self.crowd.bytes.fetch_add(bytes, Relaxed) + bytes;
        own <= SMALL || all <= self.crowd.limits.bytes
    }

    /// Its message is complete.
    pub(super) fn is_heard(&self) {
        self.set_heard(true);
    }

    /// It has its reply.
    pub(super) fn is_leaving(&self) {
        self.set_heard(false);
    }

    fn set_heard(&self, is_heard: bool) {
        if let Some(present) = self.crowd.guests().present.get_mut(&self.number) {
            present.is_heard = is_heard;
        }
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.crowd.guests().present.remove(&self.number);
        self.crowd.bytes.fetch_sub(self.charged.load(Relaxed), Relaxed);
    }
}

//! GGP over HTTP: a player for any game manager, a game manager for any player, and the records of matches.

pub mod client;
mod clock;
mod http;
pub mod manager;
mod message;
mod player;
pub mod record;
mod scramble;

pub use clock::SystemClock;
pub use http::{HttpLimits, PORT, Server};
pub use manager::mix;
pub use message::{Choice, LONGEST, LONGEST_CLOCK, Message, MessageError, Moves, Reply, Thought};
pub use player::{Log, Session, Setup, Watcher};
pub use record::Record;
pub use scramble::Scramble;

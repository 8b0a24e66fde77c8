//! GGP over HTTP: a player for any game manager, a game manager for any player, and the records of matches.

mod http;
mod message;
mod player;

pub use http::{HttpLimits, PORT, Server};
pub use message::{Choice, LONGEST, LONGEST_CLOCK, Message, MessageError, Moves, Reply, Thought};
pub use player::{Log, Session, Setup, Watcher};

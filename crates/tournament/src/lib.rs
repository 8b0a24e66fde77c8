//! Who is better, and by how much: statistics of matches in pairs.
//!
//! The unit is the *pair*: two matches from the same opening with the seats exchanged, or as many as there are seats to take. What a pair says is one number, the
//! mean score of the first player in it, from 0 to 1. Matches of a pair are not independent of each other, pairs are.

mod elo;
mod holm;
mod interval;
mod ratings;
mod sprt;

pub use elo::{elo, expected};
pub use holm::{holm, p_value};
pub use interval::{Z, bootstrap, error_of_mean, mean, student, wilson};
pub use ratings::{Game, Rating, ratings};
pub use sprt::{Decision, Sprt};

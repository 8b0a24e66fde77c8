//! Who is better, and by how much: plans, a store of matches, statistics of pairs, reports.
//!
//! The unit is the *pair*: two matches from the same opening with the seats exchanged, or as many as there are seats to take. What a pair says is one number, the
//! mean score of the first player in it, from 0 to 1. Matches of a pair are not independent of each other, pairs are.

mod duel;
mod elo;
mod holm;
mod html;
mod interval;
mod plan;
mod played;
pub mod plot;
mod ratings;
mod report;
mod schedule;
mod sprt;
mod store;

pub use duel::{Duel, GameReport, Overall, pair_score};
pub use elo::{elo, expected};
pub use holm::{holm, p_value};
pub use html::html;
pub use interval::{Z, bootstrap, error_of_mean, mean, student, wilson};
pub use plan::{Contender, Limits, Plan, PlanError, Who};
pub use played::{FAIR_SHARE, Forfeit, ForfeitKind, Played, settled};
pub use ratings::{Game, Rating, ratings};
pub use report::{ForfeitLine, GameLine, More, RatingLine, Report, Subject};
pub use schedule::{Pairing, Seating, Slot, meetings, slots};
pub use sprt::{Decision, Sprt};
pub use store::{Store, StoreError};

//! Rules in, a [`Machine`] out: the engines that execute a game.
//!
//! A `Machine` is immutable and `Sync` and holds no current state; the states in hand and all scratch memory live in
//! [`Lanes`], one per thread. Every engine answers the same calls, so that search is written once and each faster engine
//! is checked against the slow, obviously right one.

pub mod bits;
pub mod emit;
mod error;
mod heap;
mod ids;
mod machine;
mod playout;
mod prefetch;
mod random;
pub mod relational;
pub mod vector;
mod weights;

pub use error::{Error, Limits};
pub use heap::return_large_blocks;
pub use ids::{GoalId, MoveId, RoleId};
pub use ludens_ground::Limits as GroundLimits;
pub use machine::{Lanes, Machine, State};
pub use playout::{Cuts, Ended, Manner, Playout, Request, Rollouts, Totals, playout};
pub use prefetch::{prefetch, prefetch_to_change};
pub use random::Random;
pub use relational::Declared;
pub use weights::{Counted, Line, Summands, Wanted, Weights};

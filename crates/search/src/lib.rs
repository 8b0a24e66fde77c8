//! Which move to play: searches over a [`Machine`](ludens_machine::Machine) and an evaluator, each within a [`Budget`].

mod budget;
pub mod depth;
mod error;
mod search;
mod verdict;

pub use budget::{Budget, Clock, Meter, Watch, Worker};
pub use depth::{AlphaBeta, Minimax, Mtdf, OnePly};
pub use error::Error;
pub use search::{Search, Settings};
pub use verdict::{Bounds, MoveReport, Verdict};

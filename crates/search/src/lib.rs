//! Which move to play: searches over a [`Machine`](ludens_machine::Machine) and an evaluator, each within a [`Budget`].

mod budget;
pub mod depth;
mod error;
mod mc;
mod puzzle;
mod search;
mod simple;
mod spec;
pub mod uct;
mod verdict;

pub use budget::{Budget, Clock, Meter, Watch, Worker};
pub use depth::{AlphaBeta, Minimax, Mtdf, OnePly};
pub use error::Error;
pub use mc::Mc;
pub use puzzle::Puzzle;
pub use search::{Search, Settings};
pub use simple::{FirstMove, RandomMove};
pub use spec::{Kind, PLAYERS, Player, PlayerOption, Spec, SpecError, Value, split_specs};
pub use uct::Uct;
pub use verdict::{Bounds, MoveReport, Verdict};

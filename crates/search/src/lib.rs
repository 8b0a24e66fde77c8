//! Which move to play: searches over a [`Machine`](ludens_machine::Machine) and an evaluator, each within a [`Budget`].

mod budget;
mod error;
mod mc;
mod puzzle;
mod search;
mod simple;
pub mod uct;
mod verdict;

pub use budget::{Budget, Clock, Meter, Watch, Worker};
pub use error::Error;
pub use mc::Mc;
pub use puzzle::Puzzle;
pub use search::{Search, Settings};
pub use simple::{FirstMove, RandomMove};
pub use uct::Uct;
pub use verdict::{Bounds, MoveReport, Verdict};

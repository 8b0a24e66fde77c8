//! Which move to play: searches over a [`Machine`](ludens_machine::Machine) and an evaluator, each within a [`Budget`].

mod budget;
mod error;
mod search;
pub mod uct;
mod verdict;

pub use budget::{Budget, Clock, Meter, Watch, Worker};
pub use error::Error;
pub use search::{Search, Settings};
pub use uct::Uct;
pub use verdict::{Bounds, MoveReport, Verdict};

//! Which move to play: searches over a [`Machine`](ludens_machine::Machine) and an evaluator, each within a [`Budget`].

mod budget;
mod choose;
pub mod depth;
mod error;
mod mc;
mod pupil;
mod puzzle;
mod search;
mod simple;
mod spec;
pub mod uct;
mod verdict;

pub use budget::{Budget, Clock, Meter, Watch, Worker};
pub use choose::{Choice, Contest};
pub use depth::{AlphaBeta, Minimax, Mtdf, OnePly};
pub use error::Error;
pub use mc::Mc;
pub use puzzle::Puzzle;
pub use search::{Search, Settings};
pub use simple::{FirstMove, RandomMove};
pub use spec::{Kind, PLAYERS, Player, PlayerOption, Ready, Spec, SpecError, Start, Value, split_specs};
pub use uct::Uct;
pub use verdict::{Bounds, MoveReport, Verdict};

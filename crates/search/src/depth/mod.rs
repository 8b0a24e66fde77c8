//! Searches that look a number of moves ahead in all directions, one deeper each time: alpha-beta, MTD(f) and plain minimax.

mod ahead;
pub mod alphabeta;
mod calm;
mod core;
mod count;
mod deepen;
mod expand;
mod foresee;
mod found;
mod line;
pub mod minimax;
mod mtdf;
mod node;
mod options;
mod order;
mod root;
mod table;

pub use alphabeta::AlphaBeta;
pub use foresee::Foresight;
pub use minimax::{Minimax, OnePly};
pub use mtdf::Mtdf;

//! What every search answers.

use crate::{Budget, Error, Verdict, Watch};
use ludens_machine::{RoleId, State};

/// What a search may use beyond its budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Threads that search at the same time.
    pub threads: usize,
    /// The most memory that it remembers things in, in bytes.
    pub memory: usize,
    /// The same seed, with one thread and a budget of simulations or nodes, gives the same answer.
    pub seed: u64,
    /// Joint moves after which a random match is given up.
    pub max_plies: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { threads: 1, memory: 512 << 20, seed: 1, max_plies: 1000 }
    }
}

/// A way to choose moves in one match: it may remember from move to move what it found out.
pub trait Search: Send {
    /// Looks for the best move of a role until the budget is used up, something outside says stop, or the answer is certain.
    ///
    /// # Errors
    /// If the engine meets a limit, or the position has no move to choose: the match is over there, or a role is stuck.
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error>;

    /// Thinks on others' time about what may follow a position in which a role has nothing to choose, until something outside says stop. What it finds out
    /// is remembered for its own moves. A search that remembers nothing returns at once.
    ///
    /// # Errors
    /// As those of [`think`](Search::think).
    fn ponder(&mut self, _position: &State, _role: RoleId, _watch: &Watch<'_>) -> Result<(), Error> {
        Ok(())
    }
}

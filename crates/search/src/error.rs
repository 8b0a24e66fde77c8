//! Why there is no answer.

/// Why a search has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The engine could not go on.
    #[error(transparent)]
    Machine(#[from] ludens_machine::Error),
    /// There is nothing to choose.
    #[error("the match is over: there is no move to choose")]
    Over,
    /// Somebody has nothing to choose.
    #[error("{role} has no legal move here, and the match is not over")]
    Stuck {
        /// The role's name.
        role: String,
    },
    /// A search for games of one role was asked to play another.
    #[error("this search is for games of one role, and the game has {roles}")]
    NotAlone {
        /// How many roles the game has.
        roles: usize,
    },
}

//! Why a machine could not be built or could not go on, and the limits that stop it.

/// What a machine may use. Every limit ends in an [`Error`], never in a crash; the defaults fit a laptop and every public sheet.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Ground terms known at once.
    pub terms: usize,
    /// Bytes of tables (answers, indexes) of one [`Lanes`](crate::Lanes).
    pub bytes: usize,
    /// Plan steps for one question (terminal, legal, next or goal of one state).
    pub steps: u64,
    /// Plan steps spent in advance on static relations and on the profile.
    pub setup_steps: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { terms: 8_000_000, bytes: 1 << 30, steps: 200_000_000, setup_steps: 50_000_000 }
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A limit was reached.
    #[error("the {what} limit of {limit} was reached while computing `{relation}`")]
    Limit {
        /// Which field of [`Limits`].
        what: &'static str,
        /// Its value.
        limit: u64,
        /// What was being computed.
        relation: String,
    },
    /// A negation met a relation that is still being computed: the sheet is not stratified.
    #[error("`{relation}` is asked under `not` while it is still being computed: the rules define it through its own negation")]
    Unstratified {
        /// The relation under `not`.
        relation: String,
    },
    /// A rule cannot be ordered so that every variable is known when it is needed.
    #[error("`{relation}` has a rule whose variables cannot all be bound")]
    Unsafe {
        /// The relation of the head.
        relation: String,
    },
    /// The rules could not be grounded.
    #[error("the rules cannot be grounded: {0}")]
    Ground(#[from] ludens_ground::Error),
    /// A text that is not a ground term of this game.
    #[error("`{}` is not a {what} of this game", ludens_gdl::legible(text))]
    Unknown {
        /// "move", "fluent" or "role".
        what: &'static str,
        /// The text as given.
        text: String,
    },
}

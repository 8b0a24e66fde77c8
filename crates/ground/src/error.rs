//! Why a sheet could not be grounded, and the limits that say when to give up.

/// What grounding may use. Going over any of them is an [`Error::Limit`] that names it.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Ground terms known at once; also the parts of terms that equations put into rules.
    pub terms: usize,
    /// Ground atoms of all relations.
    pub atoms: usize,
    /// Rule instances of all rules.
    pub instances: usize,
    /// Conditions of all rule instances together.
    pub fan_in: usize,
    /// Rows looked at while joining, and conditions weighed while planning: the measure of time.
    pub steps: u64,
    /// Bytes of terms, tables, indexes, instances and gates together, estimated.
    pub bytes: usize,
    /// No limit but a measure of effort: a relation that cannot have more rows is worked out whole, not on demand.
    pub whole: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            terms: 4_000_000,
            atoms: 4_000_000,
            instances: 8_000_000,
            fan_in: 40_000_000,
            steps: 400_000_000,
            bytes: 1 << 30,
            whole: 5_000,
        }
    }
}

/// Why there is no net.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A limit was reached.
    #[error("the {what} limit of {limit} was reached{}", culprit.as_ref().map_or_else(String::new, |text| format!("; most of it is due to {text}")))]
    Limit {
        /// Which field of [`Limits`], or `depth` where equations nest terms deeper than [`ludens_gdl::Limits::MAX_DEPTH`].
        what: &'static str,
        /// Its value.
        limit: u64,
        /// The rule of the sheet that has grown most, or for `steps` the one that has taken most, and how far: its text, cut where it is long.
        culprit: Option<String>,
    },
    /// An atom depends on its own negation.
    #[error("`{atom}` depends on its own negation")]
    Unstratified {
        /// One of the atoms in the circle.
        atom: String,
    },
    /// A rule cannot be ordered so that every variable is known when it is needed.
    #[error("a rule of `{relation}` has variables that cannot all be bound")]
    Unsafe {
        /// The relation of the head.
        relation: String,
    },
}

impl Error {
    pub(crate) fn limit(what: &'static str, limit: u64) -> Error {
        Error::Limit { what, limit, culprit: None }
    }
}

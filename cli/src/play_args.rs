//! The options of all commands that play random matches.

/// Where chance starts, and where a match is given up.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct PlayArgs {
    /// The same seed gives the same matches.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Break a match off after this many joint moves.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) max_plies: usize,
}

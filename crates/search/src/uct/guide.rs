//! How an evaluation function guides the search.

/// What an evaluation function is used for. Without one, for nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guidance {
    /// Implicit minimax back-ups: how much the guess of an edge, which is backed up by the best move, weighs against the mean of its visits; 0 is off.
    pub minimax: f32,
    /// The four uses of Guided UCT.
    pub uses: Uses,
    /// With `init`: how many visits the guess counts for.
    pub visits: f32,
    /// Progressive bias: how much the guess of an edge adds that has had no visit; with `n` visits it is `n + 1` times less.
    pub bias: f32,
    /// With `cutoff`: how likely a playout ends at each step.
    pub cutoff: f32,
    /// With `cutoff`: the number of steps after which every playout ends, in place of chance.
    pub length: Option<u32>,
    /// With `rollout`: how many points make a move *e* times as likely; 0 is the best move.
    pub temperature: f32,
    /// With `rollout`: how often a move is left to chance all the same.
    pub chance: f32,
}

/// The four uses of Guided UCT, freely mixed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // any of them may go together
pub struct Uses {
    /// Playouts may end early, and the evaluation stands for their result.
    pub cutoff: bool,
    /// Moves that nobody has tried are tried in the order of their evaluation.
    pub order: bool,
    /// Statistics of a move start from its evaluation.
    pub init: bool,
    /// Playouts prefer moves to positions that the evaluation likes.
    pub rollout: bool,
}

impl Guidance {
    /// An evaluation function that is used for nothing.
    pub const NONE: Guidance = Guidance {
        minimax: 0.0,
        uses: Uses { cutoff: false, order: false, init: false, rollout: false },
        visits: 4.0,
        bias: 0.0,
        cutoff: 0.1,
        length: None,
        temperature: 5.0,
        chance: 0.2,
    };

    /// Whether edges have guesses.
    pub(super) fn needs_guesses(&self) -> bool {
        self.minimax > 0.0 || self.bias > 0.0 || self.uses.init || self.uses.order
    }

    /// What selection makes of guesses, if anything.
    pub(super) fn weights(&self) -> Option<Weights> {
        let Uses { init, order, .. } = self.uses;
        self.needs_guesses().then_some(Weights {
            minimax: self.minimax,
            visits: if init { self.visits } else { 0.0 },
            order,
            bias: self.bias,
        })
    }
}

impl Default for Guidance {
    fn default() -> Guidance {
        Guidance::NONE
    }
}

/// What selection makes of guesses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    pub(super) minimax: f32,
    /// Visits that the first guess counts for.
    pub(super) visits: f32,
    pub(super) order: bool,
    pub(super) bias: f32,
}

//! What a search looks for, and what it finds.

/// What a search found out about a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// The points of the role, or a bound outside of the window asked for.
    pub(super) value: f32,
    /// Whether it certainly has at least as many.
    pub(super) low: bool,
    /// Whether it certainly has at most as many.
    pub(super) high: bool,
}

impl Found {
    /// Whether there is nothing more to find out.
    pub(super) fn is_proven(self) -> bool {
        self.low && self.high
    }
}

/// The values that matter: between these the search is exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: f32,
    pub(super) beta: f32,
}

impl Window {
    /// Everything matters.
    pub(super) const OPEN: Window = Window { alpha: f32::NEG_INFINITY, beta: f32::INFINITY };

    /// Whether some number lies strictly between.
    pub(super) fn is_wide(self) -> bool {
        self.alpha.next_up() < self.beta
    }

    pub(super) fn contains(self, value: f32) -> bool {
        self.alpha < value && value < self.beta
    }
}

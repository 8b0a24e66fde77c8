//! How alpha-beta and MTD(f) go about it.

/// How alpha-beta and MTD(f) go about it. What a search finds does not depend on the switches, but for `deeper`, `calm`, `narrow` and
/// `cut`; how long it takes does.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools)] // Switches: any combination makes sense.
pub struct Options {
    /// Joint moves to look ahead at most; more than [`Options::DEEPEST`] are not.
    pub depth: u32,
    /// Alpha-beta expects the value within so many points of the last one, and searches anew where it is not. `None`: it expects nothing.
    pub aspiration: Option<f32>,
    /// The width of MTD(f)'s windows, in points.
    pub eps: f32,
    /// MTD(f) begins at the last value instead of in the middle.
    pub guess: bool,
    /// Remember positions.
    pub table: bool,
    /// Use what is remembered of a deeper search where a shallower one would do. The value may then differ from that of plain minimax.
    pub deeper: bool,
    /// Look first at moves that refuted a sibling.
    pub killers: bool,
    /// Look first at moves that were good elsewhere.
    pub history: bool,
    /// Look first at moves that the evaluator likes.
    pub scores: bool,
    /// Make the children of several siblings at once, as soon as it seems that all of those will be looked at.
    pub sweep: bool,
    /// Go on beyond the depth where the best leaf differs from its node by more than so many points (of a node with 50; less is enough near 0 and 100). `None`:
    /// nothing is followed. Needs `scores`.
    pub calm: Option<f32>,
    /// Look at moves alone that win at once, where there are any, and else at those that let nobody else win at once; where there is only one such, it does not
    /// count as depth. In games of two roles in which that is easily told.
    pub narrow: bool,
    /// A shallow search spares a deep one where it is so many standard errors off the window, for who has [`Foresight`](super::Foresight); with 0, never.
    /// Needs `scores`.
    pub cut: f32,
    /// Ask of later moves first whether they are better at all: principal variation search.
    pub scout: bool,
}

impl Options {
    /// The greatest depth.
    pub const DEEPEST: u32 = 250;
}

impl Default for Options {
    fn default() -> Options {
        Options {
            depth: Options::DEEPEST,
            aspiration: Some(10.0),
            eps: 0.1,
            guess: true,
            table: true,
            deeper: true,
            killers: true,
            history: true,
            scores: true,
            sweep: true,
            scout: true,
            calm: None,
            narrow: true,
            cut: 0.0,
        }
    }
}

//! What a search found out.

use ludens_machine::MoveId;
use std::time::Duration;

/// What is certain about the points of a role, if every role plays as well as it can from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// It has at least so many.
    pub low: u8,
    /// And at most so many.
    pub high: u8,
}

impl Bounds {
    /// Nothing is certain.
    pub const OPEN: Bounds = Bounds { low: 0, high: 100 };

    /// Certain to the point.
    pub fn exact(points: u8) -> Bounds {
        Bounds { low: points, high: points }
    }

    /// The points, if they are certain.
    pub fn proven(self) -> Option<u8> {
        (self.low == self.high).then_some(self.low)
    }
}

/// What was found out about one legal move.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveReport {
    /// The move.
    pub id: MoveId,
    /// How often it was tried; for searches without statistics 0 or 1.
    pub visits: u64,
    /// The points it promises to the role that moves, from 0 to 100; `None` where it was never looked at.
    pub value: Option<f64>,
    /// Half the width of a 95% confidence interval of the value, where there are statistics.
    pub error: Option<f64>,
    /// What is certain.
    pub bounds: Bounds,
}

/// A search's answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The move to play. Always legal.
    pub choice: MoveId,
    /// The points expected for every role, from 0 to 100.
    pub values: Vec<f64>,
    /// What is certain about the points of the role that was asked for.
    pub bounds: Bounds,
    /// Every legal move, the best first.
    pub moves: Vec<MoveReport>,
    /// The joint moves expected from here on.
    pub line: Vec<Vec<MoveId>>,
    /// Descents through the tree, or playouts of a search without one.
    pub simulations: u64,
    /// Random matches played.
    pub playouts: u64,
    /// Positions looked at.
    pub nodes: u64,
    /// How deep it looked everywhere, for searches that deepen step by step; else the length of the longest descent.
    pub depth: u32,
    /// Memory in use for what is remembered, in bytes.
    pub memory: u64,
    /// Of the time on the wall, what the engine took, summed up over all threads; `None` where that was not measured.
    pub engine: Option<Duration>,
    /// CPU time of all threads.
    pub cpu: Duration,
    /// Time on the wall.
    pub wall: Duration,
}

impl Verdict {
    /// The answer where nothing was looked at yet: the first legal move.
    pub fn first(legal: &[MoveId], roles: usize) -> Option<Verdict> {
        let report = |&id: &MoveId| MoveReport { id, visits: 0, value: None, error: None, bounds: Bounds::OPEN };
        Some(Verdict {
            choice: *legal.first()?,
            values: vec![50.0; roles],
            bounds: Bounds::OPEN,
            moves: legal.iter().map(report).collect(),
            line: Vec::new(),
            simulations: 0,
            playouts: 0,
            nodes: 0,
            depth: 0,
            memory: 0,
            engine: None,
            cpu: Duration::ZERO,
            wall: Duration::ZERO,
        })
    }
}

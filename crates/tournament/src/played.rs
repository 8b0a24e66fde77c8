//! A match that has ended, and what it counts.

use crate::mean;
use serde::{Deserialize, Serialize};

/// Of the time on the wall in which its players thought, a match has at least this share of CPU time; else something else had the processor.
pub const FAIR_SHARE: f64 = 0.8;

/// Seconds of thinking below which shares say nothing.
const TOO_SHORT: f64 = 0.02;

/// A match between two players. Lists of two are for the two of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The same for the same match of the same players under the same conditions.
    pub id: String,
    /// 0; from 1 on where it was played again.
    #[serde(default)]
    pub attempt: u32,
    /// The game's name.
    pub game: String,
    /// The names of both.
    pub players: [String; 2],
    /// What a move might cost.
    pub budget: String,
    /// Where chance started in the whole contest.
    pub seed: u64,
    /// Which pair it belongs to.
    pub pair: u32,
    /// Whether the places were exchanged.
    pub second: bool,
    /// For every role, which of the players it was: 0 or 1.
    pub seats: Vec<usize>,
    /// The joint moves at the beginning, one move per role.
    pub opening: Vec<Vec<String>>,
    /// All joint moves, those of the opening included.
    pub plies: u64,
    /// The points of every role; empty where somebody forfeited the match.
    pub points: Vec<u8>,
    /// Moves thought about.
    pub thoughts: [u64; 2],
    /// What thinking took.
    pub cpu_seconds: [f64; 2],
    /// The same on the wall.
    #[serde(default)]
    pub wall_seconds: [f64; 2],
    /// Descents through trees, or random matches.
    pub simulations: [u64; 2],
    /// Positions looked at.
    pub nodes: [u64; 2],
    /// Why it was lost without being played to its end.
    #[serde(default)]
    pub forfeits: Vec<Forfeit>,
    /// Whether the limits are times, so that it matters whether the processor was there.
    #[serde(default)]
    pub is_timed: bool,
}

/// A match that a player lost by a fault of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forfeit {
    /// Which of the two.
    pub player: usize,
    /// What it did.
    pub kind: ForfeitKind,
    /// At which joint move.
    pub ply: u64,
    /// In more words.
    pub text: String,
}

/// What a player did wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForfeitKind {
    /// It broke down, or was not there.
    Crash,
    /// Its move was not legal, or not a move.
    IllegalMove,
    /// It took far longer than it might.
    TimeOut,
}

impl ForfeitKind {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            ForfeitKind::Crash => "crash",
            ForfeitKind::IllegalMove => "illegal move",
            ForfeitKind::TimeOut => "time-out",
        }
    }
}

impl Played {
    /// The score of each player from 0 to 1; none for one that has no role. Who forfeits a match has 0, and who does not has 1.
    pub fn scores(&self) -> [Option<f64>; 2] {
        [0, 1].map(|player| {
            if !self.seats.contains(&player) {
                return None;
            }
            if !self.forfeits.is_empty() {
                return Some(if self.forfeits.iter().any(|forfeit| forfeit.player == player) { 0.0 } else { 1.0 });
            }
            let own = self.seats.iter().zip(&self.points).filter(|&(&seat, _)| seat == player);
            mean(&own.map(|(_, &points)| f64::from(points) / 100.0).collect::<Vec<_>>())
        })
    }

    /// The share of CPU time in the time on the wall while players thought; `None` where they hardly did.
    pub fn share(&self) -> Option<f64> {
        let wall: f64 = self.wall_seconds.iter().sum();
        (wall > TOO_SHORT).then(|| self.cpu_seconds.iter().sum::<f64>() / wall)
    }

    /// Whether the players did not get the processor for their share of the time.
    pub fn is_starved(&self) -> bool {
        self.is_timed && self.share().is_some_and(|share| share < FAIR_SHARE)
    }

    /// Whether what was read from a file is a match that can be counted.
    pub(crate) fn is_sound(&self) -> bool {
        let has_points = self.points.len() == self.seats.len() || !self.forfeits.is_empty();
        let has_points = has_points && self.points.iter().all(|&points| points <= 100);
        has_points && self.seats.iter().chain(self.forfeits.iter().map(|forfeit| &forfeit.player)).all(|&seat| seat < 2)
    }
}

/// Which of several attempts at one match counts, given in their order: the first whose players had the processor, or the last if it may not be played again.
/// Results have no part in it. `None` where another attempt has to be made.
pub fn settled(attempts: &[Played], replays: u32) -> Option<&Played> {
    attempts.iter().find(|played| !played.is_starved()).or_else(|| attempts.get(replays as usize))
}

#[cfg(test)]
mod tests {
    use super::{Forfeit, ForfeitKind, Played, settled};

    fn played(share: f64) -> Played {
        Played {
            seats: vec![0, 1],
            points: vec![100, 0],
            cpu_seconds: [share, share],
            wall_seconds: [1.0; 2],
            is_timed: true,
            ..Played::default()
        }
    }

    #[test]
    fn who_forfeits_a_match_loses_it() {
        let mut match_ = played(1.0);
        assert_eq!(match_.scores(), [Some(1.0), Some(0.0)]);
        let forfeit = |player| Forfeit { player, kind: ForfeitKind::Crash, ply: 3, text: String::new() };
        match_.forfeits = vec![forfeit(0)];
        assert_eq!(match_.scores(), [Some(0.0), Some(1.0)]);
        match_.forfeits.push(forfeit(1));
        assert_eq!(match_.scores(), [Some(0.0), Some(0.0)]);
        match_.seats = vec![1];
        assert_eq!(match_.scores(), [None, Some(0.0)]);
    }

    #[test]
    fn which_attempt_counts_does_not_depend_on_who_won() {
        let (good, starved) = (played(0.9), played(0.5));
        assert!(settled(&[], 2).is_none());
        assert_eq!(settled(std::slice::from_ref(&good), 2), Some(&good));
        assert_eq!(settled(std::slice::from_ref(&starved), 2), None);
        assert_eq!(settled(std::slice::from_ref(&starved), 0), Some(&starved));
        assert_eq!(settled(&[starved.clone(), good.clone()], 2), Some(&good));
        let last = Played { attempt: 2, ..starved.clone() };
        assert_eq!(settled(&[starved.clone(), starved.clone(), last.clone()], 2), Some(&last));
        // Counted work is the same on a busy machine.
        let counted = Played { is_timed: false, ..starved };
        assert_eq!(settled(std::slice::from_ref(&counted), 2), Some(&counted));
        // And who hardly thought cannot have been kept from it.
        assert!(!Played { wall_seconds: [0.001; 2], cpu_seconds: [0.0; 2], ..good }.is_starved());
    }
}

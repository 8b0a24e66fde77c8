//! Why there is no evaluation function.

use ludens_machine::Error;
use std::fmt;

/// Why a method found no function. The game can be played all the same.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// States are not made of bits: the game was too large to be grounded.
    NotGrounded,
    /// No random match came to an end within the limit.
    NoEnds,
    /// Every match ended with the same points for a role: nothing tells good from bad.
    Constant {
        /// The role.
        role: String,
        /// The points it always had.
        points: u8,
    },
    /// There is nothing to count that varies and goes with the points of a role.
    NoFeatures {
        /// The role.
        role: String,
    },
    /// Nothing that can be counted tells how far a match has come.
    NoPhase,
    /// Nearly all random matches end at once: no positions come one after the other.
    TooShort,
    /// Time ran out before enough was seen.
    NoTime,
    /// The rules are at fault.
    Rules(Error),
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotGrounded => write!(out, "the game is too large for features to be counted in its states"),
            Refusal::NoEnds => write!(out, "no random match came to an end"),
            Refusal::Constant { role, points } => {
                write!(out, "all random matches end with {points} points for {role}: nothing tells good from bad")
            }
            Refusal::NoFeatures { role } => write!(out, "nothing that can be counted goes with the points of {role}"),
            Refusal::NoPhase => write!(out, "nothing that can be counted tells how far a match has come"),
            Refusal::TooShort => write!(out, "random matches end at once: there is nothing to see in them"),
            Refusal::NoTime => write!(out, "there was too little time to see enough matches"),
            Refusal::Rules(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::Rules(error)
    }
}

//! Who plays: the paper's players, those of ours beside them, and whom they meet.

use anyhow::Result;
use ludens_tournament::Contender;
use serde::{Deserialize, Serialize};

/// Simulations as the paper has them: one descent, one playout, no more.
const ONE_BY_ONE: &str = "leaves=1,playouts=1,fill=off";

/// UCB1, and nothing else that chooses.
const UCT: &str = "uct:c=0.35,history=0,urgency=0,decisive=off,practice=off";

/// UCT whose playouts are cut off, as in the paper's experiments.
const CUT_OFF: &str = "guct:minimax=0,use=cutoff,decisive=off,practice=off";

/// How simulations are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Regime {
    /// As in the paper.
    OneByOne,
    /// As our players are without options: many at once.
    Lanes,
}

impl Regime {
    pub(super) const ALL: [Regime; 2] = [Regime::OneByOne, Regime::Lanes];

    pub(super) fn title(self) -> &'static str {
        match self {
            Regime::OneByOne => "As in the paper: simulations one at a time",
            Regime::Lanes => "On lanes",
        }
    }

    /// A part of a file's name.
    pub(super) fn key(self) -> &'static str {
        match self {
            Regime::OneByOne => "one-by-one",
            Regime::Lanes => "lanes",
        }
    }

    /// A SPEC with what makes it play so.
    fn apply(self, spec: &str) -> String {
        match self {
            Regime::OneByOne if spec.contains(':') => format!("{spec},{ONE_BY_ONE}"),
            Regime::OneByOne => format!("{spec}:{ONE_BY_ONE}"),
            Regime::Lanes => spec.to_owned(),
        }
    }
}

/// Whom others meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Opponent {
    Uct,
    /// With several threads.
    UctThreads,
    Guct,
    /// With several threads.
    GuctThreads,
    /// GUCT with the null heuristic.
    Null,
}

impl Opponent {
    pub(super) const ALL: [Opponent; 5] =
        [Opponent::Uct, Opponent::UctThreads, Opponent::Guct, Opponent::GuctThreads, Opponent::Null];

    pub(super) fn title(self) -> &'static str {
        match self {
            Opponent::Uct => "UCT",
            Opponent::UctThreads => "UCT of many threads",
            Opponent::Guct => "GUCT",
            Opponent::GuctThreads => "GUCT of many threads",
            Opponent::Null => "GUCT with the null heuristic",
        }
    }

    pub(super) fn spec(self, regime: Regime) -> String {
        match self {
            Opponent::Uct | Opponent::UctThreads => regime.apply(UCT),
            Opponent::Guct | Opponent::GuctThreads => Player::Guct.spec(regime),
            Opponent::Null => regime.apply(&format!("{CUT_OFF},eval=null")),
        }
    }

    /// CPU time is counted, so that several threads are several times the limits.
    pub(super) fn contender(self, regime: Regime, threads: f64) -> Result<Contender> {
        let mut contender = Contender::new(&self.spec(regime))?;
        if matches!(self, Opponent::UctThreads | Opponent::GuctThreads) {
            contender.times = threads;
            contender.name = contender.identity();
        }
        Ok(contender)
    }
}

/// Who is to show what it can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Player {
    /// The paper's.
    Guct,
    /// The paper's.
    Mtdf,
    /// Ours: a learned function and implicit minimax.
    Learned,
    /// Ours: chooses its search.
    Auto,
}

impl Player {
    /// Ours.
    pub(super) const OURS: [Player; 2] = [Player::Learned, Player::Auto];

    pub(super) fn title(self) -> &'static str {
        match self {
            Player::Guct => "GUCT",
            Player::Mtdf => "MTD(f)",
            Player::Learned => "`guct` (ours)",
            Player::Auto => "`auto` (ours)",
        }
    }

    /// Ours play as they always do.
    pub(super) fn spec(self, regime: Regime) -> String {
        match self {
            Player::Guct => regime.apply(&format!("{CUT_OFF},eval=guided")),
            Player::Mtdf => "mtdf:eval=guided,narrow=off".to_owned(),
            Player::Learned => "guct".to_owned(),
            Player::Auto => "auto".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Opponent, Player, Regime};

    #[test]
    fn all_are_players_and_no_two_who_meet_are_the_same() {
        for regime in Regime::ALL {
            for opponent in Opponent::ALL {
                let name = opponent.contender(regime, 4.0).expect("a player").name;
                for player in [Player::Mtdf, Player::Learned, Player::Auto] {
                    let spec = player.spec(regime);
                    assert_ne!(ludens_tournament::Contender::new(&spec).expect("a player").name, name);
                }
            }
        }
        assert_eq!(
            Opponent::UctThreads.contender(Regime::Lanes, 4.0).expect("a player").name,
            "uct:c=0.35,history=0,urgency=0,decisive=off,practice=off x4"
        );
        assert_eq!(
            Opponent::Uct.spec(Regime::OneByOne),
            "uct:c=0.35,history=0,urgency=0,decisive=off,practice=off,leaves=1,playouts=1,fill=off"
        );
    }
}

//! Matches until it is clear who is better.

use anyhow::{Context, Result, bail};
use ludens_tournament::{Decision, Played, Slot, Sprt, pair_score};
use serde::Serialize;
use std::collections::BTreeMap;

/// Two claims, as `--sprt` has them: `0,30`.
pub(crate) fn claims(text: &str) -> Result<Sprt> {
    let number = |part: &str| part.trim().parse::<f64>().ok().filter(|number| number.is_finite() && number.abs() <= 2000.0);
    let (low, high) = text.split_once(',').context("two numbers, as in 0,30")?;
    match (number(low), number(high)) {
        (Some(low), Some(high)) if low < high => Ok(Sprt::new(low, high)),
        (Some(_), Some(_)) => bail!("the second must be more than the first"),
        _ => bail!("points of a rating, as in 0,30"),
    }
}

/// Pairs as they are completed, taken in the order in which they were to be played, so that who is quick does not decide.
#[derive(Debug)]
pub(super) struct Sequential {
    sprt: Sprt,
    games: usize,
    /// Matches of pairs that are not yet taken; `None` where one failed.
    waiting: BTreeMap<usize, Vec<Option<Played>>>,
    /// Scores of pairs that are.
    scores: Vec<f64>,
    taken: usize,
    decision: Decision,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SprtReport {
    elo0: f64,
    elo1: f64,
    pairs: usize,
    /// The logarithm of how much likelier the second claim makes what was seen, and where it decides.
    ratio: f64,
    bounds: [f64; 2],
    /// `better`, `not better` or `open`.
    pub(crate) decision: &'static str,
}

impl Sequential {
    pub(super) fn new(sprt: Sprt, games: usize) -> Sequential {
        Sequential { sprt, games, waiting: BTreeMap::new(), scores: Vec::new(), taken: 0, decision: Decision::Open }
    }

    fn place(&self, slot: Slot) -> usize {
        slot.pair as usize * self.games + slot.game
    }

    /// Takes note of a match, or that it failed; says whether enough has been played.
    pub(super) fn add(&mut self, slot: Slot, played: Option<&Played>) -> bool {
        let place = self.place(slot);
        self.waiting.entry(place).or_default().push(played.cloned());
        while self.decision == Decision::Open && self.waiting.get(&self.taken).is_some_and(|both| both.len() == 2) {
            let both = self.waiting.remove(&self.taken).unwrap_or_default();
            self.taken += 1;
            let both: Option<Vec<Played>> = both.into_iter().collect();
            if let Some(score) = both.and_then(|both| pair_score(&both.iter().collect::<Vec<_>>())) {
                self.scores.push(score);
                self.decision = self.sprt.decide(&self.scores);
            }
        }
        self.decision != Decision::Open
    }

    /// Whether a match has a part in the decision.
    pub(super) fn has_a_part(&self, slot: Slot) -> bool {
        self.decision == Decision::Open || self.place(slot) < self.taken
    }

    pub(super) fn report(&self) -> SprtReport {
        SprtReport {
            elo0: self.sprt.elo0,
            elo1: self.sprt.elo1,
            pairs: self.scores.len(),
            ratio: self.sprt.ratio(&self.scores),
            bounds: self.sprt.bounds(),
            decision: match self.decision {
                Decision::Better => "better",
                Decision::NotBetter => "not better",
                Decision::Open => "open",
            },
        }
    }
}

impl SprtReport {
    pub(crate) fn text(&self, first: &str) -> String {
        let SprtReport { elo0, elo1, pairs, ratio, bounds: [low, high], decision } = self;
        let what = match *decision {
            "better" => format!("{first} is better, by {elo1:+} rather than {elo0:+} Elo"),
            "not better" => format!("{first} is not better: {elo0:+} rather than {elo1:+} Elo"),
            _ => format!("it is open whether {first} is better by {elo0:+} or {elo1:+} Elo"),
        };
        format!("after {pairs} pairs {what}; ratio {ratio:+.2}, {low:+.2} and {high:+.2} decide\n")
    }
}

//! The abstract model of a game, and the evaluator that it makes.

use crate::Evaluator;
use crate::function::{Account, Function, Link};
use crate::linear::{Linear, Sums};
use crate::vocabulary::Vocabulary;
use ludens_machine::{Error, Lanes, Machine, Random};
use std::fmt::Write;

/// A game reduced to payoff, control and termination.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// Per role.
    pub roles: Vec<Aspects>,
    /// Random matches that it was made from.
    pub matches: usize,
    /// Features that were looked at.
    pub candidates: usize,
}

/// What the game is for one role.
#[derive(Clone, Debug, PartialEq)]
pub struct Aspects {
    /// P: points from 0 to 100 if the match ended here. Without terms where nothing that is stable goes with the points.
    pub payoff: Account,
    /// C: from -1 to 1, how much more there is to choose from than all others have. Without terms where nothing that is stable
    /// goes with it.
    pub control: Account,
    /// T: from 0 to 1, how likely it is that the match is over.
    pub termination: Account,
    /// `S_P`: the stability of the payoff, as a share of both.
    pub payoff_stability: f64,
    /// `S_C`: the stability of the control, as a share of both.
    pub control_stability: f64,
}

impl Aspects {
    /// The value of the lottery: with probability T the match ends with P points, else control or payoff decide, as their
    /// stabilities say.
    pub fn value(&self, payoff: f64, control: f64, termination: f64) -> f64 {
        lottery([payoff, control, termination], [self.payoff_stability, self.control_stability])
    }
}

/// What the lottery makes of a position whose termination is known: a sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weights {
    /// What a point of payoff counts for.
    pub(crate) payoff: f64,
    /// What control over all counts for.
    pub(crate) control: f64,
    /// What even control is worth.
    pub(crate) even: f64,
}

impl Aspects {
    /// What payoff and control count for where termination is as likely as this.
    pub(crate) fn weights(&self, termination: f64) -> Weights {
        weights(termination, [self.payoff_stability, self.control_stability])
    }
}

fn weights(termination: f64, [of_payoff, of_control]: [f64; 2]) -> Weights {
    let goes_on = 1.0 - termination;
    let control = goes_on * 50.0 * of_control;
    Weights { payoff: termination + goes_on * of_payoff, control, even: control }
}

fn lottery([payoff, control, termination]: [f64; 3], stabilities: [f64; 2]) -> f64 {
    let weights = weights(termination.clamp(0.0, 1.0), stabilities);
    (weights.payoff * payoff + weights.control * control + weights.even).clamp(0.0, 100.0)
}

impl Model {
    /// Prepares it for searches.
    pub fn evaluator(&self, machine: &Machine, vocabulary: &Vocabulary) -> impl Evaluator + use<> {
        let roles = machine.roles().len();
        let parts = self.roles.iter().flat_map(|aspects| [&aspects.payoff, &aspects.control, &aspects.termination]);
        let sums: Vec<Linear> = parts.map(|account| account.linear(vocabulary, roles)).collect();
        let stabilities = self.roles.iter().map(|aspects| [aspects.payoff_stability, aspects.control_stability]).collect();
        Lottery { sums: Sums::new(&sums, machine.initial().words()), stabilities }
    }

    /// One of its three parts for all roles, as a function that can be printed: 0 is the payoff, 1 the control, 2 the
    /// termination.
    pub fn part(&self, part: usize) -> Function {
        let account = |aspects: &Aspects| match part {
            0 => aspects.payoff.clone(),
            1 => aspects.control.clone(),
            _ => aspects.termination.clone(),
        };
        Function {
            method: "clune",
            roles: self.roles.iter().map(account).collect(),
            link: Link::Points,
            phase: None,
            candidates: self.candidates,
        }
    }

    /// All of it, to be read.
    pub fn text(&self, machine: &Machine, vocabulary: &Vocabulary) -> String {
        let mut text = String::new();
        for (role, aspects) in machine.roles().zip(&self.roles) {
            let _ = writeln!(
                text,
                "{}: payoff stability {:.3}, control stability {:.3}",
                machine.role_name(role),
                aspects.payoff_stability,
                aspects.control_stability
            );
            for (name, account) in
                [("payoff", &aspects.payoff), ("control", &aspects.control), ("termination", &aspects.termination)]
            {
                let _ = writeln!(text, "  {name} = {:.3}", account.constant);
                for term in &account.terms {
                    let feature = &term.feature;
                    let (expression, reading) = (feature.text(vocabulary, machine), feature.reading(vocabulary, machine));
                    let _ = writeln!(text, "    {:+.4}  {expression}  {reading}", term.weight);
                }
            }
        }
        text
    }
}

/// A [`Model`] that searches can ask.
#[derive(Debug)]
struct Lottery {
    /// Per role: payoff, control, termination.
    sums: Sums,
    stabilities: Vec<[f64; 2]>,
}

impl Evaluator for Lottery {
    fn name(&self) -> &'static str {
        "clune"
    }

    fn reads_moves(&self) -> bool {
        false
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, _: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        let roles = self.stabilities.len();
        let mut sums = vec![0.0; count * self.sums.count()];
        self.sums.of_lanes(lanes, count, &mut sums);
        let all = sums.chunks_exact(3).zip(self.stabilities.iter().cycle());
        for (score, (sums, stabilities)) in scores[..count * roles].iter_mut().zip(all) {
            let sums = [f64::from(sums[0]), f64::from(sums[1]), f64::from(sums[2])];
            *score = lottery(sums, *stabilities) as f32;
        }
        Ok(())
    }
}

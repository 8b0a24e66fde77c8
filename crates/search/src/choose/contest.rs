//! Short matches between two players.

use crate::simple::legal_moves;
use crate::spec::Ready;
use crate::{Budget, Error, Search, Settings, Watch};
use ludens_machine::{Machine, MoveId, Random, RoleId, State};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Random joint moves at the beginning of a match.
const OPENING: usize = 2;

/// How matches between two players ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// Who they were.
    pub players: [String; 2],
    /// Matches that were played.
    pub matches: u32,
    /// What the first player had of them: 1 for all the points of a match, 0.5 for as many as the others.
    pub score: f64,
    /// Why it was broken off, if it was: the rules could not be followed any further.
    pub failure: Option<String>,
}

/// `uct 1.5 : 6.5 guct`.
impl fmt::Display for Contest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contest { players: [one, other], matches, score, failure } = self;
        if let Some(failure) = failure {
            return write!(out, "matches of {one} and {other} were broken off: {failure}");
        }
        // Shares of points add up to numbers with long tails.
        let told = |score: f64| (score * 100.0).round() / 100.0;
        write!(out, "{one} {} : {} {other}", told(*score), told(f64::from(*matches) - score))
    }
}

/// Where contests are held.
#[derive(Debug)]
pub(super) struct Ring<'a> {
    pub(super) machine: &'a Machine,
    pub(super) settings: Settings,
    /// Whether the two matches of a pair are played at the same time.
    pub(super) at_once: bool,
    pub(super) watch: Watch<'a>,
    /// Matches that are not over after so many joint moves are drawn.
    pub(super) plies: u64,
}

/// What matches may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// A move.
    pub(super) each: Budget,
    /// CPU time of a match.
    pub(super) cpu: Option<Duration>,
    /// All must be over at this time on the wall.
    pub(super) until: Option<Duration>,
}

impl Allowance {
    fn is_used_up(self, watch: &Watch<'_>, cpu: Duration) -> bool {
        watch.stop.load(Relaxed)
            || self.cpu.is_some_and(|most| cpu >= most)
            || self.until.is_some_and(|until| watch.clock.wall() >= until)
    }
}

/// How the two matches of a pair ended, and the CPU time they took.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// What the first player had of both, or nothing where they were not played to their end: that would favour one of the places.
    pub(super) score: Option<f64>,
    pub(super) cpu: Duration,
}

/// How a match ended, and the CPU time it took.
struct Ended {
    /// The share of the first player, or that there is nothing to tell.
    score: Option<f64>,
    cpu: Duration,
}

impl Ring<'_> {
    /// Two matches from one opening: the first player has one role in the first of them, and all others in the second.
    ///
    /// # Errors
    /// If the rules cannot be followed any further.
    pub(super) fn pair(&self, players: [&Ready; 2], number: usize, allowance: &Allowance) -> Result<Pair, Error> {
        let seed = Random::new(self.settings.seed ^ (number as u64 + 1) << 48).bits();
        let start = self.opening(seed)?;
        let roles = self.machine.roles().len();
        let play = |second: bool| {
            let places: Vec<usize> = (0..roles).map(|role| usize::from((role != number % roles) != second)).collect();
            self.play(players, &places, &start, seed ^ u64::from(second), allowance)
        };
        let both: Result<[Ended; 2], Error> = if self.at_once {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| play(true));
                let one = play(false);
                let two = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                Ok([one?, two?])
            })
        } else {
            let one = play(false)?;
            let two = if one.score.is_some() { play(true)? } else { Ended { score: None, cpu: Duration::ZERO } };
            Ok([one, two])
        };
        let [one, two] = both?;
        Ok(Pair { score: one.score.zip(two.score).map(|(one, two)| one + two), cpu: one.cpu + two.cpu })
    }

    /// A match. `places` tells for every role which of the players has it.
    fn play(
        &self,
        players: [&Ready; 2],
        places: &[usize],
        start: &State,
        seed: u64,
        allowance: &Allowance,
    ) -> Result<Ended, Error> {
        let began = self.watch.clock.cpu();
        let cpu = || self.watch.clock.cpu().saturating_sub(began);
        let settings = |role: usize| Settings { seed: seed.wrapping_add(role as u64), ..self.settings };
        // Who cannot play at all plays what comes first.
        let mut seats: Vec<Option<Box<dyn Search + '_>>> =
            places.iter().enumerate().map(|(role, &place)| players[place].build(self.machine, settings(role)).ok()).collect();
        let mut lanes = self.machine.lanes(1);
        let mut state = start.clone();
        for ply in 0.. {
            if allowance.is_used_up(&self.watch, cpu()) {
                return Ok(Ended { score: None, cpu: cpu() });
            }
            let legal = match legal_moves(self.machine, &mut lanes, &state) {
                Ok(legal) => legal,
                Err(Error::Over) => {
                    let points = self.machine.roles().map(|role| lanes.points(0, role).map(f64::from));
                    let score = share(&points.collect::<Result<Vec<f64>, _>>()?, places);
                    return Ok(Ended { score: Some(score), cpu: cpu() });
                }
                // A match that cannot go on is nobody's fault.
                Err(Error::Stuck { .. }) => break,
                Err(error) => return Err(error),
            };
            if ply >= self.plies {
                break;
            }
            let mut joint: Vec<MoveId> = Vec::new();
            for (role, moves) in legal.iter().enumerate() {
                joint.push(match (&moves[..], &mut seats[role]) {
                    (&[_, _, ..], Some(seat)) => {
                        match seat.think(&state, RoleId(role as u32), &allowance.each, &self.watch) {
                            Ok(verdict) => verdict.choice,
                            // Who has no answer has lost.
                            Err(_) => return Ok(Ended { score: Some(if places[role] == 0 { 0.0 } else { 1.0 }), cpu: cpu() }),
                        }
                    }
                    _ => moves[0],
                });
            }
            lanes.play(0, &joint);
            lanes.advance()?;
            state = lanes.state(0);
        }
        Ok(Ended { score: Some(0.5), cpu: cpu() })
    }

    /// The start, or a position a few random moves on.
    fn opening(&self, seed: u64) -> Result<State, Error> {
        let mut random = Random::new(seed);
        let mut lanes = self.machine.lanes(1);
        let mut state = self.machine.initial().clone();
        for _ in 0..OPENING {
            let legal = match legal_moves(self.machine, &mut lanes, &state) {
                Ok(legal) => legal,
                Err(Error::Over | Error::Stuck { .. }) => return Ok(self.machine.initial().clone()),
                Err(error) => return Err(error),
            };
            let joint: Vec<MoveId> = legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
            lanes.play(0, &joint);
            lanes.advance()?;
            state = lanes.state(0);
        }
        match legal_moves(self.machine, &mut lanes, &state) {
            Err(Error::Over | Error::Stuck { .. }) => Ok(self.machine.initial().clone()),
            other => other.map(|_| state),
        }
    }
}

/// What the roles of the first player have beside the others, from 0 to 1.
fn share(points: &[f64], places: &[usize]) -> f64 {
    let mean = |player: usize| {
        let own = || points.iter().zip(places).filter(|(_, place)| **place == player).map(|(points, _)| points);
        own().sum::<f64>() / own().count().max(1) as f64
    };
    0.5 + (mean(0) - mean(1)) / 200.0
}

#[cfg(test)]
mod tests {
    use super::{Contest, share};

    #[test]
    fn who_has_more_has_the_greater_share() {
        for (points, places, expected) in [
            (&[100.0, 0.0][..], &[0, 1][..], 1.0),
            (&[100.0, 0.0], &[1, 0], 0.0),
            (&[50.0, 50.0], &[0, 1], 0.5),
            (&[100.0, 0.0, 50.0], &[1, 0, 1], 0.125),
            (&[30.0, 30.0, 90.0], &[1, 1, 0], 0.8),
        ] {
            assert!((share(points, places) - expected).abs() < 1e-9, "{points:?} {places:?}");
        }
    }

    #[test]
    fn contests_are_told_in_a_few_words() {
        let contest = Contest { players: ["a".to_owned(), "b".to_owned()], matches: 8, score: 6.5, failure: None };
        assert_eq!(contest.to_string(), "a 6.5 : 1.5 b");
        let shared = Contest { matches: 1, score: 0.1 + 0.2, ..contest.clone() };
        assert_eq!(shared.to_string(), "a 0.3 : 0.7 b");
        let broken = Contest { failure: Some("it fell over".to_owned()), ..contest };
        assert_eq!(broken.to_string(), "matches of a and b were broken off: it fell over");
    }
}

//! Short matches between two players.

use crate::simple::legal_moves;
use crate::spec::Ready;
use crate::{Budget, Error, Search, Settings, Watch};
use ludens_machine::{Machine, MoveId, Random, RoleId, State};
use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// A contest is over when somebody has won so many matches more.
const LEAD: f64 = 6.0;

/// To win it a challenger must have so much more than a half: where nothing is clear all stays as it was.
const MARGIN: f64 = 1.0;

/// Random joint moves at the beginning of a match.
const OPENING: usize = 2;

/// Matches that a contest has at most.
const MOST: u32 = 40;

/// How matches between a challenger and the player that is best so far ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// Who they were.
    pub challenger: String,
    /// Who had to be beaten.
    pub champion: String,
    /// Matches that were played.
    pub matches: u32,
    /// What the challenger had of them: 1 for all the points of a match, 0.5 for as many as the others.
    pub score: f64,
    /// CPU time that the matches took.
    pub cpu: Duration,
    /// Why it was broken off, if it was: the rules could not be followed any further.
    pub failure: Option<String>,
}

impl Contest {
    /// Whether the challenger is the better player as far as the contest tells.
    pub fn is_won(&self) -> bool {
        self.failure.is_none() && self.score >= f64::from(self.matches) / 2.0 + MARGIN
    }

    fn is_decided(&self) -> bool {
        let lead = self.score * 2.0 - f64::from(self.matches);
        lead.abs() >= LEAD || self.matches >= MOST
    }
}

/// `alphabeta:eval=learned beat uct 6.5 : 1.5`.
impl fmt::Display for Contest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Contest { challenger, champion, matches, score, failure, .. } = self;
        match failure {
            Some(failure) => write!(out, "matches of {challenger} and {champion} were broken off: {failure}"),
            None if *matches == 0 => write!(out, "there was no time for matches of {challenger} and {champion}"),
            None => {
                let verb = if self.is_won() { "beat" } else { "did not beat" };
                write!(out, "{challenger} {verb} {champion} {score} : {}", f64::from(*matches) - score)
            }
        }
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
    /// What a move may take.
    pub(super) each: Duration,
    /// Matches that are not over after so many joint moves are drawn.
    pub(super) plies: u64,
}

/// What a contest may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance {
    /// CPU time of all matches.
    pub(super) cpu: Option<Duration>,
    /// It must be over at this time on the wall.
    pub(super) until: Option<Duration>,
}

impl Allowance {
    fn is_used_up(self, watch: &Watch<'_>, cpu: Duration) -> bool {
        watch.stop.load(Relaxed)
            || self.cpu.is_some_and(|most| cpu >= most)
            || self.until.is_some_and(|until| watch.clock.wall() >= until)
    }
}

/// How a match ended, and the CPU time it took.
struct Ended {
    /// The share of the challenger, or that there is nothing to tell.
    score: Option<f64>,
    cpu: Duration,
}

impl Ring<'_> {
    /// Lets two players play pairs of matches, with their places exchanged, until it is clear who is better or time is over.
    pub(super) fn hold(&self, challenger: &Ready, champion: &Ready, number: u64, allowance: Allowance) -> Contest {
        let mut contest = Contest {
            challenger: challenger.spec().to_string(),
            champion: champion.spec().to_string(),
            matches: 0,
            score: 0.0,
            cpu: Duration::ZERO,
            failure: None,
        };
        let mut random = Random::new(self.settings.seed ^ (number + 1) << 48);
        for pair in 0.. {
            if contest.is_decided() || allowance.is_used_up(&self.watch, contest.cpu) {
                break;
            }
            let seed = random.bits();
            let left = Allowance { cpu: allowance.cpu.map(|most| most.saturating_sub(contest.cpu) / 2), ..allowance };
            let played = match self.pair([challenger, champion], pair, seed, left) {
                Ok(played) => played,
                Err(failure) => {
                    contest.failure = Some(failure.to_string());
                    break;
                }
            };
            contest.cpu += played.iter().map(|ended| ended.cpu).sum();
            // A pair that was not played to its end would favour one of the places.
            let [Some(one), Some(two)] = played.map(|ended| ended.score) else { break };
            contest.matches += 2;
            contest.score += one + two;
        }
        contest
    }

    /// Two matches from one opening: the challenger has one role in the first, and all others in the second.
    fn pair(&self, players: [&Ready; 2], pair: usize, seed: u64, allowance: Allowance) -> Result<[Ended; 2], Error> {
        let start = self.opening(seed)?;
        let roles = self.machine.roles().len();
        let play = |second: bool| {
            let places: Vec<usize> = (0..roles).map(|role| usize::from((role != pair % roles) != second)).collect();
            self.play(players, &places, &start, seed ^ u64::from(second), allowance)
        };
        if !self.at_once {
            return Ok([play(false)?, play(true)?]);
        }
        std::thread::scope(|scope| {
            let other = scope.spawn(|| play(true));
            let one = play(false);
            let two = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok([one?, two?])
        })
    }

    /// A match. `places` tells for every role which of the players has it.
    fn play(
        &self,
        players: [&Ready; 2],
        places: &[usize],
        start: &State,
        seed: u64,
        allowance: Allowance,
    ) -> Result<Ended, Error> {
        let began = self.watch.clock.cpu();
        let cpu = || self.watch.clock.cpu().saturating_sub(began);
        let settings = |role: usize| Settings { seed: seed.wrapping_add(role as u64), ..self.settings };
        // Who cannot play at all plays what comes first.
        let mut seats: Vec<Option<Box<dyn Search + '_>>> =
            places.iter().enumerate().map(|(role, &place)| players[place].build(self.machine, settings(role)).ok()).collect();
        let mut lanes = self.machine.lanes(1);
        let mut state = start.clone();
        let budget = Budget { cpu: Some(self.each), ..Budget::default() };
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
                        match seat.think(&state, RoleId(role as u32), &budget, &self.watch) {
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
    use std::time::Duration;

    fn contest(matches: u32, score: f64) -> Contest {
        Contest { challenger: "a".to_owned(), champion: "b".to_owned(), matches, score, cpu: Duration::ZERO, failure: None }
    }

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
    fn a_challenger_must_win_clearly() {
        assert!(!contest(0, 0.0).is_won() && !contest(2, 1.5).is_won() && !contest(8, 4.5).is_won());
        assert!(contest(2, 2.0).is_won() && contest(8, 5.0).is_won());
        assert!(!Contest { failure: Some("it fell over".to_owned()), ..contest(4, 4.0) }.is_won());
        assert!(!contest(0, 0.0).is_decided() && !contest(4, 4.0).is_decided() && !contest(20, 12.0).is_decided());
        assert!(contest(6, 6.0).is_decided() && contest(6, 0.0).is_decided() && contest(40, 20.0).is_decided());
    }

    #[test]
    fn contests_are_told_in_a_sentence() {
        assert_eq!(contest(8, 6.5).to_string(), "a beat b 6.5 : 1.5");
        assert_eq!(contest(8, 4.0).to_string(), "a did not beat b 4 : 4");
        assert_eq!(contest(0, 0.0).to_string(), "there was no time for matches of a and b");
    }
}

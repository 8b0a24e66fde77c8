//! Who of several players is best: the one who seems so meets the one by whom most may be gained all the same.

use super::contest::{Allowance, Contest, Ring};
use super::ratings::{Estimate, Expected, Ratings};
use crate::Budget;
use crate::spec::Ready;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// Pairs of matches that there is time for: moves take as long as that allows.
pub(super) const PAIRS: u32 = 12;

/// Where moves need be no longer there are more pairs, up to so many times as many.
const MORE: u32 = 4;

/// The shortest and the longest time for a move. With less, searches are not what they are in a match; with more, too little is gained for what it takes.
const SHORTEST: Duration = Duration::from_millis(3);
const LONGEST: Duration = Duration::from_millis(20);

/// Of the time that is left, what matches still to come are meant to take: some last longer than others.
const ROOM: f64 = 0.9;

/// Where less than this may be gained by any other player, as the logarithm of odds, it is clear who is best.
const CLEAR: f64 = 0.01;

/// The first is left for another only where that one is better with at least this probability: what is expected of players is to decide among the others, not
/// where matches with the first are even.
const SURE: f64 = 0.6;

/// The time of a race.
#[derive(Clone, Copy, Debug)]
pub(super) struct Time {
    /// CPU time of all matches.
    pub(super) cpu: Option<Duration>,
    /// When it began, on the wall, and how much later it must be over.
    pub(super) began: Duration,
    pub(super) wall: Option<Duration>,
}

/// A race under way.
#[derive(Debug)]
pub(super) struct Race<'r, 'a> {
    ring: &'r Ring<'a>,
    players: &'r [Ready],
    time: Time,
    ratings: Ratings,
    /// Who cannot play the game, or cannot be followed to the end of a match.
    is_out: Vec<bool>,
    /// All who met.
    met: Vec<([usize; 2], Contest)>,
    /// CPU time of all matches so far.
    cpu: Duration,
    /// What a move may take.
    each: Budget,
    /// Pairs so far, whether they came to their end or not; the sum of what a move might take over them; and which share of the time they took.
    pairs: u32,
    allowed: Duration,
    took: f64,
}

impl<'r, 'a> Race<'r, 'a> {
    /// At the start. There are players, and what is expected of each; the first is the safe choice. The time for a move is a first guess.
    pub(super) fn new(
        ring: &'r Ring<'a>,
        players: &'r [Ready],
        expected: Vec<Expected>,
        time: Time,
        each: Budget,
    ) -> Race<'r, 'a> {
        let each = Budget { cpu: each.cpu.map(|cpu| cpu.clamp(SHORTEST, LONGEST)), ..each };
        Race {
            ring,
            players,
            time,
            ratings: Ratings::new(expected),
            is_out: players.iter().map(|player| player.build(ring.machine, ring.settings).is_err()).collect(),
            met: Vec::new(),
            cpu: Duration::ZERO,
            each,
            pairs: 0,
            allowed: Duration::ZERO,
            took: 0.0,
        }
    }

    /// Lets players meet until it is clear who is best, or time is over.
    pub(super) fn run(&mut self) {
        while let Some(two) = self.next() {
            let used = self.used();
            if self.pairs >= PAIRS * MORE || used >= 1.0 || !self.set_time(PAIRS.saturating_sub(self.pairs), used) {
                break;
            }
            let is_over = self.meet(two);
            self.pairs += 1;
            self.took += self.used() - used;
            self.allowed += self.each.cpu.unwrap_or_default();
            if !is_over {
                break;
            }
        }
    }

    /// The best: the first where nothing is known of any, or nobody is clearly better.
    pub(super) fn best(&self) -> usize {
        if !self.has_matches() {
            return self.running().next().unwrap_or(0);
        }
        let estimate = self.ratings.estimate();
        let leader = self.leader(&estimate).unwrap_or(0);
        if self.is_out[0] || estimate.is_stronger(leader, 0) >= SURE { leader } else { 0 }
    }

    /// Those who met, and how it ended.
    pub(super) fn contests(&self) -> Vec<Contest> {
        self.met.iter().map(|(_, contest)| contest.clone()).collect()
    }

    /// Why the best is chosen.
    pub(super) fn reason(&self) -> String {
        let told = self.met.iter().map(|(_, contest)| contest).filter(|contest| contest.matches > 0 || contest.failure.is_some());
        let held: Vec<String> = told.map(ToString::to_string).collect();
        match held.is_empty() {
            true if self.running().count() < 2 => return "nobody else can play the game".to_owned(),
            true => return "there was no time for matches".to_owned(),
            false if !self.has_matches() => return held.join("; "),
            false => {}
        }
        let (best, estimate) = (self.best(), self.ratings.estimate());
        let each = self.allowed.as_secs_f64() * 1000.0 / f64::from(self.pairs);
        let name = |player: usize| self.players[player].spec();
        let compared = |one: usize, two: usize| {
            format!("{} is better than {} with {:.0}%", name(one), name(two), estimate.is_stronger(one, two) * 100.0)
        };
        let doubt = match self.leader(&estimate) {
            Some(leader) if leader != best => format!(": nobody is clearly better, {}", compared(leader, best)),
            _ => self.rival(&estimate, best).map_or_else(String::new, |rival| format!(": {}", compared(best, rival))),
        };
        format!("{}, with about {each:.1} ms for a move{doubt}", held.join("; "))
    }

    fn has_matches(&self) -> bool {
        self.met.iter().any(|(_, contest)| contest.matches > 0)
    }

    /// The two who meet next, if anything is open. Whoever seems best has to meet the first before anybody else.
    fn next(&self) -> Option<[usize; 2]> {
        let estimate = self.ratings.estimate();
        let leader = self.leader(&estimate)?;
        let rival = self.rival(&estimate, leader)?;
        if leader != 0 && !self.is_out[0] && self.met.iter().all(|(two, _)| *two != [0, leader]) {
            return Some([0, leader]);
        }
        (estimate.gain(rival, leader) >= CLEAR).then_some([leader.min(rival), leader.max(rival)])
    }

    fn leader(&self, estimate: &Estimate) -> Option<usize> {
        estimate.best(self.running())
    }

    /// By whom of the others most may be gained.
    fn rival(&self, estimate: &Estimate, leader: usize) -> Option<usize> {
        let gain = |player: usize| estimate.gain(player, leader);
        self.running().filter(|&player| player != leader).reduce(|one, other| if gain(other) > gain(one) { other } else { one })
    }

    fn running(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.players.len()).filter(|&player| !self.is_out[player])
    }

    /// A pair of matches; whether there was time for both.
    fn meet(&mut self, two: [usize; 2]) -> bool {
        let index = self.met.iter().position(|(met, _)| *met == two).unwrap_or_else(|| {
            let players = two.map(|player| self.players[player].spec().to_string());
            self.met.push((two, Contest { players, matches: 0, score: 0.0, failure: None }));
            self.met.len() - 1
        });
        let contest = &mut self.met[index].1;
        let Time { cpu, began, wall } = self.time;
        let left = cpu.map(|cpu| cpu.saturating_sub(self.cpu) / 2);
        let allowance = Allowance { each: self.each, cpu: left, until: wall.map(|wall| began + wall) };
        let [one, other] = two.map(|player| &self.players[player]);
        let clock = self.ring.watch.clock;
        let spent = clock.cpu();
        match self.ring.pair([one, other], contest.matches as usize / 2, &allowance) {
            Ok(pair) => {
                self.cpu += pair.cpu;
                let Some(score) = pair.score else { return false };
                contest.matches += 2;
                contest.score += score;
                self.ratings.add(two, [score, 2.0 - score]);
            }
            Err(failure) => {
                self.cpu += clock.cpu().saturating_sub(spent);
                contest.failure = Some(failure.to_string());
                // The first is the safe one of the two.
                self.is_out[two[1]] = true;
            }
        }
        true
    }

    /// Makes moves as long as so many pairs allow in the time that is left. If no more are wanted, one must have time with moves as long as they ever are; whether it has.
    fn set_time(&mut self, wanted: u32, used: f64) -> bool {
        if self.took == 0.0 {
            return true;
        }
        let longer = ROOM * (1.0 - used) / f64::from(wanted.max(1)) / self.took;
        let each = self.allowed.mul_f64(longer.min(1e6));
        self.each.cpu = self.each.cpu.map(|_| each.clamp(SHORTEST, LONGEST));
        wanted > 0 || each >= LONGEST
    }

    /// Which share of the time has gone by; 1 also where somebody says stop.
    fn used(&self) -> f64 {
        let watch = &self.ring.watch;
        if watch.stop.load(Relaxed) {
            return 1.0;
        }
        let share =
            |used: Duration, all: Option<Duration>| all.map_or(0.0, |all| used.as_secs_f64() / all.as_secs_f64().max(1e-9));
        let since = watch.clock.wall().saturating_sub(self.time.began);
        share(self.cpu, self.time.cpu).max(share(since, self.time.wall)).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Expected, Race, Time};
    use crate::choose::contest::Ring;
    use crate::choose::testing::{Still, game};
    use crate::spec::{Ready, Spec};
    use crate::{Budget, Settings, Watch};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    /// Who wins a race in Connect Four, all thinking for so many simulations, and why; and how many matches there were.
    fn winner(players: &[&str], expected: &[f64], stop: bool) -> (String, String, u32) {
        let (_, machine) = game("connect_four");
        let stop = AtomicBool::new(stop);
        let watch = Watch { clock: &Still, stop: &stop };
        let ring = Ring { machine: &machine, settings: Settings::default(), at_once: false, watch, plies: 100 };
        let players: Vec<Ready> = players.iter().map(|text| Ready::from(Spec::parse(text).expect("a player"))).collect();
        let each = Budget { simulations: Some(200), ..Budget::default() };
        let time = Time { cpu: None, began: Duration::ZERO, wall: None };
        let expected = expected.iter().map(|&strength| Expected { strength, spread: 0.7 }).collect();
        let mut race = Race::new(&ring, &players, expected, time, each);
        race.run();
        let matches = race.contests().iter().map(|contest| contest.matches).sum();
        (players[race.best()].spec().to_string(), race.reason(), matches)
    }

    #[test]
    fn who_is_clearly_better_is_found_whatever_is_expected() {
        for expected in [[0.0, 0.0, 0.0], [0.0, 0.6, -0.8]] {
            let (best, reason, matches) = winner(&["random", "first", "uct"], &expected, false);
            assert_eq!(best, "uct", "{reason}");
            // It does not take all matches to see it.
            assert!((6..=48).contains(&matches) && reason.contains("uct is better than "), "{reason}");
        }
    }

    #[test]
    fn who_is_expected_to_be_better_has_to_show_it() {
        let (best, reason, _) = winner(&["uct", "random"], &[0.0, 0.6], false);
        assert_eq!(best, "uct", "{reason}");
    }

    #[test]
    fn where_all_are_equal_the_first_is_chosen() {
        let (best, reason, _) = winner(&["first", "uct:c=0"], &[0.0, 3.0], false);
        assert_eq!(best, "uct:c=0", "{reason}");
        // The same player twice: every pair is even, and what is expected is not enough.
        let (_, reason, matches) = winner(&["first", "first"], &[0.0, 0.6], false);
        assert!(matches > 0 && reason.contains("nobody is clearly better, first is better than first with 5"), "{reason}");
    }

    #[test]
    fn without_a_match_the_first_is_chosen() {
        let (best, reason, matches) = winner(&["random", "uct"], &[0.0, 0.6], true);
        assert_eq!((best.as_str(), reason.as_str(), matches), ("random", "there was no time for matches", 0));
    }

    #[test]
    fn who_cannot_play_is_left_out() {
        let (best, reason, _) = winner(&["uct", "puzzle"], &[0.0, 0.6], false);
        assert_eq!((best.as_str(), reason.as_str()), ("uct", "nobody else can play the game"));
    }
}

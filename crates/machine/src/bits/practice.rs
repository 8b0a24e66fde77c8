//! Random play that has practised: moves that do well in random matches from the start are likelier than others.
//!
//! A network that takes note of moves plays many matches at once. Of every move it is asked how the matches ended in which it was played, beside those in which a shadow, which chooses by chance
//! as its role does, came upon it: what differs is what the move itself does. Better moves become likelier, by powers of two, and the next round is played in that way.

use super::book::{Book, earned};
use super::exec::Processor;
use super::phase::Choice;
use super::playouts::{Course, Rows, Start};
use super::select::MOST_SHIFT;
use super::word::{W128, Word, count, each_lane};
#[cfg(target_arch = "x86_64")]
use super::word::{W256, W512};
use super::{Bits, Track};
use crate::Random;

/// Rounds, and matches of each.
const ROUNDS: usize = 3;
const MATCHES: usize = 16_384;

/// Where matches are much work there are fewer: a round reads no more signals than this, for all lanes of a word at once. Fewer matches than those tell nothing.
const READS: usize = 30_000_000;
const FEWEST: usize = 4096;

/// Matches are taken to be as long as this before any has been played.
const SHORT: usize = 20;

/// Matches are given up after so many joint moves.
const MAX_PLIES: u64 = 1000;

/// How much more likely a move becomes in a round, as a power of two, for every hundredth of all points that it gains.
const STEP: f64 = 0.25;

/// The track with what practice has shown; nothing where it has shown nothing, or would take too long.
pub(super) fn practised(engine: &Bits, track: &Track) -> Option<Track> {
    let phases = track.grounded();
    let reads = phases.iter().map(|phase| phase.net.size().1).max().unwrap_or(0);
    if is_too_much(SHORT * reads, 512) {
        return None;
    }
    let moves = choices(track);
    let noted = ludens_ground::noted(&phases, &moves);
    let mut leanings = vec![0.0; engine.whole.net.moves.len()];
    let mut random = Random::new(0);
    for _ in 0..ROUNDS {
        let shifts = shifts(&leanings);
        let practice =
            Practice { engine, track: &Track::new(noted.clone(), &[&shifts[..], &shifts[..]].concat()), moves: &moves };
        let seen = match engine.processor {
            Processor::Plain => practice.play::<W128>(&mut random),
            #[cfg(target_arch = "x86_64")]
            Processor::Avx2 => practice.play::<W256>(&mut random),
            #[cfg(target_arch = "x86_64")]
            Processor::Avx512 => practice.play::<W512>(&mut random),
        };
        for (&index, gain) in moves.iter().zip(practice.gains(&seen?)) {
            leanings[index as usize] += gain * STEP;
        }
    }
    let shifts = shifts(&leanings);
    let differs = |&index: &u32| shifts[index as usize] != shifts[moves[0] as usize];
    moves.iter().any(differs).then(|| Track::new(phases, &shifts))
}

/// Whether there is no time for the fewest matches, if so many took so much.
fn is_too_much(reads: usize, matches: usize) -> bool {
    reads.saturating_mul(FEWEST) > READS * matches
}

/// Moves between which somebody chooses in some phase.
fn choices(track: &Track) -> Vec<u32> {
    let open = track.phases.iter().flat_map(|phase| &phase.choices).filter_map(|choice| match choice {
        Choice::Moves { moves, .. } => Some(moves.iter().map(|&index| index as u32)),
        Choice::Forced(_) | Choice::Stuck => None,
    });
    let mut moves: Vec<u32> = open.flatten().collect();
    moves.sort_unstable();
    moves.dedup();
    moves
}

/// How likely every move is to be, as a power of two.
fn shifts(leanings: &[f64]) -> Vec<u8> {
    let middle = f64::from(MOST_SHIFT / 2);
    leanings.iter().map(|leaning| (leaning + middle).round().clamp(0.0, f64::from(MOST_SHIFT)) as u8).collect()
}

/// Matches in which a move was played, or a shadow chose it: how many, the points of the role, and their squares.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    matches: f64,
    points: f64,
    squares: f64,
}

impl Seen {
    fn mean(self) -> f64 {
        self.points / self.matches.max(1.0)
    }

    fn with(self, other: Seen) -> Seen {
        Seen { matches: self.matches + other.matches, points: self.points + other.points, squares: self.squares + other.squares }
    }
}

/// A round: a track that takes note of some moves.
struct Practice<'a> {
    engine: &'a Bits,
    track: &'a Track,
    moves: &'a [u32],
}

impl Practice<'_> {
    fn role(&self, at: usize) -> usize {
        self.engine.whole.net.moves[self.moves[at] as usize].role as usize
    }

    /// Plays from the start, and tells of every move what was seen, and then of all shadows; nothing if it takes too long.
    fn play<W: Word>(&self, random: &mut Random) -> Option<Vec<Seen>> {
        let Practice { engine, track, moves } = self;
        let start = self.start();
        let native = track.native(engine, W::LANES);
        let course = Course { engine, native, phases: &track.phases, first: 0, max_plies: MAX_PLIES };
        let reads = track.phases.iter().map(|phase| phase.net.size().1).max().unwrap_or(0);
        let mut seen = vec![Seen::default(); 2 * moves.len()];
        let (mut played, mut spent) = (0, 0);
        while played < MATCHES && spent < READS {
            let mut book = Notes::<W>::new(&start, engine.fluents.texts.len(), seen.len());
            course.play::<W>(random, &mut book);
            for (at, (seen, &lanes)) in seen.iter_mut().zip(&book.played).enumerate() {
                let role = self.role(at % moves.len());
                seen.matches += count(lanes.and(book.finished)) as f64;
                for &(_, value, earners) in book.points.iter().filter(|(earner, ..)| *earner == role) {
                    let (value, earned) = (f64::from(value), count(lanes.and(earners)) as f64);
                    seen.points += earned * value;
                    seen.squares += earned * value * value;
                }
            }
            played += W::LANES;
            spent += book.plies * reads * 512 / W::LANES;
            if is_too_much(spent, played) {
                return None;
            }
        }
        Some(seen)
    }

    /// The start of a match. Nothing has been noted there.
    fn start(&self) -> Start {
        let Practice { engine, track, .. } = self;
        let holds = |fluent: u32| (fluent as usize) < engine.fluents.texts.len() && engine.initial.holds(fluent as usize);
        let unknown = (0..).zip(&track.phases[0].known).filter(|(_, known)| known.is_none());
        let (set, clear) = unknown.map(|(fluent, _)| fluent).partition(|&fluent| holds(fluent));
        Start { set, clear }
    }

    /// What every move gains beyond what its shadow has, in points. What chance alone would make of it is taken off, and so is what all moves of a role have in common.
    fn gains(&self, seen: &[Seen]) -> Vec<f64> {
        let (played, shadows) = seen.split_at(self.moves.len());
        let own = |role: usize| (0..played.len()).filter(move |&at| self.role(at) == role);
        let mut gains = vec![0.0; played.len()];
        for role in 0..self.engine.roles.len() {
            let all = own(role).fold(Seen::default(), |all, at| all.with(played[at]));
            let variance = all.squares / all.matches.max(1.0) - all.mean().powi(2);
            for at in own(role).filter(|&at| played[at].matches > 0.0 && shadows[at].matches > 0.0) {
                let gain = played[at].mean() - shadows[at].mean();
                let doubt = variance * (1.0 / played[at].matches + 1.0 / shadows[at].matches);
                gains[at] = gain * (1.0 - doubt / gain.powi(2).max(1e-9)).max(0.0);
            }
            let mean = own(role).map(|at| gains[at] * played[at].matches).sum::<f64>() / all.matches.max(1.0);
            own(role).for_each(|at| gains[at] -= mean);
        }
        gains
    }
}

/// One match in every lane, with the moves played in it.
struct Notes<'a, W> {
    start: &'a Start,
    /// The first note's fluent.
    first: usize,
    left: u64,
    is_new: bool,
    /// Joint moves of the longest match.
    plies: usize,
    /// Per note: the lanes in whose matches the move was played.
    played: Vec<W>,
    finished: W,
    /// Lanes that are over, in the order in which their points will be found.
    over: Vec<usize>,
    /// Role, points, and the lanes that have them.
    points: Vec<(usize, u8, W)>,
}

impl<W: Word> Notes<'_, W> {
    fn new(start: &Start, first: usize, notes: usize) -> Notes<'_, W> {
        let played = vec![W::ZERO; notes];
        Notes { start, first, left: 0, is_new: true, plies: 0, played, finished: W::ZERO, over: Vec::new(), points: Vec::new() }
    }
}

impl<W: Word> Book<W> for Notes<'_, W> {
    fn begin(&mut self, rows: &mut impl Rows<W>, _: usize, idle: W) -> W {
        if !std::mem::take(&mut self.is_new) {
            return W::ZERO;
        }
        rows.begin(idle, self.start);
        self.left = count(idle);
        idle
    }

    fn passed(&mut self, rows: &impl Rows<W>, _: usize, playing: W, alive: W) {
        self.plies += 1;
        let ended = playing.and_not(alive);
        if !ended.is_zero() {
            for (played, &note) in self.played.iter_mut().zip(&rows.fluents()[self.first..]) {
                *played = played.or(note.and(ended));
            }
        }
    }

    fn ended(&mut self, ended: W, over: W) {
        self.left -= count(ended);
        self.finished = self.finished.or(over);
        each_lane(over, |lane| self.over.push(lane));
    }

    fn points(&mut self, matches: W, values: impl Iterator<Item = (usize, u8, W)>) {
        let mut lanes = Vec::new();
        each_lane(matches, |lane| lanes.push(lane));
        let whose: Vec<usize> = self.over.drain(..lanes.len()).collect();
        earned(matches, values, |role, value, here| {
            let known = self.points.iter().position(|&(earner, points, _)| (earner, points) == (role, value));
            let index = known.unwrap_or_else(|| {
                self.points.push((role, value, W::ZERO));
                self.points.len() - 1
            });
            for (&lane, &owner) in lanes.iter().zip(&whose) {
                if here.bit(lane) {
                    self.points[index].2.set_bit(owner, true);
                }
            }
        });
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Bits, Track, practised};
    use crate::bits::phase::Choice;
    use crate::bits::playouts::playouts;
    use crate::bits::word::W128;
    use crate::{GroundLimits, Random};

    fn engine_of(text: &str) -> Bits {
        let rules = ludens_gdl::read(text, &ludens_gdl::Limits::default()).rules.expect("valid rules");
        Bits::new(&rules, &GroundLimits::default()).expect("it can be grounded")
    }

    /// One move of nine, and 100 points for some of them.
    fn lottery(winning: &str) -> Bits {
        engine_of(&format!(
            "(role r) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9) (<= (legal r ?n) (n ?n)) (init start) {winning}
            (<= (next (was ?n)) (does r ?n)) (<= terminal (not (true start)))
            (<= (goal r 100) (true (was ?n)) (wins ?n)) (<= (goal r 0) (true (was ?n)) (not (wins ?n)))"
        ))
    }

    /// The weight of every move, as a power of two, in the order of the phases.
    fn weights(engine: &Bits, track: &Track) -> Vec<(String, u8)> {
        let choices = track.phases.iter().flat_map(|phase| &phase.choices);
        let weights = choices.flat_map(|choice| match choice {
            Choice::Moves { moves, shifts, .. } => moves.iter().copied().zip(shifts.iter().copied()).collect(),
            Choice::Forced(_) | Choice::Stuck => Vec::new(),
        });
        weights.map(|(index, shift)| (engine.whole.net.moves[index].text.clone(), shift)).collect()
    }

    #[test]
    fn moves_are_played_as_often_as_they_weigh() {
        let engine = lottery("(wins 9) (wins 4)");
        for shifts in [[0; 9], [0, 1, 2, 3, 4, 0, 1, 2, 2], [4, 0, 0, 1, 0, 0, 0, 0, 3_u8]] {
            let weight = |number: usize| f64::from(1 << shifts[number - 1]);
            let expected = (weight(4) + weight(9)) / (1..=9).map(weight).sum::<f64>();
            let numbered = |index: usize| engine.whole.net.moves[index].text.parse::<usize>().expect("a number") - 1;
            let by_move: Vec<u8> = (0..9).map(|index| shifts[numbered(index)]).collect();
            let weighted = Bits { plain: Track::new(engine.plain.grounded(), &by_move), ..lottery("(wins 9) (wins 4)") };
            let tally = playouts::<W128>(&weighted, None, &weighted.initial, 40_000, 10, &mut Random::new(1));
            let share = tally.points[0] as f64 / 100.0 / tally.finished as f64;
            assert!((share - expected).abs() < 0.01, "{shifts:?}: {share}");
        }
    }

    #[test]
    fn practice_shows_which_moves_are_good() {
        let engine = lottery("(wins 9) (wins 4)");
        let track = practised(&engine, &engine.plain).expect("moves differ");
        for (text, shift) in weights(&engine, &track) {
            assert_eq!(shift == 4, ["9", "4"].contains(&&text[..]), "{text}");
        }
        let engine = engine_of(include_str!("../../../../games/othello/rules.kif"));
        let track = practised(&engine, &engine.plain).expect("moves differ");
        let found = weights(&engine, &track);
        let of = |square: &str| {
            found
                .iter()
                .filter(move |(text, _)| *text == format!("(place {square})"))
                .map(|(_, shift)| *shift)
                .collect::<Vec<u8>>()
        };
        for corner in ["a 1", "a 8", "h 1", "h 8"] {
            assert_eq!(of(corner), [4, 4], "both players like a corner");
        }
        for beside in ["b 2", "b 7", "g 2", "g 7"] {
            assert!(of(beside).iter().all(|&shift| shift < 2), "and give none away");
        }
    }

    #[test]
    fn where_moves_make_no_difference_there_is_nothing_to_show() {
        for engine in [lottery("(wins 0)"), engine_of(include_str!("../../../../games/rock_paper_scissors/rules.kif"))] {
            assert!(practised(&engine, &engine.plain).is_none());
        }
    }
}

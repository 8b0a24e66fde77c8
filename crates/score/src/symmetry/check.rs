//! Whether what looks like a symmetry is one: positions of random play, and what they become, are compared by simulation.

use super::image_of;
use super::mixed;
use super::search::Found;
use crate::linear::each_bit;
use crate::sample::Matches;
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId};
use std::collections::BTreeSet;
use std::ops::Range;

/// Positions that are compared, ends aside.
const POSITIONS: usize = 1024;

/// Fewer matches tell too little.
const FEWEST_MATCHES: usize = 32;

/// After so many positions comes one at which a match ended.
const PER_END: usize = 4;

/// Joint moves that are played in all positions together, at most; with those that have too many, the rest is compared.
const MOST_JOINTS: usize = 20_000;

/// In at least so many positions they must be played, if there are as many that are no ends.
const FEWEST_PLAYED: usize = 16;

/// Joint moves that are played in what positions become by candidates that are wrong, at most, until more are allowed.
const MOST_PLAYED: usize = 60_000;

/// Positions that are looked at together. The first few rule most of what is wrong out.
const BATCHES: [usize; 5] = [1, 3, 12, 64, 256];

/// States that are worked on together.
const WIDTH: usize = 256;

/// What there is to be known of some positions.
#[derive(Debug, Default, PartialEq)]
struct Known {
    positions: Vec<Position>,
    /// States after joint moves, one after the other.
    successors: Vec<u64>,
}

#[derive(Debug, PartialEq)]
struct Position {
    terminal: bool,
    /// Per role, where it is the end.
    points: Vec<u8>,
    /// Legal moves per role.
    moves: Vec<usize>,
    /// Which of the successors are its own, if they were wanted: all combinations of moves, those of the first role changing fastest.
    successors: Range<usize>,
}

/// Positions to try symmetries on.
pub(super) struct Check<'a> {
    machine: &'a Machine,
    lanes: Lanes<'a>,
    words: usize,
    positions: Vec<&'a [u64]>,
    /// Per batch: what is known of its positions, once that was asked for.
    known: Vec<(Range<usize>, Option<Known>)>,
    /// A number per fluent: a state's number is the sum of those of its own.
    numbers: Vec<u64>,
    joints_left: usize,
    played_left: usize,
}

impl<'a> Check<'a> {
    pub(super) fn new(machine: &'a Machine, matches: &'a Matches, fluents: usize, random: &mut Random) -> Check<'a> {
        let positions = sample(matches, random);
        let mut known = Vec::new();
        let mut start = 0;
        while start < positions.len() {
            let size = BATCHES[known.len().min(BATCHES.len() - 1)];
            let end = (start + size).min(positions.len());
            known.push((start..end, None));
            start = end;
        }
        Check {
            machine,
            lanes: machine.lanes(WIDTH),
            words: machine.initial().words().len(),
            positions,
            known,
            numbers: (0..fluents as u64).map(|fluent| mixed(fluent ^ 0x6c75_6465_6e73 << 8)).collect(),
            joints_left: MOST_JOINTS,
            played_left: MOST_PLAYED,
        }
    }

    /// Whether there is nothing to try them on.
    pub(super) fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Lets more joint moves be played.
    pub(super) fn refresh(&mut self) {
        self.played_left = MOST_PLAYED;
    }

    /// Whether it holds in all positions; false, too, if it was given up.
    pub(super) fn holds(&mut self, way: &Found, stop: &dyn Fn() -> bool) -> bool {
        if self.played_left == 0 {
            return false;
        }
        let left = std::mem::replace(&mut self.played_left, usize::MAX);
        let holds = self.holds_in_all(way, stop);
        let played = usize::MAX - self.played_left;
        self.played_left = if holds { left } else { left.saturating_sub(played) };
        holds
    }

    fn holds_in_all(&mut self, way: &Found, stop: &dyn Fn() -> bool) -> bool {
        let (mut played, mut open) = (0, 0);
        for batch in 0..self.known.len() {
            if stop() || self.find_out(batch).is_none() {
                return false;
            }
            let (range, Some(known)) = &self.known[batch] else { return false };
            let wanted: Vec<usize> = known.positions.iter().map(|position| position.successors.len()).collect();
            let of = |fluent: usize| way.fluents[fluent] as usize;
            let images: Vec<u64> = range.clone().flat_map(|at| image_of(self.positions[at], of)).collect();
            let images: Vec<&[u64]> = images.chunks(self.words.max(1)).collect();
            let left = &mut self.played_left;
            let Some((positions, joints)) = survey(self.machine, &mut self.lanes, &images, Some(&wanted), left) else {
                return false;
            };
            if !known.positions.iter().zip(&positions).all(|(own, image)| look_alike(way, own, image)) {
                return false;
            }
            let Some(successors) = follow(&mut self.lanes, &images, &joints) else { return false };
            let found = Known { positions, successors };
            let (_, Some(known)) = &self.known[batch] else { return false };
            let agrees = |(own, image): (&Position, &Position)| self.go_alike(way, (known, own), (&found, image));
            if !known.positions.iter().zip(&found.positions).all(agrees) {
                return false;
            }
            played += wanted.iter().filter(|wanted| **wanted > 0).count();
            open += known.positions.iter().filter(|position| !position.terminal).count();
        }
        played >= open.min(FEWEST_PLAYED)
    }

    fn find_out(&mut self, batch: usize) -> Option<()> {
        let (range, known) = &mut self.known[batch];
        if known.is_none() {
            let positions = &self.positions[range.clone()];
            let left = &mut self.joints_left;
            let (found, joints) = survey(self.machine, &mut self.lanes, positions, None, left)?;
            let successors = follow(&mut self.lanes, positions, &joints)?;
            *known = Some(Known { positions: found, successors });
        }
        Some(())
    }

    /// Whether the same can come of a position and of its image.
    fn go_alike(&self, way: &Found, one: (&Known, &Position), two: (&Known, &Position)) -> bool {
        let after = |(known, position): (&Known, &Position), map: &dyn Fn(usize) -> usize| -> Vec<u64> {
            let number = |at: usize| {
                let mut sum = 0_u64;
                let words = &known.successors[at * self.words..(at + 1) * self.words];
                each_bit(words, |fluent| sum = sum.wrapping_add(self.numbers[map(fluent)]));
                mixed(sum)
            };
            position.successors.clone().map(number).collect()
        };
        let expected = after(one, &|fluent| way.fluents[fluent] as usize);
        let found = after(two, &|fluent| fluent);
        let is_alike =
            |role: usize| by_move(&expected, &one.1.moves, role) == by_move(&found, &two.1.moves, way.roles[role] as usize);
        expected.len() == found.len() && (0..way.roles.len()).all(is_alike)
    }

    /// Per fluent: a number that says in which positions it is true, and whether these are not all, some, and not those of a fluent before it.
    pub(super) fn seen(&self, fluents: usize) -> Vec<(u64, bool)> {
        let mut seen = vec![0_u64; fluents];
        let mut always = 0_u64;
        for (at, position) in (0..).zip(&self.positions) {
            let number = mixed(at);
            always = always.wrapping_add(number);
            each_bit(position, |fluent| seen[fluent] = seen[fluent].wrapping_add(number));
        }
        let mut known = BTreeSet::from([0, always]);
        seen.into_iter().map(|number| (number, known.insert(number))).collect()
    }
}

/// Whether a position and its image look the same, what comes of them aside.
fn look_alike(way: &Found, own: &Position, image: &Position) -> bool {
    let is_alike = |(role, &to): (usize, &u32)| {
        let to = to as usize;
        own.moves[role] == image.moves[to] && (!own.terminal || own.points[role] == image.points[to])
    };
    own.terminal == image.terminal && way.roles.iter().enumerate().all(is_alike)
}

/// For every move of a role, a number that says what can come of it; in ascending order.
fn by_move(successors: &[u64], moves: &[usize], role: usize) -> Vec<u64> {
    let mut sums = vec![0_u64; moves[role]];
    // Where no joint move was played there may be more of them than numbers count.
    if !sums.is_empty() && !successors.is_empty() {
        let stride: usize = moves[..role].iter().product();
        for (joint, &number) in successors.iter().enumerate() {
            let sum = &mut sums[joint / stride.max(1) % moves[role]];
            *sum = sum.wrapping_add(number);
        }
    }
    sums.sort_unstable();
    sums
}

/// Positions from all matches in turn, with ends between them.
fn sample<'a>(matches: &'a Matches, random: &mut Random) -> Vec<&'a [u64]> {
    let count = matches.len();
    let mut positions = Vec::with_capacity(POSITIONS + POSITIONS / PER_END);
    if count < FEWEST_MATCHES {
        return positions;
    }
    // Neighbouring matches are as different as any.
    for number in 0..POSITIONS {
        let course = matches.course(number % count);
        if course.len() > 1 {
            positions.push(course.position(random.below(course.len() - 1)));
        }
        if number % PER_END == 0 && number < count && !course.is_empty() {
            positions.push(course.position(course.len() - 1));
        }
    }
    positions
}

/// Joint moves, each with the position in which it is played.
type Joints = Vec<(usize, Vec<MoveId>)>;

/// Finds out what some positions look like, and lists the joint moves of those that have as many as are wanted; or, where nothing is said of that, as long as there are
/// some left to be played. `None` where the engine fails.
fn survey(
    machine: &Machine,
    lanes: &mut Lanes<'_>,
    positions: &[&[u64]],
    wanted: Option<&[usize]>,
    left: &mut usize,
) -> Option<(Vec<Position>, Joints)> {
    let roles = machine.roles().len();
    let (mut known, mut joints) = (Vec::with_capacity(positions.len()), Vec::new());
    for (first, group) in (0..).step_by(WIDTH).zip(positions.chunks(WIDTH)) {
        lanes.load_all(group);
        lanes.evaluate().ok()?;
        let mut points = Vec::new();
        lanes.points_all(group.len(), &mut points).ok()?;
        for lane in 0..group.len() {
            let terminal = lanes.terminal(lane);
            let moves: Vec<usize> = machine.roles().map(|role| lanes.legal(lane, role).len()).collect();
            let product = moves.iter().try_fold(1_usize, |product, &count| product.checked_mul(count)).unwrap_or(usize::MAX);
            let start = joints.len();
            // What has others than the position of which it is the image does not look like it.
            let is_wanted = wanted.is_none_or(|wanted| wanted[first + lane] == product);
            if is_wanted && !terminal && product <= *left {
                *left -= product;
                for mut joint in 0..product {
                    let choice = |(role, &count): (RoleId, &usize)| {
                        let chosen = lanes.legal(lane, role)[joint % count];
                        joint /= count;
                        chosen
                    };
                    joints.push((first + lane, machine.roles().zip(&moves).map(choice).collect()));
                }
            }
            let points = points[lane * roles..(lane + 1) * roles].to_vec();
            known.push(Position { terminal, points, moves, successors: start..joints.len() });
        }
    }
    Some((known, joints))
}

/// Plays joint moves.
fn follow(lanes: &mut Lanes<'_>, positions: &[&[u64]], joints: &Joints) -> Option<Vec<u64>> {
    let mut successors = Vec::new();
    for group in joints.chunks(WIDTH) {
        let states: Vec<&[u64]> = group.iter().map(|(at, _)| positions[*at]).collect();
        lanes.load_all(&states);
        group.iter().enumerate().for_each(|(lane, (_, joint))| lanes.play(lane, joint));
        lanes.advance().ok()?;
        lanes.store_all(group.len(), &mut successors);
    }
    Some(successors)
}

#[cfg(test)]
mod tests {
    use super::by_move;

    #[test]
    fn joint_moves_are_told_by_what_each_role_does() {
        // Two moves of the first role, changing fastest, and three of the second.
        let successors = [1, 2, 10, 20, 100, 200];
        assert_eq!(by_move(&successors, &[2, 3], 0), [111, 222]);
        assert_eq!(by_move(&successors, &[2, 3], 1), [3, 30, 300]);
    }

    #[test]
    fn too_many_joint_moves_to_count_are_none() {
        assert_eq!(by_move(&[], &[1 << 40, 1 << 40, 2], 2), [0, 0]);
    }
}

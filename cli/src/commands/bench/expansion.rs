//! All children of positions, one position after the other: what searches that go through all moves ask of the engine, and nothing else.

use crate::interrupt;
use crate::measure::ThreadWatch;
use anyhow::{Result, bail};
use ludens_machine::{Error, Lanes, Machine, MoveId, Random};

/// States in hand at once, as many as such searches have; and where they are worked on one by one.
const WIDTHS: [usize; 2] = [64, 4];

/// Matches that positions are taken from, at most; no more of them once so many joint moves were played.
const MATCHES: usize = 32;
const PLIES: usize = 2000;

/// Positions that are taken from a match, at most.
const FROM_EACH: usize = 8;

/// Children of a position that are made, at most: where several roles have a choice there may be millions.
const CHILDREN: usize = 512;

/// Children between two looks at the clock, which is a system call.
const CHILDREN_PER_LOOK: usize = 256;

/// A position, and its joint moves one after the other.
struct Parent {
    words: Vec<u64>,
    joints: Vec<MoveId>,
}

/// Positions of random matches, and lanes to make their children in.
pub(super) struct Expansion<'m> {
    lanes: Lanes<'m>,
    roles: usize,
    parents: Vec<Parent>,
    /// Whose turn it is.
    next: usize,
}

impl<'m> Expansion<'m> {
    /// Takes positions in which somebody has a choice from random matches.
    pub(super) fn new(machine: &'m Machine, seed: u64, max_plies: usize) -> Result<Expansion<'m>> {
        let mut random = Random::new(seed);
        let (mut parents, mut plies) = (Vec::new(), 0);
        for _ in 0..MATCHES {
            let mut passed = random_match(machine, &mut random, max_plies)?;
            plies += passed.len();
            for _ in 0..FROM_EACH.min(passed.len()) {
                parents.push(passed.swap_remove(random.below(passed.len())));
            }
            if plies >= PLIES {
                break;
            }
        }
        if parents.is_empty() {
            bail!("nobody has a choice in any random match");
        }
        let width = WIDTHS[usize::from(machine.as_bits().is_none())];
        Ok(Expansion { lanes: machine.lanes(width), roles: machine.roles().len(), parents, next: 0 })
    }

    /// Makes children until so many CPU seconds are used; answers how many, and what they took.
    pub(super) fn expand_for(&mut self, seconds: f64) -> Result<(u64, f64), Error> {
        let Expansion { lanes, roles, parents, next } = self;
        let watch = ThreadWatch::start();
        let (mut children, mut used, mut since_look) = (0, 0.0, 0);
        while used < seconds && !interrupt::is_requested() {
            let Parent { words, joints } = &parents[*next];
            *next = (*next + 1) % parents.len();
            for pass in joints.chunks(lanes.width() * *roles) {
                lanes.load_copies(words, pass.len() / *roles);
                for (lane, joint) in pass.chunks(*roles).enumerate() {
                    lanes.play(lane, joint);
                }
                lanes.advance()?;
                lanes.evaluate()?;
                since_look += pass.len() / *roles;
            }
            if since_look >= CHILDREN_PER_LOOK {
                children += since_look as u64;
                since_look = 0;
                used = watch.seconds();
            }
        }
        Ok((children, used))
    }
}

/// The positions of a random match in which somebody has a choice.
fn random_match(machine: &Machine, random: &mut Random, max_plies: usize) -> Result<Vec<Parent>, Error> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, machine.initial());
    let mut passed = Vec::new();
    for _ in 0..max_plies {
        lanes.evaluate()?;
        let legal: Vec<Vec<MoveId>> = machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
        if lanes.terminal(0) || legal.iter().any(Vec::is_empty) {
            break;
        }
        if legal.iter().any(|moves| moves.len() > 1) {
            passed.push(Parent { words: lanes.state(0).words().to_vec(), joints: joints(&legal) });
        }
        let joint: Vec<MoveId> = legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
        lanes.play(0, &joint);
        lanes.advance()?;
    }
    Ok(passed)
}

/// All joint moves one after the other, or as many as are made.
fn joints(legal: &[Vec<MoveId>]) -> Vec<MoveId> {
    let count = legal.iter().fold(1, |product: usize, moves| product.saturating_mul(moves.len())).min(CHILDREN);
    let mut joints = Vec::with_capacity(count * legal.len());
    for number in 0..count {
        let mut rest = number;
        for moves in legal {
            joints.push(moves[rest % moves.len()]);
            rest /= moves.len();
        }
    }
    joints
}

#[cfg(test)]
mod tests {
    use super::{CHILDREN, joints};
    use ludens_machine::MoveId;

    #[test]
    fn all_joint_moves_are_made_once() {
        let moves = |ids: std::ops::Range<u32>| ids.map(MoveId).collect::<Vec<_>>();
        let legal = [moves(0..2), moves(5..6), moves(7..10)];
        let joints = joints(&legal);
        let mut each: Vec<&[MoveId]> = joints.chunks(3).collect();
        each.sort();
        each.dedup();
        assert_eq!(each.len(), 6);
        assert_eq!(super::joints(&[moves(0..100), moves(0..100)]).len(), 2 * CHILDREN);
    }
}

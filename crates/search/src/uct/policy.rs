//! Random play that has learnt from earlier playouts: MAST, NST, and a record of the moves for GRAVE.
//!
//! Moves are chosen lane by lane, so it is slower than uniform play, where the engine chooses for all lanes at once.

use super::expand::Rows;
use ludens_machine::{Error, Lanes, MoveId, Random, RoleId};
use rustc_hash::FxHashMap;

/// What of random play is not left to chance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Learning {
    /// MAST: moves that did well wherever they were played are preferred.
    pub mast: bool,
    /// NST: the same for moves together with the one or two that the role played before.
    pub nst: bool,
    /// How often a move is left to chance all the same.
    pub chance: f32,
    /// What is left of the statistics after a move of the match.
    pub decay: f32,
}

impl Default for Learning {
    fn default() -> Learning {
        Learning { mast: false, nst: false, chance: 0.4, decay: 0.2 }
    }
}

/// Sequences that were seen less often do not count.
const FEWEST: f32 = 7.0;

/// Sequences that are remembered, at most.
const MOST_SEQUENCES: usize = 1 << 18;

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    count: f32,
    sum: f32,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.count += 1.0;
        self.sum += value;
    }

    fn fade(&mut self, decay: f32) {
        self.count *= decay;
        self.sum *= decay;
    }
}

/// What one thread has learnt, and what it works with.
#[derive(Debug)]
pub(super) struct Policy {
    learning: Learning,
    roles: usize,
    /// Per role and move.
    moves: Vec<Vec<Mean>>,
    /// Per role, the move before the last, the last one and the next; `NONE` where there was none, or only two are meant.
    sequences: FxHashMap<(u32, u32, u32, u32), Mean>,
    /// Per lane: joint moves one after the other.
    played: Vec<Vec<MoveId>>,
    joint: Vec<MoveId>,
}

const NONE: u32 = u32::MAX;

/// A playout that has ended.
pub(super) struct Played<'a> {
    pub(super) start: usize,
    /// Per role; none where there was no end.
    pub(super) points: Option<&'a [u8]>,
    /// Joint moves, one after the other.
    pub(super) moves: &'a [MoveId],
}

impl Policy {
    pub(super) fn new(learning: Learning, roles: usize) -> Policy {
        Policy {
            learning,
            roles,
            moves: vec![Vec::new(); roles],
            sequences: FxHashMap::default(),
            played: Vec::new(),
            joint: Vec::new(),
        }
    }

    /// Lets what was learnt fade, as the match has gone on.
    pub(super) fn fade(&mut self) {
        let decay = self.learning.decay;
        self.moves.iter_mut().flatten().for_each(|mean| mean.fade(decay));
        self.sequences.retain(|_, mean| {
            mean.fade(decay);
            mean.count >= 0.5
        });
    }

    /// Plays one match from every start, until all have ended or `stop` says so; the answer is false then.
    pub(super) fn play(
        &mut self,
        lanes: &mut Lanes<'_>,
        starts: &Rows,
        max_plies: u64,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        ended: &mut dyn FnMut(&Played<'_>),
    ) -> Result<bool, Error> {
        let width = lanes.width();
        for first in (0..starts.len()).step_by(width) {
            let count = width.min(starts.len() - first);
            let rows: Vec<&[u64]> = (first..first + count).map(|index| starts.row(index)).collect();
            lanes.load_all(&rows);
            self.played.resize(self.played.len().max(count), Vec::new());
            self.played.iter_mut().for_each(Vec::clear);
            let mut open: Vec<usize> = (0..count).collect();
            for _ in 0..=max_plies {
                if stop() {
                    return Ok(false);
                }
                lanes.evaluate()?;
                self.step(lanes, &mut open, first, random, ended)?;
                if open.is_empty() {
                    break;
                }
                lanes.advance()?;
            }
            for &lane in &open {
                ended(&Played { start: first + lane, points: None, moves: &self.played[lane] });
            }
        }
        Ok(true)
    }

    /// Chooses the next moves of the lanes that go on.
    fn step(
        &mut self,
        lanes: &mut Lanes<'_>,
        open: &mut Vec<usize>,
        first: usize,
        random: &mut Random,
        ended: &mut dyn FnMut(&Played<'_>),
    ) -> Result<(), Error> {
        let mut kept = 0;
        for index in 0..open.len() {
            let lane = open[index];
            let stuck = (0..self.roles).any(|role| lanes.legal(lane, RoleId(role as u32)).is_empty());
            if stuck && !lanes.terminal(lane) {
                ended(&Played { start: first + lane, points: None, moves: &self.played[lane] });
                lanes.unload(lane);
                continue;
            }
            if lanes.terminal(lane) {
                let mut points = Vec::with_capacity(self.roles);
                for role in 0..self.roles {
                    points.push(lanes.points(lane, RoleId(role as u32))?);
                }
                let moves = std::mem::take(&mut self.played[lane]);
                self.learn(&moves, &points);
                ended(&Played { start: first + lane, points: Some(&points), moves: &moves });
                self.played[lane] = moves;
                lanes.unload(lane);
                continue;
            }
            self.joint.clear();
            for role in 0..self.roles {
                let legal = lanes.legal(lane, RoleId(role as u32));
                let id = self.choose(role, legal, &self.played[lane], random);
                self.joint.push(id);
            }
            lanes.play(lane, &self.joint);
            self.played[lane].extend_from_slice(&self.joint);
            open[kept] = lane;
            kept += 1;
        }
        open.truncate(kept);
        Ok(())
    }

    fn choose(&self, role: usize, legal: &[MoveId], played: &[MoveId], random: &mut Random) -> MoveId {
        let any = legal[if legal.len() > 1 { random.below(legal.len()) } else { 0 }];
        let by_chance = (random.bits() >> 40) as f32 / (1 << 24) as f32 * 1.0 < self.learning.chance;
        if legal.len() == 1 || by_chance || !(self.learning.mast || self.learning.nst) {
            return any;
        }
        let (before, last) = history(played, self.roles, role);
        let value = |id: MoveId| self.value(role, before, last, id);
        let mut best = (value(any), any);
        for &id in legal {
            let value = value(id);
            if value > best.0 {
                best = (value, id);
            }
        }
        best.1
    }

    /// What a move is worth, from 0 to 1; one that was never played is worth a try.
    fn value(&self, role: usize, before: u32, last: u32, id: MoveId) -> f32 {
        let alone = self.moves[role].get(id.0 as usize).filter(|mean| mean.count > 0.0);
        let Some(alone) = alone else { return 1.0 };
        let mut total = (alone.sum / alone.count, 1.0);
        if self.learning.nst {
            for key in [(role as u32, NONE, last, id.0), (role as u32, before, last, id.0)] {
                if let Some(mean) = self.sequences.get(&key).filter(|mean| mean.count >= FEWEST) {
                    total = (total.0 + mean.sum / mean.count, total.1 + 1.0);
                }
            }
        }
        total.0 / total.1
    }

    fn learn(&mut self, played: &[MoveId], points: &[u8]) {
        if !(self.learning.mast || self.learning.nst) {
            return;
        }
        for (ply, joint) in played.chunks_exact(self.roles).enumerate() {
            for (role, id) in joint.iter().enumerate() {
                let value = f32::from(points[role]) / 100.0;
                let means = &mut self.moves[role];
                if means.len() <= id.0 as usize {
                    means.resize(id.0 as usize + 1, Mean::default());
                }
                means[id.0 as usize].add(value);
                if self.learning.nst && self.sequences.len() < MOST_SEQUENCES {
                    let (before, last) = history(&played[..ply * self.roles], self.roles, role);
                    if last != NONE {
                        self.sequences.entry((role as u32, NONE, last, id.0)).or_default().add(value);
                    }
                    if before != NONE {
                        self.sequences.entry((role as u32, before, last, id.0)).or_default().add(value);
                    }
                }
            }
        }
    }
}

/// The two moves before the next in a match, as a role sees it: the last of everybody else's, and its own last one.
fn history(played: &[MoveId], roles: usize, role: usize) -> (u32, u32) {
    let ply = |back: usize| played.len().checked_sub(back * roles).map(|at| &played[at..at + roles]);
    // What was played last: the move of the role before in the round, where turns are taken.
    let other = if roles > 1 { (role + roles - 1) % roles } else { role };
    let last = ply(1).map_or(NONE, |joint| joint[other].0);
    let before = ply(2).map_or(NONE, |joint| joint[role].0);
    (before, last)
}

//! Nested rollout policy adaptation: random matches that learn from the best one.

use super::best::Best;
use crate::{Error, Meter, Worker};
use ludens_machine::{Lanes, MoveId, Random, RoleId};

/// The only role.
const ALONE: RoleId = RoleId(0);
/// How often a level asks the one below it.
const TIMES: u32 = 40;
/// No level is higher.
pub(super) const HIGHEST: usize = 5;
/// How far the policy goes towards the best match.
const STEP: f32 = 1.0;

/// What the policy tells moves apart by; every search has another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    /// The move alone.
    Plain,
    /// The move, and the one before it.
    Pair,
    /// The move, and how many were played before it.
    Ply,
}

const CODINGS: [Coding; 3] = [Coding::Ply, Coding::Pair, Coding::Plain];

/// A match to its end.
#[derive(Clone, Debug, Default)]
struct Sequence {
    points: u8,
    moves: Vec<MoveId>,
    /// The codes of all legal moves, step after step.
    codes: Vec<u32>,
    /// Per step: where its codes end, and which of them was played.
    steps: Vec<(u32, u32)>,
}

/// One level: its policy, the best match it knows, and how often it asked the level below.
#[derive(Clone, Debug)]
struct Level {
    policy: Vec<f32>,
    best: Option<Sequence>,
    times: u32,
}

/// The search, which can be left and gone on with after every batch of matches. The lowest level plays a batch of matches at once, one per lane, and
/// takes the best of them; every level learns from the best match it knows, and begins with the policy of the level above it.
#[derive(Debug)]
pub(super) struct Nested {
    root: Vec<u64>,
    max_plies: usize,
    /// The highest level first.
    levels: Vec<Level>,
    /// The most levels.
    highest: usize,
    /// Searches from the highest level down that are complete.
    searches: usize,
    /// Weights per policy, a power of two.
    size: usize,
    /// The most codes of one batch.
    room: usize,
    work: u64,
    sequences: Vec<Sequence>,
}

impl Nested {
    /// Makes do with so many bytes, and never has more levels than so many: with few it begins anew often, with many it learns for long.
    pub(super) fn new(highest: usize, bytes: usize, max_plies: u64) -> Nested {
        let size = (bytes / 4 / size_of::<f32>() / (highest + 1)).clamp(64, 1 << 15);
        let size = if size.is_power_of_two() { size } else { size.next_power_of_two() / 2 };
        Nested {
            root: Vec::new(),
            max_plies: usize::try_from(max_plies).unwrap_or(usize::MAX),
            levels: Vec::new(),
            highest,
            searches: 0,
            size,
            room: (bytes / 2 / size_of::<u32>()).max(1 << 12),
            work: 0,
            sequences: Vec::new(),
        }
    }

    /// Begins at this state.
    pub(super) fn begin(&mut self, words: &[u64]) {
        self.root = words.to_vec();
        self.levels.clear();
        self.searches = 0;
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        let codes: usize = self.sequences.iter().map(|sequence| sequence.codes.capacity()).sum();
        self.levels.len() * self.size * size_of::<f32>() + codes * size_of::<u32>()
    }

    /// Positions passed.
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    /// Plays matches for about so much [`work`](Nested::work).
    pub(super) fn turn(
        &mut self,
        work: u64,
        lanes: &mut Lanes<'_>,
        random: &mut Random,
        (meter, worker): (&Meter<'_>, &Worker<'_>),
        best: &Best,
    ) -> Result<(), Error> {
        let until = self.work + work;
        while self.work < until && !worker.is_over() && !best.is_top() {
            self.descend();
            self.matches(lanes, random, (meter, worker), best)?;
            self.ascend();
        }
        Ok(())
    }

    /// Levels of the present search: one more after every search with each coding.
    fn height(&self) -> usize {
        (1 + self.searches / CODINGS.len()).min(self.highest)
    }

    /// Goes down to the lowest level.
    fn descend(&mut self) {
        while self.levels.len() < self.height() {
            let policy = self.levels.last().map_or_else(|| vec![0.0; self.size], |above| above.policy.clone());
            self.levels.push(Level { policy, best: None, times: 0 });
        }
    }

    /// Takes the best match of the batch up as far as levels are complete.
    fn ascend(&mut self) {
        let played = self.sequences.iter().filter(|sequence| !sequence.moves.is_empty());
        let mut found = played.max_by_key(|sequence| sequence.points).cloned();
        while let Some(level) = self.levels.last_mut() {
            // Of equal matches the new one is taken: otherwise there is no way off a plateau.
            if found.as_ref().is_some_and(|found| level.best.as_ref().is_none_or(|best| best.points <= found.points)) {
                level.best.clone_from(&found);
            }
            if let Some(best) = &level.best {
                adapt(&mut level.policy, best);
            }
            level.times += 1;
            if level.times < TIMES {
                return;
            }
            found = self.levels.pop().and_then(|level| level.best);
        }
        self.searches += 1;
    }

    /// Plays a batch of matches with the policy of the lowest level. Matches without an end have no moves.
    fn matches(
        &mut self,
        lanes: &mut Lanes<'_>,
        random: &mut Random,
        (meter, worker): (&Meter<'_>, &Worker<'_>),
        best: &Best,
    ) -> Result<(), Error> {
        let coding = CODINGS[self.searches % CODINGS.len()];
        let width = lanes.width();
        self.sequences.resize_with(width, Sequence::default);
        for sequence in &mut self.sequences {
            sequence.moves.clear();
            sequence.codes.clear();
            sequence.steps.clear();
        }
        let policy = &self.levels[self.levels.len() - 1].policy;
        let mut live: Vec<usize> = (0..width).collect();
        let (mut passed, mut codes, mut weights) = (0, 0, Vec::new());
        lanes.load_copies(&self.root, width);
        for ply in 0..=self.max_plies {
            if live.is_empty() || codes > self.room || worker.is_over() {
                break;
            }
            lanes.evaluate()?;
            passed += live.len();
            let mut goes_on = Vec::with_capacity(live.len());
            for &lane in &live {
                let sequence = &mut self.sequences[lane];
                let legal = lanes.legal(lane, ALONE);
                if lanes.terminal(lane) || legal.is_empty() {
                    sequence.points = lanes.points(lane, ALONE)?;
                    lanes.unload(lane);
                    if best.points().is_none_or(|known| known < sequence.points) {
                        best.offer(sequence.points, &sequence.moves);
                    }
                } else if ply < self.max_plies {
                    let chosen = sequence.choose(legal, coding, policy, &mut weights, random);
                    codes += legal.len();
                    lanes.play(lane, &[chosen]);
                    goes_on.push(lane);
                } else {
                    goes_on.push(lane);
                }
            }
            live = goes_on;
            if ply < self.max_plies {
                lanes.advance()?;
            }
        }
        for &lane in &live {
            self.sequences[lane].moves.clear();
        }
        meter.add_simulations((width - live.len()) as u64);
        meter.add_nodes(passed as u64);
        self.work += passed as u64;
        Ok(())
    }
}

impl Sequence {
    /// Draws a move by the policy, and takes note of it.
    fn choose(
        &mut self,
        legal: &[MoveId],
        coding: Coding,
        policy: &[f32],
        weights: &mut Vec<f32>,
        random: &mut Random,
    ) -> MoveId {
        let context = match coding {
            Coding::Plain => 0,
            Coding::Pair => self.moves.last().map_or(0, |id| id.0 + 1),
            Coding::Ply => self.moves.len() as u32,
        };
        weights.clear();
        let mut total = 0.0;
        for id in legal {
            let code = code(context, *id, policy.len());
            self.codes.push(code);
            total += policy[code as usize].exp();
            weights.push(total);
        }
        let drawn = (random.bits() >> 40) as f32 / (1_u32 << 24) as f32 * total;
        let chosen = weights.partition_point(|&weight| weight <= drawn).min(legal.len() - 1);
        self.steps.push((self.codes.len() as u32, chosen as u32));
        self.moves.push(legal[chosen]);
        legal[chosen]
    }
}

/// The place of a move's weight.
fn code(context: u32, id: MoveId, size: usize) -> u32 {
    let key = u64::from(context) << 32 | u64::from(id.0);
    let mixed = (key ^ (key >> 31)).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as u32 & (size as u32 - 1)
}

/// Makes the moves of a match more likely, at the cost of those it could have played instead.
fn adapt(policy: &mut [f32], sequence: &Sequence) {
    let old: Vec<f32> = sequence.codes.iter().map(|&code| policy[code as usize].exp()).collect();
    let mut begin = 0;
    for &(end, chosen) in &sequence.steps {
        let end = end as usize;
        let total: f32 = old[begin..end].iter().sum();
        for place in begin..end {
            let weight = &mut policy[sequence.codes[place] as usize];
            *weight = (*weight - STEP * old[place] / total).max(-60.0);
        }
        let weight = &mut policy[sequence.codes[begin + chosen as usize] as usize];
        *weight = (*weight + STEP).min(60.0);
        begin = end;
    }
}

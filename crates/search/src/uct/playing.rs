//! Playouts that an evaluation function has a part in: they may be cut short, and prefer moves to positions that it likes.
//!
//! Playouts that are only cut short are played by the engine in all lanes at once. Where moves are chosen by what they lead to, all positions after a position are
//! looked at for every step of every playout, which takes as many times as long as there are moves.

use super::expand::Rows;
use super::guide::Guidance;
use ludens_machine::{Cuts, Error, Lanes, Machine, MoveId, Random, RoleId, Rollouts, Totals};
use ludens_score::Evaluator;
use std::sync::Arc;

/// What others may reply to a move of a role, where several choose at once, is looked at for so many joint moves; chance says which.
const REPLIES: u64 = 4;

/// Playouts that are cut short by chance have at most so many steps.
const LONGEST: u32 = 1000;

/// What one thread works with.
#[derive(Debug)]
pub(super) struct Playing<'m> {
    guidance: Guidance,
    evaluator: Arc<dyn Evaluator>,
    cuts: Cuts,
    scores: Vec<f32>,
    /// Where moves are chosen by what they lead to.
    preview: Option<Preview<'m>>,
}

/// Playouts from some starts: points of all that have ended, and how many have.
pub(super) struct Sums<'a> {
    pub(super) owners: &'a [usize],
    /// Per owner and role.
    pub(super) points: &'a mut [f32],
    /// Per owner.
    pub(super) ended: &'a mut [f32],
    pub(super) playouts: &'a mut u64,
}

impl Sums<'_> {
    fn add(&mut self, start: usize, points: impl ExactSizeIterator<Item = f32>) {
        let owner = self.owners[start];
        self.ended[owner] += 1.0;
        *self.playouts += 1;
        let roles = points.len();
        self.points[owner * roles..].iter_mut().zip(points).for_each(|(sum, points)| *sum += points);
    }
}

/// How much values differ: what evaluations say may lie much closer together than wins and losses, and uncertainty is to attract as much less.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spread {
    count: f32,
    sum: f32,
    squares: f32,
}

/// The standard deviation of the values of leaves that eight random matches make, in games that are won and lost.
const USUAL: f32 = 0.2;

impl Spread {
    /// A value from 0 to 1.
    pub(super) fn add(&mut self, value: f32) {
        // What is far back counts less, and sums stay small.
        if self.count >= 4096.0 {
            (self.count, self.sum, self.squares) = (self.count / 2.0, self.sum / 2.0, self.squares / 2.0);
        }
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// The standard deviation over the usual one, at most 1.
    pub(super) fn scale(&self) -> f32 {
        if self.count < 32.0 {
            return 1.0;
        }
        let mean = self.sum / self.count;
        ((self.squares / self.count - mean * mean).max(0.0).sqrt() / USUAL).clamp(0.01, 1.0)
    }
}

impl<'m> Playing<'m> {
    /// What guidance asks for, if it has a part in playouts.
    pub(super) fn new(
        machine: &'m Machine,
        evaluator: &Arc<dyn Evaluator>,
        guidance: Guidance,
        width: usize,
    ) -> Option<Playing<'m>> {
        let uses = guidance.uses;
        (uses.cutoff || uses.rollout).then(|| Playing {
            guidance,
            evaluator: evaluator.clone(),
            cuts: Cuts::default(),
            scores: Vec::new(),
            preview: uses.rollout.then(|| Preview::new(machine.lanes(width))),
        })
    }

    /// Whether every start is to be there as often as it has shares.
    pub(super) fn goes_one_by_one(&self) -> bool {
        self.preview.is_some()
    }

    /// Plays; false if `stop` said so.
    pub(super) fn play(
        &mut self,
        lanes: &mut Lanes<'m>,
        asked: &Rollouts<'_>,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        sums: &mut Sums<'_>,
    ) -> Result<bool, Error> {
        if self.preview.is_some() {
            return self.play_preview(lanes, asked, random, stop, sums);
        }
        let length = length(self.guidance, random);
        let mut totals = Totals::default();
        let finished = lanes.cut_rollouts(asked, length, random, stop, &mut totals, &mut self.cuts)?;
        *sums.playouts += totals.playouts();
        let roles = lanes.roles();
        for (start, &owner) in sums.owners.iter().enumerate() {
            sums.ended[owner] += totals.finished[start] as f32;
            for role in 0..roles {
                sums.points[owner * roles + role] += totals.points[start * roles + role] as f32;
            }
        }
        for first in (0..self.cuts.len()).step_by(lanes.width()) {
            let part = first..self.cuts.len().min(first + lanes.width());
            let rows: Vec<&[u64]> = part.clone().map(|index| self.cuts.state(index)).collect();
            score(&*self.evaluator, lanes, &rows, random, &mut self.scores)?;
            for (index, scores) in part.zip(self.scores.chunks_exact(roles)) {
                sums.add(self.cuts.start(index), scores.iter().copied());
            }
        }
        Ok(finished)
    }

    /// The same where moves are chosen by what they lead to: one playout from every start.
    fn play_preview(
        &mut self,
        lanes: &mut Lanes<'m>,
        asked: &Rollouts<'_>,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        sums: &mut Sums<'_>,
    ) -> Result<bool, Error> {
        let width = lanes.width();
        let length = if self.guidance.uses.cutoff { u64::from(length(self.guidance, random)) } else { u64::MAX };
        for first in (0..asked.starts.len()).step_by(width) {
            let part = &asked.starts[first..asked.starts.len().min(first + width)];
            lanes.load_all(part);
            let mut open: Vec<usize> = (0..part.len()).collect();
            let mut cut = (Rows::default(), Vec::new());
            for ply in 0..=asked.max_plies {
                if stop() {
                    return Ok(false);
                }
                lanes.evaluate()?;
                self.sort_out(lanes, &mut open, first, ply >= length, &mut cut, sums)?;
                if open.is_empty() || ply == asked.max_plies {
                    break;
                }
                let Some(preview) = &mut self.preview else { break };
                preview.choose(lanes, &open, &*self.evaluator, self.guidance, random, stop)?;
                lanes.advance()?;
            }
            *sums.playouts += open.len() as u64;
            if cut.0.len() > 0 {
                score(&*self.evaluator, lanes, &cut.0.all(), random, &mut self.scores)?;
                for (&start, scores) in cut.1.iter().zip(self.scores.chunks_exact(lanes.roles())) {
                    sums.add(start, scores.iter().copied());
                }
            }
        }
        Ok(true)
    }

    /// Takes lanes out that are over, stuck, or cut short now.
    fn sort_out(
        &mut self,
        lanes: &mut Lanes<'m>,
        open: &mut Vec<usize>,
        first: usize,
        is_cut: bool,
        cut: &mut (Rows, Vec<usize>),
        sums: &mut Sums<'_>,
    ) -> Result<(), Error> {
        let roles = lanes.roles();
        let mut kept = 0;
        for index in 0..open.len() {
            let lane = open[index];
            if lanes.terminal(lane) {
                self.scores.clear();
                for role in 0..roles {
                    self.scores.push(f32::from(lanes.points(lane, RoleId(role as u32))?));
                }
                sums.add(first + lane, self.scores.iter().copied());
            } else if (0..roles).any(|role| lanes.legal(lane, RoleId(role as u32)).is_empty()) {
                *sums.playouts += 1;
            } else if is_cut {
                cut.0.push(|words| lanes.store(lane, words));
                cut.1.push(first + lane);
            } else {
                open[kept] = lane;
                kept += 1;
                continue;
            }
            lanes.unload(lane);
        }
        open.truncate(kept);
        Ok(())
    }
}

/// After how many steps playouts are cut short that have not come to their end. Where chance decides it is the same for all playouts of a batch, so that
/// none waits for the longest: each ends at every step with the probability asked for, if not independently of the others.
fn length(guidance: Guidance, random: &mut Random) -> u32 {
    let by_chance = || (0..LONGEST).take_while(|_| fraction(random) >= guidance.cutoff).count() as u32;
    guidance.length.unwrap_or_else(by_chance)
}

/// A number from 0 to 1.
fn fraction(random: &mut Random) -> f32 {
    (random.bits() >> 40) as f32 / (1 << 24) as f32
}

/// What states are worth, which the lanes hold afterwards.
fn score(
    evaluator: &dyn Evaluator,
    lanes: &mut Lanes<'_>,
    rows: &[&[u64]],
    random: &mut Random,
    scores: &mut Vec<f32>,
) -> Result<(), Error> {
    lanes.load_all(rows);
    if evaluator.reads_moves() {
        lanes.evaluate()?;
    } else {
        lanes.evaluate_ends()?;
    }
    scores.clear();
    scores.resize(rows.len() * lanes.roles(), 0.0);
    evaluator.score(lanes, rows.len(), random, scores)
}

/// Looks one move ahead for every lane.
#[derive(Debug)]
struct Preview<'m> {
    /// Positions after the lanes', and which choice of which role each is looked at for.
    lanes: Lanes<'m>,
    rows: Rows,
    asked: Vec<Asked>,
    joints: Vec<MoveId>,
    scores: Vec<f32>,
    /// What every move of every choice is worth: the sum over the positions looked at, and how many they are.
    values: Vec<(f32, f32)>,
    /// Per lane and role: where its values begin, if it is not left to chance.
    choices: Vec<Option<usize>>,
}

/// A position that is looked at for the sake of a move.
#[derive(Clone, Copy, Debug)]
struct Asked {
    role: usize,
    /// The place of the move's value.
    value: usize,
}

impl<'m> Preview<'m> {
    fn new(lanes: Lanes<'m>) -> Preview<'m> {
        let (rows, asked, joints, scores, values, choices) = Default::default();
        Preview { lanes, rows, asked, joints, scores, values, choices }
    }

    /// Plays a move of every role in every open lane.
    fn choose(
        &mut self,
        lanes: &mut Lanes<'_>,
        open: &[usize],
        evaluator: &dyn Evaluator,
        guidance: Guidance,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let roles = lanes.roles();
        self.values.clear();
        self.choices.clear();
        self.rows.clear();
        self.asked.clear();
        self.joints.clear();
        for &lane in open {
            for role in 0..roles {
                let count = lanes.legal(lane, RoleId(role as u32)).len();
                let is_open = count > 1 && fraction(random) >= guidance.chance;
                self.choices.push(is_open.then_some(self.values.len()));
                if is_open && !stop() {
                    self.look(lanes, lane, role, evaluator, random)?;
                }
            }
        }
        self.flush(evaluator, random)?;
        let mut joint = Vec::with_capacity(roles);
        for (index, &lane) in open.iter().enumerate() {
            joint.clear();
            for role in 0..roles {
                let legal = lanes.legal(lane, RoleId(role as u32));
                let values = self.choices[index * roles + role].and_then(|first| self.values.get(first..first + legal.len()));
                let place = match values {
                    Some(values) => draw(values, guidance.temperature, random),
                    None if legal.len() > 1 => random.below(legal.len()),
                    None => 0,
                };
                joint.push(legal[place]);
            }
            lanes.play(lane, &joint);
        }
        Ok(())
    }

    /// Looks at what follows every move of a role.
    fn look(
        &mut self,
        lanes: &Lanes<'_>,
        lane: usize,
        role: usize,
        evaluator: &dyn Evaluator,
        random: &mut Random,
    ) -> Result<(), Error> {
        let roles = lanes.roles();
        let legal: Vec<&[MoveId]> = (0..roles).map(|role| lanes.legal(lane, RoleId(role as u32))).collect();
        let others = legal.iter().enumerate().filter(|(other, _)| *other != role);
        let replies = others.fold(1_u64, |product, (_, moves)| product.saturating_mul(moves.len() as u64));
        let first = self.values.len();
        self.values.resize(first + legal[role].len(), (0.0, 0.0));
        for reply in 0..replies.min(REPLIES) {
            // All replies in turn, or some by chance.
            let number = if replies <= REPLIES { reply } else { random.bits() % replies };
            for (place, &own) in legal[role].iter().enumerate() {
                if self.asked.len() == self.lanes.width() {
                    self.flush(evaluator, random)?;
                }
                let mut rest = number;
                for (other, moves) in legal.iter().enumerate() {
                    if other == role {
                        self.joints.push(own);
                    } else {
                        self.joints.push(moves[(rest % moves.len() as u64) as usize]);
                        rest /= moves.len() as u64;
                    }
                }
                self.rows.push(|words| lanes.store(lane, words));
                self.asked.push(Asked { role, value: first + place });
            }
        }
        Ok(())
    }

    /// Scores all positions that wait for it.
    fn flush(&mut self, evaluator: &dyn Evaluator, random: &mut Random) -> Result<(), Error> {
        let roles = self.lanes.roles();
        if self.asked.is_empty() {
            return Ok(());
        }
        self.lanes.load_all(&self.rows.all());
        for (lane, joint) in self.joints.chunks_exact(roles).enumerate() {
            self.lanes.play(lane, joint);
        }
        self.lanes.advance()?;
        if evaluator.reads_moves() {
            self.lanes.evaluate()?;
        } else {
            self.lanes.evaluate_ends()?;
        }
        self.scores.clear();
        self.scores.resize(self.asked.len() * roles, 0.0);
        evaluator.score(&mut self.lanes, self.asked.len(), random, &mut self.scores)?;
        for (lane, asked) in self.asked.iter().enumerate() {
            let score = if self.lanes.terminal(lane) {
                f32::from(self.lanes.points(lane, RoleId(asked.role as u32))?)
            } else {
                self.scores[lane * roles + asked.role]
            };
            let value = &mut self.values[asked.value];
            *value = (value.0 + score, value.1 + 1.0);
        }
        self.rows.clear();
        self.asked.clear();
        self.joints.clear();
        Ok(())
    }
}

/// Draws a move by what each is worth: so many points as the temperature make it *e* times as likely.
fn draw(values: &[(f32, f32)], temperature: f32, random: &mut Random) -> usize {
    let worth = |&(sum, count): &(f32, f32)| sum / count.max(1.0);
    let best = values.iter().map(worth).fold(f32::NEG_INFINITY, f32::max);
    let weight = |value: &(f32, f32)| match temperature {
        0.0 => f32::from(u8::from(worth(value) >= best)),
        _ => ((worth(value) - best) / temperature).exp(),
    };
    let mut rest = fraction(random) * values.iter().map(weight).sum::<f32>();
    for (place, value) in values.iter().enumerate() {
        rest -= weight(value);
        if rest < 0.0 {
            return place;
        }
    }
    // Rounding, or what is no number.
    values.iter().position(|value| worth(value) >= best).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Guidance, draw, length};
    use ludens_machine::Random;

    #[test]
    fn playouts_end_at_every_step_with_the_probability_asked_for() {
        let (mut random, count) = (Random::new(1), 20_000);
        let mut lengths = |guidance: Guidance| -> Vec<u32> { (0..count).map(|_| length(guidance, &mut random)).collect() };
        let by_chance = lengths(Guidance { cutoff: 0.1, ..Guidance::NONE });
        for step in 0..30 {
            let there = by_chance.iter().filter(|&&length| length >= step).count() as f64;
            let ended = by_chance.iter().filter(|&&length| length == step).count() as f64;
            let error = (0.1 * 0.9 / there).sqrt();
            assert!((ended / there - 0.1).abs() < 4.0 * error, "step {step}: {ended} of {there}");
        }
        assert!(lengths(Guidance { cutoff: 1.0, ..Guidance::NONE }).iter().all(|&length| length == 0));
        assert!(lengths(Guidance { length: Some(7), ..Guidance::NONE }).iter().all(|&length| length == 7));
        assert!(lengths(Guidance { cutoff: 0.0, ..Guidance::NONE }).iter().all(|&length| length == super::LONGEST));
    }

    #[test]
    fn better_moves_are_drawn_more_often() {
        let values = [(50.0, 1.0), (120.0, 2.0), (40.0, 1.0)];
        let draws = |temperature: f32| {
            let mut random = Random::new(1);
            let mut counts = [0; 3];
            (0..3000).for_each(|_| counts[draw(&values, temperature, &mut random)] += 1);
            counts
        };
        assert_eq!(draws(0.0), [0, 3000, 0]);
        let warm = draws(10.0);
        // Of e^0 + e^-1 + e^-2 parts.
        for (count, share) in warm.into_iter().zip([0.245, 0.665, 0.090]) {
            assert!((f64::from(count) / 3000.0 - share).abs() < 0.03, "{warm:?}");
        }
        let hot = draws(1e6);
        assert!(hot.iter().all(|&count| count > 900), "{hot:?}");
    }
}

//! Matches that a model plays against itself, to learn more from than from random play.

use super::extras::Extras;
use super::fit::{Model, chance};
use super::positions::Positions;
use crate::linear::{Linear, Sums};
use ludens_machine::{Error, Lanes, Machine, MoveId, Random, RoleId, State};

/// Matches that are played at once.
const MATCHES: usize = 64;

/// Positions that are made at once.
const LANES: usize = 512;

/// Moves that are looked at, at most; of more, some are.
const MOST_MOVES: usize = 96;

/// How far a certain end is ahead of any guess, as the logarithm of odds.
const CERTAIN: f32 = 12.0;

/// How a match is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    /// Joint moves at the beginning that are left to chance.
    pub(super) opening: u64,
    /// Moves of a position after which all answers are looked at: those that seem best without. With 0, none are.
    pub(super) few: usize,
    /// How much chance has a part: a move that is worse by so much, as the logarithm of odds, is chosen a third as often.
    pub(super) temperature: f32,
    /// Of what is learned about a position, the share that comes from further on than the next.
    pub(super) trace: f32,
    pub(super) max_plies: u64,
    /// Whether only matches that came to their end are learned from. Of others, what the model thinks of the last position stands for the result.
    pub(super) whole: bool,
}

/// Moves are left to chance: nothing is so much worse that it is not chosen.
const ANY: f32 = f32::INFINITY;

/// A match under way.
#[derive(Debug, Default)]
struct Match {
    /// The positions so far, the current one last.
    states: Vec<u64>,
    /// What was thought of each but the first, as the logarithm of odds, per model.
    odds: Vec<f32>,
    points: Option<Vec<u8>>,
    /// Its children in the lanes of this turn: who chooses, and for each the joint move.
    mover: usize,
    joints: Vec<MoveId>,
}

/// Plays some matches and adds their positions, with what is to be learned about them.
pub(super) struct SelfPlay<'a, 'm> {
    machine: &'m Machine,
    extras: &'a Extras,
    sums: Sums,
    parents: Lanes<'m>,
    ahead: Lanes<'m>,
    /// What is after the moves after next.
    beyond: Lanes<'m>,
    words: usize,
    /// Positions looked at ahead so far.
    pub(super) children: usize,
}

impl<'a, 'm> SelfPlay<'a, 'm> {
    /// There is a model for every role; or one for the first of two that share the points.
    pub(super) fn new(machine: &'m Machine, models: &[Model], extras: &'a Extras) -> SelfPlay<'a, 'm> {
        let sums: Vec<Linear> = models.iter().map(|model| model.linear(machine.roles().len(), extras)).collect();
        SelfPlay {
            machine,
            extras,
            sums: Sums::new(&sums, machine.initial().words()),
            parents: machine.lanes(MATCHES),
            ahead: machine.lanes(LANES),
            beyond: machine.lanes(LANES),
            words: machine.initial().words().len(),
            children: 0,
        }
    }

    /// Plays a batch of matches from a position on.
    pub(super) fn batch(
        &mut self,
        from: &State,
        course: &Course,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<Positions, Error> {
        let begin = || Match { states: from.words().to_vec(), ..Match::default() };
        let mut matches: Vec<Match> = (0..MATCHES).map(|_| begin()).collect();
        let mut active: Vec<usize> = (0..MATCHES).collect();
        for ply in 0..course.max_plies {
            self.look(&mut matches, &mut active, random)?;
            if active.is_empty() || stop() {
                break;
            }
            let course = if ply < course.opening { Course { temperature: ANY, few: 0, ..*course } } else { *course };
            self.step(&mut matches, &active, &course, random, stop)?;
        }
        let mut positions = Positions::new(self.sums.count(), self.extras.features().len());
        for played in &matches {
            if let Some(targets) = self.outcome(played, course.whole) {
                self.learn(played, targets, course.trace, &mut positions);
            }
        }
        positions.count(self.machine, self.extras)?;
        Ok(positions)
    }

    /// Finds out which matches are over, and what can be played in the others.
    fn look(&mut self, matches: &mut [Match], active: &mut Vec<usize>, random: &mut Random) -> Result<(), Error> {
        let words = self.words;
        let states: Vec<&[u64]> = active.iter().map(|&index| matches[index].state(words)).collect();
        self.parents.load_all(&states);
        self.parents.evaluate()?;
        let roles = self.machine.roles().len();
        let mut lane = 0;
        let mut error = None;
        active.retain(|&index| {
            let played = &mut matches[index];
            let here = lane;
            lane += 1;
            if self.parents.terminal(here) {
                let points = (0..roles).map(|role| self.parents.points(here, RoleId(role as u32))).collect();
                match points {
                    Ok(points) => played.points = Some(points),
                    Err(found) => error = Some(found),
                }
                return false;
            }
            let legal: Vec<&[MoveId]> = (0..roles).map(|role| self.parents.legal(here, RoleId(role as u32))).collect();
            // Somebody stuck: nothing can be learned.
            !legal.iter().any(|moves| moves.is_empty()) && {
                played.offer(&legal, random);
                true
            }
        });
        error.map_or(Ok(()), Err)
    }

    /// Plays a move in every match that goes on.
    fn step(
        &mut self,
        matches: &mut [Match],
        active: &[usize],
        course: &Course,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let roles = self.machine.roles().len();
        let mut rest = active;
        // Where it stops, some matches lack a move; none of them goes on.
        while !rest.is_empty() && !stop() {
            let mut count = 0;
            let mut fit = 0;
            for &index in rest {
                let ways = matches[index].joints.len() / roles;
                if fit > 0 && count + ways > LANES {
                    break;
                }
                count += ways;
                fit += 1;
            }
            let (group, later) = rest.split_at(fit);
            rest = later;
            self.choose(matches, group, course, random)?;
        }
        Ok(())
    }

    /// Looks one or two moves ahead in some matches, and plays one.
    fn choose(&mut self, matches: &mut [Match], group: &[usize], course: &Course, random: &mut Random) -> Result<(), Error> {
        let (roles, words) = (self.machine.roles().len(), self.words);
        let states: Vec<&[u64]> = group
            .iter()
            .flat_map(|&index| std::iter::repeat_n(matches[index].state(words), matches[index].joints.len() / roles))
            .collect();
        let count = states.len();
        self.children += count;
        let joints = group.iter().flat_map(|&index| matches[index].joints.chunks_exact(roles));
        let mut odds = vec![0.0; count * self.sums.count()];
        make(&mut self.ahead, &self.sums, &states, joints, course.few > 0, &mut odds)?;
        let mut after = Vec::with_capacity(count * words);
        self.ahead.store_all(count, &mut after);
        let movers: Vec<usize> = group
            .iter()
            .flat_map(|&index| std::iter::repeat_n(matches[index].mover, matches[index].joints.len() / roles))
            .collect();
        let mut scores = Vec::with_capacity(count);
        for (child, &mover) in movers.iter().enumerate() {
            scores.push(self.score(child, mover, &odds)?);
        }
        if course.few > 0 {
            let mut first = 0;
            for &index in group {
                let ways = matches[index].joints.len() / roles;
                leave_few(&mut scores[first..first + ways], course.few);
                first += ways;
            }
            let few: Vec<usize> = (0..count).filter(|&child| scores[child] > f32::NEG_INFINITY).collect();
            self.look_beyond(&after, &few, &mut odds)?;
            for &child in &few {
                scores[child] = self.score(child, movers[child], &odds)?;
            }
        }
        let mut first = 0;
        for &index in group {
            let played = &mut matches[index];
            let ways = played.joints.len() / roles;
            let pick = first + soft_pick(&scores[first..first + ways], course.temperature, random);
            played.states.extend_from_slice(&after[pick * words..(pick + 1) * words]);
            played.odds.extend_from_slice(&odds[pick * self.sums.count()..(pick + 1) * self.sums.count()]);
            first += ways;
        }
        Ok(())
    }

    /// Looks at all answers to some children where one role alone has a choice, and puts what it would choose in the place of what is thought of a child.
    fn look_beyond(&mut self, after: &[u64], few: &[usize], odds: &mut [f32]) -> Result<(), Error> {
        let (roles, words, models) = (self.machine.roles().len(), self.words, self.sums.count());
        let (answers, joints) = self.answers(few);
        self.children += answers.len();
        let mut best: Vec<Option<f32>> = vec![None; odds.len() / models];
        let mut found = vec![0.0; answers.len().min(LANES) * models];
        for (answers, joints) in answers.chunks(LANES).zip(joints.chunks(LANES * roles)) {
            let states: Vec<&[u64]> = answers.iter().map(|&(child, _)| &after[child * words..(child + 1) * words]).collect();
            let found = &mut found[..answers.len() * models];
            make(&mut self.beyond, &self.sums, &states, joints.chunks_exact(roles), false, found)?;
            for (lane, (&(child, mover), values)) in answers.iter().zip(found.chunks_exact_mut(models)).enumerate() {
                if self.beyond.terminal(lane) {
                    for (role, value) in values.iter_mut().enumerate() {
                        *value = certain(self.beyond.points(lane, RoleId(role as u32))?);
                    }
                }
                let worth = values.get(mover).copied().unwrap_or_else(|| -values[0]);
                if best[child].is_none_or(|best| worth > best) {
                    best[child] = Some(worth);
                    odds[child * models..(child + 1) * models].copy_from_slice(values);
                }
            }
        }
        Ok(())
    }

    /// The answers to some children where one role alone has a choice: which child and who chooses; and the joint moves.
    fn answers(&self, few: &[usize]) -> (Vec<(usize, usize)>, Vec<MoveId>) {
        let roles = self.machine.roles().len();
        let (mut answers, mut joints) = (Vec::new(), Vec::new());
        for &child in few.iter().filter(|&&child| !self.ahead.terminal(child)) {
            let legal: Vec<&[MoveId]> = (0..roles).map(|role| self.ahead.legal(child, RoleId(role as u32))).collect();
            let mut choosers = (0..roles).filter(|&role| legal[role].len() > 1);
            let (mover, other) = (choosers.next().unwrap_or(0), choosers.next());
            if other.is_some() || legal.iter().any(|moves| moves.is_empty()) || legal[mover].len() > MOST_MOVES {
                continue;
            }
            for &id in legal[mover] {
                answers.push((child, mover));
                joints.extend((0..roles).map(|role| if role == mover { id } else { legal[role][0] }));
            }
        }
        (answers, joints)
    }

    /// What a child is worth to a role, as the logarithm of odds.
    fn score(&mut self, lane: usize, role: usize, odds: &[f32]) -> Result<f32, Error> {
        if self.ahead.terminal(lane) {
            return Ok(certain(self.ahead.points(lane, RoleId(role as u32))?));
        }
        let count = self.sums.count();
        let own = odds.get(lane * count + role).filter(|_| role < count);
        Ok(own.copied().unwrap_or_else(|| -odds[lane * count]))
    }

    /// What a match came to, for every model; `None` where that is not known.
    fn outcome(&self, played: &Match, whole: bool) -> Option<Vec<f32>> {
        let count = self.sums.count();
        match &played.points {
            Some(points) => Some(points[..count].iter().map(|&points| f32::from(points) / 100.0).collect()),
            None if whole || played.odds.len() < count => None,
            None => Some(played.odds[played.odds.len() - count..].iter().map(|&odds| chance(odds)).collect()),
        }
    }

    /// Adds the positions of a match. What is learned about each is what the model thinks of the next, and the next but one, and so on to the end.
    fn learn(&self, played: &Match, mut targets: Vec<f32>, trace: f32, positions: &mut Positions) {
        let states: Vec<&[u64]> = played.states.chunks_exact(self.words.max(1)).collect();
        for ply in (0..states.len().saturating_sub(1)).rev() {
            if ply + 2 < states.len() {
                for (target, &odds) in targets.iter_mut().zip(&played.odds[ply * self.sums.count()..]) {
                    *target = trace * *target + (1.0 - trace) * chance(odds);
                }
            }
            positions.push(states[ply], targets.iter().copied());
        }
    }
}

impl Match {
    fn state(&self, words: usize) -> &[u64] {
        &self.states[self.states.len() - words..]
    }

    /// Takes note of the joint moves to look at: one role chooses, the others do whatever they like.
    fn offer(&mut self, legal: &[&[MoveId]], random: &mut Random) {
        let choosers: Vec<usize> = (0..legal.len()).filter(|&role| legal[role].len() > 1).collect();
        self.mover = if choosers.is_empty() { 0 } else { choosers[random.below(choosers.len())] };
        let others: Vec<MoveId> = legal.iter().map(|moves| moves[random.below(moves.len())]).collect();
        let own = legal[self.mover];
        self.joints.clear();
        let first = if own.len() > MOST_MOVES { random.below(own.len()) } else { 0 };
        for place in 0..own.len().min(MOST_MOVES) {
            let at = self.joints.len();
            self.joints.extend_from_slice(&others);
            self.joints[at + self.mover] = own[(first + place) % own.len()];
        }
    }
}

/// Makes what comes of positions by a joint move each, and says what is thought of that, as the logarithm of odds. What can be played then is found out if it is asked for.
fn make<'j>(
    lanes: &mut Lanes<'_>,
    sums: &Sums,
    states: &[&[u64]],
    joints: impl Iterator<Item = &'j [MoveId]>,
    with_moves: bool,
    odds: &mut [f32],
) -> Result<(), Error> {
    lanes.load_all(states);
    for (lane, joint) in joints.enumerate() {
        lanes.play(lane, joint);
    }
    lanes.advance()?;
    if with_moves || sums.reads_moves() {
        lanes.evaluate()?;
    } else {
        lanes.evaluate_ends()?;
    }
    sums.of_lanes(lanes, states.len(), odds);
    Ok(())
}

/// What an end is worth, as the logarithm of odds.
fn certain(points: u8) -> f32 {
    (f32::from(points) - 50.0) / 50.0 * CERTAIN
}

/// Leaves the greatest of some scores, and puts the others out of the question.
fn leave_few(scores: &mut [f32], few: usize) {
    if scores.len() > few {
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(|one, two| two.total_cmp(one));
        let least = sorted[few - 1];
        let mut left = few;
        for score in scores {
            if *score >= least && left > 0 {
                left -= 1;
            } else {
                *score = f32::NEG_INFINITY;
            }
        }
    }
}

/// One of some numbers by chance, the larger the likelier.
fn soft_pick(scores: &[f32], temperature: f32, random: &mut Random) -> usize {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f32> = scores.iter().map(|score| ((score - most) / temperature).exp()).collect();
    let sum: f32 = weights.iter().sum();
    let mut left = random.below(1 << 24) as f32 / (1 << 24) as f32 * sum;
    for (index, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    scores.len().saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{Course, SelfPlay, leave_few};
    use crate::learned::extras::Extras;
    use crate::learned::fit::Model;
    use crate::vocabulary::Vocabulary;
    use ludens_machine::{GroundLimits, Machine, Random};

    /// After `left` the other player can win at once; after `right` it cannot.
    const TRAP: &str = "
        (role a) (role b) (init (turn a))
        (<= (legal a left) (true (turn a))) (<= (legal a right) (true (turn a))) (<= (legal b noop) (true (turn a)))
        (<= (legal b take) (true (turn b))) (<= (legal b leave) (true (turn b))) (<= (legal a noop) (true (turn b)))
        (<= (next (turn b)) (true (turn a))) (<= (next (at left)) (does a left)) (<= (next (at right)) (does a right))
        (<= (next over) (true (turn b))) (<= (next lost) (true (at left)) (does b take))
        (<= terminal (true over))
        (<= (goal a 0) (true lost)) (<= (goal b 100) (true lost))
        (<= (goal a 100) (true over) (not (true lost))) (<= (goal b 0) (true over) (not (true lost)))";

    /// The shares of matches that the first player won, if so many moves are looked at with their answers.
    fn won(few: usize) -> f32 {
        let rules = ludens_gdl::read(TRAP, &ludens_gdl::Limits::default()).rules.expect("a sheet that is right");
        let machine = Machine::grounded(&rules, &GroundLimits::default()).expect("a machine");
        let vocabulary = Vocabulary::of(&machine).expect("states of bits");
        let (models, extras) = ([Model::even(vocabulary.rows().len())], Extras::default());
        let course = Course { opening: 0, few, temperature: 0.1, trace: 1.0, max_plies: 10, whole: true };
        let mut play = SelfPlay::new(&machine, &models, &extras);
        let positions = play.batch(machine.initial(), &course, &mut Random::new(1), &|| false).expect("no limit is met");
        assert_eq!(positions.len(), 2 * super::MATCHES);
        (0..positions.len()).map(|index| positions.result(index, 0)).sum::<f32>() / positions.len() as f32
    }

    #[test]
    fn traps_are_seen_where_answers_are_looked_at() {
        let blind = won(0);
        assert!(blind > 0.2 && blind < 0.8, "{blind}");
        assert!(won(2) > 0.999);
    }

    #[test]
    fn the_best_are_left_and_no_more_of_those_alike() {
        let out = f32::NEG_INFINITY;
        let left = |mut scores: Vec<f32>, few| {
            leave_few(&mut scores, few);
            scores
        };
        assert_eq!(left(vec![1.0, 3.0, 2.0], 2), [out, 3.0, 2.0]);
        assert_eq!(left(vec![1.0, 1.0, 1.0], 2), [1.0, 1.0, out]);
        assert_eq!(left(vec![1.0, 2.0], 2), [1.0, 2.0]);
    }
}

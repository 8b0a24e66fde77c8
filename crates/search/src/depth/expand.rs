//! All children of a position at once, one per lane.

use super::table;
use ludens_machine::{Error, Lanes, Machine, MoveId, Random, RoleId};
use ludens_score::Evaluator;
use std::sync::Arc;

/// States that are worked on together. More children than that take several passes. With 256 they took less time than
/// with 64 or 128, however few lanes were used; with 512, too many children are made ahead of time in some games.
const LANES: usize = 256;

/// The same where they are worked on one after the other, which gains nothing and must not take long.
const FEW_LANES: usize = 4;

/// Words of all positions that one list shall hold at most, as long as that is room for some.
const LIST_WORDS: usize = 1 << 17;

/// Positions side by side: what they are made of, what can be played there, and what they are worth.
#[derive(Debug)]
pub(super) struct Positions {
    roles: usize,
    words: Vec<u64>,
    /// Where the words of every position begin; one more at the end.
    places: Vec<u32>,
    /// What tables know every position by.
    keys: Vec<u64>,
    moves: Vec<MoveId>,
    /// Where the moves of every role at every position begin; one more at the end.
    starts: Vec<u32>,
    scores: Vec<f32>,
    over: Vec<bool>,
    stuck: Vec<bool>,
}

impl Positions {
    /// An empty list.
    pub(super) fn new(roles: usize) -> Positions {
        let (words, keys, moves, scores, over, stuck) = Default::default();
        Positions { roles, words, places: vec![0], keys, moves, starts: vec![0], scores, over, stuck }
    }

    /// Makes it empty; its memory is kept.
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.places.truncate(1);
        self.keys.clear();
        self.moves.clear();
        self.starts.truncate(1);
        self.scores.clear();
        self.over.clear();
        self.stuck.clear();
    }

    /// Appends the states of the first lanes, as a role looks at them.
    fn store(&mut self, lanes: &Lanes<'_>, count: usize, role: usize) {
        self.store_words(lanes, count);
        for index in self.keys.len()..self.places.len() - 1 {
            self.keys.push(table::key(self.words(index), role as u64));
        }
    }

    fn store_words(&mut self, lanes: &Lanes<'_>, count: usize) {
        if let Some(words) = lanes.words_per_state() {
            let first = self.words.len();
            lanes.store_all(count, &mut self.words);
            self.places.extend((1..=count).map(|index| (first + index * words) as u32));
            return;
        }
        for lane in 0..count {
            lanes.store(lane, &mut self.words);
            self.places.push(self.words.len() as u32);
        }
    }

    /// What a position is made of.
    pub(super) fn words(&self, index: usize) -> &[u64] {
        &self.words[self.places[index] as usize..self.places[index + 1] as usize]
    }

    /// What tables know a position by.
    pub(super) fn key(&self, index: usize) -> u64 {
        self.keys[index]
    }

    /// What a role can play at a position.
    pub(super) fn legal(&self, index: usize, role: usize) -> &[MoveId] {
        let at = index * self.roles + role;
        &self.moves[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Whether nothing comes after a position: the match is over, or somebody is stuck. Only the former where no moves were listed.
    pub(super) fn is_over(&self, index: usize) -> bool {
        self.over[index]
    }

    /// Whether it is over because somebody has nothing to play.
    pub(super) fn is_stuck(&self, index: usize) -> bool {
        self.stuck[index]
    }

    /// The points of all roles, true ones where the match is over.
    pub(super) fn scores(&self, index: usize) -> &[f32] {
        &self.scores[index * self.roles..(index + 1) * self.roles]
    }

    /// The points of a role, true ones where the match is over.
    pub(super) fn score(&self, index: usize, role: usize) -> f32 {
        self.scores[index * self.roles + role]
    }

    /// The memory it has, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let small = self.places.capacity() + self.moves.capacity() + self.starts.capacity() + self.scores.capacity();
        (self.words.capacity() + self.keys.capacity()) * 8 + small * 4 + self.over.capacity() * 2
    }

    /// How many ways there are to go on, for one role and for all others together.
    pub(super) fn choices(&self, index: usize, role: usize) -> Choices {
        let others = (0..self.roles).filter(|&other| other != role);
        let replies = others.fold(1, |product: u64, other| product.saturating_mul(self.legal(index, other).len() as u64));
        Choices { own: self.legal(index, role).len(), replies }
    }
}

/// How many ways there are to go on: a role's own moves, each followed by the replies of all others together. Replies are numbered so that the moves of
/// the last role change fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choices {
    /// Moves of the role.
    pub(super) own: usize,
    /// Joint moves of the others.
    pub(super) replies: u64,
}

impl Choices {
    /// All joint moves.
    pub(super) fn all(self) -> u64 {
        (self.own as u64).saturating_mul(self.replies)
    }
}

/// A joint move of some position, by numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Way {
    /// Which of its moves the role plays.
    pub(super) own: usize,
    /// Which reply of the others comes then.
    pub(super) reply: u64,
}

/// What is to be known of children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// They are leaves: their scores alone.
    Leaves,
    /// The search goes on there; scores do not matter.
    Unscored,
    /// The search goes on there.
    Whole,
}

/// Makes children. What it needs is allocated once.
#[derive(Debug)]
pub(super) struct Expander<'m> {
    lanes: Lanes<'m>,
    evaluator: Arc<dyn Evaluator>,
    random: Random,
    roles: usize,
    /// Words per state, about.
    size: usize,
    /// The roles as their moves change in the numbers of joint moves, slowest first.
    order: Vec<usize>,
    digits: Vec<usize>,
    joint: Vec<MoveId>,
    /// Whether some match was met whose two roles did not share 100 points.
    shares: bool,
    /// Whether moves that lose at once, or do not win at once where others do, are left out.
    narrow: bool,
}

impl<'m> Expander<'m> {
    pub(super) fn new(machine: &'m Machine, evaluator: Arc<dyn Evaluator>, narrow: bool) -> Expander<'m> {
        let roles = machine.roles().len();
        // Who counts moves is to count all.
        let narrow = narrow && !evaluator.reads_moves() && machine.narrows();
        Expander {
            lanes: machine.lanes(if machine.as_bits().is_some() { LANES } else { FEW_LANES }),
            evaluator,
            random: Random::new(0),
            roles,
            size: machine.initial().words().len(),
            order: Vec::new(),
            digits: vec![0; roles],
            joint: vec![MoveId(0); roles],
            shares: true,
            narrow,
        }
    }

    /// Begins anew, for a role.
    pub(super) fn begin(&mut self, role: usize, seed: u64) {
        self.random = Random::new(seed);
        self.order.clear();
        self.order.push(role);
        self.order.extend((0..self.roles).filter(|&other| other != role));
    }

    /// The roles in the order in which they choose: the one that the search is for, then the others.
    pub(super) fn order(&self) -> &[usize] {
        &self.order
    }

    /// An empty list for positions of this game.
    pub(super) fn positions(&self) -> Positions {
        Positions::new(self.roles)
    }

    /// Whether all ends so far gave two roles 100 points together, or there is one role only.
    pub(super) fn is_contest(&self) -> bool {
        self.roles == 1 || self.roles == 2 && self.shares
    }

    /// Whether moves that cannot matter are left out.
    pub(super) fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// How many children a list shall hold at most.
    pub(super) fn most(&self) -> u64 {
        (LIST_WORDS / self.size.max(1)).clamp(LANES, 1 << 12) as u64
    }

    /// How many children one pass makes at most.
    pub(super) const WIDEST: usize = LANES;

    /// How many children one pass makes.
    pub(super) fn width(&self) -> usize {
        self.lanes.width()
    }

    /// Makes a list hold one position.
    pub(super) fn look(&mut self, words: &[u64], into: &mut Positions) -> Result<(), Error> {
        into.clear();
        self.lanes.load_copies(words, 1);
        self.lanes.evaluate()?;
        self.read(1, Reach::Whole, into)
    }

    /// Appends children of a position to a list: those of `count` joint moves, beginning with `first`; after the last reply to a move comes the first
    /// one to the next.
    ///
    /// # Panics
    /// If there are more than one pass makes.
    pub(super) fn pass(
        &mut self,
        from: (&Positions, usize),
        first: Way,
        count: usize,
        reach: Reach,
        into: &mut Positions,
    ) -> Result<(), Error> {
        let (parents, index) = from;
        self.seek(parents, index, first);
        self.lanes.load_copies(parents.words(index), count);
        for lane in 0..count {
            self.lanes.play(lane, &self.joint);
            self.step(parents, index);
        }
        self.lanes.advance()?;
        self.finish(count, reach, into)
    }

    /// Appends all children of several positions of one list to another: of each so many.
    ///
    /// # Panics
    /// If there are more than one pass makes.
    pub(super) fn several(
        &mut self,
        parents: &Positions,
        group: impl Iterator<Item = (usize, usize)> + Clone,
        reach: Reach,
        into: &mut Positions,
    ) -> Result<(), Error> {
        let mut states: [&[u64]; LANES] = [&[]; LANES];
        let mut count = 0;
        for (index, many) in group.clone() {
            states[count..count + many].fill(parents.words(index));
            count += many;
        }
        self.lanes.load_all(&states[..count]);
        let mut lane = 0;
        for (index, many) in group {
            self.seek(parents, index, Way { own: 0, reply: 0 });
            for _ in 0..many {
                self.lanes.play(lane, &self.joint);
                self.step(parents, index);
                lane += 1;
            }
        }
        self.lanes.advance()?;
        self.finish(count, reach, into)
    }

    /// Appends some children of a position to a list, those that the search goes on from.
    ///
    /// # Panics
    /// If there are more than one pass makes.
    pub(super) fn chosen(
        &mut self,
        (parents, index): (&Positions, usize),
        ways: impl ExactSizeIterator<Item = Way>,
        into: &mut Positions,
    ) -> Result<(), Error> {
        let count = ways.len();
        self.lanes.load_copies(parents.words(index), count);
        for (lane, way) in ways.enumerate() {
            self.seek(parents, index, way);
            self.lanes.play(lane, &self.joint);
        }
        self.lanes.advance()?;
        self.finish(count, Reach::Whole, into)
    }

    /// A joint move of a position.
    pub(super) fn joint(&mut self, positions: &Positions, index: usize, way: Way) -> &[MoveId] {
        self.seek(positions, index, way);
        &self.joint
    }

    fn seek(&mut self, positions: &Positions, index: usize, way: Way) {
        let mut rest = way.reply;
        for &role in self.order[1..].iter().rev() {
            let legal = positions.legal(index, role);
            let digit = (rest % legal.len() as u64) as usize;
            rest /= legal.len() as u64;
            self.digits[role] = digit;
            self.joint[role] = legal[digit];
        }
        let role = self.order[0];
        self.digits[role] = way.own;
        self.joint[role] = positions.legal(index, role)[way.own];
    }

    /// Goes on to the next joint move.
    fn step(&mut self, positions: &Positions, index: usize) {
        for &role in self.order.iter().rev() {
            let legal = positions.legal(index, role);
            let digit = self.digits[role] + 1;
            if digit < legal.len() {
                self.digits[role] = digit;
                self.joint[role] = legal[digit];
                return;
            }
            if digit > 1 {
                self.digits[role] = 0;
                self.joint[role] = legal[0];
            }
        }
    }

    fn finish(&mut self, count: usize, reach: Reach, into: &mut Positions) -> Result<(), Error> {
        if reach == Reach::Leaves && !self.evaluator.reads_moves() {
            self.lanes.evaluate_ends()?;
        } else if self.narrow {
            self.lanes.evaluate_narrowly()?;
        } else {
            self.lanes.evaluate()?;
        }
        self.read(count, reach, into)
    }

    /// Appends what the first lanes hold.
    fn read(&mut self, count: usize, reach: Reach, into: &mut Positions) -> Result<(), Error> {
        let Expander { lanes, evaluator, random, roles, .. } = self;
        let roles = *roles;
        let first = into.over.len();
        into.scores.resize((first + count) * roles, 0.0);
        if reach != Reach::Unscored {
            evaluator.score(lanes, count, random, &mut into.scores[first * roles..])?;
        }
        if reach != Reach::Leaves {
            into.store(lanes, count, self.order[0]);
        }
        for lane in 0..count {
            let ended = lanes.terminal(lane);
            let mut over = ended;
            if reach != Reach::Leaves {
                for role in 0..roles {
                    if !over {
                        let legal = lanes.legal(lane, RoleId(role as u32));
                        over = legal.is_empty();
                        into.moves.extend_from_slice(legal);
                    }
                    into.starts.push(into.moves.len() as u32);
                }
            }
            into.over.push(over);
            into.stuck.push(over && !ended);
            if over {
                let at = (first + lane) * roles;
                for role in 0..roles {
                    into.scores[at + role] = f32::from(lanes.points(lane, RoleId(role as u32))?);
                }
                self.shares &= roles != 2 || (into.scores[at] + into.scores[at + 1] - 100.0).abs() < 0.5;
            }
        }
        Ok(())
    }
}

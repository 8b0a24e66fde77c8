//! Random matches.

use crate::{Error, Lanes, MoveId, Random, RoleId, State};

/// How a playout went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Joint moves played.
    pub plies: usize,
    /// Points per role at the end; `None` where no end was reached: some role had no legal move, or the ply limit came first.
    pub points: Option<Vec<u8>>,
}

/// Random playouts from several states.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The states, of any phase of the game.
    pub starts: &'a [State],
    /// How many playouts from each.
    pub each: u64,
    /// When to give a playout up.
    pub max_plies: u64,
    /// Whether the states passed are wanted. They take memory: one playout's for every lane.
    pub positions: bool,
    /// How moves are chosen.
    pub manner: Manner,
}

/// How random play chooses its moves: all alike, unless something is asked for here. By the fast engine only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Whether moves that win at once are played where there are any, and else moves that let nobody else win at once; where that can be told at little
    /// expense (in games of turns).
    pub decisive: bool,
    /// Whether moves that do well in random matches from the start are likelier than others.
    pub practised: bool,
}

/// How one of them ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended<'a> {
    /// Which of the states it began in.
    pub start: usize,
    /// Joint moves played.
    pub plies: u64,
    /// Points per role; `None` where no end was reached: some role had no legal move, or the ply limit came first.
    pub points: Option<&'a [u8]>,
    /// The states passed, first and last included, if they were asked for.
    pub positions: &'a [State],
}

/// Random playouts from several states of which only sums are wanted.
#[derive(Clone, Copy, Debug)]
pub struct Rollouts<'a> {
    /// The states, of any phase of the game, by their words.
    pub starts: &'a [&'a [u64]],
    /// How many playouts from each, at least.
    pub each: usize,
    /// Per state: how many times as many. Where there is none, once.
    pub shares: &'a [u32],
    /// When to give a playout up.
    pub max_plies: u64,
    /// How moves are chosen.
    pub manner: Manner,
}

impl Rollouts<'_> {
    /// How many times as many playouts a state has as one that has them once.
    pub(crate) fn share(&self, start: usize) -> usize {
        self.shares.get(start).map_or(1, |&share| share as usize)
    }
}

/// Sums over playouts from several states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Per state: playouts that reached an end.
    pub finished: Vec<u32>,
    /// Per state: playouts that were given up: some role had no legal move, or the ply limit came first.
    pub unfinished: Vec<u32>,
    /// State after state, per role: points of all finished playouts.
    pub points: Vec<u32>,
    /// Joint moves of all playouts, those included that were under way when all was given up.
    pub plies: u64,
    pub(crate) roles: usize,
}

impl Totals {
    /// Nothing yet, for so many states.
    pub(crate) fn clear(&mut self, starts: usize, roles: usize) {
        for list in [&mut self.finished, &mut self.unfinished] {
            list.clear();
            list.resize(starts, 0);
        }
        self.points.clear();
        self.points.resize(starts * roles, 0);
        self.plies = 0;
        self.roles = roles;
    }

    fn add(&mut self, start: usize, played: &Playout) {
        self.plies += played.plies as u64;
        let Some(points) = &played.points else {
            self.unfinished[start] += 1;
            return;
        };
        self.finished[start] += 1;
        for (sum, &points) in self.points[start * self.roles..].iter_mut().zip(points) {
            *sum += u32::from(points);
        }
    }

    /// All playouts, with or without an end.
    pub fn playouts(&self) -> u64 {
        self.finished.iter().chain(&self.unfinished).map(|&count| u64::from(count)).sum()
    }
}

/// Where playouts were cut short that had not come to their end.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    words: Vec<u64>,
    ends: Vec<usize>,
    starts: Vec<u32>,
}

impl Cuts {
    /// Forgets them.
    pub fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
        self.starts.clear();
    }

    /// How many playouts were cut short.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The words of the position in which one of them stopped.
    pub fn state(&self, index: usize) -> &[u64] {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[first..self.ends[index]]
    }

    /// Which of the states it began in.
    pub fn start(&self, index: usize) -> usize {
        self.starts[index] as usize
    }

    pub(crate) fn push(&mut self, start: u32, words: &[u64]) {
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
        self.starts.push(start);
    }
}

/// The playouts asked for, one after the other in lane 0.
pub(crate) fn one_by_one(
    lanes: &mut Lanes<'_>,
    roles: usize,
    request: &Request<'_>,
    random: &mut Random,
    ended: &mut dyn FnMut(Ended<'_>),
) -> Result<(), Error> {
    let mut positions = Vec::new();
    for (start, state) in request.starts.iter().enumerate() {
        for _ in 0..request.each {
            lanes.load(0, state);
            positions.clear();
            let max_plies = usize::try_from(request.max_plies).unwrap_or(usize::MAX);
            let passed = |state: State| positions.push(state);
            let passed = request.positions.then_some(passed);
            let played = playout_through(lanes, 0, roles, random, max_plies, passed, &|| false)?.expect("nobody gives it up");
            ended(Ended { start, plies: played.plies as u64, points: played.points.as_deref(), positions: &positions });
        }
    }
    lanes.unload(0);
    Ok(())
}

/// The playouts asked for, one after the other in lane 0, until somebody gives them up; whether nobody did.
pub(crate) fn rollouts_one_by_one(
    lanes: &mut Lanes<'_>,
    asked: &Rollouts<'_>,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
    totals: &mut Totals,
) -> Result<bool, Error> {
    let max_plies = usize::try_from(asked.max_plies).unwrap_or(usize::MAX);
    for (index, words) in asked.starts.iter().enumerate() {
        let start = State::of_words(words);
        for _ in 0..asked.each * asked.share(index) {
            lanes.load(0, &start);
            let Some(played) = playout_through(lanes, 0, totals.roles, random, max_plies, None::<fn(State)>, stop)? else {
                lanes.unload(0);
                return Ok(false);
            };
            totals.add(index, &played);
        }
    }
    lanes.unload(0);
    Ok(true)
}

/// The same, where playouts are cut short after so many joint moves.
pub(crate) fn cut_one_by_one(
    lanes: &mut Lanes<'_>,
    asked: &Rollouts<'_>,
    plies: u32,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
    totals: &mut Totals,
    cuts: &mut Cuts,
) -> Result<bool, Error> {
    let max_plies = usize::try_from(asked.max_plies).unwrap_or(usize::MAX);
    let (roles, length) = (totals.roles, max_plies.min(plies as usize));
    for (index, words) in asked.starts.iter().enumerate() {
        let start = State::of_words(words);
        for _ in 0..asked.each * asked.share(index) {
            lanes.load(0, &start);
            let Some(played) = playout_through(lanes, 0, roles, random, length, None::<fn(State)>, stop)? else {
                lanes.unload(0);
                return Ok(false);
            };
            let goes_on = (0..roles).all(|role| !lanes.legal(0, RoleId(role as u32)).is_empty());
            if played.points.is_none() && played.plies == length && length < max_plies && goes_on {
                cuts.push(index as u32, lanes.state(0).words());
            } else {
                totals.add(index, &played);
            }
        }
    }
    lanes.unload(0);
    Ok(true)
}

/// Plays uniformly random moves in `lane` from the state loaded there until the match ends, a role is stuck, or `max_plies` are played.
pub fn playout(
    lanes: &mut Lanes<'_>,
    lane: usize,
    roles: usize,
    random: &mut Random,
    max_plies: usize,
) -> Result<Playout, Error> {
    let played = playout_through(lanes, lane, roles, random, max_plies, None::<fn(State)>, &|| false)?;
    Ok(played.expect("nobody gives it up"))
}

/// [`playout`], with every state passed told; nothing if it was given up.
fn playout_through(
    lanes: &mut Lanes<'_>,
    lane: usize,
    roles: usize,
    random: &mut Random,
    max_plies: usize,
    mut passed: Option<impl FnMut(State)>,
    stop: &dyn Fn() -> bool,
) -> Result<Option<Playout>, Error> {
    let mut joint: Vec<MoveId> = Vec::with_capacity(roles);
    let mut plies = 0;
    loop {
        if stop() {
            return Ok(None);
        }
        if let Some(passed) = &mut passed {
            passed(lanes.state(lane));
        }
        lanes.evaluate()?;
        if lanes.terminal(lane) {
            let points = (0..roles).map(|role| lanes.points(lane, RoleId(role as u32))).collect::<Result<Vec<u8>, Error>>()?;
            return Ok(Some(Playout { plies, points: Some(points) }));
        }
        joint.clear();
        for role in 0..roles {
            let legal = lanes.legal(lane, RoleId(role as u32));
            if legal.is_empty() {
                return Ok(Some(Playout { plies, points: None }));
            }
            joint.push(legal[random.below(legal.len())]);
        }
        if plies == max_plies {
            return Ok(Some(Playout { plies, points: None }));
        }
        lanes.play(lane, &joint);
        lanes.advance()?;
        plies += 1;
    }
}

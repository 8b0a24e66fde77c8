//! One thread's part: batches of descents, their new nodes, random play, and what it says on the way back up.

use super::Options;
use super::arena::{NodeId, Nursery};
use super::descend::{Link, News, Paths, Reached, Way};
use super::expand::{Expander, Expansion};
use super::grave::Stamps;
use super::history::History;
use super::node::{Node, parts};
use super::playing::{Playing, Spread, Sums};
use super::policy::Policy;
use super::select::Selection;
use super::tree::Tree;
use crate::budget::Worker as Share;
use crate::{Bounds, Error, Meter};
use ludens_machine::{Machine, Manner, Random, Request, Rollouts, State, Totals};
use ludens_score::Evaluator;
use std::sync::Arc;
use std::time::Duration;

/// Playouts in hand at once.
const LANES: usize = 512;

/// The same for playouts that are cut short: lanes take up the next when others are still busy.
const CUT_LANES: usize = 2 * LANES;

/// Links whose nodes are asked for on the way up before they are told anything, where several threads change them.
const AHEAD: usize = 6;

/// The end of a descent.
#[derive(Debug)]
pub(super) struct Leaf {
    pub(super) index: usize,
    /// The last link of the way to it, and how many visits came.
    pub(super) link: usize,
    visits: u32,
    /// Where it ended, once that is known.
    node: Option<NodeId>,
    /// Made by this descent.
    pub(super) is_fresh: bool,
    /// The points of every role, where the match ended.
    points: Option<Vec<u8>>,
}

impl Leaf {
    /// Whether its position has not been looked at yet.
    pub(super) fn is_new(&self) -> bool {
        self.node.is_none()
    }

    /// Its node, if it has one.
    pub(super) fn node(&self) -> Option<NodeId> {
        self.node.filter(|id| id.is_node())
    }

    pub(super) fn set_node(&mut self, node: NodeId) {
        self.node = Some(node);
    }

    pub(super) fn end_with(&mut self, points: &[u8]) {
        self.points = Some(points.to_vec());
    }
}

/// What a thread keeps from batch to batch.
#[derive(Debug)]
pub(super) struct Worker<'m> {
    expander: Expander<'m>,
    random: Random,
    paths: Paths,
    history: History,
    reached: Vec<Reached>,
    leaves: Vec<Leaf>,
    totals: Totals,
    /// Per leaf and role: points of its playouts; and how many had an end.
    sums: Vec<f32>,
    ended: Vec<f32>,
    values: Vec<f32>,
    /// Per link and role: values of the visits that are known; and how many those are.
    tallies: Vec<f32>,
    known: Vec<u32>,
    /// Values of the batch, per role.
    root_sums: Vec<u64>,
    bounds: Vec<Bounds>,
    pub(super) nursery: Option<Nursery>,
    /// What the tree's was when the nursery was taken from it.
    pub(super) generation: u64,
    max_plies: u64,
    /// How random play goes, where not by chance alone.
    policy: Option<Policy>,
    /// The same by an evaluation function.
    playing: Option<Playing<'m>>,
    /// How much the values of leaves differ, where it has a part in them.
    spread: Spread,
    stamps: Stamps,
    pub(super) playouts: u64,
    pub(super) deepest: usize,
    /// Time that the engine took.
    pub(super) engine: Duration,
}

impl<'m> Worker<'m> {
    pub(super) fn new(
        machine: &'m Machine,
        evaluator: Option<&Arc<dyn Evaluator>>,
        options: &Options,
        max_plies: u64,
        seed: u64,
    ) -> Worker<'m> {
        let width = if machine.as_bits().is_some() { LANES } else { 64 };
        Worker {
            expander: Expander::new(
                machine.lanes(options.leaves),
                machine.lanes(width),
                evaluator.filter(|_| options.guidance.needs_guesses()).cloned(),
            ),
            random: Random::new(seed),
            paths: Paths::default(),
            history: History::new(machine.roles().len()),
            reached: Vec::new(),
            leaves: Vec::new(),
            totals: Totals::default(),
            sums: Vec::new(),
            ended: Vec::new(),
            values: Vec::new(),
            tallies: Vec::new(),
            known: Vec::new(),
            root_sums: Vec::new(),
            bounds: Vec::new(),
            nursery: None,
            generation: 0,
            max_plies,
            policy: (options.grave || options.learning.mast || options.learning.nst)
                .then(|| Policy::new(options.learning, machine.roles().len())),
            playing: evaluator.and_then(|evaluator| Playing::new(machine, evaluator, options.guidance, width)),
            spread: Spread::default(),
            stamps: Stamps::default(),
            playouts: 0,
            deepest: 0,
            engine: Duration::ZERO,
        }
    }

    /// Begins to count anew.
    pub(super) fn begin(&mut self) {
        (self.playouts, self.deepest, self.engine) = (0, 0, Duration::ZERO);
        self.take_made();
        self.history.fade();
        if let Some(policy) = &mut self.policy {
            policy.fade();
        }
    }

    /// Nodes made since it was last asked.
    pub(super) fn take_made(&mut self) -> u64 {
        std::mem::take(&mut self.expander.made)
    }

    /// Guesses at the moves of a node that was made without.
    pub(super) fn guess(&mut self, tree: &Tree, id: NodeId) -> Result<(), Error> {
        Ok(self.expander.guess_in_parts(tree, id, &mut self.random)?)
    }

    /// Whether it needs room for new nodes.
    pub(super) fn is_starved(&self) -> bool {
        self.nursery.is_none() || self.expander.is_starved
    }

    /// Takes new room, or none.
    pub(super) fn settle_in(&mut self, nursery: Option<Nursery>, generation: u64) {
        self.nursery = nursery;
        self.generation = generation;
        self.expander.is_starved = false;
    }

    /// One batch. Answers whether it led anywhere: false where all ways are taken or the budget is used up.
    pub(super) fn batch(
        &mut self,
        tree: &Tree,
        root: NodeId,
        options: &Options,
        meter: &Meter<'_>,
        share: &Share<'_>,
    ) -> Result<bool, Error> {
        let wanted = wanted(tree, root, options, meter);
        self.descend(tree, root, options, wanted);
        if self.leaves.is_empty() {
            return Ok(false);
        }
        let began = meter.wall();
        let played = self.play(tree, options, share);
        self.engine += meter.wall().saturating_sub(began);
        self.root_sums.clear();
        self.root_sums.resize(tree.shape.roles, 0);
        self.tallies.clear();
        self.tallies.resize(self.paths.len() * tree.shape.roles, 0.0);
        self.known.clear();
        self.known.resize(self.paths.len(), 0);
        for index in 0..self.leaves.len() {
            // Where time ran out, what is known counts all the same.
            if matches!(played, Ok(true)) || played.is_ok() && self.is_known(index) {
                self.take_down(tree, index, options);
            } else {
                self.abandon(tree, index, options);
            }
        }
        let count = self.back_up(tree, options);
        tree.node(root).note_forced(count, &self.root_sums);
        meter.add_simulations(count);
        // A tree that has nothing new any more looks at known positions: a limit is met in the end.
        meter.add_nodes(self.take_made().max(1));
        played.map_err(Error::from)
    }

    fn descend(&mut self, tree: &Tree, root: NodeId, options: &Options, wanted: usize) {
        self.leaves.clear();
        let scale = if self.playing.is_some() { self.spread.scale() } else { 1.0 };
        let grave = options.grave.then_some(options.grave_k);
        let how = Selection {
            c: options.c * scale,
            solver: options.solver,
            habit: options.habit.max(1),
            grave,
            trusted: options.grave_visits,
            guide: options.guidance.weights(),
            urgency: Some(options.urgency).filter(|&urgency| urgency > 0.0),
            history: (options.history > 0.0).then_some((&self.history, options.history)),
        };
        let Worker { paths, reached, leaves, .. } = self;
        paths.descend(tree, root, how, wanted, reached);
        for &Reached { link, visits, node } in &*reached {
            self.deepest = self.deepest.max(paths.link(link).depth as usize);
            leaves.push(Leaf { index: leaves.len(), link, visits, node, is_fresh: false, points: None });
        }
    }

    /// Makes nodes and plays from them; false if time ran out.
    fn play(&mut self, tree: &Tree, options: &Options, share: &Share<'_>) -> Result<bool, ludens_machine::Error> {
        self.ended.clear();
        let expansion = Expansion {
            playouts: options.playouts,
            transpositions: options.transpositions,
            solver: options.solver,
            look_ahead: options.look_ahead,
        };
        self.expander.expand(tree, &self.paths, &mut self.leaves, &mut self.nursery, expansion, &mut self.random)?;
        let roles = tree.shape.roles;
        self.sums.clear();
        self.sums.resize(self.leaves.len() * roles, 0.0);
        self.ended.clear();
        self.ended.resize(self.leaves.len(), 0.0);
        if self.expander.starts.len() == 0 {
            return Ok(true);
        }
        if share.is_over() {
            return Ok(false);
        }
        if self.policy.is_some() || !options.fill || self.playing.as_ref().is_some_and(Playing::goes_one_by_one) {
            self.expander.spell_out();
        }
        if self.policy.is_some() {
            return self.play_learned(tree, options, share);
        }
        if self.playing.is_some() {
            return self.play_guided(options, share);
        }
        if !options.fill {
            return self.play_exactly(roles, options.manner(), share);
        }
        let (lanes, starts, shares, _) = self.expander.lanes();
        let count = shares.iter().sum::<u32>() as usize;
        let each = if lanes.width() == LANES { (LANES / count.max(1)).max(1) } else { 1 };
        let asked = Rollouts { starts: &starts.all(), each, shares, max_plies: self.max_plies, manner: options.manner() };
        let finished = lanes.rollouts(&asked, &mut self.random, &|| share.is_over(), &mut self.totals)?;
        self.playouts += self.totals.playouts();
        for (start, &leaf) in self.expander.owners.iter().enumerate() {
            self.ended[leaf] += self.totals.finished[start] as f32;
            for role in 0..roles {
                self.sums[leaf * roles + role] += self.totals.points[start * roles + role] as f32;
            }
        }
        Ok(finished)
    }

    /// The same with an evaluation that has a part in playouts.
    fn play_guided(&mut self, options: &Options, share: &Share<'_>) -> Result<bool, ludens_machine::Error> {
        let Worker { expander, playing, sums, ended, playouts, random, max_plies, .. } = self;
        let Some(playing) = playing else { return Ok(false) };
        let (lanes, starts, shares, owners) = expander.lanes();
        let is_filled = options.fill && lanes.width() == LANES && !playing.goes_one_by_one();
        let count = shares.iter().sum::<u32>() as usize;
        let each = if is_filled { (CUT_LANES / count.max(1)).max(1) } else { 1 };
        let asked = Rollouts { starts: &starts.all(), each, shares, max_plies: *max_plies, manner: options.manner() };
        let mut sums = Sums { owners, points: sums, ended, playouts };
        playing.play(lanes, &asked, random, &|| share.is_over(), &mut sums)
    }

    /// The same with exactly as many random matches as asked for.
    fn play_exactly(&mut self, roles: usize, manner: Manner, share: &Share<'_>) -> Result<bool, ludens_machine::Error> {
        let Worker { expander, sums, ended, playouts, random, max_plies, .. } = self;
        let (lanes, starts, _, owners) = expander.lanes();
        for first in (0..starts.len()).step_by(LANES) {
            if share.is_over() {
                return Ok(false);
            }
            let part = first..starts.len().min(first + LANES);
            let states: Vec<State> = part.map(|index| State::of_words(starts.row(index))).collect();
            let request = Request { starts: &states, each: 1, max_plies: *max_plies, positions: false, manner };
            lanes.reports(&request, random, &mut |played| {
                *playouts += 1;
                if let Some(points) = played.points {
                    let leaf = owners[first + played.start];
                    ended[leaf] += 1.0;
                    for (sum, &points) in sums[leaf * roles..].iter_mut().zip(points) {
                        *sum += f32::from(points);
                    }
                }
            })?;
        }
        Ok(true)
    }

    /// The same with moves that are not left to chance alone, or are taken down.
    fn play_learned(&mut self, tree: &Tree, options: &Options, share: &Share<'_>) -> Result<bool, ludens_machine::Error> {
        let Worker { expander, policy, stamps, paths, leaves, sums, ended, playouts, random, max_plies, .. } = self;
        let Some(policy) = policy else { return Ok(false) };
        let roles = tree.shape.roles;
        let (lanes, starts, _, owners) = expander.lanes();
        policy.play(lanes, starts, *max_plies, random, &|| share.is_over(), &mut |played| {
            *playouts += 1;
            let leaf = owners[played.start];
            let Some(points) = played.points else { return };
            ended[leaf] += 1.0;
            for (sum, &points) in sums[leaf * roles..].iter_mut().zip(points) {
                *sum += f32::from(points);
            }
            if options.grave {
                stamps.note(tree, paths, leaves[leaf].link, played.moves, points);
            }
        })
    }

    /// Whether there is a value for a descent.
    fn is_known(&self, index: usize) -> bool {
        self.leaves[index].points.is_some() || self.ended.get(index).is_some_and(|&ended| ended > 0.0)
    }

    /// Takes back what visits left, where the batch did not come to its end.
    fn abandon(&mut self, tree: &Tree, index: usize, options: &Options) {
        let leaf = &self.leaves[index];
        self.paths.take_back(tree, leaf.link, leaf.visits);
        let link = self.paths.link(leaf.link);
        if leaf.is_new() {
            tree.link(link, NodeId::NONE, false);
        } else if let Some(id) = leaf.node().filter(|_| leaf.is_fresh) {
            tree.link(link, id, options.solver && tree.is_bounded(id));
        }
        self.paths.tell(leaf.link, News::Here);
    }

    /// Takes down what visits found, for the way back up.
    fn take_down(&mut self, tree: &Tree, index: usize, options: &Options) {
        let leaf = &self.leaves[index];
        let roles = tree.shape.roles;
        self.values.clear();
        let ended = self.ended[index];
        for role in 0..roles {
            let value = match (&leaf.points, leaf.node()) {
                (Some(points), _) => f32::from(points[role]) / 100.0,
                (None, _) if ended > 0.0 => self.sums[index * roles + role] / (ended * 100.0),
                (None, Some(id)) => {
                    let bounds = tree.node(id).bounds(role);
                    f32::from(bounds.low + (bounds.high - bounds.low) / 2) / 100.0
                }
                (None, None) => 0.5,
            };
            self.values.push(value);
        }
        if ended > 0.0 && self.playing.is_some() {
            self.spread.add(self.values[0]);
        }
        if let Some(id) = leaf.node() {
            let is_bounded = options.solver && tree.is_bounded(id);
            if leaf.is_fresh {
                tree.link(self.paths.link(leaf.link), id, is_bounded);
            }
            if is_bounded {
                prefer_sure_at(tree, id, &mut self.values);
                clamp(tree, id, &mut self.values);
            }
        }
        if let Some(id) = leaf.node() {
            note_worth(tree, id, leaf.visits, &self.values);
        }
        // There may be something new that is certain about it.
        if !leaf.is_fresh || leaf.node().is_some_and(|id| tree.is_bounded(id)) {
            self.paths.tell(leaf.link, News::Here);
        }
        add(&mut self.tallies[leaf.link * roles..], &self.values, leaf.visits);
        self.known[leaf.link] += leaf.visits;
    }

    /// Tells all nodes on the ways what the visits found, the last first; answers how many there were.
    fn back_up(&mut self, tree: &Tree, options: &Options) -> u64 {
        let roles = tree.shape.roles;
        let mut count = 0;
        for at in (0..self.paths.len()).rev() {
            if !tree.shape.alone && at >= AHEAD {
                self.paths.link(at - AHEAD).expect_change(tree);
            }
            let link = *self.paths.link(at);
            let visits = self.known[at];
            if visits > 0 {
                let share = 1.0 / visits as f32;
                self.values.clear();
                self.values.extend(self.tallies[at * roles..][..roles].iter().map(|sum| sum * share));
                if link.sure.is_node() {
                    let sure = tree.node(link.sure);
                    let values = self.values.iter_mut().enumerate();
                    values.for_each(|(role, value)| *value = f32::from(sure.bounds(role).low) / 100.0);
                }
                let node = tree.node(link.node);
                if let Way::Edge { role, edge } = link.way
                    && let Some(mean) = (options.history > 0.0).then(|| node.mean()).flatten()
                {
                    let lead = (self.values[usize::from(role)] - mean) * visits as f32;
                    self.history.note(usize::from(role), node.target(edge as usize).id(), visits, lead);
                }
                for arm in self.paths.arms(&link) {
                    let sum = self.values[arm.role] * visits as f32;
                    if link.is_silent {
                        node.hear_of_visits(arm.edge, u64::from(visits), sum);
                    } else {
                        node.end_visits(arm.edge, sum);
                    }
                }
            }
            if options.solver {
                let is_new = link.news > News::None && tree.hear(&link) && tree.narrow(link.node, &mut self.bounds);
                if let Some(before) = link.before().filter(|_| is_new || link.news == News::AllTheWay) {
                    self.paths.tell(before, link.news);
                }
                if visits > 0 && tree.is_bounded(link.node) {
                    prefer_sure(tree, &link, &mut self.values);
                    clamp(tree, link.node, &mut self.values);
                }
            }
            if tree.shape.guesses > 0 {
                tree.hear_guess(&link);
            }
            if visits == 0 {
                continue;
            }
            note_worth(tree, link.node, visits, &self.values);
            if let Some(before) = link.before() {
                add(&mut self.tallies[before * roles..], &self.values, visits);
                self.known[before] += visits;
            } else {
                count += u64::from(visits);
                let sums = self.root_sums.iter_mut().zip(&self.values);
                sums.for_each(|(sum, &value)| *sum += parts(value * visits as f32));
            }
        }
        count
    }
}

/// Lets a node know what visits found, where it has a mean.
fn note_worth(tree: &Tree, id: NodeId, visits: u32, values: &[f32]) {
    let node = tree.node(id);
    if let Some(role) = node.chooser().filter(|_| tree.shape.has_means) {
        node.note_worth(visits, values[role] * visits as f32);
    }
}

/// Adds the values of visits that found the same.
fn add(sums: &mut [f32], values: &[f32], visits: u32) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value * visits as f32);
}

/// How many descents at once: the more has been seen, the less a few more visits that do not know of each other matter.
fn wanted(tree: &Tree, root: NodeId, options: &Options, meter: &Meter<'_>) -> usize {
    let seen = tree.node(root).visits() as usize / options.patience.max(1);
    let wanted = options.leaves.min(seen.max(options.leaves.min(4)));
    wanted.min(usize::try_from(meter.simulations_left()).unwrap_or(usize::MAX))
}

/// A visit tries what is open, for the sake of knowing. The role that chooses would not play it, though, if it is sure of something better.
fn prefer_sure(tree: &Tree, link: &Link, values: &mut [f32]) {
    let node = tree.node(link.node);
    let (Some(role), Way::Edge { edge: tried, .. }) = (node.chooser(), link.way) else { return };
    let sure = node.bounds(role).low;
    if sure <= tree.range[role].low || node.stats(tried as usize).mean() * 100.0 >= f32::from(sure) {
        return;
    }
    take_sure(tree, node, role, values);
}

/// The same at a node from which no move was tried yet, where playouts say how good it is.
fn prefer_sure_at(tree: &Tree, id: NodeId, values: &mut [f32]) {
    let node = tree.node(id);
    let Some(role) = node.chooser().filter(|_| node.edges() > 0) else { return };
    let bounds = node.bounds(role);
    if bounds.proven().is_some() || bounds.low > tree.range[role].low && values[role] * 100.0 < f32::from(bounds.low) {
        take_sure(tree, node, role, values);
    }
}

/// The values of a move that is certain to be as good for the role that chooses as anything it is sure of.
fn take_sure(tree: &Tree, node: Node<'_>, role: usize, values: &mut [f32]) {
    let sure = node.bounds(role).low;
    let settled = |edge: usize| {
        let target = node.target(edge);
        let child = target.is_bounded().then(|| tree.node(target.child()))?;
        (child.is_settled() && child.bounds(role).low == sure).then_some(child)
    };
    if let Some(child) = node.edges_of_chooser(role).find_map(settled) {
        for (role, value) in values.iter_mut().enumerate() {
            *value = f32::from(child.bounds(role).low) / 100.0;
        }
    }
}

/// Values that are certain not to be so good, or so bad, are put right.
fn clamp(tree: &Tree, id: NodeId, values: &mut [f32]) {
    let node = tree.node(id);
    for (role, value) in values.iter_mut().enumerate() {
        let bounds = node.bounds(role);
        *value = value.clamp(f32::from(bounds.low) / 100.0, f32::from(bounds.high) / 100.0);
    }
}

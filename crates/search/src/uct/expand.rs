//! New nodes, many at once, and random play from them.

use super::arena::{CHUNK_WORDS, NodeId, Nursery};
use super::descend::{Paths, Way};
use super::node::{Fresh, Node};
use super::table::Joints;
use super::tree::{Tree, hash};
use super::worker::Leaf;
use crate::Bounds;
use ludens_machine::{Error, Lanes, MoveId, Random, RoleId};
use ludens_score::Evaluator;
use std::sync::Arc;

/// Positions after a new node are looked at for ends of the match unless they are more than so many.
const MOST_CHILDREN: usize = 512;

/// The same where several roles have a choice.
const MOST_JOINT_CHILDREN: u64 = 64;

/// What expanding works with.
#[derive(Debug)]
pub(super) struct Expander<'m> {
    /// Positions that get nodes.
    leaves: Lanes<'m>,
    /// Positions after them.
    pub(super) children: Lanes<'m>,
    /// What guesses are made by, where there are some; and what it says of the positions in the lanes.
    pub(super) evaluator: Option<Arc<dyn Evaluator>>,
    pub(super) scores: Vec<f32>,
    /// The words of states, one after the other, and where each ends.
    states: Rows,
    hashes: Vec<u32>,
    /// The same of the positions after them, where they are needed.
    after: Rows,
    /// States in which random play begins, how many of the playouts of a leaf each has, and the leaf it is for.
    pub(super) starts: Rows,
    pub(super) shares: Vec<u32>,
    pub(super) owners: Vec<usize>,
    pub(super) joint: Vec<MoveId>,
    pub(super) points: Vec<u8>,
    ends: Ends,
    bounds: Vec<Bounds>,
    /// Lanes of the positions after one node that are no ends.
    picks: Vec<usize>,
    /// Nodes of the batch that the table has, but has not counted.
    placed: usize,
    /// Nodes made so far.
    pub(super) made: u64,
    /// Some node found no room.
    pub(super) is_starved: bool,
}

/// Ends of matches that a thread has met: most games have few, and it need not ask for them again.
#[derive(Debug, Default)]
struct Ends {
    known: Vec<(Box<[u8]>, NodeId)>,
    generation: u64,
}

impl Ends {
    fn find(&mut self, tree: &Tree, nursery: &mut Option<Nursery>, points: &[u8]) -> Option<NodeId> {
        if self.generation != tree.generation {
            self.known.clear();
            self.generation = tree.generation;
        }
        if let Some((_, id)) = self.known.iter().find(|(known, _)| **known == *points) {
            return Some(*id);
        }
        let id = tree.end(nursery, points)?;
        if self.known.len() < 16 {
            self.known.push((points.into(), id));
        }
        Some(id)
    }
}

/// Rows of words of any length.
#[derive(Debug, Default)]
pub(super) struct Rows {
    words: Vec<u64>,
    ends: Vec<usize>,
}

impl Rows {
    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.ends.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a row that `fill` appends.
    pub(super) fn push(&mut self, fill: impl FnOnce(&mut Vec<u64>)) {
        fill(&mut self.words);
        self.ends.push(self.words.len());
    }

    /// Adds the states of the first lanes.
    fn push_lanes(&mut self, lanes: &Lanes<'_>, count: usize) {
        match lanes.words_per_state() {
            Some(words) => {
                lanes.store_all(count, &mut self.words);
                let first = self.ends.last().copied().unwrap_or(0);
                self.ends.extend((1..=count).map(|index| first + index * words));
            }
            None => (0..count).for_each(|lane| self.push(|words| lanes.store(lane, words))),
        }
    }

    pub(super) fn row(&self, index: usize) -> &[u64] {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[first..self.ends[index]]
    }

    pub(super) fn all(&self) -> Vec<&[u64]> {
        (0..self.len()).map(|index| self.row(index)).collect()
    }
}

impl<'m> Expander<'m> {
    pub(super) fn new(leaves: Lanes<'m>, children: Lanes<'m>, evaluator: Option<Arc<dyn Evaluator>>) -> Expander<'m> {
        Expander {
            leaves,
            children,
            evaluator,
            scores: Vec::new(),
            states: Rows::default(),
            hashes: Vec::new(),
            after: Rows::default(),
            starts: Rows::default(),
            shares: Vec::new(),
            owners: Vec::new(),
            joint: Vec::new(),
            points: Vec::new(),
            ends: Ends::default(),
            bounds: Vec::new(),
            picks: Vec::new(),
            placed: 0,
            made: 0,
            is_starved: false,
        }
    }

    /// Lanes to play in, where play begins, the share of each start, and the leaf that it is for.
    pub(super) fn lanes(&mut self) -> (&mut Lanes<'m>, &Rows, &[u32], &[usize]) {
        (&mut self.children, &self.starts, &self.shares, &self.owners)
    }

    /// Lets every start have one playout, those with several shares being there several times.
    pub(super) fn spell_out(&mut self) {
        let (starts, shares, owners) =
            (std::mem::take(&mut self.starts), std::mem::take(&mut self.shares), std::mem::take(&mut self.owners));
        for (index, (&share, owner)) in shares.iter().zip(owners).enumerate() {
            (0..share).for_each(|_| self.start(owner, 1, |words| words.extend_from_slice(starts.row(index))));
        }
    }

    /// Lets random play for a leaf begin in a state.
    fn start(&mut self, leaf: usize, share: usize, state: impl FnOnce(&mut Vec<u64>)) {
        self.starts.push(state);
        self.shares.push(share as u32);
        self.owners.push(leaf);
    }

    /// Makes nodes for the leaves that are new, and prepares random play from all that need it, from `playouts` positions each.
    pub(super) fn expand(
        &mut self,
        tree: &Tree,
        paths: &Paths,
        leaves: &mut [Leaf],
        nursery: &mut Option<Nursery>,
        options: Expansion,
        random: &mut Random,
    ) -> Result<(), Error> {
        self.starts.clear();
        self.shares.clear();
        self.owners.clear();
        self.step(tree, paths, leaves)?;
        let mut fresh = Vec::new();
        let mut lane = 0;
        for (index, leaf) in leaves.iter_mut().enumerate() {
            if leaf.is_new() {
                if self.settle_new(tree, paths, leaf, lane, nursery, options)? {
                    fresh.push((index, lane));
                }
                lane += 1;
            }
            if let Some(id) = leaf.node().filter(|_| !leaf.is_fresh) {
                let node = tree.node(id);
                if node.edges() > 0 && !(options.solver && node.is_settled()) {
                    self.start(index, options.playouts, |words| node.copy_state(words));
                }
            }
        }
        tree.table.count_more(std::mem::take(&mut self.placed));
        self.look_ahead(tree, leaves, &fresh, nursery, options, random)
    }

    /// Plays the moves that lead to new leaves.
    fn step(&mut self, tree: &Tree, paths: &Paths, leaves: &[Leaf]) -> Result<(), Error> {
        self.states.clear();
        for leaf in leaves.iter().filter(|leaf| leaf.is_new()) {
            self.states.push(|words| tree.node(paths.link(leaf.link).node).copy_state(words));
        }
        if self.states.len() == 0 {
            return Ok(());
        }
        self.leaves.load_all(&self.states.all());
        for (lane, leaf) in leaves.iter().filter(|leaf| leaf.is_new()).enumerate() {
            self.joint.clear();
            paths.joint(tree, paths.link(leaf.link), &mut self.joint);
            self.leaves.play(lane, &self.joint);
        }
        self.leaves.advance()?;
        self.leaves.evaluate()?;
        self.states.clear();
        let count = leaves.iter().filter(|leaf| leaf.is_new()).count();
        self.states.push_lanes(&self.leaves, count);
        self.hashes.clear();
        for lane in 0..count {
            let hash = hash(self.states.row(lane));
            tree.table.expect_soon(hash);
            self.hashes.push(hash);
        }
        Ok(())
    }

    /// Finds or makes the node of a leaf that is in a lane; true if it was made, and is not the end.
    fn settle_new(
        &mut self,
        tree: &Tree,
        paths: &Paths,
        leaf: &mut Leaf,
        lane: usize,
        nursery: &mut Option<Nursery>,
        options: Expansion,
    ) -> Result<bool, Error> {
        let link = *paths.link(leaf.link);
        let roles = tree.shape.roles;
        let moves: Vec<&[MoveId]> = (0..roles).map(|role| self.leaves.legal(lane, RoleId(role as u32))).collect();
        if !self.leaves.terminal(lane) && moves.iter().any(|moves| moves.is_empty()) {
            // Nobody can say how it would go on: nothing is known, and nothing certain.
            tree.link(&link, NodeId::NONE, false);
            leaf.set_node(NodeId::NONE);
            return Ok(false);
        }
        if self.leaves.terminal(lane) {
            drop(moves);
            self.points.clear();
            for role in 0..roles {
                let points = self.leaves.points(lane, RoleId(role as u32))?;
                self.points.push(points);
            }
            leaf.end_with(&self.points);
            let end = self.ends.find(tree, nursery, &self.points).unwrap_or(NodeId::NONE);
            self.is_starved |= !end.is_node();
            tree.link(&link, end, options.solver && end.is_node());
            leaf.set_node(end);
            return Ok(false);
        }
        let state = self.states.row(lane);
        let hash = self.hashes[lane];
        if let Some(known) = tree.find(hash, state).filter(|_| options.transpositions) {
            tree.link(&link, known, options.solver && tree.is_bounded(known));
            leaf.set_node(known);
            return Ok(false);
        }
        let made = match link.way {
            Way::Unnumbered => None,
            _ => tree.add(nursery, &Fresh { hash, moves: &moves, state, bounds: &tree.range }),
        };
        let Some(id) = made else {
            // No room: the position is played from all the same.
            let words = tree.shape.words(moves.iter().map(|moves| moves.len()).sum(), state.len());
            self.is_starved |= link.way != Way::Unnumbered && words <= CHUNK_WORDS;
            tree.link(&link, NodeId::NONE, false);
            self.start_at(leaf.index, lane, options.playouts);
            leaf.set_node(NodeId::NONE);
            return Ok(false);
        };
        self.made += 1;
        self.placed += usize::from(tree.table.place(hash, id));
        leaf.set_node(id);
        leaf.is_fresh = true;
        Ok(true)
    }

    /// Looks at the positions after new nodes: which of them are ends, and where random play begins.
    fn look_ahead(
        &mut self,
        tree: &Tree,
        leaves: &[Leaf],
        fresh: &[(usize, usize)],
        nursery: &mut Option<Nursery>,
        options: Expansion,
        random: &mut Random,
    ) -> Result<(), Error> {
        let room = self.children.width().min(MOST_CHILDREN);
        let mut group = Vec::new();
        let mut count = 0;
        for &(index, lane) in fresh {
            let Some(id) = leaves[index].node() else { continue };
            let ways = if options.look_ahead || self.evaluator.is_some() { tree.ways(id) } else { 0 };
            if ways == 0 || ways > room || !options.look_ahead {
                if self.evaluator.is_some() && ways <= MOST_CHILDREN {
                    self.guess_in_parts(tree, id, random)?;
                }
                self.start_at(index, lane, options.playouts);
                continue;
            }
            if count + ways > room {
                self.look_at(tree, leaves, &group, nursery, options, random)?;
                group.clear();
                count = 0;
            }
            group.push((index, lane, ways));
            count += ways;
        }
        self.look_at(tree, leaves, &group, nursery, options, random)
    }

    /// Lets random play begin in the position of a leaf itself.
    fn start_at(&mut self, leaf: usize, lane: usize, count: usize) {
        self.starts.push(|words| words.extend_from_slice(self.states.row(lane)));
        self.shares.push(count as u32);
        self.owners.push(leaf);
    }

    /// Looks at the positions after some nodes, all in lanes at once.
    fn look_at(
        &mut self,
        tree: &Tree,
        leaves: &[Leaf],
        group: &[(usize, usize, usize)],
        nursery: &mut Option<Nursery>,
        options: Expansion,
        random: &mut Random,
    ) -> Result<(), Error> {
        if group.is_empty() {
            return Ok(());
        }
        let rows: Vec<&[u64]> =
            group.iter().flat_map(|&(_, lane, ways)| std::iter::repeat_n(self.states.row(lane), ways)).collect();
        self.children.load_all(&rows);
        let mut at = 0;
        for &(index, _, ways) in group {
            let Some(id) = leaves[index].node() else { continue };
            let node = tree.node(id);
            for way in 0..ways {
                self.joint.clear();
                tree.joint_of(node, way, &mut self.joint);
                self.children.play(at + way, &self.joint);
            }
            at += ways;
        }
        self.children.advance()?;
        let in_use = rows.len();
        self.evaluate_children(in_use, random)?;
        self.after.clear();
        let mut at = 0;
        for &(index, lane, ways) in group {
            if let Some(id) = leaves[index].node() {
                self.judge(tree, id, at..at + ways, nursery, options)?;
                self.write_guesses(tree, id, at);
                if self.picks.len() == ways {
                    // No way is to be avoided.
                    self.start_at(index, lane, options.playouts);
                } else if !(options.solver && tree.is_chosen(id)) {
                    self.pick(index, options.playouts, in_use, random);
                }
            }
            at += ways;
        }
        Ok(())
    }

    /// Lets the ways to ends lead there; the lanes that go on are left in `picks`.
    fn judge(
        &mut self,
        tree: &Tree,
        id: NodeId,
        lanes: std::ops::Range<usize>,
        nursery: &mut Option<Nursery>,
        options: Expansion,
    ) -> Result<(), Error> {
        let node = tree.node(id);
        self.picks.clear();
        let mut is_bounded = false;
        for (way, lane) in lanes.enumerate() {
            if !self.children.terminal(lane) {
                self.picks.push(lane);
                continue;
            }
            self.points.clear();
            for role in 0..tree.shape.roles {
                let points = self.children.points(lane, RoleId(role as u32))?;
                self.points.push(points);
            }
            self.note_end(lane);
            let Some(end) = self.ends.find(tree, nursery, &self.points) else {
                self.is_starved = true;
                continue;
            };
            match node.chooser() {
                Some(chooser) => node.link(chooser + way, end, options.solver),
                None if tree.joints.claim(id, way as u64) => tree.joints.link(id, way as u64, end, options.solver),
                None => {}
            }
            is_bounded = true;
        }
        if is_bounded && options.solver {
            tree.narrow(id, &mut self.bounds);
        }
        Ok(())
    }

    /// Lets random play begin in some of the lanes that go on, each as often as any other if there are fewer.
    fn pick(&mut self, leaf: usize, count: usize, in_use: usize, random: &mut Random) {
        let lanes = self.picks.len();
        if lanes == 0 {
            return;
        }
        if self.after.len() == 0 {
            self.after.push_lanes(&self.children, in_use);
        }
        for place in 0..count.min(lanes) {
            // A random order, as far as it is needed.
            let other = place + random.below(lanes - place);
            self.picks.swap(place, other);
            let lane = self.picks[place];
            self.starts.push(|words| words.extend_from_slice(self.after.row(lane)));
            self.shares.push((count / lanes + usize::from(place < count % lanes)) as u32);
            self.owners.push(leaf);
        }
    }
}

impl Tree {
    /// Whether it is certain what the role that chooses at a node will have, or what all will have.
    fn is_chosen(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.is_settled() || node.chooser().is_some_and(|role| node.bounds(role).proven().is_some())
    }

    /// How many ways out of a node are looked at: those of the only role that has a choice, or all joint moves if they are few.
    pub(super) fn ways(&self, id: NodeId) -> usize {
        let node = self.node(id);
        if let Some(role) = node.chooser() {
            return node.count(role);
        }
        let joints = (0..self.shape.roles).fold(1_u64, |product, role| product.saturating_mul(node.count(role) as u64));
        if joints <= MOST_JOINT_CHILDREN && Joints::can_number(joints) { joints as usize } else { 0 }
    }

    /// Appends the joint move that leads out of a node, by its number among the moves of the only role that has a choice, or among the joint moves.
    pub(super) fn joint_of(&self, node: Node<'_>, way: usize, joint: &mut Vec<MoveId>) {
        let chooser = node.chooser();
        let (mut rest, mut first) = (way, 0);
        for role in 0..self.shape.roles {
            let count = node.count(role);
            let place = if chooser.is_none() || chooser == Some(role) { rest % count } else { 0 };
            if chooser.is_none() {
                rest /= count;
            }
            joint.push(node.target(first + place).id());
            first += count;
        }
    }
}

/// How nodes are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expansion {
    /// Random matches from each.
    pub(super) playouts: usize,
    pub(super) transpositions: bool,
    pub(super) solver: bool,
    /// Whether to look for ends one move further on.
    pub(super) look_ahead: bool,
}

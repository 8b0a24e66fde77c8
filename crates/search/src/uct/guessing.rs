//! First guesses: the positions after a new node, as an evaluation function sees them.

use super::arena::NodeId;
use super::expand::Expander;
use super::guess::Points;
use super::tree::Tree;
use ludens_machine::{Error, Random, RoleId};

impl Expander<'_> {
    /// Looks at the positions in the first lanes: which are ends and, where there are guesses, what they are worth.
    pub(super) fn evaluate_children(&mut self, count: usize, random: &mut Random) -> Result<(), Error> {
        let Some(evaluator) = &self.evaluator else { return self.children.evaluate_ends() };
        if evaluator.reads_moves() {
            self.children.evaluate()?;
        } else {
            self.children.evaluate_ends()?;
        }
        self.scores.clear();
        self.scores.resize(count * self.children.roles(), 0.0);
        evaluator.score(&mut self.children, count, random, &mut self.scores)
    }

    /// A lane is over: its points, which were just found, are no guess.
    pub(super) fn note_end(&mut self, lane: usize) {
        if self.evaluator.is_some() {
            let scores = &mut self.scores[lane * self.points.len()..];
            scores.iter_mut().zip(&self.points).for_each(|(score, &points)| *score = f32::from(points));
        }
    }

    /// Lets a new node have its guesses; the positions after it are in the lanes from `at` on.
    pub(super) fn write_guesses(&mut self, tree: &Tree, id: NodeId, at: usize) {
        if self.evaluator.is_none() {
            return;
        }
        let node = tree.node(id);
        match node.chooser() {
            Some(role) => {
                let best = self.write_choice(tree, id, role, 0..node.count(role), at);
                let points = self.scores[best * tree.shape.roles..][..tree.shape.roles].iter();
                node.write_points(points.map(|&points| Points::new(points)));
            }
            None => self.write_several(tree, id, at),
        }
    }

    /// Writes the guesses of some moves of the only role that has a choice; answers the lane that is best for it.
    fn write_choice(&self, tree: &Tree, id: NodeId, role: usize, moves: std::ops::Range<usize>, at: usize) -> usize {
        let (node, roles) = (tree.node(id), tree.shape.roles);
        let first = node.edges_of_chooser(role).start;
        let mut best = at;
        for (lane, edge) in (at..).zip(moves) {
            let scores = &self.scores[lane * roles..][..roles];
            node.write_guess(first + edge, scores[role], (roles == 2).then(|| scores[1 - role]));
            if scores[role] > self.scores[best * roles + role] {
                best = lane;
            }
        }
        best
    }

    /// Several choose at once: a move is worth the mean over all that the others may do, and the node the mean over everything.
    fn write_several(&self, tree: &Tree, id: NodeId, at: usize) {
        let (node, roles) = (tree.node(id), tree.shape.roles);
        let counts: Vec<usize> = (0..roles).map(|role| node.count(role)).collect();
        let ways: usize = counts.iter().product();
        let mut before = 1;
        let mut means = vec![0.0; roles];
        let mut first = 0;
        for (role, &count) in counts.iter().enumerate() {
            let mut sums = vec![0.0; count];
            for way in 0..ways {
                sums[way / before % count] += self.scores[(at + way) * roles + role];
            }
            means[role] = sums.iter().sum::<f32>() / ways as f32;
            for (place, sum) in sums.iter().enumerate() {
                node.write_guess(first + place, sum * count as f32 / ways as f32, None);
            }
            before *= count;
            first += count;
        }
        node.write_points(means.iter().map(|&points| Points::new(points)));
    }

    /// Lets a node that has no guesses have some, as many of its moves at a time as there are lanes.
    pub(super) fn guess_in_parts(&mut self, tree: &Tree, id: NodeId, random: &mut Random) -> Result<(), Error> {
        let (node, roles, ways) = (tree.node(id), tree.shape.roles, tree.ways(id));
        let mut state = Vec::new();
        node.copy_state(&mut state);
        let width = self.children.width();
        let mut best: Option<Vec<f32>> = None;
        for first in (0..ways).step_by(width) {
            let part = first..ways.min(first + width);
            self.children.load_copies(&state, part.len());
            for (lane, way) in part.clone().enumerate() {
                self.joint.clear();
                tree.joint_of(node, way, &mut self.joint);
                self.children.play(lane, &self.joint);
            }
            self.children.advance()?;
            self.evaluate_children(part.len(), random)?;
            for lane in (0..part.len()).filter(|&lane| self.children.terminal(lane)).collect::<Vec<_>>() {
                for role in 0..roles {
                    let points = self.children.points(lane, RoleId(role as u32))?;
                    self.scores[lane * roles + role] = f32::from(points);
                }
            }
            let Some(role) = node.chooser() else {
                self.write_several(tree, id, 0);
                return Ok(());
            };
            let lane = self.write_choice(tree, id, role, part, 0);
            let scores = &self.scores[lane * roles..][..roles];
            if best.as_ref().is_none_or(|best| scores[role] > best[role]) {
                best = Some(scores.to_vec());
            }
        }
        if let Some(best) = best {
            node.write_points(best.iter().map(|&points| Points::new(points)));
        }
        Ok(())
    }
}

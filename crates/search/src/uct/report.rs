//! What was found out, move by move.

use super::arena::NodeId;
use super::node::Node;
use super::table::Joints;
use super::tree::{MOST_JOINTS, Tree};
use super::{Choice, Options};
use crate::{Bounds, MoveReport, Verdict};
use ludens_machine::MoveId;

/// Joint moves of a principal variation.
const LONGEST_LINE: usize = 64;

impl Tree {
    /// What is certain about each move of a role.
    fn standing(&self, id: NodeId, role: usize) -> Vec<Bounds> {
        let node = self.node(id);
        let count = node.count(role);
        match node.chooser() {
            Some(chooser) if chooser == role => {
                // No move is better than the position.
                let high = node.bounds(role).high;
                let within = |bounds: Bounds| Bounds { low: bounds.low, high: bounds.high.min(high).max(bounds.low) };
                node.edges_of_chooser(role).map(|edge| within(self.beyond(node, edge, role))).collect()
            }
            Some(_) => vec![node.bounds(role); count],
            None => {
                let counts: Vec<u64> = (0..self.shape.roles).map(|role| node.count(role) as u64).collect();
                let joints = counts.iter().fold(1_u64, |product, &count| product.saturating_mul(count));
                if joints > MOST_JOINTS || !Joints::can_number(joints) {
                    return vec![self.range[role]; count];
                }
                let mut bounds = vec![None; count];
                let before: u64 = counts[..role].iter().product();
                for joint in 0..joints {
                    let (child, bounded) = self.joints.find(id, joint);
                    let fresh = if bounded { self.node(child).bounds(role) } else { self.range[role] };
                    let known = &mut bounds[(joint / before % counts[role]) as usize];
                    let both = |known: Bounds| Bounds { low: known.low.min(fresh.low), high: known.high.max(fresh.high) };
                    *known = Some(known.map_or(fresh, both));
                }
                bounds.into_iter().map(|bounds| bounds.unwrap_or(self.range[role])).collect()
            }
        }
    }

    fn beyond(&self, node: Node<'_>, edge: usize, role: usize) -> Bounds {
        let target = node.target(edge);
        if target.is_bounded() { self.node(target.child()).bounds(role) } else { self.range[role] }
    }

    /// Whether a best move of a role is certain.
    pub(super) fn is_decided(&self, root: NodeId, role: usize, solver: bool) -> bool {
        let node = self.node(root);
        // Only where something is certain at all is it worth a closer look.
        if !solver || node.bounds(role) == self.range[role] && node.chooser().is_some() {
            return node.count(role) == 1;
        }
        let moves = self.standing(root, role);
        certain(&moves).next().is_some()
    }
}

/// The moves that are certain to be no worse than any other.
fn certain(moves: &[Bounds]) -> impl Iterator<Item = usize> + Clone {
    let is_best = |index: &usize| {
        let others = moves.iter().enumerate().filter(|(other, _)| other != index);
        others.map(|(_, other)| other.high).all(|high| high <= moves[*index].low)
    };
    // None can be but those with the largest lower bound.
    let low = moves.iter().map(|bounds| bounds.low).max().unwrap_or(0);
    (0..moves.len()).filter(move |&index| moves[index].low == low).filter(is_best)
}

/// Writes down what the tree says about the moves of a role.
pub(super) fn fill(tree: &Tree, root: NodeId, role: usize, options: &Options, verdict: &mut Verdict) {
    let node = tree.node(root);
    let standing = if options.solver { tree.standing(root, role) } else { vec![tree.range[role]; node.count(role)] };
    let mut moves: Vec<MoveReport> = Vec::new();
    for (edge, bounds) in node.edges_of(role).zip(&standing) {
        let stats = node.stats(edge);
        let (visits, mean) = (stats.visits(), f64::from(stats.mean()));
        let seen = (visits > 0).then_some(mean);
        let value = bounds.proven().map(|points| f64::from(points) / 100.0).or(seen);
        let clamped = value.map(|value| (value * 100.0).clamp(f64::from(bounds.low), f64::from(bounds.high)));
        let error = seen.filter(|_| bounds.proven().is_none()).map(|mean| 196.0 * (mean * (1.0 - mean) / visits as f64).sqrt());
        moves.push(MoveReport { id: node.target(edge).id(), visits, value: clamped, error, bounds: *bounds });
    }
    let is_end = |edge: usize| {
        node.chooser() == Some(role) && node.target(edge).child().is_node() && tree.node(node.target(edge).child()).edges() == 0
    };
    let ends: Vec<bool> = node.edges_of(role).map(is_end).collect();
    let best = choose(&moves, &standing, &ends, options);
    verdict.choice = moves[best].id;
    verdict.bounds = if options.solver { node.bounds(role) } else { tree.range[role] };
    verdict.values = (0..tree.shape.roles).map(|each| expected(tree, node, each)).collect();
    if let Some(value) = moves[best].value {
        verdict.values[role] = value;
    }
    let after = node.target(node.edges_of(role).start + best);
    if options.solver && node.chooser() == Some(role) && after.is_bounded() && tree.node(after.child()).is_settled() {
        let end = tree.node(after.child());
        verdict.values = (0..tree.shape.roles).map(|each| f64::from(end.bounds(each).low)).collect();
    }
    verdict.line = line(tree, root, node.edges_of(role).start + best, role);
    let first = moves.remove(best);
    moves.sort_by(|one, two| two.visits.cmp(&one.visits).then(two.value.unwrap_or(0.0).total_cmp(&one.value.unwrap_or(0.0))));
    moves.insert(0, first);
    verdict.moves = moves;
}

/// The move to play.
fn choose(moves: &[MoveReport], standing: &[Bounds], ends: &[bool], options: &Options) -> usize {
    let sure = certain(standing);
    if sure.clone().next().is_some() {
        let best = sure.clone().map(|index| standing[index].low).max().unwrap_or(0);
        // Where all moves lead to the same, the one that took longest to see through holds out longest; otherwise the end, or what was soonest seen
        // through: positions may come back, and a win must be won at some time.
        let is_all_the_same = standing.iter().all(|bounds| bounds.low == best && bounds.high == best);
        let found = if is_all_the_same {
            sure.max_by_key(|&index| moves[index].visits)
        } else {
            sure.min_by_key(|&index| (!ends[index], moves[index].visits))
        };
        return found.unwrap_or(0);
    }
    let floor = standing.iter().map(|bounds| bounds.low).max().unwrap_or(0);
    let open = (0..moves.len()).filter(|&index| standing[index].high >= floor && standing[index].proven().is_none());
    let by_value = |one: &usize, two: &usize| {
        let value = |index: usize| moves[index].value.unwrap_or(-1.0);
        value(*one).total_cmp(&value(*two)).then(two.cmp(one))
    };
    let tried = match options.choice {
        Choice::Value => open.max_by(by_value),
        Choice::Visits => open.max_by(|one, two| moves[*one].visits.cmp(&moves[*two].visits).then_with(|| by_value(one, two))),
    };
    let proven = (0..moves.len()).filter(|&index| standing[index].proven().is_some()).max_by(by_value);
    match (tried, proven) {
        (Some(tried), Some(proven)) if moves[proven].value >= moves[tried].value => proven,
        (Some(index), _) | (None, Some(index)) => index,
        (None, None) => 0,
    }
}

/// The points a role can expect at a node, from 0 to 100.
fn expected(tree: &Tree, node: Node<'_>, role: usize) -> f64 {
    let bounds = node.bounds(role);
    if let Some(points) = bounds.proven() {
        return f64::from(points);
    }
    let (visits, sum) = node.edges_of(role).fold((0.0, 0.0), |(visits, sum), edge| {
        let stats = node.stats(edge);
        let count = stats.visits() as f64;
        if count > 0.0 { (visits + count, sum + count * f64::from(stats.mean())) } else { (visits, sum) }
    });
    let open = tree.range[role];
    let middle = f64::from(open.low + (open.high - open.low) / 2);
    if visits > 0.0 { 100.0 * sum / visits } else { middle }
}

/// The moves that both sides are expected to play, beginning with a certain edge of a role.
fn line(tree: &Tree, root: NodeId, first: usize, role: usize) -> Vec<Vec<MoveId>> {
    let mut line = Vec::new();
    let mut id = root;
    while line.len() < LONGEST_LINE && id.is_node() {
        let node = tree.node(id);
        if node.edges() == 0 {
            break;
        }
        let mut edges: Vec<usize> = (0..tree.shape.roles).map(|role| favourite(tree, node, role)).collect();
        if line.is_empty() {
            edges[role] = first;
        } else if edges.iter().enumerate().all(|(role, &edge)| node.count(role) == 1 || !is_expected(tree, node, role, edge)) {
            break;
        }
        line.push(edges.iter().map(|&edge| node.target(edge).id()).collect());
        id = next(tree, id, &edges);
    }
    line
}

/// The node that a joint move leads to, given by an edge per role.
fn next(tree: &Tree, id: NodeId, edges: &[usize]) -> NodeId {
    let node = tree.node(id);
    if let Some(chooser) = node.chooser() {
        return node.target(edges[chooser]).child();
    }
    let (mut joint, mut factor, mut start) = (0_u64, 1_u64, 0);
    for (role, &edge) in edges.iter().enumerate() {
        joint = joint.wrapping_add(factor.wrapping_mul((edge - start) as u64));
        factor = factor.saturating_mul(node.count(role) as u64);
        start += node.count(role);
    }
    if Joints::can_number(factor) { tree.joints.find(id, joint).0 } else { NodeId::NONE }
}

/// Whether anything speaks for an edge of a role.
fn is_expected(tree: &Tree, node: Node<'_>, role: usize, edge: usize) -> bool {
    node.stats(edge).visits() > 0 || is_best(tree, node, role, edge)
}

/// Whether an edge is certain to be best.
fn is_best(tree: &Tree, node: Node<'_>, role: usize, edge: usize) -> bool {
    let known = node.bounds(role);
    node.chooser() == Some(role) && known.low > 0 && tree.beyond(node, edge, role).low == known.low
}

/// The edge that a role is expected to follow.
fn favourite(tree: &Tree, node: Node<'_>, role: usize) -> usize {
    let edges = node.edges_of(role);
    let key = |edge: &usize| (is_best(tree, node, role, *edge), node.stats(*edge).visits());
    edges.clone().rev().max_by_key(key).unwrap_or(edges.start)
}

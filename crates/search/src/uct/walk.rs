//! One way down the tree, step by step.

use super::arena::NodeId;
use super::descend::{Arm, Link, Way};
use super::porch::Porch;
use super::select::Selection;
use super::table::Joints;
use super::tree::{self, Tree};
use crate::Bounds;

/// Longer ways are not followed: positions may come back.
const DEEPEST: usize = 1000;

/// Where a way ended.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// At a move that nobody has followed yet. It is ours.
    New,
    /// At a node whose value is certain.
    Settled(NodeId),
    /// At a node far down, from which play goes on.
    Deep(NodeId),
    /// At a move that somebody else is following.
    Taken,
}

/// Somebody on the way down.
#[derive(Debug)]
pub(super) struct Walker {
    id: NodeId,
    /// The last node with enough visits for its statistics of later moves to be trusted.
    elder: NodeId,
    pub(super) links: Vec<Link>,
    pub(super) arms: Vec<Arm>,
    /// Some node on the way did not know all that is certain.
    pub(super) is_news: bool,
    bounds: Vec<Bounds>,
}

impl Default for Walker {
    fn default() -> Walker {
        Walker { id: NodeId::NONE, elder: NodeId::NONE, links: Vec::new(), arms: Vec::new(), is_news: false, bounds: Vec::new() }
    }
}

impl Walker {
    pub(super) fn begin(&mut self, root: NodeId) {
        (self.id, self.elder, self.is_news) = (root, NodeId::NONE, false);
        self.links.clear();
        self.arms.clear();
    }

    /// Goes on to the next node; tells where the way ends, if it does.
    pub(super) fn step(&mut self, tree: &Tree, how: Selection, porch: &mut Porch) -> Option<End> {
        let id = self.id;
        let node = tree.node(id);
        // A root that is settled may have forgotten by which move.
        if node.edges() == 0 || how.solver && node.is_settled() && !self.links.is_empty() {
            return Some(End::Settled(id));
        }
        if self.links.len() >= DEEPEST {
            return Some(End::Deep(id));
        }
        if !tree.shape.alone
            && Porch::is_for(node.visits())
            && how.grave.is_none()
            && let Some(role) = node.chooser()
        {
            let kept = porch.follow(id, node).or_else(|| {
                let (edge, _) = tree.select(node, role, node.edges_of_chooser(role), node.visits(), how, NodeId::NONE);
                porch.keep(id, node, edge).then_some(edge)
            });
            if let Some(edge) = kept {
                let child = node.target(edge).child();
                let way = Way::Edge { role: role as u16, edge: edge as u32, kept: true };
                return self.go_on(tree, Link { node: id, way, arms: (0, 0), sure: NodeId::NONE }, child, false);
            }
        }
        let (visits, again) = node.visit();
        if how.grave.is_some() && visits >= how.trusted {
            self.elder = id;
        }
        let arms = self.arms.len() as u32;
        let (way, child, is_ours, sure) = match node.chooser() {
            Some(role) => {
                let edge = again.unwrap_or_else(|| {
                    let (edge, is_stale) = tree.select(node, role, node.edges_of_chooser(role), visits, how, self.elder);
                    if is_stale {
                        self.is_news = true;
                        tree.narrow(id, &mut self.bounds);
                    }
                    node.follow_again(visits, edge);
                    edge
                });
                node.begin_visit(edge);
                let child = node.target(edge).child();
                let way = Way::Edge { role: role as u16, edge: edge as u32, kept: false };
                (way, child, child == NodeId::NONE && node.claim(edge), NodeId::NONE)
            }
            None => self.choose_jointly(tree, id, visits, how),
        };
        self.go_on(tree, Link { node: id, way, arms: (arms, self.arms.len() as u32), sure }, child, is_ours)
    }

    /// Follows a link.
    fn go_on(&mut self, tree: &Tree, link: Link, child: NodeId, is_ours: bool) -> Option<End> {
        self.links.push(link);
        if child.is_node() {
            tree.node(child).expect_soon();
            self.id = child;
            return None;
        }
        Some(if is_ours { End::New } else { End::Taken })
    }

    /// A bandit for every role that has a choice.
    fn choose_jointly(&mut self, tree: &Tree, id: NodeId, visits: u64, how: Selection) -> (Way, NodeId, bool, NodeId) {
        let node = tree.node(id);
        let (mut joint, mut factor, mut first) = (0_u64, 1_u64, 0);
        for role in 0..tree.shape.roles {
            let count = node.count(role);
            let edges = first..first + count;
            first = edges.end;
            if count > 1 {
                let (edge, _) = tree.select(node, role, edges.clone(), visits, how, self.elder);
                node.begin_visit(edge);
                self.arms.push(Arm { role, edge });
                joint = joint.wrapping_add(factor.wrapping_mul((edge - edges.start) as u64));
            }
            factor = factor.saturating_mul(count as u64);
        }
        if !Joints::can_number(factor) {
            return (Way::Unnumbered, NodeId::NONE, true, NodeId::NONE);
        }
        let (mut child, _) = tree.joints.find(id, joint);
        let mut sure = NodeId::NONE;
        // What is settled needs no more visits: another joint move is looked at for the sake of knowing, and counts for nothing else.
        if how.solver && child.is_node() && tree.node(child).is_settled() {
            let others = (1..factor.min(tree::MOST_JOINTS)).map(|step| (joint + step) % factor);
            let open = others.map(|other| (other, tree.joints.find(id, other).0));
            let mut open =
                open.filter(|&(_, child)| child != NodeId::PENDING && !(child.is_node() && tree.node(child).is_settled()));
            if let Some((other, beyond)) = open.next() {
                sure = child;
                (joint, child) = (other, beyond);
            }
        }
        if child == NodeId::NONE && !tree.joints.has_room() {
            return (Way::Unnumbered, NodeId::NONE, true, NodeId::NONE);
        }
        (Way::Joint(joint), child, child == NodeId::NONE && tree.joints.claim(id, joint), sure)
    }
}

//! Down the tree to a position that has no node yet.

use super::arena::NodeId;
use super::select::Selection;
use super::table::Joints;
use super::tree::Tree;
use ludens_machine::MoveId;
use std::ops::Range;

/// Longer ways are not followed: positions may come back.
const DEEPEST: usize = 1000;

/// A node that was passed, and how it was left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) node: NodeId,
    pub(super) way: Way,
    /// Where its arms are.
    arms: (usize, usize),
}

/// How a node is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By an edge of the only role that has a choice.
    Edge(usize),
    /// By a joint move, which has this number.
    Joint(u64),
    /// By one of more joint moves than have numbers: it leads to no node.
    Unnumbered,
}

/// A move of a role that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    pub(super) role: usize,
    pub(super) edge: usize,
}

/// Ways down the tree, one after the other.
#[derive(Debug, Default)]
pub(super) struct Paths {
    links: Vec<Link>,
    arms: Vec<Arm>,
}

/// One of them.
#[derive(Clone, Debug)]
pub(super) struct Path {
    links: Range<usize>,
}

/// Where a way ended.
#[derive(Clone, Debug)]
pub(super) enum Reached {
    /// A move that nobody has followed yet. It is ours.
    New(Path),
    /// A node whose value is certain.
    Settled(Path, NodeId),
    /// A node far down, from which play goes on.
    Deep(Path, NodeId),
    /// A move that somebody else is following.
    Taken,
}

impl Paths {
    pub(super) fn clear(&mut self) {
        self.links.clear();
        self.arms.clear();
    }

    pub(super) fn links(&self, path: &Path) -> &[Link] {
        &self.links[path.links.clone()]
    }

    pub(super) fn arms(&self, link: &Link) -> &[Arm] {
        &self.arms[link.arms.0..link.arms.1]
    }

    /// Goes down from the root, leaving a visit at every move tried.
    pub(super) fn descend(&mut self, tree: &Tree, root: NodeId, how: Selection, trusted: u64) -> Reached {
        let (first, first_arm) = (self.links.len(), self.arms.len());
        let mut id = root;
        let mut elder = NodeId::NONE;
        loop {
            let path = Path { links: first..self.links.len() };
            let node = tree.node(id);
            if node.edges() == 0 || how.solver && node.is_settled() {
                return Reached::Settled(path, id);
            }
            if path.links.len() >= DEEPEST {
                return Reached::Deep(path, id);
            }
            let visits = node.visit();
            if how.grave.is_some() && visits >= trusted {
                elder = id;
            }
            let arms = self.arms.len();
            let (way, child, is_ours) = match node.chooser() {
                Some(role) => {
                    let edge = tree.select(node, role, node.edges_of_chooser(role), visits, how, elder);
                    node.begin_visit(edge);
                    self.arms.push(Arm { role, edge });
                    let child = node.target(edge).child();
                    (Way::Edge(edge), child, child == NodeId::NONE && node.claim(edge))
                }
                None => self.choose_jointly(tree, id, visits, how, elder),
            };
            self.links.push(Link { node: id, way, arms: (arms, self.arms.len()) });
            if child.is_node() {
                id = child;
                continue;
            }
            let path = Path { links: first..self.links.len() };
            if is_ours {
                return Reached::New(path);
            }
            self.cancel(tree, &path);
            self.links.truncate(first);
            self.arms.truncate(first_arm);
            return Reached::Taken;
        }
    }

    /// A bandit for every role that has a choice.
    fn choose_jointly(&mut self, tree: &Tree, id: NodeId, visits: u64, how: Selection, elder: NodeId) -> (Way, NodeId, bool) {
        let node = tree.node(id);
        let (mut joint, mut factor, mut first) = (0_u64, 1_u64, 0);
        for role in 0..tree.shape.roles {
            let count = node.count(role);
            let edges = first..first + count;
            first = edges.end;
            if count > 1 {
                let edge = tree.select(node, role, edges.clone(), visits, how, elder);
                node.begin_visit(edge);
                self.arms.push(Arm { role, edge });
                joint = joint.wrapping_add(factor.wrapping_mul((edge - edges.start) as u64));
            }
            factor = factor.saturating_mul(count as u64);
        }
        if !Joints::can_number(factor) {
            return (Way::Unnumbered, NodeId::NONE, true);
        }
        let (child, _) = tree.joints.find(id, joint);
        (Way::Joint(joint), child, child == NodeId::NONE && tree.joints.claim(id, joint))
    }

    /// Takes the visits of a path back.
    pub(super) fn cancel(&self, tree: &Tree, path: &Path) {
        for link in self.links(path) {
            let node = tree.node(link.node);
            node.forget_visit();
            self.arms(link).iter().for_each(|arm| node.cancel_visit(arm.edge));
        }
    }

    /// Appends the joint move of a link.
    pub(super) fn joint(&self, tree: &Tree, link: &Link, joint: &mut Vec<MoveId>) {
        let node = tree.node(link.node);
        let mut arms = self.arms(link).iter();
        let mut first = 0;
        for role in 0..tree.shape.roles {
            let count = node.count(role);
            let edge = if count > 1 { arms.next().map_or(first, |arm| arm.edge) } else { first };
            joint.push(node.target(edge).id());
            first += count;
        }
    }
}

impl Tree {
    /// Lets a way that was taken lead to a node, or to none.
    pub(super) fn link(&self, link: &Link, child: NodeId, bounded: bool) {
        match link.way {
            Way::Edge(edge) => self.node(link.node).link(edge, child, bounded),
            Way::Joint(joint) => self.joints.link(link.node, joint, child, bounded),
            Way::Unnumbered => {}
        }
    }

    /// Takes note where something is certain about the node that a way leads to; answers whether it is.
    pub(super) fn hear(&self, link: &Link) -> bool {
        let node = self.node(link.node);
        let child = match link.way {
            Way::Edge(edge) => node.target(edge).child(),
            Way::Joint(joint) => self.joints.find(link.node, joint).0,
            Way::Unnumbered => NodeId::NONE,
        };
        if !child.is_node() || !self.is_bounded(child) {
            return false;
        }
        match link.way {
            Way::Edge(edge) => node.flag_bounded(edge),
            Way::Joint(joint) => self.joints.flag_bounded(link.node, joint),
            Way::Unnumbered => {}
        }
        true
    }
}

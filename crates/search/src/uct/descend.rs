//! Down the tree to a position that has no node yet.

use super::arena::NodeId;
use super::porch::Porch;
use super::select::Selection;
use super::tree::Tree;
use super::walk::{End, Walker};
use ludens_machine::MoveId;
use std::ops::Range;

/// Ways that are under way at once.
const ABREAST: usize = 8;

/// A node that was passed, and how it was left.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) node: NodeId,
    pub(super) way: Way,
    /// Where its arms are, if several roles chose; the only one that did has the edge of the way.
    pub(super) arms: (u32, u32),
    /// The node whose values the arms get, where another way is looked at for the sake of knowing.
    pub(super) sure: NodeId,
}

/// How a node is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By an edge of the only role that has a choice.
    Edge {
        /// The role.
        role: u16,
        /// The edge.
        edge: u32,
        /// Whether its visits and values are kept on the porch.
        kept: bool,
    },
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
    walkers: Vec<Walker>,
    pub(super) porch: Porch,
}

/// One of them.
#[derive(Clone, Debug)]
pub(super) struct Path {
    links: Range<usize>,
    /// Some node on the way did not know all that is certain.
    pub(super) is_news: bool,
}

impl Path {
    /// Its links, the last one first.
    pub(super) fn upwards(&self) -> impl Iterator<Item = usize> + use<> {
        self.links.clone().rev()
    }
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
}

impl Paths {
    fn clear(&mut self) {
        self.links.clear();
        self.arms.clear();
    }

    pub(super) fn link(&self, at: usize) -> Link {
        self.links[at]
    }

    pub(super) fn links(&self, path: &Path) -> &[Link] {
        &self.links[path.links.clone()]
    }

    /// The moves that were tried where a node was left.
    #[inline]
    pub(super) fn arms(&self, link: &Link) -> impl Iterator<Item = Arm> + Clone {
        arms(link, &self.arms)
    }

    /// Goes down from the root several times, leaving a visit at every move tried, until there are so many ways or too many ended where somebody else is.
    /// A few are under way at once, step by step in turn: while one waits for memory, others go on.
    pub(super) fn descend(&mut self, tree: &Tree, root: NodeId, how: Selection, wanted: usize, mut reached: impl FnMut(Reached)) {
        self.clear();
        let (mut walkers, mut porch) = (std::mem::take(&mut self.walkers), std::mem::take(&mut self.porch));
        porch.clear();
        walkers.resize_with(ABREAST, Walker::default);
        let (mut begun, mut in_vain) = (0, 0);
        let mut active = 0;
        for walker in walkers.iter_mut().take(wanted) {
            walker.begin(root);
            begun += 1;
            active += 1;
        }
        let mut turn = 0;
        while active > 0 {
            let walker = &mut walkers[turn];
            if let Some(end) = walker.step(tree, how, &mut porch) {
                let is_vain = matches!(end, End::Taken);
                if is_vain {
                    cancel(tree, &walker.links, &walker.arms, &mut porch);
                    in_vain += 1;
                } else {
                    let path = self.keep(walker);
                    reached(match end {
                        End::Settled(id) => Reached::Settled(path, id),
                        End::Deep(id) => Reached::Deep(path, id),
                        End::New | End::Taken => Reached::New(path),
                    });
                }
                if in_vain < 4 + wanted / 4 && (is_vain || begun < wanted) {
                    begun += usize::from(!is_vain);
                    walker.begin(root);
                } else {
                    active -= 1;
                    walkers.swap(turn, active);
                }
            } else {
                turn += 1;
            }
            if turn >= active {
                turn = 0;
            }
        }
        (self.walkers, self.porch) = (walkers, porch);
    }

    /// Adds the way that a walker took.
    fn keep(&mut self, walker: &Walker) -> Path {
        let (first, arms) = (self.links.len(), self.arms.len() as u32);
        let moved = |link: &Link| Link { arms: (link.arms.0 + arms, link.arms.1 + arms), ..*link };
        self.links.extend(walker.links.iter().map(moved));
        self.arms.extend_from_slice(&walker.arms);
        Path { links: first..self.links.len(), is_news: walker.is_news }
    }

    /// Takes the visits of a path back.
    pub(super) fn cancel(&mut self, tree: &Tree, path: &Path) {
        cancel(tree, &self.links[path.links.clone()], &self.arms, &mut self.porch);
    }

    /// Tells the node of a link the values of a visit.
    #[inline]
    pub(super) fn end_visit(&mut self, tree: &Tree, link: &Link, values: &[f32]) {
        if let Way::Edge { role, kept: true, .. } = link.way {
            self.porch.end_visit(link.node, values[usize::from(role)]);
            return;
        }
        let node = tree.node(link.node);
        arms(link, &self.arms).for_each(|arm| node.end_visit(arm.edge, values[arm.role]));
    }

    /// Appends the joint move of a link.
    pub(super) fn joint(&self, tree: &Tree, link: &Link, joint: &mut Vec<MoveId>) {
        let node = tree.node(link.node);
        let mut arms = self.arms(link);
        let mut rest = if let Way::Joint(number) = link.way { Some(number) } else { None };
        let mut first = 0;
        for role in 0..tree.shape.roles {
            let count = node.count(role);
            let edge = match &mut rest {
                Some(rest) => {
                    let place = *rest % count as u64;
                    *rest /= count as u64;
                    first + place as usize
                }
                None if count > 1 => arms.next().map_or(first, |arm| arm.edge),
                None => first,
            };
            joint.push(node.target(edge).id());
            first += count;
        }
    }
}

/// Takes the visits of some links back.
fn cancel(tree: &Tree, links: &[Link], all: &[Arm], porch: &mut Porch) {
    for link in links {
        if let Way::Edge { kept: true, .. } = link.way {
            porch.cancel(link.node);
            continue;
        }
        let node = tree.node(link.node);
        node.forget_visit();
        arms(link, all).for_each(|arm| node.cancel_visit(arm.edge));
    }
}

/// The moves that were tried where a node was left.
#[inline]
fn arms(link: &Link, all: &[Arm]) -> impl Iterator<Item = Arm> + Clone {
    let only = match link.way {
        Way::Edge { role, edge, .. } => Some(Arm { role: usize::from(role), edge: edge as usize }),
        Way::Joint(_) | Way::Unnumbered => None,
    };
    only.into_iter().chain(all[link.arms.0 as usize..link.arms.1 as usize].iter().copied())
}

impl Tree {
    /// Lets a way that was taken lead to a node, or to none.
    pub(super) fn link(&self, link: &Link, child: NodeId, bounded: bool) {
        match link.way {
            Way::Edge { edge, .. } => self.node(link.node).link(edge as usize, child, bounded),
            Way::Joint(joint) => self.joints.link(link.node, joint, child, bounded),
            Way::Unnumbered => {}
        }
    }

    /// Takes note where something is certain about the node that a way leads to; answers whether it is.
    pub(super) fn hear(&self, link: &Link) -> bool {
        let node = self.node(link.node);
        let child = match link.way {
            Way::Edge { edge, .. } => node.target(edge as usize).child(),
            Way::Joint(joint) => self.joints.find(link.node, joint).0,
            Way::Unnumbered => NodeId::NONE,
        };
        if !child.is_node() || !self.is_bounded(child) {
            return false;
        }
        match link.way {
            Way::Edge { edge, .. } => node.flag_bounded(edge as usize),
            Way::Joint(joint) => self.joints.flag_bounded(link.node, joint),
            Way::Unnumbered => {}
        }
        true
    }
}

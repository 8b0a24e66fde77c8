//! Ways down the tree, a batch at a time, each to a move that has no node yet.
//!
//! All visits of a batch go down together: a node gets as many as reach it, and divides them among its moves. What many have in common is looked at once,
//! on the way down as on the way up, and while one node is awaited from memory others are at work.

use super::arena::NodeId;
use super::select::{Choice, Selection};
use super::table::Joints;
use super::tree::{self, Tree};
use crate::Bounds;
use ludens_machine::MoveId;

/// Longer ways are not followed: positions may come back.
const DEEPEST: u32 = 1000;

/// Visits that one choice holds for at most.
const LONGEST_HABIT: u64 = 16;

/// Visits from which on several threads do not tell each other of a visit before its value is known: they would wait for each other more than that is worth.
const BUSY: u64 = 1 << 11;

/// No link leads to the root.
const ROOT: u32 = u32::MAX;

/// A way out of a node, with the visits that took it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) node: NodeId,
    pub(super) way: Way,
    /// Where its arms are, if several roles chose; the only one that did has the edge of the way.
    arms: (u32, u32),
    /// The node whose values the arms get, where another way is looked at for the sake of knowing.
    pub(super) sure: NodeId,
    /// Where it leads, if to a node.
    child: NodeId,
    /// The last node on the way with enough visits for its statistics of later moves to be trusted.
    elder: NodeId,
    /// The link that led to its node.
    before: u32,
    pub(super) visits: u32,
    pub(super) depth: u32,
    /// Its node hears of the visits when their values are known.
    pub(super) is_silent: bool,
    /// Its node knows that something is certain about where it leads.
    is_flagged: bool,
    pub(super) news: News,
}

/// What is to be told on the way up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum News {
    /// Nothing.
    None,
    /// Something new may be certain about where a link leads.
    Here,
    /// Some node beyond did not know all that is certain, and those before it may not either.
    AllTheWay,
}

impl Link {
    fn tell(&mut self, news: News) {
        self.news = self.news.max(news);
    }

    /// Lets its node be fetched, which will hear of its visits.
    #[inline]
    pub(super) fn expect_change(&self, tree: &Tree) {
        if let Way::Edge { edge, .. } = self.way {
            tree.node(self.node).expect_change(edge as usize);
        }
    }

    /// The link before it, if it does not begin at the root.
    pub(super) fn before(&self) -> Option<usize> {
        (self.before != ROOT).then_some(self.before as usize)
    }
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

/// The ways of one batch. They have their first links in common.
#[derive(Debug, Default)]
pub(super) struct Paths {
    links: Vec<Link>,
    arms: Vec<Arm>,
    bounds: Vec<Bounds>,
    choice: Choice,
    /// Visits that came to a move which somebody else is following.
    in_vain: u32,
}

/// Where some visits ended: the last link, and their number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reached {
    pub(super) link: usize,
    pub(super) visits: u32,
    /// A node whose value is certain, or one far down, from which play goes on; or else a move that nobody has followed yet. It is ours.
    pub(super) node: Option<NodeId>,
}

impl Paths {
    pub(super) fn len(&self) -> usize {
        self.links.len()
    }

    pub(super) fn link(&self, at: usize) -> &Link {
        &self.links[at]
    }

    /// The links from one up to the root.
    pub(super) fn upwards(&self, at: usize) -> impl Iterator<Item = &Link> {
        std::iter::successors(Some(&self.links[at]), |link| link.before().map(|before| &self.links[before]))
    }

    /// Lets the node of a link know that there may be something new where it leads.
    pub(super) fn tell(&mut self, at: usize, news: News) {
        self.links[at].tell(news);
    }

    /// The moves that were tried where a node was left.
    #[inline]
    pub(super) fn arms(&self, link: &Link) -> impl Iterator<Item = Arm> + Clone + use<'_> {
        let only = match link.way {
            Way::Edge { role, edge } => Some(Arm { role: usize::from(role), edge: edge as usize }),
            Way::Joint(_) | Way::Unnumbered => None,
        };
        only.into_iter().chain(self.arms[link.arms.0 as usize..link.arms.1 as usize].iter().copied())
    }

    /// Goes down from the root, leaving a visit at every move tried, until so many visits led somewhere or too many ended where somebody else is.
    pub(super) fn descend(&mut self, tree: &Tree, root: NodeId, how: Selection<'_>, wanted: usize, reached: &mut Vec<Reached>) {
        self.links.clear();
        self.arms.clear();
        reached.clear();
        self.in_vain = 0;
        let wanted = wanted as u32;
        let mut missing = wanted;
        while missing > 0 && self.in_vain <= wanted / 4 + 3 {
            let (known, mut next) = (reached.len(), self.links.len());
            self.spread(tree, root, missing, ROOT, how, reached);
            while next < self.links.len() {
                let Link { child, visits, .. } = self.links[next];
                if child.is_node() && visits > 0 {
                    self.spread(tree, child, visits, next as u32, how, reached);
                }
                next += 1;
            }
            if reached.len() == known {
                break;
            }
            missing -= reached[known..].iter().map(|reached| reached.visits).sum::<u32>();
        }
    }

    /// Divides the visits that came to a node by a link among its moves.
    fn spread(&mut self, tree: &Tree, id: NodeId, visits: u32, before: u32, how: Selection<'_>, reached: &mut Vec<Reached>) {
        let node = tree.node(id);
        let (mut depth, mut elder) = (0, NodeId::NONE);
        if let Some(link) = self.links.get_mut(before as usize) {
            (depth, elder) = (link.depth, link.elder);
            if how.solver && !link.is_flagged && tree.is_bounded(id) {
                link.tell(News::Here);
            }
            // A root that is settled may have forgotten by which move.
            if node.edges() == 0 || how.solver && node.is_settled() || depth >= DEEPEST {
                reached.push(Reached { link: before as usize, visits, node: Some(id) });
                return;
            }
        }
        let is_silent = !tree.shape.alone && how.grave.is_none() && node.visits() >= BUSY && node.chooser().is_some();
        let seen = if is_silent { node.visits() } else { node.visit(u64::from(visits)) };
        if how.grave.is_some() && seen >= how.trusted {
            elder = id;
        }
        let link = Link {
            node: id,
            way: Way::Unnumbered,
            arms: (0, 0),
            sure: NodeId::NONE,
            child: NodeId::NONE,
            elder,
            before,
            visits: 0,
            depth: depth + 1,
            is_silent,
            is_flagged: false,
            news: News::None,
        };
        match node.chooser() {
            Some(role) => self.spread_alone(tree, role, seen, visits, link, how, reached),
            None => {
                for done in 0..u64::from(visits) {
                    let (link, is_ours) = self.choose_jointly(tree, seen + done, link, how);
                    self.go_on(tree, link, is_ours, reached);
                }
            }
        }
    }

    /// One role has a choice.
    #[expect(clippy::too_many_arguments, reason = "the parts of one step")]
    fn spread_alone(
        &mut self,
        tree: &Tree,
        role: usize,
        seen: u64,
        visits: u32,
        like: Link,
        how: Selection<'_>,
        reached: &mut Vec<Reached>,
    ) {
        let node = tree.node(like.node);
        let edges = node.edges_of_chooser(role);
        let first = self.links.len();
        let mut left = visits;
        let is_forced = edges.len() == 1;
        if !is_forced {
            self.choice.weigh(tree, node, role, edges.clone(), seen + u64::from(visits), how, like.elder, visits > 1);
        }
        while left > 0 {
            let (edge, is_stale) = if is_forced { (edges.start, false) } else { self.choice.best() };
            if is_stale {
                tree.narrow(like.node, &mut self.bounds);
                if let Some(link) = self.links.get_mut(like.before as usize) {
                    link.tell(News::AllTheWay);
                }
            }
            let target = node.target(edge);
            let times = if is_forced {
                left
            } else if target.child().is_node() && !target.is_bounded() {
                left.min((1 + seen / how.habit).min(LONGEST_HABIT) as u32)
            } else {
                // What nobody has followed yet is for one visit; where something is certain it may soon be more.
                1
            };
            left -= times;
            let way = Way::Edge { role: role as u16, edge: edge as u32 };
            let known = self.links[first..].iter_mut().find(|link| link.way == way);
            let untold = if let Some(link) = known {
                link.visits += times;
                link.visits
            } else {
                let (child, is_flagged) = (target.child(), target.is_bounded());
                self.links.push(Link { way, child, is_flagged, visits: times, ..like });
                if child.is_node() {
                    tree.expect_visit(child, node.stats(edge).visits());
                }
                times
            };
            if how.grave.is_some() {
                // It never keeps silent, and looks at all edges again.
                node.begin_visits(edge, u64::from(times));
                if left > 0 {
                    self.choice.weigh(tree, node, role, edges.clone(), seen + u64::from(visits), how, like.elder, false);
                }
            } else if left > 0 {
                self.choice.weigh_again(tree, node, edge, untold, how);
            }
        }
        for at in first..self.links.len() {
            let Link { way: Way::Edge { edge, .. }, child, visits, .. } = self.links[at] else { continue };
            if !like.is_silent && how.grave.is_none() {
                node.begin_visits(edge as usize, u64::from(visits));
            }
            if !child.is_node() {
                self.end(tree, at, child == NodeId::NONE && node.claim(edge as usize), reached);
            }
        }
    }

    /// Ends at a link that leads to no node: one visit if it is ours, the others in vain.
    fn end(&mut self, tree: &Tree, at: usize, is_ours: bool, reached: &mut Vec<Reached>) {
        let surplus = self.links[at].visits - u32::from(is_ours);
        if surplus > 0 {
            self.in_vain += surplus;
            self.take_back(tree, at, surplus);
        }
        if is_ours {
            reached.push(Reached { link: at, visits: 1, node: None });
        }
    }

    /// Takes a single visit on.
    fn go_on(&mut self, tree: &Tree, link: Link, is_ours: bool, reached: &mut Vec<Reached>) {
        self.links.push(Link { visits: 1, ..link });
        if link.child.is_node() {
            tree.node(link.child).expect_soon(false);
        } else {
            self.end(tree, self.links.len() - 1, is_ours, reached);
        }
    }

    /// A bandit for every role that has a choice. Answers also whether a way that nobody has followed yet is ours.
    fn choose_jointly(&mut self, tree: &Tree, seen: u64, like: Link, how: Selection<'_>) -> (Link, bool) {
        let id = like.node;
        let node = tree.node(id);
        let arms = self.arms.len() as u32;
        let (mut joint, mut factor, mut first) = (0_u64, 1_u64, 0);
        for role in 0..tree.shape.roles {
            let count = node.count(role);
            let edges = first..first + count;
            first = edges.end;
            if count > 1 {
                self.choice.weigh(tree, node, role, edges.clone(), seen, how, like.elder, false);
                let (edge, _) = self.choice.best();
                node.begin_visits(edge, 1);
                self.arms.push(Arm { role, edge });
                joint = joint.wrapping_add(factor.wrapping_mul((edge - edges.start) as u64));
            }
            factor = factor.saturating_mul(count as u64);
        }
        let link = Link { arms: (arms, self.arms.len() as u32), ..like };
        if !Joints::can_number(factor) {
            return (link, true);
        }
        let (mut child, mut is_flagged) = tree.joints.find(id, joint);
        let mut sure = NodeId::NONE;
        // What is settled needs no more visits: another joint move is looked at for the sake of knowing, and counts for nothing else.
        if how.solver && child.is_node() && tree.node(child).is_settled() {
            let others = (1..factor.min(tree::MOST_JOINTS)).map(|step| (joint + step) % factor);
            let open = others.map(|other| (other, tree.joints.find(id, other)));
            let mut open =
                open.filter(|&(_, (child, _))| child != NodeId::PENDING && !(child.is_node() && tree.node(child).is_settled()));
            if let Some((other, beyond)) = open.next() {
                sure = child;
                (joint, (child, is_flagged)) = (other, beyond);
            }
        }
        if child == NodeId::NONE && !tree.joints.has_room() {
            return (link, true);
        }
        let is_ours = child == NodeId::NONE && tree.joints.claim(id, joint);
        (Link { way: Way::Joint(joint), child, sure, is_flagged, ..link }, is_ours)
    }

    /// Takes some visits back, from a link up to the root.
    pub(super) fn take_back(&mut self, tree: &Tree, at: usize, visits: u32) {
        let mut next = Some(at);
        while let Some(at) = next {
            self.links[at].visits -= visits;
            let link = self.links[at];
            if !link.is_silent {
                let node = tree.node(link.node);
                node.forget_visits(u64::from(visits));
                self.arms(&link).for_each(|arm| node.cancel_visits(arm.edge, u64::from(visits)));
            }
            next = link.before();
        }
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

impl Tree {
    /// Lets a node be fetched that will be visited, and has been so often.
    #[inline]
    fn expect_visit(&self, id: NodeId, visits: u64) {
        let will_change = !self.shape.alone && visits < BUSY;
        self.node(id).expect_soon(will_change);
    }

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

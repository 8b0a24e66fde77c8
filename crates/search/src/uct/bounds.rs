//! What is certain about a node, from what is certain about the nodes it leads to.

use super::arena::NodeId;
use super::node::Node;
use super::table::Joints;
use super::tree::{MOST_JOINTS, Tree};
use crate::Bounds;

impl Tree {
    /// Finds out what is certain about a node; answers whether that is more than before.
    pub(super) fn narrow(&self, id: NodeId, scratch: &mut Vec<Bounds>) -> bool {
        let node = self.node(id);
        scratch.clear();
        match node.chooser() {
            Some(chooser) => self.bounds_of_choice(node, chooser, scratch),
            None => self.bounds_of_several(id, node, scratch),
        }
        !scratch.is_empty() && node.narrow(scratch)
    }

    /// One role chooses what is best for it. Where that is not the only best for it, others cannot tell which it will be.
    fn bounds_of_choice(&self, node: Node<'_>, chooser: usize, bounds: &mut Vec<Bounds>) {
        let edges = node.edges_of_chooser(chooser);
        let of = |edge: usize, role: usize| {
            let target = node.target(edge);
            if target.is_bounded() { self.node(target.child()).bounds(role) } else { self.range[role] }
        };
        let mine = edges.clone().map(|edge| of(edge, chooser));
        let best = mine.reduce(|one, two| Bounds { low: one.low.max(two.low), high: one.high.max(two.high) });
        let Some(best) = best else { return };
        for role in 0..self.shape.roles {
            if role == chooser {
                bounds.push(best);
                continue;
            }
            let possible = edges.clone().filter(|&edge| of(edge, chooser).high >= best.low).map(|edge| of(edge, role));
            let any = possible.reduce(|one, two| Bounds { low: one.low.min(two.low), high: one.high.max(two.high) });
            bounds.push(any.unwrap_or(self.range[role]));
        }
    }

    /// Several choose at once: each can be sure of what its best move yields whatever the others do.
    fn bounds_of_several(&self, id: NodeId, node: Node<'_>, bounds: &mut Vec<Bounds>) {
        let roles = self.shape.roles;
        let counts: Vec<u64> = (0..roles).map(|role| node.count(role) as u64).collect();
        let Some(joints) = counts.iter().try_fold(1, |product: u64, &count| product.checked_mul(count)) else { return };
        if joints > MOST_JOINTS || !Joints::can_number(joints) {
            return;
        }
        // Per role and move: the least that the others can hold it to.
        let mut least: Vec<Vec<u8>> = counts.iter().map(|&count| vec![u8::MAX; count as usize]).collect();
        let mut most = vec![0; roles];
        for joint in 0..joints {
            let (child, bounded) = self.joints.find(id, joint);
            let mut rest = joint;
            for role in 0..roles {
                let choice = (rest % counts[role]) as usize;
                rest /= counts[role];
                let known = if bounded { self.node(child).bounds(role) } else { self.range[role] };
                least[role][choice] = least[role][choice].min(known.low);
                most[role] = most[role].max(known.high);
            }
        }
        for (role, least) in least.iter().enumerate() {
            let low = least.iter().copied().max().unwrap_or(0);
            bounds.push(Bounds { low, high: most[role].max(low) });
        }
    }

    /// Whether anything beyond the rules' range is certain about a node.
    pub(super) fn is_bounded(&self, id: NodeId) -> bool {
        !self.node(id).is_open(&self.open)
    }
}

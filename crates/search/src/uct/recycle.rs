//! Making room: nodes that can no longer be reached, or were hardly ever visited, are forgotten and the others moved together.

use super::arena::{NodeId, Packer};
use super::node::Node;
use super::tree::Tree;

/// A node that stays; otherwise its mark is the place it moves to.
const REACHED: u32 = 1;

impl Tree {
    /// Forgets what cannot be reached from the root and, if the rest is still more than `most` bytes of nodes, those visited least. Answers where the
    /// root is now.
    pub(super) fn recycle(&mut self, root: NodeId, most: usize) -> NodeId {
        let mut least = 0;
        let (mut bytes, mut sizes) = self.reach(root, least);
        // Bytes of nodes by how often they were visited, in powers of two: as many as must go.
        for (power, size) in sizes.iter_mut().enumerate().take(40) {
            if bytes <= most {
                break;
            }
            bytes = bytes.saturating_sub(std::mem::take(size));
            least = 1 << (power + 1);
        }
        if least > 0 {
            self.each_node(|tree, id| tree.node(id).set_mark(0));
            self.reach(root, least);
        }
        self.compact(root)
    }

    fn each_node(&self, mut visit: impl FnMut(&Tree, NodeId)) {
        self.arena.each(|id| self.node(id).size(), |id, _| visit(self, id));
    }

    /// Marks all nodes that can be reached from the root by way of nodes with so many visits; answers their bytes, and those by visits.
    fn reach(&self, root: NodeId, least: u64) -> (usize, [usize; 64]) {
        let mut bytes = 0;
        let mut sizes = [0; 64];
        let mut open = vec![root];
        self.node(root).set_mark(REACHED);
        for &end in self.ends.lock().expect("no thread panics while it holds the list").values() {
            self.node(end).set_mark(REACHED);
        }
        while let Some(id) = open.pop() {
            let node = self.node(id);
            let size = node.size() * 8;
            bytes += size;
            if id != root {
                sizes[(64 - node.visits().leading_zeros()).saturating_sub(1).min(63) as usize] += size;
            }
            let mut meet = |child: NodeId, is_needed: bool| {
                if child.is_node() {
                    let node = self.node(child);
                    if node.mark() == 0 && (is_needed || node.visits() >= least) {
                        node.set_mark(REACHED);
                        open.push(child);
                    }
                }
            };
            if let Some(chooser) = node.chooser() {
                for edge in 0..node.edges() {
                    let target = node.target(edge);
                    if least > 0 && target.is_bounded() && self.keep_proof(node, edge) {
                        continue;
                    }
                    // What is certain about this node may rest on that one.
                    let rests = target.is_bounded() && self.node(target.child()).bounds(chooser).low > self.range[chooser].low;
                    meet(target.child(), rests && self.node(target.child()).bounds(chooser).low == node.bounds(chooser).low);
                }
            } else {
                let joints = (0..self.shape.roles).try_fold(1_u64, |product, role| product.checked_mul(node.count(role) as u64));
                // Looking for every joint move of a node takes long where there are many: those nodes start anew.
                for joint in 0..joints.filter(|&joints| joints <= 1 << 14).unwrap_or(0) {
                    let (child, is_bounded) = self.joints.find(id, joint);
                    meet(child, is_bounded);
                }
            }
        }
        (bytes, sizes)
    }

    /// Lets an edge to a node whose value is certain lead to an end with the same points, if there is one: the node itself is not needed then.
    fn keep_proof(&self, node: Node<'_>, edge: usize) -> bool {
        let child = self.node(node.target(edge).child());
        if !child.is_settled() {
            return false;
        }
        let points: Vec<u8> = (0..self.shape.roles).map(|role| child.bounds(role).low).collect();
        let end = self.ends.lock().expect("no thread panics while it holds the list").get(&*points).copied();
        if let Some(end) = end {
            node.link(edge, end, true);
        }
        end.is_some()
    }

    /// Moves all nodes that are marked together, and lets everything that points to them point to their new places.
    fn compact(&mut self, root: NodeId) -> NodeId {
        let mut packer = Packer::new();
        self.each_node(|tree, id| {
            let node = tree.node(id);
            if node.mark() != 0 {
                node.set_mark(packer.place(node.size()).0);
            }
        });
        let place = |tree: &Tree, id: NodeId| NodeId(tree.node(id).mark());
        self.each_node(|tree, id| {
            let node = tree.node(id);
            if node.mark() == 0 || node.chooser().is_none() {
                return;
            }
            for edge in 0..node.edges() {
                let target = node.target(edge);
                if target.child().is_node() {
                    let moved = place(tree, target.child());
                    node.link(edge, moved, target.is_bounded() && moved.is_node());
                }
            }
        });
        let mut joints = std::mem::replace(&mut self.joints, super::table::Joints::new());
        joints.relocate(|node, child| {
            let (node, child) = (place(self, node), place(self, child));
            (node.is_node() && child.is_node()).then_some((node, child))
        });
        self.joints = joints;
        let mut ends = std::mem::take(&mut self.ends);
        ends.get_mut().expect("no thread panics while it holds the list").values_mut().for_each(|id| *id = place(self, *id));
        self.ends = ends;
        let root = place(self, root);
        self.table.clear();
        self.each_node(|tree, id| {
            let node = tree.node(id);
            let to = NodeId(node.mark());
            if to.is_node() {
                let (hash, size, is_end) = (node.hash(), node.size(), node.edges() == 0);
                node.set_mark(0);
                tree.arena.slide(id, to, size);
                if !is_end {
                    tree.table.insert(hash, to);
                }
            }
        });
        let spare = self.arena.truncate(&packer);
        self.keep_spare(Some(spare));
        self.generation += 1;
        root
    }
}

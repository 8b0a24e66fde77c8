//! GRAVE: a move's value wherever it was played below a node, kept at the moves of that node.

use super::descend::Paths;
use super::tree::Tree;
use ludens_machine::MoveId;

/// Which moves were played in one playout.
#[derive(Debug, Default)]
pub(super) struct Stamps {
    /// Per role and move: the last playout in which it was played.
    last: Vec<Vec<u32>>,
    now: u32,
}

impl Stamps {
    fn mark(&mut self, role: usize, id: MoveId) {
        let list = &mut self.last[role];
        if list.len() <= id.0 as usize {
            list.resize(id.0 as usize + 1, 0);
        }
        list[id.0 as usize] = self.now;
    }

    fn has(&self, role: usize, id: MoveId) -> bool {
        self.last[role].get(id.0 as usize) == Some(&self.now)
    }

    /// Tells all nodes on the way to a playout how it ended, at the moves that were played later by the role that chooses there.
    pub(super) fn note(&mut self, tree: &Tree, paths: &Paths, last: usize, played: &[MoveId], points: &[u8]) {
        let roles = tree.shape.roles;
        self.last.resize(roles, Vec::new());
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.last.iter_mut().for_each(Vec::clear);
            self.now = 1;
        }
        for joint in played.chunks_exact(roles) {
            joint.iter().enumerate().for_each(|(role, &id)| self.mark(role, id));
        }
        for link in paths.upwards(last) {
            let node = tree.node(link.node);
            for arm in paths.arms(link) {
                self.mark(arm.role, node.target(arm.edge).id());
            }
            for arm in paths.arms(link) {
                for edge in node.edges_of(arm.role) {
                    if self.has(arm.role, node.target(edge).id()) {
                        node.note_later(edge, f32::from(points[arm.role]) / 100.0);
                    }
                }
            }
        }
    }
}

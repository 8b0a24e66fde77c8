//! Progressive history: how moves did wherever they were tried, which says where to look first.
//!
//! A move has a *lean*: how much better than the node's mean it was for the role that chose it, over all nodes of the tree. Moves that nobody has tried are
//! tried in its order, and it speaks for or against others until they have had losses of their own (Nijssen and Winands).

use ludens_machine::MoveId;

/// Visits without a lean that every move begins with: a few say little.
const DOUBT: f32 = 8.0;

/// What is left of it after a move of the match.
const KEPT: f32 = 0.25;

/// How one thread has seen moves do.
#[derive(Debug, Default)]
pub(super) struct History {
    /// Per role and move.
    roles: Vec<Vec<Record>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    visits: f32,
    /// The sum of what visits had beyond the means of their nodes.
    lead: f32,
    lean: f32,
}

impl Record {
    fn weigh(&mut self) {
        self.lean = self.lead / (self.visits + DOUBT);
    }
}

impl History {
    pub(super) fn new(roles: usize) -> History {
        History { roles: vec![Vec::new(); roles] }
    }

    /// Some visits, and how much more they had together than as many of their node have in the mean, for values from 0 to 1.
    pub(super) fn note(&mut self, role: usize, id: MoveId, visits: u32, lead: f32) {
        let (records, at) = (&mut self.roles[role], id.0 as usize);
        if records.len() <= at {
            records.resize(at + 1, Record::default());
        }
        let record = &mut records[at];
        record.visits += visits as f32;
        record.lead += lead;
        record.weigh();
    }

    /// How much better than others a move was, from -1 to 1.
    #[inline]
    pub(super) fn lean(&self, role: usize, id: MoveId) -> f32 {
        self.roles[role].get(id.0 as usize).map_or(0.0, |record| record.lean)
    }

    /// The position has changed: what was seen counts for less.
    pub(super) fn fade(&mut self) {
        for record in self.roles.iter_mut().flatten() {
            record.visits *= KEPT;
            record.lead *= KEPT;
            record.weigh();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_leans_to_where_it_did_better_than_others() {
        let mut history = History::new(2);
        assert!(history.lean(1, MoveId(7)).abs() < 1e-6, "nothing is known of it");
        history.note(1, MoveId(7), 10, 4.0);
        history.note(1, MoveId(3), 10, -4.0);
        let (good, bad) = (history.lean(1, MoveId(7)), history.lean(1, MoveId(3)));
        assert!(good > 0.0 && good < 0.4 && (good + bad).abs() < 1e-6, "{good} {bad}");
        let others = history.lean(0, MoveId(7)).abs() + history.lean(1, MoveId(8)).abs();
        assert!(others < 1e-6, "another role's, and another move");
        history.note(1, MoveId(7), 990, 396.0);
        assert!(history.lean(1, MoveId(7)) > good, "there is less doubt");
        history.fade();
        let faded = history.lean(1, MoveId(3));
        assert!(bad < faded && faded < 0.0, "{faded}");
    }
}

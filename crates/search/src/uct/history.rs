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
    /// Per role.
    roles: Vec<Moves>,
}

#[derive(Clone, Debug, Default)]
struct Moves {
    /// Per move: visits, and the sum of what they had beyond the means of their nodes.
    records: Vec<(f32, f32)>,
    /// Per move, by themselves: they are looked at far more often than they change.
    leans: Vec<f32>,
}

impl Moves {
    fn weigh(&mut self, at: usize) {
        let (visits, lead) = self.records[at];
        self.leans[at] = lead / (visits + DOUBT);
    }
}

impl History {
    pub(super) fn new(roles: usize) -> History {
        History { roles: vec![Moves::default(); roles] }
    }

    /// Some visits, and how much more they had together than as many of their node have in the mean, for values from 0 to 1.
    pub(super) fn note(&mut self, role: usize, id: MoveId, visits: u32, lead: f32) {
        let (moves, at) = (&mut self.roles[role], id.0 as usize);
        if moves.records.len() <= at {
            moves.records.resize(at + 1, (0.0, 0.0));
            moves.leans.resize(at + 1, 0.0);
        }
        let record = &mut moves.records[at];
        *record = (record.0 + visits as f32, record.1 + lead);
        moves.weigh(at);
    }

    /// How much better than others a role's moves were, from -1 to 1, by their numbers; moves beyond the last were never tried.
    #[inline]
    pub(super) fn leans(&self, role: usize) -> &[f32] {
        &self.roles[role].leans
    }

    /// The position has changed: what was seen counts for less.
    pub(super) fn fade(&mut self) {
        for moves in &mut self.roles {
            for at in 0..moves.records.len() {
                let (visits, lead) = moves.records[at];
                moves.records[at] = (visits * KEPT, lead * KEPT);
                moves.weigh(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_leans_to_where_it_did_better_than_others() {
        let mut history = History::new(2);
        let lean = |history: &History, role: usize, at: usize| history.leans(role).get(at).copied().unwrap_or(0.0);
        assert!(lean(&history, 1, 7).abs() < 1e-6, "nothing is known of it");
        history.note(1, MoveId(7), 10, 4.0);
        history.note(1, MoveId(3), 10, -4.0);
        let (good, bad) = (lean(&history, 1, 7), lean(&history, 1, 3));
        assert!(good > 0.0 && good < 0.4 && (good + bad).abs() < 1e-6, "{good} {bad}");
        let others = lean(&history, 0, 7).abs() + lean(&history, 1, 8).abs();
        assert!(others < 1e-6, "another role's, and another move");
        history.note(1, MoveId(7), 990, 396.0);
        assert!(lean(&history, 1, 7) > good, "there is less doubt");
        history.fade();
        let faded = lean(&history, 1, 3);
        assert!(bad < faded && faded < 0.0, "{faded}");
    }
}

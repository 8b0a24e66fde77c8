//! The best plan so far; threads share it.

use ludens_machine::MoveId;
use rustc_hash::FxHashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Moves to an end, and the points there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) moves: Vec<MoveId>,
    /// `None` where there is no plan yet.
    pub(super) points: Option<u8>,
}

/// The best plan so far.
#[derive(Debug)]
pub(super) struct Best {
    inner: Mutex<Inner>,
    /// The most points there can be.
    most: u8,
}

#[derive(Debug, Default)]
struct Inner {
    plan: Plan,
    /// The most points found after a first move.
    first: FxHashMap<MoveId, u8>,
}

impl Best {
    /// Begins with a plan that is known already.
    pub(super) fn new(plan: Plan, most: u8) -> Best {
        let mut inner = Inner::default();
        if let (Some(&id), Some(points)) = (plan.moves.first(), plan.points) {
            inner.first.insert(id, points);
        }
        inner.plan = plan;
        Best { inner: Mutex::new(inner), most }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The points of the best plan.
    pub(super) fn points(&self) -> Option<u8> {
        self.inner().plan.points
    }

    /// Whether there can be nothing better.
    pub(super) fn is_top(&self) -> bool {
        self.points().is_some_and(|points| points >= self.most)
    }

    /// The most points found after a first move.
    pub(super) fn after(&self, id: MoveId) -> Option<u8> {
        self.inner().first.get(&id).copied()
    }

    /// The best plan.
    pub(super) fn plan(&self) -> Plan {
        self.inner().plan.clone()
    }

    /// Takes note of moves to an end. More points are better, and a shorter way to as many.
    pub(super) fn offer(&self, points: u8, moves: &[MoveId]) {
        let Some(&id) = moves.first() else { return };
        let mut inner = self.inner();
        let most = inner.first.entry(id).or_insert(points);
        *most = points.max(*most);
        let plan = &mut inner.plan;
        if plan.points.is_none_or(|known| known < points || (known == points && moves.len() < plan.moves.len())) {
            *plan = Plan { moves: moves.to_vec(), points: Some(points) };
        }
    }
}

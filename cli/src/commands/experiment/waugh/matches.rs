//! The matches from which positions are taken.

use super::Plan;
use crate::interrupt;
use crate::referee::{Referee, Seat, Standing};
use anyhow::{Result, bail};
use ludens_machine::{Machine, RoleId};
use ludens_search::{Budget, Settings, Spec};
use serde::{Deserialize, Serialize};

/// Matches and simulations longer than this are given up.
pub(super) const MAX_PLIES: u64 = 1000;

/// A position in which a player thinks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Position {
    /// 0 early, 1 in the middle, 2 at the end.
    pub(super) phase: usize,
    /// Who thinks.
    pub(super) role: u32,
    pub(super) fluents: Vec<String>,
}

/// A match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) plies: usize,
    pub(super) positions: Vec<Position>,
}

/// What a search of ours may use.
pub(super) fn settings(seed: u64) -> Settings {
    Settings { threads: 1, memory: 256 << 20, seed, max_plies: MAX_PLIES }
}

/// Flat Monte Carlo against itself. Positions that it answered at once, because a move wins or there is but one, are left out: the paper's player has no such
/// short cut, and there is nothing to compare.
pub(super) fn play(machine: &Machine, plan: &Plan, seed: u64) -> Result<Played> {
    let budget = Budget { simulations: Some(plan.simulations), ..Budget::default() };
    let player = Spec::parse("mc")?.into();
    let mut seats = Vec::new();
    for role in machine.roles() {
        seats.push(Some(Seat::new(&player, machine, role, settings(seed), budget)?));
    }
    let mut referee = Referee::new(machine, machine.initial(), seed, interrupt::sign())?;
    let (mut plies, mut thought) = (0, Vec::new());
    while referee.standing()? == Standing::Open && plies < MAX_PLIES as usize && !interrupt::is_requested() {
        let state = referee.state();
        let ply = referee.play(&mut seats, &[])?;
        if let Some(fault) = ply.faults.into_iter().flatten().next() {
            bail!("mc has no move: {fault}");
        }
        let thinks = |verdict: &Option<ludens_search::Verdict>| verdict.as_ref().is_some_and(|verdict| verdict.simulations > 0);
        if let Some(role) = ply.verdicts.iter().position(thinks) {
            thought.push((plies, RoleId(role as u32), state));
        }
        plies += 1;
    }
    let mut positions = Vec::new();
    for phase in 0..3 {
        let third: Vec<_> = thought.iter().filter(|(ply, ..)| 3 * ply / plies.max(1) == phase).collect();
        let take = plan.per_third.unwrap_or(third.len()).min(third.len());
        positions.extend((0..take).map(|index| {
            let (_, role, state) = third[(2 * index + 1) * third.len() / (2 * take)];
            Position { phase, role: role.0, fluents: machine.fluents(state) }
        }));
    }
    Ok(Played { plies, positions })
}

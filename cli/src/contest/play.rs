//! One match in this process.

use super::Table;
use crate::interrupt;
use crate::record as record_of;
use crate::referee::{Fault, Ply, Referee, Seat, Standing};
use crate::words::number;
use anyhow::{Context, Result, bail};
use ludens_machine::{Machine, MoveId};
use ludens_search::{Budget, Settings, Verdict};
use ludens_serve::mix;
use ludens_serve::record::{Opening, Record};
use ludens_tournament::{Forfeit, ForfeitKind, Played, Slot};
use std::time::Duration;

/// Beyond so many times its limit, and so much more, a player has lost by time: a search in this process is never that late unless it hangs.
const LATE: f64 = 1.5;
const LATER: Duration = Duration::from_millis(100);

/// Plays a match; `None` where Ctrl-C came first.
pub(super) fn play(table: &Table, slot: Slot) -> Result<Option<(Played, Record)>> {
    let entry = &table.entries[slot.game];
    let (game, machine) = (&entry.game, &entry.game.machine);
    let seed = table.pair_seed(slot);
    let opening = open(machine, seed, table.opening(slot.game))?;
    let settings = Settings { seed: mix(seed, u64::from(slot.second)), ..table.settings };
    let meeting = table.subject.meetings[slot.meeting];
    let limits = meeting.map(|player| table.plan.budgets[slot.budget].budget(table.plan.players[player].times));
    let mut played = table.begun(slot);
    let seat = |(role, &player): (_, &usize)| {
        let ready = entry.ready[meeting[player]].as_ref().context("a player is not prepared")?;
        Seat::new(ready, machine, role, settings, limits[player]).map(Some)
    };
    let mut seats: Vec<Option<Seat<'_>>> = machine.roles().zip(&played.seats).map(seat).collect::<Result<_>>()?;
    let names = played.seats.iter().map(|&player| played.players[player].clone()).collect();
    let budget = played.budget.clone();
    let mut record = record_of::begin(game, Opening { players: names, seed: table.plan.seed, budget, ..Opening::default() });
    record.match_id.clone_from(&played.id);
    let mut referee = Referee::new(machine, machine.initial(), settings.seed, interrupt::sign())?;
    for joint in &opening {
        referee.advance(joint)?;
        record_of::add(&mut record, machine, &Ply::given(joint), &referee.state());
    }
    played.plies = opening.len() as u64;
    played.opening = record.moves.iter().map(|joint| joint.iter().map(|text| plain(text)).collect()).collect();
    while !interrupt::is_requested() {
        match referee.standing()? {
            Standing::Over(points) => {
                record.complete(points.clone());
                played.points = points;
                return Ok(Some((played, record)));
            }
            Standing::Stuck(role) => bail!("{} has no legal move, and the match is not over", machine.role_name(role)),
            Standing::Open if played.plies >= table.plan.max_plies => {
                bail!("no end after {}", number(played.plies, "joint move"))
            }
            Standing::Open => {
                let ply = referee.play(&mut seats, &[])?;
                // Who interrupts a match has made its searches fail, if anybody has.
                if interrupt::is_requested() {
                    break;
                }
                played.plies += 1;
                record_of::add(&mut record, machine, &ply, &referee.state());
                count(&mut played, &ply, &limits);
                if let Some(forfeit) = played.forfeits.first() {
                    let name = &played.players[forfeit.player];
                    record.abort(&format!("{name} forfeits the match: {}, {}", forfeit.kind.text(), forfeit.text));
                    return Ok(Some((played, record)));
                }
            }
        }
    }
    Ok(None)
}

/// A move as it is typed: records have blanks around parentheses.
fn plain(text: &str) -> String {
    text.replace("( ", "(").replace(" )", ")")
}

/// Adds what a joint move took, and who lost by it.
fn count(played: &mut Played, ply: &Ply, limits: &[Budget; 2]) {
    for (&player, (verdict, fault)) in played.seats.iter().zip(ply.verdicts.iter().zip(&ply.faults)) {
        let late = verdict.as_ref().and_then(|verdict| lateness(verdict, &limits[player]));
        let fault = fault.as_ref().map(|fault| (kind(fault), fault.to_string()));
        if let Some((kind, text)) = fault.or(late.map(|text| (ForfeitKind::TimeOut, text))) {
            played.forfeits.push(Forfeit { player, kind, ply: played.plies, text });
        }
        let Some(verdict) = verdict else { continue };
        played.thoughts[player] += 1;
        played.cpu_seconds[player] += verdict.cpu.as_secs_f64();
        played.wall_seconds[player] += verdict.wall.as_secs_f64();
        played.simulations[player] += verdict.simulations;
        played.nodes[player] += verdict.nodes;
    }
}

fn kind(fault: &Fault) -> ForfeitKind {
    match fault {
        Fault::Crash(_) | Fault::Failed(_) => ForfeitKind::Crash,
        Fault::Illegal(_) => ForfeitKind::IllegalMove,
    }
}

/// Whether a search took far too long: by its own CPU time, which other processes do not add to.
fn lateness(verdict: &Verdict, budget: &Budget) -> Option<String> {
    let limit = [budget.cpu, budget.wall].into_iter().flatten().min()?;
    let is_late = verdict.cpu > limit.mul_f64(LATE) + LATER;
    is_late.then(|| format!("{:.3} s of CPU time, and {:.3} s allowed", verdict.cpu.as_secs_f64(), limit.as_secs_f64()))
}

/// A random opening, as long as was asked for, or as long as can be found without an end.
pub(super) fn open(machine: &Machine, seed: u64, plies: u32) -> Result<Vec<Vec<MoveId>>> {
    const ATTEMPTS: u64 = 20;
    let mut plies = plies;
    while plies > 0 && !interrupt::is_requested() {
        let mut longest = 0;
        for attempt in 0..ATTEMPTS {
            let seed = mix(mix(seed, u64::from(plies)), attempt);
            let mut referee = Referee::new(machine, machine.initial(), seed, interrupt::sign())?;
            let mut moves = Vec::new();
            while moves.len() < plies as usize && referee.standing()? == Standing::Open {
                let joint = referee.any_joint();
                referee.advance(&joint)?;
                moves.push(joint);
            }
            if moves.len() == plies as usize && referee.standing()? == Standing::Open {
                return Ok(moves);
            }
            longest = longest.max(moves.len() as u32);
        }
        // None was as long as that without an end: by one less than the longest of them it may be.
        plies = (plies - 1).min(longest.saturating_sub(1));
    }
    Ok(Vec::new())
}

#[cfg(test)]
mod tests {
    use super::{lateness, open};
    use crate::referee::{Referee, Standing};
    use crate::{engine, library, sheet::Sheet};
    use ludens_machine::MoveId;
    use ludens_search::{Budget, Verdict};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    #[test]
    fn openings_are_repeatable_and_never_the_end() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        let stop = AtomicBool::new(false);
        for seed in 0..30 {
            for plies in [0, 3, 6, 8, 9, 20] {
                let moves = open(&machine, seed, plies).unwrap();
                assert_eq!(open(&machine, seed, plies).unwrap(), moves);
                let mut referee = Referee::new(&machine, machine.initial(), 1, &stop).unwrap();
                for joint in &moves {
                    referee.advance(joint).unwrap();
                }
                assert_eq!(referee.standing().unwrap(), Standing::Open);
                assert!(moves.len() == plies as usize || plies > 6, "{} of {plies}", moves.len());
            }
        }
    }

    #[test]
    fn who_takes_far_too_long_loses_by_time() {
        let mut verdict = Verdict::first(&[MoveId(0)], 2).unwrap();
        let budget = Budget { cpu: Some(Duration::from_millis(100)), ..Budget::default() };
        verdict.cpu = Duration::from_millis(240);
        assert_eq!(lateness(&verdict, &budget), None);
        verdict.cpu = Duration::from_millis(260);
        assert!(lateness(&verdict, &budget).is_some_and(|text| text.contains("0.260 s of CPU time, and 0.100 s allowed")));
        assert_eq!(lateness(&verdict, &Budget { simulations: Some(1), ..Budget::default() }), None);
    }
}

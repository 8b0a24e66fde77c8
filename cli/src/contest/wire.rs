//! One match by clocks, as game managers run it: with players elsewhere, or as if they were.

use super::Table;
use super::play::open;
use crate::interrupt;
use crate::record as record_of;
use crate::referee::{Ply, Referee};
use anyhow::{Result, bail};
use ludens_machine::{MoveId, RoleId, State};
use ludens_search::Settings;
use ludens_serve::client::Address;
use ludens_serve::manager::{Audience, Manager, Outcome, Plan, Seat};
use ludens_serve::record::{Opening, Record};
use ludens_serve::{Session, Setup, mix};
use ludens_tournament::{Forfeit, ForfeitKind, Played, Slot, Who};
use std::sync::Arc;
use std::time::Duration;

/// Nobody watches.
struct Nobody;

impl Audience for Nobody {
    fn follow(&mut self, _: &Record, _: &State, _: &[RoleId]) {}

    fn choose(&mut self, _: RoleId, legal: &[MoveId]) -> Option<MoveId> {
        legal.first().copied()
    }
}

/// Plays a match; `None` where Ctrl-C came first.
pub(super) fn play(table: &Table, slot: Slot, [start, play]: [u64; 2]) -> Result<Option<(Played, Record)>> {
    let game = &table.entries[slot.game].game;
    let machine = &game.machine;
    let seed = table.pair_seed(slot);
    let known = open(machine, seed, table.opening(slot.game))?;
    let mut played = table.begun(slot);
    let meeting = table.subject.meetings[slot.meeting];
    let seat = |(place, &player): (usize, &usize)| -> Result<Seat> {
        Ok(match &table.plan.players[meeting[player]].who {
            Who::Remote(url) => Seat::Player(Arc::new(Address::find(url)?)),
            Who::Local(spec) => {
                let settings = Settings { seed: mix(mix(seed, u64::from(slot.second)), place as u64), ..table.settings };
                Seat::Player(Arc::new(Session::new(Setup::new(spec.clone(), settings))))
            }
        })
    };
    let seats: Vec<Seat> = played.seats.iter().enumerate().map(seat).collect::<Result<_>>()?;
    let names = played.seats.iter().map(|&player| played.players[player].clone()).collect();
    let opening = Opening { players: names, seed: table.plan.seed, start_clock: start, play_clock: play, ..Opening::default() };
    let mut record = record_of::begin(game, opening);
    // Players in a match of the same name may still be about to end it.
    record.match_id = format!("{}.{}", played.id, record.start_time);
    let mut referee = Referee::new(machine, machine.initial(), seed, interrupt::sign())?;
    for joint in &known {
        referee.advance(joint)?;
        record_of::add(&mut record, machine, &Ply::given(joint), &referee.state());
    }
    record.reopen(played.seats.len());
    played.opening = known.iter().map(|joint| joint.iter().map(|&id| machine.move_text(id)).collect()).collect();
    let plan = Plan {
        rules: game.message_text(),
        scramble: None,
        start_clock: Duration::from_secs(start),
        play_clock: Duration::from_secs(play),
        seed,
        max_plies: table.plan.max_plies as usize,
        file: None,
    };
    match Manager::new(machine, seats, plan, interrupt::sign()).run(&mut record, &known, &mut Nobody)? {
        Outcome::Over(points) => played.points = points,
        Outcome::Unfinished(reason) => bail!("{reason}"),
        Outcome::Interrupted => return Ok(None),
    }
    played.plies = record.moves.len() as u64;
    count(&mut played, &record);
    Ok(Some((played, record)))
}

/// What the record says about every player: what it thought, and what it did wrong.
fn count(played: &mut Played, record: &Record) {
    for (ply, errors) in record.errors.iter().enumerate() {
        for (&player, error) in played.seats.iter().zip(errors) {
            let kind = match error.as_str() {
                "" => continue,
                "TO" => ForfeitKind::TimeOut,
                "CE" => ForfeitKind::Crash,
                _ => ForfeitKind::IllegalMove,
            };
            // The first fault is the one by which it lost.
            if played.forfeits.iter().all(|forfeit| forfeit.ply == ply as u64) {
                played.forfeits.push(Forfeit { player, kind, ply: ply as u64, text: error.clone() });
            }
        }
    }
    for thoughts in &record.thoughts {
        for (&player, thought) in played.seats.iter().zip(thoughts) {
            let Some(thought) = thought else { continue };
            played.thoughts[player] += 1;
            played.wall_seconds[player] += thought.wall_seconds;
            played.cpu_seconds[player] += thought.cpu_seconds;
            played.simulations[player] += thought.simulations;
            played.nodes[player] += thought.nodes;
        }
    }
}

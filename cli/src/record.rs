//! What a match in this process puts into its record.

use crate::playable::Playable;
use crate::referee::Ply;
use ludens_machine::{Machine, State};
use ludens_serve::record::{self, Opening, Record, Thought};

/// A match of a game that begins now; what the record says about the game is filled in.
pub(crate) fn begin(game: &Playable, opening: Opening) -> Record {
    let (sheet, sha256) = (game.sheet_text().to_owned(), game.sha256.clone());
    Record::new(&game.machine, Opening { game: game.name.clone(), sheet, sha256, ..opening })
}

/// Adds a joint move, and the state it led to.
pub(crate) fn add(record: &mut Record, machine: &Machine, ply: &Ply, state: &State) {
    let thought =
        |(role, verdict): (usize, &Option<_>)| verdict.as_ref().map(|verdict| Thought::of_verdict(machine, role, verdict));
    let ply = record::Ply {
        joint: ply.joint.clone(),
        errors: ply.faults.iter().map(|fault| fault.as_ref().map(ToString::to_string).unwrap_or_default()).collect(),
        thoughts: ply.verdicts.iter().enumerate().map(thought).collect(),
        latencies: None,
    };
    record.add(machine, ply, state);
}

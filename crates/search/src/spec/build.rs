//! Players made of what was asked for: one function for each entry of the table.

// All have the type that the table asks for, also where nothing can fail.
#![allow(clippy::unnecessary_wraps)]

use super::{Spec, SpecError};
use crate::{FirstMove, Mc, RandomMove, Search, Settings, Uct, uct};
use ludens_machine::Machine;

/// A player, or why there is none.
type Built<'m> = Result<Box<dyn Search + 'm>, SpecError>;

pub(super) fn random<'m>(_: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(RandomMove::new(machine, &settings)))
}

pub(super) fn first<'m>(_: &Spec, machine: &'m Machine, _: Settings) -> Built<'m> {
    Ok(Box::new(FirstMove::new(machine)))
}

pub(super) fn uct<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let options = uct::Options {
        c: spec.number("c") as f32,
        leaves: spec.count("leaves") as usize,
        playouts: spec.count("playouts") as usize,
        patience: spec.count("patience") as usize,
        fill: spec.is_on("fill"),
        choice: if spec.word("final") == "value" { uct::Choice::Value } else { uct::Choice::Visits },
        solver: spec.is_on("solver"),
        transpositions: spec.is_on("transpositions"),
        reuse: spec.is_on("reuse"),
        learning: uct::Learning { mast: spec.is_on("mast"), nst: spec.is_on("nst"), ..uct::Learning::default() },
        grave: spec.is_on("grave"),
        ..uct::Options::default()
    };
    Ok(Box::new(Uct::new(machine, options, settings)))
}

pub(super) fn mc<'m>(_: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Mc::new(machine, &settings)))
}

pub(super) fn alphabeta<'m>(spec: &Spec, _: &'m Machine, _: Settings) -> Built<'m> {
    Err(spec.not_there())
}

pub(super) fn mtdf<'m>(spec: &Spec, _: &'m Machine, _: Settings) -> Built<'m> {
    Err(spec.not_there())
}

pub(super) fn minimax<'m>(spec: &Spec, _: &'m Machine, _: Settings) -> Built<'m> {
    Err(spec.not_there())
}

pub(super) fn one_ply<'m>(spec: &Spec, _: &'m Machine, _: Settings) -> Built<'m> {
    Err(spec.not_there())
}

pub(super) fn puzzle<'m>(spec: &Spec, _: &'m Machine, _: Settings) -> Built<'m> {
    Err(spec.not_there())
}

impl Spec {
    fn not_there(&self) -> SpecError {
        SpecError::Unfit { player: self.player.name, reason: "it is not there yet" }
    }
}

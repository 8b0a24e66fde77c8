//! Players made of what was asked for: one function for each entry of the table.

// All have the type that the table asks for, also where nothing can fail.
#![allow(clippy::unnecessary_wraps)]

use super::{Spec, SpecError};
use crate::{FirstMove, Mc, RandomMove, Search, Settings};
use ludens_machine::Machine;

/// A player, or why there is none.
type Built<'m> = Result<Box<dyn Search + 'm>, SpecError>;

pub(super) fn random<'m>(_: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(RandomMove::new(machine, &settings)))
}

pub(super) fn first<'m>(_: &Spec, machine: &'m Machine, _: Settings) -> Built<'m> {
    Ok(Box::new(FirstMove::new(machine)))
}

/// Where the tree search is hooked in.
pub(super) fn build_uct<'m>(spec: &Spec, _: &'m Machine, _: Settings) -> Built<'m> {
    Err(spec.not_there())
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

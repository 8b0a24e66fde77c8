//! What tests of choices have in common.

use crate::Clock;
use ludens_gdl::Rules;
use ludens_machine::{GroundLimits, Limits, Machine, relational};
use std::time::Duration;

/// Time stands still, so that matches are the same wherever they are played.
#[derive(Debug)]
pub(super) struct Still;

impl Clock for Still {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }

    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

/// A game of the library.
pub(super) fn game(name: &str) -> (Rules, Machine) {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("a game of the library");
    let rules = ludens_gdl::read(&text, &ludens_gdl::Limits::default()).rules.expect("rules");
    let (ground, limits) = (GroundLimits::default(), Limits::default());
    let machine = Machine::fastest(&rules, &ground, &relational::Options::default(), &limits).expect("a machine");
    (rules, machine)
}

//! `ludens show --stage phases`: what is known in each phase of the turn.

use crate::net_dot;
use crate::sheet::Sheet;
use crate::words::{number, visible};
use ludens_ground::{Net, Phase, Signal};
use serde::Serialize;
use std::fmt::Write as _;

/// So many names of a list are printed; JSON has them all.
const LISTED: usize = 12;

#[derive(Serialize)]
pub(super) struct Report {
    game: String,
    fluents: usize,
    moves: usize,
    phases: Vec<PhaseLine>,
}

#[derive(Serialize)]
struct PhaseLine {
    /// Fluents that hold in every state of the phase, and those that hold in none.
    always: Vec<String>,
    never: Vec<String>,
    /// Moves that are legal in every state of the phase, with their role, and those that are in none.
    always_legal: Vec<String>,
    never_legal: Vec<String>,
    gates: usize,
    fan_in: usize,
    loops: usize,
}

impl Report {
    pub(super) fn new(sheet: &Sheet, phases: &[Phase]) -> Report {
        let first = phases.first();
        Report {
            game: sheet.source.name.clone(),
            fluents: first.map_or(0, |phase| phase.known.len()),
            moves: first.map_or(0, |phase| phase.net.moves.len()),
            phases: phases.iter().map(PhaseLine::new).collect(),
        }
    }

    pub(super) fn text(&self) -> String {
        let counts = [(self.fluents, "fluent"), (self.moves, "move"), (self.phases.len(), "phase")];
        let mut text = counts.map(|(count, noun)| number(count as u64, noun)).join(", ") + "\n";
        for (index, phase) in self.phases.iter().enumerate() {
            let PhaseLine { gates, fan_in, loops, .. } = phase;
            let _ = writeln!(
                text,
                "\nphase {} of {}: {gates} gates that read {fan_in} signals, {}",
                index + 1,
                self.phases.len(),
                number(*loops as u64, "loop")
            );
            for (what, names) in [
                ("fluents that always hold", &phase.always),
                ("fluents that never hold", &phase.never),
                ("moves that are always legal", &phase.always_legal),
                ("moves that are never legal", &phase.never_legal),
            ] {
                let shown: Vec<String> = names.iter().take(LISTED).map(|name| visible(name)).collect();
                let rest = if names.len() > LISTED { ", ..." } else { "" };
                let colon = if names.is_empty() { "" } else { ": " };
                let _ = writeln!(text, "  {what} ({}){colon}{}{rest}", names.len(), shown.join(", "));
            }
        }
        text
    }

    pub(super) fn dot(&self, phases: &[Phase]) -> String {
        let label = |index: usize| format!("phase {} of {}", index + 1, self.phases.len());
        let nets: Vec<(String, &Net)> = phases.iter().enumerate().map(|(index, phase)| (label(index), &phase.net)).collect();
        net_dot::text(&nets)
    }
}

impl PhaseLine {
    fn new(phase: &Phase) -> PhaseLine {
        let net = &phase.net;
        let known = |value: bool| {
            let fluents = net.fluents.iter().zip(&phase.known).filter(move |(_, known)| **known == Some(value));
            fluents.map(|(fluent, _)| fluent.text.clone()).collect()
        };
        let legal = |signal: Signal| {
            let moves = net.moves.iter().filter(move |known| known.legal == signal);
            moves.map(|known| format!("{} {}", net.roles[known.role as usize], known.text)).collect()
        };
        let (gates, fan_in) = net.size();
        PhaseLine {
            always: known(true),
            never: known(false),
            always_legal: legal(Signal::TRUE),
            never_legal: legal(Signal::FALSE),
            gates,
            fan_in,
            loops: net.loops.len(),
        }
    }
}

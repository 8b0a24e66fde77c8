//! `ludens show --stage layout`: networks as programs.

use super::atoms::table;
use crate::sheet::Sheet;
use ludens_machine::Machine;
use ludens_machine::bits::{CodeSizes, LayoutSizes, ProgramSizes};
use serde::Serialize;
use std::fmt::Write as _;

/// Bits of a word, as processors have them.
const WIDTHS: [usize; 4] = [64, 128, 256, 512];

#[derive(Serialize)]
pub(super) struct Report {
    game: String,
    /// The whole network, then the phases of the turn.
    layouts: Vec<Line>,
    /// Machine code, where this processor has words of so many bits and the network has no loops.
    code: Vec<CodeLine>,
}

#[derive(Serialize)]
struct CodeLine {
    network: String,
    /// `play` or `goals`.
    name: &'static str,
    bits: usize,
    operations: usize,
    instructions: usize,
    bytes: usize,
    scratch: usize,
}

#[derive(Serialize)]
struct Line {
    /// `whole`, or the number of the phase.
    network: String,
    slots: usize,
    /// Bytes of all slots, by the bits of a word.
    slot_bytes: Vec<WidthLine>,
    /// Fluents that are written anew after every move.
    copies: usize,
    programs: Vec<ProgramLine>,
}

#[derive(Serialize)]
struct WidthLine {
    bits: usize,
    bytes: usize,
}

#[derive(Serialize)]
struct ProgramLine {
    name: &'static str,
    levels: usize,
    runs: usize,
    longest_run: usize,
    loops: usize,
    gates: usize,
    inputs: usize,
    bytes: usize,
}

impl Report {
    /// Nothing where the engine is not laid out.
    pub(super) fn new(sheet: &Sheet, machine: &Machine) -> Option<Report> {
        let engine = machine.as_bits()?;
        let sizes = engine.sizes();
        let name = |index: usize| if index == 0 { "whole".to_owned() } else { format!("phase {index} of {}", sizes.len() - 1) };
        let layouts = sizes.iter().enumerate().map(|(index, sizes)| Line::new(name(index), sizes)).collect();
        let code = WIDTHS.into_iter().filter_map(|bits| Some((bits, engine.code_sizes(bits)?)));
        let code = code.flat_map(|(bits, phases)| {
            let each = phases.into_iter().enumerate();
            each.flat_map(move |(index, code)| {
                ["play", "goals"].into_iter().zip(code).map(move |(of, code)| (bits, index, of, code))
            })
        });
        let code = code.map(|(bits, index, of, code)| CodeLine::new(name(index + 1), of, bits, code)).collect();
        Some(Report { game: sheet.source.name.clone(), layouts, code })
    }

    pub(super) fn text(&self) -> String {
        let mut programs = table(
            &["network", "program", "levels", "runs", "longest", "loops", "gates", "inputs", "bytes"],
            &[2, 3, 4, 5, 6, 7, 8],
        );
        let mut slots =
            table(&["network", "slots", "copies", "64 bits", "128 bits", "256 bits", "512 bits"], &[1, 2, 3, 4, 5, 6]);
        for line in &self.layouts {
            for program in &line.programs {
                let ProgramLine { name, levels, runs, longest_run, loops, gates, inputs, bytes } = program;
                let numbers = [levels, runs, longest_run, loops, gates, inputs, bytes].map(ToString::to_string);
                programs.add_row([line.network.clone(), (*name).to_owned()].into_iter().chain(numbers));
            }
            let bytes = line.slot_bytes.iter().map(|width| width.bytes);
            let numbers = [line.slots, line.copies].into_iter().chain(bytes).map(|number| number.to_string());
            slots.add_row(std::iter::once(line.network.clone()).chain(numbers));
        }
        let mut text = programs.trim_fmt();
        let _ = write!(text, "\n\nbytes of the slots, by the bits of a word:\n\n{}", slots.trim_fmt());
        if !self.code.is_empty() {
            let header = ["network", "code", "bits of a word", "operations", "instructions", "bytes", "scratch words"];
            let mut code = table(&header, &[2, 3, 4, 5, 6]);
            for CodeLine { network, name, bits, operations, instructions, bytes, scratch } in &self.code {
                let numbers = [bits, operations, instructions, bytes, scratch].map(ToString::to_string);
                code.add_row([network.clone(), (*name).to_owned()].into_iter().chain(numbers));
            }
            let _ = write!(text, "\n\nmachine code for random play:\n\n{}", code.trim_fmt());
        }
        text
    }
}

impl Line {
    fn new(network: String, sizes: &LayoutSizes) -> Line {
        Line {
            network,
            slots: sizes.slots,
            slot_bytes: WIDTHS.map(|bits| WidthLine { bits, bytes: sizes.slots * bits / 8 }).into(),
            copies: sizes.copies,
            programs: sizes.programs.iter().map(ProgramLine::new).collect(),
        }
    }
}

impl CodeLine {
    fn new(network: String, name: &'static str, bits: usize, sizes: CodeSizes) -> CodeLine {
        let CodeSizes { operations, instructions, bytes, scratch } = sizes;
        CodeLine { network, name, bits, operations, instructions, bytes, scratch }
    }
}

impl ProgramLine {
    fn new(sizes: &ProgramSizes) -> ProgramLine {
        let ProgramSizes { name, levels, runs, longest_run, loops, gates, inputs, bytes } = *sizes;
        ProgramLine { name, levels, runs, longest_run, loops, gates, inputs, bytes }
    }
}

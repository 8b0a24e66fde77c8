//! The evaluation function of the Heuristic Player (Mańdziuk & Świechowski): rows are counted, and weigh as they differ between matches won and lost.
//!
//! *Selection* finds the counters that moves have an effect on: `TableRows`, all rows of a table; `ColumnSymbols`, the rows with a symbol in a column; and
//! `SymbolRows`, the rows with a symbol that moves change much. *Construction* weighs them by what their averages were in random matches won and lost.

mod construction;
mod selection;

use crate::function::{Function, Link};
use crate::refusal::Refusal;
use crate::sample::Matches;
use crate::vocabulary::Vocabulary;
use construction::Tallies;
use ludens_machine::{Machine, Random};

/// The constants of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Random matches that are compared step by step: *N*.
    pub parallel: usize,
    /// Random matches that weights are learnt from.
    pub simulations: usize,
    /// Matches are given up after so many joint moves.
    pub max_plies: u64,
    /// Whether every row with a varying symbol has a weight of its own, as in the functions that the paper prints; otherwise all rows with the symbol have one.
    pub single: bool,
    /// Whether matches are told apart at the mean result where hardly any is above or below the middle. The paper has no answer there.
    pub ties: bool,
    /// Whether varying symbols are looked for in more than one match where matches are short. The paper has one.
    pub short: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { parallel: 4, simulations: 2000, max_plies: 1000, single: true, ties: true, short: true }
    }
}

impl Options {
    /// The method as the paper has it, without remedies.
    pub fn plain() -> Options {
        Options { ties: false, short: false, ..Options::default() }
    }

    /// What functions that are found so say they are of.
    pub(crate) fn name(&self) -> &'static str {
        if self.ties || self.short { "rows" } else { "plain-rows" }
    }
}

/// Matches in memory at once.
const BATCH: usize = 128;

/// Finds a function for every role.
pub fn find(
    machine: &Machine,
    vocabulary: &Vocabulary,
    options: &Options,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Result<Function, Refusal> {
    let batch = |played: usize, random: &mut Random| {
        Matches::play(machine, BATCH.min(options.simulations.saturating_sub(played)), options.max_plies, random, stop)
    };
    let (mut matches, mut played) = (batch(0, random)?, BATCH);
    // Two at least can be compared.
    while matches.len() < 2 {
        if stop() || played >= options.simulations {
            return Err(if stop() { Refusal::NoTime } else { Refusal::NoEnds });
        }
        matches = batch(played, random)?;
        played += BATCH;
    }
    let counters = selection::select(machine, vocabulary, &matches, options, random)?;
    let mut tallies = Tallies::new(&counters, machine.roles().len());
    loop {
        tallies.add(&matches, random);
        if stop() || played >= options.simulations {
            break;
        }
        matches = batch(played, random)?;
        played += BATCH;
    }
    let roles = machine.roles().map(|role| tallies.account(machine, role, options.ties));
    let candidates = candidates(vocabulary, options);
    Ok(Function { method: options.name(), roles: roles.collect::<Result<_, _>>()?, link: Link::Points, phase: None, candidates })
}

/// How many counters there are for a game, whether moves have an effect on them or not.
fn candidates(vocabulary: &Vocabulary, options: &Options) -> usize {
    let columns = vocabulary.tables().flat_map(|(_, table)| &table.columns).map(Vec::len);
    let symbols = if options.single { vocabulary.rows().len() } else { vocabulary.symbols() };
    vocabulary.tables().len() + columns.sum::<usize>() + symbols
}

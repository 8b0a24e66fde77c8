//! What grounding has used so far, and which rule used most of it.

use crate::terms::Terms;
use crate::{Error, Limits};
use ludens_gdl::Rules;

/// Bytes of a row beside its terms: its place in the table's set, in about two indexes, and in the tables of atoms and signals.
const ROW: usize = 64;

/// Bytes of a term beside its arguments.
const TERM: usize = 16;

/// Bytes of an instance, and of each of its conditions: lists by head, edges of the graph of atoms, gates.
const INSTANCE: usize = 24;
const CONDITION: usize = 32;

/// Rules are shown up to so many characters.
const SHOWN: usize = 120;

/// Counts against [`Limits`].
#[derive(Debug)]
pub(crate) struct Usage {
    limits: Limits,
    atoms: usize,
    steps: u64,
    /// Of rows and instances; terms know theirs.
    bytes: usize,
    /// Per rule of the sheet: bindings found, and steps taken.
    rules: Vec<(u64, u64)>,
}

impl Usage {
    pub(crate) fn new(rules: usize, limits: &Limits) -> Usage {
        Usage { limits: *limits, atoms: 0, steps: 0, bytes: 0, rules: vec![(0, 0); rules] }
    }

    /// Takes steps for a rule.
    #[inline]
    pub(crate) fn step(&mut self, rule: u32, steps: u64) -> Result<(), Error> {
        self.steps += steps;
        self.rules[rule as usize].1 += steps;
        if self.steps > self.limits.steps { Err(Error::limit("steps", self.limits.steps)) } else { Ok(()) }
    }

    /// Counts a binding of a rule.
    pub(crate) fn found(&mut self, rule: u32) {
        self.rules[rule as usize].0 += 1;
    }

    /// Starts to count bindings anew.
    pub(crate) fn forget_found(&mut self) {
        self.rules.iter_mut().for_each(|(found, _)| *found = 0);
    }

    /// Counts an atom.
    pub(crate) fn atom(&mut self, arity: usize, terms: &Terms) -> Result<(), Error> {
        self.atoms += 1;
        if self.atoms > self.limits.atoms {
            return Err(Error::limit("atoms", self.limits.atoms as u64));
        }
        self.take(ROW + 8 * arity, terms)
    }

    /// Counts an instance; `all` says how many instances and conditions there are by now.
    pub(crate) fn instance(&mut self, conditions: usize, all: (usize, usize), terms: &Terms) -> Result<(), Error> {
        if all.0 > self.limits.instances {
            return Err(Error::limit("instances", self.limits.instances as u64));
        }
        if all.1 > self.limits.fan_in {
            return Err(Error::limit("fan_in", self.limits.fan_in as u64));
        }
        self.take(INSTANCE + conditions * CONDITION, terms)
    }

    /// Counts memory.
    pub(crate) fn take(&mut self, bytes: usize, terms: &Terms) -> Result<(), Error> {
        self.bytes += bytes;
        if self.bytes + terms.len() * TERM + terms.arguments() * 8 > self.limits.bytes {
            return Err(Error::limit("bytes", self.limits.bytes as u64));
        }
        Ok(())
    }

    /// Names the rule that has used most of what ran out.
    pub(crate) fn blame(&self, error: Error, rules: &Rules) -> Error {
        let Error::Limit { what, limit, culprit: None } = error else { return error };
        let steps = what == "steps";
        let used = |&(found, taken): &(u64, u64)| if steps { taken } else { found };
        // Of several the first.
        let most = self.rules.iter().enumerate().rev().max_by_key(|(_, counts)| used(counts));
        let culprit = most.map(|(rule, counts)| {
            let unit = if steps { "steps" } else { "instances" };
            format!("`{}` ({} {unit})", rule_text(rules, rule), grouped(used(counts)))
        });
        Error::Limit { what, limit, culprit }
    }
}

impl Error {
    /// Names a rule, if a limit was reached and none is named yet.
    pub(crate) fn due_to(self, rules: &Rules, rule: usize) -> Error {
        match self {
            Error::Limit { what, limit, culprit: None } => {
                Error::Limit { what, limit, culprit: Some(format!("`{}`", rule_text(rules, rule))) }
            }
            other => other,
        }
    }
}

/// A rule on one line, cut where it is long.
fn rule_text(rules: &Rules, rule: usize) -> String {
    let text = rules.rule_text(&rules.rules[rule]);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} ...", text[..end].trim_end()),
        None => text,
    }
}

/// A number with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

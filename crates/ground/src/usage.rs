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
    /// Per rule of the sheet.
    rules: Vec<Counts>,
    /// The rule of the last binding: what is counted next is due to it.
    current: u32,
}

/// What a rule of the sheet has used, the parts split off from it included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    /// Bindings found by the pass in hand.
    found: u64,
    /// Rows looked at.
    pub(crate) steps: u64,
    pub(crate) atoms: u64,
    pub(crate) instances: u64,
    /// Of all its instances together.
    pub(crate) conditions: u64,
}

/// What was used before something that may be given up.
#[derive(Debug)]
pub(crate) struct Before {
    limits: Limits,
    atoms: usize,
    bytes: usize,
}

impl Usage {
    pub(crate) fn new(rules: usize, limits: &Limits) -> Usage {
        Usage { limits: *limits, atoms: 0, steps: 0, bytes: 0, rules: vec![Counts::default(); rules], current: 0 }
    }

    /// Lowers the limits to so many atoms and steps more; answers what was before.
    pub(crate) fn cap(&mut self, (atoms, steps): (usize, u64)) -> Before {
        let before = Before { limits: self.limits, atoms: self.atoms, bytes: self.bytes };
        self.limits.atoms = self.limits.atoms.min(self.atoms.saturating_add(atoms));
        self.limits.steps = self.limits.steps.min(self.steps.saturating_add(steps));
        before
    }

    /// Sets the limits back; answers whether they have been reached themselves.
    pub(crate) fn uncap(&mut self, before: &Before) -> bool {
        self.limits = before.limits;
        self.atoms > self.limits.atoms || self.steps > self.limits.steps
    }

    /// Atoms found since are not kept.
    pub(crate) fn forget(&mut self, before: &Before) {
        (self.atoms, self.bytes) = (before.atoms, before.bytes);
    }

    /// Takes steps for a rule.
    #[inline]
    pub(crate) fn step(&mut self, rule: u32, steps: u64) -> Result<(), Error> {
        self.steps += steps;
        self.rules[rule as usize].steps += steps;
        if self.steps > self.limits.steps { Err(Error::limit("steps", self.limits.steps)) } else { Ok(()) }
    }

    /// Takes steps for no rule in particular.
    pub(crate) fn look(&mut self, steps: u64) -> Result<(), Error> {
        self.steps += steps;
        if self.steps > self.limits.steps { Err(Error::limit("steps", self.limits.steps)) } else { Ok(()) }
    }

    /// Counts a binding of a rule.
    pub(crate) fn found(&mut self, rule: u32) {
        self.rules[rule as usize].found += 1;
        self.current = rule;
    }

    /// Starts to count bindings anew.
    pub(crate) fn forget_found(&mut self) {
        self.rules.iter_mut().for_each(|counts| counts.found = 0);
    }

    /// Counts an atom.
    pub(crate) fn atom(&mut self, arity: usize, terms: &Terms) -> Result<(), Error> {
        self.atoms += 1;
        self.rules[self.current as usize].atoms += 1;
        if self.atoms > self.limits.atoms {
            return Err(Error::limit("atoms", self.limits.atoms as u64));
        }
        self.take(ROW + 8 * arity, terms)
    }

    /// Counts an instance; `all` says how many instances and conditions there are by now.
    pub(crate) fn instance(&mut self, conditions: usize, all: (usize, usize), terms: &Terms) -> Result<(), Error> {
        let counts = &mut self.rules[self.current as usize];
        counts.instances += 1;
        counts.conditions += conditions as u64;
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
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes(terms) > self.limits.bytes {
            return Err(Error::limit("bytes", self.limits.bytes as u64));
        }
        Ok(())
    }

    /// All memory counted so far.
    pub(crate) fn bytes(&self, terms: &Terms) -> usize {
        self.bytes.saturating_add(terms.len() * TERM + terms.arguments() * 8)
    }

    /// Atoms and steps counted so far.
    pub(crate) fn totals(&self) -> (usize, u64) {
        (self.atoms, self.steps)
    }

    /// What each rule of the sheet has used.
    pub(crate) fn rules(&self) -> &[Counts] {
        &self.rules
    }

    /// Names the rule that has used most of what ran out.
    pub(crate) fn blame(&self, error: Error, rules: &Rules) -> Error {
        let Error::Limit { what, limit, culprit: None } = error else { return error };
        let steps = what == "steps";
        let used = |counts: &Counts| if steps { counts.steps } else { counts.found };
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
pub(crate) fn rule_text(rules: &Rules, rule: usize) -> String {
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

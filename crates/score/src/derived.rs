//! What the rules derive from a state: `(mill ? white)` of nine men's morris, `(can_jump ? ? ? ?)` of checkers.
//!
//! Such atoms are no part of a state. They are worked out by a network of their own, for many states at once, and counted by patterns like rows of a table.

use crate::pattern::Pattern;
use crate::vocabulary::{SymbolId, Vocabulary};
use ludens_ground::{Net, Node, NodeId, Signal};
use ludens_machine::vector::{SUMS, add_where};
use ludens_machine::{Lanes, Machine};
use std::sync::Arc;

/// Atoms that rules derive from states, in the order of their relations.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Relations as tables; rows are atoms.
    pub vocabulary: Vocabulary,
    /// Per atom: what it is in the network.
    holds: Vec<Signal>,
    net: Arc<Net>,
}

/// The same game has the same network.
impl PartialEq for Derived {
    fn eq(&self, other: &Derived) -> bool {
        self.vocabulary == other.vocabulary
    }
}

impl Eq for Derived {}

/// Columns with more symbols are left open, where counts are looked for.
const MOST_SYMBOLS: usize = 4;

/// Relations of these names are left out: in expressions the words are ours.
const OURS: [&str; 7] = ["-", "+", "rows", "moves", "lines", "distance", "partial"];

/// Patterns that are looked for at most, of all relations.
const MOST_PATTERNS: usize = 128;

impl Derived {
    /// What rules derive from the states of a machine. Relations that are called as a table of the state are left out: an expression has one meaning.
    pub(crate) fn of(machine: &Machine, states: &Vocabulary) -> Option<Derived> {
        let net = machine.net()?.derived.clone()?;
        let is_own = |text: &&str| {
            let words = crate::vocabulary::parts(text);
            let name = words.first().copied().unwrap_or_default();
            !OURS.contains(&name) && states.find_table(name, words.len().saturating_sub(1)).is_none()
        };
        let probes = net.probes.iter().filter(|probe| is_own(&probe.text.as_str()));
        let (texts, holds): (Vec<String>, Vec<Signal>) = probes.map(|probe| (probe.text.clone(), probe.holds)).unzip();
        if texts.is_empty() {
            return None;
        }
        Some(Derived { vocabulary: Vocabulary::of_texts(&texts), holds, net })
    }

    /// Expressions that may tell something: all atoms of a relation, and those with certain symbols where there are few.
    pub(crate) fn patterns(&self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for (table, known) in self.vocabulary.tables() {
            let mut own = vec![Pattern::all(&self.vocabulary, table)];
            for (column, symbols) in known.columns.iter().enumerate() {
                if (2..=MOST_SYMBOLS).contains(&symbols.len()) && own.len() * (symbols.len() + 1) <= MOST_PATTERNS {
                    let closed = |pattern: &Pattern| -> Vec<Pattern> {
                        symbols.iter().map(|&symbol: &SymbolId| pattern.with(column, symbol)).collect()
                    };
                    own.extend(own.iter().flat_map(closed).collect::<Vec<_>>());
                }
            }
            patterns.extend(own);
            if patterns.len() >= MOST_PATTERNS {
                break;
            }
        }
        patterns.truncate(MOST_PATTERNS);
        patterns
    }

    /// The atoms that a pattern means.
    pub(crate) fn atoms(self: &Arc<Derived>, pattern: &Pattern) -> Atoms {
        let numbers: Vec<u32> = pattern.fluents(&self.vocabulary).into_iter().map(|atom| atom.0).collect();
        Atoms { cone: Arc::new(Cone::of(self, &numbers)), numbers: numbers.into(), derived: self.clone() }
    }
}

/// Some atoms, to be counted.
#[derive(Clone, Debug)]
pub struct Atoms {
    derived: Arc<Derived>,
    numbers: Arc<[u32]>,
    cone: Arc<Cone>,
}

impl PartialEq for Atoms {
    fn eq(&self, other: &Atoms) -> bool {
        self.numbers == other.numbers && self.derived == other.derived
    }
}

impl Atoms {
    /// How many hold in a state.
    pub fn count(&self, words: &[u64]) -> usize {
        let columns: Vec<[u64; 1]> = self.cone.fluents.iter().map(|&fluent| [bit(words, fluent)]).collect();
        let mut values = Vec::new();
        self.cone.evaluate(&columns, &mut values);
        self.cone.atoms.iter().filter(|&&atom| value(&values, atom)[0] & 1 == 1).count()
    }
}

fn bit(words: &[u64], fluent: u32) -> u64 {
    words.get(fluent as usize / 64).map_or(0, |word| word >> (fluent % 64) & 1)
}

/// The part of the network that some atoms need. Values are numbered: what is always true, then fluents, then gates.
#[derive(Debug)]
struct Cone {
    fluents: Vec<u32>,
    /// Where the list of each gate ends; what it reads is a value as it is, or its opposite: twice its number, plus one for the opposite.
    ends: Vec<u32>,
    reads: Vec<u32>,
    /// The same of every atom.
    atoms: Vec<u32>,
}

impl Cone {
    fn of(derived: &Derived, numbers: &[u32]) -> Cone {
        let net = &*derived.net;
        let mut needed = vec![false; net.nodes.len()];
        for &number in numbers {
            needed[derived.holds[number as usize].node().0 as usize] = true;
        }
        // What a gate reads stands before it.
        for node in (0..net.nodes.len()).rev() {
            if needed[node] {
                net.inputs(NodeId(node as u32)).iter().for_each(|signal| needed[signal.node().0 as usize] = true);
            }
        }
        let mut places = vec![0; net.nodes.len()];
        let mut this = Cone { fluents: Vec::new(), ends: Vec::new(), reads: Vec::new(), atoms: Vec::new() };
        for (node, kind) in net.nodes.iter().enumerate().filter(|(node, _)| needed[*node]) {
            if let Node::Fluent(fluent) = kind {
                this.fluents.push(*fluent);
                places[node] = this.fluents.len() as u32;
            }
        }
        let literal = |places: &[u32], signal: Signal| places[signal.node().0 as usize] << 1 | u32::from(signal.is_not());
        for node in (0..net.nodes.len()).filter(|&node| needed[node]) {
            if let Node::And { .. } = net.nodes[node] {
                this.reads.extend(net.inputs(NodeId(node as u32)).iter().map(|&signal| literal(&places, signal)));
                this.ends.push(this.reads.len() as u32);
                places[node] = (this.fluents.len() + this.ends.len()) as u32;
            }
        }
        this.atoms.extend(numbers.iter().map(|&number| literal(&places, derived.holds[number as usize])));
        this
    }

    /// The value of everything, given those of the fluents.
    fn evaluate<const PARTS: usize>(&self, columns: &[[u64; PARTS]], values: &mut Vec<[u64; PARTS]>) {
        values.clear();
        values.push([u64::MAX; PARTS]);
        values.extend_from_slice(columns);
        let mut first = 0;
        for &end in &self.ends {
            let mut all = [u64::MAX; PARTS];
            for &read in &self.reads[first..end as usize] {
                let one = value(values, read);
                all.iter_mut().zip(one).for_each(|(all, one)| *all &= one);
            }
            values.push(all);
            first = end as usize;
        }
    }
}

/// A value as it is, or its opposite.
#[inline]
fn value<const PARTS: usize>(values: &[[u64; PARTS]], read: u32) -> [u64; PARTS] {
    let flip = 0_u64.wrapping_sub(u64::from(read & 1));
    values[(read >> 1) as usize].map(|word| word ^ flip)
}

/// What atoms add to some sums.
#[derive(Debug)]
pub(crate) struct DerivedSums {
    cone: Cone,
    /// Per atom: what it adds to every sum.
    weights: Vec<f32>,
}

impl DerivedSums {
    /// Of sums that each have some lists of atoms with a weight.
    pub(crate) fn new(sums: &[&[(Atoms, f32)]]) -> Option<DerivedSums> {
        let derived = sums.iter().flat_map(|sum| sum.iter()).map(|(atoms, _)| &atoms.derived).next()?;
        let mut weights = vec![0.0; derived.holds.len() * sums.len()];
        for (index, sum) in sums.iter().enumerate() {
            for (atoms, weight) in *sum {
                atoms.numbers.iter().for_each(|&atom| weights[atom as usize * sums.len() + index] += weight);
            }
        }
        let counts = |atom: &u32| weights[*atom as usize * sums.len()..][..sums.len()].iter().any(|&weight| weight != 0.0);
        let numbers: Vec<u32> = (0..derived.holds.len() as u32).filter(counts).collect();
        let own = numbers.iter().flat_map(|&atom| weights[atom as usize * sums.len()..][..sums.len()].to_vec()).collect();
        Some(DerivedSums { cone: Cone::of(derived, &numbers), weights: own })
    }

    /// Adds what they have to add in the first lanes.
    pub(crate) fn add(&self, lanes: &Lanes<'_>, count: usize, outputs: usize, sums: &mut [f32]) {
        for first in (0..count).step_by(512) {
            let sums = &mut sums[first * outputs..count * outputs];
            match count - first {
                ..=64 => self.add_some::<1>(lanes, first, outputs, sums),
                65..=128 => self.add_some::<2>(lanes, first, outputs, sums),
                129..=256 => self.add_some::<4>(lanes, first, outputs, sums),
                _ => self.add_some::<8>(lanes, first, outputs, sums),
            }
        }
    }

    fn add_some<const PARTS: usize>(&self, lanes: &Lanes<'_>, first: usize, outputs: usize, sums: &mut [f32]) {
        let (mut columns, mut values) = (Vec::with_capacity(self.cone.fluents.len()), Vec::new());
        lanes.columns::<PARTS>(first, &self.cone.fluents, &mut columns);
        self.cone.evaluate(&columns, &mut values);
        let atoms: Vec<[u64; PARTS]> = self.cone.atoms.iter().map(|&atom| value(&values, atom)).collect();
        let mut numbers = Vec::with_capacity(atoms.len());
        for (part, sums) in sums.chunks_mut(SUMS * outputs).take(PARTS).enumerate() {
            for output in 0..outputs {
                numbers.clear();
                let weights = self.weights.iter().skip(output).step_by(outputs);
                numbers.extend(atoms.iter().zip(weights).map(|(atom, &weight)| (atom[part], weight)));
                let mut totals = [0.0; SUMS];
                add_where(&numbers, &mut totals);
                sums.iter_mut().skip(output).step_by(outputs).zip(totals).for_each(|(sum, total)| *sum += total);
            }
        }
    }
}

/// Counts of several lists of atoms.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    lists: Vec<Atoms>,
}

impl Counts {
    pub(crate) fn new(lists: Vec<Atoms>) -> Counts {
        Counts { lists }
    }

    pub(crate) fn lists(&self) -> &[Atoms] {
        &self.lists
    }

    /// Appends those of some states, state after state.
    pub(crate) fn of_rows(&self, rows: &[&[u64]], counts: &mut Vec<u16>) {
        let Some(derived) = self.lists.first().map(|atoms| &atoms.derived) else { return };
        let numbers: Vec<u32> = self.lists.iter().flat_map(|atoms| atoms.numbers.iter().copied()).collect();
        let cone = Cone::of(derived, &numbers);
        let mut values = Vec::new();
        for rows in rows.chunks(64) {
            let column =
                |&fluent: &u32| [rows.iter().enumerate().fold(0, |column, (place, words)| column | bit(words, fluent) << place)];
            let columns: Vec<[u64; 1]> = cone.fluents.iter().map(column).collect();
            cone.evaluate(&columns, &mut values);
            let atoms: Vec<u64> = cone.atoms.iter().map(|&atom| value(&values, atom)[0]).collect();
            for place in 0..rows.len() {
                let mut rest = &atoms[..];
                for list in &self.lists {
                    let (own, others) = rest.split_at(list.numbers.len());
                    rest = others;
                    counts.push(own.iter().map(|atom| (atom >> place & 1) as u16).sum());
                }
            }
        }
    }
}

//! Lines are found in the network: conjunctions of fluents under the goals and the end.

use super::{Family, Purpose};
use crate::vocabulary::FluentId;
use ludens_ground::{Net, Node, NodeId, Signal};
use ludens_machine::RoleId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Fewer fluents are no line: the patterns of a function say the same.
pub(crate) const SHORTEST: usize = 3;

/// What is written down of a signal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Fluents of a way, at most.
    pub(crate) longest: usize,
    /// Ways of one signal, at most; with more, nothing is said of it.
    pub(crate) most: usize,
}

/// Longer ones are no line, either: too many that nobody ever fills.
const LINES: Bounds = Bounds { longest: 8, most: 2048 };

/// Families at most, those of most points first.
const MOST_FAMILIES: usize = 16;

/// Lines of all families together, at most.
const MOST_OF_ALL: usize = 4096;

/// Fluents that may be written down on the way; what is not known by then is never known.
const MOST_WORK: usize = 1 << 22;

/// Ways to make a signal true: fluents of each, ascending. What else they ask, that something is false or played, is left out.
pub(crate) type Ways = Rc<[Box<[u32]>]>;

/// What earns points, the most first, and what ends the match.
pub(crate) fn purposes(net: &Net) -> Vec<(Purpose, Signal)> {
    let mut goals: Vec<_> = net.goals.iter().collect();
    // What is best for somebody tells whose lines they are.
    goals.sort_by_key(|goal| std::cmp::Reverse(ludens_gdl::points(&goal.text)));
    let goal = |goal: &&ludens_ground::Goal| (Purpose::Goal { role: RoleId(goal.role), value: goal.text.clone() }, goal.holds);
    goals.iter().map(goal).chain(net.terminal.map(|signal| (Purpose::End, signal))).collect()
}

/// Families of a network's lines.
pub(crate) fn families(net: &Net) -> Vec<Family> {
    let asked = purposes(net);
    let expansion = Expansion::of(net, asked.iter().map(|(_, signal)| *signal), LINES);
    let mut seen: Vec<Box<[u32]>> = Vec::new();
    let mut found: Vec<Family> = Vec::new();
    for (purpose, signal) in asked {
        if found.len() >= MOST_FAMILIES {
            break;
        }
        let Some(ways) = expansion.ways(signal) else { continue };
        let mut by_size: BTreeMap<usize, Vec<Box<[u32]>>> = BTreeMap::new();
        for way in ways.iter().filter(|way| way.len() >= SHORTEST && seen.binary_search(way).is_err()) {
            by_size.entry(way.len()).or_default().push(way.clone());
        }
        for lines in by_size.values_mut() {
            lines.retain(|way| is_minimal(way, &ways));
        }
        for (size, mut lines) in by_size {
            let so_far: usize = found.iter().map(|family| family.lines.len()).sum();
            if found.len() >= MOST_FAMILIES || so_far + lines.len() > MOST_OF_ALL || lines.len() < 2 {
                continue;
            }
            lines.sort_unstable();
            seen.extend(lines.iter().cloned());
            let fluents = |line: Box<[u32]>| line.iter().map(|&fluent| FluentId(fluent)).collect();
            found.push(Family { purpose: purpose.clone(), size, lines: lines.into_iter().map(fluents).collect() });
        }
        seen.sort_unstable();
    }
    found
}

/// Whether no other way is a part of one.
fn is_minimal(way: &[u32], ways: &Ways) -> bool {
    let is_part = |small: &[u32]| small.len() < way.len() && small.iter().all(|it| way.binary_search(it).is_ok());
    !ways.iter().any(|other| is_part(other))
}

/// Ways of the signals that some others depend on.
pub(crate) struct Expansion {
    /// By the number of the signal.
    known: BTreeMap<u32, Ways>,
    bounds: Bounds,
    work: usize,
}

impl Expansion {
    pub(crate) fn of(net: &Net, asked: impl Iterator<Item = Signal>, bounds: Bounds) -> Expansion {
        let mut needed = vec![false; net.nodes.len() * 2];
        for signal in asked {
            needed[signal.0 as usize] = true;
        }
        // A node stands after all that it reads, so one pass down finds what is needed and one up what that is.
        for number in (0..needed.len()).rev() {
            let signal = Signal(number as u32);
            if needed[number] {
                for &input in net.inputs(signal.node()) {
                    let input = if signal.is_not() { !input } else { input };
                    needed[input.0 as usize] = true;
                }
            }
        }
        let mut this = Expansion { known: BTreeMap::new(), bounds, work: 0 };
        for number in (0..needed.len()).filter(|&number| needed[number]) {
            if let Some(ways) = this.find(net, Signal(number as u32)) {
                this.work += ways.iter().map(|way| way.len()).sum::<usize>();
                this.known.insert(number as u32, ways);
            }
            if this.work > MOST_WORK {
                break;
            }
        }
        this
    }

    pub(crate) fn ways(&self, signal: Signal) -> Option<Ways> {
        self.known.get(&signal.0).cloned()
    }

    fn find(&mut self, net: &Net, signal: Signal) -> Option<Ways> {
        let NodeId(node) = signal.node();
        match (net.nodes[node as usize], signal.is_not()) {
            (Node::Fluent(fluent), false) => Some(Rc::new([[fluent].into()])),
            (Node::And { .. }, false) => self.all(net.inputs(signal.node())),
            (Node::And { .. }, true) => self.any(net.inputs(signal.node())),
            (Node::True | Node::Fluent(_) | Node::Does(_) | Node::Latch(_), _) => None,
        }
    }

    /// Where the opposite of any of these is true.
    fn any(&mut self, inputs: &[Signal]) -> Option<Ways> {
        let mut ways: Vec<Box<[u32]>> = Vec::new();
        let known: Vec<Ways> = inputs.iter().filter_map(|&input| self.ways(!input)).collect();
        for found in known {
            self.work += found.len();
            if ways.len() + found.len() > self.bounds.most {
                return None;
            }
            ways.extend(found.iter().cloned());
        }
        ways.sort_unstable();
        ways.dedup();
        (!ways.is_empty()).then(|| ways.into())
    }

    /// Where all of these are true; or, if that cannot be said, the one that asks most.
    fn all(&mut self, inputs: &[Signal]) -> Option<Ways> {
        let mut factors: Vec<Ways> = inputs.iter().filter_map(|&input| self.ways(input)).collect();
        let least = |ways: &Ways| ways.iter().map(|way| way.len()).min().unwrap_or(0);
        factors.sort_by_key(|ways| (ways.len(), least(ways)));
        self.product(&factors)
            .or_else(|| factors.into_iter().max_by_key(|ways| least(ways)).filter(|ways| least(ways) >= SHORTEST))
    }

    fn product(&mut self, factors: &[Ways]) -> Option<Ways> {
        let (first, rest) = factors.split_first()?;
        self.work += first.len();
        let mut product: Vec<Box<[u32]>> = first.to_vec();
        for factor in rest {
            if product.len() * factor.len() > self.bounds.most * 4 {
                return None;
            }
            let mut longer: Vec<Box<[u32]>> = Vec::new();
            for one in &product {
                for two in factor.iter() {
                    let mut both: Vec<u32> = one.iter().chain(two).copied().collect();
                    self.work += both.len();
                    both.sort_unstable();
                    both.dedup();
                    if both.len() <= self.bounds.longest {
                        longer.push(both.into());
                    }
                }
            }
            longer.sort_unstable();
            longer.dedup();
            if longer.is_empty() || longer.len() > self.bounds.most || self.work > MOST_WORK {
                return None;
            }
            product = longer;
        }
        Some(product.into())
    }
}

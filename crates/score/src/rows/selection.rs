//! The *selection phase*: which counters depend on what is played.

use super::Options;
use crate::feature::Feature;
use crate::linear::each_bit;
use crate::pattern::Pattern;
use crate::sample::Matches;
use crate::vocabulary::{Row, Vocabulary};
use ludens_machine::{Error, Lanes, Machine, MoveId, Random};
use std::collections::{BTreeMap, BTreeSet};

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// The rows of a table.
    TableRows,
    /// The rows of a table with a symbol in a column.
    ColumnSymbols,
    /// The rows with a varying symbol.
    SymbolRows,
}

impl Kind {
    /// The paper's *C*.
    pub(super) fn factor(self) -> f64 {
        match self {
            Kind::TableRows | Kind::ColumnSymbols => 1.0,
            Kind::SymbolRows => 0.2,
        }
    }
}

/// Something that is counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Counter {
    pub(super) kind: Kind,
    pub(super) feature: Feature,
}

/// Counters, numbered as the fluents come that they count.
#[derive(Debug)]
pub(super) struct Counters {
    pub(super) list: Vec<Counter>,
    /// Per fluent: the counters that count it.
    of_fluent: Vec<Vec<u32>>,
}

impl Counters {
    /// The counters that count each row.
    fn new(vocabulary: &Vocabulary, mut of_row: impl FnMut(&Row) -> Vec<Counter>) -> Counters {
        let (mut list, mut numbers) = (Vec::new(), BTreeMap::new());
        let mut number = |counter: Counter| {
            *numbers.entry(counter).or_insert_with_key(|counter| {
                list.push(counter.clone());
                list.len() as u32 - 1
            })
        };
        let of_fluent = vocabulary.rows().iter().map(|row| of_row(row).into_iter().map(&mut number).collect()).collect();
        Counters { list, of_fluent }
    }

    /// All counts in a state.
    pub(super) fn count(&self, words: &[u64], counts: &mut Vec<u32>) {
        counts.clear();
        counts.resize(self.list.len(), 0);
        each_bit(words, |fluent| {
            self.of_fluent[fluent].iter().for_each(|&counter| counts[counter as usize] += 1);
        });
    }
}

/// The counters that depend on what is played.
pub(super) fn select(
    machine: &Machine,
    vocabulary: &Vocabulary,
    matches: &Matches,
    options: &Options,
    random: &mut Random,
) -> Result<Counters, Error> {
    // They may come in the order of their lengths.
    let mut order: Vec<usize> = (0..matches.len()).collect();
    for place in (1..order.len()).rev() {
        order.swap(place, random.below(place + 1));
    }
    let changing = compare_simulations(vocabulary, matches, &order[..options.parallel.max(2).min(order.len())]);
    let varying = extract_symbols(machine, vocabulary, matches, &order, options, random)?;
    Ok(Counters::new(vocabulary, |row| {
        let mut chosen = tables_and_columns(vocabulary, row);
        let is_varying = options.single && chosen.iter().any(|counter| varying.contains(counter));
        chosen.retain(|counter| changing.contains(counter));
        if is_varying {
            chosen.push(Counter { kind: Kind::SymbolRows, feature: Feature::Count(whole(row)) });
        } else if !options.single {
            chosen.extend(symbols(row).into_iter().filter(|counter| varying.contains(counter)));
        }
        chosen
    }))
}

/// Step 1, *parallel simulations*: what ever differs between the same steps of several matches. Clocks and the like do not.
fn compare_simulations(vocabulary: &Vocabulary, matches: &Matches, chosen: &[usize]) -> BTreeSet<Counter> {
    let counters = Counters::new(vocabulary, |row| tables_and_columns(vocabulary, row));
    let mut changing = vec![false; counters.list.len()];
    let (mut counts, mut others) = (Vec::new(), Vec::new());
    for step in 0.. {
        let mut states = chosen.iter().map(|&index| matches.course(index)).filter(|course| step < course.len());
        let (Some(first), Some(second)) = (states.next(), states.next()) else { break };
        counters.count(first.position(step), &mut counts);
        for other in std::iter::once(second).chain(states) {
            counters.count(other.position(step), &mut others);
            changing.iter_mut().zip(counts.iter().zip(&others)).for_each(|(changes, (one, two))| *changes |= one != two);
        }
    }
    counters.list.into_iter().zip(changing).filter(|(_, changes)| *changes).map(|(counter, _)| counter).collect()
}

/// States after which step 2 has seen enough.
const STATES: usize = 200;

/// Successors that are made at once.
const AT_ONCE: usize = 64;

/// Step 2, *extracting symbols*: from every state of a match two random successors, and the symbol whose rows differ most; where several do, all of them. With single rows a symbol is
/// one in a column of a table.
fn extract_symbols(
    machine: &Machine,
    vocabulary: &Vocabulary,
    matches: &Matches,
    order: &[usize],
    options: &Options,
    random: &mut Random,
) -> Result<BTreeSet<Counter>, Error> {
    let of_row = |row: &Row| if options.single { columns(vocabulary, row) } else { symbols(row) };
    let counters = Counters::new(vocabulary, of_row);
    let mut varying = BTreeSet::new();
    let mut lanes = machine.lanes(AT_ONCE);
    let mut looked = 0;
    for &index in order {
        let course = matches.course(index);
        let twice: Vec<&[u64]> = (0..course.len() - 1).flat_map(|ply| [course.position(ply); 2]).collect();
        for states in twice.chunks(AT_ONCE) {
            let successors = successors(machine, &mut lanes, states, random)?;
            varying.extend(successors.iter().flat_map(|[one, two]| most_varying(&counters, one, two)).cloned());
        }
        looked += course.len() - 1;
        if !options.short || looked >= STATES {
            break;
        }
    }
    Ok(varying)
}

/// A random successor of each state, two by two.
fn successors(
    machine: &Machine,
    lanes: &mut Lanes<'_>,
    states: &[&[u64]],
    random: &mut Random,
) -> Result<Vec<[Vec<u64>; 2]>, Error> {
    lanes.load_all(states);
    lanes.evaluate()?;
    let mut joint: Vec<MoveId> = Vec::new();
    for lane in 0..states.len() {
        let legal = machine.roles().map(|role| lanes.legal(lane, role)).filter(|moves| !moves.is_empty());
        joint.clear();
        joint.extend(legal.map(|moves| moves[random.below(moves.len())]));
        // Otherwise somebody is stuck, and both stay the same.
        if joint.len() == machine.roles().len() {
            lanes.play(lane, &joint);
        }
    }
    lanes.advance()?;
    let state = |lane: usize| {
        let mut words = Vec::new();
        lanes.store(lane, &mut words);
        words
    };
    Ok((0..states.len() / 2).map(|pair| [state(pair * 2), state(pair * 2 + 1)]).collect())
}

/// The counters with the greatest variation between two states: one, or several that vary alike.
fn most_varying<'c>(counters: &'c Counters, one: &[u64], two: &[u64]) -> Vec<&'c Counter> {
    let both: Vec<u64> = one.iter().zip(two).map(|(one, two)| one & two).collect();
    let [mut of_one, mut of_two, mut of_both] = [Vec::new(), Vec::new(), Vec::new()];
    counters.count(one, &mut of_one);
    counters.count(two, &mut of_two);
    counters.count(&both, &mut of_both);
    let variation = |index: usize| {
        let rows = of_one[index] + of_two[index];
        if rows == 0 { 0.0 } else { 1.0 - f64::from(2 * of_both[index]) / f64::from(rows) }
    };
    let greatest = (0..of_one.len()).map(variation).fold(0.0, f64::max);
    let marked = counters.list.iter().enumerate().filter(|&(index, _)| greatest > 0.0 && variation(index) >= greatest);
    marked.map(|(_, counter)| counter).collect()
}

/// The `TableRows` and `ColumnSymbols` that count a row.
fn tables_and_columns(vocabulary: &Vocabulary, row: &Row) -> Vec<Counter> {
    let table = Counter { kind: Kind::TableRows, feature: Feature::Count(Pattern::all(vocabulary, row.table)) };
    std::iter::once(table).chain(columns(vocabulary, row)).collect()
}

/// The `ColumnSymbols` that count a row.
fn columns(vocabulary: &Vocabulary, row: &Row) -> Vec<Counter> {
    let open = Pattern::all(vocabulary, row.table);
    let patterns = row.symbols.iter().enumerate().map(|(column, &symbol)| open.with(column, symbol));
    patterns.map(|pattern| Counter { kind: Kind::ColumnSymbols, feature: Feature::Count(pattern) }).collect()
}

/// The `SymbolRows` that count a row.
fn symbols(row: &Row) -> Vec<Counter> {
    let once: BTreeSet<_> = row.symbols.iter().copied().collect();
    once.into_iter().map(|symbol| Counter { kind: Kind::SymbolRows, feature: Feature::Symbol(symbol) }).collect()
}

/// The pattern that means a row alone.
fn whole(row: &Row) -> Pattern {
    Pattern { table: row.table, symbols: row.symbols.iter().copied().map(Some).collect() }
}

//! What positions are learned from besides their fluents: legal moves, lines and what rules derive.

use super::Options;
use crate::derived::Counts;
use crate::feature::Feature;
use crate::linear::{Gauge, Linear};
use crate::lines::{Counting, Lines, Live, Seen, Wanted, blockers};
use crate::pattern::Pattern;
use crate::phase::Phase;
use crate::sample::Matches;
use crate::vocabulary::{SymbolId, TableId, Vocabulary};
use ludens_machine::{Error, Machine, RoleId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Positions that are looked at together.
const AT_ONCE: usize = 64;

/// A column with more symbols does not tell what is missing.
const MOST_SYMBOLS: usize = 16;

/// Numbers that are counted in a position, in the order of the features.
#[derive(Debug, Default)]
pub(super) struct Extras {
    /// Roles whose legal moves are counted.
    movers: usize,
    /// Families, and which of their lines.
    lives: Vec<(Live, Vec<Wanted>)>,
    counting: Counting,
    derived: Counts,
    features: Vec<Feature>,
    /// How far a match has come.
    phase: Option<Staged>,
}

/// How far a match has come, ready to be told.
#[derive(Clone, Debug)]
pub(super) struct Staged {
    pub(super) phase: Phase,
    pub(super) gauge: Arc<Gauge>,
}

impl Extras {
    /// The legal moves of so many roles, all lines, and what rules derive; lines that are not looked at when it is time to stop are left out.
    pub(super) fn new(
        vocabulary: &Vocabulary,
        movers: usize,
        options: &Options,
        matches: &Matches,
        stop: &dyn Fn() -> bool,
    ) -> Extras {
        let families = if options.lines { vocabulary.families() } else { &[] };
        let seen = if families.is_empty() { Seen::default() } else { Seen::new(vocabulary, matches) };
        let families = families.iter().enumerate().take_while(|_| !stop());
        // What nothing can block is no line that players fight for.
        let blocked = families.map(|(index, family)| (index, blockers(vocabulary, family, &seen)));
        let blocked = blocked.filter(|(_, blockers)| !blockers.is_empty());
        let mut features: Vec<Feature> = (0..movers).map(|role| Feature::Moves(RoleId(role as u32))).collect();
        let mut lives = Vec::new();
        for (family, blockers) in blocked {
            let live = Live::new(vocabulary, family, blockers.into());
            let any = (1..live.size).map(|filled| (filled, None));
            let lacking = missing(vocabulary, &live).into_iter().map(|pattern| (live.size - 1, Some(pattern)));
            let kinds =
                any.chain(lacking).map(|(filled, lacking)| Lines { family, filled, lacking, blockers: live.blockers.clone() });
            let kinds: Vec<Lines> = kinds.collect();
            lives.push((live, kinds.iter().map(|lines| lines.wanted(vocabulary)).collect::<Vec<_>>()));
            features.extend(kinds.into_iter().map(Feature::Lines));
        }
        let counting = Counting::new(lives.iter().map(|(live, wanted)| (live, wanted.clone())));
        let derived = vocabulary.derived().filter(|_| options.derived);
        let patterns = derived.map(|derived| derived.patterns()).unwrap_or_default();
        let lists = derived.map(|derived| patterns.iter().map(|pattern| derived.atoms(pattern)).collect());
        features.extend(patterns.into_iter().map(Feature::Derived));
        Extras { movers, lives, counting, derived: Counts::new(lists.unwrap_or_default()), features, phase: None }
    }

    /// The same, where matches are told how far they have come.
    #[must_use]
    pub(super) fn with_phase(self, vocabulary: &Vocabulary, roles: usize, phase: Option<Phase>) -> Extras {
        let phase = phase.map(|phase| Staged { gauge: Arc::new(phase.gauge(vocabulary, roles)), phase });
        Extras { phase, ..self }
    }

    /// Nothing but how far matches have come.
    #[must_use]
    pub(super) fn phase_alone(&self) -> Extras {
        Extras { phase: self.phase.clone(), ..Extras::default() }
    }

    pub(super) fn phase(&self) -> Option<&Staged> {
        self.phase.as_ref()
    }

    pub(super) fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Appends the numbers of some states, state after state.
    pub(super) fn count(&self, machine: &Machine, rows: &[&[u64]], counts: &mut Vec<u16>) -> Result<(), Error> {
        let mut lines = Vec::with_capacity(rows.len() * self.counting.counters());
        self.counting.of_rows(rows, &mut lines);
        let mut lines = lines.chunks(self.counting.counters().max(1));
        let mut derived = Vec::with_capacity(rows.len() * self.derived.lists().len());
        self.derived.of_rows(rows, &mut derived);
        let mut derived = derived.chunks(self.derived.lists().len().max(1));
        let mut lanes = machine.lanes(AT_ONCE);
        for group in rows.chunks(AT_ONCE) {
            if self.movers > 0 {
                lanes.load_all(group);
                lanes.evaluate()?;
            }
            for lane in 0..group.len() {
                let moves = (0..self.movers).map(|role| lanes.legal(lane, RoleId(role as u32)).len().min(0xffff) as u16);
                counts.extend(moves);
                counts.extend(lines.next().unwrap_or_default());
                counts.extend(derived.next().unwrap_or_default());
            }
        }
        Ok(())
    }

    /// Adds them to a sum, each with its weight.
    pub(super) fn add(&self, weights: &[f32], sum: &mut Linear) {
        sum.moves.iter_mut().zip(&weights[..self.movers]).for_each(|(sum, weight)| *sum += weight);
        let mut rest = &weights[self.movers..];
        for (live, wanted) in &self.lives {
            let (own, others) = rest.split_at(wanted.len());
            rest = others;
            sum.lines.push((live.clone(), wanted.iter().cloned().zip(own.iter().copied()).collect()));
        }
        sum.derived.extend(self.derived.lists().iter().cloned().zip(rest.iter().copied()));
    }
}

/// What a line may lack: rows with a certain symbol in one column. Where all have the same, that says nothing.
fn missing(vocabulary: &Vocabulary, live: &Live) -> Vec<Pattern> {
    let rows = live.lines.iter().flat_map(|line| line.fluents.iter().map(|&fluent| &vocabulary.rows()[fluent as usize]));
    let mut seen: BTreeMap<(TableId, usize), BTreeSet<SymbolId>> = BTreeMap::new();
    for row in rows {
        for (column, &symbol) in row.symbols.iter().enumerate() {
            seen.entry((row.table, column)).or_default().insert(symbol);
        }
    }
    let telling = seen.into_iter().filter(|(_, symbols)| (2..=MOST_SYMBOLS).contains(&symbols.len()));
    let patterns = telling.flat_map(|((table, column), symbols)| {
        symbols.into_iter().map(move |symbol| Pattern::all(vocabulary, table).with(column, symbol))
    });
    patterns.collect()
}

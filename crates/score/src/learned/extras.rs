//! What positions are learned from besides their fluents: legal moves and lines.

use crate::feature::Feature;
use crate::linear::Linear;
use crate::lines::{Counting, Lines, Live, blockers};
use crate::sample::Matches;
use crate::vocabulary::Vocabulary;
use ludens_machine::{Error, Machine, RoleId};

/// Positions that are looked at together.
const AT_ONCE: usize = 64;

/// Numbers that are counted in a position, in the order of the features.
#[derive(Debug, Default)]
pub(super) struct Extras {
    /// Roles whose legal moves are counted.
    movers: usize,
    lives: Vec<Live>,
    counting: Counting,
    features: Vec<Feature>,
}

impl Extras {
    /// The legal moves of so many roles, and all lines.
    pub(super) fn new(vocabulary: &Vocabulary, movers: usize, lines: bool, matches: &Matches) -> Extras {
        let families = vocabulary.families().iter().enumerate().filter(|_| lines);
        // What nothing can block is no line that players fight for.
        let blocked = families.map(|(index, family)| (index, blockers(vocabulary, family, matches)));
        let blocked = blocked.filter(|(_, blockers)| !blockers.is_empty());
        let lives: Vec<Live> = blocked.map(|(index, blockers)| Live::new(vocabulary, index, blockers.into())).collect();
        let moves = (0..movers).map(|role| Feature::Moves(RoleId(role as u32)));
        let of = |live: &Live| {
            let (family, blockers) = (live.family, live.blockers.clone());
            (1..live.size).map(move |filled| Feature::Lines(Lines { family, filled, blockers: blockers.clone() }))
        };
        let features = moves.chain(lives.iter().flat_map(of)).collect();
        let counting = Counting::new(lives.iter().map(|live| (live, (1..live.size).collect())));
        Extras { movers, lives, counting, features }
    }

    pub(super) fn features(&self) -> &[Feature] {
        &self.features
    }

    /// Appends the numbers of some states, state after state.
    pub(super) fn count(&self, machine: &Machine, rows: &[&[u64]], counts: &mut Vec<u16>) -> Result<(), Error> {
        let mut lines = Vec::with_capacity(rows.len() * self.counting.counters());
        self.counting.of_rows(rows, &mut lines);
        let mut lines = lines.chunks(self.counting.counters().max(1));
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
            }
        }
        Ok(())
    }

    /// Adds them to a sum, each with its weight.
    pub(super) fn add(&self, weights: &[f32], sum: &mut Linear) {
        sum.moves.iter_mut().zip(&weights[..self.movers]).for_each(|(sum, weight)| *sum += weight);
        let mut rest = &weights[self.movers..];
        for live in &self.lives {
            let (own, others) = rest.split_at(live.size - 1);
            rest = others;
            sum.lines.push((live.clone(), [&[0.0], own].concat()));
        }
    }
}

//! What keeps fluents from becoming true for good, as seen in play.

use super::{Family, Places, blocker, places};
use crate::linear::each_bit;
use crate::pattern::Pattern;
use crate::sample::Matches;
use crate::vocabulary::{Row, Vocabulary};
use std::collections::BTreeSet;

/// Matches that are looked at; fewer where there are so many fluents that this would take much memory.
const MATCHES: usize = 400;
const MOST_TIMES: usize = 4 << 20;

/// How often something must have been seen to block.
const EVIDENCE: usize = 30;

/// Columns with more symbols are no place for what excludes each other.
const MOST_SYMBOLS: usize = 64;

/// Patterns of a family, at most.
const MOST_BLOCKERS: usize = 8;

/// When each fluent was true in a match: first and last.
type Times = Vec<(u32, u32)>;

/// When fluents were true that never were.
const NEVER: (u32, u32) = (u32::MAX, 0);

/// When fluents were true in some matches.
#[derive(Default)]
pub(crate) struct Seen<'v> {
    places: Places<'v>,
    matches: Vec<Times>,
}

impl<'v> Seen<'v> {
    pub(crate) fn new(vocabulary: &'v Vocabulary, matches: &Matches) -> Seen<'v> {
        let most = (MOST_TIMES / vocabulary.rows().len().max(1)).min(MATCHES);
        let matches = (0..matches.len().min(most)).map(|index| times(vocabulary, matches, index)).collect();
        Seen { places: places(vocabulary), matches }
    }
}

/// Patterns such that, whenever the row that belongs to a fluent of the family was true, that fluent was not, then or later.
pub(crate) fn blockers(vocabulary: &Vocabulary, family: &Family, seen: &Seen<'_>) -> Vec<Pattern> {
    let Seen { places, matches } = seen;
    let mut fluents: Vec<usize> = family.lines.iter().flat_map(|line| line.iter().map(|fluent| fluent.0 as usize)).collect();
    fluents.sort_unstable();
    fluents.dedup();
    let rows = || fluents.iter().map(|&fluent| (fluent, &vocabulary.rows()[fluent]));
    let candidates: BTreeSet<Pattern> = rows().flat_map(|(_, row)| candidates(vocabulary, row)).collect();
    let blocks = |pattern: &Pattern| {
        let pairs: Vec<(usize, usize)> =
            rows().filter_map(|(fluent, row)| Some((fluent, blocker(pattern, row, places)?.0 as usize))).collect();
        let mut seen = 0;
        for times in matches {
            for &(fluent, other) in &pairs {
                let since = times[other].0;
                if times[other] == NEVER {
                    continue;
                }
                if times[fluent] != NEVER && times[fluent].1 >= since {
                    return false;
                }
                seen += 1;
            }
        }
        seen >= EVIDENCE
    };
    candidates.into_iter().filter(blocks).take(MOST_BLOCKERS).collect()
}

/// What might block a row: the same with another symbol in one column, or in another table.
fn candidates(vocabulary: &Vocabulary, row: &Row) -> Vec<Pattern> {
    let whole = Pattern::all(vocabulary, row.table);
    let columns = vocabulary.table(row.table).columns.iter().enumerate().filter(|(_, symbols)| symbols.len() <= MOST_SYMBOLS);
    let symbols = columns.flat_map(|(column, symbols)| {
        let whole = &whole;
        symbols.iter().filter(move |&&symbol| symbol != row.symbols[column]).map(move |&symbol| whole.with(column, symbol))
    });
    let others = vocabulary.tables().filter(|(id, table)| *id != row.table && table.columns.len() == row.symbols.len());
    symbols.chain(others.map(|(id, _)| Pattern::all(vocabulary, id))).collect()
}

fn times(vocabulary: &Vocabulary, matches: &Matches, index: usize) -> Times {
    let mut times: Times = vec![NEVER; vocabulary.rows().len()];
    let course = matches.course(index);
    for ply in 0..course.len() {
        each_bit(course.position(ply), |fluent| {
            let now = ply as u32;
            times[fluent] = (times[fluent].0.min(now), now);
        });
    }
    times
}

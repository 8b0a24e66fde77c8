//! Conjunctions of fluents, found in the network under the goals and the end.

use super::{Conjunction, Partial};
use crate::lines::{Bounds, Expansion, Purpose, SHORTEST, purposes};
use crate::vocabulary::FluentId;
use ludens_ground::Net;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Conjunctions of all purposes together, at most.
const MOST_OF_ALL: usize = 1 << 14;

/// Longer conjunctions are left out, and what comes down to more of them.
const BOUNDS: Bounds = Bounds { longest: 63, most: MOST_OF_ALL };

/// What the goals and the end come down to, the most points first. Those that come to the same share their conjunctions.
///
/// Conjuncts that want something to be false are left out: most fluents are false most of the time, so that they would be satisfied from the start, and tell
/// nothing about how far one has come. Conjunctions of fewer than three fluents are left out, too: they are there or not, and patterns say as much.
pub(crate) fn partials(net: &Net) -> Vec<Partial> {
    let mut asked = purposes(net);
    // Of the same points first those of the first role.
    asked.sort_by_key(|(purpose, _)| match purpose {
        Purpose::Goal { role, value } => (Reverse(ludens_gdl::points(value)), role.0),
        Purpose::End => (Reverse(None), u32::MAX),
    });
    let expansion = Expansion::of(net, asked.iter().map(|(_, signal)| *signal), BOUNDS);
    let mut found: Vec<Partial> = Vec::new();
    let mut left = MOST_OF_ALL;
    for (purpose, signal) in asked {
        let Some(ways) = expansion.ways(signal) else { continue };
        let conjunctions = conjunctions(&ways);
        if conjunctions.is_empty() {
            continue;
        }
        let known = found.iter().find(|known| *known.conjunctions == *conjunctions).map(|known| known.conjunctions.clone());
        let conjunctions: Arc<[Conjunction]> = match known {
            Some(known) => known,
            None if conjunctions.len() > left => continue,
            None => {
                left -= conjunctions.len();
                conjunctions.into()
            }
        };
        found.push(Partial { purpose, conjunctions });
    }
    found
}

/// Those of some ways that no smaller one is a part of, if they are long enough.
fn conjunctions(ways: &[Box<[u32]>]) -> Vec<Conjunction> {
    let mut by_first: BTreeMap<u32, Vec<&[u32]>> = BTreeMap::new();
    for way in ways {
        by_first.entry(way.first().copied().unwrap_or(0)).or_default().push(way);
    }
    let is_part =
        |small: &[u32], way: &[u32]| small.len() < way.len() && small.iter().all(|fluent| way.binary_search(fluent).is_ok());
    let is_minimal = |way: &[u32]| {
        let mut others = way.iter().filter_map(|fluent| by_first.get(fluent)).flatten();
        !others.any(|other| is_part(other, way))
    };
    let chosen = ways.iter().filter(|way| way.len() >= SHORTEST && is_minimal(way));
    let mut list: Vec<Conjunction> = chosen.map(|way| Conjunction::new(way.iter().map(|&fluent| FluentId(fluent)))).collect();
    list.sort_unstable();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::conjunctions;

    #[test]
    fn what_contains_a_smaller_way_is_left_out() {
        let ways: Vec<Box<[u32]>> = [&[1, 2, 3][..], &[0, 1, 2, 3], &[4, 5, 6, 7], &[5, 7], &[6, 8, 9], &[2, 6, 8]]
            .iter()
            .map(|way| Box::from(*way))
            .collect();
        let found: Vec<Vec<u32>> =
            conjunctions(&ways).iter().map(|conjunction| conjunction.fluents().iter().map(|fluent| fluent.0).collect()).collect();
        assert_eq!(found, [vec![1, 2, 3], vec![2, 6, 8], vec![6, 8, 9]]);
    }
}

//! Which symbols of a column are next to each other, as far as the rules' facts tell.

use crate::constants::Domains;
use crate::vocabulary::{SymbolId, TableId, Vocabulary};
use ludens_gdl::{RelationId, Rules, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Symbols that are next to each other, and columns in which they stand.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) columns: Vec<(TableId, usize)>,
    /// Both ways need not be told.
    pub(super) pairs: Vec<(SymbolId, SymbolId)>,
}

/// With more pairs of constants in facts no order is looked for.
const MOST_PAIRS: usize = 1 << 20;

/// Arguments beyond these are not looked at.
const MOST_PLACES: usize = 16;

/// Orders of the columns of all tables: two constants are next to each other that stand in one fact, both at places where constants of the column can stand.
/// Which of them comes first is not looked at.
pub(super) fn orders(rules: &Rules, vocabulary: &Vocabulary) -> Vec<Order> {
    let domains = Domains::of(rules, vocabulary);
    let known: BTreeMap<&str, SymbolId> =
        (0..vocabulary.symbols() as u32).map(|id| (vocabulary.symbol(SymbolId(id)), SymbolId(id))).collect();
    // By the places of both.
    let mut pairs: BTreeMap<(RelationId, usize, usize), Vec<(SymbolId, SymbolId)>> = BTreeMap::new();
    let mut places: BTreeMap<RelationId, Vec<(usize, usize)>> = BTreeMap::new();
    let mut left = MOST_PAIRS;
    for fact in rules.rules.iter().filter(|rule| rule.body.is_empty()).map(|rule| &rule.head) {
        let constant = |place: usize| match &fact.args[place] {
            Term::Apply(name, parts) if parts.is_empty() => known.get(rules.names.text(*name)).copied(),
            _ => None,
        };
        let alike = places.entry(fact.relation).or_insert_with(|| alike(&domains, fact.relation, fact.args.len()));
        for &(one, two) in &*alike {
            let (Some(first), Some(second)) = (constant(one), constant(two)) else { continue };
            if first != second {
                pairs.entry((fact.relation, one, two)).or_default().push((first, second));
                left -= 1;
            }
            if left == 0 {
                return Vec::new();
            }
        }
    }
    let mut found = Vec::new();
    for ((relation, one, _), pairs) in pairs {
        let domain = domains.of_relation(relation, one);
        let named: BTreeSet<SymbolId> = pairs.iter().flat_map(|&(one, two)| [one, two]).collect();
        let mut columns = Vec::new();
        for (id, table) in vocabulary.tables() {
            let count = table.columns.len();
            let all = table.columns.iter().enumerate();
            let meant = all.filter(|(column, _)| domains.of_column(id, *column, count) == domain);
            let known = |symbols: &[SymbolId]| symbols.iter().filter(|symbol| named.contains(symbol)).count();
            // What few symbols have to do with each other is no order of the column.
            let told = meant.filter(|(_, symbols)| known(symbols) * 2 > symbols.len());
            columns.extend(told.map(|(column, _)| (id, column)));
        }
        found.push(Order { columns, pairs });
    }
    found
}

/// Two places each of a relation where the same constants can stand.
fn alike(domains: &Domains, relation: RelationId, arity: usize) -> Vec<(usize, usize)> {
    let domain = |place: usize| domains.of_relation(relation, place);
    let firsts = (0..arity.min(MOST_PLACES)).filter(|&one| domain(one).is_some());
    firsts
        .flat_map(|one| (one + 1..arity.min(MOST_PLACES)).map(move |two| (one, two)))
        .filter(|&(one, two)| domain(one) == domain(two))
        .collect()
}

//! Which symbols of a column are next to each other, as far as the rules' facts tell.

use crate::constants::Domains;
use crate::vocabulary::{SymbolId, TableId, Vocabulary};
use ludens_gdl::{RelationId, Rules, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Symbols that are next to each other, and columns in which they stand.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) columns: Vec<(TableId, usize)>,
    /// Both ways need not be told.
    pub(super) pairs: Vec<(SymbolId, SymbolId)>,
}

/// Orders of the columns of all tables: two constants are next to each other that stand in one fact, both at places where constants of the column can stand.
/// Which of them comes first is not looked at.
pub(super) fn orders(rules: &Rules, vocabulary: &Vocabulary) -> Vec<Order> {
    let domains = Domains::of(rules, vocabulary);
    let known: BTreeMap<&str, SymbolId> =
        (0..vocabulary.symbols() as u32).map(|id| (vocabulary.symbol(SymbolId(id)), SymbolId(id))).collect();
    // By the places of both.
    let mut pairs: BTreeMap<(RelationId, usize, usize), Vec<(Symbol, Symbol)>> = BTreeMap::new();
    for fact in rules.rules.iter().filter(|rule| rule.body.is_empty()).map(|rule| &rule.head) {
        let constants = fact.args.iter().enumerate().filter_map(|(place, term)| match term {
            Term::Apply(name, parts) if parts.is_empty() => Some((place, *name)),
            _ => None,
        });
        let constants: Vec<(usize, Symbol)> = constants.collect();
        for (at, &(one, first)) in constants.iter().enumerate() {
            for &(two, second) in constants[at + 1..].iter().filter(|(_, second)| *second != first) {
                pairs.entry((fact.relation, one, two)).or_default().push((first, second));
            }
        }
    }
    let mut found = Vec::new();
    for ((relation, one, two), pairs) in pairs {
        let domain = domains.of_relation(relation, one);
        if domain.is_none() || domains.of_relation(relation, two) != domain {
            continue;
        }
        let id = |name: Symbol| known.get(rules.names.text(name)).copied();
        let pairs: Vec<(SymbolId, SymbolId)> = pairs.into_iter().filter_map(|(one, two)| Some((id(one)?, id(two)?))).collect();
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

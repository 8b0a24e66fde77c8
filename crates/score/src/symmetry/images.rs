//! What patterns and lines become.

use super::Symmetry;
use crate::lines::{Family, Lines, Places, Purpose, blocker, places};
use crate::pattern::Pattern;
use crate::vocabulary::{FluentId, Row, SymbolId, TableId, Vocabulary};
use ludens_machine::RoleId;
use std::collections::BTreeMap;

/// What becomes of tables and of families of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Maps {
    /// Per table, if its columns become columns.
    tables: Box<[Option<TableMap>]>,
    /// Per family.
    families: Box<[Option<usize>]>,
}

/// What becomes of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TableMap {
    table: TableId,
    /// Per column: which column it becomes, and what its symbols become there.
    columns: Box<[(usize, BTreeMap<SymbolId, SymbolId>)]>,
}

impl Maps {
    pub(super) fn of(vocabulary: &Vocabulary, fluents: &[FluentId], roles: &[RoleId]) -> Maps {
        let tables = vocabulary.tables().map(|(id, _)| TableMap::of(vocabulary, fluents, id)).collect();
        let families = vocabulary.families().iter().map(|family| family_of(vocabulary, family, fluents, roles)).collect();
        Maps { tables, families }
    }
}

impl TableMap {
    fn of(vocabulary: &Vocabulary, fluents: &[FluentId], id: TableId) -> Option<TableMap> {
        let map = TableMap::guess(vocabulary, &|fluent| Some(fluents[fluent.0 as usize]), id)?;
        (vocabulary.table(map.table).rows.len() == vocabulary.table(id).rows.len()).then_some(map)
    }

    /// The same from the images of some of its rows.
    fn guess(vocabulary: &Vocabulary, image: &dyn Fn(FluentId) -> Option<FluentId>, id: TableId) -> Option<TableMap> {
        let row = |fluent: FluentId| &vocabulary.rows()[fluent.0 as usize];
        let own = vocabulary.table(id);
        let pairs: Vec<_> = own.rows.iter().filter_map(|&fluent| Some((row(fluent), row(image(fluent)?)))).collect();
        let table = pairs.first()?.1.table;
        let count = own.columns.len();
        if vocabulary.table(table).columns.len() != count || pairs.iter().any(|(_, image)| image.table != table) {
            return None;
        }
        let map = |from: usize, to: usize| {
            let (mut map, mut back) = (BTreeMap::new(), BTreeMap::new());
            let is_one_to_one = pairs.iter().all(|(row, image)| {
                let (one, two) = (row.symbols[from], image.symbols[to]);
                *map.entry(one).or_insert(two) == two && *back.entry(two).or_insert(one) == one
            });
            is_one_to_one.then_some(map)
        };
        let mut columns: Vec<(usize, BTreeMap<SymbolId, SymbolId>)> = Vec::new();
        for from in 0..count {
            // A column rather stays where it is.
            let all = [from].into_iter().chain((0..count).filter(|&to| to != from));
            let mut free = all.filter(|to| columns.iter().all(|(taken, _)| taken != to));
            let found = free.find_map(|to| map(from, to).map(|map| (to, map)))?;
            columns.push(found);
        }
        Some(TableMap { table, columns: columns.into() })
    }

    /// What a row becomes; symbols that are not known to become others stay.
    fn row(&self, row: &Row, places: &Places<'_>) -> Option<FluentId> {
        let mut symbols = row.symbols.clone();
        for ((to, map), symbol) in self.columns.iter().zip(&row.symbols) {
            symbols[*to] = map.get(symbol).copied().unwrap_or(*symbol);
        }
        places.get(&(self.table, &*symbols)).copied()
    }

    fn pattern(&self, pattern: &Pattern) -> Option<Pattern> {
        let mut symbols = vec![None; self.columns.len()];
        for ((to, map), wanted) in self.columns.iter().zip(&pattern.symbols) {
            if let Some(wanted) = wanted {
                symbols[*to] = Some(*map.get(wanted)?);
            }
        }
        Some(Pattern { table: self.table, symbols: symbols.into() })
    }
}

/// What all fluents become, where that is certain of some: the others become what columns say, or stay, or become what is left.
pub(super) fn complete(vocabulary: &Vocabulary, certain: &[Option<u32>]) -> Vec<u32> {
    let mut images = certain.to_vec();
    let mut taken = vec![false; images.len()];
    certain.iter().flatten().for_each(|&image| taken[image as usize] = true);
    let places = places(vocabulary);
    let rows = vocabulary.rows();
    let image = |fluent: FluentId| certain[fluent.0 as usize].map(FluentId);
    let maps: Vec<Option<TableMap>> = vocabulary.tables().map(|(id, _)| TableMap::guess(vocabulary, &image, id)).collect();
    let by_columns = |fluent: usize| {
        let row = &rows[fluent];
        maps[row.table.0 as usize].as_ref().and_then(|map| map.row(row, &places)).map(|image| image.0)
    };
    let itself = |fluent: usize| Some(fluent as u32);
    for guess in [&by_columns as &dyn Fn(usize) -> Option<u32>, &itself] {
        for (fluent, image) in images.iter_mut().enumerate().filter(|(_, image)| image.is_none()) {
            *image = guess(fluent).filter(|&image| !taken[image as usize]);
            if let Some(image) = image {
                taken[*image as usize] = true;
            }
        }
    }
    let mut left = (0..taken.len() as u32).filter(|&image| !taken[image as usize]);
    images.into_iter().map(|image| image.or_else(|| left.next()).unwrap_or(0)).collect()
}

/// The family whose lines are the images of those of one.
fn family_of(vocabulary: &Vocabulary, family: &Family, fluents: &[FluentId], roles: &[RoleId]) -> Option<usize> {
    let purpose = match &family.purpose {
        Purpose::Goal { role, value } => Purpose::Goal { role: roles[role.0 as usize], value: value.clone() },
        Purpose::End => Purpose::End,
    };
    let line = |line: &[FluentId]| {
        let mut image: Box<[FluentId]> = line.iter().map(|fluent| fluents[fluent.0 as usize]).collect();
        image.sort_unstable();
        image
    };
    let mut lines: Vec<Box<[FluentId]>> = family.lines.iter().map(|fluents| line(fluents)).collect();
    lines.sort_unstable();
    let is_image = |other: &Family| other.purpose == purpose && other.size == family.size && other.lines == lines;
    vocabulary.families().iter().position(is_image)
}

impl Symmetry {
    /// The pattern that means exactly what the fluents become that one means; `None` if there is none, or if it means nothing.
    pub fn pattern(&self, vocabulary: &Vocabulary, pattern: &Pattern) -> Option<Pattern> {
        if let Some(map) = &self.maps.tables[pattern.table.0 as usize] {
            return map.pattern(pattern);
        }
        let mut images: Vec<FluentId> = pattern.fluents(vocabulary).into_iter().map(|fluent| self.fluent(fluent)).collect();
        images.sort_unstable();
        let row = |fluent: &FluentId| &vocabulary.rows()[fluent.0 as usize];
        let first = row(images.first()?);
        // The narrowest pattern that means all of them.
        let common = |(column, &symbol): (usize, &SymbolId)| {
            images.iter().all(|image| row(image).symbols.get(column) == Some(&symbol)).then_some(symbol)
        };
        let found = Pattern { table: first.table, symbols: first.symbols.iter().enumerate().map(common).collect() };
        (found.fluents(vocabulary) == images).then_some(found)
    }

    /// The lines that are what those of a feature become; `None` if no family has them, or no patterns say what blocks them.
    pub fn lines(&self, vocabulary: &Vocabulary, lines: &Lines) -> Option<Lines> {
        let family = (*self.maps.families.get(lines.family)?)?;
        let lacking = match &lines.lacking {
            Some(pattern) => Some(self.pattern(vocabulary, pattern)?),
            None => None,
        };
        let pairs = lines.blockers.iter().map(|pattern| Some((pattern, self.pattern(vocabulary, pattern)?)));
        let pairs: Vec<(&Pattern, Pattern)> = pairs.collect::<Option<_>>()?;
        let places = places(vocabulary);
        let rows = vocabulary.rows();
        let is_blocked_alike = |fluent: &FluentId| {
            let (row, image) = (&rows[fluent.0 as usize], &rows[self.fluent(*fluent).0 as usize]);
            pairs
                .iter()
                .all(|(one, two)| blocker(one, row, &places).map(|fluent| self.fluent(fluent)) == blocker(two, image, &places))
        };
        let mut fluents: Vec<FluentId> =
            vocabulary.families()[lines.family].lines.iter().flat_map(|line| line.iter().copied()).collect();
        fluents.sort_unstable();
        fluents.dedup();
        if !fluents.iter().all(is_blocked_alike) {
            return None;
        }
        let mut blockers: Vec<Pattern> = pairs.into_iter().map(|(_, image)| image).collect();
        blockers.sort_unstable();
        Some(Lines { family, filled: lines.filled, lacking, blockers: blockers.into() })
    }
}

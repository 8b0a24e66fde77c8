//! Relations that are the same in every state, as tables with an index per binding pattern that the plans use.

use super::key_map::KeyMap;
use super::plan::Source;
use super::registry::NONE;

/// The tuples of one static relation, each once.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    arity: usize,
    rows: Vec<u32>,
    pub(crate) members: KeyMap,
}

impl Facts {
    pub(super) fn new(arity: usize) -> Facts {
        Facts { arity, rows: Vec::new(), members: KeyMap::new(arity) }
    }

    pub(super) fn add(&mut self, row: &[u32]) {
        debug_assert_eq!(row.len(), self.arity);
        let known = self.members.len();
        if self.members.insert(|i| row[i]) as usize == known {
            self.rows.extend_from_slice(row);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether a tuple is here, given by a compiled key.
    #[inline(always)]
    pub(super) fn contains(&self, key: &[u32], registers: &[u32]) -> bool {
        self.members.find_compiled(key, registers) != NONE
    }

    /// Whether a tuple known when the plan is made is here.
    pub(super) fn has(&self, row: impl Fn(usize) -> u32) -> bool {
        self.members.find(row) != NONE
    }

    /// The key of a tuple.
    pub(super) fn compile(&self, row: &[Source]) -> Vec<u32> {
        self.members.compile(row)
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|row| &self.rows[row * self.arity..][..self.arity])
    }

    /// Whether no two rows agree in all these columns.
    pub(super) fn is_key(&self, columns: &[usize]) -> bool {
        let mut map = KeyMap::new(columns.len());
        self.rows().enumerate().all(|(number, row)| map.insert(|i| row[columns[i]]) as usize == number)
    }

    /// The rows grouped by their values in the `known` columns; a group lists the other columns.
    pub(super) fn index(&self, known: &[usize]) -> FactIndex {
        let others: Vec<usize> = (0..self.arity).filter(|column| !known.contains(column)).collect();
        let mut map = KeyMap::new(known.len());
        let mut groups: Vec<Vec<u32>> = Vec::new();
        for row in self.rows() {
            let group = map.insert(|i| row[known[i]]) as usize;
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].extend(others.iter().map(|&column| row[column]));
        }
        let mut starts = vec![0];
        let mut rows = Vec::new();
        let unique = groups.len() == self.len();
        for group in groups {
            rows.extend(group);
            starts.push(rows.len() as u32);
        }
        FactIndex { map, starts, rows, unique }
    }
}

/// See [`Facts::index`].
#[derive(Clone, Debug)]
pub(crate) struct FactIndex {
    pub(crate) map: KeyMap,
    pub(crate) starts: Vec<u32>,
    pub(crate) rows: Vec<u32>,
    unique: bool,
}

impl FactIndex {
    /// Whether every group has one row.
    pub(super) fn is_unique(&self) -> bool {
        self.unique
    }

    /// The key of a group.
    pub(super) fn compile(&self, key: &[Source]) -> Vec<u32> {
        self.map.compile(key)
    }

    /// Where the group of a compiled key begins and ends in `rows`.
    #[inline(always)]
    pub(super) fn group(&self, key: &[u32], registers: &[u32]) -> (u32, u32) {
        match self.map.find_compiled(key, registers) {
            NONE => (0, 0),
            group => (self.starts[group as usize], self.starts[group as usize + 1]),
        }
    }
}

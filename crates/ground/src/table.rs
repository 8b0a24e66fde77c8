//! Tuples of ground terms, found by any of their parts.

use crate::terms::{NONE, TermId, Terms, hash};
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHasher};
use smallvec::SmallVec;
use std::hash::Hasher;

/// The way from a row to a part of one of its arguments: the argument, then into function terms of known name and arity.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Path {
    pub(crate) argument: u32,
    pub(crate) inside: SmallVec<[Inside; 2]>,
    /// The name and arity of the part is what counts, not the part itself.
    pub(crate) functor: bool,
}

/// One step into a function term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Inside {
    pub(crate) symbol: u32,
    pub(crate) arity: u32,
    pub(crate) argument: u32,
}

impl Path {
    /// The part of a row that this leads to.
    fn part(&self, row: &[TermId], terms: &Terms) -> Option<u32> {
        let mut term = row[self.argument as usize];
        for step in &self.inside {
            let args = terms.args(term);
            if terms.symbol(term) != step.symbol || args.len() != step.arity as usize {
                return None;
            }
            term = args[step.argument as usize];
        }
        Some(if self.functor { functor(terms.symbol(term), terms.args(term).len()) } else { term })
    }
}

/// Name and arity as one number.
pub(crate) fn functor(symbol: u32, arity: usize) -> u32 {
    symbol.wrapping_mul(67).wrapping_add(arity as u32)
}

/// The rows of a relation in the order they were found, each once.
#[derive(Debug, Default)]
pub(crate) struct Table {
    arity: usize,
    rows: Vec<TermId>,
    len: usize,
    set: HashTable<u32>,
    indexes: Vec<Index>,
    by_paths: FxHashMap<Vec<Path>, u32>,
    /// How many rows and indexes there were at the last `refresh`.
    told: (usize, usize),
}

/// Bytes of a key of an index.
const KEY: usize = 64;

/// Rows by the hash of some of their parts; what a row really holds is compared by whoever asks.
#[derive(Debug)]
struct Index {
    paths: Vec<Path>,
    rows: FxHashMap<u64, SmallVec<[u32; 4]>>,
    /// How many rows it knows.
    done: usize,
}

impl Table {
    pub(crate) fn new(arity: usize) -> Table {
        Table { arity, ..Table::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn row(&self, row: u32) -> &[TermId] {
        &self.rows[row as usize * self.arity..(row as usize + 1) * self.arity]
    }

    pub(crate) fn find(&self, row: &[TermId]) -> Option<u32> {
        self.set.find(hash(0, row), |&known| self.row(known) == row).copied()
    }

    /// Adds a row; answers its number and whether it is new.
    pub(crate) fn add(&mut self, row: &[TermId]) -> (u32, bool) {
        if let Some(known) = self.find(row) {
            return (known, false);
        }
        let number = self.len as u32;
        self.rows.extend_from_slice(row);
        self.len += 1;
        let (rows, arity) = (&self.rows, self.arity);
        let rehash = |&known: &u32| hash(0, &rows[known as usize * arity..(known as usize + 1) * arity]);
        self.set.insert_unique(hash(0, row), number, rehash);
        (number, true)
    }

    /// The number of the index over these parts, made if there is none. It knows the rows of the last `refresh`.
    pub(crate) fn index(&mut self, paths: &[Path]) -> u32 {
        if let Some(&known) = self.by_paths.get(paths) {
            return known;
        }
        let number = self.indexes.len() as u32;
        self.by_paths.insert(paths.to_vec(), number);
        self.indexes.push(Index { paths: paths.to_vec(), rows: FxHashMap::default(), done: 0 });
        number
    }

    /// How many rows indexes have yet to be told about, for each of them.
    pub(crate) fn pending(&self) -> u64 {
        let (rows, indexes) = self.told;
        ((self.len - rows) * indexes + self.len * (self.indexes.len() - indexes)) as u64
    }

    /// Tells every index about the rows that are new; answers how many bytes that took, about.
    pub(crate) fn refresh(&mut self, terms: &Terms) -> usize {
        let mut bytes = 0;
        // Where there are no new rows, only new indexes have something to learn.
        let first = if self.told.0 == self.len { self.told.1 } else { 0 };
        self.told = (self.len, self.indexes.len());
        for index in &mut self.indexes[first..] {
            for number in index.done..self.len {
                let row = &self.rows[number * self.arity..(number + 1) * self.arity];
                let mut hasher = FxHasher::default();
                let whole =
                    index.paths.iter().all(|path| path.part(row, terms).inspect(|&part| hasher.write_u32(part)).is_some());
                if whole {
                    let rows = index.rows.entry(hasher.finish()).or_default();
                    bytes += if rows.is_empty() { KEY } else { 8 };
                    rows.push(number as u32);
                }
            }
            index.done = self.len;
        }
        bytes
    }

    /// The rows whose parts have this hash, ascending.
    pub(crate) fn matching(&self, index: u32, key: u64) -> &[u32] {
        self.indexes[index as usize].rows.get(&key).map_or(&[], SmallVec::as_slice)
    }
}

/// The hash of parts, as an index makes it.
pub(crate) fn key(parts: impl Iterator<Item = u32>) -> u64 {
    let mut hasher = FxHasher::default();
    parts.for_each(|part| hasher.write_u32(part));
    hasher.finish()
}

/// No row.
pub(crate) const NO_ROW: u32 = NONE;

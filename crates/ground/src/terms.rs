//! Ground terms, each stored once.

use crate::Error;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A ground term, an index into [`Terms`].
pub(crate) type TermId = u32;

/// No term.
pub(crate) const NONE: u32 = u32::MAX;

/// All terms met so far.
#[derive(Debug, Default)]
pub(crate) struct Terms {
    symbols: Vec<u32>,
    /// Where the arguments of a term begin; they end where those of the next begin.
    starts: Vec<u32>,
    args: Vec<TermId>,
    table: HashTable<TermId>,
    limit: usize,
}

impl Terms {
    pub(crate) fn new(limit: usize) -> Terms {
        Terms { starts: vec![0], limit, ..Terms::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    pub(crate) fn too_many(&self) -> Error {
        Error::limit("terms", self.limit as u64)
    }

    /// How many arguments all terms have together.
    pub(crate) fn arguments(&self) -> usize {
        self.args.len()
    }

    pub(crate) fn symbol(&self, term: TermId) -> u32 {
        self.symbols[term as usize]
    }

    pub(crate) fn args(&self, term: TermId) -> &[TermId] {
        &self.args[self.starts[term as usize] as usize..self.starts[term as usize + 1] as usize]
    }

    /// The term, if it is known.
    pub(crate) fn find(&self, symbol: u32, args: &[TermId]) -> Option<TermId> {
        let same = |&term: &TermId| self.symbol(term) == symbol && self.args(term) == args;
        self.table.find(hash(symbol, args), same).copied()
    }

    /// The term, made if it is new.
    pub(crate) fn intern(&mut self, symbol: u32, args: &[TermId]) -> Result<TermId, Error> {
        if let Some(term) = self.find(symbol, args) {
            return Ok(term);
        }
        if self.len() >= self.limit {
            return Err(self.too_many());
        }
        let term = self.len() as TermId;
        self.symbols.push(symbol);
        self.args.extend_from_slice(args);
        self.starts.push(self.args.len() as u32);
        let (symbols, starts, all) = (&self.symbols, &self.starts, &self.args);
        let rehash = |&term: &TermId| {
            let term = term as usize;
            hash(symbols[term], &all[starts[term] as usize..starts[term + 1] as usize])
        };
        self.table.insert_unique(hash(symbol, args), term, rehash);
        Ok(term)
    }
}

/// A hash of a number and a list.
pub(crate) fn hash(first: u32, rest: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u32(first);
    for &value in rest {
        hasher.write_u32(value);
    }
    hasher.finish()
}

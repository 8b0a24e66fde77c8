//! Ground terms, fluents and moves, each with a dense number that all threads of a machine agree on.
//!
//! The machine owns the one table, behind a lock; every scratch keeps a copy that is always a prefix of it, so that reading
//! never locks. A term that is new to a scratch is looked up (or added) in the machine's table, after which the copy catches up.

use super::key_map::hash_words;
use super::plan::DIFFERENT;
use crate::Error;
use hashbrown::HashTable;
use std::sync::{Arc, PoisonError, RwLock};

/// The largest term: with shared parts a term of a few nodes can have a text that fills the memory.
const TERM_SIZE: u32 = 1 << 20;

/// "No such id".
pub(crate) const NONE: u32 = u32::MAX;

/// Ground terms by number: a symbol and the numbers of its arguments.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    symbols: Vec<u32>,
    starts: Vec<u32>,
    args: Vec<u32>,
    /// How many symbols the text of the term has; parts that occur twice count twice.
    sizes: Vec<u32>,
    index: HashTable<u32>,
}

impl Terms {
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
    }

    #[inline]
    pub(crate) fn symbol(&self, term: u32) -> u32 {
        self.symbols[term as usize]
    }

    #[inline]
    pub(crate) fn args(&self, term: u32) -> &[u32] {
        let start = self.starts[term as usize] as usize;
        let end = self.starts.get(term as usize + 1).map_or(self.args.len(), |&end| end as usize);
        &self.args[start..end]
    }

    #[inline]
    pub(crate) fn find(&self, symbol: u32, args: &[u32]) -> Option<u32> {
        let same = |&term: &u32| self.symbol(term) == symbol && self.args(term) == args;
        self.index.find(hash_term(symbol, args), same).copied()
    }

    /// The size of a term with these arguments.
    fn size_of(&self, args: &[u32]) -> u32 {
        args.iter().fold(1, |size, &arg| size.saturating_add(self.sizes[arg as usize]))
    }

    fn add(&mut self, symbol: u32, args: &[u32]) -> u32 {
        let term = self.symbols.len() as u32;
        self.symbols.push(symbol);
        self.starts.push(self.args.len() as u32);
        self.args.extend_from_slice(args);
        self.sizes.push(self.size_of(args));
        let Terms { symbols, starts, args: all, index, .. } = self;
        let hash_of = |&term: &u32| {
            let start = starts[term as usize] as usize;
            let end = starts.get(term as usize + 1).map_or(all.len(), |&end| end as usize);
            hash_term(symbols[term as usize], &all[start..end])
        };
        index.insert_unique(hash_term(symbol, args), term, hash_of);
        term
    }
}

fn hash_term(symbol: u32, args: &[u32]) -> u64 {
    hash_words(args.iter().copied().chain([symbol]))
}

/// A numbered subset of the terms: the fluents, or the moves.
#[derive(Clone, Debug, Default)]
pub(crate) struct Subset {
    terms: Vec<u32>,
    of_term: Vec<u32>,
}

impl Subset {
    pub(crate) fn len(&self) -> usize {
        self.terms.len()
    }

    #[inline]
    pub(crate) fn term(&self, id: u32) -> u32 {
        self.terms[id as usize]
    }

    /// The number of a term in this subset, or [`NONE`].
    #[inline]
    pub(crate) fn of_term(&self, term: u32) -> u32 {
        self.of_term.get(term as usize).copied().unwrap_or(NONE)
    }

    fn add(&mut self, term: u32) -> u32 {
        let id = self.terms.len() as u32;
        self.terms.push(term);
        if self.of_term.len() <= term as usize {
            self.of_term.resize(term as usize + 1, NONE);
        }
        self.of_term[term as usize] = id;
        id
    }
}

/// Everything that has a number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Registry {
    pub(crate) terms: Terms,
    pub(crate) fluents: Subset,
    pub(crate) moves: Subset,
}

impl Registry {
    /// Copies what `newer` has beyond this registry.
    fn catch_up(&mut self, newer: &Registry) {
        for term in self.terms.len()..newer.terms.len() {
            self.terms.add(newer.terms.symbol(term as u32), newer.terms.args(term as u32));
        }
        for fluent in self.fluents.len()..newer.fluents.len() {
            self.fluents.add(newer.fluents.term(fluent as u32));
        }
        for id in self.moves.len()..newer.moves.len() {
            self.moves.add(newer.moves.term(id as u32));
        }
    }
}

/// The machine's table.
#[derive(Debug)]
pub(super) struct Shared {
    registry: RwLock<Registry>,
    limit: usize,
}

impl Shared {
    pub(super) fn new(limit: usize) -> Shared {
        Shared { registry: RwLock::default(), limit: limit.min(DIFFERENT as usize - 1) }
    }

    /// Reads the table as it is now. A panic elsewhere while the lock was held leaves an append-only table that is still sound.
    pub(super) fn read<T>(&self, reader: impl FnOnce(&Registry) -> T) -> T {
        reader(&self.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<T>(&self, writer: impl FnOnce(&mut Registry) -> T) -> T {
        writer(&mut self.registry.write().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A scratch's copy of the table, and the way to add to it.
#[derive(Clone, Debug)]
pub(super) struct Replica {
    local: Registry,
    shared: Arc<Shared>,
}

impl std::ops::Deref for Replica {
    type Target = Registry;
    fn deref(&self) -> &Registry {
        &self.local
    }
}

impl Replica {
    pub(super) fn new(shared: &Arc<Shared>) -> Replica {
        Replica { local: shared.read(Registry::clone), shared: Arc::clone(shared) }
    }

    /// The copy itself, leaving an empty one behind: what follows gives it back with [`give_back`](Replica::give_back).
    pub(super) fn take(&mut self) -> Replica {
        Replica { local: std::mem::take(&mut self.local), shared: Arc::clone(&self.shared) }
    }

    /// The counterpart of [`take`](Replica::take).
    pub(super) fn give_back(&mut self, taken: Replica) {
        self.local = taken.local;
    }

    /// Takes over what other threads have added.
    pub(super) fn catch_up(&mut self) {
        let Replica { local, shared } = self;
        shared.read(|newer| local.catch_up(newer));
    }

    /// The number of a term, new or old.
    #[inline]
    pub(super) fn intern(&mut self, symbol: u32, args: &[u32]) -> Result<u32, Error> {
        match self.local.terms.find(symbol, args) {
            Some(term) => Ok(term),
            None => self.intern_slowly(symbol, args),
        }
    }

    #[cold]
    fn intern_slowly(&mut self, symbol: u32, args: &[u32]) -> Result<u32, Error> {
        let Replica { local, shared } = self;
        shared.write(|registry| {
            let term = match registry.terms.find(symbol, args) {
                Some(term) => term,
                None if registry.terms.len() >= shared.limit => return Err(limit("terms", shared.limit)),
                None if registry.terms.size_of(args) > TERM_SIZE => return Err(limit("term size", TERM_SIZE as usize)),
                None => registry.terms.add(symbol, args),
            };
            local.catch_up(registry);
            Ok(term)
        })
    }

    /// The number of a term among the fluents, new or old.
    #[inline]
    pub(super) fn fluent(&mut self, term: u32) -> u32 {
        match self.local.fluents.of_term(term) {
            NONE => self.number(term, |registry| &mut registry.fluents),
            id => id,
        }
    }

    /// The number of a term among the moves, new or old.
    #[inline]
    pub(super) fn move_id(&mut self, term: u32) -> u32 {
        match self.local.moves.of_term(term) {
            NONE => self.number(term, |registry| &mut registry.moves),
            id => id,
        }
    }

    #[cold]
    fn number(&mut self, term: u32, subset: impl Fn(&mut Registry) -> &mut Subset) -> u32 {
        let Replica { local, shared } = self;
        shared.write(|registry| {
            let id = match subset(registry).of_term(term) {
                NONE => subset(registry).add(term),
                id => id,
            };
            local.catch_up(registry);
            id
        })
    }
}

fn limit(what: &'static str, limit: usize) -> Error {
    Error::Limit { what, limit: limit as u64, relation: "a term".to_owned() }
}

//! Numbers for short tuples of ids: the index behind every table of this engine.
//!
//! Small tables are arrays addressed by the tuple's digits in mixed radix, where a column's digits are the values met in it, so
//! that a look-up is a few loads and no hashing. Tables that would be too large for that become hash tables.

use super::plan::{CONSTANT, Source, value};
use super::registry::NONE;
use hashbrown::HashTable;

/// The largest array of a dense table; beyond it the table is hashed, unless the array is well filled.
const DENSE_LIMIT: usize = 1 << 14;

/// The same for the columns' digits, which take room for every value up to the largest. There may be as many tables as goals.
const COLUMNS_LIMIT: usize = 1 << 12;

/// Heads of compiled keys: the table is hashed; a constant of the key is in no tuple.
pub(crate) const HASHED: u32 = u32::MAX - 1;
pub(crate) const NEVER: u32 = u32::MAX;

/// A multiply-and-fold hash, enough for ids that are small and dense.
#[inline]
pub(crate) fn hash_words(words: impl Iterator<Item = u32>) -> u64 {
    let mut hash = 0x51_7c_c1_b7_27_22_0a_95u64;
    for word in words {
        hash = (hash.rotate_left(5) ^ u64::from(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash ^ (hash >> 32)
}

/// Numbers tuples of one arity, `0..len` in the order of insertion. Never forgets.
#[derive(Clone, Debug)]
pub(crate) struct KeyMap {
    arity: usize,
    len: usize,
    /// The tuples, end to end.
    pub(crate) keys: Vec<u32>,
    /// Dense mode, column by column: value -> digit times the column's stride, or [`NONE`] where never met.
    pub(crate) scaled: Vec<u32>,
    /// How many values a column of `scaled` has room for.
    pub(crate) width: usize,
    columns: Vec<Column>,
    /// Dense mode: number + 1 of the tuple with these digits, 0 if none.
    pub(crate) dense: Vec<u32>,
    hashed: Option<HashTable<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Column {
    digits: u32,
    capacity: u32,
    stride: u32,
}

impl KeyMap {
    pub(super) fn new(arity: usize) -> KeyMap {
        let columns = vec![Column { digits: 0, capacity: 1, stride: 0 }; arity];
        let mut map =
            KeyMap { arity, len: 0, keys: Vec::new(), scaled: Vec::new(), width: 0, columns, dense: Vec::new(), hashed: None };
        map.lay_out();
        map
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn arity(&self) -> usize {
        self.arity
    }

    /// The number of the tuple whose `i`th element is `key(i)`, or [`NONE`].
    #[inline(always)]
    pub(super) fn find(&self, key: impl Fn(usize) -> u32) -> u32 {
        if let Some(table) = &self.hashed {
            let hash = hash_words((0..self.arity).map(&key));
            return table.find(hash, |&id| self.is(id, &key)).copied().unwrap_or(NONE);
        }
        let mut at = 0;
        let mut row = 0;
        for i in 0..self.arity {
            let value = key(i) as usize;
            if value >= self.width {
                return NONE;
            }
            let scaled = self.scaled[row + value];
            if scaled == NONE {
                return NONE;
            }
            at += scaled;
            row += self.width;
        }
        self.dense[at as usize].wrapping_sub(1)
    }

    /// A key as [`find_compiled`](KeyMap::find_compiled) wants it, for a table that will not change any more: the constants are
    /// looked up here, once. The words are a head (where the constants' digits lead, or [`HASHED`]) and, per register, its number
    /// and where its column begins; in a hashed table the operands follow as they are.
    pub(super) fn compile(&self, key: &[Source]) -> Vec<u32> {
        if self.hashed.is_some() {
            return [HASHED].into_iter().chain(key.iter().copied()).collect();
        }
        let mut compiled = vec![0];
        for (i, &source) in key.iter().enumerate() {
            if source & CONSTANT == 0 {
                compiled.extend([source, (i * self.width) as u32]);
                continue;
            }
            let value = (source & !CONSTANT) as usize;
            match self.scaled[i * self.width..][..self.width].get(value) {
                Some(&scaled) if scaled != NONE => compiled[0] += scaled,
                _ => return vec![NEVER],
            }
        }
        compiled
    }

    /// The number of the tuple with a compiled key, or [`NONE`].
    #[inline(always)]
    pub(super) fn find_compiled(&self, key: &[u32], registers: &[u32]) -> u32 {
        let [head, rest @ ..] = key else { return NONE };
        if *head >= HASHED {
            return if *head == NEVER { NONE } else { self.find(|i| value(rest[i], registers)) };
        }
        let mut at = *head;
        for pair in rest.chunks_exact(2) {
            let value = registers[pair[0] as usize] as usize;
            if value >= self.width {
                return NONE;
            }
            let scaled = self.scaled[pair[1] as usize + value];
            if scaled == NONE {
                return NONE;
            }
            at += scaled;
        }
        self.dense[at as usize].wrapping_sub(1)
    }

    /// The number of a tuple, new or old.
    #[inline]
    pub(super) fn insert(&mut self, key: impl Fn(usize) -> u32) -> u32 {
        match self.find(&key) {
            NONE => self.add(key),
            id => id,
        }
    }

    fn is(&self, id: u32, key: impl Fn(usize) -> u32) -> bool {
        let start = id as usize * self.arity;
        (0..self.arity).all(|i| self.keys[start + i] == key(i))
    }

    #[cold]
    fn add(&mut self, key: impl Fn(usize) -> u32) -> u32 {
        let id = self.len as u32;
        self.len += 1;
        self.keys.extend((0..self.arity).map(&key));
        if self.hashed.is_none() {
            let widest = (0..self.arity).map(&key).max().unwrap_or(0) as usize;
            if 2 * widest * self.arity > COLUMNS_LIMIT.max(64 * self.len) {
                self.turn_to_hashing();
            } else if self.add_digits(id) {
                self.place(id);
            } else {
                self.lay_out();
            }
            return id;
        }
        let KeyMap { arity, keys, hashed, .. } = self;
        if let Some(table) = hashed {
            let hash_of = |&id: &u32| hash_words(keys[id as usize * *arity..][..*arity].iter().copied());
            table.insert_unique(hash_words((0..*arity).map(key)), id, hash_of);
        }
        id
    }

    /// Gives a tuple's new values digits; false if a column is full and the table must be laid out anew.
    fn add_digits(&mut self, id: u32) -> bool {
        let mut fits = true;
        for i in 0..self.arity {
            let value = self.keys[id as usize * self.arity + i] as usize;
            if value >= self.width {
                self.widen(value + 1);
            }
            let (scaled, column) = (&mut self.scaled[i * self.width + value], &mut self.columns[i]);
            if *scaled == NONE {
                *scaled = column.digits * column.stride;
                column.digits += 1;
                fits &= column.digits <= column.capacity;
            }
        }
        fits
    }

    fn widen(&mut self, width: usize) {
        let width = width + width / 4;
        let mut scaled = vec![NONE; width * self.arity];
        for i in 0..self.arity {
            scaled[i * width..][..self.width].copy_from_slice(&self.scaled[i * self.width..][..self.width]);
        }
        (self.scaled, self.width) = (scaled, width);
    }

    /// Enters a tuple whose digits are dealt.
    fn place(&mut self, id: u32) {
        let key = &self.keys[id as usize * self.arity..][..self.arity];
        let at: u32 = key.iter().enumerate().map(|(i, &value)| self.scaled[i * self.width + value as usize]).sum();
        self.dense[at as usize] = id + 1;
    }

    /// Chooses capacities with room to grow and places all tuples; turns to hashing when the arrays would be too large.
    fn lay_out(&mut self) {
        let mut size = 1usize;
        for column in &mut self.columns {
            if column.digits > column.capacity {
                column.capacity = column.digits + column.digits / 2;
            }
            column.stride = size as u32;
            size = size.saturating_mul(column.capacity as usize);
        }
        if size > DENSE_LIMIT.max(4 * self.len) {
            self.turn_to_hashing();
            return;
        }
        // Digits are dealt anew, in the order of the tuples, since strides have changed.
        self.scaled.fill(NONE);
        self.columns.iter_mut().for_each(|column| column.digits = 0);
        self.dense = vec![0; size];
        for id in 0..self.len as u32 {
            self.add_digits(id);
            self.place(id);
        }
    }

    fn turn_to_hashing(&mut self) {
        let KeyMap { arity, len, keys, .. } = self;
        let hash_of = |&id: &u32| hash_words(keys[id as usize * *arity..][..*arity].iter().copied());
        let mut table = HashTable::with_capacity(2 * *len);
        for id in 0..*len as u32 {
            table.insert_unique(hash_of(&id), id, hash_of);
        }
        self.hashed = Some(table);
        (self.dense, self.scaled) = (Vec::new(), Vec::new());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Random;
    use std::collections::HashMap;

    /// Dense, growing and hashed tables all behave like the standard map.
    #[test]
    fn agrees_with_a_standard_map() {
        for (arity, range, inserts) in
            [(0, 1, 3), (1, 40, 200), (2, 9, 300), (3, 8, 700), (4, 9, 9000), (2, 100_000, 500), (3, 60, 30_000)]
        {
            let mut random = Random::new(arity as u64 * 1000 + range as u64);
            let mut map = KeyMap::new(arity);
            let mut model: HashMap<Vec<u32>, u32> = HashMap::new();
            for _ in 0..inserts {
                let key: Vec<u32> = (0..arity).map(|_| random.below(range) as u32).collect();
                let probe: Vec<u32> = (0..arity).map(|_| random.below(range + 1) as u32).collect();
                let next = model.len() as u32;
                let expected = *model.entry(key.clone()).or_insert(next);
                assert_eq!(map.insert(|i| key[i]), expected);
                assert_eq!(map.find(|i| probe[i]), model.get(&probe).copied().unwrap_or(NONE), "{probe:?}");
                assert_eq!(map.len(), model.len());
            }
            for (key, &id) in &model {
                assert_eq!(map.find(|i| key[i]), id);
                // Every other column as a constant of the plan.
                let sources: Vec<u32> =
                    (0..arity as u32).map(|i| if i % 2 == 0 { i } else { key[i as usize] | CONSTANT }).collect();
                assert_eq!(map.find_compiled(&map.compile(&sources), key), id);
                let strange: Vec<u32> =
                    (0..arity as u32).map(|i| i | (CONSTANT * (i % 2)) | ((range as u32 + 7) * (i % 2))).collect();
                let expected = if arity < 2 { id } else { NONE };
                assert_eq!(map.find_compiled(&map.compile(&strange), key), expected);
            }
        }
    }
}

//! What was found out about positions, in a fixed amount of memory.

use ludens_machine::prefetch;

/// Entries that a position can be in.
const WAYS: usize = 4;

/// Words per entry: the key; two bounds; the rest.
const WORDS: usize = 3;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Entry {
    /// The value is at least this.
    pub(super) low: f32,
    /// The value is at most this.
    pub(super) high: f32,
    /// Joint moves that were looked ahead.
    pub(super) depth: u8,
    /// Whether no evaluator had a part in the lower bound.
    pub(super) low_proven: bool,
    /// Whether no evaluator had a part in the upper bound.
    pub(super) high_proven: bool,
    /// Which of its moves the role plays.
    pub(super) own: u16,
    /// Which reply of the others comes then; [`Entry::UNKNOWN`] where the number is too large.
    pub(super) reply: u16,
}

impl Entry {
    /// A move whose number is not known.
    pub(super) const UNKNOWN: u16 = u16::MAX;

    /// A number as an entry keeps it.
    pub(super) fn small(number: u64) -> u16 {
        u16::try_from(number).unwrap_or(Entry::UNKNOWN)
    }

    fn pack(self, age: u8) -> [u64; 2] {
        let flags = u64::from(self.low_proven) | u64::from(self.high_proven) << 1;
        let bounds = u64::from(self.low.to_bits()) | u64::from(self.high.to_bits()) << 32;
        let rest =
            u64::from(self.own) | u64::from(self.reply) << 16 | u64::from(self.depth) << 32 | flags << 40 | u64::from(age) << 48;
        [bounds, rest]
    }

    fn unpack(bounds: u64, rest: u64) -> Entry {
        Entry {
            low: f32::from_bits(bounds as u32),
            high: f32::from_bits((bounds >> 32) as u32),
            depth: (rest >> 32) as u8,
            low_proven: rest >> 40 & 1 == 1,
            high_proven: rest >> 41 & 1 == 1,
            own: rest as u16,
            reply: (rest >> 16) as u16,
        }
    }
}

/// Buckets to begin with, at most.
const FIRST: usize = 1 << 12;

/// A transposition table. Buckets of a few entries; what is old or shallow makes room. It begins small and grows while it may, so that little memory
/// is touched where little is needed: bucket after bucket, each by making two of one (linear hashing), so that growing never takes long.
#[derive(Debug)]
pub(super) struct Table {
    /// All that there may be; those behind the last that is in use have never been touched.
    buckets: Vec<[u64; WAYS * WORDS]>,
    first: usize,
    /// There are `first` times two to this power, and as many more as have been split.
    level: u32,
    split: usize,
    age: u8,
    filled: usize,
}

impl Table {
    /// Uses at most so many bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let most = bytes / (WAYS * WORDS * 8);
        let mut first = most;
        while first > FIRST {
            first /= 2;
        }
        // Whole doublings only.
        let most = if first == 0 { 0 } else { first << (most / first).ilog2() };
        Table { buckets: vec![[0; WAYS * WORDS]; most], first, level: 0, split: 0, age: 0, filled: 0 }
    }

    /// Buckets in use.
    fn used(&self) -> usize {
        (self.first << self.level) + self.split
    }

    /// From now on, what is in it is older.
    pub(super) fn grow_older(&mut self) {
        self.age = self.age.wrapping_add(1);
    }

    /// Memory in use, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.filled * WORDS * 8
    }

    /// What is known about the position with this key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = self.buckets.get(self.place(key))?;
        let entry = bucket.chunks_exact(WORDS).find(|entry| entry[0] == key)?;
        Some(Entry::unpack(entry[1], entry[2]))
    }

    /// Somebody will soon ask about the position with this key.
    #[inline]
    pub(super) fn prepare(&self, key: u64) {
        if let Some(bucket) = self.buckets.get(self.place(key)) {
            prefetch(&bucket[0]);
            prefetch(&bucket[WAYS * WORDS - 1]);
        }
    }

    /// Takes note of what is known about a position, in place of what was, unless that says more of the same depth.
    #[inline]
    pub(super) fn put(&mut self, key: u64, mut entry: Entry) {
        let (place, age) = (self.place(key), self.age);
        let Some(bucket) = self.buckets.get_mut(place) else { return };
        let mut worst = (i32::MAX, 0);
        for (way, old) in bucket.chunks_exact(WORDS).enumerate() {
            if old[0] == key {
                join(&mut entry, Entry::unpack(old[1], old[2]));
                worst.1 = way;
                break;
            }
            let years = age.wrapping_sub((old[2] >> 48) as u8);
            let worth = if old[0] == 0 { i32::MIN } else { i32::from((old[2] >> 32) as u8) - 8 * i32::from(years) };
            if worth < worst.0 {
                worst = (worth, way);
            }
        }
        let slot = &mut bucket[worst.1 * WORDS..][..WORDS];
        let is_new = slot[0] == 0;
        slot[0] = key;
        slot[1..].copy_from_slice(&entry.pack(age));
        self.filled += usize::from(is_new);
        // Buckets that have not been split yet have twice as many as the others.
        if is_new && self.filled * 3 > self.used() * WAYS && self.used() < self.buckets.len() {
            self.grow();
        }
    }

    /// Makes two buckets of one.
    fn grow(&mut self) {
        let (old, new) = (self.split, self.used());
        let bucket = std::mem::replace(&mut self.buckets[old], [0; WAYS * WORDS]);
        self.split += 1;
        if self.split == self.first << self.level {
            (self.level, self.split) = (self.level + 1, 0);
        }
        let mut filled = [0; 2];
        for entry in bucket.chunks_exact(WORDS).filter(|entry| entry[0] != 0) {
            let place = self.place(entry[0]);
            let half = usize::from(place == new);
            self.buckets[place][filled[half] * WORDS..][..WORDS].copy_from_slice(entry);
            filled[half] += 1;
        }
    }

    /// The lower half of a key says where among the first buckets, the upper half which of those that came of it.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let (low, high) = (u64::from(key as u32), (key >> 32) as usize);
        let first = ((low * self.first as u64) >> 32) as usize;
        let whole = (1_usize << self.level) - 1;
        let place = first + self.first * (high & (whole * 2 + 1));
        if place < self.used() { place } else { first + self.first * (high & whole) }
    }
}

/// Two searches of the same depth each know a bound.
fn join(entry: &mut Entry, old: Entry) {
    if entry.depth != old.depth {
        return;
    }
    if old.low > entry.low {
        (entry.low, entry.low_proven) = (old.low, old.low_proven);
    }
    if old.high < entry.high {
        (entry.high, entry.high_proven) = (old.high, old.high_proven);
    }
}

/// A number that stands for a state; never 0.
#[inline]
pub(super) fn key(words: &[u64], seed: u64) -> u64 {
    let mix = |one: u64, two: u64| {
        let product = u128::from(one) * u128::from(two);
        product as u64 ^ (product >> 64) as u64
    };
    let mut sum = mix(seed ^ 0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9);
    for &word in words {
        sum = mix(sum ^ word ^ 0x4b33_a62e_d433_d4a3, 0x9e37_79b9_7f4a_7c15 ^ sum.rotate_left(29));
    }
    mix(sum ^ 0x4d5a_2da5_1de1_aa47, 0xa076_1d64_78bd_642f).max(1)
}

#[cfg(test)]
mod tests {
    use super::{Entry, Table, key};
    use std::collections::HashSet;

    fn entry(low: f32, high: f32, depth: u8) -> Entry {
        Entry { low, high, depth, low_proven: false, high_proven: true, own: 7, reply: Entry::UNKNOWN }
    }

    #[test]
    fn what_was_put_is_found_again() {
        let mut table = Table::new(1 << 20);
        for number in 1..1000_u64 {
            table.put(key(&[number, 0], 0), entry(number as f32, 2000.0, (number % 200) as u8));
        }
        for number in 1..1000_u64 {
            let found = table.get(key(&[number, 0], 0));
            assert_eq!(found, Some(entry(number as f32, 2000.0, (number % 200) as u8)));
        }
        assert_eq!(table.get(key(&[0, 0], 0)), None);
        assert_eq!(table.bytes(), 999 * 24);
    }

    #[test]
    fn bounds_of_the_same_depth_are_joined() {
        let mut table = Table::new(1 << 10);
        table.put(5, entry(20.0, 100.0, 3));
        table.put(5, entry(0.0, 60.0, 3));
        assert_eq!(table.get(5), Some(entry(20.0, 60.0, 3)));
        table.put(5, entry(0.0, 80.0, 4));
        assert_eq!(table.get(5), Some(entry(0.0, 80.0, 4)));
    }

    #[test]
    fn the_old_and_the_shallow_make_room() {
        let mut table = Table::new(96);
        (1..=4).for_each(|key| table.put(key, entry(0.0, 100.0, 10 - key as u8)));
        table.put(9, entry(0.0, 100.0, 1));
        assert_eq!([1, 2, 3, 4, 9].map(|key| table.get(key).is_some()), [true, true, true, false, true]);
        table.grow_older();
        table.grow_older();
        for key in [11, 12, 13, 14] {
            table.put(key, entry(0.0, 100.0, 1));
        }
        assert_eq!([11, 12, 13, 14].map(|key| table.get(key).is_some()), [true; 4]);
    }

    #[test]
    fn it_grows_and_keeps_nearly_everything() {
        let mut table = Table::new(16 << 20);
        let small = table.used();
        let number = 60_000_u64;
        let mut lost = 0;
        for number in 0..number {
            table.put(key(&[number], 1), entry(number as f32, 1e6, 5));
        }
        for number in 0..number {
            let found = table.get(key(&[number], 1));
            assert!(found.is_none_or(|found| found == entry(number as f32, 1e6, 5)));
            lost += usize::from(found.is_none());
        }
        assert!(table.used() > small * 4 && table.buckets.len() * 96 <= 16 << 20);
        assert!(lost < 5000, "only crowded buckets lose: {lost}");
    }

    #[test]
    fn it_uses_all_its_memory_and_no_more() {
        for bytes in [96, 1000, 96 * 5000, (1 << 20) + 96] {
            let mut table = Table::new(bytes);
            for number in 0..400_000_u64 {
                table.put(key(&[number], 1), entry(number as f32, 1e6, 5));
            }
            assert!(table.used() * 96 <= bytes && table.used() * 96 * 2 > bytes, "{} buckets in {bytes} bytes", table.used());
            assert!(table.filled <= table.used() * 4 && table.filled * 10 > table.used() * 4 * 9);
        }
    }

    #[test]
    fn no_memory_holds_nothing() {
        let mut table = Table::new(0);
        table.put(1, entry(0.0, 1.0, 1));
        assert_eq!(table.get(1), None);
    }

    #[test]
    fn keys_differ() {
        let mut keys = HashSet::new();
        for one in 0..64_u64 {
            for two in 0..64_u64 {
                for seed in 0..4 {
                    keys.insert(key(&[1 << one, 1 << two], seed));
                }
            }
        }
        assert_eq!(keys.len(), 64 * 64 * 4);
    }
}

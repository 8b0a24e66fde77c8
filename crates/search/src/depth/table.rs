//! What was found out about positions, in a fixed amount of memory.

use ludens_machine::prefetch;
use std::time::Duration;

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

/// Buckets to begin with.
const FIRST: usize = 1 << 12;

/// A transposition table. Buckets of a few entries; what is old or shallow makes room. It begins small and doubles while it may, so that little memory
/// is touched where little is needed.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<[u64; WAYS * WORDS]>,
    /// How many there may be.
    most: usize,
    age: u8,
    filled: usize,
    /// Entries before which nobody asks for more room.
    enough: usize,
}

impl Table {
    /// Uses at most so many bytes.
    pub(super) fn new(bytes: usize) -> Table {
        let most = bytes / (WAYS * WORDS * 8);
        let mut first = most;
        while first > FIRST {
            first /= 2;
        }
        Table { buckets: vec![[0; WAYS * WORDS]; first], most, age: 0, filled: 0, enough: 0 }
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
        self.filled += usize::from(slot[0] == 0);
        slot[0] = key;
        slot[1..].copy_from_slice(&entry.pack(age));
    }

    /// Whether it should have more room.
    #[inline]
    pub(super) fn is_crowded(&self) -> bool {
        self.filled >= self.enough && self.filled * 2 > self.buckets.len() * WAYS && self.buckets.len() * 2 <= self.most
    }

    /// Lets it have more room, if `may_take` allows for the time that takes; if not, it asks again when it is fuller by an eighth.
    #[cold]
    pub(super) fn make_room(&mut self, may_take: impl Fn(Duration) -> bool) {
        // The old entries are moved, and the new ones are touched for the first time.
        let bytes = self.buckets.len() * 2 * WAYS * WORDS * 8;
        if may_take(Duration::from_nanos(bytes as u64)) {
            self.double();
        } else {
            self.enough = self.filled + self.buckets.len() * WAYS / 8;
        }
    }

    /// Makes two buckets of every one. The place of a key is its share of all keys, so those of one bucket go to two neighbours: beginning with the last,
    /// none is written before it was read.
    fn double(&mut self) {
        let count = self.buckets.len();
        self.buckets.reserve_exact(count);
        self.buckets.resize(count * 2, [0; WAYS * WORDS]);
        for index in (0..count).rev() {
            let old = std::mem::replace(&mut self.buckets[index], [0; WAYS * WORDS]);
            let mut two = [[0; WAYS * WORDS]; 2];
            let mut filled = [0; 2];
            for entry in old.chunks_exact(WORDS).filter(|entry| entry[0] != 0) {
                let half = self.place(entry[0]) - index * 2;
                two[half][filled[half] * WORDS..][..WORDS].copy_from_slice(entry);
                filled[half] += 1;
            }
            self.buckets[index * 2..index * 2 + 2].copy_from_slice(&two);
        }
    }

    fn place(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
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
    use std::time::Duration;

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
        let small = table.buckets.len();
        let number = 60_000_u64;
        let mut lost = 0;
        for number in 0..number {
            table.put(key(&[number], 1), entry(number as f32, 1e6, 5));
            if table.is_crowded() {
                table.make_room(|_| true);
            }
        }
        for number in 0..number {
            let found = table.get(key(&[number], 1));
            assert!(found.is_none_or(|found| found == entry(number as f32, 1e6, 5)));
            lost += usize::from(found.is_none());
        }
        assert!(table.buckets.len() > small * 4 && table.buckets.len() * 96 <= 16 << 20);
        assert!(lost < 5000, "only crowded buckets lose: {lost}");
    }

    #[test]
    fn it_does_not_grow_where_there_is_no_time() {
        let mut table = Table::new(16 << 20);
        let (small, mut questions) = (table.buckets.len(), 0);
        for number in 0..60_000_u64 {
            table.put(key(&[number], 1), entry(number as f32, 1e6, 5));
            if table.is_crowded() {
                questions += 1;
                table.make_room(|cost| cost < Duration::from_micros(10));
            }
        }
        assert_eq!(table.buckets.len(), small);
        assert!((1..=4).contains(&questions), "asked {questions} times");
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

//! Which states were met, by their fingerprints.

/// Bytes per place.
const PLACE: usize = size_of::<u64>() + size_of::<u32>();
/// Of the second part of a fingerprint so many bits are kept; the rest of the number says in which round it was met.
const TAG: u32 = 24;

/// A set of states of fixed size. It keeps 88 bits of each: that two states among ten million have the same happens once in a trillion times.
#[derive(Debug)]
pub(super) struct Seen {
    marks: Vec<u64>,
    /// A part of the fingerprint, and above it the round.
    tags: Vec<u32>,
    round: u32,
    count: usize,
}

/// What became of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Met {
    New,
    Known,
    /// It is new, and there is no room for it.
    Full,
}

impl Seen {
    /// Empty, with so many bytes at most. Memory is taken as states come in.
    pub(super) fn new(bytes: usize) -> Seen {
        let places = (bytes / PLACE).max(2);
        let places = if places.is_power_of_two() { places } else { places.next_power_of_two() / 2 };
        Seen { marks: vec![0; places], tags: vec![0; places], round: 1, count: 0 }
    }

    /// The most states that fit.
    pub(super) fn room(&self) -> usize {
        self.marks.len() / 4 * 3 + 1
    }

    /// Bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.count * PLACE
    }

    /// Forgets everything, without going through it.
    pub(super) fn clear(&mut self) {
        self.count = 0;
        self.round += 1;
        if self.round == 1 << (32 - TAG) {
            self.tags.fill(0);
            self.round = 1;
        }
    }

    pub(super) fn insert(&mut self, words: &[u64]) -> Met {
        let (mark, other) = fingerprint(words);
        let tag = (other as u32 & ((1 << TAG) - 1)) | self.round << TAG;
        let mask = self.marks.len() - 1;
        let mut place = (other >> TAG) as usize & mask;
        while self.tags[place] >> TAG == self.round {
            if self.marks[place] == mark && self.tags[place] == tag {
                return Met::Known;
            }
            place = (place + 1) & mask;
        }
        if self.count == self.room() {
            return Met::Full;
        }
        self.count += 1;
        (self.marks[place], self.tags[place]) = (mark, tag);
        Met::New
    }
}

/// Two numbers that have nothing to do with each other.
fn fingerprint(words: &[u64]) -> (u64, u64) {
    let (mut one, mut two) = (0x243f_6a88_85a3_08d3_u64, 0x1319_8a2e_0370_7344_u64);
    for &word in words {
        one = (one ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        one ^= one >> 29;
        two = (two ^ word.rotate_left(23)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        two ^= two >> 32;
    }
    (mixed(one), mixed(two ^ words.len() as u64))
}

fn mixed(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::{Met, Seen};

    #[test]
    fn states_are_known_until_everything_is_forgotten() {
        let mut seen = Seen::new(12 << 10);
        // More rounds than there are numbers for them.
        for round in 0..600_u64 {
            let room = seen.room() as u64;
            assert_eq!(room, 769);
            let every = if round % 100 == 0 { 1 } else { 50 };
            for number in (0..room).step_by(every) {
                assert_eq!(seen.insert(&[number, 7]), Met::New, "{round} {number}");
                assert_eq!(seen.insert(&[number, 7]), Met::Known, "{round} {number}");
            }
            if every == 1 {
                assert_eq!(seen.insert(&[room, 7]), Met::Full);
                assert_eq!(seen.insert(&[room - 1, 7]), Met::Known);
            }
            seen.clear();
        }
    }

    #[test]
    fn no_memory_is_little_memory() {
        let mut seen = Seen::new(0);
        assert_eq!(seen.insert(&[1]), Met::New);
        assert_eq!(seen.insert(&[2]), Met::Full);
        assert_eq!(seen.insert(&[1]), Met::Known);
    }
}

//! Sums of whole numbers over the fluents of all lanes at once: the bits of equal worth are added up by adders of whole words.
//!
//! A number is a sum of powers of two, some of them negative, as few as can be. A fluent that takes a power away is worth nothing where it holds, and
//! that power where it does not: what all of these are worth together is taken off at the end.

#![allow(unsafe_code)] // fluents without a check of their number
#![allow(clippy::needless_range_loop)] // loops over numbers are compiled alike wherever they are used

use super::transpose::bytes;
use super::word::Word;

/// No sum takes more bits than this.
pub(crate) const MOST_BITS: usize = 24;

/// Places of sums, and what adders reach beyond them.
const PLACES: usize = MOST_BITS + 3;

/// Which words are added up, in which order.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adders {
    /// Of every bit of the sum, the lowest first.
    places: Vec<Place>,
    /// Fluents that add, then those that take away, place after place.
    fluents: Vec<u32>,
    /// Where the carries into each place begin, and how many there are in all.
    carries: [u32; PLACES + 1],
    /// What is to be taken off.
    offset: i32,
    /// How many fluents have a number: none of the above is beyond them.
    known: usize,
}

/// What is added at a bit of the sum.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    adding: u32,
    taking: u32,
}

/// The power and the sign of every digit of a number, as few as can be.
pub(super) fn digits(number: i32) -> impl Iterator<Item = (usize, bool)> {
    let mut rest = i64::from(number);
    let mut power = 0;
    std::iter::from_fn(move || {
        if rest == 0 {
            return None;
        }
        let zeros = rest.trailing_zeros();
        rest >>= zeros;
        power += zeros as usize;
        let takes = rest & 3 == 3;
        rest += if takes { 1 } else { -1 };
        Some((power, takes))
    })
}

/// The bits that a sum of all these may have before what is too much is taken off.
pub(crate) fn bits(numbers: impl Iterator<Item = i32>) -> usize {
    let most: u64 = numbers.flat_map(digits).map(|(power, _)| 1_u64 << power).sum();
    (u64::BITS - most.leading_zeros()) as usize
}

impl Adders {
    /// For a number for every fluent, whose [`bits`] are not more than [`MOST_BITS`].
    pub(crate) fn new(numbers: &[i32]) -> Adders {
        let bits = bits(numbers.iter().copied());
        assert!(bits <= MOST_BITS, "the sum has room");
        let mut lists = vec![[Vec::new(), Vec::new()]; bits];
        let mut offset = 0;
        for (fluent, &number) in (0..).zip(numbers) {
            for (power, takes) in digits(number) {
                lists[power][usize::from(takes)].push(fluent);
                offset += i32::from(takes) << power;
            }
        }
        let mut carries = [0; PLACES + 1];
        let mut counts = [0_u32; PLACES + 3];
        for (place, [adding, taking]) in lists.iter().enumerate() {
            let count = (adding.len() + taking.len()) as u32 + counts[place];
            counts[place + 3] += count / 8;
            counts[place + 2] += count / 4 % 2;
            counts[place + 1] += count / 2 % 2 + count % 2;
        }
        for place in 0..PLACES {
            carries[place + 1] = carries[place] + counts[place];
        }
        let places = lists.iter().map(|[adding, taking]| Place { adding: adding.len() as u32, taking: taking.len() as u32 });
        Adders { places: places.collect(), fluents: lists.concat().concat(), carries, offset, known: numbers.len() }
    }

    /// Words that are added up, a measure of the work.
    pub(crate) fn len(&self) -> usize {
        self.fluents.len()
    }

    /// Adds up in all lanes, for which it needs some room.
    #[inline(always)]
    pub(super) fn add_up<W: Word>(&self, fluents: &[W], room: &mut Vec<W>) -> Found<W> {
        assert!(fluents.len() >= self.known, "there are as many fluents");
        let most = self.carries[PLACES] as usize;
        if room.len() < most {
            room.resize(most, W::ZERO);
        }
        let mut work = Work { totals: [W::ZERO; PLACES], carries: &mut room[..], ends: self.carries };
        let mut rest = &self.fluents[..];
        for (at, place) in self.places.iter().enumerate() {
            let (which, others) = rest.split_at((place.adding + place.taking) as usize);
            rest = others;
            let carried = self.carries[at] as usize..work.ends[at] as usize;
            work.add(at, &Input { fluents, which, adding: place.adding as usize, carried });
        }
        Found { totals: work.totals, bytes: self.places.len().div_ceil(8), offset: self.offset }
    }
}

/// The sums of all lanes.
pub(super) struct Found<W> {
    /// Their bits, the lowest first.
    totals: [W; PLACES],
    bytes: usize,
    offset: i32,
}

impl<W: Word> Found<W> {
    /// From its bits, the lowest first, and what is to be taken off.
    #[inline(always)]
    pub(super) fn of(planes: &[W], offset: i32) -> Found<W> {
        let mut totals = [W::ZERO; PLACES];
        totals[..planes.len()].copy_from_slice(planes);
        Found { totals, bytes: planes.len().div_ceil(8), offset }
    }

    /// Writes those of the first lanes, each so many units more than a constant, at every `step`th place.
    #[inline(always)]
    pub(super) fn write(&self, constant: f32, unit: f32, sums: &mut [f32], step: usize) {
        match self.bytes {
            0 => self.write_bytes::<0>(constant, unit, sums, step),
            1 => self.write_bytes::<1>(constant, unit, sums, step),
            2 => self.write_bytes::<2>(constant, unit, sums, step),
            _ => self.write_bytes::<3>(constant, unit, sums, step),
        }
    }

    #[inline(always)]
    fn write_bytes<const BYTES: usize>(&self, constant: f32, unit: f32, sums: &mut [f32], step: usize) {
        let mut rows = [[0; MOST_LANES]; BYTES];
        for byte in 0..BYTES {
            let mut planes = [W::ZERO; 8];
            planes.copy_from_slice(&self.totals[8 * byte..8 * byte + 8]);
            let words = bytes(&planes);
            let (eights, _) = rows[byte].as_chunks_mut::<8>();
            for at in 0..W::LANES / 8 {
                eights[at] = words[at % 8].part(at / 8).to_le_bytes();
            }
        }
        if step == 1 {
            for lane in 0..sums.len().min(W::LANES) {
                sums[lane] = self.value(&rows, lane, constant, unit);
            }
        } else {
            for lane in 0..sums.len().div_ceil(step).min(W::LANES) {
                sums[lane * step] = self.value(&rows, lane, constant, unit);
            }
        }
    }

    #[inline(always)]
    fn value<const BYTES: usize>(&self, rows: &[[u8; MOST_LANES]; BYTES], lane: usize, constant: f32, unit: f32) -> f32 {
        let mut units = -self.offset;
        for byte in 0..BYTES {
            units += i32::from(rows[byte][lane]) << (8 * byte);
        }
        constant + units as f32 * unit
    }
}

/// Lanes of the widest word.
const MOST_LANES: usize = 512;

/// Words that are to be added at a place: fluents as they are, others inverted, and what was carried.
struct Input<'a, W> {
    fluents: &'a [W],
    which: &'a [u32],
    /// How many are as they are.
    adding: usize,
    carried: std::ops::Range<usize>,
}

// No closures here: these would not be compiled for the processor.
impl<W: Word> Input<'_, W> {
    #[inline(always)]
    fn fluent(&self, index: usize) -> W {
        debug_assert!(index < self.which.len());
        // SAFETY: whoever asks has compared the index with how many there are, and all of them are fluents, as was found before.
        unsafe { *self.fluents.get_unchecked(*self.which.get_unchecked(index) as usize) }
    }

    /// Any of them.
    #[inline(always)]
    fn word(&self, carries: &[W], index: usize) -> W {
        if index < self.adding {
            self.fluent(index)
        } else if index < self.which.len() {
            self.fluent(index).not()
        } else {
            carries[self.carried.start + index - self.which.len()]
        }
    }

    /// Some of them, quickly where they are of one kind.
    #[inline(always)]
    fn words<const COUNT: usize>(&self, carries: &[W], first: usize) -> [W; COUNT] {
        let mut words = [W::ZERO; COUNT];
        if first + COUNT <= self.adding {
            for at in 0..COUNT {
                words[at] = self.fluent(first + at);
            }
        } else if first >= self.adding && first + COUNT <= self.which.len() {
            for at in 0..COUNT {
                words[at] = self.fluent(first + at).not();
            }
        } else {
            for at in 0..COUNT {
                words[at] = self.word(carries, first + at);
            }
        }
        words
    }
}

/// Sums in the making.
struct Work<'a, W> {
    totals: [W; PLACES],
    /// Carries into places, to be added when all of that place are known.
    carries: &'a mut [W],
    /// Where the next one of each place is put.
    ends: [u32; PLACES + 1],
}

impl<W: Word> Work<'_, W> {
    /// Adds words at a place: eight of them together, so that what is carried is added at once as far as it can be.
    #[inline(always)]
    fn add(&mut self, place: usize, input: &Input<'_, W>) {
        let [mut ones, mut twos, mut fours] = [self.totals[place], self.totals[place + 1], self.totals[place + 2]];
        let count = input.which.len() + input.carried.len();
        for eight in 0..count / 8 {
            let words: [W; 8] = input.words(self.carries, 8 * eight);
            let first = four(&mut ones, &mut twos, [words[0], words[1], words[2], words[3]]);
            let second = four(&mut ones, &mut twos, [words[4], words[5], words[6], words[7]]);
            self.carry(place + 3, one(&mut fours, first, second));
        }
        let mut index = count / 8 * 8;
        if count & 4 != 0 {
            self.carry(place + 2, four(&mut ones, &mut twos, input.words(self.carries, index)));
            index += 4;
        }
        if count & 2 != 0 {
            let [first, second] = [input.word(self.carries, index), input.word(self.carries, index + 1)];
            self.carry(place + 1, one(&mut ones, first, second));
            index += 2;
        }
        if count & 1 != 0 {
            let last = input.word(self.carries, index);
            self.carry(place + 1, ones.and(last));
            ones = ones.xor(last);
        }
        (self.totals[place], self.totals[place + 1], self.totals[place + 2]) = (ones, twos, fours);
    }

    #[inline(always)]
    fn carry(&mut self, place: usize, word: W) {
        let end = &mut self.ends[place];
        self.carries[*end as usize] = word;
        *end += 1;
    }
}

/// Adds two words to a total; answers what is carried.
#[inline(always)]
fn one<W: Word>(total: &mut W, one: W, two: W) -> W {
    let carry = total.majority(one, two);
    *total = total.xor(one).xor(two);
    carry
}

/// Adds four words to a total of two bits; answers what is carried.
#[inline(always)]
fn four<W: Word>(ones: &mut W, twos: &mut W, words: [W; 4]) -> W {
    let first = one(ones, words[0], words[1]);
    let second = one(ones, words[2], words[3]);
    one(twos, first, second)
}

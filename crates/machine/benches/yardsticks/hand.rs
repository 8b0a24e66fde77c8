//! What the simulators written by hand have in common.
#![allow(unsafe_code)] // the instruction that finds the n-th set bit of a word

use crate::four::Four;
#[cfg(target_arch = "x86_64")]
use crate::four::Vector;

/// What many playouts of a game of two came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    pub(crate) plies: u64,
    /// Points of all playouts, in the order of the roles.
    pub(crate) points: [u64; 2],
}

/// Points of both roles where a player wins.
pub(crate) const FIRST_WINS: [u64; 2] = [100, 0];
pub(crate) const SECOND_WINS: [u64; 2] = [0, 100];
pub(crate) const DRAW: [u64; 2] = [50, 50];

/// A game written by hand. All of its code is `#[inline(always)]`, so that it is compiled for the processor at hand.
pub(crate) trait Simulator {
    /// Plays so many random matches from the start.
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals;
}

/// A match between two turns of the first player.
pub(crate) trait Match {
    fn new() -> Self;

    /// Plays a turn of each player, unless the match ends before.
    fn round<P: Processor>(&mut self, random: &mut Wyrand) -> Option<End>;
}

/// The end of a match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// Plies of the last round.
    pub(crate) plies: u64,
    pub(crate) points: [u64; 2],
}

/// Matches in hand at once: two are much faster than one, four a little faster than two, more no faster.
const WIDTH: usize = 4;

/// Plays `count` matches, `WIDTH` of them side by side: while one waits for its own results, the processor is busy with the others. A match that is
/// over makes room for the next; none is dropped, so that long matches count as much as short ones.
#[inline(always)]
pub(crate) fn side_by_side<M: Match, P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
    assert!(count >= WIDTH as u64, "there are enough matches to fill the width");
    let mut totals = Totals::default();
    let mut matches: [M; WIDTH] = std::array::from_fn(|_| M::new());
    let mut left = count - WIDTH as u64;
    let done = 'play: loop {
        for (index, game) in matches.iter_mut().enumerate() {
            if totals.round::<M, P>(game, random) {
                if left == 0 {
                    break 'play index;
                }
                left -= 1;
                *game = M::new();
            }
        }
    };
    for (index, mut game) in matches.into_iter().enumerate() {
        while index != done && !totals.round::<M, P>(&mut game, random) {}
    }
    totals
}

/// Plays `count` matches, one after the other.
#[inline(always)]
pub(crate) fn one_by_one<M: Match, P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
    let mut totals = Totals::default();
    for _ in 0..count {
        let mut game = M::new();
        while !totals.round::<M, P>(&mut game, random) {}
    }
    totals
}

impl Totals {
    /// Counts a match that is over after so many plies.
    #[inline(always)]
    pub(crate) fn add(&mut self, end: End) {
        self.plies += end.plies;
        self.points[0] += end.points[0];
        self.points[1] += end.points[1];
    }

    /// Plays a round; tells whether the match is over.
    #[inline(always)]
    fn round<M: Match, P: Processor>(&mut self, game: &mut M, random: &mut Wyrand) -> bool {
        let Some(end) = game.round::<P>(random) else {
            self.plies += 2;
            return false;
        };
        self.add(end);
        true
    }
}

/// What processors differ in.
pub(crate) trait Processor {
    type Four: Four;

    /// The word with its set bit number `n`, from 0 and from the lowest, alone; 0 if it has no more than `n`. `one` is 1 shifted left by `n`.
    fn set_bit(one: u64, word: u64) -> u64;
}

/// With vectors of four words, and an instruction that finds set bits.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx2;

#[cfg(target_arch = "x86_64")]
impl Processor for Avx2 {
    type Four = Vector;

    #[inline(always)]
    fn set_bit(one: u64, word: u64) -> u64 {
        Bmi2::set_bit(one, word)
    }
}

/// Without vectors, and with instructions that find set bits.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Bmi2;

#[cfg(target_arch = "x86_64")]
impl Processor for Bmi2 {
    type Four = [u64; 4];

    #[inline(always)]
    fn set_bit(one: u64, word: u64) -> u64 {
        // SAFETY: `play` and `play_scalar` name this type only where they have seen that the processor has the instruction.
        unsafe { std::arch::x86_64::_pdep_u64(one, word) }
    }
}

/// Every processor. A bit is found by its byte, from a sum over bytes, and then among the bits one by one.
pub(crate) struct Portable;

impl Processor for Portable {
    type Four = [u64; 4];

    #[inline(always)]
    fn set_bit(one: u64, word: u64) -> u64 {
        const BYTES: u64 = 0x0101_0101_0101_0101;
        let n = u64::from(one.trailing_zeros());
        let pairs = word - (word >> 1 & (0x55 * BYTES));
        let nibbles = (pairs & (0x33 * BYTES)) + (pairs >> 2 & (0x33 * BYTES));
        // In every byte, the set bits of the word up to and including it.
        let sums = ((nibbles + (nibbles >> 4)) & (0x0f * BYTES)).wrapping_mul(BYTES);
        if n >= sums >> 56 {
            return 0;
        }
        // A byte's highest bit tells whether its sum is at most `n`; these bytes come first.
        let before = ((((n * BYTES) | (0x80 * BYTES)) - sums) & (0x80 * BYTES)).count_ones() * 8;
        let mut byte = word >> before;
        for _ in 0..n - (sums << 8 >> before & 0xff) {
            byte &= byte - 1;
        }
        (byte & byte.wrapping_neg()) << before
    }
}

/// Plays with the best code for this processor.
pub(crate) fn play<G: Simulator>(count: u64, random: &mut Wyrand) -> Totals {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn fast<G: Simulator>(count: u64, random: &mut Wyrand) -> Totals {
            G::play::<Avx2>(count, random)
        }
        let has_bits = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("lzcnt");
        if has_bits && is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has all of these instructions.
            return unsafe { fast::<G>(count, random) };
        }
    }
    play_portably::<G>(count, random)
}

/// Plays without vector instructions, with what else the processor has.
pub(crate) fn play_scalar<G: Simulator>(count: u64, random: &mut Wyrand) -> Totals {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn fast<G: Simulator>(count: u64, random: &mut Wyrand) -> Totals {
            G::play::<Bmi2>(count, random)
        }
        let has_bits = is_x86_feature_detected!("bmi1") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("lzcnt");
        if has_bits && is_x86_feature_detected!("popcnt") {
            // SAFETY: the processor has all of these instructions.
            return unsafe { fast::<G>(count, random) };
        }
    }
    play_portably::<G>(count, random)
}

/// Plays with the code for any processor.
pub(crate) fn play_portably<G: Simulator>(count: u64, random: &mut Wyrand) -> Totals {
    G::play::<Portable>(count, random)
}

/// Wyrand: a counter, and the two halves of a product. It passes the usual tests and costs an addition and a multiplication.
#[derive(Clone, Debug)]
pub(crate) struct Wyrand(u64);

impl Wyrand {
    pub(crate) fn new(seed: u64) -> Wyrand {
        Wyrand(seed)
    }

    #[inline(always)]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0xa076_1d64_78bd_642f);
        let product = u128::from(self.0) * u128::from(self.0 ^ 0xe703_7ed1_a0b4_28db);
        (product >> 64) as u64 ^ product as u64
    }

    /// Enough for two choices.
    #[inline(always)]
    pub(crate) fn two(&mut self) -> [Half; 2] {
        let bits = self.bits();
        [Half(bits & 0xffff_ffff), Half(bits >> 32)]
    }
}

/// 32 random bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Half(u64);

impl Half {
    /// A number in `0..bound`, uniform but for a bias below `bound / 2^32`.
    #[inline(always)]
    pub(crate) fn below(self, bound: u32) -> u32 {
        ((self.0 * u64::from(bound)) >> 32) as u32
    }
}

/// The fast way and the portable way to find a bit must agree.
pub(crate) fn check_set_bit() {
    let mut random = Wyrand::new(1);
    for round in 0..10_000 {
        let word = if round % 2 == 0 { random.bits() } else { random.bits() & random.bits() & random.bits() };
        let mut rest = word;
        for n in 0..64 {
            let bit = rest & rest.wrapping_neg();
            rest ^= bit;
            assert_eq!(Portable::set_bit(1 << n, word), bit, "bit {n} of {word:#x}");
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("bmi2") {
                assert_eq!(Bmi2::set_bit(1 << n, word), bit, "bit {n} of {word:#x}");
            }
        }
    }
}

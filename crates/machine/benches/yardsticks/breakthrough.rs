//! Breakthrough on eight by eight squares: column c and row r, from 0, are bit 8r + c.

use crate::hand::{End, FIRST_WINS, Half, Match, Processor, SECOND_WINS, Simulator, Totals, Wyrand, one_by_one, side_by_side};

pub(crate) struct Breakthrough;

impl Simulator for Breakthrough {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        side_by_side::<Board, P>(count, random)
    }
}

/// One match at a time.
pub(crate) struct Scalar;

impl Simulator for Scalar {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        one_by_one::<Board, P>(count, random)
    }
}

const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << 7;
const FIRST_ROW: u64 = 0xff;
const LAST_ROW: u64 = FIRST_ROW << 56;

struct Board {
    white: u64,
    black: u64,
}

impl Match for Board {
    #[inline(always)]
    fn new() -> Board {
        Board { white: 0xffff, black: 0xffff << 48 }
    }

    #[inline(always)]
    fn round<P: Processor>(&mut self, random: &mut Wyrand) -> Option<End> {
        let [first, second] = random.two();
        // Steps are known by where they end.
        let straight = self.white << 8 & !(self.white | self.black);
        let left = (self.white & !FIRST_COLUMN) << 7 & !self.white;
        let right = (self.white & !LAST_COLUMN) << 9 & !self.white;
        let [straight, left, right] = one_of::<P>([straight, left, right], first);
        let to = straight | left | right;
        self.white ^= to | straight >> 8 | left >> 7 | right >> 9;
        self.black &= !to;
        if self.white & LAST_ROW != 0 || self.black == 0 {
            return Some(End { plies: 1, points: FIRST_WINS });
        }
        let straight = self.black >> 8 & !(self.white | self.black);
        let left = (self.black & !FIRST_COLUMN) >> 9 & !self.black;
        let right = (self.black & !LAST_COLUMN) >> 7 & !self.black;
        let [straight, left, right] = one_of::<P>([straight, left, right], second);
        let to = straight | left | right;
        self.black ^= to | straight << 8 | left << 9 | right << 7;
        self.white &= !to;
        let won = self.black & FIRST_ROW != 0 || self.white == 0;
        won.then_some(End { plies: 2, points: SECOND_WINS })
    }
}

/// Leaves one set bit in one of three words. There is no branch that could be guessed wrong: in a word that is passed over, the bit looked for lies
/// beyond the last, or has been shifted out.
#[inline(always)]
fn one_of<P: Processor>(steps: [u64; 3], random: Half) -> [u64; 3] {
    let first = steps[0].count_ones();
    let second = first + steps[1].count_ones();
    let one = 1_u64 << random.below(second + steps[2].count_ones());
    [P::set_bit(one, steps[0]), P::set_bit(one >> first, steps[1]), P::set_bit(one >> second, steps[2])]
}

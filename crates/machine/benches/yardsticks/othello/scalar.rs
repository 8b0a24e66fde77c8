//! Othello without vectors.

use super::points;
use crate::hand::{End, Half, Match, Processor, Wyrand};

/// Where discs can be enclosed along a row: not in the outer columns.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// Per square, the squares of the lines from it: four ways up in the word, and the same ways down.
static RAYS: [[[u64; 4]; 2]; 64] = {
    let mut table = [[[0; 4]; 2]; 64];
    let steps = [(1, 0), (0, 1), (-1, 1), (1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut way = 0;
        while way < 4 {
            let (by_column, by_row) = steps[way];
            let mut distance = -7;
            while distance <= 7 {
                let (column, row) = (square % 8 + distance * by_column, square / 8 + distance * by_row);
                if distance != 0 && column >= 0 && column < 8 && row >= 0 && row < 8 {
                    table[square as usize][(distance < 0) as usize][way] |= 1 << (8 * row + column);
                }
                distance += 1;
            }
            way += 1;
        }
        square += 1;
    }
    table
};

pub(super) struct Board {
    black: u64,
    white: u64,
}

impl Match for Board {
    #[inline(always)]
    fn new() -> Board {
        Board { black: 1 << 28 | 1 << 35, white: 1 << 27 | 1 << 36 }
    }

    #[inline(always)]
    fn round<P: Processor>(&mut self, random: &mut Wyrand) -> Option<End> {
        let [first, second] = random.two();
        if !turn::<P>(&mut self.black, &mut self.white, first) {
            return Some(End { plies: 0, points: points(self.black, self.white) });
        }
        if !turn::<P>(&mut self.white, &mut self.black, second) {
            return Some(End { plies: 1, points: points(self.black, self.white) });
        }
        None
    }
}

/// Places a disc, or passes; neither if the match is over.
#[inline(always)]
fn turn<P: Processor>(own: &mut u64, other: &mut u64, random: Half) -> bool {
    let squares = placeable(*own, *other);
    if squares == 0 {
        return placeable(*other, *own) != 0;
    }
    let disc = P::set_bit(1 << random.below(squares.count_ones()), squares);
    let turned = turned(*own, *other, disc.trailing_zeros());
    *own ^= turned | disc;
    *other ^= turned;
    true
}

/// The vacant squares from which a line encloses discs.
#[inline(always)]
fn placeable(own: u64, other: u64) -> u64 {
    let inner = other & INNER;
    // Along a row upwards, a one that is added at the lower end of a run is carried to the square beyond it.
    let row = ((own << 1 & inner) + inner) & !inner;
    let found = row | down::<1>(own, inner) | both::<8>(own, other) | both::<7>(own, inner) | both::<9>(own, inner);
    found & !(own | other)
}

#[inline(always)]
fn both<const STEP: u32>(own: u64, other: u64) -> u64 {
    up::<STEP>(own, other) | down::<STEP>(own, other)
}

/// The squares beyond runs of the other player's discs that begin beside one's own. Runs grow by one, by one, by two and by two.
#[inline(always)]
fn up<const STEP: u32>(own: u64, other: u64) -> u64 {
    let pairs = other & other << STEP;
    let mut run = own << STEP & other;
    run |= run << STEP & other;
    run |= run << (2 * STEP) & pairs;
    run |= run << (2 * STEP) & pairs;
    run << STEP
}

#[inline(always)]
fn down<const STEP: u32>(own: u64, other: u64) -> u64 {
    let pairs = other & other >> STEP;
    let mut run = own >> STEP & other;
    run |= run >> STEP & other;
    run |= run >> (2 * STEP) & pairs;
    run |= run >> (2 * STEP) & pairs;
    run >> STEP
}

/// The discs of the other player that a disc turns over: those before the first square of a line that the other player does not hold, if it is one's own.
#[inline(always)]
fn turned(own: u64, other: u64, square: u32) -> u64 {
    let [ups, downs] = &RAYS[square as usize & 63];
    let up = |ray: u64| {
        let beyond = ray & !other;
        let bound = beyond & beyond.wrapping_neg() & own;
        bound.wrapping_sub(u64::from(bound != 0)) & ray
    };
    let down = |ray: u64| {
        // Where there is no such square, the bit named here is the highest, which is in no line downwards.
        let bound = (1 << 63 >> ((ray & !other).leading_zeros() & 63)) & own & ray;
        (bound << 1).wrapping_neg() & ray
    };
    up(ups[0]) | up(ups[1]) | up(ups[2]) | up(ups[3]) | down(downs[0]) | down(downs[1]) | down(downs[2]) | down(downs[3])
}

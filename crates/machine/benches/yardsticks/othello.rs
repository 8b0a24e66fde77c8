//! Othello on eight by eight squares: column c and row r, from 0, are bit 8r + c.

mod scalar;

use crate::four::Four;
use crate::hand::{
    DRAW, End, FIRST_WINS, Half, Match, Processor, SECOND_WINS, Simulator, Totals, Wyrand, one_by_one, side_by_side,
};

pub(crate) struct Othello;

impl Simulator for Othello {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        side_by_side::<Board, P>(count, random)
    }
}

/// One match at a time, without vectors.
pub(crate) struct Scalar;

impl Simulator for Scalar {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        one_by_one::<scalar::Board, P>(count, random)
    }
}

/// From a square to its neighbour further up in the word: east, south, south-west, south-east.
const STEPS: [u64; 4] = [1, 8, 7, 9];
const STRIDES: [u64; 4] = [2, 16, 14, 18];
/// By step, where discs can be enclosed: not beside the edge where the line would leave the row.
const WITHIN: [u64; 4] = [0x7e7e_7e7e_7e7e_7e7e, u64::MAX, 0x7e7e_7e7e_7e7e_7e7e, 0x7e7e_7e7e_7e7e_7e7e];

/// Per square and step: the squares of the line upwards from it.
static RAYS: [[u64; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut way = 0;
        while way < 4 {
            let [mut at, mut seen] = [1_u64 << square, 0];
            let edge = [0x8080_8080_8080_8080, 0, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080][way];
            while at & !edge != 0 {
                at <<= STEPS[way];
                seen |= at;
            }
            table[square][way] = seen;
            way += 1;
        }
        square += 1;
    }
    table
};

struct Board {
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
            return Some(self.end(0));
        }
        if !turn::<P>(&mut self.white, &mut self.black, second) {
            return Some(self.end(1));
        }
        None
    }
}

impl Board {
    #[inline(always)]
    fn end(&self, plies: u64) -> End {
        End { plies, points: points(self.black, self.white) }
    }
}

/// Of both players at the end.
#[inline(always)]
fn points(black: u64, white: u64) -> [u64; 2] {
    match black.count_ones().cmp(&white.count_ones()) {
        std::cmp::Ordering::Less => SECOND_WINS,
        std::cmp::Ordering::Equal => DRAW,
        std::cmp::Ordering::Greater => FIRST_WINS,
    }
}

/// Places a disc, or passes; neither if the match is over.
#[inline(always)]
fn turn<P: Processor>(own: &mut u64, other: &mut u64, random: Half) -> bool {
    let squares = placeable::<P::Four>(*own, *other);
    if squares == 0 {
        return placeable::<P::Four>(*other, *own) != 0;
    }
    let disc = P::set_bit(1 << random.below(squares.count_ones()), squares);
    let turned = turned::<P::Four>(*own, *other, disc);
    *own ^= turned | disc;
    *other ^= turned;
    true
}

/// The vacant squares from which a line encloses discs. Rows of the other player's discs grow from the player's own: by one, by one, by two and by
/// two.
#[inline(always)]
fn placeable<F: Four>(own: u64, other: u64) -> u64 {
    let (step, stride) = (F::of(STEPS), F::of(STRIDES));
    let vacant = !(own | other);
    let own = F::all(own);
    let other = F::all(other).and(F::of(WITHIN));
    let mut up = own.shl(step).and(other);
    let mut down = own.shr(step).and(other);
    up = up.or(up.shl(step).and(other));
    down = down.or(down.shr(step).and(other));
    let pairs_up = other.shl(step).and(other);
    let pairs_down = other.shr(step).and(other);
    up = up.or(up.shl(stride).and(pairs_up));
    down = down.or(down.shr(stride).and(pairs_down));
    up = up.or(up.shl(stride).and(pairs_up));
    down = down.or(down.shr(stride).and(pairs_down));
    up.shl(step).or(down.shr(step)).any() & vacant
}

/// The discs of the other player that a disc turns over.
#[inline(always)]
fn turned<F: Four>(own: u64, other: u64, disc: u64) -> u64 {
    let (step, stride) = (F::of(STEPS), F::of(STRIDES));
    let (own, other) = (F::all(own), F::all(other));
    // Upwards, a one that is added at the bottom is carried to the first square of the line that the other player does not hold; below it is what is
    // turned, if it is the player's own.
    let ray = F::of(RAYS[disc.trailing_zeros() as usize & 63]);
    let all = F::all(u64::MAX);
    let bound = other.or(all.and_not(ray)).minus(all).and(own.and(ray));
    let up = bound.plus(all).minus(bound.is_zero()).and(ray);
    // Downwards nothing is carried: the row grows from the disc as above, and counts if one of the player's own is at its end.
    let other = other.and(F::of(WITHIN));
    let pairs = other.shr(step).and(other);
    let mut down = F::all(disc).shr(step).and(other);
    down = down.or(down.shr(step).and(other));
    down = down.or(down.shr(stride).and(pairs));
    down = down.or(down.shr(stride).and(pairs));
    let down = down.and_not(down.shr(step).and(own).is_zero());
    up.or(down).any()
}

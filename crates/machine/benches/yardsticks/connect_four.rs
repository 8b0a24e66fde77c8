//! Connect Four on eight columns of six rows.

use crate::four::Four;
use crate::hand::{DRAW, End, FIRST_WINS, Half, Match, Processor, SECOND_WINS, Simulator, Totals, Wyrand, side_by_side};

pub(crate) struct ConnectFour;

impl Simulator for ConnectFour {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        side_by_side::<Board, P>(count, random)
    }
}

/// The lowest cells: a column has seven bits, the seventh of which stays clear, so that lines do not run on into the next column.
const BOTTOM: u64 = 0x0002_0408_1020_4081;
const CELLS: u64 = BOTTOM * 0x3f;

/// Discs of the first player, and of both.
struct Board {
    first: u64,
    all: u64,
}

impl Match for Board {
    #[inline(always)]
    fn new() -> Board {
        Board { first: 0, all: 0 }
    }

    #[inline(always)]
    fn round<P: Processor>(&mut self, random: &mut Wyrand) -> Option<End> {
        let [first, second] = random.two();
        let disc = self.drop::<P>(first);
        self.first |= disc;
        self.all |= disc;
        if has_line::<P::Four>(self.first) {
            return Some(End { plies: 1, points: FIRST_WINS });
        }
        self.all |= self.drop::<P>(second);
        if has_line::<P::Four>(self.all ^ self.first) {
            return Some(End { plies: 2, points: SECOND_WINS });
        }
        // The number of cells is even: the second player fills the last one.
        (self.all == CELLS).then_some(End { plies: 2, points: DRAW })
    }
}

impl Board {
    /// Where a disc comes to rest.
    #[inline(always)]
    fn drop<P: Processor>(&self, random: Half) -> u64 {
        let landings = (self.all + BOTTOM) & CELLS;
        P::set_bit(1 << random.below(landings.count_ones()), landings)
    }
}

/// Four in a line are two pairs, the second one two steps further on.
#[inline(always)]
fn has_line<F: Four>(discs: u64) -> bool {
    let discs = F::all(discs);
    let pairs = discs.shr(F::of([1, 6, 7, 8])).and(discs);
    pairs.shr(F::of([2, 12, 14, 16])).and(pairs).is_some()
}

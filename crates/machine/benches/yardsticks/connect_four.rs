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

/// One match at a time. A column is drawn among all, and again if it is full: that happens seldom, and what the processor does meanwhile need not wait for
/// how many columns are open.
pub(crate) struct Scalar;

impl Simulator for Scalar {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        let mut totals = Totals::default();
        for _ in 0..count {
            totals.add(play_one(random));
        }
        totals
    }
}

/// Every column has eight bits, the upper two of which stay clear.
const SPARE: u64 = 0x0101_0101_0101_0101 << 6;

#[inline(always)]
fn play_one(random: &mut Wyrand) -> End {
    let mut board = Board { first: 0, all: 0 };
    // In six plies no column is overfull, and nobody has four discs.
    let mut bits = random.bits();
    for _ in 0..3 {
        let disc = landing(board.all, bits);
        board.first |= disc;
        board.all |= disc;
        board.all |= landing(board.all, bits >> 3);
        bits >>= 6;
    }
    for round in 3..24 {
        let bits = random.bits();
        let disc = drop(board.all, bits, random);
        board.first |= disc;
        board.all |= disc;
        if is_line(board.first) {
            return End { plies: 2 * round + 1, points: FIRST_WINS };
        }
        board.all |= drop(board.all, bits >> 32, random);
        if is_line(board.all ^ board.first) {
            return End { plies: 2 * round + 2, points: SECOND_WINS };
        }
    }
    End { plies: 48, points: DRAW }
}

/// Where a disc comes to rest in the column that three bits name, or in the spare bit above a column that is full.
#[inline(always)]
fn landing(all: u64, bits: u64) -> u64 {
    (all + (1 << (bits & 0o70))) & !all
}

#[inline(always)]
fn drop(all: u64, bits: u64, random: &mut Wyrand) -> u64 {
    let mut disc = landing(all, bits);
    while disc & SPARE != 0 {
        disc = landing(all, random.bits());
    }
    disc
}

/// As `has_line`, word by word.
#[inline(always)]
fn is_line(discs: u64) -> bool {
    let line = |step: u32| {
        let pairs = discs & discs >> step;
        pairs & pairs >> (2 * step)
    };
    line(1) | line(7) | line(8) | line(9) != 0
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

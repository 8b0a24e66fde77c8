//! Tic-tac-toe, nine bits per player.

use crate::hand::{DRAW, End, FIRST_WINS, Processor, SECOND_WINS, Simulator, Totals, Wyrand};

pub(crate) struct TicTacToe;

/// Whether marks have a line: row r and column c, from 0, are bit 3r + c.
static LINE: [u8; 512] = {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut table = [0; 512];
    let mut marks = 0;
    while marks < 512 {
        let mut index = 0;
        while index < lines.len() {
            if marks & lines[index] == lines[index] {
                table[marks] = 1;
            }
            index += 1;
        }
        marks += 1;
    }
    table
};

/// By the number of plies after which the first line stands, 10 for never.
const POINTS: [[u64; 2]; 11] =
    [DRAW, FIRST_WINS, SECOND_WINS, FIRST_WINS, SECOND_WINS, FIRST_WINS, SECOND_WINS, FIRST_WINS, SECOND_WINS, FIRST_WINS, DRAW];

impl Simulator for TicTacToe {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        let mut totals = Totals::default();
        for _ in 0..count {
            // The end of a match cannot be foretold, and a wrong guess costs more than the rest of the board: it is filled to the last cell, and the
            // end found afterwards.
            let lines = fill::<P>(random.bits());
            let end = (lines | 1 << 10).trailing_zeros() as usize;
            totals.plies += end.min(9) as u64;
            let points = POINTS[end.min(10)];
            totals.points[0] += points[0];
            totals.points[1] += points[1];
        }
        totals
    }
}

/// One match at a time, which ends when it is over.
pub(crate) struct Scalar;

impl Simulator for Scalar {
    #[inline(always)]
    fn play<P: Processor>(count: u64, random: &mut Wyrand) -> Totals {
        let mut totals = Totals::default();
        for _ in 0..count {
            totals.add(play_one::<P>(random.bits()));
        }
        totals
    }
}

#[inline(always)]
fn play_one<P: Processor>(random: u64) -> End {
    let mut board = Board { digits: random, free: 0o777, marks: [0, 0], lines: 0 };
    board.ply::<1, P>();
    board.ply::<2, P>();
    board.ply::<3, P>();
    board.ply::<4, P>();
    board.ply::<5, P>();
    if board.lines != 0 {
        return End { plies: 5, points: FIRST_WINS };
    }
    board.ply::<6, P>();
    if board.lines != 0 {
        return End { plies: 6, points: SECOND_WINS };
    }
    board.ply::<7, P>();
    if board.lines != 0 {
        return End { plies: 7, points: FIRST_WINS };
    }
    board.ply::<8, P>();
    if board.lines != 0 {
        return End { plies: 8, points: SECOND_WINS };
    }
    board.ply::<9, P>();
    End { plies: 9, points: if board.lines == 0 { DRAW } else { FIRST_WINS } }
}

/// A board that is being filled.
struct Board {
    /// One random number has enough digits for all choices: times the number of free cells, it carries the next choice above its 64 bits.
    digits: u64,
    free: u64,
    marks: [u64; 2],
    /// Bit n is set if the player who moved has a line after n plies.
    lines: u32,
}

/// Fills the board. Compilers left alone make a loop of it, with branches inside.
#[inline(always)]
fn fill<P: Processor>(random: u64) -> u32 {
    let mut board = Board { digits: random, free: 0o777, marks: [0, 0], lines: 0 };
    board.ply::<1, P>();
    board.ply::<2, P>();
    board.ply::<3, P>();
    board.ply::<4, P>();
    board.ply::<5, P>();
    board.ply::<6, P>();
    board.ply::<7, P>();
    board.ply::<8, P>();
    board.ply::<9, P>();
    board.lines
}

impl Board {
    #[inline(always)]
    fn ply<const PLY: u32, P: Processor>(&mut self) {
        let cell = if PLY < 9 {
            let product = u128::from(self.digits) * u128::from(10 - PLY);
            self.digits = product as u64;
            P::set_bit(1 << ((product >> 64) as u64), self.free)
        } else {
            self.free
        };
        self.free ^= cell;
        let own = &mut self.marks[(PLY as usize + 1) % 2];
        *own |= cell;
        // Before the fifth ply nobody has three marks.
        if PLY >= 5 {
            self.lines |= u32::from(LINE[(*own & 0o777) as usize]) << PLY;
        }
    }
}

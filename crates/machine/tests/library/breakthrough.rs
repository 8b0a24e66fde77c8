//! Breakthrough, with a bitboard per player: square a1 is bit 0, b1 bit 1, a2 bit 8.

use crate::harness::{Simulator, agree, points_of_two, words};

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = COLUMN_A << 7;
const LAST: [u64; 2] = [0xff << 56, 0xff];

#[derive(Clone)]
struct Breakthrough {
    pieces: [u64; 2],
    mover: usize,
}

impl Breakthrough {
    /// Where the pieces of the mover on `from` can go: a step forward of everything, and of that a step to either side.
    fn targets(&self, from: u64) -> u64 {
        let front = if self.mover == 0 { from << 8 } else { from >> 8 };
        let beside = (front & !COLUMN_A) >> 1 | (front & !COLUMN_H) << 1;
        front & !(self.pieces[0] | self.pieces[1]) | beside & !self.pieces[self.mover]
    }

    fn wins(&self, player: usize) -> bool {
        self.pieces[player] & LAST[player] != 0 || self.pieces[1 - player] == 0
    }
}

fn name(square: usize) -> String {
    format!("{} {}", &"abcdefgh"[square % 8..=square % 8], square / 8 + 1)
}

fn square(column: &str, row: &str) -> u64 {
    let column = "abcdefgh".find(column).expect("a column");
    1 << (8 * (row.parse::<usize>().expect("a row") - 1) + column)
}

fn squares(board: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |square| board >> square & 1 == 1)
}

impl Simulator for Breakthrough {
    fn new() -> Breakthrough {
        Breakthrough { pieces: [0xffff, 0xffff << 48], mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let moves_of =
            |from: usize| squares(self.targets(1 << from)).map(move |to| format!("(move {} {})", name(from), name(to)));
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.mover] = squares(self.pieces[self.mover]).flat_map(moves_of).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let words = words(&joint[self.mover]);
        let (from, to) = (square(words[1], words[2]), square(words[3], words[4]));
        self.pieces[self.mover] ^= from | to;
        self.mover = 1 - self.mover;
        self.pieces[self.mover] &= !to;
    }

    fn terminal(&self) -> bool {
        self.wins(0) || self.wins(1)
    }

    fn points(&self) -> Vec<u8> {
        points_of_two((0..2).find(|&player| self.wins(player)))
    }
}

#[test]
fn agrees() {
    agree::<Breakthrough>("breakthrough");
}

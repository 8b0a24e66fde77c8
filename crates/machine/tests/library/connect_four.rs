//! Connect Four, with a bitboard per player: seven bits to a column, the topmost of them always empty, so that no line runs from one
//! column's top into the next one's bottom.

use crate::harness::{Simulator, agree, points_of_two, words};

const COLUMNS: usize = 7;
const ROWS: u32 = 6;

#[derive(Clone)]
struct ConnectFour {
    discs: [u64; 2],
    mover: usize,
}

impl ConnectFour {
    fn has_line(&self, player: usize) -> bool {
        let discs = self.discs[player];
        [1, 6, 7, 8].iter().any(|shift| {
            let pairs = discs & discs >> shift;
            pairs & pairs >> (2 * shift) != 0
        })
    }

    /// How many discs lie in a column.
    fn height(&self, column: usize) -> u32 {
        ((self.discs[0] | self.discs[1]) >> (7 * column) & 0x7f).count_ones()
    }
}

impl Simulator for ConnectFour {
    fn new() -> ConnectFour {
        ConnectFour { discs: [0, 0], mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        let open = (0..COLUMNS).filter(|&column| self.height(column) < ROWS);
        legal[self.mover] = open.map(|column| format!("(drop {})", column + 1)).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let column = words(&joint[self.mover])[1].parse::<usize>().expect("a column") - 1;
        self.discs[self.mover] |= 1 << (7 * column) << self.height(column);
        self.mover = 1 - self.mover;
    }

    fn terminal(&self) -> bool {
        self.has_line(0) || self.has_line(1) || (0..COLUMNS).all(|column| self.height(column) == ROWS)
    }

    fn points(&self) -> Vec<u8> {
        points_of_two((0..2).find(|&player| self.has_line(player)))
    }
}

#[test]
fn agrees() {
    agree::<ConnectFour>("connect_four");
}

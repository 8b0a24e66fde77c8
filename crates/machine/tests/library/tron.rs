//! Tron, on a board with a rim of cells that count as ridden over.

use crate::harness::{Simulator, agree};

const SIDE: usize = 12;

/// Clockwise, and how far the next cell lies ahead of the one a row further south.
const MOVES: [(&str, usize); 4] = [("(go north)", 2 * SIDE), ("(go east)", SIDE + 1), ("(go south)", 0), ("(go west)", SIDE - 1)];

#[derive(Clone)]
struct Tron {
    full: [bool; SIDE * SIDE],
    heads: [usize; 2],
    /// Indices of `MOVES`.
    headings: [usize; 2],
    crashed: [bool; 2],
}

impl Simulator for Tron {
    fn new() -> Tron {
        let heads = [5 * SIDE + 2, 6 * SIDE + 9];
        let mut full = [false; SIDE * SIDE];
        for (cell, full) in full.iter_mut().enumerate() {
            let (row, column) = (cell / SIDE, cell % SIDE);
            *full = row % (SIDE - 1) == 0 || column % (SIDE - 1) == 0 || heads.contains(&cell);
        }
        Tron { full, heads, headings: [1, 3], crashed: [false, false] }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let turns = |heading: usize| [3, 0, 1].map(|turn| MOVES[(heading + turn) % 4].0.to_owned()).to_vec();
        self.headings.map(turns).to_vec()
    }

    fn play(&mut self, joint: &[String]) {
        for (rider, text) in joint.iter().enumerate() {
            self.headings[rider] = MOVES.iter().position(|step| step.0 == text).expect("a direction");
            self.heads[rider] = self.heads[rider] - SIDE + MOVES[self.headings[rider]].1;
        }
        self.crashed = self.heads.map(|cell| self.full[cell] || self.heads[0] == self.heads[1]);
        for cell in self.heads {
            self.full[cell] = true;
        }
    }

    fn terminal(&self) -> bool {
        self.crashed.contains(&true)
    }

    fn points(&self) -> Vec<u8> {
        match self.crashed {
            [true, false] => vec![0, 100],
            [false, true] => vec![100, 0],
            _ => vec![50, 50],
        }
    }
}

#[test]
fn agrees() {
    agree::<Tron>("tron");
}

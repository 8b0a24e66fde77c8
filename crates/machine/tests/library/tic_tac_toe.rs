//! Tic-tac-toe, with nine bits per player.

use crate::harness::{Simulator, agree, numbers, points_of_two};

/// Rows, columns and diagonals; the cell in row r and column c, from 0, is bit 3r + c.
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

#[derive(Clone)]
struct TicTacToe {
    marks: [u16; 2],
    mover: usize,
}

impl TicTacToe {
    fn has_line(&self, player: usize) -> bool {
        LINES.iter().any(|line| self.marks[player] & line == *line)
    }
}

impl Simulator for TicTacToe {
    fn new() -> TicTacToe {
        TicTacToe { marks: [0, 0], mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let taken = self.marks[0] | self.marks[1];
        let free = (0..9).filter(|cell| taken >> cell & 1 == 0);
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.mover] = free.map(|cell| format!("(mark {} {})", cell / 3 + 1, cell % 3 + 1)).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let numbers: Vec<u16> = numbers(&joint[self.mover]);
        self.marks[self.mover] |= 1 << ((numbers[0] - 1) * 3 + numbers[1] - 1);
        self.mover = 1 - self.mover;
    }

    fn terminal(&self) -> bool {
        self.has_line(0) || self.has_line(1) || self.marks[0] | self.marks[1] == 0o777
    }

    fn points(&self) -> Vec<u8> {
        points_of_two((0..2).find(|&player| self.has_line(player)))
    }
}

#[test]
fn agrees() {
    agree::<TicTacToe>("tic_tac_toe");
}

//! Gomoku, with a word of fifteen bits per row and player: five rows laid over each other, each one shifted against the next by the
//! slope of the line, have a bit in common where five stones are in line.

use crate::harness::{Simulator, agree, points_of_two, words};

const SIZE: usize = 15;
const COLUMNS: &str = "abcdefghijklmno";

#[derive(Clone)]
struct Gomoku {
    rows: [[u32; SIZE]; 2],
    mover: usize,
}

impl Gomoku {
    fn has_line(&self, player: usize) -> bool {
        let rows = &self.rows[player];
        let across = |row: &u32| (0..5).fold(*row, |common, shift| common & row >> shift) != 0;
        let upwards = |rows: &[u32], slope: fn(u32, usize) -> u32| {
            rows.iter().enumerate().fold(u32::MAX, |common, (height, &row)| common & slope(row, height)) != 0
        };
        rows.iter().any(across)
            || rows.windows(5).any(|five| {
                upwards(five, |row, _| row)
                    || upwards(five, |row, height| row << height)
                    || upwards(five, |row, height| row >> height)
            })
    }

    fn vacant(&self, column: usize, row: usize) -> bool {
        (self.rows[0][row] | self.rows[1][row]) >> column & 1 == 0
    }

    fn points_of_board() -> impl Iterator<Item = (usize, usize)> {
        (0..SIZE * SIZE).map(|point| (point % SIZE, point / SIZE))
    }
}

impl Simulator for Gomoku {
    fn new() -> Gomoku {
        Gomoku { rows: [[0; SIZE]; 2], mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        let vacant = Gomoku::points_of_board().filter(|&(column, row)| self.vacant(column, row));
        legal[self.mover] = vacant.map(|(column, row)| format!("(place {} {})", &COLUMNS[column..=column], row + 1)).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let words = words(&joint[self.mover]);
        let column = COLUMNS.find(words[1]).expect("a column");
        let row = words[2].parse::<usize>().expect("a row") - 1;
        self.rows[self.mover][row] |= 1 << column;
        self.mover = 1 - self.mover;
    }

    fn terminal(&self) -> bool {
        self.has_line(0) || self.has_line(1) || !Gomoku::points_of_board().any(|(column, row)| self.vacant(column, row))
    }

    fn points(&self) -> Vec<u8> {
        points_of_two((0..2).find(|&player| self.has_line(player)))
    }
}

#[test]
fn agrees() {
    agree::<Gomoku>("gomoku");
}

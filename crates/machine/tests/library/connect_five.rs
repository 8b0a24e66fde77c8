//! Connect Five, on an array: a line is looked for through the last mark only, by walking both ways from it.

use crate::harness::{Simulator, agree, numbers, points_of_two};

const SIZE: usize = 8;

#[derive(Clone)]
struct ConnectFive {
    cells: [[Option<usize>; SIZE]; SIZE],
    marks: usize,
    winner: Option<usize>,
}

impl ConnectFive {
    fn mover(&self) -> usize {
        self.marks % 2
    }

    /// How many marks of a player lie side by side, from a cell on (without it) in steps of `by`.
    fn run(&self, player: usize, from: (usize, usize), by: (isize, isize)) -> usize {
        let mut cell = from;
        for length in 0.. {
            let next = (cell.0.checked_add_signed(by.0), cell.1.checked_add_signed(by.1));
            match next {
                (Some(x), Some(y)) if x < SIZE && y < SIZE && self.cells[x][y] == Some(player) => cell = (x, y),
                _ => return length,
            }
        }
        unreachable!("the board ends")
    }
}

impl Simulator for ConnectFive {
    fn new() -> ConnectFive {
        ConnectFive { cells: [[None; SIZE]; SIZE], marks: 0, winner: None }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        let all = (0..SIZE).flat_map(|x| (0..SIZE).map(move |y| (x, y)));
        let vacant = all.filter(|&(x, y)| self.cells[x][y].is_none());
        legal[self.mover()] = vacant.map(|(x, y)| format!("(mark {} {})", x + 1, y + 1)).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let player = self.mover();
        let numbers: Vec<usize> = numbers(&joint[player]);
        let cell = (numbers[0] - 1, numbers[1] - 1);
        self.cells[cell.0][cell.1] = Some(player);
        self.marks += 1;
        let length = |by: (isize, isize)| self.run(player, cell, by) + 1 + self.run(player, cell, (-by.0, -by.1));
        if [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|by| length(by) >= 5) {
            self.winner = Some(player);
        }
    }

    fn terminal(&self) -> bool {
        self.winner.is_some() || self.marks == SIZE * SIZE
    }

    fn points(&self) -> Vec<u8> {
        points_of_two(self.winner)
    }
}

#[test]
fn agrees() {
    agree::<ConnectFive>("connect_five");
}

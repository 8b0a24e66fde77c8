//! Sudoku on a 4x4 board, as a string of digits; two cells see each other if they have a row, a column or a block in common.

use crate::harness::{Simulator, agree, numbers};

#[derive(Clone)]
struct Sudoku {
    /// Row by row; 0 is an empty cell.
    digits: [u8; 16],
}

fn see(one: usize, other: usize) -> bool {
    let block = |cell: usize| (cell / 8, cell % 4 / 2);
    one / 4 == other / 4 || one % 4 == other % 4 || block(one) == block(other)
}

impl Sudoku {
    fn fits(&self, cell: usize, digit: u8) -> bool {
        self.digits[cell] == 0 && (0..16).all(|other| self.digits[other] != digit || !see(cell, other))
    }

    /// How many ways there are to complete the board.
    fn solutions(&self) -> usize {
        let Some(cell) = self.digits.iter().position(|&digit| digit == 0) else { return 1 };
        let fitting = (1..=4).filter(|&digit| self.fits(cell, digit));
        fitting
            .map(|digit| {
                let mut next = self.clone();
                next.digits[cell] = digit;
                next.solutions()
            })
            .sum()
    }
}

impl Simulator for Sudoku {
    fn new() -> Sudoku {
        Sudoku { digits: [0, 4, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 3] }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let all = (0..16).flat_map(|cell| (1..=4).map(move |digit| (cell, digit)));
        let fitting = all.filter(|&(cell, digit)| self.fits(cell, digit));
        vec![fitting.map(|(cell, digit)| format!("(fill {} {} {digit})", cell / 4 + 1, cell % 4 + 1)).collect()]
    }

    fn play(&mut self, joint: &[String]) {
        let numbers: Vec<usize> = numbers(&joint[0]);
        self.digits[(numbers[0] - 1) * 4 + numbers[1] - 1] = u8::try_from(numbers[2]).expect("a digit");
    }

    fn terminal(&self) -> bool {
        (0..16).all(|cell| (1..=4).all(|digit| !self.fits(cell, digit)))
    }

    fn points(&self) -> Vec<u8> {
        let empty = (0..16).filter(|&cell| self.digits[cell] == 0).count();
        vec![if empty == 0 { 100 } else { 60 - 5 * u8::try_from(empty).expect("at most twelve") }]
    }
}

#[test]
fn agrees() {
    agree::<Sudoku>("sudoku");
}

/// The clues leave one solution, and none of them can be spared. Without clues there are 288, which is published.
#[test]
fn the_clues_leave_one_solution() {
    let start = Sudoku::new();
    assert_eq!(start.solutions(), 1);
    for cell in (0..16).filter(|&cell| start.digits[cell] != 0) {
        let mut less = start.clone();
        less.digits[cell] = 0;
        assert!(less.solutions() > 1);
    }
    assert_eq!(Sudoku { digits: [0; 16] }.solutions(), 288);
}

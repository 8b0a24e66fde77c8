//! Amazons as an array of squares and rays walked over it.

use crate::harness::{Simulator, agree, words};

#[derive(Clone)]
struct Amazons {
    size: i32,
    /// `.` empty, `w` and `b` amazons, `*` arrow; rank by rank from the first.
    squares: Vec<char>,
    white: bool,
    archer: Option<i32>,
}

impl Amazons {
    fn set_up(size: i32, white: &[&str], black: &[&str]) -> Self {
        let mut start = Self { size, squares: vec!['.'; (size * size) as usize], white: true, archer: None };
        for (names, piece) in [(white, 'w'), (black, 'b')] {
            for name in names {
                let square = start.square(&name[..1], &name[1..]);
                start.squares[square as usize] = piece;
            }
        }
        start
    }

    fn square(&self, file: &str, rank: &str) -> i32 {
        (rank.parse::<i32>().unwrap() - 1) * self.size + i32::from(file.as_bytes()[0] - b'a')
    }

    fn name(&self, square: i32) -> String {
        format!("{} {}", char::from(b'a' + (square % self.size) as u8), square / self.size + 1)
    }

    /// The empty squares that a queen on `from` can reach.
    fn queen(&self, from: i32) -> Vec<i32> {
        let mut found = Vec::new();
        for (dx, dy) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let (mut x, mut y) = (from % self.size + dx, from / self.size + dy);
            while (0..self.size).contains(&x) && (0..self.size).contains(&y) && self.squares[(y * self.size + x) as usize] == '.'
            {
                found.push(y * self.size + x);
                (x, y) = (x + dx, y + dy);
            }
        }
        found
    }

    fn moves(&self) -> Vec<String> {
        if let Some(archer) = self.archer {
            return self.queen(archer).into_iter().map(|to| format!("(shoot {})", self.name(to))).collect();
        }
        let own = if self.white { 'w' } else { 'b' };
        let amazons = (0..self.size * self.size).filter(|&square| self.squares[square as usize] == own);
        amazons
            .flat_map(|from| self.queen(from).into_iter().map(move |to| (from, to)))
            .map(|(from, to)| format!("(move {} {})", self.name(from), self.name(to)))
            .collect()
    }

    fn apply(&mut self, action: &str) {
        let action = words(action);
        let first = self.square(action[1], action[2]);
        if action[0] == "move" {
            let second = self.square(action[3], action[4]);
            self.squares.swap(first as usize, second as usize);
            self.archer = Some(second);
        } else {
            self.squares[first as usize] = '*';
            self.archer = None;
            self.white = !self.white;
        }
    }
}

impl Simulator for Amazons {
    fn new() -> Self {
        Self::set_up(8, &["a3", "c1", "f1", "h3"], &["a6", "c8", "f8", "h6"])
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let wait = vec!["noop".to_string()];
        if self.white { vec![self.moves(), wait] } else { vec![wait, self.moves()] }
    }

    fn play(&mut self, joint: &[String]) {
        self.apply(&joint[usize::from(!self.white)]);
    }

    fn terminal(&self) -> bool {
        self.moves().is_empty()
    }

    fn points(&self) -> Vec<u8> {
        match (self.terminal(), self.white) {
            (false, _) => vec![50, 50],
            (true, true) => vec![0, 100],
            (true, false) => vec![100, 0],
        }
    }
}

#[test]
fn agrees() {
    agree::<Amazons>("amazons");
}

/// The published number of first turns on the large board.
#[test]
fn first_turns_of_the_large_board() {
    let start = Amazons::set_up(10, &["a4", "d1", "g1", "j4"], &["a7", "d10", "g10", "j7"]);
    let shots = start.moves().into_iter().map(|action| {
        let mut moved = start.clone();
        moved.apply(&action);
        moved.moves().len()
    });
    assert_eq!(shots.sum::<usize>(), 2176);
}

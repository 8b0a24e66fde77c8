//! Othello, on an array of squares with a border, walking out from the placed disc as a player's finger does.

use crate::harness::{Simulator, agree, words};

/// Ten squares to a row: the board and a border around it.
const WIDTH: usize = 10;
/// The eight neighbours of a square, counted from the one above and to the left, which is `CORNER` squares before it.
const NEIGHBOURS: [usize; 8] = [0, 1, 2, 10, 12, 20, 21, 22];
const CORNER: usize = WIDTH + 1;

#[derive(Clone, Copy, PartialEq)]
enum Square {
    Border,
    Vacant,
    Disc(usize),
}

#[derive(Clone)]
struct Othello {
    squares: [Square; WIDTH * WIDTH],
    mover: usize,
}

impl Othello {
    /// The discs that a player who places one at `from` turns over.
    fn turned(&self, player: usize, from: usize) -> Vec<usize> {
        let mut turned = Vec::new();
        for way in NEIGHBOURS {
            let mut line = Vec::new();
            let mut at = from + way - CORNER;
            while self.squares[at] == Square::Disc(1 - player) {
                line.push(at);
                at = at + way - CORNER;
            }
            if self.squares[at] == Square::Disc(player) {
                turned.extend(line);
            }
        }
        turned
    }

    fn placements(&self, player: usize) -> Vec<usize> {
        let vacant = (0..self.squares.len()).filter(|&at| self.squares[at] == Square::Vacant);
        vacant.filter(|&at| !self.turned(player, at).is_empty()).collect()
    }

    fn discs(&self, player: usize) -> usize {
        self.squares.iter().filter(|&&square| square == Square::Disc(player)).count()
    }
}

impl Simulator for Othello {
    fn new() -> Othello {
        let mut squares = [Square::Border; WIDTH * WIDTH];
        for row in 1..=8 {
            squares[row * WIDTH + 1..=row * WIDTH + 8].fill(Square::Vacant);
        }
        for (at, player) in [(44, 1), (45, 0), (54, 0), (55, 1)] {
            squares[at] = Square::Disc(player);
        }
        Othello { squares, mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let name = |at: usize| format!("(place {} {})", &" abcdefgh"[at % WIDTH..=at % WIDTH], at / WIDTH);
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.mover] = self.placements(self.mover).into_iter().map(name).collect();
        if legal[self.mover].is_empty() {
            legal[self.mover].push("pass".to_owned());
        }
        legal
    }

    fn play(&mut self, joint: &[String]) {
        if let [_, column, row] = words(&joint[self.mover])[..] {
            let column = " abcdefgh".find(column).expect("a column");
            let at = row.parse::<usize>().expect("a row") * WIDTH + column;
            for turned in self.turned(self.mover, at) {
                self.squares[turned] = Square::Disc(self.mover);
            }
            self.squares[at] = Square::Disc(self.mover);
        }
        self.mover = 1 - self.mover;
    }

    fn terminal(&self) -> bool {
        self.placements(0).is_empty() && self.placements(1).is_empty()
    }

    fn points(&self) -> Vec<u8> {
        match self.discs(0).cmp(&self.discs(1)) {
            std::cmp::Ordering::Greater => vec![100, 0],
            std::cmp::Ordering::Less => vec![0, 100],
            std::cmp::Ordering::Equal => vec![50, 50],
        }
    }
}

#[test]
fn agrees() {
    agree::<Othello>("othello");
}

//! Cylinder checkers, on the board of checkers with its sides joined.

use crate::checkers::{Board, Square};
use crate::harness::{Simulator, agree, words};
use std::cmp::Ordering;

/// After how many turns of both sides together the match ends.
const TURNS: usize = 50;

#[derive(Clone)]
struct CylinderCheckers {
    board: Board,
    turns: usize,
}

fn text(moved: (Square, Square)) -> String {
    let square = |(file, rank): Square| format!("{} {}", char::from(b"abcdefgh"[file]), rank + 1);
    format!("(move {} {})", square(moved.0), square(moved.1))
}

impl Simulator for CylinderCheckers {
    fn new() -> CylinderCheckers {
        CylinderCheckers { board: Board::new(true), turns: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.board.mover] = self.board.moves().into_iter().map(text).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let wanted = words(&joint[self.board.mover]);
        let moved = self.board.moves().into_iter().find(|moved| words(&text(*moved)) == wanted).expect("a legal move");
        self.turns += usize::from(self.board.play(moved).turn_over);
    }

    fn terminal(&self) -> bool {
        self.turns == TURNS || self.board.moves().is_empty()
    }

    fn points(&self) -> Vec<u8> {
        let [red, black] = [0, 1].map(|side| self.board.pieces(side));
        let ahead = u8::try_from(red.abs_diff(black)).expect("at most twelve");
        let more = if red == 0 || black == 0 { 100 } else { (50 + 10 * ahead).min(100) };
        match red.cmp(&black) {
            Ordering::Less => vec![100 - more, more],
            Ordering::Equal => vec![50, 50],
            Ordering::Greater => vec![more, 100 - more],
        }
    }
}

#[test]
fn agrees() {
    agree::<CylinderCheckers>("cylinder_checkers");
}

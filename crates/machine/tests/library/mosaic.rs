//! Mosaic, with a board of bits for every player: cell (x, y) is bit 9y + x, and a ninth column keeps the rows apart.

use crate::harness::{Simulator, agree, words};
use std::cmp::Ordering;

const WIDTH: i32 = 9;
const SIDE: i32 = 8;

type Cells = &'static [(i32, i32)];

/// A piece as it lies first, and the names of what it becomes by quarter turns clockwise.
const PIECES: [(Cells, &[&str]); 6] = [
    (&[(0, 0)], &["single"]),
    (&[(0, 0), (1, 0)], &["domino_we", "domino_sn"]),
    (&[(0, 0), (1, 0), (2, 0)], &["bar_we", "bar_sn"]),
    (&[(0, 1), (0, 0), (1, 0)], &["angle_sw", "angle_nw", "angle_ne", "angle_se"]),
    (&[(0, 0), (1, 0), (0, 1), (1, 1)], &["square"]),
    (&[(0, 0), (1, 0), (2, 0), (1, 1)], &["tee_n", "tee_e", "tee_s", "tee_w"]),
];

/// The corners of red, yellow, green and blue.
const HOMES: [u128; 4] = [1, 1 << (7 * WIDTH), 1 << (7 * WIDTH + 7), 1 << 7];

const POINTS: [u8; 7] = [0, 17, 33, 50, 67, 83, 100];

#[derive(Clone)]
struct Mosaic {
    own: [u128; 4],
    hands: [[bool; 6]; 4],
    out: [bool; 4],
    mover: usize,
}

/// The cells of a piece after some quarter turns, moved so that its box begins at (column, row) from 0, if it is on the board.
fn lay(piece: usize, turns: usize, column: i32, row: i32) -> Option<u128> {
    let mut cells = PIECES[piece].0.to_vec();
    for _ in 0..turns {
        cells = cells.into_iter().map(|(x, y)| (y, -x)).collect();
    }
    let left = cells.iter().map(|cell| cell.0).min()?;
    let bottom = cells.iter().map(|cell| cell.1).min()?;
    let mut bits = 0;
    for (x, y) in cells.into_iter().map(|(x, y)| (x - left + column, y - bottom + row)) {
        if x >= SIDE || y >= SIDE {
            return None;
        }
        bits |= 1 << (y * WIDTH + x);
    }
    Some(bits)
}

impl Mosaic {
    fn placements(&self) -> Vec<String> {
        let own = self.own[self.mover];
        let around = |distances: [i32; 2]| distances.iter().fold(0, |bits, distance| bits | own << distance | own >> distance);
        let barred = self.own.iter().fold(0, |bits, cells| bits | cells) | around([1, WIDTH]);
        let open = HOMES[self.mover] | around([WIDTH - 1, WIDTH + 1]);
        let mut found = Vec::new();
        for piece in (0..6).filter(|&piece| self.hands[self.mover][piece]) {
            for (turns, name) in PIECES[piece].1.iter().enumerate() {
                for (column, row) in (0..SIDE).flat_map(|column| (0..SIDE).map(move |row| (column, row))) {
                    if lay(piece, turns, column, row).is_some_and(|bits| bits & barred == 0 && bits & open != 0) {
                        found.push(format!("(place {name} {} {})", column + 1, row + 1));
                    }
                }
            }
        }
        found
    }
}

impl Simulator for Mosaic {
    fn new() -> Mosaic {
        Mosaic { own: [0; 4], hands: [[true; 6]; 4], out: [false; 4], mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 4];
        legal[self.mover] = self.placements();
        if legal[self.mover].is_empty() {
            legal[self.mover].push("pass".to_owned());
        }
        legal
    }

    fn play(&mut self, joint: &[String]) {
        if let ["place", name, column, row] = words(&joint[self.mover])[..] {
            let turns = |piece: usize| PIECES[piece].1.iter().position(|&shape| shape == name);
            let (piece, turns) = (0..6).find_map(|piece| Some((piece, turns(piece)?))).expect("a shape");
            let [column, row] = [column, row].map(|word| word.parse::<i32>().expect("a number") - 1);
            self.own[self.mover] |= lay(piece, turns, column, row).expect("on the board");
            self.hands[self.mover][piece] = false;
        } else {
            self.out[self.mover] = true;
        }
        let after = (1..=4).map(|turn| (self.mover + turn) % 4);
        self.mover = after.into_iter().find(|&player| !self.out[player]).unwrap_or(self.mover);
    }

    fn terminal(&self) -> bool {
        self.out == [true; 4]
    }

    fn points(&self) -> Vec<u8> {
        let sizes = self.own.map(u128::count_ones);
        let beaten = |size: u32| {
            let shares = sizes.iter().map(|other| match size.cmp(other) {
                Ordering::Greater => 2,
                Ordering::Equal => 1,
                Ordering::Less => 0,
            });
            // Everybody is level with itself; that is no share.
            shares.sum::<usize>() - 1
        };
        sizes.map(|size| POINTS[beaten(size)]).to_vec()
    }
}

#[test]
fn agrees() {
    agree::<Mosaic>("mosaic");
}

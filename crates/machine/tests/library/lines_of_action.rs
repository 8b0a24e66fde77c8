//! Lines of Action with one 64-bit set of squares per side.

use crate::harness::{Simulator, agree, words};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const LIMIT: u32 = 300;

#[derive(Clone)]
struct LinesOfAction {
    /// Black and white; bit 8 * rank + file.
    men: [u64; 2],
    plies: u32,
}

/// The square `distance` steps off, if it is on the board.
fn off(square: i32, (dx, dy): (i32, i32), distance: i32) -> Option<i32> {
    let (x, y) = (square % 8 + dx * distance, square / 8 + dy * distance);
    ((0..8).contains(&x) && (0..8).contains(&y)).then_some(8 * y + x)
}

/// Whether the men are one group: the lowest of them, spread over its neighbours until nothing is added.
fn connected(men: u64) -> bool {
    let mut group = men & men.wrapping_neg();
    loop {
        let wide = group | (group & NOT_A) >> 1 | (group & NOT_H) << 1;
        let spread = (wide | wide << 8 | wide >> 8) & men;
        if spread == group {
            return group == men;
        }
        group = spread;
    }
}

fn name(square: i32) -> String {
    format!("{} {}", char::from(b'a' + (square % 8) as u8), square / 8 + 1)
}

fn bit(file: &str, rank: &str) -> u64 {
    1 << (8 * (rank.as_bytes()[0] - b'1') + file.as_bytes()[0] - b'a')
}

impl LinesOfAction {
    fn mover(&self) -> usize {
        (self.plies % 2) as usize
    }

    fn moves(&self) -> Vec<String> {
        let (own, enemy) = (self.men[self.mover()], self.men[1 - self.mover()]);
        let mut moves = Vec::new();
        for from in (0..64).filter(|from| own >> from & 1 != 0) {
            for (dx, dy) in [(1, 0), (1, 1), (0, 1), (-1, 1)] {
                let on_line = (-7..8).filter_map(|distance| off(from, (dx, dy), distance));
                let count = on_line.map(|square| ((own | enemy) >> square & 1) as i32).sum();
                for way in [(dx, dy), (-dx, -dy)] {
                    let Some(to) = off(from, way, count) else { continue };
                    let mut between = (1..count).filter_map(|distance| off(from, way, distance));
                    if own >> to & 1 == 0 && between.all(|square| enemy >> square & 1 == 0) {
                        moves.push(format!("(move {} {})", name(from), name(to)));
                    }
                }
            }
        }
        moves
    }
}

impl Simulator for LinesOfAction {
    fn new() -> Self {
        Self { men: [0x7e00_0000_0000_007e, 0x0081_8181_8181_8100], plies: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_string()]; 2];
        let moves = self.moves();
        legal[self.mover()] = if moves.is_empty() { vec!["pass".to_string()] } else { moves };
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let mover = self.mover();
        if let [_, x, y, u, v] = words(&joint[mover])[..] {
            self.men[mover] ^= bit(x, y) | bit(u, v);
            self.men[1 - mover] &= !bit(u, v);
        }
        self.plies += 1;
    }

    fn terminal(&self) -> bool {
        self.plies == LIMIT || self.men.iter().any(|&men| connected(men))
    }

    fn points(&self) -> Vec<u8> {
        match self.men.map(connected) {
            [true, false] => vec![100, 0],
            [false, true] => vec![0, 100],
            _ => vec![50, 50],
        }
    }
}

#[test]
fn agrees() {
    agree::<LinesOfAction>("lines_of_action");
}

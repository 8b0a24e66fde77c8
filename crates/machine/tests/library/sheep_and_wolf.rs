//! Sheep and wolf, with the five pieces as coordinates from 0; the wolf is the first of them.

use crate::harness::{Simulator, agree, points_of_two, words};

type Square = (i32, i32);

#[derive(Clone)]
struct Pasture {
    pieces: [Square; 5],
    plies: usize,
}

impl Pasture {
    /// All steps of the wolf (0) or of the sheep (1), whoever's turn it is.
    fn steps(&self, player: usize) -> Vec<(Square, Square)> {
        let (movers, ways) = if player == 0 { (0..1, &[1, -1][..]) } else { (1..5, &[1][..]) };
        let mut steps = Vec::new();
        for from in &self.pieces[movers] {
            for up in ways {
                for to in [(from.0 - 1, from.1 + up), (from.0 + 1, from.1 + up)] {
                    if (0..8).contains(&to.0) && (0..8).contains(&to.1) && !self.pieces.contains(&to) {
                        steps.push((*from, to));
                    }
                }
            }
        }
        steps
    }

    /// 0 or 1, if one of them has won.
    fn winner(&self) -> Option<usize> {
        let lowest = self.pieces[1..].iter().map(|sheep| sheep.1).min().expect("four sheep");
        if self.steps(0).is_empty() {
            Some(1)
        } else if lowest >= self.pieces[0].1 || self.steps(1).is_empty() {
            Some(0)
        } else {
            None
        }
    }
}

impl Simulator for Pasture {
    fn new() -> Pasture {
        Pasture { pieces: [(3, 7), (0, 0), (2, 0), (4, 0), (6, 0)], plies: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let name = |(x, y): Square| format!("{} {}", char::from(b'a' + x as u8), y + 1);
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        let player = self.plies % 2;
        legal[player] = self.steps(player).into_iter().map(|(from, to)| format!("(move {} {})", name(from), name(to))).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let words = words(&joint[self.plies % 2]);
        let square = |x: &str, y: &str| (i32::from(x.as_bytes()[0] - b'a'), y.parse::<i32>().expect("a row") - 1);
        let from = square(words[1], words[2]);
        *self.pieces.iter_mut().find(|piece| **piece == from).expect("a piece") = square(words[3], words[4]);
        self.plies += 1;
    }

    fn terminal(&self) -> bool {
        self.winner().is_some()
    }

    fn points(&self) -> Vec<u8> {
        points_of_two(self.winner())
    }
}

#[test]
fn agrees() {
    agree::<Pasture>("sheep_and_wolf");
}

//! Kalah as a ring of fourteen holes, sown seed by seed, with the last seeds swept into the stores.

use crate::harness::{Simulator, agree, words};
use std::cmp::Ordering;
use std::mem;

/// Holes 0 to 5 are south's pits a to f and 6 its store, 7 to 12 north's pits f to a and 13 its store.
#[derive(Clone)]
struct Kalah {
    holes: [u8; 14],
    mover: usize,
    over: bool,
}

fn store(player: usize) -> usize {
    7 * player + 6
}

impl Kalah {
    fn side(&self, player: usize) -> &[u8] {
        &self.holes[7 * player..store(player)]
    }
}

impl Simulator for Kalah {
    fn new() -> Self {
        Self { holes: [4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0], mover: 0, over: false }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let names = ["abcdef", "fedcba"][self.mover];
        let pits = self.side(self.mover).iter().zip(names.chars()).filter(|&(&seeds, _)| seeds > 0);
        let mut legal = vec![vec!["noop".to_string()]; 2];
        legal[self.mover] = pits.map(|(_, name)| format!("(sow {name})")).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let column = usize::from(words(&joint[self.mover])[1].as_bytes()[0] - b'a');
        let mut hole = if self.mover == 0 { column } else { 12 - column };
        let hand = mem::take(&mut self.holes[hole]);
        for _ in 0..hand {
            hole = (hole + 1) % 14;
            if hole == store(1 - self.mover) {
                hole = (hole + 1) % 14;
            }
            self.holes[hole] += 1;
        }
        if hole != store(self.mover) {
            let own = 7 * self.mover..store(self.mover);
            if own.contains(&hole) && self.holes[hole] == 1 && self.holes[12 - hole] > 0 {
                self.holes[store(self.mover)] += 1 + mem::take(&mut self.holes[12 - hole]);
                self.holes[hole] = 0;
            }
            self.mover = 1 - self.mover;
        }
        self.over = (0..2).any(|player| self.side(player).iter().all(|&seeds| seeds == 0));
        if self.over {
            for player in 0..2 {
                let rest: u8 = self.side(player).iter().sum();
                self.holes[store(player)] += rest;
            }
        }
    }

    fn terminal(&self) -> bool {
        self.over
    }

    fn points(&self) -> Vec<u8> {
        match (self.over, self.holes[6].cmp(&self.holes[13])) {
            (true, Ordering::Greater) => vec![100, 0],
            (true, Ordering::Less) => vec![0, 100],
            _ => vec![50, 50],
        }
    }
}

#[test]
fn agrees() {
    agree::<Kalah>("kalah");
}

/// Sequences of turns, which go on as long as the same player moves.
fn turns(kalah: &Kalah, depth: usize) -> u64 {
    match (depth, kalah.over) {
        (0, _) => 1,
        (_, true) => 0,
        _ => {
            let moves = kalah.legal().swap_remove(kalah.mover);
            let next = moves.into_iter().map(|text| {
                let mut next = kalah.clone();
                next.play(&[text.clone(), text]);
                let same = next.mover == kalah.mover && !next.over;
                turns(&next, if same { depth } else { depth - 1 })
            });
            next.sum()
        }
    }
}

#[test]
fn counts_turns() {
    assert_eq!([1, 2, 3, 4].map(|depth| turns(&Kalah::new(), depth)), [10, 116, 1022, 9682]);
}

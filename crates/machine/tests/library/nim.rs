//! Nim, with the stones of all heaps in an array and a note of who took last.

use crate::harness::{Simulator, agree, words};

const NAMES: [&str; 3] = ["a", "b", "c"];

#[derive(Clone)]
struct Nim {
    heaps: [usize; 3],
    taker: Option<usize>,
}

impl Nim {
    fn mover(&self) -> usize {
        self.taker.map_or(0, |taker| 1 - taker)
    }
}

impl Simulator for Nim {
    fn new() -> Nim {
        Nim { heaps: [3, 4, 5], taker: None }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let moves = |(heap, &stones): (&str, &usize)| (1..=stones).map(|n| format!("(take {heap} {n})")).collect::<Vec<_>>();
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.mover()] = NAMES.into_iter().zip(&self.heaps).flat_map(moves).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let mover = self.mover();
        let text = words(&joint[mover]);
        let heap = NAMES.iter().position(|name| *name == text[1]).expect("a heap");
        self.heaps[heap] -= text[2].parse::<usize>().expect("a number");
        self.taker = Some(mover);
    }

    fn terminal(&self) -> bool {
        self.heaps.iter().sum::<usize>() == 0
    }

    fn points(&self) -> Vec<u8> {
        match self.taker {
            Some(0) if self.terminal() => vec![100, 0],
            Some(_) if self.terminal() => vec![0, 100],
            _ => vec![50, 50],
        }
    }
}

#[test]
fn agrees() {
    agree::<Nim>("nim");
}

/// Bouton's theorem, by trying everything: whoever has to move loses exactly where the binary sum of the heaps is zero.
#[test]
fn the_binary_sum_decides() {
    fn can_win(heaps: [usize; 3]) -> bool {
        (0..3).any(|heap| {
            (0..heaps[heap]).any(|rest| {
                let mut left = heaps;
                left[heap] = rest;
                !can_win(left)
            })
        })
    }
    for (a, b, c) in (0..4).flat_map(|a| (0..5).flat_map(move |b| (0..6).map(move |c| (a, b, c)))) {
        assert_eq!(can_win([a, b, c]), a ^ b ^ c != 0, "heaps of {a}, {b} and {c}");
    }
}

//! Goofspiel: the bids so far, from which hands and prizes follow.

use crate::harness::{Simulator, agree, words};
use std::cmp::Ordering;

const PRIZES: [i32; 9] = [4, 7, 2, 9, 1, 6, 3, 8, 5];

#[derive(Clone)]
struct Goofspiel {
    bids: Vec<[usize; 2]>,
}

impl Simulator for Goofspiel {
    fn new() -> Goofspiel {
        Goofspiel { bids: Vec::new() }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let hand = |player: usize| (1..=9).filter(move |card| self.bids.iter().all(|bids| bids[player] != *card));
        [0, 1].map(|player| hand(player).map(|card| format!("(bid {card})")).collect()).to_vec()
    }

    fn play(&mut self, joint: &[String]) {
        self.bids.push([0, 1].map(|player: usize| words(&joint[player])[1].parse().expect("a card")));
    }

    fn terminal(&self) -> bool {
        self.bids.len() == PRIZES.len()
    }

    fn points(&self) -> Vec<u8> {
        // What left has won is counted up, what right has won down.
        let lead = self.bids.iter().zip(PRIZES).map(|([left, right], prize)| match left.cmp(right) {
            Ordering::Less => -prize,
            Ordering::Equal => 0,
            Ordering::Greater => prize,
        });
        match lead.sum::<i32>().cmp(&0) {
            Ordering::Less => vec![0, 100],
            Ordering::Equal => vec![50, 50],
            Ordering::Greater => vec![100, 0],
        }
    }
}

#[test]
fn agrees() {
    agree::<Goofspiel>("goofspiel");
}

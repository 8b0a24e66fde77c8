//! The eight puzzle, as a string of tiles read row by row.

use crate::harness::{Simulator, agree, words};
use std::collections::HashSet;

/// The tiles in order; 0 is the gap.
const ORDER: [u8; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 0];

#[derive(Clone)]
struct EightPuzzle {
    tiles: [u8; 9],
    slides: u32,
}

impl EightPuzzle {
    /// The tiles that may slide, as places.
    fn loose(&self) -> Vec<usize> {
        let gap = self.tiles.iter().position(|&tile| tile == 0).expect("a gap");
        (0..9_usize).filter(|place| (place / 3).abs_diff(gap / 3) + (place % 3).abs_diff(gap % 3) == 1).collect()
    }

    fn slide(&mut self, place: usize) {
        let gap = self.tiles.iter().position(|&tile| tile == 0).expect("a gap");
        self.tiles.swap(place, gap);
        self.slides += 1;
    }
}

impl Simulator for EightPuzzle {
    fn new() -> EightPuzzle {
        EightPuzzle { tiles: [8, 6, 7, 2, 5, 4, 3, 0, 1], slides: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        vec![self.loose().iter().map(|&place| format!("(slide {})", self.tiles[place])).collect()]
    }

    fn play(&mut self, joint: &[String]) {
        let tile: u8 = words(&joint[0])[1].parse().expect("a tile");
        self.slide(self.tiles.iter().position(|&other| other == tile).expect("the tile's place"));
    }

    fn terminal(&self) -> bool {
        self.tiles == ORDER || self.slides == 50
    }

    fn points(&self) -> Vec<u8> {
        let wrong = (0..8).filter(|&place| self.tiles[place] != ORDER[place]).count();
        vec![if wrong == 0 { 100 } else { 80 - 10 * u8::try_from(wrong).expect("at most eight") }]
    }
}

#[test]
fn agrees() {
    agree::<EightPuzzle>("eight_puzzle");
}

/// What the sheet says of the start: the order is 31 slides away, and half of all 9! positions can be reached, within as many.
#[test]
fn the_start_is_as_far_from_order_as_can_be() {
    let mut seen = HashSet::from([ORDER]);
    let mut layers = vec![vec![ORDER]];
    while let Some(layer) = layers.last().filter(|layer| !layer.is_empty()) {
        let mut further = Vec::new();
        for &tiles in layer {
            let puzzle = EightPuzzle { tiles, slides: 0 };
            for place in puzzle.loose() {
                let mut next = puzzle.clone();
                next.slide(place);
                if seen.insert(next.tiles) {
                    further.push(next.tiles);
                }
            }
        }
        layers.push(further);
    }
    layers.pop();
    assert_eq!(seen.len(), 181_440);
    assert_eq!(layers.len() - 1, 31);
    assert_eq!(layers[31].len(), 2);
    assert!(layers[31].contains(&EightPuzzle::new().tiles));
}

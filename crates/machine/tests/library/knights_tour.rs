//! The knight's tour, as a set of visited squares and the knight's distances to all others.

use crate::harness::{Simulator, agree, numbers};

/// All squares visited; the square in row r and column c, from 0, is bit 5r + c.
const ALL: u32 = (1 << 25) - 1;

#[derive(Clone, Copy)]
struct KnightsTour {
    knight: usize,
    visited: u32,
}

impl KnightsTour {
    fn from(square: usize) -> KnightsTour {
        KnightsTour { knight: square, visited: 1 << square }
    }

    /// The squares where the knight may go.
    fn targets(self) -> impl Iterator<Item = usize> {
        let distance = move |to: usize| ((self.knight / 5).abs_diff(to / 5), (self.knight % 5).abs_diff(to % 5));
        (0..25).filter(move |&to| self.visited >> to & 1 == 0 && matches!(distance(to), (1, 2) | (2, 1)))
    }

    fn step(self, to: usize) -> KnightsTour {
        KnightsTour { knight: to, visited: self.visited | 1 << to }
    }

    /// How many ways there are to complete the tour.
    fn tours(self) -> u32 {
        if self.visited == ALL { 1 } else { self.targets().map(|to| self.step(to).tours()).sum() }
    }
}

impl Simulator for KnightsTour {
    fn new() -> KnightsTour {
        KnightsTour::from(0)
    }

    fn legal(&self) -> Vec<Vec<String>> {
        vec![self.targets().map(|to| format!("(move {} {})", to / 5 + 1, to % 5 + 1)).collect()]
    }

    fn play(&mut self, joint: &[String]) {
        let numbers: Vec<usize> = numbers(&joint[0]);
        *self = self.step((numbers[0] - 1) * 5 + numbers[1] - 1);
    }

    fn terminal(&self) -> bool {
        self.targets().next().is_none()
    }

    fn points(&self) -> Vec<u8> {
        vec![4 * u8::try_from(self.visited.count_ones()).expect("at most 25")]
    }
}

#[test]
fn agrees() {
    agree::<KnightsTour>("knights_tour");
}

/// The number of tours that begin in a corner is published. From a square beside the corner there is none: it has the colour with
/// twelve squares, not thirteen.
#[test]
fn the_tours_are_as_many_as_is_known() {
    assert_eq!(KnightsTour::from(0).tours(), 304);
    assert_eq!(KnightsTour::from(1).tours(), 0);
}

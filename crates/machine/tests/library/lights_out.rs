//! Lights out, with a bit per lamp.

use crate::harness::{Simulator, agree, numbers};

const ALL: u32 = (1 << 25) - 1;

/// What pressing the button of a cell switches; the lamp in row r and column c, from 0, is bit 5r + c.
fn cross(cell: u32) -> u32 {
    let lamp = 1 << cell;
    let left_column = 0b00001_00001_00001_00001_00001;
    let sideways = (lamp & !left_column) >> 1 | (lamp << 1 & !left_column);
    (lamp | sideways | lamp << 5 | lamp >> 5) & ALL
}

#[derive(Clone)]
struct LightsOut {
    lit: u32,
    presses: u32,
}

impl Simulator for LightsOut {
    fn new() -> LightsOut {
        LightsOut { lit: ALL, presses: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        vec![(0..25).map(|cell| format!("(press {} {})", cell / 5 + 1, cell % 5 + 1)).collect()]
    }

    fn play(&mut self, joint: &[String]) {
        let numbers: Vec<u32> = numbers(&joint[0]);
        self.lit ^= cross((numbers[0] - 1) * 5 + numbers[1] - 1);
        self.presses += 1;
    }

    fn terminal(&self) -> bool {
        self.lit == 0 || self.presses == 25
    }

    fn points(&self) -> Vec<u8> {
        vec![if self.lit == 0 { 100 } else { 2 * u8::try_from(self.lit.count_zeros() - 7).expect("at most 24 lamps") }]
    }
}

#[test]
fn agrees() {
    agree::<LightsOut>("lights_out");
}

/// What the sheet says of the start: of all sets of buttons four put out all lamps, each of 15 buttons, and no position that can be
/// solved needs more.
#[test]
fn the_start_is_as_hard_as_can_be() {
    let crosses: Vec<u32> = (0..25).map(cross).collect();
    // All sets of buttons with what they switch, in the order of a Gray code, in which one button changes at a time.
    let sets = || {
        (0..=ALL).scan((0, 0), |(set, switched), step| {
            if step > 0 {
                let button = step.trailing_zeros();
                *set ^= 1 << button;
                *switched ^= crosses[button as usize];
            }
            Some((*set, *switched))
        })
    };
    let solutions: Vec<u32> = sets().filter(|&(_, switched)| switched == ALL).map(|(set, _)| set).collect();
    assert_eq!(solutions.iter().map(|set| set.count_ones()).collect::<Vec<_>>(), [15; 4]);
    // Two sets switch the same lamps if they differ by a quiet set, one that switches nothing.
    let quiet: Vec<u32> = sets().filter(|&(_, switched)| switched == 0).map(|(set, _)| set).collect();
    let shortest = |set: u32| quiet.iter().map(|other| (set ^ other).count_ones()).min().expect("the empty set is quiet");
    assert_eq!((0..=ALL).map(shortest).max(), Some(15));
}

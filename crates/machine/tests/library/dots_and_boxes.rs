//! Dots and boxes, with a list of the lines drawn and of how many sides every box has.

use crate::common;
use crate::harness::{Simulator, agree, numbers};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::fs;

/// Boxes in a row, and rows of boxes.
const SIZE: usize = 4;

/// A line: the row and column, from 0, of the upper or left one of its two dots, and whether it goes across.
type Line = (usize, usize, bool);

#[derive(Clone)]
struct DotsAndBoxes {
    free: BTreeSet<Line>,
    sides: [[u8; SIZE]; SIZE],
    boxes: [usize; 2],
    mover: usize,
}

impl DotsAndBoxes {
    fn draw(&mut self, line: Line) {
        assert!(self.free.remove(&line), "a line that was not there");
        let (row, column, across) = line;
        // The box below or to the right of the line, and the one above or to the left.
        let before = if across { (row.checked_sub(1), Some(column)) } else { (Some(row), column.checked_sub(1)) };
        let mut closed = 0;
        for beside in [(Some(row), Some(column)), before] {
            let (Some(row), Some(column)) = beside else { continue };
            if row < SIZE && column < SIZE {
                self.sides[row][column] += 1;
                closed += usize::from(self.sides[row][column] == 4);
            }
        }
        self.boxes[self.mover] += closed;
        if closed == 0 {
            self.mover = 1 - self.mover;
        }
    }
}

impl Simulator for DotsAndBoxes {
    fn new() -> DotsAndBoxes {
        let dots = (0..=SIZE).flat_map(|row| (0..=SIZE).map(move |column| (row, column)));
        let lines = dots.flat_map(|(row, column)| [(row, column, true), (row, column, false)]);
        let free = lines.filter(|&(row, column, across)| if across { column < SIZE } else { row < SIZE }).collect();
        DotsAndBoxes { free, sides: [[0; SIZE]; SIZE], boxes: [0, 0], mover: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let text = |&(row, column, across): &Line| {
            format!("(draw {} {})", 2 * row + 1 + usize::from(!across), 2 * column + 1 + usize::from(across))
        };
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.mover] = self.free.iter().map(text).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let numbers: Vec<usize> = numbers(&joint[self.mover]);
        self.draw(((numbers[0] - 1) / 2, (numbers[1] - 1) / 2, numbers[0] % 2 == 1));
    }

    fn terminal(&self) -> bool {
        self.free.is_empty()
    }

    fn points(&self) -> Vec<u8> {
        match self.boxes[0].cmp(&self.boxes[1]) {
            Ordering::Less => vec![0, 100],
            Ordering::Equal => vec![50, 50],
            Ordering::Greater => vec![100, 0],
        }
    }
}

#[test]
fn agrees() {
    agree::<DotsAndBoxes>("dots_and_boxes");
}

/// Adds the sequences of 1, 2, ... turns from here.
fn count_turns(position: &DotsAndBoxes, counts: &mut [u64]) {
    for &line in &position.free {
        let mut next = position.clone();
        next.draw(line);
        if next.mover == position.mover && !next.terminal() {
            count_turns(&next, counts);
        } else if let Some((here, later)) = counts.split_first_mut() {
            *here += 1;
            count_turns(&next, later);
        }
    }
}

/// The position near the end that `facts.txt` has: three rows of boxes are closed, and of the bottom row seven lines are missing.
#[test]
fn counts_turns() {
    let facts = fs::read_to_string(common::root().join("games/dots_and_boxes/facts.txt")).expect("the game's facts");
    let line = facts.lines().find_map(|line| line.strip_prefix("turns control ")).expect("a count of turns");
    let published: Vec<u64> = numbers(line);
    let mut position = DotsAndBoxes::new();
    for line in position.free.clone() {
        let missing = matches!(line, (3, _, false) | (4, 0 | 1, true));
        if !missing {
            position.draw(line);
        }
    }
    position.mover = 0;
    let mut counts = vec![0; published.len()];
    count_turns(&position, &mut counts);
    assert_eq!(counts, published, "turns by the simulator and by the facts");
}

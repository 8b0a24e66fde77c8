//! Peg solitaire, with a bit per place of the 7x7 square around the cross.

use crate::harness::{Simulator, agree, numbers};
use std::collections::HashSet;

/// The rows of the cross; the last row of the board is in the lowest bits.
const SHORT: u64 = 0b001_1100;
const LONG: u64 = 0b111_1111;
const CROSS: u64 = SHORT | SHORT << 7 | LONG << 14 | LONG << 21 | LONG << 28 | SHORT << 35 | SHORT << 42;
const CENTRE: u64 = 1 << 24;

#[derive(Clone)]
struct PegSolitaire {
    pegs: u64,
}

/// The bit of a row and a column, both from 1.
fn bit(row: u32, column: u32) -> u64 {
    1 << (7 * (7 - row) + 7 - column)
}

impl PegSolitaire {
    /// All jumps: from where to where.
    fn jumps(&self) -> Vec<[u32; 4]> {
        let mut jumps = Vec::new();
        for row in 1..=7 {
            for column in 1..=7 {
                let right = [row, column, row, column + 2];
                let down = [row, column, row + 2, column];
                for [row, column, to_row, to_column] in [right, down] {
                    if to_row <= 7 && to_column <= 7 {
                        let near = bit(row, column);
                        let far = bit(to_row, to_column);
                        let over = bit(row.midpoint(to_row), column.midpoint(to_column));
                        let all = near | over | far;
                        if all & CROSS == all && self.pegs & all == near | over {
                            jumps.push([row, column, to_row, to_column]);
                        } else if all & CROSS == all && self.pegs & all == over | far {
                            jumps.push([to_row, to_column, row, column]);
                        }
                    }
                }
            }
        }
        jumps
    }

    fn jump(&mut self, [row, column, to_row, to_column]: [u32; 4]) {
        self.pegs ^= bit(row, column) | bit(row.midpoint(to_row), column.midpoint(to_column)) | bit(to_row, to_column);
    }
}

impl Simulator for PegSolitaire {
    fn new() -> PegSolitaire {
        PegSolitaire { pegs: CROSS ^ CENTRE }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let text = |[row, column, to_row, to_column]: [u32; 4]| format!("(jump {row} {column} {to_row} {to_column})");
        vec![self.jumps().into_iter().map(text).collect()]
    }

    fn play(&mut self, joint: &[String]) {
        let numbers: Vec<u32> = numbers(&joint[0]);
        self.jump(numbers.try_into().expect("four numbers"));
    }

    fn terminal(&self) -> bool {
        self.jumps().is_empty()
    }

    fn points(&self) -> Vec<u8> {
        vec![match self.pegs.count_ones() {
            1 if self.pegs == CENTRE => 100,
            pegs @ 1..=9 => 100 - 10 * u8::try_from(pegs).expect("a digit"),
            _ => 0,
        }]
    }
}

#[test]
fn agrees() {
    agree::<PegSolitaire>("peg_solitaire");
}

/// The least of the eight pictures of a position, turned and mirrored.
fn normal(pegs: u64) -> u64 {
    let places = || (1..=7).flat_map(|row| (1..=7).map(move |column| (row, column)));
    let picture = |pegs: u64, to: fn(u32, u32) -> u64| {
        places().filter(|&(row, column)| pegs & bit(row, column) != 0).map(|(row, column)| to(row, column)).sum::<u64>()
    };
    let turns = (0..4).scan(pegs, |turned, _| {
        *turned = picture(*turned, |row, column| bit(column, 8 - row));
        Some(*turned)
    });
    turns.map(|turned| turned.min(picture(turned, |row, column| bit(column, row)))).min().expect("four turns")
}

/// While the facts count sequences of jumps, what is published is how many positions they lead to, symmetric ones taken as one.
#[test]
fn the_first_jumps_lead_to_as_many_positions_as_is_known() {
    let mut positions = HashSet::from([PegSolitaire::new().pegs]);
    for published in [1, 2, 8, 39, 171, 719, 2_757, 9_751] {
        let mut next = HashSet::new();
        for &pegs in &positions {
            for jump in (PegSolitaire { pegs }).jumps() {
                let mut after = PegSolitaire { pegs };
                after.jump(jump);
                next.insert(normal(after.pegs));
            }
        }
        assert_eq!(next.len(), published);
        positions = next;
    }
}

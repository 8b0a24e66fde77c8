//! Hex, with the edges of the board as stones beyond it, and groups of stones joined as they come to touch.

use crate::harness::{Simulator, agree, points_of_two, words};

const COLUMNS: &[u8] = b"abcdefghi";
/// Cells of a row, with one beyond the board at each end.
const WIDTH: usize = 11;
/// To the six cells that one touches, from the one straight above it.
const NEIGHBOURS: [usize; 6] = [0, 1, 10, 12, 21, 22];
/// Beyond each player's two edges.
const EDGES: [[usize; 2]; 2] = [[1, 10 * WIDTH + 1], [WIDTH, WIDTH + 10]];

#[derive(Clone)]
struct Hex {
    /// Who has a stone where.
    owner: [Option<usize>; WIDTH * WIDTH],
    /// Towards the representative of a stone's group, which is its own leader.
    leader: [usize; WIDTH * WIDTH],
    mover: usize,
}

impl Hex {
    fn group(&self, mut stone: usize) -> usize {
        while self.leader[stone] != stone {
            stone = self.leader[stone];
        }
        stone
    }

    fn winner(&self) -> Option<usize> {
        (0..2).find(|&player| self.group(EDGES[player][0]) == self.group(EDGES[player][1]))
    }
}

impl Simulator for Hex {
    fn new() -> Hex {
        let mut start = Hex { owner: [None; WIDTH * WIDTH], leader: std::array::from_fn(|stone| stone), mover: 0 };
        for along in 1..=9 {
            for (player, edge, stride) in [(0, 0, 1), (0, 1, 1), (1, 0, WIDTH), (1, 1, WIDTH)] {
                let stone = EDGES[player][edge] + (along - 1) * stride;
                start.owner[stone] = Some(player);
                start.leader[stone] = EDGES[player][edge];
            }
        }
        start
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        let cells = (1..=9).flat_map(|row| (1..=9).map(move |column| (column, row)));
        legal[self.mover] = cells
            .filter(|(column, row)| self.owner[row * WIDTH + column].is_none())
            .map(|(column, row)| format!("(place {} {row})", char::from(COLUMNS[column - 1])))
            .collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let place = words(&joint[self.mover]);
        let column = COLUMNS.iter().position(|&name| place[1].as_bytes() == [name]).expect("a column") + 1;
        let stone = place[2].parse::<usize>().expect("a row") * WIDTH + column;
        self.owner[stone] = Some(self.mover);
        for offset in NEIGHBOURS {
            let neighbour = stone - WIDTH + offset;
            if self.owner[neighbour] == Some(self.mover) {
                let group = self.group(neighbour);
                self.leader[group] = self.group(stone);
            }
        }
        self.mover = 1 - self.mover;
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
    agree::<Hex>("hex");
}

//! Bomberman for two: bombs know when they explode, and their blast walks until a wall stops it.

use crate::harness::{Simulator, agree, words};

/// The directions, and what they add to the column and to the row.
const DIRECTIONS: [(&str, i8, i8); 4] = [("north", 0, 1), ("east", 1, 0), ("south", 0, -1), ("west", -1, 0)];

/// Column and row, from 1.
type Cell = (i8, i8);

#[derive(Clone)]
struct Bomberman {
    players: [Cell; 2],
    /// Where bombs lie, and in which ply they explode.
    bombs: Vec<(Cell, usize)>,
    plies: usize,
}

/// Outside of the town, or in a block of houses: neither the column nor the row is a street.
fn is_wall((x, y): Cell) -> bool {
    let house = |n: i8| !matches!(n, 1 | 3 | 6 | 8);
    !(1..=8).contains(&x) || !(1..=8).contains(&y) || house(x) && house(y)
}

fn neighbour((x, y): Cell, (_, across, up): (&str, i8, i8)) -> Cell {
    (x + across, y + up)
}

impl Bomberman {
    fn burns(&self, player: usize) -> bool {
        let exploding = self.bombs.iter().filter(|(_, ply)| *ply == self.plies);
        exploding.flat_map(|(bomb, _)| blast(*bomb)).any(|cell| cell == self.players[player])
    }
}

/// The cells that a bomb sets on fire.
fn blast(bomb: Cell) -> Vec<Cell> {
    let mut cells = vec![bomb];
    for direction in DIRECTIONS {
        let mut cell = neighbour(bomb, direction);
        while !is_wall(cell) {
            cells.push(cell);
            cell = neighbour(cell, direction);
        }
    }
    cells
}

impl Simulator for Bomberman {
    fn new() -> Bomberman {
        Bomberman { players: [(1, 1), (8, 8)], bombs: Vec::new(), plies: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let moves = |cell: &Cell| {
            let ways = DIRECTIONS.into_iter().filter(|&way| !is_wall(neighbour(*cell, way)));
            let mut moves: Vec<String> = ways.map(|(name, ..)| format!("(go {name})")).collect();
            moves.extend(["drop".to_owned(), "noop".to_owned()]);
            moves
        };
        self.players.iter().map(moves).collect()
    }

    fn play(&mut self, joint: &[String]) {
        for (player, text) in self.players.iter_mut().zip(joint) {
            match words(text)[..] {
                ["go", way] => {
                    let way = DIRECTIONS.into_iter().find(|&(name, ..)| name == way).expect("a direction");
                    *player = neighbour(*player, way);
                }
                ["drop"] => self.bombs.push((*player, self.plies + 5)),
                _ => {}
            }
        }
        self.plies += 1;
    }

    fn terminal(&self) -> bool {
        self.burns(0) || self.burns(1) || self.plies == 49
    }

    fn points(&self) -> Vec<u8> {
        match (self.burns(0), self.burns(1)) {
            (true, false) => vec![0, 100],
            (false, true) => vec![100, 0],
            _ => vec![50, 50],
        }
    }
}

#[test]
fn agrees() {
    agree::<Bomberman>("bomberman");
}

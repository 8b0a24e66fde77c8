//! Racetrack corridor, as two separate lanes: where the runner is, and per gap the column that its wall leaves open.

use crate::harness::{Simulator, agree, words};

const SIDES: [&str; 2] = ["left", "right"];
const GAPS: [&str; 4] = ["ab", "bc", "cd", "de"];

#[derive(Clone, Default)]
struct Lane {
    row: usize,
    column: usize,
    /// The only column that is open, where there is a wall.
    open: [Option<usize>; 4],
}

#[derive(Clone)]
struct Race {
    lanes: [Lane; 2],
    moves: u32,
}

impl Race {
    /// How many walls the player has not built: they would stand in the other's lane.
    fn in_hand(&self, player: usize) -> usize {
        self.lanes[1 - player].open.iter().filter(|wall| wall.is_none()).count()
    }
}

impl Simulator for Race {
    fn new() -> Race {
        let lane = Lane { column: 2, ..Lane::default() };
        Race { lanes: [lane.clone(), lane], moves: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let moves = |player: usize| {
            let (own, other) = (&self.lanes[player], &self.lanes[1 - player]);
            let mut moves = Vec::new();
            if own.open[own.row].is_none_or(|open| open == own.column) {
                moves.push("advance".to_owned());
            }
            if own.column > 0 {
                moves.push("(sidestep left)".to_owned());
            }
            if own.column < 2 {
                moves.push("(sidestep right)".to_owned());
            }
            for (gap, _) in GAPS.iter().zip(other.open).filter(|(_, wall)| wall.is_none()) {
                moves.extend(SIDES.map(|side| format!("(build {gap} {side})")));
            }
            moves
        };
        vec![moves(0), moves(1)]
    }

    fn play(&mut self, joint: &[String]) {
        for (player, text) in joint.iter().enumerate() {
            match words(text)[..] {
                ["advance"] => self.lanes[player].row += 1,
                ["sidestep", "left"] => self.lanes[player].column -= 1,
                ["sidestep", "right"] => self.lanes[player].column += 1,
                ["build", gap, side] => {
                    let gap = GAPS.iter().position(|&name| name == gap).expect("a gap");
                    self.lanes[1 - player].open[gap] = Some(if side == "left" { 2 } else { 0 });
                }
                _ => panic!("{text}"),
            }
        }
        self.moves += 1;
    }

    fn terminal(&self) -> bool {
        self.moves == 20 || self.lanes.iter().any(|lane| lane.row == 4)
    }

    fn points(&self) -> Vec<u8> {
        let [white, black] = [0, 1].map(|player| (self.lanes[player].row == 4, self.in_hand(player)));
        if !white.0 && !black.0 || white == black {
            vec![50, 50]
        } else if white > black {
            vec![100, 0]
        } else {
            vec![0, 100]
        }
    }
}

#[test]
fn agrees() {
    agree::<Race>("racetrack_corridor");
}

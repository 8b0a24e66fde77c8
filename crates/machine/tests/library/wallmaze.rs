//! Wallmaze, walked on a drawing of it.

use crate::harness::{Simulator, agree};

const PLAN: [&[u8]; 9] = [
    b"             ",
    b"   .......   ",
    b"   .     .   ",
    b"   .  .  .   ",
    b" ........... ",
    b"   .  .  .   ",
    b"   .     .   ",
    b"   .......   ",
    b"             ",
];

const STEPS: [(&str, i32, i32); 4] = [("(go north)", 0, -1), ("(go east)", 1, 0), ("(go south)", 0, 1), ("(go west)", -1, 0)];

/// Where white goes; black goes where white comes from.
const ENDS: [(i32, i32); 2] = [(11, 4), (1, 4)];

#[derive(Clone)]
struct Maze {
    places: [(i32, i32); 2],
    /// When they arrived.
    arrivals: [Option<u32>; 2],
    moves: u32,
}

impl Maze {
    fn after(&self, player: usize, text: &str) -> (i32, i32) {
        let (x, y) = self.places[player];
        STEPS.iter().find(|step| step.0 == text).map_or((x, y), |step| (x + step.1, y + step.2))
    }
}

impl Simulator for Maze {
    fn new() -> Maze {
        Maze { places: [ENDS[1], ENDS[0]], arrivals: [None, None], moves: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let moves = |player: usize| {
            let possible = STEPS.iter().map(|step| step.0).filter(|text| {
                let (x, y) = self.after(player, text);
                self.arrivals[player].is_none() && PLAN[y as usize][x as usize] == b'.' && (x, y) != self.places[1 - player]
            });
            possible.chain(["noop"]).map(str::to_owned).collect()
        };
        vec![moves(0), moves(1)]
    }

    fn play(&mut self, joint: &[String]) {
        let wanted = [self.after(0, &joint[0]), self.after(1, &joint[1])];
        if wanted[0] != wanted[1] {
            self.places = wanted;
        }
        self.moves += 1;
        for (player, end) in ENDS.iter().enumerate() {
            if self.places[player] == *end {
                self.arrivals[player].get_or_insert(self.moves);
            }
        }
    }

    fn terminal(&self) -> bool {
        self.moves == 29 || self.arrivals.iter().all(Option::is_some)
    }

    fn points(&self) -> Vec<u8> {
        let points = |own: Option<u32>, other: Option<u32>| match (own, other) {
            (None, _) => 0,
            (Some(_), None) => 100,
            (Some(own), Some(other)) if own == other => 50,
            (Some(own), Some(other)) => 25 + 50 * u8::from(own < other),
        };
        let [white, black] = self.arrivals;
        vec![points(white, black), points(black, white)]
    }
}

#[test]
fn agrees() {
    agree::<Maze>("wallmaze");
}

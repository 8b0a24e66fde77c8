//! Nine men's morris on three rings of eight points.

use crate::harness::{Simulator, agree, points_of_two, words};

/// Grid coordinates of the points of the outer, middle and inner ring, each clockwise from its lower left corner.
const POINTS: [&str; 24] = [
    "a 1", "a 4", "a 7", "d 7", "g 7", "g 4", "g 1", "d 1", "b 2", "b 4", "b 6", "d 6", "f 6", "f 4", "f 2", "d 2", "c 3", "c 4",
    "c 5", "d 5", "e 5", "e 4", "e 3", "d 3",
];
const QUIET_LIMIT: u32 = 100;

#[derive(Clone)]
struct Morris {
    /// The colour on every point: 0 white, 1 black.
    points: [Option<usize>; 24],
    hand: [usize; 2],
    mover: usize,
    removing: bool,
    quiet: u32,
}

fn ring_step(point: usize, by: usize) -> usize {
    point / 8 * 8 + (point + by) % 8
}

/// Neighbours round the ring, and for the middles of the sides also in the next ring.
fn neighbours(point: usize) -> Vec<usize> {
    let mut found = vec![ring_step(point, 1), ring_step(point, 7)];
    if point % 2 == 1 {
        found.extend([point + 8].into_iter().filter(|&other| other < 24));
        found.extend(point.checked_sub(8));
    }
    found
}

fn find(x: &str, y: &str) -> usize {
    POINTS.iter().position(|&name| name == format!("{x} {y}")).expect("a point")
}

impl Morris {
    /// Whether the man on this point stands in a mill: through a corner run two sides, through a middle a side and a spoke.
    fn in_mill(&self, point: usize) -> bool {
        let mills = if point.is_multiple_of(2) {
            [[ring_step(point, 1), ring_step(point, 2)], [ring_step(point, 7), ring_step(point, 6)]]
        } else {
            [[ring_step(point, 1), ring_step(point, 7)], [(point + 8) % 24, (point + 16) % 24]]
        };
        mills.iter().any(|mill| mill.iter().all(|&other| self.points[other] == self.points[point]))
    }

    fn of(&self, colour: Option<usize>) -> Vec<usize> {
        (0..24).filter(|&point| self.points[point] == colour).collect()
    }

    fn moves(&self) -> Vec<String> {
        let own = self.of(Some(self.mover));
        if self.removing {
            let enemies = self.of(Some(1 - self.mover));
            let loose: Vec<usize> = enemies.iter().copied().filter(|&point| !self.in_mill(point)).collect();
            let prey = if loose.is_empty() { enemies } else { loose };
            return prey.iter().map(|&point| format!("(remove {})", POINTS[point])).collect();
        }
        let empty = self.of(None);
        if self.hand[self.mover] > 0 {
            return empty.iter().map(|&point| format!("(place {})", POINTS[point])).collect();
        }
        let mut moves = Vec::new();
        for &from in &own {
            for &to in empty.iter().filter(|to| own.len() == 3 || neighbours(from).contains(to)) {
                moves.push(format!("(move {} {})", POINTS[from], POINTS[to]));
            }
        }
        moves
    }

    fn loser(&self) -> Option<usize> {
        let poor = (0..2).find(|&colour| self.of(Some(colour)).len() + self.hand[colour] < 3);
        poor.or(self.moves().is_empty().then_some(self.mover))
    }
}

impl Simulator for Morris {
    fn new() -> Self {
        Self { points: [None; 24], hand: [9, 9], mover: 0, removing: false, quiet: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_string()]; 2];
        legal[self.mover] = self.moves();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let action = words(&joint[self.mover]);
        let mut point = find(action[1], action[2]);
        match action[0] {
            "remove" => {
                self.points[point] = None;
                self.removing = false;
                self.mover = 1 - self.mover;
                return;
            }
            "place" => self.hand[self.mover] -= 1,
            _ => {
                self.points[point] = None;
                point = find(action[3], action[4]);
                self.quiet += 1;
            }
        }
        self.points[point] = Some(self.mover);
        self.removing = self.in_mill(point);
        if self.removing {
            self.quiet = 0;
        } else {
            self.mover = 1 - self.mover;
        }
    }

    fn terminal(&self) -> bool {
        self.quiet == QUIET_LIMIT || self.loser().is_some()
    }

    fn points(&self) -> Vec<u8> {
        points_of_two(self.loser().map(|loser| 1 - loser))
    }
}

#[test]
fn agrees() {
    agree::<Morris>("nine_mens_morris");
}

//! Pac-Man for three, on a map drawn in characters.

use crate::harness::{Simulator, agree, words};

/// The maze from the top: a wall, a pellet, or a cell that is empty at the start.
const MAP: [&str; 8] = ["##....##", "##.##.##", "...  ...", ".#.##.#.", ".#.##.#.", ".... ...", "##.##.##", "##....##"];

/// The directions, and what they add to the column and to the line of the map.
const DIRECTIONS: [(&str, usize, usize); 4] = [("north", 8, 7), ("east", 9, 8), ("south", 8, 9), ("west", 7, 8)];

/// A place as column and line of the map, both from 0.
type Place = (usize, usize);

#[derive(Clone)]
struct Pacman {
    /// Pacman, Blinky, Inky.
    places: [Place; 3],
    pellets: Vec<Place>,
    plies: usize,
}

/// The place one step further; off the map or into a wall is nowhere.
fn step((column, line): Place, direction: &str) -> Option<Place> {
    let (_, across, down) = DIRECTIONS.into_iter().find(|&(name, ..)| name == direction)?;
    let (column, line) = ((column + across).checked_sub(8)?, (line + down).checked_sub(8)?);
    let cell = *MAP.get(line)?.as_bytes().get(column)?;
    (cell != b'#').then_some((column, line))
}

impl Simulator for Pacman {
    fn new() -> Pacman {
        let everywhere = (0..8).flat_map(|line| (0..8).map(move |column| (column, line)));
        let pellets = everywhere.filter(|&(column, line)| MAP[line].as_bytes()[column] == b'.').collect();
        Pacman { places: [(4, 5), (3, 2), (4, 2)], pellets, plies: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let moves = |role: usize| {
            if (role == 0) == self.plies.is_multiple_of(2) {
                let ways = DIRECTIONS.into_iter().filter(|&(name, ..)| step(self.places[role], name).is_some());
                ways.map(|(name, ..)| format!("(go {name})")).collect()
            } else {
                vec!["noop".to_owned()]
            }
        };
        (0..3).map(moves).collect()
    }

    fn play(&mut self, joint: &[String]) {
        for (place, text) in self.places.iter_mut().zip(joint) {
            if let [_, direction] = words(text)[..] {
                *place = step(*place, direction).expect("an open cell");
            }
        }
        let pacman = self.places[0];
        self.pellets.retain(|&pellet| pellet != pacman);
        self.plies += 1;
    }

    fn terminal(&self) -> bool {
        self.places[1..].contains(&self.places[0]) || self.pellets.is_empty() || self.plies == 99
    }

    fn points(&self) -> Vec<u8> {
        let eaten = u8::try_from(33 - self.pellets.len()).expect("few pellets");
        let pacman = if eaten == 33 { 100 } else { 2 * eaten + eaten.saturating_sub(10) };
        let ghost = |role: usize| if self.places[role] == self.places[0] { 100 } else { 0 };
        vec![pacman, ghost(1), ghost(2)]
    }
}

#[test]
fn agrees() {
    agree::<Pacman>("pacman");
}

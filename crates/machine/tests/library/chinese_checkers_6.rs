//! Chinese checkers, with a picture of the star. The games for two, three and four players differ in who is seated and how long they play.

use crate::harness::{Simulator, agree, words};
use std::collections::BTreeSet;

/// The star: whose home a cell is, by the number of the seat, clockwise from the top, or a dot in the middle.
const STAR: [&[u8; 13]; 9] = [
    b"      0      ",
    b"     0 0     ",
    b"5 5 . . . 1 1",
    b" 5 . . . . 1 ",
    b"  . . . . .  ",
    b" 4 . . . . 2 ",
    b"4 4 . . . 2 2",
    b"     3 3     ",
    b"      3      ",
];

/// The directions in the picture, clockwise: the marbles of seat 0 go by the first two, those of seat 1 by the second and third ...
const DIRECTIONS: [(isize, isize); 6] = [(1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1), (2, 0)];

type Place = (usize, usize);

#[derive(Clone)]
pub(crate) struct ChineseCheckers<const PLAYERS: usize> {
    /// The places of every player's marbles.
    marbles: Vec<Vec<Place>>,
    turns: usize,
}

impl<const PLAYERS: usize> ChineseCheckers<PLAYERS> {
    /// Where the players sit, and how many turns each of them has.
    fn seating() -> (&'static [usize], usize) {
        match PLAYERS {
            2 => (&[0, 3], 20),
            3 => (&[0, 2, 4], 20),
            4 => (&[0, 1, 3, 4], 15),
            _ => (&[0, 1, 2, 3, 4, 5], 10),
        }
    }

    /// The cell next to one, if a player may stand there.
    fn onward(seat: usize, (x, y): Place, (dx, dy): (isize, isize)) -> Option<Place> {
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        let open = [b'.', seat_sign(seat), seat_sign(seat + 3)];
        open.contains(STAR.get(y)?.get(x)?).then_some((x, y))
    }

    fn taken(&self, place: Place) -> bool {
        self.marbles.iter().flatten().any(|&marble| marble == place)
    }

    /// Adds where hops lead from a place, at most so many on end.
    fn hops(&self, seat: usize, from: Place, most: usize, landings: &mut BTreeSet<Place>) {
        for direction in [DIRECTIONS[seat], DIRECTIONS[(seat + 1) % 6]] {
            let over = Self::onward(seat, from, direction).filter(|&over| self.taken(over));
            let landing = over.and_then(|over| Self::onward(seat, over, direction)).filter(|&landing| !self.taken(landing));
            if let Some(landing) = landing.filter(|_| most > 0) {
                landings.insert(landing);
                self.hops(seat, landing, most - 1, landings);
            }
        }
    }
}

fn seat_sign(seat: usize) -> u8 {
    b"012345"[seat % 6]
}

/// The name of a place: its slanting column and its row.
fn name((x, y): Place) -> String {
    format!("{} {}", char::from(b"abcdefghi"[(x + 6 - y) / 2]), y + 1)
}

fn place(column: &str, row: &str) -> Place {
    let y = row.parse::<usize>().expect("a row") - 1;
    let column = "abcdefghi".find(column).expect("a column");
    (2 * column + y - 6, y)
}

impl<const PLAYERS: usize> Simulator for ChineseCheckers<PLAYERS> {
    fn new() -> Self {
        let places = || (0..9).flat_map(|y| (0..13).map(move |x| (x, y)));
        let home = |&seat: &usize| places().filter(|&(x, y)| STAR[y][x] == seat_sign(seat)).collect();
        ChineseCheckers { marbles: Self::seating().0.iter().map(home).collect(), turns: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; PLAYERS];
        let mover = self.turns % PLAYERS;
        let seat = Self::seating().0[mover];
        legal[mover] = vec!["pass".to_owned()];
        for &from in &self.marbles[mover] {
            let steps = [DIRECTIONS[seat], DIRECTIONS[(seat + 1) % 6]].map(|direction| Self::onward(seat, from, direction));
            let mut landings = steps.into_iter().flatten().filter(|&to| !self.taken(to)).collect();
            self.hops(seat, from, 2, &mut landings);
            legal[mover].extend(landings.into_iter().map(|to| format!("(move {} {})", name(from), name(to))));
        }
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let mover = self.turns % PLAYERS;
        if let [_, column, row, column2, row2] = words(&joint[mover])[..] {
            let moved = self.marbles[mover].iter_mut().find(|marble| **marble == place(column, row));
            *moved.expect("a marble") = place(column2, row2);
        }
        self.turns += 1;
    }

    fn terminal(&self) -> bool {
        self.turns == PLAYERS * Self::seating().1 || self.points().contains(&100)
    }

    fn points(&self) -> Vec<u8> {
        let arrived =
            |seat: usize, marbles: &[Place]| marbles.iter().filter(|(x, y)| STAR[*y][*x] == seat_sign(seat + 3)).count();
        Self::seating().0.iter().zip(&self.marbles).map(|(&seat, marbles)| [0, 25, 50, 100][arrived(seat, marbles)]).collect()
    }
}

#[test]
fn agrees() {
    agree::<ChineseCheckers<6>>("chinese_checkers_6");
}

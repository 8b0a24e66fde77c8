//! Connect Four for three, with the columns as stacks of discs.

use crate::harness::{Simulator, agree, words};

const COLUMNS: usize = 9;
const ROWS: usize = 6;
const PLAYERS: usize = 3;

#[derive(Clone)]
struct ConnectFour3 {
    stacks: [Vec<usize>; COLUMNS],
}

impl ConnectFour3 {
    fn discs(&self) -> usize {
        self.stacks.iter().map(Vec::len).sum()
    }

    /// Whose disc lies in a cell.
    fn disc(&self, column: usize, row: usize) -> Option<usize> {
        self.stacks.get(column)?.get(row).copied()
    }

    /// Who has four discs that are equal: upwards in one stack, or in four neighbouring stacks on the level, up or down.
    fn winner(&self) -> Option<usize> {
        let upwards = self.stacks.iter().flat_map(|stack| stack.windows(4).map(|four| four.iter().copied().map(Some).collect()));
        let starts = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
        let sideways = starts.flat_map(|(column, row)| {
            let level = (0..4).map(|i| self.disc(column + i, row)).collect();
            let rising = (0..4).map(|i| self.disc(column + i, row + i)).collect();
            let falling = (0..4).map(|i| self.disc(column + i, row.checked_sub(i)?)).collect();
            [level, rising, falling]
        });
        let lines: Vec<Vec<Option<usize>>> = upwards.chain(sideways).collect();
        lines.into_iter().find(|line| line[0].is_some() && line.iter().all(|disc| *disc == line[0])).and_then(|line| line[0])
    }
}

impl Simulator for ConnectFour3 {
    fn new() -> ConnectFour3 {
        ConnectFour3 { stacks: Default::default() }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; PLAYERS];
        let open = (0..COLUMNS).filter(|&column| self.stacks[column].len() < ROWS);
        legal[self.discs() % PLAYERS] = open.map(|column| format!("(drop {})", column + 1)).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let mover = self.discs() % PLAYERS;
        let column: usize = words(&joint[mover])[1].parse().expect("a column");
        self.stacks[column - 1].push(mover);
    }

    fn terminal(&self) -> bool {
        self.winner().is_some() || self.discs() == COLUMNS * ROWS
    }

    fn points(&self) -> Vec<u8> {
        let Some(winner) = self.winner() else { return vec![33; PLAYERS] };
        (0..PLAYERS).map(|player| if player == winner { 100 } else { 0 }).collect()
    }
}

#[test]
fn agrees() {
    agree::<ConnectFour3>("connect_four_3");
}

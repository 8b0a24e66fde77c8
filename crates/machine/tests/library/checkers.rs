//! Checkers, on an array of 64 squares. The board serves cylinder checkers as well.

use crate::harness::{Simulator, agree, words};

/// How many plies without a jump or a man's move are a draw.
const QUIET_PLIES: usize = 80;

/// Side 0 moves first, and is here always at the bottom of the board.
#[derive(Clone)]
pub(crate) struct Board {
    /// Side and whether it is a king, by file and rank from 0; the light squares stay empty.
    squares: [[Option<(usize, bool)>; 8]; 8],
    pub(crate) mover: usize,
    /// The piece that must go on jumping.
    jumper: Option<Square>,
    /// Whether the first and the last file are neighbours.
    wraps: bool,
}

/// File and rank, from 0.
pub(crate) type Square = (usize, usize);

/// What a move was.
pub(crate) struct Played {
    pub(crate) captured: bool,
    pub(crate) by_man: bool,
    pub(crate) turn_over: bool,
}

impl Board {
    pub(crate) fn new(wraps: bool) -> Board {
        let mut squares = [[None; 8]; 8];
        for (file, rank) in (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank))) {
            if (file + rank) % 2 == 0 && !(3..5).contains(&rank) {
                squares[file][rank] = Some((usize::from(rank > 4), false));
            }
        }
        Board { squares, mover: 0, jumper: None, wraps }
    }

    pub(crate) fn pieces(&self, side: usize) -> usize {
        self.squares.iter().flatten().filter(|square| square.is_some_and(|(owner, _)| owner == side)).count()
    }

    fn neighbour(&self, (file, rank): Square, (files, ranks): (isize, isize)) -> Option<Square> {
        let moved = file.cast_signed() + files;
        let file = if self.wraps { moved.rem_euclid(8) } else { moved }.cast_unsigned();
        let rank = rank.checked_add_signed(ranks)?;
        (file < 8 && rank < 8).then_some((file, rank))
    }

    /// Where the piece on a square can jump, or step, to.
    fn goes(&self, from: Square, jumping: bool) -> Vec<Square> {
        let Some((side, king)) = self.squares[from.0][from.1] else { return Vec::new() };
        let ahead = if side == 0 { 1 } else { -1 };
        let content = |square: Square| self.squares[square.0][square.1];
        let ways = [(-1, ahead), (1, ahead), (-1, -ahead), (1, -ahead)];
        let mut goals = Vec::new();
        for way in &ways[..if king { 4 } else { 2 }] {
            let Some(near) = self.neighbour(from, *way) else { continue };
            let goal = if jumping { self.neighbour(near, *way) } else { Some(near) };
            let over_enemy = content(near).is_some_and(|(owner, _)| owner != side);
            goals.extend(goal.filter(|goal| content(*goal).is_none() && over_enemy == jumping));
        }
        goals
    }

    pub(crate) fn moves(&self) -> Vec<(Square, Square)> {
        let all = (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank)));
        let own: Vec<Square> =
            all.filter(|&(file, rank)| self.squares[file][rank].is_some_and(|(side, _)| side == self.mover)).collect();
        let list = |pieces: &[Square], jumping| -> Vec<(Square, Square)> {
            pieces.iter().flat_map(|&from| self.goes(from, jumping).into_iter().map(move |to| (from, to))).collect()
        };
        let jumps = list(self.jumper.as_ref().map_or(&own[..], std::slice::from_ref), true);
        if jumps.is_empty() { list(&own, false) } else { jumps }
    }

    pub(crate) fn play(&mut self, (from, to): (Square, Square)) -> Played {
        let (side, king) = self.squares[from.0][from.1].take().expect("a piece");
        let crowned = !king && to.1 == [7, 0][side];
        self.squares[to.0][to.1] = Some((side, king || crowned));
        let captured = from.1.abs_diff(to.1) == 2;
        if captured {
            let rank = from.1.midpoint(to.1);
            let files = if from.0.abs_diff(to.0) == 2 { from.0.midpoint(to.0) } else { [7, 0][from.0 % 2] };
            self.squares[files][rank] = None;
        }
        let turn_over = !captured || crowned || self.goes(to, true).is_empty();
        self.jumper = (!turn_over).then_some(to);
        if turn_over {
            self.mover = 1 - side;
        }
        Played { captured, by_man: !king, turn_over }
    }
}

/// Black moves first and down the board: its squares are the board's, turned around.
#[derive(Clone)]
struct Checkers {
    board: Board,
    quiet: usize,
}

fn text(moved: (Square, Square)) -> String {
    let square = |(file, rank): Square| format!("{} {}", char::from(b"hgfedcba"[file]), 8 - rank);
    format!("(move {} {})", square(moved.0), square(moved.1))
}

impl Simulator for Checkers {
    fn new() -> Checkers {
        Checkers { board: Board::new(false), quiet: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.board.mover] = self.board.moves().into_iter().map(text).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let wanted = words(&joint[self.board.mover]);
        let moved = self.board.moves().into_iter().find(|moved| words(&text(*moved)) == wanted).expect("a legal move");
        let played = self.board.play(moved);
        self.quiet = if played.captured || played.by_man { 0 } else { self.quiet + 1 };
    }

    fn terminal(&self) -> bool {
        self.quiet == QUIET_PLIES || self.board.moves().is_empty()
    }

    fn points(&self) -> Vec<u8> {
        match (self.board.moves().is_empty(), self.board.mover) {
            (false, _) => vec![50, 50],
            (true, 0) => vec![0, 100],
            (true, _) => vec![100, 0],
        }
    }
}

#[test]
fn agrees() {
    agree::<Checkers>("checkers");
}

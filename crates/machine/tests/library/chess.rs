//! Chess, by a library that chess programs are built on.

use crate::harness::{Simulator, agree, words};
use cozy_chess::{Board, Color, File, Move, Piece, Square};

/// Where a match is broken off.
const PLIES: usize = 200;

const OFFICERS: [(&str, Piece); 4] =
    [("queen", Piece::Queen), ("rook", Piece::Rook), ("bishop", Piece::Bishop), ("knight", Piece::Knight)];

#[derive(Clone)]
struct Chess {
    board: Board,
    plies: usize,
}

impl Chess {
    fn moves(&self) -> Vec<Move> {
        let mut all = Vec::new();
        self.board.generate_moves(|moves| {
            all.extend(moves);
            false
        });
        all
    }

    /// The library castles by moving the king onto its own rook, we by moving it two files.
    fn text(&self, played: Move) -> String {
        let mut to = played.to;
        if self.board.color_on(to) == Some(self.board.side_to_move()) {
            to = Square::new(if to.file() > played.from.file() { File::G } else { File::C }, to.rank());
        }
        let squares: Vec<String> =
            [played.from, to].map(|square| format!("{} {}", square.file(), square.rank() as usize + 1)).into();
        match OFFICERS.iter().find(|(_, piece)| Some(*piece) == played.promotion) {
            Some((officer, _)) => format!("(promote {} {officer})", squares.join(" ")),
            None => format!("(move {})", squares.join(" ")),
        }
    }
}

impl Simulator for Chess {
    fn new() -> Chess {
        Chess { board: Board::default(), plies: 0 }
    }

    fn legal(&self) -> Vec<Vec<String>> {
        let mut legal = vec![vec!["noop".to_owned()]; 2];
        legal[self.board.side_to_move() as usize] = self.moves().into_iter().map(|played| self.text(played)).collect();
        legal
    }

    fn play(&mut self, joint: &[String]) {
        let text = &joint[self.board.side_to_move() as usize];
        let played = self.moves().into_iter().find(|played| words(&self.text(*played)) == words(text));
        self.board.play(played.expect("a legal move"));
        self.plies += 1;
    }

    fn terminal(&self) -> bool {
        self.plies == PLIES || self.board.occupied() == self.board.pieces(Piece::King) || self.moves().is_empty()
    }

    fn points(&self) -> Vec<u8> {
        let mated = self.moves().is_empty() && !self.board.checkers().is_empty();
        match (mated, self.board.side_to_move()) {
            (false, _) => vec![50, 50],
            (true, Color::White) => vec![0, 100],
            (true, Color::Black) => vec![100, 0],
        }
    }
}

#[test]
fn agrees() {
    agree::<Chess>("chess");
}

//! What the paper says: the trends of figures 4 to 8, which are printed as curves without numbers, as its text describes them, and the numbers of table I.

use super::players::{Opponent, Player};

/// How the paper's player fares, as far as the text says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trend {
    Wins,
    /// About as many points for both.
    Even,
    Loses,
    /// Draws, or losses.
    DoesNotWin,
    /// It depends on the time, or is not said.
    Open,
}

/// A game of the paper.
pub(super) struct Game {
    pub(super) title: &'static str,
    /// In our library.
    pub(super) name: &'static str,
    /// Table I: percent at 5, 10 and 30 s, each with half its 95% interval.
    pub(super) table: [(f64, f64); 3],
}

pub(super) static GAMES: [Game; 5] = [
    Game { title: "Chess", name: "chess", table: [(44.0, 7.0), (44.0, 8.0), (54.0, 12.0)] },
    Game { title: "Checkers", name: "checkers", table: [(85.0, 3.0), (94.0, 4.0), (85.0, 5.0)] },
    Game { title: "Othello", name: "othello", table: [(25.0, 9.0), (14.0, 9.0), (-11.0, 11.0)] },
    Game { title: "Connect4", name: "connect_four", table: [(56.0, 8.0), (39.0, 12.0), (36.0, 10.0)] },
    Game { title: "Connect5", name: "connect_five", table: [(25.0, 9.0), (30.0, 9.0), (43.0, 10.0)] },
];

/// Where the games stand in the list.
pub(super) const CHESS: usize = 0;
pub(super) const CHECKERS: usize = 1;
pub(super) const OTHELLO: usize = 2;
pub(super) const CONNECT_FOUR: usize = 3;
pub(super) const CONNECT_FIVE: usize = 4;

/// The times of table I in seconds.
pub(super) const TABLE_TIMES: [f64; 3] = [5.0, 10.0, 30.0];

/// Matches of a game in a figure, all times together; and of a cell of the table.
pub(super) const FIGURE_MATCHES: u32 = 1000;
pub(super) const TABLE_MATCHES: u32 = 50;

/// The figures' times reach from 1 to 60 s; the text names these.
pub(super) const FIGURE_TIMES: [f64; 5] = [1.0, 5.0, 10.0, 30.0, 60.0];

/// A figure, or the table.
pub(super) struct Figure {
    pub(super) title: &'static str,
    /// A part of the names of files.
    pub(super) key: &'static str,
    pub(super) player: Player,
    pub(super) opponent: Opponent,
    /// For every game, in the order of the list: how it goes, and what the text says.
    pub(super) trends: [(Trend, &'static str); 5],
}

pub(super) static FIGURES: [Figure; 6] = [
    Figure {
        title: "Figure 4: GUCT against UCT",
        key: "4",
        player: Player::Guct,
        opponent: Opponent::Uct,
        trends: [
            (Trend::Wins, "wins, most of all games; more draws at 1 s"),
            (Trend::Wins, "wins, by less the more time there is"),
            (Trend::Loses, "loses decisively, but for the shortest times"),
            (Trend::Wins, "wins, by less than in Chess and Checkers"),
            (Trend::Even, "loses slightly: very low for short times, then about even"),
        ],
    },
    Figure {
        title: "Figure 5: MTD(f) against UCT of one thread",
        key: "5",
        player: Player::Mtdf,
        opponent: Opponent::Uct,
        trends: [
            (Trend::DoesNotWin, "fares badly; all draws up to 10 s"),
            (Trend::Wins, "wins, by much more than GUCT"),
            (Trend::Open, "better than GUCT, still weak"),
            (Trend::Wins, "wins, by much more than GUCT"),
            (Trend::Open, "wins easily for short times, UCT gains with time"),
        ],
    },
    Figure {
        title: "Figure 6: MTD(f) against UCT of many threads",
        key: "6",
        player: Player::Mtdf,
        opponent: Opponent::UctThreads,
        trends: [
            (Trend::Loses, "loses many games"),
            (Trend::Wins, "wins"),
            (Trend::Open, "better than GUCT, still weak"),
            (Trend::Wins, "wins"),
            (Trend::Open, "wins easily for short times, UCT gains with time"),
        ],
    },
    Figure {
        title: "Figure 7: MTD(f) against GUCT of one thread",
        key: "7",
        player: Player::Mtdf,
        opponent: Opponent::Guct,
        trends: [
            (Trend::Loses, "loses: Chess is clearly better suited for GUCT"),
            (Trend::Wins, "a clear winner"),
            (Trend::Even, "slightly better, not significant"),
            (Trend::Wins, "a clear winner"),
            (Trend::Open, "wins easily for short times, then more even"),
        ],
    },
    Figure {
        title: "Figure 8: MTD(f) against GUCT of many threads",
        key: "8",
        player: Player::Mtdf,
        opponent: Opponent::GuctThreads,
        trends: [
            (Trend::Loses, "loses: Chess is clearly better suited for GUCT"),
            (Trend::Wins, "a clear winner"),
            (Trend::Even, "slightly better, not significant"),
            (Trend::Wins, "a clear winner"),
            (Trend::Open, "wins easily for short times, then more even"),
        ],
    },
    Figure {
        title: "Table I: GUCT against GUCT with the null heuristic",
        key: "table",
        player: Player::Guct,
        opponent: Opponent::Null,
        trends: [
            (Trend::Wins, "44%, 44%, 54% at 5, 10, 30 s"),
            (Trend::Wins, "85%, 94%, 85%"),
            (Trend::Open, "25%, 14%, -11%"),
            (Trend::Wins, "56%, 39%, 36%"),
            (Trend::Wins, "25%, 30%, 43%"),
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::{FIGURES, GAMES, Opponent};

    #[test]
    fn the_words_of_the_table_are_its_numbers() {
        let table = FIGURES.iter().find(|figure| figure.opponent == Opponent::Null).expect("the table");
        for (game, (_, words)) in GAMES.iter().zip(table.trends) {
            let numbers = game.table.map(|(percent, _)| format!("{percent}%")).join(", ");
            assert!(words.starts_with(&numbers), "{}: {words}", game.title);
        }
    }
}

//! Tables 1 and 2 of the paper.

/// Start clock and move clock, in units of T.
pub(super) const CLOCKS: [[f64; 2]; 4] = [[16.0, 2.0], [32.0, 4.0], [64.0, 8.0], [128.0, 16.0]];

/// Matches of every cell.
pub(super) const MATCHES: f64 = 80.0;

/// A game of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    pub(super) title: &'static str,
    /// In our library.
    pub(super) name: &'static str,
    /// By clocks: how many percent the Heuristic Player won, and how many UCT did.
    pub(super) percent: [[f64; 2]; 4],
}

const fn game(title: &'static str, name: &'static str, percent: [[f64; 2]; 4]) -> Game {
    Game { title, name, percent }
}

/// The smallest one first, for those who want just one.
pub(super) const GAMES: [Game; 11] = [
    game("Tic-Tac-Toe", "tic_tac_toe", [[55.0, 25.0], [30.0, 33.0], [44.0, 46.0], [24.0, 58.0]]),
    game("Bomberman", "bomberman", [[6.0, 94.0], [11.0, 86.0], [21.0, 70.0], [14.0, 77.0]]),
    game("Breakthrough", "breakthrough", [[50.0, 50.0], [50.0, 50.0], [48.0, 52.0], [37.0, 63.0]]),
    game("Checkers", "checkers", [[64.0, 22.0], [66.0, 20.0], [84.0, 10.0], [74.0, 16.0]]),
    game("Chess", "chess", [[14.0, 0.0], [35.0, 10.0], [45.0, 9.0], [23.0, 4.0]]),
    game("Connectfour", "connect_four", [[48.0, 40.0], [45.0, 44.0], [45.0, 46.0], [41.0, 51.0]]),
    game("Farmers", "farmers", [[36.0, 64.0], [32.0, 68.0], [14.0, 86.0], [11.0, 89.0]]),
    game("Othello", "othello", [[50.0, 25.0], [29.0, 49.0], [38.0, 49.0], [30.0, 54.0]]),
    game("Pacman", "pacman", [[78.0, 22.0], [75.0, 25.0], [55.0, 45.0], [51.0, 49.0]]),
    game("Sheep and Wolf", "sheep_and_wolf", [[89.0, 11.0], [76.0, 24.0], [70.0, 30.0], [58.0, 42.0]]),
    game("Wallmaze", "wallmaze", [[3.0, 0.0], [6.0, 0.0], [29.0, 25.0], [34.0, 30.0]]),
];

/// `[16T,2T]`.
pub(super) fn clock_text(clock: usize) -> String {
    let [start, play] = CLOCKS[clock];
    format!("[{start}T,{play}T]")
}

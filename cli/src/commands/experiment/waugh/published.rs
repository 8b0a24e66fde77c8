//! Tables 1 and 2 of the paper.

/// A line of the tables: by player, early, middle and end of the match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Published {
    pub(super) player: &'static str,
    pub(super) states: [f64; 3],
    pub(super) simulations: [f64; 3],
}

impl Published {
    /// The line of table 1 or 2.
    pub(super) fn of(&self, table: usize) -> [f64; 3] {
        if table == 0 { self.states } else { self.simulations }
    }
}

/// A game of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    pub(super) title: &'static str,
    /// In our library.
    pub(super) name: &'static str,
    pub(super) prolog: Option<Published>,
    pub(super) plain: Published,
    pub(super) table: Published,
}

const fn line(player: &'static str, states: [f64; 3], simulations: [f64; 3]) -> Published {
    Published { player, states, simulations }
}

pub(super) const GAMES: [Game; 4] = [
    Game {
        title: "Tic-Tac-Toe",
        name: "tic_tac_toe",
        prolog: Some(line("YAP", [50_935.0, 54_197.0, 52_663.0], [7309.0, 13_212.0, 18_553.0])),
        plain: line("gdlcc", [839_772.0, 896_903.0, 980_867.0], [134_932.0, 194_602.0, 194_602.0]),
        table: line("gdlcc tt", [1_197_720.0, 1_324_552.0, 1_426_093.0], [164_348.0, 268_363.0, 370_144.0]),
    },
    Game {
        title: "Chess",
        name: "chess",
        prolog: Some(line("YAP", [3240.0, 3170.0, 3190.0], [22.0, 31.0, 62.0])),
        plain: line("gdlcc", [5189.0, 5634.0, 5963.0], [28.0, 41.0, 63.0]),
        table: line("gdlcc tt", [5091.0, 5353.0, 5611.0], [28.0, 39.0, 58.0]),
    },
    Game {
        title: "Checkers",
        name: "checkers",
        prolog: None,
        plain: line("gdlcc", [9853.0, 10_159.0, 11_268.0], [108.0, 217.0, 1419.0]),
        table: line("gdlcc tt", [9879.0, 9888.0, 54_312.0], [108.0, 208.0, 12_961.0]),
    },
    Game {
        title: "Connect4",
        name: "connect_four",
        prolog: None,
        plain: line("gdlcc", [65_683.0, 57_376.0, 53_842.0], [3308.0, 4612.0, 6881.0]),
        table: line("gdlcc tt", [65_683.0, 64_764.0, 65_683.0], [3536.0, 5367.0, 8156.0]),
    },
];

impl Game {
    /// The best that was published, cell by cell.
    pub(super) fn best(&self) -> Published {
        let best = |table: usize| -> [f64; 3] {
            let lines = [self.prolog, Some(self.plain), Some(self.table)].into_iter().flatten();
            lines.map(|line| line.of(table)).fold([0.0; 3], |one, two| std::array::from_fn(|phase| one[phase].max(two[phase])))
        };
        Published { player: "best published", states: best(0), simulations: best(1) }
    }
}

//! The five models and table 2 of the paper.

/// A sum of counts in a position, each with a factor: what a feature of the paper is in the words of our sheet. The word `ply` stands for joint moves since the
/// beginning.
pub(super) type Counts = &'static [(f64, &'static str)];

/// A feature of the paper with its weight there; 0 where the paper says that it has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Feature {
    pub(super) name: &'static str,
    pub(super) weight: f64,
    pub(super) counts: Counts,
}

/// A part of a model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// As the paper prints it.
    pub(super) text: &'static str,
    /// Empty where the paper found none, or does not print any.
    pub(super) features: &'static [Feature],
}

/// A game of the paper.
#[derive(Clone, Copy, Debug)]
pub(super) struct Game {
    pub(super) title: &'static str,
    /// In our library.
    pub(super) name: &'static str,
    /// Whose model is printed.
    pub(super) role: &'static str,
    /// Payoff, control, termination.
    pub(super) parts: [Part; 3],
    /// The stabilities of payoff and control: as the paper prints them, or 1 and 0 where it says that the model reduces to one of the two.
    pub(super) stabilities: Option<[f64; 2]>,
    /// Seconds of analysis.
    pub(super) analysis: f64,
    /// Table 2: mean scores of the model and of early payoff.
    pub(super) scores: [f64; 2],
    /// Whether points of our sheet mean what they mean in the paper's, so that leads can be compared.
    pub(super) same_points: bool,
}

const NONE: Part = Part { text: "none", features: &[] };
const NOT_PRINTED: Part = Part { text: "not printed", features: &[] };

pub(super) const GAMES: [Game; 5] = [
    Game {
        title: "Racetrack Corridor",
        name: "racetrack_corridor",
        role: "white",
        parts: [
            Part { text: "50 + 10 (black goal distance - white goal distance)", features: &[DISTANCE_LEAD] },
            Part {
                text: "0.091 (walls on the right: white lane - black lane) + 0.090 (on the left) + 0.006 (pieces in the top row)",
                features: &[
                    Feature {
                        name: "walls on the right",
                        weight: 0.091,
                        counts: &[(1.0, "(cell 3 ? wall)"), (-1.0, "(cell 6 ? wall)")],
                    },
                    Feature {
                        name: "walls on the left",
                        weight: 0.090,
                        counts: &[(1.0, "(cell 1 ? wall)"), (-1.0, "(cell 4 ? wall)")],
                    },
                    Feature {
                        name: "pieces in the top row",
                        weight: 0.006,
                        counts: &[(1.0, "(cell ? a white)"), (-1.0, "(cell ? a black)")],
                    },
                ],
            },
            Part {
                text: "0.014 (steps into the game) - 0.088",
                features: &[Feature { name: "steps", weight: 0.014, counts: &[(1.0, "ply")] }],
            },
        ],
        stabilities: Some([0.729, 0.271]),
        analysis: 600.0,
        scores: [100.0, 10.0],
        same_points: true,
    },
    Game {
        title: "Cylinder Checkers",
        name: "cylinder_checkers",
        role: "red",
        parts: [
            Part {
                text: "50 + 10 (total red - total black)",
                features: &[Feature {
                    name: "total",
                    weight: 10.0,
                    counts: &[(1.0, "(cell ? ? red ?)"), (-1.0, "(cell ? ? black ?)")],
                }],
            },
            Part {
                text: "0.087 (red kings - black kings) + 0.042 (red pieces - black pieces)",
                features: &[
                    Feature {
                        name: "kings",
                        weight: 0.087,
                        counts: &[(1.0, "(cell ? ? red king)"), (-1.0, "(cell ? ? black king)")],
                    },
                    Feature {
                        name: "pieces",
                        weight: 0.042,
                        counts: &[(1.0, "(cell ? ? red man)"), (-1.0, "(cell ? ? black man)")],
                    },
                ],
            },
            Part {
                text: "0.083 - 0.002 (steps before step 50)",
                features: &[Feature { name: "steps", weight: 0.002, counts: &[(1.0, "ply")] }],
            },
        ],
        stabilities: Some([0.341, 0.659]),
        analysis: 600.0,
        scores: [59.0, 41.0],
        same_points: true,
    },
    Game {
        title: "Othello",
        name: "othello",
        role: "white",
        parts: [
            Part {
                text: "50 + corners (3.361, 2.015, 1.221, 0.789) + edges (1.379, 1.114, 0.646, 0.592), all white - black",
                features: &[CORNERS, EDGES, DISCS],
            },
            NONE,
            NOT_PRINTED,
        ],
        stabilities: Some([1.0, 0.0]),
        analysis: 1800.0,
        scores: [75.0, 25.0],
        same_points: true,
    },
    Game {
        title: "Chess",
        name: "chess",
        role: "white",
        parts: [
            NONE,
            Part {
                text: "0.097 queens + 0.092 rooks + 0.042 bishops + 0.039 knights + 0.022 (empty: rank 1 - rank 8) + 0.004 pawns, all white - black",
                features: &[
                    Feature {
                        name: "queens",
                        weight: 0.097,
                        counts: &[(1.0, "(cell ? ? white queen)"), (-1.0, "(cell ? ? black queen)")],
                    },
                    Feature {
                        name: "rooks",
                        weight: 0.092,
                        counts: &[(1.0, "(cell ? ? white rook)"), (-1.0, "(cell ? ? black rook)")],
                    },
                    Feature {
                        name: "bishops",
                        weight: 0.042,
                        counts: &[(1.0, "(cell ? ? white bishop)"), (-1.0, "(cell ? ? black bishop)")],
                    },
                    Feature {
                        name: "knights",
                        weight: 0.039,
                        counts: &[(1.0, "(cell ? ? white knight)"), (-1.0, "(cell ? ? black knight)")],
                    },
                    Feature {
                        name: "empty squares",
                        weight: 0.022,
                        counts: &[(1.0, "(cell ? 8 ? ?)"), (-1.0, "(cell ? 1 ? ?)")],
                    },
                    Feature {
                        name: "pawns",
                        weight: 0.004,
                        counts: &[(1.0, "(cell ? ? white pawn)"), (-1.0, "(cell ? ? black pawn)")],
                    },
                ],
            },
            NOT_PRINTED,
        ],
        stabilities: Some([0.0, 1.0]),
        analysis: 7200.0,
        scores: [100.0, 0.0],
        same_points: true,
    },
    Game {
        title: "Chinese Checkers",
        name: "chinese_checkers_6",
        role: "red",
        parts: [
            Part {
                text: "80 + 1.201 (fraction of red marbles in goal) - 3.000 (total distance red marbles need to travel)",
                features: &[
                    Feature { name: "fraction in goal", weight: 1.201, counts: IN_GOAL },
                    Feature { name: "total distance", weight: -3.0, counts: WAY },
                ],
            },
            NONE,
            NOT_PRINTED,
        ],
        stabilities: Some([1.0, 0.0]),
        analysis: 600.0,
        scores: [42.0, 30.0],
        same_points: false,
    },
];

const DISTANCE_LEAD: Feature = Feature {
    name: "distance",
    weight: 10.0,
    counts: &[
        (4.0, "(cell ? a black)"),
        (3.0, "(cell ? b black)"),
        (2.0, "(cell ? c black)"),
        (1.0, "(cell ? d black)"),
        (-4.0, "(cell ? a white)"),
        (-3.0, "(cell ? b white)"),
        (-2.0, "(cell ? c white)"),
        (-1.0, "(cell ? d white)"),
    ],
};

/// The mean of the four weights: which corner is which depends on how a board is drawn.
const CORNERS: Feature = Feature {
    name: "corners",
    weight: (3.361 + 2.015 + 1.221 + 0.789) / 4.0,
    counts: &[
        (1.0, "(cell a 1 white)"),
        (1.0, "(cell a 8 white)"),
        (1.0, "(cell h 1 white)"),
        (1.0, "(cell h 8 white)"),
        (-1.0, "(cell a 1 black)"),
        (-1.0, "(cell a 8 black)"),
        (-1.0, "(cell h 1 black)"),
        (-1.0, "(cell h 8 black)"),
    ],
};

const EDGES: Feature = Feature {
    name: "edges",
    weight: (1.379 + 1.114 + 0.646 + 0.592) / 4.0,
    counts: &[
        (1.0, "(cell a ? white)"),
        (1.0, "(cell h ? white)"),
        (1.0, "(cell ? 1 white)"),
        (1.0, "(cell ? 8 white)"),
        (-1.0, "(cell a ? black)"),
        (-1.0, "(cell h ? black)"),
        (-1.0, "(cell ? 1 black)"),
        (-1.0, "(cell ? 8 black)"),
    ],
};

/// What the paper's model does not count.
const DISCS: Feature =
    Feature { name: "all discs", weight: 0.0, counts: &[(1.0, "(cell ? ? white)"), (-1.0, "(cell ? ? black)")] };

const IN_GOAL: Counts = &[(1.0 / 3.0, "(cell c 8 red)"), (1.0 / 3.0, "(cell d 8 red)"), (1.0 / 3.0, "(cell c 9 red)")];

/// Every step of red leads one row down; its marbles need to come to rows 8, 8 and 9.
const WAY: Counts = &[
    (8.0, "(cell ? 1 red)"),
    (7.0, "(cell ? 2 red)"),
    (6.0, "(cell ? 3 red)"),
    (5.0, "(cell ? 4 red)"),
    (4.0, "(cell ? 5 red)"),
    (3.0, "(cell ? 6 red)"),
    (2.0, "(cell ? 7 red)"),
    (1.0, "(cell ? 8 red)"),
];

impl Game {
    /// How far the model is ahead in table 2, from -1 to 1.
    pub(super) fn lead(&self) -> f64 {
        (self.scores[0] - self.scores[1]) / 100.0
    }
}

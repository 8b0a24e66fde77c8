//! The players, each with its options: adding one is an entry here and a function in `build`.

use super::{Ready, SpecError, build};
use crate::{Search, Settings};
use ludens_machine::Machine;
use std::fmt;

/// A player that can be asked for by name.
#[derive(Debug)]
pub struct Player {
    /// As it is written.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// How it can be set up.
    pub options: &'static [PlayerOption],
    pub(super) build: Build,
}

/// Makes a player of its table entry and its values.
type Build = for<'m> fn(&Ready, &'m Machine, Settings) -> Result<Box<dyn Search + 'm>, SpecError>;

/// Something that can be set.
#[derive(Debug)]
pub struct PlayerOption {
    /// As it is written.
    pub name: &'static str,
    /// What can stand after the `=`.
    pub kind: Kind,
    /// What it is if nobody says otherwise.
    pub default: Value,
    /// What it does, in a line.
    pub about: &'static str,
}

/// What an option can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A number in a range.
    Number {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
    },
    /// A whole number in a range.
    Count {
        /// The smallest.
        low: u32,
        /// The largest.
        high: u32,
    },
    /// A whole number in a range, or `off`.
    Limit {
        /// The smallest.
        low: u32,
        /// The largest.
        high: u32,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// Any of these words, joined by `+`, or `none`; at most 32.
    Set(&'static [&'static str]),
}

/// What an option is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Of a [`Kind::Number`].
    Number(f64),
    /// Of a [`Kind::Count`] or a [`Kind::Limit`].
    Count(u32),
    /// Of a [`Kind::Limit`]: there is none.
    Off,
    /// Of a [`Kind::Choice`].
    Choice(&'static str),
    /// Of a [`Kind::Set`].
    Set {
        /// All words there are.
        words: &'static [&'static str],
        /// A bit for each that was chosen.
        chosen: u32,
    },
}

impl Value {
    /// Whether a word is among those that were chosen.
    pub fn has(&self, word: &str) -> bool {
        match *self {
            Value::Set { words, chosen } => {
                words.iter().enumerate().any(|(place, known)| *known == word && chosen >> place & 1 == 1)
            }
            _ => false,
        }
    }
}

impl Kind {
    /// The value with this text, if there is one.
    pub fn value(&self, text: &str) -> Option<Value> {
        let count = |low: u32, high: u32| text.parse().ok().filter(|count| (low..=high).contains(count)).map(Value::Count);
        match *self {
            Kind::Number { low, high } => text.parse().ok().filter(|number| (low..=high).contains(number)).map(Value::Number),
            Kind::Limit { .. } if text == "off" => Some(Value::Off),
            Kind::Count { low, high } | Kind::Limit { low, high } => count(low, high),
            Kind::Choice(words) => words.iter().find(|word| **word == text).map(|word| Value::Choice(word)),
            Kind::Set(words) if text == "none" => Some(Value::Set { words, chosen: 0 }),
            Kind::Set(words) => {
                let place = |text: &str| words.iter().position(|word| *word == text.trim());
                let add = |chosen: u32, text: &str| {
                    let bit = 1 << place(text)?;
                    (chosen & bit == 0).then_some(chosen | bit)
                };
                let chosen = text.split('+').try_fold(0, add)?;
                Some(Value::Set { words, chosen })
            }
        }
    }
}

/// As messages say it: `a number from 0 to 10`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Number { low, high } => write!(f, "a number from {low} to {high}"),
            Kind::Count { low, high } => write!(f, "a whole number from {low} to {high}"),
            Kind::Limit { low, high } => write!(f, "a whole number from {low} to {high}, or `off`"),
            Kind::Choice(words) => listed(f, words, "or"),
            Kind::Set(words) => {
                f.write_str("`none`, or any of ")?;
                listed(f, words, "and")?;
                f.write_str(" joined by `+`")
            }
        }
    }
}

/// Words one after the other, with another one before the last.
fn listed(f: &mut fmt::Formatter<'_>, words: &[&str], between: &str) -> fmt::Result {
    for (index, word) in words.iter().enumerate() {
        match index {
            0 => {}
            _ if index + 1 == words.len() => write!(f, " {between} ")?,
            _ => f.write_str(", ")?,
        }
        write!(f, "`{word}`")?;
    }
    Ok(())
}

/// As people write it.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Count(count) => write!(f, "{count}"),
            Value::Off => f.write_str("off"),
            Value::Choice(word) => f.write_str(word),
            Value::Set { chosen: 0, .. } => f.write_str("none"),
            Value::Set { words, .. } => {
                let chosen: Vec<&str> = words.iter().copied().filter(|word| self.has(word)).collect();
                f.write_str(&chosen.join("+"))
            }
        }
    }
}

const SWITCH: Kind = Kind::Choice(&["on", "off"]);
const ON: Value = Value::Choice("on");
const OFF: Value = Value::Choice("off");

const fn switch(name: &'static str, default: Value, about: &'static str) -> PlayerOption {
    PlayerOption { name, kind: SWITCH, default, about }
}

const EVAL: PlayerOption = PlayerOption {
    name: "eval",
    kind: Kind::Choice(&["goal", "null", "playouts", "guided", "rows", "plain-rows", "clune", "learned", "phased", "derived"]),
    default: Value::Choice("goal"),
    about: "what a position is worth that is not the end: its goal values as they stand, the same for all, the mean of random matches, or what `ludens eval` finds",
};

/// What Guided UCT uses an evaluation for.
const USES: &[&str] = &["cutoff", "order", "init", "rollout"];

const DEPTH: PlayerOption = PlayerOption {
    name: "depth",
    kind: Kind::Limit { low: 1, high: 250 },
    default: Value::Off,
    about: "how many joint moves it looks ahead at most",
};

const LEARN: PlayerOption = switch(
    "learn",
    OFF,
    "with eval=learned: the function goes on learning from what may follow, for a fifth of each move's time",
);
const TABLE: PlayerOption = switch("table", ON, "positions are remembered");
const DEEPER: PlayerOption = switch("deeper", ON, "what is remembered of a deeper search counts as well");
const KILLERS: PlayerOption = switch("killers", ON, "moves that refuted a sibling come first");
const HISTORY: PlayerOption = switch("history", ON, "moves that were good elsewhere come first");
const SWEEP: PlayerOption = switch("sweep", ON, "children of several siblings are made at once where all will be looked at");
const SCORES: PlayerOption = switch("scores", ON, "moves that the evaluator likes come first");

const NARROW: PlayerOption = switch(
    "narrow",
    ON,
    "where a move wins at once, or all but some lose at once, the others are left out, and an only move does not count as depth; where that is easily told",
);

const CALM: PlayerOption = PlayerOption {
    name: "calm",
    kind: Kind::Limit { low: 1, high: 100 },
    default: Value::Off,
    about: "moves that change what a position is worth by more than so many points are followed beyond the depth",
};

const CUT: PlayerOption = PlayerOption {
    name: "cut",
    kind: Kind::Number { low: 0.0, high: 10.0 },
    default: Value::Number(0.0),
    about: "a search half as deep spares a deep one where what it finds is beyond what is asked by so many times its error, which is measured before the first match (ProbCut); with 0, never",
};

/// The name of the player who chooses another one.
pub(super) const AUTO: &str = "auto";

const UNCERTAINTY: PlayerOption = PlayerOption {
    name: "c",
    kind: Kind::Number { low: 0.0, high: 10.0 },
    default: Value::Number(0.25),
    about: "how much uncertainty attracts, for values from 0 to 1",
};

const LEAVES: PlayerOption = PlayerOption {
    name: "leaves",
    kind: Kind::Count { low: 1, high: 512 },
    default: Value::Count(64),
    about: "descents in hand at once, at most",
};

const PLAYOUTS: PlayerOption = PlayerOption {
    name: "playouts",
    kind: Kind::Count { low: 1, high: 512 },
    default: Value::Count(8),
    about: "random matches from every position reached, at least",
};

const PATIENCE: PlayerOption = PlayerOption {
    name: "patience",
    kind: Kind::Count { low: 1, high: 1_000_000 },
    default: Value::Count(8),
    about: "as many visits of the root as allow for one more descent at once",
};

const URGENCY: PlayerOption = PlayerOption {
    name: "urgency",
    kind: Kind::Number { low: 0.0, high: 100.0 },
    default: Value::Number(1.0),
    about: "what an untried move has beyond the mean of its node, in parts of what uncertainty adds to one visit; with 0, or up to eight moves, such moves come first",
};

/// Progressive history.
const TREND: PlayerOption = PlayerOption {
    name: "history",
    kind: Kind::Number { low: 0.0, high: 100.0 },
    default: Value::Number(12.0),
    about: "how much it counts how a move did elsewhere in the tree, over its losses and one (progressive history)",
};

const HABIT: PlayerOption = PlayerOption {
    name: "habit",
    kind: Kind::Count { low: 1, high: 1_000_000 },
    default: Value::Count(512),
    about: "a choice holds for one visit more for every so many visits of its node, at most for 16",
};

const FINAL: PlayerOption = PlayerOption {
    name: "final",
    kind: Kind::Choice(&["visits", "value"]),
    default: Value::Choice("visits"),
    about: "which move is played in the end: the one tried most, or the one worth most",
};

const FILL: PlayerOption = switch("fill", ON, "more random matches from a position rather than empty lanes");
const DECISIVE: PlayerOption = switch(
    "decisive",
    ON,
    "random matches do not pass over a win, nor let one happen, where that is easily told; not where their moves are chosen or noted one by one",
);
const PRACTICE: PlayerOption = PlayerOption {
    name: "practice",
    kind: Kind::Choice(&["auto", "on", "off"]),
    default: Value::Choice("auto"),
    about: "random matches prefer moves that do well in random matches from the start: where short matches before the first show that it helps, always, or never",
};
const SOLVER: PlayerOption = switch("solver", ON, "what is certain is proven, and used");
const TRANSPOSITIONS: PlayerOption = switch("transpositions", ON, "positions reached in several ways share a node");
const REUSE: PlayerOption = switch("reuse", ON, "the tree is kept from move to move");

/// All players.
pub const PLAYERS: &[Player] = &[
    Player {
        name: AUTO,
        about: "the search that fits the game: it invents an evaluation function, and short matches decide",
        options: &[PlayerOption {
            name: "eval",
            kind: Kind::Choice(&["learned", "phased", "derived", "guided", "rows", "clune"]),
            default: Value::Choice("learned"),
            about: "how the function is found, as `ludens eval` does",
        }],
        build: build::auto,
    },
    Player { name: "random", about: "any legal move, all equally likely", options: &[], build: build::random },
    Player { name: "first", about: "the first legal move", options: &[], build: build::first },
    Player { name: "mc", about: "random matches after every move, and the best mean", options: &[], build: build::mc },
    Player {
        name: "uct",
        about: "a tree that grows where moves are promising, with random matches at its leaves",
        options: &[
            UNCERTAINTY,
            LEAVES,
            PLAYOUTS,
            PATIENCE,
            HABIT,
            TREND,
            URGENCY,
            FINAL,
            FILL,
            DECISIVE,
            PRACTICE,
            switch("mast", OFF, "random matches prefer moves that did well wherever they were played"),
            switch("nst", OFF, "the same for moves together with the one or two before them"),
            PlayerOption {
                name: "chance",
                kind: Kind::Number { low: 0.0, high: 1.0 },
                default: Value::Number(0.4),
                about: "with mast or nst: how often a move is left to chance all the same",
            },
            PlayerOption {
                name: "decay",
                kind: Kind::Number { low: 0.0, high: 1.0 },
                default: Value::Number(0.2),
                about: "with mast or nst: what is left of the statistics after a move of the match",
            },
            SOLVER,
            TRANSPOSITIONS,
            REUSE,
            switch("grave", OFF, "the values of moves wherever they were played below count, too"),
            PlayerOption {
                name: "grave-visits",
                kind: Kind::Count { low: 0, high: 1_000_000_000 },
                default: Value::Count(50),
                about: "visits from which on a node's values of later moves are used",
            },
            PlayerOption {
                name: "grave-k",
                kind: Kind::Number { low: 0.0, high: 1e9 },
                default: Value::Number(250.0),
                about: "how many visits it takes until a node's own values count for more",
            },
        ],
        build: build::build_uct,
    },
    Player {
        name: "guct",
        about: "uct guided by what positions are worth, in one or several ways",
        options: &[
            PlayerOption { default: Value::Choice("learned"), ..EVAL },
            LEARN,
            PlayerOption {
                name: "minimax",
                kind: Kind::Number { low: 0.0, high: 1.0 },
                default: Value::Number(0.35),
                about: "how much the worth of the best line counts against the mean of visits (implicit minimax)",
            },
            PlayerOption {
                name: "use",
                kind: Kind::Set(USES),
                default: Value::Set { words: USES, chosen: 0b100 },
                about: "playouts may end early; moves are tried best first; statistics of moves start from their worth; playouts prefer good moves",
            },
            PlayerOption {
                name: "visits",
                kind: Kind::Number { low: 0.1, high: 1e6 },
                default: Value::Number(4.0),
                about: "with init: visits that the worth of a move counts for",
            },
            PlayerOption {
                name: "cutoff",
                kind: Kind::Number { low: 0.001, high: 1.0 },
                default: Value::Number(0.1),
                about: "with cutoff: how likely a playout ends at each step",
            },
            PlayerOption {
                name: "length",
                kind: Kind::Limit { low: 0, high: 1000 },
                default: Value::Off,
                about: "with cutoff: playouts end after so many steps, not by chance",
            },
            PlayerOption {
                name: "temperature",
                kind: Kind::Number { low: 0.0, high: 1000.0 },
                default: Value::Number(5.0),
                about: "with rollout: so many points make a move 2.7 times as likely; 0 is the best move",
            },
            PlayerOption {
                name: "chance",
                kind: Kind::Number { low: 0.0, high: 1.0 },
                default: Value::Number(0.2),
                about: "with rollout: how often a move is left to chance all the same",
            },
            PlayerOption {
                name: "bias",
                kind: Kind::Number { low: 0.0, high: 100.0 },
                default: Value::Number(0.0),
                about: "what the worth of a move adds to its value, over its visits and one (progressive bias)",
            },
            PlayerOption { default: Value::Number(0.2), ..UNCERTAINTY },
            LEAVES,
            PLAYOUTS,
            PATIENCE,
            HABIT,
            PlayerOption { default: Value::Number(0.0), ..TREND },
            PlayerOption {
                default: Value::Number(0.0),
                about: "as of uct, where untried moves are not told apart by their worth",
                ..URGENCY
            },
            FINAL,
            FILL,
            DECISIVE,
            PRACTICE,
            SOLVER,
            TRANSPOSITIONS,
            REUSE,
        ],
        build: build::guct,
    },
    Player {
        name: "alphabeta",
        about: "all moves, deeper and deeper, without those that cannot matter",
        options: &[
            EVAL,
            LEARN,
            DEPTH,
            PlayerOption {
                name: "aspiration",
                kind: Kind::Limit { low: 1, high: 100 },
                default: Value::Count(10),
                about: "points within which it expects the value of the last depth",
            },
            switch("scout", ON, "of later moves it is asked first whether they are better at all"),
            TABLE,
            DEEPER,
            KILLERS,
            HISTORY,
            SCORES,
            SWEEP,
            CALM,
            NARROW,
            CUT,
        ],
        build: build::alphabeta,
    },
    Player {
        name: "mtdf",
        about: "the same by narrow questions and a table of answers",
        options: &[
            EVAL,
            LEARN,
            DEPTH,
            PlayerOption {
                name: "eps",
                kind: Kind::Number { low: 0.001, high: 50.0 },
                default: Value::Number(0.1),
                about: "the width of the questions, in points",
            },
            switch("guess", ON, "the first question is about the last value"),
            TABLE,
            DEEPER,
            KILLERS,
            HISTORY,
            SCORES,
            SWEEP,
            CALM,
            NARROW,
            CUT,
        ],
        build: build::mtdf,
    },
    Player {
        name: "minimax",
        about: "all moves, deeper and deeper, none left out; any number of roles, each for itself",
        options: &[EVAL, DEPTH, TABLE],
        build: build::minimax,
    },
    Player {
        name: "one-ply",
        about: "the move that leads to the best position at once",
        options: &[EVAL],
        build: build::one_ply,
    },
    Player {
        name: "puzzle",
        about: "for games of one role: looks for the best end, and plays to it",
        options: &[],
        build: build::puzzle,
    },
];

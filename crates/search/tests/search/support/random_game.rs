//! Random small games, as sheets.

use ludens_machine::Random;
use std::fmt::Write as _;

/// What kind of game is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // any of them may go together
pub(crate) struct Shape {
    /// From 1 to 3.
    pub(crate) roles: usize,
    /// Whether several roles may have a choice at once.
    pub(crate) simultaneous: bool,
    /// Whether the points of both roles always have the sum 100; for two roles.
    pub(crate) constant_sum: bool,
    /// Whether there are positions that are not the end, but somebody has no move.
    pub(crate) stuck: bool,
    /// Whether positions come again and steps are counted; otherwise every move leads to a later position.
    pub(crate) counted: bool,
    /// Positions on the map.
    pub(crate) positions: usize,
}

/// One of all kinds. Seeds in a row have different kinds.
pub(crate) fn shape(seed: u64) -> Shape {
    let mut random = Random::new(seed ^ 0x5ea5);
    let roles = 1 + (seed % 3) as usize;
    Shape {
        roles,
        simultaneous: roles > 1 && random.below(2) == 0,
        constant_sum: roles == 2 && random.below(2) == 0,
        stuck: random.below(4) == 0,
        counted: random.below(3) == 0,
        positions: 8 + random.below(60),
    }
}

/// Steps of a game that counts them.
const STEPS: usize = 7;

/// A sheet: a walk over a map of positions. Every match ends, there are at most 5,000 states, most of them reachable in several ways, and every
/// state has points for every role.
pub(crate) fn random_game(shape: &Shape, seed: u64) -> String {
    assert!((1..=3).contains(&shape.roles) && shape.positions * (STEPS + 1) <= 5000 && shape.positions > 2);
    let mut random = Random::new(seed);
    let mut text = String::new();
    for role in 0..shape.roles {
        let _ = write!(text, "(role r{role}) ");
    }
    let _ = writeln!(text, "\n(init (at p0))");
    if shape.counted {
        let _ = writeln!(text, "(init (step 0))");
        for step in 0..STEPS {
            let _ = writeln!(text, "(succ {step} {})", step + 1);
        }
        let _ = writeln!(text, "(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n(<= terminal (true (step {STEPS})))");
    }
    for position in 0..shape.positions {
        write_goals(&mut text, shape, position, &mut random);
        // In the counting games there are few other ends.
        let is_end = if shape.counted {
            position > 0 && random.below(8) == 0
        } else {
            position + 1 == shape.positions || (position > 3 && random.below(6) == 0)
        };
        if is_end {
            let _ = writeln!(text, "(<= terminal (true (at p{position})))");
        } else {
            write_moves(&mut text, shape, position, &mut random);
        }
    }
    text
}

/// The points of every role, few values being more likely, so that there are draws.
fn write_goals(text: &mut String, shape: &Shape, position: usize, random: &mut Random) {
    let mut first = 0;
    for role in 0..shape.roles {
        let any = if random.below(2) == 0 { 50 * random.below(3) } else { random.below(101) };
        let points = if shape.constant_sum && role == 1 { 100 - first } else { any };
        first = points;
        let _ = writeln!(text, "(<= (goal r{role} {points}) (true (at p{position})))");
    }
}

/// The legal moves at a position, and where every joint move leads.
fn write_moves(text: &mut String, shape: &Shape, position: usize, random: &mut Random) {
    let mover = random.below(shape.roles);
    let together = shape.simultaneous && random.below(2) == 0;
    let counts: Vec<usize> =
        (0..shape.roles).map(|role| if together || role == mover { 1 + random.below(3) } else { 1 }).collect();
    let stuck = (shape.stuck && position > 0 && random.below(8) == 0).then(|| random.below(shape.roles));
    for (role, &count) in counts.iter().enumerate().filter(|&(role, _)| stuck != Some(role)) {
        for number in 0..count {
            let _ = writeln!(text, "(<= (legal r{role} (go {number})) (true (at p{position})))");
        }
    }
    for number in 0..counts.iter().product() {
        let target = if shape.counted {
            random.below(shape.positions)
        } else {
            // Not far, so that ways meet again.
            (position + 1 + random.below(6)).min(shape.positions - 1)
        };
        let _ = write!(text, "(<= (next (at p{target})) (true (at p{position}))");
        let mut rest: usize = number;
        for (role, &count) in counts.iter().enumerate() {
            let _ = write!(text, " (does r{role} (go {}))", rest % count);
            rest /= count;
        }
        let _ = writeln!(text, ")");
    }
}

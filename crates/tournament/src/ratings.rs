//! Ratings of many players who met each other, by Bradley and Terry's model.

use crate::elo::expected;

/// What two players got of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Game {
    /// Who played, by number.
    pub players: [usize; 2],
    /// The score of the first of them, from 0 to 1, over all matches.
    pub score: f64,
    /// How many matches, or how many independent pairs of them.
    pub count: f64,
}

/// How good a player is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// In points; the mean of all players is 0.
    pub elo: f64,
    /// Half of the 95% interval.
    pub error: f64,
}

/// Steps at most.
const STEPS: usize = 10_000;

/// Points below which a step changes nothing.
const STILL: f64 = 1e-6;

/// Matches that everybody is taken to have drawn against a player of mean strength, so that who won or lost everything has a rating, too.
const PRIOR: f64 = 0.5;

/// The ratings by which what happened is most likely.
pub fn ratings(players: usize, games: &[Game]) -> Vec<Rating> {
    let mut elo = vec![0.0; players];
    for _ in 0..STEPS {
        let mut moved: f64 = 0.0;
        for player in 0..players {
            // One step of Newton's method for this player, the others standing still.
            let (slope, curve) = slope(player, &elo, games);
            let step = (slope / curve).clamp(-400.0, 400.0);
            elo[player] += step;
            moved = moved.max(step.abs());
        }
        let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
        for rating in &mut elo {
            *rating -= mean;
        }
        if moved < STILL {
            break;
        }
    }
    let error = |player: usize| crate::Z / (slope(player, &elo, games).1 * SCALE).sqrt();
    (0..players).map(|player| Rating { elo: elo[player], error: error(player) }).collect()
}

/// Natural logarithms of odds per point of a rating.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;

/// How the likelihood rises with a player's rating, and how fast that ends.
fn slope(player: usize, elo: &[f64], games: &[Game]) -> (f64, f64) {
    let (mut slope, mut curve) = (0.0, 0.0);
    let mut add = |score: f64, count: f64, other: f64| {
        let share = expected(elo[player] - other);
        slope += count * (score - share);
        curve += count * share * (1.0 - share) * SCALE;
    };
    add(0.5, PRIOR, 0.0);
    for game in games {
        match game.players {
            [one, other] if one == player && other != player => add(game.score, game.count, elo[other]),
            [other, one] if one == player && other != player => add(1.0 - game.score, game.count, elo[other]),
            _ => {}
        }
    }
    (slope, curve)
}

#[cfg(test)]
mod tests {
    use super::{Game, ratings};
    use crate::elo::expected;

    #[test]
    fn ratings_are_found_again() {
        let true_ones = [150.0, 20.0, -170.0];
        let mut games = Vec::new();
        for one in 0..3 {
            for other in one + 1..3 {
                games.push(Game { players: [one, other], score: expected(true_ones[one] - true_ones[other]), count: 1000.0 });
            }
        }
        let found = ratings(3, &games);
        for (found, right) in found.iter().zip(true_ones) {
            assert!((found.elo - right).abs() < 1.0, "{} {right}", found.elo);
            assert!((10.0..25.0).contains(&found.error), "{}", found.error);
        }
    }

    #[test]
    fn who_wins_everything_is_rated_too() {
        let games = [Game { players: [0, 1], score: 1.0, count: 10.0 }];
        let found = ratings(2, &games);
        assert!(found[0].elo > 150.0 && found[0].elo.is_finite() && (found[0].elo + found[1].elo).abs() < 1e-6);
        assert!(found[0].error > 50.0);
        assert!(ratings(0, &[]).is_empty());
        assert!(ratings(1, &[])[0].elo.abs() < 1e-9);
    }
}

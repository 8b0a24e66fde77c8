//! Ratings: 400 points are odds of ten to one.

/// Points of a rating by which a player is better that has this share of all points. It has no bounds as the share goes to 0 or 1.
pub fn elo(share: f64) -> f64 {
    400.0 * (share / (1.0 - share)).log10()
}

/// The share of all points that a player can expect who is better by so much.
pub fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::{elo, expected};

    #[test]
    fn ratings_are_those_of_the_book() {
        for (share, points) in [(0.5, 0.0), (0.64, 99.95), (0.75, 190.85), (0.9, 381.70)] {
            assert!((elo(share) - points).abs() < 0.01, "{share}: {}", elo(share));
            assert!((elo(1.0 - share) + points).abs() < 0.01);
            assert!((expected(points) - share).abs() < 1e-4);
        }
        assert!(elo(1.0).is_infinite());
        assert!((expected(100.0) - 0.6401).abs() < 1e-4);
    }
}

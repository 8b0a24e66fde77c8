//! How much of a clock is kept in reserve.

use std::time::Duration;

/// What is kept in reserve of every clock: for the way of the messages, and because others use this machine, too.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Margin {
    /// What experience adds to it.
    extra: Duration,
}

impl Margin {
    /// At least so much is kept, and such a share of the clock, and never more than half of it.
    const LEAST: Duration = Duration::from_millis(150);
    const SHARE: f64 = 0.1;
    /// However long the clock is, this is enough to begin with.
    const ENOUGH: Duration = Duration::from_secs(2);
    /// By how much a delay is exaggerated, and how much of that is kept after an answer that was on time.
    const CAUTION: f64 = 1.5;
    const MEMORY: f64 = 0.97;
    /// A longer delay than that is no delay but an accident.
    const MOST: Duration = Duration::from_secs(5);

    /// What is kept in reserve of a clock.
    pub(super) fn of(self, clock: Duration) -> Duration {
        (clock.mul_f64(Margin::SHARE).clamp(Margin::LEAST, Margin::ENOUGH) + self.extra).min(clock / 2)
    }

    /// An answer was ready so long after it should have been.
    pub(super) fn learn(&mut self, delay: Duration) {
        let wanted = delay.mul_f64(Margin::CAUTION).min(Margin::MOST);
        self.extra = self.extra.mul_f64(Margin::MEMORY).max(wanted);
    }
}

#[cfg(test)]
mod tests {
    use super::Margin;
    use std::time::Duration;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn the_margin_is_a_share_of_the_clock() {
        let margin = Margin::default();
        assert_eq!(margin.of(SECOND), Duration::from_millis(150));
        assert_eq!(margin.of(SECOND * 10), SECOND);
        assert_eq!(margin.of(SECOND * 1000), SECOND * 2);
        assert_eq!(margin.of(SECOND / 10), SECOND / 20);
        assert_eq!(margin.of(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn the_margin_follows_delays() {
        let mut margin = Margin::default();
        margin.learn(Duration::from_millis(200));
        assert_eq!(margin.of(SECOND), Duration::from_millis(450));
        margin.learn(Duration::from_secs(600));
        assert_eq!(margin.of(SECOND), SECOND / 2);
        for _ in 0..300 {
            margin.learn(Duration::ZERO);
        }
        assert!(margin.of(SECOND) < Duration::from_millis(152));
    }
}

//! How far a match has come, told by a position alone.

use crate::linear::{Gauge, Linear, each_bit};
use crate::pattern::Pattern;
use crate::patterns::Patterns;
use crate::sample::Matches;
use crate::vocabulary::Vocabulary;

/// A count that goes one way as matches go on: pieces that are left, squares that are taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Phase {
    /// What is counted.
    pub pattern: Pattern,
    /// How many there are at the beginning of a match, and how many at its end.
    pub early: f64,
    /// See `early`.
    pub late: f64,
}

/// Of a match, the share at either end that tells what is early and what is late.
const END: f64 = 0.1;

/// A count that goes with the time less than this, as a correlation, does not tell it.
const LEAST: f64 = 0.6;

/// How much better a count has to be for every symbol that it asks for.
const SIMPLER: f64 = 0.03;

/// Between early and late a count has to change by so many.
const STEPS: f64 = 4.0;

/// Matches that are looked at.
const MATCHES: usize = 400;

/// Sums over all positions: of a count, its square, and its product with the time.
#[derive(Clone, Copy, Debug, Default)]
struct Moments {
    count: f64,
    square: f64,
    product: f64,
    early: f64,
    late: f64,
}

impl Phase {
    /// The count of some patterns that goes with the time most, if one does.
    pub(crate) fn find(ties: &Patterns, matches: &Matches) -> Option<Phase> {
        let mut moments = vec![Moments::default(); ties.len()];
        let mut counts = vec![0.0_f64; ties.len()];
        let mut touched = Vec::new();
        let (mut all, mut time, mut square, mut early, mut late) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for course in matches.courses().take(MATCHES) {
            let last = course.len().saturating_sub(1).max(1);
            for ply in 0..last {
                let now = ply as f64 / last as f64;
                let (is_early, is_late) = (f64::from(u8::from(now < END)), f64::from(u8::from(now >= 1.0 - END)));
                all += 1.0;
                time += now;
                square += now * now;
                early += is_early;
                late += is_late;
                each_bit(course.position(ply), |fluent| {
                    for &pattern in ties.of_fluent(fluent) {
                        if counts[pattern as usize] == 0.0 {
                            touched.push(pattern as usize);
                        }
                        counts[pattern as usize] += 1.0;
                    }
                });
                for pattern in touched.drain(..) {
                    let count = std::mem::take(&mut counts[pattern]);
                    let moments = &mut moments[pattern];
                    moments.count += count;
                    moments.square += count * count;
                    moments.product += count * now;
                    moments.early += count * is_early;
                    moments.late += count * is_late;
                }
            }
        }
        if all < 1.0 || early < 1.0 || late < 1.0 {
            return None;
        }
        let spread_of_time = (square / all - (time / all).powi(2)).max(0.0).sqrt();
        let correlation = |moments: &Moments| {
            let spread = (moments.square / all - (moments.count / all).powi(2)).max(0.0).sqrt();
            let together = moments.product / all - moments.count / all * time / all;
            if spread > 0.0 { (together / (spread * spread_of_time)).abs() } else { 0.0 }
        };
        let found = ties.all().iter().zip(&moments).map(|(pattern, moments)| {
            let phase = Phase { pattern: pattern.clone(), early: moments.early / early, late: moments.late / late };
            (correlation(moments), phase)
        });
        let fit = found.filter(|(correlation, phase)| *correlation >= LEAST && (phase.late - phase.early).abs() >= STEPS);
        let worth =
            |(correlation, phase): &(f64, Phase)| correlation - SIMPLER * phase.pattern.symbols.iter().flatten().count() as f64;
        fit.max_by(|one, two| worth(one).total_cmp(&worth(two))).map(|(_, phase)| phase)
    }

    /// The same for sums.
    pub(crate) fn gauge(&self, vocabulary: &Vocabulary, roles: usize) -> Gauge {
        let mut count = Linear::constant(vocabulary, roles, 0.0);
        for fluent in self.pattern.fluents(vocabulary) {
            count.fluents[fluent.0 as usize] = 1.0;
        }
        let (middle, half) = (f64::midpoint(self.early, self.late), (self.late - self.early) / 2.0);
        Gauge { count, middle: middle as f32, half: half as f32 }
    }
}

//! The *construction* of the function: what counters weigh.

use super::selection::{Counter, Counters};
use crate::function::{Account, Term};
use crate::refusal::Refusal;
use crate::sample::Matches;
use ludens_machine::{Machine, Random, RoleId};
use std::collections::BTreeMap;

/// Positions of every match that are kept, and of all matches together.
const KEPT_EACH: usize = 4;
const KEPT: usize = 8192;

/// Where a smaller share of the matches is on one side of the middle they are told apart elsewhere.
const FEW: f64 = 0.05;

/// How far the sampled positions may be on the way from the constant to 0 or 100 points.
const REACH: f64 = 0.6;

/// The constant is at least so many points away from 0 and 100.
const MARGIN: f64 = 10.0;

/// What was seen in random matches.
#[derive(Debug)]
pub(super) struct Tallies<'c> {
    counters: &'c Counters,
    /// Per role: the matches that ended with so many points.
    results: Vec<BTreeMap<u8, Tally>>,
    /// The most of everything in any position: `MaxValue`.
    most: Vec<u32>,
    /// The counts in some positions.
    kept: Vec<Vec<u32>>,
}

/// Averages of counters over the positions of a match, added up over some matches.
#[derive(Clone, Debug)]
struct Tally {
    matches: usize,
    sums: Vec<f64>,
    squares: Vec<f64>,
}

impl Tally {
    fn new(counters: usize) -> Tally {
        Tally { matches: 0, sums: vec![0.0; counters], squares: vec![0.0; counters] }
    }

    fn add(&mut self, averages: &[f64]) {
        self.matches += 1;
        for ((sum, square), average) in self.sums.iter_mut().zip(&mut self.squares).zip(averages) {
            *sum += average;
            *square += average * average;
        }
    }

    fn join(mut self, other: &Tally) -> Tally {
        self.matches += other.matches;
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, other)| *sum += other);
        self.squares.iter_mut().zip(&other.squares).for_each(|(square, other)| *square += other);
        self
    }

    /// The mean over the matches and the variance of that mean.
    fn mean(&self, counter: usize) -> (f64, f64) {
        let matches = self.matches.max(1) as f64;
        let mean = self.sums[counter] / matches;
        let variance = (self.squares[counter] / matches - mean * mean).max(0.0);
        (mean, variance / (matches - 1.0).max(1.0))
    }
}

impl<'c> Tallies<'c> {
    pub(super) fn new(counters: &'c Counters, roles: usize) -> Tallies<'c> {
        let count = counters.list.len();
        Tallies { counters, results: vec![BTreeMap::new(); roles], most: vec![0; count], kept: Vec::new() }
    }

    /// Adds matches.
    pub(super) fn add(&mut self, matches: &Matches, random: &mut Random) {
        let mut counts = Vec::new();
        for course in matches.courses() {
            // The end is not looked at: everybody knows what it is worth.
            let open = course.len() - 1;
            if open == 0 {
                continue;
            }
            let mut totals = vec![0_u64; self.most.len()];
            for ply in 0..open {
                self.counters.count(course.position(ply), &mut counts);
                for ((total, most), &count) in totals.iter_mut().zip(&mut self.most).zip(&counts) {
                    *total += u64::from(count);
                    *most = (*most).max(count);
                }
            }
            let averages: Vec<f64> = totals.iter().map(|&total| total as f64 / open as f64).collect();
            for (results, &points) in self.results.iter_mut().zip(course.points) {
                results.entry(points).or_insert_with(|| Tally::new(averages.len())).add(&averages);
            }
            for _ in 0..KEPT_EACH.min(KEPT.saturating_sub(self.kept.len())) {
                self.counters.count(course.position(random.below(open)), &mut counts);
                self.kept.push(counts.clone());
            }
        }
    }

    /// The function for a role.
    pub(super) fn account(&self, machine: &Machine, role: RoleId, ties: bool) -> Result<Account, Refusal> {
        let results = &self.results[role.0 as usize];
        let name = || machine.role_name(role).to_owned();
        let matches: usize = results.values().map(|tally| tally.matches).sum();
        let mean =
            results.iter().map(|(&points, tally)| f64::from(points) * tally.matches as f64).sum::<f64>() / matches.max(1) as f64;
        if results.len() == 1 {
            return Err(Refusal::Constant { role: name(), points: mean as u8 });
        }
        let (least, greatest) = machine.range(role);
        let [mut losses, mut wins] = self.sides(results, f64::midpoint(f64::from(least), f64::from(greatest)));
        if ties && (losses.matches.min(wins.matches) as f64) < FEW * matches as f64 {
            [losses, wins] = self.sides(results, mean);
        }
        if losses.matches == 0 || wins.matches == 0 {
            return Err(Refusal::NoFeatures { role: name() });
        }
        let terms = self.terms(&losses, &wins);
        self.scale(mean, &terms).ok_or_else(|| Refusal::NoFeatures { role: name() })
    }

    /// The matches below and above some points.
    fn sides(&self, results: &BTreeMap<u8, Tally>, middle: f64) -> [Tally; 2] {
        let join = |is_it: &dyn Fn(f64) -> bool| {
            let chosen = results.iter().filter(|(points, _)| is_it(f64::from(**points)));
            chosen.fold(Tally::new(self.most.len()), |all, (_, tally)| all.join(tally))
        };
        [join(&|points| points < middle), join(&|points| points > middle)]
    }

    /// All counters with the weights that the paper gives them.
    fn terms(&self, losses: &Tally, wins: &Tally) -> Vec<Term> {
        let positions = self.kept.len().max(1) as f64;
        let term = |(index, counter): (usize, &Counter)| {
            let ((won, won_variance), (lost, lost_variance)) = (wins.mean(index), losses.mean(index));
            let factor = counter.kind.factor() / f64::from(self.most[index].max(1));
            let counts = || self.kept.iter().map(|counts| f64::from(counts[index]));
            let mean = counts().sum::<f64>() / positions;
            Term {
                feature: counter.feature.clone(),
                weight: factor * (won - lost),
                drift: 0.0,
                error: factor * (won_variance + lost_variance).sqrt(),
                spread: (counts().map(|count| (count - mean).powi(2)).sum::<f64>() / positions).sqrt(),
            }
        };
        self.counters.list.iter().enumerate().map(term).collect()
    }

    /// The paper's sum has no unit. Here all weights are multiplied by the same number and a constant is added, so that the mean over the sampled positions is
    /// the mean result of the role (or [`MARGIN`]) and the furthest of them is at [`REACH`] of the way to 0 or 100. `None` where all positions are worth the same.
    fn scale(&self, result: f64, terms: &[Term]) -> Option<Account> {
        let sum =
            |counts: &Vec<u32>| -> f64 { counts.iter().zip(terms).map(|(&count, term)| f64::from(count) * term.weight).sum() };
        let sums: Vec<f64> = self.kept.iter().map(sum).collect();
        let mean = sums.iter().sum::<f64>() / sums.len().max(1) as f64;
        let centre = result.clamp(MARGIN, 100.0 - MARGIN);
        let way = |sum: &f64| if *sum > mean { (sum - mean) / (100.0 - centre) } else { (mean - sum) / centre };
        let furthest = sums.iter().map(way).fold(0.0, f64::max);
        if furthest <= f64::EPSILON {
            return None;
        }
        let scale = REACH / furthest;
        let weighty = terms.iter().filter(|term| term.weight != 0.0);
        let scaled = weighty.map(|term| Term { weight: term.weight * scale, error: term.error * scale, ..term.clone() });
        Some(Account::new(centre - mean * scale, scaled.collect()))
    }
}

//! The evaluation function of Guided UCT (Wałędzik & Mańdziuk): many simple features, statistics over short sequences of random play, the best of them.
//!
//! *Specialisation* and *generalisation* of the expressions of a rule sheet yield every pattern over its tables in which columns are open or have one of
//! their symbols; columns with too many symbols stay open. *Compound* features are differences of two patterns that differ in one symbol. A feature's
//! correlation with the points at the end and its *stability* decide whether it is taken, and what it weighs.

use crate::feature::Feature;
use crate::function::{Account, Function, Link, Term};
use crate::linear::each_bit;
use crate::pattern::Pattern;
use crate::patterns::{Patterns, subsets};
use crate::refusal::Refusal;
use crate::reliability::Pairs;
use crate::sample::{Matches, outcomes};
use crate::vocabulary::{Table, Vocabulary};
use ludens_machine::{Machine, Random};
use std::collections::BTreeMap;
use std::ops::Range;

/// The constants of the method. The default is the paper's, with the scaling that it suggests and with forty times as many sequences: the paper's 100 leave to chance which
/// features are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Sequences of positions.
    pub sequences: usize,
    /// Random matches from the last position of each.
    pub rollouts: usize,
    /// Features that are taken.
    pub components: usize,
    /// Columns with more symbols stay open.
    pub domain: usize,
    /// Whether weights are stretched until the function says points: a factor for all of them, and the constant that goes with it, by least squares. Searches that
    /// compare positions do not notice; one that weighs a function against the results of matches does.
    pub scaling: bool,
    /// Matches are given up after so many joint moves.
    pub max_plies: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { sequences: 4000, rollouts: 10, components: 30, domain: 30, scaling: true, max_plies: 1000 }
    }
}

/// How much more variation within a sequence counts than between sequences.
const UNREST: f64 = 10.0;

/// Numbers that the counts of all patterns in all positions may be; where they would be more, fewer sequences are looked at.
const MOST_COUNTS: usize = 1 << 26;

/// Patterns at most; tables that would have more are looked at with fewer columns specialised.
const MOST_PATTERNS: usize = 1 << 16;

/// Features between two looks at the clock.
const FEATURES_PER_LOOK: usize = 256;

/// Features at most.
const MOST_FEATURES: usize = 1 << 18;

/// Finds a function for every role.
pub fn find(
    machine: &Machine,
    vocabulary: &Vocabulary,
    options: &Options,
    random: &mut Random,
    stop: &dyn Fn() -> bool,
) -> Result<Function, Refusal> {
    let pool = Pool::new(vocabulary, options.domain);
    let sequences = Sequences::play(machine, options, pool.patterns.len(), random, stop)?;
    let counts = pool.count(vocabulary, &sequences);
    let features = pool.features(&counts);
    let statistics = Statistics::of(&features, &counts, &sequences, stop)?;
    let roles = machine.roles().map(|role| {
        let index = role.0 as usize;
        let scores = sequences.scores(index);
        let mean = mean(scores.iter().copied());
        if variance(&scores) <= 0.0 {
            return Err(Refusal::Constant { role: machine.role_name(role).to_owned(), points: mean.round() as u8 });
        }
        let chosen = statistics.choose(&features, index, options.components);
        if chosen.is_empty() {
            return Err(Refusal::NoFeatures { role: machine.role_name(role).to_owned() });
        }
        let mut terms: Vec<Term> = chosen.iter().map(|&feature| statistics.term(&features, &pool, feature, index)).collect();
        let scale = if options.scaling { Scale::fit(&chosen, &terms, &features, &counts, &sequences, index) } else { None };
        let Some(scale) = scale else { return Ok(Account::new(mean, terms)) };
        for term in &mut terms {
            scale.stretch(term);
        }
        Ok(Account::new(scale.constant, terms))
    });
    Ok(Function {
        method: "guided",
        roles: roles.collect::<Result<_, _>>()?,
        link: Link::Points,
        phase: None,
        candidates: features.len(),
    })
}

/// All patterns.
struct Pool {
    patterns: Patterns,
}

impl Pool {
    fn new(vocabulary: &Vocabulary, domain: usize) -> Pool {
        Pool { patterns: Patterns::new(vocabulary, |table| specialised(table, domain), |_| true) }
    }

    /// The value of every pattern in every position.
    fn count(&self, vocabulary: &Vocabulary, sequences: &Sequences) -> Counts {
        let positions = sequences.positions();
        let mut counts = Counts { positions, values: vec![0; self.patterns.len() * positions] };
        for (position, words) in sequences.states.chunks_exact(vocabulary.words().max(1)).enumerate() {
            each_bit(words, |fluent| {
                for &pattern in self.patterns.of_fluent(fluent) {
                    let count = &mut counts.values[pattern as usize * positions + position];
                    *count = count.saturating_add(1);
                }
            });
        }
        counts
    }

    /// Pairs of patterns that differ in one symbol.
    fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        // Those that are the same but for one column, which has a symbol in all of them.
        let mut alike: BTreeMap<(Pattern, usize), Vec<u32>> = BTreeMap::new();
        for (number, pattern) in (0..).zip(self.patterns.all()) {
            for column in (0..pattern.symbols.len()).filter(|&column| pattern.symbols[column].is_some()) {
                let mut open = pattern.clone();
                open.symbols[column] = None;
                alike.entry((open, column)).or_default().push(number);
            }
        }
        alike.into_values().flat_map(|list| {
            let pairs = (0..list.len()).flat_map(|one| (one + 1..list.len()).map(move |two| (one, two)));
            pairs.map(|(one, two)| (list[one], list[two])).collect::<Vec<_>>()
        })
    }

    /// All features that vary.
    fn features(&self, counts: &Counts) -> Vec<Candidate> {
        let varies = |pattern: u32| counts.of(pattern).windows(2).any(|two| two[0] != two[1]);
        let moving: Vec<bool> = (0..self.patterns.len() as u32).map(varies).collect();
        let simple = (0..self.patterns.len() as u32).filter(|&pattern| moving[pattern as usize]).map(Candidate::Simple);
        let compound = self.pairs().filter(|&(one, two)| moving[one as usize] && moving[two as usize]);
        simple.chain(compound.map(|(one, two)| Candidate::Compound(one, two))).take(MOST_FEATURES).collect()
    }
}

/// Which columns of a table may have symbols, in all combinations.
fn specialised(table: &Table, domain: usize) -> Vec<Vec<usize>> {
    let mut closed: Vec<usize> = (0..table.columns.len()).filter(|&column| table.columns[column].len() <= domain).collect();
    // The columns with the fewest symbols say most about what kind of row it is.
    closed.sort_by_key(|&column| table.columns[column].len());
    let size = |closed: &[usize]| {
        closed.iter().fold(1_usize, |product, &column| product.saturating_mul(table.columns[column].len() + 1))
    };
    while size(&closed) > MOST_PATTERNS {
        closed.pop();
    }
    subsets(&closed)
}

/// A feature by the numbers of its patterns.
#[derive(Clone, Copy, Debug)]
enum Candidate {
    Simple(u32),
    Compound(u32, u32),
}

impl Candidate {
    fn feature(self, pool: &Pool) -> Feature {
        let pattern = |number: u32| pool.patterns.all()[number as usize].clone();
        match self {
            Candidate::Simple(one) => Feature::Count(pattern(one)),
            Candidate::Compound(one, two) => Feature::Difference(pattern(one), pattern(two)),
        }
    }
}

/// Counts of patterns, pattern after pattern.
struct Counts {
    positions: usize,
    values: Vec<u16>,
}

impl Counts {
    fn of(&self, pattern: u32) -> &[u16] {
        &self.values[pattern as usize * self.positions..(pattern as usize + 1) * self.positions]
    }

    /// The values of a feature in all positions.
    fn values(&self, candidate: Candidate, values: &mut Vec<f64>) {
        values.clear();
        match candidate {
            Candidate::Simple(one) => values.extend(self.of(one).iter().map(|&count| f64::from(count))),
            Candidate::Compound(one, two) => {
                let both = self.of(one).iter().zip(self.of(two));
                values.extend(both.map(|(&one, &two)| f64::from(one) - f64::from(two)));
            }
        }
    }
}

/// Short sequences of positions of random play, and how it went on.
struct Sequences {
    words: usize,
    states: Vec<u64>,
    /// The positions of each.
    ranges: Vec<Range<usize>>,
    /// The mean points of every role after each.
    points: Vec<Vec<f64>>,
}

impl Sequences {
    fn play(
        machine: &Machine,
        options: &Options,
        patterns: usize,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
    ) -> Result<Sequences, Refusal> {
        let words = machine.initial().words().len();
        let wanted = options.sequences.min(MOST_COUNTS / patterns.max(1) / 5).max(2);
        let matches = Matches::play(machine, wanted, options.max_plies, random, stop)?;
        if matches.is_empty() {
            return Err(if stop() { Refusal::NoTime } else { Refusal::NoEnds });
        }
        // The end is not looked at: everybody knows what it is worth.
        let expected = mean(matches.courses().map(|course| course.len() as f64 - 1.0)).max(1.0) as usize;
        let mut this = Sequences { words, states: Vec::new(), ranges: Vec::new(), points: Vec::new() };
        for course in matches.courses() {
            let open = course.len() - 1;
            if open < 2 {
                continue;
            }
            let mut ply = random.below(expected.clamp(1, open - 1));
            let first = this.positions();
            this.states.extend_from_slice(course.position(ply));
            for _ in 0..=random.below(4) {
                ply += 1 + random.below(3);
                if ply >= open {
                    break;
                }
                this.states.extend_from_slice(course.position(ply));
            }
            // A single position is no sequence.
            if this.positions() < first + 2 {
                this.states.truncate(first * words);
                continue;
            }
            this.ranges.push(first..this.positions());
        }
        let last: Vec<&[u64]> = this.ranges.iter().map(|range| this.state(range.end - 1)).collect();
        let found = outcomes(machine, &last, options.rollouts, options.max_plies, random, stop)?;
        // Those that nothing is known of are left out.
        let known: Vec<bool> = found.iter().map(Option::is_some).collect();
        let mut keep = known.iter();
        this.ranges.retain(|_| keep.next().is_some_and(|&known| known));
        this.points = found.into_iter().flatten().collect();
        match this.ranges.len() {
            0 | 1 if stop() => Err(Refusal::NoTime),
            0 | 1 => Err(Refusal::TooShort),
            _ => Ok(this),
        }
    }

    fn positions(&self) -> usize {
        self.states.len() / self.words.max(1)
    }

    fn state(&self, index: usize) -> &[u64] {
        &self.states[index * self.words..(index + 1) * self.words]
    }

    /// The points of a role after every sequence.
    fn scores(&self, role: usize) -> Vec<f64> {
        self.points.iter().map(|points| points[role]).collect()
    }
}

/// What is known about features, feature after feature.
struct Statistics {
    sequences: usize,
    roles: usize,
    stability: Vec<f64>,
    spread: Vec<f64>,
    /// Per feature and role: the correlation of its values in the last positions of sequences with the points.
    correlations: Vec<f64>,
}

impl Statistics {
    fn of(
        features: &[Candidate],
        counts: &Counts,
        sequences: &Sequences,
        stop: &dyn Fn() -> bool,
    ) -> Result<Statistics, Refusal> {
        let roles = sequences.points.first().map_or(0, Vec::len);
        let (stability, spread, correlations) = Default::default();
        let mut this = Statistics { sequences: sequences.ranges.len(), roles, stability, spread, correlations };
        let (mut values, mut firsts, mut pairs) = (Vec::new(), Vec::new(), vec![Pairs::default(); roles]);
        for (index, &feature) in features.iter().enumerate() {
            if index % FEATURES_PER_LOOK == 0 && stop() {
                return Err(Refusal::NoTime);
            }
            counts.values(feature, &mut values);
            firsts.clear();
            firsts.extend(sequences.ranges.iter().map(|range| values[range.start]));
            let total = variance(&firsts);
            let within = mean(sequences.ranges.iter().map(|range| variance(&values[range.clone()])));
            this.stability.push(if total > 0.0 { total / (total + UNREST * within) } else { 0.0 });
            this.spread.push(variance(&values).sqrt());
            pairs.fill(Pairs::default());
            for (range, points) in sequences.ranges.iter().zip(&sequences.points) {
                let last = values[range.end - 1];
                pairs.iter_mut().zip(points).for_each(|(pairs, &points)| pairs.add(last, points));
            }
            this.correlations.extend(pairs.iter().map(Pairs::correlation));
        }
        Ok(this)
    }

    /// The best features for a role, by their numbers.
    fn choose(&self, features: &[Candidate], role: usize, components: usize) -> Vec<usize> {
        let mut ranked: Vec<(f64, usize)> = Vec::with_capacity(features.len());
        for index in 0..features.len() {
            let rank = self.correlation(index, role).abs().min(self.stability[index]);
            if rank > 0.0 {
                ranked.push((rank, index));
            }
        }
        ranked.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(&two.1)));
        ranked.iter().take(components).map(|&(_, index)| index).collect()
    }

    fn correlation(&self, feature: usize, role: usize) -> f64 {
        self.correlations[feature * self.roles + role]
    }

    /// A feature with its weight for a role.
    fn term(&self, features: &[Candidate], pool: &Pool, index: usize, role: usize) -> Term {
        let (correlation, stability) = (self.correlation(index, role), self.stability[index]);
        let error = (1.0 - correlation * correlation) / (self.sequences as f64 - 1.0).max(1.0).sqrt();
        let feature = features[index].feature(pool);
        Term { feature, weight: correlation * stability, drift: 0.0, error: error * stability, spread: self.spread[index] }
    }
}

/// How a sum of weighted features becomes points.
struct Scale {
    factor: f64,
    constant: f64,
}

impl Scale {
    /// The line through what the function says at the ends of sequences and the points that came of them; none where it would not rise.
    fn fit(
        chosen: &[usize],
        terms: &[Term],
        features: &[Candidate],
        counts: &Counts,
        sequences: &Sequences,
        role: usize,
    ) -> Option<Scale> {
        let mut sums = vec![0.0; sequences.ranges.len()];
        let mut values = Vec::new();
        for (&feature, term) in chosen.iter().zip(terms) {
            counts.values(features[feature], &mut values);
            for (sum, range) in sums.iter_mut().zip(&sequences.ranges) {
                *sum += term.weight * values[range.end - 1];
            }
        }
        let points = sequences.scores(role);
        let (middle, expected) = (mean(sums.iter().copied()), mean(points.iter().copied()));
        let together = mean(sums.iter().zip(&points).map(|(sum, points)| (sum - middle) * (points - expected)));
        let factor = together / variance(&sums);
        (factor.is_finite() && factor > 0.0).then_some(Scale { factor, constant: expected - factor * middle })
    }

    fn stretch(&self, term: &mut Term) {
        term.weight *= self.factor;
        term.error *= self.factor;
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

fn variance(values: &[f64]) -> f64 {
    let mean = mean(values.iter().copied());
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len().max(1) as f64
}

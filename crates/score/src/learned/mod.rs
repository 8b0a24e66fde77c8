//! Our own evaluation function: logistic regression of the points at the end on what a position is made of.
//!
//! Every fluent has a weight, but not one of its own alone: it is the sum of the weights of all patterns that mean it, `(cell ? ? white)` as well as
//! `(cell 3 ? white)` and `(cell 3 4 white)`. All are kept small, so that what many fluents have in common is said once, by the general pattern, and special
//! ones say only how a case differs. Lines that earn points are counted by how far they are filled, and legal moves of every role where that is asked for. Fluents that depend on nothing but the number of moves played are left out.

mod clocks;
mod extras;
mod fit;
mod positions;
mod selfplay;

use crate::feature::Feature;
use crate::function::{Account, Function, Link, Term};
use crate::linear::each_bit;
use crate::patterns::{Patterns, subsets};
use crate::refusal::Refusal;
use crate::sample::Matches;
use crate::vocabulary::{Table, Vocabulary};
use extras::Extras;
use fit::{Fit, Model};
use ludens_machine::{Machine, Random};
use positions::Positions;
use selfplay::{Course, SelfPlay};

/// How to learn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Random matches to learn from, at most.
    pub matches: usize,
    /// Positions that are taken from each.
    pub each: usize,
    /// Passes over all positions of random play.
    pub passes: usize,
    /// Rounds of play against itself.
    pub rounds: usize,
    /// Positions of each.
    pub positions: usize,
    /// Positions that are looked at one move ahead in all rounds together, at most: where there are many moves, matches are fewer.
    pub children: usize,
    /// Positions of earlier rounds that are remembered.
    pub window: usize,
    /// Passes over them after each round.
    pub passes_later: usize,
    /// How much chance has a part in that play: a move that is worse by so much, as the logarithm of odds, is chosen a third as often.
    pub temperature: f32,
    /// Of what is learned about a position there, the share that comes from further on than the next.
    pub trace: f32,
    /// Whether legal moves are counted. Searches have to list them at their leaves then.
    pub moves: bool,
    /// Whether lines are counted, where the rules have any.
    pub lines: bool,
    /// Matches are given up after so many joint moves.
    pub max_plies: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            matches: 4000,
            each: 10,
            passes: 12,
            rounds: 4,
            positions: 40_000,
            children: 6_000_000,
            window: 160_000,
            passes_later: 4,
            temperature: 0.5,
            trace: 0.8,
            moves: false,
            lines: true,
            max_plies: 1000,
        }
    }
}

/// Matches that are played between two looks at the clock.
const AT_ONCE: usize = 256;

/// Of all time, what random play may have.
const PLAYING: f64 = 0.15;

/// Of all time, what the first of them may have, where matches take long.
const PATIENCE: f64 = 0.5;

/// Of all time, what the first model may take after that.
const FITTING: f64 = 0.1;

/// One of so many positions is not learned from where there is something to decide.
const HELD_OUT: usize = 5;

/// A table with more columns is looked at as a whole, by one column at a time, and row by row.
const MOST_COLUMNS: usize = 5;

/// Terms that make less of a difference than this share of the greatest are left out.
const NEGLIGIBLE: f64 = 1e-3;

/// Learns a function for every role. `used` tells which share of the time there is has gone by: it ends at 1.
pub fn find(
    machine: &Machine,
    vocabulary: &Vocabulary,
    options: &Options,
    random: &mut Random,
    used: &dyn Fn() -> f64,
) -> Result<Function, Refusal> {
    let mut matches = Matches::default();
    while matches.len() < options.matches && !matches.is_full() && used() < PLAYING {
        let due = if matches.is_empty() { PATIENCE } else { PLAYING };
        let more = Matches::play(machine, AT_ONCE.min(options.matches), options.max_plies, random, &|| used() >= due)?;
        if more.is_empty() {
            break;
        }
        matches.append(more);
    }
    if matches.is_empty() {
        return Err(if used() >= PLAYING { Refusal::NoTime } else { Refusal::NoEnds });
    }
    let since = used().max(PLAYING);
    let clocks = clocks::find(vocabulary, &matches);
    let ties = Patterns::new(vocabulary, tied_columns, |fluent| !clocks[fluent.0 as usize]);
    let roles = machine.roles().len();
    for role in machine.roles() {
        if let Some(points) = matches.constant(role.0 as usize) {
            return Err(Refusal::Constant { role: machine.role_name(role).to_owned(), points });
        }
    }
    // Where two roles share the points, what one has the other lacks.
    let fitted = if matches.is_shared() { 1 } else { roles };
    let extras = Extras::new(vocabulary, if options.moves { roles } else { 0 }, options.lines, &matches, &|| {
        used() >= since + FITTING / 2.0
    });
    let mut learning = thin_out(&matches, fitted, &extras, options.each, random);
    drop(matches);
    learning.count(machine, &extras)?;
    let (mut models, extras) = begin(machine, &mut learning, &ties, extras, options, random, &|| (used() - since) / FITTING)?;
    improve(machine, &mut models, &mut learning, (&ties, &extras), options, random, used)?;
    let mut accounts: Vec<Account> = models.iter().map(|model| account(model, &ties, &extras, &learning)).collect();
    for (role, account) in machine.roles().zip(&accounts) {
        if account.terms.is_empty() {
            let role = machine.role_name(role).to_owned();
            return Err(if used() >= 1.0 { Refusal::NoTime } else { Refusal::NoFeatures { role } });
        }
    }
    if fitted < roles {
        accounts.push(opposite(&accounts[0]));
    }
    Ok(Function { method: "learned", roles: accounts, link: Link::Odds, candidates: ties.len() + extras.features().len() })
}

/// The first models, from random play, with what is counted besides fluents: that is left out where positions which were not learned from are foreseen better
/// without it. `used` is the share of the time for that which has gone by.
fn begin(
    machine: &Machine,
    learning: &mut Positions,
    ties: &Patterns,
    extras: Extras,
    options: &Options,
    random: &mut Random,
    used: &dyn Fn() -> f64,
) -> Result<(Vec<Model>, Extras), Refusal> {
    let none = Extras::default();
    let choices: Vec<&Extras> = if extras.features().is_empty() { vec![&none] } else { vec![&none, &extras] };
    let known = if choices.len() > 1 { learning.len() - learning.len() / HELD_OUT } else { learning.len() };
    let roles = learning.roles();
    let (mut models, mut surprises) = (Vec::new(), Vec::new());
    for (turn, extras) in choices.iter().enumerate() {
        for role in 0..roles {
            let due = (turn * roles + role + 1) as f64 / (choices.len() * roles) as f64;
            let fit = Fit { positions: learning, role, ties, extras, passes: options.passes, known };
            let model = fit.improve(fit.begin(), random, &|| used() >= due);
            surprises.extend(fit.surprises(&model));
            models.push(model);
        }
    }
    let half = surprises.len() / choices.len();
    if choices.len() > 1 && is_no_worse(&surprises[..half], &surprises[half..]) {
        return Ok((models.split_off(roles), extras));
    }
    learning.count(machine, &none)?;
    models.truncate(roles);
    Ok((models, none))
}

/// Whether surprises with something more are fewer, or more by no more than chance would have it: random play says little, and what counts for those who play well
/// is easily lost. Positions of one match have much in common, so the error is a low estimate.
fn is_no_worse(without: &[f64], with: &[f64]) -> bool {
    let count = without.len().max(1) as f64;
    let differences = || with.iter().zip(without).map(|(with, without)| with - without);
    let mean = differences().sum::<f64>() / count;
    let variance = differences().map(|difference| (difference - mean).powi(2)).sum::<f64>() / count;
    mean < (variance / count).sqrt()
}

/// Lets models play against themselves and learn from that, round after round.
fn improve(
    machine: &Machine,
    models: &mut [Model],
    learning: &mut Positions,
    (ties, extras): (&Patterns, &Extras),
    options: &Options,
    random: &mut Random,
    used: &dyn Fn() -> f64,
) -> Result<(), Refusal> {
    for round in 0..options.rounds {
        if used() >= 1.0 {
            break;
        }
        // Later rounds leave less to chance.
        let temperature = options.temperature / (1.0 + round as f32 * 0.5);
        let course = Course { temperature, trace: options.trace, max_plies: options.max_plies };
        let before = models.to_vec();
        let mut play = SelfPlay::new(machine, &before, extras);
        let mut fresh = 0;
        while fresh < options.positions && play.children <= options.children / options.rounds && used() < 1.0 {
            let more = play.batch(&course, random, &|| used() >= 1.0)?;
            if more.len() == 0 {
                break;
            }
            fresh += more.len();
            // What random play taught is forgotten with the first round.
            let most = if round == 0 { fresh } else { options.window };
            learning.append(more, most);
        }
        for (role, model) in models.iter_mut().enumerate() {
            let known = learning.len();
            let fit = Fit { positions: learning, role, ties, extras, passes: options.passes_later, known };
            let improved = fit.improve(model.clone(), random, &|| used() >= 1.0);
            *model = improved;
        }
    }
    Ok(())
}

/// What patterns say about rows of a table.
fn tied_columns(table: &Table) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..table.columns.len()).collect();
    if all.len() <= MOST_COLUMNS {
        return subsets(&all);
    }
    let singles: Vec<Vec<usize>> = all.iter().map(|&column| vec![column]).collect();
    [vec![Vec::new(), all], singles].concat()
}

/// Some positions of every match.
fn thin_out(matches: &Matches, fitted: usize, extras: &Extras, each: usize, random: &mut Random) -> Positions {
    let mut positions = Positions::new(fitted, extras.features().len());
    for course in matches.courses() {
        for ply in course.some(each, random) {
            positions.push(course.position(ply), course.points[..fitted].iter().map(|&points| f32::from(points) / 100.0));
        }
    }
    positions
}

/// What a model says, term by term.
fn account(model: &Model, ties: &Patterns, extras: &Extras, positions: &Positions) -> Account {
    let spreads = spreads(ties, positions).into_iter().chain((0..).map(|extra| positions.moments(extra).1.sqrt()));
    let patterns = ties.all().iter().cloned().map(Feature::Count);
    let features = patterns.chain(extras.features().iter().cloned());
    let weights = model.patterns.iter().chain(&model.extras);
    let term = |((feature, &weight), spread)| {
        let error = fit::error_of(spread, positions.len());
        Term { feature, weight: f64::from(weight), error, spread }
    };
    let mut terms: Vec<Term> = features.zip(weights).zip(spreads).map(term).collect();
    let most = terms.iter().map(Term::influence).fold(0.0, f64::max);
    terms.retain(|term| term.influence() > most * NEGLIGIBLE);
    Account::new(f64::from(model.constant), terms)
}

/// The account of the other role, where two share the points.
fn opposite(account: &Account) -> Account {
    let terms = account.terms.iter().map(|term| Term { weight: -term.weight, ..term.clone() });
    Account { constant: -account.constant, terms: terms.collect() }
}

/// How much every pattern varies, over some of the positions.
fn spreads(ties: &Patterns, positions: &Positions) -> Vec<f64> {
    const MOST: usize = 4000;
    let step = (positions.len() / MOST).max(1);
    let count = ties.len();
    let (mut sums, mut squares, mut seen) = (vec![0.0; count], vec![0.0; count], 0.0);
    let mut values = vec![0_u16; count];
    let mut touched = Vec::new();
    for index in (0..positions.len()).step_by(step) {
        each_bit(positions.words(index), |fluent| {
            for &pattern in ties.of_fluent(fluent) {
                let value = &mut values[pattern as usize];
                if *value == 0 {
                    touched.push(pattern as usize);
                }
                *value = value.saturating_add(1);
            }
        });
        for pattern in touched.drain(..) {
            let value = f64::from(std::mem::take(&mut values[pattern]));
            sums[pattern] += value;
            squares[pattern] += value * value;
        }
        seen += 1.0;
    }
    let seen: f64 = f64::max(seen, 1.0);
    sums.iter().zip(squares).map(|(sum, square)| (square / seen - (sum / seen).powi(2)).max(0.0).sqrt()).collect()
}

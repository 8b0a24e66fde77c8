//! The paper's claims, and what our measurements say of each.

use super::published::{CLOCKS, clock_text};
use super::{Measured, READINGS};
use crate::commands::experiment::duels::{Interval, difference};
use crate::commands::experiment::{Finding, Outcome};

type Judged = (Outcome, String);

/// Cell by cell, where the paper shows anything; then what it says of all games, then what we want beyond it.
pub(super) fn findings(all: &[Measured]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |claim: String, (outcome, why): Judged| findings.push(Finding { claim, outcome, why });
    for measured in all {
        for clock in (0..CLOCKS.len()).filter(|&clock| measured.published(clock).side() != 0) {
            add(claim(measured, clock), cell(measured, clock));
        }
    }
    add(
        "With the shortest clocks the Heuristic Player is better than UCT in all games but Bomberman, Farmers and Breakthrough."
            .to_owned(),
        shortest(all),
    );
    add(
        "With more time UCT becomes the stronger one: its share grows from the shortest clocks to the longest.".to_owned(),
        trend(all),
    );
    for measured in all {
        let title = measured.game.title;
        add(
            format!(
                "(Ours to reach) {title}: the same search with a learned function does better against UCT than the paper's Heuristic Player did."
            ),
            remedy(measured),
        );
    }
    findings
}

fn percent(interval: Interval) -> String {
    let Interval { mean, low, high } = interval;
    format!("{:+.0} [{:+.0}, {:+.0}]", 100.0 * mean, 100.0 * low, 100.0 * high)
}

/// What the paper shows of a game with these clocks.
fn claim(measured: &Measured, clock: usize) -> String {
    let published = measured.published(clock);
    let who = if published.side() > 0 { "the Heuristic Player" } else { "UCT" };
    format!("{}, {}: {who} is ahead ({:+.0}).", measured.game.title, clock_text(clock), 100.0 * published.mean)
}

/// Our difference for these clocks, and by which reading.
fn ours(measured: &Measured, clock: usize) -> Option<(usize, Interval)> {
    let reading = measured.reading(clock)?;
    Some((reading, measured.heuristic[reading][clock].as_ref()?.difference()))
}

fn cell(measured: &Measured, clock: usize) -> Judged {
    let published = measured.published(clock);
    let Some((reading, found)) = ours(measured, clock) else {
        return (Outcome::NotDecided, missing(measured, clock).to_owned());
    };
    let outcome = match found.side() * published.side() {
        1 if published.side() == 1 && found.low > published.high => Outcome::Surpassed,
        1 => Outcome::Reproduced,
        -1 => Outcome::NotReproduced,
        _ => Outcome::NotDecided,
    };
    (outcome, format!("Ours, won less lost in percent, {}: {}.", READINGS[reading], percent(found)))
}

/// Why there is nothing for these clocks.
fn missing(measured: &Measured, clock: usize) -> &'static str {
    if measured.heuristic.iter().all(|cells| cells[clock].is_none()) {
        "Not played at this scale."
    } else if measured.refusals[clock].is_some() {
        "The Heuristic Player found no function."
    } else {
        "Too few simulations or positions a move."
    }
}

/// The games in which the paper's Heuristic Player is not better with the shortest clocks.
fn is_excepted(measured: &Measured) -> bool {
    let [heuristic, uct] = measured.game.percent[0];
    heuristic <= uct
}

fn shortest(all: &[Measured]) -> Judged {
    let (mut better, mut worse, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for measured in all.iter().filter(|measured| !is_excepted(measured)) {
        match ours(measured, 0).map(|(_, found)| found.side()) {
            Some(1) => better.push(measured.game.title),
            Some(-1) => worse.push(measured.game.title),
            _ => open.push(measured.game.title),
        }
    }
    let outcome = match (worse.is_empty(), open.is_empty()) {
        (false, _) => Outcome::NotReproduced,
        (true, false) => Outcome::NotDecided,
        (true, true) => Outcome::Reproduced,
    };
    let list = |titles: &[&str]| if titles.is_empty() { "none".to_owned() } else { titles.join(", ") };
    (outcome, format!("Better for sure: {}; worse for sure: {}; open: {}.", list(&better), list(&worse), list(&open)))
}

/// Over all games that were played with both, by one reading.
fn trend(all: &[Measured]) -> Judged {
    let last = CLOCKS.len() - 1;
    let mut texts = Vec::new();
    let mut outcome = Outcome::NotDecided;
    for (reading, name) in READINGS.iter().enumerate().rev() {
        let mut changes = Vec::new();
        for measured in all.iter().filter(|measured| measured.is_played(reading, 0) && measured.is_played(reading, last)) {
            let cells = &measured.heuristic[reading];
            let of = |clock: usize| cells[clock].as_ref().map_or(0.0, |cell| cell.difference().mean);
            changes.push(of(last) - of(0));
        }
        let (Some(mean), Some(error)) = (ludens_tournament::mean(&changes), ludens_tournament::error_of_mean(&changes)) else {
            continue;
        };
        // From all won to all lost, or the other way.
        let change = Interval { mean, low: (mean - error).max(-2.0), high: (mean + error).min(2.0) };
        // The reading that is more like the paper's comes last, and decides if it can.
        outcome = match change.side() {
            -1 => Outcome::Reproduced,
            1 => Outcome::NotReproduced,
            _ => outcome,
        };
        texts.push(format!("{name}: {} percent over {} games", percent(change), changes.len()));
    }
    let theirs: Vec<f64> = all.iter().map(|measured| measured.published(last).mean - measured.published(0).mean).collect();
    let theirs = ludens_tournament::mean(&theirs).unwrap_or(0.0);
    texts.push(format!("paper: {:+.0}", 100.0 * theirs));
    (outcome, format!("The Heuristic Player's change: {}.", texts.join("; ")))
}

fn clocks(count: usize) -> String {
    if count == CLOCKS.len() { "all clocks".to_owned() } else { format!("{count} of {} clocks", CLOCKS.len()) }
}

/// By the reading in which most was played that can be judged, all clocks together.
fn remedy(measured: &Measured) -> Judged {
    let count = |reading: &usize| (0..CLOCKS.len()).filter(|&clock| measured.is_remedied(*reading, clock)).count();
    // The same number in both: the one that is more like the paper's.
    let Some(reading) = (0..READINGS.len()).rev().max_by_key(count).filter(|reading| count(reading) > 0) else {
        return (Outcome::NotDecided, "Not played, or too few simulations or positions a move.".to_owned());
    };
    let (mut wins, mut losses, mut matches, mut theirs, mut rows) = (0, 0, 0, Vec::new(), [0; 3]);
    for clock in 0..CLOCKS.len() {
        let Some(cell) = measured.learned[reading][clock].as_ref().filter(|_| measured.is_remedied(reading, clock)) else {
            continue;
        };
        wins += cell.wins;
        losses += cell.losses;
        matches += cell.matches;
        let published = measured.published(clock);
        // As much weight as ours have, which are fewer with longer clocks.
        theirs.push((cell.matches as f64, published.mean, published.high));
        if let Some(cell) = &measured.heuristic[reading][clock] {
            rows = [rows[0] + cell.wins, rows[1] + cell.losses, rows[2] + cell.matches];
        }
    }
    let found = difference(wins as f64, losses as f64, matches as f64);
    let weighted = |value: fn(&(f64, f64, f64)) -> f64| {
        theirs.iter().map(|cell| cell.0 * value(cell)).sum::<f64>() / (matches as f64).max(1.0)
    };
    let (theirs, most) = (weighted(|cell| cell.1), weighted(|cell| cell.2));
    let outcome = if found.low > most {
        Outcome::Surpassed
    } else if found.high < theirs {
        Outcome::NotReproduced
    } else {
        Outcome::NotDecided
    };
    let own = difference(rows[0] as f64, rows[1] as f64, rows[2] as f64);
    let name = READINGS[reading];
    (
        outcome,
        format!(
            "{name}, {} together: {} against the paper's {:+.0}; our Heuristic Player {}.",
            clocks(count(&reading)),
            percent(found),
            100.0 * theirs,
            percent(own)
        ),
    )
}

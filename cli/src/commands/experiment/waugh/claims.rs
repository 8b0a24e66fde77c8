//! The paper's claims, and what our measurements say of each.

use super::Measured;
use super::engines::Engine;
use super::published::GAMES;
use super::report::{PHASES, Ratio, times};
use crate::commands::experiment::{Finding, Outcome};

const PLAIN: Engine = Engine::Relational { memo: true, table: false };
const TABLE: Engine = Engine::Relational { memo: true, table: true };
/// Ratios closer to 1 than this are taken for no difference.
const EVEN: f64 = 0.05;

/// All claims in the order of the paper.
pub(super) fn findings(all: &[Measured]) -> Vec<Finding> {
    let game = |name: &str| GAMES.iter().zip(all).find(|(game, _)| game.name == name).map(|(_, measured)| measured);
    let mut findings = Vec::new();
    let mut add =
        |claim: &str, (outcome, why): (Outcome, String)| findings.push(Finding { claim: claim.to_owned(), outcome, why });
    if let Some(measured) = game("tic_tac_toe") {
        add(
            "Generated code examines 16.5 to 18.6 times as many states of Tic-Tac-Toe as Prolog.",
            at_least(measured, (Engine::Plans, Engine::Prolog, 0), [16.5, 16.5, 18.6]),
        );
        add(
            "With a transposition table it is 23.5 to 27.1 times as many.",
            at_least(measured, (TABLE, Engine::Prolog, 0), [23.5, 24.4, 27.1]),
        );
        add(
            "The table itself gives 1.43 to 1.48 times as many there.",
            at_least(measured, (TABLE, PLAIN, 0), [1.43, 1.48, 1.45]),
        );
        add(
            "In simulations of Tic-Tac-Toe, generated code with a table has 20 to 22 times as many as Prolog.",
            at_least(measured, (TABLE, Engine::Prolog, 1), [22.5, 20.3, 20.0]),
        );
    }
    if let Some(measured) = game("chess") {
        add(
            "Generated code examines 1.6 to 1.9 times as many states of Chess as Prolog.",
            at_least(measured, (Engine::Plans, Engine::Prolog, 0), [1.60, 1.78, 1.87]),
        );
        add("A transposition table makes Chess slower (0.94 to 0.98).", never_helps(measured));
    }
    if let Some(measured) = game("checkers") {
        add(
            "In Checkers the table gives nothing early and in the middle (1.00, 0.97), and 4.8 times as many states at the end.",
            only_late(measured, 4.82, false),
        );
    }
    if let Some(measured) = game("connect_four") {
        add(
            "In Connect4 the table gives nothing early, 1.13 times as many states in the middle and 1.22 times at the end.",
            only_late(measured, 1.22, true),
        );
    }
    add("By either count, generated code is nowhere slower than Prolog.", nowhere_slower(all));
    for (engine, who) in [(Engine::Lanes, "lanes"), (Engine::Plans, "emitted plans"), (PLAIN, "relational, memo")] {
        for (table, counted) in ["states", "simulations"].into_iter().enumerate() {
            add(
                &format!("(Ours to reach) More {counted} than the best published in every cell, with {who}."),
                every_cell(all, engine, table),
            );
        }
    }
    findings
}

fn not_measured(measured: &Measured, engines: &[Engine]) -> (Outcome, String) {
    let reason =
        engines.iter().find_map(|&engine| measured.missing(engine).map(|reason| format!("{}: {reason}.", engine.label())));
    (Outcome::NotDecided, reason.unwrap_or_else(|| "No match had such positions.".to_owned()))
}

fn by_phase(ratios: &[Ratio]) -> String {
    let texts: Vec<String> = PHASES.iter().zip(ratios).map(|(phase, ratio)| format!("{phase} {}", ratio.text())).collect();
    texts.join(", ")
}

/// The ratios of one engine to another in all phases, if both were measured in all.
fn ratios(measured: &Measured, (one, other, table): (Engine, Engine, usize)) -> Option<Vec<Ratio>> {
    (0..3).map(|phase| measured.ratio(one, other, table, phase)).collect()
}

/// Ours must be as large as theirs: surpassed where it surely is everywhere, reproduced where it may be, or is at least half as much for sure.
fn at_least(measured: &Measured, what: (Engine, Engine, usize), theirs: [f64; 3]) -> (Outcome, String) {
    let (one, other, _) = what;
    let Some(ours) = ratios(measured, what) else { return not_measured(measured, &[one, other]) };
    let all = |holds: &dyn Fn(&Ratio, f64) -> bool| ours.iter().zip(theirs).all(|(ratio, theirs)| holds(ratio, theirs));
    // Half of an advantage is half of what goes beyond 1.
    let half = |theirs: f64| f64::midpoint(1.0, theirs);
    let outcome = if all(&|ratio, theirs| ratio.low > theirs) {
        Outcome::Surpassed
    } else if all(&|ratio, theirs| ratio.low > half(theirs)) {
        Outcome::Reproduced
    } else if ours.iter().zip(theirs).any(|(ratio, theirs)| ratio.high < half(theirs)) {
        Outcome::NotReproduced
    } else {
        Outcome::NotDecided
    };
    (outcome, format!("{} by {}: {}.", one.label(), other.label(), by_phase(&ours)))
}

/// The table is no help in any phase.
fn never_helps(measured: &Measured) -> (Outcome, String) {
    let Some(ours) = ratios(measured, (TABLE, PLAIN, 0)) else { return not_measured(measured, &[TABLE, PLAIN]) };
    let outcome = if ours.iter().any(|ratio| ratio.low > 1.0) {
        Outcome::NotReproduced
    } else if ours.iter().all(|ratio| ratio.high < 1.0) {
        Outcome::Reproduced
    } else {
        Outcome::NotDecided
    };
    (outcome, format!("{} by {}: {}.", TABLE.label(), PLAIN.label(), by_phase(&ours)))
}

/// The table helps at the end, and before that not, or with `early_only` not in the beginning.
fn only_late(measured: &Measured, theirs: f64, early_only: bool) -> (Outcome, String) {
    let Some(ours) = ratios(measured, (TABLE, PLAIN, 0)) else { return not_measured(measured, &[TABLE, PLAIN]) };
    let (early, middle, end) = (ours[0], ours[1], ours[2]);
    let is_nothing_before = early.high < 1.0 + EVEN && (early_only || middle.high < 1.0 + EVEN);
    let is_something_before = early.low > 1.0 + EVEN || (!early_only && middle.low > 1.0 + EVEN);
    let outcome = if end.low > theirs && is_nothing_before {
        Outcome::Surpassed
    } else if end.low > 1.0 && is_nothing_before {
        Outcome::Reproduced
    } else if end.high < 1.0 + EVEN || is_something_before {
        Outcome::NotReproduced
    } else {
        Outcome::NotDecided
    };
    (outcome, format!("{} by {}: {}.", TABLE.label(), PLAIN.label(), by_phase(&ours)))
}

/// Emitted plans have more than Prolog in every game, phase and count.
fn nowhere_slower(all: &[Measured]) -> (Outcome, String) {
    let mut least: Option<(f64, String)> = None;
    let (mut surely, mut surely_not) = (true, false);
    for (game, measured) in GAMES.iter().zip(all) {
        for table in 0..2 {
            let Some(ours) = ratios(measured, (Engine::Plans, Engine::Prolog, table)) else {
                return not_measured(measured, &[Engine::Plans, Engine::Prolog]);
            };
            for (phase, ratio) in PHASES.iter().zip(&ours) {
                surely &= ratio.low > 1.0;
                surely_not |= ratio.high < 1.0;
                if least.as_ref().is_none_or(|(least, _)| ratio.mean < *least) {
                    least = Some((ratio.mean, format!("{} {phase}", game.title)));
                }
            }
        }
    }
    let outcome = match (surely, surely_not) {
        (_, true) => Outcome::NotReproduced,
        (true, _) => Outcome::Reproduced,
        _ => Outcome::NotDecided,
    };
    let why = least.map_or_else(String::new, |(ratio, place)| {
        format!("The least lead of emitted plans is {} times, in {place}.", times(ratio))
    });
    (outcome, why)
}

/// Ours against the best that was published, in every game and phase. Computers differ; the words say so.
fn every_cell(all: &[Measured], engine: Engine, table: usize) -> (Outcome, String) {
    let mut cells = Vec::new();
    for (game, measured) in GAMES.iter().zip(all) {
        for (phase, theirs) in game.best().of(table).into_iter().enumerate() {
            let Some(ours) = measured.value(engine, table, phase) else { return not_measured(measured, &[engine]) };
            let place = format!("{} {}", game.title, PHASES[phase]);
            cells.push((ours.mean / theirs, (ours.mean - ours.error) / theirs, (ours.mean + ours.error) / theirs, place));
        }
    }
    let above = cells.iter().filter(|cell| cell.1 > 1.0).count();
    let below = cells.iter().filter(|cell| cell.2 < 1.0).count();
    let outcome = if above == cells.len() {
        Outcome::Surpassed
    } else if below > 0 {
        Outcome::NotReproduced
    } else {
        Outcome::NotDecided
    };
    let least = cells.iter().min_by(|one, two| one.0.total_cmp(&two.0));
    let least = least.map_or_else(String::new, |cell| format!("; least {} times, in {}", times(cell.0), cell.3));
    (outcome, format!("More for sure in {above} of {} cells{least} (other computers, other sheets).", cells.len()))
}

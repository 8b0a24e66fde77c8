//! The paper's claims, and what our measurements say of each.

use super::Measured;
use super::report::{SERIES, ahead, points, said};
use crate::commands::experiment::duels::{Cell, Interval};
use crate::commands::experiment::{Finding, Outcome};
use std::fmt::Write as _;

const PAYOFF: usize = 0;
const CONTROL: usize = 1;
const TERMINATION: usize = 2;
/// A part says what the paper's features say where these explain so much of it.
const NEARLY_ALL: f64 = 0.9;
/// A weight is nothing beside another one that is so many times as large.
const NOTHING: f64 = 0.05;

type Judged = (Outcome, String);

/// All claims in the order of our games, then those about matches.
pub(super) fn findings(all: &[Measured]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut add = |claim: String, (outcome, why): Judged| findings.push(Finding { claim, outcome, why });
    for measured in all {
        for &(claim, judge) in about_models(measured.game.name) {
            add(format!("{}: {claim}", measured.game.title), judged(measured, judge));
        }
    }
    for measured in all {
        let (title, scores) = (measured.game.title, points(measured.game.scores));
        add(format!("{title}: the model beats early payoff, {scores}."), beats(measured, 0));
    }
    for measured in all {
        let title = measured.game.title;
        add(
            format!("(Ours to reach) {title}: `learned` beats early payoff by more than the paper's model does."),
            beats(measured, 2),
        );
    }
    findings
}

/// How a claim is judged.
#[derive(Clone, Copy, Debug)]
enum Judge {
    /// A part is the paper's features, with the paper's signs, and hardly anything else.
    Is(usize),
    /// The weights of these features of a part fall in this order, and the last is above nothing where that is asked for.
    Order(usize, &'static [usize], bool),
    /// A feature has the paper's sign.
    Sign(usize, usize),
    /// A feature has next to no weight beside another one.
    Rejected(usize, usize, usize),
    /// A part has no terms.
    Empty(usize),
    /// Payoff is more stable than control, or less.
    PayoffFirst(bool),
}

/// The claims about the model of a game of the paper.
fn about_models(game: &str) -> &'static [(&'static str, Judge)] {
    match game {
        "racetrack_corridor" => &[
            ("payoff is the difference of the distances to the goal.", Judge::Is(PAYOFF)),
            ("control grows with walls on the right of one's own lane.", Judge::Sign(CONTROL, 0)),
            ("control grows with walls on the left of one's own lane.", Judge::Sign(CONTROL, 1)),
            ("termination grows with every step.", Judge::Sign(TERMINATION, 0)),
            ("payoff is more stable than control (0.729 and 0.271).", Judge::PayoffFirst(true)),
        ],
        "cylinder_checkers" => &[
            ("payoff is the difference of all pieces.", Judge::Is(PAYOFF)),
            ("control values kings above pieces, and both.", Judge::Order(CONTROL, &[0, 1], true)),
            ("termination grows with every step.", Judge::Sign(TERMINATION, 0)),
            ("control is more stable than payoff (0.659 and 0.341).", Judge::PayoffFirst(false)),
        ],
        "othello" => &[
            ("corners count for their owner.", Judge::Sign(PAYOFF, 0)),
            ("edges count for their owner.", Judge::Sign(PAYOFF, 1)),
            ("all discs are not counted.", Judge::Rejected(PAYOFF, 2, 1)),
            ("no stable feature tells control.", Judge::Empty(CONTROL)),
        ],
        "chess" => &[
            ("control values queens above rooks above bishops.", Judge::Order(CONTROL, &[0, 1, 2], false)),
            ("control values bishops above knights.", Judge::Order(CONTROL, &[2, 3], false)),
            ("control values knights above pawns.", Judge::Order(CONTROL, &[3, 5], false)),
            ("control values pawns.", Judge::Sign(CONTROL, 5)),
            ("control grows with empty squares in one's own first rank.", Judge::Sign(CONTROL, 4)),
            ("no stable feature tells payoff.", Judge::Empty(PAYOFF)),
        ],
        _ => &[
            ("payoff falls with the distance that marbles have to go.", Judge::Sign(PAYOFF, 1)),
            ("payoff grows with the marbles in the goal.", Judge::Sign(PAYOFF, 0)),
            ("payoff is these two.", Judge::Is(PAYOFF)),
            ("no stable feature tells control.", Judge::Empty(CONTROL)),
        ],
    }
}

fn judged(measured: &Measured, judge: Judge) -> Judged {
    if let Some(reason) = measured.models.iter().find_map(|model| model.as_ref().err()) {
        return (Outcome::NotReproduced, format!("There is a seed without a model: {reason}."));
    }
    match judge {
        Judge::Is(part) => is(measured, part),
        Judge::Order(part, features, positive) => order(measured, part, features, positive),
        Judge::Sign(part, feature) => {
            let ours = measured.weight(part, feature);
            let sign = measured.game.parts[part].features[feature].weight.signum();
            (by_side(ours.map(|ours| turned(ours, sign))), format!("{}: {}.", name(measured, part, feature), said(ours)))
        }
        Judge::Rejected(part, feature, beside) => rejected(measured, part, feature, beside),
        Judge::Empty(part) => empty(measured, part),
        Judge::PayoffFirst(payoff) => {
            let ours = measured.over_models(|found| found.stabilities[0] - found.stabilities[1]);
            let of = |index: usize| said(measured.over_models(|found| found.stabilities[index]));
            let sign = if payoff { 1.0 } else { -1.0 };
            (by_side(ours.map(|ours| turned(ours, sign))), format!("Payoff {}, control {}.", of(0), of(1)))
        }
    }
}

fn name(measured: &Measured, part: usize, feature: usize) -> &'static str {
    measured.game.parts[part].features[feature].name
}

fn turned(value: Interval, sign: f64) -> Interval {
    if sign < 0.0 { Interval { mean: -value.mean, low: -value.high, high: -value.low } } else { value }
}

/// A value that should be above nothing.
fn by_side(value: Option<Interval>) -> Outcome {
    match value.map(|value| (value.side(), value)) {
        Some((1, _)) => Outcome::Reproduced,
        Some((-1, _)) => Outcome::NotReproduced,
        // All models say just the same: nothing.
        Some((_, Interval { low, high, .. })) if high - low < 1e-12 => Outcome::NotReproduced,
        _ => Outcome::NotDecided,
    }
}

fn is(measured: &Measured, part: usize) -> Judged {
    let features = measured.game.parts[part].features;
    let signs: Vec<Outcome> = (0..features.len())
        .map(|index| by_side(measured.weight(part, index).map(|weight| turned(weight, features[index].weight.signum()))))
        .collect();
    let weights: Vec<String> =
        (0..features.len()).map(|index| format!("{} {}", features[index].name, said(measured.weight(part, index)))).collect();
    let Some(share) = measured.explained(part) else { return (Outcome::NotDecided, String::new()) };
    let outcome = if signs.contains(&Outcome::NotReproduced) || share.high < NEARLY_ALL {
        Outcome::NotReproduced
    } else if share.low >= NEARLY_ALL && signs.iter().all(|&sign| sign == Outcome::Reproduced) {
        Outcome::Reproduced
    } else {
        Outcome::NotDecided
    };
    (outcome, format!("Ours: {}; the paper's features explain {:.0}% of it.", weights.join(", "), 100.0 * share.mean))
}

fn order(measured: &Measured, part: usize, features: &[usize], positive: bool) -> Judged {
    let weight = |found: &super::Found, feature: usize| found.parts[part].weights[feature];
    let mut steps: Vec<Outcome> = features
        .windows(2)
        .map(|pair| by_side(measured.over_models(|found| weight(found, pair[0]) - weight(found, pair[1]))))
        .collect();
    if let (true, Some(&last)) = (positive, features.last()) {
        steps.push(by_side(measured.weight(part, last)));
    }
    let outcome = if steps.contains(&Outcome::NotReproduced) {
        Outcome::NotReproduced
    } else if steps.contains(&Outcome::NotDecided) {
        Outcome::NotDecided
    } else {
        Outcome::Reproduced
    };
    let weights =
        features.iter().map(|&feature| format!("{} {}", name(measured, part, feature), said(measured.weight(part, feature))));
    (outcome, format!("Ours: {}.", weights.collect::<Vec<_>>().join(", ")))
}

fn rejected(measured: &Measured, part: usize, feature: usize, beside: usize) -> Judged {
    let share = measured.over_models(|found| {
        let weights = &found.parts[part].weights;
        weights[feature].abs() / weights[beside].abs().max(1e-9)
    });
    let Some(share) = share else { return (Outcome::NotDecided, String::new()) };
    let outcome = if share.high < NOTHING {
        Outcome::Reproduced
    } else if share.low > NOTHING {
        Outcome::NotReproduced
    } else {
        Outcome::NotDecided
    };
    let ours =
        [feature, beside].map(|feature| format!("{} {}", name(measured, part, feature), said(measured.weight(part, feature))));
    (outcome, format!("Ours: {}.", ours.join(", ")))
}

fn empty(measured: &Measured, part: usize) -> Judged {
    let counts: Vec<usize> = measured.models.iter().flatten().map(|found| found.parts[part].terms.len()).collect();
    let outcome = if counts.iter().all(|&count| count == 0) {
        Outcome::Reproduced
    } else if counts.contains(&0) {
        Outcome::NotDecided
    } else {
        Outcome::NotReproduced
    };
    let share = |found: &super::Found| if part < 2 { found.stabilities[part] } else { 0.0 };
    let why = if outcome == Outcome::Reproduced {
        "None of our models has one.".to_owned()
    } else {
        let counts = counts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        format!("Our models have {counts} terms there; its share by stability is {}.", said(measured.over_models(share)))
    };
    (outcome, why)
}

/// The first player of a series is ahead of early payoff.
fn beats(measured: &Measured, series: usize) -> Judged {
    let cell: &Cell = &measured.cells[series];
    let outcome = match cell.lead() {
        Some(lead) if lead.low > measured.game.lead() && measured.game.same_points => Outcome::Surpassed,
        Some(lead) if lead.side() == 1 => Outcome::Reproduced,
        Some(lead) if lead.side() == -1 => Outcome::NotReproduced,
        _ => Outcome::NotDecided,
    };
    let outcome = match (series, outcome, cell.lead()) {
        // To beat early payoff at all is not yet to beat it by more.
        (2, Outcome::Reproduced, Some(lead)) if lead.high < measured.game.lead() && measured.game.same_points => {
            Outcome::NotReproduced
        }
        (2, Outcome::Reproduced, _) => Outcome::NotDecided,
        _ => outcome,
    };
    let score = points(cell.score.map(|score| 100.0 * score));
    let mut why = format!("Ours, {}: {score}, ahead by {}.", SERIES[series], ahead(cell));
    if series == 0 {
        let by_positions = &measured.cells[1];
        let score = points(by_positions.score.map(|score| 100.0 * score));
        let _ = write!(why, " With equal positions: {score}, ahead by {}.", ahead(by_positions));
    } else {
        let _ = write!(why, " The paper's model is ahead by {:+.0}.", 100.0 * measured.game.lead());
    }
    if !measured.game.same_points {
        why.push_str(" How the paper's sheet gives points is not known, so that leads cannot be compared.");
    }
    (outcome, why)
}

//! What was measured, as tables and plots.

use super::published::{GAMES, Game};
use super::{EARLY, Measured, OPENING, PLAYERS, Plan};
use crate::commands::experiment::duels::{Cell, Interval, troubles};
use crate::commands::experiment::{Document, Section, Table};
use crate::words::number;
use ludens_tournament::{error_of_mean, mean, plot};

pub(super) const PARTS: [&str; 3] = ["payoff", "control", "termination"];
/// The series of matches.
pub(super) const SERIES: [&str; 3] = ["the model, equal CPU time", "the model, equal positions", "learned, equal CPU time"];
/// Terms of a part that are printed.
const LINES: usize = 8;

impl Measured {
    /// A number of every model, with its mean and 95% interval over models; none without models.
    pub(super) fn over_models(&self, value: impl Fn(&super::Found) -> f64) -> Option<Interval> {
        let values: Vec<f64> = self.models.iter().flatten().map(value).collect();
        let mean = mean(&values)?;
        let error = error_of_mean(&values).unwrap_or(f64::INFINITY);
        Some(Interval { mean, low: mean - error, high: mean + error })
    }

    /// The weight of the paper's feature in our models.
    pub(super) fn weight(&self, part: usize, feature: usize) -> Option<Interval> {
        self.over_models(|found| found.parts[part].weights[feature])
    }

    /// The share of what a part of our models says that the paper's features explain.
    pub(super) fn explained(&self, part: usize) -> Option<Interval> {
        self.over_models(|found| found.parts[part].explained)
    }
}

pub(super) fn document(plan: &Plan, all: &[Measured]) -> Document {
    let mut sections = vec![how(plan)];
    sections.push(weights(all));
    sections.extend(all.iter().map(model));
    sections.push(scores(all));
    Document {
        title: "Clune 2007: abstract models as evaluation functions".to_owned(),
        sections,
        findings: super::claims::findings(all),
    }
}

fn how(plan: &Plan) -> Section {
    let start = plan.start.map_or_else(
        || "as long as the paper analysed the game (10 minutes, Othello 30, Chess 120)".to_owned(),
        |seconds| format!("{seconds} s"),
    );
    let left_out = GAMES[plan.games..].iter().map(|game| game.title).collect::<Vec<_>>().join(", ");
    let section = Section::new("What was measured")
        .text(
            "J. Clune, *Heuristic Evaluation Functions for General Game Playing*, AAAI 2007: models of payoff, control and termination from stable features, found in 10 minutes \
             to 2 hours a game (2.16 GHz, OCaml), and matches of two players that differ in nothing but the evaluation: the model, and the points that the rules give a \
             position as if it were the end (early payoff). How many matches, and how long a move, the paper does not say.",
        )
        .text(format!(
            "Models: {} a game of different seeds, each from at most {} random matches within {start} of CPU time; the first is printed. The sheets are ours, so the \
             features have other words. Each part of each model is therefore also read through the paper's features: the weights by which these explain best what the \
             part says in positions of random play (least squares), and the share of its variance that they explain. Weights have 95% intervals over the models. Scales differ: \
             payoff is scaled to the sample, so signs and ratios say more than sizes.",
            number(plan.models, "model"),
            plan.samples,
        ))
        .text(format!(
            "Matches: `{}` and `{}` against `{EARLY}`, {} of matches a game and series after {OPENING} random joint moves, seats exchanged; in Chinese Checkers three against three, seats drawn. Each had {start} of \
             CPU time to prepare, once for all its matches, and {} s of CPU time a move; in the second series {} positions a move instead, so that the price of the evaluation does not count. Leads have 95% intervals \
             by how much pairs differ; with {} differences below about a third of the points are hardly ever decided. Matches are kept in clune.sqlite beside this file: `ludens replay` shows them.",
            PLAYERS[0],
            PLAYERS[1],
            number(u64::from(plan.pairs), "pair"),
            plan.cpu,
            plan.nodes,
            number(u64::from(plan.pairs), "pair"),
        ));
    if left_out.is_empty() { section } else { section.text(format!("Left out at this scale: {left_out}.")) }
}

/// `0.031 [0.028, 0.034]`.
pub(super) fn said(value: Option<Interval>) -> String {
    let Some(Interval { mean, low, high }) = value else { return "-".to_owned() };
    if low.is_finite() { format!("{mean:.3} [{low:.3}, {high:.3}]") } else { format!("{mean:.3}") }
}

/// The paper's features in our models.
fn weights(all: &[Measured]) -> Section {
    let mut table = Table::new(&["game", "part", "feature", "paper", "ours", "explained"], 3);
    for measured in all {
        let game = measured.game;
        for (part, name) in PARTS.iter().enumerate() {
            for (index, feature) in game.parts[part].features.iter().enumerate() {
                let explained = measured.explained(part).filter(|_| index == 0);
                table.row(vec![
                    game.title.to_owned(),
                    (*name).to_owned(),
                    feature.name.to_owned(),
                    format!("{:.3}", feature.weight),
                    said(measured.weight(part, index)),
                    explained.map_or_else(String::new, |share| format!("{:.0}%", 100.0 * share.mean)),
                ]);
            }
        }
        if let Some(theirs) = game.stabilities {
            for (index, name) in ["S_P", "S_C"].into_iter().enumerate() {
                let ours = said(measured.over_models(|found| found.stabilities[index]));
                table.row(vec![game.title.to_owned(), name.to_owned(), String::new(), format!("{:.3}", theirs[index]), ours]);
            }
        }
    }
    Section::new("The paper's features in our models")
        .text(
            "Where the paper says that a model has no payoff or no control, the stability of the other one is 1. In Othello the paper's weights are means over four corners and four edges, and it has none \
             for all discs. `explained` is the share of our part's variance that all of the paper's features of that part explain together.",
        )
        .table(table)
}

/// The first model of a game beside the paper's.
fn model(measured: &Measured) -> Section {
    let Game { title, role, parts, stabilities, .. } = measured.game;
    let mut section = Section::new(&format!("{title}: the model of {role}"));
    let found = match &measured.models[0] {
        Ok(found) => found,
        Err(reason) => return section.text(format!("No model: {reason}.")),
    };
    section = section.text(format!(
        "From {} in {:.1} s of CPU time, of {} candidates.",
        number(found.matches as u64, "random match"),
        found.seconds,
        found.candidates
    ));
    let theirs = stabilities.map_or_else(String::new, |[payoff, control]| format!(" (paper: {payoff}, {control})"));
    section = section.text(format!("S_P {:.3}, S_C {:.3}{theirs}.", found.stabilities[0], found.stabilities[1]));
    for ((sum, part), name) in found.parts.iter().zip(parts).zip(PARTS) {
        section = section.text(format!(
            "**{name}**: paper: {}. Ours: {:.3}{}",
            part.text,
            sum.constant,
            if sum.terms.is_empty() { ", nothing counts." } else { " and" }
        ));
        if sum.terms.is_empty() {
            continue;
        }
        let mut table = Table::new(&["weight", "what", "expression"], 0);
        for line in sum.terms.iter().take(LINES) {
            table.row(vec![format!("{:+.3}", line.weight), line.reading.clone(), format!("`{}`", short(&line.expression))]);
        }
        section = section.table(table);
        if let Some(more @ 1..) = sum.terms.len().checked_sub(LINES) {
            section = section.text(format!("and {more} of less influence."));
        }
    }
    section
}

/// Distances spell out all their layers.
fn short(expression: &str) -> String {
    const MOST: usize = 60;
    if expression.chars().count() <= MOST {
        return expression.to_owned();
    }
    expression.chars().take(MOST - 1).chain(['…']).collect()
}

/// `59 : 41`.
pub(super) fn points(score: [f64; 2]) -> String {
    format!("{:.0} : {:.0}", score[0], score[1])
}

/// Points ahead: `+33 [+10, +56]`.
pub(super) fn ahead(cell: &Cell) -> String {
    match cell.lead() {
        Some(Interval { mean, low, high }) => format!("{:+.0} [{:+.0}, {:+.0}]", 100.0 * mean, 100.0 * low, 100.0 * high),
        None if cell.matches > 0 => format!("{:+.0}", 100.0 * cell.lead),
        None => "-".to_owned(),
    }
}

fn scores(all: &[Measured]) -> Section {
    let mut table = Table::new(&["game", "series", "matches", "ours", "ahead", "paper", "ahead", "positions a move"], 2);
    for measured in all {
        for (series, cell) in SERIES.iter().zip(&measured.cells) {
            let Cell { matches, score, nodes, .. } = cell;
            table.row(vec![
                measured.game.title.to_owned(),
                (*series).to_owned(),
                matches.to_string(),
                points(score.map(|score| 100.0 * score)),
                ahead(cell),
                points(measured.game.scores),
                format!("{:+.0}", 100.0 * measured.game.lead()),
                format!("{:.0}, {:.0}", nodes[0], nodes[1]),
            ]);
        }
    }
    let mut section = Section::new("Table 2: mean scores against early payoff").table(table).plot(
        "scores",
        "Points ahead of early payoff",
        drawing(all),
    );
    let cells = all.iter().flat_map(|measured| {
        SERIES.iter().zip(&measured.cells).map(|(series, cell)| (format!("{}, {series}", measured.game.title), cell))
    });
    for trouble in troubles(cells) {
        section = section.text(trouble);
    }
    section
}

fn drawing(all: &[Measured]) -> String {
    let group = |(series, name): (usize, &&str)| {
        let rows = all.iter().map(|measured| {
            let cell = &measured.cells[series];
            plot::Row {
                label: measured.game.title.to_owned(),
                value: if cell.matches > 0 { 100.0 * cell.lead } else { f64::NAN },
                interval: cell.lead().map(|lead| [100.0 * lead.low, 100.0 * lead.high]),
                published: Some(100.0 * measured.game.lead()),
            }
        });
        ((*name).to_owned(), rows.collect())
    };
    plot::forest(&plot::Forest {
        title: "Points ahead of early payoff".to_owned(),
        axis: "points".to_owned(),
        logarithmic: false,
        reference: Some(0.0),
        groups: SERIES.iter().enumerate().map(group).collect(),
    })
}

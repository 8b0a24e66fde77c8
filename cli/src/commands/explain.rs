//! `ludens explain`.

use super::eval::Finding;
use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::position_args::PositionArgs;
use crate::search_args::FastEngineArgs;
use crate::words::cut;
use anyhow::Result;
use ludens_machine::MoveId;
use ludens_score::{Accountant, Invented, Part, View, changes};
use serde::Serialize;
use std::fmt::Write as _;

/// Account for what an evaluation function says of a position, term by term, and of the moves that can be played there.
///
/// The position is the start, or what --moves lead to. The function is that of a file that `ludens eval --out` wrote, or one that is invented now. The
/// answer is what every term counts in the position and adds to its value, the most first; then, for every move of the role that has a choice, the value
/// after it, and the terms that it changes most.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens explain breakthrough
  ludens explain checkers --eval checkers.json --moves \"(move c 3 d 4); (move b 6 a 5)\"")]
pub(crate) struct Args {
    #[command(flatten)]
    position: PositionArgs,
    /// Terms to print, and changes of a move.
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..))]
    terms: u16,
    /// Print one JSON document: `role, value, constant, parts: [{expression, reading, count, weight, adds}], moves: [{move, value, changes}]`.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: FastEngineArgs,
    #[command(flatten)]
    finding: Finding,
}

#[derive(Serialize)]
struct Report {
    game: String,
    method: String,
    role: String,
    /// In points.
    value: f64,
    constant: f64,
    /// Of a model: how likely it is that the match is over. It decides what payoff and control weigh.
    #[serde(skip_serializing_if = "Option::is_none")]
    termination: Option<f64>,
    parts: Vec<PartReport>,
    moves: Vec<MoveReport>,
}

#[derive(Serialize)]
struct PartReport {
    expression: String,
    reading: String,
    count: f64,
    weight: f64,
    adds: f64,
}

#[derive(Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    text: String,
    value: f64,
    /// Whether the match is over after it: then the value is what the rules give.
    over: bool,
    changes: Vec<PartReport>,
}

/// Changes of a move that are printed.
const CHANGES: usize = 3;

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    let game = args.position.open(args.engine, console)?;
    let (line, role) = args.position.find(&game, "its value is what the rules give")?;
    let machine = &game.machine;
    let invented = match args.finding.function(&game, console)? {
        Ok(invented) => invented,
        Err(refusal) => {
            console::print(&format!("no function: {refusal}"))?;
            return Ok(Answer::No);
        }
    };
    let Invented { vocabulary, invention, .. } = &invented;
    let accountant = Accountant::new(vocabulary, invention);
    let report_of = |part: &Part| {
        let term = accountant.term(role, part.term);
        PartReport {
            expression: term.feature.text(vocabulary, machine),
            reading: term.feature.reading(vocabulary, machine),
            count: part.count,
            weight: part.weight,
            adds: part.adds,
        }
    };
    let state = line.state();
    let view = View::of_state(machine, &state)?;
    let balance = accountant.balance(role, &view);
    let nothing: Vec<Part> = balance.parts.iter().map(|part| Part { count: 0.0, adds: 0.0, ..*part }).collect();
    let shown = usize::from(args.terms);
    let mut report = Report {
        game: game.name.clone(),
        method: invention.method().to_owned(),
        role: machine.role_name(role).to_owned(),
        value: balance.points,
        constant: balance.constant,
        termination: balance.termination,
        parts: changes(&nothing, &balance.parts).iter().map(report_of).collect(),
        moves: Vec::new(),
    };
    // The others do what comes first.
    let joint: Vec<MoveId> = machine.roles().filter_map(|role| line.legal_of(role).first().copied()).collect();
    let mut lanes = machine.lanes(1);
    for &id in line.legal_of(role) {
        let mut joint = joint.clone();
        joint[role.0 as usize] = id;
        lanes.load(0, &state);
        lanes.play(0, &joint);
        lanes.advance()?;
        lanes.evaluate()?;
        let after = accountant.balance(role, &View::of(&lanes, 0));
        let over = lanes.terminal(0);
        let value = if over { f64::from(lanes.points(0, role)?) } else { after.points };
        let changes = changes(&balance.parts, &after.parts).iter().take(shown).map(report_of).collect();
        report.moves.push(MoveReport { text: machine.move_text(id), value, over, changes });
    }
    report.moves.sort_by(|one, two| two.value.total_cmp(&one.value));
    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&format!("{}\n{}", game.draw(&state), report.text(shown, balance.parts.len())))?;
    }
    Ok(Answer::Yes)
}

impl PartReport {
    /// What it is about: as an expression, where that is short.
    fn short(&self) -> &str {
        const SHORT: usize = 48;
        if self.expression.len() > SHORT { &self.reading } else { &self.expression }
    }
}

impl Report {
    fn text(&self, shown: usize, terms: usize) -> String {
        let Report { role, value, constant, method, .. } = self;
        let over = self.termination.map_or_else(String::new, |over| format!(", the match being over with {:.0}%", over * 100.0));
        let mut text = format!("{role}: {value:.1} points, says {method}; {constant:+.2} to begin with{over}\n");
        let parts = &self.parts[..self.parts.len().min(shown)];
        let width = parts.iter().map(|part| cut(&part.expression).len()).max().unwrap_or(0);
        for PartReport { expression, reading, count, weight, adds } in parts {
            let expression = cut(expression);
            // Shares have more digits than anybody reads.
            let count = (count * 1000.0).round() / 1000.0;
            let _ = writeln!(text, "  {adds:+.3} = {count:>3} x {weight:+.3}  {expression:width$}  {reading}");
        }
        let rest: f64 = self.parts.iter().skip(shown).map(|part| part.adds).sum();
        if self.parts.len() > shown {
            let _ = writeln!(text, "  {rest:+.3} from {} more of {} terms", self.parts.len() - shown, terms);
        }
        let _ = writeln!(text, "\nafter each move, and what changes most:");
        let width = self.moves.iter().map(|found| found.text.len()).max().unwrap_or(0);
        for MoveReport { text: name, value, over, changes } in &self.moves {
            let changes: Vec<String> =
                changes.iter().take(CHANGES).map(|part| format!("{:+.3} {}", part.adds, part.short())).collect();
            let end = if *over { "the end" } else { "" };
            let _ =
                writeln!(text, "  {value:5.1}  {name:width$}  {end}{}", if *over { String::new() } else { changes.join(", ") });
        }
        text
    }
}

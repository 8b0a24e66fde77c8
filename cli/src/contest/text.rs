//! What a contest says, as a table on the terminal.

use super::Outcome;
use crate::words::{grouped, number, visible};
use comfy_table::{CellAlignment, Table, presets};
use ludens_tournament::{Duel, GameReport, RatingLine, Report};
use std::fmt::Write as _;

/// Faults that are listed one by one.
const LISTED: usize = 10;

/// Everything, for people.
pub(crate) fn text(outcome: &Outcome) -> String {
    let report = &outcome.report;
    let mut text = if report.title.is_empty() { String::new() } else { format!("{}\n\n", visible(&report.title)) };
    for duel in &report.duels {
        text += &duel_text(report, duel);
    }
    if !report.ratings.is_empty() {
        text += &ratings(&report.ratings);
    }
    if let (Some(sprt), [first, ..]) = (&outcome.sprt, &report.players[..]) {
        text += &sprt.text(&visible(first));
    }
    for line in report.forfeits.iter().take(LISTED) {
        let (kind, fault) = (line.kind.text(), visible(&line.text));
        let _ = writeln!(
            text,
            "lost by a fault: {} in {}, move {}: {kind}, {fault} ({})",
            visible(&line.player),
            visible(&line.game),
            line.ply,
            line.id
        );
    }
    if report.forfeits.len() > LISTED {
        let _ = writeln!(text, "and {} more", report.forfeits.len() - LISTED);
    }
    if report.replayed > 0 {
        let _ = writeln!(text, "{} played again, because the processor was not there", number(report.replayed, "match"));
    }
    if report.starved > 0 {
        let _ =
            writeln!(text, "{} counted although the players had less than 80% of a processor", number(report.starved, "match"));
    }
    if outcome.left > 0 && !outcome.interrupted {
        let _ = writeln!(text, "{} left", number(outcome.left as u64, "match"));
    }
    if outcome.interrupted {
        text += "interrupted\n";
    }
    text
}

/// Two players under one budget.
fn duel_text(report: &Report, duel: &Duel) -> String {
    let [first, second] = duel.players.map(|player| visible(&report.players[player]));
    let budget = &report.budgets[duel.budget];
    let mut text = format!("{first} (1st) and {second} (2nd), {budget} for a move\n\n{}", table(&duel.games));
    let Some([one, other]) = duel.overall.score else { return text };
    let _ = write!(text, "overall: {one:.3} to {other:.3}");
    if let Some(error) = duel.overall.error {
        let _ = write!(text, ", ± {error:.3}");
    }
    if let Some(elo) = duel.overall.elo {
        let _ = write!(text, "; Elo {elo:+.0}");
    }
    if let Some([low, high]) = duel.overall.elo_interval {
        let _ = write!(text, " ({low:+.0} to {high:+.0})");
    }
    text + "\n\n"
}

/// Numbers stand to the right.
fn right(table: &mut Table) {
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

fn or_dash(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.3}"))
}

/// All games as a table.
fn table(games: &[GameReport]) -> String {
    let mut table = Table::new();
    let header = ["game", "matches", "1st", "2nd", "won", "drawn", "lost", "95% interval", "lead", "±", "p", "plies"];
    table.load_style(presets::NOTHING).set_header(header.into_iter().chain(["1st per CPU s", "2nd per CPU s", "faults"]));
    right(&mut table);
    for game in games {
        let interval = game.interval.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.3}..{high:.3}"));
        // Not every search counts descents.
        let rate = |player: usize| match [game.simulations_per_cpu_second[player], game.nodes_per_cpu_second[player]] {
            [simulations, _] if simulations > 0.0 => format!("{} sims", grouped(simulations)),
            [_, nodes] if nodes > 0.0 => format!("{} nodes", grouped(nodes)),
            _ => "-".to_owned(),
        };
        table.add_row([
            visible(&game.name),
            game.matches.to_string(),
            or_dash(game.score[0]),
            or_dash(game.score[1]),
            game.wins.to_string(),
            game.draws.to_string(),
            game.losses.to_string(),
            interval,
            or_dash(game.lead),
            or_dash(game.lead_error),
            or_dash(game.p_holm),
            format!("{:.1}", game.mean_plies),
            rate(0),
            rate(1),
            format!("{}/{}", game.faults[0], game.faults[1]),
        ]);
    }
    table.trim_fmt() + "\n\n"
}

/// All players, the best first.
fn ratings(lines: &[RatingLine]) -> String {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(["player", "Elo", "±", "score", "matches"]);
    right(&mut table);
    let mut lines: Vec<&RatingLine> = lines.iter().collect();
    lines.sort_by(|one, other| other.elo.total_cmp(&one.elo));
    for line in lines {
        let elo = format!("{:+.0}", line.elo);
        table.add_row([visible(&line.player), elo, format!("{:.0}", line.error), or_dash(line.score), line.matches.to_string()]);
    }
    table.trim_fmt() + "\n\n"
}

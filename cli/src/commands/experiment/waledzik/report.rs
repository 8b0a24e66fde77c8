//! What the matches say: a section with a table and plots for every figure.

use super::players::{Opponent, Player, Regime};
use super::published::{FIGURES, Figure, GAMES, TABLE_TIMES};
use super::{Cell, Plan, Score, claims, percent};
use crate::commands::experiment::{Document, Section, Table};
use crate::words::{grouped, number};
use ludens_tournament::plot;

pub(super) fn document(plan: &Plan, cells: &[Cell], failed: u64) -> Document {
    let mut sections = vec![how(plan, cells, failed), who(plan)];
    sections.extend(FIGURES.iter().map(|figure| section(figure, cells)));
    Document {
        title: "Wałędzik & Mańdziuk 2014: guided UCT and MTD(f) by time per move".to_owned(),
        sections,
        findings: claims::findings(cells),
    }
}

fn how(plan: &Plan, cells: &[Cell], failed: u64) -> Section {
    let sum = |count: fn(&Cell) -> u64| cells.iter().map(count).sum::<u64>();
    let cpu: f64 = cells.iter().map(|cell| cell.cpu).sum();
    let amounts: Vec<String> = plan
        .groups
        .iter()
        .map(|group| {
            let games: Vec<&str> = group.games.iter().map(|&game| GAMES[game].title).collect();
            let budgets: Vec<String> = group.figures.budgets.iter().map(ludens_tournament::Limits::text).collect();
            format!(
                "{}: {} with each of {}",
                games.join(", "),
                number(u64::from(group.figures.pairs), "pair"),
                budgets.join("; ")
            )
        })
        .collect();
    let beside = if plan.whole { "" } else { " Our own players meet the same opponents with the least budget only." };
    let mut section = Section::new("What was measured")
        .text(
            "K. Wałędzik and J. Mańdziuk, *An Automatically Generated Evaluation Function in General Game Playing*, 2014: more than 1000 matches a game and figure with 1 to 60 s a move on a Core i7 \
             of 8 virtual cores, standard error at most 6 points of percent; at least 50 matches for every number of table I. The figures are curves without numbers, so what the text says of them stands \
             here in words.",
        )
        .text(format!(
            "Here {} were played, with {:.0} minutes of CPU time for moves. {}.{beside} The two matches of a pair begin with the same two random joint moves, with exchanged places. The \
             rules are our own sheets of these games; in Chess a match ends after 200 plies.",
            number(sum(|cell| cell.matches), "match"),
            cpu / 60.0,
            amounts.join(". "),
        ))
        .text(
            "Scores are from 0 to 1, a draw is a half; *percent* is the same as the paper has it, from -100 to 100. Intervals are Wilson's, 95%, of the number of matches. Claims are decided by the \
             interval of all budgets together: a win is an interval above a half; *even* one within 0.35 to 0.65, which needs 40 matches. Of twenty claims one may be decided by chance.",
        )
        .text(format!(
            "CPU time is counted, every player has one thread, and *many threads* are {} times the CPU time for a move, as if threads cost nothing. The paper makes a new evaluation function for every match; here \
             a player has one for each game and opponent, made in at most {} CPU s, and how much functions differ by chance is not in the intervals. Our computers \
             and engine are so much faster that times do not compare: what a player looks at in a move does, so it stands in the tables (*steps*: simulations, or nodes where there are none).",
            plan.threads, plan.start_cpu,
        ))
        .text("All matches are kept in `waledzik.sqlite` beside this file: `ludens replay waledzik.sqlite` lists them.");
    let faults = sum(|cell| cell.faults.iter().sum());
    let starved = sum(|cell| cell.starved);
    if faults + starved + failed > 0 {
        section = section.text(format!(
            "{} lost by a fault; {} could not be played to the end and {} not counted. In {starved} the players had less than 80% of a processor, which does not change their CPU time.",
            number(faults, "match"),
            number(failed, "match"),
            if failed == 1 { "is" } else { "are" },
        ));
    }
    section
}

/// The players.
fn who(plan: &Plan) -> Section {
    let mut table = Table::new(&["player", "one at a time", "on lanes"], 3);
    let code = |spec: String| format!("`{spec}`");
    for player in [Player::Guct, Player::Mtdf, Player::Learned, Player::Auto] {
        let specs = Regime::ALL.map(|regime| code(player.spec(regime)));
        table.row([vec![player.title().to_owned()], specs.to_vec()].concat());
    }
    for opponent in [Opponent::Uct, Opponent::Null] {
        let specs = Regime::ALL.map(|regime| code(opponent.spec(regime)));
        table.row([vec![opponent.title().to_owned()], specs.to_vec()].concat());
    }
    let both = if plan.whole { "" } else { " At this scale not everything is played on lanes." };
    Section::new("Who plays").table(table).text(format!(
        "The paper's players make simulations one at a time, and so do GUCT and UCT in the first column. Without these options ours make many at once, which is far faster for UCT and less so where positions are evaluated; \
         so both are played.{both} MTD(f), `guct` and `auto` are the same in both: `guct` has a learned function and implicit minimax, `auto` chooses its search by short matches. \
         GUCT has the exploration constant of `guct` (0.2), UCT 0.35 and UCB1 alone."
    ))
}

fn section(figure: &Figure, cells: &[Cell]) -> Section {
    let mut section = Section::new(figure.title);
    if figure.opponent == Opponent::Null {
        section = section.text(format!(
            "In the paper: percent at {} s a move, with 95% bounds.",
            TABLE_TIMES.map(|time| time.to_string()).join(", ")
        ));
    }
    for regime in Regime::ALL {
        let own: Vec<&Cell> = cells
            .iter()
            .filter(|cell| (cell.opponent, cell.regime) == (figure.opponent, regime))
            .filter(|cell| cell.player == figure.player || Player::OURS.contains(&cell.player))
            .collect();
        if own.iter().all(|cell| cell.player != figure.player) {
            continue;
        }
        let title = format!("{}, {}", figure.title, regime.key());
        section = section
            .text(format!("**{}**", regime.title()))
            .table(table(figure, &own))
            .plot(&format!("{}-{}", figure.key, regime.key()), &title, curves(figure, &title, &own))
            .plot(&format!("{}-{}-all", figure.key, regime.key()), &format!("{title}, and ours"), beside(figure, &title, &own));
    }
    section
}

/// Every game, player and budget.
fn table(figure: &Figure, cells: &[&Cell]) -> Table {
    let header =
        ["game", "in the paper", "player", "a move", "won-drawn-lost", "score", "95%", "percent", "steps", "opponent's", "plies"];
    let mut table = Table::new(&header, 4);
    for (game, (known, (_, words))) in GAMES.iter().zip(figure.trends).enumerate() {
        let published = if figure.opponent == Opponent::Null {
            known.table.map(|(percent, error)| format!("{percent} ± {error}")).join(", ")
        } else {
            words.to_owned()
        };
        let mut title = (known.title, published.as_str());
        for cell in cells.iter().filter(|cell| cell.game == game) {
            let Some(score) = Score::of([*cell].into_iter()) else { continue };
            let published = if cell.player == figure.player { title.1 } else { "" };
            table.row(vec![
                title.0.to_owned(),
                published.to_owned(),
                cell.player.title().to_owned(),
                cell.budget.clone(),
                format!("{}-{}-{}", cell.wins, cell.draws, cell.losses),
                format!("{:.2}", score.mean),
                format!("{:.2}..{:.2}", score.low, score.high),
                format!("{:+.0}", percent(score.mean)),
                grouped(cell.steps[0]),
                grouped(cell.steps[1]),
                format!("{:.0}", cell.plies),
            ]);
            title = ("", "");
        }
    }
    table
}

/// The figure as the paper has it: a line for every game.
fn curves(figure: &Figure, title: &str, cells: &[&Cell]) -> String {
    let point = |cell: &&&Cell| {
        let score = Score::of([**cell].into_iter())?;
        Some(plot::Point { x: cell.size, y: score.mean, interval: Some([score.low, score.high]) })
    };
    let series = |(game, known): (usize, &super::published::Game)| {
        let own = cells.iter().filter(|cell| (cell.game, cell.player) == (game, figure.player));
        let points: Vec<plot::Point> = own.filter_map(|cell| point(&cell)).collect();
        (!points.is_empty()).then(|| plot::Series { label: known.title.to_owned(), points, dashed: false })
    };
    let is_timed = cells.iter().all(|cell| cell.budget.contains("CPU s"));
    plot::lines(&plot::Lines {
        title: title.to_owned(),
        x: plot::Axis { label: if is_timed { "CPU seconds a move" } else { "simulations a move" }.to_owned(), logarithmic: true },
        y: plot::Axis { label: format!("score of {}, with its 95% interval", figure.player.title()), logarithmic: false },
        reference: Some(0.5),
        series: GAMES.iter().enumerate().filter_map(series).collect(),
    })
}

/// All players against the same opponent, all budgets together; of the table also what was published, the mean over its times.
fn beside(figure: &Figure, title: &str, cells: &[&Cell]) -> String {
    let group = |(game, known): (usize, &super::published::Game)| {
        let row = |player: Player| {
            let own = cells.iter().filter(|cell| (cell.game, cell.player) == (game, player));
            let score = Score::of(own.copied())?;
            let is_published = figure.opponent == Opponent::Null && player == figure.player;
            let published =
                known.table.iter().map(|(percent, _)| (percent + 100.0) / 200.0).sum::<f64>() / known.table.len() as f64;
            Some(plot::Row {
                label: player.title().replace('`', ""),
                value: score.mean,
                interval: Some([score.low, score.high]),
                published: is_published.then_some(published),
            })
        };
        let rows: Vec<plot::Row> = [figure.player].iter().chain(&Player::OURS).filter_map(|&player| row(player)).collect();
        (!rows.is_empty()).then(|| (known.title.to_owned(), rows))
    };
    plot::forest(&plot::Forest {
        title: format!("{title}: the paper's player and ours"),
        axis: format!("score against {}, all budgets together", figure.opponent.title()),
        logarithmic: false,
        reference: Some(0.5),
        groups: GAMES.iter().enumerate().filter_map(group).collect(),
    })
}

//! A report as one page that needs nothing else: no script, no font, no picture from elsewhere.
//!
//! Names, titles and texts of errors come from strangers: whatever stands in the page went through `escape`. Numbers that are none are dashes.

mod text;
mod verdict;

use crate::plot::{Axis, Forest, Lines, Point, Row, Series, forest, lines};
use crate::{Duel, FAIR_SHARE, GameReport, Report, mean};
use std::fmt::Write as _;
use text::{Column, NONE, clean, escape, finite, finite_interval, likelihood, number, range, short, signed, table, wide};
use verdict::{Verdict, claims, duel_in_words, finding, ranking, rating_interval};

/// More faults than these are only counted.
const MOST_FAULTS: usize = 200;
/// Up to so many meetings are shown unfolded.
const UNFOLDED: usize = 2;

const STYLE: &str = include_str!("html/style.css");

/// The page of a report; `command` is what was typed to make it. The same report gives the same page.
pub fn html(report: &Report, command: &str) -> String {
    let meetings = meetings(report);
    let sections: Vec<(&str, &str, String)> = [
        ("ratings", "Ratings", ratings(report)),
        ("cross", "Who scored what against whom", cross_table(report)),
        ("duels", "All duels", overview(report)),
        (
            "games",
            "Game by game",
            meetings.iter().map(|(players, duels)| meeting(report, *players, duels, meetings.len())).collect(),
        ),
        ("faults", "Faults", faults(report)),
        ("processor", "Matches without the processor", processor(report)),
        ("replay", "Looking at a match", replay(report)),
    ]
    .into_iter()
    .filter(|(_, _, text)| !text.is_empty())
    .collect();
    let title = escape(&title(report));
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<div class=\"finding\">{}</div>\n{}",
        finding(report),
        facts(report, command)
    );
    page.push_str("<nav aria-label=\"Contents\">\n<ul>\n");
    for (id, heading, _) in &sections {
        let _ = writeln!(page, "<li><a href=\"#{id}\">{heading}</a></li>");
    }
    page.push_str("</ul>\n</nav>\n");
    for (id, heading, text) in &sections {
        let _ = writeln!(page, "<section>\n<h2 id=\"{id}\">{heading}</h2>\n{text}</section>");
    }
    page.push_str("</body>\n</html>\n");
    page
}

/// The players of all duels, each with the numbers of its duels, one for every budget.
fn meetings(report: &Report) -> Vec<([usize; 2], Vec<usize>)> {
    let mut meetings: Vec<([usize; 2], Vec<usize>)> = Vec::new();
    for (index, duel) in report.duels.iter().enumerate() {
        match meetings.iter_mut().find(|(players, _)| *players == duel.players) {
            Some((_, duels)) => duels.push(index),
            None => meetings.push((duel.players, vec![index])),
        }
    }
    meetings
}

fn title(report: &Report) -> String {
    match &report.players[..] {
        _ if !report.title.trim().is_empty() => report.title.clone(),
        [first, second] => format!("{first} against {second}"),
        players => format!("A contest of {} players", players.len()),
    }
}

/// What was done, and how to read it.
fn facts(report: &Report, command: &str) -> String {
    let list = |texts: &[String]| texts.iter().map(|text| escape(text)).collect::<Vec<_>>().join("; ");
    let games: Vec<String> = report.games.iter().map(|game| game.name.clone()).collect();
    let per_move = if report.budgets.len() > 1 { "Budgets of a move" } else { "Budget of a move" };
    let rows = [
        ("Command", format!("<code>{}</code>", escape(command))),
        ("Players", list(&report.players)),
        ("Games", list(&games)),
        (per_move, list(&report.budgets)),
        ("Matches", report.matches().to_string()),
        ("Seed", report.seed.to_string()),
        ("Version", format!("Ludens {}", env!("CARGO_PKG_VERSION"))),
        ("Score", "100 points count 1. Verdicts and plots have a half plus half the lead: the same, where the points of both add up to 100.".to_owned()),
        ("95% interval", "Made this way again and again, 95 of 100 such intervals contain the true value. Pairs are drawn anew (bootstrap); Wilson’s takes every match for itself.".to_owned()),
        ("p (Holm)", "How likely so large a lead, to either side, is between equal players; corrected for a claim about every game of every duel here.".to_owned()),
    ];
    let mut text = "<dl>\n".to_owned();
    for (name, value) in rows {
        let value = if value.is_empty() { NONE } else { &value };
        let _ = writeln!(text, "<dt>{name}</dt><dd>{value}</dd>");
    }
    text + "</dl>\n"
}

fn ratings(report: &Report) -> String {
    if report.players.len() <= 2 || report.ratings.is_empty() {
        return String::new();
    }
    let ranking = ranking(report);
    let rows = ranking.iter().map(|line| {
        let rating = format!("{} ± {}", signed(finite(Some(line.elo)), 0), number(finite(Some(line.error)), 0));
        vec![escape(&line.player), rating, number(finite(line.score), 3), line.matches.to_string()]
    });
    let columns = [Column::Text("Player"), Column::Number("Elo"), Column::Number("Score"), Column::Number("Matches")];
    let plotted = ranking.iter().map(|line| Row {
        label: clean(&line.player),
        value: finite(Some(line.elo)).unwrap_or(f64::NAN),
        interval: rating_interval(line),
        published: None,
    });
    let plot = Forest {
        title: "Ratings with 95% intervals".to_owned(),
        axis: "points of Elo; the mean of all players is 0".to_owned(),
        reference: Some(0.0),
        groups: vec![(String::new(), plotted.collect())],
        ..Forest::default()
    };
    wide(&forest(&plot)) + &table("All budgets and games together; a pair counts as one.", &columns, rows.collect(), None)
}

/// The mean of what one player got of another in all games under all budgets.
fn score_against(report: &Report, player: usize, other: usize) -> Option<f64> {
    let of = |duel: &Duel| match duel.players {
        [first, second] if (first, second) == (player, other) => Some(0),
        [first, second] if (second, first) == (player, other) => Some(1),
        _ => None,
    };
    let met = report.duels.iter().filter_map(|duel| of(duel).map(|place| (duel, place)));
    mean(&met.flat_map(|(duel, place)| duel.games.iter().filter_map(move |game| finite(game.score[place]))).collect::<Vec<_>>())
}

fn cross_table(report: &Report) -> String {
    let count = report.players.len();
    if count <= 2 {
        return String::new();
    }
    let mut text =
        "<p class=\"note\">The mean score of the player on the left against the one above, all games and budgets.</p>\n\
                    <div class=\"wide\" tabindex=\"0\">\n<table class=\"cross\">\n\
                    <thead><tr><th scope=\"col\" class=\"text\">Player</th>"
            .to_owned();
    for (index, player) in report.players.iter().enumerate() {
        let _ = write!(text, "<th scope=\"col\" title=\"{}\">{}</th>", escape(player), index + 1);
    }
    text.push_str("</tr></thead>\n<tbody>\n");
    for (index, player) in report.players.iter().enumerate() {
        let _ = write!(text, "<tr><th scope=\"row\" class=\"text\">{}. {}</th>", index + 1, escape(player));
        for other in 0..count {
            let _ = match score_against(report, index, other).filter(|_| other != index) {
                None => write!(text, "<td class=\"soft\">{}</td>", if other == index { "·" } else { NONE }),
                Some(score) => {
                    let colour = if score >= 0.5 { "up" } else { "down" };
                    let depth = (score - 0.5).abs().min(0.5);
                    write!(text, "<td style=\"background:rgba(var(--{colour}),{depth:.2})\">{score:.3}</td>")
                }
            };
        }
        text.push_str("</tr>\n");
    }
    text + "</tbody>\n</table>\n</div>\n"
}

/// One line for every duel, where there are several.
fn overview(report: &Report) -> String {
    if report.duels.len() < 2 {
        return String::new();
    }
    let row = |(index, duel): (usize, &Duel)| {
        let names = names(report, duel.players);
        let verdict = Verdict::of(duel);
        let matches: u64 = duel.games.iter().map(|game| game.matches).sum();
        vec![
            format!("<a href=\"#duel-{}\">{} – {}</a>", index + 1, names[0], names[1]),
            budget(report, duel.budget),
            matches.to_string(),
            number(verdict.share, 3),
            range(verdict.interval),
            signed(finite(duel.overall.elo), 0),
            verdict.words(&names),
        ]
    };
    let columns = [
        Column::Text("Duel"),
        Column::Number("Budget"),
        Column::Number("Matches"),
        Column::Number("Score"),
        Column::Number("95% interval"),
        Column::Number("Elo"),
        Column::Text("Verdict"),
    ];
    let note = "Score and Elo are those of the first named. Each verdict is for itself: among twenty duels of equals, one is expected to look decided.";
    table(note, &columns, report.duels.iter().enumerate().map(row).collect(), None)
}

/// Two players under all budgets.
fn meeting(report: &Report, players: [usize; 2], duels: &[usize], meetings: usize) -> String {
    let [first, second] = names(report, players);
    let mut text = by_budget(report, players, duels);
    for &index in duels {
        text.push_str(&one_duel(report, index));
    }
    if meetings < 2 {
        return text;
    }
    let words = |&index: &usize| {
        let duel = &report.duels[index];
        let words = Verdict::of(duel).words(&names(report, players));
        if duels.len() > 1 { format!("{}: {words}", budget(report, duel.budget)) } else { words }
    };
    let verdicts: Vec<String> = duels.iter().map(words).collect();
    let open = if meetings <= UNFOLDED { " open" } else { "" };
    format!(
        "<details{open}>\n<summary>{first} – {second} <span class=\"soft\">{}</span></summary>\n{text}</details>\n",
        verdicts.join("; ")
    )
}

/// How the score changes with the budget.
fn by_budget(report: &Report, players: [usize; 2], duels: &[usize]) -> String {
    let size =
        |index: usize| report.sizes.get(report.duels[index].budget).copied().filter(|size| size.is_finite() && *size > 0.0);
    let mut sizes: Vec<f64> = duels.iter().filter_map(|&index| size(index)).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    if sizes.len() < 2 {
        return String::new();
    }
    let series = |label: &str, verdict: &dyn Fn(&Duel) -> Option<Verdict>, with_interval: bool| {
        let point = |&index: &usize| {
            let verdict = verdict(&report.duels[index])?;
            Some(Point { x: size(index)?, y: verdict.share?, interval: verdict.interval.filter(|_| with_interval) })
        };
        Series { label: clean(label), points: duels.iter().filter_map(point).collect(), dashed: false }
    };
    let games = report.duels[duels[0]].games.iter().enumerate();
    let of_games = games.map(|(game, line)| series(&line.name, &|duel| duel.games.get(game).map(Verdict::of_game), false));
    let all = series("mean of games", &|duel| Some(Verdict::of(duel)), true);
    let [first, second] = players.map(|player| report.players.get(player).map_or(String::new(), |name| clean(name)));
    // Two budgets of the same kind differ in the number before the unit.
    let unit = |text: &String| text.split_once(' ').map(|(_, unit)| unit.to_owned());
    let units: Vec<Option<String>> = report.budgets.iter().map(unit).collect();
    let unit = units.first().cloned().flatten().filter(|_| units.iter().all(|unit| *unit == units[0]));
    let plot = Lines {
        title: format!("Score of {first} against {second} by budget"),
        x: Axis {
            label: unit.map_or("budget of a move".to_owned(), |unit| format!("budget of a move, {}", clean(&unit))),
            logarithmic: true,
        },
        y: Axis { label: "score; bars: 95% interval of the mean of games".to_owned(), logarithmic: false },
        reference: Some(0.5),
        series: [all].into_iter().chain(of_games).collect(),
    };
    wide(&lines(&plot))
}

/// One duel: verdict, plot, table.
fn one_duel(report: &Report, index: usize) -> String {
    let duel = &report.duels[index];
    let names = names(report, duel.players);
    let row = |game: &GameReport| {
        let has_pairs = finite_interval(game.pair_interval).is_some() || game.matches == 0;
        Verdict::of_game(game).row(&if has_pairs { game.name.clone() } else { format!("{} (Wilson)", game.name) })
    };
    let [first, second] = duel.players.map(|player| report.players.get(player).map_or(String::new(), |name| clean(name)));
    let mut groups = vec![(String::new(), duel.games.iter().map(row).collect())];
    if duel.games.len() > 1 {
        groups.push((String::new(), vec![Verdict::of(duel).row("Mean of games")]));
    }
    let plot = Forest {
        title: format!("Score of {first} against {second}"),
        axis: "score with 95% interval; the broken line is one half".to_owned(),
        reference: Some(0.5),
        groups,
        ..Forest::default()
    };
    // Where it is the only one, its verdict stands at the top of the page.
    let words = if report.duels.len() > 1 { duel_in_words(report, duel) } else { String::new() };
    format!(
        "<h3 id=\"duel-{}\">{} – {}, {}</h3>\n<p>{} {}</p>\n{}{}",
        index + 1,
        names[0],
        names[1],
        budget(report, duel.budget),
        words,
        claims(duel, &names),
        wide(&forest(&plot)),
        duel_table(duel, &names)
    )
}

fn duel_table(duel: &Duel, [first, second]: &[String; 2]) -> String {
    let both = |values: [f64; 2]| values.map(short).join(" / ");
    let row = |game: &GameReport| {
        let lead = format!("{} ± {}", signed(finite(game.lead), 3), number(finite(game.lead_error), 3));
        vec![
            escape(&game.name),
            game.matches.to_string(),
            game.score.map(|score| number(finite(score), 3)).join(" / "),
            format!("{} / {} / {}", game.wins, game.draws, game.losses),
            range(finite_interval(game.interval)),
            range(finite_interval(game.pair_interval)),
            lead,
            likelihood(game.p_holm),
            number(finite(Some(game.mean_plies)).filter(|_| game.matches > 0), 1),
            both(game.simulations_per_cpu_second),
            both(game.nodes_per_cpu_second),
            both(game.cpu_seconds_per_move),
            game.faults.map(|faults| faults.to_string()).join(" / "),
            game.starved.to_string(),
        ]
    };
    let sum = |of: &dyn Fn(&GameReport) -> u64| duel.games.iter().map(of).sum::<u64>();
    let verdict = Verdict::of(duel);
    let lead = format!(
        "{} ± {}",
        signed(verdict.share.map(|share| 2.0 * share - 1.0), 3),
        number(finite(duel.overall.error).map(|error| 2.0 * error), 3)
    );
    let mut foot = vec![
        "Mean of games".to_owned(),
        sum(&|game| game.matches).to_string(),
        duel.overall.score.map_or(NONE.to_owned(), |score| score.map(|score| number(finite(Some(score)), 3)).join(" / ")),
        format!("{} / {} / {}", sum(&|game| game.wins), sum(&|game| game.draws), sum(&|game| game.losses)),
        String::new(),
        range(verdict.interval),
        lead,
    ];
    foot.resize(12, String::new());
    foot.push(format!("{} / {}", sum(&|game| game.faults[0]), sum(&|game| game.faults[1])));
    foot.push(sum(&|game| game.starved).to_string());
    let numbers = [
        "Matches",
        "Score",
        "Won / drawn / lost",
        "Wilson 95%",
        "Pairs 95%",
        "Lead ±",
        "p (Holm)",
        "Plies",
        "Simulations / CPU s",
        "Nodes / CPU s",
        "CPU s / move",
        "Faults",
        "Starved",
    ];
    let columns: Vec<Column> = [Column::Text("Game")].into_iter().chain(numbers.map(Column::Number)).collect();
    let note = format!(
        "Values in pairs are for {first} / {second}; won, drawn, lost, the intervals and the lead are those of {first}. Starved matches count though the processor was not there."
    );
    table(&note, &columns, duel.games.iter().map(row).collect(), (duel.games.len() > 1).then_some(foot))
}

fn faults(report: &Report) -> String {
    if report.forfeits.is_empty() {
        return "<p>None: no crash, no illegal move, no time-out.</p>\n".to_owned();
    }
    let row = |line: &crate::ForfeitLine| {
        vec![
            escape(&line.player),
            line.kind.text().to_owned(),
            escape(&line.game),
            line.ply.to_string(),
            format!("<code>{}</code>", escape(&line.id)),
            escape(&line.text),
        ]
    };
    let columns = [
        Column::Text("Player"),
        Column::Text("Fault"),
        Column::Text("Game"),
        Column::Number("Joint move"),
        Column::Text("Match"),
        Column::Text("In more words"),
    ];
    let rows: Vec<Vec<String>> = report.forfeits.iter().take(MOST_FAULTS).map(row).collect();
    let left_out = report.forfeits.len() - rows.len();
    let mut text = table("Each of them counts as a match lost.", &columns, rows, None);
    if left_out > 0 {
        let _ = writeln!(text, "<p>{left_out} more are not listed.</p>");
    }
    text
}

fn processor(report: &Report) -> String {
    let share = format!("less than {FAIR_SHARE} of the time on the wall");
    format!(
        "<p>Players who had {share} as CPU time were kept from thinking by something else on the machine. Whether a match is played again does not depend on its result.</p>\n\
         <ul>\n<li>Matches played again for that: {}</li>\n<li>Matches that count all the same: {}</li>\n</ul>\n",
        report.replayed, report.starved
    )
}

fn replay(report: &Report) -> String {
    let example = report.forfeits.first().map(|line| escape(&line.id)).filter(|id| !id.is_empty());
    let example = example.map(|id| format!(" For example: <code>ludens replay STORE --match {id}</code>")).unwrap_or_default();
    format!(
        "<p><code>ludens replay STORE --match ID</code> shows a match move by move; STORE is the file in which the matches are kept.{example}</p>\n"
    )
}

/// The escaped names of two players.
fn names(report: &Report, players: [usize; 2]) -> [String; 2] {
    players.map(|player| report.players.get(player).map_or(NONE.to_owned(), |name| escape(name)))
}

fn budget(report: &Report, budget: usize) -> String {
    report.budgets.get(budget).map_or(NONE.to_owned(), |text| escape(text))
}

#[cfg(test)]
mod tests;

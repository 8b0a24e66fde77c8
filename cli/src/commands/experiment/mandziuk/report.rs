//! What was measured, as tables and plots.

use super::published::{CLOCKS, GAMES, MATCHES, clock_text};
use super::{HEURISTIC, LEARNED, Measured, PATIENCE, Plan, READINGS, UCT};
use crate::commands::experiment::duels::{Cell, Interval, difference, troubles};
use crate::commands::experiment::{Document, Section, Table};
use ludens_tournament::plot;

impl Measured {
    /// What the paper has for these clocks: wins less losses per match.
    pub(super) fn published(&self, clock: usize) -> Interval {
        let [heuristic, uct] = self.game.percent[clock].map(|percent| percent / 100.0 * MATCHES);
        difference(heuristic, uct, MATCHES)
    }

    /// Whether both players could do with these clocks what they are for: the Heuristic Player found a function and looked at positions, and UCT simulated at least
    /// half as often as its clock has units.
    pub(super) fn is_played(&self, reading: usize, clock: usize) -> bool {
        self.refusals[clock].is_none() && is_worth_it(self.heuristic[reading][clock].as_ref(), clock)
    }

    /// The same for `learned`.
    pub(super) fn is_remedied(&self, reading: usize, clock: usize) -> bool {
        is_worth_it(self.learned[reading][clock].as_ref(), clock)
    }

    /// The first reading in which both could do that.
    pub(super) fn reading(&self, clock: usize) -> Option<usize> {
        (0..READINGS.len()).find(|&reading| self.is_played(reading, clock))
    }
}

fn is_worth_it(cell: Option<&Cell>, clock: usize) -> bool {
    let [_, play] = CLOCKS[clock];
    cell.is_some_and(|cell| cell.matches > 0 && cell.nodes[0] >= 2.0 && cell.simulations[1] >= play / 2.0)
}

pub(super) fn document(plan: &Plan, all: &[Measured]) -> Document {
    let mut sections = vec![how(plan), units(all)];
    for (reading, name) in READINGS.iter().enumerate() {
        sections.push(tables(all, reading, name));
    }
    sections.push(remedy(all));
    sections.push(work(all));
    sections.push(by_clock(all));
    Document {
        title: "Mandziuk and Swiechowski 2013: the Heuristic Player against UCT".to_owned(),
        sections,
        findings: super::claims::findings(all),
    }
}

fn how(plan: &Plan) -> Section {
    let &Plan { games, pairs, fewest, starts, allowance, timing, start } = plan;
    let limits = if allowance.is_finite() {
        format!(
            "A cell has up to {pairs} pairs of matches, as many as random play says can be played in {allowance} s of CPU time; with the shortest clocks {PATIENCE} times as much; where that is less than {fewest} pairs, it is left out."
        )
    } else {
        format!("A cell has {pairs} pairs of matches.")
    };
    let left_out = GAMES[games..].iter().map(|game| game.title).collect::<Vec<_>>().join(", ");
    let section = Section::new("What was measured")
        .text(format!(
            "J. Mandziuk and M. Swiechowski, *Generic Heuristic Approach to General Game Playing*, 2013: the Heuristic Player (counts of rows, weighed by how they differ between matches won and \
             lost, in a min-max search) against UCT, {MATCHES} matches in each of eleven games with each of four pairs of start clock and move clock, in units of T, the average time of one random \
             simulation. The numbers are how many percent of the matches each won. Table 1 has the first two pairs of clocks, table 2 the others."
        ))
        .text(format!(
            "Here `{HEURISTIC}` meets `{UCT}`, both on the fast engine, limited by CPU time. T is read in two ways. *{}*: about as many simulations for UCT as in the paper, but T is often microseconds, where what a search needs besides simulating counts. \
             *{}*: time as on the paper's kind of engine, so that both do more with it than the paper's players could. The paper's claims are judged by the first reading where both players could do \
             what their clocks are for (a function was found, two positions a move, half a simulation for every T of a move), else by the second, else not at all. \
             T was measured for {timing} s of CPU time a game and engine.",
            READINGS[0], READINGS[1]
        ))
        .text(format!(
            "{limits} Matches begin at the beginning, seats are exchanged; with three roles one player has two of them, seats drawn. The Heuristic Player prepares itself {starts} times a cell (in the paper for every match), by 16 random matches where its start clock is 16T, \
             however long those and what it does with them take; UCT does nothing with its start clock. \
             Intervals are of 95%, of wins less losses, taking matches for independent; that the same function plays many of them makes them somewhat too narrow. The paper's cells have such intervals, too: where \
             they have nothing on either side, the paper shows nothing. With {} matches a difference of less than about {:.0} percent is not decided. Our remedy is `{LEARNED}`: the same search, but a function that \
             was learned in {start} s of CPU time, whatever the start clock. Matches are kept in mandziuk.sqlite beside this file: `ludens replay` shows them.",
            2 * pairs,
            196.0 / (f64::from(2 * pairs) + 2.0).sqrt(),
        ));
    if left_out.is_empty() { section } else { section.text(format!("Left out at this scale: {left_out}.")) }
}

fn units(all: &[Measured]) -> Section {
    let mut table = Table::new(&["game", "T, µs", "T relational, µs", "ratio", "joint moves", "decisions"], 1);
    for measured in all {
        let [own, relational] = measured.units;
        table.row(vec![
            measured.game.title.to_owned(),
            format!("{:.1}", 1e6 * own.seconds),
            format!("{:.1}", 1e6 * relational.seconds),
            format!("{:.1}", relational.seconds / own.seconds),
            format!("{:.1}", own.plies),
            format!("{:.1}", own.decisions),
        ]);
    }
    Section::new("T: one random simulation from the beginning to the end").table(table)
}

/// `64-22`.
fn percents(wins: f64, losses: f64) -> String {
    format!("{wins:.0}-{losses:.0}")
}

/// Wins and losses in percent, and how sure their difference is: `64-22 ±19`.
fn said(cell: Option<&Cell>) -> String {
    let Some(cell) = cell.filter(|cell| cell.matches > 0) else { return "-".to_owned() };
    let percent = |count: u64| 100.0 * count as f64 / cell.matches as f64;
    let Interval { low, high, .. } = cell.difference();
    format!("{} ±{:.0}", percents(percent(cell.wins), percent(cell.losses)), 50.0 * (high - low))
}

fn header() -> Vec<String> {
    let mut header = vec!["game".to_owned()];
    for clock in 0..CLOCKS.len() {
        header.extend([clock_text(clock), "paper".to_owned()]);
    }
    header
}

fn beside_the_paper(all: &[Measured], cells: impl Fn(&Measured, usize) -> String) -> Table {
    let header = header();
    let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>(), 1);
    for measured in all {
        let mut row = vec![measured.game.title.to_owned()];
        for (clock, [heuristic, uct]) in measured.game.percent.into_iter().enumerate() {
            row.extend([cells(measured, clock), percents(heuristic, uct)]);
        }
        table.row(row);
    }
    table
}

fn tables(all: &[Measured], reading: usize, name: &str) -> Section {
    let table = beside_the_paper(all, |measured, clock| {
        let mark = if measured.heuristic[reading][clock].is_none() || measured.is_played(reading, clock) { "" } else { "*" };
        format!("{}{mark}", said(measured.heuristic[reading][clock].as_ref()))
    });
    let mut section = Section::new(&format!("Tables 1 and 2: Heuristic Player against UCT, {name}"))
        .text(
            "Percent won by the Heuristic Player and by UCT; ± is half of the 95% interval of the difference. With * one of them could not do what its clock is for: no function from the matches of the start clock, less than two positions a move, or less than half a simulation for every T of a move.",
        )
        .table(table);
    let cells = all.iter().flat_map(|measured| {
        let cells = measured.heuristic[reading].iter().enumerate();
        cells.filter_map(|(clock, cell)| Some((format!("{} {}", measured.game.title, clock_text(clock)), cell.as_ref()?)))
    });
    for trouble in troubles(cells) {
        section = section.text(trouble);
    }
    let groups = (0..CLOCKS.len()).map(|clock| {
        let rows = all.iter().filter_map(|measured| {
            let difference = measured.heuristic[reading][clock].as_ref()?.difference();
            Some(plot::Row {
                label: measured.game.title.to_owned(),
                value: 100.0 * difference.mean,
                interval: Some([100.0 * difference.low, 100.0 * difference.high]),
                published: Some(100.0 * measured.published(clock).mean),
            })
        });
        (clock_text(clock), rows.collect())
    });
    let title = format!("Heuristic Player against UCT, {name}");
    let drawing = plot::Forest {
        title: title.clone(),
        axis: "percent won less percent lost".to_owned(),
        logarithmic: false,
        reference: Some(0.0),
        groups: groups.collect(),
    };
    section.plot(["own", "relational"][reading], &title, plot::forest(&drawing))
}

fn remedy(all: &[Measured]) -> Section {
    let mut section = Section::new("Our remedy: the same search with a learned function, against UCT");
    for (reading, name) in READINGS.iter().enumerate() {
        let table = beside_the_paper(all, |measured, clock| {
            let mark = if measured.learned[reading][clock].is_none() || measured.is_remedied(reading, clock) { "" } else { "*" };
            format!("{}{mark}", said(measured.learned[reading][clock].as_ref()))
        });
        section = section.text(format!("**{name}**")).table(table);
    }
    section
}

/// What players did in their time.
fn work(all: &[Measured]) -> Section {
    let mut section = Section::new("What a move was").text(
        "Positions that the Heuristic Player looked at, simulations of UCT, and how much CPU time each took against its limit: a search that cannot do less than it does takes more.",
    );
    for (reading, name) in READINGS.iter().enumerate() {
        let mut header = vec!["game".to_owned()];
        header.extend((0..CLOCKS.len()).map(clock_text));
        let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>(), 1);
        for measured in all {
            let mut row = vec![measured.game.title.to_owned()];
            for (cell, [_, play]) in measured.heuristic[reading].iter().zip(CLOCKS) {
                let limit = play * measured.units[reading].seconds;
                row.push(cell.as_ref().map_or_else(
                    || "-".to_owned(),
                    |cell| {
                        let [first, second] = cell.seconds.map(|seconds| seconds / limit);
                        format!("{:.0} ({first:.1}), {:.1} ({second:.1})", cell.nodes[0], cell.simulations[1])
                    },
                ));
            }
            table.row(row);
        }
        section = section.text(format!("**{name}**")).table(table);
    }
    section
}

/// A plot for every game.
fn by_clock(all: &[Measured]) -> Section {
    let mut section = Section::new("By clock");
    for measured in all {
        let ours = |label: String, cells: &[Option<Cell>; 4]| {
            let point = |(cell, [_, play]): (&Option<Cell>, [f64; 2])| {
                let difference = cell.as_ref().filter(|cell| cell.matches > 0)?.difference();
                let interval = Some([100.0 * difference.low, 100.0 * difference.high]);
                Some(plot::Point { x: play, y: 100.0 * difference.mean, interval })
            };
            plot::Series { label, points: cells.iter().zip(CLOCKS).filter_map(point).collect(), dashed: false }
        };
        let paper = (0..CLOCKS.len()).map(|clock| {
            let difference = measured.published(clock);
            plot::Point { x: CLOCKS[clock][1], y: 100.0 * difference.mean, interval: None }
        });
        let mut series = vec![plot::Series { label: "paper".to_owned(), points: paper.collect(), dashed: true }];
        for reading in 0..READINGS.len() {
            let unit = ["T", "T relational"][reading];
            series.push(ours(format!("Heuristic Player, {unit}"), &measured.heuristic[reading]));
            series.push(ours(format!("learned, {unit}"), &measured.learned[reading]));
        }
        series.retain(|series| !series.points.is_empty());
        let drawing = plot::Lines {
            title: format!("{}: against UCT", measured.game.title),
            x: plot::Axis { label: "move clock, T".to_owned(), logarithmic: true },
            y: plot::Axis { label: "percent won less percent lost".to_owned(), logarithmic: false },
            reference: Some(0.0),
            series,
        };
        section = section.plot(measured.game.name, &format!("{}: by clock", measured.game.title), plot::lines(&drawing));
    }
    section
}

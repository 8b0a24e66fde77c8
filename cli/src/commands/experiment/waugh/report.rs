//! What the counts say: tables, plots, and what becomes of the paper's claims.

use super::engines::{Engine, TABLE};
use super::published::{GAMES, Game, Published};
use super::{CLOCK, Count, Measured, Plan};
use crate::commands::experiment::{Document, Section, Table};
use crate::words::{grouped, number};
use ludens_tournament::{error_of_mean, mean, plot};

pub(super) const PHASES: [&str; 3] = ["early", "middle", "end"];
/// The tables: what is counted.
const COUNTED: [&str; 2] = ["states", "simulations"];

/// A number with half the width of its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Value {
    pub(super) mean: f64,
    pub(super) error: f64,
}

/// A ratio with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ratio {
    pub(super) mean: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Measured {
    fn of(&self, engine: Engine) -> Result<&[Count], &str> {
        let (_, counts) = self.counts.iter().find(|(other, _)| *other == engine).expect("all engines are there");
        counts.as_deref().map_err(String::as_str)
    }

    /// Why an engine was not measured.
    pub(super) fn missing(&self, engine: Engine) -> Option<&str> {
        self.of(engine).err()
    }

    /// Rates of an engine in the positions of a phase.
    fn rates(&self, engine: Engine, table: usize, phase: usize) -> Option<Vec<f64>> {
        let counts = self.of(engine).ok()?;
        let in_phase = self.positions.iter().zip(counts).filter(|(position, _)| position.phase == phase);
        Some(in_phase.map(|(_, count)| count.rates()[table]).collect())
    }

    /// The mean over the positions of a phase, as the paper has it.
    pub(super) fn value(&self, engine: Engine, table: usize, phase: usize) -> Option<Value> {
        let rates = self.rates(engine, table, phase)?;
        Some(Value { mean: mean(&rates)?, error: error_of_mean(&rates).unwrap_or(f64::INFINITY) })
    }

    /// How many times as many an engine has as another one, position by position; the mean is geometric.
    pub(super) fn ratio(&self, one: Engine, other: Engine, table: usize, phase: usize) -> Option<Ratio> {
        let (ones, others) = (self.rates(one, table, phase)?, self.rates(other, table, phase)?);
        let logarithms: Vec<f64> =
            ones.iter().zip(&others).map(|(one, other)| (one / other).ln()).filter(|log| log.is_finite()).collect();
        let (mean, error) = (mean(&logarithms)?, error_of_mean(&logarithms).unwrap_or(f64::INFINITY));
        Some(Ratio { mean: mean.exp(), low: (mean - error).exp(), high: (mean + error).exp() })
    }
}

/// The line of the paper that an engine is compared with.
fn counterpart(game: &Game, engine: Engine) -> Option<Published> {
    match engine {
        Engine::Prolog => game.prolog,
        Engine::Relational { table: false, .. } | Engine::Plans => Some(game.plain),
        Engine::Relational { table: true, .. } => Some(game.table),
        Engine::Net | Engine::Lanes => Some(game.best()),
    }
}

pub(super) fn document(plan: &Plan, all: &[Measured]) -> Document {
    let mut sections = vec![how(plan, all)];
    for (table, counted) in COUNTED.iter().enumerate() {
        let mut section = Section::new(&format!("Table {}: {counted} per move of {CLOCK} s", table + 1));
        for (game, measured) in GAMES.iter().zip(all) {
            section = section.text(format!("**{}**", game.title)).table(game_table(game, measured, table));
            section = section.plot(
                &format!("{counted}-{}", game.name),
                &format!("{}: {counted} per move", game.title),
                drawing(game, measured, table),
            );
        }
        sections.push(section);
    }
    sections.push(switches(all));
    Document {
        title: "Waugh 2009: states and simulations per move of a Monte Carlo player".to_owned(),
        sections,
        findings: super::claims::findings(all),
    }
}

fn how(plan: &Plan, all: &[Measured]) -> Section {
    let positions: usize = all.iter().map(|measured| measured.positions.len()).sum();
    let chosen = plan
        .per_third
        .map_or_else(|| "all in which it had to think".to_owned(), |count| format!("{count} of every third of a match"));
    let mut section = Section::new("What was measured")
        .text(format!(
            "K. Waugh, *Faster State Manipulation in General Games using Generated Code*, 2009: a flat Monte Carlo player plays itself, 20 matches a game with {CLOCK} s a \
             move on a 2.4 GHz machine; states examined and simulations completed per move are averaged over the first, second and last third of the matches. YAP is \
             a Prolog system, gdlcc the paper's compiler, tt its transposition table of 10,000 states."
        ))
        .text(format!(
            "Here `mc` played itself, {} a game by {} simulations a move. Every engine then had {} s of CPU time for each of {}, {chosen}. \
             So all engines are compared in the same positions. Positions that `mc` answers at once, because a move wins or there is only one, are left out. Counts are \
             scaled to {CLOCK} s; where less was measured, that assumes that rates stay what they are, which a transposition table that is still filling up \
             does not keep to. The rules are our own sheets of these games, not the paper's; in Chess a match ends after 200 plies.",
            number(plan.matches, "match"),
            plan.simulations,
            plan.seconds,
            number(positions as u64, "position"),
        ))
        .text(format!(
            "*relational*, *table* ({} MiB) and *lanes* are `mc` as it plays, with these engines; it makes the successors of a position once and plays on from those in which the match \
             goes on, and a simulation that the clock cuts short counts for nothing. *emitted plans* and *emitted network* are what `ludens emit --lang rust` writes, compiled by rustc, and *SWI-Prolog* is the sheet as a Prolog program with the state as dynamic \
             facts: both play random matches from the position until the time is over, the last one to its end. How many legal moves they find in every position was compared with \
             ours. ± is half a 95% interval over positions. The last columns are our count by the published one; they \
             compare two computers, too, so what was measured in the same run says more.",
            TABLE >> 20
        ));
    for (game, measured) in GAMES.iter().zip(all) {
        let plies = measured.plies.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        section = section.text(format!("{}: matches of {plies} joint moves.", game.title));
    }
    for (engine, games) in missing(all) {
        section = section.text(format!("Not measured: {} ({games}).", engine.label()));
    }
    section
}

/// Engines that could not be measured, each with games and reasons.
fn missing(all: &[Measured]) -> Vec<(Engine, String)> {
    let mut found = Vec::new();
    for engine in Engine::ALL {
        let reasons: Vec<String> = GAMES
            .iter()
            .zip(all)
            .filter_map(|(game, measured)| measured.missing(engine).map(|reason| format!("{}: {reason}", game.title)))
            .collect();
        if !reasons.is_empty() {
            found.push((engine, reasons.join("; ")));
        }
    }
    found
}

/// `12,345 ±4%`.
fn said(value: Option<Value>) -> String {
    let Some(Value { mean, error }) = value else { return "-".to_owned() };
    let text = if mean < 10.0 {
        format!("{mean:.1}")
    } else if mean < 100.0 {
        format!("{mean:.0}")
    } else {
        grouped(mean)
    };
    let percent = 100.0 * error / mean;
    if percent.is_finite() { format!("{text} ±{percent:.0}%") } else { text }
}

/// How many times as many: with two figures or so.
pub(super) fn times(ratio: f64) -> String {
    match ratio {
        ratio if ratio >= 100.0 => grouped(ratio),
        ratio if ratio >= 10.0 => format!("{ratio:.0}"),
        ratio if ratio >= 2.0 => format!("{ratio:.1}"),
        ratio => format!("{ratio:.2}"),
    }
}

fn game_table(game: &Game, measured: &Measured, table: usize) -> Table {
    let mut rows =
        Table::new(&["engine", "early", "middle", "end", "paper's", "early", "middle", "end", "ratio early", "middle", "end"], 1);
    for engine in Engine::ALL {
        let values: [Option<Value>; 3] = std::array::from_fn(|phase| measured.value(engine, table, phase));
        let mut row = vec![engine.label().to_owned()];
        row.extend(values.map(said));
        if let Some(published) = counterpart(game, engine) {
            let theirs = published.of(table);
            row.push(published.player.to_owned());
            row.extend(theirs.map(|count| if count < 100.0 { count.to_string() } else { grouped(count) }));
            row.extend((0..3).map(|phase| values[phase].map_or("-".to_owned(), |value| times(value.mean / theirs[phase]))));
        }
        rows.row(row);
    }
    rows
}

fn drawing(game: &Game, measured: &Measured, table: usize) -> String {
    let group = |phase: usize| {
        let rows = Engine::ALL.iter().filter_map(|&engine| {
            let value = measured.value(engine, table, phase)?;
            let interval = value
                .error
                .is_finite()
                .then(|| [value.mean - value.error, value.mean + value.error].map(|end| end.max(value.mean / 100.0)));
            let published = counterpart(game, engine).map(|published| published.of(table)[phase]);
            Some(plot::Row { label: engine.label().to_owned(), value: value.mean, interval, published })
        });
        (PHASES[phase].to_owned(), rows.collect())
    };
    plot::forest(&plot::Forest {
        title: format!("{}: {} per move of {CLOCK} s", game.title, COUNTED[table]),
        axis: COUNTED[table].to_owned(),
        logarithmic: true,
        reference: None,
        groups: (0..3).map(group).collect(),
    })
}

/// What each switch gives, by states, position by position.
fn switches(all: &[Measured]) -> Section {
    let relational = |memo, table| Engine::Relational { memo, table };
    let pairs = [
        ("memo", relational(true, false), relational(false, false)),
        ("table, without memo", relational(false, true), relational(false, false)),
        ("table, with memo", relational(true, true), relational(true, false)),
        ("compiling (emitted plans by relational, memo)", Engine::Plans, relational(true, false)),
        ("lanes by relational, memo", Engine::Lanes, relational(true, false)),
        ("relational, memo by SWI-Prolog", relational(true, false), Engine::Prolog),
        ("emitted plans by SWI-Prolog", Engine::Plans, Engine::Prolog),
        ("lanes by SWI-Prolog", Engine::Lanes, Engine::Prolog),
    ];
    let mut table = Table::new(&["what", "game", "early", "middle", "end"], 2);
    for (what, one, other) in pairs {
        for (game, measured) in GAMES.iter().zip(all) {
            let mut row = vec![what.to_owned(), game.title.to_owned()];
            row.extend((0..3).map(|phase| measured.ratio(one, other, 0, phase).map_or("-".to_owned(), Ratio::text)));
            table.row(row);
        }
    }
    Section::new("What each switch gives")
        .text("How many times as many states, position by position in the same run: geometric means with 95% intervals. Seconds are too short to fill a table, so what a table gives may be more in longer moves.")
        .table(table)
}

impl Ratio {
    /// `1.43 [1.40, 1.47]`.
    pub(super) fn text(self) -> String {
        if self.high.is_finite() {
            format!("{} [{}, {}]", times(self.mean), times(self.low), times(self.high))
        } else {
            times(self.mean)
        }
    }
}

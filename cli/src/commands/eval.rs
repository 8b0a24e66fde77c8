//! `ludens eval`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::function_file::FunctionFile;
use crate::interrupt;
use crate::measure::ProcessWatch;
use crate::playable::Playable;
use crate::search_args::{FastEngineArgs, seconds};
use crate::words::{cut, grouped};
use anyhow::{Context, Result};
use ludens_machine::{Random, RoleId};
use ludens_score::{
    Account, Feature, Invented, Link, Method, Refusal, Section, Term, Vocabulary, clune, guided, learned, reliability, rows,
};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Invent an evaluation function for a game from its rules and from play, and print it.
///
/// The function gives every role points for a position that is not the end. It is a sum: for every role a constant, and terms that count something in
/// the position, each with its weight, the standard error of that weight, what it counts as an expression (`?` stands for anything), and the same in
/// English. The most influential come first.
///
/// Methods: `guided` is that of Guided UCT (Waledzik & Mandziuk 2014): counts of expressions and differences of two, weighed by their correlation with
/// the points at the end of random play and by their stability. `rows` is that of the Heuristic Player (Mandziuk & Swiechowski 2013): counts of rows,
/// weighed by how they differ between random matches won and lost; `plain-rows` is without our remedies for games in which most matches are drawn or end at once. `clune` is that of Cluneplayer (Clune 2007): for every role the payoff, the control
/// and the termination of an abstract game, each such a sum, and the stabilities by which they are put together. `learned` is our own: regression of the points at the end on everything a position is
/// made of, first over random matches, then over matches that the function plays against itself; its sums are logarithms of the odds. `phased` is the same with weights that change as a match goes
/// on: what tells how far it has come is a count, of pieces for instance, and every weight is printed as it is at the beginning and at the end.
/// `derived` is `learned` with counts of what the rules derive from a position, as the mills of nine men's morris or the squares that a side attacks in chess.
///
/// *Reliability* is the correlation between what the function says of positions of new random matches and how those end.
///
/// Where no function can be found the reason is printed, and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens eval checkers
  ludens eval breakthrough --method guided --role white --sequences 1000 --json")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Print the function of this role only.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Print all terms, and those of all roles.
    #[arg(long)]
    all: bool,
    /// Print one JSON document: `terms: [{role, expression, reading, weight, error}], constant, reliability` (those of the first role printed), and more.
    #[arg(long)]
    json: bool,
    /// Write the function to this file, as JSON, for `ludens explain --eval`.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    engine: FastEngineArgs,
    #[command(flatten)]
    finding: Finding,
}

/// Where a function comes from.
#[derive(Debug, clap::Args)]
pub(crate) struct Finding {
    /// Take the function that `ludens eval --out` wrote to this file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["method", "seconds", "sequences", "simulations", "samples"])]
    eval: Option<PathBuf>,
    /// How to find it.
    #[arg(long, value_enum, default_value_t = Name::Learned)]
    method: Name,
    /// Seconds that it may take, on the clock on the wall.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    seconds: Duration,
    /// For `guided`: sequences of positions to look at; the paper has 100.
    #[arg(long, value_name = "N", default_value_t = guided::Options::default().sequences as u32, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    sequences: u32,
    /// For `rows` and `plain-rows`: random matches to learn weights from.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    simulations: u32,
    /// For `clune`: random matches to look at in the end; the paper does not say how many.
    #[arg(long, value_name = "N", default_value_t = 3200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    samples: u32,
    /// The same seed gives the same function, unless time runs out.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Finding {
    /// The function for a game, or why there is none.
    pub(crate) fn function(&self, game: &Playable, console: Console) -> Result<Result<Invented, Refusal>> {
        if let Some(path) = &self.eval {
            let Some(vocabulary) = Vocabulary::of(&game.machine) else { return Ok(Err(Refusal::NotGrounded)) };
            let invention = FunctionFile::read(path)?.invention(game, &vocabulary).with_context(|| path.display().to_string())?;
            return Ok(Ok(Invented::new(&game.machine, vocabulary, invention)));
        }
        let began = Instant::now();
        let used = || if interrupt::is_requested() { 1.0 } else { began.elapsed().as_secs_f64() / self.seconds.as_secs_f64() };
        let method = self.method();
        let progress = console.spinner("");
        progress.set_message(format!("{} looks for a function", method.name()));
        progress.enable_steady_tick(Duration::from_millis(100));
        let found = method.invent(&game.machine, game.rules()?, &mut Random::new(self.seed), &used);
        progress.finish_and_clear();
        Ok(found)
    }

    /// What was asked for.
    fn method(&self) -> Method {
        let count = |count: u32| count as usize;
        match self.method {
            Name::Guided => Method::Guided(guided::Options { sequences: count(self.sequences), ..guided::Options::default() }),
            Name::Rows => Method::Rows(rows::Options { simulations: count(self.simulations), ..rows::Options::default() }),
            Name::PlainRows => Method::Rows(rows::Options { simulations: count(self.simulations), ..rows::Options::plain() }),
            Name::Clune => Method::Clune(clune::Options { samples: count(self.samples), ..clune::Options::default() }),
            Name::Learned => Method::Learned(learned::Options::default()),
            Name::Phased => Method::Learned(learned::Options::phased()),
            Name::Derived => Method::Learned(learned::Options::derived()),
        }
    }
}

/// Terms that are printed without --all, of all roles together.
const LINES: usize = 24;

/// Random matches are given up after so many joint moves.
const MOST_PLIES: u64 = 1000;

/// A way to find a function, as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Name {
    /// That of Guided UCT.
    Guided,
    /// That of the Heuristic Player, with remedies where most matches are drawn or end at once.
    Rows,
    /// The same without remedies.
    PlainRows,
    /// That of Cluneplayer.
    Clune,
    /// Our own: regression on random play and on play against itself.
    Learned,
    /// The same with weights that change as a match goes on.
    Phased,
    /// The same with counts of what the rules derive from a position.
    Derived,
}

#[derive(Serialize)]
struct Report {
    game: String,
    method: &'static str,
    candidates: usize,
    cpu_seconds: Option<f64>,
    /// What sums are: `points`, or `odds` for the logarithm of the odds.
    scale: Option<&'static str>,
    /// What tells how far a match has come, where weights change with that.
    #[serde(skip_serializing_if = "Option::is_none")]
    phase: Option<PhaseReport>,
    /// Of the first role printed.
    constant: Option<f64>,
    reliability: Option<f64>,
    roles: Vec<RoleReport>,
    terms: Vec<TermReport>,
    refusal: Option<String>,
    /// How to see all terms.
    #[serde(skip)]
    hint: &'static str,
}

/// A count, and how many there are at the beginning and at the end of a match.
#[derive(Serialize)]
struct PhaseReport {
    expression: String,
    reading: String,
    early: f64,
    late: f64,
}

#[derive(Serialize)]
struct RoleReport {
    role: String,
    /// `clune` has three sums for each role.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'static str>,
    /// What share this part has in the whole, as far as its stability decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    stability: Option<f64>,
    constant: f64,
    /// `None` where there was no time to judge it.
    reliability: Option<f64>,
    /// The role printed before it whose function it has, with all signs turned.
    opposite_of: Option<String>,
}

#[derive(Serialize)]
struct TermReport {
    role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'static str>,
    expression: String,
    reading: String,
    weight: f64,
    /// The weight at the beginning and at the end of a match, where it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    early: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    late: Option<f64>,
    error: f64,
    influence: f64,
}

/// Random matches by which functions are judged.
const JUDGED_BY: usize = 512;

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    let game = Playable::open(&args.game, args.engine, console)?;
    let role = args.role.as_deref().map(|name| game.role(name)).transpose()?;
    let watch = ProcessWatch::start();
    let found = args.finding.function(&game, console)?;
    let cpu_seconds = watch.seconds();
    let mut report = Report::new(&game, args.finding.method().name(), Some(cpu_seconds));
    report.hint = ": --all prints them";
    match found {
        Ok(invented) => {
            let mut random = Random::new(!args.finding.seed);
            let stop = &interrupt::is_requested;
            let judged = reliability(&game.machine, &*invented.evaluator, JUDGED_BY, MOST_PLIES, &mut random, stop)?;
            report.fill(&game, &invented, &judged, role);
            if let Some(path) = &args.out {
                FunctionFile::of(&game, &invented.vocabulary, &invented.invention).write(path)?;
            }
        }
        Err(refusal) => report.refusal = Some(refusal.to_string()),
    }
    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&report.text((!args.all).then_some(LINES)))?;
    }
    Ok(if interrupt::is_requested() {
        Answer::Interrupted
    } else if report.refusal.is_some() {
        Answer::No
    } else {
        Answer::Yes
    })
}

/// A function as it is printed beside other things: the most influential terms.
pub(crate) fn page(game: &Playable, invented: &Invented, judged: &[f64], most: usize) -> String {
    let mut report = Report::new(game, invented.invention.method(), None);
    report.fill(game, invented, judged, None);
    report.text(Some(most))
}

impl Report {
    fn new(game: &Playable, method: &'static str, cpu_seconds: Option<f64>) -> Report {
        Report {
            game: game.name.clone(),
            method,
            candidates: 0,
            cpu_seconds,
            scale: None,
            phase: None,
            constant: None,
            reliability: None,
            roles: Vec::new(),
            terms: Vec::new(),
            refusal: None,
            hint: "",
        }
    }

    /// What was found, for all roles or one.
    fn fill(&mut self, game: &Playable, invented: &Invented, judged: &[f64], only: Option<RoleId>) {
        let Invented { vocabulary, invention, .. } = invented;
        (self.method, self.candidates) = (invention.method(), invention.candidates());
        for section in invention.sections() {
            self.add(game, vocabulary, &section, judged, only);
        }
        // Role after role.
        let names = game.roles();
        self.roles.sort_by_key(|report| names.iter().position(|name| *name == report.role));
    }

    fn add(&mut self, game: &Playable, vocabulary: &Vocabulary, section: &Section, judged: &[f64], only: Option<RoleId>) {
        let Section { name: part, function, stability } = section;
        self.scale = Some(match function.link {
            Link::Points => "points",
            Link::Odds => "odds",
        });
        self.phase = function.phase.as_ref().map(|phase| PhaseReport {
            expression: phase.pattern.text(vocabulary),
            reading: Feature::Count(phase.pattern.clone()).reading(vocabulary, &game.machine),
            early: phase.early,
            late: phase.late,
        });
        let changes = function.phase.is_some();
        let accounts = game.machine.roles().zip(&function.roles).filter(|(role, _)| only.is_none_or(|only| only == *role));
        for (role, account) in accounts {
            let Account { constant, terms, .. } = account;
            let name = game.machine.role_name(role).to_owned();
            self.constant.get_or_insert(*constant);
            let reliability = judged.get(role.0 as usize).copied();
            self.reliability = self.reliability.or(reliability);
            self.terms.extend(terms.iter().map(|term| {
                let Term { feature, weight, drift, error, .. } = term;
                TermReport {
                    role: name.clone(),
                    part: *part,
                    expression: feature.text(vocabulary, &game.machine),
                    reading: feature.reading(vocabulary, &game.machine),
                    weight: *weight,
                    early: changes.then_some(weight - drift),
                    late: changes.then_some(weight + drift),
                    error: *error,
                    influence: term.influence(),
                }
            }));
            let is_before = |other: &RoleId| other.0 < role.0 && only.is_none();
            let mut before = game.machine.roles().zip(&function.roles).filter(|(other, _)| is_before(other));
            let opposite = before.find(|(_, other)| part.is_none() && account.is_opposite(other));
            let opposite_of = opposite.map(|(other, _)| game.machine.role_name(other).to_owned());
            let stability = stability[role.0 as usize];
            self.roles.push(RoleReport { role: name, part: *part, stability, constant: *constant, reliability, opposite_of });
        }
    }

    /// At most so many terms of all roles together, or all.
    fn text(&self, most: Option<usize>) -> String {
        let all = most.is_none();
        // Roles share what they count.
        let chosen: BTreeSet<&str> = self.terms.iter().map(|term| term.expression.as_str()).collect();
        let candidates = match self.candidates {
            0 => String::new(),
            few @ 1..1000 => format!(" of {few}"),
            many => format!(" of {}", grouped(many as f64)),
        };
        let cpu = self.cpu_seconds.map_or_else(String::new, |seconds| format!(", {seconds:.2} CPU s"));
        let mut text = format!("{}: {}{candidates} features{cpu}\n", self.method, chosen.len());
        if let Some(PhaseReport { expression, reading, early, late }) = &self.phase {
            let _ =
                writeln!(text, "weights at the beginning and at the end, by {expression}, {reading}: {early:.0} to {late:.0}");
        }
        if let Some(refusal) = &self.refusal {
            let _ = writeln!(text, "no function: {refusal}");
        }
        let own = self.roles.iter().filter(|role| role.opposite_of.is_none()).count().max(1);
        for RoleReport { role, part, stability, constant, reliability, opposite_of } in &self.roles {
            let judged = reliability.map_or_else(|| "not judged".to_owned(), |number| format!("reliability {number:.2}"));
            let _ = match (opposite_of, self.scale) {
                _ if part.is_some() => {
                    let stability = stability.map_or_else(String::new, |stability| format!(", stability {stability:.3}"));
                    writeln!(text, "\n{role}, {}: {constant:.3}{stability}", part.unwrap_or_default())
                }
                (Some(other), _) => writeln!(text, "\n{role}: the opposite of {other}"),
                (None, Some("odds")) => {
                    writeln!(text, "\n{role}: odds {constant:+.2} (0 is even, +1 is 73%), {judged}")
                }
                _ => writeln!(text, "\n{role}: {constant:.1} points, {judged}"),
            };
            if opposite_of.is_some() && !all {
                continue;
            }
            let terms: Vec<&TermReport> = self.terms.iter().filter(|term| term.role == *role && term.part == *part).collect();
            let shown = most.map_or(terms.len(), |most| terms.len().min((most / own).max(3)));
            let width = terms[..shown].iter().map(|term| cut(&term.expression).len()).max().unwrap_or(0);
            for TermReport { expression, reading, weight, early, late, error, .. } in &terms[..shown] {
                let expression = cut(expression);
                let weights = match (early, late) {
                    (Some(early), Some(late)) => format!("{early:+.3} to {late:+.3}"),
                    _ => format!("{weight:+.3}"),
                };
                let _ = writeln!(text, "  {weights} ±{error:.3}  {expression:width$}  {reading}");
            }
            if shown < terms.len() {
                let _ = writeln!(text, "  and {} of less influence{}", terms.len() - shown, self.hint);
            }
        }
        text
    }
}

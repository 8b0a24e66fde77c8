//! `ludens eval`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::measure::ProcessWatch;
use crate::playable::Playable;
use crate::search_args::{FastEngineArgs, seconds};
use crate::words::grouped;
use anyhow::Result;
use ludens_machine::{Machine, Random, RoleId};
use ludens_score::{Account, Function, Refusal, Term, Vocabulary, guided, learned, rows};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Invent an evaluation function for a game from its rules and from play, and print it.
///
/// The function gives every role points for a position that is not the end. It is a sum: for every role a constant, and terms that count something in
/// the position, each with its weight, the standard error of that weight, what it counts as an expression (`?` stands for anything), and the same in
/// English. The most influential come first.
///
/// Methods: `guided` is that of Guided UCT (Waledzik & Mandziuk 2014): counts of expressions and differences of two, weighed by their correlation with
/// the points at the end of random play and by their stability. `rows` is that of the Heuristic Player (Mandziuk & Swiechowski 2013): counts of rows,
/// weighed by how they differ between random matches won and lost.
///
/// Where no function can be found the reason is printed, and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens eval checkers --method guided
  ludens eval breakthrough --role white --sequences 4000 --json")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// How to find it.
    #[arg(long, value_enum, default_value_t = Method::Guided)]
    method: Method,
    /// Print the function of this role only.
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Seconds that it may take, on the clock on the wall.
    #[arg(long, value_name = "S", default_value = "10", value_parser = seconds)]
    seconds: Duration,
    /// For `guided`: sequences of positions to look at; the paper has 100.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    sequences: u32,
    /// For `rows`: random matches to learn weights from.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    simulations: u32,
    /// The same seed gives the same function, unless time runs out.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Print one JSON document: `terms: [{role, expression, reading, weight, error}], constant` (that of the first role printed), and more.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    engine: FastEngineArgs,
}

/// A way to find a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// That of Guided UCT.
    Guided,
    /// That of the Heuristic Player.
    Rows,
    /// Our own: regression on random play.
    Learned,
}

/// A method with its options: adding one is an entry here and in [`Method`].
enum Finder {
    Guided(guided::Options),
    Rows(rows::Options),
    Learned(learned::Options),
}

impl Finder {
    fn new(args: &Args) -> Finder {
        match args.method {
            Method::Guided => {
                Finder::Guided(guided::Options { sequences: args.sequences as usize, ..guided::Options::default() })
            }
            Method::Rows => Finder::Rows(rows::Options { simulations: args.simulations as usize, ..rows::Options::default() }),
            Method::Learned => Finder::Learned(learned::Options::default()),
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Finder::Guided(_) => "guided",
            Finder::Rows(_) => "rows",
            Finder::Learned(_) => "learned",
        }
    }

    /// How many features it chooses from.
    fn candidates(&self, vocabulary: &Vocabulary) -> usize {
        match self {
            Finder::Guided(options) => guided::candidates(vocabulary, options),
            Finder::Rows(options) => rows::candidates(vocabulary, options),
            Finder::Learned(_) => guided::candidates(vocabulary, &guided::Options::default()),
        }
    }

    /// Looks for a function. `used` is the share of the time that is over.
    fn find(
        &self,
        machine: &Machine,
        vocabulary: &Vocabulary,
        random: &mut Random,
        used: &dyn Fn() -> f64,
    ) -> Result<Function, Refusal> {
        let stop = &|| used() >= 1.0;
        match self {
            Finder::Guided(options) => guided::find(machine, vocabulary, options, random, stop),
            Finder::Rows(options) => rows::find(machine, vocabulary, options, random, stop),
            Finder::Learned(options) => {
                let found = learned::find(machine, vocabulary, options, random, used)?;
                eprintln!("reliability {:?}", found.reliability);
                Ok(found.function)
            }
        }
    }
}

#[derive(Serialize)]
struct Report {
    game: String,
    method: &'static str,
    candidates: usize,
    cpu_seconds: f64,
    constant: Option<f64>,
    roles: Vec<RoleReport>,
    terms: Vec<TermReport>,
    refusal: Option<String>,
}

#[derive(Serialize)]
struct RoleReport {
    role: String,
    constant: f64,
}

#[derive(Serialize)]
struct TermReport {
    role: String,
    expression: String,
    reading: String,
    weight: f64,
    error: f64,
    influence: f64,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    interrupt::listen()?;
    let game = Playable::open(&args.game, args.engine, console)?;
    let role = args.role.as_deref().map(|name| game.role(name)).transpose()?;
    let began = Instant::now();
    let used = || if interrupt::is_requested() { 1.0 } else { began.elapsed().as_secs_f64() / args.seconds.as_secs_f64() };
    let watch = ProcessWatch::start();
    let vocabulary = Vocabulary::of(&game.machine);
    let finder = Finder::new(args);
    let found = vocabulary
        .as_ref()
        .ok_or(Refusal::NotGrounded)
        .and_then(|vocabulary| finder.find(&game.machine, vocabulary, &mut Random::new(args.seed), &used));
    let mut report = Report {
        game: game.name.clone(),
        method: finder.name(),
        candidates: vocabulary.as_ref().map_or(0, |vocabulary| finder.candidates(vocabulary)),
        cpu_seconds: watch.seconds(),
        constant: None,
        roles: Vec::new(),
        terms: Vec::new(),
        refusal: None,
    };
    match (found, &vocabulary) {
        (Ok(function), Some(vocabulary)) => report.fill(&game, vocabulary, &function, role),
        (Err(refusal), _) => report.refusal = Some(refusal.to_string()),
        (Ok(_), None) => {}
    }
    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&report.text())?;
    }
    Ok(if interrupt::is_requested() {
        Answer::Interrupted
    } else if report.refusal.is_some() {
        Answer::No
    } else {
        Answer::Yes
    })
}

impl Report {
    fn fill(&mut self, game: &Playable, vocabulary: &Vocabulary, function: &Function, only: Option<RoleId>) {
        let accounts = game.machine.roles().zip(&function.roles).filter(|(role, _)| only.is_none_or(|only| only == *role));
        for (role, Account { constant, terms }) in accounts {
            let name = game.machine.role_name(role).to_owned();
            self.constant.get_or_insert(*constant);
            self.terms.extend(terms.iter().map(|term| {
                let Term { feature, weight, error, .. } = term;
                TermReport {
                    role: name.clone(),
                    expression: feature.text(vocabulary, &game.machine),
                    reading: feature.reading(vocabulary, &game.machine),
                    weight: *weight,
                    error: *error,
                    influence: term.influence(),
                }
            }));
            self.roles.push(RoleReport { role: name, constant: *constant });
        }
    }

    fn text(&self) -> String {
        // Roles share what they count.
        let chosen: BTreeSet<&str> = self.terms.iter().map(|term| term.expression.as_str()).collect();
        let candidates = if self.candidates < 1000 { self.candidates.to_string() } else { grouped(self.candidates as f64) };
        let mut text = format!("{}: {} of {candidates} candidates, {:.2} CPU s\n", self.method, chosen.len(), self.cpu_seconds);
        if let Some(refusal) = &self.refusal {
            let _ = writeln!(text, "no function: {refusal}");
        }
        for RoleReport { role, constant } in &self.roles {
            let _ = writeln!(text, "\n{role}: {constant:.1} points");
            let terms: Vec<&TermReport> = self.terms.iter().filter(|term| term.role == *role).collect();
            let width = terms.iter().map(|term| term.expression.len()).max().unwrap_or(0);
            for term in terms {
                let TermReport { expression, reading, weight, error, .. } = term;
                let _ = writeln!(text, "  {weight:+.3} ±{error:.3}  {expression:width$}  {reading}");
            }
        }
        text
    }
}

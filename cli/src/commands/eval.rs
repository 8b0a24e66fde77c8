//! `ludens eval`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::interrupt;
use crate::measure::ProcessWatch;
use crate::playable::Playable;
use crate::search_args::{FastEngineArgs, seconds};
use crate::words::grouped;
use anyhow::Result;
use ludens_machine::{Random, RoleId};
use ludens_score::{Account, Function, Refusal, Term, Vocabulary, clune, guided};
use serde::Serialize;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// Invent an evaluation function for a game from its rules and from play, and print it.
///
/// The function gives every role points for a position that is not the end. It is a sum: for every role a constant, and terms that count something in
/// the position, each with its weight, the standard error of that weight, what it counts as an expression (`?` stands for anything), and the same in
/// English. The most influential come first.
///
/// Methods: `guided` is that of Guided UCT (Waledzik & Mandziuk 2014): counts of expressions and differences of two, weighed by their correlation with
/// the points at the end of random play and by their stability. `clune` is that of Cluneplayer (Clune 2007): for every role the payoff, the control
/// and the termination of an abstract game, each such a sum, and the stabilities by which they are put together.
///
/// Where no function can be found the reason is printed, and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens eval checkers --method guided
  ludens eval cylinder_checkers --method clune --seconds 60
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
    /// For `clune`: random matches to look at in the end; the paper does not say how many.
    #[arg(long, value_name = "N", default_value_t = 3200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    samples: u32,
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
    /// That of Cluneplayer.
    Clune,
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
    /// `clune` has three sums for each role.
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'static str>,
    /// What share this part has in the whole, as far as its stability decides.
    #[serde(skip_serializing_if = "Option::is_none")]
    stability: Option<f64>,
    constant: f64,
}

#[derive(Serialize)]
struct TermReport {
    role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    part: Option<&'static str>,
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
    let deadline = Instant::now() + args.seconds;
    let stop = || Instant::now() >= deadline || interrupt::is_requested();
    let watch = ProcessWatch::start();
    let vocabulary = Vocabulary::of(&game.machine);
    let options = guided::Options { sequences: args.sequences as usize, ..guided::Options::default() };
    let clune_options = clune::Options { samples: args.samples as usize, ..clune::Options::default() };
    let (rules, random) = (game.rules()?, &mut Random::new(args.seed));
    let found = vocabulary.as_ref().ok_or(Refusal::NotGrounded).and_then(|vocabulary| match args.method {
        Method::Guided => guided::find(&game.machine, vocabulary, &options, random, &stop).map(Found::Function),
        Method::Clune => clune::find(&game.machine, rules, vocabulary, &clune_options, random, &stop).map(Found::Model),
    });
    let mut report = Report {
        game: game.name.clone(),
        method: match args.method {
            Method::Guided => "guided",
            Method::Clune => "clune",
        },
        candidates: vocabulary.as_ref().map_or(0, |vocabulary| guided::candidates(vocabulary, &options)),
        cpu_seconds: watch.seconds(),
        constant: None,
        roles: Vec::new(),
        terms: Vec::new(),
        refusal: None,
    };
    match (found, &vocabulary) {
        (Ok(Found::Function(function)), Some(vocabulary)) => report.fill(&game, vocabulary, &function, role, None),
        (Ok(Found::Model(model)), Some(vocabulary)) => report.fill_model(&game, vocabulary, &model, role),
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

/// What was found.
enum Found {
    Function(Function),
    Model(clune::Model),
}

impl Report {
    fn fill_model(&mut self, game: &Playable, vocabulary: &Vocabulary, model: &clune::Model, only: Option<RoleId>) {
        self.candidates = model.candidates;
        for (part, name) in ["payoff", "control", "termination"].into_iter().enumerate() {
            let first = self.roles.len();
            self.fill(game, vocabulary, &model.part(part), only, Some(name));
            let aspects = game.machine.roles().zip(&model.roles).filter(|(role, _)| only.is_none_or(|only| only == *role));
            for (report, (_, aspects)) in self.roles[first..].iter_mut().zip(aspects) {
                report.stability = [Some(aspects.payoff_stability), Some(aspects.control_stability), None][part];
            }
        }
        // Role after role.
        let names = game.roles();
        self.roles.sort_by_key(|report| names.iter().position(|name| *name == report.role));
    }

    fn fill(
        &mut self,
        game: &Playable,
        vocabulary: &Vocabulary,
        function: &Function,
        only: Option<RoleId>,
        part: Option<&'static str>,
    ) {
        let accounts = game.machine.roles().zip(&function.roles).filter(|(role, _)| only.is_none_or(|only| only == *role));
        for (role, Account { constant, terms }) in accounts {
            let name = game.machine.role_name(role).to_owned();
            self.constant.get_or_insert(*constant);
            self.terms.extend(terms.iter().map(|term| {
                let Term { feature, weight, error, .. } = term;
                TermReport {
                    role: name.clone(),
                    part,
                    expression: feature.text(vocabulary, &game.machine),
                    reading: feature.reading(vocabulary, &game.machine),
                    weight: *weight,
                    error: *error,
                    influence: term.influence(),
                }
            }));
            self.roles.push(RoleReport { role: name, part, stability: None, constant: *constant });
        }
    }

    fn text(&self) -> String {
        let mut text = format!(
            "{}: {} of {} candidates, {:.2} CPU s\n",
            self.method,
            self.terms.len(),
            grouped(self.candidates as f64),
            self.cpu_seconds
        );
        if let Some(refusal) = &self.refusal {
            let _ = writeln!(text, "no function: {refusal}");
        }
        for RoleReport { role, part, stability, constant } in &self.roles {
            let _ = match (part, stability) {
                (None, _) => writeln!(text, "\n{role}: {constant:.1} points"),
                (Some(part), None) => writeln!(text, "\n{role}, {part}: {constant:.3}"),
                (Some(part), Some(stability)) => writeln!(text, "\n{role}, {part}, stability {stability:.3}: {constant:.3}"),
            };
            let terms: Vec<&TermReport> = self.terms.iter().filter(|term| term.role == *role && term.part == *part).collect();
            let width = terms.iter().map(|term| term.expression.len()).max().unwrap_or(0);
            for term in terms {
                let TermReport { expression, reading, weight, error, .. } = term;
                let _ = writeln!(text, "  {weight:+.3} ±{error:.3}  {expression:width$}  {reading}");
            }
        }
        text
    }
}

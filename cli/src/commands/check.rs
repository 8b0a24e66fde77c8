//! `ludens check`.

use crate::answer::Answer;
use crate::console::{self, Console};
use crate::engine;
use crate::facts::{Facts, Outcome};
use crate::game;
use crate::interrupt;
use crate::library;
use crate::play_args::PlayArgs;
use crate::sample::{Finding, Sample, Sampler};
use crate::sheet::{DiagnosticLine, Sheet};
use crate::words::number;
use anyhow::{Context, Result, bail};
use ludens_gdl::Rules;
use ludens_machine::Machine;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;

/// What is known about a game, in a folder laid out as in our library.
const FACTS: &str = "facts.txt";

/// The facts of a game are a page or two.
const MAX_FACTS_BYTES: u64 = 4 << 20;

/// Say what is wrong with a rule sheet.
///
/// First the sheet is read: syntax, keywords, safety of variables, recursion and negation, names that nothing defines or uses. Errors
/// make a sheet invalid, warnings do not. With --play, random matches look for what cannot be read off the rules: a role without a legal
/// move, missing or ambiguous goals, matches that do not end within --max-plies joint moves. With --facts, what `facts.txt` states about
/// the game (published counts, lines of play and their results) is found out again.
///
/// Exit code 1 if there is an error, a finding of the matches, or a fact that does not hold; 2 if the engine could not play on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  ludens check my_game.kif --play 100
  ludens check tic_tac_toe --facts --json")]
pub(crate) struct Args {
    /// A library name, a `.kif` file, or a folder with METADATA.
    game: String,
    /// Play N random matches as well.
    #[arg(long, value_name = "N", default_value_t = 0)]
    play: u64,
    /// Check what is known about the game: in the library, or in the facts.txt beside the sheet.
    #[arg(long)]
    facts: bool,
    #[command(flatten)]
    chance: PlayArgs,
    /// Print one JSON document: `valid`, `diagnostics: [{code, severity, message, line, column, hint}]`, `play`, `facts`.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    valid: bool,
    diagnostics: Vec<DiagnosticLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<Sample>,
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<Outcome>,
    /// Why the engine could not go on; what was found until then stands above.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    interrupted: bool,
}

pub(crate) fn run(args: &Args, console: Console) -> Result<Answer> {
    let sheet = Sheet::open(&args.game)?;
    let facts = if args.facts { Some(facts_of(&args.game)?) } else { None };
    let mut report = Report {
        game: sheet.source.name.clone(),
        valid: sheet.is_valid(),
        diagnostics: sheet.diagnostic_lines(),
        play: None,
        facts: None,
        error: None,
        interrupted: false,
    };
    let outcome = report.examine(&sheet, facts.as_ref(), args, console);
    report.error = outcome.as_ref().err().map(|error| format!("{error:#}"));

    if args.json {
        console::print_json(&report)?;
    } else {
        console::print(&format!("{}{}", sheet.render_diagnostics(), report.text()))?;
    }
    // What was found before the engine gave up has been printed.
    outcome?;
    Ok(if report.interrupted { Answer::Interrupted } else { Answer::yes_if(report.is_clean()) })
}

/// The facts of a game of the library, or those beside a sheet that is laid out as there.
fn facts_of(game: &str) -> Result<Facts> {
    if let Some(entry) = library::find(game) {
        return Facts::parse(entry.facts).with_context(|| format!("games/{game}/facts.txt"));
    }
    let path = Path::new(game);
    let file = if path.is_dir() { path.join(FACTS) } else { path.with_file_name(FACTS) };
    if !file.is_file() {
        bail!("--facts is for games of the library and for folders with a {FACTS}; `{}` is not there", file.display());
    }
    if !game::stays_inside(file.parent().unwrap_or(Path::new("")), &file)? {
        bail!("`{}` is a link that leaves the folder", file.display());
    }
    let text = String::from_utf8(game::read_limited(&file, MAX_FACTS_BYTES)?);
    Facts::parse(&text.with_context(|| format!("`{}` is not UTF-8", file.display()))?).with_context(|| file.display().to_string())
}

impl Report {
    /// Plays the game and checks what is known about it, as far as that was asked for. What was seen before an error is kept.
    fn examine(&mut self, sheet: &Sheet, facts: Option<&Facts>, args: &Args, console: Console) -> Result<()> {
        let Some(rules) = sheet.rules().filter(|_| args.play > 0 || args.facts) else { return Ok(()) };
        let machine = engine::reference(rules).with_context(|| engine::cannot_build(sheet))?;
        interrupt::listen()?;
        let played = if args.play > 0 { self.sample(&machine, args, console) } else { Ok(()) };
        let checked = match facts {
            Some(facts) if played.is_ok() && !interrupt::is_requested() => self.check_facts(facts, rules, &machine),
            _ => Ok(()),
        };
        self.interrupted = interrupt::is_requested();
        played.and(checked)
    }

    fn sample(&mut self, machine: &Machine, args: &Args, console: Console) -> Result<()> {
        let progress = console.bar(args.play, "matches");
        let mut sampler = Sampler::new(machine, args.chance.seed, args.chance.max_plies);
        let outcome = (0..args.play).take_while(|_| !interrupt::is_requested()).try_for_each(|_| {
            progress.inc(1);
            sampler.play()
        });
        progress.finish_and_clear();
        self.play = Some(sampler.finish());
        outcome
    }

    fn check_facts(&mut self, facts: &Facts, rules: &Rules, machine: &Machine) -> Result<()> {
        let outcome = self.facts.insert(Outcome::default());
        outcome.failures.extend(facts.lacks().map(|lacking| format!("{FACTS} lacks {lacking}")));
        facts.check(rules, machine, &interrupt::is_requested, outcome)
    }

    fn is_clean(&self) -> bool {
        self.valid
            && self.play.as_ref().is_none_or(|sample| sample.findings.is_empty())
            && self.facts.as_ref().is_none_or(|facts| facts.failures.is_empty())
    }

    /// Everything but the diagnostics, which are rendered with excerpts of the sheet.
    fn text(&self) -> String {
        let errors = self.diagnostics.iter().filter(|line| line.severity == "error").count();
        let warnings = self.diagnostics.len() - errors;
        let verdict = if self.valid { "valid" } else { "not valid" };
        let mut text =
            format!("{}: {verdict}, {}, {}\n", self.game, number(errors as u64, "error"), number(warnings as u64, "warning"));
        if let Some(sample) = &self.play {
            for finding in &sample.findings {
                finding.write(&mut text);
            }
            let plies = sample.plies as f64 / (sample.matches.max(1) as f64);
            let matches = number(sample.matches, "random match");
            let findings = number(sample.findings.len() as u64, "finding");
            let _ = writeln!(text, "{}: {matches}, {plies:.1} joint moves on average, {findings}", self.game);
        }
        if let Some(facts) = &self.facts {
            for failure in &facts.failures {
                let _ = writeln!(text, "fact does not hold: {failure}");
            }
            let failed = facts.failures.len();
            let _ = writeln!(text, "{}: {} checked, {failed} failed", self.game, number(facts.checked as u64, "known fact"));
        }
        if self.interrupted {
            text.push_str("interrupted\n");
        }
        text
    }
}

impl Finding {
    fn write(&self, text: &mut String) {
        let times = if self.count == 1 { "one match".to_owned() } else { format!("{} matches", self.count) };
        let _ = writeln!(text, "finding: {} (in {times}, first in match {})", self.message, self.match_number);
        let moves: Vec<String> = self.moves.iter().map(|joint| joint.join(" ")).collect();
        let _ = writeln!(text, "  moves: {}", if moves.is_empty() { "none".to_owned() } else { moves.join("; ") });
        let _ = writeln!(text, "  state: {}", self.state.join(" "));
    }
}

//! Evaluation functions in files.

use crate::playable::Playable;
use anyhow::{Context, Result, bail};
use ludens_gdl::legible;
use ludens_score::clune::{Aspects, Model};
use ludens_score::{Account, Feature, Function, Invention, Link, Pattern, Phase, Section, Term, Vocabulary};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Larger files are not read.
const MOST_BYTES: u64 = 64 << 20;

/// A function as JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct FunctionFile {
    game: String,
    /// The SHA-256 of the sheet it was found for.
    sheet: String,
    method: String,
    /// What sums are: `points`, or `odds` for the logarithm of the odds.
    scale: String,
    /// What tells how far a match has come, where weights change with that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phase: Option<PhaseFile>,
    roles: Vec<RoleFile>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RoleFile {
    role: String,
    /// `clune` has three sums for each role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part: Option<String>,
    /// What share this part has in the whole, as far as its stability decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stability: Option<f64>,
    constant: f64,
    /// By how much the constant is more at the end of a match, and less at the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    drift: f64,
    terms: Vec<TermFile>,
}

/// A count that says how far a match has come.
#[derive(Debug, Serialize, Deserialize)]
struct PhaseFile {
    expression: String,
    early: f64,
    late: f64,
}

#[derive(Debug, Serialize, Deserialize)]
struct TermFile {
    expression: String,
    weight: f64,
    /// By how much the weight is more at the end of a match, and less at the beginning.
    #[serde(default, skip_serializing_if = "is_zero")]
    drift: f64,
    #[serde(default)]
    error: f64,
    #[serde(default)]
    spread: f64,
}

impl FunctionFile {
    pub(crate) fn of(game: &Playable, vocabulary: &Vocabulary, invention: &Invention) -> FunctionFile {
        let term = |term: &Term| TermFile {
            expression: term.feature.text(vocabulary, &game.machine),
            weight: term.weight,
            drift: term.drift,
            error: term.error,
            spread: term.spread,
        };
        let sections = invention.sections();
        let is_odds = sections.iter().any(|section| section.function.link == Link::Odds);
        let mut roles = Vec::new();
        for Section { name, function, stability } in &sections {
            for ((role, account), stability) in game.roles().into_iter().zip(&function.roles).zip(stability) {
                roles.push(RoleFile {
                    role,
                    part: name.map(str::to_owned),
                    stability: *stability,
                    constant: account.constant,
                    drift: account.drift,
                    terms: account.terms.iter().map(term).collect(),
                });
            }
        }
        let phase = sections.iter().find_map(|section| section.function.phase.as_ref());
        FunctionFile {
            game: game.name.clone(),
            sheet: game.sha256.clone(),
            method: invention.method().to_owned(),
            scale: if is_odds { "odds" } else { "points" }.to_owned(),
            phase: phase.map(|phase| PhaseFile {
                expression: phase.pattern.text(vocabulary),
                early: phase.early,
                late: phase.late,
            }),
            roles,
        }
    }

    pub(crate) fn read(path: &Path) -> Result<FunctionFile> {
        let name = path.display();
        let size = std::fs::metadata(path).with_context(|| format!("cannot read {name}"))?.len();
        if size > MOST_BYTES {
            bail!("{name} has {size} bytes; a function has {MOST_BYTES} at most");
        }
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        serde_json::from_str(&text).with_context(|| format!("{name} is not an evaluation function"))
    }

    /// Writes the whole file or leaves what is there.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let name = path.display();
        let mut beside = path.as_os_str().to_owned();
        beside.push(".new");
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(&beside, text).with_context(|| format!("cannot write {name}"))?;
        std::fs::rename(&beside, path).with_context(|| format!("cannot write {name}"))
    }

    /// The function, for the game it is about or one with the same tables and roles.
    pub(crate) fn invention(&self, game: &Playable, vocabulary: &Vocabulary) -> Result<Invention> {
        let link = match self.scale.as_str() {
            "points" => Link::Points,
            "odds" => Link::Odds,
            other => bail!("its scale is `{}`, not `points` or `odds`", legible(other)),
        };
        let reader = Reader { file: self, game, vocabulary };
        let names = game.roles();
        if self.roles.iter().any(|role| role.part.is_some()) {
            let roles = names.iter().map(|name| reader.aspects(name)).collect::<Result<_>>()?;
            return Ok(Invention::Model(Box::new(Model { roles, matches: 0, candidates: 0 })));
        }
        let roles = names.iter().map(|name| Ok(reader.account(name, None)?.0)).collect::<Result<_>>()?;
        let phase = self.phase.as_ref().map(|phase| reader.phase(phase)).transpose()?;
        Ok(Invention::Function(Function { method: method(&self.method), roles, link, phase, candidates: 0 }))
    }
}

/// Makes sense of a file.
struct Reader<'a> {
    file: &'a FunctionFile,
    game: &'a Playable,
    vocabulary: &'a Vocabulary,
}

impl Reader<'_> {
    /// The sum for a role, or one of several, and its share in the whole.
    fn account(&self, name: &str, part: Option<&str>) -> Result<(Account, Option<f64>)> {
        let is_it = |role: &&RoleFile| role.role.eq_ignore_ascii_case(name) && role.part.as_deref() == part;
        let Some(role) = self.file.roles.iter().find(is_it) else {
            let what = part.unwrap_or("function");
            bail!("it has no {what} for the role `{}`", legible(name));
        };
        if !role.constant.is_finite() || !role.drift.is_finite() || !role.stability.is_none_or(f64::is_finite) {
            bail!("the constant or the stability of `{}` is not a number", legible(name));
        }
        let terms = role.terms.iter().map(|term| self.term(term)).collect::<Result<_>>()?;
        Ok((Account { constant: role.constant, drift: role.drift, terms }, role.stability))
    }

    fn aspects(&self, name: &str) -> Result<Aspects> {
        let (payoff, payoff_stability) = self.account(name, Some("payoff"))?;
        let (control, control_stability) = self.account(name, Some("control"))?;
        let (termination, _) = self.account(name, Some("termination"))?;
        let (Some(payoff_stability), Some(control_stability)) = (payoff_stability, control_stability) else {
            bail!("it does not say how stable payoff and control are for the role `{}`", legible(name));
        };
        Ok(Aspects { payoff, control, termination, payoff_stability, control_stability })
    }

    fn phase(&self, phase: &PhaseFile) -> Result<Phase> {
        let PhaseFile { expression, early, late } = phase;
        let pattern = Pattern::parse(self.vocabulary, expression);
        let pattern = pattern.with_context(|| format!("{} has nothing like `{}`", self.game.name, legible(expression)))?;
        if !early.is_finite() || !late.is_finite() || (early - late).abs() < 1.0 {
            bail!(
                "how many `{}` there are early and how many late are not two numbers that differ by one or more",
                legible(expression)
            );
        }
        Ok(Phase { pattern, early: *early, late: *late })
    }

    fn term(&self, term: &TermFile) -> Result<Term> {
        let TermFile { expression, weight, drift, error, spread } = term;
        let feature = Feature::parse(self.vocabulary, &self.game.machine, expression);
        let feature = feature.with_context(|| format!("{} has nothing like `{}`", self.game.name, legible(expression)))?;
        if !weight.is_finite() || !drift.is_finite() {
            bail!("the weight of `{}` is not a number", legible(expression));
        }
        Ok(Term { feature, weight: *weight, drift: *drift, error: *error, spread: *spread })
    }
}

/// Whether a number says nothing. (The signature is the one that serde asks for.)
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// The name of a method; that of one we do not know is that it comes from a file.
fn method(name: &str) -> &'static str {
    ["guided", "rows", "plain-rows", "learned", "phased", "derived"].into_iter().find(|known| *known == name).unwrap_or("file")
}

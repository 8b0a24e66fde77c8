//! Evaluation functions in files.

use crate::playable::Playable;
use anyhow::{Context, Result, bail};
use ludens_gdl::legible;
use ludens_score::{Account, Feature, Function, Link, Term, Vocabulary};
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
    roles: Vec<RoleFile>,
}

#[derive(Debug, Serialize, Deserialize)]
struct RoleFile {
    role: String,
    constant: f64,
    terms: Vec<TermFile>,
}

#[derive(Debug, Serialize, Deserialize)]
struct TermFile {
    expression: String,
    weight: f64,
    #[serde(default)]
    error: f64,
    #[serde(default)]
    spread: f64,
}

impl FunctionFile {
    pub(crate) fn of(game: &Playable, vocabulary: &Vocabulary, function: &Function) -> FunctionFile {
        let term = |term: &Term| TermFile {
            expression: term.feature.text(vocabulary, &game.machine),
            weight: term.weight,
            error: term.error,
            spread: term.spread,
        };
        let role = |(role, account): (String, &Account)| RoleFile {
            role,
            constant: account.constant,
            terms: account.terms.iter().map(term).collect(),
        };
        FunctionFile {
            game: game.name.clone(),
            sheet: game.sha256.clone(),
            method: function.method.to_owned(),
            scale: match function.link {
                Link::Points => "points".to_owned(),
                Link::Odds => "odds".to_owned(),
            },
            roles: game.roles().into_iter().zip(&function.roles).map(role).collect(),
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
    pub(crate) fn function(&self, game: &Playable, vocabulary: &Vocabulary) -> Result<Function> {
        let link = match self.scale.as_str() {
            "points" => Link::Points,
            "odds" => Link::Odds,
            other => bail!("its scale is `{}`, not `points` or `odds`", legible(other)),
        };
        let account = |name: String| {
            let Some(role) = self.roles.iter().find(|role| role.role.eq_ignore_ascii_case(&name)) else {
                bail!("it has no function for the role `{}`", legible(&name));
            };
            let term = |term: &TermFile| {
                let TermFile { expression, weight, error, spread } = term;
                let feature = Feature::parse(vocabulary, &game.machine, expression);
                let feature = feature.with_context(|| format!("{} has nothing like `{}`", game.name, legible(expression)))?;
                if !weight.is_finite() {
                    bail!("the weight of `{}` is not a number", legible(expression));
                }
                Ok(Term { feature, weight: *weight, error: *error, spread: *spread })
            };
            Ok(Account { constant: role.constant, terms: role.terms.iter().map(term).collect::<Result<_>>()? })
        };
        let roles = game.roles().into_iter().map(account).collect::<Result<_>>()?;
        Ok(Function { method: method(&self.method), roles, link, candidates: 0 })
    }
}

/// The name of a method; that of one we do not know is that it comes from a file.
fn method(name: &str) -> &'static str {
    ["guided", "rows", "learned"].into_iter().find(|known| *known == name).unwrap_or("file")
}

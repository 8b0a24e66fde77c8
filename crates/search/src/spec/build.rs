//! Players made of what was asked for: one function for each entry of the table.

// All have the type that the table asks for, also where nothing can fail.
#![allow(clippy::unnecessary_wraps)]

use super::{Spec, SpecError, Value};
use crate::depth::{AlphaBeta, Minimax, Mtdf, OnePly, alphabeta, minimax};
use crate::{FirstMove, Mc, Puzzle, RandomMove, Search, Settings, Uct, uct};
use ludens_machine::{Machine, Random};
use ludens_score::{Evaluator, Goal, Null, Playouts, Vocabulary, Weighed, guided, learned, rows};
use std::sync::Arc;

/// A player, or why there is none.
type Built<'m> = Result<Box<dyn Search + 'm>, SpecError>;

pub(super) fn random<'m>(_: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(RandomMove::new(machine, &settings)))
}

pub(super) fn first<'m>(_: &Spec, machine: &'m Machine, _: Settings) -> Built<'m> {
    Ok(Box::new(FirstMove::new(machine)))
}

pub(super) fn mc<'m>(_: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Mc::new(machine, &settings)))
}

pub(super) fn build_uct<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Uct::new(machine, spec.uct_options(), settings)))
}

pub(super) fn alphabeta<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(AlphaBeta::new(machine, spec.evaluator(machine, &settings), spec.alphabeta_options(), settings)))
}

pub(super) fn mtdf<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Mtdf::new(machine, spec.evaluator(machine, &settings), spec.mtdf_options(), settings)))
}

pub(super) fn minimax<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Minimax::new(machine, spec.evaluator(machine, &settings), spec.minimax_options(), settings)))
}

pub(super) fn one_ply<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(OnePly::new(machine, spec.evaluator(machine, &settings), settings)))
}

pub(super) fn puzzle<'m>(spec: &Spec, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let unfit = |error: crate::Error| SpecError::Unfit { player: spec.player.name, reason: error.to_string() };
    Ok(Box::new(Puzzle::new(machine, &settings).map_err(unfit)?))
}

impl Spec {
    /// The value of an option, which the table must have for this player.
    fn value(&self, name: &str) -> Value {
        let place = self.player.options.iter().position(|option| option.name == name);
        self.values[place.expect("the table has this option for this player")]
    }

    fn number(&self, name: &str) -> f32 {
        match self.value(name) {
            Value::Number(number) => number as f32,
            other => unreachable!("{name} is a number, not {other}"),
        }
    }

    /// `None` where it is off.
    fn limit(&self, name: &str) -> Option<u32> {
        match self.value(name) {
            Value::Count(count) => Some(count),
            Value::Off => None,
            other => unreachable!("{name} is a whole number, not {other}"),
        }
    }

    fn count(&self, name: &str) -> u32 {
        self.limit(name).expect("the table allows no `off` here")
    }

    fn is_on(&self, name: &str) -> bool {
        self.value(name) == Value::Choice("on")
    }

    fn evaluator(&self, machine: &Machine, settings: &Settings) -> Arc<dyn Evaluator> {
        self.evaluator.clone().unwrap_or_else(|| self.find_evaluator(machine, settings))
    }

    /// Where a method finds no function, the goal values as they stand have to do.
    pub(super) fn find_evaluator(&self, machine: &Machine, settings: &Settings) -> Arc<dyn Evaluator> {
        match self.value("eval") {
            Value::Choice("null") => Arc::new(Null::default()),
            Value::Choice("playouts") => Arc::new(Playouts { max_plies: settings.max_plies, ..Playouts::default() }),
            Value::Choice(method @ ("guided" | "rows" | "learned")) => match invent(method, machine, settings) {
                Some(function) => Arc::new(function),
                None => Arc::new(Goal),
            },
            _ => Arc::new(Goal),
        }
    }

    pub(super) fn uct_options(&self) -> uct::Options {
        let is_value = self.value("final") == Value::Choice("value");
        uct::Options {
            c: self.number("c"),
            leaves: self.count("leaves") as usize,
            playouts: self.count("playouts") as usize,
            patience: self.count("patience") as usize,
            habit: self.count("habit").into(),
            choice: if is_value { uct::Choice::Value } else { uct::Choice::Visits },
            solver: self.is_on("solver"),
            look_ahead: uct::Options::default().look_ahead,
            transpositions: self.is_on("transpositions"),
            reuse: self.is_on("reuse"),
            grave: self.is_on("grave"),
            grave_visits: self.count("grave-visits").into(),
            grave_k: self.number("grave-k"),
            fill: self.is_on("fill"),
            learning: uct::Learning {
                mast: self.is_on("mast"),
                nst: self.is_on("nst"),
                chance: self.number("chance"),
                decay: self.number("decay"),
            },
        }
    }

    pub(super) fn alphabeta_options(&self) -> alphabeta::Options {
        alphabeta::Options {
            depth: self.limit("depth").unwrap_or(alphabeta::Options::DEEPEST),
            aspiration: self.limit("aspiration").map(|points| points as f32),
            scout: self.is_on("scout"),
            ..self.ordering()
        }
    }

    pub(super) fn mtdf_options(&self) -> alphabeta::Options {
        alphabeta::Options {
            depth: self.limit("depth").unwrap_or(alphabeta::Options::DEEPEST),
            eps: self.number("eps"),
            guess: self.is_on("guess"),
            ..self.ordering()
        }
    }

    /// What alpha-beta and MTD(f) have in common.
    fn ordering(&self) -> alphabeta::Options {
        alphabeta::Options {
            table: self.is_on("table"),
            deeper: self.is_on("deeper"),
            killers: self.is_on("killers"),
            history: self.is_on("history"),
            scores: self.is_on("scores"),
            sweep: self.is_on("sweep"),
            ..alphabeta::Options::default()
        }
    }

    pub(super) fn minimax_options(&self) -> minimax::Options {
        minimax::Options { depth: self.limit("depth").unwrap_or(minimax::Options::default().depth), table: self.is_on("table") }
    }
}

/// The function that a method finds, as `ludens eval` does.
fn invent(method: &str, machine: &Machine, settings: &Settings) -> Option<Weighed> {
    let vocabulary = Vocabulary::of(machine)?;
    let (random, max_plies, stop) = (&mut Random::new(settings.seed), settings.max_plies, &|| false);
    let function = match method {
        "guided" => {
            let options = guided::Options { max_plies, ..guided::Options::default() };
            guided::find(machine, &vocabulary, &options, random, stop)
        }
        "rows" => rows::find(machine, &vocabulary, &rows::Options { max_plies, ..rows::Options::default() }, random, stop),
        "learned" => {
            let options = learned::Options { max_plies, ..learned::Options::default() };
            learned::find(machine, &vocabulary, &options, random, &|| 0.0)
        }
        other => unreachable!("the table has no method {other}"),
    };
    Some(Weighed::new(machine, &vocabulary, &function.ok()?))
}

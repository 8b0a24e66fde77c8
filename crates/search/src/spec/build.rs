//! Players made of what was asked for: one function for each entry of the table.

// All have the type that the table asks for, also where nothing can fail.
#![allow(clippy::unnecessary_wraps)]

use super::{Ready, Spec, SpecError, Value};
use crate::depth::{AlphaBeta, Minimax, Mtdf, OnePly, alphabeta, minimax};
use crate::pupil::{Changing, Pupil};
use crate::{FirstMove, Mc, Puzzle, RandomMove, Search, Settings, Uct, uct};
use ludens_machine::Machine;
use ludens_score::{Evaluator, Goal};
use std::sync::Arc;

/// A player, or why there is none.
type Built<'m> = Result<Box<dyn Search + 'm>, SpecError>;

/// Whom it chose; without time to choose, UCT.
pub(super) fn auto<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    match &ready.choice {
        Some(choice) => choice.player.build(machine, settings),
        None => Ok(Box::new(Uct::new(machine, uct::Options::default(), settings))),
    }
}

pub(super) fn random<'m>(_: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(RandomMove::new(machine, &settings)))
}

pub(super) fn first<'m>(_: &Ready, machine: &'m Machine, _: Settings) -> Built<'m> {
    Ok(Box::new(FirstMove::new(machine)))
}

pub(super) fn mc<'m>(_: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Mc::new(machine, &settings)))
}

pub(super) fn build_uct<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let options = uct::Options { practice: ready.has_practised(), ..ready.spec.uct_options() };
    Ok(Box::new(Uct::new(machine, options, settings)))
}

pub(super) fn guct<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let options = uct::Options { practice: ready.has_practised(), ..ready.spec.guct_options() };
    Ok(ready.taught(machine, settings, |evaluator| Box::new(Uct::guided(machine, &evaluator, options, settings))))
}

pub(super) fn alphabeta<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let options = ready.spec.alphabeta_options();
    Ok(ready.taught(machine, settings, |evaluator| {
        Box::new(AlphaBeta::new(machine, evaluator, options, settings).foreseeing(ready.foresight.clone()))
    }))
}

pub(super) fn mtdf<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let options = ready.spec.mtdf_options();
    Ok(ready.taught(machine, settings, |evaluator| {
        Box::new(Mtdf::new(machine, evaluator, options, settings).foreseeing(ready.foresight.clone()))
    }))
}

pub(super) fn minimax<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(Minimax::new(machine, ready.evaluator(), ready.spec.minimax_options(), settings)))
}

pub(super) fn one_ply<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    Ok(Box::new(OnePly::new(machine, ready.evaluator(), settings)))
}

pub(super) fn puzzle<'m>(ready: &Ready, machine: &'m Machine, settings: Settings) -> Built<'m> {
    let unfit = |error: crate::Error| SpecError::Unfit { player: ready.spec.player.name, reason: error.to_string() };
    Ok(Box::new(Puzzle::new(machine, &settings).map_err(unfit)?))
}

impl Ready {
    fn evaluator(&self) -> Arc<dyn Evaluator> {
        self.evaluator.clone().unwrap_or_else(|| Arc::new(Goal))
    }

    /// A search by its function, one that goes on learning where that is asked for and can be had.
    fn taught<'m>(
        &self,
        machine: &'m Machine,
        settings: Settings,
        search: impl FnOnce(Arc<dyn Evaluator>) -> Box<dyn Search + 'm>,
    ) -> Box<dyn Search + 'm> {
        let invented = self.invented.as_ref().filter(|_| self.spec.is_on("learn"));
        let Some(learner) = invented.and_then(|invented| invented.learner.clone()) else { return search(self.evaluator()) };
        let evaluator = Arc::new(Changing::new(self.evaluator()));
        let search = search(evaluator.clone());
        Box::new(Pupil::new(machine, learner, evaluator, search, settings.seed))
    }
}

impl Spec {
    /// The value of an option, if the player has it.
    pub(super) fn option(&self, name: &str) -> Option<Value> {
        let place = self.player.options.iter().position(|option| option.name == name);
        place.map(|place| self.values[place])
    }

    /// The same of one that the table must have for this player.
    fn value(&self, name: &str) -> Value {
        self.option(name).expect("the table has this option for this player")
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

    pub(super) fn uct_options(&self) -> uct::Options {
        uct::Options {
            grave: self.is_on("grave"),
            grave_visits: self.count("grave-visits").into(),
            grave_k: self.number("grave-k"),
            learning: uct::Learning {
                mast: self.is_on("mast"),
                nst: self.is_on("nst"),
                chance: self.number("chance"),
                decay: self.number("decay"),
            },
            ..self.tree_options()
        }
    }

    pub(super) fn guct_options(&self) -> uct::Options {
        let uses = self.value("use");
        let guidance = uct::Guidance {
            minimax: self.number("minimax"),
            uses: uct::Uses {
                cutoff: uses.has("cutoff"),
                order: uses.has("order"),
                init: uses.has("init"),
                rollout: uses.has("rollout"),
            },
            visits: self.number("visits"),
            bias: self.number("bias"),
            cutoff: self.number("cutoff"),
            length: self.limit("length"),
            temperature: self.number("temperature"),
            chance: self.number("chance"),
        };
        uct::Options { guidance, ..self.tree_options() }
    }

    /// What UCT with and without an evaluation have in common.
    fn tree_options(&self) -> uct::Options {
        let is_value = self.value("final") == Value::Choice("value");
        uct::Options {
            c: self.number("c"),
            leaves: self.count("leaves") as usize,
            playouts: self.count("playouts") as usize,
            patience: self.count("patience") as usize,
            habit: self.count("habit").into(),
            history: self.number("history"),
            urgency: self.number("urgency"),
            choice: if is_value { uct::Choice::Value } else { uct::Choice::Visits },
            solver: self.is_on("solver"),
            transpositions: self.is_on("transpositions"),
            reuse: self.is_on("reuse"),
            fill: self.is_on("fill"),
            decisive: self.is_on("decisive"),
            ..uct::Options::default()
        }
    }

    /// What shallow searches of this player shall foresee, if they shall: the options that it depends on, and what those are called.
    pub(super) fn foresees(&self) -> Option<(String, alphabeta::Options)> {
        let is_cut = matches!(self.option("cut"), Some(Value::Number(cut)) if cut > 0.0) && self.is_on("scores");
        let name = || format!("{} {} {}", self.value("eval"), self.value("calm"), self.value("narrow"));
        is_cut.then(|| (name(), self.ordering()))
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
            calm: self.limit("calm").map(|points| points as f32),
            narrow: self.is_on("narrow"),
            cut: self.number("cut"),
            ..alphabeta::Options::default()
        }
    }

    pub(super) fn minimax_options(&self) -> minimax::Options {
        minimax::Options { depth: self.limit("depth").unwrap_or(minimax::Options::default().depth), table: self.is_on("table") }
    }
}

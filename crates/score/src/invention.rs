//! What a method found.

use crate::Evaluator;
use crate::clune::Model;
use crate::function::{Function, Weighed};
use crate::vocabulary::Vocabulary;
use ludens_machine::Machine;
use std::sync::Arc;

/// A function, of whatever form its method gives it.
#[derive(Clone, Debug, PartialEq)]
pub enum Invention {
    /// A sum for every role.
    Function(Function),
    /// Three sums for every role, and how they are put together.
    Model(Box<Model>),
}

/// One sum of every role.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// What it is, where there are several.
    pub name: Option<&'static str>,
    /// The sums.
    pub function: Function,
    /// Per role: what share it has in the whole, as far as its stability decides.
    pub stability: Vec<Option<f64>>,
}

impl Invention {
    /// The name of the method.
    pub fn method(&self) -> &'static str {
        match self {
            Invention::Function(function) => function.method,
            Invention::Model(_) => "clune",
        }
    }

    /// Features that were looked at to find it; 0 where that is not known.
    pub fn candidates(&self) -> usize {
        match self {
            Invention::Function(function) => function.candidates,
            Invention::Model(model) => model.candidates,
        }
    }

    /// Prepares it for searches.
    pub fn evaluator(&self, machine: &Machine, vocabulary: &Vocabulary) -> Arc<dyn Evaluator> {
        match self {
            Invention::Function(function) => Arc::new(Weighed::new(machine, vocabulary, function)),
            Invention::Model(model) => Arc::new(model.evaluator(machine, vocabulary)),
        }
    }

    /// Its sums, to be read.
    pub fn sections(&self) -> Vec<Section> {
        match self {
            Invention::Function(function) => {
                vec![Section { name: None, stability: vec![None; function.roles.len()], function: function.clone() }]
            }
            Invention::Model(model) => {
                let names = ["payoff", "control", "termination"];
                let section = |(part, name): (usize, &'static str)| Section {
                    name: Some(name),
                    function: model.part(part),
                    stability: model
                        .roles
                        .iter()
                        .map(|aspects| [Some(aspects.payoff_stability), Some(aspects.control_stability), None][part])
                        .collect(),
                };
                names.into_iter().enumerate().map(section).collect()
            }
        }
    }
}

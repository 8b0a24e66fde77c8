//! All methods behind one door.

use crate::evaluator::Evaluator;
use crate::invention::Invention;
use crate::refusal::Refusal;
use crate::vocabulary::Vocabulary;
use crate::{clune, guided, learned, rows};
use ludens_gdl::Rules;
use ludens_machine::{Machine, Random};
use std::sync::Arc;

/// A method with its options: adding one is an entry here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Our own: `learned`; `phased` where weights change as a match goes on, `derived` where what the rules derive is counted, too.
    Learned(learned::Options),
    /// That of Guided UCT.
    Guided(guided::Options),
    /// That of the Heuristic Player: `rows`; `plain-rows` without our remedies.
    Rows(rows::Options),
    /// That of Cluneplayer.
    Clune(clune::Options),
}

/// A function, and the words it is written in.
#[derive(Debug)]
pub struct Invented {
    /// What is said of states.
    pub vocabulary: Vocabulary,
    /// What is said of their value.
    pub invention: Invention,
    /// The same for searches.
    pub evaluator: Arc<dyn Evaluator>,
    /// From where learning can go on, if it was learned.
    pub learner: Option<learned::Learner>,
}

impl Invented {
    /// Prepares a function for searches.
    pub fn new(machine: &Machine, vocabulary: Vocabulary, invention: Invention) -> Invented {
        let evaluator = invention.evaluator(machine, &vocabulary);
        Invented { vocabulary, invention, evaluator, learner: None }
    }
}

impl Method {
    /// The method with this name, as its paper has it. Random matches are given up after so many joint moves.
    pub fn named(name: &str, max_plies: u64) -> Option<Method> {
        Some(match name {
            "learned" => Method::Learned(learned::Options { max_plies, ..learned::Options::default() }),
            "derived" => Method::Learned(learned::Options { max_plies, ..learned::Options::derived() }),
            "phased" => Method::Learned(learned::Options { max_plies, ..learned::Options::phased() }),
            "guided" => Method::Guided(guided::Options { max_plies, ..guided::Options::default() }),
            "rows" => Method::Rows(rows::Options { max_plies, ..rows::Options::default() }),
            "plain-rows" => Method::Rows(rows::Options { max_plies, ..rows::Options::plain() }),
            "clune" => Method::Clune(clune::Options { max_plies, ..clune::Options::default() }),
            _ => return None,
        })
    }

    /// The same from at most so many random matches, where the method is one that sets out with a number of them.
    #[must_use]
    pub fn of_matches(self, most: usize) -> Method {
        match self {
            Method::Rows(options) => Method::Rows(rows::Options { simulations: options.simulations.min(most), ..options }),
            Method::Clune(options) => Method::Clune(clune::Options { samples: options.samples.min(most), ..options }),
            Method::Learned(_) | Method::Guided(_) => self,
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Learned(options) => options.name(),
            Method::Guided(_) => "guided",
            Method::Rows(options) => options.name(),
            Method::Clune(_) => "clune",
        }
    }

    /// Looks for a function. `used` is the share of the time there is that has gone by: it ends at 1.
    ///
    /// # Errors
    /// If there is none.
    pub fn invent(
        &self,
        machine: &Machine,
        rules: &Rules,
        random: &mut Random,
        used: &dyn Fn() -> f64,
    ) -> Result<Invented, Refusal> {
        let vocabulary = Vocabulary::of(machine).ok_or(Refusal::NotGrounded)?;
        let stop = &|| used() >= 1.0;
        let invention = match self {
            Method::Learned(options) => {
                let (function, learner) = learned::learn(machine, rules, &vocabulary, options, random, used)?;
                return Ok(Invented {
                    learner: Some(learner),
                    ..Invented::new(machine, vocabulary, Invention::Function(function))
                });
            }
            Method::Guided(options) => Invention::Function(guided::find(machine, &vocabulary, options, random, stop)?),
            Method::Rows(options) => Invention::Function(rows::find(machine, &vocabulary, options, random, stop)?),
            Method::Clune(options) => {
                Invention::Model(Box::new(clune::find(machine, rules, &vocabulary, options, random, stop)?))
            }
        };
        Ok(Invented::new(machine, vocabulary, invention))
    }
}

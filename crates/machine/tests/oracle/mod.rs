//! A naive evaluator of rules, slow and obviously right: all derivable atoms, bottom-up, by brute force.
//!
//! Negation is decided by the alternating fixpoint: what is certain and what is possible bound each other until nothing
//! changes. Where the two meet, as they do for every sheet that is stratified atom by atom, the answer is the one model.
//! Nothing here is shared with the engines but the front end.

mod model;
mod terms;

use std::collections::BTreeSet;

use ludens_gdl::{Keyword, Rules, parse_ground};

pub(crate) use model::Refusal;
use model::{Model, derive};
use terms::Terms;

/// Fluents, moves or goal values, as the sheet writes them.
pub(crate) type Texts = BTreeSet<String>;

/// What the oracle spends on one question before it gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Attempts to match a condition with an atom.
    pub(crate) matches: u64,
    /// Atoms of one model.
    pub(crate) atoms: usize,
}

/// What the rules say about one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) terminal: bool,
    /// Per role.
    pub(crate) legal: Vec<Texts>,
    /// Per role.
    pub(crate) goals: Vec<Texts>,
}

/// Rules and the ground terms met so far.
pub(crate) struct Oracle<'r> {
    rules: &'r Rules,
    terms: Terms,
    limits: Limits,
}

impl<'r> Oracle<'r> {
    pub(crate) fn new(rules: &'r Rules, limits: Limits) -> Oracle<'r> {
        Oracle { rules, terms: Terms::default(), limits }
    }

    /// The fluents of the first state.
    pub(crate) fn init(&mut self) -> Result<Texts, Refusal> {
        let model = self.model(&Texts::new(), &[])?;
        Ok(self.fluents(&model, Keyword::Init))
    }

    /// Terminal, legal moves and goals of a state.
    pub(crate) fn verdict(&mut self, state: &Texts) -> Result<Verdict, Refusal> {
        let model = self.model(state, &[])?;
        Ok(Verdict {
            terminal: self.rows(&model, Keyword::Terminal).next().is_some(),
            legal: self.by_role(&model, Keyword::Legal),
            goals: self.by_role(&model, Keyword::Goal),
        })
    }

    /// The state after a joint move, one move per role.
    pub(crate) fn next(&mut self, state: &Texts, joint: &[String]) -> Result<Texts, Refusal> {
        let model = self.model(state, joint)?;
        Ok(self.fluents(&model, Keyword::Next))
    }

    /// Everything that holds in a state, with the moves that are made there, if any.
    fn model(&mut self, state: &Texts, joint: &[String]) -> Result<Model, Refusal> {
        let mut given = Model::new(self.rules);
        for fluent in state {
            let fluent = self.term(fluent);
            if let Some(truth) = self.rules.keyword(Keyword::True) {
                given.add(truth, vec![fluent]);
            }
        }
        for (role, choice) in self.rules.roles.iter().zip(joint) {
            let (role, choice) = (self.terms.intern(role), self.term(choice));
            if let Some(does) = self.rules.keyword(Keyword::Does) {
                given.add(does, vec![role, choice]);
            }
        }
        derive(self.rules, &given, &mut self.terms, self.limits)
    }

    fn term(&mut self, text: &str) -> u32 {
        let term = parse_ground(text).expect("a ground term");
        self.terms.intern(&self.rules.resolve(&term).expect("a term of the sheet"))
    }

    fn rows<'m>(&self, model: &'m Model, keyword: Keyword) -> impl Iterator<Item = &'m Vec<u32>> + use<'m> {
        self.rules.keyword(keyword).into_iter().flat_map(|relation| model.rows(relation))
    }

    fn fluents(&self, model: &Model, keyword: Keyword) -> Texts {
        self.rows(model, keyword).map(|row| self.terms.text(row[0], self.rules)).collect()
    }

    fn by_role(&mut self, model: &Model, keyword: Keyword) -> Vec<Texts> {
        let roles: Vec<u32> = self.rules.roles.iter().map(|role| self.terms.intern(role)).collect();
        let of = |role: u32| self.rows(model, keyword).filter(move |row| row[0] == role);
        roles.into_iter().map(|role| of(role).map(|row| self.terms.text(row[1], self.rules)).collect()).collect()
    }
}

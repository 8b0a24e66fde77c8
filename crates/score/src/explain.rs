//! Why a function says what it says of a position.

use crate::feature::Feature;
use crate::function::{Account, Function};
use crate::lines::{Live, Wanted};
use crate::vocabulary::{FluentId, Vocabulary};
use ludens_machine::{Error, Lanes, Machine, RoleId, State};

/// A position as functions see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    words: Vec<u64>,
    /// Legal moves of every role.
    moves: Vec<usize>,
}

impl View {
    /// Looks at the state of a lane, which is evaluated.
    pub fn of(lanes: &Lanes<'_>, lane: usize) -> View {
        let mut words = Vec::new();
        lanes.store(lane, &mut words);
        let is_over = lanes.terminal(lane);
        let count = |role: usize| if is_over { 0 } else { lanes.legal(lane, RoleId(role as u32)).len() };
        View { words, moves: (0..lanes.roles()).map(count).collect() }
    }

    /// Looks at a state.
    pub fn of_state(machine: &Machine, state: &State) -> Result<View, Error> {
        let mut lanes = machine.lanes(1);
        lanes.load(0, state);
        lanes.evaluate()?;
        Ok(View::of(&lanes, 0))
    }
}

/// What one term adds to the value of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Which term of the account.
    pub term: usize,
    /// What it counts here.
    pub count: f64,
    /// What that adds.
    pub adds: f64,
}

/// A function, ready to account for positions.
#[derive(Debug)]
pub struct Accountant<'f> {
    function: &'f Function,
    /// Per role and term: what each fluent adds to the count, by the number of the fluent.
    shares: Vec<Vec<Vec<(FluentId, f32)>>>,
    /// Lines that are counted.
    lives: Vec<Live>,
    /// Per role and term: which of them, where lines are counted.
    wanted: Vec<Vec<Option<Wanted>>>,
}

impl<'f> Accountant<'f> {
    /// Prepares to account for a function's values.
    pub fn new(vocabulary: &Vocabulary, function: &'f Function) -> Accountant<'f> {
        let of = |account: &Account| account.terms.iter().map(|term| term.feature.shares(vocabulary)).collect();
        let mut lives: Vec<Live> = Vec::new();
        for term in function.roles.iter().flat_map(|account| &account.terms) {
            if let Feature::Lines(lines) = &term.feature
                && !lives.iter().any(|live| live.is_of(lines))
            {
                lives.push(Live::new(vocabulary, lines.family, lines.blockers.clone()));
            }
        }
        let wanted = |feature: &Feature| if let Feature::Lines(lines) = feature { Some(lines.wanted(vocabulary)) } else { None };
        let all_wanted = |account: &Account| account.terms.iter().map(|term| wanted(&term.feature)).collect();
        Accountant {
            function,
            shares: function.roles.iter().map(of).collect(),
            lives,
            wanted: function.roles.iter().map(all_wanted).collect(),
        }
    }

    /// What every term of a role adds, in the order of the terms.
    pub fn parts(&self, role: RoleId, view: &View) -> Vec<Part> {
        let role = role.0 as usize;
        let holds =
            |fluent: FluentId| view.words.get(fluent.0 as usize / 64).is_some_and(|word| word >> (fluent.0 % 64) & 1 == 1);
        let terms = self.function.roles[role].terms.iter().zip(&self.shares[role]).enumerate();
        terms
            .map(|(index, (term, shares))| {
                let count = match (&term.feature, &self.wanted[role][index]) {
                    (Feature::Moves(mover), _) => view.moves[mover.0 as usize] as f64,
                    (Feature::Lines(lines), Some(wanted)) => {
                        let live = self.lives.iter().find(|live| live.is_of(lines)).expect("all lines are known");
                        live.count(&view.words, wanted) as f64
                    }
                    _ => shares.iter().filter(|(fluent, _)| holds(*fluent)).map(|(_, share)| f64::from(*share)).sum(),
                };
                Part { term: index, count, adds: count * term.weight }
            })
            .collect()
    }

    /// The sum of a role, and the points it stands for.
    pub fn value(&self, role: RoleId, parts: &[Part]) -> (f64, f64) {
        let sum = self.function.roles[role.0 as usize].constant + parts.iter().map(|part| part.adds).sum::<f64>();
        (sum, f64::from(self.function.link.points(sum as f32)))
    }
}

/// How the second of two positions differs from the first, term by term: those that differ, the most first.
pub fn changes(before: &[Part], after: &[Part]) -> Vec<Part> {
    let both = before.iter().zip(after);
    let differ = both.map(|(one, two)| Part { term: two.term, count: two.count - one.count, adds: two.adds - one.adds });
    let mut parts: Vec<Part> = differ.filter(|part| part.adds != 0.0).collect();
    parts.sort_by(|one, two| two.adds.abs().total_cmp(&one.adds.abs()).then(one.term.cmp(&two.term)));
    parts
}

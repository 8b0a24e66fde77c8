//! Why a function says what it says of a position.

use crate::derived::Atoms;
use crate::feature::Feature;
use crate::function::{Account, Term};
use crate::invention::Invention;
use crate::linear::Gauge;
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
    /// Which term of the role's, see [`Accountant::term`].
    pub term: usize,
    /// What it counts here.
    pub count: f64,
    /// What one more would add.
    pub weight: f64,
    /// What all of them add.
    pub adds: f64,
}

/// An account of a position for a role.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// Where nothing is counted.
    pub constant: f64,
    /// What every term adds to that, in the order of the terms.
    pub parts: Vec<Part>,
    /// The points that the sum of all stands for.
    pub points: f64,
    /// How likely it is that the match is over, where the function asks for that: it decides what payoff and control weigh.
    pub termination: Option<f64>,
}

/// A function, ready to account for positions.
#[derive(Debug)]
pub struct Accountant<'f> {
    invention: &'f Invention,
    /// Per role: what is counted.
    roles: Vec<Vec<Entry<'f>>>,
    /// Lines that are counted.
    lives: Vec<Live>,
    /// How far a match has come, where weights change with that.
    gauge: Option<Gauge>,
}

/// A term, ready to be counted.
#[derive(Debug)]
struct Entry<'f> {
    term: &'f Term,
    /// What each fluent adds to the count.
    shares: Vec<(FluentId, f32)>,
    wanted: Option<Wanted>,
    atoms: Option<Atoms>,
}

impl<'f> Entry<'f> {
    fn new(vocabulary: &Vocabulary, term: &'f Term) -> Entry<'f> {
        let wanted = if let Feature::Lines(lines) = &term.feature { Some(lines.wanted(vocabulary)) } else { None };
        let atoms = if let Feature::Derived(pattern) = &term.feature {
            vocabulary.derived().map(|derived| derived.atoms(pattern))
        } else {
            None
        };
        Entry { term, shares: term.feature.shares(vocabulary), wanted, atoms }
    }

    fn count(&self, view: &View, lives: &[Live]) -> f64 {
        let holds =
            |fluent: FluentId| view.words.get(fluent.0 as usize / 64).is_some_and(|word| word >> (fluent.0 % 64) & 1 == 1);
        match (&self.term.feature, &self.wanted) {
            (Feature::Moves(mover), _) => view.moves[mover.0 as usize] as f64,
            (Feature::Lines(lines), Some(wanted)) => {
                let live = lives.iter().find(|live| live.is_of(lines)).expect("all lines are known");
                live.count(&view.words, wanted) as f64
            }
            (Feature::Partial(partial), _) => partial.value(&view.words),
            (Feature::Lead(more, less), _) => more.value(&view.words) - less.value(&view.words),
            (Feature::Derived(_), _) => self.atoms.as_ref().map_or(0, |atoms| atoms.count(&view.words)) as f64,
            _ => self.shares.iter().filter(|(fluent, _)| holds(*fluent)).map(|(_, share)| f64::from(*share)).sum(),
        }
    }
}

impl<'f> Accountant<'f> {
    /// Prepares to account for a function's values.
    pub fn new(vocabulary: &Vocabulary, invention: &'f Invention) -> Accountant<'f> {
        let entries = |accounts: &[&'f Account]| -> Vec<Entry<'f>> {
            accounts.iter().flat_map(|account| &account.terms).map(|term| Entry::new(vocabulary, term)).collect()
        };
        let roles: Vec<Vec<Entry<'f>>> = match invention {
            Invention::Function(function) => function.roles.iter().map(|account| entries(&[account])).collect(),
            Invention::Model(model) => {
                model.roles.iter().map(|role| entries(&[&role.payoff, &role.control, &role.termination])).collect()
            }
        };
        let mut lives: Vec<Live> = Vec::new();
        for entry in roles.iter().flatten() {
            if let Feature::Lines(lines) = &entry.term.feature
                && !lives.iter().any(|live| live.is_of(lines))
            {
                lives.push(Live::new(vocabulary, lines.family, lines.blockers.clone()));
            }
        }
        let gauge = match invention {
            Invention::Function(function) => function.phase.as_ref(),
            Invention::Model(_) => None,
        };
        let gauge = gauge.map(|phase| phase.gauge(vocabulary, roles.len()));
        Accountant { invention, roles, lives, gauge }
    }

    /// A term of a role that parts are about: of a model first those of the payoff, then those of the control.
    pub fn term(&self, role: RoleId, term: usize) -> &'f Term {
        self.roles[role.0 as usize][term].term
    }

    /// Accounts for a position.
    pub fn balance(&self, role: RoleId, view: &View) -> Balance {
        let place = role.0 as usize;
        let counts: Vec<f64> = self.roles[place].iter().map(|entry| entry.count(view, &self.lives)).collect();
        let part = |term: usize, factor: f64| {
            let (count, weight) = (counts[term], self.roles[place][term].term.weight * factor);
            Part { term, count, weight, adds: count * weight }
        };
        let sum = |constant: f64, parts: &[Part]| constant + parts.iter().map(|part| part.adds).sum::<f64>();
        match self.invention {
            Invention::Function(function) => {
                let far = self.gauge.as_ref().map_or(0.0, |gauge| f64::from(gauge.of_words(&view.words)));
                let account = &function.roles[place];
                let constant = account.constant + far * account.drift;
                let here = |(term, (count, entry)): (usize, (&f64, &Entry<'_>))| {
                    let weight = entry.term.weight + far * entry.term.drift;
                    Part { term, count: *count, weight, adds: count * weight }
                };
                let parts: Vec<Part> = counts.iter().zip(&self.roles[place]).enumerate().map(here).collect();
                let points = f64::from(function.link.points(sum(constant, &parts) as f32));
                Balance { constant, parts, points, termination: None }
            }
            Invention::Model(model) => {
                let aspects = &model.roles[place];
                let (payoff, control) = (aspects.payoff.terms.len(), aspects.control.terms.len());
                let of_termination: Vec<Part> = (payoff + control..counts.len()).map(|term| part(term, 1.0)).collect();
                let termination = sum(aspects.termination.constant, &of_termination).clamp(0.0, 1.0);
                let weights = aspects.weights(termination);
                let of_payoff = (0..payoff).map(|term| part(term, weights.payoff));
                let of_control = (payoff..payoff + control).map(|term| part(term, weights.control));
                let parts: Vec<Part> = of_payoff.chain(of_control).collect();
                let constant =
                    weights.even + aspects.payoff.constant * weights.payoff + aspects.control.constant * weights.control;
                let points = sum(constant, &parts).clamp(0.0, 100.0);
                Balance { constant, parts, points, termination: Some(termination) }
            }
        }
    }
}

/// How the second of two positions differs from the first, term by term: those that differ, the most first.
pub fn changes(before: &[Part], after: &[Part]) -> Vec<Part> {
    let both = before.iter().zip(after);
    let differ = both.map(|(one, two)| Part { count: two.count - one.count, adds: two.adds - one.adds, ..*two });
    let mut parts: Vec<Part> = differ.filter(|part| part.adds != 0.0).collect();
    parts.sort_by(|one, two| two.adds.abs().total_cmp(&one.adds.abs()).then(one.term.cmp(&two.term)));
    parts
}

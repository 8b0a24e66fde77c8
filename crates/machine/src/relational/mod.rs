//! The reference engine, in gdlcc's form: query plans per (relation, binding pattern), executed by an interpreter.
//!
//! `Relational::new` runs the passes in order: rules by relation and static relations listed (`compile`, `statics`); plans for the
//! questions of play (`compile`, `clause`, `literal`, in an `order`); with a profile, a few random matches (`profile`), an order by
//! expected work (`estimate`), relations unfolded (`inline`), and plans made anew. A [`Scratch`] executes the plans (`run`, `frames`)
//! on the fluents of a state (`store`), keeping answers (`table`) for as long as they are true and, if asked to,
//! what it found out about states (`transpositions`).

mod clause;
mod compile;
mod declared;
mod estimate;
pub(crate) mod facts;
mod frames;
mod inline;
pub(crate) mod key_map;
mod literal;
mod order;
pub(crate) mod plan;
mod profile;
pub(crate) mod registry;
mod ring;
mod run;
mod scratch;
mod statics;
pub(crate) mod store;
mod table;
mod transpositions;

pub use declared::Declared;
pub use scratch::Scratch;
pub use transpositions::TableUse;

use crate::{Error, GoalId, Limits, MoveId, State};
use compile::{Compiler, Definitions, ground};
use ludens_gdl::{GroundTerm, Rules, parse_ground};
use order::Order;
use plan::Program;
use registry::{Registry, Replica, Shared};
use run::Core;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

/// How plans are made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Remember answers of sub-queries within a state.
    pub memo: bool,
    /// Choose clause order and memoisation from a short profile of random playouts.
    pub profile: bool,
    /// Unfold relations with one projection-free rule into their callers.
    pub inline: bool,
    /// Bytes of a transposition table for each [`Lanes`](crate::Lanes), at most [`Limits::bytes`]; 0 for none.
    pub table: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { memo: true, profile: true, inline: true, table: 0 }
    }
}

/// The engine: plans, and the names and numbers they speak of.
#[derive(Debug)]
pub struct Relational {
    pub(crate) program: Program,
    shared: Arc<Shared>,
    limits: Limits,
    /// The roles, as terms.
    pub(crate) roles: Vec<u32>,
    pub(crate) names: Vec<String>,
    /// Symbols by text, for terms that come from outside; folded to lower case unless the sheet tells cases apart.
    symbols: HashMap<String, u32>,
    pub(crate) case_sensitive: bool,
    /// Symbols that are goal values.
    pub(crate) points: Vec<Option<u8>>,
    /// Bytes of a transposition table.
    table: usize,
}

impl Relational {
    /// Makes the plans.
    pub fn new(rules: &Rules, options: &Options, limits: &Limits) -> Result<Relational, Error> {
        let shared = Arc::new(Shared::new(limits.terms));
        let mut replica = Replica::new(&shared);
        let mut definitions = Definitions::new(rules, &mut replica)?;
        statics::list_statics(rules, &mut definitions, &mut replica, limits);
        let roles = rules.roles.iter().map(|role| ground(role, &mut replica)).collect::<Result<Option<Vec<u32>>, Error>>()?;
        let roles = roles.unwrap_or_default();
        let program = if options.profile {
            profile::plan(rules, &definitions, &mut replica, &roles, *options, limits)?
        } else {
            if options.inline {
                definitions = inline::unfold(rules, &definitions, |_| true);
            }
            Compiler::new(rules, &definitions, &mut replica, &Order::Unknowns(rules), &|_, _| options.memo).game()?
        };
        let names = rules.names.texts();
        let fold = |name: &String| if rules.case_sensitive { name.clone() } else { name.to_ascii_lowercase() };
        let symbols = names.iter().enumerate().map(|(symbol, name)| (fold(name), symbol as u32)).collect();
        let points = names.iter().map(|name| ludens_gdl::points(name)).collect();
        let (limits, table) = (*limits, options.table.min(limits.bytes));
        Ok(Relational { program, shared, limits, roles, names, symbols, case_sensitive: rules.case_sensitive, points, table })
    }

    pub(crate) fn initial(&self) -> Result<State, Error> {
        let mut core = self.core();
        let Some(init) = self.program.queries.init else { return Ok(pack(&[])) };
        core.ask(init, &[], self.limits.steps)?;
        Ok(pack(&core.out))
    }

    fn core(&self) -> Core<'_> {
        Core::new(&self.program, Replica::new(&self.shared), &self.roles, &self.limits)
    }

    pub(crate) fn role_names(&self) -> Vec<String> {
        self.roles.iter().map(|&role| self.shared.read(|registry| self.term_text(registry, role))).collect()
    }

    pub(crate) fn scratch(&self, width: usize) -> Scratch<'_> {
        Scratch::new(self, width)
    }

    pub(crate) fn move_text(&self, id: MoveId) -> String {
        self.shared.read(|registry| self.term_text(registry, registry.moves.term(id.0)))
    }

    pub(crate) fn goal_text(&self, id: GoalId) -> String {
        self.shared.read(|registry| self.term_text(registry, id.0))
    }

    pub(crate) fn find_move(&self, text: &str) -> Result<MoveId, Error> {
        let number = |registry: &Registry, term| registry.moves.of_term(term);
        self.numbered("move", text, &mut None, number, Replica::move_id).map(MoveId)
    }

    pub(crate) fn fluents(&self, state: &State) -> Vec<String> {
        let text =
            |registry: &Registry| unpack(state).map(|fluent| self.term_text(registry, registry.fluents.term(fluent))).collect();
        let mut texts: Vec<String> = self.shared.read(text);
        texts.sort_unstable();
        texts
    }

    pub(crate) fn state_of<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Result<State, Error> {
        let number = |registry: &Registry, term| registry.fluents.of_term(term);
        let mut replica = None;
        let numbers = fluents.into_iter().map(|text| self.numbered("fluent", text, &mut replica, number, Replica::fluent));
        Ok(pack(&numbers.collect::<Result<Vec<u32>, Error>>()?))
    }

    /// The number of a move or fluent given as text. One that is known is only looked up; for a new one a copy of the table is made.
    fn numbered(
        &self,
        what: &'static str,
        text: &str,
        replica: &mut Option<Replica>,
        known: impl Fn(&Registry, u32) -> u32,
        new: impl Fn(&mut Replica, u32) -> u32,
    ) -> Result<u32, Error> {
        let unknown = || Error::Unknown { what, text: text.to_owned() };
        let term = parse_ground(text).map_err(|_| unknown())?;
        let found = self.shared.read(|registry| self.look_up(&term, registry).map(|term| known(registry, term)));
        if let Some(number) = found
            && number != registry::NONE
        {
            return Ok(number);
        }
        let replica = replica.get_or_insert_with(|| Replica::new(&self.shared));
        replica.catch_up();
        let term = self.intern(&term, replica)?.ok_or_else(unknown)?;
        Ok(new(replica, term))
    }

    fn symbol_of(&self, name: &str) -> Option<u32> {
        if self.case_sensitive { self.symbols.get(name) } else { self.symbols.get(&name.to_ascii_lowercase()) }.copied()
    }

    fn look_up(&self, term: &GroundTerm, registry: &Registry) -> Option<u32> {
        let symbol = self.symbol_of(&term.name)?;
        let args = term.args.iter().map(|arg| self.look_up(arg, registry)).collect::<Option<Vec<u32>>>()?;
        registry.terms.find(symbol, &args)
    }

    fn intern(&self, term: &GroundTerm, replica: &mut Replica) -> Result<Option<u32>, Error> {
        let Some(symbol) = self.symbol_of(&term.name) else { return Ok(None) };
        let args = term.args.iter().map(|arg| self.intern(arg, replica)).collect::<Result<Option<Vec<u32>>, Error>>()?;
        args.map(|args| replica.intern(symbol, &args)).transpose()
    }

    /// All terms, fluents and moves known so far.
    pub(crate) fn registry(&self) -> Registry {
        self.shared.read(Registry::clone)
    }

    fn term_text(&self, registry: &Registry, term: u32) -> String {
        term_text(&self.names, registry, term)
    }

    /// The points a goal value stands for.
    fn points_of(&self, symbol: u32) -> Option<u8> {
        self.points[symbol as usize]
    }

    /// The plans as text, for `ludens show --stage plans`.
    pub fn plans_text(&self) -> String {
        let mut text = String::new();
        for (number, goal) in self.program.goals.iter().enumerate() {
            let pattern: String =
                (0..goal.known + goal.unknown).map(|i| if i < 64 && goal.pattern >> i & 1 == 1 { 'b' } else { 'f' }).collect();
            let _ = writeln!(
                text,
                "goal {number}: {} {pattern} ({:?}, {:?}, {} registers)",
                goal.name, goal.lifetime, goal.keep, goal.frame
            );
            for clause in &goal.clauses {
                let _ = writeln!(text, "    {clause}");
            }
        }
        text
    }
}

/// A term as text.
fn term_text(names: &[String], registry: &Registry, term: u32) -> String {
    let terms = &registry.terms;
    ludens_gdl::term_text(term, usize::MAX, |term| (&names[terms.symbol(term) as usize], terms.args(term)))
}

/// A state as a value: its fluents' numbers in order, two to a word.
fn pack(fluents: &[u32]) -> State {
    let mut sorted = fluents.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let word = |pair: &[u32]| u64::from(pair[0]) << 32 | u64::from(pair.get(1).copied().unwrap_or(registry::NONE));
    State(sorted.chunks(2).map(word).collect())
}

fn unpack(state: &State) -> impl Iterator<Item = u32> {
    state.0.iter().flat_map(|&word| [(word >> 32) as u32, word as u32]).filter(|&fluent| fluent != registry::NONE)
}

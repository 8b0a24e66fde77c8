//! `Machine`, `State` and `Lanes`: what every engine answers.

use crate::playout::{cut_one_by_one, one_by_one, rollouts_one_by_one};
use crate::{
    Cuts, Ended, Error, GoalId, Limits, Manner, MoveId, Random, Request, RoleId, Rollouts, Totals, Weights, bits, relational,
};
use ludens_gdl::Rules;

/// A position, as an opaque value: equal states of one machine are equal values. Only its machine reads it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State(pub(crate) Box<[u64]>);

impl State {
    /// How much memory it takes.
    pub fn bytes(&self) -> usize {
        size_of::<State>() + size_of_val(&*self.0)
    }

    /// The words it is made of, to be kept elsewhere: equal states of one machine have equal words.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// The state that is made of these words, which must be those of a state of the same machine.
    pub fn of_words(words: &[u64]) -> State {
        State(words.into())
    }
}

/// A game that can be played. Immutable and `Sync`.
#[derive(Debug)]
pub struct Machine {
    engine: Engine,
    initial: State,
    roles: Vec<String>,
    fallback: Option<Error>,
}

/// The engines, a closed set.
#[derive(Debug)]
enum Engine {
    Relational(Box<relational::Relational>),
    Bits(Box<bits::Bits>),
}

impl Machine {
    /// Builds the reference engine: query plans over the rules, as gdlcc made them.
    pub fn relational(rules: &Rules, options: &relational::Options, limits: &Limits) -> Result<Machine, Error> {
        let engine = relational::Relational::new(rules, options, limits)?;
        let initial = engine.initial()?;
        let roles = engine.role_names();
        Ok(Machine { engine: Engine::Relational(Box::new(engine)), initial, roles, fallback: None })
    }

    /// Builds the fast engine: the rules grounded to a boolean network, many states evaluated at once.
    pub fn grounded(rules: &Rules, limits: &ludens_ground::Limits) -> Result<Machine, Error> {
        let engine = bits::Bits::new(rules, limits)?;
        let initial = engine.initial();
        let roles = engine.role_names();
        Ok(Machine { engine: Engine::Bits(Box::new(engine)), initial, roles, fallback: None })
    }

    /// Builds the fast engine or, where the rules cannot be grounded within the limits, the reference engine; `fallback` says why.
    pub fn fastest(
        rules: &Rules,
        ground: &ludens_ground::Limits,
        options: &relational::Options,
        limits: &Limits,
    ) -> Result<Machine, Error> {
        match Machine::grounded(rules, ground) {
            Err(reason @ Error::Ground(_)) => {
                Ok(Machine { fallback: Some(reason), ..Machine::relational(rules, options, limits)? })
            }
            other => other,
        }
    }

    /// Why this is not the fast engine, where that was asked for.
    pub fn fallback(&self) -> Option<&Error> {
        self.fallback.as_ref()
    }

    /// The engine's name as the command line knows it.
    pub fn engine_name(&self) -> &'static str {
        match &self.engine {
            Engine::Relational(_) => "relational",
            Engine::Bits(_) => "lanes",
        }
    }

    /// The reference engine inside, for `ludens show`.
    pub fn as_relational(&self) -> Option<&relational::Relational> {
        match &self.engine {
            Engine::Relational(engine) => Some(engine),
            Engine::Bits(_) => None,
        }
    }

    /// The fast engine inside, for `ludens show`.
    pub fn as_bits(&self) -> Option<&bits::Bits> {
        match &self.engine {
            Engine::Bits(engine) => Some(engine),
            Engine::Relational(_) => None,
        }
    }

    /// All players, in the order of the sheet.
    pub fn roles(&self) -> impl ExactSizeIterator<Item = RoleId> + use<> {
        (0..self.roles.len()).map(|index| RoleId(index as u32))
    }

    /// A player's name.
    pub fn role_name(&self, role: RoleId) -> &str {
        &self.roles[role.0 as usize]
    }

    /// All fluents as the sheet writes them, in the order of the bits of a state's words; `None` where states are not made of bits.
    pub fn fluent_texts(&self) -> Option<&[String]> {
        self.as_bits().map(bits::Bits::fluent_texts)
    }

    /// The network that the fast engine runs; `None` where another plays.
    pub fn net(&self) -> Option<&ludens_ground::Net> {
        self.as_bits().map(bits::Bits::net)
    }

    /// The state in which every match begins.
    pub fn initial(&self) -> &State {
        &self.initial
    }

    /// Makes ready what random play in so many lanes needs, rollouts included, which takes time with large games. Without it the first playouts do that.
    pub fn prepare(&self, width: usize) {
        if let Engine::Bits(engine) = &self.engine {
            engine.prepare(width);
        }
    }

    /// Makes ready what rollouts in that manner need. Without it the first of them do that.
    pub fn prepare_manner(&self, manner: Manner) {
        if let Engine::Bits(engine) = &self.engine {
            engine.prepare_manner(manner);
        }
    }

    /// Whether it can be told in some positions which moves win at once, or let another win at once, in a game of two roles where one has nothing if the other
    /// wins. Then the moves that [`Lanes::evaluate_narrowly`] leaves out are never better than those it lists.
    pub fn narrows(&self) -> bool {
        match &self.engine {
            Engine::Bits(engine) => engine.narrows(),
            Engine::Relational(_) => false,
        }
    }

    /// Whether practice makes a difference to rollouts that are decisive, or not: see [`Manner::practised`]. It is found out by playing, if it is not known yet.
    pub fn practises(&self, decisive: bool) -> bool {
        match &self.engine {
            Engine::Bits(engine) => engine.practises(decisive),
            Engine::Relational(_) => false,
        }
    }

    /// Scratch for up to `width` states at once.
    ///
    /// # Panics
    /// If `width` is 0.
    pub fn lanes(&self, width: usize) -> Lanes<'_> {
        assert!(width > 0, "lanes hold at least one state");
        let scratch = match &self.engine {
            Engine::Relational(engine) => Scratch::Relational(Box::new(engine.scratch(width))),
            Engine::Bits(engine) => Scratch::Bits(engine.scratch(width)),
        };
        Lanes { roles: self.roles.len(), scratch }
    }

    /// A move as the sheet writes it, e.g. `(mark 1 1)`.
    pub fn move_text(&self, id: MoveId) -> String {
        match &self.engine {
            Engine::Relational(engine) => engine.move_text(id),
            Engine::Bits(engine) => engine.move_text(id),
        }
    }

    /// The move with this text; blanks and, in sheets that do not tell cases apart, letter case do not matter.
    /// Any well-formed ground term over the sheet's symbols is accepted, legal or not.
    pub fn find_move(&self, text: &str) -> Result<MoveId, Error> {
        match &self.engine {
            Engine::Relational(engine) => engine.find_move(text),
            Engine::Bits(engine) => engine.find_move(text),
        }
    }

    /// A goal value as the sheet writes it.
    pub fn goal_text(&self, id: GoalId) -> String {
        match &self.engine {
            Engine::Relational(engine) => engine.goal_text(id),
            Engine::Bits(engine) => engine.goal_text(id),
        }
    }

    /// A goal value as a number, if it is an integer in 0..=100.
    pub fn goal_points(&self, id: GoalId) -> Option<u8> {
        ludens_gdl::points(&self.goal_text(id))
    }

    /// The least and the most points that a role can ever have, as far as the rules' goal values tell.
    pub fn range(&self, role: RoleId) -> (u8, u8) {
        match &self.engine {
            Engine::Relational(_) => (0, 100),
            Engine::Bits(engine) => engine.range(role),
        }
    }

    /// The fluents that hold in a state, e.g. `(cell 1 1 b)`, sorted as text.
    pub fn fluents(&self, state: &State) -> Vec<String> {
        match &self.engine {
            Engine::Relational(engine) => engine.fluents(state),
            Engine::Bits(engine) => engine.fluents(state),
        }
    }

    /// The state in which exactly these fluents hold.
    pub fn state_of<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Result<State, Error> {
        match &self.engine {
            Engine::Relational(engine) => engine.state_of(fluents),
            Engine::Bits(engine) => engine.state_of(fluents),
        }
    }
}

/// Up to `width` states in hand, and the scratch to work on them. Belongs to one thread.
///
/// The order of calls: [`load`](Lanes::load) some lanes, [`evaluate`](Lanes::evaluate), read
/// [`terminal`](Lanes::terminal), [`legal`](Lanes::legal) and goals, [`play`](Lanes::play) a joint move in the lanes that
/// shall go on, [`advance`](Lanes::advance), evaluate again. After an error the lanes must be loaded anew.
#[derive(Debug)]
pub struct Lanes<'m> {
    roles: usize,
    scratch: Scratch<'m>,
}

#[derive(Debug)]
enum Scratch<'m> {
    Relational(Box<relational::Scratch<'m>>),
    Bits(bits::Scratch<'m>),
}

impl Lanes<'_> {
    /// How many states fit.
    pub fn width(&self) -> usize {
        match &self.scratch {
            Scratch::Relational(scratch) => scratch.width(),
            Scratch::Bits(scratch) => scratch.width(),
        }
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.roles
    }

    /// Puts a state into a lane. It must be evaluated before it can be asked anything.
    pub fn load(&mut self, lane: usize, state: &State) {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.load(lane, state),
            Scratch::Bits(scratch) => scratch.load(lane, state.words()),
        }
    }

    /// Takes the state out of a lane; `evaluate` and `advance` pass over it.
    pub fn unload(&mut self, lane: usize) {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.unload(lane),
            Scratch::Bits(scratch) => scratch.unload(lane),
        }
    }

    /// Finds out for every loaded lane whether its state is terminal and, where it is not, which moves are legal.
    pub fn evaluate(&mut self) -> Result<(), Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.evaluate(false),
            Scratch::Bits(scratch) => {
                scratch.evaluate(false);
                Ok(())
            }
        }
    }

    /// As [`evaluate`](Lanes::evaluate), but where it can be told which legal moves matter, these alone are listed: those that win at once, where there are
    /// any, else those that let nobody else win at once, where there are any. See [`Machine::narrows`].
    pub fn evaluate_narrowly(&mut self) -> Result<(), Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.evaluate(false),
            Scratch::Bits(scratch) => {
                scratch.evaluate_narrowly();
                Ok(())
            }
        }
    }

    /// As [`evaluate`](Lanes::evaluate), with the legal moves of terminal states too: what the rules say there, which
    /// players never need and checkers compare.
    pub fn evaluate_fully(&mut self) -> Result<(), Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.evaluate(true),
            Scratch::Bits(scratch) => {
                scratch.evaluate(true);
                Ok(())
            }
        }
    }

    /// Whether the match is over in this lane.
    pub fn terminal(&self, lane: usize) -> bool {
        match &self.scratch {
            Scratch::Relational(scratch) => scratch.terminal(lane),
            Scratch::Bits(scratch) => scratch.terminal(lane),
        }
    }

    /// The legal moves of a role in this lane, each once, in ascending order of their numbers: the order in which the machine first met
    /// them, so the same calls in the same order give the same lists.
    pub fn legal(&self, lane: usize, role: RoleId) -> &[MoveId] {
        match &self.scratch {
            Scratch::Relational(scratch) => scratch.legal(lane, role),
            Scratch::Bits(scratch) => scratch.legal(lane, role),
        }
    }

    /// Every goal value the rules give a role in this lane's state, terminal or not: each once, sorted as text.
    pub fn goals(&mut self, lane: usize, role: RoleId) -> Result<Vec<GoalId>, Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.goals(lane, role),
            Scratch::Bits(scratch) => Ok(scratch.goals(lane, role)),
        }
    }

    /// The points of a role in this lane's state. Where the rules give none, 0; where they give several, the smallest;
    /// values that are not integers in 0..=100 do not count.
    pub fn points(&mut self, lane: usize, role: RoleId) -> Result<u8, Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.points(lane, role),
            Scratch::Bits(scratch) => Ok(scratch.points(lane, role)),
        }
    }

    /// Chooses the joint move of a lane, one move per role, in the order of the roles.
    ///
    /// # Panics
    /// If there are not as many moves as roles.
    pub fn play(&mut self, lane: usize, joint: &[MoveId]) {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.play(lane, joint),
            Scratch::Bits(scratch) => scratch.play(lane, joint),
        }
    }

    /// Replaces the state of every lane that has a joint move by its successor.
    pub fn advance(&mut self) -> Result<(), Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.advance(),
            Scratch::Bits(scratch) => {
                scratch.advance();
                Ok(())
            }
        }
    }

    /// The state of a lane.
    ///
    /// # Panics
    /// If the lane is not loaded.
    pub fn state(&self, lane: usize) -> State {
        match &self.scratch {
            Scratch::Relational(scratch) => scratch.state(lane),
            Scratch::Bits(scratch) => scratch.state(lane),
        }
    }

    /// Puts states, given by their words, into the first lanes, one after the other, and empties all others. They may be advanced at once.
    ///
    /// # Panics
    /// If there are more states than lanes.
    pub fn load_all(&mut self, states: &[&[u64]]) {
        assert!(states.len() <= self.width(), "a lane for every state");
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.load_all(states.iter().copied()),
            Scratch::Bits(scratch) => scratch.load_all(states),
        }
    }

    /// Puts one state, given by its words, into the first `count` lanes, and empties all others. They may be advanced at once.
    ///
    /// # Panics
    /// If there are not so many lanes.
    pub fn load_copies(&mut self, words: &[u64], count: usize) {
        assert!(count <= self.width(), "a lane for every copy");
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.load_all(std::iter::repeat_n(words, count)),
            Scratch::Bits(scratch) => scratch.load_copies(words, count),
        }
    }

    /// As [`evaluate`](Lanes::evaluate), but legal moves are not listed: ends and goals alone may be asked.
    pub fn evaluate_ends(&mut self) -> Result<(), Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.evaluate(false),
            Scratch::Bits(scratch) => {
                scratch.evaluate_ends();
                Ok(())
            }
        }
    }

    /// Appends the words of a lane's state to a list.
    ///
    /// # Panics
    /// If the lane is not loaded.
    pub fn store(&self, lane: usize, words: &mut Vec<u64>) {
        match &self.scratch {
            Scratch::Relational(scratch) => words.extend_from_slice(scratch.state(lane).words()),
            Scratch::Bits(scratch) => scratch.store(lane, words),
        }
    }

    /// How many words every state is made of; `None` where states differ in that.
    pub fn words_per_state(&self) -> Option<usize> {
        match &self.scratch {
            Scratch::Relational(_) => None,
            Scratch::Bits(scratch) => Some(scratch.words()),
        }
    }

    /// Appends the words of the states of the first `count` lanes to a list, one state after the other; [`words_per_state`](Lanes::words_per_state)
    /// tells where each begins. Faster than to [`store`](Lanes::store) more than a few lanes one by one.
    ///
    /// # Panics
    /// If one of these lanes is not loaded.
    pub fn store_all(&self, count: usize, words: &mut Vec<u64>) {
        match &self.scratch {
            Scratch::Relational(_) => (0..count).for_each(|lane| self.store(lane, words)),
            Scratch::Bits(scratch) => scratch.store_all(count, words),
        }
    }

    /// Appends, for each of some fluents, in which lanes it holds: those of so many words of 64 lanes, from `first` on, which is a multiple of 64.
    /// Lanes that are not loaded say nothing.
    ///
    /// # Panics
    /// If states are not made of bits.
    pub fn columns<const PARTS: usize>(&self, first: usize, fluents: &[u32], columns: &mut Vec<[u64; PARTS]>) {
        match &self.scratch {
            Scratch::Relational(_) => unreachable!("only states of bits have fluents by number"),
            Scratch::Bits(scratch) => scratch.columns(first, fluents, columns),
        }
    }

    /// Writes the sums of the first `count` lanes: lane after lane, all sums of each. Answers whether what lines add is among them: it is where machine code
    /// adds them up, which is not everywhere.
    ///
    /// # Panics
    /// If states are not made of bits, or if `sums` does not have room for as many numbers as lanes times sums.
    pub fn weigh(&mut self, count: usize, weights: &Weights, sums: &mut [f32]) -> bool {
        match &mut self.scratch {
            Scratch::Relational(_) => unreachable!("only states of bits have fluents by number"),
            Scratch::Bits(scratch) => scratch.weigh(count, weights, sums),
        }
    }

    /// Appends the [`points`](Lanes::points) of the first `count` lanes to a list: lane after lane, of every role. Those of lanes that are not loaded
    /// say nothing.
    pub fn points_all(&mut self, count: usize, points: &mut Vec<u8>) -> Result<(), Error> {
        match &mut self.scratch {
            Scratch::Relational(scratch) => scratch.points_all(count, points),
            Scratch::Bits(scratch) => {
                scratch.points_all(count, points);
                Ok(())
            }
        }
    }

    /// Random playouts from some states, given by their words, summed up state by state; in as many lanes as the processor has, whatever the width
    /// of these, where the engine can, which then plays more than were asked for rather than leave lanes empty. `stop` is asked every few
    /// plies whether to give up: what has ended by then counts, and the answer is false. What the lanes hold is lost.
    pub fn rollouts(
        &mut self,
        asked: &Rollouts<'_>,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        totals: &mut Totals,
    ) -> Result<bool, Error> {
        totals.clear(asked.starts.len(), self.roles);
        match &mut self.scratch {
            Scratch::Relational(scratch) => {
                scratch.load_all(std::iter::empty());
                rollouts_one_by_one(self, asked, random, stop, totals)
            }
            Scratch::Bits(scratch) => Ok(scratch.rollouts(asked, random, stop, totals, None)),
        }
    }

    /// As [`rollouts`](Lanes::rollouts), but playouts that have not come to their end after so many joint moves are cut short; where that happened is
    /// kept in `cuts`, and those playouts are not among the totals.
    pub fn cut_rollouts(
        &mut self,
        asked: &Rollouts<'_>,
        plies: u32,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        totals: &mut Totals,
        cuts: &mut Cuts,
    ) -> Result<bool, Error> {
        totals.clear(asked.starts.len(), self.roles);
        cuts.clear();
        match &mut self.scratch {
            Scratch::Relational(scratch) => {
                scratch.load_all(std::iter::empty());
                cut_one_by_one(self, asked, plies, random, stop, totals, cuts)
            }
            Scratch::Bits(scratch) => Ok(scratch.rollouts(asked, random, stop, totals, Some((plies, cuts)))),
        }
    }

    /// How much the transposition table is used; `None` where there is none.
    pub fn table_use(&self) -> Option<relational::TableUse> {
        match &self.scratch {
            Scratch::Relational(scratch) => scratch.table_use(),
            Scratch::Bits(_) => None,
        }
    }

    /// `count` random playouts from a state, in all lanes at once where the engine can; `None` where it cannot. What the lanes hold does not matter
    /// and stays.
    pub fn playouts(&self, from: &State, count: u64, max_plies: u64, random: &mut Random) -> Option<bits::Tally> {
        match &self.scratch {
            Scratch::Relational(_) => None,
            Scratch::Bits(scratch) => Some(scratch.playouts(from, count, max_plies, random)),
        }
    }

    /// Random playouts from several states, in all lanes at once where the engine can. `ended` hears of each as its points become known, in no
    /// particular order. What the lanes hold is lost.
    pub fn reports(&mut self, request: &Request<'_>, random: &mut Random, ended: &mut dyn FnMut(Ended<'_>)) -> Result<(), Error> {
        match &self.scratch {
            Scratch::Relational(_) => {
                (0..self.width()).for_each(|lane| self.unload(lane));
                let roles = self.roles;
                one_by_one(self, roles, request, random, ended)
            }
            Scratch::Bits(scratch) => {
                scratch.reports(request, random, ended);
                Ok(())
            }
        }
    }
}

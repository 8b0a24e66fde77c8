//! The fast engine: the rules as a boolean network, evaluated for many states at once, one bit of a word per state.
//!
//! `layout` orders the gates into programs and gives every value a slot; `exec` carries programs out; `select` chooses random moves in all
//! lanes; `scratch` is what a thread works on, `block` the lanes of one word.

mod adders;
mod block;
mod book;
mod clock;
mod cones;
mod exec;
mod interpreted;
mod layout;
mod native;
mod phase;
mod playouts;
mod pool;
mod practice;
mod rollouts;
mod scratch;
mod select;
mod sizes;
mod transpose;
mod weigh;
mod word;

pub use book::Tally;
pub use native::CodeSizes;
pub(crate) use native::SumCodes;
pub use scratch::Scratch;
pub use sizes::{LayoutSizes, ProgramSizes};

use crate::{Error, GoalId, Manner, MoveId, RoleId, State};
use cones::Cones;
use exec::Processor;
use layout::{Layout, Wire};
use ludens_gdl::{Rules, parse_ground};
use ludens_ground::Net;
use native::{Answers, Native, Target};
use phase::{Phase, Values};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;
use word::Word;

pub(crate) use adders::{Adders, MOST_BITS, bits as bits_of_sum};
pub(crate) use weigh::TOGETHER;

/// Does a job with all instructions of this machine's processor.
#[inline]
pub(crate) fn run<J: crate::vector::Job>(job: J) -> J::Output {
    exec::on(Processor::detect(), job)
}

/// Adds numbers to those of 64 sums for which their bits are set.
pub(crate) fn add_where(numbers: &[(u64, f32)], sums: &mut [f32; TOGETHER]) {
    weigh::add(Processor::detect(), numbers, sums);
}

/// The engine: a network laid out, and the names of its inputs and outputs.
#[derive(Debug)]
pub struct Bits {
    processor: Processor,
    /// The whole network, for states of any phase.
    whole: Phase,
    /// What random play runs on, where a state is of one of the phases.
    plain: Track,
    /// The same with wins not passed over, made when it is first asked for; none where they cannot be told at little expense.
    decisive: OnceLock<Option<Track>>,
    /// These two with moves that do well in random play more likely than others, made when they are first asked for; none where no move is.
    practised: [OnceLock<Option<Track>>; 2],
    /// Programs for single questions, made when the first is asked.
    cones: OnceLock<Cones>,
    /// The same as machine code, per target.
    answers: [OnceLock<Option<Answers>>; 3],
    /// Where that leaves its answers: goals, and per role the points.
    straight: (Vec<Wire>, Vec<Values>),
    fluents: Names,
    moves: Names,
    goals: Names,
    /// Per role: its moves, ascending, and where they are played and read.
    roles: Vec<RoleMoves>,
    /// Per role: its goal values sorted as text, and which of the network's goals they are.
    values: Vec<Vec<(GoalId, usize)>>,
    initial: State,
    role_names: Vec<String>,
    case_sensitive: bool,
}

/// The phases that matches go through.
#[derive(Debug)]
struct Track {
    phases: Vec<Phase>,
    /// The same as machine code, per target, made when it is first asked for; none where it cannot be.
    native: [OnceLock<Option<Native>>; 3],
    /// Per phase: what is legal, by machine code, per target, likewise.
    moves: Vec<[OnceLock<Option<Answers>>; 3]>,
}

impl Track {
    /// With all moves as likely, or with such weights, as powers of two.
    fn new(phases: Vec<ludens_ground::Phase>, shifts: &[u8]) -> Track {
        let moves = phases.iter().map(|_| Default::default()).collect();
        Track { phases: Phase::all(phases, shifts), native: Default::default(), moves }
    }

    /// Machine code for what is legal in a phase, with words of so many lanes.
    fn moves(&self, phase: usize, processor: Processor, lanes: usize) -> Option<&Answers> {
        let target = processor.target(lanes)?;
        self.moves[phase][target as usize].get_or_init(|| Answers::of_moves(target, &self.phases[phase].net)).as_ref()
    }

    /// What it was made of.
    fn grounded(&self) -> Vec<ludens_ground::Phase> {
        let phase = |phase: &Phase| ludens_ground::Phase { known: phase.known.clone(), net: phase.net.clone() };
        self.phases.iter().map(phase).collect()
    }

    /// Machine code for words of so many lanes.
    fn native(&self, engine: &Bits, lanes: usize) -> Option<(Target, &Native)> {
        let target = engine.processor.target(lanes)?;
        let native = self.native[target as usize].get_or_init(|| Native::new(target, &self.phases, &engine.whole));
        native.as_ref().map(|native| (target, native))
    }
}

/// Texts by number, and the other way round.
#[derive(Debug, Default)]
struct Names {
    texts: Vec<String>,
    numbers: FxHashMap<String, u32>,
}

#[derive(Debug, Default)]
struct RoleMoves {
    ids: Vec<MoveId>,
    legal: Vec<Wire>,
    /// Where machine code leaves that.
    straight: Vec<Wire>,
    /// By the number of a move: the slot where it is played, or [`NOWHERE`].
    does: Vec<u32>,
}

/// No slot.
const NOWHERE: u32 = u32::MAX;

impl Names {
    /// The number of a text, new if need be; `key` is how it is looked up.
    fn number(&mut self, text: &str, key: String) -> u32 {
        let texts = &mut self.texts;
        *self.numbers.entry(key).or_insert_with(|| {
            texts.push(text.to_owned());
            texts.len() as u32 - 1
        })
    }
}

impl Bits {
    pub(crate) fn new(rules: &Rules, limits: &ludens_ground::Limits) -> Result<Bits, Error> {
        let net = ludens_ground::ground(rules, limits)?;
        Ok(Bits::of(net, rules.case_sensitive))
    }

    fn of(net: Net, case_sensitive: bool) -> Bits {
        let plain = Track::new(ludens_ground::phases(&net), &[]);
        let whole = Phase::whole(net);
        let (layout, net) = (&whole.layout, &whole.net);
        let fold = |text: &str| folded(text, case_sensitive);
        let mut fluents = Names::default();
        let mut initial = vec![0_u64; net.fluents.len().div_ceil(64)];
        for fluent in &net.fluents {
            let number = fluents.number(&fluent.text, fold(&fluent.text)) as usize;
            initial[number / 64] |= u64::from(fluent.initial) << (number % 64);
        }
        let mut moves = Names::default();
        let mut roles: Vec<Vec<(MoveId, Wire, u32)>> = vec![Vec::new(); net.roles.len()];
        for (index, known) in net.moves.iter().enumerate() {
            let id = MoveId(moves.number(&known.text, fold(&known.text)));
            roles[known.role as usize].push((id, layout.legal[index], layout.does + index as u32));
        }
        let mut goals = Names::default();
        let mut values: Vec<Vec<(GoalId, usize)>> = vec![Vec::new(); net.roles.len()];
        for (index, goal) in net.goals.iter().enumerate() {
            let id = GoalId(goals.number(&goal.text, fold(&goal.text)));
            values[goal.role as usize].push((id, index));
        }
        for values in &mut values {
            values.sort_by(|(one, _), (two, _)| goals.texts[one.0 as usize].cmp(&goals.texts[two.0 as usize]));
        }
        let straight = Wire::straight(net.goals.len());
        let points = (0..net.roles.len()).map(|role| phase::values(net, role, &straight)).collect();
        let straight = (straight, points);
        let lay_out = |mut list: Vec<(MoveId, Wire, u32)>| {
            list.sort_by_key(|(id, ..)| *id);
            let mut role = RoleMoves { does: vec![NOWHERE; moves.texts.len()], ..RoleMoves::default() };
            for (id, legal, does) in list {
                role.ids.push(id);
                role.legal.push(legal);
                role.straight.push(Wire { slot: does - layout.does, inverted: false });
                role.does[id.0 as usize] = does;
            }
            role
        };
        let roles = roles.into_iter().map(lay_out).collect();
        Bits {
            processor: Processor::detect(),
            plain,
            decisive: OnceLock::new(),
            practised: Default::default(),
            cones: OnceLock::new(),
            answers: Default::default(),
            straight,
            roles,
            fluents,
            moves,
            goals,
            values,
            initial: State(initial.into()),
            role_names: net.roles.clone(),
            case_sensitive,
            whole,
        }
    }

    pub(crate) fn role_names(&self) -> Vec<String> {
        self.role_names.clone()
    }

    pub(crate) fn initial(&self) -> State {
        self.initial.clone()
    }

    /// The most points that a role can have; the least is always none, as where the rules give none.
    pub(crate) fn range(&self, role: RoleId) -> (u8, u8) {
        let texts = self.values[role.0 as usize].iter().map(|(id, _)| &self.goals.texts[id.0 as usize]);
        let points = texts.filter_map(|text| ludens_gdl::points(text));
        (0, points.max().unwrap_or(0))
    }

    pub(crate) fn net(&self) -> &Net {
        &self.whole.net
    }

    /// Where things are when nothing is known of a state.
    fn layout(&self) -> &Layout {
        &self.whole.layout
    }

    /// Programs for single questions.
    fn cones(&self) -> &Cones {
        self.cones.get_or_init(|| Cones::new(&self.whole.net))
    }

    pub(crate) fn move_text(&self, id: MoveId) -> String {
        self.moves.texts[id.0 as usize].clone()
    }

    pub(crate) fn goal_text(&self, id: GoalId) -> String {
        self.goals.texts[id.0 as usize].clone()
    }

    pub(crate) fn find_move(&self, text: &str) -> Result<MoveId, Error> {
        Ok(MoveId(self.find(&self.moves, "move", text)?))
    }

    fn find(&self, names: &Names, what: &'static str, text: &str) -> Result<u32, Error> {
        let term = parse_ground(text).ok().map(|term| folded(&term.to_string(), self.case_sensitive));
        let number = term.and_then(|term| names.numbers.get(&term).copied());
        number.ok_or_else(|| Error::Unknown { what, text: text.to_owned() })
    }

    pub(crate) fn fluent_texts(&self) -> &[String] {
        &self.fluents.texts
    }

    pub(crate) fn fluents(&self, state: &State) -> Vec<String> {
        let holds = |number: &usize| state.holds(*number);
        let mut texts: Vec<String> =
            (0..self.fluents.texts.len()).filter(holds).map(|number| self.fluents.texts[number].clone()).collect();
        texts.sort_unstable();
        texts
    }

    pub(crate) fn state_of<'t>(&self, fluents: impl IntoIterator<Item = &'t str>) -> Result<State, Error> {
        let mut words = vec![0_u64; self.fluents.texts.len().div_ceil(64)];
        for text in fluents {
            let number = self.find(&self.fluents, "fluent", text)? as usize;
            words[number / 64] |= 1 << (number % 64);
        }
        Ok(State(words.into()))
    }

    /// The phase that a state is of, if it is of any.
    fn phase_of(&self, words: &[u64]) -> Option<usize> {
        self.plain.phases.iter().position(|phase| phase.fits(words))
    }

    /// The state of a lane, where some fluents are known.
    fn state_in<W: Word>(&self, known: &[Option<bool>], fluents: &[W], lane: usize) -> State {
        let mut words = vec![0_u64; self.fluents.texts.len().div_ceil(64)];
        for (fluent, (known, word)) in known.iter().zip(fluents).enumerate() {
            words[fluent / 64] |= u64::from(known.unwrap_or_else(|| word.bit(lane))) << (fluent % 64);
        }
        State(words.into())
    }

    /// Machine code for random play with words of so many lanes.
    fn native(&self, lanes: usize) -> Option<(Target, &Native)> {
        self.plain.native(self, lanes)
    }

    /// The phases with wins not passed over, where these can be told.
    fn decisive(&self) -> Option<&Track> {
        let decide = || ludens_ground::decisive(&self.whole.net, &self.plain.grounded()).map(|phases| Track::new(phases, &[]));
        self.decisive.get_or_init(decide).as_ref()
    }

    /// Whether moves that matter can be told from others, in a game of two where one loses what the other wins.
    pub(crate) fn narrows(&self) -> bool {
        ludens_ground::is_duel(&self.whole.net) && self.decisive().is_some()
    }

    /// What random play in that manner runs on, where it can be had.
    fn track(&self, manner: Manner) -> &Track {
        let decided = if manner.decisive { self.decisive() } else { None };
        let track = decided.unwrap_or(&self.plain);
        if !manner.practised {
            return track;
        }
        self.practised(track, decided.is_some()).unwrap_or(track)
    }

    /// The same with what practice has shown, if anything. There is one such track for each of two, of which one is decisive.
    fn practised(&self, track: &Track, is_decisive: bool) -> Option<&Track> {
        self.practised[usize::from(is_decisive)].get_or_init(|| practice::practised(self, track)).as_ref()
    }

    /// Whether practice makes a difference to random play that is decisive, or not.
    pub(crate) fn practises(&self, decisive: bool) -> bool {
        let track = self.track(Manner { decisive, practised: false });
        self.practised(track, !std::ptr::eq(track, &raw const self.plain)).is_some()
    }

    /// The same and its machine code, if there is any. Where only what passes over wins becomes code, that is preferred.
    fn track_and_code(&self, manner: Manner, lanes: usize) -> (&Track, Option<(Target, &Native)>) {
        let wanted = self.track(manner);
        match wanted.native(self, lanes) {
            None => self.native(lanes).map_or((wanted, None), |code| (&self.plain, Some(code))),
            code => (wanted, code),
        }
    }

    /// Machine code for single questions, with words of so many lanes.
    fn answers(&self, lanes: usize) -> Option<&Answers> {
        let target = self.processor.target(lanes)?;
        self.answers[target as usize].get_or_init(|| Answers::new(target, &self.whole.net)).as_ref()
    }

    /// Makes ready what random play needs in lanes of some width, and what questions about many states need.
    pub(crate) fn prepare(&self, width: usize) {
        // Rollouts are played in the widest words.
        let widest = self.processor.lanes();
        for lanes in [widest, scratch::lanes_of_block(width, self.processor)] {
            self.native(lanes);
        }
        self.prepare_manner(Manner { decisive: true, practised: false });
        if self.answers(scratch::lanes_of_block(width, self.processor)).is_none() {
            self.cones();
        }
    }

    /// Makes ready what rollouts in that manner need.
    pub(crate) fn prepare_manner(&self, manner: Manner) {
        self.track(manner).native(self, self.processor.lanes());
    }

    pub(crate) fn scratch(&self, width: usize) -> Scratch<'_> {
        Scratch::new(self, width)
    }
}

impl State {
    /// Whether a fluent holds, by its number.
    fn holds(&self, fluent: usize) -> bool {
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }
}

/// What a wire carries.
#[inline(always)]
fn value<W: Word>(slots: &[W], wire: Wire) -> W {
    let word = slots[wire.slot as usize];
    if wire.inverted { word.not() } else { word }
}

/// How a text is looked up: letter case does not matter unless the sheet tells cases apart.
fn folded(text: &str, case_sensitive: bool) -> String {
    if case_sensitive { text.to_owned() } else { text.to_ascii_lowercase() }
}

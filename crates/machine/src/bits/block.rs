//! The states of one word's lanes, and what is done with them.

use super::exec::{Execute, dispatch, on};
use super::layout::{Layout, Program, Wire};
use super::native::{Question, Sheet, SumCode};
use super::phase::{Copies, Phase, Values};
use super::transpose::{fill, read, read_one};
use super::weigh::{Room, Weigh};
use super::word::{Word, each_lane};
use super::{Bits, NOWHERE, value};
use crate::vector::Job;
use crate::{GoalId, MoveId, Weights};

/// What the slots hold besides the fluents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// Nothing that is of use.
    Nothing,
    /// What the program for legal moves and the end found, except for lanes that were loaded after that.
    Some,
    /// The same for all lanes.
    All,
}

/// Where the goals are to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Judged {
    No,
    /// Where they are after all other questions. These slots are used again that legal moves and the end have been read from.
    Whole,
    /// Where they are when nothing else was asked.
    Alone,
    /// Where machine code leaves them.
    Coded,
}

/// The slots of up to as many states as a word has bits.
#[derive(Debug)]
pub(super) struct Block<W> {
    slots: Vec<W>,
    /// What machine code answered, where there is any.
    sheet: Sheet<W>,
    pub(super) loaded: W,
    playing: W,
    pub(super) terminal: W,
    found: Found,
    judged: Judged,
    /// Room for successors that are fluents themselves: all are read before any is written.
    spare: Vec<W>,
    /// What adders work on.
    room: Room<W>,
    /// Lane after lane, role after role: the slot of the move chosen.
    joints: Vec<u32>,
    /// Slots of moves that were played in some lane, and are to be cleared before others are.
    played: Vec<u32>,
    /// Lane after lane, role after role.
    legal: Vec<Vec<MoveId>>,
}

impl<W: Word> Block<W> {
    fn new(engine: &Bits) -> Block<W> {
        let mut slots = vec![W::ZERO; engine.layout().slots];
        slots[0] = W::ONES;
        let choices = W::LANES * engine.roles.len();
        Block {
            slots,
            sheet: Sheet::new(),
            loaded: W::ZERO,
            playing: W::ZERO,
            terminal: W::ZERO,
            found: Found::Nothing,
            judged: Judged::No,
            spare: Vec::new(),
            room: Room::new(),
            joints: vec![NOWHERE; choices],
            played: Vec::new(),
            legal: vec![Vec::new(); choices],
        }
    }

    pub(super) fn many(engine: &Bits, width: usize) -> Vec<Block<W>> {
        (0..width.div_ceil(W::LANES)).map(|_| Block::new(engine)).collect()
    }

    fn fluents(&self, engine: &Bits) -> &[W] {
        let layout = engine.layout();
        &self.slots[layout.fluents as usize..layout.does as usize]
    }

    fn fluents_mut(&mut self, engine: &Bits) -> &mut [W] {
        let layout = engine.layout();
        &mut self.slots[layout.fluents as usize..layout.does as usize]
    }

    pub(super) fn load(&mut self, engine: &Bits, lane: usize, words: &[u64]) {
        for (fluents, word) in self.fluents_mut(engine).chunks_mut(64).zip(words) {
            for (at, fluent) in fluents.iter_mut().enumerate() {
                fluent.set_bit(lane, word >> at & 1 == 1);
            }
        }
        self.loaded.set_bit(lane, true);
        self.playing.set_bit(lane, false);
        if self.found == Found::All {
            self.found = Found::Some;
        }
    }

    pub(super) fn unload(&mut self, lane: usize) {
        self.loaded.set_bit(lane, false);
    }

    /// Nothing is known of these lanes, which are the only ones loaded.
    fn begin(&mut self, lanes: W) {
        (self.loaded, self.playing) = (lanes, W::ZERO);
        (self.found, self.judged) = (Found::Nothing, Judged::No);
    }

    pub(super) fn load_all(&mut self, engine: &Bits, states: &[&[u64]]) {
        self.begin(first(states.len()));
        let lanes = self.loaded;
        on(engine.processor, Fill { fluents: self.fluents_mut(engine), lanes, row: |lane: usize| states[lane] });
    }

    pub(super) fn load_copies(&mut self, engine: &Bits, words: &[u64], count: usize) {
        self.begin(first(count));
        if count > 0 {
            for (fluents, word) in self.fluents_mut(engine).chunks_mut(64).zip(words) {
                for (at, fluent) in fluents.iter_mut().enumerate() {
                    *fluent = if word >> at & 1 == 1 { W::ONES } else { W::ZERO };
                }
            }
        }
    }

    pub(super) fn store(&self, engine: &Bits, lane: usize, words: &mut Vec<u64>) {
        read_one(self.fluents(engine), lane, words);
    }

    /// The words of the first lanes, one after the other.
    pub(super) fn store_all(&self, engine: &Bits, rows: &mut [u64]) {
        on(engine.processor, Read { fluents: self.fluents(engine), rows });
    }

    /// In which of 64 lanes each of some fluents holds.
    pub(super) fn column(&self, engine: &Bits, part: usize, fluents: &[u32]) -> impl Iterator<Item = u64> {
        let all = self.fluents(engine);
        fluents.iter().map(move |&fluent| all[fluent as usize].part(part))
    }

    /// The sums of the first lanes; with lines where there is code.
    pub(super) fn weigh(&mut self, engine: &Bits, weights: &Weights, code: Option<&SumCode>, sums: &mut [f32]) {
        let layout = engine.layout();
        let fluents = &self.slots[layout.fluents as usize..layout.does as usize];
        dispatch::<W, _>(Weigh { fluents, weights, code, room: &mut self.room, sums });
    }

    /// Asks machine code, if there is any; answers which lanes are over, if that was asked.
    fn ask(&mut self, engine: &Bits, question: Question) -> Option<W> {
        let layout = engine.layout();
        let states = &self.slots[layout.fluents as usize..layout.does as usize + engine.whole.net.moves.len()];
        engine.answers(W::LANES).map(|answers| answers.ask(question, states, &mut self.sheet))
    }

    /// Carries out a program of a layout.
    fn run(&mut self, layout: &Layout, program: &Program) {
        // Programs read and write slots without asking.
        if self.slots.len() < layout.slots {
            self.slots.resize(layout.slots, W::ZERO);
        }
        dispatch::<W, _>(Execute { program, slots: &mut self.slots });
    }

    fn end(&self, layout: &Layout) -> W {
        layout.terminal.map_or(W::ZERO, |wire| value(&self.slots, wire))
    }

    /// Evaluates all lanes: whether they are over and, where they are not or it is asked for all the same, what is legal.
    pub(super) fn evaluate(&mut self, engine: &Bits, fully: bool) {
        let over = self.ask(engine, Question::Moves);
        (self.found, self.judged) = (Found::Nothing, Judged::No);
        self.terminal = over.unwrap_or_else(|| {
            let layout = engine.layout();
            self.run(layout, &layout.state);
            self.found = Found::All;
            self.end(layout)
        });
        let wanted = if fully { self.loaded } else { self.loaded.and_not(self.terminal) };
        let roles = engine.roles.len();
        each_lane(self.loaded, |lane| self.legal[lane * roles..(lane + 1) * roles].iter_mut().for_each(Vec::clear));
        let row = if over.is_some() { &self.sheet.answers } else { &self.slots };
        let wires = if over.is_some() { Wires::Code } else { Wires::Whole };
        dispatch::<W, _>(List { engine, row, wires, wanted, legal: &mut self.legal });
    }

    /// As `evaluate`, with those legal moves alone that are decisive, where all lanes are of one phase in which these are known.
    pub(super) fn evaluate_narrowly(&mut self, engine: &Bits) {
        let track = engine.decisive();
        let Some((index, phase)) =
            track.and_then(|track| track.phases.iter().enumerate().find(|(_, phase)| self.is_of(engine, phase)))
        else {
            self.evaluate(engine, false);
            return;
        };
        let layout = engine.layout();
        let states = &self.slots[layout.fluents as usize..layout.does as usize + engine.whole.net.moves.len()];
        let code = track.and_then(|track| track.moves(index, engine.processor, W::LANES));
        let over = code.map(|code| code.ask(Question::Moves, states, &mut self.sheet));
        (self.found, self.judged) = (Found::Nothing, Judged::No);
        self.terminal = over.unwrap_or_else(|| {
            self.run(&phase.layout, &phase.layout.state);
            self.end(&phase.layout)
        });
        let wanted = self.loaded.and_not(self.terminal);
        let roles = engine.roles.len();
        each_lane(self.loaded, |lane| self.legal[lane * roles..(lane + 1) * roles].iter_mut().for_each(Vec::clear));
        let row = if over.is_some() { &self.sheet.answers } else { &self.slots };
        let wires = if over.is_some() { Wires::Code } else { Wires::Phase(&phase.layout) };
        dispatch::<W, _>(List { engine, row, wires, wanted, legal: &mut self.legal });
    }

    /// Whether all loaded lanes can be of a phase.
    fn is_of(&self, engine: &Bits, phase: &Phase) -> bool {
        let known = phase.known.iter().zip(self.fluents(engine)).filter_map(|(known, word)| Some((known.as_ref()?, word)));
        known
            .into_iter()
            .all(|(&known, word)| if known { self.loaded.and_not(*word).is_zero() } else { self.loaded.and(*word).is_zero() })
    }

    /// Evaluates all lanes, legal moves left out.
    pub(super) fn evaluate_ends(&mut self, engine: &Bits) {
        if self.found == Found::All {
            return;
        }
        (self.found, self.judged) = (Found::Nothing, Judged::No);
        let over = self.ask(engine, Question::End);
        self.terminal = over.unwrap_or_else(|| {
            let layout = &engine.cones().end;
            self.run(layout, &layout.state);
            self.end(layout)
        });
    }

    pub(super) fn legal(&self, engine: &Bits, lane: usize, role: usize) -> &[MoveId] {
        &self.legal[lane * engine.roles.len() + role]
    }

    /// Finds the goals, once; answers the row in which they are, where there, and where the points of every role are.
    fn judge<'s, 'e: 's>(&'s mut self, engine: &'e Bits) -> (&'s [W], &'e [Wire], &'e [Values]) {
        if self.judged == Judged::No {
            self.judged = if self.found != Found::Nothing {
                let layout = engine.layout();
                self.run(layout, &layout.goals);
                Judged::Whole
            } else if self.ask(engine, Question::Goals).is_some() {
                Judged::Coded
            } else {
                let layout = &engine.cones().goals;
                self.run(layout, &layout.goals);
                Judged::Alone
            };
        }
        match self.judged {
            Judged::Coded => (&self.sheet.answers, &engine.straight.0, &engine.straight.1),
            Judged::Alone => (&self.slots, &engine.cones().goals.goal, &engine.cones().values),
            Judged::Whole | Judged::No => (&self.slots, &engine.layout().goal, &engine.whole.values),
        }
    }

    pub(super) fn goals(&mut self, engine: &Bits, lane: usize, role: usize) -> Vec<GoalId> {
        let (row, wires, _) = self.judge(engine);
        let holds = |index: &usize| value(row, wires[*index]).bit(lane);
        engine.values[role].iter().filter(|(_, index)| holds(index)).map(|(id, _)| *id).collect()
    }

    pub(super) fn points(&mut self, engine: &Bits, lane: usize, role: usize) -> u8 {
        let (row, _, values) = self.judge(engine);
        let holds = |wire: &Wire| row[wire.slot as usize].bit(lane) != wire.inverted;
        values[role].iter().find(|(_, wire)| holds(wire)).map_or(0, |(points, _)| *points)
    }

    /// The points of the first lanes, lane after lane, role after role; there is room for them, filled with nothing.
    pub(super) fn points_all(&mut self, engine: &Bits, points: &mut [u8]) {
        let (row, _, values) = self.judge(engine);
        let roles = engine.roles.len();
        for (role, values) in values.iter().enumerate() {
            let mut open = first::<W>(points.len() / roles);
            for &(value_of, wire) in values {
                let here = value(row, wire).and(open);
                open = open.and_not(here);
                if value_of > 0 {
                    each_lane(here, |lane| points[lane * roles + role] = value_of);
                }
            }
        }
    }

    pub(super) fn play(&mut self, engine: &Bits, lane: usize, joint: &[MoveId]) {
        let first = lane * engine.roles.len();
        for (role, moves) in engine.roles.iter().enumerate() {
            self.joints[first + role] = moves.does.get(joint[role].0 as usize).copied().unwrap_or(NOWHERE);
        }
        self.playing.set_bit(lane, true);
    }

    /// The successors of the lanes that are playing.
    pub(super) fn advance(&mut self, engine: &Bits) {
        let playing = std::mem::replace(&mut self.playing, W::ZERO).and(self.loaded);
        if playing.is_zero() {
            return;
        }
        for slot in self.played.drain(..) {
            self.slots[slot as usize] = W::ZERO;
        }
        let roles = engine.roles.len();
        each_lane(playing, |lane| {
            for &slot in self.joints[lane * roles..(lane + 1) * roles].iter().filter(|slot| **slot != NOWHERE) {
                self.slots[slot as usize].set_bit(lane, true);
                self.played.push(slot);
            }
        });
        // Lanes that are not loaded may become anything.
        let lanes = if self.loaded.and_not(playing).is_zero() { W::ONES } else { playing };
        // What was found out about the states is part of the way to their successors.
        if self.found == Found::All {
            let layout = engine.layout();
            self.run(layout, &layout.next);
            dispatch::<W, _>(Renew { copies: &engine.whole.copies, slots: &mut self.slots, spare: &mut self.spare, lanes });
        } else if self.ask(engine, Question::Successors).is_some() {
            let layout = engine.layout();
            let fluents = &mut self.slots[layout.fluents as usize..layout.does as usize];
            dispatch::<W, _>(Replace { fluents, next: &self.sheet.answers, lanes });
        } else {
            let cones = engine.cones();
            self.run(&cones.successors, &cones.successors.next);
            dispatch::<W, _>(Renew { copies: &cones.copies, slots: &mut self.slots, spare: &mut self.spare, lanes });
        }
        (self.found, self.judged) = (Found::Nothing, Judged::No);
    }
}

/// The first lanes.
fn first<W: Word>(count: usize) -> W {
    let mut lanes = W::ZERO;
    for part in 0..W::LANES / 64 {
        let bits = count.saturating_sub(part * 64);
        lanes.set_part(part, if bits < 64 { (1 << bits) - 1 } else { u64::MAX });
    }
    lanes
}

/// Puts states into lanes.
pub(super) struct Fill<'a, W, R> {
    pub(super) fluents: &'a mut [W],
    pub(super) lanes: W,
    /// The words of a lane's state.
    pub(super) row: R,
}

impl<'r, W: Word, R: Fn(usize) -> &'r [u64]> Job for Fill<'_, W, R> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        fill(self.fluents, self.lanes, self.row);
    }
}

/// Reads the states of the first lanes.
struct Read<'a, W> {
    fluents: &'a [W],
    rows: &'a mut [u64],
}

impl<W: Word> Job for Read<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        read(self.fluents, self.rows);
    }
}

/// Lists the legal moves of some lanes.
struct List<'a, W> {
    engine: &'a Bits,
    /// Slots, or what machine code answered.
    row: &'a [W],
    wires: Wires<'a>,
    wanted: W,
    legal: &'a mut [Vec<MoveId>],
}

/// Where it is to be read what is legal.
#[derive(Clone, Copy)]
enum Wires<'a> {
    /// Where machine code leaves it.
    Code,
    /// In the slots of the whole network.
    Whole,
    /// In those of a phase.
    Phase(&'a Layout),
}

impl<W: Word> Job for List<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let roles = self.engine.roles.len();
        for (role, moves) in self.engine.roles.iter().enumerate() {
            for (at, &id) in moves.ids.iter().enumerate() {
                let wire = match self.wires {
                    Wires::Code => moves.straight[at],
                    Wires::Whole => moves.legal[at],
                    Wires::Phase(layout) => layout.legal[moves.straight[at].slot as usize],
                };
                let word = value(self.row, wire).and(self.wanted);
                if !word.is_zero() {
                    each_lane(word, |lane| self.legal[lane * roles + role].push(id));
                }
            }
        }
    }
}

/// Puts the successors of some lanes in the place of the states.
struct Renew<'a, W> {
    copies: &'a Copies,
    slots: &'a mut [W],
    spare: &'a mut Vec<W>,
    lanes: W,
}

impl<W: Word> Job for Renew<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Renew { copies, slots, spare, lanes } = self;
        spare.clear();
        spare.extend(copies.early.iter().map(|&(_, wire)| value(slots, wire)));
        for &(slot, wire) in &copies.late {
            let next = value(slots, wire);
            let now = &mut slots[slot as usize];
            *now = next.and(lanes).or(now.and_not(lanes));
        }
        for (&next, &(slot, _)) in spare.iter().zip(&copies.early) {
            let now = &mut slots[slot as usize];
            *now = next.and(lanes).or(now.and_not(lanes));
        }
    }
}

/// The same where the successors lie side by side.
struct Replace<'a, W> {
    fluents: &'a mut [W],
    next: &'a [W],
    lanes: W,
}

impl<W: Word> Job for Replace<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        for (now, next) in self.fluents.iter_mut().zip(self.next) {
            *now = next.and(self.lanes).or(now.and_not(self.lanes));
        }
    }
}

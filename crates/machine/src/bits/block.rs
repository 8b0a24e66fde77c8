//! The states of one word's lanes, and what is done with them.

use super::exec::{Execute, Job, dispatch, on};
use super::layout::{Layout, Program, Wire};
use super::phase::{Copies, Values};
use super::transpose::{fill, read, read_one};
use super::word::{Word, each_lane};
use super::{Bits, NOWHERE, value};
use crate::{GoalId, MoveId};

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
}

/// The slots of up to as many states as a word has bits.
#[derive(Debug)]
pub(super) struct Block<W> {
    slots: Vec<W>,
    pub(super) loaded: W,
    playing: W,
    pub(super) terminal: W,
    found: Found,
    judged: Judged,
    /// Room for successors that are fluents themselves: all are read before any is written.
    spare: Vec<W>,
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
            loaded: W::ZERO,
            playing: W::ZERO,
            terminal: W::ZERO,
            found: Found::Nothing,
            judged: Judged::No,
            spare: Vec::new(),
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
        on(engine.processor, Fill { fluents: self.fluents_mut(engine), lanes, states });
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
        let layout = engine.layout();
        self.run(layout, &layout.state);
        (self.found, self.judged) = (Found::All, Judged::No);
        self.terminal = self.end(layout);
        let wanted = if fully { self.loaded } else { self.loaded.and_not(self.terminal) };
        let roles = engine.roles.len();
        each_lane(self.loaded, |lane| self.legal[lane * roles..(lane + 1) * roles].iter_mut().for_each(Vec::clear));
        dispatch::<W, _>(List { engine, slots: &self.slots, wanted, legal: &mut self.legal });
    }

    /// Evaluates all lanes, legal moves left out.
    pub(super) fn evaluate_ends(&mut self, engine: &Bits) {
        if self.found == Found::All {
            return;
        }
        let layout = &engine.cones().end;
        self.run(layout, &layout.state);
        (self.found, self.judged) = (Found::Nothing, Judged::No);
        self.terminal = self.end(layout);
    }

    pub(super) fn legal(&self, engine: &Bits, lane: usize, role: usize) -> &[MoveId] {
        &self.legal[lane * engine.roles.len() + role]
    }

    /// Finds the goals, once; answers where they are, and where the points of every role are.
    fn judge<'e>(&mut self, engine: &'e Bits) -> (&'e [Wire], &'e [Values]) {
        if self.judged == Judged::No && self.found != Found::Nothing {
            let layout = engine.layout();
            self.run(layout, &layout.goals);
            self.judged = Judged::Whole;
        } else if self.judged == Judged::No {
            let layout = &engine.cones().goals;
            self.run(layout, &layout.goals);
            self.judged = Judged::Alone;
        }
        if self.judged == Judged::Alone {
            let cones = engine.cones();
            return (&cones.goals.goal, &cones.values);
        }
        (&engine.layout().goal, &engine.whole.values)
    }

    pub(super) fn goals(&mut self, engine: &Bits, lane: usize, role: usize) -> Vec<GoalId> {
        let (wires, _) = self.judge(engine);
        let holds = |index: &usize| value(&self.slots, wires[*index]).bit(lane);
        engine.values[role].iter().filter(|(_, index)| holds(index)).map(|(id, _)| *id).collect()
    }

    pub(super) fn points(&mut self, engine: &Bits, lane: usize, role: usize) -> u8 {
        let (_, values) = self.judge(engine);
        let holds = |wire: &Wire| self.slots[wire.slot as usize].bit(lane) != wire.inverted;
        values[role].iter().find(|(_, wire)| holds(wire)).map_or(0, |(points, _)| *points)
    }

    /// The points of the first lanes, lane after lane, role after role; there is room for them, filled with nothing.
    pub(super) fn points_all(&mut self, engine: &Bits, points: &mut [u8]) {
        let (_, values) = self.judge(engine);
        let roles = engine.roles.len();
        for (role, values) in values.iter().enumerate() {
            let mut open = first::<W>(points.len() / roles);
            for &(value_of, wire) in values {
                let here = value(&self.slots, wire).and(open);
                open = open.and_not(here);
                if value_of > 0 {
                    each_lane(here, |lane| points[lane * roles + role] = value_of);
                }
            }
        }
    }

    pub(super) fn play(&mut self, engine: &Bits, lane: usize, joint: &[MoveId]) {
        let roles = engine.roles.len();
        let chosen = &mut self.joints[lane * roles..(lane + 1) * roles];
        for ((chosen, moves), id) in chosen.iter_mut().zip(&engine.roles).zip(joint) {
            *chosen = moves.does.get(id.0 as usize).copied().unwrap_or(NOWHERE);
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
        // What was found out about the states is part of the way to their successors.
        let (layout, copies) = if self.found == Found::All {
            (engine.layout(), &engine.whole.copies)
        } else {
            (&engine.cones().successors, &engine.cones().copies)
        };
        self.run(layout, &layout.next);
        // Lanes that are not loaded may become anything.
        let all = self.loaded.and_not(playing).is_zero();
        dispatch::<W, _>(Renew {
            copies,
            slots: &mut self.slots,
            spare: &mut self.spare,
            lanes: if all { W::ONES } else { playing },
        });
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
struct Fill<'a, W> {
    fluents: &'a mut [W],
    lanes: W,
    states: &'a [&'a [u64]],
}

impl<W: Word> Job for Fill<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        fill(self.fluents, self.lanes, |lane| self.states[lane]);
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
    slots: &'a [W],
    wanted: W,
    legal: &'a mut [Vec<MoveId>],
}

impl<W: Word> Job for List<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let roles = self.engine.roles.len();
        for (role, moves) in self.engine.roles.iter().enumerate() {
            for (&id, &wire) in moves.ids.iter().zip(&moves.legal) {
                let word = value(self.slots, wire).and(self.wanted);
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

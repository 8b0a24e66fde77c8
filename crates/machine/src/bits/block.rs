//! States in lanes, and what is done with them.

use super::book::Tally;
#[cfg(target_arch = "x86_64")]
use super::exec::Processor;
use super::exec::{Execute, dispatch};
use super::layout::Wire;
use super::playouts::{playouts, reports};
use super::word::{W64, W128, Word, each_lane};
#[cfg(target_arch = "x86_64")]
use super::word::{W256, W512};
use super::{Bits, value};
use crate::{Ended, GoalId, MoveId, Random, Request, RoleId, State};

/// Scratch of the fast engine: as many blocks of lanes as the width asks for.
#[derive(Debug)]
pub struct Scratch<'m> {
    engine: &'m Bits,
    width: usize,
    /// Lanes of one block.
    block: usize,
    blocks: Blocks,
    lanes: Vec<Lane>,
}

/// One kind of word for all blocks.
#[derive(Debug)]
enum Blocks {
    B64(Vec<Block<W64>>),
    B128(Vec<Block<W128>>),
    #[cfg(target_arch = "x86_64")]
    B256(Vec<Block<W256>>),
    #[cfg(target_arch = "x86_64")]
    B512(Vec<Block<W512>>),
}

/// What the caller may ask about a lane.
#[derive(Clone, Debug, Default)]
struct Lane {
    loaded: bool,
    terminal: bool,
    playing: bool,
    legal: Vec<Vec<MoveId>>,
}

/// The slots of up to as many states as a word has bits.
#[derive(Debug)]
struct Block<W> {
    slots: Vec<W>,
    /// The slots hold what `evaluate` found, not yet what `advance` left there.
    evaluated: bool,
    /// And the goals of these states. Goals use slots again that legal moves and the end have been read from, so they are found once.
    goals_known: bool,
    /// Room for the successors: they may read fluents, so all are read before any is written.
    next: Vec<W>,
}

macro_rules! each_block {
    ($blocks:expr, $list:ident => $body:expr) => {
        match $blocks {
            Blocks::B64($list) => $body,
            Blocks::B128($list) => $body,
            #[cfg(target_arch = "x86_64")]
            Blocks::B256($list) => $body,
            #[cfg(target_arch = "x86_64")]
            Blocks::B512($list) => $body,
        }
    };
}

impl<W: Word> Block<W> {
    fn new(engine: &Bits) -> Block<W> {
        let mut slots = vec![W::ZERO; engine.layout().slots];
        slots[0] = W::ONES;
        Block { slots, evaluated: false, goals_known: false, next: Vec::new() }
    }

    fn many(engine: &Bits, width: usize) -> Vec<Block<W>> {
        (0..width.div_ceil(W::LANES)).map(|_| Block::new(engine)).collect()
    }

    fn load(&mut self, engine: &Bits, lane: usize, state: &State) {
        let first = engine.layout().fluents as usize;
        for fluent in 0..engine.fluents.texts.len() {
            self.slots[first + fluent].set_bit(lane, state.holds(fluent));
        }
    }

    fn state(&self, engine: &Bits, lane: usize) -> State {
        let whole = &engine.whole;
        engine.state_in(&whole.known, &self.slots[whole.layout.fluents as usize..whole.layout.does as usize], lane)
    }

    /// Evaluates all lanes, then tells the loaded ones whether they are over and what is legal.
    fn evaluate(&mut self, engine: &Bits, lanes: &mut [Lane], fully: bool) {
        self.find_state(engine);
        let terminal = engine.layout().terminal.map_or(W::ZERO, |wire| value(&self.slots, wire));
        let mut wanted = W::ZERO;
        for (index, lane) in lanes.iter_mut().enumerate().filter(|(_, lane)| lane.loaded) {
            lane.terminal = terminal.bit(index);
            lane.legal.iter_mut().for_each(Vec::clear);
            wanted.set_bit(index, fully || !lane.terminal);
        }
        for (role, moves) in engine.roles.iter().enumerate() {
            for (&id, &wire) in moves.ids.iter().zip(&moves.legal) {
                let word = value(&self.slots, wire).and(wanted);
                each_lane(word, |lane| lanes[lane].legal[role].push(id));
            }
        }
    }

    fn find_state(&mut self, engine: &Bits) {
        dispatch::<W, _>(Execute { program: &engine.layout().state, slots: &mut self.slots });
        (self.evaluated, self.goals_known) = (true, false);
    }

    fn goals(&mut self, engine: &Bits) {
        if !self.evaluated {
            self.find_state(engine);
        }
        if !self.goals_known {
            dispatch::<W, _>(Execute { program: &engine.layout().goals, slots: &mut self.slots });
            self.goals_known = true;
        }
    }

    fn play(&mut self, engine: &Bits, lane: usize, joint: &[MoveId]) {
        for (moves, id) in engine.roles.iter().zip(joint) {
            for (&known, &slot) in moves.ids.iter().zip(&moves.does) {
                self.slots[slot as usize].set_bit(lane, known == *id);
            }
        }
    }

    /// The successors of the lanes that are playing.
    fn advance(&mut self, engine: &Bits, lanes: &mut [Lane]) {
        let mut playing = W::ZERO;
        for (index, lane) in lanes.iter_mut().enumerate() {
            playing.set_bit(index, lane.loaded && std::mem::take(&mut lane.playing));
        }
        dispatch::<W, _>(Execute { program: &engine.layout().next, slots: &mut self.slots });
        self.next.clear();
        self.next.extend(engine.layout().successor.iter().map(|&wire| value(&self.slots, wire)));
        let fluents = self.slots[engine.layout().fluents as usize..].iter_mut();
        for (now, &next) in fluents.zip(&self.next) {
            *now = next.and(playing).or(now.and_not(playing));
        }
        self.evaluated = false;
    }
}

impl<'m> Scratch<'m> {
    pub(super) fn new(engine: &'m Bits, width: usize) -> Scratch<'m> {
        let (block, blocks) = match (width, engine.processor) {
            #[cfg(target_arch = "x86_64")]
            (257.., Processor::Avx512) => (512, Blocks::B512(Block::many(engine, width))),
            #[cfg(target_arch = "x86_64")]
            (129.., Processor::Avx2 | Processor::Avx512) => (256, Blocks::B256(Block::many(engine, width))),
            (65.., _) => (128, Blocks::B128(Block::many(engine, width))),
            _ => (64, Blocks::B64(Block::many(engine, width))),
        };
        let lane = Lane { legal: vec![Vec::new(); engine.roles.len()], ..Lane::default() };
        Scratch { engine, width, block, blocks, lanes: vec![lane; width] }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn load(&mut self, lane: usize, state: &State) {
        let (block, inside) = (lane / self.block, lane % self.block);
        each_block!(&mut self.blocks, list => list[block].load(self.engine, inside, state));
        self.lanes[lane].loaded = true;
        self.lanes[lane].playing = false;
    }

    pub(crate) fn unload(&mut self, lane: usize) {
        self.lanes[lane].loaded = false;
    }

    pub(crate) fn evaluate(&mut self, fully: bool) {
        let lanes = self.lanes.chunks_mut(self.block);
        each_block!(&mut self.blocks, list => {
            for (block, lanes) in list.iter_mut().zip(lanes) {
                if lanes.iter().any(|lane| lane.loaded) {
                    block.evaluate(self.engine, lanes, fully);
                }
            }
        });
    }

    pub(crate) fn terminal(&self, lane: usize) -> bool {
        self.lanes[lane].terminal
    }

    pub(crate) fn legal(&self, lane: usize, role: RoleId) -> &[MoveId] {
        &self.lanes[lane].legal[role.0 as usize]
    }

    /// Whether a signal is set in a lane, once the goals are known.
    fn goal_bit(&mut self, lane: usize, wire: Wire) -> bool {
        let (block, inside) = (lane / self.block, lane % self.block);
        each_block!(&mut self.blocks, list => {
            list[block].goals(self.engine);
            value(&list[block].slots, wire).bit(inside)
        })
    }

    pub(crate) fn goals(&mut self, lane: usize, role: RoleId) -> Vec<GoalId> {
        let engine = self.engine;
        let values = engine.values[role.0 as usize].iter();
        values.filter(|value| self.goal_bit(lane, value.holds)).map(|value| value.id).collect()
    }

    pub(crate) fn points(&mut self, lane: usize, role: RoleId) -> u8 {
        let engine = self.engine;
        let values = engine.values[role.0 as usize].iter().filter(|value| value.points.is_some());
        values.filter(|value| self.goal_bit(lane, value.holds)).filter_map(|value| value.points).min().unwrap_or(0)
    }

    pub(crate) fn play(&mut self, lane: usize, joint: &[MoveId]) {
        assert_eq!(joint.len(), self.engine.roles.len(), "one move per role");
        let (block, inside) = (lane / self.block, lane % self.block);
        each_block!(&mut self.blocks, list => list[block].play(self.engine, inside, joint));
        self.lanes[lane].playing = true;
    }

    pub(crate) fn advance(&mut self) {
        let lanes = self.lanes.chunks_mut(self.block);
        each_block!(&mut self.blocks, list => {
            for (block, lanes) in list.iter_mut().zip(lanes) {
                block.advance(self.engine, lanes);
            }
        });
    }

    pub(crate) fn state(&self, lane: usize) -> State {
        assert!(self.lanes[lane].loaded, "the lane is loaded");
        let (block, inside) = (lane / self.block, lane % self.block);
        each_block!(&self.blocks, list => list[block].state(self.engine, inside))
    }

    /// So many random playouts from a state, in as many lanes as a block has.
    pub(crate) fn playouts(&self, from: &State, count: u64, max_plies: u64, random: &mut Random) -> Tally {
        match &self.blocks {
            Blocks::B64(_) => play::<W64>(self.engine, from, count, max_plies, random),
            Blocks::B128(_) => play::<W128>(self.engine, from, count, max_plies, random),
            #[cfg(target_arch = "x86_64")]
            Blocks::B256(_) => play::<W256>(self.engine, from, count, max_plies, random),
            #[cfg(target_arch = "x86_64")]
            Blocks::B512(_) => play::<W512>(self.engine, from, count, max_plies, random),
        }
    }

    /// So many random playouts from each of some states, told of one by one.
    pub(crate) fn reports(&self, request: &Request<'_>, random: &mut Random, ended: &mut dyn FnMut(Ended<'_>)) {
        match &self.blocks {
            Blocks::B64(_) => reports::<W64>(self.engine, self.engine.native(64), request, random, ended),
            Blocks::B128(_) => reports::<W128>(self.engine, self.engine.native(128), request, random, ended),
            #[cfg(target_arch = "x86_64")]
            Blocks::B256(_) => reports::<W256>(self.engine, self.engine.native(256), request, random, ended),
            #[cfg(target_arch = "x86_64")]
            Blocks::B512(_) => reports::<W512>(self.engine, self.engine.native(512), request, random, ended),
        }
    }
}

fn play<W: Word>(engine: &Bits, from: &State, count: u64, max_plies: u64, random: &mut Random) -> Tally {
    playouts::<W>(engine, engine.native(W::LANES), from, count, max_plies, random)
}

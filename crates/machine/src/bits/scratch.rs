//! States in lanes: what the caller asks, block by block.

use super::Bits;
use super::block::Block;
use super::book::Tally;
use super::exec::Processor;
use super::playouts::{playouts, reports};
use super::rollouts::Player;
use super::word::{W64, W128, Word};
#[cfg(target_arch = "x86_64")]
use super::word::{W256, W512};
use crate::{Cuts, Ended, GoalId, Manner, MoveId, Random, Request, RoleId, Rollouts, State, Totals, Weights};

/// Scratch of the fast engine: as many blocks of lanes as the width asks for.
#[derive(Debug)]
pub struct Scratch<'m> {
    engine: &'m Bits,
    width: usize,
    /// Lanes of one block, a power of two.
    block: usize,
    blocks: Blocks,
    /// For rollouts, once there are any, by their manner.
    players: Vec<(Manner, WidestPlayer<'m>)>,
}

/// Rollouts are played in the widest words that the processor has.
#[derive(Debug)]
enum WidestPlayer<'m> {
    P128(Player<'m, W128>),
    #[cfg(target_arch = "x86_64")]
    P256(Player<'m, W256>),
    #[cfg(target_arch = "x86_64")]
    P512(Player<'m, W512>),
}

impl<'m> WidestPlayer<'m> {
    fn new(engine: &'m Bits, manner: Manner) -> WidestPlayer<'m> {
        match engine.processor {
            Processor::Plain => WidestPlayer::P128(Player::new(engine, manner)),
            #[cfg(target_arch = "x86_64")]
            Processor::Avx2 => WidestPlayer::P256(Player::new(engine, manner)),
            #[cfg(target_arch = "x86_64")]
            Processor::Avx512 => WidestPlayer::P512(Player::new(engine, manner)),
        }
    }
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

impl<'m> Scratch<'m> {
    pub(super) fn new(engine: &'m Bits, width: usize) -> Scratch<'m> {
        let block = lanes_of_block(width, engine.processor);
        let blocks = match block {
            #[cfg(target_arch = "x86_64")]
            512 => Blocks::B512(Block::many(engine, width)),
            #[cfg(target_arch = "x86_64")]
            256 => Blocks::B256(Block::many(engine, width)),
            128 => Blocks::B128(Block::many(engine, width)),
            _ => Blocks::B64(Block::many(engine, width)),
        };
        Scratch { engine, width, block, blocks, players: Vec::new() }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// The block of a lane, and the lane's place in it.
    fn place(&self, lane: usize) -> (usize, usize) {
        assert!(lane < self.width, "there are {} lanes", self.width);
        (lane >> self.block.trailing_zeros(), lane & (self.block - 1))
    }

    pub(crate) fn load(&mut self, lane: usize, words: &[u64]) {
        let (block, inside) = self.place(lane);
        each_block!(&mut self.blocks, list => list[block].load(self.engine, inside, words));
    }

    pub(crate) fn unload(&mut self, lane: usize) {
        let (block, inside) = self.place(lane);
        each_block!(&mut self.blocks, list => list[block].unload(inside));
    }

    pub(crate) fn load_all(&mut self, states: &[&[u64]]) {
        let mut groups = states.chunks(self.block);
        each_block!(&mut self.blocks, list => {
            for block in list {
                block.load_all(self.engine, groups.next().unwrap_or_default());
            }
        });
    }

    pub(crate) fn load_copies(&mut self, words: &[u64], count: usize) {
        each_block!(&mut self.blocks, list => {
            for (index, block) in list.iter_mut().enumerate() {
                block.load_copies(self.engine, words, count.saturating_sub(index * self.block).min(self.block));
            }
        });
    }

    pub(crate) fn store(&self, lane: usize, words: &mut Vec<u64>) {
        let (block, inside) = self.place(lane);
        each_block!(&self.blocks, list => {
            assert!(list[block].loaded.bit(inside), "the lane is loaded");
            list[block].store(self.engine, inside, words);
        });
    }

    /// How many words a state has.
    pub(crate) fn words(&self) -> usize {
        self.engine.initial.words().len()
    }

    pub(crate) fn store_all(&self, count: usize, words: &mut Vec<u64>) {
        assert!((0..count).all(|lane| self.is_loaded(lane)), "the lanes are loaded");
        let start = words.len();
        words.resize(start + count * self.words(), 0);
        let rows = words[start..].chunks_mut((self.block * self.words()).max(1));
        each_block!(&self.blocks, list => list.iter().zip(rows).for_each(|(block, rows)| block.store_all(self.engine, rows)));
    }

    pub(crate) fn columns<const PARTS: usize>(&self, first: usize, fluents: &[u32], columns: &mut Vec<[u64; PARTS]>) {
        let start = columns.len();
        columns.resize(start + fluents.len(), [0; PARTS]);
        for part in 0..PARTS.min(self.width.saturating_sub(first).div_ceil(64)) {
            let (block, inside) = self.place(first + part * 64);
            each_block!(&self.blocks, list => {
                let found = list[block].column(self.engine, inside / 64, fluents);
                columns[start..].iter_mut().zip(found).for_each(|(column, word)| column[part] = word);
            });
        }
    }

    /// Answers whether lines are among the sums.
    pub(crate) fn weigh(&mut self, count: usize, weights: &Weights, sums: &mut [f32]) -> bool {
        let target = self.engine.processor.target(self.block);
        let code = target.and_then(|target| weights.codes().get(target, weights));
        let sums = sums[..count * weights.sums()].chunks_mut((self.block * weights.sums()).max(1));
        each_block!(&mut self.blocks, list => list.iter_mut().zip(sums).for_each(|(block, sums)| block.weigh(self.engine, weights, code, sums)));
        code.is_some()
    }

    fn is_loaded(&self, lane: usize) -> bool {
        let (block, inside) = self.place(lane);
        each_block!(&self.blocks, list => list[block].loaded.bit(inside))
    }

    pub(crate) fn state(&self, lane: usize) -> State {
        let mut words = Vec::with_capacity(self.words());
        self.store(lane, &mut words);
        State(words.into())
    }

    pub(crate) fn evaluate(&mut self, fully: bool) {
        each_block!(&mut self.blocks, list => {
            list.iter_mut().filter(|block| !block.loaded.is_zero()).for_each(|block| block.evaluate(self.engine, fully));
        });
    }

    pub(crate) fn evaluate_narrowly(&mut self) {
        each_block!(&mut self.blocks, list => {
            list.iter_mut().filter(|block| !block.loaded.is_zero()).for_each(|block| block.evaluate_narrowly(self.engine));
        });
    }

    pub(crate) fn evaluate_ends(&mut self) {
        each_block!(&mut self.blocks, list => {
            list.iter_mut().filter(|block| !block.loaded.is_zero()).for_each(|block| block.evaluate_ends(self.engine));
        });
    }

    pub(crate) fn terminal(&self, lane: usize) -> bool {
        let (block, inside) = self.place(lane);
        each_block!(&self.blocks, list => list[block].terminal.bit(inside))
    }

    pub(crate) fn legal(&self, lane: usize, role: RoleId) -> &[MoveId] {
        let (block, inside) = self.place(lane);
        each_block!(&self.blocks, list => list[block].legal(self.engine, inside, role.0 as usize))
    }

    pub(crate) fn goals(&mut self, lane: usize, role: RoleId) -> Vec<GoalId> {
        let (block, inside) = self.place(lane);
        each_block!(&mut self.blocks, list => list[block].goals(self.engine, inside, role.0 as usize))
    }

    pub(crate) fn points(&mut self, lane: usize, role: RoleId) -> u8 {
        let (block, inside) = self.place(lane);
        each_block!(&mut self.blocks, list => list[block].points(self.engine, inside, role.0 as usize))
    }

    pub(crate) fn points_all(&mut self, count: usize, points: &mut Vec<u8>) {
        let (roles, start) = (self.engine.roles.len(), points.len());
        points.resize(start + count * roles, 0);
        let groups = points[start..].chunks_mut((self.block * roles).max(1));
        each_block!(&mut self.blocks, list => {
            list.iter_mut().zip(groups).for_each(|(block, points)| block.points_all(self.engine, points));
        });
    }

    pub(crate) fn play(&mut self, lane: usize, joint: &[MoveId]) {
        assert_eq!(joint.len(), self.engine.roles.len(), "one move per role");
        let (block, inside) = self.place(lane);
        each_block!(&mut self.blocks, list => list[block].play(self.engine, inside, joint));
    }

    pub(crate) fn advance(&mut self) {
        each_block!(&mut self.blocks, list => list.iter_mut().for_each(|block| block.advance(self.engine)));
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

    /// Random playouts from some states, summed up, and cut short if asked to; false if they were given up.
    pub(crate) fn rollouts(
        &mut self,
        asked: &Rollouts<'_>,
        random: &mut Random,
        stop: &dyn Fn() -> bool,
        totals: &mut Totals,
        cuts: Option<(u32, &mut Cuts)>,
    ) -> bool {
        let engine = self.engine;
        let known = self.players.iter().position(|(manner, _)| *manner == asked.manner);
        let index = known.unwrap_or_else(|| {
            self.players.push((asked.manner, WidestPlayer::new(engine, asked.manner)));
            self.players.len() - 1
        });
        match &mut self.players[index].1 {
            WidestPlayer::P128(player) => player.play(asked, random, stop, totals, cuts),
            #[cfg(target_arch = "x86_64")]
            WidestPlayer::P256(player) => player.play(asked, random, stop, totals, cuts),
            #[cfg(target_arch = "x86_64")]
            WidestPlayer::P512(player) => player.play(asked, random, stop, totals, cuts),
        }
    }

    /// So many random playouts from each of some states, told of one by one.
    pub(crate) fn reports(&self, request: &Request<'_>, random: &mut Random, ended: &mut dyn FnMut(Ended<'_>)) {
        match &self.blocks {
            Blocks::B64(_) => reports::<W64>(self.engine, request, random, ended),
            Blocks::B128(_) => reports::<W128>(self.engine, request, random, ended),
            #[cfg(target_arch = "x86_64")]
            Blocks::B256(_) => reports::<W256>(self.engine, request, random, ended),
            #[cfg(target_arch = "x86_64")]
            Blocks::B512(_) => reports::<W512>(self.engine, request, random, ended),
        }
    }
}

/// How wide the words are for lanes of some width.
pub(super) fn lanes_of_block(width: usize, processor: Processor) -> usize {
    match (width, processor) {
        #[cfg(target_arch = "x86_64")]
        (257.., Processor::Avx512) => 512,
        #[cfg(target_arch = "x86_64")]
        (129.., Processor::Avx2 | Processor::Avx512) => 256,
        (65.., _) => 128,
        _ => 64,
    }
}

fn play<W: Word>(engine: &Bits, from: &State, count: u64, max_plies: u64, random: &mut Random) -> Tally {
    playouts::<W>(engine, engine.native(W::LANES), from, count, max_plies, random)
}

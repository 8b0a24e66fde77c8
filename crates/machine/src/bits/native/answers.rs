//! Answers to single questions about states of any phase, by machine code.

use super::lut::{Base, Builder, Lit, Mem};
use super::map::Mapper;
use super::run::call;
use super::{Compiled, FREE, ONES, OVER, Target, compile, inputs, latches};
use crate::bits::layout::Asked;
use crate::bits::word::Word;
use ludens_ground::{Net, Signal};

/// Networks with more nodes are not made code of: it takes time, and questions are asked less often than random play goes on.
const MOST_NODES: usize = 200_000;

/// What can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bits) enum Question {
    /// Which lanes are over.
    End,
    /// The same, and for every move whether it is legal.
    Moves,
    /// For every goal whether it holds.
    Goals,
    /// What every fluent becomes.
    Successors,
}

/// Code for all of them.
#[derive(Debug)]
pub(in crate::bits) struct Answers {
    target: Target,
    /// By question, as far as they can be asked.
    code: [Option<Compiled>; 4],
    scratch: usize,
}

/// Rows that the code writes to.
#[derive(Debug)]
pub(in crate::bits) struct Sheet<W> {
    pub(in crate::bits) answers: Vec<W>,
    scratch: Vec<W>,
}

impl<W> Sheet<W> {
    /// Without room, which is made when it is needed.
    pub(in crate::bits) fn new() -> Sheet<W> {
        Sheet { answers: Vec::new(), scratch: Vec::new() }
    }
}

impl Answers {
    /// None where that cannot be.
    pub(in crate::bits) fn new(target: Target, net: &Net) -> Option<Answers> {
        if net.nodes.len() > MOST_NODES {
            return None;
        }
        let end = Asked { terminal: net.terminal, ..Asked::NOTHING };
        let code = [
            answer(target, net, &end)?,
            answer(target, net, &Asked { moves: &net.moves, ..end })?,
            answer(target, net, &Asked { goals: &net.goals, ..Asked::NOTHING })?,
            answer(target, net, &Asked { successors: &net.fluents, ..Asked::NOTHING })?,
        ];
        Some(Answers::of(target, code.map(Some)))
    }

    /// The same for [`Question::Moves`] alone.
    pub(in crate::bits) fn of_moves(target: Target, net: &Net) -> Option<Answers> {
        if net.nodes.len() > MOST_NODES {
            return None;
        }
        let moves = answer(target, net, &Asked { moves: &net.moves, terminal: net.terminal, ..Asked::NOTHING })?;
        Some(Answers::of(target, [None, Some(moves), None, None]))
    }

    fn of(target: Target, code: [Option<Compiled>; 4]) -> Answers {
        let scratch = code.iter().flatten().map(|code| code.sizes.scratch).max().unwrap_or(0);
        Answers { target, code, scratch }
    }

    /// Answers a question about states, given by their fluents and the moves that are played; the answers are numbered as what was asked for.
    /// Answers also, where ends are asked for, which lanes are over.
    pub(in crate::bits) fn ask<W: Word>(&self, question: Question, states: &[W], sheet: &mut Sheet<W>) -> W {
        assert_eq!(W::LANES, self.target.bytes() * 8, "words are as wide as the code's");
        let code = self.code[question as usize].as_ref().expect("the question can be asked");
        if sheet.scratch.len() < self.scratch {
            sheet.scratch.resize(self.scratch, W::ZERO);
            sheet.scratch[ONES as usize] = W::ONES;
        }
        if sheet.answers.len() < code.written {
            sheet.answers.resize(code.written, W::ZERO);
        }
        call(self.target, code, states, &mut sheet.answers, &mut sheet.scratch);
        sheet.scratch[OVER as usize]
    }
}

/// Code that reads fluents and then moves.
fn answer(target: Target, net: &Net, asked: &Asked<'_>) -> Option<Compiled> {
    let (fluents, moves) = (net.fluents.len(), net.moves.len());
    let mut builder = Builder::new((fluents + moves + latches(net) + 1) as u32);
    let mut mapper = Mapper::new(net, &builder, (fluents + moves) as u32);
    let does: Vec<Lit> = (fluents..fluents + moves).map(|index| builder.input(index as u32)).collect();
    mapper.play(&does);
    let over = asked.terminal.map_or(Lit::FALSE, |signal| mapper.lit(signal, &mut builder));
    let mut outputs = vec![(Mem { base: Base::Scratch, slot: OVER }, over)];
    let moves_of = asked.moves.iter().map(|known| known.legal);
    let goals = asked.goals.iter().map(|goal| goal.holds);
    let wanted: Vec<Signal> = moves_of.chain(goals).chain(asked.successors.iter().map(|fluent| fluent.next)).collect();
    for (slot, signal) in wanted.into_iter().enumerate() {
        outputs.push((Mem { base: Base::To, slot: slot as u32 }, mapper.lit(signal, &mut builder)));
    }
    let code = builder.finish(outputs)?;
    let free = FREE + latches(net) as u32;
    compile(target, &code, &inputs(fluents + moves, FREE..free), free)
}

//! Networks as machine code: one function that carries all lanes of a phase from a state to the next, moves chosen at random.
//!
//! `map` turns gates and `choose` the choice of moves into operations of three inputs (`lut`; `pairs` into two, where the processor knows no
//! more), `allocate` gives their values registers, `x86` writes the bytes, `memory` holds them. What comes out is, bit for bit, what the
//! interpreter does with the same random words.

// Only the interpreter plays on other processors.
#![cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]

mod allocate;
mod answers;
mod choose;
mod looping;
mod lut;
mod map;
mod memory;
mod pairs;
mod run;
mod sums;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;
mod x86;

pub(super) use answers::{Answers, Question, Sheet};
pub(super) use run::Written;
pub(crate) use sums::SumCodes;
pub(super) use sums::{SumCode, SumRoom};
pub(super) use x86::Target;

use super::phase::{Choice, Phase};
use super::select::random_words;
use super::word::Word;
use allocate::{Room, allocate};
use ludens_ground::Net;
use lut::{Base, Builder, Code, Lit, Mem};
use map::Mapper;
use memory::Function;

/// Codes of more operations are not made: they take memory and time, and larger networks are read from far away in any case.
pub(super) const MOST_OPERATIONS: usize = 2_000_000;

/// The beginning of the scratch: ones, zeros, lanes that are over, lanes in which every role has a move; then results or random words.
const ONES: u32 = 0;
const ZEROS: u32 = 1;
const OVER: u32 = 2;
const ABLE: u32 = 3;
const FREE: u32 = 4;

/// A function and the scratch it needs, in words.
#[derive(Debug)]
struct Compiled {
    function: Function,
    /// The fluents it reads, and those it writes, are among so many.
    fluents: usize,
    written: usize,
    sizes: CodeSizes,
}

/// How much code there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodeSizes {
    /// Functions of two or three bits.
    pub operations: usize,
    /// What became of them: with loads, stores and copies.
    pub instructions: usize,
    /// Bytes of the instructions.
    pub bytes: usize,
    /// Words of memory besides the state and its successor.
    pub scratch: usize,
}

/// The code of one phase.
#[derive(Debug)]
pub(super) struct Step {
    advance: Compiled,
    /// Random words that it reads.
    random: usize,
    goals: Points,
}

/// Code for the goals of a state.
#[derive(Debug)]
pub(super) struct Points {
    code: Compiled,
    /// Per role: points other than none, in the order of the results.
    values: Vec<Vec<u8>>,
}

/// Code for all phases of a game.
#[derive(Debug)]
pub(super) struct Native {
    pub(super) steps: Vec<Step>,
    /// Goals of a state of any phase.
    pub(super) judge: Points,
    scratch: usize,
}

fn compile(target: Target, code: &Code, inputs: &[Mem], free: u32) -> Option<Compiled> {
    let scratch = |slot| Mem { base: Base::Scratch, slot };
    let room = Room { registers: target.registers(), inputs, ones: scratch(ONES), zeros: scratch(ZEROS), free };
    let allocated = if target.three() { allocate(code, &room) } else { allocate(&code.in_pairs()?, &room) };
    let bytes = x86::encode(target, &allocated.instructions);
    let scratch = allocated.scratch as usize;
    let sizes = CodeSizes { operations: code.ops.len(), instructions: allocated.instructions.len(), bytes: bytes.len(), scratch };
    let function = Function::new(&bytes)?;
    let slots = |base: Base, mems: &mut dyn Iterator<Item = Mem>| {
        mems.filter(|mem| mem.base == base).map(|mem| mem.slot as usize + 1).max().unwrap_or(0)
    };
    let fluents = slots(Base::From, &mut inputs.iter().copied());
    let written = slots(Base::To, &mut code.outputs.iter().map(|(mem, _)| *mem));
    Some(Compiled { function, fluents, written, sizes })
}

/// The fluents of the state, then these words of the scratch, then ones.
fn inputs(fluents: usize, slots: std::ops::Range<u32>) -> Vec<Mem> {
    let fluents = (0..fluents as u32).map(|slot| Mem { base: Base::From, slot });
    fluents.chain(slots.chain([ONES]).map(|slot| Mem { base: Base::Scratch, slot })).collect()
}

fn latches(net: &Net) -> usize {
    net.loops.iter().map(|known| known.latches.len()).sum()
}

impl Step {
    fn new(target: Target, phase: &Phase, next: &[Option<bool>]) -> Option<Step> {
        let net = &phase.net;
        let fluents = net.fluents.len();
        let each =
            phase.choices.iter().map(|choice| if let Choice::Moves { shifts, .. } = choice { random_words(shifts) } else { 0 });
        let random = each.sum();
        let mut builder = Builder::new((fluents + random + latches(net) + 1) as u32);
        let mut mapper = Mapper::new(net, &builder, (fluents + random) as u32);
        let over = net.terminal.map_or(Lit::FALSE, |signal| mapper.lit(signal, &mut builder));
        let mut does = vec![Lit::FALSE; net.moves.len()];
        let mut able = Lit::TRUE;
        let mut used = fluents as u32;
        for choice in &phase.choices {
            match choice {
                Choice::Forced(only) => does[*only] = Lit::TRUE,
                Choice::Stuck => able = Lit::FALSE,
                Choice::Moves { moves, shifts, .. } => {
                    let words: Vec<Lit> = (used..).take(random_words(shifts)).map(|index| builder.input(index)).collect();
                    used += words.len() as u32;
                    let legal = |at: usize, builder: &mut Builder| mapper.lit(net.moves[moves[at]].legal, builder);
                    let (chosen, some) = choose::choose(&mut builder, shifts, legal, &words);
                    moves.iter().zip(chosen).for_each(|(&number, lit)| does[number] = lit);
                    able = builder.and(able, some);
                }
            }
        }
        mapper.play(&does);
        let mut outputs = vec![(Mem { base: Base::Scratch, slot: OVER }, over), (Mem { base: Base::Scratch, slot: ABLE }, able)];
        for (slot, (fluent, known)) in net.fluents.iter().zip(next).enumerate() {
            if known.is_none() {
                outputs.push((Mem { base: Base::To, slot: slot as u32 }, mapper.lit(fluent.next, &mut builder)));
            }
        }
        let code = builder.finish(outputs)?;
        let free = FREE + (random + latches(net)) as u32;
        let advance = compile(target, &code, &inputs(fluents, FREE..free), free)?;
        Some(Step { advance, random, goals: Points::new(target, phase)? })
    }
}

impl Points {
    fn new(target: Target, phase: &Phase) -> Option<Points> {
        let net = &phase.net;
        let mut builder = Builder::new((net.fluents.len() + latches(net) + 1) as u32);
        let mut mapper = Mapper::new(net, &builder, net.fluents.len() as u32);
        let mut outputs = Vec::new();
        let mut values = Vec::new();
        for role in 0..net.roles.len() {
            // The smallest value, where there are several.
            let mut open = Lit::TRUE;
            let mut points = Vec::new();
            for (value, signal) in phase.goals(role) {
                let holds = mapper.lit(signal, &mut builder);
                if value > 0 {
                    let slot = FREE + outputs.len() as u32;
                    outputs.push((Mem { base: Base::Scratch, slot }, builder.and(open, holds)));
                    points.push(value);
                }
                open = builder.and(open, !holds);
            }
            values.push(points);
        }
        let results = FREE + outputs.len() as u32;
        let free = results + latches(net) as u32;
        let code = builder.finish(outputs)?;
        let code = compile(target, &code, &inputs(net.fluents.len(), results..free), free)?;
        Some(Points { code, values })
    }
}

impl Native {
    /// Code for phases in their order, and for goals by themselves. None where that cannot be.
    pub(super) fn new(target: Target, phases: &[Phase], whole: &Phase) -> Option<Native> {
        let step = |index: usize| Step::new(target, &phases[index], &phases[(index + 1) % phases.len()].known);
        let steps: Vec<Step> = (0..phases.len()).map(step).collect::<Option<_>>()?;
        let judge = Points::new(target, whole)?;
        let goals = steps.iter().map(|step| step.goals.code.sizes.scratch);
        let scratch =
            steps.iter().map(|step| step.advance.sizes.scratch).chain(goals).chain([judge.code.sizes.scratch]).max().unwrap_or(0);
        Some(Native { steps, judge, scratch })
    }

    /// Of every phase: the code that plays, and that for its goals.
    pub(super) fn sizes(&self) -> Vec<[CodeSizes; 2]> {
        self.steps.iter().map(|step| [step.advance.sizes, step.goals.code.sizes]).collect()
    }

    /// The instructions of a move, in the phase that takes most.
    pub(super) fn work(&self) -> usize {
        self.steps.iter().map(|step| step.advance.sizes.instructions).max().unwrap_or(0)
    }

    /// Words that the code works on besides the states.
    pub(super) fn scratch<W: Word>(&self) -> Vec<W> {
        let mut scratch = vec![W::ZERO; self.scratch];
        scratch[ONES as usize] = W::ONES;
        scratch
    }
}

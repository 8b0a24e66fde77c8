//! Carrying out a program on slots: the inner loops, compiled once for each kind of processor.
#![allow(unsafe_code)] // vector instructions, and slots without a check of their number

use super::layout::{Program, Run, Step, Turn};
use super::native::Target;
use super::word::Word;
use crate::vector::Job;

/// How wide the words are that the processor works on, by the instructions it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Processor {
    /// 128 bits: every processor of the kinds we know has them.
    Plain,
    /// 256 bits.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// 512 bits.
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Processor {
    /// What this machine has.
    pub(super) fn detect() -> Processor {
        #[cfg(target_arch = "x86_64")]
        {
            let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2") && is_x86_feature_detected!("popcnt");
            if avx2 && is_x86_feature_detected!("avx512f") {
                return Processor::Avx512;
            }
            if avx2 {
                return Processor::Avx2;
            }
        }
        Processor::Plain
    }

    /// How many lanes its widest words have.
    pub(super) fn lanes(self) -> usize {
        match self {
            Processor::Plain => 128,
            #[cfg(target_arch = "x86_64")]
            Processor::Avx2 => 256,
            #[cfg(target_arch = "x86_64")]
            Processor::Avx512 => 512,
        }
    }

    /// What machine code for words of so many lanes is made of; none where we write no such code.
    pub(super) fn target(self, lanes: usize) -> Option<Target> {
        match (self, lanes) {
            #[cfg(target_arch = "x86_64")]
            (Processor::Avx512, 512) => Some(Target::Avx512),
            #[cfg(target_arch = "x86_64")]
            (Processor::Avx512, 256) if is_x86_feature_detected!("avx512vl") => Some(Target::Avx512Half),
            #[cfg(target_arch = "x86_64")]
            (Processor::Avx2 | Processor::Avx512, 256) => Some(Target::Avx2),
            _ => None,
        }
    }
}

/// Does a job with the instructions for its words. The job's code must be `#[inline(always)]` throughout, so that it is compiled here.
#[inline]
pub(super) fn dispatch<W: Word, J: Job>(job: J) -> J::Output {
    let processor = match W::LANES {
        #[cfg(target_arch = "x86_64")]
        512 => Processor::Avx512,
        #[cfg(target_arch = "x86_64")]
        256 => Processor::Avx2,
        _ => Processor::Plain,
    };
    // SAFETY: words of this width are made only where `detect` has seen that the processor has the instructions.
    unsafe { carry_out(processor, job) }
}

/// Does a job that has words of its own kind with all instructions of this machine's processor, which `detect` has found.
#[inline]
pub(super) fn on<J: Job>(processor: Processor, job: J) -> J::Output {
    // SAFETY: no other processor is found than this.
    unsafe { carry_out(processor, job) }
}

/// Does a job with all instructions that some processor has.
///
/// # Safety
/// This machine's processor must have them.
#[inline]
unsafe fn carry_out<J: Job>(processor: Processor, job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx512f,avx2,bmi2,popcnt")]
        fn avx512<J: Job>(job: J) -> J::Output {
            job.run()
        }
        #[target_feature(enable = "avx2,bmi2,popcnt")]
        fn avx2<J: Job>(job: J) -> J::Output {
            job.run()
        }
        match processor {
            // SAFETY: the caller says that the processor has the instructions.
            Processor::Avx512 => return unsafe { avx512(job) },
            // SAFETY: as above.
            Processor::Avx2 => return unsafe { avx2(job) },
            Processor::Plain => {}
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let Processor::Plain = processor;
    job.run()
}

/// Evaluates every gate of a program.
pub(super) struct Execute<'a, W> {
    pub(super) program: &'a Program,
    pub(super) slots: &'a mut [W],
}

impl<W: Word> Job for Execute<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        execute(self.program, self.slots);
    }
}

#[inline(always)]
pub(super) fn execute<W: Word>(program: &Program, slots: &mut [W]) {
    for step in &program.steps {
        match step {
            Step::Run(run) => gates(run, &program.operands, slots),
            Step::Loop(latches, turns) => {
                for &latch in latches {
                    write(slots, latch, W::ZERO);
                }
                let mut changed = true;
                while changed {
                    let mut fresh = W::ZERO;
                    for turn in turns {
                        match turn {
                            Turn::Gates(run) => gates(run, &program.operands, slots),
                            Turn::Latch { slot, value } => {
                                let read = slots[value.slot as usize];
                                let read = if value.inverted { read.not() } else { read };
                                let known = &mut slots[*slot as usize];
                                fresh = fresh.or(read.and_not(*known));
                                *known = known.or(read);
                            }
                        }
                    }
                    changed = !fresh.is_zero();
                }
            }
        }
    }
}

#[inline(always)]
fn gates<W: Word>(run: &Run, operands: &[u32], slots: &mut [W]) {
    let (plain, inverted) = (run.plain as usize, run.inverted as usize);
    match (plain, inverted) {
        (2, 0) => short::<W, 2, 0>(run, operands, slots),
        (1, 1) => short::<W, 1, 1>(run, operands, slots),
        (0, 2) => short::<W, 0, 2>(run, operands, slots),
        (3, 0) => short::<W, 3, 0>(run, operands, slots),
        (2, 1) => short::<W, 2, 1>(run, operands, slots),
        (1, 2) => short::<W, 1, 2>(run, operands, slots),
        (0, 3) => short::<W, 0, 3>(run, operands, slots),
        (4, 0) => short::<W, 4, 0>(run, operands, slots),
        (3, 1) => short::<W, 3, 1>(run, operands, slots),
        (2, 2) => short::<W, 2, 2>(run, operands, slots),
        (1, 3) => short::<W, 1, 3>(run, operands, slots),
        (0, 4) => short::<W, 0, 4>(run, operands, slots),
        _ => long(run, operands, slots),
    }
}

/// Gates whose number of inputs is known when this is compiled.
#[inline(always)]
fn short<W: Word, const PLAIN: usize, const INVERTED: usize>(run: &Run, operands: &[u32], slots: &mut [W]) {
    let width = 1 + PLAIN + INVERTED;
    let operands = &operands[run.operands as usize..run.operands as usize + run.count as usize * width];
    for gate in operands.chunks_exact(width) {
        let mut value = W::ONES;
        for &input in &gate[1..=PLAIN] {
            value = value.and(read(slots, input));
        }
        for &input in &gate[1 + PLAIN..] {
            value = value.and_not(read(slots, input));
        }
        write(slots, gate[0], value);
    }
}

#[inline(always)]
fn long<W: Word>(run: &Run, operands: &[u32], slots: &mut [W]) {
    let (plain, width) = (run.plain as usize, (1 + run.plain + run.inverted) as usize);
    let operands = &operands[run.operands as usize..run.operands as usize + run.count as usize * width];
    for gate in operands.chunks_exact(width) {
        let mut value = W::ONES;
        for &input in &gate[1..=plain] {
            value = value.and(read(slots, input));
        }
        let mut any = W::ZERO;
        for &input in &gate[1 + plain..] {
            any = any.or(read(slots, input));
        }
        write(slots, gate[0], value.and_not(any));
    }
}

#[inline(always)]
fn read<W: Word>(slots: &[W], slot: u32) -> W {
    debug_assert!((slot as usize) < slots.len());
    // SAFETY: a layout numbers its slots from 0 and says how many there are, and slots are made with that number.
    unsafe { *slots.get_unchecked(slot as usize) }
}

#[inline(always)]
fn write<W: Word>(slots: &mut [W], slot: u32, value: W) {
    debug_assert!((slot as usize) < slots.len());
    // SAFETY: as for `read`.
    unsafe { *slots.get_unchecked_mut(slot as usize) = value }
}

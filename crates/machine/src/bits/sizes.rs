//! How large the programs are, for `ludens show`.

use super::layout::{Layout, Program, Run, Step, Turn};
use super::native::CodeSizes;
use super::{Bits, Phase};

/// A network as it is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutSizes {
    /// Words of scratch for every block of lanes.
    pub slots: usize,
    /// Slots that the next state is copied to.
    pub copies: usize,
    /// Legal moves and the end; goals; successors.
    pub programs: [ProgramSizes; 3],
}

/// A program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramSizes {
    /// `state`, `goals` or `next`.
    pub name: &'static str,
    /// The longest chain of gates of which each reads the one before; loops are gone through once.
    pub levels: usize,
    /// Runs of gates of one kind outside loops.
    pub runs: usize,
    /// Gates in the longest run.
    pub longest_run: usize,
    /// Loops.
    pub loops: usize,
    /// Gates, in loops and outside.
    pub gates: usize,
    /// Signals that the gates read.
    pub inputs: usize,
    /// Bytes of the steps and their operands.
    pub bytes: usize,
}

impl Bits {
    /// The whole network, which answers questions about any state, and then the phases that random play runs on.
    pub fn sizes(&self) -> Vec<LayoutSizes> {
        std::iter::once(&self.whole).chain(&self.plain.phases).map(Phase::sizes).collect()
    }

    /// The machine code of each phase, for play and for goals, with words of so many bits; nothing where there is none.
    pub fn code_sizes(&self, bits: usize) -> Option<Vec<[CodeSizes; 2]>> {
        self.native(bits).map(|(_, native)| native.sizes())
    }
}

impl Phase {
    fn sizes(&self) -> LayoutSizes {
        let Layout { slots, state, goals, next, .. } = &self.layout;
        let mut levels = vec![0; *slots];
        let programs =
            [("state", state), ("goals", goals), ("next", next)].map(|(name, program)| program_sizes(name, program, &mut levels));
        LayoutSizes { slots: *slots, copies: self.copies.early.len() + self.copies.late.len(), programs }
    }
}

/// `levels` says how deep the value of each slot lies within the program that made it.
fn program_sizes(name: &'static str, program: &Program, levels: &mut [usize]) -> ProgramSizes {
    levels.fill(0);
    let mut sizes = ProgramSizes { name, ..ProgramSizes::default() };
    let mut run = |run: &Run, sizes: &mut ProgramSizes| {
        let inputs = (run.plain + run.inverted) as usize;
        let start = run.operands as usize;
        let operands = &program.operands[start..start + run.count as usize * (inputs + 1)];
        for gate in operands.chunks_exact(inputs + 1) {
            let level = 1 + gate[1..].iter().map(|&slot| levels[slot as usize]).max().unwrap_or(0);
            levels[gate[0] as usize] = level;
            sizes.levels = sizes.levels.max(level);
        }
        sizes.gates += run.count as usize;
        sizes.inputs += run.count as usize * inputs;
    };
    for step in &program.steps {
        match step {
            Step::Run(gates) => {
                sizes.runs += 1;
                sizes.longest_run = sizes.longest_run.max(gates.count as usize);
                run(gates, &mut sizes);
            }
            Step::Loop(latches, turns) => {
                sizes.loops += 1;
                sizes.bytes += size_of_val(&latches[..]) + size_of_val(&turns[..]);
                for turn in turns {
                    if let Turn::Gates(gates) = turn {
                        run(gates, &mut sizes);
                    }
                }
            }
        }
    }
    sizes.bytes += size_of_val(&program.steps[..]) + size_of_val(&program.operands[..]);
    sizes
}

//! The same code with two inputs to an operation, for processors that know no more.

use super::lut::{Builder, Code, Lit, Loop};
use std::sync::OnceLock;

/// How a table comes of two others.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// Of the two others, as a function of the first two arguments.
    table: u8,
    one: u8,
    two: u8,
}

/// The functions of two bits that give nothing for nothing, other than the bits themselves: both, one without the other, either, one of them.
const FUNCTIONS: [u8; 5] = [0xc0, 0x30, 0x0c, 0xfc, 0x3c];

/// The shortest way to every table that gives nothing for nothing.
fn steps() -> &'static [Option<Step>; 256] {
    static STEPS: OnceLock<[Option<Step>; 256]> = OnceLock::new();
    STEPS.get_or_init(|| {
        let mut steps = [None; 256];
        let mut costs = [u32::MAX; 256];
        for known in [0xf0_u8, 0xcc, 0xaa, 0] {
            costs[known as usize] = 0;
        }
        loop {
            let before = costs;
            let reached: Vec<u8> = (0..=255).filter(|&table| costs[table as usize] < u32::MAX).collect();
            for (&one, &two) in reached.iter().flat_map(|one| reached.iter().map(move |two| (one, two))) {
                let cost = costs[one as usize] + costs[two as usize] + 1;
                for table in FUNCTIONS {
                    let made = combined(table, one, two);
                    if cost < costs[made as usize] {
                        costs[made as usize] = cost;
                        steps[made as usize] = Some(Step { table, one, two });
                    }
                }
            }
            if costs == before {
                return steps;
            }
        }
    })
}

/// The table of a function of two functions.
fn combined(table: u8, one: u8, two: u8) -> u8 {
    let rows = |a: bool, b: bool| if a { one } else { !one } & if b { two } else { !two };
    let wanted = [(0, false, false), (2, false, true), (4, true, false), (6, true, true)];
    wanted.into_iter().filter(|(row, ..)| table >> row & 1 == 1).fold(0, |made, (_, a, b)| made | rows(a, b))
}

impl Code {
    /// The same results from operations with two inputs each; none where these are too many.
    pub(super) fn in_pairs(&self) -> Option<Code> {
        let mut builder = Builder::new(self.inputs);
        let mut values: Vec<Lit> = (0..=self.inputs).map(|input| Lit(2 * input)).collect();
        // Where each operation begins now.
        let mut places = Vec::with_capacity(self.ops.len() + 1);
        for op in &self.ops {
            places.push(builder.code.ops.len() as u32);
            let args = op.args.map(|arg| values[arg as usize]);
            values.push(expression(&mut builder, op.table, &args));
        }
        places.push(builder.code.ops.len() as u32);
        let now = |lit: Lit| values[lit.value() as usize].inverted(lit.is_not());
        for known in &self.loops {
            let latches = known.latches.iter().map(|&(latch, lit)| (latch, now(lit))).collect();
            let (start, end) = (places[known.start as usize], places[known.end as usize]);
            builder.code.loops.push(Loop { start, end, latches, fresh: now(known.fresh) });
        }
        builder.finish(self.outputs.iter().map(|&(to, lit)| (to, now(lit))).collect())
    }
}

fn expression(builder: &mut Builder, table: u8, args: &[Lit; 3]) -> Lit {
    match table {
        0xf0 => return args[0],
        0xcc => return args[1],
        0xaa => return args[2],
        0 => return Lit::FALSE,
        _ => {}
    }
    let step = steps()[table as usize].expect("every table that gives nothing for nothing can be reached");
    let one = expression(builder, step.one, args);
    let two = expression(builder, step.two, args);
    builder.lut(step.table, [one, two, Lit::TRUE])
}

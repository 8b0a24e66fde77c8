//! Straight-line code over words: every operation is a function of three bits, given by its table.

use super::MOST_OPERATIONS;
use rustc_hash::FxHashMap;

/// A value as it is, or its opposite: twice the value's number, plus one for the opposite. Value 0 is always true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Lit(pub(super) u32);

impl Lit {
    pub(super) const TRUE: Lit = Lit(0);
    pub(super) const FALSE: Lit = Lit(1);

    pub(super) fn value(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_not(self) -> bool {
        self.0 & 1 == 1
    }

    /// The opposite, if so wished.
    pub(super) fn inverted(self, really: bool) -> Lit {
        Lit(self.0 ^ u32::from(really))
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        self.inverted(true)
    }
}

/// A function of three values. Bit `4a + 2b + c` of the table is what it gives. Where fewer matter, the last ones are 0 and the table does not ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Op {
    pub(super) table: u8,
    pub(super) arity: u8,
    pub(super) args: [u32; 3],
}

/// Which row of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// The state.
    From,
    /// Its successor.
    To,
    /// Everything else.
    Scratch,
}

/// A word in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mem {
    pub(super) base: Base,
    pub(super) slot: u32,
}

/// Values 1 to `inputs` are given, those after them are the results of the operations.
#[derive(Clone, Debug, Default)]
pub(super) struct Code {
    pub(super) inputs: u32,
    pub(super) ops: Vec<Op>,
    /// Results that are wanted, and where they go.
    pub(super) outputs: Vec<(Mem, Lit)>,
    /// One after the other.
    pub(super) loops: Vec<Loop>,
}

/// Operations that are carried out again and again, until a round brings nothing new.
#[derive(Clone, Debug, Default)]
pub(super) struct Loop {
    /// The first of them, and one after the last.
    pub(super) start: u32,
    pub(super) end: u32,
    /// Inputs that are cleared before the first round, and what they become in each.
    pub(super) latches: Vec<(u32, Lit)>,
    /// What is new.
    pub(super) fresh: Lit,
}

impl Loop {
    /// What is read at its end: values that latches take over, and what is new.
    pub(super) fn reads(&self) -> impl Iterator<Item = u32> {
        let changed = self.latches.iter().filter(|(latch, lit)| lit.value() != *latch);
        let fresh = Some(self.fresh.value()).filter(|value| *value != 0);
        changed.map(|(_, lit)| lit.value()).chain(fresh)
    }
}

impl Default for Lit {
    fn default() -> Lit {
        Lit::FALSE
    }
}

/// The tables of the three arguments themselves.
const ARGS: [u8; 3] = [0xf0, 0xcc, 0xaa];
pub(super) const AND: u8 = 0x80;
pub(super) const XOR: u8 = 0x96;
pub(super) const MAJORITY: u8 = 0xe8;
/// The first says which of the others.
pub(super) const MUX: u8 = 0xca;
/// The first, or both others.
pub(super) const OR_BOTH: u8 = 0xf8;

/// Makes code: no operation twice, none whose result is known.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) code: Code,
    known: FxHashMap<Op, u32>,
    /// There are too many operations.
    overflown: bool,
}

impl Builder {
    pub(super) fn new(inputs: u32) -> Builder {
        Builder { code: Code { inputs, ..Code::default() }, known: FxHashMap::default(), overflown: false }
    }

    pub(super) fn input(&self, index: u32) -> Lit {
        debug_assert!(index < self.code.inputs);
        Lit(2 * (index + 1))
    }

    pub(super) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.lut(AND, [a, b, Lit::TRUE])
    }

    pub(super) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Sum and carry of three bits.
    pub(super) fn add(&mut self, a: Lit, b: Lit, c: Lit) -> (Lit, Lit) {
        (self.lut(XOR, [a, b, c]), self.lut(MAJORITY, [a, b, c]))
    }

    /// A function of three literals, by its table.
    pub(super) fn lut(&mut self, mut table: u8, lits: [Lit; 3]) -> Lit {
        let mut args = [0; 3];
        for (at, lit) in lits.into_iter().enumerate() {
            if lit.value() == 0 {
                table = fixed(table, at, !lit.is_not());
            } else if lit.is_not() {
                table = flipped(table, at);
            }
            args[at] = lit.value();
        }
        for (one, two) in [(0, 1), (0, 2), (1, 2)] {
            if args[one] == args[two] && args[one] != 0 {
                table = merged(table, one, two);
            }
        }
        // Arguments that do not matter go, the others come in their order.
        let mut used: Vec<usize> = (0..3).filter(|&at| fixed(table, at, true) != fixed(table, at, false)).collect();
        used.sort_by_key(|&at| args[at]);
        let arity = used.len();
        let table = rearranged(table, &used);
        // A function that gives nothing for nothing stands for its opposite, too.
        let inverted = table & 1 == 1;
        let table = if inverted { !table } else { table };
        let mut ordered = [0; 3];
        for (slot, &at) in ordered.iter_mut().zip(&used) {
            *slot = args[at];
        }
        let result = match arity {
            0 => Lit::FALSE,
            1 => Lit(2 * ordered[0]),
            _ => self.value(Op { table, arity: arity as u8, args: ordered }),
        };
        result.inverted(inverted)
    }

    fn value(&mut self, op: Op) -> Lit {
        let code = &mut self.code;
        // Such code is not used; what its results are does not matter.
        if code.ops.len() >= MOST_OPERATIONS {
            self.overflown = true;
            return Lit::FALSE;
        }
        let value = self.known.entry(op).or_insert_with(|| {
            code.ops.push(op);
            code.inputs + code.ops.len() as u32
        });
        Lit(2 * *value)
    }

    /// All of these, where some are pairs of which not both may hold.
    pub(super) fn all(&mut self, mut lits: Vec<Lit>, pairs: &[(Lit, Lit)]) -> Lit {
        let mut pairs = pairs.iter();
        let mut all = match pairs.next() {
            Some(&(a, b)) => {
                let first = lits.pop().unwrap_or(Lit::TRUE);
                self.lut(0x70, [first, a, b])
            }
            None => lits.pop().unwrap_or(Lit::TRUE),
        };
        for &(a, b) in pairs {
            all = self.lut(0x70, [all, a, b]);
        }
        while let Some(a) = lits.pop() {
            let b = lits.pop().unwrap_or(Lit::TRUE);
            all = self.lut(AND, [all, a, b]);
        }
        all
    }

    /// The code, without what does not lead to an output; none where there are too many operations.
    pub(super) fn finish(mut self, outputs: Vec<(Mem, Lit)>) -> Option<Code> {
        if self.overflown {
            return None;
        }
        self.code.outputs = outputs;
        self.code.drop_dead();
        Some(self.code)
    }
}

impl Code {
    fn drop_dead(&mut self) {
        let first = self.inputs as usize + 1;
        let mut needed = vec![false; first + self.ops.len()];
        let loops = self.loops.iter().flat_map(|known| known.latches.iter().map(|(_, lit)| *lit).chain([known.fresh]));
        for lit in self.outputs.iter().map(|(_, lit)| *lit).chain(loops) {
            needed[lit.value() as usize] = true;
        }
        for (index, op) in self.ops.iter().enumerate().rev() {
            if needed[first + index] {
                op.args[..op.arity as usize].iter().for_each(|&arg| needed[arg as usize] = true);
            }
        }
        let mut number: Vec<u32> = (0..first as u32).collect();
        let mut kept = Vec::with_capacity(self.ops.len());
        for (index, op) in self.ops.iter().enumerate() {
            number.push((first + kept.len()) as u32);
            if needed[first + index] {
                kept.push(Op { args: op.args.map(|arg| number[arg as usize]), ..*op });
            }
        }
        let total = kept.len() as u32;
        self.ops = kept;
        let renumber = |lit: &mut Lit| *lit = Lit(2 * number[lit.value() as usize]).inverted(lit.is_not());
        self.outputs.iter_mut().for_each(|(_, lit)| renumber(lit));
        // An operation that is gone has the number of the next one that is not.
        let place = |op: u32| number.get(first + op as usize).map_or(total, |&value| value - first as u32);
        for known in &mut self.loops {
            (known.start, known.end) = (place(known.start), place(known.end));
            known.latches.iter_mut().for_each(|(_, lit)| renumber(lit));
            renumber(&mut known.fresh);
        }
    }
}

/// The table when an argument is known; it no longer matters.
fn fixed(table: u8, at: usize, holds: bool) -> u8 {
    let shift = 4 >> at;
    if holds {
        let half = table & ARGS[at];
        half | half >> shift
    } else {
        let half = table & !ARGS[at];
        half | half << shift
    }
}

/// The table when the opposite of an argument is given.
fn flipped(table: u8, at: usize) -> u8 {
    let shift = 4 >> at;
    (table & ARGS[at]) >> shift | (table & !ARGS[at]) << shift
}

/// The table when the second of two arguments is the first once more.
fn merged(table: u8, one: usize, two: usize) -> u8 {
    fixed(table, two, true) & ARGS[one] | fixed(table, two, false) & !ARGS[one]
}

/// The table when these arguments are the first ones, in this order.
pub(super) fn rearranged(table: u8, used: &[usize]) -> u8 {
    (0..8_u8)
        .filter(|row| {
            let from = used.iter().enumerate().fold(0, |from, (to, &at)| from | (row >> (2 - to) & 1) << (2 - at));
            table >> from & 1 == 1
        })
        .fold(0, |made, row| made | 1 << row)
}

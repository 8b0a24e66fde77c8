//! Registers for values: what is read again soonest stays, the rest goes to memory.

use super::lut::{Base, Code, Mem, Op};

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Register(u8),
    Memory(Mem),
}

/// Functions of two words that processors have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    And,
    /// Not the first, and the second.
    AndNot,
    Or,
    Xor,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    Load(u8, Mem),
    Store(Mem, u8),
    Copy(u8, u8),
    Two(Function, u8, u8, Place),
    /// A function of the register written itself, another, and a third word.
    Three(u8, u8, u8, Place),
    /// Where a loop begins.
    Label,
    /// Back to the last label, unless the register is all zeros.
    Repeat(u8),
}

/// Where the inputs lie and what is at hand.
pub(super) struct Room<'a> {
    pub(super) registers: u8,
    pub(super) inputs: &'a [Mem],
    /// Words of the scratch that hold nothing but ones, and nothing but zeros.
    pub(super) ones: Mem,
    pub(super) zeros: Mem,
    /// The first word of the scratch that is free.
    pub(super) free: u32,
}

/// Instructions, and how many words of the scratch they need.
pub(super) struct Allocated {
    pub(super) instructions: Vec<Instruction>,
    pub(super) scratch: u32,
}

pub(super) const NONE: u8 = u8::MAX;
pub(super) const NEVER: u32 = u32::MAX;

pub(super) struct Allocator<'a> {
    pub(super) room: &'a Room<'a>,
    /// Per value: where its reads begin in `reads`; one more than there are values.
    starts: Vec<u32>,
    reads: Vec<u32>,
    /// Per value: its next read.
    pub(super) cursor: Vec<u32>,
    pub(super) register: Vec<u8>,
    pub(super) home: Vec<Option<Mem>>,
    /// Per register: the value in it; 0 is none.
    pub(super) held: Vec<u32>,
    free: Vec<u32>,
    scratch: u32,
    pub(super) made: Vec<Instruction>,
    /// In a loop: the first value that is made there.
    pub(super) inside: Option<u32>,
    /// Values from before the loop that are no longer read in it. They must stay: the loop may go round again.
    pub(super) deferred: Vec<u32>,
}

pub(super) fn allocate(code: &Code, room: &Room) -> Allocated {
    let mut allocator = Allocator::new(code, room);
    let mut wanted: Vec<(u32, Mem, bool)> = Vec::new();
    let (given, worked_out): (Vec<_>, Vec<_>) = code.outputs.iter().partition(|(_, lit)| lit.value() <= code.inputs);
    for (to, lit) in worked_out {
        wanted.push((lit.value(), to, lit.is_not()));
    }
    wanted.sort_by_key(|(value, ..)| *value);
    let mut wanted = wanted.into_iter().peekable();
    let mut loops = code.loops.iter().peekable();
    for index in 0..=code.ops.len() {
        // A loop without operations begins and ends at once.
        while let Some(known) = loops.peek() {
            if allocator.inside.is_none() && known.start as usize == index {
                allocator.enter(known, code.inputs + 1 + index as u32);
            }
            if allocator.inside.is_none() || known.end as usize != index {
                break;
            }
            allocator.repeat(known);
            loops.next();
        }
        let Some(op) = code.ops.get(index) else { break };
        let value = code.inputs + 1 + index as u32;
        allocator.operation(op, value);
        while let Some((_, to, inverted)) = wanted.next_if(|(next, ..)| *next == value) {
            allocator.write(value, to, inverted);
        }
        allocator.release(value);
    }
    // Latches are inputs, too, and have their values only now.
    for (to, lit) in given {
        allocator.pass_on(lit.value(), lit.is_not(), to);
    }
    Allocated { instructions: allocator.made, scratch: allocator.scratch }
}

/// Every value that is read, with the operation that reads it; at the end of a loop what its latches become is read, and what is new.
fn in_order(code: &Code) -> Vec<(u32, u32)> {
    let mut reads = Vec::new();
    let mut loops = code.loops.iter().peekable();
    for index in 0..=code.ops.len() as u32 {
        while let Some(known) = loops.next_if(|known| known.end == index) {
            reads.extend(known.reads().map(|value| (value, index)));
        }
        if let Some(op) = code.ops.get(index as usize) {
            reads.extend(op.args.into_iter().take(op.arity as usize).map(|arg| (arg, index)));
        }
    }
    reads
}

impl<'a> Allocator<'a> {
    fn new(code: &Code, room: &'a Room) -> Allocator<'a> {
        let values = code.inputs as usize + 1 + code.ops.len();
        let reads = in_order(code);
        let mut starts = vec![0; values + 1];
        for &(value, _) in &reads {
            starts[value as usize + 1] += 1;
        }
        for value in 0..values {
            starts[value + 1] += starts[value];
        }
        let mut fill = starts.clone();
        let mut times = vec![0; reads.len()];
        for (value, time) in reads {
            times[fill[value as usize] as usize] = time;
            fill[value as usize] += 1;
        }
        let mut home = vec![None; values];
        for (home, &mem) in home[1..].iter_mut().zip(room.inputs) {
            *home = Some(mem);
        }
        Allocator {
            room,
            cursor: starts[..values].to_vec(),
            starts,
            reads: times,
            register: vec![NONE; values],
            home,
            held: vec![0; room.registers as usize],
            free: Vec::new(),
            scratch: room.free,
            made: Vec::with_capacity(code.ops.len() * 2),
            inside: None,
            deferred: Vec::new(),
        }
    }

    /// When a value is read next, counted in operations.
    pub(super) fn next(&self, value: u32) -> u32 {
        let cursor = self.cursor[value as usize];
        if cursor < self.starts[value as usize + 1] { self.reads[cursor as usize] } else { NEVER }
    }

    fn operation(&mut self, op: &Op, value: u32) {
        let args = &op.args[..op.arity as usize];
        for &arg in args {
            self.cursor[arg as usize] += 1;
        }
        let place = self.bring(args);
        if op.arity == 2 {
            self.two(op, value, place);
        } else {
            self.three(op, value, place);
        }
        for &arg in args {
            self.release(arg);
        }
    }

    /// Loads all arguments but at most one, which is given back: it is read from memory.
    fn bring(&mut self, args: &[u32]) -> Option<u32> {
        let far: Vec<u32> = args.iter().copied().filter(|&arg| self.register[arg as usize] == NONE).collect();
        // The one that is read again last stays where it is, unless there is room for it.
        let stays = far.iter().copied().max_by_key(|&arg| self.next(arg));
        let stays = stays.filter(|&arg| self.next(arg) == NEVER || far.len() == 3 || !self.held.contains(&0));
        for &arg in far.iter().filter(|&&arg| Some(arg) != stays) {
            let register = self.take(args);
            let home = self.home[arg as usize].expect("a value that is in no register is in memory");
            self.made.push(Instruction::Load(register, home));
            self.hold(register, arg);
        }
        stays
    }

    pub(super) fn hold(&mut self, register: u8, value: u32) {
        self.held[register as usize] = value;
        self.register[value as usize] = register;
    }

    fn place(&self, value: u32) -> Place {
        match self.register[value as usize] {
            NONE => Place::Memory(self.home[value as usize].expect("a value that is in no register is in memory")),
            register => Place::Register(register),
        }
    }

    /// A register that is free, if need be by sending the value away that is read last; not one of these.
    pub(super) fn take(&mut self, needed: &[u32]) -> u8 {
        if let Some(register) = self.held.iter().position(|&value| value == 0) {
            return register as u8;
        }
        let others = self.held.iter().enumerate().filter(|(_, value)| !needed.contains(value));
        let (register, &value) =
            others.max_by_key(|(_, value)| self.next(**value)).expect("there are more registers than arguments");
        let register = register as u8;
        self.leave(value, register);
        register
    }

    /// Puts a value that is read again out of its register.
    pub(super) fn leave(&mut self, value: u32, register: u8) {
        if self.home[value as usize].is_none() {
            let slot = self.free.pop().unwrap_or_else(|| {
                self.scratch += 1;
                self.scratch - 1
            });
            let mem = Mem { base: Base::Scratch, slot };
            self.made.push(Instruction::Store(mem, register));
            self.home[value as usize] = Some(mem);
        }
        self.register[value as usize] = NONE;
        self.held[register as usize] = 0;
    }

    /// Frees the places of a value that is not read again.
    pub(super) fn release(&mut self, value: u32) {
        if self.next(value) != NEVER {
            return;
        }
        if self.inside.is_some_and(|first| value < first) {
            self.deferred.push(value);
            return;
        }
        let register = std::mem::replace(&mut self.register[value as usize], NONE);
        if register != NONE {
            self.held[register as usize] = 0;
        }
        if let Some(Mem { base: Base::Scratch, slot }) = self.home[value as usize]
            && slot >= self.room.free
        {
            self.free.push(slot);
            self.home[value as usize] = None;
        }
    }

    /// A function of two: its first argument must be in a register.
    fn two(&mut self, op: &Op, value: u32, far: Option<u32>) {
        let [a, b, _] = op.args;
        let (function, first, second) = match op.table {
            0xc0 => (Function::And, a, b),
            0xfc => (Function::Or, a, b),
            0x3c => (Function::Xor, a, b),
            0x30 => (Function::AndNot, b, a),
            _ => (Function::AndNot, a, b),
        };
        let swap = function != Function::AndNot && far == Some(first);
        let (first, second) = if swap { (second, first) } else { (first, second) };
        if far == Some(first) {
            let register = self.take(&op.args[..2]);
            self.made.push(Instruction::Load(register, self.home[first as usize].expect("the argument is in memory")));
            self.hold(register, first);
        }
        let (from, place) = (self.register[first as usize], self.place(second));
        let dying = [first, second].into_iter().find(|&arg| self.next(arg) == NEVER && self.register[arg as usize] != NONE);
        let register = match dying {
            Some(arg) => {
                let register = std::mem::replace(&mut self.register[arg as usize], NONE);
                self.held[register as usize] = 0;
                register
            }
            None => self.take(&op.args[..2]),
        };
        self.made.push(Instruction::Two(function, register, from, place));
        self.hold(register, value);
    }

    /// A function of three is written over one of its arguments.
    fn three(&mut self, op: &Op, value: u32, far: Option<u32>) {
        let args = op.args;
        let near = || (0..3).filter(|&at| Some(args[at]) != far);
        // Best one that is not read again, else one that is in memory, too, and not read soon.
        let dying = near().find(|&at| self.next(args[at]) == NEVER);
        let first = dying.unwrap_or_else(|| {
            near()
                .max_by_key(|&at| (self.home[args[at] as usize].is_some(), self.next(args[at])))
                .expect("two arguments are in registers")
        });
        let from = self.register[args[first] as usize];
        let register = if dying.is_some() {
            self.register[args[first] as usize] = NONE;
            from
        } else if self.home[args[first] as usize].is_some() && !self.held.contains(&0) {
            self.leave(args[first], from);
            from
        } else {
            let register = self.take(&args);
            self.made.push(Instruction::Copy(register, from));
            register
        };
        let third = (0..3).rfind(|&at| at != first && Some(args[at]) == far).unwrap_or(if first == 2 { 1 } else { 2 });
        let second = 3 - first - third;
        let table = super::lut::rearranged(op.table, &[first, second, third]);
        let second = self.register[args[second] as usize];
        let place = self.place(args[third]);
        self.made.push(Instruction::Three(table, register, second, place));
        self.hold(register, value);
    }

    /// Writes a result that is in a register to where it is wanted.
    fn write(&mut self, value: u32, to: Mem, inverted: bool) {
        let register = self.register[value as usize];
        if inverted {
            let other = self.take(&[value]);
            self.made.push(Instruction::Two(Function::Xor, other, register, Place::Memory(self.room.ones)));
            self.made.push(Instruction::Store(to, other));
        } else {
            self.made.push(Instruction::Store(to, register));
        }
    }

    /// Writes an input, or a constant, to where it is wanted.
    fn pass_on(&mut self, value: u32, inverted: bool, to: Mem) {
        let from = match (value, inverted) {
            (0, false) => self.room.ones,
            (0, true) => self.room.zeros,
            _ => self.home[value as usize].expect("inputs are in memory"),
        };
        self.made.push(Instruction::Load(0, from));
        if value != 0 && inverted {
            self.made.push(Instruction::Two(Function::Xor, 0, 0, Place::Memory(self.room.ones)));
        }
        self.made.push(Instruction::Store(to, 0));
    }
}

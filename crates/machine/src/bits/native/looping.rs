//! Registers where code goes round in loops: nothing is in one when a round begins.

use super::allocate::{Allocator, Instruction, NEVER, NONE};
use super::lut::{Loop, Mem};

impl Allocator<'_> {
    /// Begins a loop, in which `first` is the first value made.
    pub(super) fn enter(&mut self, known: &Loop, first: u32) {
        self.clear(None);
        self.made.push(Instruction::Load(0, self.room.zeros));
        for &(latch, _) in &known.latches {
            let to = self.kept(latch);
            self.made.push(Instruction::Store(to, 0));
        }
        self.made.push(Instruction::Label);
        self.inside = Some(first);
    }

    /// Ends it: latches take their values over, and all is done again if any of them is new.
    pub(super) fn repeat(&mut self, known: &Loop) {
        let fresh = known.fresh.value();
        for &(latch, lit) in known.latches.iter().filter(|(latch, lit)| lit.value() != *latch) {
            let (value, to) = (lit.value(), self.kept(latch));
            let mut register = self.register[value as usize];
            if register == NONE {
                register = self.take(&[fresh]);
                self.made.push(Instruction::Load(register, self.kept(value)));
            }
            self.made.push(Instruction::Store(to, register));
        }
        if fresh != 0 && self.register[fresh as usize] == NONE {
            let register = self.take(&[]);
            self.made.push(Instruction::Load(register, self.kept(fresh)));
            self.hold(register, fresh);
        }
        let read: Vec<u32> = known.reads().collect();
        for &value in &read {
            self.cursor[value as usize] += 1;
        }
        self.clear(Some(fresh));
        if fresh != 0 {
            self.made.push(Instruction::Repeat(self.register[fresh as usize]));
        }
        self.clear(None);
        self.inside = None;
        let deferred = std::mem::take(&mut self.deferred);
        read.into_iter().chain(deferred).for_each(|value| self.release(value));
    }

    fn kept(&self, value: u32) -> Mem {
        self.home[value as usize].expect("a value that is in no register is in memory")
    }

    /// Empties all registers but that of one value.
    fn clear(&mut self, except: Option<u32>) {
        for register in 0..self.held.len() {
            let value = self.held[register];
            if value == 0 || Some(value) == except {
                continue;
            }
            if self.next(value) == NEVER {
                self.held[register] = 0;
                self.register[value as usize] = NONE;
            } else {
                self.leave(value, register as u8);
            }
        }
    }
}

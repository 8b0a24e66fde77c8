//! Instructions as bytes, for processors of the x86-64 family.
//!
//! Rows of words are addressed from the middle of their first 256, so that one byte tells which of these is meant.

use super::allocate::{Function, Instruction, Place};
use super::lut::{Base, Mem};

/// Which instructions there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::bits) enum Target {
    /// 512 bits, functions of three.
    Avx512,
    /// 256 bits, functions of three.
    Avx512Half,
    /// 256 bits, functions of two.
    Avx2,
}

impl Target {
    pub(super) fn registers(self) -> u8 {
        match self {
            Target::Avx512 | Target::Avx512Half => 32,
            Target::Avx2 => 16,
        }
    }

    /// Bytes of a word.
    pub(super) fn bytes(self) -> usize {
        match self {
            Target::Avx512 => 64,
            Target::Avx512Half | Target::Avx2 => 32,
        }
    }

    pub(super) fn three(self) -> bool {
        self != Target::Avx2
    }
}

/// How far into a row its address points, in words.
pub(super) const MIDDLE: u32 = 128;

/// A function of the addresses of the three rows (in rdi, rsi and rdx) that carries the instructions out.
pub(super) fn encode(target: Target, instructions: &[Instruction]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(instructions.len() * 8);
    let mut label = 0;
    for instruction in instructions {
        let (opcode, register, other, place, table) = match *instruction {
            Instruction::Load(to, from) => (0x6f, to, 0, Place::Memory(from), None),
            Instruction::Store(to, from) => (0x7f, from, 0, Place::Memory(to), None),
            Instruction::Copy(to, from) => (0x6f, to, 0, Place::Register(from), None),
            Instruction::Two(function, to, first, second) => (opcode(function), to, first, second, None),
            Instruction::Three(table, to, second, third) => (0x25, to, second, third, Some(table)),
            Instruction::Label => {
                label = bytes.len();
                continue;
            }
            Instruction::Repeat(register) => {
                test(&mut bytes, target, register);
                // jnz: how far from the end of this instruction.
                bytes.extend([0x0f, 0x85]);
                let back = i32::try_from(bytes.len() + 4 - label).expect("code is far below two gigabytes");
                bytes.extend((-back).to_le_bytes());
                continue;
            }
        };
        match target {
            Target::Avx512 => evex(&mut bytes, true, opcode, register, other, place, table),
            Target::Avx512Half => evex(&mut bytes, false, opcode, register, other, place, table),
            Target::Avx2 => vex(&mut bytes, opcode, register, other, place),
        }
    }
    // vzeroupper, ret
    bytes.extend([0xc5, 0xf8, 0x77, 0xc3]);
    bytes
}

/// Sets the zero flag where no bit of a register is set.
fn test(bytes: &mut Vec<u8>, target: Target, register: u8) {
    let modrm = 0xc0 | (register & 7);
    let high = |at: u8| register >> at & 1 ^ 1;
    match target {
        Target::Avx2 => bytes.extend([0xc4, high(3) << 7 | 0x40 | high(3) << 5 | 0x02, 0x7d, 0x17, modrm | (register & 7) << 3]),
        Target::Avx512 | Target::Avx512Half => {
            // vptestmq k1, register, register; kortestw k1, k1
            let p0 = 0x80 | high(4) << 6 | high(3) << 5 | 0x10 | 0x02;
            let p1 = 0x80 | (!register & 0xf) << 3 | 0x04 | 0x01;
            let p2 = if target == Target::Avx512 { 0x40 } else { 0x20 } | high(4) << 3;
            bytes.extend([0x62, p0, p1, p2, 0x27, modrm | 0x08]);
            bytes.extend([0xc5, 0xf8, 0x98, 0xc9]);
        }
    }
}

fn opcode(function: Function) -> u8 {
    match function {
        Function::And => 0xdb,
        Function::AndNot => 0xdf,
        Function::Or => 0xeb,
        Function::Xor => 0xef,
    }
}

/// One instruction with the prefix of AVX-512: registers up to 31; offsets in whole words fit into one byte.
fn evex(bytes: &mut Vec<u8>, wide: bool, opcode: u8, register: u8, other: u8, place: Place, table: Option<u8>) {
    let bit = |number: u8, at: u8| number >> at & 1 ^ 1;
    let rm = if let Place::Register(rm) = place { rm } else { 0 };
    let map = if table.is_some() { 3 } else { 1 };
    let p0 = bit(register, 3) << 7 | bit(rm, 4) << 6 | bit(rm, 3) << 5 | bit(register, 4) << 4 | map;
    let p1 = 0x80 | (!other & 0xf) << 3 | 0x04 | 0x01;
    let p2 = if wide { 0x40 } else { 0x20 } | bit(other, 4) << 3;
    bytes.extend([0x62, p0, p1, p2, opcode]);
    let word = if wide { 64 } else { 32 };
    operand(bytes, register, place, |slot| i8::try_from(i64::from(slot) - i64::from(MIDDLE)).ok(), word);
    bytes.extend(table);
}

/// One instruction with the prefix of AVX: registers up to 15.
fn vex(bytes: &mut Vec<u8>, opcode: u8, register: u8, other: u8, place: Place) {
    let high = |number: u8| number >> 3 & 1 ^ 1;
    let rm = if let Place::Register(rm) = place { rm } else { 0 };
    let tail = (!other & 0xf) << 3 | 0x04 | 0x01;
    if rm < 8 {
        bytes.extend([0xc5, high(register) << 7 | tail, opcode]);
    } else {
        bytes.extend([0xc4, high(register) << 7 | 0x40 | 0x01, tail, opcode]);
    }
    operand(bytes, register, place, |slot| i8::try_from((i64::from(slot) - i64::from(MIDDLE)) * 32).ok(), 32);
}

/// The registers or the address of an instruction; `short` is the offset as one byte where that will do.
fn operand(bytes: &mut Vec<u8>, register: u8, place: Place, short: impl Fn(u32) -> Option<i8>, word: i64) {
    let reg = (register & 7) << 3;
    match place {
        Place::Register(rm) => bytes.push(0xc0 | reg | rm & 7),
        Place::Memory(Mem { base, slot }) => {
            let base = match base {
                Base::From => 7,
                Base::To => 6,
                Base::Scratch => 2,
            };
            if let Some(offset) = short(slot) {
                bytes.extend([0x40 | reg | base, offset.cast_unsigned()]);
            } else {
                let offset = (i64::from(slot) - i64::from(MIDDLE)) * word;
                bytes.push(0x80 | reg | base);
                bytes.extend(i32::try_from(offset).expect("rows are far below two gigabytes").to_le_bytes());
            }
        }
    }
}

//! Sums over the fluents of all lanes, and over lines of them, by machine code.
//!
//! A number is a few powers of two, as in `adders`; words of equal worth are added up by full adders, each as soon as three are there. What many words
//! have to add alike is counted first, and the bits of the count are added in their place.

use super::lut::{AND, Base, Builder, Lit, Mem};
use super::run::call;
use super::{Compiled, FREE, ONES, Target, compile, inputs};
use crate::Weights;
use crate::bits::adders::{Found, MOST_BITS, digits};
use crate::bits::word::Word;
use crate::weights::{Line, Steps, Sum};
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// More operations than these are not made code of: that takes time, and functions are exchanged while they are learned.
const MOST: usize = 100_000;

/// Words that add the same number are counted if there are so many.
const COUNTED: u32 = 4;

/// Code for the sums of some [`Weights`], per target, made when it is first asked for; none where it cannot be.
#[derive(Debug, Default)]
pub(crate) struct SumCodes([OnceLock<Option<SumCode>>; 3]);

/// Code for all sums.
#[derive(Debug)]
pub(in crate::bits) struct SumCode {
    target: Target,
    code: Compiled,
    sums: Vec<Planes>,
}

/// Where the bits of a sum are, the lowest first, and what is to be taken off.
#[derive(Debug)]
struct Planes {
    first: usize,
    count: usize,
    offset: i32,
}

/// What the code works on.
#[derive(Debug)]
pub(in crate::bits) struct SumRoom<W> {
    planes: Vec<W>,
    scratch: Vec<W>,
}

impl<W> SumRoom<W> {
    /// Without room, which is made when it is needed.
    pub(in crate::bits) fn new() -> SumRoom<W> {
        SumRoom { planes: Vec::new(), scratch: Vec::new() }
    }
}

impl SumCodes {
    pub(in crate::bits) fn get(&self, target: Target, weights: &Weights) -> Option<&SumCode> {
        self.0[target as usize].get_or_init(|| SumCode::new(target, weights)).as_ref()
    }
}

impl SumCode {
    fn new(target: Target, weights: &Weights) -> Option<SumCode> {
        let of_lines = |sum: &Sum| {
            let lines = sum.lines().iter();
            lines.flat_map(|(line, _)| line.fluents.iter().chain(&line.blockers)).max().map_or(0, |last| *last as usize + 1)
        };
        let fluents = weights.all().iter().map(|sum| sum.numbers().len().max(of_lines(sum))).max().unwrap_or(0);
        let mut builder = Builder::new(fluents as u32 + 1);
        let mut outputs = Vec::new();
        let mut sums = Vec::new();
        for sum in weights.all() {
            let mut adding = Adding::new(&mut builder, sum);
            for (fluent, &number) in (0..).zip(sum.numbers()) {
                let lit = adding.builder.input(fluent);
                adding.add(lit, number);
                adding.within(MOST)?;
            }
            for (line, steps) in sum.lines() {
                adding.line(line, steps);
                adding.within(MOST)?;
            }
            let (mut planes, offset) = adding.finish();
            // No sum reaches beyond these, though adders do.
            planes.truncate(MOST_BITS);
            sums.push(Planes { first: outputs.len(), count: planes.len(), offset });
            for lit in planes {
                outputs.push((Mem { base: Base::To, slot: outputs.len() as u32 }, lit));
            }
            if builder.code.ops.len() > MOST {
                return None;
            }
        }
        let code = builder.finish(outputs)?;
        let code = compile(target, &code, &inputs(fluents, 0..0), FREE)?;
        Some(SumCode { target, code, sums })
    }

    /// Adds up in all lanes; hears of the sums one by one.
    #[inline(always)]
    pub(in crate::bits) fn add_up<W: Word>(&self, fluents: &[W], room: &mut SumRoom<W>) {
        assert_eq!(W::LANES, self.target.bytes() * 8, "words are as wide as the code's");
        if room.scratch.len() < self.code.sizes.scratch.max(FREE as usize) {
            room.scratch.resize(self.code.sizes.scratch.max(FREE as usize), W::ZERO);
            room.scratch[ONES as usize] = W::ONES;
        }
        if room.planes.len() < self.code.written {
            room.planes.resize(self.code.written, W::ZERO);
        }
        call(self.target, &self.code, fluents, &mut room.planes, &mut room.scratch);
    }

    /// A sum that has been added up.
    #[inline(always)]
    pub(in crate::bits) fn found<W: Word>(&self, sum: usize, room: &SumRoom<W>) -> Found<W> {
        let Planes { first, count, offset } = self.sums[sum];
        Found::of(&room.planes[first..first + count], offset)
    }
}

/// Words of equal worth, of which there are at most two when none is being added.
#[derive(Debug, Default)]
struct Columns(Vec<Vec<Lit>>);

impl Columns {
    fn push(&mut self, builder: &mut Builder, power: usize, lit: Lit) {
        let mut next = (power, lit);
        loop {
            let (power, lit) = next;
            if lit == Lit::FALSE {
                return;
            }
            if self.0.len() <= power {
                self.0.resize(power + 1, Vec::new());
            }
            let column = &mut self.0[power];
            column.push(lit);
            let [a, b, c] = column[..] else { return };
            let (sum, carry) = builder.add(a, b, c);
            column.clear();
            column.push(sum);
            next = (power + 1, carry);
        }
    }

    /// The bits of the whole, the lowest first.
    fn finish(mut self, builder: &mut Builder) -> Vec<Lit> {
        let mut power = 0;
        while power < self.0.len() {
            if let [a, b] = self.0[power][..] {
                let (sum, carry) = builder.add(a, b, Lit::FALSE);
                self.0[power] = vec![sum];
                self.push(builder, power + 1, carry);
            }
            power += 1;
        }
        self.0.into_iter().map(|column| column.first().copied().unwrap_or(Lit::FALSE)).collect()
    }
}

/// A sum in the making.
struct Adding<'b> {
    builder: &'b mut Builder,
    columns: Columns,
    /// What is counted first, by what each adds.
    counters: FxHashMap<u32, Columns>,
    offset: i64,
}

impl<'b> Adding<'b> {
    fn new(builder: &'b mut Builder, sum: &Sum) -> Adding<'b> {
        let mut often: FxHashMap<u32, u32> = FxHashMap::default();
        let of_lines = sum.lines().iter().flat_map(|(_, steps)| steps.filled.iter().chain(&steps.lacking));
        for number in sum.numbers().iter().chain(of_lines) {
            *often.entry(number.unsigned_abs()).or_default() += 1;
        }
        let are_counted = |number: u32, count: u32| count >= COUNTED && number > 0 && !number.is_power_of_two();
        let counters = often.into_iter().filter(|&(number, count)| are_counted(number, count));
        let counters = counters.map(|(number, _)| (number, Columns::default())).collect();
        Adding { builder, columns: Columns::default(), counters, offset: 0 }
    }

    /// Nothing where there are more operations already.
    fn within(&self, most: usize) -> Option<()> {
        (self.builder.code.ops.len() <= most).then_some(())
    }

    /// Adds a number where something holds.
    fn add(&mut self, lit: Lit, number: i32) {
        let size = number.unsigned_abs();
        if let Some(counter) = self.counters.get_mut(&size) {
            // Nothing is taken away: it is added where it does not hold, and taken off for all at the end.
            let takes = number < 0;
            self.offset += i64::from(size) * i64::from(takes);
            counter.push(self.builder, 0, lit.inverted(takes));
        } else {
            self.add_digits(lit, number);
        }
    }

    fn add_digits(&mut self, lit: Lit, number: i32) {
        for (power, takes) in digits(number) {
            self.offset += i64::from(takes) << power;
            self.columns.push(self.builder, power, lit.inverted(takes));
        }
    }

    /// Adds what a line has to add.
    fn line(&mut self, line: &Line, steps: &Steps) {
        let blockers: Vec<Lit> = line.blockers.iter().map(|&fluent| !self.builder.input(fluent)).collect();
        let live = self.builder.all(blockers, &[]);
        let fluents: Vec<Lit> = line.fluents.iter().map(|&fluent| self.builder.input(fluent)).collect();
        let mut count = Columns::default();
        for &fluent in &fluents {
            count.push(self.builder, 0, fluent);
        }
        let mut bits = count.finish(self.builder);
        // A full line of eight is not told from an empty one: neither adds anything.
        bits.resize(3, Lit::FALSE);
        let exactly = |builder: &mut Builder, filled: usize| {
            let is = |bit: usize| bits[bit].inverted(filled >> bit & 1 == 0);
            let right = builder.lut(AND, [is(0), is(1), is(2)]);
            builder.and(right, live)
        };
        for (filled, &number) in steps.filled.iter().enumerate().filter(|(_, number)| **number != 0) {
            let lit = exactly(self.builder, filled);
            self.add(lit, number);
        }
        if steps.lacking.iter().any(|&number| number != 0) {
            let almost = exactly(self.builder, fluents.len() - 1);
            for (&fluent, &number) in fluents.iter().zip(&steps.lacking).filter(|(_, number)| **number != 0) {
                let missing = self.builder.and(almost, !fluent);
                self.add(missing, number);
            }
        }
    }

    /// The bits of the sum, the lowest first, and what is to be taken off.
    fn finish(mut self) -> (Vec<Lit>, i32) {
        let mut counters: Vec<(u32, Columns)> = std::mem::take(&mut self.counters).into_iter().collect();
        counters.sort_by_key(|(number, _)| *number);
        for (number, counter) in counters {
            for (power, lit) in counter.finish(self.builder).into_iter().enumerate() {
                self.add_digits(lit, (number << power).cast_signed());
            }
        }
        let planes = self.columns.finish(self.builder);
        (planes, self.offset as i32)
    }
}

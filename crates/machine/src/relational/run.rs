//! The interpreter: executes plans on the state in hand.
//!
//! One loop, no recursion: goals that ask goals push frames on an explicit stack, so a sheet cannot overflow ours. Goals that
//! can reach themselves are evaluated by iteration: a goal that is asked while it is being computed answers with what it has
//! so far, and the outermost goal of such a ring is computed again until a round brings nothing new.

use super::facts::FactIndex;
use super::frames::{ARGUMENTS, Entered, Finished, Frame, Resume};
use super::key_map::KeyMap;
use super::plan::{Action, DIFFERENT, IGNORE, Keep, Lifetime, Op, Program, Run, SAME_REGISTER, SAME_TERM, value};
use super::registry::{NONE, Replica};
use super::store::Store;
use super::table::{Answers, Tables};
use crate::{Error, Limits};
use smallvec::SmallVec;

/// Most marks kept for moves.
const MARKS: usize = 1 << 24;

/// What a term that was not there before costs, in steps.
const NEW_TERM: u64 = 30;

/// Why a question has no answer; boxed, so that results stay small on the paths that have one.
pub(super) type Stop = Box<Error>;

/// Counts kept of a goal while profiling.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GoalCount {
    /// How often it was asked, and how often its answers had to be computed.
    pub(super) asked: u64,
    pub(super) computed: u64,
    /// Steps spent on computing them, with those of the goals it asked.
    pub(super) work: u64,
}

/// A state in hand and the means to ask about it.
#[derive(Clone, Debug)]
pub(super) struct Core<'p> {
    pub(super) program: &'p Program,
    pub(super) limits: Limits,
    pub(super) replica: Replica,
    pub(super) store: Store,
    pub(super) tables: Tables,
    /// The move of each role, as a term, while `next` is asked.
    joint: Vec<u32>,
    /// The roles, as terms.
    roles: Vec<u32>,
    /// Fluents the last question brought forth, each once.
    pub(super) out: Vec<u32>,
    /// Per role, the moves the last question brought forth, each once.
    pub(super) moves: Vec<Vec<u32>>,
    fluent_marks: Vec<u32>,
    move_marks: Vec<u32>,
    mark: u32,
    /// Moves by functor and arguments.
    move_families: Vec<(KeyMap, Vec<u32>)>,
    registers: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    /// Kept goals that wait for a frame below to finish.
    pub(super) waiting: Vec<(u32, u32)>,
    pub(super) round: u32,
    /// Answers added to goals that are not complete.
    pub(super) added: u64,
    pub(super) fuel: u64,
    /// Per goal, while profiling.
    pub(super) counts: Option<Vec<GoalCount>>,
}

impl<'p> Core<'p> {
    pub(super) fn new(program: &'p Program, replica: Replica, roles: &[u32], limits: &Limits) -> Core<'p> {
        let mut store = Store::new(&program.schema);
        store.catch_up(&replica);
        let family = |&(_, arity): &(u32, usize)| (KeyMap::new(arity), Vec::new());
        Core {
            program,
            limits: *limits,
            replica,
            store,
            tables: Tables::new(&program.goals),
            joint: vec![NONE; roles.len()],
            roles: roles.to_vec(),
            out: Vec::new(),
            moves: vec![Vec::new(); roles.len()],
            fluent_marks: Vec::new(),
            move_marks: Vec::new(),
            mark: 0,
            move_families: program.move_functors.iter().map(family).collect(),
            registers: vec![0; 4 * ARGUMENTS],
            frames: Vec::new(),
            waiting: Vec::new(),
            round: 0,
            added: 0,
            fuel: 0,
            counts: None,
        }
    }

    /// Makes a state the one in hand.
    pub(super) fn set_state(&mut self, fluents: &[u32]) {
        if self.tables.bytes() > self.limits.bytes / 2 {
            self.tables.reset(&self.program.goals);
        }
        self.tables.forget(Lifetime::State);
        self.store.clear();
        for &fluent in fluents {
            self.store.put(fluent, &self.replica);
        }
    }

    /// Makes these the moves the roles do, given as terms.
    pub(super) fn set_moves(&mut self, joint: &[u32]) {
        self.tables.forget(Lifetime::Moves);
        self.joint.clear();
        self.joint.extend_from_slice(joint);
    }

    /// Asks a goal with these values of its known arguments, spending at most `fuel` steps. Its answers (or `out`) are valid
    /// until the next question.
    pub(super) fn ask(&mut self, goal: u32, args: &[u32], fuel: u64) -> Result<Answers, Error> {
        self.tables.forget(Lifetime::Question);
        self.out.clear();
        self.moves.iter_mut().for_each(Vec::clear);
        self.mark = self.mark.wrapping_add(1);
        if self.mark == 0 {
            self.fluent_marks.fill(0);
            self.move_marks.fill(0);
            self.mark = 1;
        }
        self.fuel = fuel;
        self.question(goal, args).map_err(|stop| {
            self.frames.clear();
            self.waiting.clear();
            self.tables.abandon();
            *stop
        })
    }

    fn question(&mut self, goal: u32, args: &[u32]) -> Result<Answers, Stop> {
        debug_assert!(self.frames.is_empty() && self.waiting.is_empty(), "a question inside a question");
        // The registers are a local of the loop while it runs, so that the compiler need not reload them at every step.
        let mut registers = std::mem::take(&mut self.registers);
        registers[..args.len()].copy_from_slice(args);
        let result = match self.enter(&mut registers, goal, 0, Resume::Question) {
            Ok(Entered::Known(answers)) => Ok(answers),
            Ok(Entered::Frame) => self.run(&mut registers),
            Err(error) => Err(error),
        };
        self.registers = registers;
        result
    }

    /// Runs until the question's frame is done.
    fn run(&mut self, registers: &mut Vec<u32>) -> Result<Answers, Stop> {
        let program = self.program;
        let mut pc = program.goals[self.frames[0].goal as usize].entry;
        loop {
            let frame = self.frames.len() - 1;
            let base = self.frames[frame].base as usize;
            pc = self.run_frame(frame, pc, &mut registers[base..])?;
            match program.code[pc as usize] {
                Op::Ask { goal, args, not, fail } => {
                    let holds = pc + 1;
                    let above = self.put_arguments(frame, args, registers);
                    pc = match self.enter(registers, goal, above, Resume::Ask { holds, fails: fail, not })? {
                        Entered::Known(answers) if (answers.count > 0) != not => holds,
                        Entered::Known(_) => fail,
                        Entered::Frame => program.goals[goal as usize].entry,
                    };
                }
                Op::AnswerScan { goal, args, iterator } => {
                    let next = pc + 1;
                    let above = self.put_arguments(frame, args, registers);
                    pc = match self.enter(registers, goal, above, Resume::Scan { pc: next, iterator })? {
                        Entered::Known(answers) => {
                            registers[base + iterator as usize] = answers.head;
                            next
                        }
                        Entered::Frame => program.goals[goal as usize].entry,
                    };
                }
                Op::Succeed => match self.succeed(frame) {
                    Some(next) => pc = next,
                    None => return Ok(Answers::YES),
                },
                _ => match self.finish(frame)? {
                    Finished::Again(entry) => pc = entry,
                    Finished::Question(answers) => return Ok(answers),
                    Finished::Asked(next) => pc = next,
                    Finished::Scanned { pc: next, iterator, first } => {
                        let base = self.frames[frame - 1].base as usize;
                        registers[base + iterator as usize] = first;
                        pc = next;
                    }
                },
            }
        }
    }

    /// Puts a goal's arguments where its frame will be, above the caller's; returns that place.
    #[inline(always)]
    fn put_arguments(&self, frame: usize, args: Run, registers: &mut [u32]) -> usize {
        let Frame { goal, base, .. } = self.frames[frame];
        let above = base as usize + self.program.goals[goal as usize].frame;
        let (own, new) = registers[base as usize..].split_at_mut(above - base as usize);
        let sources = &self.program.pool[args.start as usize..(args.start + args.len) as usize];
        for (place, &source) in new.iter_mut().zip(sources) {
            *place = value(source, own);
        }
        above
    }

    /// Runs the steps of one frame from `pc` until it asks a goal or is done; returns the step that does so.
    #[allow(clippy::too_many_lines)] // the interpreter's one loop: a step each, kept together so that it compiles to a jump table
    fn run_frame(&mut self, frame: usize, mut pc: u32, registers: &mut [u32]) -> Result<u32, Stop> {
        let program = self.program;
        let (code, pool) = (&program.code[..], &program.pool[..]);
        macro_rules! run {
            ($run:expr) => {{
                let run: Run = $run;
                &pool[run.start as usize..(run.start + run.len) as usize]
            }};
        }
        macro_rules! values {
            ($run:expr) => {{
                let (sources, registers) = (run!($run), &registers[..]);
                move |i: usize| value(sources[i], registers)
            }};
        }
        macro_rules! go {
            ($holds:expr, $fail:expr) => {
                pc = if $holds { pc + 1 } else { $fail }
            };
        }
        loop {
            match code[pc as usize] {
                Op::Same { left, right, fail } => go!(value(left, registers) == value(right, registers), fail),
                Op::Differ { left, right, fail } => go!(value(left, registers) != value(right, registers), fail),
                Op::Holds { fluent, not, fail } => go!(self.store.holds(fluent) != not, fail),
                Op::HoldsOf { functor, args, not, fail } => {
                    let fluent = self.store.find(functor, values!(args));
                    go!((fluent != NONE && self.store.holds(fluent)) != not, fail);
                }
                Op::HoldsTerm { term, not, fail } => {
                    let fluent = self.replica.fluents.of_term(value(term, registers));
                    go!((fluent != NONE && self.store.holds(fluent)) != not, fail);
                }
                Op::InFacts { facts, key, not, fail } => {
                    go!(program.facts[facts as usize].contains(run!(key), registers) != not, fail);
                }
                Op::FluentScan { index, key, actions, iterator, fail } => {
                    self.burn()?;
                    let (bucket, link) = self.store.bucket(index, values!(key));
                    let first = if bucket == NONE { NONE } else { self.store.first(bucket) };
                    let found = next_fluent(&self.store, link, first, run!(actions), iterator, registers);
                    pc = if found { pc + 2 } else { fail };
                }
                Op::BucketScan { bucket, link, actions, iterator, fail } => {
                    self.burn()?;
                    let first = self.store.first(bucket);
                    let found = next_fluent(&self.store, link, first, run!(actions), iterator, registers);
                    pc = if found { pc + 2 } else { fail };
                }
                Op::KeepAll { bucket, link, actions, fail } => {
                    self.burn()?;
                    let first = self.store.first(bucket);
                    keep_all(
                        &self.store,
                        link,
                        first,
                        run!(actions),
                        registers,
                        (&mut self.fluent_marks, self.mark),
                        &mut self.out,
                    );
                    pc = fail;
                }
                Op::FluentNext { link, actions, iterator, fail } => {
                    self.burn()?;
                    let fluent = registers[iterator as usize + 1];
                    go!(next_fluent(&self.store, link, fluent, run!(actions), iterator, registers), fail);
                }
                Op::FactScan { index, key, actions, iterator, fail } => {
                    self.burn()?;
                    let index = &program.fact_indexes[index as usize];
                    let (start, end) = index.group(run!(key), registers);
                    registers[iterator as usize + 1] = end;
                    let found = next_fact(index, start, end, run!(actions), iterator, registers);
                    pc = if found { pc + 2 } else { fail };
                }
                Op::FactLookUp { index, key, actions, fail } => {
                    let index = &program.fact_indexes[index as usize];
                    let (start, end) = index.group(run!(key), registers);
                    let row = &index.rows[start as usize..end as usize];
                    go!(start != end && take(run!(actions), row, registers), fail);
                }
                Op::FactNext { index, actions, iterator, fail } => {
                    self.burn()?;
                    let (at, end) = (registers[iterator as usize], registers[iterator as usize + 1]);
                    let index = &program.fact_indexes[index as usize];
                    go!(next_fact(index, at, end, run!(actions), iterator, registers), fail);
                }
                Op::Match { term, symbol, actions, fail } => {
                    let term = value(term, registers);
                    let args = self.replica.terms.args(term);
                    let fits = self.replica.terms.symbol(term) == symbol && args.len() == actions.len as usize;
                    go!(fits && take(run!(actions), args, registers), fail);
                }
                Op::Emit { values, fail } => {
                    let row = run!(values).iter().map(|&source| value(source, registers));
                    self.emit(frame, row)?;
                    pc = fail;
                }
                Op::EmitFluent { functor, symbol, args, fail } => {
                    let mut fluent = self.store.find(functor, values!(args));
                    if fluent == NONE {
                        let term = self.make(symbol, args, registers)?;
                        fluent = self.replica.fluent(term);
                        self.store.catch_up(&self.replica);
                    }
                    self.out_fluent(fluent);
                    pc = fail;
                }
                Op::EmitTaken { iterator, fail } => {
                    self.out_fluent(registers[iterator as usize]);
                    pc = fail;
                }
                Op::EmitFluentTerm { term, fail } => {
                    let fluent = self.replica.fluent(value(term, registers));
                    self.out_fluent(fluent);
                    pc = fail;
                }
                Op::EmitMoveOf { role, functor, symbol, args, fail } => {
                    let (keys, ids) = &self.move_families[functor as usize];
                    let id = match keys.find(values!(args)) {
                        NONE => self.new_move(functor, symbol, args, registers)?,
                        number => ids[number as usize],
                    };
                    self.out_move(value(role, registers), id);
                    pc = fail;
                }
                Op::EmitMove { role, term, fail } => {
                    let id = self.replica.move_id(value(term, registers));
                    self.out_move(value(role, registers), id);
                    pc = fail;
                }
                Op::Make { symbol, args, to } => {
                    registers[to as usize] = self.make(symbol, args, registers)?;
                    pc += 1;
                }
                Op::Find { symbol, args, to, fail } => {
                    let list: SmallVec<[u32; 8]> = (0..args.len as usize).map(values!(args)).collect();
                    match self.replica.terms.find(symbol, &list) {
                        Some(term) => {
                            registers[to as usize] = term;
                            pc += 1;
                        }
                        None => pc = fail,
                    }
                }
                Op::StateScan { iterator } | Op::DoesScan { iterator } => {
                    registers[iterator as usize] = 0;
                    pc += 1;
                }
                Op::StateNext { action, iterator, fail } => {
                    self.burn()?;
                    let at = registers[iterator as usize];
                    match self.store.current.get(at as usize) {
                        Some(&fluent) => {
                            registers[iterator as usize] = at + 1;
                            let fits = act(action, self.replica.fluents.term(fluent), registers);
                            pc = if fits { pc + 1 } else { pc };
                        }
                        None => pc = fail,
                    }
                }
                Op::Does { role, action, not, fail } => {
                    let role = value(role, registers);
                    let fits = match self.roles.iter().position(|&other| other == role) {
                        Some(role) => act(action, self.joint[role], registers),
                        None => false,
                    };
                    go!(fits != not, fail);
                }
                Op::DoesNext { role, action, iterator, fail } => {
                    self.burn()?;
                    let at = registers[iterator as usize] as usize;
                    if at == self.roles.len() {
                        pc = fail;
                    } else {
                        registers[iterator as usize] = at as u32 + 1;
                        let fits = take(&[role, action], &[self.roles[at], self.joint[at]], registers);
                        pc = if fits { pc + 1 } else { pc };
                    }
                }
                Op::AnswerNext { goal, actions, iterator, fail } => {
                    self.burn()?;
                    let arena = program.goals[goal as usize].arena;
                    let row = registers[iterator as usize];
                    if row == NONE {
                        pc = fail;
                    } else {
                        registers[iterator as usize] = self.tables.next(arena, row);
                        let values = self.tables.values(arena, row, actions.len as usize);
                        let fits = take(run!(actions), values, registers);
                        pc = if fits { pc + 1 } else { pc };
                    }
                }
                Op::Ask { .. } | Op::AnswerScan { .. } => {
                    self.burn()?;
                    return Ok(pc);
                }
                Op::Succeed | Op::Return => return Ok(pc),
            }
        }
    }
}

/// Does to a column what the plan says; false if it must be equal to something (or different) and is not.
#[inline(always)]
fn act(action: Action, value: u32, registers: &mut [u32]) -> bool {
    if action < SAME_REGISTER {
        registers[action as usize] = value;
        true
    } else if action == IGNORE {
        true
    } else {
        let operand = action & (DIFFERENT - 1);
        let operand = if action & SAME_TERM != 0 { operand } else { registers[operand as usize] };
        (value == operand) != (action & DIFFERENT != 0)
    }
}

/// Does to all columns what the plan says.
#[inline(always)]
fn take(actions: &[Action], values: &[u32], registers: &mut [u32]) -> bool {
    actions.iter().zip(values).all(|(&action, &value)| act(action, value, registers))
}

/// Takes the first fluent from `fluent` on that fits.
#[inline(always)]
fn next_fluent(store: &Store, link: u32, mut fluent: u32, pairs: &[u32], iterator: u32, registers: &mut [u32]) -> bool {
    while fluent != NONE {
        let (next, args) = store.visit(link, fluent);
        if pairs.chunks_exact(2).all(|pair| act(pair[1], args[pair[0] as usize], registers)) {
            registers[iterator as usize] = fluent;
            registers[iterator as usize + 1] = next;
            return true;
        }
        fluent = next;
    }
    false
}

/// Brings forth every fluent from `fluent` on that fits. Apart from the loop of steps, so that it has the processor's registers
/// to itself.
#[inline(never)]
fn keep_all(
    store: &Store,
    link: u32,
    mut fluent: u32,
    pairs: &[u32],
    registers: &mut [u32],
    (marks, mark): (&mut Vec<u32>, u32),
    out: &mut Vec<u32>,
) {
    while fluent != NONE {
        let (next, args) = store.visit(link, fluent);
        if pairs.chunks_exact(2).all(|pair| act(pair[1], args[pair[0] as usize], registers))
            && is_new(marks, mark, fluent as usize)
        {
            out.push(fluent);
        }
        fluent = next;
    }
}

/// Takes the first row from `at` on that fits.
#[inline(always)]
fn next_fact(index: &FactIndex, mut at: u32, end: u32, actions: &[Action], iterator: u32, registers: &mut [u32]) -> bool {
    while at != end {
        let row = &index.rows[at as usize..at as usize + actions.len()];
        at += actions.len() as u32;
        if take(actions, row, registers) {
            registers[iterator as usize] = at;
            return true;
        }
    }
    false
}

/// The parts of steps that are long or rare.
impl Core<'_> {
    /// One unit of work.
    #[inline(always)]
    fn burn(&mut self) -> Result<(), Stop> {
        match self.fuel.checked_sub(1) {
            Some(fuel) => {
                self.fuel = fuel;
                Ok(())
            }
            None => Err(self.out_of_fuel()),
        }
    }

    #[cold]
    fn out_of_fuel(&self) -> Stop {
        self.limit("steps", self.limits.steps, self.frames.first().map_or(0, |frame| frame.goal))
    }

    #[cold]
    pub(super) fn limit(&self, what: &'static str, limit: u64, goal: u32) -> Stop {
        Box::new(Error::Limit { what, limit, relation: self.describe(goal) })
    }

    pub(super) fn describe(&self, goal: u32) -> String {
        self.program.goals[goal as usize].name.clone()
    }

    /// Adds an answer of the top frame's goal.
    #[inline]
    fn emit(&mut self, frame: usize, row: impl ExactSizeIterator<Item = u32>) -> Result<(), Stop> {
        let Frame { goal, slot, .. } = self.frames[frame];
        let plan = &self.program.goals[goal as usize];
        let mut list = if slot == NONE { self.frames[frame].answers } else { self.tables.get(goal, slot).answers };
        if self.tables.add(&mut list, plan.arena, row, plan.repeats) {
            self.added += u64::from(plan.keep == Keep::Table);
            if self.tables.bytes() > self.limits.bytes {
                return Err(self.limit("bytes", self.limits.bytes as u64, goal));
            }
            if slot == NONE {
                self.frames[frame].answers = list;
            } else {
                self.tables.get(goal, slot).answers = list;
            }
        }
        Ok(())
    }

    fn make(&mut self, symbol: u32, args: Run, registers: &[u32]) -> Result<u32, Stop> {
        let sources = &self.program.pool[args.start as usize..(args.start + args.len) as usize];
        let args: SmallVec<[u32; 8]> = sources.iter().map(|&source| value(source, registers)).collect();
        let terms = self.replica.terms.len();
        let term = self.replica.intern(symbol, &args).map_err(|error| match error {
            Error::Limit { what, limit, .. } => self.limit(what, limit, self.frames.last().map_or(0, |frame| frame.goal)),
            other => Box::new(other),
        })?;
        if self.replica.terms.len() > terms {
            self.fuel = self.fuel.saturating_sub(NEW_TERM);
        }
        Ok(term)
    }

    #[inline]
    fn out_fluent(&mut self, fluent: u32) {
        if is_new(&mut self.fluent_marks, self.mark, fluent as usize) {
            self.out.push(fluent);
        }
    }

    /// A legal move; one of somebody who is not a role counts for nothing.
    #[inline]
    fn out_move(&mut self, role: u32, id: u32) {
        if let Some(role) = self.roles.iter().position(|&other| other == role) {
            let place = id as usize * self.roles.len() + role;
            // Beyond what marks are worth there are few moves to compare with, or the sheet is out to fill the memory.
            let new =
                if place < MARKS { is_new(&mut self.move_marks, self.mark, place) } else { !self.moves[role].contains(&id) };
            if new {
                self.moves[role].push(id);
            }
        }
    }

    #[cold]
    fn new_move(&mut self, functor: u32, symbol: u32, args: Run, registers: &[u32]) -> Result<u32, Stop> {
        let term = self.make(symbol, args, registers)?;
        let id = self.replica.move_id(term);
        let (keys, ids) = &mut self.move_families[functor as usize];
        keys.insert(|i| self.replica.terms.args(term)[i]);
        ids.push(id);
        Ok(id)
    }
}

/// Marks a place; false if it was marked before.
#[inline]
fn is_new(marks: &mut Vec<u32>, mark: u32, place: usize) -> bool {
    if marks.len() <= place {
        marks.resize(place + 64, 0);
    }
    std::mem::replace(&mut marks[place], mark) != mark
}

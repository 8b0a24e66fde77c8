//! Goals entered and left: the frames of the interpreter, and how goals that can reach themselves come to an end.
//!
//! A kept goal that is asked while it is being computed answers with what it has so far. The outermost goal of such a ring (its
//! *leader*: no goal above it used unfinished answers of a goal below it) is computed again until a round brings nothing new;
//! then all goals of the ring are complete.

use super::plan::Keep;
use super::registry::NONE;
use super::run::{Core, Stop};
use super::table::{Answers, Slot, Status};
use crate::Error;

/// Room above the top frame for the arguments of the next.
pub(super) const ARGUMENTS: usize = 64;

/// Where the caller of a frame goes on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Resume {
    /// Nowhere: this is the question itself.
    Question,
    /// At `holds` or `fails`.
    Ask { holds: u32, fails: u32, not: bool },
    /// At the step after its scan, with the list of answers in a register.
    Scan { pc: u32, iterator: u32 },
}

/// A goal being computed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) goal: u32,
    pub(super) base: u32,
    resume: Resume,
    /// Its slot if it is kept, else [`NONE`].
    pub(super) slot: u32,
    /// Its answers if it is not kept.
    pub(super) answers: Answers,
    /// The outermost active frame whose unfinished answers it has used.
    low: u32,
    /// Someone has used its own unfinished answers.
    used: bool,
    /// The value of `Core::added` when this round began.
    added: u64,
    /// The length of `Core::waiting` when it began.
    waiting: u32,
    /// The fuel left when it began.
    fuel: u64,
}

/// What [`Core::enter`] found.
pub(super) enum Entered {
    Known(Answers),
    Frame,
}

/// What follows a frame's `Return`.
pub(super) enum Finished {
    /// Another round, from this step.
    Again(u32),
    Question(Answers),
    /// The caller, at this step.
    Asked(u32),
    /// The caller, at this step, with its iterator at the first answer.
    Scanned {
        pc: u32,
        iterator: u32,
        first: u32,
    },
}

impl Core<'_> {
    /// Begins to compute a goal, unless its answers are known. The arguments are in the first registers of the new frame.
    #[inline(always)]
    pub(super) fn enter(&mut self, registers: &mut Vec<u32>, goal: u32, base: usize, resume: Resume) -> Result<Entered, Stop> {
        let plan = &self.program.goals[goal as usize];
        if let Some(counts) = &mut self.counts {
            counts[goal as usize].asked += 1;
        }
        let mut slot = NONE;
        // When memory is short, what need not be kept is not.
        let keep = plan.keep == Keep::Table || (plan.keep == Keep::Memo && self.tables.bytes() <= self.limits.bytes / 2);
        if keep {
            let args = &registers[base..base + plan.known];
            let (number, kept, generation) = self.tables.slot(goal, plan.lifetime, |i| args[i]);
            if kept.generation == generation {
                if kept.status == Status::Complete {
                    return Ok(Entered::Known(kept.answers));
                }
                let kept = *kept;
                if let Some(answers) = self.unfinished(&kept, resume, goal)? {
                    return Ok(Entered::Known(answers));
                }
                self.tables.get(goal, number).status = Status::Active(self.frames.len() as u32);
            } else {
                *kept = Slot { generation, status: Status::Active(self.frames.len() as u32), answers: Answers::EMPTY };
                if self.tables.bytes() > self.limits.bytes {
                    return Err(self.limit("bytes", self.limits.bytes as u64, goal));
                }
            }
            slot = number;
        }
        self.push(registers, goal, base, resume, slot)?;
        Ok(Entered::Frame)
    }

    /// A kept goal is asked that is not complete: its answers so far, or `None` if it must be computed (again).
    #[cold]
    fn unfinished(&mut self, kept: &Slot, resume: Resume, goal: u32) -> Result<Option<Answers>, Stop> {
        let on = match kept.status {
            Status::Complete => return Ok(Some(kept.answers)),
            Status::Active(frame) => {
                self.frames[frame as usize].used = true;
                frame
            }
            Status::Waiting { round, on } if round == self.round => on,
            Status::Waiting { .. } => return Ok(None),
        };
        if matches!(resume, Resume::Ask { not: true, .. }) && kept.answers.count == 0 {
            return Err(Box::new(Error::Unstratified { relation: self.describe(goal) }));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.low = frame.low.min(on);
        }
        Ok(Some(kept.answers))
    }

    #[inline]
    fn push(&mut self, registers: &mut Vec<u32>, goal: u32, base: usize, resume: Resume, slot: u32) -> Result<(), Stop> {
        let plan = &self.program.goals[goal as usize];
        let top = base + plan.frame + ARGUMENTS;
        if registers.len() < top {
            if 4 * top + 128 * self.frames.len() > self.limits.bytes {
                return Err(self.limit("bytes", self.limits.bytes as u64, goal));
            }
            registers.resize(2 * top, 0);
        }
        self.frames.push(Frame {
            goal,
            base: base as u32,
            resume,
            slot,
            answers: Answers::EMPTY,
            low: NONE,
            used: false,
            added: self.added,
            waiting: self.waiting.len() as u32,
            fuel: self.fuel,
        });
        Ok(())
    }

    /// The goal of the top frame, which has no unknowns, is proven. Where the caller goes on; `None` at the end.
    pub(super) fn succeed(&mut self, frame: usize) -> Option<u32> {
        let Frame { goal, slot, waiting, resume, .. } = self.frames[frame];
        if slot != NONE {
            let kept = self.tables.get(goal, slot);
            kept.status = Status::Complete;
            if kept.answers.count == 0 {
                kept.answers.count = 1;
                self.added += 1;
            }
        }
        // What waited for more answers of this goal is computed anew when it is asked again.
        while self.waiting.len() > waiting as usize {
            if let Some((goal, slot)) = self.waiting.pop() {
                self.complete(goal, slot);
                self.tables.get(goal, slot).generation = 0;
            }
        }
        self.count(frame);
        self.frames.pop();
        match resume {
            Resume::Ask { holds, fails, not } => Some(if not { fails } else { holds }),
            Resume::Question | Resume::Scan { .. } => None,
        }
    }

    /// All clauses of the top frame's goal are exhausted.
    #[inline]
    pub(super) fn finish(&mut self, frame: usize) -> Result<Finished, Stop> {
        let Frame { slot, resume, mut answers, .. } = self.frames[frame];
        if slot == NONE {
            self.tables.close(&mut answers);
        } else if let Some(again) = self.finish_kept(frame, &mut answers)? {
            return Ok(Finished::Again(again));
        }
        self.count(frame);
        self.frames.pop();
        Ok(match resume {
            Resume::Question => Finished::Question(answers),
            Resume::Ask { holds, fails, not } => Finished::Asked(if (answers.count > 0) == not { fails } else { holds }),
            Resume::Scan { pc, iterator } => Finished::Scanned { pc, iterator, first: answers.head },
        })
    }

    /// The same for a kept goal: its answers, unless there must be another round, from the step returned.
    fn finish_kept(&mut self, frame: usize, answers: &mut Answers) -> Result<Option<u32>, Stop> {
        let Frame { goal, slot, low, used, added, waiting, resume, .. } = self.frames[frame];
        let plan = &self.program.goals[goal as usize];
        if plan.keep == Keep::Table && low < frame as u32 {
            let kept = self.tables.get(goal, slot);
            kept.status = Status::Waiting { round: self.round, on: low };
            *answers = kept.answers;
            if matches!(resume, Resume::Ask { not: true, .. }) {
                return Err(Box::new(Error::Unstratified { relation: self.describe(goal) }));
            }
            self.waiting.push((goal, slot));
            self.frames[frame - 1].low = self.frames[frame - 1].low.min(low);
            return Ok(None);
        }
        if used && self.added != added {
            self.frames[frame].added = self.added;
            self.round = self.round.wrapping_add(1);
            return Ok(Some(plan.entry));
        }
        *answers = self.complete(goal, slot);
        while self.waiting.len() > waiting as usize {
            if let Some((goal, slot)) = self.waiting.pop() {
                self.complete(goal, slot);
            }
        }
        Ok(None)
    }

    fn complete(&mut self, goal: u32, slot: u32) -> Answers {
        let mut answers = self.tables.get(goal, slot).answers;
        self.tables.close(&mut answers);
        let kept = self.tables.get(goal, slot);
        (kept.status, kept.answers) = (Status::Complete, answers);
        answers
    }

    fn count(&mut self, frame: usize) {
        if let Some(counts) = &mut self.counts {
            let Frame { goal, fuel, .. } = self.frames[frame];
            let count = &mut counts[goal as usize];
            count.computed += 1;
            count.work += fuel - self.fuel;
        }
    }
}

//! Query plans: what gdlcc emitted as C++, here as steps for an interpreter.
//!
//! A *goal* is a relation with a binding pattern (which arguments are known when it is asked). Its plan is the code of its
//! clauses, one after the other. Steps that can fail name the step to go on with then: the nearest earlier generator, which
//! offers its next match, or the beginning of the next clause. So a clause needs no stack of choice points, and a plan is
//! a handful of nested loops laid flat.

use super::facts::{FactIndex, Facts};
use super::store::Schema;
use ludens_gdl::RelationId;

/// An operand: a register of the frame, or (with [`CONSTANT`] set) a ground term.
pub(super) type Source = u32;
/// Marks a [`Source`] as a term.
pub(super) const CONSTANT: u32 = 1 << 31;

/// The value of an operand.
#[inline(always)]
pub(super) fn value(source: Source, registers: &[u32]) -> u32 {
    if source & CONSTANT != 0 { source & !CONSTANT } else { registers[source as usize] }
}

/// What to do with one column of a match: the low bits are a register or a term.
pub(super) type Action = u32;
/// The column must equal a register.
pub(super) const SAME_REGISTER: u32 = 1 << 30;
/// The column must equal a term.
pub(super) const SAME_TERM: u32 = 1 << 31;
/// Added to either of these: the column must differ.
pub(super) const DIFFERENT: u32 = 1 << 29;
/// The column does not matter.
pub(super) const IGNORE: u32 = u32::MAX;

/// A run of operands or actions in [`Program::pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// One step. `fail` is where to go when it does not hold (or has no further match); otherwise the next step follows.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    /// All clauses of the goal are exhausted.
    Return,
    /// A goal without unknowns is proven.
    Succeed,
    /// An answer: the values of the goal's unknowns.
    Emit {
        values: Run,
        fail: u32,
    },
    /// A fluent of the next (or first) state, given by functor and arguments.
    EmitFluent {
        functor: u32,
        symbol: u32,
        args: Run,
        fail: u32,
    },
    /// A fluent that a scan has taken.
    EmitTaken {
        iterator: u32,
        fail: u32,
    },
    /// A fluent given as a whole term.
    EmitFluentTerm {
        term: Source,
        fail: u32,
    },
    /// A legal move of a role, given as a whole term.
    EmitMove {
        role: Source,
        term: Source,
        fail: u32,
    },
    /// A legal move given by functor and arguments.
    EmitMoveOf {
        role: Source,
        functor: u32,
        symbol: u32,
        args: Run,
        fail: u32,
    },
    Same {
        left: Source,
        right: Source,
        fail: u32,
    },
    Differ {
        left: Source,
        right: Source,
        fail: u32,
    },
    /// Builds a term that may be new.
    Make {
        symbol: u32,
        args: Run,
        to: u32,
    },
    /// Looks a term up; one that was never built cannot hold anywhere.
    Find {
        symbol: u32,
        args: Run,
        to: u32,
        fail: u32,
    },
    /// Takes a term apart.
    Match {
        term: Source,
        symbol: u32,
        actions: Run,
        fail: u32,
    },
    /// A fluent known when the plan was made holds (or, `not`, does not).
    Holds {
        fluent: u32,
        not: bool,
        fail: u32,
    },
    HoldsOf {
        functor: u32,
        args: Run,
        not: bool,
        fail: u32,
    },
    HoldsTerm {
        term: Source,
        not: bool,
        fail: u32,
    },
    /// Scans the fluents in an index's bucket and takes the first. The iterator is two registers: the fluent taken and the one after
    /// it. Always followed by its `FluentNext`, where later steps come back for the next match. The actions are pairs of column and
    /// action.
    FluentScan {
        index: u32,
        key: Run,
        actions: Run,
        iterator: u32,
        fail: u32,
    },
    /// The same with a bucket known when the plan was made.
    BucketScan {
        bucket: u32,
        link: u32,
        actions: Run,
        iterator: u32,
        fail: u32,
    },
    FluentNext {
        link: u32,
        actions: Run,
        iterator: u32,
        fail: u32,
    },
    /// Emits every fluent of a bucket that fits: a frame axiom.
    KeepAll {
        bucket: u32,
        link: u32,
        actions: Run,
        fail: u32,
    },
    /// Scans all fluents of the state as terms; goes on at its `StateNext`.
    StateScan {
        iterator: u32,
    },
    StateNext {
        action: Action,
        iterator: u32,
        fail: u32,
    },
    /// A tuple is (or is not) in a static relation. Keys of static relations are compiled ones.
    InFacts {
        facts: u32,
        key: Run,
        not: bool,
        fail: u32,
    },
    /// Scans a group of a static relation and takes the first row; the iterator is two registers. Followed by its `FactNext`.
    FactScan {
        index: u32,
        key: Run,
        actions: Run,
        iterator: u32,
        fail: u32,
    },
    /// The one row of a static relation with these values, if there is one: no other could match.
    FactLookUp {
        index: u32,
        key: Run,
        actions: Run,
        fail: u32,
    },
    FactNext {
        index: u32,
        actions: Run,
        iterator: u32,
        fail: u32,
    },
    /// The move of a role, if it is a role.
    Does {
        role: Source,
        action: Action,
        not: bool,
        fail: u32,
    },
    DoesScan {
        iterator: u32,
    },
    DoesNext {
        role: Action,
        action: Action,
        iterator: u32,
        fail: u32,
    },
    /// Asks a goal without unknowns.
    Ask {
        goal: u32,
        args: Run,
        not: bool,
        fail: u32,
    },
    /// Scans the answers of a goal. Always followed by its `AnswerNext`.
    AnswerScan {
        goal: u32,
        args: Run,
        iterator: u32,
    },
    AnswerNext {
        goal: u32,
        actions: Run,
        iterator: u32,
        fail: u32,
    },
}

/// How long an answer stays true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lifetime {
    /// For ever.
    Machine = 0,
    /// While the state is in hand.
    State = 1,
    /// While the joint move is.
    Moves = 2,
    /// Within one question: answers that are not remembered.
    Question = 3,
}

/// Whether a goal's answers are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// Computed each time it is asked.
    No,
    /// Remembered for its lifetime.
    Memo,
    /// It can reach itself: remembered, and iterated to its least fixpoint.
    Table,
}

/// The plan of a goal.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    pub(super) relation: RelationId,
    /// The relation's name, for messages.
    pub(super) name: String,
    /// Bit i: argument i is known. Arguments past 63 count as unknown.
    pub(super) pattern: u64,
    pub(super) known: usize,
    pub(super) unknown: usize,
    /// Registers a frame needs; the first `known` hold the arguments.
    pub(super) frame: usize,
    /// First step.
    pub(super) entry: u32,
    pub(super) lifetime: Lifetime,
    pub(super) keep: Keep,
    /// Where its answers live.
    pub(super) arena: Lifetime,
    /// Two derivations may give the same answer.
    pub(super) repeats: bool,
    /// The literals of each clause in the order chosen, for `show`.
    pub(super) clauses: Vec<String>,
}

/// Everything a scratch executes.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub(super) goals: Vec<Goal>,
    pub(super) code: Vec<Op>,
    pub(super) pool: Vec<u32>,
    pub(super) facts: Vec<Facts>,
    pub(super) fact_indexes: Vec<FactIndex>,
    pub(super) schema: Schema,
    /// Functors of moves that some `legal` head writes out.
    pub(super) move_functors: Vec<(u32, usize)>,
    pub(super) queries: Queries,
}

/// The goals players ask; `None` where the sheet has no such rule.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queries {
    pub(super) init: Option<u32>,
    pub(super) terminal: Option<u32>,
    pub(super) legal: Option<u32>,
    pub(super) goal: Option<u32>,
    pub(super) next: Option<u32>,
}

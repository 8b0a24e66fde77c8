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
pub(crate) type Source = u32;
/// Marks a [`Source`] as a term.
pub(crate) const CONSTANT: u32 = 1 << 31;

/// The value of an operand.
#[inline(always)]
pub(crate) fn value(source: Source, registers: &[u32]) -> u32 {
    if source & CONSTANT != 0 { source & !CONSTANT } else { registers[source as usize] }
}

/// What to do with one column of a match: the low bits are a register or a term.
pub(crate) type Action = u32;
/// The column must equal a register.
pub(crate) const SAME_REGISTER: u32 = 1 << 30;
/// The column must equal a term.
pub(crate) const SAME_TERM: u32 = 1 << 31;
/// Added to either of these: the column must differ.
pub(crate) const DIFFERENT: u32 = 1 << 29;
/// The column does not matter.
pub(crate) const IGNORE: u32 = u32::MAX;

/// A run of operands or actions in [`Program::pool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// One step. `fail` is where to go when it does not hold (or has no further match); otherwise the next step follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
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
pub(crate) enum Lifetime {
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
pub(crate) enum Keep {
    /// Computed each time it is asked.
    No,
    /// Remembered for its lifetime.
    Memo,
    /// It can reach itself: remembered, and iterated to its least fixpoint.
    Table,
}

/// The plan of a goal.
#[derive(Clone, Debug)]
pub(crate) struct Goal {
    pub(crate) relation: RelationId,
    /// The relation's name, for messages.
    pub(crate) name: String,
    /// Bit i: argument i is known. Arguments past 63 count as unknown.
    pub(crate) pattern: u64,
    pub(crate) known: usize,
    pub(crate) unknown: usize,
    /// Registers a frame needs; the first `known` hold the arguments.
    pub(crate) frame: usize,
    /// First step.
    pub(crate) entry: u32,
    pub(crate) lifetime: Lifetime,
    pub(crate) keep: Keep,
    /// Where its answers live.
    pub(crate) arena: Lifetime,
    /// Two derivations may give the same answer.
    pub(crate) repeats: bool,
    /// The literals of each clause in the order chosen, for `show`.
    pub(crate) clauses: Vec<String>,
}

/// Everything a scratch executes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Program {
    pub(crate) goals: Vec<Goal>,
    pub(crate) code: Vec<Op>,
    pub(crate) pool: Vec<u32>,
    pub(crate) facts: Vec<Facts>,
    pub(crate) fact_indexes: Vec<FactIndex>,
    pub(crate) schema: Schema,
    /// Functors of moves that some `legal` head writes out.
    pub(crate) move_functors: Vec<(u32, usize)>,
    pub(crate) queries: Queries,
}

/// The goals players ask; `None` where the sheet has no such rule.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Queries {
    pub(crate) init: Option<u32>,
    pub(crate) terminal: Option<u32>,
    pub(crate) legal: Option<u32>,
    pub(crate) goal: Option<u32>,
    pub(crate) next: Option<u32>,
}

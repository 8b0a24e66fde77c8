//! Dense numbers for the things of a game; names are looked up in the machine.

/// A player, numbered in the order of the sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RoleId(pub u32);

/// A move, numbered in the order in which the machine met them. The number belongs to the machine, not to a thread or a state:
/// two states in which the same move is legal give it the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub u32);

/// A goal value as the sheet writes it; [`Machine::goal_text`](crate::Machine::goal_text) and
/// [`Machine::goal_points`](crate::Machine::goal_points) read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GoalId(pub u32);

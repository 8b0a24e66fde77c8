//! What every search says about the position and the moves it expects.

use super::expand::{Expander, Positions, Reach, Way};
use super::table::{Entry, Table};
use crate::{Error, Verdict};
use ludens_machine::{Machine, MoveId};

/// Joint moves, and the points of all roles after them.
type Line = (Vec<Vec<MoveId>>, Vec<f32>);

/// The answer where nothing but the position itself was looked at, the first of a list; an error where there is nothing to choose.
pub(super) fn check(machine: &Machine, positions: &Positions, role: usize) -> Result<Verdict, Error> {
    if positions.is_over(0) && !positions.is_stuck(0) {
        return Err(Error::Over);
    }
    // Moves are listed up to the role that has none.
    if let Some(stuck) = machine.roles().find(|role| positions.legal(0, role.0 as usize).is_empty()) {
        return Err(Error::Stuck { role: machine.role_name(stuck).to_owned() });
    }
    Verdict::first(positions.legal(0, role), machine.roles().len()).ok_or(Error::Over)
}

/// The joint moves expected, beginning with one from the first position of a list, at most so many and as far as the table remembers them.
pub(super) fn follow(
    expander: &mut Expander<'_>,
    table: &Table,
    from: &Positions,
    first: Way,
    role: usize,
    depth: u32,
) -> Result<Line, Error> {
    let mut line = vec![expander.joint(from, 0, first).to_vec()];
    let (mut at, mut child) = (expander.positions(), expander.positions());
    expander.pass((from, 0), first, 1, Reach::Whole, &mut at)?;
    while !at.is_over(0)
        && line.len() < depth as usize
        && let Some(way) = remembered(table, &at, role)
    {
        line.push(expander.joint(&at, 0, way).to_vec());
        child.clear();
        expander.pass((&at, 0), way, 1, Reach::Whole, &mut child)?;
        std::mem::swap(&mut at, &mut child);
    }
    let scores = at.scores(0).to_vec();
    Ok((line, scores))
}

/// The joint move that the table thinks best.
fn remembered(table: &Table, at: &Positions, role: usize) -> Option<Way> {
    let entry = table.get(at.key(0))?;
    let choices = at.choices(0, role);
    let way = Way { own: entry.own as usize, reply: u64::from(entry.reply) };
    let known = entry.own != Entry::UNKNOWN && entry.reply != Entry::UNKNOWN;
    (known && way.own < choices.own && way.reply < choices.replies).then_some(way)
}

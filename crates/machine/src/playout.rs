//! Random matches.

use crate::{Error, Lanes, MoveId, Random, RoleId};

/// How a playout went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// Joint moves played.
    pub plies: usize,
    /// Points per role at the end; `None` where no end was reached: some role had no legal move, or the ply limit came first.
    pub points: Option<Vec<u8>>,
}

/// Plays uniformly random moves in `lane` from the state loaded there until the match ends, a role is stuck, or `max_plies` are played.
pub fn playout(
    lanes: &mut Lanes<'_>,
    lane: usize,
    roles: usize,
    random: &mut Random,
    max_plies: usize,
) -> Result<Playout, Error> {
    let mut joint: Vec<MoveId> = Vec::with_capacity(roles);
    let mut plies = 0;
    loop {
        lanes.evaluate()?;
        if lanes.terminal(lane) {
            let points = (0..roles).map(|role| lanes.points(lane, RoleId(role as u32))).collect::<Result<Vec<u8>, Error>>()?;
            return Ok(Playout { plies, points: Some(points) });
        }
        joint.clear();
        for role in 0..roles {
            let legal = lanes.legal(lane, RoleId(role as u32));
            if legal.is_empty() {
                return Ok(Playout { plies, points: None });
            }
            joint.push(legal[random.below(legal.len())]);
        }
        if plies == max_plies {
            return Ok(Playout { plies, points: None });
        }
        lanes.play(lane, &joint);
        lanes.advance()?;
        plies += 1;
    }
}

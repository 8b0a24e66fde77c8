//! Players that do not think: the first legal move, and a random one. And what every search begins with: the legal moves of a position.

use crate::{Budget, Error, Meter, Search, Settings, Verdict, Watch};
use ludens_machine::{Lanes, Machine, MoveId, Random, RoleId, State};

/// The legal moves of every role in a position, found out in lane 0.
pub(crate) fn legal_moves(machine: &Machine, lanes: &mut Lanes<'_>, position: &State) -> Result<Vec<Vec<MoveId>>, Error> {
    lanes.load_copies(position.words(), 1);
    lanes.evaluate()?;
    if lanes.terminal(0) {
        return Err(Error::Over);
    }
    let legal: Vec<Vec<MoveId>> = machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
    match machine.roles().find(|role| legal[role.0 as usize].is_empty()) {
        Some(role) => Err(Error::Stuck { role: machine.role_name(role).to_owned() }),
        None => Ok(legal),
    }
}

/// Always plays the legal move that the machine met first.
#[derive(Debug)]
pub struct FirstMove<'m> {
    machine: &'m Machine,
}

impl<'m> FirstMove<'m> {
    /// Plays this game.
    pub fn new(machine: &'m Machine) -> FirstMove<'m> {
        FirstMove { machine }
    }
}

impl Search for FirstMove<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        pick(self.machine, position, role, &Meter::new(budget, watch), &mut |_| 0)
    }
}

/// Plays any legal move, each as likely as the others.
#[derive(Debug)]
pub struct RandomMove<'m> {
    machine: &'m Machine,
    random: Random,
}

impl<'m> RandomMove<'m> {
    /// Plays this game; only the seed of the settings matters.
    pub fn new(machine: &'m Machine, settings: &Settings) -> RandomMove<'m> {
        RandomMove { machine, random: Random::new(settings.seed) }
    }
}

impl Search for RandomMove<'_> {
    fn think(&mut self, position: &State, role: RoleId, budget: &Budget, watch: &Watch<'_>) -> Result<Verdict, Error> {
        let RandomMove { machine, random } = self;
        pick(machine, position, role, &Meter::new(budget, watch), &mut |count| random.below(count))
    }
}

/// The verdict that names one of the legal moves, of which nothing is known.
fn pick(
    machine: &Machine,
    position: &State,
    role: RoleId,
    meter: &Meter<'_>,
    choose: &mut dyn FnMut(usize) -> usize,
) -> Result<Verdict, Error> {
    let worker = meter.worker();
    let legal = legal_moves(machine, &mut machine.lanes(1), position)?;
    let mut own = legal[role.0 as usize].clone();
    let chosen = choose(own.len());
    own[..=chosen].rotate_right(1);
    let verdict = Verdict::first(&own, legal.len()).ok_or(Error::Over)?;
    drop(worker);
    Ok(Verdict { nodes: 1, cpu: meter.cpu(), wall: meter.wall(), ..verdict })
}

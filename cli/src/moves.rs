//! Matches as text: joint moves separated by `;`, each one move per role.
//!
//! `(mark 1 1) noop; noop (mark 2 2)`. Where all roles but one have a single legal move, the move of that one role will do:
//! `(mark 1 1); (mark 2 2)`.

use anyhow::{Context, Result, bail};
use ludens_gdl::{legible, parse_ground_list};
use ludens_machine::{Error, Lanes, Machine, MoveId, RoleId, State};

/// A line of play in a machine, from some state on.
pub(crate) struct Line<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
}

impl<'m> Line<'m> {
    /// Stands at the initial state.
    pub(crate) fn new(machine: &'m Machine) -> Result<Line<'m>> {
        Line::from(machine, machine.initial())
    }

    /// Stands at a state.
    pub(crate) fn from(machine: &'m Machine, state: &State) -> Result<Line<'m>> {
        let mut lanes = machine.lanes(1);
        lanes.load(0, state);
        lanes.evaluate()?;
        Ok(Line { machine, lanes })
    }

    /// Plays a text of joint moves; every one must be legal, and none may come after the end.
    pub(crate) fn play(&mut self, text: &str) -> Result<()> {
        self.play_until(text, &|| false).map(|_| ())
    }

    /// The same, unless `stop` says before some joint move to give up; tells whether all were played.
    pub(crate) fn play_until(&mut self, text: &str, stop: &dyn Fn() -> bool) -> Result<bool> {
        let joints = text.split(';').map(str::trim).filter(|joint| !joint.is_empty());
        for (ply, joint) in joints.enumerate() {
            if stop() {
                return Ok(false);
            }
            self.play_joint(joint).with_context(|| format!("move {} of the line, `{}`", ply + 1, legible(joint)))?;
        }
        Ok(true)
    }

    /// Whether the match is over.
    pub(crate) fn is_terminal(&self) -> bool {
        self.lanes.terminal(0)
    }

    /// The position reached.
    pub(crate) fn state(&self) -> State {
        self.lanes.state(0)
    }

    /// What somebody may play in the position reached.
    pub(crate) fn legal(&self) -> Vec<String> {
        let moves = self.machine.roles().flat_map(|role| self.lanes.legal(0, role));
        moves.map(|&id| self.machine.move_text(id)).collect()
    }

    /// The legal moves of a role in the position reached.
    pub(crate) fn legal_of(&self, role: RoleId) -> &[MoveId] {
        self.lanes.legal(0, role)
    }

    /// The points of every role in the position reached, where the rules give each role exactly one goal value.
    pub(crate) fn only_points(&mut self) -> Result<Vec<u8>> {
        let mut points = Vec::new();
        for role in self.machine.roles() {
            let goals = self.lanes.goals(0, role)?.len();
            if goals != 1 {
                bail!("{} has {goals} goal values at the end", self.machine.role_name(role));
            }
            points.push(self.lanes.points(0, role)?);
        }
        Ok(points)
    }

    fn play_joint(&mut self, joint: &str) -> Result<()> {
        if self.is_terminal() {
            bail!("the match is over before it");
        }
        let terms = parse_ground_list(joint)?;
        let moves: Vec<MoveId> =
            terms.iter().map(|term| self.machine.find_move(&term.to_string())).collect::<Result<_, Error>>()?;
        let roles = self.machine.roles().len();
        let moves = match moves[..] {
            [only] if roles > 1 => self.complete(only)?,
            _ if moves.len() == roles => moves,
            _ => bail!("{} moves for {roles} roles", moves.len()),
        };
        for (role, &id) in self.machine.roles().zip(&moves) {
            if !self.lanes.legal(0, role).contains(&id) {
                bail!("`{}` is not legal for {}", legible(&self.machine.move_text(id)), self.machine.role_name(role));
            }
        }
        self.lanes.play(0, &moves);
        self.lanes.advance()?;
        Ok(self.lanes.evaluate()?)
    }

    /// The joint move in which one role plays `only` and every other its single legal move.
    fn complete(&self, only: MoveId) -> Result<Vec<MoveId>> {
        let able: Vec<RoleId> = self.machine.roles().filter(|&role| self.lanes.legal(0, role).contains(&only)).collect();
        let mover = match able[..] {
            [mover] => mover,
            [] => bail!("it is legal for nobody here"),
            _ => bail!("it is legal for {} roles; write one move per role", able.len()),
        };
        let of_role = |role: RoleId| match self.lanes.legal(0, role) {
            _ if role == mover => Ok(only),
            [single] => Ok(*single),
            legal => bail!("{} has {} moves to choose from; write one move per role", self.machine.role_name(role), legal.len()),
        };
        self.machine.roles().map(of_role).collect()
    }
}

/// Joint moves as text that can be given as a line again: where one role alone has a choice, its move will do.
pub(crate) fn texts(machine: &Machine, from: &State, joints: &[Vec<MoveId>]) -> Result<Vec<String>, Error> {
    let mut lanes = machine.lanes(1);
    lanes.load(0, from);
    let mut texts = Vec::new();
    for joint in joints {
        lanes.evaluate()?;
        let is_legal = |(role, id): (RoleId, &MoveId)| lanes.legal(0, role).contains(id);
        if lanes.terminal(0) || joint.len() != machine.roles().len() || !machine.roles().zip(joint).all(is_legal) {
            break;
        }
        let choosers: Vec<RoleId> = machine.roles().filter(|&role| lanes.legal(0, role).len() > 1).collect();
        // A move that others have as well would not tell whose it is.
        let is_anothers = |id: MoveId, own: RoleId| machine.roles().any(|role| role != own && lanes.legal(0, role).contains(&id));
        texts.push(match choosers[..] {
            [role] if !is_anothers(joint[role.0 as usize], role) => machine.move_text(joint[role.0 as usize]),
            _ => joint.iter().map(|&id| machine.move_text(id)).collect::<Vec<_>>().join(" "),
        });
        lanes.play(0, joint);
        lanes.advance()?;
    }
    Ok(texts)
}

//! One match of the arena.

use super::{Entry, Plan};
use crate::interrupt;
use crate::playable::Playable;
use crate::referee::{Referee, Seat, Standing};
use crate::search_args::budget_text;
use crate::words::number;
use anyhow::{Result, bail};
use ludens_machine::{Machine, State};
use ludens_search::Settings;
use ludens_serve::mix;
use ludens_serve::record::sha256_hex;
use serde::{Deserialize, Serialize};

/// Random joint moves at the beginning, where nobody says how many.
const OPENING: u32 = 4;

/// Which match: of which game, of which pair, with the players exchanged or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Job {
    #[serde(skip)]
    pub(super) game: usize,
    pub(super) pair: u32,
    pub(super) second: bool,
}

/// A match that has ended: a line of the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Played {
    /// The same for the same match of the same players under the same conditions.
    pub(super) id: String,
    pub(super) game: String,
    pub(super) players: [String; 2],
    pub(super) budget: String,
    pub(super) seed: u64,
    pub(super) pair: u32,
    pub(super) second: bool,
    /// For every role, which of the players it was: 0 or 1.
    pub(super) seats: Vec<usize>,
    /// The joint moves at the beginning, one move per role.
    pub(super) opening: Vec<Vec<String>>,
    /// All joint moves, those of the opening included.
    pub(super) plies: u64,
    pub(super) points: Vec<u8>,
    /// Per player: moves thought about, and what that took.
    pub(super) thoughts: [u64; 2],
    pub(super) cpu_seconds: [f64; 2],
    pub(super) simulations: [u64; 2],
    pub(super) nodes: [u64; 2],
    /// Per player: searches that failed, so that a random move was played.
    pub(super) faults: [u64; 2],
}

impl Job {
    /// For every role, which of the players it is: one role for one, all others for the other.
    pub(super) fn seats(self, roles: usize) -> Vec<usize> {
        let single = self.pair as usize % roles;
        (0..roles).map(|role| usize::from((role != single) != self.second)).collect()
    }

    /// What names this match wherever it is played.
    pub(super) fn id(self, game: &Playable, plan: &Plan) -> String {
        let Settings { memory, seed, max_plies, .. } = plan.settings;
        let [first, second] = &plan.players;
        let engine = game.machine.engine_name();
        let version = env!("CARGO_PKG_VERSION");
        let conditions = format!("{memory} {max_plies} {engine} {} {version}", budget_text(&plan.budget));
        let opening = plan.opening(&game.machine);
        let text =
            format!("{} {} {first} {second} {opening} {seed} {} {} {conditions}", game.name, game.sha256, self.pair, self.second);
        sha256_hex(text.as_bytes())[..16].to_owned()
    }
}

impl Plan {
    /// How many random joint moves there are at the beginning.
    fn opening(&self, machine: &Machine) -> u32 {
        self.opening.unwrap_or(if machine.roles().len() == 1 { 0 } else { OPENING })
    }
}

/// Plays a match; `None` where Ctrl-C came first.
pub(super) fn play(entry: &Entry, job: Job, plan: &Plan) -> Result<Option<Played>> {
    let Entry { game, players } = entry;
    let machine = &game.machine;
    let seed = mix(mix(plan.settings.seed, u64::from(job.pair)), name_seed(&game.name));
    let (start, opening) = open(machine, seed, plan.opening(machine))?;
    let settings = Settings { seed: mix(seed, u64::from(job.second)), ..plan.settings };
    let places = job.seats(machine.roles().len());
    let seat = |(role, &player): (_, &usize)| Seat::new(&players[player], machine, role, settings, plan.budget).map(Some);
    let mut seats: Vec<Option<Seat<'_>>> = machine.roles().zip(&places).map(seat).collect::<Result<_>>()?;
    let mut played = Played {
        id: job.id(game, plan),
        game: game.name.clone(),
        players: plan.players.each_ref().map(ToString::to_string),
        budget: budget_text(&plan.budget),
        seed: plan.settings.seed,
        pair: job.pair,
        second: job.second,
        plies: opening.len() as u64,
        opening,
        points: Vec::new(),
        thoughts: [0; 2],
        cpu_seconds: [0.0; 2],
        simulations: [0; 2],
        nodes: [0; 2],
        faults: [0; 2],
        seats: places,
    };
    let mut referee = Referee::new(machine, &start, settings.seed, interrupt::sign())?;
    while !interrupt::is_requested() {
        match referee.standing()? {
            Standing::Over(points) => {
                played.points = points;
                return Ok(Some(played));
            }
            Standing::Stuck(role) => bail!("{} has no legal move, and the match is not over", machine.role_name(role)),
            Standing::Open if played.plies >= plan.settings.max_plies => {
                bail!("no end after {}", number(played.plies, "joint move"))
            }
            Standing::Open => {
                let ply = referee.play(&mut seats, &[])?;
                played.plies += 1;
                for (&player, (verdict, fault)) in played.seats.iter().zip(ply.verdicts.iter().zip(&ply.faults)) {
                    played.faults[player] += u64::from(fault.is_some());
                    let Some(verdict) = verdict else { continue };
                    played.thoughts[player] += 1;
                    played.cpu_seconds[player] += verdict.cpu.as_secs_f64();
                    played.simulations[player] += verdict.simulations;
                    played.nodes[player] += verdict.nodes;
                }
            }
        }
    }
    Ok(None)
}

/// A random opening, as long as was asked for, or as long as can be found without an end.
fn open(machine: &Machine, seed: u64, plies: u32) -> Result<(State, Vec<Vec<String>>)> {
    const ATTEMPTS: u64 = 20;
    for plies in (1..=plies).rev() {
        for attempt in 0..ATTEMPTS {
            let seed = mix(mix(seed, u64::from(plies)), attempt);
            let mut referee = Referee::new(machine, machine.initial(), seed, interrupt::sign())?;
            let mut moves = Vec::new();
            while moves.len() < plies as usize && referee.standing()? == Standing::Open {
                let joint = referee.any_joint();
                referee.advance(&joint)?;
                moves.push(joint.iter().map(|&id| machine.move_text(id)).collect());
            }
            if moves.len() == plies as usize && referee.standing()? == Standing::Open {
                return Ok((referee.state(), moves));
            }
        }
    }
    Ok((machine.initial().clone(), Vec::new()))
}

/// Games have different openings from one seed.
fn name_seed(name: &str) -> u64 {
    name.bytes().fold(0, |seed, byte| mix(seed, u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::{Job, open};
    use crate::{engine, library, sheet::Sheet};

    #[test]
    fn players_change_places() {
        let job = |pair, second| Job { game: 0, pair, second };
        assert_eq!(job(0, false).seats(2), [0, 1]);
        assert_eq!(job(0, true).seats(2), [1, 0]);
        assert_eq!(job(4, false).seats(3), [1, 0, 1]);
        assert_eq!(job(4, true).seats(3), [0, 1, 0]);
        assert_eq!([job(9, false).seats(1), job(9, true).seats(1)], [[0], [1]]);
        // Over as many pairs as there are roles, both players have every role equally often.
        let mut count = [[0; 2]; 5];
        for pair in 0..5 {
            for second in [false, true] {
                job(pair, second).seats(5).iter().enumerate().for_each(|(role, &player)| count[role][player] += 1);
            }
        }
        assert_eq!(count, [[5; 2]; 5]);
    }

    #[test]
    fn openings_are_repeatable_and_never_the_end() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        let mut lanes = machine.lanes(1);
        for seed in 0..30 {
            for plies in [0, 3, 6, 8, 9, 20] {
                let (state, moves) = open(&machine, seed, plies).unwrap();
                assert_eq!(open(&machine, seed, plies).unwrap(), (state.clone(), moves.clone()));
                lanes.load(0, &state);
                lanes.evaluate().unwrap();
                assert!(!lanes.terminal(0));
                assert!(moves.len() == plies as usize || plies > 6, "{} of {plies}", moves.len());
            }
        }
    }
}

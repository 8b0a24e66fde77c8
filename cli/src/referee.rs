//! A match in this process: asks every player for its move, sees that it is legal, plays on.

use anyhow::{Context, Result};
use ludens_machine::{Error, Lanes, Machine, MoveId, Random, RoleId, State};
use ludens_search::{Budget, Ready, Search, Settings, Verdict};
use ludens_serve::{SystemClock, mix};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;

/// A player at its place.
pub(crate) struct Seat<'m> {
    pub(crate) search: Box<dyn Search + 'm>,
    pub(crate) budget: Budget,
}

impl<'m> Seat<'m> {
    /// Sets up a player for one match. Players of one match get different chances from one seed.
    pub(crate) fn new(
        player: &Ready,
        machine: &'m Machine,
        role: RoleId,
        settings: Settings,
        budget: Budget,
    ) -> Result<Seat<'m>> {
        let settings = Settings { seed: mix(settings.seed, u64::from(role.0)), ..settings };
        let place = || format!("{} cannot be {}", player.spec(), machine.role_name(role));
        Ok(Seat { search: player.build(machine, settings).with_context(place)?, budget })
    }
}

/// What happened in one joint move. All lists have an entry for every role.
#[derive(Debug)]
pub(crate) struct Ply {
    pub(crate) joint: Vec<MoveId>,
    /// What was thought; nothing where there was no choice, or the move came from outside.
    pub(crate) verdicts: Vec<Option<Verdict>>,
    /// Why a search did not choose the move; a random one was played in its place.
    pub(crate) faults: Vec<Option<Fault>>,
}

impl Ply {
    /// A joint move that nobody thought about.
    pub(crate) fn given(joint: &[MoveId]) -> Ply {
        Ply {
            joint: joint.to_vec(),
            verdicts: joint.iter().map(|_| None).collect(),
            faults: joint.iter().map(|_| None).collect(),
        }
    }
}

/// Why a search did not choose a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// It broke down.
    Crash(String),
    /// What it chose is not legal.
    Illegal(String),
    /// It said that it could not.
    Failed(String),
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Fault::Crash(text) => write!(f, "the search broke down: {text}"),
            Fault::Illegal(text) => write!(f, "`{text}` is not legal"),
            Fault::Failed(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for Fault {}

/// What came of asking a player.
enum Asked {
    /// Its move was known.
    Given(MoveId),
    /// There was nothing to choose.
    Nothing,
    Answer(Result<Box<Verdict>, Fault>),
}

/// Says that it is enough when it goes.
struct Enough<'a>(&'a AtomicBool);

impl Drop for Enough<'_> {
    fn drop(&mut self) {
        self.0.store(true, std::sync::atomic::Ordering::Relaxed);
    }
}

/// Where a match stands.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Somebody has to move.
    Open,
    /// It is over, with these points.
    Over(Vec<u8>),
    /// Nobody can go on, because this role has no legal move.
    Stuck(RoleId),
}

/// A match.
pub(crate) struct Referee<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    clock: SystemClock,
    stop: &'m AtomicBool,
    random: Random,
    /// Whether players think on others' time.
    pub(crate) ponder: bool,
}

impl<'m> Referee<'m> {
    /// Stands at a state. `stop` ends searches early.
    pub(crate) fn new(machine: &'m Machine, state: &State, seed: u64, stop: &'m AtomicBool) -> Result<Referee<'m>, Error> {
        let random = Random::new(mix(seed, u64::MAX));
        let mut referee = Referee { machine, lanes: machine.lanes(1), clock: SystemClock::new(), stop, random, ponder: false };
        referee.go_to(state)?;
        Ok(referee)
    }

    /// Stands at another state.
    pub(crate) fn go_to(&mut self, state: &State) -> Result<(), Error> {
        self.lanes.load(0, state);
        self.lanes.evaluate()
    }

    /// The position.
    pub(crate) fn state(&self) -> State {
        self.lanes.state(0)
    }

    /// The legal moves of a role.
    pub(crate) fn legal(&self, role: RoleId) -> &[MoveId] {
        self.lanes.legal(0, role)
    }

    /// How it stands.
    pub(crate) fn standing(&mut self) -> Result<Standing, Error> {
        if self.lanes.terminal(0) {
            return self.machine.roles().map(|role| self.lanes.points(0, role)).collect::<Result<_, _>>().map(Standing::Over);
        }
        let stuck = self.machine.roles().find(|&role| self.legal(role).is_empty());
        Ok(stuck.map_or(Standing::Open, Standing::Stuck))
    }

    /// The roles that have more than one move.
    pub(crate) fn choosers(&self) -> Vec<RoleId> {
        self.machine.roles().filter(|&role| self.legal(role).len() > 1).collect()
    }

    /// Asks one player.
    pub(crate) fn ask(&self, seat: &mut Seat<'m>, role: RoleId) -> Result<Verdict, Fault> {
        let (state, watch) = (self.state(), self.clock.watch(self.stop));
        // Whatever it left behind is its own: nobody else looks at it.
        let think = AssertUnwindSafe(|| seat.search.think(&state, role, &seat.budget, &watch));
        let verdict = match catch_unwind(think) {
            Ok(verdict) => verdict.map_err(|error| Fault::Failed(error.to_string()))?,
            Err(panic) => return Err(Fault::Crash(panic_text(panic.as_ref()))),
        };
        if self.legal(role).contains(&verdict.choice) {
            Ok(verdict)
        } else {
            Err(Fault::Illegal(self.machine.move_text(verdict.choice)))
        }
    }

    /// One joint move of an open match. Who has a choice is asked, unless its move is given.
    pub(crate) fn play(&mut self, seats: &mut [Option<Seat<'m>>], given: &[Option<MoveId>]) -> Result<Ply, Error> {
        let mut ply = Ply { joint: Vec::new(), verdicts: Vec::new(), faults: Vec::new() };
        let asked = self.ask_all(seats, given);
        for (role, asked) in self.machine.roles().zip(asked) {
            let (mut verdict, mut fault) = (None, None);
            let choice = match (asked, self.legal(role)) {
                (Asked::Given(id), _) => id,
                (Asked::Answer(Ok(answer)), _) => verdict.insert(*answer).choice,
                (Asked::Answer(Err(error)), _) => {
                    fault = Some(error);
                    self.any(role)
                }
                (Asked::Nothing, legal) => legal[0],
            };
            ply.joint.push(choice);
            ply.verdicts.push(verdict);
            ply.faults.push(fault);
        }
        self.advance(&ply.joint)?;
        Ok(ply)
    }

    /// Asks everybody who has a choice that is not given. The others think on their time, if that is wanted.
    fn ask_all(&self, seats: &mut [Option<Seat<'m>>], given: &[Option<MoveId>]) -> Vec<Asked> {
        let state = self.state();
        let enough = AtomicBool::new(false);
        let (clock, enough) = (&self.clock, &enough);
        std::thread::scope(|scope| {
            let mut asking = Vec::new();
            for (role, seat) in self.machine.roles().zip(seats) {
                let has_choice = self.legal(role).len() > 1;
                match (given.get(role.0 as usize).copied().flatten(), seat) {
                    (Some(id), _) => asking.push((role, Ok(Asked::Given(id)))),
                    (None, seat) if has_choice => asking.push((role, Err(seat))),
                    (None, Some(seat)) if self.ponder => {
                        let (state, search) = (&state, &mut seat.search);
                        // Who cannot think now will say so when it has to move.
                        scope.spawn(move || search.ponder(state, role, &clock.watch(enough)));
                        asking.push((role, Ok(Asked::Nothing)));
                    }
                    (None, _) => asking.push((role, Ok(Asked::Nothing))),
                }
            }
            let ask = |(role, place): (RoleId, Result<Asked, &mut Option<Seat<'m>>>)| {
                place.unwrap_or_else(|seat| {
                    let seat = seat.as_mut().ok_or_else(|| Fault::Failed("nobody sits there".to_owned()));
                    Asked::Answer(seat.and_then(|seat| self.ask(seat, role)).map(Box::new))
                })
            };
            // Also when somebody panics: the others are waited for.
            let _enough = Enough(enough);
            asking.into_iter().map(ask).collect()
        })
    }

    /// Plays a joint move.
    pub(crate) fn advance(&mut self, joint: &[MoveId]) -> Result<(), Error> {
        self.lanes.play(0, joint);
        self.lanes.advance()?;
        self.lanes.evaluate()
    }

    /// Any legal move. It depends on the seed alone, not on how the engine numbers its moves.
    fn any(&mut self, role: RoleId) -> MoveId {
        let mut legal: Vec<(String, MoveId)> =
            self.lanes.legal(0, role).iter().map(|&id| (self.machine.move_text(id), id)).collect();
        legal.sort_unstable();
        legal[self.random.below(legal.len())].1
    }

    /// A joint move at random.
    pub(crate) fn any_joint(&mut self) -> Vec<MoveId> {
        self.machine.roles().map(|role| self.any(role)).collect()
    }
}

/// What somebody said who panicked.
fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "for no reason it gave".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{Fault, Referee, Seat, Standing};
    use crate::{engine, library, sheet::Sheet};
    use ludens_machine::{MoveId, RoleId, State};
    use ludens_search::{Budget, Error, Search, Settings, Spec, Verdict, Watch};
    use std::sync::atomic::AtomicBool;

    /// A player that never has an answer.
    struct Silent;

    impl Search for Silent {
        fn think(&mut self, _: &State, _: RoleId, _: &Budget, _: &Watch<'_>) -> Result<Verdict, Error> {
            Err(Error::Over)
        }
    }

    /// A player that breaks down.
    struct Broken;

    impl Search for Broken {
        fn think(&mut self, _: &State, _: RoleId, _: &Budget, _: &Watch<'_>) -> Result<Verdict, Error> {
            panic!("on purpose")
        }
    }

    /// A player that moves without looking.
    struct Blind(MoveId);

    impl Search for Blind {
        fn think(&mut self, _: &State, _: RoleId, _: &Budget, _: &Watch<'_>) -> Result<Verdict, Error> {
            Ok(Verdict::first(&[self.0], 2).expect("a move"))
        }
    }

    #[test]
    fn what_a_search_does_wrong_is_named() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        let stop = AtomicBool::new(false);
        let mut referee = Referee::new(&machine, machine.initial(), 1, &stop).unwrap();
        let mut seats = [Some(Seat { search: Box::new(Broken), budget: Budget::default() }), None];
        let ply = referee.play(&mut seats, &[]).unwrap();
        assert_eq!(ply.faults[0], Some(Fault::Crash("on purpose".to_owned())));
        assert!(ply.faults[1].is_none(), "who has nothing to choose is not asked");
        assert_eq!(referee.standing().unwrap(), Standing::Open, "the match goes on");
        referee.go_to(machine.initial()).unwrap();
        let noop = referee.legal(RoleId(1))[0];
        let mut seats = [Some(Seat { search: Box::new(Blind(noop)), budget: Budget::default() }), None];
        let ply = referee.play(&mut seats, &[]).unwrap();
        assert_eq!(ply.faults[0], Some(Fault::Illegal("noop".to_owned())));
    }

    #[test]
    fn a_search_that_fails_is_replaced_for_that_move() {
        let sheet = Sheet::of_library(library::find("tic_tac_toe").unwrap());
        let machine = engine::reference(sheet.rules().unwrap()).unwrap();
        let stop = AtomicBool::new(false);
        let mut referee = Referee::new(&machine, machine.initial(), 1, &stop).unwrap();
        let first = Seat::new(&Spec::parse("first").unwrap().into(), &machine, RoleId(1), Settings::default(), Budget::default())
            .unwrap();
        let mut seats = [Some(Seat { search: Box::new(Silent), budget: Budget::default() }), Some(first)];
        let (mut plies, mut faults) = (0, 0);
        while referee.standing().unwrap() == Standing::Open {
            let ply = referee.play(&mut seats, &[]).unwrap();
            assert!(ply.faults[1].is_none());
            assert_eq!(ply.faults[0].is_some(), plies % 2 == 0 && plies < 8, "x chooses in every other move");
            faults += usize::from(ply.faults[0].is_some());
            plies += 1;
        }
        assert!(faults >= 3);
        assert!(matches!(referee.standing().unwrap(), Standing::Over(points) if points.len() == 2));
    }
}

//! Plays a few matches with the engine, under all its options, beside the oracle.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ludens_gdl::Rules;
use ludens_machine::relational::Options;
use ludens_machine::{Ended, Error, GroundLimits, Lanes, Limits, Machine, Manner, MoveId, Random, Request};

use crate::common::all_options;
use crate::oracle::{self, Oracle, Texts, Verdict};

const ORACLE: oracle::Limits = oracle::Limits { matches: 1_000_000, atoms: 5_000 };

/// Plenty for what the oracle can do, and little enough for an engine that went astray to come back soon.
const ENGINE: Limits = Limits { terms: 200_000, bytes: 64 << 20, steps: 20_000_000, setup_steps: 1_000_000 };

/// The same for a grounder; it gives up on sheets that grow too large for it, and others play them.
fn grounder(seed: u64) -> GroundLimits {
    // Sheets are small: without effort hardly anything would be worked out on demand.
    let whole = [0, 4, 30, 5_000][seed as usize / 4 % 4];
    GroundLimits { terms: 20_000, atoms: 20_000, instances: 50_000, fan_in: 200_000, bytes: 64 << 20, steps: 2_000_000, whole }
}

/// Who answers.
#[derive(Clone, Copy, Debug)]
enum Engine {
    Relational(Options),
    /// Lanes, with the state in this one.
    Lanes(usize),
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Engine::Relational(options) => write!(f, "relational with {options:?}"),
            Engine::Lanes(lane) => write!(f, "lanes, in lane {lane}"),
        }
    }
}

impl Engine {
    /// The lane that is used.
    fn lane(self) -> usize {
        match self {
            Engine::Relational(_) => 0,
            Engine::Lanes(lane) => lane,
        }
    }
}

/// How long the comparison is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) matches: usize,
    pub(crate) plies: usize,
    pub(crate) seed: u64,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) sheets: usize,
    pub(crate) states: usize,
    pub(crate) legal: usize,
    pub(crate) goals: usize,
    pub(crate) terminal: usize,
    /// Sheets that the fast engine could play.
    pub(crate) grounded: usize,
    /// Sheets left early because the oracle gave up.
    pub(crate) given_up: usize,
}

/// A difference between an engine and the oracle.
#[derive(Clone, Debug)]
pub(crate) struct Mismatch {
    who: Engine,
    question: String,
    oracle: String,
    engine: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Mismatch { who, question, oracle, engine } = self;
        write!(f, "{who}\nquestion: {question}\noracle:   {oracle}\nengine:   {engine}")
    }
}

/// One engine in the comparison.
struct Contestant<'m> {
    who: Engine,
    machine: &'m Machine,
    lanes: Lanes<'m>,
}

/// Compares all engines with the oracle; a panic of an engine is a mismatch too.
pub(crate) fn compare(rules: &Rules, effort: Effort, tally: &mut Tally) -> Result<(), Box<Mismatch>> {
    let mut oracle = Oracle::new(rules, ORACLE);
    tally.sheets += 1;
    let Ok(init) = oracle.init() else {
        tally.given_up += 1;
        return Ok(());
    };
    let mut machines = Vec::new();
    for options in all_options() {
        let who = Engine::Relational(options);
        machines.push((who, shielded(who, "set-up", || Machine::relational(rules, &options, &ENGINE))?));
    }
    // Lanes of several words, and not always the first of them.
    let who = Engine::Lanes([0, 70, 200, 400][effort.seed as usize % 4]);
    let grounded = shielded(who, "set-up", || match Machine::grounded(rules, &grounder(effort.seed)) {
        Err(Error::Ground(_)) => Ok(None),
        other => other.map(Some),
    })?;
    tally.grounded += usize::from(grounded.is_some());
    machines.extend(grounded.map(|machine| (who, machine)));
    for (who, machine) in &machines {
        agree(*who, || "init".to_owned(), &init, &texts(machine.fluents(machine.initial())))?;
    }
    for (_, machine) in machines.iter().filter(|(who, _)| matches!(who, Engine::Lanes(_))) {
        random_play(machine, &mut oracle, effort)?;
    }
    let contestants =
        machines.iter().map(|(who, machine)| Contestant { who: *who, machine, lanes: machine.lanes(who.lane() + 1) });
    let mut contestants: Vec<Contestant<'_>> = contestants.collect();
    let mut random = Random::new(effort.seed);
    for number in 0..effort.matches {
        let mut state = if number == 0 { init.clone() } else { some_of(&init, &mut random) };
        for contestant in &mut contestants {
            let Contestant { who, machine, lanes } = contestant;
            let start = shielded(*who, "state_of", || machine.state_of(state.iter().map(String::as_str)))?;
            lanes.load(who.lane(), &start);
        }
        for ply in 0..=effort.plies {
            let Ok(verdict) = oracle.verdict(&state) else {
                tally.given_up += 1;
                return Ok(());
            };
            tally.states += 1;
            tally.terminal += usize::from(verdict.terminal);
            tally.legal += verdict.legal.iter().map(Texts::len).sum::<usize>();
            tally.goals += verdict.goals.iter().map(Texts::len).sum::<usize>();
            for contestant in &mut contestants {
                contestant.judge(&state, &verdict)?;
            }
            // Terminal states are played on: the rules say what comes next there as well.
            if ply == effort.plies || verdict.legal.iter().any(Texts::is_empty) {
                break;
            }
            let pick = |legal: &Texts| legal.iter().nth(random.below(legal.len())).expect("a legal move").clone();
            let joint: Vec<String> = verdict.legal.iter().map(pick).collect();
            let Ok(next) = oracle.next(&state, &joint) else {
                tally.given_up += 1;
                return Ok(());
            };
            for contestant in &mut contestants {
                contestant.step(&state, &joint, &next)?;
            }
            state = next;
        }
    }
    Ok(())
}

/// Random play in all lanes passes only through states that the rules allow, and ends with the points that they give.
fn random_play(machine: &Machine, oracle: &mut Oracle<'_>, effort: Effort) -> Result<(), Box<Mismatch>> {
    let width = [512, 256, 128, 64][effort.seed as usize % 4];
    let who = Engine::Lanes(width - 1);
    let starts = [machine.initial().clone()];
    let request =
        Request { starts: &starts, each: 4, max_plies: effort.plies as u64, positions: true, manner: Manner::default() };
    let mut matches: Vec<(Vec<Texts>, Option<Vec<u8>>)> = Vec::new();
    let mut note = |ended: Ended<'_>| {
        let positions = ended.positions.iter().map(|state| texts(machine.fluents(state))).collect();
        matches.push((positions, ended.points.map(<[u8]>::to_vec)));
    };
    shielded(who, "random play", || machine.lanes(width).reports(&request, &mut Random::new(effort.seed), &mut note))?;
    for (positions, points) in &matches {
        for (at, state) in positions.iter().enumerate() {
            let Ok(verdict) = oracle.verdict(state) else { return Ok(()) };
            let last = at + 1 == positions.len();
            agree(who, || format!("whether play ends in {state:?}"), &verdict.terminal, &(last && points.is_some()))?;
            if let (true, Some(points)) = (last, points) {
                let rule = |values: &Texts| values.iter().filter_map(|value| ludens_gdl::points(value)).min().unwrap_or(0);
                agree(who, || format!("points in {state:?}"), &verdict.goals.iter().map(rule).collect(), points)?;
            } else if last {
                let stuck = verdict.legal.iter().any(Texts::is_empty) || at == effort.plies;
                agree(who, || format!("whether play must be given up in {state:?}"), &stuck, &true)?;
            } else {
                let Ok(found) = may_follow(oracle, state, &verdict, &positions[at + 1]) else { return Ok(()) };
                agree(who, || format!("whether {:?} may follow {state:?}", positions[at + 1]), &found, &true)?;
            }
        }
    }
    Ok(())
}

/// Whether some joint move leads there. Of very many they are not all tried.
fn may_follow(oracle: &mut Oracle<'_>, state: &Texts, verdict: &Verdict, next: &Texts) -> Result<bool, oracle::Refusal> {
    let mut joints: Vec<Vec<String>> = vec![Vec::new()];
    for legal in &verdict.legal {
        joints = joints
            .iter()
            .flat_map(|joint| legal.iter().map(move |text| [&joint[..], std::slice::from_ref(text)].concat()))
            .collect();
    }
    if joints.len() > 200 {
        return Ok(true);
    }
    for joint in &joints {
        if oracle.next(state, joint)? == *next {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Contestant<'_> {
    fn judge(&mut self, state: &Texts, verdict: &Verdict) -> Result<(), Box<Mismatch>> {
        let Contestant { who, machine, lanes } = self;
        let lane = who.lane();
        let answer = shielded(*who, &format!("verdict in {state:?}"), || {
            lanes.evaluate_fully()?;
            let text = |&id: &MoveId| machine.move_text(id);
            let legal = machine.roles().map(|role| texts(lanes.legal(lane, role).iter().map(text))).collect();
            let mut goals = Vec::new();
            for role in machine.roles() {
                goals.push(texts(lanes.goals(lane, role)?.into_iter().map(|id| machine.goal_text(id))));
            }
            Ok(Verdict { terminal: lanes.terminal(lane), legal, goals })
        })?;
        agree(*who, || format!("verdict in {state:?}"), verdict, &answer)
    }

    fn step(&mut self, state: &Texts, joint: &[String], next: &Texts) -> Result<(), Box<Mismatch>> {
        let Contestant { who, machine, lanes } = self;
        let lane = who.lane();
        let question = || format!("next of {state:?} with {joint:?}");
        let answer = shielded(*who, &question(), || {
            let joint = joint.iter().map(|text| machine.find_move(text)).collect::<Result<Vec<MoveId>, Error>>()?;
            lanes.play(lane, &joint);
            lanes.advance()?;
            Ok(texts(machine.fluents(&lanes.state(lane))))
        })?;
        agree(*who, question, next, &answer)
    }
}

/// The list as a set. An engine gives every answer once.
fn texts(list: impl IntoIterator<Item = String>) -> Texts {
    let mut set = Texts::new();
    for text in list {
        assert!(!set.contains(&text), "{text} is listed twice");
        set.insert(text);
    }
    set
}

/// A state that play may never reach: some of these fluents.
fn some_of(fluents: &Texts, random: &mut Random) -> Texts {
    fluents.iter().filter(|_| random.below(3) > 0).cloned().collect()
}

fn agree<T: PartialEq + fmt::Debug>(
    who: Engine,
    question: impl Fn() -> String,
    oracle: &T,
    engine: &T,
) -> Result<(), Box<Mismatch>> {
    if oracle == engine {
        return Ok(());
    }
    Err(Box::new(Mismatch { who, question: question(), oracle: format!("{oracle:?}"), engine: format!("{engine:?}") }))
}

/// The answer of an engine; errors and panics are mismatches.
fn shielded<T>(who: Engine, question: &str, ask: impl FnOnce() -> Result<T, Error>) -> Result<T, Box<Mismatch>> {
    let wrong = |engine: String| {
        let oracle = "an answer".to_owned();
        Box::new(Mismatch { who, question: question.to_owned(), oracle, engine })
    };
    match catch_unwind(AssertUnwindSafe(ask)) {
        Ok(answer) => answer.map_err(|error| wrong(format!("error: {error}"))),
        Err(panic) => {
            let message = panic.downcast_ref::<String>().cloned();
            let message = message.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
            Err(wrong(format!("panic: {}", message.unwrap_or_default())))
        }
    }
}

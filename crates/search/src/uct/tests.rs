//! What guesses and history are, seen from inside: the tree is looked through.

use super::guess::Points;
use super::{Guidance, Options, Uct, Uses, arena::NodeId};
use crate::{Budget, Clock, Search, Settings, Verdict, Watch};
use ludens_machine::{Error, GroundLimits, Lanes, Limits, Machine, MoveId, Random, RoleId, State, relational};
use ludens_score::{Evaluator, Goal, Null};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

#[derive(Debug)]
struct NoClock;

impl Clock for NoClock {
    fn wall(&self) -> Duration {
        Duration::ZERO
    }

    fn cpu(&self) -> Duration {
        Duration::ZERO
    }
}

fn machine(text: &str) -> Machine {
    let reading = ludens_gdl::read(text, &ludens_gdl::Limits::default());
    let rules = reading.rules.expect("rules");
    Machine::fastest(&rules, &GroundLimits::default(), &relational::Options::default(), &Limits::default()).expect("a machine")
}

fn game(name: &str) -> Machine {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    machine(&std::fs::read_to_string(path).expect("a game of the library"))
}

fn think(search: &mut Uct<'_>, role: u32, simulations: u64) -> Verdict {
    let (stop, budget) = (AtomicBool::new(false), Budget { simulations: Some(simulations), ..Budget::default() });
    let state = search.machine.initial().clone();
    search.think(&state, RoleId(role), &budget, &Watch { clock: &NoClock, stop: &stop }).expect("an answer")
}

/// Knows the points of every state by going through everything that follows: every role plays what is best for itself, the first if several are.
#[derive(Debug, Default)]
struct Oracle(HashMap<Vec<u64>, Vec<u8>>);

impl Oracle {
    fn of(machine: &Machine) -> Oracle {
        let mut oracle = Oracle::default();
        oracle.solve(machine, &mut machine.lanes(1), machine.initial());
        oracle
    }

    fn solve(&mut self, machine: &Machine, lanes: &mut Lanes<'_>, state: &State) -> Vec<u8> {
        if let Some(known) = self.0.get(state.words()) {
            return known.clone();
        }
        lanes.load(0, state);
        lanes.evaluate().expect("an evaluation");
        let roles = machine.roles();
        let points = if lanes.terminal(0) {
            roles.map(|role| lanes.points(0, role).expect("points")).collect()
        } else {
            let legal: Vec<Vec<MoveId>> = roles.map(|role| lanes.legal(0, role).to_vec()).collect();
            let chooser = legal.iter().position(|moves| moves.len() > 1).unwrap_or(0);
            let mut best: Option<Vec<u8>> = None;
            for &id in &legal[chooser] {
                let joint: Vec<MoveId> =
                    legal.iter().enumerate().map(|(role, moves)| if role == chooser { id } else { moves[0] }).collect();
                lanes.load(0, state);
                lanes.evaluate().expect("an evaluation");
                lanes.play(0, &joint);
                lanes.advance().expect("a successor");
                let next = lanes.state(0);
                let points = self.solve(machine, lanes, &next);
                if best.as_ref().is_none_or(|best| points[chooser] > best[chooser]) {
                    best = Some(points);
                }
            }
            best.expect("a move")
        };
        self.0.insert(state.words().to_vec(), points.clone());
        points
    }
}

impl Evaluator for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn score(&self, lanes: &mut Lanes<'_>, count: usize, _: &mut Random, scores: &mut [f32]) -> Result<(), Error> {
        for (lane, scores) in scores.chunks_exact_mut(lanes.roles()).take(count).enumerate() {
            let known = &self.0[lanes.state(lane).words()];
            scores.iter_mut().zip(known).for_each(|(score, &points)| *score = f32::from(points));
        }
        Ok(())
    }
}

fn guided(minimax: f32, uses: Uses) -> Options {
    let guidance = Guidance { minimax, uses, ..Guidance::NONE };
    Options { solver: false, history: 0.0, urgency: 0.0, guidance, ..Options::default() }
}

fn exact(points: u8) -> Points {
    Points::new(f32::from(points))
}

/// All nodes that can be reached from the start, with choices of one role at a time.
fn nodes(search: &mut Uct<'_>) -> Vec<NodeId> {
    let words = search.machine.initial().words().to_vec();
    let tree = search.tree();
    let root = tree.find(super::hash(&words), &words).expect("a root");
    let (mut seen, mut open) = (HashSet::from([root]), vec![root]);
    let mut found = Vec::new();
    while let Some(id) = open.pop() {
        found.push(id);
        let node = tree.node(id);
        for child in (0..node.edges()).map(|edge| node.target(edge).child()).filter(|child| child.is_node()) {
            if seen.insert(child) {
                open.push(child);
            }
        }
    }
    found
}

#[test]
fn guesses_of_one_who_knows_are_minimax_values_and_stay_so() {
    for name in ["tic_tac_toe", "nim"] {
        let machine = game(name);
        let oracle = Arc::new(Oracle::of(&machine));
        let evaluator: Arc<dyn Evaluator> = oracle.clone();
        for solver in [false, true] {
            let mut search =
                Uct::guided(&machine, &evaluator, Options { solver, ..guided(0.3, Uses::default()) }, Settings::default());
            think(&mut search, 0, 3000);
            let mut looked_at = 0;
            for id in nodes(&mut search) {
                let tree = search.tree();
                let node = tree.node(id);
                let mut words = Vec::new();
                node.copy_state(&mut words);
                if node.edges() == 0 {
                    continue;
                }
                for (role, &points) in oracle.0[&words].iter().enumerate() {
                    assert_eq!(tree.worth(id, role), exact(points), "{name}, solver {solver}");
                }
                looked_at += 1;
            }
            assert!(looked_at > 20, "{name}: {looked_at} nodes");
        }
    }
}

#[test]
fn guesses_of_one_who_knows_nothing_become_minimax_values() {
    let machine = game("nim");
    let oracle = Oracle::of(&machine);
    let evaluator: Arc<dyn Evaluator> = Arc::new(Null::default());
    let mut search = Uct::guided(&machine, &evaluator, guided(0.3, Uses::default()), Settings::default());
    think(&mut search, 0, 200_000);
    let root = nodes(&mut search)[0];
    for (role, &points) in oracle.0[machine.initial().words()].iter().enumerate() {
        assert_eq!(search.tree().worth(root, role), exact(points));
    }
}

/// Five moves whose positions have the goals 10, 90, 30, 70 and 50, and then an end with 50 points.
const FORK: &str = "(role a) (init (at s))
    (to p1 10) (to p2 90) (to p3 30) (to p4 70) (to p5 50)
    (<= (legal a (go ?p)) (true (at s)) (to ?p ?n))
    (<= (legal a wait) (true (at ?p)) (to ?p ?n))
    (<= (legal a stay) (true (at ?p)) (to ?p ?n))
    (<= (next (at ?p)) (does a (go ?p)))
    (<= (next (at e)) (does a wait))
    (<= (next (at f)) (does a stay))
    (<= terminal (true (at e))) (<= terminal (true (at f)))
    (<= (goal a ?n) (true (at ?p)) (to ?p ?n))
    (<= (goal a 50) (true (at e))) (<= (goal a 50) (true (at f)))
    (<= (goal a 0) (true (at s)))";

/// How often each move was tried, after so many simulations one at a time.
fn tries(options: Options, simulations: u64) -> HashMap<String, u64> {
    let machine = machine(FORK);
    let evaluator: Arc<dyn Evaluator> = Arc::new(Goal);
    let options = Options { leaves: 1, ..options };
    let mut search = Uct::guided(&machine, &evaluator, options, Settings::default());
    let verdict = think(&mut search, 0, simulations);
    verdict.moves.iter().map(|report| (machine.move_text(report.id), report.visits)).collect()
}

#[test]
fn moves_are_tried_in_the_order_of_their_evaluation() {
    let best = ["(go p2)", "(go p4)", "(go p5)", "(go p3)", "(go p1)"];
    for count in 1..=5 {
        let tries = tries(guided(0.0, Uses { order: true, ..Uses::default() }), count);
        let expected: HashMap<String, u64> =
            (0..).zip(best).map(|(place, id)| (id.to_owned(), u64::from(place < count))).collect();
        assert_eq!(tries, expected, "after {count}");
    }
}

#[test]
fn statistics_start_from_the_evaluation() {
    let options = |visits: f32| {
        let options = guided(0.0, Uses { init: true, ..Uses::default() });
        Options { guidance: Guidance { visits, ..options.guidance }, c: 0.01, ..options }
    };
    // Every visit is worth 50: a thousand visits worth 90 are more than twenty of those, and one is not.
    let sure = tries(options(1000.0), 20);
    assert_eq!(sure["(go p2)"], 20, "{sure:?}");
    let unsure = tries(options(0.5), 20);
    assert!(unsure["(go p2)"] > 0 && unsure["(go p4)"] > 0 && unsure["(go p1)"] == 0, "{unsure:?}");
    // Without, every move is tried.
    let none = tries(Options { guidance: Guidance::NONE, ..options(1.0) }, 20);
    assert!(none.values().all(|&visits| visits > 0), "{none:?}");
}

#[test]
fn a_bias_fades() {
    let biased = |simulations: u64| {
        let options = Options { guidance: Guidance { bias: 1.0, ..Guidance::NONE }, c: 0.05, ..guided(0.0, Uses::default()) };
        tries(options, simulations)
    };
    let (few, many) = (biased(20), biased(2000));
    assert!(few["(go p2)"] > few["(go p4)"] && few["(go p4)"] > few["(go p1)"], "{few:?}");
    // All moves are worth the same in the end.
    assert!(many["(go p2)"] < 2 * many["(go p1)"], "{many:?}");
}

/// Twelve rooms with twelve doors each; the same one leads out of all of them.
const ROOMS: &str = "(role a) (init (at s))
    (name 1) (name 2) (name 3) (name 4) (name 5) (name 6) (name 7) (name 8) (name 9) (name 10) (name 11) (name 12)
    (<= (legal a (enter ?r)) (true (at s)) (name ?r))
    (<= (legal a (open ?d)) (true (in ?r)) (name ?d))
    (<= (next (in ?r)) (does a (enter ?r)))
    (<= (next (behind ?r ?d)) (true (in ?r)) (does a (open ?d)))
    (<= terminal (true (behind ?r ?d)))
    (<= (goal a 100) (true (behind ?r 9)))
    (<= (goal a 0) (not (out)))
    (<= (out) (true (behind ?r 9)))";

#[test]
fn moves_that_did_well_elsewhere_are_tried_first() {
    let machine = machine(ROOMS);
    // Every room is entered five or six times: once for itself, then by some of its doors.
    let knowing = |history: f32| {
        let options = Options { leaves: 1, solver: false, c: 2.0, history, urgency: 0.0, ..Options::default() };
        let mut search = Uct::new(&machine, options, Settings::default());
        think(&mut search, 0, 70);
        let rooms: Vec<NodeId> = nodes(&mut search).into_iter().skip(1).collect();
        let tree = search.tree();
        let tried = |id: NodeId| {
            let node = tree.node(id);
            (0..node.edges()).any(|edge| node.stats(edge).visits() > 0 && machine.move_text(node.target(edge).id()) == "(open 9)")
        };
        rooms.into_iter().filter(|&id| tried(id)).count()
    };
    let (without, with) = (knowing(0.0), knowing(12.0));
    assert!(without < 9 && with >= 11, "{without} rooms without history, {with} with it");
}

/// Twelve doors, of which six are good.
const DOORS: &str = "(role a) (init (at s))
    (door 1 100) (door 2 100) (door 3 100) (door 4 100) (door 5 100) (door 6 100)
    (door 7 0) (door 8 0) (door 9 0) (door 10 0) (door 11 0) (door 12 0)
    (<= (legal a (open ?d)) (true (at s)) (door ?d ?n))
    (<= (next (behind ?d)) (does a (open ?d)))
    (<= terminal (true (behind ?d)))
    (<= (goal a ?n) (true (behind ?d)) (door ?d ?n))
    (<= (goal a 0) (true (at s)))";

#[test]
fn untried_moves_come_first_or_when_those_tried_are_no_better() {
    let machine = machine(DOORS);
    let tried = |urgency: f32, simulations: u64| {
        let options = Options { leaves: 1, solver: false, c: 0.1, history: 0.0, urgency, ..Options::default() };
        let verdict = think(&mut Uct::new(&machine, options, Settings::default()), 0, simulations);
        verdict.moves.iter().filter(|report| report.visits > 0).count()
    };
    assert_eq!((tried(0.0, 6), tried(0.0, 12)), (6, 12), "each once");
    let few = tried(1.0, 12);
    assert!(few < 12, "a good one is tried again before all have been: {few}");
    assert_eq!(tried(30.0, 12), 12, "where much is expected of them");
}

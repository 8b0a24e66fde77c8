//! Alpha-beta, MTD(f) and minimax against searches so simple that they are obviously right.

use ludens_gdl::read;
use ludens_machine::{GroundLimits, Lanes, Limits, Machine, MoveId, Random, RoleId, State, relational};
use ludens_score::{Evaluator, Goal, Null};
use ludens_search::depth::alphabeta::Options;
use ludens_search::depth::{AlphaBeta, Minimax, Mtdf, OnePly, minimax};
use ludens_search::{Bounds, Budget, Clock, Error, Search, Settings, Verdict, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A clock that goes on by a microsecond whenever somebody looks at it.
#[derive(Debug, Default)]
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn wall(&self) -> Duration {
        Duration::from_micros(self.0.fetch_add(1, Relaxed))
    }

    fn cpu(&self) -> Duration {
        self.wall()
    }
}

static GO_ON: AtomicBool = AtomicBool::new(false);

fn machine(game: &str) -> Machine {
    let path = format!("{}/../../games/{game}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    built(&std::fs::read_to_string(path).expect("a sheet"))
}

fn built(text: &str) -> Machine {
    let rules = read(text, &ludens_gdl::Limits::default()).rules.expect("rules");
    Machine::fastest(&rules, &GroundLimits::default(), &relational::Options::default(), &Limits::default()).expect("a machine")
}

fn small() -> Settings {
    Settings { memory: 1 << 20, ..Settings::default() }
}

fn to_depth(depth: u32) -> Budget {
    Budget { depth: Some(depth), ..Budget::default() }
}

fn think(search: &mut dyn Search, position: &State, role: RoleId, budget: &Budget) -> Verdict {
    let clock = Ticks::default();
    search.think(position, role, budget, &Watch { clock: &clock, stop: &GO_ON }).expect("a verdict")
}

/// Some states of random play where the match is not over, at most so many.
fn positions(machine: &Machine, count: usize, random: &mut Random) -> Vec<State> {
    let mut lanes = machine.lanes(1);
    let mut match_states = Vec::new();
    let mut found = Vec::new();
    while found.len() < count {
        match_states.clear();
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        while !lanes.terminal(0) && match_states.len() < 150 {
            match_states.push(lanes.state(0));
            let joint: Vec<MoveId> = machine.roles().map(|role| lanes.legal(0, role)).map(|legal| legal[random.below(legal.len())]).collect();
            lanes.play(0, &joint);
            lanes.advance().expect("a next state");
            lanes.evaluate().expect("an evaluation");
        }
        for _ in 0..3 {
            found.push(match_states[random.below(match_states.len())].clone());
        }
    }
    found.truncate(count);
    found
}

/// Everything about a state, one question at a time.
struct Reference<'m> {
    machine: &'m Machine,
    lanes: Lanes<'m>,
    evaluator: Arc<dyn Evaluator>,
}

impl Reference<'_> {
    fn look(&mut self, state: &State) {
        self.lanes.load(0, state);
        self.lanes.evaluate().expect("an evaluation");
    }

    fn points(&mut self) -> Vec<f32> {
        let roles = self.machine.roles();
        roles.map(|role| f32::from(self.lanes.points(0, role).expect("points"))).collect()
    }

    fn scores(&mut self) -> Vec<f32> {
        let mut scores = vec![0.0; self.machine.roles().len()];
        self.evaluator.score(&mut self.lanes, 1, &mut Random::new(0), &mut scores).expect("scores");
        scores
    }

    /// The points of all roles where the search ends; else the legal moves of all roles.
    fn leaf(&mut self, state: &State, depth: u32) -> Result<Vec<f32>, Vec<Vec<MoveId>>> {
        self.look(state);
        if self.lanes.terminal(0) {
            return Ok(self.points());
        }
        if depth == 0 {
            return Ok(self.scores());
        }
        let legal: Vec<Vec<MoveId>> = self.machine.roles().map(|role| self.lanes.legal(0, role).to_vec()).collect();
        if legal.iter().any(Vec::is_empty) {
            return Ok(self.points());
        }
        Err(legal)
    }

    fn next(&mut self, state: &State, joint: &[MoveId]) -> State {
        self.look(state);
        self.lanes.play(0, joint);
        self.lanes.advance().expect("a next state");
        self.lanes.state(0)
    }

    /// The paranoid value for a role.
    fn paranoid(&mut self, state: &State, role: RoleId, depth: u32) -> f32 {
        match self.leaf(state, depth) {
            Ok(points) => points[role.0 as usize],
            Err(legal) => {
                let own = legal[role.0 as usize].iter();
                own.map(|&own| self.least(state, &legal, (role, own), depth)).fold(f32::NEG_INFINITY, f32::max)
            }
        }
    }

    /// The least that an own move can lead to.
    fn least(&mut self, state: &State, legal: &[Vec<MoveId>], own: (RoleId, MoveId), depth: u32) -> f32 {
        let mut fixed = legal.to_vec();
        fixed[own.0.0 as usize] = vec![own.1];
        let mut least = f32::INFINITY;
        for joint in product(&fixed) {
            let child = self.next(state, &joint);
            least = least.min(self.paranoid(&child, own.0, depth - 1));
        }
        least
    }

    /// What every role has if each, the asked one first, chooses what is best for it, knowing the choices before; ties go against the asked one.
    fn selfish(&mut self, state: &State, role: RoleId, depth: u32) -> Vec<f32> {
        match self.leaf(state, depth) {
            Ok(points) => points,
            Err(legal) => {
                let mut order: Vec<usize> = vec![role.0 as usize];
                order.extend((0..legal.len()).filter(|&other| other != role.0 as usize));
                self.choose(state, &legal, &order, role, depth)
            }
        }
    }

    fn choose(&mut self, state: &State, legal: &[Vec<MoveId>], order: &[usize], role: RoleId, depth: u32) -> Vec<f32> {
        let Some((&chooser, rest)) = order.split_first() else {
            let joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
            let child = self.next(state, &joint);
            return self.selfish(&child, role, depth - 1);
        };
        let mut best: Option<Vec<f32>> = None;
        for &choice in &legal[chooser] {
            let mut fixed = legal.to_vec();
            fixed[chooser] = vec![choice];
            let values = self.choose(state, &fixed, rest, role, depth);
            let own = role.0 as usize;
            let better = best.as_ref().is_none_or(|best| {
                values[chooser] > best[chooser] || values[chooser] >= best[chooser] && chooser != own && values[own] < best[own]
            });
            if better {
                best = Some(values);
            }
        }
        best.expect("somebody has a move")
    }
}

fn product(legal: &[Vec<MoveId>]) -> Vec<Vec<MoveId>> {
    legal.iter().fold(vec![Vec::new()], |done, moves| {
        done.iter().flat_map(|joint| moves.iter().map(|&id| [&joint[..], &[id]].concat())).collect()
    })
}

/// Game, depth, positions.
const GAMES: [(&str, u32, usize); 14] = [
    ("tic_tac_toe", 4, 120),
    ("nim", 4, 120),
    ("connect_four", 4, 90),
    ("connect_four_3", 4, 80),
    ("breakthrough", 2, 60),
    ("othello", 2, 60),
    ("checkers", 3, 60),
    ("kalah", 3, 80),
    ("tron", 3, 90),
    ("pacman", 2, 40),
    ("rock_paper_scissors", 2, 40),
    ("eight_puzzle", 6, 70),
    ("dots_and_boxes", 2, 40),
    ("goofspiel", 2, 50),
];

fn evaluators() -> [Arc<dyn Evaluator>; 2] {
    [Arc::new(Goal), Arc::new(Null::default())]
}

/// What plain minimax finds, too.
fn plain() -> Options {
    Options { deeper: false, ..Options::default() }
}

fn same(one: f64, two: f32) -> bool {
    (one - f64::from(two)).abs() < 1e-9
}

#[test]
fn every_search_finds_the_value_of_plain_minimax() {
    let mut random = Random::new(42);
    let mut count = 0;
    for (game, depth, many) in GAMES {
        let machine = machine(game);
        for state in positions(&machine, many, &mut random) {
            let role = RoleId(random.below(machine.roles().len()) as u32);
            let depth = 1 + random.below(depth as usize) as u32;
            let evaluator = evaluators()[random.below(2)].clone();
            let mut reference = Reference { machine: &machine, lanes: machine.lanes(1), evaluator: evaluator.clone() };
            let value = reference.paranoid(&state, role, depth);
            let selfish = reference.selfish(&state, role, depth);
            let mut alphabeta = AlphaBeta::new(&machine, evaluator.clone(), plain(), small());
            let mut mtdf = Mtdf::new(&machine, evaluator.clone(), plain(), small());
            let mut minimax = Minimax::new(&machine, evaluator.clone(), minimax::Options::default(), small());
            let searches: [(&str, &mut dyn Search); 2] = [("alpha-beta", &mut alphabeta), ("MTD(f)", &mut mtdf)];
            for (name, search) in searches {
                let verdict = think(search, &state, role, &to_depth(depth));
                let found = verdict.values[role.0 as usize];
                assert!(same(found, value), "{name} in {game}, {depth} deep: {found}, not {value}\n{:?}", machine.fluents(&state));
                check(&mut reference, &state, role, &verdict, depth, name);
            }
            let verdict = think(&mut minimax, &state, role, &to_depth(depth));
            let agree = verdict.values.iter().zip(&selfish).all(|(&found, &value)| same(found, value));
            assert!(agree, "minimax in {game}, {depth} deep: {:?}, not {selfish:?}", verdict.values);
            count += 1;
        }
    }
    assert!(count >= 1000, "{count} positions");
}

/// The move chosen has the value, moves are complete, the line can be played, and what is proven is true as far as the reference sees.
fn check(reference: &mut Reference<'_>, state: &State, role: RoleId, verdict: &Verdict, depth: u32, name: &str) {
    let own = role.0 as usize;
    let legal = reference.leaf(state, depth).expect_err("the match goes on");
    let chosen = reference.least(state, &legal, (role, verdict.choice), depth);
    assert!(same(verdict.values[own], chosen) || verdict.depth < depth, "{name}: the choice has {chosen}, not {}", verdict.values[own]);
    let mut ids: Vec<MoveId> = verdict.moves.iter().map(|report| report.id).collect();
    assert_eq!(ids[0], verdict.choice);
    ids.sort_unstable();
    assert_eq!(ids, legal[own], "{name}: every legal move once");
    for report in &verdict.moves {
        assert!(report.bounds.low <= report.bounds.high);
        if let Some(value) = report.value {
            let known = reference.least(state, &legal, (role, report.id), verdict.depth);
            assert!(same(value, known), "{name}: a move has {known}, not {value}");
        }
    }
    let mut at = state.clone();
    for (ply, joint) in verdict.line.iter().enumerate() {
        let legal = reference.leaf(&at, 1).expect_err("the match goes on along the line");
        assert!(joint.iter().zip(&legal).all(|(id, legal)| legal.contains(id)), "{name}: an illegal move at ply {ply}");
        at = reference.next(&at, joint);
    }
    assert!(!verdict.line.is_empty() && verdict.line.len() <= depth as usize && verdict.line[0][own] == verdict.choice);
}

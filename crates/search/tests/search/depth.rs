//! Alpha-beta, MTD(f) and minimax against searches so simple that they are obviously right.

use ludens_gdl::read;
use ludens_machine::{GroundLimits, Lanes, Limits, Machine, MoveId, Random, RoleId, State, relational};
use ludens_score::{Evaluator, Goal, Null};
use ludens_search::depth::alphabeta::Options;
use ludens_search::depth::{AlphaBeta, Minimax, Mtdf, OnePly, minimax};
use ludens_search::{Bounds, Budget, Clock, Error, Search, Settings, Verdict, Watch};
use std::fmt::Write;
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

/// MTD(f) or alpha-beta.
fn either<'m>(mtdf: bool, machine: &'m Machine, evaluator: Arc<dyn Evaluator>, options: Options) -> Box<dyn Search + 'm> {
    if mtdf {
        Box::new(Mtdf::new(machine, evaluator, options, small()))
    } else {
        Box::new(AlphaBeta::new(machine, evaluator, options, small()))
    }
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
            let joint: Vec<MoveId> =
                machine.roles().map(|role| lanes.legal(0, role)).map(|legal| legal[random.below(legal.len())]).collect();
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
    ("tic_tac_toe", 4, 150),
    ("nim", 4, 150),
    ("connect_four", 3, 100),
    ("connect_four_3", 3, 90),
    ("breakthrough", 2, 50),
    ("othello", 2, 60),
    ("checkers", 3, 60),
    ("kalah", 3, 80),
    ("tron", 2, 90),
    ("pacman", 1, 40),
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
    Options { deeper: false, narrow: false, ..Options::default() }
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
            let mut minimax = Minimax::new(&machine, evaluator.clone(), minimax::Options::default(), small());
            for (name, mtdf) in [("alpha-beta", false), ("MTD(f)", true)] {
                let mut search = either(mtdf, &machine, evaluator.clone(), plain());
                let verdict = think(&mut *search, &state, role, &to_depth(depth));
                let found = verdict.values[role.0 as usize];
                assert!(
                    same(found, value),
                    "{name} in {game}, {depth} deep: {found}, not {value}\n{:?}",
                    machine.fluents(&state)
                );
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
    assert!(
        same(verdict.values[own], chosen) || verdict.depth < depth,
        "{name}: the choice has {chosen}, not {}",
        verdict.values[own]
    );
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

#[test]
fn no_switch_changes_the_value() {
    let switches: [fn(&mut Options); 10] = [
        |options| options.aspiration = None,
        |options| options.aspiration = Some(0.5),
        |options| options.table = false,
        |options| options.killers = false,
        |options| options.history = false,
        |options| options.scores = false,
        |options| options.scout = false,
        |options| options.sweep = false,
        |options| options.guess = false,
        |options| options.eps = 7.0,
    ];
    let mut random = Random::new(7);
    for (game, depth) in [("connect_four", 4), ("tron", 4), ("kalah", 3), ("chinese_checkers_3", 2), ("peg_solitaire", 4)] {
        let machine = machine(game);
        for state in positions(&machine, 6, &mut random) {
            let role = RoleId(random.below(machine.roles().len()) as u32);
            let evaluator: Arc<dyn Evaluator> = Arc::new(Goal);
            let mut reference = Reference { machine: &machine, lanes: machine.lanes(1), evaluator: evaluator.clone() };
            let value = reference.paranoid(&state, role, depth);
            for (number, switch) in switches.iter().enumerate() {
                let mut options = plain();
                switch(&mut options);
                for mut search in [false, true].map(|mtdf| either(mtdf, &machine, evaluator.clone(), options)) {
                    let verdict = think(&mut *search, &state, role, &to_depth(depth));
                    let found = verdict.values[role.0 as usize];
                    assert!(same(found, value), "{game} with switch {number}: {found}, not {value}");
                    check(&mut reference, &state, role, &verdict, depth, game);
                }
            }
            for table in [true, false] {
                let mut minimax = Minimax::new(&machine, evaluator.clone(), minimax::Options { depth, table }, small());
                let verdict = think(&mut minimax, &state, role, &Budget::default());
                let selfish = reference.selfish(&state, role, depth);
                assert!(verdict.values.iter().zip(&selfish).all(|(&found, &value)| same(found, value)), "{game}: {verdict:?}");
            }
        }
    }
}

#[test]
fn what_is_made_ahead_is_what_would_be_made_later() {
    let (mut random, mut early) = (Random::new(23), 0);
    for (game, depth) in [("connect_four", 6), ("breakthrough", 4), ("tron", 4), ("kalah", 4)] {
        let machine = machine(game);
        for state in positions(&machine, 6, &mut random) {
            // Without a table nothing else depends on what was made.
            for mtdf in [true, false] {
                let [ahead, alone] = [true, false].map(|sweep| {
                    let mut search = either(mtdf, &machine, Arc::new(Goal), Options { sweep, table: false, ..plain() });
                    think(&mut *search, &state, RoleId(0), &to_depth(depth))
                });
                assert_eq!((ahead.choice, ahead.values, ahead.bounds), (alone.choice, alone.values, alone.bounds), "{game}");
                early += ahead.nodes.checked_sub(alone.nodes).expect("no fewer positions");
            }
        }
    }
    assert!(early > 0, "nothing was made ahead");
}

#[test]
fn the_same_search_memory_serves_a_whole_match() {
    let machine = machine("connect_four");
    let evaluator: Arc<dyn Evaluator> = Arc::new(Goal);
    let mut random = Random::new(3);
    let mut searches = [false, true].map(|mtdf| either(mtdf, &machine, evaluator.clone(), plain()));
    for state in positions(&machine, 40, &mut random) {
        let role = RoleId(random.below(2) as u32);
        let mut reference = Reference { machine: &machine, lanes: machine.lanes(1), evaluator: evaluator.clone() };
        let value = reference.paranoid(&state, role, 3);
        for search in &mut searches {
            let verdict = think(&mut **search, &state, role, &to_depth(3));
            assert!(same(verdict.values[role.0 as usize], value));
        }
    }
}

#[test]
fn small_games_are_solved() {
    let open = || Settings { memory: 64 << 20, ..Settings::default() };
    for (game, points) in [("tic_tac_toe", 50), ("nim", 100)] {
        let machine = machine(game);
        for role in machine.roles() {
            let points = if role.0 == 0 { points } else { 100 - points };
            let evaluator: Arc<dyn Evaluator> = Arc::new(Goal);
            let mut searches: [Box<dyn Search>; 3] = [
                Box::new(AlphaBeta::new(&machine, evaluator.clone(), Options::default(), open())),
                Box::new(Mtdf::new(&machine, evaluator.clone(), Options::default(), open())),
                Box::new(Minimax::new(&machine, evaluator.clone(), minimax::Options::default(), open())),
            ];
            for search in &mut searches {
                let verdict = think(&mut **search, machine.initial(), role, &Budget::default());
                assert_eq!(verdict.bounds, Bounds::exact(points), "{game}: {verdict:?}");
                assert!(same(verdict.values[role.0 as usize], f32::from(points)) && verdict.depth <= 13);
                assert!(verdict.moves.iter().all(|report| report.bounds.low <= points));
            }
        }
    }
    let nim = machine("nim");
    let mut search = AlphaBeta::new(&nim, Arc::new(Null::default()), Options::default(), open());
    let verdict = think(&mut search, nim.initial(), RoleId(0), &Budget::default());
    assert_eq!(nim.move_text(verdict.choice), "(take a 2)", "the only move that wins");
}

#[test]
fn what_is_won_is_won_in_the_end() {
    let machine = machine("nim");
    let mut random = Random::new(17);
    let mut lanes = machine.lanes(1);
    for mtdf in [true, false] {
        let mut search = either(mtdf, &machine, Arc::new(Null::default()), Options::default());
        for _ in 0..20 {
            lanes.load(0, machine.initial());
            lanes.evaluate().expect("an evaluation");
            while !lanes.terminal(0) {
                let verdict = think(&mut *search, &lanes.state(0), RoleId(0), &Budget::default());
                assert_eq!(verdict.bounds, Bounds::exact(100));
                let replies = lanes.legal(0, RoleId(1));
                let joint = [verdict.choice, replies[random.below(replies.len())]];
                lanes.play(0, &joint);
                lanes.advance().expect("a next state");
                lanes.evaluate().expect("an evaluation");
            }
            assert_eq!(lanes.points(0, RoleId(0)).expect("points"), 100);
        }
    }
}

#[test]
fn bounds_are_certain_whatever_the_others_want() {
    // Paper beats rock, and so on: against one who knows the move there is nothing to be had, but nobody knows it.
    let machine = machine("rock_paper_scissors");
    let mut search = AlphaBeta::new(&machine, Arc::new(Goal), Options::default(), small());
    let verdict = think(&mut search, machine.initial(), RoleId(0), &Budget::default());
    assert_eq!((verdict.bounds.low, verdict.bounds.high), (0, 100));
}

#[test]
fn a_budget_of_nodes_always_ends_at_the_same_place() {
    for game in ["breakthrough", "tron", "connect_four_3"] {
        let machine = machine(game);
        let once = |mtdf: bool, nodes: u64, tick: u64| {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let mut search = either(mtdf, &machine, Arc::new(Goal), Options::default());
            let clock = Ticks(AtomicU64::new(tick));
            let watch = Watch { clock: &clock, stop: &GO_ON };
            let mut verdict = search.think(machine.initial(), RoleId(0), &budget, &watch).expect("a verdict");
            (verdict.wall, verdict.cpu) = (Duration::ZERO, Duration::ZERO);
            verdict
        };
        for nodes in [1, 20, 1000, 7777] {
            for mtdf in [true, false] {
                let verdict = once(mtdf, nodes, 0);
                assert_eq!(verdict, once(mtdf, nodes, 1 << 40), "{game}");
                assert!(verdict.nodes <= nodes + 256 && verdict.moves.iter().any(|report| report.id == verdict.choice));
            }
        }
    }
}

#[test]
fn a_search_that_is_stopped_has_a_legal_move() {
    let stop = AtomicBool::new(true);
    for game in ["chinese_checkers_6", "othello", "bomberman", "lights_out"] {
        let machine = machine(game);
        let evaluator: Arc<dyn Evaluator> = Arc::new(Goal);
        let mut searches: [Box<dyn Search>; 4] = [
            Box::new(AlphaBeta::new(&machine, evaluator.clone(), Options::default(), small())),
            Box::new(Mtdf::new(&machine, evaluator.clone(), Options::default(), small())),
            Box::new(Minimax::new(&machine, evaluator.clone(), minimax::Options::default(), small())),
            Box::new(OnePly::new(&machine, evaluator.clone(), small())),
        ];
        let mut lanes = machine.lanes(1);
        lanes.load(0, machine.initial());
        lanes.evaluate().expect("an evaluation");
        for search in &mut searches {
            for role in machine.roles() {
                let clock = Ticks::default();
                let at_once = search.think(machine.initial(), role, &Budget::default(), &Watch { clock: &clock, stop: &stop });
                let wall = Some(Duration::from_micros(40));
                let soon = think(&mut **search, machine.initial(), role, &Budget { wall, ..Budget::default() });
                for verdict in [at_once.expect("a verdict"), soon] {
                    assert!(lanes.legal(0, role).contains(&verdict.choice));
                    assert_eq!(verdict.moves.len(), lanes.legal(0, role).len());
                }
            }
        }
    }
}

#[test]
fn greedy_play_takes_the_end_that_is_a_win() {
    let machine = machine("tic_tac_toe");
    let state = machine.state_of([
        "(cell 1 1 x)",
        "(cell 1 2 x)",
        "(cell 1 3 empty)",
        "(cell 2 1 o)",
        "(cell 2 2 o)",
        "(cell 2 3 empty)",
        "(cell 3 1 empty)",
        "(cell 3 2 empty)",
        "(cell 3 3 empty)",
        "(control x)",
    ]);
    let state = state.expect("a state");
    let mut search = OnePly::new(&machine, Arc::new(Goal), Settings::default());
    let verdict = think(&mut search, &state, RoleId(0), &Budget::default());
    assert_eq!((machine.move_text(verdict.choice), verdict.depth), ("(mark 1 3)".to_owned(), 1));
}

/// Three roles choose at once, two of them among `many`; it takes two moves. The first has most where its number is the middle one.
fn crowd(many: usize) -> String {
    let mut sheet = String::from("(role a) (role b) (role c) (init (step 0)) (after 0 1) (after 1 2) (own 3) (own 5) (own 40)\n");
    for number in 0..many {
        let _ = writeln!(sheet, "(number {number}) (below {number} {})", number + 1);
    }
    sheet
        + "(<= (less ?x ?y) (below ?x ?y)) (<= (less ?x ?z) (below ?x ?y) (less ?y ?z))
        (<= (legal a (say ?x)) (own ?x)) (<= (legal b (say ?x)) (number ?x)) (<= (legal c (say ?x)) (number ?x))
        (<= (next (step ?y)) (true (step ?x)) (after ?x ?y))
        (<= (next (said ?who ?x)) (does ?who (say ?x)))
        (<= (next fast) (does a (say 3)) (not (does b (say 9))))
        (<= terminal (true (step 2)))
        (<= (over ?who) (true (said a ?x)) (true (said ?who ?y)) (less ?x ?y))
        (<= (goal a 90) (not (over b)) (not (over c))) (<= (goal a 60) (over b) (not (over c))) (<= (goal a 30) (over c) (not (over b)))
        (<= (goal a 10) (over b) (over c) (not (true fast))) (<= (goal a 20) (over b) (over c) (true fast))
        (<= (goal b 50)) (<= (goal c 0))"
}

#[test]
fn more_replies_than_there_is_room_for_are_looked_at_in_parts() {
    let many = machine_of_crowd(71);
    let evaluator: Arc<dyn Evaluator> = Arc::new(Goal);
    let mut reference = Reference { machine: &many, lanes: many.lanes(1), evaluator: evaluator.clone() };
    let start = many.initial().clone();
    for role in [RoleId(0), RoleId(2)] {
        let value = reference.paranoid(&start, role, 1);
        for options in [plain(), Options { table: false, scout: false, ..plain() }] {
            for mut search in [false, true].map(|mtdf| either(mtdf, &many, evaluator.clone(), options)) {
                let verdict = think(&mut *search, &start, role, &to_depth(1));
                assert!(same(verdict.values[role.0 as usize], value));
            }
        }
        let mut minimax = Minimax::new(&many, evaluator.clone(), minimax::Options::default(), small());
        let verdict = think(&mut minimax, &start, role, &to_depth(1));
        let selfish = reference.selfish(&start, role, 1);
        assert!(verdict.values.iter().zip(&selfish).all(|(&found, &value)| same(found, value)));
    }
    // Two moves deep there are millions: a handful of replies is enough to refute all but the best move.
    let mut search = AlphaBeta::new(&many, evaluator.clone(), Options::default(), small());
    let verdict = think(&mut search, &start, RoleId(0), &Budget { nodes: Some(3_000_000), ..to_depth(2) });
    assert!(same(verdict.values[0], 10.0) || verdict.depth < 2, "{verdict:?}");
    let few = machine_of_crowd(4);
    let mut reference = Reference { machine: &few, lanes: few.lanes(1), evaluator: evaluator.clone() };
    let value = reference.paranoid(few.initial(), RoleId(0), 2);
    let mut search = AlphaBeta::new(&few, evaluator, plain(), small());
    let verdict = think(&mut search, few.initial(), RoleId(0), &Budget::default());
    assert!(same(verdict.values[0], value) && verdict.depth == 2 && verdict.bounds.high == 100);
}

fn machine_of_crowd(many: usize) -> Machine {
    built(&crowd(many))
}

#[test]
fn the_reference_engine_will_do() {
    let path = format!("{}/../../games/tron/rules.kif", env!("CARGO_MANIFEST_DIR"));
    let rules = read(&std::fs::read_to_string(path).expect("a sheet"), &ludens_gdl::Limits::default()).rules.expect("rules");
    let slow = Machine::relational(&rules, &relational::Options::default(), &Limits::default()).expect("a machine");
    let fast = machine("tron");
    let mut values = Vec::new();
    for machine in [&slow, &fast] {
        let mut alphabeta = AlphaBeta::new(machine, Arc::new(Goal), plain(), small());
        let mut mtdf = Mtdf::new(machine, Arc::new(Goal), plain(), small());
        let mut minimax = Minimax::new(machine, Arc::new(Goal), minimax::Options::default(), small());
        for search in [&mut alphabeta as &mut dyn Search, &mut mtdf, &mut minimax] {
            let verdict = think(search, machine.initial(), RoleId(1), &to_depth(3));
            values.push((verdict.values[1], verdict.nodes));
        }
    }
    assert!(values[..3].iter().zip(&values[3..]).all(|(slow, fast)| same(slow.0, fast.0 as f32)), "{values:?}");
}

/// Somebody has no move once the other has waited; before that, all is well.
const STUCK: &str = "(role a) (role b) (init (step 0)) (after 0 1) (after 1 2) (after 2 3)
    (<= (legal a wait)) (<= (legal a hurry)) (<= (legal b wait) (not (true waited)))
    (<= (next (step ?y)) (true (step ?x)) (after ?x ?y)) (<= (next waited) (does a wait))
    (<= terminal (true (step 3))) (<= (goal a 70) (true waited)) (<= (goal a 20) (not (true waited))) (<= (goal b 30))";

#[test]
fn a_stuck_role_is_an_error_here_and_an_end_further_on() {
    let machine = built(STUCK);
    for mtdf in [true, false] {
        let mut search = either(mtdf, &machine, Arc::new(Null::default()), Options::default());
        let verdict = think(&mut *search, machine.initial(), RoleId(0), &Budget::default());
        assert!(same(verdict.values[0], 70.0), "{verdict:?}");
        let clock = Ticks::default();
        let mut ask = |fluents: &[&str]| {
            let state = machine.state_of(fluents.iter().copied()).expect("a state");
            search.think(&state, RoleId(0), &Budget::default(), &Watch { clock: &clock, stop: &GO_ON })
        };
        assert_eq!(ask(&["(step 1)", "waited"]), Err(Error::Stuck { role: "b".to_owned() }));
        assert_eq!(ask(&["(step 3)"]), Err(Error::Over));
    }
}

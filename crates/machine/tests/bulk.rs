//! Many states at once: the bulk calls agree with those for one lane, with the reference engine, and with what random play should be.

mod common;

use std::cell::Cell;

use ludens_machine::{
    Cuts, Ended, GroundLimits, Lanes, Machine, Manner, MoveId, Random, Request, RoleId, Rollouts, State, Totals,
};

fn sheet(game: &str) -> String {
    std::fs::read_to_string(common::root().join("games").join(game).join("rules.kif")).expect("a game of the library")
}

fn grounded(text: &str) -> Machine {
    Machine::grounded(&common::rules(text), &GroundLimits::default()).expect("a machine")
}

fn games() -> Vec<String> {
    let mut games: Vec<String> = std::fs::read_dir(common::root().join("games"))
        .expect("the library")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    games.sort();
    assert!(games.len() > 30, "{games:?}");
    games
}

/// Lanes of every kind of word, full and not.
const WIDTHS: [usize; 5] = [1, 64, 65, 200, 512];
/// Numbers of states.
const COUNTS: [usize; 6] = [1, 7, 63, 64, 65, 512];

/// All that can be asked about a state.
#[derive(Clone, Debug, PartialEq, Eq)]
struct View {
    terminal: bool,
    legal: Vec<Vec<MoveId>>,
    points: Vec<u8>,
}

fn view(machine: &Machine, lanes: &mut Lanes<'_>, lane: usize) -> View {
    let legal = machine.roles().map(|role| lanes.legal(lane, role).to_vec()).collect();
    let points = machine.roles().map(|role| lanes.points(lane, role).expect("points")).collect();
    View { terminal: lanes.terminal(lane), legal, points }
}

/// A state, what one lane says about it, and a joint move with its successor, if there is one.
struct Known {
    state: State,
    view: View,
    step: Option<(Vec<MoveId>, State)>,
}

/// States of random play, of all phases, shuffled; each is worked out alone in one lane.
fn sample(machine: &Machine, count: usize) -> Vec<Known> {
    let mut random = Random::new(7);
    let mut lanes = machine.lanes(1);
    let mut known = Vec::new();
    while known.len() < count {
        lanes.load(0, machine.initial());
        loop {
            lanes.evaluate().expect("an evaluation");
            let view = view(machine, &mut lanes, 0);
            let state = lanes.state(0);
            let stuck = view.legal.iter().any(Vec::is_empty);
            if view.terminal || stuck || known.len() > 2 * count {
                known.push(Known { state, view, step: None });
                break;
            }
            let joint: Vec<MoveId> = view.legal.iter().map(|legal| legal[random.below(legal.len())]).collect();
            lanes.play(0, &joint);
            lanes.advance().expect("a successor");
            known.push(Known { state, view, step: Some((joint, lanes.state(0))) });
        }
    }
    for at in (1..known.len()).rev() {
        known.swap(at, random.below(at + 1));
    }
    known
}

/// What all lanes hold.
fn stored(lanes: &Lanes<'_>, count: usize) -> Vec<State> {
    let words = lanes.words_per_state().expect("states of one size");
    let mut all = vec![1];
    lanes.store_all(count, &mut all);
    assert_eq!(all.remove(0), 1, "words are appended");
    let states: Vec<State> = all.chunks_exact(words).map(State::of_words).collect();
    let mut one_by_one = Vec::new();
    (0..count).for_each(|lane| lanes.store(lane, &mut one_by_one));
    assert_eq!(all, one_by_one);
    states
}

/// Loads states, asks all about them, and advances them, by the calls for many states.
fn check(machine: &Machine, lanes: &mut Lanes<'_>, known: &[Known], game: &str) {
    let (count, roles) = (known.len(), machine.roles().len());
    let context = format!("{game}, {count} states in {} lanes", lanes.width());
    let words: Vec<&[u64]> = known.iter().map(|known| known.state.words()).collect();
    lanes.load_all(&words);
    assert!(stored(lanes, count).iter().zip(known).all(|(state, known)| *state == known.state), "{context}");
    lanes.evaluate_ends().expect("an evaluation");
    let mut points = vec![7];
    for _ in 0..2 {
        lanes.points_all(count, &mut points).expect("points");
    }
    assert_eq!(points.len(), 1 + 2 * count * roles);
    for (lane, known) in known.iter().enumerate() {
        assert_eq!(lanes.terminal(lane), known.view.terminal, "{context}: the end of {lane}");
        assert_eq!(points[1 + lane * roles..][..roles], known.view.points, "{context}: the points of {lane}");
        for (role, &points) in known.view.points.iter().enumerate() {
            assert_eq!(lanes.points(lane, RoleId(role as u32)), Ok(points), "{context}: the points of {lane}");
        }
    }
    for evaluated in [false, true] {
        if evaluated {
            lanes.load_all(&words);
            lanes.evaluate().expect("an evaluation");
            for (lane, known) in known.iter().enumerate() {
                assert_eq!(view(machine, lanes, lane), known.view, "{context}: lane {lane}");
            }
        }
        for (lane, known) in known.iter().enumerate() {
            known.step.iter().for_each(|(joint, _)| lanes.play(lane, joint));
        }
        lanes.advance().expect("successors");
        for (lane, (state, known)) in stored(lanes, count).iter().zip(known).enumerate() {
            let expected = known.step.as_ref().map_or(&known.state, |(_, successor)| successor);
            assert_eq!(state, expected, "{context}: the successor of {lane}, evaluated before: {evaluated}");
        }
    }
}

#[test]
fn many_states_are_handled_as_one_by_one() {
    for game in games() {
        let machine = grounded(&sheet(&game));
        let known = sample(&machine, 512);
        for width in WIDTHS {
            let mut lanes = machine.lanes(width);
            for count in COUNTS.into_iter().filter(|count| *count <= width).rev() {
                check(&machine, &mut lanes, &known[known.len() - count..], &game);
            }
        }
    }
}

/// All legal moves of a state, each in a lane with a copy of it, without an evaluation; and then other states once more.
#[test]
fn copies_are_advanced_at_once() {
    for game in games() {
        let machine = grounded(&sheet(&game));
        let known = sample(&machine, 40);
        for width in WIDTHS {
            let mut lanes = machine.lanes(width);
            for Known { state, step, .. } in known.iter().rev().take(20) {
                let Some((joint, successor)) = step else { continue };
                for count in [1, width / 2 + 1, width] {
                    lanes.load_copies(state.words(), count);
                    (0..count).step_by(2).for_each(|lane| lanes.play(lane, joint));
                    lanes.advance().expect("successors");
                    for (lane, state_of) in stored(&lanes, count).iter().enumerate() {
                        assert_eq!(state_of, if lane % 2 == 0 { successor } else { state }, "{game}, lane {lane} of {width}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_lane_that_is_loaded_later_may_be_advanced_with_the_others() {
    for game in ["othello", "checkers", "farmers", "hex"] {
        let machine = grounded(&sheet(game));
        let known = sample(&machine, 30);
        let steps: Vec<(&State, &(Vec<MoveId>, State))> =
            known.iter().filter_map(|known| Some((&known.state, known.step.as_ref()?))).collect();
        let mut lanes = machine.lanes(3);
        for three in steps.chunks_exact(3) {
            lanes.load(0, three[0].0);
            lanes.load(2, three[1].0);
            lanes.evaluate().expect("an evaluation");
            lanes.load(2, three[2].0);
            lanes.play(0, &three[0].1.0);
            lanes.play(2, &three[2].1.0);
            lanes.advance().expect("successors");
            assert_eq!((lanes.state(0), lanes.state(2)), (three[0].1.1.clone(), three[2].1.1.clone()), "{game}");
        }
    }
}

/// The relational engine answers the same calls.
#[test]
fn the_reference_engine_handles_many_states_too() {
    for game in ["tic_tac_toe", "connect_four", "nim", "rock_paper_scissors"] {
        let text = sheet(game);
        let (machine, reference) = (grounded(&text), common::machine(&text));
        let known = sample(&machine, 20);
        let roles = machine.roles().len();
        let (mut lanes, mut plain) = (machine.lanes(20), reference.lanes(20));
        assert_eq!(plain.words_per_state(), None);
        let states: Vec<State> = known[..20]
            .iter()
            .map(|known| reference.state_of(machine.fluents(&known.state).iter().map(String::as_str)).expect("the same state"))
            .collect();
        lanes.load_all(&known[..20].iter().map(|known| known.state.words()).collect::<Vec<_>>());
        plain.load_all(&states.iter().map(State::words).collect::<Vec<_>>());
        let mut stored = Vec::new();
        plain.store_all(20, &mut stored);
        assert_eq!(stored, states.iter().flat_map(|state| state.words().to_vec()).collect::<Vec<_>>());
        let (mut points, mut expected) = (Vec::new(), Vec::new());
        lanes.evaluate_ends().expect("an evaluation");
        plain.evaluate_ends().expect("an evaluation");
        lanes.points_all(20, &mut points).expect("points");
        plain.points_all(20, &mut expected).expect("points");
        assert_eq!((points.len(), &points), (20 * roles, &expected), "{game}");
        assert!((0..20).all(|lane| lanes.terminal(lane) == plain.terminal(lane)), "{game}");
        plain.load_copies(states[3].words(), 5);
        assert!((0..5).all(|lane| plain.state(lane) == states[3]), "{game}");
    }
}

/// Rollouts that nobody stops.
fn roll(lanes: &mut Lanes<'_>, starts: &[&State], each: usize, max_plies: u64, seed: u64) -> Totals {
    let starts: Vec<&[u64]> = starts.iter().map(|state| state.words()).collect();
    let mut totals = Totals::default();
    let asked = Rollouts { starts: &starts, each, shares: &[], max_plies, manner: Manner::default() };
    let done = lanes.rollouts(&asked, &mut Random::new(seed), &|| false, &mut totals);
    assert_eq!(done, Ok(true), "nobody stopped it");
    totals
}

#[test]
fn every_start_has_its_rollouts() {
    for game in games() {
        let machine = grounded(&sheet(&game));
        let known = sample(&machine, 600);
        let mut lanes = machine.lanes(64);
        for (count, each) in [(1, 1), (7, 3), (63, 0), (64, 8), (65, 8), (512, 1), (600, 1), (0, 5)] {
            let starts: Vec<&State> = known[..count].iter().map(|known| &known.state).collect();
            let totals = roll(&mut lanes, &starts, each, 1_000, 3);
            assert_eq!((totals.finished.len(), totals.points.len()), (count, count * machine.roles().len()));
            for (start, known) in known[..count].iter().enumerate() {
                let (finished, unfinished) = (totals.finished[start] as usize, totals.unfinished[start] as usize);
                assert!(finished + unfinished >= each, "{game}: {each} of {count} starts, {finished} of {start}");
                let points = &totals.points[start * known.view.points.len()..][..known.view.points.len()];
                if known.view.terminal {
                    let expected: Vec<u32> =
                        known.view.points.iter().map(|&points| u32::from(points) * finished as u32).collect();
                    assert_eq!((points, unfinished), (&expected[..], 0), "{game}: the match of {start} is over");
                } else {
                    assert!(points.iter().all(|&points| points <= 100 * finished as u32), "{game}: {points:?}");
                }
            }
            assert_eq!(totals.playouts() == 0, count * each == 0, "{game}: none without need");
            let mut again = machine.lanes(200);
            assert_eq!(roll(&mut again, &starts, each, 1_000, 3), totals, "{game}: the same in lanes of another width");
        }
    }
}

/// The mean points of rollouts, and how many plies they take, are those of random play.
#[test]
fn rollouts_are_random_play() {
    for game in ["tic_tac_toe", "connect_four", "othello", "checkers", "breakthrough", "rock_paper_scissors", "kalah"] {
        let machine = grounded(&sheet(game));
        let roles = machine.roles().len();
        let known = sample(&machine, 40);
        for (count, each) in [(5, 700), (9, 60)] {
            let known: Vec<&Known> = known.iter().filter(|known| !known.view.terminal).take(count).collect();
            let starts: Vec<State> = known.iter().map(|known| known.state.clone()).collect();
            let mut lanes = machine.lanes(64);
            let totals = roll(&mut lanes, &starts.iter().collect::<Vec<_>>(), each, 500, 11);
            // Per start and role: sum and sum of squares, and the same of plies over all.
            let mut points = vec![[0.0; 2]; starts.len() * roles];
            let mut plies = [0.0; 2];
            let many = 2_000;
            let note = &mut |ended: Ended<'_>| {
                let add = |sums: &mut [f64; 2], value: f64| *sums = [sums[0] + value, sums[1] + value * value];
                add(&mut plies, ended.plies as f64);
                for (role, &earned) in ended.points.expect("an end").iter().enumerate() {
                    add(&mut points[ended.start * roles + role], f64::from(earned));
                }
            };
            let request = Request { starts: &starts, each: many, max_plies: 500, positions: false, manner: Manner::default() };
            machine.lanes(512).reports(&request, &mut Random::new(12), note).expect("the playouts asked for");
            let near = |[sum, squares]: [f64; 2], count: f64, other: f64, others: f64| {
                let mean = sum / count;
                let variance = (squares / count - mean * mean).max(0.0);
                // Five standard errors, and a little for what has never been seen; the seeds are fixed.
                (mean - other / others).abs() <= 5.0 * (variance / count + variance / others).sqrt() + 2.0 / others
            };
            for (place, &sums) in points.iter().enumerate() {
                let (got, finished) = (f64::from(totals.points[place]), f64::from(totals.finished[place / roles]));
                assert!(near(sums, many as f64, got, finished), "{game}, {place}: {sums:?} of {many}, {got} of {finished}");
            }
            // Starts have almost the same number of rollouts, so that their plies may be added up.
            let all = totals.playouts() as f64;
            let slack =
                if totals.finished.iter().max() == totals.finished.iter().min() { 0.0 } else { 0.02 * totals.plies as f64 };
            let [sum, squares] = plies;
            let fits = near([sum, squares], (many as usize * starts.len()) as f64, totals.plies as f64, all);
            assert!(
                fits || (sum / (many as usize * starts.len()) as f64 - totals.plies as f64 / all).abs() * all < slack,
                "{game}"
            );
        }
    }
}

/// Who can win at once does so in rollouts that are to be decisive.
#[test]
fn decisive_rollouts_do_not_pass_over_wins() {
    for game in ["tic_tac_toe", "connect_four", "connect_five"] {
        let machine = grounded(&sheet(game));
        let mut lanes = machine.lanes(64);
        let mut seen = 0;
        for known in sample(&machine, 400).iter().filter(|known| !known.view.terminal) {
            let words = [known.state.words()];
            let mut totals = Totals::default();
            let asked = Rollouts {
                starts: &words,
                each: 100,
                shares: &[],
                max_plies: 1_000,
                manner: Manner { decisive: true, practised: false },
            };
            assert_eq!(lanes.rollouts(&asked, &mut Random::new(1), &|| false, &mut totals), Ok(true));
            assert_eq!((totals.finished[0] >= 100, totals.unfinished[0]), (true, 0), "{game}");
            let (mover, ends) = ends_after(&machine, known);
            let all = u32::from(100_u8) * totals.finished[0];
            if ends.contains(&Some(100)) {
                assert_eq!((totals.plies, totals.points[mover]), (totals.playouts(), all), "{game}: a win is passed over");
                let starts = [known.state.clone()];
                let request = Request {
                    starts: &starts,
                    each: 20,
                    max_plies: 1_000,
                    positions: false,
                    manner: Manner { decisive: true, practised: false },
                };
                let reported = lanes.reports(&request, &mut Random::new(2), &mut |ended| assert_eq!(ended.plies, 1, "{game}"));
                assert_eq!(reported, Ok(()));
                seen += 1;
            }
        }
        assert!(seen > 10, "{game}: {seen}");
    }
}

/// Who has a choice in a position, and what each of its moves gives it where that is the end.
fn ends_after(machine: &Machine, known: &Known) -> (usize, Vec<Option<u8>>) {
    let mut lanes = machine.lanes(1);
    lanes.load(0, &known.state);
    lanes.evaluate().expect("an evaluation");
    let legal: Vec<Vec<MoveId>> = machine.roles().map(|role| lanes.legal(0, role).to_vec()).collect();
    let waits = |moves: &[MoveId]| moves.len() == 1 && machine.move_text(moves[0]) == "noop";
    let mover = legal.iter().position(|moves| !waits(moves)).expect("somebody moves");
    let ends = legal[mover].iter().map(|&chosen| {
        let joint: Vec<MoveId> = (0..legal.len()).map(|role| if role == mover { chosen } else { legal[role][0] }).collect();
        lanes.load(0, &known.state);
        lanes.evaluate().expect("an evaluation");
        lanes.play(0, &joint);
        lanes.advance().and_then(|()| lanes.evaluate()).expect("a successor");
        lanes.terminal(0).then(|| lanes.points(0, RoleId(mover as u32)).expect("points"))
    });
    (mover, ends.collect())
}

#[test]
fn rollouts_are_given_up_and_played_again() {
    for game in ["chess", "othello", "tic_tac_toe", "hex"] {
        let machine = grounded(&sheet(game));
        let known = sample(&machine, 64);
        let starts: Vec<&State> = known[..64].iter().map(|known| &known.state).collect();
        let words: Vec<&[u64]> = starts.iter().map(|state| state.words()).collect();
        let mut lanes = machine.lanes(64);
        let expected = roll(&mut lanes, &starts, 16, 1_000, 5);
        for patience in [0, 1, 2, 5] {
            let questions = Cell::new(0);
            let stop = || questions.replace(questions.get() + 1) >= patience;
            let mut totals = Totals::default();
            let asked = Rollouts { starts: &words, each: 16, shares: &[], max_plies: 1_000, manner: Manner::default() };
            let done = lanes.rollouts(&asked, &mut Random::new(5), &stop, &mut totals).expect("rollouts");
            assert!(!done || patience > 1, "{game}: given up after {patience} questions");
            assert_eq!(done, totals.playouts() == expected.playouts(), "{game}");
            assert_eq!(questions.get(), if done { questions.get() } else { patience + 1 }, "{game}: at once");
            assert!(totals.plies <= expected.plies, "{game}");
            for (start, known) in known[..64].iter().enumerate() {
                let most = u32::from(u8::MAX).min(100) * totals.finished[start];
                assert!(
                    totals.points[start * known.view.points.len()..][..known.view.points.len()].iter().all(|&sum| sum <= most)
                );
            }
            assert_eq!(roll(&mut lanes, &starts, 16, 1_000, 5), expected, "{game}: nothing is left of what was given up");
        }
        check(&machine, &mut lanes, &known[..64], game);
    }
}

#[test]
fn rollouts_begin_anywhere_and_end_in_time() {
    let machine = grounded(&sheet("tic_tac_toe"));
    let mut fluents = machine.fluents(machine.initial());
    let count = fluents.len();
    fluents.retain(|fluent| !fluent.contains("control"));
    assert_eq!(fluents.len() + 1, count, "one of the players has the turn");
    // Nobody has the turn in this state, which is of no phase.
    let nobody = machine.state_of(fluents.iter().map(String::as_str)).expect("a state");
    let mut lanes = machine.lanes(1);
    let totals = roll(&mut lanes, &[&nobody, machine.initial(), &nobody], 100, 4, 1);
    assert!(totals.unfinished.iter().all(|&count| count >= 100), "{totals:?}");
    assert_eq!(totals.finished, [0; 3], "no match ends within four plies");
    assert_eq!(totals.plies, 4 * u64::from(totals.unfinished[1]), "nobody moves without the turn");
    let totals = roll(&mut lanes, &[machine.initial()], 100, 1_000, 1);
    assert_eq!((totals.unfinished[0], totals.points[0] + totals.points[1]), (0, 100 * totals.finished[0]));
}

#[test]
fn the_reference_engine_plays_rollouts_too() {
    let machine = common::machine(&sheet("connect_four"));
    let mut lanes = machine.lanes(3);
    lanes.load(1, machine.initial());
    let totals = roll(&mut lanes, &[machine.initial(), machine.initial()], 6, 1_000, 2);
    assert_eq!((&totals.finished[..], &totals.unfinished[..]), (&[6, 6][..], &[0, 0][..]));
    assert_eq!(totals.points.iter().sum::<u32>(), 1_200, "what one wins the other loses");
    let words = [machine.initial().words()];
    let asked = Rollouts { starts: &words, each: 5, shares: &[], max_plies: 1_000, manner: Manner::default() };
    let questions = Cell::new(0);
    let stop = || questions.replace(questions.get() + 1) == 4;
    let mut totals = Totals::default();
    assert_eq!(lanes.rollouts(&asked, &mut Random::new(1), &stop, &mut totals), Ok(false));
    assert_eq!((questions.get(), totals.playouts()), (5, 0), "asked before every ply, and no match has ended by then");
}

/// How many marks there are on a board of tic-tac-toe, and whether it is the turn of who has to move then.
fn marks(machine: &Machine, words: &[u64]) -> usize {
    let fluents = machine.fluents(&State::of_words(words));
    let count = |what: &str| fluents.iter().filter(|fluent| fluent.contains(what)).count();
    let marks = 9 - count("empty");
    assert_eq!(fluents.len(), machine.fluents(machine.initial()).len(), "a whole state: {fluents:?}");
    let turn = fluents.iter().find(|fluent| fluent.contains("control")).expect("somebody's turn");
    let first = machine.fluents(machine.initial()).iter().any(|fluent| fluent == turn);
    assert_eq!(first, marks % 2 == 0, "{fluents:?}");
    marks
}

#[test]
fn playouts_are_cut_short_after_as_many_moves_as_asked() {
    let text = sheet("tic_tac_toe");
    for (machine, each) in [(grounded(&text), 2_000), (common::machine(&text), 200)] {
        // Both players begin some of the matches, and some begin late.
        let mut lanes = machine.lanes(64);
        let (mut totals, mut cuts, mut random) = (Totals::default(), Cuts::default(), Random::new(4));
        let mut starts = vec![machine.initial().clone()];
        for _ in 0..3 {
            let last = starts.last().expect("there is a first");
            lanes.load(0, last);
            lanes.evaluate().expect("no limit");
            let joint: Vec<MoveId> = machine.roles().map(|role| lanes.legal(0, role)[0]).collect();
            lanes.play(0, &joint);
            lanes.advance().expect("no limit");
            starts.push(lanes.state(0));
        }
        let words: Vec<&[u64]> = starts.iter().map(State::words).collect();
        let asked = Rollouts { starts: &words, each, shares: &[], max_plies: 1_000, manner: Manner::default() };
        for plies in [0, 1, 4, 9] {
            assert_eq!(lanes.cut_rollouts(&asked, plies, &mut random, &|| false, &mut totals, &mut cuts), Ok(true));
            assert!(cuts.len() as u64 + totals.playouts() >= (each * starts.len()) as u64);
            for index in 0..cuts.len() {
                assert_eq!(marks(&machine, cuts.state(index)), cuts.start(index) + plies as usize, "{}", machine.engine_name());
            }
            let ended: u32 = totals.finished.iter().sum();
            assert_eq!(ended > 0, plies >= 4, "three moves and one are no line, with two more of the first player's they can be");
            assert_eq!(cuts.is_empty(), plies == 9, "all matches are over by then");
        }
        // Who has no time is not cut short.
        let asked = Rollouts { max_plies: 0, ..asked };
        assert_eq!(lanes.cut_rollouts(&asked, 1, &mut random, &|| false, &mut totals, &mut cuts), Ok(true));
        assert!(cuts.is_empty() && totals.unfinished[0] as usize >= each);
        assert_eq!(lanes.cut_rollouts(&asked, 1, &mut random, &|| true, &mut totals, &mut cuts), Ok(false));
    }
}

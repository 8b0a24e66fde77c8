//! A rule sheet and a simulator, side by side.

use crate::common;
use ludens_gdl::parse_ground_list;
use ludens_machine::{GroundLimits, Lanes, Limits, Machine, MoveId, Random, RoleId};
use std::collections::BTreeSet;
use std::fs;

/// A game as a programmer writes it by hand.
pub(crate) trait Simulator: Clone {
    /// How a match begins.
    fn new() -> Self;
    /// The legal moves of every role, in the order of the sheet, as GDL text: `(mark 1 1)`. Asked only where the match is not over.
    fn legal(&self) -> Vec<Vec<String>>;
    /// Plays one move per role.
    fn play(&mut self, joint: &[String]);
    /// Whether the match is over.
    fn terminal(&self) -> bool;
    /// The points of every role, as the match stands.
    fn points(&self) -> Vec<u8>;
}

/// How many positions a sheet and its simulator must agree on, at least.
const POSITIONS: usize = 1_000;

/// And in how many matches, at least: a few long ones would say little about ends.
const MATCHES: usize = 20;

/// What a simulator may count, in moves, when it repeats the `perft` of a game.
const PERFT_MOVES: u64 = 400_000;

/// The words of a move: `(mark 1 1)` gives `mark`, `1`, `1`.
pub(crate) fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || c == '(' || c == ')').filter(|word| !word.is_empty()).collect()
}

/// The numbers in a text, between words and parentheses: `(mark 1 1)` gives 1 and 1.
pub(crate) fn numbers<N: std::str::FromStr>(text: &str) -> Vec<N> {
    words(text).into_iter().filter_map(|word| word.parse().ok()).collect()
}

/// The points of two players, as most games give them: all to the winner, or half to each.
pub(crate) fn points_of_two(winner: Option<usize>) -> Vec<u8> {
    match winner {
        Some(0) => vec![100, 0],
        Some(_) => vec![0, 100],
        None => vec![50, 50],
    }
}

/// Proves a sheet by its simulator: random matches of every engine agree in every position, and all that `facts.txt` says of the start holds for the
/// simulator too. Its lines of play lead to the ends that random matches hardly ever see.
pub(crate) fn agree<S: Simulator>(game: &str) {
    let folder = common::root().join("games").join(game);
    let sheet = fs::read_to_string(folder.join("rules.kif")).expect("the game's rule sheet");
    let facts = fs::read_to_string(folder.join("facts.txt")).expect("the game's facts");
    let rules = common::rules(&sheet);
    let declared = ludens_machine::Declared::of(&rules, &Limits::default()).expect("`base` and `input` can be listed");
    let declared = Declared {
        fluents: declared.fluents.into_iter().collect(),
        moves: declared.moves.into_iter().map(|(role, text)| format!("{role} {text}")).collect(),
    };
    let fast = Machine::grounded(&rules, &GroundLimits::default()).expect("a game of the library can be grounded");
    let forgetful = common::machine_with_table(&sheet, 8 * common::SMALL_TABLE);
    for machine in [common::machine(&sheet), forgetful, fast] {
        let mut random = Random::new(1);
        let mut lanes = machine.lanes(1);
        let mut positions = 0;
        let mut matches = 0;
        while positions < POSITIONS || matches < MATCHES {
            positions += random_match::<S>(&machine, &mut lanes, &declared, &mut random);
            matches += 1;
        }
    }
    for fact in facts_from_start(&facts) {
        check_fact::<S>(&fact);
    }
}

/// What the sheet says can ever hold and ever be played.
struct Declared {
    fluents: BTreeSet<String>,
    /// `role move`.
    moves: BTreeSet<String>,
}

/// Plays both to the end, comparing; answers how many positions there were.
fn random_match<S: Simulator>(machine: &Machine, lanes: &mut Lanes<'_>, declared: &Declared, random: &mut Random) -> usize {
    let mut simulator = S::new();
    let mut line: Vec<String> = Vec::new();
    lanes.load(0, machine.initial());
    for position in 1.. {
        lanes.evaluate().expect("a position");
        let after = || format!("after `{}`", line.join("; "));
        let fluents = machine.fluents(&lanes.state(0));
        let stray: Vec<&String> = fluents.iter().filter(|&fluent| !declared.fluents.contains(fluent)).collect();
        assert!(stray.is_empty(), "`base` does not know {stray:?} {}", after());
        let goals: Vec<Vec<String>> = machine.roles().map(|role| goal_values(machine, lanes, role)).collect();
        let expected: Vec<Vec<String>> = simulator.points().iter().map(|points| vec![points.to_string()]).collect();
        assert_eq!(goals, expected, "goals of the sheet and points of the simulator {}", after());
        assert_eq!(lanes.terminal(0), simulator.terminal(), "whether the match is over {}\n{fluents:?}", after());
        if lanes.terminal(0) {
            return position;
        }
        let legal = simulator.legal();
        assert_eq!(legal.len(), machine.roles().len(), "the simulator has a list of moves for every role");
        let mut joint = Vec::new();
        for (role, expected) in machine.roles().zip(&legal) {
            let name = machine.role_name(role);
            let got: BTreeSet<String> = lanes.legal(0, role).iter().map(|&id| machine.move_text(id)).collect();
            let expected: BTreeSet<String> = expected.iter().cloned().collect();
            assert_eq!(got, expected, "legal moves of {name} by the sheet and by the simulator {}", after());
            let stray = got.iter().find(|text| !declared.moves.contains(&format!("{name} {text}")));
            assert!(stray.is_none(), "`input` does not know {stray:?} of {name} {}", after());
            let all: Vec<&String> = expected.iter().collect();
            assert!(!all.is_empty(), "{name} has a move {}", after());
            joint.push(all[random.below(all.len())].clone());
        }
        let ids: Vec<MoveId> = joint.iter().map(|text| machine.find_move(text).expect("a legal move")).collect();
        lanes.play(0, &ids);
        lanes.advance().expect("the next position");
        simulator.play(&joint);
        line.push(joint.join(" "));
    }
    unreachable!("a match ends")
}

/// All goal values of a role; a sheet of ours gives exactly one.
fn goal_values(machine: &Machine, lanes: &mut Lanes<'_>, role: RoleId) -> Vec<String> {
    lanes.goals(0, role).expect("goals").into_iter().map(|id| machine.goal_text(id)).collect()
}

/// The facts that start where a match does, each on one line.
fn facts_from_start(text: &str) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        match facts.last_mut() {
            Some(fact) if line.starts_with(char::is_whitespace) => fact.push_str(line),
            _ => facts.push(line.to_owned()),
        }
    }
    let start = facts.iter().position(|fact| fact.starts_with("position ")).unwrap_or(facts.len());
    facts.truncate(start);
    for kind in ["perft ", "match "] {
        assert!(facts.iter().any(|fact| fact.starts_with(kind)), "the facts have a `{kind}` from the start");
    }
    facts
}

/// Asks the simulator for what the engine is asked for elsewhere.
fn check_fact<S: Simulator>(fact: &str) {
    let (kind, rest) = fact.split_once(' ').expect("a fact");
    let (moves, result) = rest.split_once("=>").unwrap_or(("", rest));
    if kind == "perft" {
        return check_perft::<S>(result);
    }
    if kind == "turns" {
        return;
    }
    let mut simulator = S::new();
    for joint in moves.split(';').map(terms).filter(|joint| !joint.is_empty()) {
        assert!(!simulator.terminal(), "the match is over before {joint:?} of `{fact}`");
        let joint = complete(&simulator.legal(), &joint).unwrap_or_else(|| panic!("{joint:?} is not legal in `{fact}`"));
        simulator.play(&joint);
    }
    assert_eq!(simulator.terminal(), kind == "match", "whether the match is over after `{fact}`");
    if kind == "match" {
        let points: Vec<String> = simulator.points().iter().map(ToString::to_string).collect();
        return assert_eq!(points, result.split_whitespace().collect::<Vec<_>>(), "points of the simulator after `{fact}`");
    }
    let legal: BTreeSet<String> = simulator.legal().into_iter().flatten().collect();
    let listed: BTreeSet<String> = terms(result).into_iter().collect();
    match kind {
        "legal" => assert!(listed.is_subset(&legal), "`{fact}`, but by the simulator {legal:?}"),
        "illegal" => assert!(listed.is_disjoint(&legal), "`{fact}`, but by the simulator {legal:?}"),
        "only" => {
            let choices = legal.into_iter().filter(|text| text != "noop" || listed.contains(text));
            assert_eq!(choices.collect::<BTreeSet<_>>(), listed, "legal by the simulator, and `{fact}`");
        }
        _ => panic!("`{kind}` is no kind of fact"),
    }
}

fn terms(text: &str) -> Vec<String> {
    parse_ground_list(text).expect("terms").iter().map(ToString::to_string).collect()
}

/// One legal move per role: as given, or that of the one role which has a choice, and of the others what they must play.
fn complete(legal: &[Vec<String>], given: &[String]) -> Option<Vec<String>> {
    let joint: Vec<String> = match given {
        [only] if legal.len() > 1 => {
            let must = |moves: &Vec<String>| if moves.contains(only) { Some(only.clone()) } else { moves.first().cloned() };
            assert_eq!(legal.iter().filter(|moves| moves.contains(only)).count(), 1, "{only} is legal for one role");
            assert!(legal.iter().all(|moves| moves.contains(only) || moves.len() == 1), "{only} is all that is chosen");
            legal.iter().map(must).collect::<Option<_>>()?
        }
        _ => given.to_vec(),
    };
    (joint.len() == legal.len() && joint.iter().zip(legal).all(|(text, moves)| moves.contains(text))).then_some(joint)
}

/// The counts of a `perft`, as deep as is not too much.
fn check_perft<S: Simulator>(counts: &str) {
    let published: Vec<u64> = numbers(counts);
    let affordable = published.iter().take_while(|&&count| count <= PERFT_MOVES).count();
    assert!(affordable > 0, "the first moves can be counted");
    let mut counts = vec![0; affordable];
    count::<S>(&S::new(), &mut counts);
    assert_eq!(counts, published[..affordable], "sequences of moves by the simulator and by the facts");
}

/// Adds the sequences of 1, 2, ... joint moves from here.
fn count<S: Simulator>(simulator: &S, counts: &mut [u64]) {
    let Some((here, deeper)) = counts.split_first_mut() else { return };
    if simulator.terminal() {
        return;
    }
    let legal = simulator.legal();
    let joints = legal.iter().fold(vec![Vec::new()], |joints: Vec<Vec<String>>, moves| {
        joints.iter().flat_map(|joint| moves.iter().map(move |text| [&joint[..], std::slice::from_ref(text)].concat())).collect()
    });
    *here += joints.len() as u64;
    if !deeper.is_empty() {
        for joint in joints {
            let mut next = simulator.clone();
            next.play(&joint);
            count(&next, deeper);
        }
    }
}

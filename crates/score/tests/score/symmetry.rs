//! Symmetries that are found in rules, and such that are not there.

use crate::support::{self, library, library_rules, machine, vocabulary};
use ludens_gdl::Rules;
use ludens_machine::{Machine, MoveId, Random, RoleId, State};
use ludens_score::symmetry::{Symmetry, symmetries};
use ludens_score::{Feature, FluentId, Matches, Pattern, Vocabulary};
use std::collections::BTreeSet;

/// A game with its symmetries.
struct Game {
    machine: support::Game,
    vocabulary: Vocabulary,
    found: Vec<Symmetry>,
}

impl Game {
    fn new(machine: support::Game, rules: Option<&Rules>) -> Game {
        let vocabulary = vocabulary(&machine);
        let found = find(&machine, &vocabulary, rules, 500, &|| false);
        Game { machine, vocabulary, found }
    }

    fn library(game: &str) -> Game {
        Game::new(library(game), Some(&library_rules(game)))
    }

    fn fluent(&self, text: &str) -> FluentId {
        let texts = self.machine.fluent_texts().expect("fluents");
        FluentId(texts.iter().position(|known| known == text).expect("a fluent of the game") as u32)
    }

    fn text(&self, fluent: FluentId) -> &str {
        &self.machine.fluent_texts().expect("fluents")[fluent.0 as usize]
    }

    fn keeping(&self) -> Vec<&Symmetry> {
        self.found.iter().filter(|symmetry| symmetry.keeps_roles()).collect()
    }

    fn exchanging(&self) -> Vec<&Symmetry> {
        self.found.iter().filter(|symmetry| !symmetry.keeps_roles()).collect()
    }

    /// All that a fluent can become.
    fn orbit(&self, symmetries: &[&Symmetry], text: &str) -> BTreeSet<&str> {
        let mut orbit = vec![self.fluent(text)];
        let mut next = 0;
        while let Some(&fluent) = orbit.get(next) {
            for symmetry in symmetries {
                let image = symmetry.fluent(fluent);
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
            next += 1;
        }
        orbit.into_iter().map(|fluent| self.text(fluent)).collect()
    }

    #[track_caller]
    fn becomes(&self, symmetry: &Symmetry, text: &str) -> &str {
        self.text(symmetry.fluent(self.fluent(text)))
    }

    fn pattern(&self, symmetry: &Symmetry, text: &str) -> Option<String> {
        let pattern = Pattern::parse(&self.vocabulary, text).expect("a pattern of the game");
        symmetry.pattern(&self.vocabulary, &pattern).map(|image| image.text(&self.vocabulary))
    }
}

fn find(
    machine: &Machine,
    vocabulary: &Vocabulary,
    rules: Option<&Rules>,
    count: usize,
    stop: &dyn Fn() -> bool,
) -> Vec<Symmetry> {
    let mut random = Random::new(5);
    let matches = Matches::play(machine, count, 1000, &mut random, &|| false).expect("matches");
    symmetries(machine, vocabulary, &matches, rules, &mut random, stop)
}

#[test]
fn tic_tac_toe_has_eight_ways_to_look_at_it_and_two_players_alike() {
    let game = Game::library("tic_tac_toe");
    let keeping = game.keeping();
    let corners = ["(cell 1 1 x)", "(cell 1 3 x)", "(cell 3 1 x)", "(cell 3 3 x)"];
    assert_eq!(game.orbit(&keeping, "(cell 1 1 x)"), corners.into());
    assert_eq!(game.orbit(&keeping, "(cell 1 2 empty)").len(), 4);
    assert_eq!(game.orbit(&keeping, "(cell 2 2 o)").len(), 1);
    assert_eq!(game.orbit(&keeping, "(control x)").len(), 1);
    let all: Vec<&Symmetry> = game.found.iter().collect();
    assert_eq!(game.orbit(&all, "(control x)").len(), 2);
    assert_eq!(game.orbit(&all, "(cell 1 1 x)").len(), 8);
    // Rows become columns.
    assert!(keeping.iter().any(|symmetry| game.pattern(symmetry, "(cell 1 ? x)").as_deref() == Some("(cell ? 1 x)")));
}

#[test]
fn connect_four_is_mirrored_with_its_lines() {
    let game = Game::library("connect_four");
    let ([mirror], [exchange]) = (&game.keeping()[..], &game.exchanging()[..]) else { panic!("one of each") };
    for (one, two) in [("1 2 red", "7 2 red"), ("3 6 yellow", "5 6 yellow"), ("4 1 red", "4 1 red")] {
        assert_eq!(game.becomes(mirror, &format!("(cell {one})")), format!("(cell {two})"));
    }
    assert_eq!(game.becomes(mirror, "(landing 2 4)"), "(landing 6 4)");
    assert_eq!(game.pattern(mirror, "(cell 1 ? red)").as_deref(), Some("(cell 7 ? red)"));
    assert_eq!(game.pattern(mirror, "(cell ? 3 ?)").as_deref(), Some("(cell ? 3 ?)"));
    assert_eq!(game.pattern(exchange, "(cell ? ? red)").as_deref(), Some("(cell ? ? yellow)"));
    let lines = |text: &str| match Feature::parse(&game.vocabulary, &game.machine, text) {
        Some(Feature::Lines(lines)) => lines,
        other => panic!("{other:?}"),
    };
    let image = |symmetry: &Symmetry, text: &str| {
        let lines = symmetry.lines(&game.vocabulary, &lines(text)).map(Feature::Lines);
        lines.map(|lines| lines.text(&game.vocabulary, &game.machine))
    };
    let (red, yellow) = ("(lines 3 4 (goal red 100) (cell ? ? yellow))", "(lines 3 4 (goal yellow 100) (cell ? ? red))");
    assert_eq!(image(exchange, red).as_deref(), Some(yellow));
    assert_eq!(image(mirror, red).as_deref(), Some(red));
    let lacking = "(lines 3 4 (goal red 100) (lacking (cell 2 ? ?)) (cell ? ? yellow))";
    assert_eq!(image(mirror, lacking), Some(lacking.replace("cell 2", "cell 6")));
    // What blocks is mirrored, too.
    assert_eq!(image(mirror, "(lines 3 4 (goal red 100) (cell 1 ? yellow))"), Some(red.replace("(cell ? ?", "(cell 7 ?")));
}

#[test]
fn breakthrough_is_mirrored_and_turned_round() {
    for rules in [Some(library_rules("breakthrough")), None] {
        let game = Game::new(library("breakthrough"), rules.as_ref());
        let ([mirror], [exchange]) = (&game.keeping()[..], &game.exchanging()[..]) else { panic!("one of each") };
        assert_eq!(game.becomes(mirror, "(cell a 3 white)"), "(cell h 3 white)");
        assert_eq!(game.becomes(mirror, "(control black)"), "(control black)");
        assert_eq!(game.pattern(exchange, "(cell ? 2 white)").as_deref(), Some("(cell ? 7 black)"));
        assert_eq!(game.becomes(exchange, "(control white)"), "(control black)");
        assert_eq!((exchange.role(RoleId(0)), exchange.role(RoleId(1))), (RoleId(1), RoleId(0)));
    }
}

#[test]
fn corners_of_othello_are_alike() {
    for rules in [Some(library_rules("othello")), None] {
        let game = Game::new(library("othello"), rules.as_ref());
        let corners = ["(cell a 1 black)", "(cell a 8 black)", "(cell h 1 black)", "(cell h 8 black)"];
        assert_eq!(game.orbit(&game.keeping(), "(cell a 1 black)"), corners.into());
        assert_eq!(game.orbit(&game.keeping(), "(cell b 1 black)").len(), 8);
        let [exchange] = &game.exchanging()[..] else { panic!("one") };
        assert_eq!(game.becomes(exchange, "(control white)"), "(control black)");
    }
}

#[test]
fn checkers_is_turned_round_with_its_colours_and_clocks_go_on() {
    for rules in [Some(library_rules("checkers")), None] {
        let game = Game::new(library("checkers"), rules.as_ref());
        let [exchange] = &game.found[..] else { panic!("one") };
        for (one, two) in [
            ("(cell a 1 white man)", "(cell h 8 black man)"),
            ("(cell c 5 black man)", "(cell f 4 white man)"),
            ("(cell a 1 white king)", "(cell h 8 black king)"),
            ("(jumping b 2)", "(jumping g 7)"),
            ("(quiet_tens 3)", "(quiet_tens 3)"),
            ("(quiet_units 9)", "(quiet_units 9)"),
        ] {
            assert_eq!(game.becomes(exchange, one), two);
        }
        assert_eq!(game.pattern(exchange, "(cell ? 1 ? man)").as_deref(), Some("(cell ? 8 ? man)"));
    }
}

#[test]
fn sides_of_chess_are_alike_but_not_its_wings() {
    let game = Game::library("chess");
    let [exchange] = &game.found[..] else { panic!("one") };
    for (one, two) in [
        ("(cell d 1 white queen)", "(cell d 8 black queen)"),
        ("(cell b 7 white pawn)", "(cell b 2 black pawn)"),
        ("(may_castle white kingside)", "(may_castle black kingside)"),
        ("(en_passant c)", "(en_passant c)"),
        ("(tens 3)", "(tens 3)"),
    ] {
        assert_eq!(game.becomes(exchange, one), two);
    }
    assert_eq!(game.pattern(exchange, "(cell ? ? white king)").as_deref(), Some("(cell ? ? black king)"));
}

#[test]
fn hex_is_turned_and_folded() {
    let game = Game::library("hex");
    let ([turn], [fold]) = (&game.keeping()[..], &game.exchanging()[..]) else { panic!("one of each") };
    assert_eq!(game.becomes(turn, "(cell a 2 red)"), "(cell i 8 red)");
    assert!(["(cell b 1 blue)", "(cell h 9 blue)"].contains(&game.becomes(fold, "(cell a 2 red)")));
    assert_eq!(game.pattern(turn, "(cell ? 1 empty)").as_deref(), Some("(cell ? 9 empty)"));
}

#[test]
fn other_games_have_theirs() {
    // Symmetries that keep all roles, and others, at least; a fluent and how many it can become.
    for (name, keeping, exchanging, fluent, count) in [
        ("connect_five", 2, 1, "(cell 1 1 x)", 8),
        ("connect_four_3", 1, 1, "(cell 1 1 red)", 6),
        ("cylinder_checkers", 2, 1, "(cell a 1 red man)", 8),
        ("amazons", 2, 1, "(cell a 1 arrow)", 4),
        ("nine_mens_morris", 3, 1, "(cell a 1 white)", 16),
        ("lines_of_action", 2, 1, "(cell b 1 black)", 16),
        ("lights_out", 2, 0, "(lamp 1 1 on)", 4),
        ("peg_solitaire", 2, 0, "(cell 1 3 peg)", 8),
        ("goofspiel", 0, 1, "(hand left 3)", 2),
        ("kalah", 0, 1, "(seeds south a 4)", 2),
        ("tron", 1, 1, "(crashed red)", 2),
        ("farmers", 0, 2, "(owns alice farm)", 3),
        ("chinese_checkers_6", 0, 0, "(control red)", 1),
        ("sheep_and_wolf", 0, 0, "(control wolf)", 1),
        ("sudoku", 0, 0, "(cell 1 1 1)", 1),
    ] {
        let game = Game::library(name);
        if name == "sudoku" || name == "sheep_and_wolf" {
            assert_eq!(game.found, [], "{name}");
            continue;
        }
        assert!(game.keeping().len() >= keeping && game.exchanging().len() >= exchanging, "{name}");
        let all: Vec<&Symmetry> = game.found.iter().collect();
        assert_eq!(game.orbit(&all, fluent).len(), count, "{name}");
        is_sound(&game, name);
    }
}

/// Compares what may be done in some states, and all that comes of it, with the same in their images: by nothing but what a machine tells of single states.
#[track_caller]
fn is_sound(game: &Game, name: &str) {
    let machine = &game.machine;
    let matches = Matches::play(machine, 3, 1000, &mut Random::new(17), &|| false).expect("matches");
    let mut lanes = machine.lanes(1);
    for symmetry in &game.found {
        let mut fluents: Vec<u32> = (0..game.vocabulary.rows().len() as u32).map(|it| symmetry.fluent(FluentId(it)).0).collect();
        fluents.sort_unstable();
        assert!(fluents.iter().enumerate().all(|(at, &fluent)| at == fluent as usize), "{name}: each becomes another");
        for course in matches.courses() {
            for ply in (0..course.len()).step_by(course.len().div_ceil(8)).chain([course.len() - 1]) {
                let words = course.position(ply);
                let image = symmetry.state(words);
                let own = after(machine, &mut lanes, words);
                let own: BTreeSet<Vec<u64>> = own.into_iter().map(|words| symmetry.state(&words)).collect();
                assert_eq!(own, after(machine, &mut lanes, &image), "{name}, ply {ply}");
            }
        }
        let ends = matches.courses().map(|course| (symmetry.state(course.position(course.len() - 1)), course.points));
        for (end, points) in ends {
            lanes.load(0, &State::of_words(&end));
            lanes.evaluate().expect("a state");
            assert!(lanes.terminal(0), "{name}");
            for role in machine.roles() {
                assert_eq!(lanes.points(0, symmetry.role(role)).expect("points"), points[role.0 as usize], "{name}");
            }
        }
    }
}

/// All states that can come next.
fn after(machine: &Machine, lanes: &mut ludens_machine::Lanes<'_>, words: &[u64]) -> BTreeSet<Vec<u64>> {
    let state = State::of_words(words);
    lanes.load(0, &state);
    lanes.evaluate().expect("a state");
    if lanes.terminal(0) {
        return BTreeSet::new();
    }
    let mut joints: Vec<Vec<MoveId>> = vec![Vec::new()];
    for role in machine.roles() {
        let moves = lanes.legal(0, role).to_vec();
        let longer = |joint: &Vec<MoveId>| moves.iter().map(|&id| [&joint[..], &[id]].concat()).collect::<Vec<_>>();
        joints = joints.iter().flat_map(longer).collect();
    }
    let mut found = BTreeSet::new();
    for joint in joints {
        lanes.load(0, &state);
        lanes.evaluate().expect("a state");
        lanes.play(0, &joint);
        lanes.advance().expect("a successor");
        found.insert(lanes.state(0).words().to_vec());
    }
    found
}

/// Somebody presses four buttons, one a turn; what is given is what the first two and the last two open.
fn buttons(left: &str, right: &str) -> support::Game {
    machine(&format!(
        "(role one) (button a) (button b) (button c) (button d) (succ 0 1) (succ 1 2) (succ 2 3)
         (init (turn 0)) (base (turn 0)) (<= (base (turn ?m)) (succ ?n ?m)) (<= (base (on ?b)) (button ?b))
         (base (open left)) (base (open right)) (<= (input one (press ?b)) (button ?b)) (<= (legal one (press ?b)) (button ?b))
         (<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
         (<= (next (on ?b)) (does one (press ?b))) (<= (next (on ?b)) (true (on ?b)))
         (<= (next (open left)) {left}) (<= (next (open right)) {right})
         (<= terminal (true (turn 3)))
         (<= good (true (open left))) (<= good (true (open right)))
         (<= (goal one 100) good) (<= (goal one 0) (not good))"
    ))
}

#[test]
fn what_depends_on_the_same_need_not_be_alike() {
    let both = |one: &str, two: &str| format!("(true (on {one})) (true (on {two}))");
    let either = |one: &str, two: &str| format!("(or (true (on {one})) (true (on {two})))");
    let alike = Game::new(buttons(&both("a", "b"), &both("c", "d")), None);
    let all: Vec<&Symmetry> = alike.found.iter().collect();
    assert_eq!(alike.orbit(&all, "(on a)").len(), 4);
    assert_eq!(alike.orbit(&all, "(open left)").len(), 2);
    is_sound(&alike, "buttons");
    // The two sides depend on as much, in the same way.
    let different = Game::new(buttons(&both("a", "b"), &either("c", "d")), None);
    let all: Vec<&Symmetry> = different.found.iter().collect();
    assert_eq!(different.orbit(&all, "(open left)").len(), 1);
    assert_eq!(different.orbit(&all, "(on a)"), BTreeSet::from(["(on a)", "(on b)"]));
    assert_eq!(different.orbit(&all, "(on d)"), BTreeSet::from(["(on c)", "(on d)"]));
    is_sound(&different, "other buttons");
}

#[test]
fn one_rule_makes_the_difference() {
    let sheet = |last: &str| {
        format!(
            "(role white) (role black) (opponent white black) (opponent black white)
             (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (index 1) (<= (index ?m) (succ ?n ?m))
             (init (control white)) (init (at white 1)) (init (at black 5))
             (<= (base (control ?p)) (role ?p)) (<= (base (at ?p ?n)) (role ?p) (index ?n))
             (<= (input ?p ?m) (role ?p) (step ?m)) (<= (input ?p noop) (role ?p)) (step up) (step down)
             (<= (legal ?p noop) (opponent ?p ?q) (true (control ?q)))
             (<= (legal ?p up) (true (control ?p)) (true (at ?p ?n)) (succ ?n ?m))
             (<= (legal ?p down) (true (control ?p)) (true (at ?p ?n)) (succ ?m ?n))
             (<= (next (control ?p)) (opponent ?p ?q) (true (control ?q)))
             (<= (next (at ?p ?m)) (does ?p up) (true (at ?p ?n)) (succ ?n ?m))
             (<= (next (at ?p ?m)) (does ?p down) (true (at ?p ?n)) (succ ?m ?n))
             (<= (next (at ?p ?n)) (does ?p noop) (true (at ?p ?n)))
             (last white 5) (last black {last})
             (<= (arrived ?p) (last ?p ?n) (true (at ?p ?n)))
             (<= terminal (arrived ?p))
             (<= (goal ?p 100) (arrived ?p)) (<= (goal ?p 0) (role ?p) (not (arrived ?p)))"
        )
    };
    let game = Game::new(machine(&sheet("1")), None);
    let [exchange] = &game.found[..] else { panic!("one") };
    assert_eq!(game.becomes(exchange, "(at white 2)"), "(at black 4)");
    is_sound(&game, "two walkers");
    assert_eq!(Game::new(machine(&sheet("2")), None).found, []);
}

#[test]
fn without_time_or_matches_nothing_is_found_and_twice_the_same() {
    let machine = library("tic_tac_toe");
    let vocabulary = vocabulary(&machine);
    assert_eq!(find(&machine, &vocabulary, None, 500, &|| true), []);
    assert_eq!(find(&machine, &vocabulary, None, 0, &|| false), []);
    let found = find(&machine, &vocabulary, None, 500, &|| false);
    assert!(!found.is_empty());
    assert_eq!(found, find(&machine, &vocabulary, None, 500, &|| false));
}

/// What looks like a symmetry, and exchanges `b` and `c`, leads to positions that never come up and have 301 to the power of four joint moves.
#[test]
fn images_with_many_joint_moves_are_not_gone_through() {
    let numbers: Vec<String> = (0..300).map(|number| format!("(num {number})")).collect();
    let steps: Vec<String> = (0..10).map(|step| format!("(succ {step} {})", step + 1)).collect();
    let rules = "(role r1) (role r2) (role r3) (role r4) (init a) (init c) (init (step 0))
        (<= open (true a) (true b)) (<= open (true c) (true d))
        (<= (legal ?r (go ?n)) (role ?r) open (num ?n))
        (<= alive (true a) (not (true b))) (<= alive (true b) (not (true a)))
        (<= alive (true c) (not (true d))) (<= alive (true d) (not (true c)))
        (<= (legal ?r noop) (role ?r) (distinct ?r r1)) (<= (legal r2 up) (true (step ?n)))
        (<= (legal r1 (s ?n)) alive (small ?n)) (small 1) (small 2) (small 3) (small 4)
        (<= (next a) (does r1 (s 1))) (<= (next c) (does r1 (s 1))) (<= (next b) (does r1 (s 2))) (<= (next d) (does r1 (s 2)))
        (<= (next a) (does r1 (s 3))) (<= (next d) (does r1 (s 3))) (<= (next b) (does r1 (s 4))) (<= (next c) (does r1 (s 4)))
        (<= (next w) (does r2 up)) (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m)) (<= terminal (true (step 6)))
        (<= (goal ?r 100) (role ?r) (true w)) (<= (goal ?r 0) (role ?r) (not (true w)))";
    let machine = machine(&[&numbers.join(" "), &steps.join(" "), rules].concat());
    let vocabulary = vocabulary(&machine);
    for symmetry in find(&machine, &vocabulary, None, 500, &|| false) {
        let image = |text: &str| {
            let texts = machine.fluent_texts().expect("fluents");
            let fluent = texts.iter().position(|known| known == text).expect("a fluent of the game");
            texts[symmetry.fluent(FluentId(fluent as u32)).0 as usize].clone()
        };
        // Pairs stay pairs.
        assert!(matches!((image("a").as_str(), image("b").as_str()), ("a" | "b", "a" | "b") | ("c" | "d", "c" | "d")));
    }
}
